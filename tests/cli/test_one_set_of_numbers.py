"""The page, the terminal and the JSON document of one log give the same numbers.

One log is of a match that a sequential test ended while more games were running, with failed games among those that
count. The other one is of a Swiss tournament with free rounds (byes) and failed games.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from arena.logged import logged
from evalsmith.arena.events.formats import Format
from evalsmith.arena.results.entry import GameEntry, GameKey
from evalsmith.arena.results.log import GAMES, GameLog
from evalsmith.arena.results.played import Played
from evalsmith.arena.results.reading import read_match, read_tournament
from evalsmith.report import write_report
from evalsmith.run import RunFolder

Run = Callable[..., tuple[int, str, str]]
CRASHED = {"reason": "crash", "failed": [{"side": 0, "reason": "crash", "detail": "exit code 1", "ply": 9}]}


def entry(key: GameKey, source: random.Random, lead: float) -> GameEntry:
    """A game of Othello that the first player wins with some likelihood; every ninth one, side 0 crashes."""
    if source.random() < 0.11:
        return logged(key, -1, **CRASHED)
    margin = 100 * source.randrange(2, 40, 2) * (1 if source.random() < lead else -1)
    value = margin if key.half == 0 else -margin
    return logged(key, value, margin=value, seconds=[1.25, 0.5], opening=[], moves=[])


def write(folder: Path, config: dict[str, Any], entries: list[GameEntry]) -> Path:
    with RunFolder(folder, config) as run, GameLog(run.path / GAMES) as log:
        for one in entries:
            log.append(one)
    return folder


@pytest.fixture(scope="module")
def match_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = random.Random(4)
    keys = [GameKey(0, "new", "old", pair, half) for pair in range(120) for half in (0, 1)]
    entries = [entry(key, source, 0.75 if key.pair < 60 else 0.1) for key in keys]
    config = {"kind": "match", "game": "othello", "names": ["new", "old"], "games": 240, "sprt": "0,50"}
    return write(tmp_path_factory.mktemp("one") / "match", config, entries)


@pytest.fixture(scope="module")
def swiss_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source, form, names = random.Random(5), Format("swiss", 6, rounds=3), ["a", "b", "c", "d", "e"]
    games: dict[GameKey, GameEntry] = {}
    while waiting := [key for key in form.planned(names, Played(games.values())) if key not in games]:
        games |= {key: entry(key, source, 0.6) for key in waiting}
    config = {"kind": "tournament", "game": "othello", "names": names, "format": "swiss", "games": 12, "rounds": 3}
    return write(tmp_path_factory.mktemp("one") / "swiss", config, list(games.values()))


def page_of(run: Path) -> str:
    return unescape(write_report(run).read_text())


def cells(page: str, heading: str) -> list[list[str]]:
    """The rows of the table of a page whose header has a column of that name."""
    for table in re.findall(r"<table>.*?</table>", page, re.DOTALL):
        if f">{heading}</th>" in table:
            rows = re.findall(r"<tr>(.*?)</tr>", table.partition("<tbody>")[2], re.DOTALL)
            return [re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL) for row in rows]
    raise AssertionError(f"no table has a column {heading}")


def fact(page: str, name: str) -> str:
    found = re.search(rf"<dt>{re.escape(name)}</dt><dd>(.*?)</dd>", page)
    assert found, name
    return found[1]


def test_a_match(run: Run, match_run: Path) -> None:
    result = read_match(match_run)
    # The log has what the test is about: a decision with games after it, and failures before it.
    assert result.sprt is not None and result.sprt.state == "accepted H1" and 40 <= result.games < 120
    assert sum(score.fail for score in result.players) > 3
    assert len(result.margins) < sum(result.pentanomial)

    page, text = page_of(match_run), str(result)
    document = json.loads(json.dumps(result.to_json()))
    stats = json.loads(run("stats", str(match_run), "--json")[1])
    looked = json.loads(run("tournament", str(match_run), "--json")[1])

    for name in ("elo", "elo_error", "nelo", "nelo_error", "los"):
        assert document[name] == stats[name] == getattr(result.summary, name)
    for name in ("elo_low", "elo_high", "p_value", "verdict"):
        assert document[name] == stats[name]
    [compared] = looked["comparisons"]
    for name in ("elo", "elo_low", "elo_high", "elo_error", "los", "p_value", "outcome", "verdict"):
        assert document[name] == compared[name]
    elo = f"{document['elo']:+.1f} (95 %: {document['elo_low']:+.1f} … {document['elo_high']:+.1f})"
    assert fact(page, "Elo") == elo and f"Elo with failures counted as losses {elo}" in text

    assert fact(page, "games") == str(document["games"]) == str(result.games)
    assert looked["games"] == document["games"] and looked["reasons"] == document["reasons"]
    assert fact(page, "p-value") == f"{document['p_value']:.2g}" and f"p {document['p_value']:.2g}" in text

    shown = {row[0]: row[1:8] for row in cells(page, "longest game (s)")}
    for player in document["players"]:
        won, tied, lost, fail = (f"{player[key]}" for key in ("won", "tied", "lost", "fail"))
        share = f"{100 * player['points'] / document['games']:.1f} %"
        numbers = [f"{player['points']:g}", share, str(document["games"]), won, tied, lost, fail]
        assert shown[player["name"]] == numbers
        words = [player["name"], *" ".join(numbers).split()]
        assert any(line.split()[: len(words)] == words for line in text.splitlines())
        row = next(one for one in looked["players"] if one["name"] == player["name"])
        assert all(row[key] == player[key] for key in ("points", "won", "tied", "lost", "fail", "time_avg", "time_max"))

    margin = f"{document['margin'] / 100:+.2f} ± {document['margin_error'] / 100:.2f} discs per game"
    assert f"Mean margin {margin}" in page and f"Mean margin {margin}" in text

    test = document["sprt"]
    sprt = f"LLR {test['llr']:.2f} of {test['lower']:.2f} … {test['upper']:.2f}: {test['state']}"
    assert fact(page, "SPRT") == sprt and f"SPRT {sprt}" in text
    assert document["verdict"] in page and document["verdict"] in text

    # The course ends with the summary: its interval is one of pairs, as that of the Elo is.
    assert result.course()[-1] == result.summary


def test_a_tournament_with_free_rounds(run: Run, swiss_run: Path) -> None:
    result = read_tournament(swiss_run)
    assert sum(row.free for row in result.players) == 3 * 12
    assert sum(row.fail for row in result.players) > 3 and result.ratings

    page, text = page_of(swiss_run), str(result)
    document = json.loads(run("tournament", str(swiss_run), "--json")[1])
    assert {key: value for key, value in document.items() if key != "run"} == json.loads(json.dumps(result.to_json()))
    stats = json.loads(run("stats", str(swiss_run), "--json")[1])
    assert stats["ratings"] == document["ratings"] and stats["comparisons"] == document["comparisons"]
    assert fact(page, "games") == str(document["games"])

    names = [player["name"] for player in document["players"]]
    table, ratings = cells(page, "max time (s)"), {row[0]: row[1:] for row in cells(page, "± 95 %")}
    assert [row[1] for row in table] == names
    for row, player in zip(table, document["players"], strict=True):
        results = [f"{player[key]}" for key in ("won", "tied", "lost", "fail")]
        numbers = [str(player["games"]), f"{player['points']:g}", f"{100 * player['share']:.1f} %", *results]
        assert row[3:10] == numbers and row[-1] == str(player["free"])
        rating = next(one for one in document["ratings"] if one["name"] == player["name"])
        elo = f"{rating['elo']:+.0f} ± {rating['error']:.0f}"
        words = [player["name"], *elo.split(), *" ".join(numbers).split()]
        [line] = [line for line in text.splitlines() if line.split()[1 : 1 + len(words)] == words]
        assert line.endswith(str(player["free"]))
        assert [float(cell.replace("−", "-")) for cell in ratings[player["name"]]] == pytest.approx(
            [rating["elo"], rating["error"]], abs=0.06
        )
    compared = cells(page, "LOS")
    for row, one in zip(compared, document["comparisons"], strict=True):
        counts = [one["won"] + one["tied"] + one["lost"], *(one[key] for key in ("won", "tied", "lost"))]
        assert row[:6] == [one["first"], one["second"], *map(str, counts)]
        los, p_value = f"{100 * one['los']:.1f} %", f"{one['p_value']:.2g}"
        assert row[7:9] == [los, p_value]
        elo = rf"{re.escape(row[6])}\s+{re.escape(los)}\s+{re.escape(p_value)}"
        assert re.search(rf"{one['first']}\s+{one['second']}\s.*{elo}", text)
    assert document["verdict"] in page and document["verdict"] in text
