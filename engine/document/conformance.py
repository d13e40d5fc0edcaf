"""Checks that values from a file fit the fields of their part, before the part is made."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

from engine.runtime.errors import InvalidDocument


@cache
def field_hints(kind: type) -> dict[str, Any]:
    """The annotation of every field of a dataclass, resolved."""
    return get_type_hints(kind)


Test = Callable[[object], bool]


def conforms(value: object, hint: Any) -> bool:
    """Tell whether `value` is of the annotated type: numbers, text, None, unions, literals, tuples and classes."""
    return _test_of(hint)(value)


def check_fields(kind: type, given: Iterable[tuple[str, object]], *, of: str) -> None:
    """Refuse values that are not of the types that a part's fields have."""
    hints = field_hints(kind)
    for name, value in given:
        if not conforms(value, hints[name]):
            raise InvalidDocument(what=f"the {name} of {of}", value=value, allowed=str(hints[name]))


@cache
def _test_of(hint: Any) -> Test:
    """Compile the check of an annotation into a function, once: a long track needs it for every field of every key."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        tests = tuple(_test_of(each) for each in arguments)
        return lambda value: any(test(value) for test in tests)
    if origin is Literal:
        return lambda value: value in arguments
    if origin is tuple:
        return _tuple_test(arguments)
    if hint is None or hint is type(None):
        return lambda value: value is None
    if hint is float:
        return lambda value: isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return lambda value: isinstance(value, int) and not isinstance(value, bool)
    return lambda value: isinstance(value, hint)


def _tuple_test(hints: tuple[Any, ...]) -> Test:
    if len(hints) == 2 and hints[1] is Ellipsis:
        each = _test_of(hints[0])
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    tests = tuple(_test_of(hint) for hint in hints)

    def test(value: object) -> bool:
        fits = isinstance(value, tuple) and len(value) == len(tests)
        return fits and all(test(each) for test, each in zip(tests, cast(tuple[object, ...], value), strict=True))

    return test
