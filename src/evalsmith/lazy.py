"""Names that a module gives out without importing them: each comes from its own module at its first use."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def importer(module: str, homes: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a module; ``homes`` says where in the package each name is: ``room.module``.

    ``room.module:other`` is for a name that is another one there.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        home, _, other = homes[name].partition(":")
        value = getattr(importlib.import_module(f"evalsmith.{home}"), other or name)
        setattr(importlib.import_module(module), name, value)
        return value

    return get
