"""Torques of all torque curves of a scene at some times, as the simulated figure has its rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from engine.document import Document
from engine.document.motion import Span, weight
from engine.maths.arrays import Array
from engine.motion.curve_kernels import evaluate_times
from engine.motion.curves import pack_track
from engine.physics.parts import KEYED
from engine.physics.scene import PhysicsScene
from engine.physics.uses import curves_of


def compile_torques(document: Document, scene: PhysicsScene) -> Callable[[Sequence[float]], Array] | None:
    """Give the function that tells the torques [N m] and forces [N] of all rates at times [ticks], shape [times,
    rate_count]; None where there are no curves. A curve of what the figure lacks moves nothing."""
    rates, found = scene.roots.figure.rate_index, list[tuple[int, Span | None, Array]]()
    for member in scene.members:
        actor = document.actor(member.actor.id)
        curves = curves_of(actor)
        kinds = {dof.id: dof.kind for dof in actor.figure.dofs}
        for track in () if curves is None else curves.heard:
            rate = rates.get(f"{actor.id}/{track.coordinate}")
            if curves is not None and rate is not None and kinds.get(track.coordinate) in KEYED:
                found.append((rate, curves.span, pack_track(track)))
    if not found:
        return None
    count = scene.mechanics.rate_count

    def torques(times: Sequence[float]) -> Array:
        out, at, rows = np.zeros((len(times), count)), np.array(times, dtype=np.float64), np.empty((len(times), 3))
        for rate, span, packed in found:
            evaluate_times(packed, 0, at, rows)
            out[:, rate] = rows[:, 0] * [weight(span, time) for time in times]
        return out

    return torques
