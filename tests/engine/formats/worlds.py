"""World positions of what a file held, for comparing files by what they mean."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.document import Figure
from engine.formats.format import Contents, Options
from engine.formats.frames import frames_of
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics

KEYED_RATE = (24, 1)  # that of the samples which were written as keys


def poses(contents: Contents) -> Array:
    """q of every frame; the rest pose where there is no motion."""
    figure = figure_in(contents)
    rest = compile_model(figure).rest
    if not contents.layers:
        return np.array([rest])
    if contents.layers[0].tracks:
        return frames_of(Path("-"), figure, contents, Options(rate=KEYED_RATE)).q
    samples = contents.layers[0].samples
    assert samples is not None
    q = np.tile(rest, (samples.frame_count, 1))
    q[:, [figure.coordinate_index[name] for name in samples.coordinates]] = samples.values.array
    return q


def figure_in(contents: Contents) -> Figure:
    """The figure, which must be there."""
    assert contents.figure is not None
    return contents.figure


def values(contents: Contents) -> Array:
    """The samples of the one layer."""
    (layer,) = contents.layers
    assert layer.samples is not None
    return layer.samples.values.array


def transforms(figure: Figure, q: Array) -> Array:
    """World transform of each joint, shape [joints, 3, 4]."""
    model = compile_model(figure)
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, np.ascontiguousarray(q), state)
    rows = model.transforms(state)
    return np.concatenate((rows[:, :9].reshape(-1, 3, 3), rows[:, 9:, None]), axis=2)


def points(contents: Contents, frame: int) -> dict[str, Array]:
    """World position of each joint and handle by id."""
    figure = figure_in(contents)
    worlds = transforms(figure, poses(contents)[frame])
    found = {joint.id: worlds[index, :, 3] for index, joint in enumerate(figure.joints)}
    for handle in figure.handles:
        world = worlds[figure.joint_index[handle.joint]]
        found[handle.id] = world[:, :3] @ np.array(handle.point) + world[:, 3]
    return found
