"""The legs of the walking skeleton: inverse kinematics of both heel bones over six hinges each, all poses at once.

Damped least squares with the slopes of the hinges' axes, within limits. A knee never locks: it stays bent by 3 degrees.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.model.compile import MOTION, MOTION_START, Model
from engine.model.kinematics import compute_forward_kinematics

DEGREE = np.pi / 180.0
SIDES = ("left", "right")
LEG = ("femur_{}.flexion", "femur_{}.abduction", "femur_{}.rotation", "tibia_{}.flexion", "talus_{}.dorsiflexion",
       "calcaneus_{}.inversion")  # fmt: skip
LEAST_KNEE = 3.0 * DEGREE
FAR = 5.0  # what a metre counts beside a radian
STEPS, LONGEST, DAMPING, CLOSE = 12, 0.3, 1e-6, 1e-8
Feet = dict[str, tuple[Array, Array]]
"""By side: turns and places [m] of the heel bone in each pose, shapes [n, 3, 3] and [n, 3]."""


class WalkerLegs:
    """Both legs of a model."""

    def __init__(self, model: Model) -> None:
        self._model, figure = model, model.figure
        self._state = model.new_state()
        self.columns = {side: np.array([figure.coordinate_index[each.format(side)] for each in LEG]) for side in SIDES}
        self._rates = {side: np.array([figure.rate_index[each.format(side)] for each in LEG]) for side in SIDES}
        bones = {side: [each.format(side).split(".")[0] for each in LEG] for side in SIDES}
        self._bones = {side: np.array([figure.joint_index[each] for each in bones[side]]) for side in SIDES}
        dofs = [figure.coordinate_dof[each.format("left")] for each in LEG]
        self._low = np.array([(dof.lower or 0.0) + 1e-3 for dof in dofs])
        self._high = np.array([(dof.upper or 0.0) - 1e-3 for dof in dofs])
        self._low[3] = LEAST_KNEE

    def feet(self, q: Array) -> Feet:
        """Where the heel bones are in each pose."""
        frames, _ = self._posed(q)
        heels = {side: frames[:, self._bones[side][-1]] for side in SIDES}
        return {side: (heels[side][:, :9].reshape(-1, 3, 3), heels[side][:, 9:]) for side in SIDES}

    def bring(self, q: Array, feet: Feet) -> Array:
        """Bring the heel bones there, from the angles that are in the poses; what is missed of each, shape [2 n]."""
        for side in SIDES:
            q[:, self.columns[side]] = np.clip(q[:, self.columns[side]], self._low, self._high)
        damping = {side: np.full(len(q), DAMPING) for side in SIDES}
        frames, axes = self._posed(q)
        missed = {side: self._missed(frames, side, feet[side]) for side in SIDES}
        for _ in range(STEPS):
            if max(float(np.abs(each).max()) for each in missed.values()) < CLOSE:
                break
            tried = q.copy()
            for side in SIDES:
                tried[:, self.columns[side]] = self._stepped(q, frames, axes, side, missed[side], damping[side])
            new_frames, _ = self._posed(tried)
            for side in SIDES:
                new = self._missed(new_frames, side, feet[side])
                better = (new * new).sum(axis=1) < (missed[side] * missed[side]).sum(axis=1)
                q[np.ix_(better, self.columns[side])] = tried[np.ix_(better, self.columns[side])]
                missed[side][better] = new[better]
                damping[side] = np.where(better, np.maximum(0.1 * damping[side], DAMPING), 30.0 * damping[side])
            frames, axes = self._posed(q)
        return np.concatenate([np.abs(missed[side]).max(axis=1) for side in SIDES])

    def _stepped(self, q: Array, frames: Array, axes: Array, side: str, missed: Array, damping: Array) -> Array:
        """Angles of a leg after one step."""
        slopes, angles = self._slopes(frames, axes, side), q[:, self.columns[side]]
        pull = np.einsum("nij,ni->nj", slopes, missed)
        stuck = ((angles <= self._low + 1e-9) & (pull > 0.0)) | ((angles >= self._high - 1e-9) & (pull < 0.0))
        slopes, pull = np.where(stuck[:, None, :], 0.0, slopes), np.where(stuck, 0.0, pull)
        square = np.einsum("nij,nik->njk", slopes, slopes) + damping[:, None, None] * np.eye(6)
        step = -np.linalg.solve(square, pull[:, :, None])[:, :, 0]
        step *= np.minimum(1.0, LONGEST / np.maximum(np.abs(step).max(axis=1), 1e-12))[:, None]
        return np.asarray(np.clip(angles + step, self._low, self._high))

    def _posed(self, q: Array) -> tuple[Array, Array]:
        """Transforms of all joints, shape [n, joint_count, 12], and axes of all rates, [n, rate_count, 3]."""
        model, start, frames, axes = self._model, int(self._model.ints[MOTION_START]), [], []
        for pose in np.ascontiguousarray(q):
            compute_forward_kinematics(model.ints, model.floats, pose, self._state)
            frames.append(model.transforms(self._state).copy())
            axes.append(self._state[start:].reshape(-1, MOTION)[:, :3].copy())
        return np.array(frames), np.array(axes)

    def _missed(self, frames: Array, side: str, foot: tuple[Array, Array]) -> Array:
        turns, places = foot
        heel = frames[:, self._bones[side][-1]]
        off = np.einsum("nij,nkj->nik", heel[:, :9].reshape(-1, 3, 3), turns)
        turned = 0.5 * np.stack(
            (off[:, 2, 1] - off[:, 1, 2], off[:, 0, 2] - off[:, 2, 0], off[:, 1, 0] - off[:, 0, 1]), axis=1
        )
        return np.concatenate((FAR * (heel[:, 9:] - places), turned), axis=1)

    def _slopes(self, frames: Array, axes: Array, side: str) -> Array:
        bones = self._bones[side]
        about, origins, heel = axes[:, self._rates[side]], frames[:, bones, 9:], frames[:, bones[-1], None, 9:]
        return np.concatenate((FAR * np.cross(about, heel - origins), about), axis=2).transpose(0, 2, 1)
