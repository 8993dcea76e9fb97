"""Every legal move of a position with its score: by an outside program, our search, or a solver.

A program that can report several lines (MultiPV) reports all moves in one search. Of any other each move is played and
the position after it searched, with an equal share of the nodes or the time, or one ply less of depth. What a search
reports at each depth is kept, so that it is known since when the best moves were best.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from evalsmith.engine import Limit, Searcher
from evalsmith.engine.limit import MAX_DEPTH
from evalsmith.games import OVER, Game, Position
from evalsmith.games.board import Board
from evalsmith.games.scores import is_decided
from evalsmith.players import Failure, Player
from evalsmith.players.limit import PlayLimit, play_limit
from evalsmith.players.uci_seat import UciSeat
from evalsmith.processes.failure import PROTOCOL
from evalsmith.protocols.client import uci
from evalsmith.run import InputError
from evalsmith.suite.depths import DepthTable, Scores
from evalsmith.suite.engines import SeatKeeper, Stopped, patient
from evalsmith.suite.loss import suite_score
from evalsmith.weights import fitted_weights

WITHOUT_SCORES = ("gtp", "codecup", "states")


@dataclass(frozen=True)
class Scored:
    """The scores of the legal moves as suites store them, and how deep they are; -1 where that means nothing."""

    scores: Scores
    depth: int = -1
    stable_depth: int = -1


class Scorer(Protocol):
    """Scores one position after another; a `Failure` says why one has no scores."""

    def work(self, item: Position) -> Scored:
        """The scores of all moves of a position."""

    def stop(self) -> None:
        """End what is under way soon; another thread calls this."""

    def close(self) -> None:
        """Leave."""


@dataclass(frozen=True)
class ScorerSettings:
    """Who scores moves: the solver where that is ``exact``, up to so many ``empties``, or else a player."""

    game: Game
    player: Player
    limit: Limit
    exact: bool
    empties: int
    seed: int


def check_scorer(settings: ScorerSettings) -> None:
    """Refuse a player that cannot score moves."""
    game, player = settings.game, settings.player
    if settings.exact:
        if game.hook("solve_many") is None:
            raise InputError(f"{game.title} has no solver, so its moves cannot be scored with --exact")
    elif player.outside is not None:
        protocol = player.outside.protocol
        if protocol in WITHOUT_SCORES:
            raise InputError(
                f"{player.name} speaks {protocol}, which has no scores; moves are scored by uci, usi or nboard"
            )
    elif player.random:
        raise InputError("random moves have no scores; choose another --player")
    else:
        player.check_searcher()


def make_scorer(settings: ScorerSettings) -> Scorer:
    """A scorer for one worker; its program is found on the worker's machine."""
    game, limit, seed = settings.game, settings.limit, settings.seed
    if settings.exact:
        return SolverScorer(game, settings.empties)
    player = settings.player.here()
    if player.outside is not None:
        return ProgramScorer(game, SeatKeeper(player, limit, seed), limit)
    return SearchScorer(game, player.searcher(limit, seed), player.limit or limit)


class SearchScorer:
    """Our own search, deeper and deeper: the table keeps what was found, so earlier depths cost little again."""

    def __init__(self, game: Game, searcher: Searcher, limit: Limit) -> None:
        self.game, self.searcher, self.limit = game, searcher, limit
        self._stopped = False

    def work(self, item: Position) -> Scored:
        """Search to depth 1, 2, … with a line for each move, until the limit is reached."""
        moves = tuple(self.game.moves(item))
        table, nodes = DepthTable(moves), 0
        self.searcher.new_game()
        began = time.perf_counter()
        for depth in range(1, (self.limit.depth or MAX_DEPTH) + 1):
            limit = self._left(depth, nodes, time.perf_counter() - began)
            if limit is None:
                break
            found = self.searcher.think(item, limit, len(moves))
            if self._stopped:
                raise Stopped
            nodes += found.nodes
            for line in found.lines:
                if line.depth >= depth and line.move >= 0:
                    table.add(depth, line.move, line.score)
            if found.depth < depth:
                break
        return _scored(self.game, table)

    def _left(self, depth: int, nodes: int, seconds: float) -> Limit | None:
        """The limit of the search to a depth, after what was spent before; None where nothing is left."""
        if depth == 1:
            return Limit(1)  # whatever it takes: every move has a score then
        more = None if self.limit.nodes is None else self.limit.nodes - nodes
        longer = None if self.limit.seconds is None else self.limit.seconds - seconds
        spent = (more is not None and more <= 0) or (longer is not None and longer <= 0)
        return None if spent else Limit(depth, more, longer)

    def stop(self) -> None:
        """Stop the search."""
        self._stopped = True
        self.searcher.stop()

    def close(self) -> None:
        """Nothing to end."""


class SolverScorer:
    """The game's solver on the position after each move."""

    def __init__(self, game: Game, empties: int) -> None:
        self.game, self.empties = game, empties
        self.flag = np.zeros(1, dtype=np.int64)
        weights = fitted_weights(game)
        self._options: dict[str, Any] = {} if weights is None else {"weights": weights.engine_row}

    def work(self, item: Position) -> Scored:
        """The exact score of each move; a Failure where the position is too large."""
        game, mover = self.game, self.game.mover(item)
        moves = game.moves(item)
        children = np.stack([game.play_unchecked(item, move) for move in moves])
        solver = game.hook("solve_many")
        assert solver is not None
        found = solver(children, empties=self.empties, stop=self.flag, **self._options)
        if self.flag[0]:
            raise Stopped
        scores: Scores = {}
        for row, move in enumerate(moves):
            over = game.status(children[row]) == OVER
            if not over and not found.solved[row]:
                raise Failure("limit", f"more than {self.empties} empty squares")
            value = game.result(children[row]) if over else int(found.scores[row])
            scores[move] = suite_score(game, value if game.mover(children[row]) == mover else -value)
        return Scored(scores)

    def stop(self) -> None:
        """Stop the solver."""
        self.flag[0] = 1

    def close(self) -> None:
        """Nothing to end."""


class ProgramScorer:
    """An outside program."""

    def __init__(self, game: Game, keeper: SeatKeeper, limit: Limit) -> None:
        self.game, self.keeper, self.limit = game, keeper, keeper.player.limit or limit
        self._by_lines: bool | None = None

    def work(self, item: Position) -> Scored:
        """All moves in one search where the program reports lines, else one search a move."""
        return self.keeper.attempt(lambda: self._score(item))

    def _score(self, position: Position) -> Scored:
        moves = tuple(self.game.moves(position))
        if self._by_lines is None:
            self.keeper.begin(position, self.game.mover(position))
            seat = self.keeper.seat
            self._by_lines = isinstance(seat, UciSeat) and seat.reports_lines
        table = DepthTable(moves)
        if self._by_lines:
            self._search_lines(position, table)
        scored = table.final()[1]
        missing = [move for move in moves if move not in scored]
        if missing:
            self._search_children(position, missing, table)
        return _scored(self.game, table)

    def _search_lines(self, position: Position, table: DepthTable) -> None:
        board, seat = Board(self.game, position), self.keeper.seat
        assert isinstance(seat, UciSeat)
        if not seat.options:  # after a failure: the program tells its options when it is greeted
            self.keeper.begin(position, board.mover)
        seat.set_lines(len(table.moves))
        self._limit(self.limit)
        self.keeper.begin(position, board.mover)
        self.keeper.choose(board)
        names: dict[str, int] = {}
        for report in _reports(seat):
            name = report.line[0] if report.line else ""
            if report.depth is None or report.score is None or not name:
                continue
            if name not in names:
                try:
                    names[name] = self.game.parse_move(position, name)
                except InputError:
                    raise Failure(PROTOCOL, f"a line begins with {name[:20]!r}, which is illegal") from None
            table.add(report.depth, names[name], report.score)

    def _search_children(self, position: Position, moves: list[int], table: DepthTable) -> None:
        """Play each move, and search the position after it."""
        game, mover = self.game, self.game.mover(position)
        finished: Scores = {}
        self._limit(_share(self.limit, len(moves)))
        for move in moves:
            board = Board(game, position, (move,))
            outcome = board.outcome()
            if outcome is not None:
                finished[move] = _for_parent(game, outcome.value if mover == 0 else -outcome.value)
                continue
            self.keeper.begin(position, board.mover)
            if isinstance(seat := self.keeper.seat, UciSeat) and seat.reports_lines and seat.multipv > 1:
                seat.set_lines(1)
                self.keeper.begin(position, board.mover)
            choice = self.keeper.choose(board)
            reports = [(r.depth or 1, r.score) for r in _reports(seat)] if isinstance(seat, UciSeat) else []
            reports = reports or [(choice.depth or 1, choice.score)]
            for depth, score in reports:
                if score is not None:
                    table.add(depth + 1, move, _for_parent(game, score if board.mover == mover else -score))
            if not any(move in scores for scores in table.depths.values()):
                raise Failure(PROTOCOL, f"no score after {game.format_move(position, move)}")
        for move, value in finished.items():
            for depth in table.depths or (1,):
                table.add(depth, move, value)

    def _limit(self, limit: Limit) -> None:
        seat: Any = self.keeper.seat
        seat.limit = patient(limit)

    def stop(self) -> None:
        """Kill the program."""
        self.keeper.stop()

    def close(self) -> None:
        """End the program."""
        self.keeper.close()


def _reports(seat: UciSeat) -> list[uci.SearchReport]:
    """What was reported of each line at each depth; bounds and mere remarks are left out."""
    found = []
    for line in seat.said.split(b"\n"):
        if b" score " in line and b" pv " in line and b"bound " not in line and line.lstrip().startswith(b"info "):
            report = uci.parse_info(line.strip(), seat.game.win, seat.dialect)
            if report.score is not None:
                found.append(report)
    return found


def _share(limit: Limit, count: int) -> PlayLimit:
    """What is left of a limit for the position after one of several moves."""
    whole = play_limit(limit)
    return replace(
        whole,
        byoyomi=whole.byoyomi / count,
        depth=None if limit.depth is None else max(1, limit.depth - 1),
        nodes=None if limit.nodes is None else max(1, limit.nodes // count),
        seconds=None if limit.seconds is None else limit.seconds / count,
    )


def _for_parent(game: Game, score: int) -> int:
    """A score as seen one ply earlier, already for its mover: a proven win or loss is that much further away."""
    return score - (1 if score > 0 else -1) if is_decided(score, game.win) else score


def _scored(game: Game, table: DepthTable) -> Scored:
    depth, scores = table.final()
    if len(scores) < len(table.moves):
        raise Failure(PROTOCOL, f"scores of {len(scores)} of {len(table.moves)} moves")
    stored = DepthTable(
        table.moves,
        {at: {move: suite_score(game, score) for move, score in one.items()} for at, one in table.depths.items()},
    )
    final = {move: suite_score(game, score) for move, score in scores.items()}
    return Scored(final, depth, stored.stable_depth())
