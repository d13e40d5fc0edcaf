"""Water that is enclosed, without a surface: a full tank, the inside of a closed box, what is below a stuck piston.

Its pressure is known but for a constant, and what flows in must flow out. Where solids ask for something else the
equation has no answer; the nearest is to spread the excess over all cells of the pocket, as if the water gave way.
"""

from __future__ import annotations

from engine.maths.arrays import IntArray
from engine.runtime.jit import kernel
from engine.water.equation import DIAGONAL, RESIDUAL, Solve
from engine.water.multigrid import CX, CY, CZ, level_array, steps_of

_TOUCHED = 1e-9  # share of the diagonal that is by the surface


@kernel
def level_pockets(solve: Solve, relieved: IntArray, found: IntArray, queue: IntArray) -> int:
    """Take the mean out of the residual in each pocket; give how many there are.

    relieved: places of cells beside bodies that give way, whose water is not enclosed; found, queue: room for all
    places of padded arrays, `found` zero."""
    grid, residual, diagonal = solve.multigrid, solve.numbers[RESIDUAL], solve.numbers[DIAGONAL]
    cx, cy, cz = level_array(grid, 0, CX), level_array(grid, 0, CY), level_array(grid, 0, CZ)
    row, plane = steps_of(grid, 0)
    pockets = 0
    for at in relieved:
        found[at] = -1
    for begin in range(len(diagonal)):
        if not diagonal[begin] > 0.0 or found[begin] > 0:
            continue
        enclosed = found[begin] == 0
        queue[0], found[begin] = begin, 1
        first, end = 0, 1
        excess = 0.0
        while first < end:
            at = queue[first]
            first += 1
            excess += residual[at]
            couplings = 0.0
            for way in range(6):
                off = 1 if way < 2 else (row if way < 4 else plane)
                near = at + off if way % 2 else at - off
                later = near if way % 2 else at
                coupling = cz[later] if way < 2 else (cy[later] if way < 4 else cx[later])
                couplings += coupling
                if coupling > 0.0 and found[near] <= 0:
                    enclosed = enclosed and found[near] == 0
                    found[near] = 1
                    queue[end] = near
                    end += 1
            enclosed = enclosed and diagonal[at] - couplings <= _TOUCHED * diagonal[at]
        if enclosed:
            pockets += 1
            for place in range(end):
                residual[queue[place]] -= excess / end
    return pockets
