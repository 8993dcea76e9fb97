"""Chess rules one by one: endings, repetition, the null move, ordering, symmetry."""

import pytest

from evalsmith.games.chess import GAME
from evalsmith.games.contract import DRAW, FRESH
from evalsmith.games.game import OVER, PLAYER, Position


def after(position: Position, moves: str) -> tuple[Position, list[int], list[int]]:
    """The position after moves, the keys before it, and whether the mover was in check there."""
    keys, checks = [], []
    for text in moves.split():
        keys.append(GAME.key(position))
        checks.append(int(GAME.check(position)))
        position = GAME.play(position, GAME.parse_move(position, text))
    return position, keys, checks


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", -30000),  # mate
        ("k7/2Q5/K7/8/8/8/8/8 b - - 0 1", 0),  # stalemate
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", 0),
        ("k7/8/8/8/8/8/8/KN6 w - - 0 1", 0),
        ("k7/8/8/8/8/8/8/KB6 w - - 0 1", 0),
        ("kb6/8/8/8/8/8/8/KB6 w - - 0 1", None),  # bishops on two colours can mate
        ("k1b5/8/8/8/8/8/8/KB1B4 w - - 0 1", 0),  # all on light squares
        ("kn6/8/8/8/8/8/8/KN6 w - - 0 1", None),
        ("k7/8/8/8/8/8/8/KNN5 w - - 0 1", None),
        ("k7/8/8/8/8/8/P7/K7 w - - 0 1", None),
        ("k7/8/8/8/8/8/R7/K7 b - - 99 90", None),
        ("k7/8/8/8/8/8/R7/K7 b - - 100 90", 0),  # fifty moves
        ("k6R/8/K7/8/8/8/8/8 b - - 100 90", -30000),  # a mate on the last of them counts
    ],
)
def test_endings(text: str, result: int | None) -> None:
    position = GAME.parse(text)
    assert GAME.status(position) == (PLAYER if result is None else OVER)
    if result is not None:
        assert GAME.result(position) == result


def test_third_occurrence_is_a_draw() -> None:
    shuffle = "g1f3 g8f6 f3g1 f6g8 "
    twice, keys, checks = after(GAME.start(), shuffle)
    assert GAME.repeated(twice, keys, checks) == FRESH
    thrice, keys, checks = after(GAME.start(), 2 * shuffle)
    assert GAME.repeated(thrice, keys, checks) == DRAW


def test_other_rights_are_another_position() -> None:
    shuffle = "h1g1 h8g8 g1h1 g8h8 "
    start = GAME.parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    position, keys, checks = after(start, 2 * shuffle)
    assert GAME.repeated(position, keys, checks) == FRESH  # at first the rooks on h1 and h8 could castle
    position, keys, checks = after(start, 3 * shuffle)
    assert GAME.repeated(position, keys, checks) == DRAW


def test_en_passant_makes_another_position_only_if_playable() -> None:
    quiet, _, _ = after(GAME.start(), "e2e4")
    assert GAME.key(quiet) == GAME.key(GAME.parse(GAME.format(quiet).replace(" 0 1", " 5 9")))
    assert " e3 " not in GAME.format(quiet)
    playable = GAME.parse("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1")
    playable, _, _ = after(playable, "e2e4")
    assert " e3 " in GAME.format(playable)
    assert GAME.key(playable) != GAME.key(GAME.parse(GAME.format(playable).replace(" e3 ", " - ")))
    pinned = GAME.parse("4k3/8/8/8/K2p3q/8/4P3/8 w - - 0 1")  # the capture would open the rank: legal for black
    assert " e3 " in GAME.format(after(pinned, "e2e4")[0])
    pinned = GAME.parse("8/8/8/8/k2p3Q/8/4P3/4K3 w - - 0 1")
    assert " e3 " not in GAME.format(after(pinned, "e2e4")[0])


def test_repetition_does_not_reach_behind_a_capture() -> None:
    position = GAME.parse("4k3/8/8/8/8/8/8/R3K2n w Q - 2 9")
    key = GAME.key(position)
    assert GAME.repeated(position, [key] * 12, [0] * 12) == FRESH
    position = GAME.parse("4k3/8/8/8/8/8/8/R3K2n w Q - 8 9")
    assert GAME.repeated(position, [key] * 12, [0] * 12) == DRAW


def test_null_move() -> None:
    position = GAME.parse("4k3/8/8/8/3pP3/8/8/N3K3 b - e3 0 1")
    assert GAME.null_move(position) is None  # king and pawns alone
    position = GAME.parse("n3k3/8/8/8/3pP3/8/8/N3K3 b - e3 7 1")
    following = GAME.null_move(position)
    assert following is not None
    assert GAME.format(following) == "n3k3/8/8/8/3pP3/8/8/N3K3 w - - 0 2"
    assert GAME.null_move(GAME.parse("4k3/4r3/8/8/8/8/8/N3K3 w - - 0 1")) is None  # in check


def test_captures_come_in_order() -> None:
    position = GAME.parse("4k3/1P6/8/3q1r2/2P1P3/8/8/4K2Q w - - 0 1")
    ordered = sorted(GAME.moves(position), key=lambda move: -GAME.order(position, move))
    texts = [GAME.format_move(position, move) for move in ordered]
    assert texts[:4] in (["c4d5", "e4d5", "b7b8q", "e4f5"], ["e4d5", "c4d5", "b7b8q", "e4f5"])
    gains = {text: GAME.capture_value(position, move) for text, move in zip(texts, ordered, strict=True)}
    orders = [GAME.order(position, move) for move in ordered]
    assert orders[texts.index("e1e2")] == orders[texts.index("h1h2")] == 0  # quiet moves are for killers and history
    assert texts[-3:] == ["b7b8n", "b7b8r", "b7b8b"]
    guarded = GAME.parse("4k3/8/4p3/3p4/8/8/8/3QK3 w - - 0 1")
    assert GAME.order(guarded, GAME.parse_move(guarded, "d1d5")) < 0
    assert gains["c4d5"] > gains["e4f5"] > 0 == gains["e1e2"]
    passing = GAME.parse("4k3/8/8/8/3pP3/8/8/N3K3 b - e3 0 1")
    assert GAME.capture_value(passing, GAME.parse_move(passing, "d4e3")) == 100


def test_colours_exchange() -> None:
    (exchange,) = GAME.symmetries()
    position = GAME.parse("r3k2r/8/8/8/3pP3/8/8/N3K3 b kq e3 3 7")
    turned = exchange.position(position)
    assert GAME.format(turned) == "n3k3/8/8/3Pp3/8/8/8/R3K2R w KQ e6 3 7"
    castles = GAME.parse_move(position, "e8c8")
    assert GAME.format_move(turned, exchange.move(position, castles)) == "e1c1"


def test_the_most_moves_fit() -> None:
    position = GAME.parse("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert len(GAME.moves(position)) == 218 < GAME.max_moves
    queens = GAME.parse("1Q2QQnk/2Q3pp/Q6Q/3Q4/1Q4QQ/4Q3/2Q4Q/Q4Q1K w - - 0 1")
    assert len(GAME.moves(queens)) == 237 < GAME.max_moves
