"""What a game is: a record of numbers and of module names.

The kernels of a game are imported and compiled when they are first used, never by importing this module. A position is
a row of ``uint64`` words in a numpy array; a move is an ``int`` of at most 24 bits.
"""

from __future__ import annotations

import functools
import importlib
import importlib.util
import random
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from types import ModuleType
from typing import Any, Literal, TypeAlias, overload

import numpy as np
import numpy.typing as npt

from evalsmith.compile import Context
from evalsmith.games import contract, scores
from evalsmith.games.evaluation import Evaluation
from evalsmith.run.errors import EvalsmithError, MoveError, UnknownGame

Position: TypeAlias = npt.NDArray[np.uint64]

NO_MOVE = -1
PLAYER, CHANCE, OVER = 0, 1, 2
FRESH, DRAW, WIN, LOSS = 0, 1, 2, 3


@dataclass(frozen=True)
class Symmetry:
    """A change of the board under which the game stays the same: of positions, and of moves in them."""

    name: str
    position: Callable[[Position], Position]
    move: Callable[[Position, int], int]


@dataclass(frozen=True, eq=False, kw_only=True)
class Game:
    """One game: its numbers, and the modules that hold its kernels and texts.

    A module whose name begins with a dot belongs to ``package``; ``hooks`` are optional extras by name (``solve``,
    ``bulk``), each a module and the name in it: ``".endgame:solve"``.

    ``words`` is the length of a position, ``max_moves`` the most moves of one, ``max_plies`` the most of a game (a game
    that is not over by then is a draw), ``max_terms`` the most terms of a position, ``slots`` how many slots moves
    have, ``max_outcomes`` the most outcomes of chance, 0 without. ``rules_version`` grows with every change of what
    positions, moves and keys mean.

    ``win`` is the value of a won game, or 0 where ``result`` is a margin; ``margin`` is the largest one, or 0 where it
    is not known. ``unit`` names the unit of values, a hundredth of the game's own; ``balanced`` is the largest score of
    an opening that both sides may as well have, and ``random_plies`` the length of a random one: fewer where games are
    short or soon decided. ``counters`` are the bits of a position that only count (moves played, quiet moves) and that
    ``key`` leaves out: masks by word.
    ``finished_is_leaf`` says how perft counts a game that ends early: one leaf (Othello), or none (chess).
    ``unhelpful`` names search techniques that are off because measurements showed them not to help, ``constants`` what
    the others are measured by where the game has its own numbers (`engine/constants.py`). ``mates`` is how
    players count the distance to a mate: in ``moves`` of the winner, or in ``plies``; nothing if there is none.
    ``cycles_draw`` says that a game which goes in circles, without one side giving check with every move, is a draw, so
    that a search need not wait until the rule of repetition says so.
    """

    name: str
    title: str
    package: str = ""
    rules: str = ".rules"
    terms: str = ".terms"
    notation: str = ".notation"
    picture: str = ".picture"
    rules_version: int
    words: int
    max_moves: int
    max_plies: int
    max_terms: int
    slots: int
    unit: str
    win: int = 0
    margin: int = 0
    balanced: int = 100
    random_plies: int = 8
    players: int = 2
    max_outcomes: int = 0
    counters: dict[int, int] = field(default_factory=dict)
    finished_is_leaf: bool = False
    sides: tuple[str, ...] = ("first", "second")
    unhelpful: tuple[str, ...] = ()
    constants: dict[str, int] = field(default_factory=dict)
    mates: str = ""
    cycles_draw: bool = False
    hooks: dict[str, str] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Any, ...]:
        # What was imported and compiled stays behind: another process has its own.
        return _restored, ({each.name: getattr(self, each.name) for each in fields(self)},)

    @property
    def units(self) -> str:
        """The plural of the unit."""
        return _plural(self.unit)

    @property
    def whole_unit(self) -> str:
        """What a hundred units are called, in the plural: discs, pawns, stones."""
        return (
            _plural(self.unit.removeprefix("centi")) if self.unit.startswith("centi") else f"hundreds of {self.units}"
        )

    @property
    def max_steps(self) -> int:
        """The most moves and outcomes of chance of one game: an outcome before each move, and one at the end."""
        return 2 * self.max_plies + 1 if self.max_outcomes else self.max_plies

    @functools.cached_property
    def has_repetition(self) -> bool:
        """Whether the game has a rule of repetition."""
        return hasattr(self.rules_module, "repeated")

    # ── Modules, imported when first needed ──

    @functools.cached_property
    def rules_module(self) -> ModuleType:
        """The compiled rules."""
        return self._module(self.rules)

    @functools.cached_property
    def terms_module(self) -> ModuleType:
        """The compiled terms."""
        return self._module(self.terms)

    @functools.cached_property
    def notation_module(self) -> ModuleType:
        """Positions and moves as text."""
        return self._module(self.notation)

    @functools.cached_property
    def picture_module(self) -> ModuleType:
        """Positions as pictures."""
        return self._module(self.picture)

    def _module(self, name: str) -> ModuleType:
        """A module of the game; one that cannot be imported is refused with the place of the error."""
        try:
            return importlib.import_module(name, self.package)
        except EvalsmithError:
            raise
        except Exception as error:
            raise UnknownGame(f"{name} of the game {self.name} cannot be imported: {failure(error)}") from error

    @overload
    def hook(self, name: Literal["termination"]) -> Callable[[Position], str] | None: ...
    @overload
    def hook(self, name: Literal["write_move"]) -> Callable[[Position, int], str] | None: ...
    @overload
    def hook(self, name: Literal["counts"]) -> Callable[[Position], tuple[int, int]] | None: ...
    @overload
    def hook(self, name: Literal["remaining"]) -> Callable[[Position], int] | None: ...
    @overload
    def hook(self, name: Literal["moves_left"]) -> Callable[[Position], float] | None: ...
    @overload
    def hook(self, name: Literal["starts"]) -> Callable[[str | None, str | None], Sequence[str]] | None: ...
    @overload
    def hook(self, name: Literal["sequence"]) -> Callable[[str], Sequence[int]] | None: ...
    @overload
    def hook(self, name: str) -> Any: ...

    def hook(self, name: str) -> Any:
        """An optional extra of the game (``solve``, ``planes``), or None."""
        place = self.hooks.get(name)
        if place is None:
            return None
        module, _, attribute = place.partition(":")
        return getattr(importlib.import_module(module, self.package), attribute)

    @functools.cached_property
    def evaluation(self) -> Evaluation:
        """What the game's terms are."""
        return self.terms_module.evaluation()

    # ── Contexts ──

    def context(self, evaluation: bool = False) -> Context:
        """A new context with the game's kernels bound; its terms too when asked."""
        made = Context(contract.CONTEXT_SIZE)
        kernels = _kernels(self.rules_module, [n for n in contract.SIGNATURES if n not in contract.EVALUATION])
        missing = [name for name in contract.REQUIRED if name not in kernels]
        if missing:
            raise UnknownGame(f"the game {self.name} lacks {', '.join(missing)} in {self.rules_module.__name__}")
        if evaluation:
            kernels |= _kernels(self.terms_module, list(contract.EVALUATION))
        contract.bind(made, kernels)
        made.row[contract.WORDS] = self.words
        made.row[contract.MAX_MOVES] = self.max_moves
        made.row[contract.WIN_VALUE] = self.win
        made.row[contract.MAX_OUTCOMES] = self.max_outcomes
        made.row[contract.MAX_PLIES] = self.max_plies
        made.row[contract.SLOTS] = self.slots
        if evaluation:
            made.attach(contract.TERM_INDEX, np.zeros(self.max_terms + 8, dtype=np.int32))
            made.attach(contract.TERM_VALUE, np.zeros(self.max_terms + 8, dtype=np.int16))
        return made

    @functools.cached_property
    def _rules(self) -> Context:
        return self.context()

    @functools.cached_property
    def _contract(self) -> ModuleType:
        """What calls the kernels; an import in each of the functions below would cost more than most of the kernels."""
        return importlib.import_module("evalsmith.games.contract")

    # ── The contract, on arrays ──

    def moves(self, position: Position) -> list[int]:
        """The legal moves."""
        out = np.empty(self.max_moves, dtype=np.int64)
        return out[: self._contract.call_moves(self._rules.row, position, out)].tolist()

    def noisy(self, position: Position) -> list[int]:
        """The moves quiescence must see."""
        out = np.empty(self.max_moves, dtype=np.int64)
        return [int(move) for move in out[: self._contract.call_noisy(self._rules.row, position, out)]]

    def play(self, position: Position, move: int) -> Position:
        """The position after a legal move; anything else is refused."""
        if move not in self.moves(position):
            raise MoveError(f"move {move} is not legal in {self.format(position)}")
        return self.play_unchecked(position, move)

    def play_unchecked(self, position: Position, move: int) -> Position:
        """The position after a move that is known to be legal."""
        child = np.empty(self.words, dtype=np.uint64)
        self._contract.call_play(self._rules.row, position, move, child)
        return child

    def null_move(self, position: Position) -> Position | None:
        """The position after the null move, or None where it is not allowed."""
        child = np.empty(self.words, dtype=np.uint64)
        return child if self._contract.call_null_move(self._rules.row, position, child) else None

    def step(self, position: Position, move: int) -> Position:
        """The position after a move that is known to be legal, or after an outcome where chance moves."""
        chance = self.max_outcomes and self.status(position) == CHANCE
        return self.reveal(position, move) if chance else self.play_unchecked(position, move)

    def reveal(self, position: Position, outcome: int) -> Position:
        """The position after an outcome of chance."""
        child = np.empty(self.words, dtype=np.uint64)
        self._contract.call_reveal(self._rules.row, position, outcome, child)
        return child

    def chance(self, position: Position) -> npt.NDArray[np.float64]:
        """The probabilities of the outcomes of chance."""
        probability = np.zeros(max(1, self.max_outcomes), dtype=np.float64)
        return probability[: self._contract.call_chance(self._rules.row, position, probability)]

    def draw(self, position: Position, source: random.Random) -> int:
        """An outcome of chance, drawn by its probability."""
        chances = self.chance(position).tolist()
        return source.choices(range(len(chances)), weights=chances)[0]

    def status(self, position: Position) -> int:
        """PLAYER, CHANCE or OVER."""
        return self._ask("STATUS", position)

    def mover(self, position: Position) -> int:
        """The side that moves."""
        return self._ask("MOVER", position)

    def result(self, position: Position) -> int:
        """The value of a finished game for the mover."""
        return self._ask("RESULT", position)

    def check(self, position: Position) -> bool:
        """Whether the mover is in check."""
        return bool(self._ask("CHECK", position))

    def key(self, position: Position) -> int:
        """The 64-bit hash of the position."""
        return int(self._contract.call_key(self._rules.row, position))

    def order(self, position: Position, move: int) -> int:
        """How early the search should try a move."""
        return self._ask_move("ORDER", position, move)

    def capture_value(self, position: Position, move: int) -> int:
        """The most a move wins at once, in evaluation units."""
        return self._ask_move("CAPTURE_VALUE", position, move)

    def exchange(self, position: Position, move: int, least: int) -> bool:
        """Whether a move wins at least so much once both sides have captured on its target."""
        return bool(self._contract.call_exchange(self._rules.row, position, move, least))

    def slot(self, position: Position, move: int) -> int:
        """The dense index of a move, below ``slots``."""
        return self._ask_move("SLOT", position, move)

    def repeated(self, position: Position, keys: Sequence[int], checks: Sequence[int]) -> int:
        """0 nothing, 1 draw, 2 the mover wins, 3 the mover loses, by the positions before this one."""
        known = np.array([*keys, 0], dtype=np.uint64)
        given = np.array([*checks, 0], dtype=np.int64)
        return int(self._contract.call_repeated(self._rules.row, position, known, given, len(keys)))

    def declared(self, position: Position, rule: int) -> int:
        """What becomes of the mover who declares a win: 0 there are no declarations, 1 draw, 2 won, 3 lost."""
        return self._ask_move("DECLARED", position, rule)

    def repetition_value(self, repeated: int) -> int:
        """What a repetition or a declaration is worth to the mover, by the answer of ``repeated`` or ``declared``."""
        return scores.repetition_value(self.win, repeated)

    def _ask(self, slot: str, position: Position) -> int:
        contract = self._contract
        return int(contract.call_position(self._rules.row, getattr(contract, slot), position))

    def _ask_move(self, slot: str, position: Position, move: int) -> int:
        contract = self._contract
        return int(contract.call_move(self._rules.row, getattr(contract, slot), position, move))

    # ── Texts ──

    def start(self) -> Position:
        """The standard starting position."""
        return self.notation_module.start()

    def parse(self, text: str) -> Position:
        """A position from its text, or a PositionError that says what is wrong and where."""
        return self.notation_module.parse(text)

    def format(self, position: Position) -> str:
        """The text of a position."""
        return self.notation_module.format(position)

    def parse_move(self, position: Position, text: str) -> int:
        """A legal move from its text, or a MoveError."""
        return self.notation_module.parse_move(position, text)

    def format_move(self, position: Position, move: int) -> str:
        """The text of a move."""
        return self.notation_module.format_move(position, move)

    def write_move(self, position: Position, move: int) -> str:
        """The move as players write it, where that differs from its text (SAN in chess)."""
        write = self.hook("write_move")
        return str(write(position, move)) if write else self.format_move(position, move)

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the game, the identity left out."""
        return self.notation_module.symmetries()

    def svg(self, position: Position, **options: Any) -> str:
        """The position as a picture."""
        return self.picture_module.svg(position, **options)

    def move_cells(self, move: int) -> tuple[int, int] | None:
        """The cells that an arrow for a move joins in a picture, equal for a placing; None where nothing is drawn.

        A game's picture says so in an optional function ``ends``.
        """
        ends = getattr(self.picture_module, "ends", None)
        cells = () if ends is None else tuple(ends(move))
        return (cells[0], cells[-1]) if cells else None

    def text(self, position: Position) -> str:
        """The position for a terminal, with rich markup."""
        return self.picture_module.text(position)


def _restored(numbers: dict[str, Any]) -> Game:
    """A game that comes from another process: the installed one, or a variant of an installed one."""
    from evalsmith.games.registry import find_game, game_names

    if numbers["name"] in game_names():
        game = find_game(numbers["name"])
        if all(getattr(game, name) == value for name, value in numbers.items()):
            return game
    package = numbers["package"].partition(".")[0]
    if not package or importlib.util.find_spec(package) is None:
        return find_game(numbers["name"])  # says what is installed
    return Game(**numbers)


def failure(error: Exception) -> str:
    """An error of an import in one line, with the file and the line that a game's author wrote."""
    if isinstance(error, SyntaxError):
        return f"{error.filename}, line {error.lineno}: {error.msg}"
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename]
    own = [frame for frame in frames if frame.filename != __file__]
    where = f"{own[-1].filename}, line {own[-1].lineno}: " if own else ""
    return f"{where}{type(error).__name__}: {error}"


def _plural(word: str) -> str:
    return f"{word}es" if word.endswith("s") else f"{word}s"


def _kernels(module: ModuleType, names: list[str]) -> dict[str, Callable[..., Any]]:
    return {name: function for name in names if (function := getattr(module, name, None)) is not None}
