"""How compiled code is entered: from C through an address, and from Python with numbers and arrays.

The Python entry reads numpy's array objects in place, by the layout of ``PyArrayObject`` that numpy keeps stable.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir

from evalsmith.compile.kernels import Kernel
from evalsmith.compile.layout import (
    ALIGNED,
    C_CONTIGUOUS,
    DATA,
    DIMENSIONS,
    DTYPE,
    DTYPE_BYTEORDER,
    DTYPE_NUMBER,
    FLAGS,
    SHAPE,
    STRIDES,
    TYPE,
    WRITABLE,
    c_entry,
    interpreter_symbol,
    native_symbol,
    python_entry,
)
from evalsmith.compile.signatures import numba_signature, types

_byte, _int, _word, _real = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
_pointer = _byte.as_pointer()


def entry_module(entry: Kernel, context: Any) -> Any:
    """The entries of a kernel, around the function that numba made of it."""
    module = context.create_module(f"{entry.name}.entries")
    signature = numba_signature(entry.signature)
    shape = context.call_conv.get_function_type(signature.return_type, signature.args)
    native = ir.Function(module, shape, native_symbol(entry))
    writer = _Writer(entry, signature, context, module, native)
    if entry.kind == "kernel":
        writer.write_c_entry()
    writer.write_python_entry()
    return module


class _Writer:
    def __init__(self, entry: Kernel, signature: Any, context: Any, module: Any, native: Any) -> None:
        self.entry, self.signature, self.context, self.module, self.native = entry, signature, context, module, native
        self.returned = signature.return_type
        self.void = signature.return_type == types.void

    def write_c_entry(self) -> None:
        """Arguments and result are plain machine words: what a context calls."""
        kinds = [self.context.get_value_type(kind) for kind in self.signature.args]
        returned = ir.VoidType() if self.void else self.context.get_value_type(self.returned)
        function = ir.Function(self.module, ir.FunctionType(returned, kinds), c_entry(self.entry))
        self.builder = builder = ir.IRBuilder(function.append_basic_block())
        _, result = self._call_native(function.args)
        builder.ret_void() if self.void else builder.ret(result)
        self.c_entry = function

    def write_python_entry(self) -> None:
        """A function that Python calls with a vector of objects; a wrong argument is a TypeError."""
        shape = ir.FunctionType(_pointer, [_pointer, _pointer.as_pointer(), _word])
        function = ir.Function(self.module, shape, python_entry(self.entry))
        self.builder = builder = ir.IRBuilder(function.append_basic_block())
        _, vector, count = function.args
        wanted = len(self.signature.args)
        self._demand(builder.icmp_signed("==", count, _word(wanted)), f"{self.entry.name} takes {wanted} arguments")
        # Numbers come first: converting one may run Python, which could change an array that was looked at before.
        arguments = [None] * wanted
        for i, kind in sorted(enumerate(self.signature.args), key=lambda one: _is_memory(one[1])):
            given = builder.load(builder.gep(vector, [_word(i)]))
            what = f"argument {i + 1} of {self.entry.name} must be"
            arguments[i] = self._array(given, kind, what) if _is_memory(kind) else self._number(given, kind, what)
        thread = self._python("PyEval_SaveThread", _pointer)
        if self.entry.kind == "kernel":
            fails, result = None, builder.call(self.c_entry, arguments)
        else:
            fails, result = self._call_native(arguments)
        self._python("PyEval_RestoreThread", ir.VoidType(), thread)
        if fails is not None:
            self._demand(builder.not_(fails), f"{self.entry.name} failed", "RuntimeError")
        builder.ret(self._boxed(result))

    def _call_native(self, arguments: Any) -> tuple[Any, Any]:
        convention = self.context.call_conv
        status, result = convention.call_function(
            self.builder, self.native, self.returned, self.signature.args, arguments
        )
        return status.is_error, result

    def _number(self, given: Any, kind: Any, what: str) -> Any:
        """The machine's number; one that does not fit is an OverflowError, what is no number a TypeError."""
        if isinstance(kind, types.Float):
            number = self._python("PyFloat_AsDouble", _real, given)
            self._leave_if_failed(self.builder.fcmp_ordered("==", number, _real(-1.0)))
            return number if kind.bitwidth == 64 else self.builder.fptrunc(number, self.context.get_value_type(kind))
        number = self._signed(given) if kind.signed else self._unsigned(given)
        if kind.bitwidth == 64:
            return number
        narrow = self.builder.trunc(number, ir.IntType(kind.bitwidth))
        widened = self.builder.sext(narrow, _word) if kind.signed else self.builder.zext(narrow, _word)
        fits = self.builder.icmp_unsigned("==", widened, number)
        self._demand(fits, f"{what} in the range of {kind}", "OverflowError")
        return narrow

    def _signed(self, given: Any) -> Any:
        number = self._python("PyLong_AsLongLong", _word, given)
        self._leave_if_failed(self.builder.icmp_signed("==", number, _word(-1)))
        return number

    def _unsigned(self, given: Any) -> Any:
        # Unlike its signed sister, the conversion takes no other objects than Python's own integers.
        index = self._python("PyNumber_Index", _pointer, given)
        self._leave_if_failed(self.builder.icmp_unsigned("==", index, _pointer(None)))
        number = self._python("PyLong_AsUnsignedLongLong", _word, index)
        self._python("Py_DecRef", ir.VoidType(), index)
        self._leave_if_failed(self.builder.icmp_signed("==", number, _word(-1)))
        return number

    def _leave_if_failed(self, suspicious: Any) -> None:
        """Leave with Python's error if there is one; ``suspicious`` says whether it is worth a look."""
        with self.builder.if_then(suspicious, likely=False):
            wrong = self.builder.icmp_unsigned("!=", self._python("PyErr_Occurred", _pointer), _pointer(None))
            with self.builder.if_then(wrong):
                self.builder.ret(_pointer(None))

    def _array(self, given: Any, kind: Any, what: str) -> Any:
        """The memory of an array, after a look at what it is; a row is the array's data alone."""
        builder, b = self.builder, self._field
        row = isinstance(kind, types.CPointer)
        dimensions = None if row else kind.ndim
        text = f"{what} a writable {kind.dtype}{'[::1]' if row else '[' + ':, ' * (kind.ndim - 1) + '::1]'} array"
        numpy_type = self._object("ndarray")
        its_type = b(given, TYPE, _pointer)
        derived = self._python("PyType_IsSubtype", _int, its_type, numpy_type)  # true for the type itself
        self._demand(builder.icmp_signed("!=", derived, _int(0)), text)
        flags = _int(C_CONTIGUOUS | ALIGNED | WRITABLE)
        fits = builder.icmp_signed("==", builder.and_(b(given, FLAGS, _int), flags), flags)
        if dimensions is not None:
            fits = builder.and_(fits, builder.icmp_signed("==", b(given, DIMENSIONS, _int), _int(dimensions)))
        dtype = b(given, DTYPE, _pointer)
        number = b(dtype, DTYPE_NUMBER, _int)
        known = ir.Constant(ir.IntType(1), 0)
        for code in _type_numbers(str(kind.dtype)):
            known = builder.or_(known, builder.icmp_signed("==", number, _int(code)))
        swapped = builder.icmp_signed("==", b(dtype, DTYPE_BYTEORDER, _byte), _byte(ord(_FOREIGN)))
        self._demand(builder.and_(fits, builder.and_(known, builder.not_(swapped))), text)
        data = builder.bitcast(b(given, DATA, _pointer), self.context.get_value_type(kind.dtype).as_pointer())
        if row:
            return data
        array = self.context.make_array(kind)(self.context, builder)
        words = _word.as_pointer()
        lengths, steps = b(given, SHAPE, words), b(given, STRIDES, words)
        shape = [builder.load(builder.gep(lengths, [_word(i)])) for i in range(kind.ndim)]
        strides = [builder.load(builder.gep(steps, [_word(i)])) for i in range(kind.ndim)]
        size = shape[0]
        for length in shape[1:]:
            size = builder.mul(size, length)
        array.data, array.nitems = data, size
        array.itemsize = _word(np.dtype(str(kind.dtype)).itemsize)
        array.shape, array.strides = _packed(builder, shape), _packed(builder, strides)
        array.meminfo, array.parent = _pointer(None), _pointer(None)
        return array._getvalue()

    def _boxed(self, result: Any) -> Any:
        if self.void:
            none = self._object("None")
            self._python("Py_IncRef", ir.VoidType(), none)
            return none
        if isinstance(self.returned, types.Float):
            wide = result if self.returned.bitwidth == 64 else self.builder.fpext(result, _real)
            return self._python("PyFloat_FromDouble", _pointer, wide)
        if self.returned.signed:
            return self._python("PyLong_FromLongLong", _pointer, self.builder.sext(result, _word))
        return self._python("PyLong_FromUnsignedLongLong", _pointer, self.builder.zext(result, _word))

    def _demand(self, fulfilled: Any, message: str, error: str = "TypeError") -> None:
        """Leave with an error unless a condition holds."""
        with self.builder.if_then(self.builder.not_(fulfilled), likely=False):
            text = ir.Constant(ir.ArrayType(_byte, len(message.encode()) + 1), bytearray(message.encode() + b"\0"))
            constant = ir.GlobalVariable(self.module, text.type, self.module.get_unique_name("message"))
            constant.linkage, constant.global_constant, constant.initializer = "private", True, text
            self._python("PyErr_SetString", ir.VoidType(), self._object(error), constant.bitcast(_pointer))
            self.builder.ret(_pointer(None))

    def _field(self, place: Any, offset: int, kind: Any) -> Any:
        field = self.builder.gep(place, [_word(offset)])
        return self.builder.load(self.builder.bitcast(field, kind.as_pointer()))

    def _python(self, name: str, returned: Any, *arguments: Any) -> Any:
        """A call of a function of Python's own."""
        symbol = interpreter_symbol(name)
        function = self.module.globals.get(symbol)
        if function is None:
            shape = ir.FunctionType(returned, [argument.type for argument in arguments])
            function = ir.Function(self.module, shape, symbol)
        return self.builder.call(function, arguments)

    def _object(self, name: str) -> Any:
        """An object of Python's, by its address."""
        symbol = interpreter_symbol(name)
        return self.module.globals.get(symbol) or ir.GlobalVariable(self.module, _byte, symbol)


def _is_memory(kind: Any) -> bool:
    return isinstance(kind, types.CPointer | types.Array)


def _packed(builder: Any, values: list[Any]) -> Any:
    made = ir.Constant(ir.ArrayType(_word, len(values)), ir.Undefined)
    for i, value in enumerate(values):
        made = builder.insert_value(made, value, i)
    return made


def _type_numbers(name: str) -> set[int]:
    """Numpy's numbers of a type; two of C's integer types may be the same size."""
    wanted = np.dtype(name)
    return {kind.num for kind in map(np.dtype, np.typecodes["AllInteger"] + "fd") if kind == wanted}


_FOREIGN = ">" if np.little_endian else "<"
