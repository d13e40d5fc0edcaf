"""Examples are text that can be written again; in those made by hand what is locked stays, and nothing leaps."""

from __future__ import annotations

import json
from functools import cache
from typing import cast

import numpy as np
import pytest

from engine.document import Actor, Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.document.validation import validate
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.muscles.stage import MusclesStage
from engine.physics.parts import Physics
from engine.queries.examples import EXAMPLES, example, read_example
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.shapes.queries.tell_surface import tell_surface
from engine.soft.stage import SoftStage
from tests.example_documents import FOLDER, example_text

LONG = 10  # [s]


@cache
def made_by_hand() -> tuple[Document, Actor, Evaluator]:
    """The animation, its person, and who has evaluated it so far."""
    document = example("ball").build()
    return document, next(actor for actor in document.actors if actor.locks), Evaluator()


@cache
def joints_by_hand(time: int) -> Array:
    """Of the person in it; several tests look at the same times."""
    document, person, evaluator = made_by_hand()
    return evaluator.joint_transforms(document, person.id, time)


def test_the_feet_of_the_animation_made_by_hand_stay_where_they_are_planted() -> None:
    document, person, _ = made_by_hand()
    looked, half = 0, frame_time(1, document.rate) // 2
    for time in range(0, LONG * SECOND + 1, half):
        joints = joints_by_hand(time)
        for lock in person.locks:
            span = lock.span
            assert span is not None
            if span.start + span.ease_in <= time <= span.end - span.ease_out:
                off = np.linalg.norm(joints[person.figure.joint_index[lock.joint]][:, 3] - lock.position)
                assert off < 1e-3, (lock.name, time / SECOND)
                looked += 1
    assert {lock.joint for lock in person.locks} == {"ankle_left", "ankle_right", "toes_right"}
    assert looked > 2 * LONG * 30, "two feet for most of ten seconds"


def test_the_ragdoll_is_let_go_in_the_air_and_comes_to_rest_beyond_the_crates() -> None:
    document, evaluator = example("ragdoll").build(), Evaluator()
    human = document.actor("human")
    part = human.part(Physics)
    assert part is not None
    assert evaluator.centre_of_mass(document, "human", part.start)[1] > 1.2
    crates = [actor.id for actor in document.actors if actor.id != "human"]
    before, after = (evaluator.rows(document, time) for time in (0, 7 * SECOND // 2))
    moved = [np.linalg.norm(after[id][12:15] - before[id][12:15]) for id in crates]
    assert max(moved) > 0.5
    low, ahead = evaluator.centre_of_mass(document, "human", 7 * SECOND // 2)[1:]
    assert low < 0.6, "it lies, on the floor or on a crate: the last bit of another processor may decide"
    assert ahead > 1.5
    near = evaluator.joint_transforms(document, "human", 7 * SECOND // 2 - SECOND // 10)[:, :, 3]
    assert np.abs(evaluator.joint_transforms(document, "human", 7 * SECOND // 2)[:, :, 3] - near).max() < 0.2
    assert near[:, 1].min() > -0.02


@pytest.mark.deep  # seconds of flesh on a body, as tests/engine/soft/test_coupling.py has it in small
def test_the_ragdoll_with_a_belly_falls_on_it_and_stays_on_the_bench() -> None:
    document, evaluator = example("belly").build(), Evaluator()
    stage = evaluator.stage("soft")
    assert isinstance(stage, SoftStage)
    simulation = stage.simulation(document)
    assert simulation is not None
    end = round(0.8 * SECOND)
    across, height, _ = evaluator.centre_of_mass(document, "human", end)
    assert abs(across) < 0.1
    assert 0.3 < height < 0.5, "the bench is 0.42 m high, and legs and arms hang down"
    pressed = np.linalg.norm(simulation.moment(end).touches.forces.sum(axis=0))
    assert pressed > 50.0
    worked = simulation._coupled[simulation._step_of(end) - 1].wrenches["human"]
    pelvis, spine = (document.actor("human").figure.joint_index[name] for name in ("pelvis", "middle_spine"))
    assert np.linalg.norm(worked[[pelvis, spine], :3].sum(axis=0)) > 50.0, "it holds its wearer up"
    assert simulation.stopped is None


def test_the_face_smiles_and_tilts_its_head_on_time_though_it_is_loose() -> None:
    document, evaluator = example("face").build(), Evaluator()
    answers = tell_surface(evaluator, document, "face", round(2.5 * SECOND))
    told = next(each for each in answers if each is not None)
    assert len(told.targets) == 2
    assert all(each.met for each in told.targets)
    assert told.lag > 0.01


def test_both_heels_of_the_animation_made_by_hand_are_down_but_for_the_step_and_the_crouch() -> None:
    document, person, _ = made_by_hand()
    standing = {"ankle_left": ((0.0, 3.0), (3.6, 10.0)), "ankle_right": ((0.0, 3.6), (6.1, 10.0))}
    for joint, spans in standing.items():
        number = person.figure.joint_index[joint]
        at_rest = next(lock.position[1] for lock in person.locks if lock.joint == joint)
        for start, end in spans:
            for time in range(round(start * SECOND), round(end * SECOND), frame_time(1, document.rate)):
                height = joints_by_hand(time)[number][1, 3]
                assert height == pytest.approx(at_rest, abs=1e-3), (joint, time / SECOND)


def test_no_joint_of_the_animation_made_by_hand_leaps() -> None:
    _, person, _ = made_by_hand()
    times = range(0, LONG * SECOND + 1, SECOND // 120)
    places = np.array([joints_by_hand(time)[:, :, 3] for time in times])
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=2) * 120.0
    assert speeds.max() < 6.0, "a hand that is raised to wave"
    ways = np.linalg.norm(np.ptp(places, axis=0), axis=1)
    still = {joint.id for joint, way in zip(person.figure.joints, ways, strict=True) if way < 0.02}
    assert still == {"toes_right"}, "all else is alive"


@pytest.mark.parametrize("id", [each.id for each in EXAMPLES])
def test_an_example_is_written_as_it_stands_there(id: str) -> None:
    text = (FOLDER / f"{id}.json").read_text(encoding="utf-8")
    document = read_example(text)
    validate(document)
    assert example_text(document) == text
    assert all(not actor.figure.skins or '{"part": "figures/human"}' in text for actor in document.actors)


def test_every_document_that_lies_there_is_an_example() -> None:
    assert {each.stem for each in FOLDER.glob("*.json")} == {each.id for each in EXAMPLES}


def test_what_is_no_document_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="Placement"):
        read_example('{"type": "Placement"}')
    with pytest.raises(InvalidDocument, match="one that ships"):
        read_example('{"blob": "00", "numbers": "<f8", "shape": [1]}')


@pytest.mark.parametrize("name", ["figures/nobody", "motions/nothing/1", "motions/walk/99", "poses/Stand", "00"])
def test_what_does_not_ship_is_not_found(name: str) -> None:
    with pytest.raises(UnknownPart):
        read_example(json.dumps({"part": name}))


def test_the_lift_is_done_by_muscles_alone_and_held_stiffly_by_both() -> None:
    """Up, held, down; thrown up and caught; hanging again. Without its muscles the arm swings down and stays there."""
    document, evaluator = example("lift").build(), Evaluator()
    bends = {
        time: float(np.degrees(evaluator.coordinates(document, "arm", [round(time * SECOND)])[0, 1]))
        for time in (0.2, 1.5, 2.0, 3.2, 4.0, 5.0, 5.5, 7.0)
    }
    assert bends[0.2] < 30.0
    assert bends[1.5] > 85.0
    assert abs(bends[2.0] - bends[1.5]) < 10.0
    assert bends[3.2] < 30.0
    assert bends[4.0] > 100.0
    assert bends[5.0] > 90.0
    assert abs(bends[5.5] - bends[5.0]) < 15.0
    assert bends[7.0] < 30.0
    idle = edit("set_muscle_model", actor="arm", pulling=False).apply(document)
    assert float(np.degrees(evaluator.coordinates(idle, "arm", [2 * SECOND])[0, 1])) < 15.0


def test_the_curl_is_held_by_its_flexors_and_then_by_both() -> None:
    """The torque of the flexors about the elbow lifts; the second time the triceps takes away a good part of it."""
    document, evaluator = example("curl").build(), Evaluator()
    stage = cast(MusclesStage, evaluator.stage("muscles"))
    torques = []
    for time in (round(1.0 * SECOND), round(4.3 * SECOND)):
        found = stage.measured(document, "arm", [time])
        q = evaluator.coordinates(document, "arm", [time])[0]
        arms = -found.figure.measure(q)[1][:, 1]
        torques.append(arms * found.forces[0])
    (first, second), flexors = torques, slice(0, 3)
    assert first[flexors].sum() > 15.0
    assert -first[3:].sum() < 0.25 * first[flexors].sum()
    assert 0.3 * second[flexors].sum() < -second[3:].sum() < second[flexors].sum()


def test_the_walk_stands_on_its_feet_and_is_activated_when_it_takes_it() -> None:
    document, evaluator = example("muscled_walk").build(), Evaluator()
    (walker,) = document.actors
    period, stride = 16 * SECOND // 15, 1.25
    heel = walker.figure.joint_index["calcaneus_left"]

    def heels(*phases: float) -> Array:
        times = [round(phase * period) for phase in phases]
        return np.array([evaluator.joint_transforms(document, walker.id, each)[heel][:, 3] for each in times])

    flat = heels(*np.linspace(0.12, 0.3, 7).tolist())
    assert np.ptp(flat, axis=0).max() < 0.006, "it lies flat where it stands"
    assert heels(2.2)[0] - heels(0.2)[0] == pytest.approx([0.0, 0.0, 2.0 * stride], abs=1e-5)
    assert heels(0.75)[0, 1] - flat[:, 1].max() > 0.05
    late = np.degrees(evaluator.coordinates(document, walker.id, [round(each * period) for each in (0.35, 0.4, 0.45)]))
    hip, knee, ankle = (
        late[:, walker.figure.coordinate_index[f"{name}_left.{way}"]]
        for name, way in (("femur", "flexion"), ("tibia", "flexion"), ("talus", "dorsiflexion"))
    )
    assert knee.max() < 10.0, "it is straight as the heel rises"
    assert hip.min() < -8.0
    assert ankle.max() < 18.0
    phases = np.arange(0.0, 1.0, 0.02)
    times = [round(phase * period) for phase in phases.tolist()]
    found = cast(MusclesStage, evaluator.stage("muscles")).measured(document, walker.id, times)

    def most(first: float, last: float) -> Array:
        return np.asarray(found.activations[(phases >= first) & (phases <= last)].max(axis=0))

    strike, stands, pushes, swings = most(0.0, 0.08), most(0.2, 0.45), most(0.48, 0.58), most(0.72, 0.95)
    numbers = found.figure.numbers
    calf, shin = numbers["soleus_left"], numbers["tibialis_anterior_left"]
    assert pushes[calf] > 0.3 > 0.1 > swings[calf]
    assert min(strike[shin], swings[shin]) > 0.2
    assert stands[numbers["gluteus_medius_middle_left"]] > swings[numbers["gluteus_medius_middle_left"]] + 0.1


def test_the_body_has_all_muscles_and_waves_with_those_that_are_activated() -> None:
    document, evaluator = example("body").build(), Evaluator()
    stage = cast(MusclesStage, evaluator.stage("muscles"))
    found = stage.measured(document, "skeleton", [0])
    numbers = found.figure.numbers
    assert len(numbers) == 823
    lengths = found.figure.fibres(found.lengths[0], found.rates[0], found.activations[0])
    assert lengths[numbers["biceps_short_right"]] < 0.95 * lengths[numbers["biceps_short_left"]]
    assert found.activations[0, numbers["brachialis_outer_right"]] == pytest.approx(0.9)
