"""The elastic energy of one body on its own: what a step sums over all bodies, worked out anew of where its points are.

Damping is left out, and splines, contact and attachments have no part in it.
"""

from __future__ import annotations

from dataclasses import replace

from engine.maths.arrays import Array
from engine.runtime.bounded import Bounded
from engine.soft.assembly import ELASTIC, ENERGIES, assemble
from engine.soft.materials import SoftMaterial
from engine.soft.members import SoftMember, material_of
from engine.soft.step import SoftModel, SoftPiece, SoftWork, compile_soft, inputs_at_rest, start

_ALONE: Bounded[tuple[str, str, str, SoftMaterial], tuple[SoftModel, SoftWork]] = Bounded(8)


def elastic_energy(member: SoftMember, points: Array) -> float:
    """Compute the elastic energy of a body [J] whose points are somewhere [m], shape [point_count, 3]."""
    body, material = member.body, replace(material_of(member.body), stiffness_damping=0.0, mass_damping=0.0)
    factors = "" if body.factors is None else body.factors.digest

    def made() -> tuple[SoftModel, SoftWork]:
        model = compile_soft([SoftPiece(mesh=member.mesh, material=material, touches=False)])
        return model, start(model, model.new_state())

    model, work = _ALONE.find((body.points.digest, body.cells.digest, factors, material), made)
    stepping = work.stepping
    stepping.x[:] = stepping.before[:] = stepping.aim[:] = points.ravel()
    assemble(model.bodies, inputs_at_rest(model, work), stepping, 1.0, ENERGIES)
    return float(stepping.energies[ELASTIC])
