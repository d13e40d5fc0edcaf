"""Examples of the whole body with its muscles: what each is there to show."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.muscles.keyed import activations_at
from engine.muscles.parts import Muscles
from engine.muscles.uses import activations_of
from engine.queries.examples import example

STANDS, GOES_DOWN, LOWEST, RISES = 0.1, 0.95, 1.45, 1.72  # [s] of the squat


def test_the_feet_of_the_squat_stay_and_its_muscles_work_on_the_way() -> None:
    document, evaluator = example("squat").build(), Evaluator()
    (body,) = document.actors
    place = body.figure.joint_index
    feet = [place[f"{bone}_{side}"] for bone in ("calcaneus", "toes") for side in ("left", "right")]
    times = [round(each * SECOND) for each in np.linspace(0.0, 2.8, 15)]
    poses = np.array([evaluator.joint_transforms(document, "body", time) for time in times])
    assert np.abs(poses[:, feet] - poses[0, feet]).max() < 1e-5, "neither sinks nor slides nor turns"
    assert np.ptp(poses[:, place["sacrum"], 1, 3]) > 0.28
    knees, toes, ankles = (poses[:, place[f"{bone}_left"], :, 3] for bone in ("tibia", "toes", "talus"))
    ahead = (knees - ankles)[:, 2].clip(0.02) * (toes - ankles)[:, 0] / (toes - ankles)[:, 2]
    assert (knees - ankles)[:, 0] == pytest.approx(ahead, abs=0.03), "knees go where toes point"
    for time in times:
        assert poses[0, place["calcaneus_left"], 2, 3] < evaluator.centre_of_mass(document, "body", time)[2] < 0.1
    muscles = body.part(Muscles)
    assert muscles is not None
    names = [each.id for each in muscles.muscles]
    moments = np.array([STANDS, GOES_DOWN, LOWEST, RISES]) * SECOND
    found = activations_at(activations_of(body), {id: at for at, id in enumerate(names)}, moments)

    def mean(start: str) -> Array:
        mine: Array = found[:, [at for at, id in enumerate(names) if id.startswith(start)]].mean(axis=1)
        return mine

    assert mean("vastus")[1] > 1.5 * mean("vastus")[0]
    assert mean("vastus")[3] > max(3.0 * mean("vastus")[0], 0.4), "and most as it brakes and rises"
    assert mean("longissimus")[2] > max(5.0 * mean("longissimus")[0], 0.4)
    assert mean("gluteus_maximus")[3] > mean("gluteus_maximus")[0]


def test_the_relaxed_body_crumples_where_the_tensed_one_lands_stiffly() -> None:
    document, evaluator = example("dropped").build(), Evaluator()
    relaxed, tensed = document.actors
    assert relaxed.figure is tensed.figure
    assert relaxed.layers == tensed.layers
    place = relaxed.figure.joint_index
    start, landed = 0, round(0.7 * SECOND)
    heights = {
        actor.id: [evaluator.centre_of_mass(document, actor.id, time)[1] for time in (start, landed)]
        for actor in document.actors
    }
    assert heights["relaxed"][0] == pytest.approx(heights["tensed"][0], abs=1e-9)
    assert heights["relaxed"][1] < 0.55
    assert heights["tensed"][1] > 0.85, "as high as it stands"
    bends = {
        actor.id: evaluator.seen(document, actor.id, landed)[0][actor.id][
            actor.figure.coordinate_index["tibia_left.flexion"]
        ]
        for actor in document.actors
    }
    assert np.degrees(bends["tensed"]) < 20.0
    assert np.degrees(bends["relaxed"]) > 40.0
    assert evaluator.joint_transforms(document, "tensed", landed)[place["skull"], 1, 3] > 1.3
