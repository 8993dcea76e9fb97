"""What is wrong with the inferred types of kernels, for every kernel of the package in one process."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import evalsmith
from evalsmith import compile as kernels
from evalsmith.compile import inspection

_DECORATOR = re.compile(r"^@(?:contract|kernel|helper|driver)\b", re.MULTILINE)


def rooms() -> list[str]:
    """The modules of the package that define kernels."""
    root = Path(evalsmith.__file__).parent
    found = [file for file in sorted(root.rglob("*.py")) if _DECORATOR.search(file.read_text(encoding="utf-8"))]
    return [".".join(file.relative_to(root.parent).with_suffix("").parts) for file in found]


def look() -> dict[str, object]:
    """How many kernels each module has, and what is wrong with the types of each."""
    modules = rooms()
    for module in modules:
        importlib.import_module(module)
    counts = dict.fromkeys(modules, 0)
    wrong = {}
    for entry in kernels.KERNELS:
        if entry.function.__module__ in counts:
            counts[entry.function.__module__] += 1
            if found := mistakes(entry):
                wrong[entry.name] = found
    return {"kernels": counts, "wrong": wrong}


def mistakes(entry: kernels.Kernel) -> list[str]:
    """Variables with floats, unless the kernel may have them; words that meet signed values."""
    found = inspection.mixed_operations(entry)
    if not entry.floats:
        kinds = inspection.inferred_types(entry)
        found += [f"{name} is {kind}" for name, kind in kinds.items() if re.search(r"float(?:32|64)", kind)]
    return found


def mistakes_by_name(module: str) -> dict[str, list[str]]:
    """The mistakes of each kernel of one module."""
    importlib.import_module(module)
    mine = [entry for entry in kernels.KERNELS if entry.function.__module__ == module]
    return {entry.function.__name__: mistakes(entry) for entry in mine}
