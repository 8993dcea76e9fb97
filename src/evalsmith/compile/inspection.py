"""The types that numba infers inside a kernel, without making its code."""

from __future__ import annotations

import functools
from typing import Any

import numba
from numba.core import compiler, compiler_machinery

from evalsmith.compile import (
    build,  # noqa: F401  (tells numba what a kernel is)
    checking,
)
from evalsmith.compile.kernels import Kernel
from evalsmith.compile.signatures import numba_signature

_compiler: Any = compiler
_machinery: Any = compiler_machinery


class _TypesFound(Exception):
    """Ends a compilation of which only the types are wanted: making the code would take most of the time."""


@_machinery.register_pass(mutates_CFG=False, analysis_only=True)
class _KeepTypes(_machinery.AnalysisPass):  # type: ignore[misc]
    _name = "evalsmith_keep_types"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        kinds = {name: str(kind) for name, kind in state.typemap.items()}
        raise _TypesFound(kinds, [str(one) for one in checking.mixed_operations(state.func_ir, state.typemap)])


class _TypesOnly(_compiler.CompilerBase):  # type: ignore[misc]
    def define_pipelines(self) -> list[Any]:
        manager, builder = _machinery.PassManager("evalsmith_types"), _compiler.DefaultPassBuilder
        manager.passes.extend(builder.define_untyped_pipeline(self.state).passes)
        manager.passes.extend(builder.define_typed_pipeline(self.state).passes)
        manager.add_pass(_KeepTypes, "keep the types")
        manager.finalize()
        return [manager]


def inferred_types(entry: Kernel) -> dict[str, str]:
    """The type numba gives each variable of a kernel, for the test that looks for stray floats."""
    return dict(_infer(entry)[0])


def mixed_operations(entry: Kernel) -> list[str]:
    """Where in a kernel a uint64 meets a signed value, as ``line 12: uint64 add int64``."""
    return list(_infer(entry)[1])


@functools.cache
def _infer(entry: Kernel) -> tuple[dict[str, str], list[str]]:
    try:
        numba.njit(numba_signature(entry.signature), error_model="numpy", pipeline_class=_TypesOnly)(entry.function)
    except _TypesFound as found:
        kinds, mixed = found.args
        return kinds, mixed
    raise AssertionError("numba ended a compilation before it had the types")
