"""A logged game: its JSON form both ways, lines of every kind of game, and lines of other versions."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from evalsmith.arena.results.entry import (
    Failed,
    GameEntry,
    GameKey,
    MachineLoad,
    MoveReports,
    Reported,
    SideUsage,
    SoloBoards,
    read_entry,
)

SECONDS = st.floats(0, 1e6)
WHOLE = st.integers(-(2**31), 2**31)
PAIR = st.tuples(WHOLE, WHOLE)
USAGE = st.builds(
    SideUsage,
    seconds=SECONDS,
    longest=SECONDS,
    nodes=st.integers(0, 2**40),
    reported=st.builds(Reported, SECONDS, SECONDS, st.integers(0, 999)),
    bytes=st.none() | st.integers(1, 2**40),
)
MOVES = st.lists(st.integers(0, 2**24), max_size=5).map(tuple)


@st.composite
def entries(draw: st.DrawFn) -> GameEntry:
    moves = draw(MOVES)
    reports = st.builds(
        MoveReports,
        st.tuples(*(st.none() | WHOLE for _ in moves)),
        st.tuples(*(st.none() | st.integers(0, 99) for _ in moves)),
        st.tuples(*(SECONDS for _ in moves)),
    )
    solo = st.builds(SoloBoards, MOVES, st.tuples(st.booleans(), st.booleans()), PAIR, PAIR)
    return GameEntry(
        key=GameKey(draw(st.integers(0, 9)), "a", "b", draw(st.integers(0, 999)), draw(st.integers(0, 1))),
        opening=draw(MOVES),
        moves=moves,
        result=draw(WHOLE),
        termination=draw(st.text()),
        usage=(draw(USAGE), draw(USAGE)),
        start=draw(st.none() | st.text()),
        margin=draw(st.none() | WHOLE),
        counts=draw(st.none() | PAIR),
        failed=tuple(
            draw(st.lists(st.builds(Failed, st.integers(0, 1), st.text(), st.text(), st.integers(0, 99)), max_size=2))
        ),
        reports=draw(st.none() | reports),
        solo=draw(st.none() | solo),
        machine=draw(st.none() | st.builds(MachineLoad, SECONDS, SECONDS, SECONDS, SECONDS)),
    )


@given(entries())
def test_an_entry_survives_the_log(entry: GameEntry) -> None:
    assert GameEntry.from_json(json.loads(json.dumps(entry.to_json()))) == entry


def test_the_keys_of_a_line_are_stable() -> None:
    """Scripts of users read them."""
    entry = GameEntry(
        key=GameKey(2, "a", "b", 3, 1),
        opening=(1, 2),
        moves=(3,),
        result=-1,
        termination="crash",
        usage=(SideUsage(0.5, 0.25, 7, Reported(0.4, 0.5, 1), 100), SideUsage(0.0)),
        failed=(Failed(0, "crash", "exit code 1", 3),),
        reports=MoveReports((5,), (None,), (0.5,)),
        machine=MachineLoad(1.0, 0.5, 0.1, 0.9),
    )
    assert entry.to_json() == {
        "round": 2, "pair": 3, "half": 1, "sides": ["b", "a"], "opening": [1, 2], "moves": [3], "result": -1,
        "reason": "crash", "failed": [{"side": 0, "reason": "crash", "detail": "exit code 1", "ply": 3}],
        "scores": [5], "depths": [None], "times": [0.5], "seconds": [0.5, 0.0], "longest": [0.25, 0.0],
        "nodes": [7, 0], "told": [[0.4, 0.5, 1], [0.0, 0.0, 0]], "bytes": [100, None],
        "wall": 1.0, "cpu": 0.5, "waited": 0.1, "load": 0.9,
    }  # fmt: skip
    assert (entry.value_for("a"), entry.value_for("b"), entry.failed_sides) == (1, -1, {0})


BARE: dict[str, Any] = {"pair": 0, "half": 0, "sides": ["a", "b"], "result": 1, "reason": "rule", "seconds": [1, 2]}


def test_a_line_without_optional_keys_is_a_game() -> None:
    entry = GameEntry.from_json(BARE)
    assert entry.key == GameKey(0, "a", "b", 0, 0) and entry.usage == (SideUsage(1.0), SideUsage(2.0))
    assert entry.moves == () and entry.machine is None and entry.margin is None


def test_reports_must_fit_the_moves() -> None:
    entry = read_entry(BARE | {"moves": [4, 5], "scores": [1], "depths": [1], "times": [0.1]})
    assert entry is not None and entry.reports is None


KEYS = [*BARE, "told", "failed", "moves", "bytes", "counts", "second", "wall", "round", "margin", "start"]
ANYTHING = st.none() | st.integers(-2, 2) | st.text(max_size=2) | st.lists(st.integers(), max_size=3)


@given(st.dictionaries(st.sampled_from(KEYS), ANYTHING))
def test_whatever_stands_in_a_line_never_raises(line: dict[str, Any]) -> None:
    read_entry(line)
    read_entry(BARE | line)
