"""The help of commands: plain text in named groups that fits a terminal of 80 columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import typer
from typer.core import TyperCommand, TyperGroup

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS = "Options"
COMMANDS = "Commands"

_PROGRAM = "evalsmith"  # only the whole program offers to install shell completion

# How typer names the types of values, and what a reader should see in their place.
_METAVARS = re.compile(r"<(int|float|str|list\[str\]|path|Path)(?: range)?>")
_NAMES = {"int": "N", "float": "X", "str": "TEXT", "list[str]": "TEXT"}


class Verb(TyperCommand):
    """A command whose options stand in groups, in the order in which they are declared."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then each group of options."""
        _write_parameters(self.get_params(ctx), ctx, formatter)


class VerbGroup(TyperGroup):
    """A command with commands of its own, in groups."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the options, then each group of commands."""
        _write_parameters(self.get_params(ctx), ctx, formatter)
        groups: dict[str, list[tuple[str, Any]]] = {}
        for name in self.list_commands(ctx):
            command: Any = self.get_command(ctx, name)
            if command is not None and not command.hidden:
                groups.setdefault(_group(command) or COMMANDS, []).append((name, command))
        widest = max((len(name) for rows in groups.values() for name, _ in rows), default=0)
        for title, rows in groups.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(widest), _first_sentence(command.help)) for name, command in rows])


class VerbApp(typer.Typer):
    """A group of commands that all show their help this way."""

    def __init__(self, name: str, help: str, *, cls: type[VerbGroup] = VerbGroup) -> None:
        super().__init__(
            name=name,
            cls=cls,
            help=help,
            no_args_is_help=True,
            add_completion=name == _PROGRAM,
            pretty_exceptions_enable=False,
            rich_markup_mode=None,
        )

    def command(self, name: str | None = None, **options: Any) -> Callable[[F], F]:
        """A decorator that adds a command."""
        return super().command(name, **{"cls": Verb, **options})


def _write_parameters(parameters: Iterable[Any], ctx: Any, formatter: Any) -> None:
    groups: dict[str, list[tuple[str, str]]] = {"Arguments": []}
    for parameter in parameters:
        record = parameter.get_help_record(ctx)
        if record is not None:
            argument = parameter.param_type_name == "argument"
            title = "Arguments" if argument else _group(parameter) or OPTIONS
            names, text = record
            names = (
                names.split(" <")[0] if argument else _METAVARS.sub(lambda found: _NAMES.get(found[1], "PATH"), names)
            )
            groups.setdefault(title, []).append((names, text))
    rest = groups.pop(OPTIONS, [])
    for title, rows in [*groups.items(), (OPTIONS, rest)]:
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def _readable(names: str) -> str:
    """The names of an option, with a letter for the type of its value."""
    return _METAVARS.sub(lambda found: _NAMES.get(found[1], "PATH"), names)


def _first_sentence(text: str | None) -> str:
    paragraph = " ".join((text or "").strip().split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", paragraph, maxsplit=1)[0]


def _group(thing: Any) -> str:
    """The group that a command or an option was declared in."""
    title = getattr(thing, "rich_help_panel", None)
    return title if isinstance(title, str) else ""
