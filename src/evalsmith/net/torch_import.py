"""Optional packages: PyTorch and others come with the extra ``net``; everything that is not a net does without."""

from __future__ import annotations

import importlib
from typing import Any

from evalsmith.run.errors import MissingPackage


def need(module: str, what: str) -> Any:
    """An optional package, or an error that says how to install it."""
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise MissingPackage(f"{what} needs {package}; install it with: pip install 'evalsmith[net]'") from None


def need_torch(what: str = "a neural net") -> Any:
    """PyTorch, or an error that says how to install it."""
    return need("torch", what)
