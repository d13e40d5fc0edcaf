"""Kinds of joint: every list of degrees of freedom that is made is known again."""

from __future__ import annotations

import math

import pytest

from engine.document import Dof
from engine.document.freedoms import KINDS, ORDERS, JointKind, freedoms, kind_of, main_axis, order_of
from engine.runtime.errors import EngineError


def test_there_are_twelve_orders() -> None:
    assert len(set(ORDERS)) == 12


@pytest.mark.parametrize("kind", [kind for kind, _, _ in KINDS])
def test_each_kind_is_known_again(kind: JointKind) -> None:
    dofs = freedoms(kind, "knee")
    assert kind_of(dofs) == kind
    assert all(dof.id.startswith("knee.") for dof in dofs)


@pytest.mark.parametrize("order", ORDERS)
def test_each_order_is_known_again(order: str) -> None:
    dofs = freedoms("ball", "knee", order=order)
    assert (kind_of(dofs), order_of(dofs)) == ("ball", order)
    assert len({dof.id for dof in dofs}) == 3


def test_a_skew_axis_is_kept() -> None:
    (dof,) = freedoms("hinge", "knee", axis=(3.0, 4.0, 0.0))
    assert dof.axis == (0.6, 0.8, 0.0)
    assert kind_of((dof,)) == "hinge"
    assert (main_axis(dof.axis), main_axis((0.0, -1.0, 0.0))) == ("", "y")


def test_what_turns_about_the_same_line_is_taken_over() -> None:
    flex = Dof(id="knee.flex", name="Flex", axis=(-1.0, 0.0, 0.0), lower=0.0, upper=2.0)
    dofs = freedoms("ball", "knee", order="YXZ", kept=(flex,))
    assert dofs[1] is flex
    taken = Dof(id="knee.x", name="Odd", axis=(0.0, 1.0, 0.0))
    dofs = freedoms("universal", "knee", order="XY", kept=(taken,))
    assert [dof.id for dof in dofs] == ["knee.x'", "knee.x"]


@pytest.mark.parametrize(
    ("kind", "order"), [("ball", "XXY"), ("ball", "XY"), ("universal", "XYZ"), ("universal", "ZZ"), ("ball", "ABC")]
)
def test_orders_that_do_not_turn_are_refused(kind: JointKind, order: str) -> None:
    with pytest.raises(EngineError, match="neighbours different"):
        freedoms(kind, "knee", order=order)


def test_an_axis_without_direction_is_refused() -> None:
    for axis in ((0.0, 0.0, 0.0), (math.nan, 0.0, 0.0)):
        with pytest.raises(EngineError):
            freedoms("hinge", "knee", axis=axis)


def test_a_kind_that_is_none_is_refused() -> None:
    with pytest.raises(EngineError, match="fixed, hinge"):
        freedoms("rubber", "knee")  # type: ignore[arg-type]
