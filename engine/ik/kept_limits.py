"""Limits over several angles held of a pose that was not made with them."""

from __future__ import annotations

from engine.document import Figure
from engine.ik.region_kernels import measure_field
from engine.ik.regions import pack_over
from engine.limits.query import project_pose
from engine.maths.arrays import Array


def keep_limits(figure: Figure, reference: Array, out_q: Array) -> None:
    """Move a pose into those limits that another one keeps, from which it was made: who set that one outside of a limit
    means it so."""
    whole = pack_over(figure, figure.limits_on, figure.coordinates)
    kept = [
        limit
        for field, limit in enumerate(figure.limits_on)
        if measure_field(whole.ints, whole.floats, field, reference) <= 0.0
    ]
    if not kept:
        return
    pack = pack_over(figure, kept, figure.coordinates)
    project_pose(pack.ints, pack.floats, out_q, out_q)
