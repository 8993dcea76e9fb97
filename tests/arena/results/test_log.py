"""The log while it is written and read: games on demand, in their order, and a log that vanishes."""

from __future__ import annotations

import shutil
from contextlib import nullcontext
from pathlib import Path

import pytest

from arena.logged import logged
from evalsmith.arena.events.competitions import match
from evalsmith.arena.results.counting import CountedGames
from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.results.live import LiveScore
from evalsmith.arena.results.log import GAMES, GameLog, LoggedGames, read_log, sorted_entries
from evalsmith.arena.results.reading import read_match
from evalsmith.arena.statistics.sequential import SequentialTest, SprtConfig, parse_sprt
from evalsmith.run import OutputError

QUICK = {"games": 40, "nodes": 2, "random_plies": 2, "repeat": True, "concurrency": 1}


def key(pair: int, half: int = 0) -> GameKey:
    return GameKey(0, "a", "b", pair, half)


def test_games_are_read_whenever_they_are_asked_for(tmp_path: Path) -> None:
    entries = [logged(key(pair, half), pair - 1, moves=[pair] * 4) for pair in (0, 2, 1) for half in (1, 0)]
    with GameLog(tmp_path / GAMES) as log:
        for entry in (*entries, logged(key(1), 77)):  # one of them twice
            log.append(entry)
    with open(tmp_path / GAMES, "ab") as file:
        file.write(b'{"torn": ')
    stored = LoggedGames(tmp_path / GAMES)
    assert list(stored)[:-1] == list(stored)[:-1] == entries
    assert list(CountedGames(stored, ("a", "b"))) == entries == list(read_log(tmp_path / GAMES).values())
    assert list(CountedGames(stored, ("a", "c"))) == []
    assert list(sorted_entries(tmp_path / GAMES)) == sorted(entries, key=lambda entry: entry.key)
    assert list(LoggedGames(tmp_path / "absent")) == list(sorted_entries(tmp_path / "absent")) == []


def test_games_are_sorted_by_round_players_and_pair(tmp_path: Path) -> None:
    names = [
        GameKey(1, "b", "a", 0, 0),
        GameKey(0, "c", "b", 0, 1),
        GameKey(0, "b", "c", 1, 0),
        GameKey(0, "b", "c", 0, 1),
    ]
    with GameLog(tmp_path / GAMES) as log:
        for name in names:
            log.append(logged(name, 1))
    assert [entry.key for entry in sorted_entries(tmp_path / GAMES)] == sorted(names)


@pytest.mark.parametrize("how", ["deleted", "replaced"])
def test_a_log_that_vanishes_is_an_error(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    with pytest.raises(OutputError, match=r"vanished|replaced"), GameLog(folder / GAMES) as log:
        log.append(logged(key(0), 1))
        shutil.rmtree(folder)
        if how == "replaced":
            folder.mkdir()
            (folder / GAMES).write_text("")
        log.append(logged(key(1), 1))


def test_a_log_that_vanishes_after_the_last_game_is_an_error_too(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="vanished"), GameLog(tmp_path / GAMES) as log:
        log.append(logged(key(0), 1))
        (tmp_path / GAMES).unlink()


def test_a_match_whose_folder_vanishes_ends_with_an_error(tmp_path: Path) -> None:
    class Vandal:
        left = 5

        def advance(self, count: int = 1) -> None:
            self.left -= count
            if self.left == 0:
                shutil.rmtree(tmp_path / "run")

    watched = lambda *_: nullcontext(Vandal())  # noqa: E731
    with pytest.raises(OutputError, match="has vanished while games were played"):
        match("connect_four", "random", "self", output=tmp_path / "run", progress=watched, **QUICK)
    assert not (tmp_path / "run").exists()


def test_the_runner_does_not_keep_the_moves_of_games(tmp_path: Path) -> None:
    held: list[str] = []

    class Seen:
        def advance(self, count: int = 1) -> None:
            pass

        def note(self, text: str) -> None:
            held.append(text)

    result = match("connect_four", "random", "self", output=tmp_path, progress=lambda *_: nullcontext(Seen()), **QUICK)
    assert sum(1 for _ in result.entries) == result.games == 40
    assert all(entry.moves and entry.date.count(".") == 2 for entry in result.entries)
    assert held and held[0].startswith("W–D–L ")


@pytest.mark.parametrize("test", [None, parse_sprt("0,50")])
def test_the_live_score_forgets_what_it_has_counted(test: SprtConfig | None) -> None:
    score = LiveScore(SequentialTest(test))
    for pair in (1, 0, 2):  # pairs end in any order
        for half in (0, 1):
            score.add(key(pair, half), logged(key(pair, half), 1))
            assert len(score._values) <= 3
    assert not score._values and str(score).startswith("W–D–L 3–0–3")


def test_the_score_of_a_match_while_it_runs() -> None:
    score = LiveScore(SequentialTest(parse_sprt("0,50")))
    assert str(score) == "W–D–L 0–0–0, LLR 0.00 of -2.94 … 2.94"
    for pair, values in enumerate([(1, 1), (1, 0), (-1, 1)]):
        for half, value in enumerate(values):
            score.add(key(pair, half), logged(key(pair, half), value if half == 0 else -value))
    assert str(score).startswith("W–D–L 4–1–1, Elo +191 (95 %: ") and " … 2.94" in str(score)
    failed = [{"side": 1, "reason": "crash"}]
    assert not score.add(key(3), logged(key(3), 1, reason="crash", failed=failed))
    assert str(score).startswith("W–D–L 5–1–1, ") and str(score).endswith(", 1 failed")


def test_the_result_of_a_match_that_is_not_finished(tmp_path: Path) -> None:
    match("connect_four", "random", "self", output=tmp_path, **QUICK)
    lines = (tmp_path / GAMES).read_text().splitlines(keepends=True)
    for count in (0, 1, 7):
        (tmp_path / GAMES).write_text("".join(lines[:count]))
        (tmp_path / "result.json").unlink(missing_ok=True)
        result = read_match(tmp_path)
        assert result.games == count
        page = result.report().read_text()
        assert ("<svg" in page) == (count > 0) and "no data" not in page
