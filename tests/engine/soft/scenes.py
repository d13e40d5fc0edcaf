"""Makes small soft bodies for the tests of their solver."""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.soft.assembly import EXACT, Around, assemble, remember
from engine.soft.contact import pack_colliders
from engine.soft.materials import SoftMaterial
from engine.soft.mesh import VolumeMesh
from engine.soft.pattern import dense
from engine.soft.step import (
    SoftModel,
    SoftOptions,
    SoftPiece,
    SoftState,
    SoftWork,
    StepReport,
    compile_soft,
    start,
    step,
)

WEIGHTLESS = SoftOptions(gravity=(0.0, 0.0, 0.0))


def one_body(
    mesh: VolumeMesh, material: SoftMaterial, options: SoftOptions = WEIGHTLESS, **given: object
) -> tuple[SoftModel, SoftState, SoftWork]:
    """Compile one body that touches nothing unless told."""
    piece = SoftPiece(mesh=mesh, material=material, **{"touches": False, **given})  # type: ignore[arg-type]
    model = compile_soft([piece], options)
    state = model.new_state()
    return model, state, start(model, state)


def end_of(mesh: VolumeMesh, axis: int = 0, *, upper: bool = False) -> IntArray:
    """List the points at one end of a mesh."""
    along = mesh.points[:, axis]
    at = np.abs(along - (along.max() if upper else along.min())) < 1e-9
    return np.flatnonzero(at).astype(np.int32)


def run(model: SoftModel, state: SoftState, work: SoftWork, steps: int, dt: float = 1 / 60) -> list[StepReport]:
    """Take some steps."""
    return [step(model, state, work, dt) for _ in range(steps)]


class Sums:
    """What an implicit step sums, at any place."""

    def __init__(self, mesh: VolumeMesh, material: SoftMaterial, dt: float = 1 / 60) -> None:
        self.model, state, self.work = one_body(mesh, material)
        self.dt = dt
        self.around = Around(
            pack_colliders((), 1),
            self.work.touching,
            self.work.meeting,
            self.work.grips,
            self.model.pulled,
            np.zeros((0, 8)),
            np.zeros(0),
        )
        stepping = self.work.stepping
        stepping.before[:] = stepping.aim[:] = state.x.ravel()
        remember(self.model.bodies, stepping)

    def at(self, x: Array, level: int) -> tuple[float, Array]:
        """Give energy and gradient."""
        self.work.stepping.x[:] = x
        energy = assemble(self.model.bodies, self.around, self.work.stepping, self.dt, level)
        return energy, self.work.stepping.gradient.copy()

    def matrix(self, x: Array, level: int = EXACT) -> Array:
        """Give the whole matrix."""
        self.at(x, level)
        return dense(self.model.bodies.pattern, self.work.stepping.values)
