"""Compiles the kernels of implicit steps by taking one, of small bodies."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from engine.soft.assembly import EXACT, assemble, remember
from engine.soft.layers import invert_dense, solve_layers
from engine.soft.materials import SoftMaterial
from engine.soft.meshing import box
from engine.soft.step import SoftPiece, compile_soft, inputs_at_rest, start, step
from engine.soft.transfers import spline_forces
from engine.soft.virtual_springs import no_springs


def warm() -> Iterator[str]:
    """Call every kernel that is called from Python; yields the name of each when it is ready."""
    model = compile_soft([SoftPiece(mesh=box((1.0, 1.0, 1.0), (1, 1, 1)), material=SoftMaterial())])
    state = model.new_state()
    work = start(model, state)
    invert_dense(np.eye(4, 16))
    yield "invert_dense"
    remember(model.bodies, work.stepping)
    yield "remember"
    assemble(model.bodies, inputs_at_rest(model, work), work.stepping, 1 / 60, EXACT)
    yield "assemble"
    step(model, state, work, 1 / 60)
    if work.layers is not None:
        solve_layers(work.layers, np.zeros(4096, dtype=np.float32), np.zeros(4096, dtype=np.float32))
    spline_forces(no_springs(), np.zeros((1, 3)), np.zeros((1, 3)), np.zeros(0))
    yield "advance"
