"""`placements`: whose openings were better, by referees that finish the games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from evalsmith.arena.events.entrants import PlayerLike, digest, find_entrants
from evalsmith.arena.events.resolving import make_limit
from evalsmith.arena.play.finishing import Finisher
from evalsmith.arena.play.placement_table import PlacementTable, placement_table
from evalsmith.arena.play.placements import read_placements
from evalsmith.arena.settings import PlacementSettings
from evalsmith.games import Game
from evalsmith.run import RunFolder, to_toml
from evalsmith.run.results import RunResult
from evalsmith.run.tables import TextTable
from evalsmith.run.watching import Watch, unwatched

DEFAULT_NODES = 1000


@dataclass(frozen=True, repr=False)
class PlacementResult(RunResult):
    """What referees made of games cut after ``ply`` plies; ``skipped`` games were too short to be cut."""

    game: Game
    ply: int
    table: PlacementTable
    skipped: int
    run: Path | None = None

    def to_json(self) -> dict[str, Any]:
        """The document of ``evalsmith placements --json``."""
        return {"game": self.game.name, "ply": self.ply, **self.table.to_json(), "skipped": self.skipped}

    def tables(self) -> Sequence[TextTable]:
        """A row for each player and referee, and who can be told apart."""
        columns = ("player", "referee", "placements", "better", "level", "worse", "share")
        unit = (f"margin ({self.game.whole_unit})",) if self.game.win == 0 else ()
        rows = []
        for row in self.table.rows:
            margin = (f"{row.margin / 100:+.2f} ± {row.margin_error / 100:.2f}",) if unit else ()
            share = f"{100 * row.share:.1f} ± {100 * row.share_error:.1f} %"
            rows.append((row.name, row.referee, row.placements, row.won, row.tied, row.lost, share, *margin))
        return [TextTable((*columns, *unit), tuple(rows), tuple(self._sentences()))]

    def _sentences(self) -> list[str]:
        table = self.table
        lines = [f"Games cut after {self.ply} plies, each finished {table.times} times; {self.skipped} were too short"]
        for referee, groups in table.groups.items():
            order = "; ".join(" = ".join(group) for group in groups)
            lines.append(f"By {referee}, the best first, = for players who cannot be told apart: {order}")
        for one in table.agreement:
            same = f"{one.first} and {one.second} prefer the same side in {100 * one.same:.0f} % of the placements"
            also = "" if one.correlation is None else f"; their margins correlate by {one.correlation:.2f}"
            lines.append(same + also)
        return [*lines, f"Games in {self.run}"] if self.run is not None else lines


def placements(
    logs: Sequence[Path | str],
    referees: Sequence[PlayerLike],
    *,
    output: Path | str | None = None,
    concurrency: int | None = None,
    progress: Watch = unwatched,
    **settings: Any,
) -> PlacementResult:
    """Judge openings: cut games off after ``ply`` plies, and let referees finish them.

        placements(["runs/contest"], ["self", "random"], ply=49, times=10, nodes=1000)

    ``logs`` are run folders of events, or files of games; ``settings`` are those of `PlacementSettings`.
    """
    chosen = PlacementSettings.from_options(settings)
    if not chosen.limit.given:
        chosen = replace(chosen, limit=replace(chosen.limit, nodes=DEFAULT_NODES))
    paths = [Path(path) for path in logs]
    game, cut, skipped = read_placements(paths, chosen.ply)
    entrants = find_entrants(game, referees)
    config = {
        "kind": "placements",
        "game": game.name,
        "rules_version": game.rules_version,
        "logs": [str(path) for path in paths],
        "content": blake2b(repr(cut).encode(), digest_size=8).hexdigest(),
        "referees": [entrant.stored for entrant in entrants],
        "files": [digest(entrant.player) for entrant in entrants],
        **{key: value for key, value in chosen.to_table().items() if key != "times"},  # more times continue the run
    }
    name = blake2b(to_toml(config).encode(), digest_size=4).hexdigest()
    folder = Path(output) if output is not None else Path("runs") / f"placements-{game.name}-{name}"
    with RunFolder(folder, config) as run:
        players = [entrant.settle(run.path) for entrant in entrants]
        with progress("placements", len(cut) * len(players) * chosen.times, "games") as shown:
            finisher = Finisher(game, cut, players, make_limit(chosen.limit), chosen.seed)
            done = finisher.finish(chosen.times, run.path, concurrency=concurrency, progress=shown)
    return PlacementResult(game, chosen.ply, placement_table(cut, done), skipped, folder)
