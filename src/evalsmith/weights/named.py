"""Weights as a user writes them: a file, a name, or a folder of another program's tables.

weights.json       a weights file (./fitted, where a file is called like one of the names)
hand-set           the game's starting weights
fitted             the weights that ship with this package
self               what our search uses where nothing is said: fitted where there are such weights, else hand-set
cof:FOLDER         NTest's tables, evaluated as NTest does
slices:FOLDER      Othello's coefficient slices
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from evalsmith.games import Game, find_game, game_names
from evalsmith.run import InputError, MismatchError
from evalsmith.weights.cof import read_cof
from evalsmith.weights.file import Weights, read_weights_file, starting_weights, zero_weights
from evalsmith.weights.fitted import fitted_weights, ships_fitted
from evalsmith.weights.outside import OutsideWeights, is_outside_weights, read_outside_weights
from evalsmith.weights.slices import GAME_NAME, read_slices

FITTED = "fitted"


def default_weights(game: Game) -> Weights:
    """What our search uses where nothing is said: the fitted weights where some ship, else the hand-set ones."""
    return fitted_weights(game) or starting_weights(game)


def shipped_weights(game: Game) -> Weights:
    """The fitted weights that ship with this package for a game."""
    found = fitted_weights(game)
    if found is None:
        raise InputError(f"no fitted weights ship for {game.name}; they ship for {_shipping()}")
    return found


def _shipping() -> str:
    """The games that ship fitted weights."""
    return ", ".join(name for name in game_names() if ships_fitted(find_game(name))) or "no game"


def _cof(path: Path, game: Game | None) -> Weights:

    _able("cof", "NTest's tables", game)
    return read_cof(path).weights()


def _slices(path: Path, game: Game | None) -> Weights:

    return read_slices(path, game or find_game(GAME_NAME))


NAMES: dict[str, Callable[[Game], Weights]] = {
    "hand-set": starting_weights,
    "zero": zero_weights,
    FITTED: shipped_weights,
    "self": default_weights,
}
FOLDERS: dict[str, Callable[[Path, Game | None], Weights]] = {"cof": _cof, "slices": _slices}
KINDS = ("a weights file", *NAMES, *(f"{kind}:FOLDER" for kind in FOLDERS))


def load_weights(name: str | Path, game: Game | str | None = None) -> Weights:
    """The weights of a file, a name or a folder; a name such as ``hand-set`` needs the game.

    load_weights("weights.json")
    load_weights("fitted", "othello")
    """
    text, game = str(name), find_game(game) if isinstance(game, str) else game
    if text in NAMES:
        if game is None and text == FITTED:
            raise InputError(f"{FITTED} weights of which game? they ship for {_shipping()}; name it with --game")
        if game is None:
            raise InputError(f"{text} weights of which game? the installed games are {', '.join(game_names())}")
        return NAMES[text](game)
    kind, _, folder = text.partition(":")
    if kind in FOLDERS:
        if not folder:
            raise InputError(f"{text} names no folder; weights are {', '.join(KINDS)}")
        return FOLDERS[kind](Path(folder), game)
    path = _file(text)
    if is_outside_weights(path):
        raise InputError(f"{path} holds weights of an outside engine; `weights export` and `weights patch` take them")
    return read_weights_file(path, game)


def load_any_weights(name: str | Path, game: Game | str | None = None) -> Weights | OutsideWeights:
    """As ``load_weights``, and also the weights of an outside engine from their file."""
    path = Path(name)
    if str(name) not in NAMES and path.is_file() and is_outside_weights(path):
        return read_outside_weights(path)
    return load_weights(name, game)


def check_weights_text(text: str, game: Game) -> None:
    """Refuse what cannot be weights of the game, without reading any: for those who load them later."""
    kind, _, folder = text.partition(":")
    if text in NAMES:
        return
    if kind == "cof":
        _able("cof", "NTest's tables", game)
    if kind in FOLDERS:
        if not Path(folder).exists():
            raise InputError(f"there is no folder {folder}")
        return
    _file(text)


def weights_name(text: str, weights: Weights) -> str:
    """What a player with these weights is called: the name, the name of the set of tables, or that of the file."""
    if text in NAMES:
        return text
    return weights.name if text.partition(":")[0] in FOLDERS else Path(text).stem


def _file(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() == ".cof":
        raise InputError(f"{path} is a table of NTest; cof:{path} reads its set")
    if not path.exists() or path.is_dir():
        why = ", it is a folder" if path.is_dir() else ""
        raise InputError(f"there is no weights file {path}{why}; weights are {', '.join(KINDS)}")
    return path


def _able(hook: str, what: str, game: Game | None) -> None:
    """Refuse a game that has no such hook."""
    if game is not None and hook not in game.hooks:
        able = ", ".join(name for name in game_names() if hook in find_game(name).hooks)
        raise MismatchError(f"{what} are for {able}, not for {game.name}")
