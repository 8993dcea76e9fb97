"""From a player to the checks of its protocol."""

from __future__ import annotations

from collections.abc import Callable

from evalsmith.players.checkup.examiner import Checkup, Examiner
from evalsmith.players.checkup.lines import CodeCupExaminer, GtpExaminer, NBoardExaminer, StatesExaminer
from evalsmith.players.checkup.uci import UciExaminer
from evalsmith.players.spec import Player
from evalsmith.protocols import DEFAULT_PROTOCOLS, NAMES, ONLY
from evalsmith.run import DEFAULT_SEED, InputError


def default_game(text: str) -> str:
    """The game that programs of a player's protocol play by default."""
    protocol = text.strip().partition(":")[0]
    for game, default in DEFAULT_PROTOCOLS.items():
        if protocol == default or game in ONLY.get(protocol, ()):
            return game
    raise InputError(f"{text!r} is not an outside program; those begin with {', '.join(f'{name}:' for name in NAMES)}")


def examine(player: Player, seed: int = DEFAULT_SEED, progress: Callable[[str], None] = lambda name: None) -> Checkup:
    """Check that a program follows its protocol."""
    kinds: dict[str, type[Examiner]] = {
        "uci": UciExaminer,
        "usi": UciExaminer,
        "nboard": NBoardExaminer,
        "gtp": GtpExaminer,
        "codecup": CodeCupExaminer,
        "states": StatesExaminer,
    }
    protocol = player.outside.protocol if player.outside else ""
    return kinds.get(protocol, Examiner)(player, seed).examine(progress)
