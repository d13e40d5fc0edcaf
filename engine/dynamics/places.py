"""Where the numbers of a stepped figure stand: in its state, and in the room that a step works in.

`places` is a buffer of ints: the offsets named here, then the numbers and bodies of the touches (`touching.py`).
What a step needs to go on from is the state alone: coordinates, rates, what the servos aim at, forces from outside, the
impulses of the last step and the time.
"""

from __future__ import annotations

import numpy as np

from engine.dynamics.mechanics import Mechanics
from engine.dynamics.momenta import MOMENTA
from engine.dynamics.touching import CAPSULES, PLACED_CAPSULE, TOUCH, TOUCH_INTS, Shapes
from engine.limits.interpolation import MOST_ANGLES
from engine.model.compile import IntArray

# In the state: rates, goal of the servos and its rates, torques given, forces from outside; 3 impulses in world axes
# of each point and pair that may touch, one of each rate; the time.
RATES, GOAL, GOAL_RATES, TORQUES, OUTSIDE, IMPULSES, DRY_IMPULSES, TIME, STATE_SIZE = range(9)
# In the work: what `resistance.py` writes.
TAU, DIAGONAL, DIFFERENCE, ANGLES, ANGLE_TORQUES = range(9, 14)
# What the step itself needs: accelerations, the pose and the rates that forces are taken at, those after the step.
QDD, Q_AT, QD_AT, Q_NEXT, QD_NEXT, ENERGIES = range(14, 20)
# What contact needs: body velocities, touches, responses, the matrix, free velocities, impulses, bounds, unit loads.
VELOCITIES, PLACED, TOUCHES, COLUMNS, DELASSUS, FREE, IMPULSE, BOUND, UNIT_TAU, UNIT_OUTSIDE, WORK_SIZE = range(20, 31)
# What the last step found, then the table of touches' numbers and bodies.
TOUCH_COUNT, SWEEPS, TOUCH_BODIES = 31, 32, 33
PLACES = 33


def lay_out(mechanics: Mechanics, shapes: Shapes, dry_count: int) -> IntArray:
    """The places for a figure, its shapes, and that many rates with dry friction."""
    coordinates, rates, joints = mechanics.coordinate_count, mechanics.rate_count, mechanics.joint_count
    rows = 3 * shapes.most + dry_count
    state = [coordinates, rates, coordinates, rates, rates, 6 * joints]
    state += [3 * (shapes.point_count + shapes.pair_count), rates, 1]
    room = [rates, rates, rates, MOST_ANGLES, MOST_ANGLES, rates, coordinates, rates, coordinates, rates, MOMENTA]
    room += [6 * joints, PLACED_CAPSULE * int(shapes.ints[CAPSULES]), TOUCH * shapes.most]
    room += [rows * rates, rows * rows, rows, rows, rows, rates, 6 * joints]
    places = np.zeros(PLACES + TOUCH_INTS * shapes.most, dtype=np.int32)
    places[RATES : STATE_SIZE + 1] = np.cumsum(state)
    places[TAU:WORK_SIZE] = np.cumsum([0, *room[:-1]])
    places[WORK_SIZE] = sum(room)
    return places
