"""Layout of a stepped figure's numbers: in its state, and in the workspace of a step.

`offsets` is a buffer of ints: the offsets named here, then the numbers and bodies of the contacts
(`contact_points.py`), then of each row that is a joint's its rate, plus the number of rates where it is a stop and no
dry friction; twice that number, plus which one it is, where it is that of a driven coordinate.

What a step needs to go on from is the state alone: coordinates, rates, the goal of the servos, forces from outside, the
impulses of the last step, what it began deep inside, and the time.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.contact_points import CONTACT, CONTACT_INTS
from engine.dynamics.contact_shapes import Shapes
from engine.dynamics.impulses import solving_size
from engine.dynamics.mechanics import Mechanics
from engine.dynamics.momenta import MOMENTA
from engine.limits.interpolation import MOST_ANGLES
from engine.maths.arrays import IntArray

# In the state: rates, goal of the servos and its rates, torques given and how much they give way (`State.giving`),
# forces from outside; 3 impulses in world axes of each point and pair that may touch; of all rates those of dry
# friction, then those of stops; how many points and pairs began inside something and still are, and how deep each of
# them began [m]; the time.
RATES, GOAL, GOAL_RATES, TORQUES, GIVING, OUTSIDE, IMPULSES, JOINT_IMPULSES, INSIDE, TIME, STATE_SIZE = range(11)
# In the work: what `resistance.py` writes.
TAU, DIAGONAL, DIFFERENCE, ANGLES, ANGLE_TORQUES = range(11, 16)
# What the step itself needs: accelerations, the pose and the rates that forces are taken at, those after the step.
QDD, Q_AT, QD_AT, Q_NEXT, QD_NEXT, ENERGIES = range(16, 22)
# What contact needs: body velocities, capsules, contacts, what of rows comes to rates, the matrix; of each row the free
# velocity, what of it leads out of an overlap, the impulse and its bounds; motions of the rates, what solving takes;
# how fast each rate may come to its limit; rates that led to the pose of the contacts in the time of the step; rows of
# driven coordinates over the rates.
VELOCITIES, PLACED, CONTACTS, PULLS, DELASSUS = range(22, 27)
FREE, LIFTS, IMPULSE, LEAST, GREATEST, ROW_MOTIONS, SOLVING, REACH, WAY, COUPLED, WORK_SIZE = range(27, 38)
# Where the rates of the joints' rows stand in `offsets`; what the last step found: contacts with rows, sweeps, contacts
# of which these were chosen, or -1 where all have rows; the table of contacts.
JOINT_ROWS, CONTACT_COUNT, SWEEPS, LISTED, CONTACT_BODIES = 38, 39, 40, 41, 42
OFFSETS = 42
# What a stepper's options are packed to, and its methods.
METHOD, REPEATS, SETTLED, PASSES, TOLERANCE, KEEP_ENERGY, MARGIN, SLOP, LIFT, LIFT_SPEED, DEEP = range(11)
OPTION_COUNT = 11
SEMI_IMPLICIT, BACKWARD, MIDPOINT = range(3)


def lay_out(mechanics: Mechanics, shapes: Shapes, joint_rows: int) -> IntArray:
    """Lay out a figure, its shapes, and that many rows of joints at most, those of driven coordinates besides."""
    driven = len(mechanics.model.figure.driven)
    joint_rows += driven
    coordinates, rates, joints = mechanics.coordinate_count, mechanics.rate_count, mechanics.joint_count
    rows = 3 * shapes.most + joint_rows
    state = [coordinates, rates, coordinates, rates, rates, rates, 6 * joints]
    touching = shapes.point_count + shapes.pair_count
    state += [3 * touching, 2 * rates + driven, 1 + touching, 1]
    workspace = [rates, rates, rates, MOST_ANGLES, MOST_ANGLES, rates, coordinates, rates, coordinates, rates, MOMENTA]
    workspace += [6 * joints, shapes.placed_size, CONTACT * shapes.most]
    workspace += [
        (rows + 1) * rates,
        rows * rows,
        rows,
        rows,
        rows,
        rows,
        rows,
        12 * rates,
        solving_size(rows),
        rates,
        rates,
        driven * rates,
    ]
    offsets = np.zeros(OFFSETS + CONTACT_INTS * shapes.most + joint_rows, dtype=np.int32)
    offsets[RATES : STATE_SIZE + 1] = np.cumsum(state)
    offsets[TAU:WORK_SIZE] = np.cumsum([0, *workspace[:-1]])
    offsets[WORK_SIZE], offsets[JOINT_ROWS] = sum(workspace), OFFSETS + CONTACT_INTS * shapes.most
    return offsets
