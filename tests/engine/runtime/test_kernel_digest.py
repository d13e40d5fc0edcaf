"""What a kernel is told apart by."""

from __future__ import annotations

import enum
import pkgutil
from collections.abc import Callable
from importlib import import_module
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np
import pytest

import engine
from engine.maths.arrays import Array
from engine.runtime.kernel_digest import kernel_digest
from engine.runtime.rooms import ENGINE
from tests.engine.kernels import kernels_of


def reading(part: slice) -> Callable[[Array], Array]:
    return lambda values: values[part]


def test_slices_tell_kernels_apart() -> None:
    """From Python 3.14 on a slice stands among the constants of code."""
    first, same, other = (kernel_digest(reading(slice(start, None))) for start in (0, 0, 1))
    assert first == same != other
    assert reading(slice(1, None))(np.arange(2.0)).tolist() == [1.0]


class Decorated:
    """What a kernel is told apart by of numba's dispatcher."""

    def __init__(self, function: FunctionType, **options: object) -> None:
        self.py_func, self.targetoptions = function, options

    def __call__(self) -> None: ...


def function(text: str, **named: object) -> Any:
    """A function of the engine that names what is told."""
    names: dict[str, Any] = {"__name__": "engine.model.made", **named}
    exec(f"def made({text}", names)
    return names["made"]


class Apart(NamedTuple):
    left: int


class Kind(enum.Enum):
    LEFT = 1
    RIGHT = 2


class OtherKind(enum.Enum):
    LEFT = 2
    RIGHT = 1


OtherKind.__qualname__ = "Kind"


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (function("x): return x"), function("x): return -x")),
        (function("x=1): return x"), function("x=2): return x")),
        (function("*, x=1): return x"), function("*, x=2): return x")),
        (function("): return KIND.LEFT", KIND=Kind), function("): return KIND.LEFT", KIND=OtherKind)),
        (function("): return A", A=np.zeros((2, 3))), function("): return A", A=np.zeros((2, 3), order="F"))),
        (function("): return A", A=np.zeros(1, [("a", "f8")])), function("): return A", A=np.zeros(1, [("b", "f8")]))),
    ],
)
def test_what_a_kernel_is_and_names_tells_it_apart(first: Any, other: Any) -> None:
    assert kernel_digest(first) != kernel_digest(other)


@pytest.mark.parametrize("held", [lambda each: each, lambda each: (each,), lambda each: (1, (each, 2))])
def test_kernels_are_told_apart_by_those_that_they_name_alone_or_in_tuples(held: Callable[[Any], object]) -> None:
    callees = [function(f"x): return x + {number}") for number in (1, 1, 2)]
    first, same, other = (kernel_digest(function("x): return f", f=held(each))) for each in callees)
    assert first == same != other


def test_options_tell_apart_a_kernel_and_those_that_reach_it() -> None:
    plain = function("x): return x")
    options: tuple[dict[str, object], ...] = (
        {"parallel": False, "a": 1},
        {"a": 1, "parallel": False},
        {"parallel": True},
    )
    callees = [Decorated(plain, **each) for each in options]
    for one, same, other in (callees, [Decorated(function("x): return f(x)", f=each), a=1) for each in callees]):
        assert kernel_digest(one) == kernel_digest(same) != kernel_digest(other)


def test_an_option_that_is_set_before_the_first_call_counts() -> None:
    kernel = Decorated(function("x): return x"), parallel=False)
    before = kernel_digest(kernel)
    kernel.targetoptions["forceinline"] = True
    assert kernel_digest(kernel) != before


@pytest.mark.parametrize("value", [{}, [1], Decorated, object(), {1, 2}])
def test_what_has_no_stable_content_is_refused(value: object) -> None:
    with pytest.raises(TypeError, match="a kernel names"):
        kernel_digest(function("): return A", A=value))


def test_types_that_kernels_may_name_have_a_content() -> None:
    for value in (int, float, np.float64, np.int32, Apart, Kind):
        kernel_digest(function("): return A", A=value))


def test_every_kernel_can_be_told_apart() -> None:
    for found in pkgutil.walk_packages(engine.__path__, "engine."):
        if not found.name.endswith("__main__"):
            import_module(found.name)
    kernels = kernels_of(*sorted(path.parent.name for path in ENGINE.glob("*/__init__.py")))
    if not kernels:
        pytest.skip("kernels are not compiled in this lane")
    assert len({kernel_digest(each) for each in kernels}) == len(kernels) > 500
