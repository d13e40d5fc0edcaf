"""Steps that are taken whether or not they lead downhill, as the inverse of the Jacobian and damped least squares do.

r^T r may then rise, so the best pose is kept, and is what remains; after so many steps without a better one, going on
is of no use.
"""

from __future__ import annotations

from engine.ik.layout import (
    COLUMNS,
    COUNTS,
    CURVE,
    CURVE_KEPT,
    DAMPING,
    ITERATIONS,
    STALLED,
    WORST,
    Packed,
)
from engine.ik.rows import evaluate
from engine.ik.steps import move_pose
from engine.maths.arrays import Array, IntArray
from engine.runtime.jit import kernel

PATIENCE = 20  # steps without a better pose


@kernel
def bound_step(ints: IntArray, largest: float, out_step: Array) -> None:
    """Shrink a step of which some number is above `largest`, by largest / (largest + it), as Blender does."""
    most = 0.0
    for column in range(ints[COLUMNS]):
        most = max(most, abs(out_step[column]))
    if most > largest:
        for column in range(ints[COLUMNS]):
            out_step[column] *= largest / (largest + most)


@kernel
def is_done(ints: IntArray, squares: float, work: Array) -> bool:
    """Tell whether the goals are met, or cannot be met from here."""
    counts = ints[COUNTS]
    met = work[counts + WORST] <= 1.0 and work[counts + ITERATIONS] > 0.0
    return bool(squares <= 1e-30 or met or work[counts + STALLED] != 0.0)


@kernel
def take_step(packed: Packed, q: Array, work: Array, step: Array, least: float, out_best: Array) -> float:
    """q <- P(q + d), evaluated; `out_best` follows where r^T r falls below `least`. Behind it there is space for
    another pose. Returns r^T r."""
    ints, floats, regions = packed[2:]
    counts, moved = ints[COUNTS], out_best[q.shape[0] : 2 * q.shape[0]]
    move_pose(ints, floats, regions, q, step, 1.0, moved)
    for each in range(q.shape[0]):
        q[each] = moved[each]
    squares = evaluate(packed, q, True, work)
    work[counts + ITERATIONS] += 1.0
    work[ints[CURVE] + int(work[counts + ITERATIONS]) % CURVE_KEPT] = squares
    if squares < least:
        for each in range(q.shape[0]):
            out_best[each] = q[each]
    work[counts + DAMPING] = 0.0 if squares < (1.0 - 1e-6) * least else work[counts + DAMPING] + 1.0
    if work[counts + DAMPING] >= PATIENCE:
        work[counts + STALLED] = 1.0
    return squares


@kernel
def return_to(packed: Packed, best: Array, out_q: Array, work: Array) -> None:
    """Take the best pose, evaluated."""
    for each in range(out_q.shape[0]):
        out_q[each] = best[each]
    evaluate(packed, out_q, False, work)
