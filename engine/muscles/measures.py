"""Measures of muscles against time: lengths, forces, activations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from engine.document import Actor, Document
from engine.evaluation import Evaluation
from engine.maths.arrays import Array
from engine.muscles.stage import NAME, MusclesStage
from engine.muscles.uses import muscles_of


def measurable(actor: Actor, kind: str) -> Mapping[str, str]:
    """Name the muscles of an actor: each has a quantity of each kind."""
    found = muscles_of(actor)
    return {} if found is None else {each.id: each.name for each in found.muscles}


def measure(
    evaluation: Evaluation, document: Document, actor: str, kind: str, part: str, times: Sequence[int]
) -> Array:
    """Measure one quantity at some times [ticks], shape [len(times)]."""
    stage = cast(MusclesStage, evaluation.stage(NAME))
    found = stage.measured(document, actor, times)
    column = found.figure.numbers[part]
    of = {"muscle_length": found.lengths, "muscle_force": found.forces, "muscle_activation": found.activations}
    return of[kind][:, column].copy()
