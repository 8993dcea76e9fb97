"""The constants of the search: declared once, checked, and read by the kernels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

import evalsmith as es
from evalsmith.engine import Limit, Searcher
from evalsmith.engine.alphabeta import slots
from evalsmith.engine.alphabeta.techniques import TECHNIQUES
from evalsmith.engine.constants import (
    CONSTANTS,
    DEFAULT_CONSTANTS,
    SearchConstants,
    constants_of,
    parse_constants,
    technique_of,
)
from evalsmith.games import find_game, game_names
from evalsmith.players import parse_player
from evalsmith.run import InputError
from evalsmith.weights import Weights, starting_weights
from evalsmith.weights.probcut import Pair, ProbCut, layout_digest

FOUR = find_game("connect_four")
TACTICAL = "r1bq1rk1/pp3ppp/2n1pn2/2pp4/1bPP4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 8"
LATE = "-OOOOOOO-OOOOXXX-OOXXXXX-OXOXXXXOOXXOXXXOOOXXXXXOOOOOXX-OOOOO--- X"
IN_REDUCTIONS = ("lmr_base", "lmr_divisor")


def predicted() -> Weights:
    """Weights that say how well their shallow searches predict deep ones."""
    plain = starting_weights(find_game("othello"))
    pairs = tuple(Pair(0, deep, deep % 2 + 2 * (deep // 4), 1.0, 0.0, 100.0, 100) for deep in range(3, 8))
    return replace(plain, probcut=ProbCut("othello", layout_digest(plain.layout), 1, pairs))


def test_every_constant_belongs_to_a_technique_and_has_a_range() -> None:
    for name, entry in CONSTANTS.items():
        assert technique_of(name) in TECHNIQUES
        assert entry.declared.low is not None and entry.declared.high is not None
        assert entry.declared.low <= entry.default <= entry.declared.high


@pytest.mark.parametrize("threads", [1, 2])
def test_every_thread_has_them(threads: int) -> None:
    chosen = SearchConstants(null_plies=2, lmr_base=0, lmr_divisor=100)
    searcher = Searcher(FOUR, table_bytes=1 << 12, threads=threads, constants=chosen)
    assert searcher.constants == chosen
    for context in searcher._contexts:
        for name, value in chosen.to_table().items():
            if name not in IN_REDUCTIONS:
                assert context.row[getattr(slots, name.upper())] == value
        assert slots.reductions.of(context)[20, 20] == 8  # ln(20)² = 8.97


CASES: list[tuple[str, int, dict[str, int], dict[str, Any]]] = [
    ("connect_four", 9, {"lmr_base": 300}, {}),
    ("connect_four", 9, {"lmr_divisor": 50}, {}),
    ("connect_four", 9, {"lmr_depth": 6}, {}),
    ("connect_four", 9, {"lmr_moves": 20}, {}),
    ("connect_four", 11, {"lmr_history": 256}, {}),
    ("connect_four", 9, {"iid_depth": 20}, {"without": ("table-move",)}),
    ("connect_four", 9, {"iid_plies": 3}, {"without": ("table-move",)}),
    ("connect_four", 9, {"history_bonus": 1}, {}),
    ("connect_four", 9, {"history_step": 16}, {"history_bonus": 2048}),
    ("connect_four", 11, {"history_max": 2048}, {"history_bonus": 2048}),
    ("connect_four", 9, {"aspiration_margin": 500}, {}),
    ("connect_four", 9, {"aspiration_depth": 20}, {}),
    ("connect_four", 9, {"aspiration_widest": 1}, {}),
    ("chess", 6, {"null_depth": 6}, {}),
    ("chess", 6, {"null_plies": 1}, {}),
    ("chess", 6, {"null_divisor": 1}, {"null_plies": 0}),
    ("chess", 6, {"null_step": 10}, {"null_plies": 0}),
    ("chess", 6, {"null_max": 0}, {"null_plies": 0, "without": ("futility",)}),
    ("chess", 6, {"futility_depth": 1}, {}),
    ("chess", 6, {"futility_margin": 30}, {}),
    ("chess", 6, {"delta_margin": 0}, {}),
    ("chess", 6, {"exchange_depth": 0}, {}),
    ("chess", 6, {"exchange_quiet": 0}, {}),
    ("chess", 6, {"exchange_noisy": 0}, {}),
    ("chess", 6, {"late_depth": 0}, {}),
    ("chess", 6, {"late_moves": 20}, {}),
    ("chess", 9, {"late_history": 1}, {}),
    ("chess", 6, {"razor_depth": 0}, {}),
    ("chess", 6, {"razor_margin": 20}, {}),
    ("chess", 6, {"iir_depth": 20}, {}),
    ("othello", 7, {"probcut_depth": 6}, {"weights": "predicted"}),
    ("othello", 7, {"probcut_confidence": 300}, {"weights": "predicted"}),
    ("othello", 7, {"probcut_guard": 0}, {"weights": "predicted"}),
    ("othello", 0, {"solver_share": 1}, {"nodes": 20_000}),
]


def test_there_is_a_case_for_each() -> None:
    assert {name for _, _, changes, _ in CASES for name in changes} == set(CONSTANTS)


@pytest.mark.parametrize(("game", "depth", "changes", "others"), CASES)
def test_the_search_depends_on_each(game: str, depth: int, changes: dict[str, int], others: dict[str, Any]) -> None:
    """``others`` make room for a constant that would have little to do."""
    board = es.Board(game, {"chess": TACTICAL, "othello": LATE}.get(game))
    if others.get("weights") == "predicted":
        board, others = es.Board(game), {"weights": predicted()}
    limit = {"depth": depth} if depth else {}
    nodes = [es.search(board, **limit, **others, **more).nodes for more in (changes, {})]
    assert nodes[0] != nodes[1]


def test_new_constants_count_from_the_next_search_on() -> None:
    searcher, limit, nodes = Searcher(FOUR, table_bytes=1 << 16), Limit(depth=9), []
    for chosen in (DEFAULT_CONSTANTS, SearchConstants(lmr_base=300), DEFAULT_CONSTANTS):
        searcher.constants = chosen
        searcher.new_game()
        nodes.append(searcher.think(FOUR.start(), limit).nodes)
    assert nodes[0] == nodes[2] != nodes[1]


def test_a_game_may_have_its_own() -> None:
    own = replace(FOUR, constants={"lmr_base": 300})
    assert constants_of(own) == SearchConstants(lmr_base=300) == Searcher(own, table_bytes=1 << 12).constants
    assert parse_player("self", own).constants == SearchConstants(lmr_base=300)
    assert parse_player("self;lmr_divisor=100", own).constants == SearchConstants(lmr_base=300, lmr_divisor=100)
    assert parse_player("self;lmr_base=75", own).constants == DEFAULT_CONSTANTS
    board, own_board = es.Board("connect_four"), es.Board("connect_four")
    own_board.game = own
    plain = es.search(board, depth=9).nodes
    assert es.search(own_board, depth=9).nodes != plain == es.search(own_board, depth=9, lmr_base=75).nodes


def test_a_constant_of_a_game_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InputError, match="connect_four has a constant 'lmr_bas', which the search does not know"):
        constants_of(replace(FOUR, constants={"lmr_bas": 300}))
    with pytest.raises(InputError, match="lmr_base must be a whole number from 0 to 400, not 401"):
        constants_of(replace(FOUR, constants={"lmr_base": 401}))


@pytest.mark.parametrize("game", game_names())
def test_the_constants_of_every_game_are_known(game: str) -> None:
    assert constants_of(find_game(game)) == DEFAULT_CONSTANTS.override(find_game(game).constants)


def test_what_is_out_of_range_is_refused() -> None:
    with pytest.raises(InputError, match="lmr_base must be a whole number from 0 to 400, not 401"):
        es.search(es.Board("connect_four"), lmr_base=401)
    with pytest.raises(InputError, match="lmr_base must be a whole number from 0 to 400, not 401"):
        parse_constants({"lmr_base": "401"})
    with pytest.raises(InputError, match=r"lmr_base must be a whole number, not '1\.5'"):
        parse_constants({"lmr_base": "1.5"})
    with pytest.raises(InputError, match="lmr_base belongs to alphabeta"):
        es.search(es.Board("connect_four"), method="mcts", lmr_base=80)
