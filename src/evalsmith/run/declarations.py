"""What is known of one setting, and the check of a value against it."""

from __future__ import annotations

import difflib
import math
import types
import typing
from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from pathlib import Path
from typing import Any

from evalsmith.run.errors import InputError


@dataclass(frozen=True)
class Declaration:
    """What is declared about one setting besides its name, type and default."""

    help: str
    group: str = ""
    low: float | None = None
    high: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    metavar: str | None = None
    on_command_line: bool = True


@dataclass(frozen=True)
class Kind:
    """The type of a setting: one of bool, int, float, str and Path, perhaps several of them, perhaps absent."""

    base: type
    optional: bool = False
    many: bool = False

    @property
    def noun(self) -> str:
        """What a value should be, for messages."""
        noun = _NOUNS[self.base]
        return f"a list of {noun.removeprefix('a ')}s" if self.many else noun


_NOUNS = {bool: "true or false", int: "a whole number", float: "a number", str: "a text", Path: "a path"}


@dataclass(frozen=True)
class Entry:
    """One setting with everything that is known of it. ``path`` names the tables that it stands in."""

    name: str
    kind: Kind
    default: Any
    declared: Declaration
    path: tuple[str, ...] = ()

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is MISSING


def kind_of(hint: Any) -> Kind:
    """The kind that a type hint describes: ``int``, ``int | str``, ``Path | None``, ``tuple[str, ...]``."""
    if typing.get_origin(hint) is tuple:
        return Kind(typing.get_args(hint)[0], many=True)
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        inside = [one for one in typing.get_args(hint) if one is not types.NoneType]
        optional = len(inside) < len(typing.get_args(hint))
        # A number beside a text is a number or one of the declared words.
        base = next((one for one in inside if one is not str), str)
        if typing.get_origin(base) is tuple:
            return Kind(typing.get_args(base)[0], optional, many=True)
        return Kind(base, optional)
    return Kind(hint)


def unknown(key: str, known: Mapping[str, Any], place: str = "") -> str:
    """The message about a setting that does not exist, with the nearest one that does."""
    near = difflib.get_close_matches(key.replace("-", "_"), known, 1)
    hint = f"did you mean {near[0]}?" if near else f"the settings are {', '.join(known)}"
    return f"there is no setting {key!r}{place}; {hint}"


def check(entry: Entry, value: Any) -> Any:
    """A value in the type of its setting; one that does not fit is refused."""
    if value is None:
        if not entry.kind.optional:
            raise InputError(f"{entry.name} is not given; it must be {expected(entry)}")
        return None
    if entry.kind.many:
        if isinstance(value, str | bytes) or not isinstance(value, list | tuple):
            raise InputError(f"{entry.name} must be {entry.kind.noun}, not {value!r}")
        return tuple(_check_one(entry, one) for one in value)
    return _check_one(entry, value)


def _check_one(entry: Entry, value: Any) -> Any:
    declared, base = entry.declared, entry.kind.base
    if isinstance(value, str) and value in declared.words:
        return value
    converted = _convert(value, base, from_text=bool(declared.words) or entry.kind.many)
    if converted is None:
        raise InputError(f"{entry.name} must be {expected(entry)}, not {value!r}")
    if declared.choices and converted not in declared.choices:
        raise InputError(f"{entry.name} must be {_list(declared.choices)}, not {converted!r}")
    if isinstance(converted, int | float) and not _in_range(declared, converted):
        raise InputError(f"{entry.name} must be {expected(entry)}, not {value}")
    return converted


def _convert(value: Any, base: type, from_text: bool) -> Any:
    """The value as its type, or None; a number may come as a text where words stand in its place, or in a list."""
    if base is Path:
        return Path(value) if isinstance(value, str | Path) and str(value) else None
    if isinstance(value, str) and from_text and base in (int, float):
        try:
            return base(value)
        except ValueError:
            return None
    if base is bool or isinstance(value, bool):
        return value if base is bool and isinstance(value, bool) else None
    if base is float and isinstance(value, int):
        return float(value)
    return value if isinstance(value, base) else None


def _in_range(declared: Declaration, value: float) -> bool:
    return (
        math.isfinite(value)
        and (declared.low is None or value >= declared.low)
        and (declared.high is None or value <= declared.high)
        and (declared.above is None or value > declared.above)
        and (declared.below is None or value < declared.below)
    )


def expected(entry: Entry) -> str:
    """What a value should be: ``a whole number of at least 1``, ``a number from 0 to 1, or auto``."""
    noun = _list(entry.declared.choices) if entry.declared.choices else _NOUNS[entry.kind.base]
    text = f"{noun}{range_text(entry.declared)}"
    return f"{text}, or {_list(entry.declared.words)}" if entry.declared.words else text


def range_text(declared: Declaration) -> str:
    """The range as it stands behind a noun; empty where there is none."""
    low, high, above, below = declared.low, declared.high, declared.above, declared.below
    if low is not None and high is not None:
        return f" from {low:,} to {high:,}"
    if above is not None and below is not None:
        return f" between {above:,} and {below:,}, both excluded"
    parts = [
        f"at least {low:,}" if low is not None else "",
        f"above {above:,}" if above is not None else "",
        f"at most {high:,}" if high is not None else "",
        f"below {below:,}" if below is not None else "",
    ]
    found = " and ".join(part for part in parts if part)
    return f" of {found}" if found.startswith("at") else f" {found}" if found else ""


def _list(texts: tuple[str, ...]) -> str:
    return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} or {texts[-1]}"
