"""Packed arrays of a figure's muscles: where numbers stand in `ints` and `floats`.

The gradient of all lengths is kept by entries: of each muscle those rates of the figure that move its path, in groups
of a joint each, joints before their parents. What a group's points are pulled by is handed on to its parent's group,
so each entry costs one product, however many points hang below it.
"""

from __future__ import annotations

# Header of `ints`: counts, and where the tables begin.
MUSCLE_COUNT, ENTRY_COUNT, POINT_INTS, WRAP_INTS, GROUP_INTS, ENTRY_INTS, CURVE_INTS, MOTION_INTS = range(8)
MOTION_COUNT, MOTIONS, HEADER = 8, 9, 10  # how many rates move paths, where their motions stand in the work memory
# Per muscle: its points, wraps and groups, from and to; where all of its points are fixed and there are no wraps, where
# in `floats` the length stands that lies within bodies, else -1. Such paths keep only the points where they leave a
# body or come to one: what lies between two points of one body neither changes nor pulls at it.
POINT_START, POINT_END, WRAP_START, WRAP_END, GROUP_START, GROUP_END, FIXED_LENGTH = range(7)
MUSCLE_STRIDE = 7
# Per point: row of its joint in a state; its group, -1 where nothing moves it; the coordinate of its range or -1, in a
# fixed path ANEW where it goes on from the point before within a body; where its floats begin; its curves.
POINT_ROW, POINT_GROUP, POINT_RANGE, POINT_FLOATS, POINT_CURVE_START, POINT_CURVE_END = range(6)
POINT_STRIDE = 6
ANEW = -2
# Per wrap of a muscle: its shape, row, group; between which of the muscle's points; where its floats begin.
WRAP_SHAPE, WRAP_ROW, WRAP_GROUP, WRAP_FIRST, WRAP_LAST, WRAP_FLOATS = range(6)
WRAP_STRIDE = 6
# Per group: the group of its parent or -1; its entries, from and to.
GROUP_PARENT, GROUP_ENTRY_START, GROUP_ENTRY_END = range(3)
GROUP_STRIDE = 3
# Per entry: its rate; where the motion of that stands in the work memory.
ENTRY_RATE, ENTRY_MOTION = range(2)
ENTRY_STRIDE = 2
# Per rate that moves a path: where its axis stands in a state; 1 for a slide.
MOTION_AXIS, MOTION_SLIDES = range(2)
MOTION_STRIDE = 2
# Per curve of a point: its axis, its coordinate in `q`, its entry, the number of its knots, where its floats begin.
CURVE_AXIS, CURVE_COORDINATE, CURVE_ENTRY, CURVE_COUNT, CURVE_FLOATS = range(5)
CURVE_STRIDE = 5
# In `floats`: of a point x, y, z, lower, upper; of a wrap its radii, side, centre, rotation; of a curve its knots, then
# for each piece the four coefficients of (q - knot).
PLACE, RANGE = 0, 3
WRAP_SIDE, WRAP_CENTRE, WRAP_ROTATION, WRAP_SIZE = 3, 6, 9, 18
SPHERE, CYLINDER, ELLIPSOID, TORUS = range(4)
