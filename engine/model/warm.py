"""Compiles this room's kernels by calling each once with the types that the application uses."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.document import Dof, Figure, Joint
from engine.model.compile import compile_model
from engine.model.kinematics import compute_forward_kinematics, write_transforms


def warm() -> Iterator[str]:
    """Call every kernel; yields the name of each when it is ready."""
    joint = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn"),))
    model = compile_model(Figure(name="Warm", joints=(joint,)))
    state = model.new_state()
    compute_forward_kinematics(model.ints, model.floats, model.rest.copy(), state)
    yield "compute_forward_kinematics"
    write_transforms(state, np.empty((1, 3, 4), dtype=np.float32))
    yield "write_transforms"
