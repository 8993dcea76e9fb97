"""What the moves of one side took."""

from __future__ import annotations

from collections.abc import Sequence

from evalsmith.arena.results.entry import Reported, SideUsage
from evalsmith.players.seat import Choice


def usage_of(choices: Sequence[Choice]) -> SideUsage:
    """The time and the nodes of all moves of one side, to the microsecond."""
    reported = [choice for choice in choices if choice.reported_seconds is not None]
    return SideUsage(
        seconds=round(sum(choice.seconds for choice in choices), 6),
        longest=round(max((choice.seconds for choice in choices), default=0.0), 6),
        nodes=sum(choice.nodes or 0 for choice in choices),
        reported=Reported(
            seconds=round(sum(choice.reported_seconds or 0.0 for choice in reported), 6),
            measured=round(sum(choice.seconds for choice in reported), 6),
            moves=len(reported),
        ),
    )
