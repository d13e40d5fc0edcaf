"""Measures of bushings against time: the force and the torque on the second body of each, in the world, its energy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from engine.bushings.stage import NAME, BushingsStage
from engine.bushings.uses import acting_bushings
from engine.document import Actor, Document
from engine.dynamics.coordinates import read_rates
from engine.dynamics.mechanics import compile_mechanics
from engine.evaluation import Evaluation
from engine.maths.arrays import Array


def measurable(actor: Actor, kind: str) -> Mapping[str, str]:
    """Name the bushings of an actor that count."""
    return {each.id: each.name for each in acting_bushings(actor)}


def measure(
    evaluation: Evaluation, document: Document, actor: str, kind: str, part: str, times: Sequence[int]
) -> Array:
    """Measure the energy at some times [ticks], shape [len(times)], or sizes of force or torque."""
    owner = document.actor(actor)
    forces = cast(BushingsStage, evaluation.stage(NAME)).compiled(owner)
    assert forces is not None, "an actor with bushings"
    place = [each.id for each in acting_bushings(owner)].index(part)
    ints, found = compile_mechanics(evaluation.model(owner), massless=True).ints, np.empty(len(times))
    for row, time in enumerate(times):
        q, rates, _ = evaluation.motion_at(document, actor, time)
        if kind == "bushing_energy":
            found[row] = forces.energies(q)[place]
            continue
        qd = np.empty(forces.model.rate_count)
        read_rates(ints, q, rates, qd)
        loads = forces.loads(q, qd)[place]
        found[row] = float(np.linalg.norm(loads[3:] if kind == "bushing_force" else loads[:3]))
    return found
