"""Whatever a file of shogi holds, reading it ends, raises nothing, and does not depend on how it is cut into blocks."""

from __future__ import annotations

import io
import random
import re
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shogi_samples import NOWHERE, names, only, random_record, read

from evalsmith.records import (
    Csa,
    Faults,
    Format,
    Ki2,
    Kif,
    Record,
    Sfen,
    Usi,
    format_csa,
    format_ki2,
    format_kif,
    format_usi,
)
from evalsmith.records.shogi import blocks, scan

WRITERS = {"csa": format_csa, "kif": format_kif, "ki2": format_ki2, "usi": format_usi}
FORMATS: list[Format] = [Csa(), Kif(), Ki2(), Usi(), Sfen()]
GAMES = [random_record(seed) for seed in range(6)]
SOUND = {name: [write(record) for record in GAMES] for name, write in WRITERS.items()}
SOUND["csa"] = [text + "/\n" for text in SOUND["csa"]]
SOUND["sfen"] = [(record.start or "startpos") + "\n" for record in GAMES]
ENCODINGS = {"csa": "utf-8", "kif": "cp932", "ki2": "utf-8", "usi": "ascii", "sfen": "ascii"}
FRAGMENTS = [
    b"\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b"\x1a", b"+", b"-", b"%", b"'", b"/", b",", b"T", b"P", b"PI",
    b"N+", b"V2", b"+7776FU", b"-3334FU", b"%TORYO", b"'** 12", b"'summary:a:b win:c lose", b"$EVENT:", b"P+00AL",
    b"P1", b" moves ", b"startpos", b"7g7f", b"P*5e", b"sfen ", b"9/9/9/9/9/9/9/9/9 b - 1", b"99999999999999999999",
    b"|", b"( 0:01/", b"&", b"*",
    *(word.encode(encoding) for encoding in ("utf-8", "cp932") for word in (
        "手合割：", "平手", "先手：", "１ ７六歩(77)", "1 ７六歩", "2 同　歩",
        "▲", "△３四歩", "投了", "まで1手で", "先手の勝ち",
        "変化：1手", "手数----", "後手の持駒：", "| ・v玉", "成", "同", "千日手", "後手番",
    )),
]  # fmt: skip


def whole(name: str) -> bytes:
    return "".join(SOUND[name]).encode(ENCODINGS[name])


def check(known: Format, content: bytes) -> tuple[list[Record], Faults]:
    records, faults = read(known, content)
    assert all(len(str(fault)) < 900 for fault in faults.examples)
    numbers = [record.number for record in records]
    assert numbers == sorted(set(numbers))
    for record in records:
        names(record)
        assert record.result in (None, 0, 30_000, -30_000)
    return records, faults


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
@settings(max_examples=60, deadline=None)
@given(content=st.binary(max_size=300) | st.lists(st.sampled_from(FRAGMENTS), max_size=60).map(b"".join))
def test_rubbish(known: Format, content: bytes) -> None:
    records, faults = check(known, content)
    if known.name not in ("kif", "ki2"):  # these are known by a single word, which may stand anywhere
        assert records or faults.counts or faults.warnings or not known.sniff(content)


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_sound_files_with_something_changed(known: Format, seed: int) -> None:
    rng = random.Random(seed)
    content = bytearray(whole(known.name))
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(content) + 1)
        piece = rng.choice([*FRAGMENTS, bytes([rng.randrange(256)])])
        content[place : place + rng.choice([0, 1, len(piece), 40])] = piece
    records, faults = check(known, bytes(content))
    assert len(records) + sum(faults.counts.values()) >= len(GAMES) - 4


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
@settings(max_examples=30, deadline=None)
@given(share=st.floats(0, 1))
def test_cut_files_give_the_games_before_the_cut(known: Format, share: float) -> None:
    content = whole(known.name)
    every, _ = check(known, content)
    assert len(every) == len(GAMES)
    found, _ = check(known, content[: int(share * len(content))])
    sure = found[:-1]
    assert [record.moves for record in sure] == [record.moves for record in every[: len(sure)]]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-7", "cp437", "euc_kr"])
@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_other_encodings_raise_nothing(known: Format, encoding: str) -> None:
    check(known, "".join(SOUND[known.name]).encode(encoding, "replace"))


@pytest.mark.parametrize("known", FORMATS[:3], ids=lambda known: known.name)
def test_games_of_two_encodings_in_one_file(known: Format) -> None:
    texts = [text.replace("'CSA encoding=UTF-8\n", "") for text in SOUND[known.name]]
    content = b"".join(text.encode(["utf-8-sig", "cp932"][place % 2]) for place, text in enumerate(texts))
    records, faults = check(known, content)
    assert not faults.examples
    assert [record.moves for record in records] == [record.moves for record in GAMES]
    assert [record.players for record in records if known.name != "ki2"] == [
        record.players for record in GAMES if known.name != "ki2"
    ]


# ── Blocks ──────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("size", [200, 1000, 4099])
def test_games_do_not_depend_on_blocks(known: Format, size: int, end: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    content = whole(known.name).replace(b"\n", end)
    expected = check(known, content)
    monkeypatch.setattr(blocks, "BLOCK", max(size, *(len(line) + 1 for line in content.splitlines())))
    monkeypatch.setattr(scan, "_MAX_GAMES", 2)
    records, faults = check(known, content)
    assert records == expected[0]
    assert [fault.place for fault in faults.examples] == [fault.place for fault in expected[1].examples]


def test_blocks_are_whole_lines_and_long_lines_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 300)
    for end in (b"\n", b"\r\n", b"\r"):
        content = b"first" + end + b"x" * 2000 + end + b"third" + end + b"last"
        faults = Faults()
        found = list(blocks.read_blocks(io.BytesIO(content), faults))
        joined = b"".join(block.content for block in found)
        assert [line[:300] for line in joined.splitlines()] == [b"first", b"x" * 256 + b" \0", b"third", b"last"]
        assert faults.warnings == {"the line is too long": 1}
        assert [block.last for block in found][-1]
    assert [block.content for block in blocks.read_blocks(io.BytesIO(b""), Faults())] == [b""]


@pytest.mark.parametrize("known", FORMATS[:3], ids=lambda known: known.name)
def test_a_game_that_is_too_long_costs_only_itself(known: Format, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 1000)
    monkeypatch.setattr(scan, "GAME_LIMIT", max(len(text) for text in SOUND[known.name]) + 2000)
    texts = list(SOUND[known.name])
    moves = texts[2].index({"csa": "\n-", "kif": "   1 ", "ki2": "\n▲"}[known.name])
    comment = {"csa": "'", "kif": "*", "ki2": "*"}[known.name] + "x" * 70 + "\n"
    texts[2] = texts[2][:moves] + texts[2][moves:].replace("\n", "\n" + comment * 30)
    content = "".join(texts).encode()
    records, faults = check(known, content)
    assert [record.number for record in records] == [1, 2, 4, 5, 6]
    assert [record.moves for record in records] == [record.moves for place, record in enumerate(GAMES) if place != 2]
    assert [(fault.game, fault.reason) for fault in faults.examples] == [(3, "the game is too long")]
    assert records[2].offset - 1 <= content[: content.index(texts[3].encode())].count(b"\n") + 1 <= records[2].offset


@pytest.mark.parametrize("known", FORMATS, ids=lambda known: known.name)
def test_a_long_line_takes_no_memory(known: Format) -> None:
    class Endless(io.RawIOBase):
        """Sound games, then 60 MB on one line, then sound games."""

        def __init__(self) -> None:
            self.parts = [whole(known.name), *[b"x" * (1 << 20)] * 60, b"\n" + whole(known.name)]
            self.left = b""

        def readable(self) -> bool:
            return True

        def readinto(self, buffer) -> int:
            if not self.left and self.parts:
                self.left = self.parts.pop(0)
            count = min(len(buffer), len(self.left))
            buffer[:count], self.left = self.left[:count], self.left[count:]
            return count

    list(known.games(io.BytesIO(whole(known.name)), NOWHERE, Faults()))
    stream = io.BufferedReader(Endless())
    tracemalloc.start()
    faults = Faults()
    count = sum(1 for _ in known.games(stream, NOWHERE, faults))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert count >= 2 * len(GAMES) - 2
    assert peak < 40 << 20


def test_a_game_on_a_line_that_was_cut_is_broken_and_not_shorter(monkeypatch: pytest.MonkeyPatch) -> None:
    back_and_forth = "2h3h 8b7b 3h2h 7b8b " * 200
    monkeypatch.setattr(blocks, "BLOCK", 300)
    records, faults = read(Usi(), f"startpos moves 7g7f\nstartpos moves {back_and_forth}\nstartpos moves 2g2f\n")
    assert [names(record) for record in records] == [["7g7f"], ["2g2f"]]
    assert [fault.place for fault in faults.examples] == ["line 2 (byte 275)"]
    moves = "▲３八飛 △７二飛 ▲２八飛 △８二飛 " * 50
    records, faults = read(Ki2(), f"手合割：平手\n{moves}\n")
    assert not records
    assert len(faults.examples) == 1


BREAKS = {
    "csa": ("+7776FU\n", "+7775FU\n"),
    "kif": ("７六歩(77)", "７五歩(77)"),
    "ki2": ("▲７六歩", "▲７五歩"),
    "usi": ("7g7f", "7g7e"),
}  # fmt: skip


@pytest.mark.parametrize("block", [300, 1 << 18])
@pytest.mark.parametrize("encoding", ["utf-8", "cp932", "euc_jp"])
@pytest.mark.parametrize("known", FORMATS[:4], ids=lambda known: known.name)
def test_a_fault_tells_its_byte(known: Format, encoding: str, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", block)
    moves = only(Usi(), "startpos moves 7g7f 3c3d 2g2f").moves
    record = Record("shogi", moves, players=("羽生", "谷川"))
    sound = WRITERS[known.name](record)
    right, wrong = BREAKS[known.name]
    comment = {"csa": "'", "kif": "*", "ki2": "*", "usi": "#"}[known.name] + "長" * 400 + "\n"
    texts = [sound, comment, sound.replace(right, wrong, 1), sound, comment * 3, sound.replace(right, wrong, 1), sound]
    content = "\n".join(texts).encode(encoding)
    records, faults = read(known, content)
    assert len(records) == 3
    places = [found.start() for found in re.finditer(re.escape(wrong.encode(encoding)), content)]
    assert [fault.place.partition("(")[2] for fault in faults.examples] == [f"byte {place})" for place in places]
    lines = [content.count(b"\n", 0, place) + 1 for place in places]
    assert [fault.place.partition(" (")[0] for fault in faults.examples] == [f"line {line}" for line in lines]


def test_a_text_of_mixed_encodings_is_read_line_by_line() -> None:
    lines = [
        "先手：羽生\n".encode(),
        "後手：谷川\n".encode("cp932"),
        "棋戦：名人戦\n".encode("euc_jp"),
        b"\xff\xfe\x80\n",
    ]
    record = only(Kif(), b"".join(lines) + "1 ７六歩(77)\n".encode("euc_jp") + "2 投了\n".encode("cp932"))
    assert (record.players, record.event) == (("羽生", "谷川"), "名人戦")
    assert (names(record), record.termination) == (["7g7f"], "resigned")


def test_reading_twice_gives_the_same() -> None:
    for known in FORMATS:
        first, _ = read(known, whole(known.name))
        again, _ = read(known, whole(known.name))
        assert [replace(record) for record in first] == again
