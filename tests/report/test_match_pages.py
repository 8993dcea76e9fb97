"""The pages of matches and tournaments: captions, colours, and nothing empty."""

from __future__ import annotations

from html import unescape
from pathlib import Path

import pytest

from arena.logged import logged
from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.results.log import GAMES, GameLog
from evalsmith.games import find_game
from evalsmith.report import write_report
from evalsmith.report.heat import RESULT_COLOURS, heat_map
from evalsmith.report.matches import result_caption
from evalsmith.run import RunFolder


@pytest.mark.parametrize(
    ("game", "result", "margin", "reason", "caption"),
    [
        ("chess", 30000, 30000, "mate", "a (White) – b (Black): 1–0, mate"),
        ("chess", 0, 0, "repetition", "a (White) – b (Black): ½–½, repetition"),
        ("shogi", -30000, -30000, "mate", "a (Black) – b (White): 0–1, mate"),
        ("othello", 1200, 1200, "rule", "a (Black) – b (White): 1–0 by 12 discs, rule"),
        ("othello", -1, None, "time", "a (Black) – b (White): 0–1, time"),
    ],
)
def test_captions_are_scores(game: str, result: int, margin: int | None, reason: str, caption: str) -> None:
    failed = [{"side": 0, "reason": "time"}] if reason == "time" else []
    entry = logged(GameKey(0, "a", "b", 0, 0), result, reason=reason, margin=margin, failed=failed)
    assert result_caption(find_game(game), entry) == caption


def page(folder: Path, names: list[str], games: int, **more: object) -> str:
    config = {"kind": "tournament", "game": "othello", "names": names, "format": "round-robin", "games": 8, **more}
    with RunFolder(folder, config) as run, GameLog(run.path / GAMES) as log:
        for pair in range(games // 2):
            for half in (0, 1):
                key = GameKey(0, names[0], names[1], pair, half)
                value = 600 if (pair + half) % 3 else -400
                log.append(logged(key, value, margin=value, opening=[], moves=[]))
    return unescape(write_report(folder).read_text())


def test_sides_have_their_names_and_results_one_pair_of_colours(tmp_path: Path) -> None:
    text = page(tmp_path / "run", ["a", "b"], 8)
    assert ">Black: won<" in text and ">White: lost<" in text and "first side" not in text
    body = text.partition("</style>")[2]
    assert "var(--won)" in body and "var(--above" not in body and "var(--below" not in body
    # Elsewhere above and below are colours of their own.
    assert "var(--above" in heat_map([[1.0, -1.0]]) and RESULT_COLOURS[0] not in heat_map([[1.0, -1.0]])


def test_a_tournament_without_games_has_no_empty_section(tmp_path: Path) -> None:
    text = page(tmp_path / "run", ["a", "b"], 0)
    assert "no data" not in text
    for heading in ("Who beat whom", "Ratings", "Times", "Some games"):
        assert f">{heading}</a>" not in text


def test_an_unfinished_run_says_so(tmp_path: Path) -> None:
    assert "Not finished: this counts the games so far." in page(tmp_path / "run", ["a", "b"], 4)
    (tmp_path / "run" / "result.json").write_text("{}")
    assert "Not finished" not in unescape(write_report(tmp_path / "run").read_text())
