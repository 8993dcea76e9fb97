"""The settings of a search, for the command line and for Python."""

from __future__ import annotations

from dataclasses import dataclass

from evalsmith.engine.constants import DEFAULT_CONSTANTS, SearchConstants
from evalsmith.engine.limit import MAX_DEPTH, MAX_THREADS, Limit
from evalsmith.run import DEFAULT_SEED, InputError
from evalsmith.run.settings import Settings, nested, setting

REPLACEMENTS = ("relevance", "depth", "always")  # the policies of the transposition table, in the order of its numbers
DEFAULT_SECONDS = 2.0


@dataclass(frozen=True)
class SearchSettings(Settings):
    """How a position is searched."""

    nodes: int | None = setting(None, low=1, flags=("--nodes", "-n"), group="Limits", help="Stop after N nodes.")
    depth: int | None = setting(
        None, low=1, high=MAX_DEPTH, flags=("--depth", "-d"), group="Limits", help="Stop after depth N."
    )
    movetime: float | None = setting(
        None,
        above=0,
        metavar="SECONDS",
        group="Limits",
        help="Stop after this time. Default: 2 s if no limit is given.",
    )
    multipv: int = setting(1, low=1, group="Search", help="Number of best moves to show.")
    method: str = setting(
        "alphabeta",
        choices=("alphabeta", "mcts"),
        group="Search",
        help="The search algorithm; a node of mcts is a simulation.",
    )
    threads: int = setting(
        1,
        low=1,
        high=MAX_THREADS,
        group="Search",
        help="Threads per search. With more than one, results vary between runs.",
    )
    memory: int | None = setting(
        None,
        low=1,
        high=1 << 40,
        metavar="BYTES",
        group="Search",
        help="Memory limit for the table or tree and the work arrays.",
    )
    without: tuple[str, ...] = setting(
        (), metavar="TECHNIQUE", group="Search", help="An alpha-beta technique to turn off, such as lmr. Repeatable."
    )
    replacement: str = setting(
        "relevance", choices=REPLACEMENTS, group="Search", help="How to choose the table entry to replace."
    )
    seed: int = setting(
        DEFAULT_SEED, low=-(2**63), high=2**63 - 1, group="Search", help="Random seed, for the rollouts of mcts."
    )

    constants: SearchConstants = nested(SearchConstants)

    def validate(self) -> None:
        """Techniques, their constants and table replacement belong to alpha-beta."""
        if self.method == "mcts" and (self.without or self.replacement != "relevance"):
            raise InputError("without and replacement belong to alphabeta; mcts has neither techniques nor a table")
        if self.method == "mcts" and self.constants != DEFAULT_CONSTANTS:
            raise InputError(f"{next(iter(self.constants.changed()))} belongs to alphabeta; mcts has no such constant")

    @property
    def limit(self) -> Limit:
        """When the search stops."""
        unlimited = self.nodes is None and self.depth is None and self.movetime is None
        return Limit(depth=self.depth, nodes=self.nodes, seconds=DEFAULT_SECONDS if unlimited else self.movetime)
