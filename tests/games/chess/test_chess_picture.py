"""Pictures of chess positions: well-formed, complete, and plain text without markup errors."""

import xml.etree.ElementTree as ET
from collections import Counter

import pytest
from rich.text import Text

from evalsmith.games.chess import GAME
from evalsmith.games.svg import Arrow, Mark
from evalsmith.run.errors import InputError

SVG = "{http://www.w3.org/2000/svg}"


def drawn(markup: str) -> Counter[str]:
    """How many elements of each class, or of each piece, there are."""
    found: Counter[str] = Counter()
    for element in ET.fromstring(markup).iter():
        found[element.get("class", element.tag.removeprefix(SVG))] += 1
    return found


def test_every_piece_is_drawn() -> None:
    found = drawn(GAME.svg(GAME.start()))
    assert {name: found[f"piece {name}"] for name in "KQRBNPkqrbnp"} == {
        "K": 1, "Q": 1, "R": 2, "B": 2, "N": 2, "P": 8, "k": 1, "q": 1, "r": 2, "b": 2, "n": 2, "p": 8,
    }  # fmt: skip
    assert found["mark"] == found["arrow"] == 0


def test_last_move_marks_arrows_values_and_check() -> None:
    castling = GAME.parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    move = GAME.parse_move(castling, "O-O")
    found = drawn(GAME.svg(GAME.play(castling, move), last=move, arrows=[(4, 6), Arrow(0, 9, 0.5)], marks=[1, Mark(2)]))
    assert found["mark"] == 4
    assert found["arrow"] == 2
    check = GAME.parse("4k3/4r3/8/8/8/8/8/4K3 w - - 0 1")
    assert drawn(GAME.svg(check))["mark"] == 1
    markup = GAME.svg(castling, values={move: "+31"}, flipped=True, size=200)
    assert "+31" in markup
    assert drawn(markup)["arrow"] == 1


def test_white_stands_below_unless_flipped() -> None:
    position = GAME.parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1")

    def height(markup: str) -> float:
        group = next(e for e in ET.fromstring(markup).iter() if e.get("class") == "piece K")
        return float(group.get("transform").split("(")[1].split(")")[0].split()[1])

    assert height(GAME.svg(position)) > height(GAME.svg(position, flipped=True))


@pytest.mark.parametrize("wrong", [{"marks": [64]}, {"arrows": [(0, -1)]}, {"last": -5}, {"values": {1 << 20: "x"}}])
def test_what_is_off_the_board_is_refused(wrong: dict) -> None:
    with pytest.raises(InputError):
        GAME.svg(GAME.start(), **wrong)


@pytest.mark.parametrize(
    ("fen", "state"),
    [
        ("start", "white to move, move 1"),
        ("4k3/4r3/8/8/8/8/8/4K3 w - - 0 7", "white to move, in check, move 7"),
        ("6k1/8/8/8/8/8/8/1R1K2R1 b BG - 0 1", "black to move, in check, move 1 (Chess960)"),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "mate, black wins"),
        ("k7/2Q5/K7/8/8/8/8/8 b - - 0 1", "stalemate, a draw"),
        ("k7/8/8/8/8/8/R7/K7 b - - 100 90", "a draw by the fifty-move rule"),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1", "a draw, neither side can mate"),
    ],
)
def test_terminal_text(fen: str, state: str) -> None:
    plain = Text.from_markup(GAME.text(GAME.parse(fen))).plain.splitlines()
    assert plain[-1] == state
    assert [line[0] for line in plain[:8]] == list("87654321")
    assert all(len(line) == 26 for line in plain[:8])
