"""Caches of numba's repeated work while it compiles, which save a fifth of the time to compile.

Machine code stays the same, byte for byte, which a test compares. Left alone, numba

- tries, for each operation of a kernel, all ways in which that can be typed, and raises an error with its text for each
  that does not fit (`_get_call_type`);
- measures for every kernel that is being compiled each time that its locks are held, and tells nobody of every pass
  (`_start_event`);
- reads each option of a compilation by a property to compare it (`_values`);
- looks for variables in every attribute of each instruction, most of which are text (`_list_vars`).
"""

from __future__ import annotations

import contextlib
from importlib import import_module
from typing import Any

from numba.core import errors, ir, targetconfig, utils
from numba.core.target_extension import get_local_target
from numba.core.types import functions
from numba.core.typing import templates

_event: Any = import_module("numba.core.event")
_Function: Any = functions.BaseFunction
_without_value: Any = vars(functions)["_unlit_non_poison"]
_Overload: Any = templates._OverloadFunctionTemplate
_Var: Any = ir.Var
_Instruction: Any = ir.Inst
_get_call_type_slowly = _Function.get_call_type
_start_event_slowly, _end_event_slowly = _event.start_event, _event.end_event


def quicken() -> None:
    """Have numba do these things once, from now on and in the whole process."""
    _Function.get_call_type = _get_call_type
    _event.install_timer, _event.start_event, _event.end_event = _install_no_timer, _start_event, _end_event
    config: Any = targetconfig.TargetConfig
    config.values = _values
    assign: Any = ir.Assign
    expression: Any = ir.Expr
    assign.list_vars, expression.list_vars = _list_vars_of_assign, _list_vars_of_expression


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
        if isinstance(each, _Var):
            found.append(each)
        elif each is not None and not isinstance(each, str):
            found.extend(expression._rec_list_vars(each))
    return found
