"""The example game: its rules agree with a naive twin, it keeps the contract, and it is found when installed."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from evalsmith.compile import COMPILED
from evalsmith.games import OVER, PLAYER, Game
from evalsmith.games.conformance import require
from evalsmith.games.contract import call_terms
from evalsmith.games.perft import perft
from evalsmith.games.playthrough import difference
from evalsmith.run.errors import MoveError, PositionError

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "connect_four"
if str(EXAMPLE / "src") not in sys.path:
    sys.path.insert(0, str(EXAMPLE / "src"))

from connect_four import GAME  # noqa: E402

PERFT = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))


class Naive:
    """Columns as strings, the lowest stone first."""

    def __init__(self, columns=("",) * 7):
        self.columns = columns

    @property
    def side(self):
        return "XO"[sum(map(len, self.columns)) % 2]

    def cell(self, column, row):
        if not (0 <= column < 7 and 0 <= row < 6):
            return None
        return self.columns[column][row] if row < len(self.columns[column]) else "-"

    def lines(self):
        """Every line of four as its cells and their places."""
        for column in range(7):
            for row in range(6):
                for right, up in STEPS:
                    places = [(column + k * right, row + k * up) for k in range(4)]
                    cells = [self.cell(*place) for place in places]
                    if None not in cells:
                        yield "".join(cells), places

    def winner(self):
        won = {cells[0] for cells, _ in self.lines() if cells in ("XXXX", "OOOO")}
        return won.pop() if won else None

    def moves(self):
        return [] if self.winner() else [column for column in range(7) if len(self.columns[column]) < 6]

    def play(self, move):
        columns = list(self.columns)
        columns[move] += self.side
        return Naive(tuple(columns))

    def text(self):
        return "/".join("".join(self.cell(column, row) for column in range(7)) for row in (5, 4, 3, 2, 1, 0))

    def leaves(self, depth):
        if depth == 0:
            return 1
        return sum(self.play(move).leaves(depth - 1) for move in self.moves())

    def threats(self, who):
        """The cells that would give four."""
        return {places[cells.index("-")] for cells, places in self.lines() if sorted(cells) == sorted(f"-{who * 3}")}

    def wait(self):
        """Who wins if both only wait, and how many stones are on the board then; or None."""
        heights = [len(column) for column in self.columns]
        threats = {who: self.threats(who) for who in "XO"}
        while sum(heights) < 42:
            who, enemy = "XO" if sum(heights) % 2 == 0 else "OX"
            playable = [(column, row) for column, row in enumerate(heights) if row < 6]
            if any(cell in threats[who] for cell in playable):
                return who, sum(heights) + 1
            above = {(column, row): (column, row + 1) for column, row in playable}
            choices = [
                [cell for cell in playable if cell in threats[enemy]],
                [cell for cell in playable if above[cell] not in threats["X"] | threats["O"]],
                [cell for cell in playable if above[cell] not in threats[enemy]],
                playable,
            ]
            heights[next(choice for choice in choices if choice)[0][0]] += 1
        return None

    def blocks(self):
        """The place and the state of each block of three by three."""
        for left in range(5):
            for low in range(4):
                states = [column_state(self.columns[left + k][low : low + 3]) for k in range(3)]
                read, mirrored = ((a * 15 + b) * 15 + c for a, b, c in (states, states[::-1]))
                state = min(read, mirrored) if left == 2 else read if left < 2 else mirrored
                yield 4 * min(left, 4 - left) + low, state

    def terms(self):
        """The sum of the values at each weight, + for the mover."""
        sums = Counter()
        signs = {who: 1 if who == self.side else -1 for who in "XO"}
        kinds = sorted({kind(places) for _, places in self.lines()})
        for cells, places in self.lines():
            stones = cells.replace("-", "")
            if len(set(stones)) == 1 and len(stones) < 4:
                place = 6 * kinds.index(kind(places)) + 3 * "XO".index(stones[0]) + len(stones) - 1
                sums[place] += signs[stones[0]]
        threats = {who: self.threats(who) for who in "XO"}
        for i, who in enumerate("XO"):
            for column, row in threats[who]:
                sums[216 + 6 * i + row] += signs[who]
                sums[228] += signs[who] * ((column, row - 1) in threats[who])
                sums[229] += signs[who] * ((column, row - 1) in threats["OX"[i]])
                sums[230] += signs[who] * (len(self.columns[column]) == row)
        if won := self.wait():
            who, stones = won
            length = (stones - sum(map(len, self.columns))) // 5
            sums[231 + 6 * "XO".index(who) + min(length, 5)] += signs[who]
        for column, stones in enumerate(self.columns):
            for row, stone in enumerate(stones):
                sums[243 + 6 * min(column, 6 - column) + row] += signs[stone]
        for place, state in self.blocks():
            sums[267 + 3375 * place + state] += signs["X"] * (state > 0)
        sums[40767] += 1
        return {place: value for place, value in sums.items() if value}


def column_state(stones):
    """The number of a column's stones, from the lowest up: none, O, X, OO, XO, OX, XX and so on."""
    return 2 ** len(stones) - 1 + sum(2**k for k, who in enumerate(stones) if who == "X")


def kind(places):
    """A line or its mirror image, whichever comes first."""
    return tuple(min(sorted(places), sorted((6 - column, row) for column, row in places)))


def random_games(count):
    choose = random.Random(20)
    for _ in range(count):
        naive, position = Naive(), GAME.start()
        yield naive, position
        while moves := naive.moves():
            move = choose.choice(moves)
            naive, position = naive.play(move), GAME.play(position, move)
            yield naive, position


def terms_of(position):
    index, value = np.zeros(GAME.max_terms, dtype=np.int32), np.zeros(GAME.max_terms, dtype=np.int16)
    count = call_terms(GAME.context(evaluation=True).row, position, index, value)
    sums = Counter()
    for i, v in zip(index[:count], value[:count], strict=True):
        sums[int(i)] += int(v)
    return {place: total for place, total in sums.items() if total}


def test_the_rules_agree_with_the_naive_twin():
    ends = Counter()
    for naive, position in random_games(30):
        assert GAME.format(position) == naive.text()
        assert GAME.moves(position) == naive.moves()
        assert GAME.mover(position) == "XO".index(naive.side)
        winner = naive.winner()
        full = all(len(column) == 6 for column in naive.columns)
        assert GAME.status(position) == (OVER if winner or full else PLAYER)
        if winner or full:
            assert GAME.result(position) == (-GAME.win if winner else 0)
            ends[winner] += 1
    assert set(ends) >= {"X", "O"}


def test_a_full_board_is_a_draw():
    position = GAME.parse("XXOOXXO/OOXXOOX/XXOOXXO/OOXXOOX/XXOOXXO/OOXXOOX")
    assert GAME.status(position) == OVER
    assert GAME.result(position) == 0
    assert GAME.moves(position) == []


def test_the_terms_agree_with_the_naive_twin():
    for naive, position in random_games(20):
        assert terms_of(position) == naive.terms()


@pytest.mark.parametrize("depth", range(len(PERFT) if COMPILED else 5))
def test_perft(depth):
    assert perft(GAME, GAME.start(), depth).nodes == PERFT[depth]


def test_a_block_is_named_as_one_sees_it():
    feature = next(feature for feature in GAME.evaluation.features if feature.name == "block")
    assert feature.size == 40500
    assert feature.describe(3375 * 5 + 15 * 15 + 15 * 9) == "-O-/-X-/OO- on b2–d4 or its mirror image"


def test_perft_agrees_with_the_naive_twin():
    assert Naive().leaves(4) == PERFT[4]
    late = [(naive, position) for naive, position in random_games(12) if sum(map(len, naive.columns)) == 24]
    assert late
    ended = 0
    for naive, position in late:
        leaves = naive.leaves(4)
        assert perft(GAME, position, 4).nodes == leaves
        ended += leaves < len(naive.moves()) ** 4
    assert ended, "none of these positions ends within four plies"


def test_it_keeps_the_contract():
    assert require(GAME).checked["symmetry terms"] > 100


def test_a_result_with_the_wrong_sign_is_noticed(tmp_path):
    """Its evaluation sees the winner ahead in seven of ten random games: a dozen games would not show the mistake."""
    shutil.copytree(EXAMPLE / "src" / "connect_four", tmp_path / "connect_four")
    board = tmp_path / "connect_four" / "board.py"
    text = board.read_text(encoding="utf-8")
    assert text.count("return -WIN if won(position[1]) else 0") == 1
    board.write_text(text.replace("return -WIN if", "return WIN if"), encoding="utf-8")
    script = "from connect_four import GAME; from evalsmith.games.conformance import check; print(check(GAME).broken)"
    environment = os.environ | {"PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.stdout.strip() == "('sign of result',)", done.stderr


def test_it_keeps_the_contract_uncompiled():
    script = (
        "from connect_four import GAME; from evalsmith.games.conformance import require; require(GAME, positions=20)"
    )
    environment = os.environ | {"EVALSMITH_COMPILE": "0", "PYTHONPATH": str(EXAMPLE / "src")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr


def test_it_plays_as_stored():
    assert difference(GAME, ROOT / "tests" / "playthroughs") == []


def test_a_list_of_columns_is_a_position():
    assert GAME.format(GAME.parse("4453")) == "-------/-------/-------/-------/---O---/--OXX--"
    assert np.array_equal(GAME.parse("start"), GAME.start())


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("X", "expected 6 rows of 7 cells"),
        ("-------/-------/-------/-------/-------/---A---", "expected 6 rows of 7 cells"),
        ("-------/-------/-------/-------/---X---/-------", "hangs in the air"),
        ("-------/-------/-------/-------/-------/--XX---", "one more, not \\+2"),
        ("-------/-------/-------/-------/-------/---O---", "one more, not -1"),
    ],
)
def test_a_bad_position_is_refused(text, reason):
    with pytest.raises(PositionError, match=reason):
        GAME.parse(text)


@pytest.mark.parametrize("text", ["0", "8", "x", "", "4"])
def test_a_bad_move_is_refused(text):
    with pytest.raises(MoveError, match="legal moves: 1 2 3 5 6 7"):
        GAME.parse_move(GAME.parse("444444"), text)


def test_pictures():
    position = GAME.parse("4453")
    picture = ElementTree.fromstring(GAME.svg(position))
    assert Counter(circle.get("fill") for circle in picture if circle.tag.endswith("circle")) == {
        "#fff": 38,
        "#d33": 2,
        "#fc3": 2,
    }
    assert GAME.text(position).count("[red]X[/]") == 2


def test_the_entry_point_names_the_game():
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    place = project["entry-points"]["evalsmith.games"]["connect_four"]
    game = EntryPoint("connect_four", place, "evalsmith.games").load()
    assert isinstance(game, Game)
    assert game.name == "connect_four"
