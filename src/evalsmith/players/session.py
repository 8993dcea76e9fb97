"""A game in progress between people and players: whose turn it is, taking back, hints, the end.

Nothing here knows a terminal. Whoever shows the game calls ``advance`` until a person has to choose or the game is
over, and ``play`` with what the person chose.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from evalsmith.engine import Limit, Searcher, SearchResult, evaluate
from evalsmith.games import CHANCE, NO_MOVE, Game, Position
from evalsmith.games.board import Board, Outcome
from evalsmith.games.movetext import forced_pass
from evalsmith.games.termination import BY_DECLARATION, BY_RESIGNATION
from evalsmith.players.kinds import Thinker
from evalsmith.players.spec import Player, parse_player
from evalsmith.run import DEFAULT_SEED, InputError, derive

PERSON = "person"
DEFAULT_LIMIT = Limit(seconds=1.0)


@dataclass(frozen=True)
class Setup:
    """What is settled before the first move.

    ``seats`` says who plays each side: PERSON, or a player's text. ``adviser`` is the player that gives hints.
    ``start`` is the game's own text. Where it fixes what chance will bring, the game's hook ``sequence`` gives the
    outcomes for that text in order; after the last they begin again.
    """

    start: str
    seats: tuple[str, ...]
    adviser: str = "self"
    limit: Limit = DEFAULT_LIMIT
    seed: int = DEFAULT_SEED


@dataclass(frozen=True)
class Step:
    """A move, or an outcome of chance (then ``side`` is None). ``forced`` is a pass that nobody had to choose.

    A side that ``declares`` a win makes no move.
    """

    side: int | None
    move: int
    text: str
    forced: bool = False
    thought: SearchResult | None = None
    declares: bool = False


@dataclass(frozen=True)
class Hint:
    """What a search recommends: the line as text, the score for the mover in the game's unit."""

    line: tuple[str, ...]
    score: int
    depth: int


class Session:
    """A game in progress."""

    def __init__(self, game: Game, setup: Setup) -> None:
        self.game = game
        self.steps: list[Step] = []
        self.board = Board(game, game.parse(setup.start), start_text=setup.start)
        self.resigned: int | None = None
        self.declared: int | None = None
        self._undone: list[list[Step]] = []
        self._players: dict[str, Player] = {}
        self._searchers: dict[str, Searcher | Thinker] = {}
        self.rearrange(setup)

    def rearrange(self, setup: Setup) -> None:
        """Continue with other seats, another limit or another seed; the start stays."""
        if len(setup.seats) != self.game.players:
            raise InputError(f"{self.game.name} has {self.game.players} seats, not {len(setup.seats)}")
        for text in (setup.adviser, *(seat for seat in setup.seats if seat != PERSON)):
            if text not in self._players:
                player = parse_player(text, self.game)
                if player.added is None:
                    player.check_searcher()
                self._players[text] = player
        self._searchers.clear()
        self.setup = setup

    # ── Where the game stands ──

    @property
    def position(self) -> Position:
        """The position on the board."""
        return self.board.position

    @property
    def mover(self) -> int:
        """The side to move."""
        return self.board.mover

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None while it is in progress; ±1 after a resignation where ``win`` is 0."""
        if self.resigned is not None:
            value = self.game.win or 1
            return Outcome.of(self.game, BY_RESIGNATION, -value if self.resigned == 0 else value)
        if self.declared is not None:
            return Outcome.of(self.game, BY_DECLARATION, self.game.win if self.declared == 0 else -self.game.win)
        return self.board.outcome()

    @property
    def waiting(self) -> bool:
        """Whether a person has to choose; a forced pass is no choice."""
        if self.outcome is not None or self.board.status == CHANCE:
            return False
        return self.setup.seats[self.mover] == PERSON and self._forced_pass() is None

    @property
    def moves(self) -> list[Step]:
        """The steps that are not chance."""
        return [step for step in self.steps if step.side is not None]

    def legal(self) -> list[str]:
        """The legal moves as text, none once the game is over."""
        if self.outcome is not None:
            return []
        return [self.game.format_move(self.position, move) for move in self.game.moves(self.position)]

    def _forced_pass(self) -> int | None:
        return forced_pass(self.game, self.position)

    # ── Going on ──

    def play(self, text: str) -> Step:
        """A person's move; a MoveError leaves everything as it was."""
        if not self.waiting:
            over = "the game is over" if self.outcome else f"it is not your move, but {self.game.sides[self.mover]}'s"
            raise InputError(over)
        step = self._named(text)
        self._undone.clear()
        self._add(step)
        return step

    def advance(self) -> Step:
        """The next step that no person chooses: chance, a forced pass, a player's move or its declaration of a win."""
        if self.outcome is not None or self.waiting:
            raise InputError("the game is over" if self.outcome else "a person has to choose")
        self._undone.clear()
        if self.board.status == CHANCE:
            return self._chance()
        if self.setup.seats[self.mover] != PERSON and self.board.wins_by_declaration:
            self.declared = self.mover
            return Step(self.mover, NO_MOVE, "", declares=True)
        step = self._answer()
        self._add(step)
        return step

    def _named(self, text: str) -> Step:
        move = self.game.parse_move(self.position, text)
        return Step(self.mover, move, self.game.format_move(self.position, move), move == self._forced_pass())

    def _chance(self) -> Step:
        """What the start fixes, or else drawn from the seed; the same again after moves are taken back."""
        drawn = sum(step.side is None for step in self.steps)
        outcome = self.board.draw(random.Random(derive(self.setup.seed, "chance", drawn)))
        step = Step(None, outcome, str(outcome))
        self.steps.append(step)
        return step

    def _answer(self) -> Step:
        side, moves = self.mover, self.game.moves(self.position)
        seat, thought = self.setup.seats[side], None
        if len(moves) == 1:
            move = moves[0]
        elif self._players[seat].random:
            move = random.Random(derive(self.setup.seed, "move", len(self.steps))).choice(moves)
        else:
            thought = self._think(seat)
            move = thought.lines[0].move
        return Step(side, move, self.game.format_move(self.position, move), move == self._forced_pass(), thought)

    def _think(self, text: str) -> SearchResult:
        player = self._players[text]
        limit = player.limit or self.setup.limit
        searcher = self._searchers.get(text)
        if searcher is None:
            seed = self.setup.seed
            searcher = player.searcher(limit, seed) if player.added is None else player.added.make(seed)
        self._searchers[text] = searcher
        if limit.seconds is None:
            # Then a move depends on the game alone, and a resumed game continues as the uninterrupted one would have.
            searcher.new_game()
        return searcher.think(self.position, limit, history=self.board.history if self.game.has_repetition else ())

    def _add(self, step: Step) -> None:
        self.board.push(step.move)
        self.steps.append(step)

    def restore(self, moves: Sequence[object]) -> None:
        """Play the moves of a saved game, in which outcomes of chance are numbers; what is impossible is refused."""
        for number, move in enumerate(moves, 1):
            if self.outcome is not None:
                raise InputError(f"move {number} comes when the game is over")
            if self.board.status == CHANCE:
                chances = self.game.chance(self.position)
                if type(move) is not int or not 0 <= move < len(chances) or not chances[move]:
                    raise InputError(f"move {number} should be an outcome of chance, a number below {len(chances)}")
                self._add(Step(None, move, str(move)))
                continue
            if not isinstance(move, str):
                raise InputError(f"move {number} should be a text")
            try:
                self._add(self._named(move))
            except InputError as error:
                raise InputError(f"move {number}: {error}") from None

    # ── What a person may ask for ──

    def hint(self) -> Hint:
        """What the adviser would play here."""
        if self.outcome is not None:
            raise InputError("the game is over")
        if self.board.status == CHANCE:
            raise InputError("chance moves next; there is nothing to choose")
        best = self._think(self.setup.adviser).lines[0]
        names, here = [], self.position
        for move in best.moves:
            names.append(self.game.format_move(here, move))
            here = self.game.play_unchecked(here, move)
            if self.game.status(here) != 0:
                break
        return Hint(tuple(names), best.score, best.depth)

    def evaluation(self) -> int:
        """The evaluation of the position for the mover, without search, in the game's unit."""
        return evaluate(self.game, self._players[self.setup.adviser].weights, self.position)

    def undo(self) -> int:
        """Go back to a person's last choice, which may be to resign or to declare; the number of moves taken back."""
        declarer, self.declared = self.declared, None
        if self.resigned is not None or (declarer is not None and self.setup.seats[declarer] == PERSON):
            self.resigned = None
            return 0
        for ply in range(len(self.steps) - 1, -1, -1):
            step = self.steps[ply]
            if step.side is not None and self.setup.seats[step.side] == PERSON and not step.forced:
                taken = self.steps[ply:]
                self._undone.append(taken)
                del self.steps[ply:]
                for _ in taken:
                    self.board.undo()
                return sum(one.side is not None for one in taken)
        self.declared = declarer
        raise InputError("there is no move of yours to take back")

    def redo(self) -> int:
        """Play again what the last ``undo`` took back; the number of moves."""
        if not self._undone or self.resigned is not None or self.declared is not None:
            raise InputError("there is no move to redo")
        again = self._undone.pop()
        for step in again:
            self._add(step)
        return sum(step.side is not None for step in again)

    def switch(self) -> None:
        """The two sides change seats."""
        if self.game.players == 1:
            raise InputError(f"{self.game.title} has one side only")
        if self.outcome is not None:
            raise InputError("the game is over")
        if len(set(self.setup.seats)) == 1:
            raise InputError("the same player has both sides")
        self.rearrange(replace(self.setup, seats=self.setup.seats[::-1]))

    def resign(self) -> None:
        """The person gives up: the mover, where both sides are people."""
        if self.outcome is not None:
            raise InputError("the game is over")
        people = [side for side, seat in enumerate(self.setup.seats) if seat == PERSON]
        if not people:
            raise InputError("nobody at the terminal is playing")
        self.resigned = self.mover if self.mover in people else people[0]

    def declare(self) -> None:
        """The person to move declares a win; a wrong declaration is refused with the reason."""
        if not self.waiting:
            raise InputError("the game is over" if self.outcome else "a win is declared when it is your move")
        judge = self.game.hook("declaration")
        if judge is None:
            raise InputError(f"{self.game.title} has no declarations")
        found = judge(self.position, self.board.declaration)
        if found.outcome != "win":
            raise InputError(f"a declaration would lose here: {found.reason}")
        self._undone.clear()
        self.declared = self.mover
