"""The pages of runs as a reader sees them: captions, terminations, and tables that fit."""

from __future__ import annotations

import html
import re
from pathlib import Path

from evalsmith.arena.events.competitions import match
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.store.info import dataset_info
from evalsmith.report import Page
from evalsmith.report.datasets import write_dataset_report

PGN = '[Result "1-0"]\n\n1. e4 f6 2. d4 g5 3. Qh5# 1-0\n'


def words(page: Path) -> str:
    """The text of a page without its tags."""
    return html.unescape(re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8")))


def test_games_that_are_won_or_lost_have_points_in_their_captions(tmp_path: Path) -> None:
    result = match("chess", "self", "random", games=2, nodes=20, max_plies=1, output=tmp_path / "run", concurrency=1)
    text = words(result.report())
    assert "self (White) – random (Black): ½–½" in text and "random (White) – self (Black): ½–½" in text
    assert f"Terminations: {result.termination_text()}." in text and result.termination_text().startswith("2 ")


def test_a_page_of_datasets_has_a_column_each(tmp_path: Path) -> None:
    (tmp_path / "g.pgn").write_text(PGN)
    found = [dataset_info(import_games([tmp_path / "g.pgn"], tmp_path / name)) for name in ("one", "two")]
    write_dataset_report(found, tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    head = re.search(r"<thead>.*?</thead>", page, re.DOTALL)
    assert head is not None and re.findall(r">(\w+)</th>", head[0]) == ["one", "two"]
    assert "no label" in words(tmp_path / "page.html")


def test_a_long_table_may_be_folded_away() -> None:
    page = Page("title")
    page.table(["n"], [[1]], folded="All 61 columns")
    page.table(["n"], [[1]])
    assert page.render().count("<details>") == 1 and "<summary>All 61 columns</summary>" in page.render()
