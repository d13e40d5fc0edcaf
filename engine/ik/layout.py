"""Where things lie in the packed buffers of a problem; see `engine.ik.problem` for what they mean.

`ints`: the header below, then the blocks, the entries, the columns, and for each column the blocks that it moves.
`floats`: the blocks, the columns, the masses, the matrix over all goals. `work`: state, residual, Jacobian, errors,
counts, curve, and room for the solver.
"""

from __future__ import annotations

# Header of `ints`.
BLOCKS, BLOCKS_AT, ROWS, MAIN_ROWS, COLUMNS, COLUMNS_AT, COLUMN_FLOATS, MASSES_FLOATS, MIX_AT, BODIES, CENTRES = range(
    11
)
STATE, RESIDUAL, JACOBIAN, ERRORS, SUBTREES, COUNTS, CURVE, SPACE, SOLVER = range(11, 20)  # offsets in `work`
HEADER = 20

# A block: up to three rows of the residual. Those from MAIN_ROWS on are wishes, followed in the null space of the rest.
KIND, JOINT, FRAME, ROW, HEIGHT, ENTRIES_FROM, ENTRIES_TO = range(7)
BLOCK = 7
POINT, AXIS, LOOK, CENTRE = range(4)
LOCAL, DIRECTION, TARGET, SHAPE, SCALE, ALLOWED = 0, 3, 6, 9, 18, 19  # in the block's floats
BLOCK_FLOATS = 20

# An entry: a column of a block that is not zero. SIGN holds the joint where the block is a centre of mass.
COLUMN, MOTION_AT, SLIDES, SIGN = range(4)
ENTRY = 4

# A column: a rate that may move. PART: 0 a number; 1, 2, 3 a component of the ball whose w is COORDINATE.
COORDINATE, PART, SPANS_FROM, SPANS_TO = range(4)
COLUMN_INTS = 4
SPAN = 2  # first row and end of what a column moves
LOWER, UPPER, MOBILITY, WISH, PULL = range(5)  # in the column's floats
COLUMN_WIDTH = 5

# Counts in `work`, then the curve of f over the iterations.
# LENGTH: what a solver keeps of its step from one iteration to the next; 0 at the start.
SQUARES, WORST, EVALUATIONS, ITERATIONS, STALLED, DAMPING, LENGTH = range(7)
COUNT = 8
CURVE_KEPT = 256
