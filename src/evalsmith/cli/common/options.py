"""Options of a command made from the settings that it takes."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from evalsmith.run.declarations import Entry
from evalsmith.run.settings import entries

_METAVARS = {int: "N", float: "X", str: "TEXT", Path: "PATH"}


def takes(*kinds: type, without: tuple[str, ...] = ()) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Give a verb an option for every setting of some settings classes, except those named in ``without``.

    The verb has a parameter ``given``, a dictionary of the settings that the user wrote on the command line and of no
    others: what a function of the Python API takes as keywords, and what overrides a file. In the help, the options
    stand where ``given`` stands among the parameters.
    """
    known: dict[str, Entry] = {}
    for kind in kinds:
        for entry in entries(kind):
            if entry.declared.on_command_line and entry.name not in without:
                known.setdefault(entry.name, entry)

    def decorate(verb: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(verb)
        def wrapper(context: typer.Context, **values: Any) -> None:
            options = {name: values.pop(name) for name in known}
            given = {name: _split(known[name], v) for name, v in options.items() if _was_given(context, name)}
            if takes_context:
                values["context"] = context
            verb(**values, given=given)

        signature = inspect.signature(verb, eval_str=True)
        takes_context = "context" in signature.parameters
        parameters = [inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)]
        for name, each in signature.parameters.items():
            if name == "given":
                parameters += map(_parameter, known.values())
            elif name != "context":
                parameters.append(each.replace(kind=inspect.Parameter.KEYWORD_ONLY))
        wrapper.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        wrapper.__annotations__ = {each.name: each.annotation for each in parameters}
        del wrapper.__wrapped__  # typer would read the verb's own signature
        return wrapper

    return decorate


def _split(entry: Entry, value: Any) -> Any:
    """Numbers of an option that takes several may stand together, with commas between them."""
    return [part for text in value for part in text.split(",")] if _is_list_of_numbers(entry) else value


def _is_list_of_numbers(entry: Entry) -> bool:
    return entry.kind.many and entry.kind.base in (int, float)


def _was_given(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"


def _parameter(entry: Entry) -> inspect.Parameter:
    """The option of one setting, as typer reads it from a signature."""
    declared, base = entry.declared, entry.kind.base
    name = entry.name.replace("_", "-")
    flags = declared.flags or ((f"--{name}/--no-{name}",) if base is bool and entry.default else (f"--{name}",))
    kind: Any = str if declared.words or _is_list_of_numbers(entry) else base
    if entry.kind.many:
        kind = list[kind]
    option = typer.Option(
        *flags,
        help=declared.help,
        rich_help_panel=declared.group or None,
        metavar=None if base is bool else metavar(entry),
        show_default=_shown_default(entry),
    )
    default = None if entry.required or entry.kind.many else entry.default
    if declared.words and default is not None:
        default = str(default)
    optional = default is None
    annotation = Annotated[kind | None, option] if optional else Annotated[kind, option]
    return inspect.Parameter(entry.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def metavar(entry: Entry) -> str:
    """What stands for the value in the help."""
    declared = entry.declared
    if declared.metavar or declared.choices:
        return declared.metavar or "|".join(declared.choices)
    return "|".join((_METAVARS[entry.kind.base], *declared.words))


def _shown_default(entry: Entry) -> bool:
    return entry.default not in (None, False, (), "")
