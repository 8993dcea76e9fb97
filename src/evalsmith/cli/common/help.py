"""The help of commands: plain text in named groups that fits a terminal of 80 columns."""

from __future__ import annotations

import importlib
import keyword
import re
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup

F = TypeVar("F", bound=Callable[..., Any])

OPTIONS = "Options"
COMMANDS = "Commands"

_PROGRAM = "evalsmith"  # only the whole program offers to install shell completion

# How typer names the types of values, and what a reader should see in their place.
_METAVARS = re.compile(r"<(int|float|str|list\[str\]|path|Path)(?: range)?>")
_BRACES = re.compile(r"^\{(.+)\}")  # how typer writes an argument that is required
_NAMES = {"int": "N", "float": "X", "str": "TEXT", "list[str]": "TEXT"}


class Verb(TyperCommand):
    """A command whose options stand in groups, in the order in which they are declared."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write the arguments, then each group of options."""
        _write_parameters(self.get_params(ctx), ctx, formatter)

    def collect_usage_pieces(self, ctx: Any) -> list[str]:
        """The words of the line of usage: required arguments are bare, and … alone says that more may follow."""
        pieces = super().collect_usage_pieces(ctx)
        return [_BRACES.sub(r"\1", each).replace("…...", "…").replace("…]...", "…]") for each in pieces]


class ListedVerb(Verb):
    """A verb as a list of verbs shows it; its module is imported when the verb is called.

    The module is named after the verb, and holds a function of the same name, or is a folder with a group ``VERBS``.
    """

    def __init__(self, package: str, name: str, sentence: str, group: str | None) -> None:
        super().__init__(name=name, help=sentence, rich_help_panel=group)
        word = name.replace("-", "_")
        self.function = f"{word}_" if keyword.iskeyword(word) else word
        self.module = f"{package}.{self.function}"

    def load(self) -> Any:
        """The verb itself."""
        module = importlib.import_module(self.module)
        if hasattr(module, "VERBS"):
            return module.VERBS
        app = VerbApp(str(self.name), "")
        app.command(self.name)(getattr(module, self.function))
        return typer.main.get_command(app)


def listed(package: str, sentences: dict[str, str], group: str | None = None) -> list[ListedVerb]:
    """The verbs of a folder, by name: the first sentence of each one's help."""
    return [ListedVerb(package, name, sentence, group) for name, sentence in sentences.items()]


class VerbGroup(TyperGroup):
    """A command with commands of its own, in groups; one that is only listed is loaded when it is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that the words call, its name, and the words that are left."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, command.load() if isinstance(command, ListedVerb) else command, rest

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
                formatter.write_dl([(name.ljust(widest), first_sentence(command.help)) for name, command in rows])


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
            names = names.split(" <")[0] if argument else _readable(names)
            groups.setdefault(title, []).append((names, text))
    rest = groups.pop(OPTIONS, [])
    for title, rows in [*groups.items(), (OPTIONS, rest)]:
        if rows:
            with formatter.section(title):
                formatter.write_dl(rows)


def _readable(names: str) -> str:
    """The names of an option, with a letter for the type of its value."""
    return _METAVARS.sub(lambda found: _NAMES.get(found[1], "PATH"), names)


def first_sentence(text: str | None) -> str:
    """What a list of commands shows of a text."""
    paragraph = " ".join((text or "").strip().split("\n\n")[0].split())
    return re.split(r"(?<=\.)\s", paragraph, maxsplit=1)[0]


def _group(thing: Any) -> str:
    """The group that a command or an option was declared in."""
    title = getattr(thing, "rich_help_panel", None)
    return title if isinstance(title, str) else ""
