"""Do the values that a file gives fit the fields of the part that they stand in? Asked before the part is made."""

from __future__ import annotations

import types
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints


@cache
def field_hints(kind: type) -> dict[str, Any]:
    """The annotation of every field of a dataclass, resolved."""
    return get_type_hints(kind)


def conforms(value: object, hint: Any) -> bool:
    """Whether `value` is of the annotated type: numbers, text, None, unions, literals, tuples and classes."""
    origin = get_origin(hint)
    if origin in (Union, types.UnionType):
        return any(conforms(value, each) for each in get_args(hint))
    if origin is Literal:
        return value in get_args(hint)
    if origin is tuple:
        return isinstance(value, tuple) and _tuple_conforms(value, get_args(hint))
    if hint is None or hint is type(None):
        return value is None
    if hint is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, hint)


def _tuple_conforms(value: tuple[object, ...], hints: tuple[Any, ...]) -> bool:
    if len(hints) == 2 and hints[1] is Ellipsis:
        return all(conforms(each, hints[0]) for each in value)
    return len(value) == len(hints) and all(conforms(each, hint) for each, hint in zip(value, hints, strict=True))
