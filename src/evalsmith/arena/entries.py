"""Finished games as they stand in the log of an event.

Every entry has the name of the game, the opening and the moves, the result for side 0 in the game's unit, the reason of
the end, and for each side the seconds, the longest move and the nodes. Games between seats add scores, times, failures
and the players' own account of their time.
"""

from __future__ import annotations

from evalsmith.arena.log import Entry, GameKey, sign
from evalsmith.arena.referee import Failed, Opening, Played, Spent
from evalsmith.arena.solo import Attempt, compare
from evalsmith.games import Game
from evalsmith.players.endings import BY_LENGTH, BY_RULE, knows_endings, name_of_end
from evalsmith.search import PlayedGame


def _head(key: GameKey, opening: Opening) -> Entry:
    head: Entry = {"round": key.round, "pair": key.pair, "half": key.half, "sides": list(key.sides)}
    if opening.text is not None:
        head["start"] = opening.text
    return head | {"opening": list(opening.moves)}


def kernel_entry(game: Game, key: GameKey, opening: Opening, played: PlayedGame) -> Entry:
    """A game that was played inside the kernel."""
    entry = _head(key, opening) | {
        "moves": list(played.moves),
        "result": played.result,
        "reason": played.reason,
        "seconds": [round(side.seconds, 6) for side in played.sides],
        "longest": [round(side.longest, 6) for side in played.sides],
        "nodes": [side.nodes for side in played.sides],
    }
    if played.reason != BY_LENGTH:
        entry["margin"] = played.result
    counts = game.hook("counts")
    if played.reason == BY_RULE and (counts is not None or knows_endings(game)):
        entry["reason"] = name_of_end(game, played.final)
        if counts is not None:
            entry["counts"] = [int(count) for count in counts(played.final)]
    return entry


def _spending(spent: tuple[Spent, Spent]) -> Entry:
    return {
        "seconds": [round(side.seconds, 6) for side in spent],
        "longest": [round(side.longest, 6) for side in spent],
        "nodes": [side.nodes for side in spent],
        "told": [[round(side.told, 6), round(side.told_measured, 6), side.told_moves] for side in spent],
    }


def _failure(failed: Failed) -> Entry:
    return {"side": failed.side, "reason": failed.reason, "detail": failed.detail, "ply": failed.ply}


def seat_entry(game: Game, key: GameKey, opening: Opening, played: Played) -> Entry:
    """A game between seats."""
    entry = _head(key, opening) | {"moves": list(played.moves), "result": played.result, "reason": played.reason}
    if played.failed:
        entry["failed"] = [_failure(one) for one in played.failed]
    if played.margin is not None:
        entry["margin"] = played.margin
        counts = game.hook("counts")
        if counts is not None:
            entry["counts"] = [int(count) for count in counts(played.final)]
    entry["scores"] = list(played.scores)
    entry["depths"] = list(played.depths)
    entry["times"] = [round(seconds, 4) for seconds in played.times]
    return entry | _spending(played.spent)


def solo_entry(game: Game, key: GameKey, opening: Opening, first: Attempt, second: Attempt) -> Entry:
    """Two attempts at one board; ``second`` has the moves of side 1."""
    better = compare(first, second)
    failed = [one.failed for one in (first, second) if one.failed is not None]
    if failed:
        reason = failed[0].reason
    elif first.cleared != second.cleared:
        reason = "cleared"
    elif better == 0:
        reason = "level"
    else:
        reason = "fewer moves" if first.cleared else "fewer left"
    entry = _head(key, opening) | {
        "moves": list(first.moves),
        "second": list(second.moves),
        "result": sign(better) * (game.win or 1),
        "reason": reason,
        "cleared": [first.cleared, second.cleared],
        "own_moves": [first.own_moves, second.own_moves],
        "left": [first.left, second.left],
    }
    if failed:
        entry["failed"] = [_failure(one) for one in failed]
    return entry | _spending((first.spent, second.spent))
