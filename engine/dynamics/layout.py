"""Layout of a `Mechanics` and of its work buffer.

`ints` and `floats` begin with those of the model, so that kernels of `engine.model` read them too. Behind them
`ints` has, from `extra_of(ints)` on, a header, PARENT, RATE_START, RATE_END, SLOT and BEARS of each joint (the last
two: see `simd_batch.py`), and of each rate its KIND, its (first) COORDINATE and the PREVIOUS rate on the way to the
root, or -1. `floats` has from ints[extra + FLOATS] on the placement (12: rotation row by row, then position), the
gravity (3), and for each joint its body: MASS, CENTRE (3), INERTIA about the centre (xx, yy, zz, xy, xz, yz), PULL (3),
which is the acceleration by the gravity that the body feels, and SHARE, how much of the whole that is; then from
ints[extra + AXES] on of each rate its axis (3) and a sign, -1 where that is opposite to a main one.

`work` begins with the state of the model (WORK_STATE). Behind it are, at the places that the header names:

| name | numbers | what |
| --- | --- | --- |
| ORIGIN | 3 | the world point O that all moments are taken about: the root joint's origin |
| MOTIONS | 6 for each rate | the motion at unit rate: angular velocity, velocity of the point at O |
| LINKS | 40 for each joint | VELOCITY (6), ACCELERATION (6), BIAS (6, force: first the moment about O), INERTIA (21) |
| SINES | 2 for each coordinate | all sines, then all cosines |
| FACTORS | 8 for each rate | U (6), the inverse of D, u / D |

An INERTIA is a symmetric matrix of six rows: the angular block as xx, yy, zz, xy, xz, yz (6), the block from linear
motion to moment row by row (9), the linear block (6).
"""

from __future__ import annotations

from engine.limits.inlined import inlined
from engine.maths.arrays import IntArray
from engine.model.compile import DOF_COUNT, DOF_INTS, DOF_STRIDE, ROW

WORK_STATE = 0
# Of a place in a buffer: tells the compiler that it is not negative, which it would otherwise ask at each access.
PLACE = 0x7FFFFFFF
# Header of the extra ints.
FLOATS, LINK_INTS, KINDS, AXES, ORIGIN, MOTIONS, LINKS, FACTORS, SINES, RATES = range(10)
EXTRA_HEADER = 10
# Kinds of rates: turns about the main axes of the frame before them and about a skew one; slides; a ball's three, about
# the x, y, z of the frame that it turns itself: TURNED, TURNED + 1, TURNED + 2.
TURN_X, TURN_Y, TURN_Z, TURN, SLIDES, TURNED = range(6)
# Per joint in `ints`.
LINK_PARENT, RATE_START, RATE_END, SLOT, BEARS = range(5)
LINK_INT_STRIDE = 5
# Per rate in `ints`, from ints[extra + KINDS] on.
KIND, COORDINATE, PREVIOUS = range(3)
RATE_INT_STRIDE = 3
# In `floats`, counted from ints[extra + FLOATS].
PLACEMENT, GRAVITY_AT, BODIES = 0, ROW, ROW + 3
MASS, CENTRE, INERTIA, PULL, SHARE = 0, 1, 4, 10, 13
BODY_STRIDE = 14
AXIS_STRIDE = 4
# Per joint and per rate in `work`.
VELOCITY, ACCELERATION, BIAS, LINK_INERTIA = 0, 6, 12, 18
LINK_STRIDE, FACTOR_STRIDE, MOTION_STRIDE = 40, 8, 6
INVERSE, RATIO = 6, 7


@inlined
def extra_of(ints: IntArray) -> int:
    """Return where the ints of the dynamics begin."""
    return int((ints[DOF_INTS] + ints[DOF_COUNT] * DOF_STRIDE) & PLACE)
