"""Where the numbers of a stepped figure stand: in its state, and in the room that a step works in.

`places` is a buffer of ints: the offsets named here, then the numbers and bodies of the touches (`touches.py`), then
of each row that is a joint's its rate, plus the number of rates where it is a stop and no dry friction.

What a step needs to go on from is the state alone: coordinates, rates, what the servos aim at, forces from outside, the
impulses of the last step, what it began deep inside, and the time.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.impulses import solving_room
from engine.dynamics.mechanics import Mechanics
from engine.dynamics.momenta import MOMENTA
from engine.dynamics.touches import TOUCH, TOUCH_INTS
from engine.dynamics.touching import Shapes
from engine.limits.interpolation import MOST_ANGLES
from engine.maths.arrays import IntArray

# In the state: rates, goal of the servos and its rates, torques given, forces from outside; 3 impulses in world axes
# of each point and pair that may touch; of all rates those of dry friction, then those of stops; how many points and
# pairs began inside something and still are, and how deep each of them began [m]; the time.
RATES, GOAL, GOAL_RATES, TORQUES, OUTSIDE, IMPULSES, JOINT_IMPULSES, INSIDE, TIME, STATE_SIZE = range(10)
# In the work: what `resistance.py` writes.
TAU, DIAGONAL, DIFFERENCE, ANGLES, ANGLE_TORQUES = range(10, 15)
# What the step itself needs: accelerations, the pose and the rates that forces are taken at, those after the step.
QDD, Q_AT, QD_AT, Q_NEXT, QD_NEXT, ENERGIES = range(15, 21)
# What contact needs: body velocities, capsules, touches, what of rows comes to rates, the matrix; of each row the free
# velocity, what of it leads out of an overlap, the impulse and its bounds; motions of the rates, what solving takes;
# how fast each rate may come to its limit; rates that led to the pose of the touches in the time of the step.
VELOCITIES, PLACED, TOUCHES, PULLS, DELASSUS = range(21, 26)
FREE, LIFTS, IMPULSE, LEAST, GREATEST, ROW_MOTIONS, SOLVING, REACH, WAY, WORK_SIZE = range(26, 36)
# Where the rates of the joints' rows stand in `places`; what the last step found; the table of touches.
JOINT_ROWS, TOUCH_COUNT, SWEEPS, TOUCH_BODIES = 36, 37, 38, 39
PLACES = 39
# What a stepper's options are packed to, and its methods.
METHOD, REPEATS, SETTLED, PASSES, TOLERANCE, KEEP_ENERGY, MARGIN, SLOP, LIFT, LIFT_SPEED, DEEP = range(11)
OPTION_COUNT = 11
SEMI_IMPLICIT, BACKWARD, MIDPOINT = range(3)


def lay_out(mechanics: Mechanics, shapes: Shapes, joint_rows: int) -> IntArray:
    """The places for a figure, its shapes, and that many rows of joints at most."""
    coordinates, rates, joints = mechanics.coordinate_count, mechanics.rate_count, mechanics.joint_count
    rows = 3 * shapes.most + joint_rows
    state = [coordinates, rates, coordinates, rates, rates, 6 * joints]
    touching = shapes.point_count + shapes.pair_count
    state += [3 * touching, 2 * rates, 1 + touching, 1]
    room = [rates, rates, rates, MOST_ANGLES, MOST_ANGLES, rates, coordinates, rates, coordinates, rates, MOMENTA]
    room += [6 * joints, shapes.placed_size, TOUCH * shapes.most]
    room += [
        (rows + 1) * rates,
        rows * rows,
        rows,
        rows,
        rows,
        rows,
        rows,
        12 * rates,
        solving_room(rows),
        rates,
        rates,
    ]
    places = np.zeros(PLACES + TOUCH_INTS * shapes.most + joint_rows, dtype=np.int32)
    places[RATES : STATE_SIZE + 1] = np.cumsum(state)
    places[TAU:WORK_SIZE] = np.cumsum([0, *room[:-1]])
    places[WORK_SIZE], places[JOINT_ROWS] = sum(room), PLACES + TOUCH_INTS * shapes.most
    return places
