"""Why a kernel cannot be compiled, in one paragraph: the function, the line of its file, what is wrong, what to write.

numba answers a mistake with pages about its own insides. What its author needs is mostly seen in the source itself, so
that is looked at first; of numba's answer the place and one sentence are taken.
"""

from __future__ import annotations

import ast
import builtins
import difflib
import dis
import inspect
import linecache
import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from evalsmith.compile.checking import Mistake
from evalsmith.compile.kernels import Kernel, place_of
from evalsmith.compile.signatures import TYPES, numba_signature
from evalsmith.run.errors import KernelError

_PLAIN = "EVALSMITH_COMPILE=0 runs it as plain Python, where a debugger can follow it"
_ALLOCATES = (
    "kernels allocate nothing: write into a row that is an argument, or into one of `evalsmith.compile.scratch`"
)
_NO_TEXT = "texts belong to the notation, in plain Python; inside a kernel use numbers"
_ROW = "a row is a pointer: it has no length, no slices and no attributes; use the game's constants and a loop"

# What the source may have in it that a kernel cannot, and what to do about it.
_SYNTAX: tuple[tuple[type[ast.AST] | tuple[type[ast.AST], ...], str, str], ...] = (
    ((ast.List, ast.ListComp), "a list", _ALLOCATES),
    ((ast.Dict, ast.DictComp), "a dict", "look the value up in a numpy array that the module makes when imported"),
    ((ast.Set, ast.SetComp), "a set", "use the bits of a uint64"),
    ((ast.JoinedStr,), "a text", _NO_TEXT),
    ((ast.Try, ast.Raise, ast.Assert), "an exception", "kernels never raise; return a number that says what happened"),
    ((ast.Yield, ast.YieldFrom, ast.GeneratorExp), "a generator", "write a loop"),
    ((ast.Lambda, ast.FunctionDef, ast.ClassDef), "a definition", "write a function of the module, with @helper"),
)

# What numba says, and what that means.
_ANSWERS = (
    (
        r"No conversion from none to (\S+)",
        r"it may end without a value, and its signature returns \1; add a return at its end",
    ),
    (r"No conversion from \S.* to none", "its signature returns nothing (void); write return without a value"),
    (r"No conversion from (.+?) to (\S+) for", r"it returns \1, and its signature says \2"),
    (r"Cannot cast (\S+) to (\S+?):", r"an argument is \1 where \2 is expected; convert it, or pass another"),
    (r">>> len\(\w+\*\)|getitem\(\w+\*, slice|Unknown attribute '\w+' of type \w+\*", _ROW),
    (r"Literal\[str\]|unicode_type", f"it uses a text; {_NO_TEXT}"),
    (r"DictType", "it uses a dict; look the value up in a numpy array that the module makes when imported"),
    (
        r"NRT required|Only accept returning of array|which only numba has",
        f"it allocates memory or prints; {_ALLOCATES}",
    ),
    (r"Unknown attribute '(\w+)' of type (.+)", r"\2 has no attribute \1 here"),
)


def explained(entry: Kernel, error: BaseException) -> KernelError:
    """One paragraph about what is wrong with a kernel that numba refuses."""
    text = str(error)
    line = _line_of(entry, text)
    for look in (_signature, _arguments, _unknown_name, _calls, _python_objects, _syntax):
        found = look(entry, line)
        if found is not None:
            return _error(entry, *found)
    for pattern, meaning in _ANSWERS:
        if match := re.search(pattern, text):
            return _error(entry, line, match.expand(meaning) if "\\" in meaning else meaning)
    return _error(entry, line, f"numba says: {_sentence(error)}; {_PLAIN}")


def refused(entry: Kernel, mistake: Mistake) -> KernelError:
    """One paragraph about what numba would have compiled into something else than is meant."""
    if mistake.kind == "mixed":
        what = (
            "a uint64 meets a signed number or a bare integer, and numba makes a signed number or a float of both; "
            "write constants as np.uint64(1), and convert one side with uint64(…) or int64(…) of evalsmith.compile"
        )
    elif mistake.kind == "float":
        what = (
            "a float in a function of integers; divide with //, give a variable one type on every way "
            "(word = np.uint64(0), not word = 0), or say floats=True to the decorator of a helper that needs floats"
        )
    else:
        what = "a kernel cannot raise; return a number that says what happened, and check arguments in Python"
    return _error(entry, mistake.line, what)


def _error(entry: Kernel, line: int | None, what: str) -> KernelError:
    shown = "" if line is None else linecache.getline(entry.function.__code__.co_filename, line).strip()
    quoted = f"`{shown}`: " if shown and not shown.startswith(("@", "def ")) else ""
    return KernelError(f"{place_of(entry.function, line)}: {quoted}{what}")


Found = tuple[int | None, str] | None


# ── What the source shows ───────────────────────────────────────────────────────────────────────


def _signature(entry: Kernel, line: int | None) -> Found:
    try:
        numba_signature(entry.signature)
    except Exception as error:
        known = ", ".join(TYPES)
        return (
            None,
            f"{entry.signature!r} is not a signature ({error}); write result(argument, …) with the types {known}",
        )
    return None


def _arguments(entry: Kernel, line: int | None) -> Found:
    wanted, names = _arity(entry), _parameters(entry)
    if len(names) == wanted:
        return None
    return (
        None,
        f"it takes {_count(len(names))} ({', '.join(names) or 'none'}), and its signature {entry.signature} has "
        f"{wanted}; make them agree",
    )


def _unknown_name(entry: Kernel, line: int | None) -> Found:
    function = entry.function
    known = {*vars(builtins), *function.__globals__}
    for instruction in dis.get_instructions(function):
        if instruction.opname == "LOAD_GLOBAL" and instruction.argval not in known:
            where = instruction.positions.lineno if instruction.positions else None
            similar = difflib.get_close_matches(
                instruction.argval, [*function.__code__.co_varnames, *function.__globals__], 1
            )
            advice = f"did you mean {similar[0]}?" if similar else "define it in the module, above the function"
            return where, f"the name {instruction.argval} is not defined; {advice}"
    return None


def _calls(entry: Kernel, line: int | None) -> Found:
    """A call of what is no kernel, or with too few or too many arguments."""
    for node, where in _nodes(entry, line):
        if not isinstance(node, ast.Call):
            continue
        called, name = _value(entry, node.func), ast.unparse(node.func)
        if isinstance(called, Kernel) and len(node.args) + len(node.keywords) != _arity(called):
            takes = f"{_count(_arity(called))} ({', '.join(_parameters(called))})"
            return where, f"{name} takes {takes}, and gets {len(node.args) + len(node.keywords)}"
        own = isinstance(called, FunctionType) and not called.__module__.startswith(("evalsmith.compile", "numpy"))
        if own or (isinstance(called, type) and called.__module__ not in ("builtins", "numpy")):
            return where, (
                f"{name} is plain Python, which compiled code cannot call; decorate it with @helper and a signature, "
                'for instance @helper("int64(uint64, int64)")'
            )
        if called in (str, list, dict, set, print, open, input):
            advice = _NO_TEXT if called in (str, print, open, input) else _ALLOCATES
            return where, f"{name}(…) cannot be compiled; {advice}"
    return None


def _python_objects(entry: Kernel, line: int | None) -> Found:
    """A list, a dict or a text of the module."""
    for node, where in _nodes(entry, line):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            value = _value(entry, node)
            if isinstance(value, list | dict | set | str):
                kind = type(value).__name__
                return where, (
                    f"{node.id} is a Python {kind}, which compiled code cannot read; make it a numpy array in the "
                    f"module, for instance {node.id} = np.array([…], dtype=np.int64)"
                )
    return None


def _syntax(entry: Kernel, line: int | None) -> Found:
    for node, where in _nodes(entry, line):
        for kinds, what, advice in _SYNTAX:
            if isinstance(node, kinds):
                return where, f"a kernel cannot hold {what}; {advice}"
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            return where, f"a kernel cannot hold a text; {_NO_TEXT}"
    return None


def _nodes(entry: Kernel, line: int | None) -> Iterator[tuple[ast.AST, int]]:
    """The parts of the function's body with their lines; those on the line that numba names come first."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(entry.function)))
    except (OSError, SyntaxError):
        return
    first = entry.function.__code__.co_firstlineno - 1
    body = tree.body[0].body if isinstance(tree.body[0], ast.FunctionDef) else []
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]  # the docstring
    found = [
        (node, first + node.lineno) for statement in body for node in ast.walk(statement) if hasattr(node, "lineno")
    ]
    found.sort(key=lambda one: (one[1] != line, one[1]))
    yield from found


def _value(entry: Kernel, node: ast.AST) -> Any:
    """What a name or a dotted name of the module is; None if it is not one."""
    if isinstance(node, ast.Name):
        if node.id in entry.function.__code__.co_varnames:
            return None
        return entry.function.__globals__.get(node.id, getattr(builtins, node.id, None))
    if isinstance(node, ast.Attribute):
        owner = _value(entry, node.value)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    return None


def _arity(entry: Kernel) -> int:
    return len(numba_signature(entry.signature).args)


def _parameters(entry: Kernel) -> list[str]:
    return list(inspect.signature(entry.function).parameters)


def _count(number: int) -> str:
    return "1 argument" if number == 1 else f"{number} arguments"


# ── What numba answers ──────────────────────────────────────────────────────────────────────────


def _line_of(entry: Kernel, text: str) -> int | None:
    """The line of the function's own file that an answer names last: the innermost that the author wrote."""
    code = entry.function.__code__
    name = re.escape(Path(code.co_filename).name)
    end = max((line for *_, line in code.co_lines() if line is not None), default=code.co_firstlineno)
    found = re.findall(rf'{name}"?(?:, line |:| \()(\d+)', text)
    inside = [int(line) for line in found if code.co_firstlineno <= int(line) <= end]
    return inside[-1] if inside else None


def _sentence(error: BaseException) -> str:
    """The first sentence of an answer that is about the source."""
    for line in str(error).splitlines():
        text = line.strip()
        if text and not text.startswith(("Failed in", "During", ">>>", "File")):
            return re.sub(r"Function\(<[\w\- ]*?([\w.]+)>\)", r"\1", text).rstrip(".:;")
    return type(error).__name__
