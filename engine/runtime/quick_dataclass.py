"""`dataclass` as in the standard library, without what that costs where a class is only defined.

The standard library writes four to six functions as text for each class and compiles them, 0.7 ms a class and a third
of what a start of the window spent. Here `__eq__`, `__hash__`, `__repr__` and the two by which a frozen class refuses
changes are closures, and `__init__` is written when a class is first made use of, which most of those that a start
imports never are. A class has the fields, parameters and methods that the standard library gives it, which a test
compares, so that `fields`, `replace`, `asdict` and classes of either kind that inherit from the other work. What few
classes ask for (`slots`, `order`, an `init` or a `repr` of their own kind) is left to the standard library.
"""

from __future__ import annotations

import dataclasses
import inspect
from abc import update_abstractmethods
from collections.abc import Callable
from dataclasses import MISSING, Field, FrozenInstanceError, field
from functools import cache, partial
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, get_origin

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, eq=True, frozen=False, kw_only=False, **others):
        """Give a class the methods of its fields, as `dataclasses.dataclass` does."""
        options = DataclassOptions(eq, frozen, kw_only)
        define = partial(dataclasses.dataclass, **options._asdict(), **others) if others else partial(_define, options)
        return define if cls is None else define(cls)


MadeT = TypeVar("MadeT")


def quick_replace(made: MadeT, /, **changes: object) -> MadeT:
    """A copy of a frozen one with some fields changed, as `dataclasses.replace` makes it, in half the time: for what
    is done with every edit. For classes whose fields are all given as they are made, and stand in a `__dict__`."""
    kind = type(made)
    count = _field_count(kind)
    held = made.__dict__.copy()  # at once: another thread may be keeping something with it
    while len(held) > count:  # what is kept with it stands behind its fields
        held.popitem()
    held.update(changes)
    if len(held) > count:
        raise TypeError(f"{kind.__name__} has no fields {', '.join(list(held)[count:])}")
    copy: Any = _new(kind)
    copy.__dict__.update(held)
    copy.__post_init__()
    return copy  # type: ignore[no-any-return]


@cache
def _field_count(cls: Any) -> int:
    return len(dataclasses.fields(cls))


_new: Callable[[type], Any] = object.__new__


class DataclassOptions(NamedTuple):
    """The options of a dataclass that are known here."""

    eq: bool
    frozen: bool
    kw_only: bool


def _define(options: DataclassOptions, cls: Any) -> Any:
    """Give a class its fields and its methods."""
    own, sample = vars(cls), _sample(options)
    known: dict[str, Any] = {}
    for base in cls.__mro__[-1:0:-1]:
        known.update(getattr(base, "__dataclass_fields__", {}))
    known.update((name, _field(cls, name, kind, options)) for name, kind in _annotations(cls))
    cls.__dataclass_fields__, cls.__dataclass_params__ = known, sample.__dataclass_params__
    found = dataclasses.fields(cls)
    match = tuple(each.name for each in found if each.init and not each.kw_only)
    cls.__match_args__ = match  # type: ignore[misc]
    if hasattr(sample, "__replace__"):  # since Python 3.13
        cls.__replace__ = sample.__replace__
    if "__init__" not in own:
        cls.__init__, cls.__signature__ = _init_when_called(cls, found), _SIGNATURE
    if "__repr__" not in own:
        cls.__repr__ = _repr(tuple(each.name for each in found if each.repr))
    if options.eq:
        _compare(cls, found, frozen=options.frozen)
    if options.frozen:
        _freeze(cls, known)
    update_abstractmethods(cls)
    return cls


@cache
def _sample(options: DataclassOptions) -> Any:
    """A class with these options and one field, by the standard library."""

    class OneField:
        field: int = 0

    return dataclasses.dataclass(**options._asdict())(OneField)


def _annotations(cls: Any) -> list[tuple[str, Any]]:
    """The fields that a class itself declares, each with its type."""
    declared = inspect.get_annotations(cls).items()
    return [(name, kind) for name, kind in declared if not _of_the_class(kind)]


def _of_the_class(kind: Any) -> bool:
    if isinstance(kind, str):
        return kind.startswith(("ClassVar", "typing.ClassVar"))
    return kind is ClassVar or get_origin(kind) is ClassVar


def _field(cls: Any, name: str, kind: Any, options: DataclassOptions) -> Any:
    given = getattr(cls, name, MISSING)
    made: Any = given if isinstance(given, Field) else field(default=given)
    made.name, made.type = name, kind
    made._field_type = _sample(options).__dataclass_fields__["field"]._field_type
    if made.kw_only is MISSING:
        made.kw_only = options.kw_only
    if made.default.__class__.__hash__ is None:
        raise ValueError(f"mutable default {made.default!r} for field {name} is not allowed: use default_factory")
    if isinstance(given, Field):
        if made.default is MISSING:
            delattr(cls, name)
        else:
            setattr(cls, name, made.default)
    return made


def _init_when_called(cls: Any, found: tuple[Any, ...]) -> Callable[..., None]:
    """An `__init__` that writes the one that takes its place."""

    def __init__(self: Any, /, *arguments: Any, **named: Any) -> None:
        written = _write_init(cls, found)
        cls.__init__ = written
        written(self, *arguments, **named)

    __init__._writes = lambda: _write_init(cls, found)  # type: ignore[attr-defined]
    return __init__


class _Signature:
    """Tells `inspect.signature` the arguments of a class, whose `__init__` is perhaps not written yet."""

    def __get__(self, made: object, cls: type) -> inspect.Signature:
        """Answer for a class that has this itself; others, and instances, are looked at as ever."""
        init = vars(cls).get("__init__")
        if made is not None or init is None or vars(cls).get("__signature__") is not self:
            raise AttributeError("__signature__")
        whole = inspect.signature(init._writes() if hasattr(init, "_writes") else init)
        return whole.replace(parameters=list(whole.parameters.values())[1:])


_SIGNATURE = _Signature()


def _write_init(cls: Any, found: tuple[Any, ...]) -> Callable[..., None]:
    """Write and compile `__init__`; no field has a name like those that it uses itself."""
    frozen = cls.__dataclass_params__.frozen
    names: dict[str, Any] = {"_set_": object.__setattr__, "_no_": _NOT_GIVEN}
    taken: dict[bool, list[str]] = {False: ["self"], True: []}  # by name alone, or not
    lines = []
    for number, each in enumerate(found):
        value = argument = each.name
        if each.default is not MISSING:
            names[f"_default_{number}_"] = each.default
            argument += f"=_default_{number}_"
        elif each.default_factory is not MISSING:
            names[f"_make_{number}_"] = each.default_factory
            argument += "=_no_"
            value = f"_make_{number}_() if {value} is _no_ else {value}" if each.init else f"_make_{number}_()"
        if each.init:
            taken[each.kw_only].append(argument)
        elif each.default_factory is MISSING:
            continue
        lines.append(f"_set_(self, {each.name!r}, {value})" if frozen else f"self.{each.name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    arguments = taken[False] + (["*", *taken[True]] if taken[True] else [])
    exec(f"def __init__({', '.join(arguments)}):\n " + "\n ".join(lines or ["pass"]), names)
    written: Callable[..., None] = names["__init__"]
    written.__annotations__ = {**{each.name: each.type for each in found if each.init}, "return": None}
    written.__qualname__, written.__module__ = f"{cls.__qualname__}.__init__", cls.__module__
    return written


class _NotGiven:
    def __repr__(self) -> str:
        """As the standard library shows it."""
        return "<factory>"


_NOT_GIVEN = _NotGiven()


def _repr(names: tuple[str, ...]) -> Callable[[Any], str]:
    @recursive_repr()
    def __repr__(self: Any) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{self.__class__.__qualname__}({inside})"

    return __repr__


def _compare(cls: Any, found: tuple[Any, ...], *, frozen: bool) -> None:
    """Equal by what the fields hold, and hashed by it if it cannot change."""
    own = vars(cls)
    hashed = own.get("__hash__", MISSING)
    hashes = hashed is not MISSING and not (hashed is None and "__eq__" in own)
    values = _values([each.name for each in found if each.compare])

    def __eq__(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    if "__eq__" not in own:
        cls.__eq__ = __eq__
    if hashes:
        return
    of_hash = _values([each.name for each in found if (each.compare if each.hash is None else each.hash)])

    def __hash__(self: Any) -> int:
        return hash(of_hash(self))

    cls.__hash__ = __hash__ if frozen else None


def _values(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """A function that reads fields in their order."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda made: tuple([getattr(made, name) for name in names])


def _freeze(cls: Any, known: dict[str, Any]) -> None:
    """Refuse that fields are set or deleted."""

    def __setattr__(self: Any, name: str, value: object) -> None:
        if type(self) is cls or name in known:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        super(cls, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is cls or name in known:
            raise FrozenInstanceError(f"cannot delete field {name!r}")
        super(cls, self).__delattr__(name)

    cls.__setattr__, cls.__delattr__ = __setattr__, __delattr__
