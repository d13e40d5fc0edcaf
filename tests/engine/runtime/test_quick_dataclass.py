"""Dataclasses that are quick to define are those of the standard library in all that can be seen of them."""

from __future__ import annotations

import copy
import dataclasses
import gc
import inspect
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, field, fields, replace
from itertools import count
from typing import Any, ClassVar

import pytest

from engine.runtime.quick_dataclass import dataclass, quick_replace

Decorate = Callable[..., Any]
SEEN = ("name", "type", "default", "default_factory", "init", "repr", "hash", "compare", "kw_only")
BOTH: tuple[Decorate, Decorate] = (dataclasses.dataclass, dataclass)
OPTIONS: tuple[dict[str, bool], ...] = (
    {},
    {"eq": False},
    {"frozen": True},
    {"frozen": True, "kw_only": True},
    {"frozen": True, "eq": False},
    {"kw_only": True},
    {"frozen": True, "order": True},
    {"slots": True},
)


def _define(decorate: Decorate, options: dict[str, bool]) -> Any:
    @decorate(**options)
    class Made:
        """A class with a field of each kind."""

        total: ClassVar[int] = 3
        first: float
        second: tuple[int, ...] = (1, 2)
        third: list[int] = field(default_factory=list, hash=False)
        hidden: str = field(default="h", repr=False, compare=False)
        last: int = field(default=4, kw_only=True)

    return Made


def _inherit(decorate: Decorate, base: Decorate) -> Any:
    @base(frozen=True, kw_only=True)
    class Base:
        first: int = 1
        second: str = "b"

    @decorate(frozen=True, kw_only=True)
    class Heir(Base):
        second: str = "h"
        third: int
        made: int = field(init=False, default=9)

        def __post_init__(self) -> None:
            object.__setattr__(self, "made", self.first + self.third)

    return Heir


def _seen(made: Any) -> list[tuple[object, ...]]:
    return [tuple(getattr(each, name) for name in SEEN) for each in fields(made)]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options) or "plain")
def test_class_is_that_of_the_standard_library(options: dict[str, bool]) -> None:
    usual, quick = (_define(decorate, options) for decorate in BOTH)
    assert _seen(quick) == _seen(usual)
    assert repr(quick.__dataclass_params__) == repr(usual.__dataclass_params__)
    assert quick.__match_args__ == usual.__match_args__
    assert str(inspect.signature(quick)) == str(inspect.signature(usual))
    one, other = (made(first=1.5, last=7) for made in (usual, quick))
    assert str(inspect.signature(quick)) == str(inspect.signature(usual)), "once it is written, too"
    assert repr(other) == repr(one)
    assert asdict(other) == asdict(one)
    assert (quick(first=1.0) == quick(first=1.0), quick(first=1.0) == quick(first=2.0)) == (
        usual(first=1.0) == usual(first=1.0),
        usual(first=1.0) == usual(first=2.0),
    )
    assert quick(first=1.0, hidden="x") != usual(first=1.0)
    assert (quick.__hash__ is None) == (usual.__hash__ is None)
    if quick.__hash__ not in (None, object.__hash__):
        assert hash(other) == hash(one)
        assert hash(quick(first=1.0, hidden="other", third=[1])) == hash(quick(first=1.0))
    assert quick(first=1).third is not quick(first=1).third


def test_a_copy_has_its_changes_and_what_is_done_with_them() -> None:
    @dataclass(frozen=True)
    class Rounded:
        first: float
        second: str = "b"

        def __post_init__(self) -> None:
            object.__setattr__(self, "first", round(self.first))

    made = Rounded(1.0)
    changes: dict[str, Any]
    for changes in ({}, {"first": 2.75}, {"second": "x", "first": 3.0}):
        quick, usual = quick_replace(made, **changes), replace(made, **changes)
        assert vars(quick) == vars(usual)
        assert quick is not made
    with pytest.raises(TypeError, match="third"):
        quick_replace(made, third=1)


def test_a_copy_is_made_while_another_thread_keeps_something_with_it() -> None:
    """Threads take turns in the finalizers that a collection runs, here at every object that is made."""
    kind = dataclasses.make_dataclass("Wide", [(f"field{n}", int, n) for n in range(20)], frozen=True)
    kind.__post_init__ = lambda self: None  # type: ignore[attr-defined]
    made, kept = kind(), count()

    def keep(phase: str, _info: dict[str, int]) -> None:
        vars(made)[f"kept{next(kept)}"] = phase

    threshold, was_on = gc.get_threshold(), gc.isenabled()
    gc.callbacks.append(keep)
    gc.set_threshold(1)
    gc.enable()
    try:
        copy = quick_replace(made, field3=5)
    finally:
        gc.set_threshold(*threshold)
        if not was_on:
            gc.disable()
        gc.callbacks.remove(keep)
    assert next(kept) > 0
    assert vars(copy) == vars(kind(field3=5))


@pytest.mark.parametrize("name", ["first", "hidden"])
def test_frozen_fields_are_neither_set_nor_deleted(name: str) -> None:
    made = _define(dataclass, {"frozen": True})(1.0)
    with pytest.raises(FrozenInstanceError, match=f"cannot assign to field '{name}'"):
        setattr(made, name, 2.0)
    with pytest.raises(FrozenInstanceError, match=f"cannot delete field '{name}'"):
        delattr(made, name)


@pytest.mark.parametrize("base", BOTH)
@pytest.mark.parametrize("decorate", BOTH)
def test_either_kind_inherits_from_the_other(decorate: Decorate, base: Decorate) -> None:
    usual, made = _inherit(dataclasses.dataclass, dataclasses.dataclass), _inherit(decorate, base)
    assert _seen(made) == _seen(usual)
    one = made(third=5)
    assert (one.first, one.second, one.third, one.made) == (1, "h", 5, 6)
    assert replace(one, first=2).made == 7
    assert copy.deepcopy(one) == one
    assert isinstance(one, made.__mro__[1])
    with pytest.raises(TypeError, match="non-frozen"):
        dataclasses.dataclass(type("Loose", (made,), {}))


def test_own_methods_stay() -> None:
    @dataclass(frozen=True)
    class Own:
        number: int

        def __repr__(self) -> str:
            return "own"

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 12

    assert (repr(Own(1)), Own(1) == Own(2), hash(Own(1))) == ("own", True, 12)


def test_mistakes_are_told_as_ever() -> None:
    usual, quick = (_define(decorate, {"frozen": True, "kw_only": True}) for decorate in BOTH)
    for given in ({}, {"first": 1.0, "forth": 2.0}):
        texts = []
        for made in (usual, quick):
            with pytest.raises(TypeError) as told:
                made(**given)
            texts.append(str(told.value))
        assert texts[0] == texts[1]
    with pytest.raises(ValueError, match="mutable default"):
        dataclass(type("Shared", (), {"__annotations__": {"names": "list[str]"}, "names": []}))


def test_first_ones_may_be_made_on_several_threads_at_once() -> None:
    for _ in range(20):
        made = _define(dataclass, {"frozen": True})
        gate = threading.Barrier(4)
        found: list[Any] = []

        def make(made: Any = made, gate: threading.Barrier = gate, found: list[Any] = found) -> None:
            gate.wait()
            found.append(made(1.0, last=5))

        threads = [threading.Thread(target=make) for _ in range(4)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
        assert found == [made(1.0, last=5)] * 4


def test_nothing_is_written_for_a_class_that_is_only_defined() -> None:
    program = """
import builtins
kept, texts = builtins.exec, []
builtins.exec = lambda text, *others: (texts.append(text), kept(text, *others))
from engine.runtime.quick_dataclass import dataclass, quick_replace
@dataclass(frozen=True)
class Alike:
    number: int
@dataclass(frozen=True)
class Made:
    number: int
    name: str = ""
before = len(texts)
@dataclass(frozen=True)
class Other:
    number: int
    name: str = ""
assert len(texts) == before, texts[before:]
Other(1), Other(2)
assert len(texts) == before + 1, texts[before:]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
