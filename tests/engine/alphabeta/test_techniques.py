"""The switches of alpha-beta: what changes nothing but the cost must not change a value."""

import plain_search
import pytest

from evalsmith.engine import Limit, Searcher
from evalsmith.engine.alphabeta.techniques import SELECTIVE, TECHNIQUES, chosen, mask, possible
from evalsmith.games import find_game
from evalsmith.run import InputError
from evalsmith.weights import starting_weights

OTHELLO, CHESS, DVONN, FOUR = (find_game(name) for name in ("othello", "chess", "dvonn", "connect_four"))
EXACT = tuple(name for name in TECHNIQUES if name not in SELECTIVE and name != "quiescence")

MATES = [  # position, moves to mate
    ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 1),
    ("r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w KQ - 0 1", 2),
    ("5rk1/1p1q2bp/p2pN1p1/2pP2Bn/2P3P1/1P6/P4QKP/5R2 w - - 0 1", 2),
    ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", 3),
]


def test_every_technique_has_a_bit_of_its_own() -> None:
    assert mask(TECHNIQUES).bit_count() == len(TECHNIQUES)


def test_an_unknown_technique_is_refused() -> None:
    with pytest.raises(InputError, match="unknown technique 'luck'; expected one of pvs, "):
        Searcher(OTHELLO, without=("luck",))


def test_what_a_game_cannot_do_is_not_used() -> None:
    assert {"quiescence", "null", "checks", "mates"}.isdisjoint(possible(OTHELLO))
    assert set(possible(CHESS)) == set(TECHNIQUES) - {"solver"}
    assert "lmr" in chosen(CHESS)
    assert "lmr" not in chosen(CHESS, ("lmr",))
    for game in (OTHELLO, CHESS, DVONN):
        assert set(game.unhelpful) <= set(TECHNIQUES)


@pytest.mark.parametrize("name", EXACT)
def test_without_it_the_value_stays(name: str) -> None:
    for game, depth in ((OTHELLO, 4), (FOUR, 5), (DVONN, 2)):
        weights = starting_weights(game)
        for position in plain_search.random_positions(game, 3, seed=11):
            whole = Searcher(game, weights, 1 << 16, without=SELECTIVE).think(position, Limit(depth=depth))
            less = Searcher(game, weights, 1 << 16, without=(*SELECTIVE, name)).think(position, Limit(depth=depth))
            assert [line.score for line in less.lines] == [line.score for line in whole.lines]
            assert less.depth == whole.depth


@pytest.mark.parametrize("name", EXACT)
def test_chess_without_it_the_value_stays(name: str) -> None:
    """Repetitions and the table may disagree, so these positions have none within reach."""
    for text in (
        "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ):
        position = CHESS.parse(text)
        whole = Searcher(CHESS, without=SELECTIVE).think(position, Limit(depth=3))
        less = Searcher(CHESS, without=(*SELECTIVE, name)).think(position, Limit(depth=3))
        assert less.lines[0].score == whole.lines[0].score


@pytest.mark.parametrize("left_out", ["", "lmr", "null", "futility", "delta", "mates", "checks", "aspiration"])
@pytest.mark.parametrize(("text", "moves"), MATES)
def test_mates_are_found_whatever_is_left_out(left_out: str, text: str, moves: int) -> None:
    searcher = Searcher(CHESS, without=(left_out,) if left_out else ())
    thought = searcher.think(CHESS.parse(text), Limit(depth=9, nodes=3_000_000))
    assert thought.lines[0].score == CHESS.win - (2 * moves - 1)


def test_techniques_save_nodes() -> None:
    positions = [
        CHESS.parse("r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9"),
        *plain_search.random_positions(CHESS, 12, seed=5),
    ]
    counts = {}
    for name in ("", "lmr", "order", "table-move"):
        searcher = Searcher(CHESS, without=("iir", name) if name else ("iir",))
        counts[name] = sum(searcher.think(position, Limit(depth=7)).nodes for position in positions)
    assert all(counts[""] < counts[name] for name in ("lmr", "order", "table-move")), counts


def test_the_null_move_does_not_hide_a_zugzwang() -> None:
    """White must not lose the pawn: only with the move on Black is it won. Kings and pawns alone never rest."""
    position = CHESS.parse("8/8/1p1k4/1P6/1K6/8/8/8 b - - 0 1")
    with_it = Searcher(CHESS).think(position, Limit(depth=8)).lines[0]
    assert with_it.score == Searcher(CHESS, without=("null",)).think(position, Limit(depth=8)).lines[0].score
