"""The figure and the motion that solvers of inverse kinematics are compared on: 71 degrees of freedom, six goals.

A person in metres, z up, x ahead, y to the left; every degree of freedom is a hinge or a slide with limits. The motion
is smooth and within the limits, of about the tempo of walking and reaching: two sines for each degree of freedom, of
0.1 to 0.45 Hz; goals taken from it can all be reached.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from engine.document import Dof, Figure, Joint
from engine.document.values import Vector3
from engine.ik.goals import Spot
from engine.maths.arrays import Array

ACTOR = "reacher"
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
ROOT = "slide x -3 3, slide y -3 3, slide z 0 2, z -180 180, y -90 90, x -90 90"
SPINE = "y -20 30, x -20 20, z -20 20"
HEAD = "y -30 40, x -25 25, z -40 40"
# The left side: name, parent, offset, freedom. On the right, y and the turns about x and z change their sign.
SIDE: tuple[tuple[str, str, Vector3, str], ...] = (
    ("clav", "spine2", (0.0, 0.03, 0.8 * 0.5 / 3), "x -12 30, =z -20 20"),
    ("uarm", "clav", (0.0, 0.15, 0.0), "z -130 60, =x -90 90, =y -90 90"),
    ("farm", "uarm", (0.0, 0.28, 0.0), "z -145 0, =y -85 85"),
    ("hand", "farm", (0.0, 0.25, 0.0), "=z -30 20, =x -70 70"),
    ("th0", "hand", (0.03, 0.02, 0.0), "=z -20 20"),
    ("th1", "th0", (0.0, 0.012, 0.0), "x -90 5"),
    ("th2", "th1", (0.0, 0.03, 0.0), "x -90 5"),
    ("ix0", "hand", (0.03, 0.09, 0.0), "=z -20 20"),
    ("ix1", "ix0", (0.0, 0.012, 0.0), "x -90 5"),
    ("md0", "hand", (0.01, 0.09, 0.0), "x -90 5"),
    ("rg0", "hand", (-0.01, 0.09, 0.0), "x -90 5"),
    ("pk0", "hand", (-0.03, 0.08, 0.0), "=z -20 20"),
    ("pk1", "pk0", (0.0, 0.012, 0.0), "x -90 5"),
    ("thigh", "pelvis", (0.0, 0.09, -0.03), "=y -120 30, =x -45 45, =z -45 45"),
    ("shin", "thigh", (0.0, 0.0, -0.42), "=y 0 150"),
    ("foot", "shin", (0.0, 0.0, -0.42), "=y -50 30, =x -25 25"),
    ("toe", "foot", (0.14, 0.0, -0.04), "=y -40 30"),
)
"""A freedom is an axis and two limits [degrees]; `=` gives the right side the same ones, else they are mirrored."""

SPOTS = {
    "pelvis": Spot(actor=ACTOR, joint="pelvis"),
    "head": Spot(actor=ACTOR, joint="head", point=(0.0, 0.0, 0.18)),
    "left hand": Spot(actor=ACTOR, joint="lhand", point=(0.0, 0.09, 0.0)),
    "right hand": Spot(actor=ACTOR, joint="rhand", point=(0.0, -0.09, 0.0)),
    "left foot": Spot(actor=ACTOR, joint="lfoot", point=(0.14, 0.0, -0.04)),
    "right foot": Spot(actor=ACTOR, joint="rfoot", point=(0.14, 0.0, -0.04)),
}


def reacher() -> Figure:
    """The figure, its joints depth first."""
    third = 0.5 / 3
    joints = [_joint("pelvis", None, (0.0, 0.0, 0.0), ROOT), _joint("spine0", "pelvis", (0.0, 0.0, 0.1), SPINE)]
    joints += [_joint(f"spine{each}", f"spine{each - 1}", (0.0, 0.0, third), SPINE) for each in (1, 2)]
    joints += [_joint("neck", "spine2", (0.0, 0.0, third), HEAD), _joint("head", "neck", (0.0, 0.0, 0.1), HEAD)]
    joints += _side("l", 1.0) + _side("r", -1.0)
    return Figure(name="Reacher", joints=tuple(_depth_first(joints, None)))


def move(figure: Figure, times: Array, seed: int) -> Array:
    """Poses at the times [s], shape [time_count, coordinate_count]."""
    rng = np.random.default_rng(seed)
    lower, upper = np.array([(dof.lower, dof.upper) for dof in figure.dofs], dtype=float).T
    middle, half, count = 0.5 * (lower + upper), 0.5 * (upper - lower), len(lower)
    half[:6], middle[:6] = (1.0, 1.0, 0.3, 0.6, 0.6, 0.6), (0.0, 0.0, 0.95, 0.0, 0.0, 0.0)
    slow, fast = rng.uniform(0.1, 0.25, count), rng.uniform(0.25, 0.45, count)
    first, second = rng.uniform(0.0, 6.28, count), rng.uniform(0.0, 6.28, count)
    t = 6.2832 * times[:, None]
    return np.asarray(middle + half * (0.55 * np.sin(slow * t + first) + 0.25 * np.sin(fast * t + second)))


def _side(letter: str, sign: float) -> list[Joint]:
    out = []
    for name, parent, (x, y, z), freedom in SIDE:
        above = parent if parent in ("spine2", "pelvis") else letter + parent
        out.append(_joint(letter + name, above, (x, sign * y, z), freedom, mirrored=sign < 0.0))
    return out


def _joint(id: str, parent: str | None, offset: Vector3, freedom: str, *, mirrored: bool = False) -> Joint:
    dofs = []
    for place, text in enumerate(freedom.split(", ")):
        *kind, axis, low, high = text.split()
        lower, upper = float(low), float(high)
        if mirrored and not axis.startswith("="):
            lower, upper = -upper, -lower
        factor = 1.0 if kind else math.pi / 180.0
        dofs.append(
            Dof(
                id=f"{id}_{place}",
                name=axis,
                kind="slide" if kind else "hinge",
                axis=AXES[axis.strip("=")],
                lower=lower * factor,
                upper=upper * factor,
            )
        )
    return Joint(id=id, name=id, parent=parent, offset=offset, dofs=tuple(dofs))


def _depth_first(joints: list[Joint], parent: str | None) -> Iterator[Joint]:
    for joint in joints:
        if joint.parent == parent:
            yield joint
            yield from _depth_first(joints, joint.id)
