"""The dispatcher of kernels: one compiled function for each layout of arguments, large ones called by symbol.

numba links the code of every function that a kernel calls into the kernel and optimises all of it again; of four
instructions that it emitted for Sinew three were copies. Here a kernel whose own code is larger than `_INLINED` is
never linked into its callers: these name it as an external symbol, which the loader of machine code finds once the
kernel itself is loaded (`_publish`). Whatever is that large would not have been inlined anyway. A kernel that is always
to be put into its callers (`limits/inlined.py`) is linked whatever its size.

numba also compiles a kernel anew for each constant that it is called with, for whole numbers of 32 bits, and for
arrays that may only be read. Here these share the code for any number, and for arrays that may be written (`plain`).
Nothing in that code keeps a kernel from writing into an array that may only be read. The guard of the tests
(guard.py) finds out where such an array is an argument of a call from Python; not where it lies in a tuple, nor where
it is a constant that a kernel hands to another.

A kernel that was only ever called by kernels has no entry from Python, which is a sixth of the time to compile; it is
compiled once more, with one, when Python calls it (`KernelDispatcher.compile`). No kernel has an entry from C, which
numba makes for each and nobody here calls. What is only linked into callers has no machine code of its own.

numba optimises each function by itself before it optimises the whole of a kernel, in which that is done once more: a
sixth of the time to compile, left out here.

A kernel that is marked as lazy (`engine.runtime.jit.lazy_kernel`) is called by the symbol of a stub, and compiled when
that is first called (lazy.py).

The rooms of `_INNER` are compiled as numba does it up to a larger size, callees included, for their kernels are the
innermost loops of simulations: with all called by symbol, forward dynamics takes 1.4 times as long and inverse dynamics
1.6 times.

A kernel that kernels call and Python, too, may say so (`engine.runtime.jit.entered_kernel`): it is compiled once, with
an entry.
"""

from __future__ import annotations

import copy
import hashlib
from collections.abc import Iterable, Sequence
from importlib import import_module
from itertools import islice
from typing import Any, NamedTuple

import llvmlite.binding as llvm
from numba.core import codegen, registry, sigutils, types
from numba.core.compiler_lock import global_compiler_lock

from engine.runtime.claims import claimed
from engine.runtime.giving_way import give_way
from engine.runtime.kernel_digest import kernel_digest
from engine.runtime.lazy import Stub, make_stub, returned
from engine.runtime.quick_numba import quicken
from engine.runtime.rooms import room_of
from engine.runtime.short_entries import shorten_entries
from engine.runtime.short_errors import shorten_errors

_Library: Any = codegen.JITCodeLibrary
_Dispatcher: Any = registry.CPUDispatcher
_typing: Any = import_module("numba.core.typing")

_INNER = ("dynamics",)
_INLINED = 120  # LLVM instructions, about what the inliner takes
_INLINED_INNER = 1500  # likewise of all that is in the module with it
_PREFIX = "sinew."
_LAZY = "sinew.lazy."


class Compiling(NamedTuple):
    """The present compilation of a kernel: whether it is an inner one, whether Python can enter it, and if it is only
    linked into callers unless it is large, the name of its library."""

    inner: bool
    entered: bool
    linked: str


class Callee(NamedTuple):
    """A kernel that another calls by symbol: where it is, and for which types of arguments."""

    symbol: str
    module: str
    name: str
    arguments: tuple[Any, ...]


_published: dict[str, tuple[Callee, Any]] = {}  # and the library that holds the code
_compiling: list[Compiling] = []  # the present kernel last; with the compiler's lock held
_optimize_functions = _Library._optimize_functions
_Codegen: Any = codegen.JITCPUCodegen
_set_env_slowly = _Codegen.set_env
_finalize_slowly, _serialize_slowly = _Library._finalize_final_module, _Library.serialize_using_object_code


def _optimize(library: Any, module: Any) -> None:
    if _compiling and not _compiling[-1].inner:
        module.data_layout = library._codegen._data_layout
    else:
        _optimize_functions(library, module)


def _finalize(library: Any) -> None:
    """Make machine code, unless it is only linked into callers, who make it anew."""
    if _is_linked_only(library):
        library._finalized = library.is_linked_only = True
    else:
        _finalize_slowly(library)


def _is_linked_only(library: Any) -> bool:
    if not (_compiling and _compiling[-1].linked == library.name) or getattr(library, "_compiled_object", None):
        return False
    module = library._final_module
    own = [each for each in module.functions if not each.is_declaration and each.linkage == llvm.Linkage.external]
    return not _is_large(module, own, inner=_compiling[-1].inner)


def _serialize(library: Any) -> Any:
    """Write down code to keep it: of what is only linked there is nothing else to keep."""
    if getattr(library, "is_linked_only", False):
        return library.name, "bitcode", library._get_module_for_linking().as_bitcode()
    return _serialize_slowly(library)


def _set_env(made: Any, name: str, env: Any) -> None:
    """Tell machine code where its kernel keeps what it needs of Python; there may be no machine code."""
    if made._engine.get_global_value_address(name):
        _set_env_slowly(made, name, env)


_Library._optimize_functions = _optimize
_Codegen.set_env = _set_env
_Library._finalize_final_module, _Library.serialize_using_object_code = _finalize, _serialize
quicken()
shorten_errors()
shorten_entries()


class KernelDispatcher(_Dispatcher):  # type: ignore[misc]
    """numba's dispatcher, except that calls between kernels are plain in their types and large kernels stay apart."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._compiler._customize_flags = _without_entry
        self.is_lazy = self.is_called_by_both = False
        self._stubs: dict[tuple[Any, ...], Stub] = {}

    def compile(self, sig: Any) -> Any:
        """Load or compile one specialisation to be called from Python; its entry point.

        Arrays that may only be read have none of their own. Raises GaveWay where another purpose is wanted first.
        """
        if not _compiling:
            give_way()
        return self._compiled(sig, entered=True)

    def compile_inner(self, sig: Any) -> Any:
        """Load or compile one specialisation that kernels call."""
        return self._compiled(sig, entered=self.is_called_by_both)

    def _compiled(self, sig: Any, *, entered: bool) -> Any:
        arguments = tuple(sigutils.normalize_signature(sig)[0])
        if not self._has(arguments, entered):
            with global_compiler_lock:
                if not self._has(arguments, entered):
                    self._make(sig, arguments, entered)
        return self.overloads[arguments].entry_point

    def _has(self, arguments: tuple[Any, ...], entered: bool) -> bool:
        found = self.overloads.get(arguments)
        return found is not None and (is_entered(found.library) or not entered)

    def _make(self, sig: Any, arguments: tuple[Any, ...], entered: bool) -> None:
        shared = tuple(map(plain, arguments))
        if shared != arguments:
            self._compiled(shared, entered=entered)
            if entered:
                self._insert([each._code for each in arguments], self.overloads[shared].entry_point, False)
            self.overloads[arguments] = self.overloads[shared]
            return
        self.overloads.pop(arguments, None)  # which Python cannot enter
        linked = "" if entered or self.is_lazy else self.py_func.__qualname__
        _compiling.append(Compiling(self._is_inner, entered, linked))
        try:
            with claimed(f"{_name(self)} {arguments}"):
                super().compile(sig)
        finally:
            _compiling.pop()
        if is_apart(self.overloads[arguments].library):
            _publish(self, self.overloads[arguments])

    def add_overload(self, cres: Any) -> None:
        """Take a specialisation; one that was just compiled and will be kept on disk is set apart if it is large.

        One that is always to be put into its callers never is.
        """
        if cres.metadata is not None:  # compiled, not loaded
            cres.library.is_entered = _compiling[-1].entered
        if is_entered(cres.library):
            super().add_overload(cres)
        else:
            self.overloads[tuple(cres.signature.args)] = cres
        if self.targetoptions.get("forceinline"):
            return
        is_kept = getattr(self._cache, "keeps_symbols", False) and cres.metadata is not None
        if is_kept:
            own = cres.library.get_function(cres.fndesc.llvm_func_name)
            if _is_large(cres.library._final_module, [own], inner=self._is_inner):
                set_apart(cres.library)

    @property
    def _is_inner(self) -> bool:
        return room_of(self.py_func.__module__) in _INNER

    def get_call_template(self, args: Sequence[Any], kws: Any) -> Any:
        """Tell a kernel that calls this one what it returns."""
        plain_kws = {name: plain(each) for name, each in kws.items()}
        signature, folded = self._compiler.fold_argument_types(tuple(map(plain, args)), plain_kws)
        self.provide_inner(tuple(folded))
        name, stubs = self.py_func.__name__, [stub.signature for stub in self._stubs.values()]
        template = _typing.make_concrete_template(
            f"CallTemplate({name})", name, stubs if self.is_lazy else self.nopython_signatures
        )
        return template, signature, folded, {}

    def get_overload(self, sig: Any) -> Any:
        """Find what a kernel calls that calls this one."""
        stub = self._stubs.get(tuple(sigutils.normalize_signature(sig)[0]))
        return super().get_overload(sig) if stub is None else stub.key

    def provide_inner(self, arguments: tuple[Any, ...]) -> None:
        """Make one specialisation known by its symbol, for kernels that call it."""
        if not self.is_lazy:
            self.compile_inner(arguments)
            return
        with global_compiler_lock:
            if arguments not in self._stubs:
                self._stubs[arguments] = _publish_stub(self, arguments)

    def fill_stubs(self) -> None:
        """Compile or load what stubs call that nobody has called yet."""
        for arguments in list(self._stubs):
            self.compile_inner(arguments)


def _without_entry(flags: Any) -> Any:
    """The options of one compilation, which makes no entry from Python where none is needed, and none from C."""
    flags.no_cpython_wrapper = not is_entered_now()
    flags.no_cfunc_wrapper = True
    return flags


def is_entered_now() -> bool:
    """Tell whether the kernel that is being compiled can be entered by Python."""
    return not _compiling or _compiling[-1].entered


def plain(kind: Any) -> Any:
    """A type of argument without what it says of one call: the value of a constant, the size of a whole number, that an
    array may only be read."""
    kind = types.unliteral(kind)
    if kind in types.signed_domain:
        return types.int64
    if isinstance(kind, types.Array) and not kind.mutable:
        return kind.copy(readonly=False)
    return kind


def set_apart(library: Any) -> None:
    """Have compiled code called by symbol: there is nothing of it to link."""
    library._shared_module = llvm.parse_assembly(str(library._codegen._create_empty_module(library.name)))
    library.is_apart = True


def is_apart(library: Any) -> bool:
    """Tell whether a kernel's code is called by symbol, not linked."""
    return getattr(library, "is_apart", False)


def is_entered(library: Any) -> bool:
    """Tell whether Python can enter a kernel's code."""
    return getattr(library, "is_entered", True)


def declare_symbols(context: Any, description: Any, *, entered: bool) -> None:
    """Tell numba which symbols stored code holds that is called by symbol."""
    names = [description.llvm_func_name] + [description.llvm_cpython_wrapper_name] * entered
    context.codegen()._engine._defined_symbols.update(names)


def callees_of(library: Any) -> tuple[Callee, ...]:
    """The kernels that newly compiled code calls by symbol."""
    declared = (each.name for each in library._final_module.functions if each.is_declaration)
    return tuple(_published[name][0] for name in declared if name.startswith(_PREFIX))


def provide(callees: Sequence[Callee]) -> bool:
    """Load, or compile, the kernels that stored code calls; False where one is no longer what that code was made for.

    It comes before that code is loaded, since a symbol that is not found ends the process.
    """
    for callee in callees:
        if callee.symbol not in _published:
            kernel: Any = import_module(callee.module)
            for name in callee.name.split("."):
                kernel = getattr(kernel, name)
            kernel.provide_inner(callee.arguments)
    return all(callee.symbol in _published for callee in callees)


def _symbol(kernel: Any, arguments: tuple[Any, ...], prefix: str = _PREFIX) -> str:
    key = hashlib.sha256(f"{kernel_digest(kernel)} {arguments!r}".encode()).hexdigest()[:16]
    return f"{prefix}{_name(kernel)}.{key}"


def _name(kernel: Any) -> str:
    return f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"


def _publish_stub(kernel: Any, arguments: tuple[Any, ...]) -> Stub:
    """Make a stub of a kernel and make it known by its symbol."""
    symbol, returns, function = _symbol(kernel, arguments, _LAZY), returned(kernel.py_func), kernel.py_func

    def address() -> int:
        kernel.compile_inner(arguments)
        result = kernel.overloads[arguments]
        if result.signature.return_type != returns:
            raise TypeError(f"{_name(kernel)} returns {result.signature.return_type}, its annotation says {returns}")
        return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))

    stub = make_stub(symbol, _name(kernel), returns, arguments, address)
    _published[symbol] = Callee(symbol, function.__module__, function.__qualname__, arguments), stub
    return stub


def _publish(kernel: Any, result: Any) -> None:
    """Make a loaded kernel known by its symbol, and have other kernels call it so."""
    context, arguments, function = result.target_context, tuple(result.signature.args), kernel.py_func
    symbol = _symbol(kernel, arguments)
    if symbol not in _published:  # else callers know the code that was there before, which is the same
        llvm.add_symbol(symbol, result.library.get_pointer_to_function(result.fndesc.llvm_func_name))
        _published[symbol] = Callee(symbol, function.__module__, function.__qualname__, arguments), result.library
    description = copy.copy(result.fndesc)
    description.mangled_name = symbol
    context.remove_user_function(result.entry_point)
    context.insert_user_function(result.entry_point, description)


def _is_large(module: Any, own: Iterable[Any], *, inner: bool) -> bool:
    """Tell whether callers call a kernel by its symbol: by its own functions, or with all that is linked into it."""
    return _have_more_than(module.functions if inner else own, _INLINED_INNER if inner else _INLINED)


def _have_more_than(functions: Iterable[Any], most: int) -> bool:
    instructions = (each for function in functions for block in function.blocks for each in block.instructions)
    return next(islice(instructions, most, None), None) is not None
