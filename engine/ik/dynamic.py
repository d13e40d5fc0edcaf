"""Jacobian transpose as a motion: goals pull like elastic bands on bodies without inertia (Welman 1993, 4.1).

    q' = K J^T F,   K_i = 1 / (w_i phi_i)                                                  (4.10, 4.11)

F = -r is the pull (W inside J and r), phi_i the stiffness of the degree of freedom. w_i is to be proportional to the
length of link i and to take the world's scale out; J^T F of a hinge goes with the square of a length, so the factor of
proportion has to be a length too: w_i = l_i L with L the reach of the figure, and w_i = 1 for a slide. The length of a
link is the way to the farthest joint that hangs on it, or to the spot of a goal, and at least a twentieth of L.

The motion is integrated by Euler's rule (4.12), or by the pair of third and second order of Bogacki and Shampine
(1989), whose difference, as a part of the step, goes with the square of the step and is held by its length: a fixed
difference in radians would let the pose tremble at the edge of stability once the goal is near. Limits are clamped
after each step; a coordinate that stands on one and is pulled past it rests. The three numbers of a ball are turns from
the pose at the beginning of the step. Steps of time count as iterations.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar

import numpy as np

from engine.ik import layout as at
from engine.ik.columns import dot_column
from engine.ik.descent import is_finished, is_held
from engine.ik.layout import (
    COLUMN_FLOATS,
    COLUMN_WIDTH,
    COLUMNS,
    COUNTS,
    FIELDS_END,
    JACOBIAN,
    LENGTH,
    MOBILITY,
    RESIDUAL,
    SOLVER,
    WORST,
    Packed,
)
from engine.ik.problem import Problem
from engine.ik.region_kernels import slide_step
from engine.ik.rows import evaluate
from engine.ik.steps import move_pose
from engine.ik.transpose import take_step, transpose_space
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

_FIRST_STEP = 0.05  # [s]
_SHORTER = 40  # steps that are tried at one time


@lru_cache(maxsize=64)
def link_scales(problem: Problem) -> Array:
    """1 / w of each column [1/m2 for a turn, 1 for a slide], shape [column_count]."""
    joints = problem.model.figure.joints
    index = problem.model.figure.joint_index
    length, reach = np.zeros(len(joints)), np.zeros(len(joints))
    for block in range(len(problem.owners)):
        kind, joint = problem.ints[at.HEADER + block * at.BLOCK :][: at.JOINT + 1]
        if kind in (at.POINT, at.LOOK):
            spot = problem.floats[block * at.BLOCK_FLOATS + at.LOCAL :][:3]
            length[joint] = reach[joint] = max(length[joint], float(np.linalg.norm(spot)))
    for joint, each in reversed(tuple(enumerate(joints))):
        if each.parent is not None:
            parent, offset = index[each.parent], float(np.linalg.norm(each.offset))
            length[parent] = max(length[parent], offset if offset > 0.0 else length[joint])
            reach[parent] = max(reach[parent], offset + reach[joint])
    place = {dof.id: (joint, dof) for joint, each in enumerate(joints) for dof in each.dofs}
    out = np.ones(problem.column_count)
    for column, (participant, id) in enumerate(problem.columns):
        joint, dof = place[f"{participant}/{id}"]
        whole = float(reach[index[f"{participant}"]])
        if dof.kind != "slide" and whole > 0.0:
            out[column] = 1.0 / (max(length[joint], 0.05 * whole) * whole)
    return out


@kernel
def write_rates(packed: Packed, q: Array, links: Array, evaluated: bool, work: Array, out_rate: Array) -> None:
    """q' at q; 0 where a limit holds, along the boundary of a region."""
    ints, floats, regions = packed[2:]
    if not evaluated:
        evaluate(packed, q, True, work)
    for column in range(ints[COLUMNS]):
        pull = -dot_column(ints, work[ints[JACOBIAN] :], column, work[ints[RESIDUAL] :])
        rate = floats[ints[COLUMN_FLOATS] + column * COLUMN_WIDTH + MOBILITY] * links[column] * pull
        out_rate[column] = 0.0 if is_held(ints, floats, q, column, rate) else rate
    if ints[FIELDS_END] > 0:
        slide_step(ints, floats, regions, q, out_rate)


@kernel
def advance_euler(packed: Packed, q: Array, links: Array, work: Array, count: int, h: float) -> float:
    """Advance by up to `count` steps of h; q is moved. Returns the largest error as a part of what is allowed."""
    ints = packed[2]
    rate = work[ints[SOLVER] :]
    workspace = rate[ints[COLUMNS] :]
    evaluate(packed, q, True, work)
    for _ in range(count):
        if is_finished(ints, work):
            break
        write_rates(packed, q, links, True, work, rate)
        take_step(packed, q, rate, h, work, workspace)
    return float(work[ints[COUNTS] + WORST])


@kernel
def try_pair(packed: Packed, q: Array, links: Array, h: float, work: Array, out_rates: Array) -> float:
    """Bogacki and Shampine's step from the first rates in `out_rates`; what the two orders differ by, as a part of what
    the farthest column moves. The mean rate of third order lies behind the four stages."""
    ints, floats, regions = packed[2:]
    columns = ints[COLUMNS]
    first, second, third = out_rates, out_rates[columns:], out_rates[2 * columns :]
    last, mean, pose = out_rates[3 * columns :], out_rates[4 * columns :], out_rates[5 * columns :]
    move_pose(ints, floats, regions, q, first, 0.5 * h, pose)
    write_rates(packed, pose, links, False, work, second)
    move_pose(ints, floats, regions, q, second, 0.75 * h, pose)
    write_rates(packed, pose, links, False, work, third)
    for column in range(columns):
        mean[column] = (2.0 * first[column] + 3.0 * second[column] + 4.0 * third[column]) / 9.0
    move_pose(ints, floats, regions, q, mean, h, pose)
    write_rates(packed, pose, links, False, work, last)
    worst, farthest = 0.0, 0.0
    for column in range(columns):
        differ = -5.0 * first[column] / 72.0 + second[column] / 12.0 + third[column] / 9.0 - last[column] / 8.0
        worst, farthest = max(worst, abs(differ)), max(farthest, abs(mean[column]))
    return worst / farthest if farthest > 0.0 else 0.0


@kernel
def advance_pair(packed: Packed, q: Array, links: Array, work: Array, count: int, tolerance: float) -> float:
    """Advance by up to `count` steps; q is moved. Returns the largest error as a part of what is allowed."""
    ints = packed[2]
    counts = ints[COUNTS]
    rates = work[ints[SOLVER] :]
    mean, pose = rates[4 * ints[COLUMNS] :], rates[5 * ints[COLUMNS] :]
    evaluate(packed, q, True, work)
    if work[counts + LENGTH] <= 0.0:
        work[counts + LENGTH] = _FIRST_STEP
    for _ in range(count):
        if is_finished(ints, work):
            break
        write_rates(packed, q, links, True, work, rates)
        h = work[counts + LENGTH]
        for _ in range(_SHORTER):
            differ = try_pair(packed, q, links, h, work, rates)
            ratio = 0.9 * math.sqrt(tolerance / differ) if differ > 0.0 else 5.0
            work[counts + LENGTH] = h * min(max(ratio, 0.2), 5.0)
            if differ <= tolerance:
                break
            h = work[counts + LENGTH]
        evaluate(packed, q, True, work)
        take_step(packed, q, mean, h, work, pose)
    return float(work[counts + WORST])


@dataclass(frozen=True, kw_only=True)
class Euler(CheckedOptions):
    """Welman's motion in equal steps of time."""

    step: float = option(
        0.02,
        label="Time step",
        unit="s",
        least=1e-5,
        most=10.0,
        note="h of equation 4.12. Too long a step overshoots, the sooner the longer the chain.",
    )

    label: ClassVar[str] = "Jacobian transpose, Euler"
    source: ClassVar[str] = "Welman 1993, equations 4.10 to 4.12"
    patience: ClassVar[int] = 400
    weighs: ClassVar[bool] = False

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        return transpose_space(problem)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` steps of time."""
        return advance_euler(problem.packed, q, link_scales(problem), work, count, self.step)


@dataclass(frozen=True, kw_only=True)
class RungeKutta(CheckedOptions):
    """Welman's motion in steps of time that are as long as they may be."""

    tolerance: float = option(
        0.1,
        label="Accuracy",
        least=1e-6,
        most=1.0,
        note="What the rules of second and third order may differ by, as a part of the step.",
    )

    label: ClassVar[str] = "Jacobian transpose, Runge-Kutta"
    source: ClassVar[str] = "Welman 1993, 4.1.5; Bogacki and Shampine 1989"
    patience: ClassVar[int] = 150
    weighs: ClassVar[bool] = True

    def space(self, problem: Problem) -> int:
        """Return the size of the workspace that the solver needs."""
        return 5 * problem.column_count + transpose_space(problem)

    def advance(self, problem: Problem, q: Array, work: Array, count: int) -> float:
        """Advance by up to `count` steps of time."""
        return advance_pair(problem.packed, q, link_scales(problem), work, count, self.tolerance)
