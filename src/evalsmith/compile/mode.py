"""Whether kernels are compiled, and the types that their source is written with."""

from __future__ import annotations

import os
from typing import Any, TypeAlias

import numpy as np

COMPILED = os.environ.get("EVALSMITH_COMPILE", "1") != "0"

# What a type checker sees of rows and words inside kernels. They are pointers and machine words when
# compiled, checked rows and numpy scalars when not, so no single Python type is true of them.
Words: TypeAlias = Any
Integers: TypeAlias = Any
Indices: TypeAlias = Any
Values: TypeAlias = Any
Small: TypeAlias = Any
Reals: TypeAlias = Any
Word: TypeAlias = Any

# Conversions inside kernels: what comes out is a machine integer, whatever a type checker thinks of numpy's scalars.
int64: Any = np.int64
uint64: Any = np.uint64

DTYPES = {
    "words": np.uint64,
    "integers": np.int64,
    "indices": np.int32,
    "values": np.int16,
    "small": np.uint16,
    "reals": np.float64,
}

if not COMPILED:
    # Wrapping is what the compiled words do, so numpy must not warn of it.
    np.seterr(over="ignore")
