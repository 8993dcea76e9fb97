"""Checks any game, ours or a user's, against the game contract.

    from evalsmith.games import find_game
    from evalsmith.games.conformance import check, require

    print(check(find_game("othello")))
    require(find_game("othello"))       # raises ConformanceError with the faults
    check(GAME, positions=["text", …], counts={1: 20, 2: 400})      # with what you know of the game

The laws stand in modules (rules, sides, positions, terms, own), each law a function. They are tried on positions of
random games that a seed chooses, and on the author's own. Compiling the kernels also finds floats in them and words
that meet signed numbers. With ``EVALSMITH_COMPILE=0`` the same laws also find kernels that read or
write beside their rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evalsmith.games.conformance import own as own_laws
from evalsmith.games.conformance import positions as laws_of_positions
from evalsmith.games.conformance import rules, sides, terms
from evalsmith.games.conformance.own import Counts
from evalsmith.games.conformance.probe import Place, Probe
from evalsmith.games.conformance.rules import Trials
from evalsmith.games.game import Game, Position
from evalsmith.run.errors import ConformanceError, InputError
from evalsmith.run.seeds import DEFAULT_SEED

DEFAULT_POSITIONS = 200
# A broken law breaks at most positions; a few of them say enough.
FAULTS_PER_LAW = 5
# Games are played until this many times the wanted positions were visited, so that several games contribute.
VISITED_PER_POSITION = 4


@dataclass(frozen=True)
class Fault:
    """A law that a game breaks, how, and in which position (empty where no position matters)."""

    law: str
    message: str
    position_text: str = ""

    def __str__(self) -> str:
        return f"{self.law}: {self.message}" + (f", in {self.position_text}" if self.position_text else "")


@dataclass(frozen=True)
class Report:
    """What was found of a game: its faults, the first few of each law, and how often each law was tried."""

    game: str
    faults: tuple[Fault, ...]
    checked: dict[str, int]

    @property
    def ok(self) -> bool:
        """Whether the game keeps every law."""
        return not self.faults

    @property
    def broken(self) -> tuple[str, ...]:
        """The names of the laws that the game breaks."""
        return tuple(dict.fromkeys(fault.law for fault in self.faults))

    def __str__(self) -> str:
        tried = f"{len(self.checked)} laws, {sum(self.checked.values()):,} trials"
        if self.ok:
            return f"{self.game} keeps the contract ({tried})"
        lines = [f"{self.game} breaks the contract ({tried}):", *(f"  {fault}" for fault in self.faults)]
        return "\n".join(lines)


class _Court:
    """Tries laws and keeps the record."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.faults: list[Fault] = []
        self.checked: Counter[str] = Counter()
        self._per_law: Counter[str] = Counter()

    def judge(self, law: Callable[..., Trials], *arguments: object, position: Position | None = None) -> bool:
        """Try a law; an exception inside it is a fault of the game."""
        name = _name(law)
        before = self._per_law[name]
        self.checked[name] += 0
        try:
            for message in law(*arguments):
                self.checked[name] += 1
                if message is not None:
                    self._blame(name, message, position)
        except Exception as error:
            self.checked[name] += 1
            self._blame(name, f"{type(error).__name__}: {error}", position)
        return self._per_law[name] == before

    def broke(self, law: Callable[..., Trials]) -> bool:
        """Whether the game broke a law so far."""
        return self._per_law[_name(law)] > 0

    def at(self, law: Callable[..., Trials], probe: Probe, place: Place) -> bool:
        """Try a law in a position."""
        return self.judge(law, probe, place, position=place.position)

    def _blame(self, law: str, message: str, position: Position | None) -> None:
        self._per_law[law] += 1
        if self._per_law[law] <= FAULTS_PER_LAW:
            self.faults.append(Fault(law, message, "" if position is None else _text(self.game, position)))

    def report(self) -> Report:
        return Report(self.game.name, tuple(self.faults), dict(self.checked))


def check(
    game: Game, *, positions: int | Sequence[str] = DEFAULT_POSITIONS, counts: Counts | None = None,
    seed: int = DEFAULT_SEED,
) -> Report:  # fmt: skip
    """Try every law of the contract on positions of random games.

        check(GAME, positions=["--x/xo-/o-- first"], counts={1: 9, 2: 72})

    ``positions`` is how many, or texts of positions of your own, which are tried besides. ``counts`` are known numbers
    of perft: by depth from the start, or ``{text: {depth: number}}``.
    """
    number, own = (positions, ()) if isinstance(positions, int) else (DEFAULT_POSITIONS, tuple(positions))
    if number < 1:
        raise InputError(f"expected at least 1 position to check, got {number}")
    court = _Court(game)
    if not court.judge(rules.constants, game) or not court.judge(rules.kernels, game):
        return court.report()
    probe = Probe(game, seed)
    if not court.judge(rules.starting_position, probe):
        return court.report()
    visited = _visit(court, probe, number)
    if not visited or court.broke(rules.moves_in_range):
        return court.report()  # more moves than the game's buffers hold would spoil the memory
    chosen = sorted(probe.stream("sample").sample(range(1, len(visited)), min(number, len(visited)) - 1))
    sample = [visited[0], *(visited[one] for one in chosen), *_visit_own(court, probe, own)]
    if court.broke(rules.moves_in_range):
        return court.report()
    one_mover = not court.judge(sides.movers, probe, visited)
    for place in sample:
        for law in (*rules.ON_SAMPLE, *laws_of_positions.ON_SAMPLE, sides.key_of_side):
            court.at(law, probe, place)
    for text, table in own_laws.by_position(counts or {}):
        court.judge(own_laws.perft_counts, probe, text, table)
    if court.judge(terms.layout, probe):
        for place in sample:
            # All of them: a generator would stop at the first.
            sound = [court.at(law, probe, place) for law in terms.FOOTING]
            for law in terms.ON_SAMPLE if all(sound) else ():
                court.at(law, probe, place)
        if not one_mover and not any(map(court.broke, terms.FOOTING)):
            court.judge(sides.sign_of_result, probe, visited)
    return court.report()


def require(
    game: Game, *, positions: int | Sequence[str] = DEFAULT_POSITIONS, counts: Counts | None = None,
    seed: int = DEFAULT_SEED,
) -> Report:  # fmt: skip
    """Check a game, and raise ConformanceError with its faults if there are any."""
    return _required(check(game, positions=positions, counts=counts, seed=seed))


def require_evaluate(game: Game, *, positions: int = 100_000, seed: int = DEFAULT_SEED) -> Report:
    """Prove a fused ``evaluate`` equal to the sum over the terms, on many positions and by that law alone."""
    court, probe = _Court(game), Probe(game, seed)
    number, count = 0, 0
    while count < positions:
        for place in probe.walk(probe.stream("evaluate", number)):
            court.at(terms.fused_evaluate, probe, place)
            count += 1
        number += 1
    return _required(court.report())


def _required(report: Report) -> Report:
    if not report.ok:
        raise ConformanceError(str(report))
    return report


def _visit(court: _Court, probe: Probe, positions: int) -> list[Place]:
    """The positions of random games, the start first; the laws that are cheap are tried on all of them."""
    visited: list[Place] = []
    number, whole = 0, True
    while whole and len(visited) < VISITED_PER_POSITION * positions:
        game: list[Place] = []
        whole = court.judge(rules.random_games, probe, number, game)
        for place in game:
            for law in (*rules.ON_VISITED, *laws_of_positions.ON_VISITED):
                court.at(law, probe, place)
        if whole:
            court.at(rules.ending, probe, game[-1])
        visited += game
        number += 1
    return visited


def _visit_own(court: _Court, probe: Probe, texts: Sequence[str]) -> list[Place]:
    """The author's positions; a game is played from each, and the laws that are cheap are tried on all of it."""
    own: list[Place] = []
    for text in texts:
        game: list[Place] = []
        court.judge(own_laws.own_positions, probe, text, game)
        for place in game:
            for law in (*rules.ON_VISITED, *laws_of_positions.ON_VISITED):
                court.at(law, probe, place)
        own += game[:1]
    return own


def _name(law: Callable[..., Trials]) -> str:
    return law.__name__.replace("_", " ")


def _text(game: Game, position: Position) -> str:
    try:
        return game.format(position.copy())
    except Exception as error:
        words = " ".join(f"{int(word):#x}" for word in position)
        return f"{words} (it cannot be written: {error})"
