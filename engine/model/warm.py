"""Compiles this room's kernels by calling each once with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Dof, DrivenBy, Figure, Joint
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven import compile_driven
from engine.model.driven_kernels import (
    fold_entries,
    fold_rates,
    fold_states,
    follow,
    slopes_of,
    write_driven_motion,
    write_driven_rates,
)
from engine.model.kinematics import compute_forward_kinematics, write_transforms
from engine.model.same_points import number_points
from engine.model.skinning import (
    DUAL_ROW,
    LINEAR_ROW,
    skin_dual,
    skin_linear,
    write_dual_palette,
    write_linear_palette,
)
from engine.model.visibility import build_cells, mark_seen


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each when it is ready."""
    joint = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn"),))
    model = compile_model(Figure(name="Warm", joints=(joint,)))
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, model.rest.copy(), state)
    yield "compute_forward_kinematics"
    warm_driven()
    write_transforms(state, np.empty((1, 3, 4), dtype=np.float32))
    yield "write_transforms"
    yield from _warm_skinning(state)
    corners = np.eye(3)[None]
    cells = build_cells(corners[0], np.array([[0, 1, 2]], dtype=np.int32))
    number_points(corners[0])
    yield "number_some"
    mark_seen(cells.ints, cells.floats, corners, np.zeros((1, 3)), np.ones((1, 3)), np.empty(1, dtype=np.bool_))
    yield "mark_seen"


def warm_driven() -> None:
    """Call the kernels of driven coordinates: what is posed, moved and measured needs all of them."""
    turn = Dof(id="turn", name="Turn")
    by = DrivenBy(dof="turn", at=(0.0, 1.0), values=(0.0, 1.0))
    joint = Joint(id="root", name="Root", dofs=(turn, Dof(id="led", name="Led", driven=(by,))))
    driven = compile_driven(Figure(name="Warm", joints=(joint,)))
    assert driven is not None, "one is driven"
    q, folds = np.zeros(2), np.array([[1, 0, 0]], dtype=np.int32)
    folds.flags.writeable = False
    write_driven_rates(driven.ints, slopes_of(driven, follow(driven, q)), np.zeros(2))
    write_driven_motion(driven.ints, driven.floats, np.zeros((1, 3, 2)))
    fold_states(driven.ints, driven.floats, q[None], np.zeros((1, 2)))
    fold_rates(driven.ints, np.ones(1), np.zeros((6, 2)))
    fold_entries(folds, np.ones(1), np.zeros(2))


def _warm_skinning(state: Array) -> Iterator[str]:
    joints, bind, scratch = np.zeros(1, dtype=np.int32), np.eye(4)[None, :3].copy(), np.empty(12)
    influences, weights = np.zeros((1, 4), dtype=np.int32), np.array([[1.0, 0.0, 0.0, 0.0]], dtype=np.float32)
    for array in (bind, influences, weights):
        array.flags.writeable = False  # as a document's blobs are: numba compiles for that apart
    rest = np.zeros((1, 6), dtype=np.float32)
    positions, normals = np.empty((1, 3), dtype=np.float32), np.empty((1, 3), dtype=np.float32)
    palette = np.empty((1, LINEAR_ROW), dtype=np.float32)
    write_linear_palette(state, joints, bind, scratch, palette)
    skin_linear(influences, weights, rest, palette, positions, normals)
    yield "skin_linear"
    palette = np.empty((1, DUAL_ROW), dtype=np.float32)
    write_dual_palette(state, joints, bind, scratch, palette)
    skin_dual(influences, weights, rest, palette, positions, normals)
    yield "skin_dual"
