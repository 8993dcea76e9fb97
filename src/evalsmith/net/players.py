"""Players that nets bring: a net with its search, round 0 without one, and one ply of the evaluation.

net:FILE;nodes=100      PUCT with a net, nodes are simulations; ;leaves=8 of one tree share a batch
rollouts;nodes=100      round 0: UCB1 with random games
greedy                  the move after which our evaluation is best
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from evalsmith.engine import Limit
from evalsmith.engine.limit import Line, SearchResult
from evalsmith.engine.mcts.searcher import RootMove
from evalsmith.engine.mcts.together import LeafTree, grow_together
from evalsmith.engine.memory import Memory, resident_bytes
from evalsmith.games import OVER, PLAYER, Game, Position
from evalsmith.games.contract import call_evaluate
from evalsmith.net.checkpoint import file_digest
from evalsmith.net.inference import Inference, NetEvaluator, open_net
from evalsmith.net.pilots import rollout_searcher
from evalsmith.players.kinds import Added, PlayerKind
from evalsmith.run import InputError, derive
from evalsmith.weights import default_weights

LEAVES = 8
DEFAULT_SIMULATIONS = 100
MAX_SIMULATIONS = 1_000_000


class NetSearcher:
    """PUCT with a net for one game at a time; ``leaves`` of its tree are evaluated together."""

    def __init__(
        self, game: Game, net: Inference, *, leaves: int = LEAVES, exploration: float | None = None, most: int = 20_000
    ) -> None:
        self.game = game
        self._evaluate = NetEvaluator(game, net)
        self._tree = LeafTree(game, width=leaves, exploration=exploration, simulations=most)
        self._stopped = False
        self._begun = False

    def new_game(self) -> None:
        """Forget the last game."""
        self._tree.new_game()
        self._begun = False

    def stop(self) -> None:
        """Stop thinking."""
        self._stopped = True

    @property
    def memory(self) -> Memory:
        """What the tree takes."""
        return self._tree.memory

    def moves(self) -> tuple[RootMove, ...]:
        """All moves at the root, best first."""
        return self._tree.moves()

    def lines(self, count: int) -> tuple[Line, ...]:
        """The best lines."""
        return self._tree.lines(count)

    def think(
        self, position: Position, limit: Limit, multipv: int = 1, history: Sequence[Position] = ()
    ) -> SearchResult:
        """Simulate until a limit strikes: nodes are simulations, 100 where nothing is said."""
        began, tree = perf_counter(), self._tree
        self._stopped = False
        if self.game.status(position) != PLAYER:
            return SearchResult.empty(perf_counter() - began)
        seconds = limit.enough_seconds
        simulations = limit.nodes or (DEFAULT_SIMULATIONS if seconds is None else MAX_SIMULATIONS)
        tree.place(position, history, int(self._begun), float(self._evaluate.expect(position[None])[0]))
        self._begun = True

        def stopped() -> bool:
            return self._stopped or (seconds is not None and perf_counter() - began >= seconds)

        grow_together([tree], self._evaluate, simulations, stopped)
        return SearchResult(
            lines=tree.lines(multipv),
            depth=tree.depth,
            selective_depth=tree.depth,
            nodes=tree.simulations,
            seconds=perf_counter() - began,
        )


class GreedySearcher:
    """The move after which our evaluation is best, or the game won: one ply."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._context = game.context(evaluation=True)
        default_weights(game).attach(self._context)

    @property
    def memory(self) -> Memory:
        """Next to nothing."""
        return Memory(table=0, work=0, weights=0, interpreter=resident_bytes())

    def new_game(self) -> None:
        """Nothing is kept."""

    def stop(self) -> None:
        """It is done by then."""

    def values(self, position: Position) -> dict[int, int]:
        """What each move leads to, for the mover."""
        game, mover, found = self.game, self.game.mover(position), {}
        for move in game.moves(position):
            after = game.play_unchecked(position, move)
            value = game.result(after) if game.status(after) == OVER else int(call_evaluate(self._context.row, after))
            found[move] = value if game.mover(after) == mover else -value
        return found

    def think(
        self, position: Position, limit: Limit, multipv: int = 1, history: Sequence[Position] = ()
    ) -> SearchResult:
        """Look at every move once."""
        began = perf_counter()
        values = self.values(position)
        best = sorted(values, key=lambda move: -values[move])[:multipv]
        lines = tuple(Line(move=move, score=values[move], depth=1, moves=(move,)) for move in best)
        return SearchResult(lines, 1, 1, len(values), perf_counter() - began)


@functools.lru_cache(maxsize=8)
def _opened(path: Path, digest: str, game: Game) -> Inference:
    return open_net(path, game)


def shared_net(path: Path, game: Game) -> tuple[Inference, str]:
    """The net of a file, which all players of it share, and a hash of the file."""
    if not path.is_file():
        raise InputError(f"the net {path} does not exist")
    digest = file_digest(path)
    return _opened(path, digest, game), digest


def _net(argument: str, options: Mapping[str, str], game: Game) -> Added:
    path = Path(argument)
    net, digest = shared_net(path, game)
    leaves = options.get("leaves", str(LEAVES))
    if not leaves.isdigit() or not 1 <= int(leaves) <= 256:
        raise InputError(f"leaves must be from 1 to 256, not {leaves!r}")
    try:
        exploration = float(options["exploration"]) if "exploration" in options else None
    except ValueError:
        raise InputError(f"exploration must be a number, not {options['exploration']!r}") from None
    if exploration is not None and not 0 < exploration < 1000:
        raise InputError(f"exploration must be above 0, not {options['exploration']}")
    name = path.parent.name if path.stem == "net" and path.parent.name else path.stem
    return Added(name, digest, lambda seed: NetSearcher(game, net, leaves=int(leaves), exploration=exploration))


def _rollouts(argument: str, options: Mapping[str, str], game: Game) -> Added:
    return Added("rollouts", "none", lambda seed: rollout_searcher(game, derive(seed, "rollouts") >> 2))


def _greedy(argument: str, options: Mapping[str, str], game: Game) -> Added:
    return Added("greedy", default_weights(game).digest, lambda seed: GreedySearcher(game))


NET = PlayerKind("FILE", ("leaves", "exploration"), _net)
ROLLOUTS = PlayerKind("", (), _rollouts)
GREEDY = PlayerKind("", (), _greedy)
