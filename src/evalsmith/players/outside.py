"""A program as a user describes it: its protocol, its command, what it may take, and how long we wait for it."""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path

from evalsmith.games import Game
from evalsmith.processes.program import Launch
from evalsmith.protocols import NAMES, ONLY
from evalsmith.run import InputError
from evalsmith.scale.files import local_word

PLACES = "/usr/games:/usr/local/games"
"""Where Debian installs games, which is often not in PATH."""
RESTARTS = ("game", "never")
SWITCH = {"yes": True, "no": False}


@dataclass(frozen=True)
class Deadlines:
    """Seconds to wait: for the handshake, a new game, an answer to stop, the end after quit, a move without a clock."""

    handshake: float = 60.0
    newgame: float = 30.0
    stop: float = 1.0
    quit: float = 2.0
    watchdog: float = 60.0


@dataclass(frozen=True)
class Outside:
    """An outside program and its protocol."""

    protocol: str
    launch: Launch
    options: tuple[tuple[str, str], ...] = ()
    restart: bool = False
    stderr: Path | None = None
    deadlines: Deadlines = field(default_factory=Deadlines)
    program: str = ""

    def here(self) -> Outside:
        """The program as it is on this machine, where it was described on another one; what is missing is refused.

        A program that was named without a folder is looked up here too; files that were sent are where they arrived.
        """
        launch = self.launch
        if launch.cwd is not None and not launch.cwd.is_dir():
            raise InputError(f"there is no folder {launch.cwd}")
        words = [local_word(word) for word in launch.command]
        words[0] = str(find_program(words[0] if "/" in self.program else self.program, launch.cwd))
        options = tuple((name, local_word(value)) for name, value in self.options)
        return replace(self, launch=replace(launch, command=tuple(words)), options=options)


OPTIONS = (
    "memory",
    "address_space",
    "cgroup",
    "cwd",
    "restart",
    "stderr",
    "handshake",
    "newgame",
    "stop",
    "quit",
    "watchdog",
)
PREFIXES = ("option.", "env.")


def parse_outside(protocol: str, command: str, options: dict[str, str], game: Game) -> Outside:
    """The program of a command line and options; what cannot be started is refused here, before anything is played."""
    if game.name not in ONLY.get(protocol, (game.name,)):
        raise InputError(f"{protocol} is a protocol for {' and '.join(ONLY[protocol])}, not for {game.name}")
    assert protocol in NAMES
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"the command {command!r} cannot be read: {error}") from None
    if not words or any("\0" in word for word in words):
        raise InputError("a command is missing")
    cwd = Path(options["cwd"]) if "cwd" in options else None
    if cwd is not None and not cwd.is_dir():
        raise InputError(f"there is no folder {cwd}")
    restart = options.get("restart", "game" if protocol == "codecup" else "never")
    if restart not in RESTARTS:
        raise InputError(f"restart is one of {', '.join(RESTARTS)}, not {restart!r}")
    if protocol == "codecup" and restart == "never":
        raise InputError("a codecup program plays one game and ends, so restart=never is not possible")
    if protocol not in ("uci", "usi") and any(key.startswith("option.") for key in options):
        raise InputError(f"{protocol} has no options; write them into the command")
    if options.get("cgroup", "yes") not in SWITCH:
        raise InputError(f"cgroup is one of {', '.join(SWITCH)}, not {options['cgroup']!r}")
    waits = {key: _seconds(key, options[key]) for key in Deadlines.__dataclass_fields__ if key in options}
    launch = Launch(
        (str(find_program(words[0], cwd)), *words[1:]),
        cwd,
        _named("env.", options),
        _size("memory", options),
        _size("address_space", options),
        SWITCH[options.get("cgroup", "yes")],
    )
    stderr = Path(options["stderr"]) if "stderr" in options else None
    named = _named("option.", options)
    return Outside(protocol, launch, named, restart == "game", stderr, Deadlines(**waits), words[0])


def find_program(name: str, cwd: Path | None = None) -> Path:
    """A program by its name in PATH and among Debian's games, or by its path from here or from its folder."""
    if "/" in name:
        for place in (Path(name), (cwd or Path()) / name):
            if place.is_file() and os.access(place, os.X_OK):
                return place.absolute()
        kind = "is not executable" if Path(name).is_file() else "is not there"
        raise InputError(f"the program {name} {kind}")
    found = shutil.which(name) or shutil.which(name, path=PLACES)
    if found is None:
        raise InputError(f"no program {name!r} is in PATH or in {PLACES.replace(':', ' or ')}")
    return Path(found).absolute()


def _named(prefix: str, options: dict[str, str]) -> tuple[tuple[str, str], ...]:
    found = tuple((key.removeprefix(prefix), value) for key, value in options.items() if key.startswith(prefix))
    for name, value in found:
        if not name.strip() or any(sign in name + value for sign in "\0\n\r") or (prefix == "env." and "=" in name):
            raise InputError(f"{prefix}{name} is not a name and a value of one line")
    return found


def _seconds(key: str, text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise InputError(f"{key} must be a number of seconds, not {text!r}") from None
    if not 0 < value <= 1e6:
        raise InputError(f"{key} must be above 0 and at most 1,000,000 s, not {text!r}")
    return value


def _size(key: str, options: dict[str, str]) -> int | None:
    if key not in options:
        return None
    try:
        value = float(options[key])
    except ValueError:
        raise InputError(f"{key} must be a number of bytes, not {options[key]!r}") from None
    if not (value.is_integer() and 0 < value < 1 << 60):
        raise InputError(f"{key} must be a whole number of bytes above 0, not {options[key]!r}")
    return int(value)
