"""What PGN has beside the moves is counted: comments in words, variations, marks; never what is kept."""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evalsmith.records.pgn.extras import count_extras


def counted(text: str) -> dict[str, int]:
    return dict(count_extras(io.BufferedReader(io.BytesIO(text.encode()))))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('[Event "a {b} (c)"]\n\n1. e4 e5 *\n', {}),
        ("1. e4 {a good\nmove} e5 {} ; to the end {\n2. Nf3 *", {"comments": 2}),
        ("1. e4 { [%eval 0.36] } e5 {+0.31/12 0.50s} 2. d4 {-M6/9 1.2s} d5 {0.50s} *", {}),
        ("1. e4 {[%clk 0:03:00]} e5 {+0.31/12 0.50s, White resigns} *", {"comments": 2}),
        ("1. e4 (1. d4 {why} (1. c4 $1) d5) (1. a3) e5 *", {"variations": 2}),
        ("1. e4! $14 e5?! 2. Nf3 *", {"marks of moves": 3}),
        ('% escaped {\n1. e4 (1. d4\n[Event "b"]\n\n1. e4 {said} *', {"variations": 1, "comments": 1}),
        ("1. e4 {never closed", {}),
    ],
)
def test_what_is_counted(text: str, found: dict[str, int]) -> None:
    assert counted(text) == found


@settings(deadline=None)
@given(st.text(alphabet='{}();!?$1 a[]%\n"', max_size=200))
def test_anything_can_be_counted(text: str) -> None:
    assert all(count > 0 for count in counted(text).values())
