"""Angles of hip, knee and ankle over a cycle of walking: measured ones of one person, and what is commonly reported.

Measured: inverse kinematics of the walk `gait2354_walk` of opensim-models (CC BY 3.0), subject01, of both legs, each
from its own contact, read every 5 % of its cycle of 1.22 s and rounded to a degree. Its feet carry for 66 % of the
cycle; phases are stretched so that a foot leaves the ground when another walk's does. Its pelvis stands 5 degrees
tilted back in its model's frame, so its hip is compared without its mean.

What is commonly reported is said from memory of the field: no copy of a source was read for it.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

CARRIES = 66.0  # [% of the cycle], in the walk that was measured


@dataclass(frozen=True, kw_only=True)
class MeasuredAngle:
    """An angle of both legs [degrees] every 5 % of the cycle, and which coordinate of the skeleton it is."""

    name: str
    coordinate: str  # its side left out
    right: tuple[float, ...]
    left: tuple[float, ...]

    def between(self, percent: Array, leaves: float) -> Array:
        """Both legs at phases [% of the cycle] of a walk whose foot leaves the ground at `leaves`, shape [2, n]."""
        own = np.where(
            percent < leaves,
            percent / leaves * CARRIES,
            CARRIES + (percent - leaves) / (100.0 - leaves) * (100.0 - CARRIES),
        )
        every = 5.0 * np.arange(21)
        return np.array([np.interp(own, every, (*leg, leg[0])) for leg in (self.right, self.left)])


MEASURED = (
    MeasuredAngle(
        name="hip flexion", coordinate="femur_{}.flexion",
        right=(19, 21, 20, 17, 11, 4, -2, -7, -12, -18, -21, -21, -18, -8, 2, 11, 17, 21, 19, 18),
        left=(18, 19, 17, 12, 6, 0, -7, -13, -18, -22, -24, -23, -14, -2, 8, 15, 19, 20, 19, 17),
    ),
    MeasuredAngle(
        name="knee flexion", coordinate="tibia_{}.flexion",
        right=(1, 12, 21, 23, 20, 15, 11, 8, 5, 4, 6, 14, 29, 51, 66, 70, 63, 43, 19, 1),
        left=(1, 10, 16, 17, 14, 9, 4, 0, -3, -3, 2, 12, 35, 57, 68, 66, 55, 36, 14, -1),
    ),
    MeasuredAngle(
        name="ankle dorsiflexion", coordinate="talus_{}.dorsiflexion",
        right=(1, -2, -1, 2, 5, 6, 7, 8, 10, 11, 13, 13, 8, -7, -7, 0, 2, 2, 1, 1),
        left=(-3, -6, -5, -2, 1, 2, 3, 4, 6, 8, 10, 9, 2, -8, -4, -1, 1, 0, -3, -3),
    ),
)  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ReportedAngle:
    """An angle at its least or its largest in a part of the cycle, as it is commonly reported [degrees]."""

    words: str
    name: str
    part: tuple[float, float]  # [% of the cycle]
    most: bool  # its largest; else its least
    between: tuple[float, float]

    def found(self, percent: Array, angle: Array) -> float:
        """The least or the largest of an angle there."""
        there = angle[(percent >= self.part[0]) & (percent <= self.part[1])]
        return float(there.max() if self.most else there.min())


REPORTED = (
    ReportedAngle(words="knee, as the heel comes down", name="knee flexion", part=(0, 1), most=True, between=(0, 10)),
    ReportedAngle(words="knee, as weight comes on", name="knee flexion", part=(5, 25), most=True, between=(10, 25)),
    ReportedAngle(words="knee, as the heel rises", name="knee flexion", part=(28, 50), most=False, between=(0, 10)),
    ReportedAngle(words="knee, in the swing", name="knee flexion", part=(60, 100), most=True, between=(55, 70)),
    ReportedAngle(words="hip, late in stance", name="hip flexion", part=(35, 62), most=False, between=(-20, -10)),
    ReportedAngle(words="ankle, late in stance", name="ankle dorsiflexion", part=(30, 55), most=True, between=(5, 15)),
    ReportedAngle(words="ankle, at lift", name="ankle dorsiflexion", part=(55, 75), most=False, between=(-25, -10)),
)
