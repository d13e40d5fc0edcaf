"""Layout of the packed buffers of a problem; see `engine.ik.problem` for what they mean.

`ints`: the header below, then the blocks, the entries, the columns, for each column the blocks that it moves, and for
each field of a limit over several angles the columns of its angles, driven coordinates (`engine.model.driven`).
`floats`: the blocks, the columns, the masses, the matrix over all goals, splines of driven coordinates. `work`: state,
residual, Jacobian, errors, counts, curve, f' of driven coordinates, what is known of fields at a step, and workspace of
the solver.
"""

from __future__ import annotations

from engine.maths.arrays import Array, IntArray

Regions = tuple[IntArray, Array, IntArray, Array]  # integers and numbers of fields that are packed in two groups
Packed = tuple[IntArray, Array, IntArray, Array, Regions]  # of a problem: its model's buffers, its own, its regions'

# Header of `ints`.
BLOCKS, BLOCKS_AT, ROWS, MAIN_ROWS, COLUMNS, COLUMNS_AT, COLUMN_FLOATS, MASSES_FLOATS, MIX_AT, BODIES, CENTRES = range(
    11
)
STATE, RESIDUAL, JACOBIAN, ERRORS, SUBTREES, COUNTS, CURVE, SPACE, STOPS, SOLVER = range(11, 21)  # offsets in `work`
# How many fields may move in all their angles, how many there are, and where the columns of their angles begin.
FIELDS, FIELDS_END, FIELDS_AT = range(21, 24)
# Where driven coordinates begin in `ints` and in `floats`, 0 where there are none, and in `work` their f'.
DRIVEN_AT, DRIVEN_FLOATS, SLOPES = range(24, 27)
HEADER = 27

# A block: up to three rows of the residual. Those from MAIN_ROWS on are tasks, followed in the null space of the rest.
KIND, JOINT, FRAME, ROW, HEIGHT, ENTRIES_FROM, ENTRIES_TO = range(7)
BLOCK = 7
POINT, AXIS, LOOK, CENTRE = range(4)
LOCAL, DIRECTION, TARGET, SHAPE, SCALE, ALLOWED = 0, 3, 6, 9, 18, 19  # in the block's floats
BLOCK_FLOATS = 20

# An entry: a column of a block that is not zero. SIGN holds the joint where the block is a centre of mass. LED: 0, or
# of a driven coordinate, in its driver's column, the number of its f' from 1; below 0 if added to what is there.
COLUMN, MOTION_AT, SLIDES, SIGN, LED = range(5)
ENTRY = 5

# A column: a rate that may move. PART: 0 a number; 1, 2, 3 a component of the ball whose w is COORDINATE. TURNS: 1 of
# what turns, 0 of what slides.
COORDINATE, PART, SPANS_FROM, SPANS_TO, TURNS = range(5)
COLUMN_INTS = 5
SPAN = 2  # first row and end of what a column moves
LOWER, UPPER, MOBILITY, PREFERRED, PULL = range(5)  # in the column's floats
COLUMN_WIDTH = 5
AT_LIMIT = 1e-12  # [rad] or [m]: rounding does not decide whether a coordinate is at its limit

# Counts in `work`, then the curve of f over the iterations.
# LENGTH: what a solver keeps of its step from one iteration to the next; 0 at the start.
# BEGUN: f where the first evaluation was.
SQUARES, WORST, EVALUATIONS, ITERATIONS, STALLED, DAMPING, LENGTH, BEGUN = range(8)
COUNT = 8
CURVE_KEPT = 256

# What is known of a field at a step (`engine.ik.stops`): some numbers, its gradient n over five angles, K n of the
# same, and J K n, as long as there are rows. Behind those of all fields, two numbers for each column.
ACTIVE, MEASURE, CONSTANT = range(3)
NORMAL, MOVED, SEEN = 3, 8, 13
