"""RootResiduals: what is left at the root of a motion once its measured forces are counted, and how that changes.

tau = M(q) q'' + c(q, q') - J^T f  of `engine.dynamics.batch` at the rates of the roots, f being the measured forces
(`engine.dynamics.measured`): forces along slides, torques about hinges. It is a quadratic of the rates and linear in
accelerations, so that central differences are exact in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.document import Actor
from engine.document.measured_forces import MeasuredForces
from engine.dynamics import layout
from engine.dynamics.batch import invert_states
from engine.dynamics.coordinates import read_rates
from engine.dynamics.measured import acting_at
from engine.dynamics.mechanics import Mechanics, compile_mechanics, placed
from engine.maths.arrays import Array, BoolArray, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.batch import solve_transforms
from engine.model.compile import Model
from engine.model.driven_kernels import fold_states, write_driven_motion

STEPS = (1e-5, 1.0, 1.0)  # by which values, rates and accelerations are changed


class RootResiduals:
    """The residuals of an actor's motions at some times [ticks]; used by one thread."""

    def __init__(self, owner: Actor, measured: MeasuredForces, model: Model, times: Array) -> None:
        place = owner.placement
        self._owner, self._measured, self._model, self._times = owner, measured, model, times.tolist()
        self._mechanics = placed(compile_mechanics(model, massless=True), place.position, place.rotation)
        self._turn, self._shift = rotation_matrix(place.rotation), np.array(place.position)
        self._balls = any(dof.kind == "ball" for dof in owner.figure.dofs)
        dofs = [dof for joint in owner.figure.joints if joint.parent is None for dof in joint.dofs]
        index = owner.figure.rate_index
        self.root: IntArray = np.array([index[name] for dof in dofs for name in dof.rates], dtype=np.int32)
        self.slides: BoolArray = np.array([dof.kind == "slide" for dof in dofs for _ in dof.rates], dtype=bool)

    def acting(self, q: Array) -> tuple[Array, Array]:
        """Measured wrenches on each body of a figure that stands so, shape [n, joint_count, 6], and the sum of the
        forces [N], shape [n, 3]."""
        frames = solve_transforms(self._model, q)
        turns = self._turn @ frames[:, :, :9].reshape(*frames.shape[:2], 3, 3)
        places = frames[:, :, 9:] @ self._turn.T + self._shift
        found = acting_at(self._measured, self._owner.figure, self._times, turns, places)
        return found.wrenches(places), found.forces.sum(axis=1)

    def left(self, motion: Array, shift: Array | None = None, body: int = 0) -> Array:
        """Residuals at the root's rates of a motion, shape [n, 3, coordinate_count]; with the centre of a body
        shifted [m] in its joint's frame. Shape [n, root rates]."""
        q = np.ascontiguousarray(motion[:, 0])
        return self._left(motion, self.acting(q)[0], self._shifted(shift, body))

    def changes(self, motion: Array, columns: Sequence[int]) -> Array:
        """By how much it grows with the value, the rate and the acceleration of each of some coordinates, which others
        may follow: shape [3, n, root rates, columns]."""
        found = np.empty((3, len(motion), len(self.root), len(columns)))
        outside = self.acting(np.ascontiguousarray(motion[:, 0]))[0]
        for order, step in enumerate(STEPS):
            for place, column in enumerate(columns):
                ends = []
                for side in (-step, step):
                    moved = motion.copy()
                    moved[:, order, column] += side
                    self.follow(moved)
                    given = self.acting(np.ascontiguousarray(moved[:, 0]))[0] if order == 0 else outside
                    ends.append(self._left(moved, given, self._mechanics))
                found[order, :, :, place] = (ends[1] - ends[0]) / (2.0 * step)
        return found

    def changes_by_centre(self, motion: Array, shift: Array, body: int) -> Array:
        """By how much it grows with the centre of a body, shape [n, root rates, 3]."""
        outside = self.acting(np.ascontiguousarray(motion[:, 0]))[0]
        ends = []
        for side in (-0.5, 0.5):
            shifts = (shift + side * 1e-3 * axis for axis in np.eye(3))
            ends.append([self._left(motion, outside, self._shifted(each, body)) for each in shifts])
        return np.stack([(after - before) / 1e-3 for before, after in zip(*ends, strict=True)], axis=2)

    def places(self, q: Array, joints: Sequence[int], points: Array) -> Array:
        """Where points in the frames of joints stand in the figure's frame, shape [n, points, 3]."""
        frames = solve_transforms(self._model, q)[:, list(joints)]
        turned: Array = np.einsum("njab,jb->nja", frames[:, :, :9].reshape(*frames.shape[:2], 3, 3), points)
        return turned + frames[:, :, 9:]

    def follow(self, motion: Array) -> None:
        """Lead driven coordinates of a motion along with what drives them, in place."""
        driven = self._model.driven
        if driven is not None:
            write_driven_motion(driven.ints, driven.floats, motion)

    def _left(self, motion: Array, outside: Array, mechanics: Mechanics) -> Array:
        q, qd, qdd = (np.ascontiguousarray(motion[:, order]) for order in range(3))
        if self._balls:
            rates = np.empty((2, len(q), mechanics.rate_count))
            for row, pose in enumerate(q):
                read_rates(mechanics.ints, pose, qd[row], rates[0, row])
                read_rates(mechanics.ints, pose, qdd[row], rates[1, row])
            qd, qdd = rates
        torques = invert_states(mechanics, q, qd, qdd, outside)
        driven = self._model.driven
        if driven is not None:
            fold_states(driven.ints, driven.floats, q, torques)
        return torques[:, self.root]

    def _shifted(self, shift: Array | None, body: int) -> Mechanics:
        if shift is None:
            return self._mechanics
        made = replace(self._mechanics, floats=self._mechanics.floats.copy())
        made.bodies()[body, layout.CENTRE : layout.INERTIA] += shift
        return made
