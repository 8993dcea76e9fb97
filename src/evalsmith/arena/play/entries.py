"""Finished games as entries of the log: from the kernel, between seats, and for one player."""

from __future__ import annotations

from evalsmith.arena.play.referee import Played
from evalsmith.arena.play.solo import Attempt, compare
from evalsmith.arena.results.entry import GameEntry, GameKey, SideUsage, SoloBoards, sign
from evalsmith.engine import PlayedGame
from evalsmith.games import Game, Position
from evalsmith.games.opening import Opening
from evalsmith.games.termination import BY_DECLARATION, BY_LENGTH, BY_RULE, termination_of


def kernel_entry(game: Game, key: GameKey, opening: Opening, played: PlayedGame) -> GameEntry:
    """A game that was played inside the kernel."""
    by_rule = played.reason == BY_RULE
    first, second = (SideUsage(round(one.seconds, 6), round(one.longest, 6), one.nodes) for one in played.sides)
    return GameEntry(
        key=key,
        start=opening.text,
        opening=tuple(opening.moves),
        moves=tuple(played.moves),
        result=played.result,
        termination=termination_of(game, played.final) if by_rule else played.reason,
        usage=(first, second),
        margin=None if played.reason in (BY_LENGTH, BY_DECLARATION) else played.result,
        counts=_counts(game, played.final) if by_rule else None,
    )


def seat_entry(game: Game, key: GameKey, opening: Opening, played: Played) -> GameEntry:
    """A game between seats."""
    return GameEntry(
        key=key,
        start=opening.text,
        opening=tuple(opening.moves),
        moves=tuple(played.moves),
        result=played.result,
        termination=played.termination,
        failed=played.failed,
        margin=played.margin,
        counts=None if played.margin is None else _counts(game, played.final),
        reports=played.reports,
        usage=played.usage,
    )


def solo_entry(game: Game, key: GameKey, opening: Opening, first: Attempt, second: Attempt) -> GameEntry:
    """Two attempts at one board; ``second`` has the moves of side 1."""
    better = compare(first, second)
    failed = tuple(one.failed for one in (first, second) if one.failed is not None)
    if failed:
        termination = failed[0].reason
    elif first.cleared != second.cleared:
        termination = "cleared"
    elif better == 0:
        termination = "level"
    else:
        termination = "fewer moves" if first.cleared else "fewer left"
    return GameEntry(
        key=key,
        start=opening.text,
        opening=tuple(opening.moves),
        moves=first.moves,
        result=sign(better) * (game.win or 1),
        termination=termination,
        failed=failed,
        usage=(first.usage, second.usage),
        solo=SoloBoards(
            second=second.moves,
            cleared=(first.cleared, second.cleared),
            own_moves=(first.own_moves, second.own_moves),
            left=(first.left, second.left),
            time=None if first.time is None or second.time is None else (first.time, second.time),
        ),
    )


def _counts(game: Game, final: Position) -> tuple[int, int] | None:
    """What each side has on the board at the end, where the game counts that."""
    counts = game.hook("counts")
    if counts is None:
        return None
    first, second = counts(final)
    return int(first), int(second)
