"""How weights are fitted: what a user asks by flags or in a TOML file, checked and resolved.

sources = ["positions"]        # a dataset, or files of games; paths begin at the folder of this file
output = "weights.json"
loss = "squared"
method = "cg"
penalty = 1000.0               # or "auto"
window = 6                     # or "auto"
towards = "start"              # or "zero"
dense = "none"                 # linear, sqrt, monotone, or "auto"
smooth = "none"                # stages, or "auto"
terms = ["edge+2x", "mobility"]   # the features that are fitted; all, if left out
target = "label"               # or result, score, mix: what positions are fitted to
result_share = 0.5             # how much the result counts in a mix of both
validation = 0.1
tolerance = 0.00001
seed = 1
concurrency = 2

Instead of ``sources`` a file may have ``mix = { wthor = 0.7, selfplay = 0.3 }``, several datasets read as one. A table
``[generate]`` (game, games, nodes and the other settings of ``data generate``) makes the dataset in ``sources`` where
it is not there yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from evalsmith.fit.targets import TARGETS
from evalsmith.games import Game
from evalsmith.positions import GenerateConfig
from evalsmith.run import DEFAULT_SEED, InputError
from evalsmith.run.toml import read_toml

AUTO = "auto"
LOSSES, METHODS = ("squared",), ("cg",)
DENSE = ("none", "linear", "sqrt", "monotone", AUTO)
SMOOTH = ("none", "stages", AUTO)
MANY_GAMES = 20_000  # of self-play where a dataset is missing and nobody says how many


@dataclass(frozen=True)
class TuneConfig:
    """How weights are fitted. ``window``: how far a column may borrow from others of its parity.

    ``terms`` names the features that are fitted (none: all); the others stay where the penalty pulls. ``dense``
    ties ordered features to a curve. The defaults are those that won most in matches after 6,000 and 24,000 games
    of Othello. A smaller penalty has a smaller error on held-out games there, but plays worse: a search goes where
    the evaluation errs upwards.
    """

    penalty: float | str = 1000.0
    window: int | str = 6
    towards: str = "start"
    validation: float = 0.1
    tolerance: float = 1e-5
    seed: int = DEFAULT_SEED
    loss: str = "squared"
    method: str = "cg"
    dense: str = "none"
    terms: tuple[str, ...] = ()
    target: str = "label"
    result_share: float = 0.5
    smooth: str = "none"

    def __post_init__(self) -> None:
        _one_of("loss", self.loss, LOSSES)
        _one_of("target", self.target, TARGETS)
        if not 0 <= self.result_share <= 1:
            raise InputError(f"the result's share must be from 0 to 1, not {self.result_share}")
        _one_of("method", self.method, METHODS)
        _one_of("dense", self.dense, DENSE)
        _one_of("smooth", self.smooth, SMOOTH)
        if self.penalty != AUTO and (isinstance(self.penalty, str) or not 0 <= self.penalty < float("inf")):
            raise InputError(f"the penalty must be finite and not negative, or auto, but it is {self.penalty}")
        if self.window != AUTO and (isinstance(self.window, str) or self.window < 0):
            raise InputError(f"the window must not be negative, or be auto, but it is {self.window}")
        if self.dense != "none" and self.penalty == 0:
            raise InputError("dense needs a penalty above 0: without one every weight is free already")
        if self.towards not in ("zero", "start"):
            raise InputError(f"the penalty pulls towards zero or start, not {self.towards!r}")
        if not 0 < self.validation < 1:
            raise InputError(f"the validation share must be between 0 and 1, not {self.validation}")
        if not 0 < self.tolerance < 1:
            raise InputError(f"the tolerance must be between 0 and 1, not {self.tolerance}")
        twice = sorted({name for name in self.terms if self.terms.count(name) > 1})
        if twice:
            raise InputError(f"terms name {', '.join(twice)} more than once")

    @property
    def automatic(self) -> tuple[str, ...]:
        """The settings that validation chooses, in the order in which it does."""
        return tuple(name for name in ("window", "penalty", "dense", "smooth") if getattr(self, name) == AUTO)


@dataclass(frozen=True)
class TuneRequest:
    """What one command asks for: where positions come from, where weights go, and how they are fitted.

    Paths of a ``mix`` begin at ``base``. ``generation`` makes the dataset that is named where it is missing.
    """

    sources: tuple[Path, ...]
    output: Path | None
    config: TuneConfig
    concurrency: int | None = None
    mix: Mapping[str, Any] | None = None
    base: Path | None = None
    generation: Generation | None = None


@dataclass(frozen=True)
class Generation:
    """How positions are made where there are none: whose games, and how they are played.

    ``grow`` also makes more games where there are fewer already; without it, a dataset that is whole is taken as it is.
    """

    game: str
    config: GenerateConfig
    grow: bool = True


def _one_of(name: str, value: object, known: tuple[str, ...]) -> None:
    if value not in known:
        raise InputError(f"the {name} must be {_listed(known)}, not {value!r}")


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"


def number_or_auto(name: str, text: str) -> float | str:
    """What a flag says: a number, or ``auto``."""
    if text == AUTO:
        return AUTO
    try:
        return float(text)
    except ValueError:
        raise InputError(f"the {name} is a number or auto, not {text!r}") from None


def whole_or_auto(name: str, text: str) -> int | str:
    """What a flag says: a whole number, or ``auto``."""
    if text == AUTO:
        return AUTO
    try:
        return int(text)
    except ValueError:
        raise InputError(f"the {name} is a whole number or auto, not {text!r}") from None


def check_terms(game: Game, config: TuneConfig) -> None:
    """Refuse names that are not features of the game."""
    known = [feature.name for feature in game.evaluation.features]
    unknown = [name for name in config.terms if name not in known]
    if unknown:
        names = ", ".join(repr(name) for name in unknown)
        raise InputError(f"{game.name} has no feature {names}; its features are: {', '.join(known)}")


# ── The file ──

_Kinds = tuple[type, ...]
_KEYS: dict[str, tuple[_Kinds, str]] = {
    "penalty": ((int, float, str), 'a number or "auto"'),
    "window": ((int, str), 'a whole number or "auto"'),
    "towards": ((str,), "a text"),
    "validation": ((int, float), "a number"),
    "tolerance": ((int, float), "a number"),
    "seed": ((int,), "a whole number"),
    "loss": ((str,), "a text"),
    "method": ((str,), "a text"),
    "dense": ((str,), "a text"),
    "smooth": ((str,), "a text"),
    "terms": ((list,), "a list of texts"),
    "target": ((str,), "a text"),
    "result_share": ((int, float), "a number"),
    "mix": ((dict,), "a table of datasets and their weights"),
    "generate": ((dict,), "a table of settings"),
    "sources": ((list, str), "a path or a list of paths"),
    "output": ((str,), "a path"),
    "concurrency": ((int,), "a whole number"),
}
assert {each.name for each in fields(TuneConfig)} <= set(_KEYS)


def read_request(path: Path) -> TuneRequest:
    """What a TOML file asks for; unknown keys and values of another kind are refused by name."""
    table = read_toml(path)
    for key, value in table.items():
        _check_key(path, key, value)
    if "mix" in table and ("sources" in table or "generate" in table):
        raise InputError(f"{path}: a mix is made of datasets that are there; leave out sources and generate")
    listed = table.get("sources", [])
    sources = tuple(path.parent / each for each in ([listed] if isinstance(listed, str) else listed))
    output = path.parent / table["output"] if "output" in table else None
    concurrency = table.get("concurrency")
    if concurrency is not None and concurrency < 1:
        raise InputError(f"{path}: concurrency must be at least 1, not {concurrency}")
    names = {each.name for each in fields(TuneConfig)}
    chosen = {key: value for key, value in table.items() if key in names}
    try:
        config = changed(TuneConfig(), chosen)
        generation = _generation(table["generate"], config.seed) if "generate" in table else None
        return TuneRequest(sources, output, config, concurrency, table.get("mix"), path.parent, generation)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def generation_of(told: Generation | None, game: str | None, games: int | None, seed: int) -> Generation | None:
    """What flags say of how to make positions, before what a file says; None where nobody asks for it."""
    if games is None and told is None:
        return None if game is None else Generation(game, GenerateConfig(games=MANY_GAMES, seed=seed), grow=False)
    if told is None:
        if game is None:
            raise InputError("--generate needs --game, the game to be played")
        return Generation(game, GenerateConfig(games=games or 0, seed=seed))
    return Generation(game or told.game, told.config if games is None else replace(told.config, games=games))


def _generation(table: dict[str, Any], seed: int) -> Generation:
    """The table ``generate``: a game, and what ``GenerateConfig`` has."""
    kinds = {each.name: str(each.type) for each in fields(GenerateConfig)}
    for key, value in table.items():
        if key != "game" and key not in kinds:
            raise InputError(f"generate has no setting {key!r}; its settings are: game, {', '.join(kinds)}")
        kind = "str" if key == "game" else kinds[key].removesuffix(" | None")
        right: _Kinds = {"int": (int,), "float": (int, float), "str": (str,), "bool": (bool,)}[kind]
        if not isinstance(value, right) or isinstance(value, bool) != (kind == "bool"):
            words = {"int": "a whole number", "float": "a number", "str": "a text", "bool": "true or false"}[kind]
            raise InputError(f"generate: {key} is {words}, not {value!r}")
    if "game" not in table:
        raise InputError('generate needs a game, for instance: game = "othello"')
    given = {key: value for key, value in table.items() if key != "game"}
    return Generation(table["game"], GenerateConfig(**{"seed": seed, **given}))


def changed(config: TuneConfig, values: Mapping[str, Any]) -> TuneConfig:
    """The same configuration with some values changed; None changes nothing."""
    given = {key: value for key, value in values.items() if value is not None}
    if "terms" in given:
        given["terms"] = tuple(given["terms"])
    for key in ("penalty", "validation", "tolerance", "result_share"):
        if isinstance(given.get(key), int):
            given[key] = float(given[key])
    return replace(config, **given)


def _check_key(path: Path, key: str, value: object) -> None:
    if key not in _KEYS:
        raise InputError(f"{path}: there is no setting {key!r}; the settings are: {', '.join(_KEYS)}")
    kinds, words = _KEYS[key]
    texts = not isinstance(value, list) or all(isinstance(item, str) for item in value)
    if isinstance(value, bool) or not isinstance(value, kinds) or not texts:
        raise InputError(f"{path}: {key} is {words}, not {value!r}")
    if key == "terms" and not value:
        raise InputError(f"{path}: terms names no feature; leave it out to fit all")
