"""Lengths and moment arms of muscles while one degree of freedom goes through its range, all others standing still."""

from __future__ import annotations

import math

import numpy as np

from engine.document import Dof, Figure
from engine.maths.arrays import Array
from engine.muscles.compiled import MuscledFigure
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.quick_dataclass import dataclass

STEPS = 61
AROUND = {
    "hinge": math.radians(90.0),
    "slide": 0.05,
}  # [rad] or [m] to each side of a degree of freedom without a limit


@dataclass(frozen=True, eq=False)
class ArmsOverRange:
    """Lengths and moment arms over a range; arrays of shape [step_count, muscle_count]."""

    dof: str
    values: Array  # [rad] or [m], shape [step_count]
    lengths: Array  # [m]
    arms: Array  # [m] about a hinge; along a slide a share


def range_of(dof: Dof) -> tuple[float, float]:
    """From where to where a degree of freedom goes: its limits, or `AROUND` where it has none."""
    wide = AROUND[dof.kind]
    lower, upper = dof.lower, dof.upper
    return (
        (upper - 2.0 * wide if upper is not None else -wide) if lower is None else lower,
        (lower + 2.0 * wide if lower is not None else wide) if upper is None else upper,
    )


def arms_over(
    muscled: MuscledFigure, q: Array, dof: str, *, span: tuple[float, float] | None = None, steps: int = STEPS
) -> ArmsOverRange:
    """Measure all muscles over the range of a degree of freedom, or over a span of it [rad] or [m]; `q`: the pose in
    which all others stay."""
    figure = muscled.model.figure
    found = measured_dof(figure, dof)
    if steps < 2:
        raise InvalidArguments(what="the number of steps", value=steps, allowed="2 and more")
    lower, upper = span or range_of(found)
    if not lower < upper:
        raise InvalidArguments(what=f"the range of {dof}", value=(lower, upper), allowed="a beginning below its end")
    values = np.linspace(lower, upper, steps)
    place, rate = figure.coordinate_index[dof], figure.rate_index[dof]
    lengths, arms = np.zeros((steps, muscled.paths.count)), np.zeros((steps, muscled.paths.count))
    pose = np.array(q, dtype=np.float64)
    for row, value in enumerate(values):
        pose[place] = value
        length, gradient = muscled.measure(pose)
        lengths[row], arms[row] = length, -gradient[:, rate]
    return ArmsOverRange(dof, values, lengths, arms)


def measured_dof(figure: Figure, dof: str) -> Dof:
    """Give a degree of freedom over which muscles are measured; refuse an unknown one, a ball and a driven
    one."""
    known = {each.id: each for each in figure.dofs if each.kind != "ball" and not each.driven}
    if dof not in known:
        raise UnknownPart(kind="degree of freedom", id=dof, known=tuple(known))
    return known[dof]
