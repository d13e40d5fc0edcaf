"""Measures of surfaces against time: how far they are from their keys, and the weights of their shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from engine.document import Actor, Document
from engine.document.drafts import without_drafts
from engine.evaluation import Evaluation
from engine.maths.arrays import Array
from engine.shapes.stage import ShapesStage
from engine.shapes.uses import blend_shapes


def measurable(actor: Actor, kind: str) -> Mapping[str, str]:
    """Name what of an actor has a quantity of a kind: its surface as a whole, or each of its shapes."""
    surface = blend_shapes(actor)
    if surface is None:
        return {}
    return {"": actor.name} if kind == "surface_lag" else {each.id: each.name for each in surface.shapes}


def measure(
    evaluation: Evaluation, document: Document, actor: str, kind: str, part: str, times: Sequence[int]
) -> Array:
    """Measure one quantity at some times [ticks], shape [len(times)]."""
    seen = cast(ShapesStage, evaluation.stage("shapes")).of(without_drafts(document), actor)
    if kind == "surface_lag":
        found = [float(np.linalg.norm(seen.vertices(time) - seen.keyed_vertices(time), axis=1).max()) for time in times]
        return np.array(found)
    place = [each.id for each in seen.surface.shapes].index(part)
    keyed = seen.corrected if seen.surface.swings else seen.keyed
    return keyed.weights(np.array(times, dtype=np.float64))[:, place].copy()
