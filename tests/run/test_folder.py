"""A run folder answers one question, goes on where it stopped, and has one writer at a time."""

from __future__ import annotations

import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from evalsmith.run import (
    BusyError,
    FileLock,
    InputError,
    MismatchError,
    OutputError,
    RunFolder,
    append_json,
    read_config,
    read_events,
    to_toml,
)

CONFIG = {"game": "othello", "games": 200, "limit": {"nodes": 5000}}

texts = st.text() | st.text(alphabet='"\\\n\r\t\b\f\x00\x1f\x7f\x85\u2028 =[]#é語🜨', max_size=20)
numbers = st.integers() | st.floats(allow_nan=False) | st.sampled_from([1e16, 1e22, 1e-7, -0.0, 2**63, -(2**63) - 1])
scalars = st.booleans() | numbers | texts
values = st.recursive(scalars, lambda inner: st.lists(inner, max_size=3), max_leaves=6)
tables = st.dictionaries(texts, values | st.dictionaries(texts, values, max_size=2), max_size=4)


# ── Configurations as TOML ──────────────────────────────────────────────────────────────────────


@settings(derandomize=True, deadline=None, max_examples=150)
@given(config=st.dictionaries(texts, values | tables, max_size=5))
@example(config={"= None": "x = None", "": [], "a.b": {"": {}}, "empty": {}, "list": [[], ["x"], [{"deep": 1}]]})
@example(config={"table": {"a": 1}, "after": 2})
def test_a_configuration_comes_back_from_toml(config: dict[str, Any]) -> None:
    assert tomllib.loads(to_toml(config)) == config


def test_a_configuration_is_readable() -> None:
    config = {"seed": 1, "rate": 0.5, "quiet": False, "players": ["self", "random"], "path": Path("a/b"), "limit": {}}
    config["limit"] = {"nodes": 5000, "depth": None}
    assert to_toml(config | {"note": None}) == (
        'seed = 1\nrate = 0.5\nquiet = false\nplayers = ["self", "random"]\npath = "a/b"\n\n[limit]\nnodes = 5000\n'
    )


def test_what_toml_has_no_word_for_finds_one() -> None:
    config = {"a": None, "b": [1, None, 2], "c": (1, 2), "d": np.int64(3), "e": np.float64(0.5), "f": "\udc80x"}
    assert tomllib.loads(to_toml(config)) == {"b": [1, 2], "c": [1, 2], "d": 3, "e": 0.5, "f": "?x"}


# ── Resuming ────────────────────────────────────────────────────────────────────────────────────


def test_the_same_question_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "runs" / "one"
    with RunFolder(path, CONFIG) as run:
        run.event("start", games=0)
    written = (path / "config.toml").read_bytes()
    with RunFolder(path, {"game": "othello", "games": 200, "limit": {"nodes": 5000}, "label": None}) as run:
        run.event("game", number=1)
        assert [event["event"] for event in run.events()] == ["start", "game"]
    assert (path / "config.toml").read_bytes() == written
    assert read_config(path) == CONFIG


def test_a_command_that_failed_at_once_leaves_the_folder_to_another_question(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="wrong"), RunFolder(tmp_path, CONFIG):
        raise ValueError("wrong")
    with pytest.raises(ValueError, match="late"), RunFolder(tmp_path, CONFIG | {"games": 300}) as run:
        run.event("begun")
        raise ValueError("late")
    assert read_config(tmp_path) == CONFIG | {"games": 300}


def test_another_question_is_refused_and_the_difference_is_named(tmp_path: Path) -> None:
    RunFolder(tmp_path, CONFIG).event("begun")
    with pytest.raises(MismatchError) as caught:
        RunFolder(tmp_path, {"game": "othello", "games": 300, "limit": {"nodes": 5000}, "book": "none"})
    assert str(caught.value) == (
        f"{tmp_path} was made with other settings (games was 200, is now 300; book was None, is now 'none'); "
        "choose another folder, or delete it"
    )
    assert read_config(tmp_path) == CONFIG
    with RunFolder(tmp_path, CONFIG):
        pass


def test_what_is_no_run_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "none", tmp_path / "file"):
        with pytest.raises(InputError, match=r"is not a run folder: it has no config\.toml"):
            read_config(path)
    with pytest.raises(OutputError, match="cannot create the folder"):
        RunFolder(tmp_path / "file", CONFIG)
    for content in (b"game = ", b"\xff\xfe"):
        (tmp_path / "config.toml").write_bytes(content)
        with pytest.raises(InputError, match=r"config\.toml is not readable"):
            RunFolder(tmp_path, CONFIG)


# ── One writer ──────────────────────────────────────────────────────────────────────────────────

HOLD = """
import sys
from pathlib import Path
from evalsmith.run import RunFolder
with RunFolder(Path(sys.argv[1]), {"seed": 1}) as run:
    run.event("held")
    print("held", flush=True)
    sys.stdin.readline()
"""


def hold(path: Path) -> subprocess.Popen[str]:
    """A process that is writing the folder."""
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "held\n"
    return holder


def test_a_second_process_is_refused_until_the_first_ends(tmp_path: Path) -> None:
    with hold(tmp_path) as holder:
        with pytest.raises(BusyError) as caught, RunFolder(tmp_path, {"seed": 1}):
            pass
        assert str(caught.value) == f"{tmp_path} is being written by another process"
        with pytest.raises(MismatchError):
            RunFolder(tmp_path, {"seed": 2})
        holder.communicate("end\n", timeout=300)
    with RunFolder(tmp_path, {"seed": 1}) as run:
        assert len(run.events("held")) == 1


def test_a_killed_holder_lets_go(tmp_path: Path) -> None:
    with hold(tmp_path) as holder:
        holder.kill()
        holder.communicate(timeout=300)
        assert holder.returncode == -signal.SIGKILL
    with RunFolder(tmp_path, {"seed": 1}) as run:
        assert len(run.events("held")) == 1


def test_of_processes_that_begin_at_once_with_other_settings_one_wins(tmp_path: Path) -> None:
    begin = (
        "import sys; from pathlib import Path; from evalsmith.run import EvalsmithError, RunFolder\n"
        "print('ready', flush=True); sys.stdin.readline()\n"
        "try:\n"
        "    with RunFolder(Path(sys.argv[1]), {'seed': int(sys.argv[2])}) as run:\n"
        "        run.event('began', seed=int(sys.argv[2]))\n"
        "except EvalsmithError as error:\n"
        "    print(type(error).__name__)\n"
    )
    for attempt in range(5):
        path = tmp_path / str(attempt)
        racers = [
            subprocess.Popen(
                [sys.executable, "-c", begin, str(path), str(seed)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for seed in range(3)
        ]
        for racer in racers:
            assert racer.stdout.readline() == "ready\n"
        for racer in racers:
            racer.stdin.write("go\n")
            racer.stdin.flush()
        said = [racer.communicate(timeout=300)[0].strip() for racer in racers]
        assert sorted(said) == ["", "MismatchError", "MismatchError"]
        assert [event["seed"] for event in read_events(path)] == [read_config(path)["seed"]] == [said.index("")]


def test_a_lock_waits_or_says_that_it_is_busy(tmp_path: Path) -> None:
    path = tmp_path / ".lock"
    with FileLock(path), pytest.raises(BusyError, match="is being written by another process"):
        FileLock(path, wait=False).acquire()
    with FileLock(path, wait=False):
        assert path.exists()
    with pytest.raises(ValueError, match="inside"), FileLock(path):
        raise ValueError("inside")
    with FileLock(path, wait=False):
        pass
    with pytest.raises(OutputError, match=r"cannot write .*: Not a directory"):
        FileLock(path / "below").acquire()


# ── Events ──────────────────────────────────────────────────────────────────────────────────────


def test_events_keep_their_order_and_can_be_asked_for_by_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.time", lambda: 1234.56789)
    run = RunFolder(tmp_path, CONFIG)
    for number in range(3):
        run.event("game", number=number)
        run.event("note", text="é")
    assert run.events("game") == [{"event": "game", "time": 1234.568, "number": number} for number in range(3)]
    assert len(run.events()) == len(read_events(tmp_path)) == 6
    assert run.events("none") == []


def test_a_torn_event_is_passed_over(tmp_path: Path) -> None:
    run = RunFolder(tmp_path, CONFIG)
    run.event("first")
    with open(tmp_path / "events.jsonl", "a") as file:
        file.write('{"event": "torn", "ti')
    run.event("last")
    append_json(tmp_path / "events.jsonl", {"no": "kind"})
    assert [event.get("event") for event in run.events()] == ["first", "last", None]
    assert len(run.events("last")) == 1


def test_a_folder_of_another_version_is_refused_in_a_sentence(tmp_path):
    with RunFolder(tmp_path, {"games": 200, "a": 1, "b": 2, "c": {"d": 3, "e": 4}}) as run:
        run.event("played")
    with pytest.raises(MismatchError) as error:
        RunFolder(tmp_path, {"games": 300, "nodes": 5})
    assert str(error.value) == (
        f"{tmp_path} was made with other settings (games was 200, is now 300; it was written by another version of "
        "Evalsmith, and can be read but not resumed); choose another folder, or delete it"
    )
