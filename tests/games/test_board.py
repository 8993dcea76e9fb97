"""A board says what the rules say, takes moves back, and ends games as other programs do."""

from __future__ import annotations

import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.games import CHANCE, OVER, board, find_game
from evalsmith.games.board import Board, Outcome
from evalsmith.run import MoveError, UnknownGame

GAMES = ("chess", "shogi", "othello", "dvonn", "drmario")
PLIES = 60


def step(played: Board, source: random.Random) -> None:
    """A random move, or an outcome of chance."""
    if played.status == CHANCE:
        played.draw(source)
    else:
        assert played.play(source.choice(played.game.moves(played.position)))


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_it_agrees_with_the_rules(name: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(board, "_ROOM", 4)  # so that rows have to grow
    game, source = find_game(name), random.Random(seed)
    played, seen = Board(game), []
    keys: list[int] = []
    checks: list[int] = []
    position = game.start()
    while played.outcome() is None and played.ply < PLIES:
        assert (played.status, played.mover) == (game.status(position), game.mover(position))
        assert played.turn == game.sides[game.mover(position)] and played.running == (played.status != CHANCE)
        assert game.repeated(position, keys, checks) == 0
        seen.append(position)
        keys.append(game.key(position))
        checks.append(int(game.check(position)))
        if played.status != CHANCE:
            legal = game.moves(position)
            wrong = next(move for move in range(1 << 24) if move not in legal)
            assert not played.play(wrong) and not played.play(-1)
        step(played, source)
        position = game.step(position, played.move_stack[-1])
        assert (played.position == position).all()
    assert all((known == here).all() for known, here in zip(played.history, seen, strict=True))
    assert played.position_at(3).tolist() == seen[3].tolist()
    if played.status == OVER:
        outcome = played.outcome()
        assert outcome is not None and not played.running
        assert outcome.value == game.result(position) * (1 if game.mover(position) == 0 else -1)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=15, deadline=None, database=None)
@given(seed=st.integers(0, 2**32), plies=st.integers(1, 40), back=st.integers(1, 40))
def test_undo_is_the_way_back(name: str, seed: int, plies: int, back: int) -> None:
    source, played = random.Random(seed), Board(name)
    for _ in range(plies):
        if played.outcome() is not None:
            break
        step(played, source)
    moves, rows = list(played.move_stack), [*(row.copy() for row in played.history), played.position.copy()]
    handed_out, outcome, written = [*played.history, played.position], played.outcome(), played.moves
    for _ in range(min(back, len(moves))):
        assert played.undo() == written[played.ply]
        assert (played.position == rows[played.ply]).all()
        assert (played.status, played.mover) == (
            played.game.status(played.position),
            played.game.mover(played.position),
        )
    shorter = played.copy()
    assert shorter == played and shorter.move_stack == played.move_stack == moves[: played.ply]
    if played.status != OVER:  # another way from here leaves what was handed out as it was
        step(shorter, random.Random(seed + 1))
        step(played, random.Random(seed + 1))
        assert all((row == known).all() for row, known in zip(handed_out, rows, strict=True))
        played.undo()
    for move in moves[played.ply :]:
        assert played.push(move) == written[played.ply - 1]
    assert (played.position == rows[-1]).all() and played.outcome() == outcome
    assert played == Board(played.game, played.start, moves)


@settings(max_examples=40, deadline=None, database=None)
@given(seed=st.integers(0, 2**32))
def test_chess_ends_as_python_chess_says(seed: int) -> None:
    """Few pieces and short moves, so that positions repeat and kings meet."""
    source = random.Random(seed)
    text = source.choice(["8/8/4k3/8/8/3K4/8/R7 w - - 0 1", "8/5p2/4k3/8/8/3K4/2P5/8 w - - 0 1", chess.STARTING_FEN])
    ours, theirs = Board("chess", text), chess.Board(text)
    while ours.outcome() is None and ours.ply < 200:
        assert not theirs.is_checkmate() and not theirs.is_stalemate() and not theirs.is_insufficient_material()
        assert not theirs.is_repetition(3) and theirs.halfmove_clock < 100
        assert sorted(ours.legal_moves()) == sorted(theirs.san(move) for move in theirs.legal_moves)
        san = theirs.san(source.choice(list(theirs.legal_moves)[:6]))
        theirs.push_san(san)
        assert ours.push(san) == san
    outcome = ours.outcome()
    if outcome is None:
        return
    reasons = {
        "mate": theirs.is_checkmate(),
        "stalemate": theirs.is_stalemate(),
        "insufficient material": theirs.is_insufficient_material(),
        "repetition": theirs.is_repetition(3),
        "fifty moves": theirs.halfmove_clock >= 100,
    }
    assert reasons[outcome.termination]
    said = theirs.outcome(claim_draw=True)
    assert said is not None and said.result() == outcome.result
    assert outcome.winner == {None: None, True: "white", False: "black"}[said.winner]


def test_repetition_ends_a_game() -> None:
    played = Board("chess")
    for text in 2 * ("Nf3", "Nf6", "Ng1", "Ng8"):
        assert played.running and played.outcome() is None
        played.push(text)
    assert not played.running and played.outcome() == Outcome(None, "repetition", 0)
    assert str(played.outcome()) == "1/2-1/2 by repetition"
    assert played.undo() == "Ng8" and played.running


def test_moves_in_a_row() -> None:
    assert Board("othello", "f5d6c3d3c4").moves == ["f5", "d6", "c3", "d3", "c4"]
    assert Board("chess", "1. e4 e5 2.Nf3").moves == ["e4", "e5", "Nf3"]
    assert Board("chess", "e2e4e7e5").names(0) == ["e2e4", "e7e5"]
    with pytest.raises(MoveError, match="'z9' is not a legal move"):
        Board("othello", "f5d6z9")


def test_forced_passes_may_be_left_out() -> None:
    source = random.Random(5)
    while True:
        played = Board("othello")
        while played.outcome() is None:
            step(played, source)
        if "pass" in played.moves:
            break
    short = Board("othello", "".join(move for move in played.moves if move != "pass"))
    assert short.moves == played.moves and short.outcome() == played.outcome()


def test_what_the_start_fixes_comes_in_order() -> None:
    game = find_game("drmario")
    text = "seed:8988 level:10"
    order = game.hook("sequence")(text)
    source, seen = random.Random(1), []
    played = Board(game, text)
    while played.outcome() is None and len(seen) < 12:
        if played.status == CHANCE:
            seen.append(played.draw(source))
        else:
            step(played, source)
    assert seen == list(order[: len(seen)])
    drawn = Board(game, game.parse(text))
    with pytest.raises(MoveError, match="chance does not move"):
        drawn.draw(1)
    drawn.push(drawn.legal_moves()[0])
    twin = drawn.copy()
    assert drawn.draw(7) == twin.draw(7) and drawn == twin
    assert drawn.moves[-1] == str(drawn.move_stack[-1]) and drawn.undo() == twin.moves[-1]
    with pytest.raises(MoveError, match=r"not a chance outcome \(0 to 8\)"):
        drawn.push("red")
    assert drawn.push(twin.moves[-1]) == twin.moves[-1]


def test_errors_end_with_the_position() -> None:
    played = Board("chess", "e4")
    for wrong in ("e5e6", 17, "Qh9"):
        with pytest.raises(MoveError, match=str(wrong)) as caught:
            played.push(wrong)
        assert isinstance(caught.value, ValueError) and played.text in str(caught.value)
    with pytest.raises(MoveError, match="move 2: "):
        Board("chess", None, ["e4", "e4"])
    with pytest.raises(MoveError, match="no move to take back"):
        Board("chess").undo()
    with pytest.raises(UnknownGame):
        Board("tiddlywinks")


@pytest.mark.parametrize("name", GAMES)
def test_it_shows_itself(name: str) -> None:
    played = Board(name)
    assert repr(played) == f"Board({name!r}, {played.text!r})" and Board(name, played.text) == played
    assert len(str(played).splitlines()) > 4 and "[/" not in str(played)
    assert played._repr_svg_().startswith("<svg") and played != name
