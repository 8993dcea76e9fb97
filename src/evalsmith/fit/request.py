"""What a tuning run is asked for, by arguments or in a TOML file.

sources = ["positions"]        # a dataset, or files of games; paths are relative to this file
output = "weights.json"
concurrency = 2
penalty = 1000.0               # and the other settings of `TuneSettings`

Instead of ``sources`` a file may have ``mix = { wthor = 0.7, selfplay = 0.3 }``, several datasets read as one. A table
``[generate]`` (game, games, nodes and the other settings of ``data generate``) makes the dataset in ``sources`` where
it is not there yet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from evalsmith.fit.settings import TuneSettings
from evalsmith.games import Game, find_game
from evalsmith.positions.selfplay.settings import GenerateSettings
from evalsmith.positions.store.dataset import Dataset
from evalsmith.positions.transform.mixture import Mixture
from evalsmith.run import InputError
from evalsmith.run.settings import setting
from evalsmith.run.toml import read_toml, refuse_other_settings
from evalsmith.weights import Layout
from evalsmith.weights.export import format_of

MOST_TOGETHER = 1 << 20  # weights in columns that are still fitted together
MANY_GAMES = 20_000  # of self-play where a dataset is missing and no number is given
# Where games are only won or lost, fewer games of longer searches say more: their scores are what is fitted.
SCORED_GAMES, SCORED_NODES = 4_000, 1_000

Data = Dataset | Mixture | Path | str | Sequence[Path | str]
"""What weights are fitted to: a dataset, a mixture, the path of one, files of games, or a TOML file."""


@dataclass(frozen=True)
class Generation:
    """How positions are made where there are none: whose games, and how they are played.

    ``grow`` also makes more games where there are fewer already; without it, a complete dataset is taken as it is.
    """

    game: str
    settings: GenerateSettings
    grow: bool = True


@dataclass(frozen=True)
class TuneRequest:
    """Where positions come from, where weights go, and how they are fitted.

    Paths of a ``mix`` are relative to ``base``. ``generation`` makes the dataset that is named where it is missing.
    """

    sources: tuple[Path, ...]
    output: Path | None
    settings: TuneSettings
    concurrency: int | None = None
    mix: Mapping[str, Any] | None = None
    base: Path | None = None
    generation: Generation | None = None
    data: Dataset | Mixture | None = None


@dataclass(frozen=True)
class _File(TuneSettings):
    """The keys of a TOML file, besides its tables."""

    sources: tuple[str, ...] = setting(
        (), flags=("--dataset",), on_command_line=False, help="A dataset, or files of games."
    )
    output: Path | None = setting(None, on_command_line=False, help="The weights file to write.")
    concurrency: int | None = setting(
        None, low=1, flags=("--threads",), on_command_line=False, help="Number of threads."
    )


def resolve_request(
    data: Data,
    output: Path | str | None = None,
    *,
    config: Path | str | None = None,
    game: str | None = None,
    generate: int | None = None,
    settings: Mapping[str, Any],
) -> TuneRequest:
    """What arguments and a TOML file ask for together; arguments override the file."""
    request = _from_data(data, None if config is None else Path(config))
    TuneSettings.from_options(settings)  # refuses unknown names
    request = replace(
        request,
        output=request.output if output is None else Path(output),
        settings=request.settings.override(settings),
    )
    if not request.sources and request.mix is None and request.data is None:
        raise InputError("nothing to fit: give a dataset, files of games, or a TOML file with sources")
    if request.output is not None and (not request.output.name or request.output.is_dir()):
        raise InputError(f"the output must be a file to write, not {str(request.output)!r}")
    if request.output is not None:
        format_of(request.output)  # refuses a suffix that names no format before hours are spent
    return replace(request, generation=generation_of(request.generation, game, generate, request.settings.seed))


def _from_data(data: Data, config: Path | None) -> TuneRequest:
    """The request of the TOML file, if there is one, with the sources that are given in place of its own."""
    if isinstance(data, Dataset | Mixture):
        request = TuneRequest((), None, TuneSettings()) if config is None else read_request(config)
        return replace(request, data=data, mix=None, sources=())
    paths = [Path(path) for path in ([data] if isinstance(data, Path | str) else data)]
    for path in paths:
        refuse_other_settings(path)
    named = [path for path in paths if path.suffix == ".toml"]
    if len(named) + (config is not None) > 1:
        raise InputError("expected one TOML file, not several")
    rest = tuple(path for path in paths if path.suffix != ".toml")
    chosen = config or (named[0] if named else None)
    if chosen is None:
        return TuneRequest(rest, None, TuneSettings())
    asked = read_request(chosen)
    if rest and asked.mix is not None:
        raise InputError(f"{chosen} has a mix, so it takes no other sources")
    return replace(asked, sources=rest or asked.sources)


def read_request(path: Path) -> TuneRequest:
    """What a TOML file asks for; unknown keys and values of another kind are refused by name."""
    table = dict(read_toml(path))
    if "mix" in table and {"sources", "dataset", "generate"} & table.keys():
        raise InputError(f"{path}: a mix is made of existing datasets; remove sources and generate")
    mix, generate = (_table(path, table, name) for name in ("mix", "generate"))
    for name in ("sources", "dataset"):
        if isinstance(table.get(name), str):
            table[name] = [table[name]]
    if table.get("terms") == []:
        raise InputError(f"{path}: terms is empty; remove it to fit all features")
    file = _File.from_table(table, str(path))
    settings = TuneSettings(**{each.name: getattr(file, each.name) for each in fields(TuneSettings)})
    return TuneRequest(
        sources=tuple(path.parent / source for source in file.sources),
        output=None if file.output is None else path.parent / file.output,
        settings=settings,
        concurrency=file.concurrency,
        mix=mix,
        base=path.parent,
        generation=None if generate is None else _generation(path, generate, settings.seed),
    )


def _table(path: Path, document: dict[str, Any], name: str) -> dict[str, Any] | None:
    """A table that is taken out of a document; None where there is none."""
    found = document.pop(name, None)
    if found is not None and not isinstance(found, dict):
        raise InputError(f"{path}: {name} must be a table, not {found!r}")
    return found


def _generation(path: Path, table: dict[str, Any], seed: int) -> Generation:
    """The table ``[generate]``: a game, and the settings of `GenerateSettings`."""
    game = table.pop("game", None)
    if not isinstance(game, str):
        raise InputError(f'{path} [generate] needs a game, for instance: game = "othello"')
    return Generation(game, GenerateSettings.from_table({"seed": seed, **table}, f"{path} [generate]"))


def generation_of(asked: Generation | None, game: str | None, games: int | None, seed: int) -> Generation | None:
    """How to make positions: arguments override what a file says; None where nobody asks for it."""
    if games is None and asked is None:
        return None if game is None else Generation(game, _default_generation(game, None, seed), grow=False)
    if asked is None:
        if game is None:
            raise InputError("--generate needs --game, the game to play")
        return Generation(game, _default_generation(game, games, seed))
    settings = asked.settings if games is None else replace(asked.settings, games=games)
    return Generation(game or asked.game, settings)


def _default_generation(name: str, games: int | None, seed: int) -> GenerateSettings:
    """How a game is played where only its name, and perhaps a number of games, is given."""
    game = find_game(name)
    if game.win and game.players == 2:
        return GenerateSettings(games=games or SCORED_GAMES, nodes=SCORED_NODES, seed=seed)
    return GenerateSettings(games=games or MANY_GAMES, seed=seed)


def check_terms(game: Game, settings: TuneSettings) -> None:
    """Refuse names and patterns that mean no feature of the game, and fits of all columns where these are too many."""
    layout = Layout.of(game)
    for pattern in (*settings.terms, *settings.freeze):
        layout.matching(pattern)
    if settings.joint(game) and layout.sliced and layout.size * len(layout.columns) > MOST_TOGETHER:
        raise InputError(
            f"{game.name} has {len(layout.columns)} columns of {layout.size:,} weights, which are fitted one by one, "
            "by squared errors; remove loss, method and the settings of a joint fit"
        )
