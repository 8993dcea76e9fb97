"""From a kernel to object code: numba lowers each function once, LLVM optimises what an entry needs.

By itself, numba would infer the types of whatever a function calls before its own, optimise every helper alone, emit
machine code for it and wrap it for Python. Here a call is typed by the signature of what is called, and a function
stays LLVM's intermediate code until it is part of an entry: one that Python calls, or whose address stands in a
context.
"""

from __future__ import annotations

import ctypes
import inspect
import struct
import warnings
from typing import Any

from llvmlite import ir
from numba.core import cgutils, codegen, compiler, compiler_lock, compiler_machinery, lowering, registry, typed_passes
from numba.core.errors import NumbaWarning, TypingError
from numba.extending import typeof_impl

from evalsmith.compile import checking
from evalsmith.compile.entries import entry_module
from evalsmith.compile.explaining import explained, refused
from evalsmith.compile.intrinsics import template
from evalsmith.compile.kernels import Kernel
from evalsmith.compile.layout import OWN, Code, c_entry, native_symbol, python_entry
from evalsmith.compile.signatures import numba_signature
from evalsmith.run.errors import KernelError

_cgutils: Any = cgutils
_codegen: Any = codegen
_compiler: Any = compiler
_lowering: Any = lowering
_machinery: Any = compiler_machinery
_passes: Any = typed_passes
_target: Any = registry.cpu_target

_libraries: dict[Kernel, _Library] = {}
_templates: dict[Kernel, Any] = {}


class _Library(_codegen.JITCodeLibrary):  # type: ignore[misc]
    """Intermediate code of which nothing is emitted; ``calls`` are the kernels that it calls."""

    def __init__(self, entry: Kernel) -> None:
        super().__init__(_target.target_context.codegen(), entry.identity)
        self.entry = entry
        self.calls: set[Kernel] = set()

    def finalize(self) -> None:
        """Link what numba needed besides, which is little."""
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True

    def emit(self) -> Code:
        """The optimised machine code of everything that is linked in."""
        self.finalize()
        module = self._final_module
        self._optimize_final_module()
        entries = c_entry(self.entry), python_entry(self.entry)
        for value in (*module.functions, *module.global_variables):
            if not value.is_declaration and value.name not in entries:
                value.linkage = "internal"  # other objects may hold the same function
        module.verify()
        binary = bytes(self._codegen._tm.emit_object(module))
        declared = (value.name for value in (*module.functions, *module.global_variables) if value.is_declaration)
        needs = _undefined(binary) or [name for name in declared if not name.startswith("llvm.")]
        _check_symbols(self.entry, needs)
        return Code(binary, tuple(needs))


class _Lower(_lowering.Lower):  # type: ignore[misc]
    """numba's own, with names that are known before a function is lowered: it may call itself."""

    def __init__(self, context: Any, library: Any, descriptor: Any, *rest: Any, **more: Any) -> None:
        descriptor.mangled_name = native_symbol(library.entry)
        descriptor.env_name = f"{descriptor.mangled_name}.environment"
        super().__init__(context, library, descriptor, *rest, **more)


@_machinery.register_pass(mutates_CFG=True, analysis_only=False)
class _LowerKernel(_passes.NativeLowering):  # type: ignore[misc]
    _name = "evalsmith_lowering"

    @property
    def lowering_class(self) -> Any:
        return _Lower


@_machinery.register_pass(mutates_CFG=False, analysis_only=True)
class _CheckKernel(_machinery.AnalysisPass):  # type: ignore[misc]
    """Refuses what numba would compile into something else than is meant."""

    _name = "evalsmith_checking"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        entry, kinds = state.library.entry, state.typemap
        mistakes = checking.mixed_operations(state.func_ir, kinds) + checking.raised(state.func_ir)
        if not entry.floats and not checking.FLOATS.search(entry.signature):
            mistakes += checking.stray_floats(state.func_ir, kinds)
        if mistakes:
            raise refused(entry, mistakes[0])
        return False


class _Pipeline(_compiler.CompilerBase):  # type: ignore[misc]
    def define_pipelines(self) -> list[Any]:
        manager = _compiler.DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.passes = [
            (_LowerKernel, name) if step is _passes.NativeLowering else (step, name) for step, name in manager.passes
        ]
        manager.add_pass_after(_CheckKernel, _passes.NopythonTypeInference)
        manager.finalize()
        return [manager]


def _lower(entry: Kernel) -> _Library:
    """The intermediate code of one kernel."""
    if entry not in _libraries:
        try:
            _libraries[entry] = _lowered(entry)
        except KernelError:
            raise
        except Exception as error:
            raise explained(entry, error) from None
    return _libraries[entry]


def _lowered(entry: Kernel) -> _Library:
    signature = numba_signature(entry.signature)
    flags = _compiler.Flags()
    options = {"nopython": True, "error_model": "numpy", "forceinline": entry.inline}
    _target.options.parse_as_flags(flags, options)
    flags.no_compile = flags.no_cpython_wrapper = flags.no_cfunc_wrapper = True
    flags.nrt = False  # memory is the caller's: no counting of references, and no allocation
    library = _Library(entry)
    _compiler.compile_extra(
        _target.typing_context,
        _target.target_context,
        entry.function,
        args=signature.args,
        return_type=signature.return_type,
        flags=flags,
        locals={},
        library=library,
        pipeline_class=_Pipeline,
    )
    return library


@typeof_impl.register(Kernel)
def _type_of_kernel(entry: Kernel, context: Any) -> Any:
    """A kernel that another one calls: typed by its signature alone."""
    if entry not in _templates:
        _templates[entry] = template(entry, _calling(entry), entry.function.__name__)
    return _templates[entry]


def _calling(entry: Kernel) -> Any:
    target = numba_signature(entry.signature)

    def define(typing_context: Any, *given: Any) -> Any:
        if len(given) != len(target.args):
            raise TypingError(f"{entry.name} takes {len(target.args)} arguments, not {len(given)}")
        return target, generate

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        context.active_code_library.calls.add(entry)
        convention, symbol = context.call_conv, native_symbol(entry)
        shape = convention.get_function_type(target.return_type, target.args)
        function = builder.module.globals.get(symbol) or ir.Function(builder.module, shape, symbol)
        status, result = convention.call_function(builder, function, target.return_type, target.args, arguments)
        with _cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    # numba puts the arguments of a call in order by the signature of what it takes for the definition.
    mine = inspect.signature(entry.function)
    first = inspect.Parameter("typing_context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    vars(define)["__signature__"] = mine.replace(parameters=[first, *mine.parameters.values()])
    return define


def object_code(entry: Kernel) -> Code:
    """The machine code of a kernel, with all that it calls."""
    with warnings.catch_warnings(), compiler_lock.global_compiler_lock:
        warnings.simplefilter("error", NumbaWarning)
        found, waiting = {entry}, [entry]
        whole = _Library(entry)
        while waiting:
            library = _lower(waiting.pop())
            whole.add_linking_library(library)
            waiting += library.calls - found
            found |= library.calls
        whole.add_ir_module(entry_module(entry, _target.target_context))
        return whole.emit()


def _check_symbols(entry: Kernel, needs: list[str]) -> None:
    """Code that refers to what a later process will not have is of no use to it."""
    process = ctypes.CDLL(None)
    for name in needs:
        if not name.startswith(OWN) and not hasattr(process, name):
            raise explained(entry, ValueError(f"{entry.name} needs {name}, which only numba has"))


def _undefined(binary: bytes) -> list[str]:
    """The symbols that an ELF object leaves open, those among them that only the code generator calls; else none."""
    if binary[:5] != b"\x7fELF\x02":
        return []
    order = "<" if binary[5] == 1 else ">"
    (start,) = struct.unpack_from(order + "Q", binary, 40)
    size, count = struct.unpack_from(order + "HH", binary, 58)
    sections = [struct.unpack_from(order + "IIQQQQI", binary, start + i * size) for i in range(count)]
    found = []
    for _, kind, _, _, place, length, link in sections:
        if kind == 2:  # the table of symbols; ``link`` is the section that holds their names
            names = sections[link][4]
            for name, _, _, section, _, _ in struct.iter_unpack(order + "IBBHQQ", binary[place : place + length]):
                if section == 0 and name:
                    begin = names + name
                    found.append(binary[begin : binary.index(b"\0", begin)].decode())
    return found
