"""The record of a finished generation: what it gained, whether it was kept, and hashes of what it was made of.

RUN/
  config.toml          what was asked; another question is refused here
  start.json           the weights of the start
  generation-1/
    games/             self-play of the best weights so far
    fit-1.json         the weights of a candidate, and its run folder fit-1.run
    trial-1/           its short match, where there are several candidates
    gate/              the match against the best weights so far
    start/             the match of a kept generation against the start
    generation.json    the record, written last
  weights.json         the best weights, with their card
  result.json
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from evalsmith.arena.results.log import GAMES
from evalsmith.arena.results.match_result import MatchResult
from evalsmith.games import Game
from evalsmith.positions.store.dataset import load_dataset
from evalsmith.positions.store.writing import fingerprint
from evalsmith.run import InputError, write_json

RECORD, START, WEIGHTS, RESULT = "generation.json", "start.json", "weights.json", "result.json"
GAMES_FOLDER, GATE, AGAINST_START = "games", "gate", "start"


@dataclass(frozen=True)
class MatchFacts:
    """A match in a few numbers, from the view of the new weights; Elo with both ends of its 95 % interval."""

    games: int
    nodes: int
    score: float
    elo: float
    low: float
    high: float
    state: str | None = None

    @classmethod
    def of(cls, found: MatchResult, nodes: int) -> MatchFacts:
        """The numbers of a result."""
        summary = found.summary
        state = None if found.sprt is None else found.sprt.state
        return cls(found.games, nodes, found.players[0].share, summary.elo, summary.elo_low, summary.elo_high, state)

    @property
    def error(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2

    def __str__(self) -> str:
        return f"{self.elo:+.0f} ({self.low:+.0f} … {self.high:+.0f})"

    def sentence(self) -> str:
        """All of it."""
        return f"{100 * self.score:.1f} %, {self} Elo in {self.games:,} games at {self.nodes:,} nodes per move"


@dataclass(frozen=True)
class Tried:
    """A candidate of a generation: how it was fitted, its error on held-out games, and its trial where it had one."""

    penalty: float
    result_share: float
    loss: str
    loss_before: float
    loss_after: float
    trial: MatchFacts | None = None


@dataclass(frozen=True)
class Generation:
    """A finished generation. ``chosen`` is the number of the candidate that played the gate, from 1.

    ``gate`` is against the best weights before it, ``start`` against those of the start, played where it was kept.
    ``hashes`` are those of its files when it was finished, ``best`` of the weights that played its games.
    """

    number: int
    nodes: int
    games: int
    positions: int
    best: str
    candidates: tuple[Tried, ...]
    chosen: int
    kept: bool
    gate: MatchFacts
    start: MatchFacts | None
    hashes: dict[str, str]
    seconds: float

    @property
    def weights_name(self) -> str:
        """The file of its weights in its folder."""
        return f"fit-{self.chosen}.json"

    @property
    def fit(self) -> Tried:
        """The candidate that was chosen."""
        return self.candidates[self.chosen - 1]

    def sentence(self) -> str:
        """What came out, in a line."""
        gain = f"generation {self.number}: {self.gate} Elo against the best so far in {self.gate.games} games"
        if self.start is None:
            return f"{gain}: not kept"
        return f"{gain}: kept; {self.start} against the start in {self.start.games}"

    def to_json(self) -> dict[str, Any]:
        """The entry of ``evalsmith improve --json``: the gain over the best before it, and more."""
        facts = {name: value for name, value in asdict(self).items() if name not in ("hashes", "seconds", "best")}
        return {"elo": self.gate.elo, "error": self.gate.error, **facts}


def write_record(folder: Path, generation: Generation) -> None:
    """Write the record of a generation: from here on it is finished."""
    write_json(folder / RECORD, asdict(generation))


def read_record(folder: Path) -> Generation | None:
    """The record of a generation, None where it is not finished; a damaged one is refused by name."""
    path = folder / RECORD
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        return _generation(found)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, IndexError) as error:
        raise InputError(
            f"{path} is not the record of a generation ({type(error).__name__}: {error}); {_mend(folder)}"
        ) from None


def _generation(found: Mapping[str, Any]) -> Generation:
    values = {each.name: found[each.name] for each in fields(Generation)}
    tried = [Tried(**{**one, "trial": _facts(one["trial"])}) for one in found["candidates"]]
    if not 1 <= found["chosen"] <= len(tried):
        raise ValueError(f"there is no candidate {found['chosen']}")
    values |= {"candidates": tuple(tried), "gate": MatchFacts(**found["gate"]), "start": _facts(found["start"])}
    return Generation(**values)


def _facts(found: Mapping[str, Any] | None) -> MatchFacts | None:
    return None if found is None else MatchFacts(**found)


def hashes_of(folder: Path, game: Game, weights_name: str) -> dict[str, str]:
    """Hashes of the files that a generation was judged by: its games, its weights, its matches."""
    found = {GAMES_FOLDER: fingerprint(load_dataset(folder / GAMES_FOLDER, game).check_complete())}
    for name in (weights_name, f"{GATE}/{GAMES}", f"{AGAINST_START}/{GAMES}"):
        if (folder / name).exists():
            found[name] = hashlib.blake2b((folder / name).read_bytes(), digest_size=8).hexdigest()
    return found


def check_unchanged(folder: Path, game: Game, record: Generation, best: str) -> None:
    """Refuse a finished generation whose files are not what they were, or whose player was another one."""
    try:
        now = hashes_of(folder, game, record.weights_name)
    except InputError as error:
        raise InputError(f"{error}; {_mend(folder)}") from None
    changed = [name for name in {**record.hashes, **now} if record.hashes.get(name) != now.get(name)]
    if changed:
        gone = "is missing" if changed[0] not in now else "was changed"
        raise InputError(f"{folder / changed[0]} {gone} after its generation was finished; {_mend(folder)}")
    if record.best != best:
        raise InputError(f"{folder} was played by other weights than the best before it; {_mend(folder)}")


def _mend(folder: Path) -> str:
    return f"restore it, or delete {folder} and the generations after it to make them again"
