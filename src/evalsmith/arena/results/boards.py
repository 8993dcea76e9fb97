"""What games for one player came to: boards cleared, what was left on the others, and moves, by level and player.

Such a game is two attempts at one board, alone and with the same chances. Who won is a comparison of the two, so that
the attempts themselves say more than points do.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from evalsmith.arena.results.entry import GameEntry, SoloBoards
from evalsmith.games import Game
from evalsmith.games.starts import words_of
from evalsmith.run.tables import TextTable

HOW = (
    "Each game is one board that both players played alone, with the same start and the same chances. Who cleared it "
    "beat who did not; if both did, fewer {moves} won, and if neither did, fewer {left} left."
)


@dataclass(frozen=True)
class BoardScore:
    """One player's attempts at the boards of one group.

    ``left`` is the mean of what was left, over all boards; ``moves`` the mean of the moves on boards that it cleared;
    ``moves_both`` the same on boards that all players cleared; None where there are none. ``time`` and ``time_both``
    are the same of the game's own time, None where the game has none.
    """

    group: str
    player: str
    boards: int
    cleared: int
    left: float
    moves: float | None
    moves_both: float | None
    time: float | None = None
    time_both: float | None = None


def how_boards_count(game: Game) -> str:
    """How two attempts at one board are compared, in a sentence."""
    words = words_of(game)
    return HOW.format(moves=words.moves, left=words.left)


class _Sum:
    """A mean in the making."""

    def __init__(self) -> None:
        self.count = self.total = 0

    def add(self, value: int) -> None:
        self.count += 1
        self.total += value

    def mean(self) -> float | None:
        return self.total / self.count if self.count else None


class _Attempts:
    """The attempts of one player at the boards of one group; ``both`` are boards that both players cleared."""

    def __init__(self) -> None:
        self.left, self.moves, self.moves_both, self.time, self.time_both = (_Sum() for _ in range(5))

    def add(self, solo: SoloBoards, side: int) -> None:
        self.left.add(solo.left[side])
        if not solo.cleared[side]:
            return
        self.moves.add(solo.own_moves[side])
        if solo.time:
            self.time.add(solo.time[side])
        if all(solo.cleared):
            self.moves_both.add(solo.own_moves[side])
            if solo.time:
                self.time_both.add(solo.time[side])

    def score(self, group: str, player: str) -> BoardScore:
        return BoardScore(
            group, player, self.left.count, self.moves.count, self.left.mean() or 0.0, self.moves.mean(),
            self.moves_both.mean(), self.time.mean(), self.time_both.mean(),
        )  # fmt: skip


class Boards:
    """The attempts at boards by group and player, summed up game by game."""

    def __init__(self, game: Game) -> None:
        self._words = words_of(game)
        self._groups: dict[str, dict[str, _Attempts]] = {}

    def add(self, entry: GameEntry) -> None:
        """Count the two attempts of a game for one player; others have none."""
        if entry.solo is None:
            return
        group = self._groups.setdefault(self._words.group(entry.start), {})
        for side, name in enumerate(entry.sides):
            group.setdefault(name, _Attempts()).add(entry.solo, side)

    def scores(self, names: Sequence[str]) -> tuple[BoardScore, ...]:
        """The attempts by group and player, groups in the order of their numbers; none for games of two."""
        ordered = sorted(
            self._groups, key=lambda name: [int(word) if word.isdecimal() else -1 for word in name.split()]
        )
        return tuple(
            self._groups[group].get(name, _Attempts()).score(group, name) for group in ordered for name in names
        )


def board_columns(game: Game) -> tuple[str, ...]:
    """The heads of the columns of `board_rows`."""
    words = words_of(game)
    return (
        "boards", "player", "played", "cleared", f"{words.left} left (mean)", f"{words.moves} where cleared (mean)",
        f"{words.moves} where both cleared",
        *([f"{words.time} where cleared (mean)", f"{words.time} where both cleared"] if words.time else []),
    )  # fmt: skip


def board_rows(game: Game, scores: Iterable[BoardScore]) -> tuple[tuple[str | int, ...], ...]:
    """The attempts as rows of a table."""
    timed = bool(words_of(game).time)
    return tuple(
        (one.group, one.player, one.boards, f"{one.cleared} ({100 * one.cleared / one.boards:.0f} %)",
         f"{one.left:.1f}", _text(one.moves), _text(one.moves_both),
         *([_text(one.time, 0), _text(one.time_both, 0)] if timed else []))
        for one in scores
        if one.boards
    )  # fmt: skip


def board_table(game: Game, scores: Sequence[BoardScore]) -> TextTable:
    """The attempts as a table, with the sentence that says how they were compared."""
    return TextTable(board_columns(game), board_rows(game, scores), (how_boards_count(game),))


def attempt_text(game: Game, entry: GameEntry, side: int) -> str:
    """One attempt in words: ``cleared with 71 pills in 1,702 frames``."""
    assert entry.solo is not None
    words, count = words_of(game), entry.solo.own_moves[side]
    took = f" in {entry.solo.time[side]:,} {words.time}" if entry.solo.time else ""
    if entry.solo.cleared[side]:
        return f"cleared with {count} {words.moves}{took}"
    return f"{entry.solo.left[side]} {words.left} left after {count} {words.moves}{took}"


def _text(mean: float | None, digits: int = 1) -> str:
    return "–" if mean is None else f"{mean:,.{digits}f}"
