"""Measured: quantities of water against time, for plots, tables and the command line (`engine.measure`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from engine.document import Document
from engine.document.drafts import without_drafts
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.water.moments import DIVERGENCE, KINETIC, LOST, MOMENTUM, POTENTIAL, SUB_STEPS, VOLUME, WaterMoment
from engine.water.stage import WaterStage
from engine.water.uses import measurable as measurable

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


def measure(
    evaluation: Evaluation, document: Document, actor: str, kind: str, part: str, times: Sequence[int]
) -> Array:
    """Measure a quantity of a tank at some times [ticks], shape [len(times)] or [len(times), 3]."""
    stage, document = evaluation.stage("water"), without_drafts(document)
    owner = document.actor(actor)
    if not isinstance(stage, WaterStage) or part not in measurable(owner, kind):
        raise InvalidArguments(what="the actor to measure", value=owner.name, allowed="a tank of water")
    simulation = stage.simulation(document, actor)
    return np.array([_OF_MOMENT[kind](simulation.moment(max(each, simulation.scene.start))) for each in times])


_OF_MOMENT: Mapping[str, Callable[[WaterMoment], float | Array]] = {
    "water_volume": lambda moment: float(moment.numbers[VOLUME]),
    "water_put_back": lambda moment: float(moment.numbers[LOST]),
    "water_momentum": lambda moment: moment.numbers[MOMENTUM : MOMENTUM + 3],
    "water_kinetic": lambda moment: float(moment.numbers[KINETIC]),
    "water_potential": lambda moment: float(moment.numbers[POTENTIAL]),
    "water_force": lambda moment: moment.forces[:, :3].sum(axis=0),
    "water_divergence": lambda moment: float(moment.numbers[DIVERGENCE]),
    "water_sub_steps": lambda moment: float(moment.numbers[SUB_STEPS]),
}
