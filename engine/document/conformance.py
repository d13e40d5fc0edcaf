"""The gate of all documents: which values may stand in a part, so that it can be saved, drawn and read back.

Every edit's arguments and result pass it (`engine.edits`; but for what `engine.edits.find.with_values` makes of checked
numbers), whatever a reader gives (`engine.commands.bring_in`), and every part that is read from a file before it is
made. Fields hold what their annotations say; numbers are finite and of a size that can be drawn, whole ones of a size
that files have; texts are of a length that can be shown, and UTF-8 has all their characters; parts are no larger than
files take.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import cache
from itertools import compress, zip_longest
from operator import is_not
from typing import Any, Literal, NamedTuple, Union, cast, get_args, get_origin, get_type_hints

from engine.runtime.errors import InvalidDocument

LARGEST = 1e15  # of a number [SI units]: products of a few of them are finite in single precision
LARGEST_WHOLE = 2**63 - 1
LONGEST = 4096  # characters of a text
LONGEST_PART = 64 * 2**20  # bytes of the text of a part
_MANY = 10_000  # values, below which no part is as long as that
CHECKED = "_is_checked"  # where the values in its lists are counted, with a part that holds nothing wrong

Pairs = list[tuple[Any, Any]]  # of a list that is as long as before, each value that is another one, and the one before
Waiting = tuple[Any, Any, Any]  # a part, the one that it was, and the part that it is written in
Changes = dict[int, dict[str, Pairs | None]]  # by the id of a part, of its fields that an edit has changed


@cache
def field_hints(kind: Any) -> dict[str, Any]:
    """The annotation of every field of a dataclass, or of every argument of a function, resolved."""
    return get_type_hints(kind)


Test = Callable[[object], bool]


def conforms(value: object, hint: Any) -> bool:
    """Tell whether `value` is of the annotated type: numbers, text, None, unions, literals, tuples and classes."""
    return _test_of(hint)(value)


def check_fields(kind: Any, given: Iterable[tuple[str, object]], *, of: str) -> None:
    """Refuse values that are not what a part's fields, or a function's arguments, may be."""
    tests = _tests_of(kind)
    for name, value in given:
        if not tests[name](value):
            raise refusal(f"the {name} of {of}", value, field_hints(kind)[name])


def given_fields(kind: Any, /, *, of: str, **values: Any) -> dict[str, Any]:
    """Keep the values that are given, of a part's fields; whole ones as fractions where the field has those."""
    usual = {each.name: each.default for each in fields(kind)}

    def plain(name: str, value: Any) -> Any:
        is_number = isinstance(value, int | float) and type(value) is not bool
        return float(value) if isinstance(usual[name], float) and is_number else value

    given = {name: plain(name, value) for name, value in values.items() if value is not None}
    check_fields(kind, given.items(), of=of)
    return given


def check_values(part: Any, before: Any = None) -> Changes:
    """Refuse a part where it, or a part within it, holds what its fields may not. What was checked is not looked at
    again, in the part itself nor in the one that it was before an edit. The changes between those two are returned.

    Written out in one piece, since it takes a third of the time of an edit."""
    changes: Changes = {}
    waiting: list[Waiting] = [(part, before, part)]
    checked: list[tuple[Any, int, Any]] = []
    many = 0
    for each, earlier, owner in waiting:  # which grows meanwhile
        held, kind = each.__dict__, type(each)
        if CHECKED in held:
            continue
        is_part, checks, _ = _plan_of(kind)
        if is_part:
            owner = each
        if type(earlier) is not kind or CHECKED not in earlier.__dict__:
            amount = _check_whole(each, owner, checks, waiting)
        else:
            olds = earlier.__dict__
            amount = olds[CHECKED]
            changed = changes.get(id(each))
            if changed is None:
                changes[id(each)] = changed = {}
            # The fields stand first in both, in their order. Listed at once: other threads keep results in these, too.
            differing = list(compress(checks, map(is_not, held.values(), olds.values())))
            for name, test, is_list, is_tuple, holds_parts, of_kind in differing:
                value, old = held[name], olds[name]
                fits, pairs = True, None
                if is_list and type(value) is type(old) is tuple and len(value) == len(old):
                    pairs = list(compress(zip(value, old), map(is_not, value, old)))  # noqa: B905  (it is slower)
                    for new, _ in pairs:
                        if type(new) is not of_kind:
                            fits = test(tuple([new for new, _ in pairs]))
                            break
                else:
                    fits = test(value)
                    if is_tuple:
                        amount += len(value or ()) - len(old or ())
                if not fits:
                    raise _refused(each, name, value)
                changed[name] = pairs
                if holds_parts:
                    inside = pairs if pairs is not None and of_kind is not None else _inside(pairs or [(value, old)])
                    for new, then in inside:
                        waiting.append((new, then, owner))
        many += amount
        checked.append((each, amount, owner))
    if many > _MANY:
        _check_sizes(checked)
    for each, amount, _ in checked:
        each.__dict__[CHECKED] = amount
    return changes


def _check_whole(part: Any, owner: Any, checks: Iterable[_FieldCheck], waiting: list[Waiting]) -> int:
    """Check all fields of a part and note the parts in them; returns how many values its lists have."""
    held, amount = part.__dict__, 0
    for each in checks:
        value = held[each.name]
        if not each.test(value):
            raise _refused(part, each.name, value)
        if each.is_tuple and value:
            amount += len(value)
        if each.holds_parts:
            waiting += [(inside, None, owner) for inside, _ in _inside([(value, None)])]
    return amount


def _refused(part: Any, name: str, value: object) -> InvalidDocument:
    return refusal(f"the {name} of {_name(part)}", value, field_hints(type(part))[name])


def _check_sizes(checked: list[tuple[Any, int, Any]]) -> None:
    """Refuse a part of which the text is larger than files take, what in it is no part counted with it."""
    amounts = dict[int, tuple[Any, int]]()
    for _, amount, owner in checked:
        amounts[id(owner)] = owner, amount + amounts.get(id(owner), (owner, 0))[1]
    for owner, amount in amounts.values():
        if amount > _MANY and len(owner.text.encode()) > LONGEST_PART:
            found, allowed = f"{len(owner.text) >> 20} MB of text", f"at most {LONGEST_PART >> 20} MB"
            raise InvalidDocument(what=f"the size of {_name(owner)}", value=found, allowed=allowed)


def note_checked(part: Any) -> None:
    """Note with a part that it, and each part within it, holds what its fields may."""
    if hasattr(part, "__dict__"):  # a key has none, and checks itself as it is made
        held = part.__dict__
        held[CHECKED] = sum([len(held[name] or ()) for name in _plan_of(type(part)).tuples])


def refusal(what: str, value: object, hint: Any) -> InvalidDocument:
    """The error for a value that is not of the annotated type: it names the innermost one that is not."""
    found = hint
    while True:
        kinds = get_args(found) if get_origin(found) in (Union, types.UnionType) else (found,)
        inner = next((get_args(each) for each in kinds if get_origin(each) is tuple), None)
        if inner is None or not isinstance(value, tuple):
            break
        if inner[1:] == (Ellipsis,):
            inner = inner[:1] * len(value)
        wrong = next((pair for pair in zip(value, inner, strict=False) if not conforms(*pair)), None)
        if wrong is None:
            break
        value, found = wrong
    return InvalidDocument(what=what, value=value, allowed=_allowed_by(found))


def _allowed_by(hint: Any) -> str:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return " or ".join(map(_allowed_by, arguments))
    if origin is Literal:
        return ", ".join(map(str, arguments))
    if origin is tuple and arguments[1:] == (Ellipsis,):
        return f"several, each {_allowed_by(arguments[0])}"
    if origin is tuple:
        return f"together {' and '.join(map(_allowed_by, arguments))}"
    return _ALLOWED.get(hint) or f"a {hint.__name__}"


def is_text(value: object) -> bool:
    """Tell whether a value is text that files can hold and windows show."""
    if not isinstance(value, str) or len(value) > LONGEST:
        return False
    return "\0" not in value and (value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value))


_ALLOWED = {
    str: f"text of at most {LONGEST} characters, none of them null or half of one",
    float: f"a finite number of at most {LARGEST:g}",
    int: "a whole number",
    bool: "true or false",
    type(None): "none",
}
_NUMBERS = (int, float)
_TESTS: dict[Any, Test] = {
    None: lambda value: value is None,
    type(None): lambda value: value is None,
    str: is_text,
    float: lambda value: isinstance(value, _NUMBERS) and type(value) is not bool and -LARGEST <= value <= LARGEST,
    int: lambda value: isinstance(value, int) and type(value) is not bool and -LARGEST_WHOLE <= value <= LARGEST_WHOLE,
}


@cache
def _test_of(hint: Any) -> Test:
    """Compile the check of an annotation into a function, once: a long track needs it for every field of every key."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        tests = tuple(_test_of(each) for each in arguments)
        return lambda value: any(test(value) for test in tests)
    if origin is Literal:
        return lambda value: isinstance(value, str) and value in arguments
    if origin is tuple:
        return _tuple_test(arguments)
    return _TESTS.get(hint) or (lambda value: isinstance(value, hint))


@cache
def _tests_of(kind: Any) -> dict[str, Test]:
    return {name: _test_of(hint) for name, hint in field_hints(kind).items()}


def _tuple_test(hints: tuple[Any, ...]) -> Test:
    if len(hints) == 2 and hints[1] is Ellipsis:
        kind, each = {hints[0]}, _test_of(hints[0])
        if isinstance(hints[0], type) and hints[0] not in _TESTS:  # as the keys of a long track
            return lambda value: (
                isinstance(value, tuple) and (kind.issuperset(map(type, value)) or all(map(each, value)))
            )
        if hints[0] == tuple[str, float]:  # as a pose
            return lambda value: (
                isinstance(value, tuple) and ((len(value) > 4 and _are_named_numbers(value)) or all(map(each, value)))
            )
        return lambda value: isinstance(value, tuple) and all(map(each, value))
    tests = tuple(_test_of(hint) for hint in hints)
    if len(tests) == 2:
        first, second = tests
        return lambda value: isinstance(value, tuple) and len(value) == 2 and first(value[0]) and second(value[1])

    def test(value: object) -> bool:
        fits = isinstance(value, tuple) and len(value) == len(tests)
        return fits and all(test(each) for test, each in zip(tests, cast(tuple[object, ...], value), strict=True))

    return test


def _are_named_numbers(values: tuple[Any, ...]) -> bool:
    """Tell whether all are plain pairs of a name and a number; some that are not may still be right."""
    if not values:
        return True
    if set(map(type, values)) != {tuple} or set(map(len, values)) != {2}:
        return False
    names, numbers = zip(*values, strict=True)
    if set(map(type, names)) != {str} or set(map(type, numbers)) != {float}:
        return False
    text = "".join(names)
    is_plain = text.isascii() and "\0" not in text and max(map(len, names)) <= LONGEST
    return is_plain and sum(map(abs, numbers)) <= LARGEST  # which one that is not finite is not


class _FieldCheck(NamedTuple):
    """How a field of a dataclass is checked."""

    name: str
    test: Test
    is_list: bool  # a tuple of any length, all of one kind, of which each may be checked alone
    is_tuple: bool  # nothing but a tuple, or None
    holds_parts: bool  # perhaps
    of_kind: type | None  # the class of parts or other dataclasses, of nothing but which it is a list


class _FieldChecks(NamedTuple):
    """How a dataclass is checked."""

    is_part: bool
    fields: tuple[_FieldCheck, ...]
    tuples: tuple[str, ...]  # the fields in which nothing but tuples stand, or None


@cache
def _plan_of(kind: Any) -> _FieldChecks:
    hints = field_hints(kind)
    checks = tuple(_check_of(each.name, hints[each.name]) for each in fields(kind))
    return _FieldChecks(hasattr(kind, "text"), checks, tuple(each.name for each in checks if each.is_tuple))


@cache
def field_tests(kind: Any) -> dict[str, Test]:
    """The check of every field of a dataclass: a file with long tracks needs them for each key."""
    return {each.name: each.test for each in _plan_of(kind).fields}


def _check_of(name: str, hint: Any) -> _FieldCheck:
    is_list = _is_list(hint)
    inside = get_args(hint)[0] if is_list else None
    of_kind = inside if isinstance(inside, type) and is_dataclass(inside) else None
    return _FieldCheck(name, _test_of(hint), is_list, _is_tuple(hint), _may_hold(hint), of_kind)


def _is_tuple(hint: Any) -> bool:
    """Tell whether nothing but a tuple stands in a field, or None."""
    kinds = get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)
    return all(kind is type(None) or get_origin(kind) is tuple for kind in kinds)


def _is_list(hint: Any) -> bool:
    """Tell whether it is a tuple of any length, all of one kind, of which each may be checked alone."""
    return get_origin(hint) is tuple and get_args(hint)[1:] == (Ellipsis,)


def _may_hold(hint: Any) -> bool:
    """Tell whether parts may stand in a field; one without a `__dict__` (a key) checks itself as it is made."""
    if not isinstance(hint, type) or get_args(hint):
        return any(map(_may_hold, get_args(hint)))
    return hint not in _TESTS and "__slots__" not in vars(hint)


def _inside(changed: list[tuple[Any, Any]]) -> list[tuple[Any, Any]]:
    """The parts in values, each with the one that stood in its place."""
    found: list[tuple[Any, Any]] = []
    for value, before in changed:
        if isinstance(value, tuple):
            places = before if isinstance(before, tuple) else ()
            found += _inside([pair for pair in zip_longest(value, places[: len(value)]) if pair[0] is not pair[1]])
        elif hasattr(value, "__dict__") and hasattr(value, "__dataclass_fields__"):
            found.append((value, before))
    return found


def _name(part: object) -> str:
    name = getattr(part, "name", "") or getattr(part, "id", "")
    return f"{type(part).__name__} {name}".strip()
