"""What numba would compile and a kernel must not do: mix words with signed values, compute with floats, raise."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from numba.core import ir

from evalsmith.compile.signatures import types

FLOATS = re.compile(r"float(?:32|64)|reals")


@dataclass(frozen=True)
class Mistake:
    """Where a kernel goes wrong: ``kind`` is mixed, float or raise; ``what`` is what numba has there."""

    kind: str
    line: int
    what: str

    def __str__(self) -> str:
        return self.what if self.kind == "float" else f"line {self.line}: {self.what}"


def mixed_operations(function_ir: Any, kinds: Any) -> list[Mistake]:
    """The operations between a uint64 and a signed value: the result loses its sign or its low bits."""
    found = []
    for statement in _statements(function_ir):
        value: Any = getattr(statement, "value", None)
        if getattr(value, "op", None) in ("binop", "inplace_binop"):
            sides = kinds[value.lhs.name], kinds[value.rhs.name]
            signed = any(isinstance(side, types.Integer) and side.signed for side in sides)
            if signed and types.uint64 in sides:
                text = f"{sides[0]} {value.fn.__name__} {sides[1]}"
                found.append(Mistake("mixed", statement.loc.line, text))
    return found


def stray_floats(function_ir: Any, kinds: Any) -> list[Mistake]:
    """The variables that are floats, with the line that gives them their value."""
    lines: dict[str, int] = {}
    for statement in _statements(function_ir):
        target: Any = getattr(statement, "target", None)
        if isinstance(target, ir.Var):
            lines.setdefault(target.name, statement.loc.line)
    return [
        Mistake("float", lines.get(name, function_ir.loc.line), f"{name} is {kind}")
        for name, kind in kinds.items()
        if FLOATS.search(str(kind))
    ]


def raised(function_ir: Any) -> list[Mistake]:
    """The statements that raise: nobody above a kernel could catch it."""
    kinds: Any = (ir.Raise, ir.StaticRaise, ir.DynamicRaise)
    return [Mistake("raise", each.loc.line, "raise") for each in _statements(function_ir) if isinstance(each, kinds)]


def _statements(function_ir: Any) -> list[Any]:
    return [statement for block in function_ir.blocks.values() for statement in block.body]
