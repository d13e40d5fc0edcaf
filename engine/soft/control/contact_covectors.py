"""Covectors of what contacts hold on to: from those of the state after a step, to those of the state before it.

Spots keep the way z and the force f of a contact by the number of what they touch (`contact.py`): these stand at
other places in the state than in the lists of a step.
"""

from __future__ import annotations

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel
from engine.soft.assembly import Around
from engine.soft.contact import GRIPS

END, START, HOLD, LAG, FACED, TILTED, DEPTH, RESULTS = 0, 3, 6, 9, 10, 13, 16, 17
"""Columns of what a contact gives: by p', by p, by z, by f, by the body's direction, by the normal, by what is felt."""
KNOWN = 4  # what a contact is handed: covectors of z' and f'


@kernel
def gather_holds(around: Around, grips: Array, costates: Array, out: tuple[Array, Array]) -> None:
    """Find the covectors of z' and f' of contacts among those of what spots hold on to after a step."""
    touching, meeting = around.touching, around.meeting
    for each in range(touching.number[0]):
        find_hold(grips, costates, touching.pairs[each, 0], touching.pairs[each, 1] + 1.0, out[0][each])
    for each in range(meeting.tied.number[0]):
        find_hold(grips, costates, meeting.spots[each], meeting.numbers[each], out[1][each])


@inlined
def find_hold(grips: Array, costates: Array, spot: int, number: float, out: Array) -> None:
    """Copy the covector of one."""
    out[:] = 0.0
    for grip in range(GRIPS):
        if grips[spot, grip, 0] == number:
            out[:] = costates[spot, grip]


@kernel
def spread_holds(
    around: Around, triangles: IntArray, grips: Array, given: tuple[Array, Array], with_force: bool, out: Array
) -> None:
    """Add covectors of z and f of contacts to those of what spots held on to before a step; f only where it is that of
    the step before. `triangles`: of the hull."""
    touching, meeting = around.touching, around.meeting
    for each in range(touching.number[0]):
        spread_hold(grips, touching.pairs[each, 0], touching.pairs[each, 1] + 1.0, given[0][each], with_force, out)
    for each in range(meeting.tied.number[0]):
        spot, number = meeting.spots[each], meeting.numbers[each]
        if meeting.colliders[each] >= 0:
            spot = find_holder(grips, triangles[meeting.triangles[each]], spot, number)
        spread_hold(grips, spot, number, given[1][each], with_force, out)


@inlined
def find_holder(grips: Array, triangle: IntArray, nearest: int, number: float) -> int:
    """Find the corner of a triangle that held on to a sample, the nearest first, as contact does."""
    first, found = 0, nearest
    for corner in range(3):
        first = corner if triangle[corner] == nearest else first
    for corner in range(2, -1, -1):
        spot = triangle[(first + corner) % 3]
        for grip in range(GRIPS):
            if grips[spot, grip, 0] == number and grips[spot, grip, 4] > 0.0:
                found = spot
    return found


@inlined
def spread_hold(grips: Array, spot: int, number: float, given: Array, with_force: bool, out: Array) -> None:
    """Add the covector of one."""
    for grip in range(GRIPS):
        if grips[spot, grip, 0] == number:
            for way in range(3):
                out[spot, grip, way] += given[way]
            if with_force:
                out[spot, grip, 3] += given[3]


@kernel
def force_covectors(holds: Array, number: IntArray, out: Array) -> None:
    """Take the covectors of f as those of f' at an earlier place of the same step; of z' there are none."""
    for each in range(number[0]):
        out[each, 0], out[each, 1], out[each, 2], out[each, 3] = 0.0, 0.0, 0.0, holds[each, 3]
