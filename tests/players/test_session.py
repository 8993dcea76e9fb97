"""A game in progress: turns, taking back, hints, endings, and the saved game."""

import functools
import json
import random
import sys
from dataclasses import replace
from types import ModuleType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evalsmith.engine import Limit
from evalsmith.games import CHANCE, OVER, Position, find_game
from evalsmith.games.drmario import GAME as DRMARIO
from evalsmith.games.shogi import GAME as SHOGI
from evalsmith.players import spec
from evalsmith.players.saved_game import load, save
from evalsmith.players.session import PERSON, Session, Setup
from evalsmith.run import InputError, MismatchError, MoveError, OutputError

OTHELLO, CHESS, DVONN = (find_game(name) for name in ("othello", "chess", "dvonn"))
QUICK = Limit(nodes=150)
_WEIGHTS = functools.cache(spec.starting_weights)


@pytest.fixture(autouse=True)
def one_set_of_weights(monkeypatch):
    """Othello's hand-set weights are millions of numbers; here they are made once."""
    monkeypatch.setattr(spec, "starting_weights", _WEIGHTS)
    monkeypatch.setattr(spec, "default_weights", _WEIGHTS)


def begin(game, *seats, start=None, limit=QUICK, seed=1):
    """A new session; seats left out are people."""
    seats = seats or (PERSON,) * game.players
    return Session(game, Setup(start or game.format(game.start()), seats, limit=limit, seed=seed))


def positions(session: Session) -> list[Position]:
    return [*session.board.history, session.position]


def settle(session):
    """Advance until a person has to choose or the game is over."""
    while not session.waiting and session.outcome is None:
        session.advance()
    return session


def finish(session, source):
    """Play to the end, people at random."""
    while settle(session).outcome is None:
        session.play(source.choice(session.legal()))
    return session


def words(session):
    return [step.text for step in session.steps]


def same(first, second):
    """Whether two sessions are the same game at the same place."""
    played = [[replace(step, thought=None) for step in session.steps] for session in (first, second)]
    return (
        played[0] == played[1]
        and all((a == b).all() for a, b in zip(positions(first), positions(second), strict=True))
        and (first.setup, first.resigned) == (second.setup, second.resigned)
    )


# ── Turns ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", [OTHELLO, DVONN, CHESS, SHOGI, DRMARIO], ids=lambda game: game.name)
def test_games_against_random_players_end_by_the_rules(game):
    seats = (PERSON, "random")[: game.players]
    start = "seed:0105 level:0 stall:9" if game is DRMARIO else None
    session = begin(game, *seats, start=start)
    source = random.Random(4)
    for _ in range(700):
        if settle(session).outcome is not None:
            break
        assert game.mover(session.position) == 0 and game.status(session.position) not in (CHANCE, OVER)
        session.play(source.choice(session.legal()))
    assert session.outcome is not None and not session.waiting and session.legal() == []
    if session.outcome.termination == "rule":
        sign = 1 if game.mover(session.position) == 0 else -1
        assert session.outcome.value == sign * game.result(session.position)
    with pytest.raises(InputError, match="over"):
        session.advance()
    with pytest.raises(InputError, match="over"):
        session.play("anything")


def test_an_illegal_move_changes_nothing():
    session = begin(OTHELLO)
    session.play("f5")
    with pytest.raises(MoveError, match="a1"):
        session.play("a1")
    assert words(session) == ["f5"] and session.mover == 1


def test_a_person_cannot_move_for_the_player_nor_the_player_for_a_person():
    session = begin(OTHELLO, PERSON, "random")
    with pytest.raises(InputError, match="choose"):
        session.advance()
    session.play("f5")
    with pytest.raises(InputError, match="white"):
        session.play("d6")
    assert len(session.steps) == 1


def test_a_search_plays_what_its_weights_and_nodes_say_and_forgets_between_moves():
    first, second = begin(CHESS, "self", PERSON), begin(CHESS, "self", PERSON)
    for session in (first, second):
        session.advance()
    second.hint()  # must not change what comes after it
    for session in (first, second):
        session.play("e7e5")
        session.advance()
    assert words(first) == words(second)
    assert first.steps[-1].thought.nodes <= 150


def test_players_have_limits_of_their_own():
    session = begin(OTHELLO, "self;depth=2", PERSON, limit=Limit(depth=1))
    assert session.advance().thought.depth == 2


def test_random_players_follow_the_seed():
    games = [words(finish(begin(OTHELLO, "random", "random", seed=seed), None)) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_the_number_of_seats_must_fit():
    with pytest.raises(InputError, match="2 seats"):
        begin(OTHELLO, PERSON)
    with pytest.raises(InputError, match="nobody"):
        begin(OTHELLO, PERSON, "nobody")


# ── Passes, double turns, taking back ───────────────────────────────────────────────────────────


def with_a_pass():
    """An Othello game in which a side has passed, the other moved on, and the first is to choose again."""
    source = random.Random(11)
    while True:
        session = begin(OTHELLO)
        while settle(session).outcome is None:
            session.play(source.choice(session.legal()))
            passed = [ply for ply, step in enumerate(session.steps) if step.forced]
            if passed and settle(session).waiting and session.mover == session.steps[passed[0]].side:
                return session, passed[0]


def test_a_forced_pass_is_played_by_itself_and_taken_back_with_the_rest():
    session, ply = with_a_pass()
    side = session.steps[ply].side
    assert session.steps[ply].text == "pass"
    seats = [PERSON, PERSON]
    seats[1 - side] = "random"
    session.rearrange(replace(session.setup, seats=tuple(seats)))
    before = [position.copy() for position in positions(session)]
    all_words = words(session)
    taken = session.undo()
    assert taken >= 3 and len(session.steps) == ply - 2  # the choice, the answer, the pass, the next answer …
    assert session.waiting and session.mover == side
    assert (session.position == before[ply - 2]).all()
    assert session.redo() == taken and words(session) == all_words
    assert all((a == b).all() for a, b in zip(positions(session), before, strict=True))


def test_white_of_dvonn_moves_twice_and_takes_back_one_choice_at_a_time():
    source = random.Random(3)
    session = begin(DVONN)
    for _ in range(51):
        session.play(source.choice(session.legal()))
    assert [step.side for step in session.steps[46:51]] == [0, 1, 0, 0, 1]
    session.rearrange(replace(session.setup, seats=(PERSON, "random")))
    lengths = []
    for _ in range(3):
        session.undo()
        lengths.append(len(session.steps))
        assert session.waiting and session.mover == 0
    assert lengths == [49, 48, 46]


def test_black_of_dvonn_sees_two_answers_at_once():
    source = random.Random(3)
    session = begin(DVONN, "random", PERSON)
    while len(settle(session).steps) < 47:
        session.play(source.choice(session.legal()))
    assert len(session.steps) == 47 and session.mover == 1
    session.play(source.choice(session.legal()))
    settle(session)
    assert [step.side for step in session.steps[47:]] == [1, 0, 0] and session.mover == 1
    assert session.undo() == 3 and len(session.steps) == 47


def test_undo_to_the_start_and_redo_until_nothing_is_left():
    session = begin(OTHELLO, "random", PERSON)
    settle(session)
    with pytest.raises(InputError, match="no move of yours"):
        session.undo()
    for _ in range(4):
        session.play(session.legal()[0])
        settle(session)
    all_words = words(session)
    assert [session.undo() for _ in range(4)] == [2, 2, 2, 2]
    assert words(session) == all_words[:1]
    assert [session.redo() for _ in range(4)] == [2, 2, 2, 2]
    assert words(session) == all_words
    with pytest.raises(InputError, match="no move to redo"):
        session.redo()


def test_a_new_move_forgets_what_was_taken_back():
    session = begin(OTHELLO)
    session.play("f5")
    session.undo()
    session.play("c4")
    with pytest.raises(InputError, match="no move to redo"):
        session.redo()


def test_undo_before_the_player_has_answered():
    session = begin(OTHELLO, PERSON, "random")
    session.play("f5")
    assert session.undo() == 1 and session.steps == [] and session.waiting


def test_switch_changes_the_seats_and_undo_follows_them():
    session = begin(OTHELLO, PERSON, "random")
    session.play("f5")
    session.advance()
    session.switch()
    assert session.setup.seats == ("random", PERSON) and not session.waiting
    session.advance()
    assert session.undo() == 2 and session.mover == 1 and words(session) == ["f5"]
    with pytest.raises(InputError, match="one side"):
        begin(DRMARIO).switch()
    with pytest.raises(InputError, match="same"):
        begin(OTHELLO).switch()


# ── Chance ──────────────────────────────────────────────────────────────────────────────────────


def drops(session, count):
    """Place some pills, each on its first place; what chance brought."""
    for _ in range(count):
        settle(session).play(session.legal()[0])
    settle(session)
    return [step.move for step in session.steps if step.side is None]


def test_chance_follows_the_seed_and_comes_again_after_undo():
    first, other = begin(DRMARIO), begin(DRMARIO, seed=2)
    drawn = drops(first, 8)
    assert len(drawn) == 8 and drops(other, 8) != drawn == drops(begin(DRMARIO), 8)
    assert first.undo() == 1 and len(first.steps) == 14 and first.waiting
    first.play(first.legal()[-1])
    settle(first)
    assert [step.move for step in first.steps if step.side is None] == drawn


def test_chance_draws_by_the_probabilities():
    session = begin(DRMARIO)
    session.play(session.legal()[0])
    after = session.position
    counts = [0] * 9
    for seed in range(1600):
        session.setup = replace(session.setup, seed=seed)
        counts[session.advance().move] += 1
        session.board.undo()
        session.steps.pop()
    for count, probability in zip(counts, DRMARIO.chance(after), strict=True):
        assert abs(count - 1600 * probability) < 5 * (1600 * probability) ** 0.5


def test_a_start_that_fixes_chance_is_followed(monkeypatch):
    module = ModuleType("fixed_pills")
    module.sequence = lambda text: (7, 0, 3) if "level:2" in text else ()
    monkeypatch.setitem(sys.modules, "fixed_pills", module)
    game = replace(DRMARIO, hooks={"sequence": "fixed_pills:sequence"})
    assert drops(begin(game, start="seed:0105 level:2"), 5) == [7, 0, 3, 7, 0]
    bare = replace(DRMARIO, hooks={})
    assert drops(begin(game, start="seed:0105 level:3"), 5) == drops(begin(bare, start="seed:0105 level:3"), 5)


def test_a_seed_brings_the_pills_of_the_cartridge():
    session = begin(DRMARIO, start="seed:0105 level:2")
    drops(session, 6)
    placed = [step.move for step in session.steps if step.side is not None]
    names, position = [], DRMARIO.parse("seed:0105 level:2")
    for step in session.steps:
        if step.side is not None:
            names.append(DRMARIO.format_move(position, step.move))
            position = DRMARIO.play(position, step.move)
        else:
            position = DRMARIO.reveal(position, step.move)
    assert len(names) == len(placed)
    assert DRMARIO.format(position) == DRMARIO.format(DRMARIO.parse(f"seed:0105 level:2 moves:{','.join(names)}"))


def test_a_hint_where_chance_follows():
    session = begin(DRMARIO, start="seed:0105 level:1", limit=Limit(nodes=400))
    hint = session.hint()
    assert hint.line[0] in session.legal() and hint.depth >= 1
    session.play(hint.line[0])
    assert DRMARIO.status(session.position) == CHANCE
    with pytest.raises(InputError, match="chance"):
        session.hint()


# ── Hints ───────────────────────────────────────────────────────────────────────────────────────


def test_a_hint_is_a_line_that_can_be_played():
    session = begin(CHESS, start="r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")
    hint = session.hint()
    assert hint.line == ("h5f7",) and hint.score == CHESS.win - 1
    assert session.steps == []  # asking changes nothing
    session.play(hint.line[0])
    assert session.outcome is not None and session.outcome.value == CHESS.win
    with pytest.raises(InputError, match="over"):
        session.hint()


def test_the_evaluation_is_that_of_the_mover():
    session = begin(CHESS, start="rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert session.evaluation() > 500
    session.play("a2a3")
    assert session.evaluation() < -500


def test_random_opponents_give_hints_by_search():
    session = begin(OTHELLO, PERSON, "random")
    session.rearrange(replace(session.setup, adviser="random"))
    assert session.hint().depth >= 1


# ── Endings ─────────────────────────────────────────────────────────────────────────────────────


def test_the_third_time_is_a_draw_in_chess():
    session = begin(CHESS)
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 2:
        assert session.outcome is None
        session.play(text)
    assert (session.outcome.termination, session.outcome.value) == ("repetition", 0)
    session.undo()
    assert session.outcome is None and session.waiting


def test_the_fourth_time_is_a_draw_in_shogi():
    session = begin(SHOGI)
    for text in ["5i5h", "5a5b", "5h5i", "5b5a"] * 3:
        assert session.outcome is None
        session.play(text)
    assert (session.outcome.termination, session.outcome.value) == ("repetition", 0)


def test_perpetual_check_loses_in_shogi():
    session = begin(SHOGI, start="4k4/9/9/9/9/9/9/9/K3R4 w - 1")
    for text in ["5a4a", "5i4i", "4a5a", "4i5i"] * 3:
        assert session.outcome is None
        session.play(text)
    assert (session.outcome.termination, session.outcome.value) == ("repetition", -SHOGI.win)


def test_a_search_knows_what_was_repeated():
    fresh = begin(CHESS, "self", PERSON, start="k7/8/8/8/8/8/8/K5RR w - - 0 1", limit=Limit(depth=2))
    liked = fresh.advance().text
    session = begin(CHESS, start=CHESS.format(fresh.position), limit=Limit(depth=2))
    back = liked[2:] + liked[:2]
    for text in ["a8b8", back, "b8a8", liked, "a8b8", back, "b8a8"]:
        session.play(text)
    session.rearrange(replace(session.setup, seats=("self", PERSON)))
    # The same position as at first, but now the move that it liked would be the third time, and a draw.
    assert (session.position[:8] == fresh.board.start[:8]).all()
    assert session.advance().text != liked and session.outcome is None


def test_a_game_of_the_longest_kind_is_a_draw():
    session = begin(replace(OTHELLO, max_plies=6))
    for _ in range(6):
        session.play(session.legal()[0])
    assert (session.outcome.termination, session.outcome.value) == ("length", 0)


def test_resignation_and_second_thoughts():
    session = begin(OTHELLO, "random", PERSON)
    settle(session)
    session.resign()
    assert session.outcome.termination == "resignation" and session.outcome.value > 0 and not session.waiting
    with pytest.raises(InputError, match="over"):
        session.resign()
    assert session.undo() == 0 and session.waiting and len(session.steps) == 1
    both = begin(CHESS)
    both.play("e4")
    both.resign()
    assert both.resigned == 1 and both.outcome.value == CHESS.win
    with pytest.raises(InputError, match="nobody at the terminal"):
        begin(OTHELLO, "random", "random").resign()


# Ten pieces beside black's king in the enemy's camp, and 28 points with the pawns in hand.
ENTERED = "1+R+RK+BGGSS/3PP4/2N6/9/9/9/9/9/7k1 b 6P 200"


def test_a_person_and_a_player_declare_an_entered_king(tmp_path):
    person = begin(SHOGI, PERSON, "self;nodes=60", start=ENTERED)
    person.declare()
    assert (person.outcome.termination, person.outcome.winner) == ("declaration", "black") and not person.waiting
    with pytest.raises(InputError, match="over"):
        person.declare()
    save(person, tmp_path / "game.json")
    assert load(tmp_path / "game.json", SHOGI).declared == 0
    save(person, tmp_path / "game.csa")
    assert (tmp_path / "game.csa").read_text().endswith("%KACHI\n")
    assert person.undo() == 0 and person.waiting
    person = begin(SHOGI, PERSON, "random", start=ENTERED.replace(" b ", " w "))
    person.advance()
    assert person.waiting  # nobody declares for a person
    player = begin(SHOGI, "self;nodes=60", PERSON, start=ENTERED.replace(" b ", " w "))
    player.play("2i1i")
    assert player.advance().declares and player.outcome.winner == "black"
    assert player.undo() == 1 and player.waiting and player.mover == 1


def test_a_wrong_declaration_is_refused(tmp_path):
    with pytest.raises(InputError, match="would lose here: the king is not in the enemy's three ranks"):
        begin(SHOGI).declare()
    with pytest.raises(InputError, match="Othello has no declarations"):
        begin(OTHELLO).declare()
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document(SHOGI, ["7g7f"]) | {"declared": "white"}))
    with pytest.raises(InputError, match="declared"):
        load(path, SHOGI)


# ── The saved game ──────────────────────────────────────────────────────────────────────────────


def halfway(game, *seats, start=None, moves=9):
    session = begin(game, *seats, start=start, seed=5)
    source = random.Random(8)
    for _ in range(moves):
        settle(session).play(source.choice(session.legal()))
    return session


@pytest.mark.parametrize("game", [OTHELLO, DVONN, CHESS, SHOGI, DRMARIO], ids=lambda game: game.name)
def test_a_saved_game_is_the_same_game_and_goes_on_the_same_way(game, tmp_path):
    session = halfway(game, *(PERSON, "self;nodes=60")[: game.players], start=None if game.players > 1 else "start")
    save(session, tmp_path / "game.json")
    again = load(tmp_path / "game.json", game)
    assert same(session, again)
    for one in (session, again):
        finish_some(one)
    assert same(session, again)


def finish_some(session):
    for _ in range(3):
        if settle(session).outcome is None:
            session.play(session.hint().line[0])


def test_a_resignation_is_saved(tmp_path):
    session = halfway(OTHELLO, PERSON, "random")
    session.resign()
    save(session, tmp_path / "game.json")
    again = load(tmp_path / "game.json", OTHELLO)
    assert again.resigned == 0 and same(session, again)


def test_a_start_of_several_lines_is_saved(tmp_path):
    board = "\n".join(["--------"] * 3 + ["---OX---", "---XO---"] + ["--------"] * 3) + "\nX"
    session = begin(OTHELLO, start=board)
    save(session, tmp_path / "game.json")
    assert same(session, load(tmp_path / "game.json", OTHELLO))


def document(of, moves):
    """A saved game as JSON."""
    return {
        "format": "evalsmith-game", "version": 1, "game": of.name, "rules_version": of.rules_version,
        "start": "start", "seats": dict.fromkeys(of.sides, PERSON), "adviser": "self", "seed": 1, "moves": moves,
        "limit": {"depth": None, "nodes": 100, "seconds": None}, "resigned": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "wanted"),
    [
        ({"format": "weights"}, "not a saved game"),
        ({"version": 2}, "version 2"),
        ({"game": "chess"}, "a game of chess"),
        ({"game": "\ud800"}, "ud800"),
        ({"rules_version": 99}, "rules version 99"),
        ({"extra": 1}, "'extra' is not known"),
        ({"start": 5}, '"start"'),
        ({"start": "XO?"}, "'\\?' at character 3"),
        ({"start": "\ud800"}, '"start"'),
        ({"seats": {"black": "person"}}, "black and white"),
        ({"seats": {"black": "person", "white": 3}}, "white"),
        ({"seats": {"black": "person", "white": "nobody"}}, "nobody"),
        ({"seats": {"black": "person", "white": "weights:absent.json"}}, "absent.json"),
        ({"adviser": "person"}, "person"),
        ({"limit": None}, '"limit"'),
        ({"limit": {"depth": None, "nodes": "many", "seconds": None}}, "nodes"),
        ({"limit": {"depth": None, "nodes": True, "seconds": None}}, "nodes"),
        ({"limit": {"depth": 2.5, "nodes": None, "seconds": None}}, "depth"),
        ({"limit": {"depth": None, "nodes": -4, "seconds": None}}, "-4"),
        ({"limit": {"depth": None, "nodes": None, "seconds": float("nan")}}, "nan"),
        ({"seed": "x"}, "seed"),
        ({"seed": None}, "seed"),
        ({"moves": "f5"}, '"moves"'),
        ({"moves": ["f5", "f5"]}, "move 2: 'f5' is not a legal move"),
        ({"moves": ["f5", 3]}, "move 2 should be a text"),
        ({"resigned": "red"}, "resigned"),
        ({"start": "X" * 64 + " O", "moves": ["a1"]}, "move 1 comes when the game is over"),
        ({"start": "X" * 64 + " O", "moves": [], "resigned": "black"}, "resigned"),
    ],
)
def test_a_damaged_or_foreign_file_is_refused_with_the_reason(tmp_path, changes, wanted):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document(OTHELLO, ["f5", "d6"]) | changes))
    with pytest.raises(InputError, match=wanted) as caught:
        load(path, OTHELLO)
    message = str(caught.value)
    assert "game.json" in message and "\n" not in message
    message.encode()


def test_what_is_missing_is_named(tmp_path):
    path = tmp_path / "game.json"
    whole = document(OTHELLO, [])
    del whole["moves"]
    path.write_text(json.dumps(whole))
    with pytest.raises(InputError, match="'moves' is missing"):
        load(path, OTHELLO)


def test_foreign_games_are_a_mismatch(tmp_path):
    path = tmp_path / "game.json"
    save(begin(CHESS), path)
    with pytest.raises(MismatchError, match="a game of chess, not a game of othello"):
        load(path, OTHELLO)


@pytest.mark.parametrize("outcome", ["4", True, -1, 9, 10**30, None, 2.0])
def test_impossible_outcomes_of_chance_are_refused(tmp_path, outcome):
    session = begin(DRMARIO)
    moves = [session.legal()[0], outcome]
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document(DRMARIO, moves)))
    with pytest.raises(InputError, match="move 2 should be an outcome of chance"):
        load(path, DRMARIO)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{", b"[1]", b"null", b"[" * 100_000, b"9" * 5000])
def test_files_that_are_no_document(tmp_path, content):
    path = tmp_path / "game.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"game\.json"):
        load(path, OTHELLO)


def test_absent_files_and_folders(tmp_path):
    with pytest.raises(InputError, match="no saved game"):
        load(tmp_path / "absent", OTHELLO)
    with pytest.raises(InputError, match="cannot read"):
        load(tmp_path, OTHELLO)
    with pytest.raises(OutputError):
        save(begin(OTHELLO), tmp_path)


_TEXTS = st.text(max_size=8) | st.sampled_from(["F3", "D2", "PASS", "person", "random", "black", "start"])
_SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS
_GARBAGE = st.recursive(
    _SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4), max_leaves=8
)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(key=st.sampled_from(sorted(document(DVONN, []))), value=_GARBAGE)
def test_no_value_in_a_saved_game_is_more_than_refused(tmp_path, key, value):
    path = tmp_path / "game.json"
    path.write_text(json.dumps(document(DVONN, ["F3", "C3"]) | {key: value}))
    try:
        session = load(path, DVONN)
    except InputError as error:
        assert "\n" not in str(error)
        str(error).encode()
    else:
        save(session, tmp_path / "again.json")
        assert same(session, load(tmp_path / "again.json", DVONN))


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200), place=st.integers(0, 400))
def test_a_file_cut_or_overwritten_anywhere_is_refused_or_read(tmp_path, content, place):
    path = tmp_path / "game.json"
    whole = json.dumps(document(DVONN, ["F3", "C3"])).encode()
    for damaged in (content, whole[:place], whole[:place] + content + whole[place + len(content) :]):
        path.write_bytes(damaged)
        try:
            load(path, DVONN)
        except InputError as error:
            assert "game.json" in str(error)
