"""Examples of the whole body with its muscles: what each is there to show."""

from __future__ import annotations

import numpy as np
import pytest

from engine.document import Document
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


def test_the_limp_leans_over_its_weak_hip_so_that_its_muscles_do() -> None:
    walk, limp = (example(id).build() for id in ("muscled_walk", "limp"))
    whole, weak = (document.actors[0].part(Muscles) for document in (walk, limp))
    assert whole is not None
    assert weak is not None
    shares = {new.id: new.force / old.force for new, old in zip(weak.muscles, whole.muscles, strict=True)}
    changed = {id: share for id, share in shares.items() if share != 1.0}
    assert changed == pytest.approx(dict.fromkeys(changed, 0.1))
    assert {id.rpartition("_")[2] for id in changed} == {"left"}
    assert {id.rsplit("_", 2)[0] for id in changed if id.startswith("g")} == {"gluteus_medius", "gluteus_minimus"}
    evaluator, phases = Evaluator(), np.arange(16) / 16
    times = [round(phase * 16 * SECOND / 15) for phase in phases]

    def leans(document: Document) -> Array:
        """How far the neck is to the left of the sacrum."""
        actor = document.actors[0]
        low, high = (actor.figure.joint_index[each] for each in ("sacrum", "cervical7"))
        poses = [evaluator.joint_transforms(document, actor.id, time) for time in times]
        return np.array([pose[high, 0, 3] - pose[low, 0, 3] for pose in poses])

    def heels(document: Document) -> Array:
        actor = document.actors[0]
        bones = [actor.figure.joint_index[f"calcaneus_{side}"] for side in ("left", "right")]
        return np.array([evaluator.joint_transforms(document, actor.id, time)[bones, :, 3] for time in times])

    left, right = (phases > 0.1) & (phases < 0.5), (phases > 0.6)
    usual, found = leans(walk), leans(limp)
    assert usual[left].mean() == pytest.approx(-usual[right].mean(), abs=0.01), "of the walk, both sides are alike"
    assert found[left].mean() > usual[left].mean() + 0.04, "on the weak side the trunk leans over it"
    assert found[left].max() > 2.0 * -found[right].min()
    assert np.abs(heels(limp) - heels(walk)).max() < 0.006, "feet go as in the walk"
