"""Settings, declared once as fields of a dataclass.

The check of a value, the table of a TOML file, the options of a command, the configuration stored in a run folder and
the reference page all come from one declaration:

    @dataclass(frozen=True)
    class MatchSettings(Settings):
        games: int = setting(200, low=1, group="match", help="Number of games, played in pairs.")
        limit: LimitSettings = nested(LimitSettings)  # a table of its own in a TOML file

A value is checked wherever it comes from, so a keyword in Python, a key in a file and an option on the command line are
refused with the same sentence. Nested settings are flat on the command line and in Python, and tables in files.
"""

from __future__ import annotations

import dataclasses
import functools
import typing
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any, Self, TypeVar

from evalsmith.run.declarations import Declaration, Entry, check, expected, kind_of, unknown
from evalsmith.run.errors import InputError
from evalsmith.run.seeds import DEFAULT_SEED

_META = "evalsmith.setting"

S = TypeVar("S", bound="Settings")


def setting(
    default: Any = MISSING,
    *,
    help: str,
    group: str = "",
    low: float | None = None,
    high: float | None = None,
    above: float | None = None,
    below: float | None = None,
    choices: tuple[str, ...] = (),
    words: tuple[str, ...] = (),
    flags: tuple[str, ...] = (),
    metavar: str | None = None,
    on_command_line: bool = True,
) -> Any:
    """A field of a `Settings` class.

    ``low`` and ``high`` are the ends of the range and belong to it; ``above`` and ``below`` do not. ``choices`` are all
    texts that a text may be, ``words`` those that may stand in place of a number. ``flags`` are the names of the option
    on the command line, the field's name where left out; ``metavar`` stands for its value in the help.
    """
    declared = Declaration(
        help=help,
        group=group,
        low=low,
        high=high,
        above=above,
        below=below,
        choices=choices,
        words=words,
        flags=flags,
        metavar=metavar,
        on_command_line=on_command_line,
    )
    return field(default=default, metadata={_META: declared})


def seed_setting(group: str = "") -> Any:
    """The field of a random seed: a word of the kernels, so 64 bits."""
    return setting(DEFAULT_SEED, low=-(2**63), high=2**63 - 1, group=group, help="Random seed.")


def nested(kind: type[S]) -> Any:
    """A field that holds other settings: a table of its own in a TOML file."""
    return field(default_factory=kind, metadata={_META: kind})


@dataclass(frozen=True)
class Settings:
    """The base of settings: values are checked when an object is made; `validate` may check how they go together."""

    def __post_init__(self) -> None:
        for entry in own_entries(type(self)):
            object.__setattr__(self, entry.name, check(entry, getattr(self, entry.name)))
        self.validate()

    def validate(self) -> None:
        """Refuse values that do not go together."""

    @classmethod
    def from_table(cls, table: Mapping[str, Any], where: str = "") -> Self:
        """The settings that a table of a TOML file gives, by their names or those of flags; others are refused."""
        known = {each.name: each for each in fields(cls)}
        place = f" in {where}" if where else ""
        values: dict[str, Any] = {}
        for given, value in table.items():
            key = given if given in known else cls._flag_names().get(given, given)
            if key not in known:
                raise InputError(unknown(key, known, place))
            if key in values or (key != given and key in table):
                raise InputError(f"{given}{place} is the same setting as {key}; give one of them")
            kind: Any = known[key].metadata.get(_META)
            if not isinstance(kind, type):
                values[key] = value
            elif isinstance(value, Mapping):
                values[key] = _settings(kind).from_table(value, f"[{key}]")
            else:
                raise InputError(f"{key}{place} must be a table, not {value!r}")
        try:
            return cls(**values)
        except InputError as error:
            raise InputError(f"{where}: {error}" if where else str(error)) from None

    @classmethod
    def _flag_names(cls) -> dict[str, str]:
        """The settings by the names that their flags have, as a file would write them: ``validation_split``."""
        return {
            name.removeprefix("--").replace("-", "_"): entry.name
            for entry in own_entries(cls)
            for flag in entry.declared.flags
            for name in flag.split("/")[:1]
        }

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Self:
        """The settings that flat options give, as Python's keywords or the command line have them."""
        known = {entry.name: entry for entry in entries(cls)}
        for key in options:
            if key not in known:
                raise InputError(unknown(key, known))
        required = {entry.name: options.get(entry.name) for entry in own_entries(cls) if entry.required}
        return cls(**required).override(options)

    def override(self, options: Mapping[str, Any]) -> Self:
        """These settings with some replaced by flat options."""
        changes: dict[str, Any] = {}
        for each in fields(self):
            kind = each.metadata.get(_META)
            if isinstance(kind, type):
                inner = {entry.name for entry in entries(kind)}
                chosen = {key: value for key, value in options.items() if key in inner}
                if chosen:
                    changes[each.name] = getattr(self, each.name).override(chosen)
            elif each.name in options:
                changes[each.name] = options[each.name]
        return dataclasses.replace(self, **changes)

    def to_table(self) -> dict[str, Any]:
        """The settings as plain values, nested ones as tables; what is None is left out."""
        table: dict[str, Any] = {}
        for each in fields(self):
            value = getattr(self, each.name)
            if isinstance(value, Settings):
                table[each.name] = value.to_table()
            elif value is not None:
                table[each.name] = _plain(value)
        return table

    def changed(self) -> dict[str, Any]:
        """Only the settings that differ from their defaults, flat, as plain values."""
        return {entry.name: _plain(value) for entry, value in self.items() if value != entry.default}

    def items(self) -> Iterator[tuple[Entry, Any]]:
        """Every setting with its value, nested ones too."""
        for entry in entries(type(self)):
            place: Any = self
            for name in entry.path:
                place = getattr(place, name)
            yield entry, getattr(place, entry.name)


def _settings(kind: Any) -> type[Settings]:
    assert isinstance(kind, type) and issubclass(kind, Settings)
    return kind


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, Path) else value


def own_entries(cls: Any) -> tuple[Entry, ...]:
    """The settings declared by a class itself, without nested ones."""
    return _own_entries(cls)


def entries(cls: Any) -> tuple[Entry, ...]:
    """All settings of a class in the order of their declaration, nested ones in place."""
    return _entries(cls)


@functools.cache
def _own_entries(cls: Any) -> tuple[Entry, ...]:
    hints = typing.get_type_hints(cls)
    return tuple(
        Entry(each.name, kind_of(hints[each.name]), each.default, each.metadata[_META])
        for each in fields(cls)
        if isinstance(each.metadata.get(_META), Declaration)
    )


@functools.cache
def _entries(cls: Any) -> tuple[Entry, ...]:
    own = {entry.name: entry for entry in own_entries(cls)}
    found: list[Entry] = []
    for each in fields(cls):
        if each.name in own:
            found.append(own[each.name])
        elif isinstance(inner := each.metadata.get(_META), type):
            found += [dataclasses.replace(one, path=(each.name, *one.path)) for one in entries(inner)]
    names = [entry.name for entry in found]
    assert len(set(names)) == len(names), f"{cls.__name__} declares a setting twice"
    return tuple(found)


def reference(cls: type[Settings]) -> str:
    """The settings of a class as a Markdown table, for the documentation."""
    lines = ["| setting | value | default | what it does |", "|---|---|---|---|"]
    for entry in entries(cls):
        name = ".".join((*entry.path, entry.name))
        default = "required" if entry.required else "" if entry.default is None else f"`{_plain(entry.default)}`"
        text = entry.declared.help.replace("|", "\\|")
        value = expected(entry).replace("|", "\\|")
        lines.append(f"| `{name}` | {value}{', repeatable' if entry.kind.many else ''} | {default} | {text} |")
    return "\n".join(lines) + "\n"
