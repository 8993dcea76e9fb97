"""NTest's coefficients: ids and sizes of the worked examples, a synthetic set against a slow sum, and broken files."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import numpy as np
import pytest

from cof_files import write_set
from evalsmith.games import find_game
from evalsmith.run import InputError
from evalsmith.weights import cof

OTHELLO = find_game("othello")
# The position of the worked example: X to move, 32 empties, 8 and 7 legal moves.
BOARD = "-----X-----OXO---XOXOXOXXOXOXOXOOXOXOX---OXOX------XO------O---- X"


def configuration(cells: str) -> int:
    """The number of a pattern's cells: O the enemy, - empty, X the mover."""
    return sum("O-X".index(cell) * 3**k for k, cell in enumerate(cells))


def test_the_tables_are_as_large_as_the_page_says() -> None:
    sizes = [len(np.unique(pattern.ids)) for pattern in cof.maps()]
    assert sizes == [3321] * 5 + [1134, 378, 135, 29889, 6561, 59049, 29646]
    offsets = [pattern.offset for pattern in cof.maps()]
    assert [end - begin for begin, end in zip(offsets, [*offsets[1:], 143_397], strict=True)] == sizes
    assert [len(pattern.places) for pattern in cof.maps()] == [4, 4, 4, 4, 2, 4, 4, 4, 4, 8, 8, 4]
    assert cof.SIZE == 143_397 + 4 * 64 + 2


def test_the_ids_of_the_worked_examples() -> None:
    ids = {pattern.name: pattern.ids for pattern in cof.maps()}
    line, triangle = ids["row 1"], ids["triangle"]
    assert (line[3280], line[3278], line[4738]) == (2478, 2477, 2477)
    assert (triangle[29524], triangle[29533]) == (22306, 22315)
    assert triangle[49207] == 22315
    assert configuration("-" * 8) == 3280
    assert configuration("XO------") == 3278
    assert configuration("--X-------") == 29533  # d1 alone
    assert configuration("---------X") == 49207  # a4 alone


def slow_indices(text: str) -> list[int]:
    """The words of a position, from the page, square by square."""
    cells = {f"{'abcdefgh'[i % 8]}{i // 8 + 1}": cell for i, cell in enumerate(text[:64])}
    own, enemy = text[65], "X" if text[65] == "O" else "O"
    value = {own: 2, "-": 1, enemy: 0}

    def turned(square: str, kind: int) -> str:
        file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
        for _ in range(kind % 4):
            file, rank = 7 - rank, file
        if kind >= 4:
            file = 7 - file
        return f"{'abcdefgh'[file]}{rank + 1}"

    def placed(base: list[str]) -> list[list[str]]:
        found: dict[frozenset[str], list[str]] = {}
        for kind in range(8):
            place = [turned(square, kind) for square in base]
            found.setdefault(frozenset(place), place)
        return list(found.values())

    bases = [[f"{f}{rank}" for f in "abcdefgh"] for rank in (1, 2, 3, 4)]
    bases += [[f"{'abcdefgh'[i]}{9 - n + i}" for i in range(n)] for n in (8, 7, 6, 5)]
    lines = [place for base in bases for place in placed(base)]
    bases += [names.split() for names in (
        "a1 b2 d1 c1 b1 c2 b3 a2 a3 a4",
        "a2 b2 c2 d2 a1 b1 c1 d1",
        "a2 b2 c2 d2 e2 a1 b1 c1 d1 e1",
        "b2 a1 b1 c1 d1 e1 f1 g1 h1 g2",
    )]  # fmt: skip
    indices = []
    for pattern, base in zip(cof.maps(), bases, strict=True):
        ids = pattern.ids
        for place in placed(base):
            number = sum(value[cells[square]] * 3**k for k, square in enumerate(place))
            indices.append(pattern.offset + int(ids[number]))
    position = OTHELLO.parse(text)
    other = OTHELLO.parse(text[:65] + enemy)
    for offset, place in ((143_397, position), (143_461, other)):
        indices.append(offset + sum(move < 64 for move in OTHELLO.moves(place)))
    lines += placed(["d1", "c2", "b3", "a4"])
    assert len(lines) == 34
    for offset, disc in ((143_525, enemy), (143_589, own)):
        pairs = 0
        for line in lines:
            for i in range(1, len(line) - 1):
                if cells[line[i]] == disc:
                    pairs += (cells[line[i - 1]] == "-") + (cells[line[i + 1]] == "-")
        indices.append(offset + pairs // 2)
    indices.append(143_653 + text[:64].count("-") % 2)
    return indices


def some_positions() -> list[str]:
    rng, texts = random.Random(5), [BOARD]
    for _ in range(8):
        position = OTHELLO.parse("f5")
        while OTHELLO.moves(position):
            texts.append(OTHELLO.format(position))
            position = OTHELLO.play_unchecked(position, rng.choice(OTHELLO.moves(position)))
    return [*rng.sample(texts, 60), BOARD]


def test_values_are_the_slow_sums(tmp_path: Path) -> None:
    tables = write_set(tmp_path)
    read = cof.read_cof(tmp_path, late_bonus=False)
    assert read.name == "JA"
    assert np.array_equal(read.tables, tables)
    texts = some_positions()
    words = np.stack([OTHELLO.parse(text) for text in texts])
    values = read.evaluate(words)
    indices = cof.word_indices(words[:, 0], words[:, 1])
    for text, value, row in zip(texts, values.tolist(), indices.tolist(), strict=True):
        slow = slow_indices(text)
        assert sorted(row) == sorted(slow)
        empties = text[:64].count("-")
        table = tables[(59 - empties) // 6, 0 if empties % 2 else 1]
        assert value == int(table[slow].astype(np.int64).sum())
    assert len(read.evaluate(words[:0])) == 0


def test_the_mobilities_of_the_worked_position() -> None:
    position = OTHELLO.parse(BOARD)
    assert BOARD[:64].count("-") == 32
    moves = [cof.legal_moves(position[None, i], position[None, 1 - i]) for i in (0, 1)]
    assert [int(np.bitwise_count(found)[0]) for found in moves] == [8, 7]


def test_what_is_added_late_in_the_game(tmp_path: Path) -> None:
    tables = write_set(tmp_path)
    plain, with_bonus = (cof.read_cof(tmp_path / "JAa.cof", late_bonus=wanted) for wanted in (False, True))
    added = with_bonus.tables.astype(int) - plain.tables
    assert not added[:, :, :-2].any()
    assert added[:, 0, -1].tolist() == [0] * 6 + [33, 65, 65, 65]
    assert np.array_equal(plain.tables, tables)


def test_more_than_59_empties_use_the_nearest_table_of_their_parity(tmp_path: Path) -> None:
    tables = write_set(tmp_path)
    read = cof.read_cof(tmp_path, late_bonus=False)
    for empties, file, subset in ((0, 9, 1), (1, 9, 0), (5, 9, 0), (6, 8, 1), (58, 0, 1), (59, 0, 0), (60, 0, 1)):
        assert np.array_equal(read.table(empties), tables[file, subset])
    assert np.array_equal(read.table(63), tables[0, 0])
    start = OTHELLO.start()
    indices = cof.word_indices(start[None, 0], start[None, 1])[0]
    assert read.evaluate(start[None]).tolist() == [int(tables[0, 1][indices].astype(int).sum())]


def test_floats_are_turned_into_centidiscs(tmp_path: Path) -> None:
    discs = np.zeros(2 * cof.SIZE, dtype="<f4")
    discs[:4] = [1.5, -0.25, 1000, -1000]
    path = tmp_path / "JAa.cof"
    path.write_bytes(struct.pack("<II", 1, 14) + discs.tobytes())
    assert cof.read_cof_file(path)[0, :5].tolist() == [150, -25, 16383, -16383, 0]
    discs[7] = np.nan
    path.write_bytes(struct.pack("<II", 1, 14) + discs.tobytes())
    with pytest.raises(InputError, match="word 7 is not a number"):
        cof.read_cof_file(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "has 0 bytes; a .cof file begins with a header of 8"),
        (struct.pack("<II", 2, 100), "version 2 and kind 100; known are version 1"),
        (struct.pack("<II", 1, 7), "version 1 and kind 7"),
        (struct.pack("<II", 1, 100) + bytes(10), "has 18 bytes, not the 574628 of its kind 100"),
        (struct.pack("<II", 1, 100) + bytes(3_000_000), "has more than 1149248 bytes, not the 574628"),
    ],
)
def test_broken_files_are_named(tmp_path: Path, content: bytes, message: str) -> None:
    write_set(tmp_path)
    (tmp_path / "JAc.cof").write_bytes(content)
    with pytest.raises(InputError, match=f"JAc.cof .*{message}"):
        cof.read_cof(tmp_path)


def test_sets_that_are_not_whole(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="and has none"):
        cof.read_cof(tmp_path)
    write_set(tmp_path)
    (tmp_path / "JAd.cof").unlink()
    with pytest.raises(InputError, match="no file for the letters d"):
        cof.read_cof(tmp_path)
    write_set(tmp_path)
    write_set(tmp_path, "KB")
    with pytest.raises(InputError, match=r"2 sets \(JA, KB\); name one of its files"):
        cof.read_cof(tmp_path)
    assert cof.read_cof(tmp_path / "KBb.cof").name == "KB"
    with pytest.raises(InputError, match=r"there is no folder of .cof files .*ZZa.cof, and no such file"):
        cof.read_cof(tmp_path / "ZZa.cof")
    (tmp_path / "JAx.cof").touch()
    with pytest.raises(
        InputError, match=r"JAx.cof is not a file of a set: its name must end with a letter from a to j"
    ):
        cof.read_cof(tmp_path / "JAx.cof")
    with pytest.raises(InputError, match="rows of at least two words"):
        cof.read_cof(tmp_path / "JAa.cof").evaluate(OTHELLO.start())
