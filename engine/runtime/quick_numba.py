"""Caches of numba's repeated work while it compiles, which save a third of the time to compile.

Machine code stays the same, byte for byte, which a test compares. Left alone, numba

- tries, for each operation of a kernel, all ways in which that can be typed, and raises an error with its text for each
  that does not fit (`_get_call_type`);
- measures for every kernel that is being compiled each time that its locks are held, and tells nobody of every pass
  (`_start_event`);
- reads each option of a compilation by a property to compare it (`_values`);
- looks for variables in every attribute of each instruction, most of which are text (`_list_vars`), and again for all
  that a block uses (`_compute_use_defs`);
- works out after each pass which variables live where each block begins, which only generators and interpreted code
  ask for (`_post_process`);
- imports all modules that declare functions for each kernel again (`_load_registries`);
- tries before each kernel whether LLVM writes numbers right (`_check_once`);
- makes a generator for each instruction, to tell where an error came from (`ErrorContext`), and writes each
  instruction into a log that nobody reads (`_run_ssa_block_pass`);
- inspects the signature of each function that lowers an operation whenever it is used (`_has_loc`);
- takes every array, and every tuple of arrays, apart into all its numbers whenever it counts references, to find the
  one that has a count (`_get_meminfos`): a quarter of the instructions of soft bodies that LLVM was given.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any
from weakref import WeakKeyDictionary

from numba.core import analysis, base, codegen, cpu, errors, ir, postproc, ssa, targetconfig, transforms, utils
from numba.core.runtime import context as runtime_context
from numba.core.target_extension import get_local_target
from numba.core.types import functions
from numba.core.typing import context as typing_context
from numba.core.typing import templates

_event: Any = import_module("numba.core.event")
_Function: Any = functions.BaseFunction
_without_value: Any = vars(functions)["_unlit_non_poison"]
_Overload: Any = templates._OverloadFunctionTemplate
_Var: Any = ir.Var
_Instruction: Any = ir.Inst
_get_call_type_slowly = _Function.get_call_type
_start_event_slowly, _end_event_slowly = _event.start_event, _event.end_event
_Processor: Any = postproc.PostProcessor
_post_process_slowly = _Processor.run
_Assign: Any = ir.Assign
_Blocks = dict[int, Any]
_users_of_use_defs: tuple[Any, ...] = tuple(
    import_module(f"numba.core.{name}") for name in ("analysis", "untyped_passes", "inline_closurecall", "ir_utils")
)
_special: dict[type, Any] = analysis.ir_extension_usedefs
_UseDefs: Any = vars(analysis)["_use_defs_result"]
_contexts: tuple[Any, ...] = (cpu.CPUContext, typing_context.Context)
_load_slowly = {kind: kind.load_additional_registries for kind in _contexts}
_loaded: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()  # registries of each context
_Codegen: Any = codegen.CPUCodegen
_error_context_slowly: Any = vars(errors)["new_error_context"]
_errors: Any = errors
_has_loc_slowly: Any = vars(base)["_has_loc"]
_Runtime: Any = runtime_context.NRTContext


def quicken() -> None:
    """Have numba do these things once, from now on and in the whole process."""
    _Function.get_call_type = _get_call_type
    _event.install_timer, _event.start_event, _event.end_event = _install_no_timer, _start_event, _end_event
    config: Any = targetconfig.TargetConfig
    config.values = _values
    expression: Any = ir.Expr
    _Assign.list_vars, expression.list_vars = _list_vars_of_assign, _list_vars_of_expression
    for user in _users_of_use_defs:
        user.compute_use_defs = _compute_use_defs
    _Processor.run = _post_process
    for kind in _contexts:
        kind.load_additional_registries = _load_registries
    _Codegen._check_llvm_bugs = _check_once(_Codegen._check_llvm_bugs)
    for module in [each for name, each in sys.modules.items() if name.startswith("numba.")]:
        if vars(module).get("new_error_context") is _error_context_slowly:
            vars(module)["new_error_context"] = ErrorContext
    vars(ssa)["_run_ssa_block_pass"] = _run_ssa_block_pass
    vars(base)["_has_loc"] = _has_loc
    _Runtime.get_meminfos = _get_meminfos


def _get_call_type(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Find how a function is called with these types; which way fits is remembered.

    A way that numba overloads is gone again, since that also sets which code is called under the present options.
    """
    known = function.__dict__.setdefault("_known_calls", {})
    key = context, tuple(args), tuple(kws.items())
    if key in known:
        template, literal, signature = known[key]
        return signature or _apply(function, template(context), literal, args, kws)
    function._depth += 1
    try:
        for template in utils.order_by_target_specificity(
            get_local_target(context), function.templates, fnkey=function.key[0]
        ):
            trial = template(context)
            for literal in (True, False) if trial.prefer_literal else (False, True):
                signature = _try(function, trial, literal, args, kws)
                if signature is not None:
                    known[key] = template, literal, None if issubclass(template, _Overload) else signature
                    return signature
    finally:
        function._depth -= 1
    return _get_call_type_slowly(function, context, args, kws)  # which says what does not fit


def _try(function: Any, trial: Any, literal: bool, args: Any, kws: Any) -> Any:
    try:
        return _apply(function, trial, literal, args, kws)
    except errors.NumbaError:
        return None


def _apply(function: Any, trial: Any, literal: bool, args: Any, kws: Any) -> Any:
    if not literal:
        args = tuple([_without_value(each) for each in args])
        kws = {name: _without_value(each) for name, each in kws.items()}
    signature = trial.apply(args, kws)
    if signature is not None:
        function._impl_keys[signature.args] = trial.get_impl_key(signature)
    return signature


def _install_no_timer(_kind: str, _callback: object) -> contextlib.AbstractContextManager[None]:
    """Measure nothing."""
    return contextlib.nullcontext()


def _start_event(kind: str, data: object = None) -> None:
    """Tell that something begins, if anybody listens."""
    if _event._registered.get(kind):
        _start_event_slowly(kind, data)


def _end_event(kind: str, data: object = None, exc_details: object = None) -> None:
    """Tell that something has ended, if anybody listens."""
    if _event._registered.get(kind):
        _end_event_slowly(kind, data, exc_details)


def _values(config: Any) -> dict[str, Any]:
    """All options of a compilation."""
    given = config._values
    return {name: given.get(name, option.default) for name, option in config.options.items()}


def _list_vars_of_assign(assign: Any) -> list[Any]:
    """The variables that an assignment writes and reads."""
    value = assign.value
    if isinstance(value, _Var):
        return [assign.target, value]
    return [assign.target, *value.list_vars()] if isinstance(value, _Instruction) else [assign.target]


def _list_vars_of_expression(expression: Any) -> list[Any]:
    """The variables that an expression reads."""
    found: list[Any] = []
    for each in expression._kws.values():
        kind = type(each)
        if kind is _Var:
            found.append(each)
        elif kind is tuple or kind is list:
            for inner in each:
                if type(inner) is _Var:
                    found.append(inner)
                elif inner is not None:
                    found.extend(expression._rec_list_vars(inner))
        elif each is not None and kind is not str:
            found.extend(expression._rec_list_vars(each))
    return found


def _compute_use_defs(blocks: _Blocks) -> Any:
    """Find the names of variables that each block uses before it defines them, and of those that it defines."""
    uses: dict[int, set[str]] = {}
    definitions: dict[int, set[str]] = {}
    for offset, block in blocks.items():
        used, defined = uses.setdefault(offset, set()), definitions.setdefault(offset, set())
        for statement in block.body:
            kind = type(statement)
            if kind in _special:
                _special[kind](statement, used, defined)
                continue
            variables = statement.list_vars()
            if kind is _Assign:
                target = statement.target
                names = [each.name for each in variables[1:]]  # the target is the first
                if target.name in names:
                    names.append(target.name)
                else:
                    defined.add(target.name)
            else:
                names = [each.name for each in variables]
            used.update(each for each in names if each not in defined)
    return _UseDefs(usemap=uses, defmap=definitions)


def _post_process(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Bring the blocks of a function into the form that the next pass needs."""
    function = processor.func_ir
    if function.is_generator:
        _post_process_slowly(processor, emit_dels, extend_lifetimes)
        return
    function.blocks = transforms.canonicalize_cfg(function.blocks)
    function.variable_lifetime = postproc.VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        processor._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _load_registries(context: Any) -> None:
    """Declare to a context what has come into its registries; their modules are imported once."""
    known = _loaded.get(context)
    if known is not None:
        for registry in known:
            context.install_registry(registry)
        return
    found: list[Any] = []
    install = context.install_registry

    def note(registry: Any) -> None:
        found.append(registry)
        install(registry)

    context.install_registry = note
    try:
        next(_load_slowly[kind] for kind in _contexts if isinstance(context, kind))(context)
    finally:
        del context.install_registry
    _loaded[context] = found


def _check_once(check: Any) -> Any:
    """Let a check without arguments be made once."""
    return cache(check)


class ErrorContext:
    """Tell an error of the compiler what was being compiled."""

    __slots__ = ("_arguments", "_message", "_named")

    def __init__(self, message: Any, *arguments: Any, **named: Any) -> None:
        self._message, self._arguments, self._named = message, arguments, named
        place = named.get("loc")
        if place is not None and not place.filename.startswith(_errors._numba_path):
            _errors.loc_info.update(named)

    def __enter__(self) -> None:
        """Nothing is to be done."""

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        """Add the message to an error of the compiler, which goes on."""
        if isinstance(error, errors.NumbaError):
            error.add_context(_errors._format_msg(self._message, self._arguments, self._named))


def _run_ssa_block_pass(states: Any, block: Any, handler: Any) -> Iterator[Any]:
    """Hand each statement of a block to a pass; yields what it makes of it."""
    for statement in block.body:
        if isinstance(statement, _Assign):
            yield handler.on_assign(states, statement)
        else:
            yield handler.on_other(states, statement)


def _has_loc(function: Any) -> bool:
    """Tell whether a function takes an argument `loc`."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__") or hasattr(function, "__signature__"):
        return bool(_has_loc_slowly(function))
    return "loc" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _get_meminfos(runtime: Any, builder: Any, kind: Any, value: Any) -> list[Any]:
    """List what in a value has a count of references; what has none is not taken apart."""
    model = runtime._context.data_model_manager[kind]
    found = [(kind, model.get_nrt_meminfo(builder, value))] if model.has_nrt_meminfo() else []
    for inner, take in model.traverse(builder):
        if _is_counted(runtime._context.data_model_manager, inner):
            found.extend(_get_meminfos(runtime, builder, inner, take(value)))
    return found


@cache
def _is_counted(models: Any, kind: Any) -> bool:
    """Tell whether values of a type hold something that has a count of references."""
    return bool(models[kind].contains_nrt_meminfo())
