"""The muscles of the anatomy figure, compiled once, and what tests ask of them: arms, torques, depths in bones."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from anatomy_lines import Solid
from make_anatomy import solids

from engine.formats.figure_toml import SUFFIX, read_whole
from engine.formats.shipped import shipped_file
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics
from engine.muscles.compiled import MuscledFigure
from engine.muscles.parts import Muscles

DEGREE = np.pi / 180.0
Pose = Mapping[str, float]  # coordinates [degrees]; those of a side without `_left`, for both


@cache
def anatomy() -> MuscledFigure:
    """The figure with its muscles."""
    with shipped_file("figure", "anatomy", SUFFIX) as path:
        figure, (part,) = read_whole(path)
    assert isinstance(part, Muscles)
    return MuscledFigure(compile_model(figure), part)


def coordinates(pose: Pose) -> Array:
    """A pose as coordinates; what has two sides is turned on both."""
    muscled = anatomy()
    index, q = muscled.model.figure.coordinate_index, muscled.model.rest.copy()
    for name, degrees in pose.items():
        bone, dot, hinge = name.partition(".")
        for each in (f"{bone}_left{dot}{hinge}", f"{bone}_right{dot}{hinge}", name):
            if each in index:
                q[index[each]] = degrees * DEGREE
    return q


def arms(pose: Pose) -> dict[str, dict[str, float]]:
    """Moment arms [m] of each muscle, by coordinates."""
    muscled = anatomy()
    _, gradient = muscled.measure(coordinates(pose))
    names = list(muscled.model.figure.rate_index)
    return {
        muscle.id: {names[rate]: float(-gradient[row, rate]) for rate in np.flatnonzero(gradient[row])}
        for row, muscle in enumerate(muscled.muscles.muscles)
    }


def torque(pose: Pose, coordinate: str, sign: float) -> float:
    """The torque [N m] of all muscles that pull one way, as hard as they can at their length."""
    muscled, q = anatomy(), coordinates(pose)
    lengths, gradient = muscled.measure(q)
    forces = muscled.forces(lengths, np.zeros_like(lengths), np.ones_like(lengths))
    each = -gradient[:, muscled.model.figure.rate_index[coordinate]] * forces * sign
    return float(each[each > 0.0].sum())


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
