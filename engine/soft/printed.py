"""Printed: splines whose forces reach the body by a form that Engell-Norregard 2012 prints, as forces of the pose
before a step. They keep neither sum nor torque exactly (`transfers.py`), and are no part of the implicit matrix, so
that a spline much stiffer than its body wants short steps.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass
from engine.soft.members import SoftMember, bound_splines, pulling
from engine.soft.splines import BoundSplines
from engine.soft.transfers import Transfer, explicit_forces, make_transfer
from engine.soft.virtual_springs import VirtualSprings

CONSERVING = "conserving"
_STEPS = 8  # of the iterated form


@dataclass(frozen=True, eq=False)
class PrintedSplines:
    """The splines of one body that have one of these forms."""

    points: slice  # of the body
    segments: IntArray  # of these splines, among those of the scene
    bound: BoundSplines
    transfer: Transfer

    def forces(self, points: Array, speeds: Array, alphas: Array) -> Array:
        """Compute the forces on the body's points, shape [point_count, 3]: the same whatever was computed before."""
        self.transfer.multipliers = np.zeros_like(self.transfer.multipliers)
        own, fast = (np.ascontiguousarray(each[self.points]) for each in (points, speeds))
        return explicit_forces(self.bound, self.transfer, own, fast, alphas[self.segments])


def printed_splines(member: SoftMember, young: float) -> list[PrintedSplines]:
    """Bind the splines of a body that have a printed form, form by form."""
    splines, found = pulling(member.body), []
    for kind in dict.fromkeys(each.transfer for each in splines if each.transfer != CONSERVING):
        alike = tuple(each for each in splines if each.transfer == kind)
        bound = bound_splines(replace(member.body, splines=alike), member.mesh, member.masses, young)
        numbers = [number for number, each in enumerate(splines) if each.transfer == kind]
        segments = np.flatnonzero(np.isin(member.springs.spline, numbers)).astype(np.int32)
        transfer = make_transfer(kind.replace("_", "-"), bound.regions, member.masses, steps=_STEPS)  # type: ignore[arg-type]
        found.append(PrintedSplines(member.points, segments + np.int32(member.segments.start), bound, transfer))
    return found


def implicit_springs(member: SoftMember) -> VirtualSprings:
    """Give the springs of a body, without strength where they have a printed form."""
    kept = np.array([each.transfer == CONSERVING for each in pulling(member.body)], dtype=np.float64)
    springs = member.springs
    if kept.all():
        return springs
    share = kept[springs.spline]
    return springs._replace(stiffness=springs.stiffness * share, damping=springs.damping * share)
