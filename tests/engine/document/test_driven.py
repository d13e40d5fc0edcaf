"""Driven coordinates in figures: what is refused, and where they are at rest."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from engine.document import Dof, DrivenBy, Figure, Joint
from engine.document.frames import rest_frames
from engine.document.limit import BoxRange, Grid, Limit
from engine.document.validation import validate_figure
from engine.maths.splines import spline_value
from engine.model.compile import compile_model
from engine.runtime.errors import InvalidDocument

SLIDE = DrivenBy(dof="knee.x", at=(0.0, 0.5, 1.0, 2.0), values=(0.04, 0.05, 0.03, -0.01))


def leg(driven: tuple[DrivenBy, ...] = (SLIDE,), **fields: Any) -> Figure:
    """A knee, and a kneecap that slides along."""
    knee = Joint(id="knee", name="Knee", parent="hip", dofs=(Dof(id="knee.x", name="Flex", lower=0.2, upper=2.0),))
    slide = Dof(id="patella.y", name="Slide", kind="slide", axis=(0.0, 1.0, 0.0), driven=driven)
    patella = Joint(id="patella", name="Kneecap", parent="hip", dofs=(replace(slide, **fields),))
    return Figure(name="Leg", joints=(Joint(id="hip", name="Hip"), patella, knee))


def test_rests_where_its_driver_at_rest_puts_it() -> None:
    figure = leg()
    validate_figure(figure)
    value = spline_value(SLIDE.at, SLIDE.values, 0.2)
    assert figure.rest == {"knee.x": 0.2, "patella.y": value}
    assert rest_frames(figure)["patella"].position == (0.0, value, 0.0)
    assert compile_model(figure).rest.tolist() == [value, 0.2]


def test_spline_is_the_cubic_through_four_knots_and_straight_beyond() -> None:
    cubic = CubicSpline(SLIDE.at, SLIDE.values, bc_type="not-a-knot")
    for x in (0.0, 0.3, 0.9, 1.7, 2.0):
        assert SLIDE.value(x) == pytest.approx(float(cubic(x)), abs=1e-12)
    assert SLIDE.value(3.0) == pytest.approx(float(cubic(2.0) + cubic(2.0, 1)), abs=1e-12)
    assert SLIDE.value(-1.0) == pytest.approx(float(cubic(0.0) - cubic(0.0, 1)), abs=1e-12)
    line = DrivenBy(dof="knee.x", at=(1.0, 2.0), values=(0.0, 3.0))
    assert np.allclose([line.value(x) for x in (0.0, 1.5, 4.0)], [-3.0, 1.5, 9.0])


def test_several_drivers_add_up() -> None:
    two = (replace(SLIDE, dof="hip.x"), DrivenBy(dof="knee.x", at=(0.0, 1.0), values=(0.1, 0.2)))
    figure = leg(driven=two)
    hip = replace(figure.joints[0], dofs=(Dof(id="hip.x", name="Flex"),))
    figure = replace(figure, joints=(hip, *figure.joints[1:]))
    validate_figure(figure)
    assert figure.rest["patella.y"] == pytest.approx(0.04 + 0.12)


@pytest.mark.parametrize(
    ("knots", "says"),
    [
        ({"at": (0.0,), "values": (0.0,)}, "two or more"),
        ({"at": (0.0, 0.0), "values": (0.0, 1.0)}, "above the one before"),
        ({"at": (0.0, 1.0), "values": (0.0,)}, "one at each knot"),
        ({"at": (0.0, float("nan")), "values": (0.0, 1.0)}, "finite"),
    ],
)
def test_knots_that_make_no_spline_are_refused(knots: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidDocument, match=says):
        DrivenBy(dof="knee.x", **knots)


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"driven": (replace(SLIDE, dof="elbow.x"),)}, "elbow.x, which is not there"),
        ({"driven": (replace(SLIDE, dof="patella.y"),)}, "other degrees of freedom"),
        ({"driven": (SLIDE, SLIDE)}, "each once"),
        ({"upper": 1.0}, "none, for its drivers say"),
        ({"kind": "ball"}, "a ball is not driven"),
    ],
)
def test_drivers_that_cannot_be_are_refused(fields: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidDocument, match=says):
        validate_figure(leg(**fields))


def test_chains_and_limits_over_driven_hinges_are_refused() -> None:
    figure = leg(kind="hinge")
    behind = Dof(id="knee.z", name="Turn", driven=(replace(SLIDE, dof="patella.y"),))
    knee = replace(figure.joint("knee"), dofs=(*figure.joint("knee").dofs, behind))
    with pytest.raises(InvalidDocument, match="driven itself"):
        validate_figure(replace(figure, joints=(*figure.joints[:2], knee)))
    grid = Grid(counts=(8,), lower=(-2.0,), spacing=(0.5,), periodic=(False,))
    limit = Limit(id="l", name="L", dofs=("patella.y",), range=BoxRange(lower=(-1.0,), upper=(1.0,)), grid=grid)
    with pytest.raises(InvalidDocument, match="that nothing drives"):
        validate_figure(replace(figure, limits=(limit,)))
