"""The muscles of the anatomy figure, compiled once, and what tests ask of them: arms, torques, depths in bones."""

from __future__ import annotations

from functools import cache

import numpy as np
from anatomy_lines import Solid
from make_anatomy import solids

from engine.experiments.anatomy import Pose, anatomy
from engine.experiments.anatomy import posed as coordinates
from engine.experiments.anatomy import summed_torque as torque
from engine.maths.arrays import Array
from engine.model.kinematics import compute_forward_kinematics

__all__ = ["Pose", "anatomy", "arms", "coordinates", "depths", "torque"]


def arms(pose: Pose) -> dict[str, dict[str, float]]:
    """Moment arms [m] of each muscle, by coordinates."""
    muscled = anatomy()
    _, gradient = muscled.measure(coordinates(pose))
    names = list(muscled.model.figure.rate_index)
    return {
        muscle.id: {names[rate]: float(-gradient[row, rate]) for rate in np.flatnonzero(gradient[row])}
        for row, muscle in enumerate(muscled.muscles.muscles)
    }


def depths(q: Array) -> dict[str, tuple[float, str]]:
    """How deep the path of each muscle of the left and the middle runs through a bone [m], and which; 5 mm at its ends
    are left out."""
    muscled = anatomy()
    figure, state = muscled.model.figure, muscled.model.new_state()
    points, starts = muscled.trace(q)
    points, starts = points.copy(), starts.copy()
    at, owner = [], []
    for row, muscle in enumerate(muscled.muscles.muscles):
        if muscle.id.endswith("_right"):
            continue
        path = points[starts[row] : starts[row + 1]]
        along = np.concatenate(([0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))))
        wanted = np.arange(0.005, along[-1] - 0.005, 0.0025)
        at.append(np.stack([np.interp(wanted, along, path[:, axis]) for axis in range(3)], axis=1))
        owner.append(np.full(len(wanted), row))
    places, owners = np.concatenate(at), np.concatenate(owner)
    compute_forward_kinematics(muscled.model.ints, muscled.model.floats, q, state)
    rows = muscled.model.transforms(state)
    found: dict[str, tuple[float, str]] = {}
    for bone, solid in _solids().items():
        row = rows[figure.joint_index.get(f"{bone}_left", figure.joint_index.get(bone, -1))]
        local = (places - row[9:]) @ row[:9].reshape(3, 3)
        near = ((local > solid.low) & (local < solid.high)).all(axis=1)
        distances = solid.distance(local[near])
        for distance, number in zip(distances.tolist(), owners[near].tolist(), strict=True):
            id = muscled.muscles.muscles[number].id
            if -distance > found.get(id, (0.0, ""))[0]:
                found[id] = -distance, bone
    return found


@cache
def _solids() -> dict[str, Solid]:
    return solids()
