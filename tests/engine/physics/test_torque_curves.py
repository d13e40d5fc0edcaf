"""Torque curves drive simulated actors: against closed forms, and against plans of `engine.spacetime`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Body, Document, Dof, Figure, Joint, Key, Layer, Span, Track
from engine.document.ticks import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.model.compile import ROW
from engine.motion.changed import changed_span
from engine.physics.follows import PhysicsFollows
from engine.physics.parts import Physics, PhysicsWorld, TorqueCurves
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.spacetime.examples import LAMP, lamp_leap
from engine.spacetime.planned import compiled
from engine.spacetime.search import find_motion
from tests.spacetime_examples import lamp_leap as planned_leap

G, MASS, LENGTH = 9.80665, 2.0, 0.6
Numbers = Sequence[float] | Array
EXACT = PhysicsWorld(stepper="midpoint", step=0.001, ground=False)


def pendulum() -> Figure:
    """A point mass on a hinge about z that hangs down at 0."""
    mass = Body(mass=MASS, centre=(0.0, -LENGTH, 0.0), inertia=(0.0,) * 6)
    hinge = Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0))
    arm = Joint(id="arm", name="Arm", parent="post", dofs=(hinge,), body=mass)
    return Figure(name="Pendulum", joints=(Joint(id="post", name="Post"), arm))


def curve(dof: str, times: Numbers, values: Numbers) -> Track:
    """Straight pieces between values at seconds."""
    pairs = zip(times, values, strict=True)
    keys = (Key(time=round(time * SECOND), value=float(value), interpolation="linear") for time, value in pairs)
    return Track(coordinate=dof, keys=tuple(keys))


def driven(figure: Figure, curves: TorqueCurves, world: PhysicsWorld = EXACT, **values: float) -> Document:
    """The figure, let go at 0 in a pose."""
    layer = Layer(id="keys", name="Keys", values=tuple(values.items()))
    actor = Actor(id="one", name="One", figure=figure, layers=(layer,), parts=(Physics(), curves))
    return Document(actors=(actor,), parts=(world,))


def angles(document: Document, times: Numbers, evaluator: Evaluator | None = None, *, of: str = "one") -> Array:
    """Coordinates at seconds, shape [times, coordinates]."""
    found = (evaluator or Evaluator()).rows_at(document, [round(time * SECOND) for time in times])
    return np.array([rows[of][ROW:] for rows in found])


def test_a_pendulum_is_led_along_a_swing_by_the_torque_that_it_takes() -> None:
    times = np.linspace(0.0, 1.0, 101)
    swing, bend = 0.4 * (1.0 - np.cos(4.0 * times)), 6.4 * np.cos(4.0 * times)
    torque = MASS * LENGTH**2 * bend + MASS * G * LENGTH * np.sin(swing)
    document = driven(pendulum(), TorqueCurves(id="curves", tracks=(curve("swing", times, torque),)))
    assert angles(document, times)[:, 0] == pytest.approx(swing, abs=2e-4)


def test_a_torque_that_rises_evenly_turns_a_joint_by_the_cube_of_time() -> None:
    still = replace(EXACT, gravity=0.0)
    rising = curve("swing", (0.0, 1.0), (0.0, 3.0))
    document = driven(
        pendulum(), TorqueCurves(id="curves", tracks=(rising,), span=Span(start=0, end=SECOND // 2)), still
    )
    inertia = MASS * LENGTH**2
    decay = 0.3 / np.sqrt(inertia)  # of tissue, once the torque is over
    after = 3.0 * 0.5**2 / 2.0 / inertia * (1.0 - np.exp(-decay * 0.4)) / decay
    expected = [0.2**3 / 2.0 / inertia, 0.5**3 / 2.0 / inertia, 0.5**3 / 2.0 / inertia + after]
    assert angles(document, (0.2, 0.5, 0.9))[:, 0] == pytest.approx(expected, rel=1e-4)


def test_muted_curves_move_nothing_and_tissue_slows_what_others_move() -> None:
    curves = TorqueCurves(id="curves", tracks=(curve("swing", (0.0, 1.0), (4.0, 4.0)),))
    loose = driven(pendulum(), curves, swing=0.3)
    muted, slow = (
        edit("set_torque_curves", actor="one", **each).apply(loose) for each in ({"mute": True}, {"tissue": True})
    )
    bare = edit("remove_torque_curves", actor="one").apply(loose)
    assert np.array_equal(angles(muted, (0.3,)), angles(bare, (0.3,)))
    found = [float(angles(each, (0.3,))[0, 0]) for each in (bare, slow, loose)]
    assert found[0] < found[1] < found[2]


def test_a_root_that_turns_everywhere_keeps_the_hinges_that_are_pushed() -> None:
    axes = {"y": (0.0, 1.0, 0.0), "x": (1.0, 0.0, 0.0), "z": (0.0, 0.0, 1.0)}
    turns = tuple(Dof(id=f"turn_{name}", name=name, axis=axis) for name, axis in axes.items())
    body = Body(mass=MASS, inertia=(0.1, 0.2, 0.3, 0.0, 0.0, 0.0))
    top = Figure(name="Top", joints=(Joint(id="top", name="Top", dofs=turns, body=body),))
    still = replace(EXACT, gravity=0.0)
    document = driven(top, TorqueCurves(id="curves", tracks=(curve("turn_y", (0.0, 1.0), (0.8, 0.8)),)), still)
    assert angles(document, (0.5,))[0] == pytest.approx([0.5 * 0.8 / 0.2 * 0.25, 0.0, 0.0], abs=1e-9)


def lamp_on_a_stand() -> Figure:
    """The arms and the head of the source's lamp in the plane z = 0, upon a base that is fixed."""
    joints = [Joint(id="base", name="Base")]
    for limb in LAMP.limbs[1:]:
        about = limb.mass * limb.gyration**2
        body = Body(mass=limb.mass, centre=(*limb.centre, 0.0), inertia=(about, about, about, 0.0, 0.0, 0.0))
        hinge = Dof(id=limb.name, name=limb.name, axis=(0.0, 0.0, 1.0))
        joints.append(
            Joint(id=limb.name, name=limb.name, parent=limb.parent, offset=(*limb.joint, 0.0), dofs=(hinge,), body=body)
        )
    return Figure(name="Lamp", joints=tuple(joints))


def test_torques_that_were_found_for_the_lamp_lead_it_along_its_plan() -> None:
    motion = find_motion(lamp_leap(0.4)).motion
    names, problem = [limb.name for limb in LAMP.limbs[1:]], motion.problem
    length = float(motion.lengths[0])
    nodes = np.linspace(0.0, length, problem.stages[0].pieces + 1)
    tracks = [
        curve(
            name,
            nodes,
            [motion.stage_functions(0, time / length)[problem.function(f"torque of {name}")] for time in nodes],
        )
        for name in names
    ]
    begin = dict(zip(names, motion.coordinates(0.0)[3:], strict=True))
    document = driven(lamp_on_a_stand(), TorqueCurves(id="curves", tracks=tuple(tracks)), **begin)
    times = np.linspace(0.0, 1.0, 21)[:-1] * length
    plan = np.array([motion.coordinates(time)[3:] for time in times])
    off = np.abs(angles(document, times) - plan).max(axis=0)
    assert (off <= 0.01 * np.ptp(plan, axis=0)).all()


def test_a_lamp_whose_plan_is_kept_flies_as_planned_by_torques_and_the_momentum_of_its_take_off() -> None:
    document = planned_leap(0.4, pieces=24)
    made = compiled(document, "lamp")
    motion = made.search.find().motion
    layer, curves = made.layer(motion, id="kept"), made.curves(motion, id="torques")
    kept = edit("keep_spacetime", actor="lamp", layer=layer, curves=curves).apply(document)
    start, end = made.ticks(motion)[1:3]
    free = edit("set_physics", actor="lamp", role="simulated", start=start).apply(kept.with_part(EXACT))
    times = np.linspace(start, end, 9)[:-1] / SECOND
    plan, flown = (angles(each, times, of="lamp") for each in (kept, free))
    assert np.abs(flown - plan).max() <= 0.01 * np.ptp(plan, axis=0).max()
    slow = edit("put_torque_curves", actor="lamp", curves=replace(curves, launches=())).apply(free)
    assert np.abs(angles(slow, times, of="lamp") - plan).max() > 0.05  # by the slopes of the path, which are not p's


def test_a_frame_alone_is_the_same_as_in_sequence_and_after_an_edit_of_later_keys() -> None:
    first = curve("swing", (0.0, 0.2, 0.4, 0.6), (1.0, 2.0, -1.0, 1.0))
    old = driven(pendulum(), TorqueCurves(id="curves", tracks=(first,)), PhysicsWorld())
    new = edit("set_torque_keys", actor="one", keys=(("swing", Key(round(0.6 * SECOND), 3.0)),)).apply(old)
    ((_, start, end),) = changed_span(old, new)
    assert (start, end) == (round(0.4 * SECOND), None)
    evaluator, times = Evaluator(), (0.1, 0.3, 0.5, 0.7)
    before = angles(old, times, evaluator)
    assert np.array_equal(angles(old, (0.5,)), before[2:3])
    after = angles(new, times, evaluator)
    assert np.array_equal(after, angles(new, times))
    assert np.array_equal(after[:2], before[:2])
    assert (after[3] != before[3]).all()


def test_keys_of_torques_are_put_moved_and_taken_away() -> None:
    bare = driven(pendulum(), TorqueCurves(id="curves"))
    two = (("swing", Key(0, 1.0)), ("swing", Key(SECOND, 2.0)))
    keyed = edit("set_torque_keys", actor="one", keys=two).apply(bare)
    first, last = ((("one", "curves", (("swing", (time,)),)),) for time in (0, SECOND))
    moved = edit("move_chosen", chosen=first, ticks=7).apply(keyed)
    made = (("one", "curves", (("swing", Key(SECOND, 900.0)),)),)
    reshaped = edit("reshape_chosen", chosen=last, made=made).apply(moved)
    assert [(key.time, key.value) for key in track_of(reshaped)] == [(7, 1.0), (SECOND, 900.0)]
    inserted = edit("insert_chosen", chosen=(("one", "curves", ("swing",)),), time=SECOND // 2).apply(reshaped)
    assert len(track_of(inserted)) == 3
    gone = (("one", "curves", (("swing", (7, SECOND)),)),)
    assert edit("remove_chosen", chosen=gone).apply(reshaped) == bare
    with pytest.raises(UnknownPart, match="hinge or slide"):
        edit("set_torque_keys", actor="one", keys=(("nod", Key(0, 1.0)),)).apply(bare)
    with pytest.raises(InvalidDocument, match="N m"):
        edit("set_torque_keys", actor="one", keys=(("swing", Key(0, 1e7)),)).apply(bare)


def test_torque_curves_follow_time_that_is_inserted_and_hinges_that_go() -> None:
    given = TorqueCurves(id="curves", tracks=(curve("swing", (0.5, 1.0), (1.0, 2.0)),), span=Span(start=0, end=SECOND))
    document = driven(pendulum(), given)
    given = replace(given, launches=((0, (("swing", 2.0),)),))
    document = edit("put_torque_curves", actor="one", curves=given).apply(document)
    late = edit("insert_everywhere", actors=("one",), time=-5, length=100).apply(document).actor("one")
    curves = late.part(TorqueCurves)
    assert curves is not None
    assert (curves.tracks[0].keys[0].time, curves.span) == (SECOND // 2 + 100, Span(start=100, end=SECOND + 100))
    assert curves.launches == ((100, (("swing", 2.0),)),)
    assert late.part(Physics) == Physics(start=100)
    fitted = edit("remove_joint", actor="one", joint="arm").apply(document).actor("one").part(TorqueCurves)
    assert fitted == replace(given, tracks=())


def test_torques_of_left_and_right_are_exchanged_within_a_range() -> None:
    left, right = "elbow_left.flexion", "elbow_right.flexion"
    curves = TorqueCurves(id="curves", tracks=(curve(left, (0.0, 1.0, 3.0), (1.0, 2.0, 3.0)),))
    human = Actor(id="one", name="One", figure=load_figure("human"), parts=(curves,))
    found = PhysicsFollows().mirrored(human, 0, 2 * SECOND).part(TorqueCurves)
    assert found is not None
    keys = {track.coordinate: [(key.time, key.value) for key in track.keys] for track in found.tracks}
    assert keys == {left: [(3 * SECOND, 3.0)], right: [(0, 1.0), (SECOND, 2.0)]}


def track_of(document: Document) -> tuple[Key, ...]:
    """The keys of the pendulum's torque."""
    curves = document.actor("one").part(TorqueCurves)
    assert curves is not None
    return curves.tracks[0].keys
