"""Entries of kernels that take arrays out of tuples in a loop, in place of code for each array.

To be entered from Python a kernel has its arguments taken apart. For a tuple of arrays numba writes that out for each:
what is called, how that may fail, and twice what gives it back, once for the case that a later one fails. Here a tuple
that holds more than a few has a table of where its arrays lie, and a loop over it. Each array is taken out by the same
function as before, and what is passed to the kernel is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llvmlite import ir
from numba.core import callwrapper, cgutils, types
from numba.np import numpy_support

_ir: Any = ir
_cgutils: Any = cgutils
_Arguments: Any = vars(callwrapper)["_ArgManager"]
_numpy: Any = numpy_support
_add_slowly = _Arguments.add_arg
_WORD = _ir.IntType(64)
_CODE = _ir.IntType(32)
_BYTES = _ir.IntType(8).as_pointer()
_ITEMSIZE = 24  # bytes into an array's structure
_FEW = 2  # arrays, for which a loop is no shorter
_SCALARS = (types.Integer, types.Float, types.Boolean)


def shorten_entries() -> None:
    """Have numba make such entries, from now on and in the whole process."""
    _Arguments.add_arg = _add_argument


def _add_argument(manager: Any, given: Any, kind: Any) -> Any:
    """Emit what takes one argument of Python apart, and what gives it back; the value that the kernel gets."""
    if not isinstance(kind, types.BaseTuple) or not _is_plain(kind) or _arrays_in(kind) <= _FEW:
        return _add_slowly(manager, given, kind)
    builder, context = manager.builder, manager.context
    place = _cgutils.alloca_once(builder, context.get_value_type(kind))
    failed = _cgutils.alloca_once_value(builder, _cgutils.false_bit)
    offsets = list[int]()
    _take(manager, kind, given, place, failed, 0, offsets)
    with _cgutils.if_unlikely(builder, builder.load(failed)):
        builder.branch(manager.nextblk)

    def give_back() -> None:
        release = _function(builder, "NRT_decref", _ir.VoidType(), [_BYTES])
        with _each(manager, [offsets]) as (offset,):
            builder.call(release, [builder.load(builder.bitcast(_at(builder, place, offset), _BYTES.as_pointer()))])

    manager.cleanups.append(give_back)
    block = builder.append_basic_block(f"arg{manager.arg_count}.err")
    with builder.goto_block(block):
        give_back()
        builder.branch(manager.nextblk)
    manager.nextblk = block
    manager.arg_count += 1
    return builder.load(place)


def _take(manager: Any, kind: Any, given: Any, place: Any, failed: Any, base: int, offsets: list[int]) -> None:
    """Emit what takes a tuple apart into a place, `base` bytes into that of the whole argument."""
    builder, context, api = manager.builder, manager.context, manager.api
    size = api.tuple_size(given)
    fits = builder.icmp_unsigned("==", size, size.type(len(kind)))
    with _cgutils.if_unlikely(builder, builder.not_(fits)):
        text = f"size mismatch for tuple, expected {len(kind)} element(s) but got %zd"
        api.err_format("PyExc_ValueError", text, size)
        builder.branch(manager.nextblk)
    layout = context.get_value_type(kind)
    own, numbers, sizes = list[int](), list[int](), list[int]()
    for number, inner in enumerate(kind):
        offset = _offset(context, layout, number)
        if type(inner) is types.Array:
            own.append(offset)
            numbers.append(number)
            sizes.append(_numpy.as_dtype(inner.dtype).itemsize)
            continue
        item, target = api.tuple_getitem(given, number), _cgutils.gep_inbounds(builder, place, 0, number)
        if isinstance(inner, types.BaseTuple):
            _take(manager, inner, item, target, failed, base + offset, offsets)
            continue
        native = api.to_native_value(inner, item)
        builder.store(native.value, target)
        builder.store(builder.or_(builder.load(failed), native.is_error), failed)
    offsets.extend(base + offset for offset in own)
    if own:
        _take_arrays(manager, given, place, failed, own, numbers, sizes)


def _take_arrays(
    manager: Any, given: Any, place: Any, failed: Any, offsets: list[int], numbers: list[int], sizes: list[int]
) -> None:
    """Emit the loop over the arrays of a tuple."""
    builder, api = manager.builder, manager.api
    get = _function(builder, "PyTuple_GetItem", api.pyobj, [api.pyobj, _WORD])
    adapt = _function(builder, "NRT_adapt_ndarray_from_python", _CODE, [api.pyobj, _BYTES])
    with _each(manager, [offsets, numbers, sizes]) as (offset, number, itemsize):
        array = _at(builder, place, offset)
        code = builder.call(adapt, [builder.call(get, [given, number]), array])
        found = builder.load(builder.bitcast(_at(builder, array, _WORD(_ITEMSIZE)), _WORD.as_pointer()))
        wrong = builder.or_(builder.icmp_unsigned("!=", code, _CODE(0)), builder.icmp_unsigned("!=", found, itemsize))
        with _cgutils.if_unlikely(builder, wrong):
            text = "can't unbox array from PyObject into native value.  The object maybe of a different type"
            api.err_set_string("PyExc_TypeError", text)
            builder.store(_cgutils.true_bit, failed)


@contextmanager
def _each(manager: Any, tables: list[list[int]]) -> Iterator[list[Any]]:
    """Emit a loop over tables of a length that LLVM cannot see, for it would write out each round; gives the
    numbers of one."""
    builder = manager.builder
    length = builder.asm(_ir.FunctionType(_WORD, [_WORD]), "", "=r,0", [_WORD(len(tables[0]))], False)
    with _cgutils.for_range(builder, length) as loop:
        yield [builder.load(builder.gep(_table(builder, each), [_CODE(0), loop.index])) for each in tables]


def _table(builder: Any, numbers: list[int]) -> Any:
    """Numbers that the machine code holds."""
    kind = _ir.ArrayType(_WORD, len(numbers))
    name = builder.module.get_unique_name("entry")
    return _cgutils.global_constant(builder, name, kind(list(map(_WORD, numbers))))


def _at(builder: Any, place: Any, offset: Any) -> Any:
    """Emit the address so many bytes into a place."""
    return builder.gep(builder.bitcast(place, _BYTES), [offset])


def _offset(context: Any, layout: Any, number: int) -> int:
    """Where a part of a structure, or of an array of equal parts, lies."""
    if isinstance(layout, _ir.ArrayType):
        return number * int(layout.element.get_abi_size(context.target_data))
    return int(layout.get_element_offset(context.target_data, number))


def _function(builder: Any, name: str, returns: Any, arguments: list[Any]) -> Any:
    return _cgutils.get_or_insert_function(builder.module, _ir.FunctionType(returns, arguments), name)


def _is_plain(kind: Any) -> bool:
    """Tell whether a value is an array, a number, or a tuple of such."""
    if isinstance(kind, types.BaseTuple):
        return all(map(_is_plain, kind))  # type: ignore[arg-type]
    return type(kind) is types.Array or isinstance(kind, _SCALARS)


def _arrays_in(kind: Any) -> int:
    return sum(map(_arrays_in, kind)) if isinstance(kind, types.BaseTuple) else int(type(kind) is types.Array)  # type: ignore[arg-type]
