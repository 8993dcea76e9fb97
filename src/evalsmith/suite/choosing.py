"""Which positions a suite takes: each once, and drawn evenly by phase and balance, so that it is not all openings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evalsmith.games import PLAYER, Game
from evalsmith.games.bulk.rows import ask_each, keys_of
from evalsmith.games.contract import STATUS, call_evaluate
from evalsmith.positions.importing.games import import_games
from evalsmith.positions.samples import Samples
from evalsmith.positions.selection.quiescence import Settler
from evalsmith.positions.store.dataset import Dataset, is_dataset, load_dataset
from evalsmith.positions.store.keyset import KeySet
from evalsmith.run import InputError, derive
from evalsmith.run.watching import Watch
from evalsmith.suite.parts import phase_parts
from evalsmith.suite.settings import ALWAYS, BuildSettings
from evalsmith.weights import default_weights

_CROWD = 40  # candidates of a phase whose balance is looked at, for each position that is wanted of it


@dataclass(frozen=True)
class Chosen:
    """A position for a suite, and where it was found."""

    text: str
    phase: int
    source: str
    game: int
    ply: int


def read_candidates(
    paths: Sequence[Path], folder: Path, settings: BuildSettings, progress: Watch
) -> tuple[Dataset, dict[str, int]]:
    """All positions of some files, each once, as a dataset in ``folder``; and what was rejected, by reason.

    A dataset in place of the files is taken as it is.
    """
    if len(paths) == 1 and is_dataset(paths[0]):
        return load_dataset(paths[0]).check_complete(), {}
    taken = {name: value for name, value in settings.select.changed().items() if name not in ALWAYS}
    if settings.select.seed != type(settings.select)().seed:
        taken["seed"] = settings.select.seed
    how = {"game": settings.game, "format": settings.format, **dict.fromkeys(ALWAYS, True), **taken}
    found = import_games(list(paths), folder, overwrite=True, progress=progress, **how)
    return found, dict(found.summary.rejected)


def choose(dataset: Dataset, settings: BuildSettings) -> list[Chosen]:
    """The positions of a suite, in the order of their files."""
    game = dataset.game
    samples = dataset.read()
    rows = np.flatnonzero(_usable(game, samples, settings))
    if not len(rows):
        raise InputError("the files have no position with at least two legal moves that the settings let pass")
    if settings.positions is not None:
        rows = _draw(game, samples, rows, settings)
    else:
        rows = np.array([row for row in rows if len(game.moves(samples.words[row])) > 1], dtype=np.intp)
    names = [Path(str(source.get("name", ""))).name for source in dataset.sources]
    return [
        Chosen(
            game.format(samples.words[row]),
            int(samples.phase[row]),
            names[samples.source[row]] if samples.source[row] < len(names) else "",
            int(samples.game[row]),
            int(samples.ply[row]),
        )
        for row in rows
    ]


def _usable(game: Game, samples: Samples, settings: BuildSettings) -> npt.NDArray[np.bool_]:
    """Where a player moves, each position the first time only; with a solver those that it can solve."""
    usable: npt.NDArray[np.bool_] = ask_each(game, STATUS, samples.words) == PLAYER
    usable &= KeySet().add(keys_of(game, samples.words))
    if settings.exact:
        # The phase of a game with a solver is the number of its empty squares; a move fills one.
        usable &= samples.phase <= settings.empties + 1
    return usable


def _draw(game: Game, samples: Samples, rows: npt.NDArray[np.intp], settings: BuildSettings) -> npt.NDArray[np.intp]:
    """So many rows, evenly from each phase and each part of the balance as far as they have any."""
    wanted = settings.positions or 0
    source = np.random.default_rng(derive(settings.select.seed, "suite") >> 1)
    parts = phase_parts(game, samples.phase, settings.phases)
    strata: dict[tuple[int, int], list[int]] = {}
    for part in range(settings.phases):
        here = source.permutation(rows[parts[rows] == part])[: max(1, _CROWD * wanted // settings.phases)]
        if len(here):
            balance = np.digitize(np.abs(balances(game, samples.words[here])), settings.balance)
            for row, kind in zip(here.tolist(), balance.tolist(), strict=True):
                strata.setdefault((part, kind), []).append(row)
    queues = [strata[name] for name in sorted(strata)]
    taken: list[int] = []
    while len(taken) < wanted and any(queues):
        for queue in queues:
            while queue and len(taken) < wanted:
                row = queue.pop(0)
                if len(game.moves(samples.words[row])) > 1:
                    taken.append(row)
                    break
    return np.sort(np.array(taken, dtype=np.intp))


def balances(game: Game, words: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Scores of positions by our evaluation once captures are played out; the sign is that of whoever moves then."""
    ends, _ = Settler(game).ends(words)
    context = game.context(evaluation=True)
    default_weights(game).attach(context)
    return np.array([call_evaluate(context.row, end) for end in ends], dtype=np.int64)
