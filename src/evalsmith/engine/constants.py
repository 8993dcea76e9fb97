"""The constants of alpha-beta, each a setting with its range: what pruning, reductions and windows are measured by.

The defaults suit a game of which nothing is known; a game may have its own (``Game.constants``), and `evalsmith spsa`
finds them by playing. All are whole numbers, as options of UCI and USI are, so a fraction of a ply is given in
hundredths. Margins are in the game's unit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evalsmith.run.declarations import Entry, check
from evalsmith.run.errors import InputError
from evalsmith.run.settings import Settings, entries, setting

if TYPE_CHECKING:  # help needs the constants, and no game
    from evalsmith.games import Game

HISTORY_LIMIT = 1 << 13
"""The order of moves adds history to killers and counter moves, and keeps them apart up to this."""


def _constant(default: int, low: int, high: int, technique: str, help: str) -> int:
    """A constant of one technique; the group of its declaration names that."""
    found: int = setting(default, low=low, high=high, group=technique, on_command_line=False, help=help)
    return found


@dataclass(frozen=True)
class SearchConstants(Settings):
    """What the techniques of alpha-beta are measured by."""

    aspiration_depth: int = _constant(4, 1, 20, "aspiration", "Depth from which the root is searched in a window.")
    aspiration_margin: int = _constant(20, 1, 1000, "aspiration", "Half the width of the first window.")
    aspiration_widest: int = _constant(2000, 1, 20000, "aspiration", "A window that would be wider is open.")
    iid_depth: int = _constant(4, 2, 20, "iid", "Depth from which a missing table move is searched for.")
    iid_plies: int = _constant(2, 1, 10, "iid", "Plies by which that search is shallower.")
    null_depth: int = _constant(2, 1, 20, "null", "Depth from which the null move is tried.")
    null_plies: int = _constant(3, 0, 10, "null", "Plies by which the null move is reduced, at least.")
    null_divisor: int = _constant(4, 1, 20, "null", "One ply more for every so many plies of depth.")
    null_step: int = _constant(200, 1, 2000, "null", "One ply more for every so much above beta …")
    null_max: int = _constant(3, 0, 10, "null", "… but no more plies than this.")
    futility_depth: int = _constant(6, 0, 20, "futility", "Depth up to which moves and positions are futile.")
    futility_margin: int = _constant(100, 0, 2000, "futility", "What the evaluation may change by in one ply.")
    lmr_depth: int = _constant(3, 2, 20, "lmr", "Depth from which late moves are reduced.")
    lmr_moves: int = _constant(3, 1, 60, "lmr", "Moves that are not reduced.")
    lmr_base: int = _constant(75, 0, 400, "lmr", "The reduction of every late move, in hundredths of a ply.")
    lmr_divisor: int = _constant(
        225, 50, 2000, "lmr", "In hundredths: ln(depth) · ln(number) is divided by it and added to the reduction."
    )
    lmr_history: int = _constant(4096, 256, 1 << 16, "lmr", "So much history changes the reduction by one ply.")
    probcut_depth: int = _constant(3, 2, 20, "probcut", "Depth from which shallow searches may end deep ones.")
    probcut_confidence: int = _constant(
        110, 0, 1000, "probcut", "How sure they must be, in hundredths of the standard deviation."
    )
    probcut_guard: int = _constant(
        100, 0, 1000, "probcut", "They are tried where the evaluation is nearer than this to what is needed, as above."
    )
    solver_share: int = _constant(
        60, 1, 100, "solver", "Share of the nodes or the time that a solver gets, in percent."
    )
    delta_margin: int = _constant(
        200, 0, 5000, "delta", "What the evaluation may change by besides what a noisy move captures."
    )
    exchange_depth: int = _constant(8, 0, 20, "exchange", "Depth up to which moves that lose material are left out.")
    exchange_quiet: int = _constant(60, 0, 1000, "exchange", "What a quiet move may lose, for every ply of depth.")
    exchange_noisy: int = _constant(100, 0, 1000, "exchange", "What a noisy move may lose, for every ply of depth.")
    late_depth: int = _constant(8, 0, 20, "late-moves", "Depth up to which late quiet moves are left out.")
    late_moves: int = _constant(
        4, 1, 60, "late-moves", "So many moves, and depth² more, are searched; half of it if not improving."
    )
    late_history: int = _constant(
        2000, 1, 1 << 14, "late-moves", "Moves with a history below so much a ply are left out."
    )
    razor_depth: int = _constant(3, 0, 10, "razoring", "Depth up to which hopeless positions are judged by quiescence.")
    razor_margin: int = _constant(250, 0, 5000, "razoring", "How far below the window, for every ply of depth.")
    iir_depth: int = _constant(4, 1, 20, "iir", "Depth from which a position without a stored move is reduced.")
    history_step: int = _constant(1, 1, 64, "history", "The reward of a refutation, times depth² …")
    history_bonus: int = _constant(400, 1, 2048, "history", "… but no more than this.")
    history_max: int = _constant(
        HISTORY_LIMIT, 2048, HISTORY_LIMIT, "history", "History stays within ± this: a smaller one forgets sooner."
    )


DEFAULT_CONSTANTS = SearchConstants()
CONSTANTS: dict[str, Entry] = {entry.name: entry for entry in entries(SearchConstants)}


def constants_of(game: Game) -> SearchConstants:
    """The constants that a game is searched with: the defaults, with its own in their places."""
    for name in game.constants:
        if name not in CONSTANTS:
            raise InputError(f"the game {game.name} has a constant {name!r}, which the search does not know")
    return DEFAULT_CONSTANTS.override(game.constants)


def technique_of(name: str) -> str:
    """The technique that a constant belongs to: without that it changes nothing."""
    return CONSTANTS[name].declared.group


def parse_constants(texts: Mapping[str, str]) -> dict[str, int]:
    """Constants given as texts, such as options of a player; others are passed over."""
    found: dict[str, int] = {}
    for name, text in texts.items():
        if name not in CONSTANTS:
            continue
        try:
            number = int(text)
        except ValueError:
            raise InputError(f"{name} must be a whole number, not {text!r}") from None
        found[name] = check(CONSTANTS[name], number)
    return found
