"""numba itself, and signatures as it reads them."""

from __future__ import annotations

import sys
from typing import Any

# numba looks for scipy, for linear algebra inside kernels. We have none there, and scipy would add a third to the
# start of every command: so while numba loads, there is no scipy.
_scipy_is_new = sys.modules.setdefault("scipy", None) is None  # type: ignore[arg-type]
import numba.np.arraymath  # noqa: E402

if _scipy_is_new:
    del sys.modules["scipy"]
import numba.types  # noqa: E402

from evalsmith.compile.mode import DTYPES  # noqa: E402

types: Any = numba.types
TYPES: dict[str, Any] = {name: types.CPointer(getattr(types, d.__name__)) for name, d in DTYPES.items()}
TYPES |= {
    name: getattr(types, name)
    for name in (
        "int64", "uint64", "int32", "uint32", "int16", "uint16", "uint8", "int8", "float64", "float32", "void",
    )
}  # fmt: skip


def numba_signature(signature: str) -> Any:
    """The signature text as numba's object."""
    return eval(signature, {"__builtins__": {}}, TYPES)
