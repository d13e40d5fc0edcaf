"""Measures of muscles against time: lengths, forces, activations, power, what they use; torques of all together, and
what these lack."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from engine.document import Actor, Document
from engine.evaluation import Evaluation
from engine.maths.arrays import Array
from engine.muscles.elastic import PASSIVE
from engine.muscles.keyed import keyed_at
from engine.muscles.metabolic import metabolic_rates
from engine.muscles.required import held_rates
from engine.muscles.stage import NAME, MeasuredMuscles, MusclesStage
from engine.muscles.uses import activations_of, muscles_of

OF_ALL = ("muscles_metabolic", "muscles_energy")
OF_HINGES = ("muscles_torque", "muscles_lack")
EXCITATION = "muscle_excitation"


def measurable(actor: Actor, kind: str) -> Mapping[str, str]:
    """Name what of an actor with muscles has a quantity: each muscle, all of them, or each hinge but the root's."""
    found = muscles_of(actor)
    if found is None or not found.muscles:
        return {}
    if kind in OF_ALL:
        return {"": ""}
    if kind == EXCITATION and not activations_of(actor).excited:
        return {}
    if kind not in OF_HINGES:
        return {each.id: each.name for each in found.muscles}
    held = {actor.figure.rates[rate] for rate in held_rates(actor, found).tolist()}
    return {
        dof.id: f"{joint.name}, {dof.name.lower()}"
        for joint in actor.figure.joints
        for dof in joint.dofs
        if dof.kind == "hinge" and dof.id not in held
    }


def measure(
    evaluation: Evaluation, document: Document, actor: str, kind: str, part: str, times: Sequence[int]
) -> Array:
    """Measure one quantity at some times [ticks], shape [len(times)]."""
    stage = cast(MusclesStage, evaluation.stage(NAME))
    if kind == EXCITATION:
        at = np.array(times, dtype=np.float64)
        return keyed_at(activations_of(document.actor(actor)), {part: 0}, at)[:, 0]
    found = stage.measured(document, actor, times)
    if kind in OF_HINGES:
        rate = document.actor(actor).figure.rate_index[part]
        given = torques_of(stage, document, actor, times)[:, rate]
        return given if kind == "muscles_torque" else stage.required(document, actor).at(times).torques[:, rate] - given
    if kind == "muscles_metabolic":
        return np.asarray(metabolic_of(found).sum(axis=1), dtype=np.float64)
    return _of_muscle(found, kind)[:, found.figure.numbers[part]].copy()


def _of_muscle(found: MeasuredMuscles, kind: str) -> Array:
    """A quantity of all muscles, shape [len(times), muscle_count]."""
    if kind == "muscle_metabolic":
        return metabolic_of(found)
    if kind == "muscle_power":
        return -found.forces * found.rates
    if kind in ("muscle_active", "muscle_passive"):
        passive = _passive(found)
        return passive if kind == "muscle_passive" else found.forces - passive
    of = {"muscle_length": found.lengths, "muscle_rate": found.rates, "muscle_force": found.forces}
    return of.get(kind, found.activations)


def _passive(found: MeasuredMuscles) -> Array:
    """Forces of the tissue beside active fibres [N], shape [len(times), muscle_count]."""
    figure, still = found.figure, np.zeros(found.figure.paths.count)
    if figure.is_elastic:
        rows = zip(found.lengths, found.rates, found.activations, strict=True)
        passive = [figure.fibre_states(*each)[:, PASSIVE] for each in rows]
    else:
        passive = [figure.forces(*each, still) for each in zip(found.lengths, found.rates, strict=True)]
    return np.array(passive).reshape(found.forces.shape)


def metabolic_of(found: MeasuredMuscles) -> Array:
    """Work out what all muscles use [W], shape [len(times), muscle_count]."""
    rows = zip(found.lengths, found.rates, found.activations, strict=True)
    return np.array([metabolic_rates(found.figure, *each) for each in rows]).reshape(found.forces.shape)


def torques_of(stage: MusclesStage, document: Document, actor: str, times: Sequence[int]) -> Array:
    """Torques of all muscles on all rates [N m], shape [len(times), rate_count]."""
    found, poses = stage.measured(document, actor, times), stage.poses(document, actor, times)
    paths, count = found.figure.paths, found.figure.model.rate_count
    rows = [
        np.bincount(paths.columns, -found.figure.entries(q)[1] * forces[paths.rows], minlength=count)
        for q, forces in zip(poses, found.forces, strict=True)
    ]
    return np.array(rows, dtype=np.float64).reshape(len(times), count)
