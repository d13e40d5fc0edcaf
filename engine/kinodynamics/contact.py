"""Contact: what of a figure may touch within a window, and where what came before the window would matter.

The ground is the plane at height 0 and the figure's bodies touch each other, both with the friction that
`engine.dynamics` takes by itself. A touch of what only exactly followed rates move gives way to nothing.

A window begins at a keyed pose. Where a body touches something there, friction would hold it where it came to rest
before, of which a motion without history knows nothing: it is held from where the keys have it as the window begins.
`held_at` names these bodies.

Symbols: q coordinates [rad, m].
"""

from __future__ import annotations

import math
from dataclasses import field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.dynamics.contact_points import CONTACT, CONTACT_INTS, find_contacts
from engine.dynamics.contact_shapes import Ground, Shapes, compile_shapes
from engine.dynamics.layout import LINK_INT_STRIDE, LINK_INTS, RATE_END, RATE_START
from engine.dynamics.mechanics import Mechanics
from engine.dynamics.motions import compute_frames
from engine.dynamics.resistance import COORDINATE, LOWER, RATE_WIDTH, UPPER
from engine.dynamics.step_layout import WORK_SIZE, lay_out
from engine.kinodynamics import following, gains
from engine.kinodynamics.pushing import Touching
from engine.maths.arrays import Array, IntArray
from engine.model.compile import Model
from engine.runtime.quick_dataclass import dataclass

FRICTION = 0.5  # between bodies of the figure
_AT = 0.001  # [m] of a gap that is taken for none


@dataclass(frozen=True, eq=False)
class Contact:
    """The shapes that may touch, and workspace arrays, a row for each block of windows."""

    shapes: Shapes
    table: Array
    layout: IntArray = field(repr=False)
    work_size: int  # numbers that one window needs to work with

    @property
    def packed(self) -> Touching:
        """The arrays as the kernels read them."""
        return self.shapes.ints, self.shapes.floats, self.table

    def held_at(self, mechanics: Mechanics, exact: NDArray[np.bool_], q: Array) -> tuple[str, ...]:
        """Ids of the joints whose bodies touch something in a pose and may give way, in the figure's order. `exact`:
        which rates give way to nothing."""
        ints, shapes, joints = mechanics.ints, self.shapes, mechanics.joint_count
        dynamics, still = mechanics.new_work(), np.zeros(6 * joints)
        compute_frames(ints, mechanics.floats, q, dynamics)
        workspace = np.zeros(shapes.placed_size)
        found, bodies = np.zeros(shapes.most * CONTACT), np.zeros(shapes.most * CONTACT_INTS, dtype=np.int32)
        count = find_contacts(
            ints, (shapes.ints, shapes.floats), (dynamics, still, _AT, 0.0), workspace, (found, bodies)
        )
        free, figure = _free_joints(mechanics, exact), mechanics.model.figure
        touched = {int(each) for row in bodies.reshape(-1, CONTACT_INTS)[:count] for each in row[1:]}
        return tuple(joint.id for at, joint in enumerate(figure.joints) if at in touched and free[at])


def compile_contact(mechanics: Mechanics, servo: Array, blocks: int, *, on: bool) -> Contact:
    """Contact of a figure that is driven by these servos (`servo_rows`), with room for so many blocks of windows; of
    nothing where it is not on."""
    shapes = _shapes_of(mechanics.model, on)
    table = np.zeros((mechanics.rate_count, RATE_WIDTH))
    table[:, LOWER], table[:, UPPER] = servo[gains.LOWER], servo[gains.UPPER]
    exact = np.isinf(servo[gains.ADDED])
    table[exact, LOWER], table[exact, UPPER] = -math.inf, math.inf
    rate = 0
    for dof in mechanics.model.figure.dofs:
        if dof.kind != "ball":
            table[rate, COORDINATE] = mechanics.model.figure.coordinate_index[dof.id]
        rate += 3 if dof.kind == "ball" else 1
    stops = int(np.isfinite(table[:, [LOWER, UPPER]]).any(axis=1).sum()) if on else 0
    layout = lay_out(mechanics, shapes, stops)
    kept = 3 * (shapes.point_count + shapes.pair_count) + 1 + shapes.most  # as `pushing.kept_count` has it
    size = int(layout[WORK_SIZE]) + kept + following.work_size(mechanics)
    return Contact(shapes, table.ravel(), np.tile(layout, (blocks, 1)), size)


@lru_cache(maxsize=8)
def _shapes_of(model: Model, on: bool) -> Shapes:
    """Compile the shapes of a model; no gain changes them, so they are kept while gains are dragged."""
    return compile_shapes(model, ground=Ground() if on else None, bodies=on, friction=FRICTION)


def _free_joints(mechanics: Mechanics, exact: NDArray[np.bool_]) -> list[bool]:
    """Tell of each joint whether a rate of it or above it may give way."""
    links = int(mechanics.ints[len(mechanics.model.ints) + LINK_INTS])
    figure, found = mechanics.model.figure, list[bool]()
    for at, joint in enumerate(figure.joints):
        entry = links + at * LINK_INT_STRIDE
        own = exact[int(mechanics.ints[entry + RATE_START]) : int(mechanics.ints[entry + RATE_END])]
        above = joint.parent is not None and found[figure.joint_index[joint.parent]]
        found.append(above or not bool(np.all(own)))
    return found
