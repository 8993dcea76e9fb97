"""The machine code of each operation of ``operations``, as numba asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core.typing import templates
from numba.extending import typeof_impl

from evalsmith.compile import operations
from evalsmith.compile.layout import table_symbol
from evalsmith.compile.signatures import TYPES, numba_signature, types
from evalsmith.compile.slots import Rows

_templates: Any = templates
_word, _bit = ir.IntType(64), ir.IntType(1)


def template(operation: Any, define: Callable[..., Any], name: str) -> Any:
    """Numba's type of an operation; ``define(typing context, argument types …)`` gives a signature and a generator."""
    return types.Function(_templates.make_intrinsic_template(operation, define, name, kwargs={}))


def _register(operation: Callable[..., Any]) -> Callable[[Callable[..., Any]], None]:
    def register(define: Callable[..., Any]) -> None:
        _templates.infer_global(operation, template(operation, define, operation.__name__))

    return register


# ── Words ───────────────────────────────────────────────────────────────────────────────────────


def _of_word(operation: Callable[..., Any], result: Any, emit: Callable[[Any, Any], Any]) -> None:
    """An operation on one uint64; ``emit(builder, value)`` writes its code."""

    @_register(operation)
    def define(typing_context: Any, x: Any) -> Any:
        return result(types.uint64), lambda context, builder, signature, arguments: emit(builder, arguments[0])


_of_word(operations.popcount, types.int64, lambda b, x: b.ctpop(x))
_of_word(operations.lowest, types.uint64, lambda b, x: b.and_(x, b.neg(x)))
_of_word(operations.scan, types.int64, lambda b, x: b.cttz(x, _bit(0)))
_of_word(operations.scan_reverse, types.int64, lambda b, x: b.sub(_word(63), b.ctlz(x, _bit(0))))


# ── Memory and time ─────────────────────────────────────────────────────────────────────────────


@_register(operations.clock)
def _clock(typing_context: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.LiteralStructType([_word, _word])
        with builder.goto_entry_block():
            moment = builder.alloca(kind)
        shape = ir.FunctionType(ir.IntType(32), [ir.IntType(32), kind.as_pointer()])
        function = builder.module.globals.get("clock_gettime") or ir.Function(builder.module, shape, "clock_gettime")
        builder.call(function, [ir.IntType(32)(time.CLOCK_MONOTONIC), moment])
        now = builder.load(moment)
        seconds, rest = builder.extract_value(now, 0), builder.extract_value(now, 1)
        return builder.add(builder.mul(seconds, _word(1_000_000_000)), rest)

    return types.int64(), generate


@_register(operations.volatile)
def _volatile(typing_context: Any, row: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        # An acquiring load is never hoisted out of a loop, and costs no more than a plain one here.
        return builder.load_atomic(builder.gep(arguments[0], [arguments[1]]), "acquire", 8)

    return types.int64(TYPES["integers"], types.int64), generate


@_register(operations.prefetch)
def _prefetch(typing_context: Any, row: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        shape = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", [byte], shape)
        place = builder.bitcast(builder.gep(arguments[0], [arguments[1]]), byte)
        # To be read, kept near, as data.
        builder.call(function, [place, number(0), number(3), number(1)])
        return context.get_dummy_value()

    return types.void(TYPES["words"], types.int64), generate


@_register(operations.exchange)
def _exchange(typing_context: Any, row: Any, index: Any, old: Any, new: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        place = builder.gep(arguments[0], [arguments[1]])
        pair = builder.cmpxchg(place, arguments[2], arguments[3], "seq_cst", "acquire")
        return builder.zext(builder.extract_value(pair, 1), _word)

    return types.int64(TYPES["integers"], types.int64, types.int64, types.int64), generate


@_register(operations.add_lanes)
def _add_lanes(typing_context: Any, sums: Any, row: Any, factor: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        wide, narrow = (ir.VectorType(ir.IntType(bits), operations.LANES) for bits in (32, 16))
        place = builder.bitcast(arguments[0], wide.as_pointer())
        added = builder.sext(builder.load(builder.bitcast(arguments[1], narrow.as_pointer()), align=2), wide)
        first, undefined = ir.IntType(32)(0), ir.Constant(wide, ir.Undefined)
        single = builder.insert_element(undefined, builder.trunc(arguments[2], ir.IntType(32)), first)
        factors = builder.shuffle_vector(single, undefined, ir.Constant(wide, None))
        builder.store(builder.add(builder.load(place, align=4), builder.mul(added, factors)), place, align=4)
        return context.get_dummy_value()

    return types.void(TYPES["indices"], TYPES["values"], types.int64), generate


@_register(operations.pointer)
def _pointer(typing_context: Any, array: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.make_array(array)(context, builder, arguments[0]).data

    return types.CPointer(array.dtype)(array), generate


@_register(operations.at)
def _at(typing_context: Any, row: Any, offset: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [arguments[1]])

    return row(row, types.int64), generate


def _row_at(operation: Callable[..., Any], kind: Any) -> None:
    @_register(operation)
    def define(typing_context: Any, place: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(kind))

        return kind(types.int64), generate


for _name in ("words", "integers", "indices", "values", "reals"):
    _row_at(getattr(operations, f"{_name}_at"), TYPES[_name])


# ── Operations that a module makes for itself ───────────────────────────────────────────────────


def _call(made: operations.Caller) -> Callable[..., Any]:
    target = numba_signature(made.signature)

    def define(typing_context: Any, place: Any, arguments: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, given: Any) -> Any:
            kinds = [context.get_value_type(kind) for kind in target.args]
            void = target.return_type == types.void
            returned = ir.VoidType() if void else context.get_value_type(target.return_type)
            function = builder.inttoptr(given[0], ir.FunctionType(returned, kinds).as_pointer())
            result = builder.call(function, [builder.extract_value(given[1], i) for i in range(len(kinds))])
            return context.get_dummy_value() if void else result

        return target.return_type(types.int64, types.Tuple(target.args)), generate

    return define


def _table(made: operations.Table) -> Callable[..., Any]:
    symbol, kind = table_symbol(made.name), types.CPointer(getattr(types, made.array.dtype.name))

    def define(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            known = builder.module.globals.get(symbol)
            return known or ir.GlobalVariable(builder.module, context.get_value_type(kind.dtype), symbol)

        return kind(), generate

    return define


def _scratch(made: operations.Scratch) -> Callable[..., Any]:
    kind = TYPES[made.kind]

    def define(typing_context: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            with builder.goto_entry_block():
                return builder.alloca(context.get_value_type(kind.dtype), made.size)

        return kind(), generate

    return define


def _rows(made: Rows) -> Callable[..., Any]:
    kind = TYPES[made.kind]

    def define(typing_context: Any, row: Any, index: Any = 0) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            def number(slot: int) -> Any:
                return builder.load(builder.gep(arguments[0], [_word(slot)]))

            length = _word(made.length) if made.length_in is None else number(made.length_in)
            pointed = builder.inttoptr(number(made.slot), context.get_value_type(kind))
            return builder.gep(pointed, [builder.mul(arguments[1], length)])

        return kind(TYPES["integers"], types.int64), generate

    return define


_made: dict[Any, Any] = {}


def _type_of(definition: Callable[[Any], Callable[..., Any]]) -> Callable[[Any, Any], Any]:
    def type_of(made: Any, context: Any) -> Any:
        if made not in _made:
            _made[made] = template(made, definition(made), type(made).__name__)
        return _made[made]

    return type_of


typeof_impl.register(operations.Caller)(_type_of(_call))
typeof_impl.register(operations.Table)(_type_of(_table))
typeof_impl.register(operations.Scratch)(_type_of(_scratch))
typeof_impl.register(Rows)(_type_of(_rows))
