"""The page of settings is made from their declarations."""

from __future__ import annotations

from pathlib import Path

from evalsmith.cli.common.reference import page

PAGE = Path(__file__).parents[3] / "docs" / "settings.md"


def test_the_page_is_current():
    assert PAGE.read_text(encoding="utf-8") == page(), "`make settings` writes the page anew"
