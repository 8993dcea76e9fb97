"""Games written into files: what other programs want to know of them besides the moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena.logged import logged
from evalsmith.arena.results.entry import GameKey
from evalsmith.arena.results.saving import save_games, time_control_of
from evalsmith.games import find_game
from evalsmith.games.board import Board

MATE = ("f2f3", "e7e5", "g2g4", "d8h4")


def saved(tmp_path: Path, name: str, game: str, moves: tuple[str, ...], result: int, **more: Any) -> str:
    board = Board(find_game(game))
    for text in moves:
        board.push(text)
    key = GameKey(0, "a", "b", 0, 0)
    entry = logged(key, result, opening=[], moves=list(board.move_stack), date="2026.03.01", **more)
    save_games(find_game(game), [entry], tmp_path / name, "match", "10+0.1")
    return (tmp_path / name).read_text(encoding="utf-8")


def test_pgn_has_date_time_control_termination_and_plies(tmp_path: Path) -> None:
    text = saved(tmp_path, "a.pgn", "chess", MATE, -30000, reason="mate", margin=-30000)
    for tag in ('[Date "2026.03.01"]', '[TimeControl "10+0.1"]', '[Termination "normal"]', '[PlyCount "4"]'):
        assert tag in text
    late = {"reason": "time", "failed": [{"side": 0, "reason": "time", "detail": "", "ply": 4}]}
    assert '[Termination "time forfeit"]' in saved(tmp_path, "b.pgn", "chess", MATE[:3], 30000, **late)
    assert '[Termination "normal"]' in saved(tmp_path, "c.pgn", "chess", MATE[:3], 0, reason="repetition", margin=0)


ROOKS = ("7g7f", "3c3d", "2h3h", "8b7b", "3h2h", "7b8b")


@pytest.mark.parametrize(
    ("name", "result", "word"),
    [
        ("a.csa", 0, "%SENNICHITE"),
        ("a.csa", 30000, "ILLEGAL_ACTION"),
        ("a.csa", -30000, "ILLEGAL_MOVE"),
        ("a.kif", 0, "千日手"),
        ("a.kif", 30000, "反則勝ち"),
        ("a.kif", -30000, "反則負け"),
    ],
)
def test_repetitions_of_shogi_have_their_endings(tmp_path: Path, name: str, result: int, word: str) -> None:
    """A repetition is a draw; who gives perpetual check has broken a rule, and lost."""
    text = saved(tmp_path, name, "shogi", ROOKS, result, reason="repetition", margin=result)
    assert word in text and "summary" not in text


@pytest.mark.parametrize(
    ("limit", "players", "text"),
    [
        ({"tc": "10+0.1"}, ("self", "uci:x"), "10+0.1"),
        ({"tc": "40/60", "byoyomi": 3}, (), "40/60+3"),
        ({"byoyomi": 3}, (), "0+3"),
        ({"movetime": 0.5}, (), "1/0.5"),
        ({"budget": 5}, (), "5"),
        ({"nodes": 100}, (), "-"),
        ({"tc": "10+0.1"}, ("self;nodes=100", "uci:x"), ""),
    ],
)
def test_the_time_control_of_an_event(limit: dict[str, Any], players: tuple[str, ...], text: str) -> None:
    assert time_control_of({"limit": limit, "players": list(players)}) == text
    assert time_control_of({}) == ""
