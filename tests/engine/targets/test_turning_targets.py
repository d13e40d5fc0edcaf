"""Targets of how fast a body turns, met on screen: as told, as keyed, with turns, carried, locked, rerooted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from engine.cli.meet import meet_file
from engine.document import Actor, Attachment, Document, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains, Secondary
from engine.document.validation import validate
from engine.document.values import Vector3
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument
from engine.targets.actor_targets import compile_targets
from engine.targets.commands.take_target import TakeTarget
from engine.targets.equations import TurnVelocityEquation
from engine.targets.queries.mark_targets import TargetsMarked, mark_targets
from tests.engine.evaluate.locked import planted
from tests.engine.kinodynamics.test_secondary import pendulum
from tests.engine.targets.test_meet_targets import VELOCITY_WITHIN, WITHIN, met, puncher, scene, seen

HAND, WHEN, LATER = "wrist_right", 7 * SECOND // 10, 3 * SECOND // 2
SPIN = Target(id="spin", kind="turn", joint=HAND, time=WHEN, velocity=True)
TENSION = Gains(tension=3.0)


def turns(document: Document, joint: str, time: int, actor: str = "one") -> Rotation:
    frame = Evaluator().joint_transforms(document, actor, time)[document.actor(actor).figure.joint_index[joint]]
    return Rotation.from_matrix(frame[:, :3])


def spin(document: Document, joint: str, time: int, actor: str = "one", apart: int = SECOND // 40_000) -> Array:
    """How fast a body is seen to turn, about axes of the world."""
    before, after = (turns(document, joint, time + by, actor) for by in (-apart, apart))
    return np.asarray((after * before.inv()).as_rotvec() / (2.0 * apart / SECOND))


def keyed(document: Document) -> Document:
    return replace(document, actors=tuple(replace(each, secondary=None, locks=()) for each in document.actors))


def apart(one: Rotation, other: Rotation) -> float:
    return float((one * other.inv()).magnitude())


def test_the_humans_hand_turns_as_it_is_keyed_to_and_as_fast() -> None:
    document = scene(SPIN, actor=puncher(), gains=TENSION)
    wanted = spin(keyed(document), HAND, WHEN)
    found = met(document)
    after = found.edit.apply(document)
    assert found.met
    assert found.iterations <= 10
    assert np.linalg.norm(spin(document, HAND, WHEN) - wanted) > 0.1
    assert np.linalg.norm(spin(after, HAND, WHEN) - wanted) <= 1.5 * VELOCITY_WITHIN
    assert apart(turns(after, HAND, WHEN), turns(keyed(document), HAND, WHEN)) <= WITHIN


@pytest.mark.parametrize("place", [True, False])
@pytest.mark.parametrize("speed", [(0.0, 0.0, 0.0), (-1.5, 1.0, 0.5)])
def test_it_turns_as_fast_as_is_told(speed: Vector3, place: bool) -> None:
    document = scene(replace(SPIN, place=place, speed=speed), actor=puncher(), gains=TENSION)
    found = met(document)
    after = found.edit.apply(document)
    assert found.met
    assert np.linalg.norm(spin(after, HAND, WHEN) - speed) <= 1.5 * VELOCITY_WITHIN
    if place:
        assert apart(turns(after, HAND, WHEN), turns(keyed(document), HAND, WHEN)) <= WITHIN


def test_a_place_of_the_hand_and_how_fast_it_turns_are_met_together() -> None:
    grip = Target(id="grip", kind="point", joint=HAND, time=LATER)
    still = replace(SPIN, time=LATER, place=False, speed=(0.0, 0.0, 0.0))
    document = scene(grip, still, actor=puncher(), gains=TENSION)
    found = met(document)
    assert found.met
    assert np.linalg.norm(spin(found.edit.apply(document), HAND, LATER)) <= 1.5 * VELOCITY_WITHIN


def test_one_pose_is_as_fast_as_its_keys_have_it() -> None:
    pose = Target(id="t", time=WHEN, velocity=True, joints=("shoulder_right", "elbow_right"))
    document = scene(pose, actor=puncher(), gains=TENSION)
    found = met(document)
    after, by = found.edit.apply(document), SECOND // 10_000
    assert found.met
    for name in ("shoulder_right.flexion", "elbow_right.flexion"):
        at = document.actors[0].figure.coordinate_index[name]
        rates = [
            (seen(each, WHEN + by)[at] - seen(each, WHEN - by)[at]) / (2.0 * by / SECOND)
            for each in (after, keyed(document), document)
        ]
        assert abs(rates[0] - rates[1]) <= 1.5 * VELOCITY_WITHIN
        assert abs(rates[2] - rates[1]) > 0.05


def test_what_cannot_turn_so_is_told_in_degrees_a_second() -> None:
    """A rod on one hinge turns about that alone."""
    target = Target(id="t", kind="turn", joint="rod", time=SECOND, velocity=True, place=False, speed=(0.0, 0.5, 0.2))
    found = met(scene(target))
    assert not found.met
    assert found.targets[0].unit == "rad/s"
    assert found.targets[0].missed == pytest.approx(0.5, abs=1e-3)
    assert found.targets[0].amount.endswith("\N{DEGREE SIGN}/s")


def test_of_what_is_carried_it_is_about_the_axes_of_the_world() -> None:
    carrier = replace(pendulum("two"), secondary=None)
    hung = Attachment(id="a", joint="base", target="two", target_joint="rod")
    target = Target(id="t", kind="turn", joint="rod", time=SECOND // 2, velocity=True)
    rod = replace(pendulum(), attachments=(hung,), secondary=Secondary(gains=TENSION, targets=(target,)))
    document = Document(actors=(carrier, rod))
    wanted = spin(keyed(document), "rod", target.time)
    found = met(document)
    assert found.met
    assert np.linalg.norm(spin(document, "rod", target.time) - wanted) > 0.01
    assert np.linalg.norm(spin(found.edit.apply(document), "rod", target.time) - wanted) <= 1.5 * VELOCITY_WITHIN


def test_with_feet_that_are_held_it_is_met_on_screen() -> None:
    target = replace(SPIN, place=False, speed=(0.3, -0.5, 0.2))
    actor = replace(planted().actors[0], secondary=Secondary(gains=TENSION, targets=(target,)))
    document = Document(actors=(actor,))
    found = met(document)
    assert found.met
    for each, counts in ((document, False), (found.edit.apply(document), True)):
        assert (np.linalg.norm(spin(each, HAND, WHEN) - (0.3, -0.5, 0.2)) <= 1.5 * VELOCITY_WITHIN) == counts


def test_a_rerooted_figure_is_to_turn_as_fast_as_it_is_keyed_then_and_as_fast_as_is_told() -> None:
    document = scene(SPIN, replace(SPIN, id="told", speed=(1.0, 2.0, 3.0)), actor=puncher(), gains=TENSION)
    turned = edit("reroot_figure", actor="one", joint="wrist_right", layer="path").apply(document)
    validate(turned)
    goals = {each.id: each.equations for each in compile_targets(Evaluator(), turned, "one").goals}
    as_keyed, told = (goals[id][1] for id in ("spin", "told"))
    assert isinstance(as_keyed, TurnVelocityEquation)
    assert isinstance(told, TurnVelocityEquation)
    assert np.linalg.norm(np.array(as_keyed.velocity) - spin(keyed(turned), HAND, WHEN)) < 1e-4
    assert np.linalg.norm(np.array(as_keyed.velocity) - spin(keyed(document), HAND, WHEN)) < 0.01
    assert told.velocity == (1.0, 2.0, 3.0)


def test_what_is_taken_from_here_is_what_is_seen_here() -> None:
    document = scene(replace(SPIN, velocity=False), actor=puncher(), gains=TENSION)
    change = TakeTarget(actor="one", target="spin", what="speed", time=WHEN)
    assert change.label(document) == "Take velocity of target"
    after = change.work_out(Evaluator(), document).apply(document)
    taken = after.actors[0].secondary.targets[0]  # type: ignore[union-attr]
    assert taken.velocity
    assert taken.speed is not None
    assert np.linalg.norm(np.array(taken.speed) - spin(document, HAND, WHEN)) <= VELOCITY_WITHIN


def test_a_mark_tells_how_far_off_the_velocity_is_and_stands_as_the_body_is_seen_where_that_alone_is_wanted() -> None:
    target = replace(SPIN, place=False, speed=(0.0, 0.0, 0.0))
    document = scene(target, actor=puncher(), gains=TENSION)
    (mark,) = marked(document)
    assert mark.missed.endswith("\N{DEGREE SIGN}/s")
    assert mark.rotation is not None
    w, x, y, z = mark.rotation
    assert apart(Rotation.from_quat((x, y, z, w)), turns(document, HAND, WHEN)) < 1e-9
    assert mark.place == mark.at
    (both,) = marked(scene(replace(target, place=True), actor=puncher(), gains=TENSION))
    assert " and " in both.missed
    (now,) = marked(met(document).edit.apply(document))
    assert now.missed == ""


def marked(document: Document) -> tuple:  # type: ignore[type-arg]
    *_, last = mark_targets(Evaluator(), document, "one", 0)
    assert isinstance(last, TargetsMarked)
    return last.marks


def test_a_file_keeps_it_and_the_command_line_meets_it(tmp_path: Path) -> None:
    path = tmp_path / "spin.sinew"
    document = scene(replace(SPIN, speed=(0.5, 0.0, -0.5)), actor=puncher(), gains=TENSION)
    sinew.write(path, document)
    again = sinew.read(path)
    assert again.actors[0].secondary == document.actors[0].secondary
    lines, all_met = meet_file(path)
    assert all_met
    assert lines[1].endswith("spin: met")


def test_a_velocity_beyond_all_bounds_is_refused_in_its_own_unit() -> None:
    with pytest.raises(InvalidDocument, match="rad/s of a turn"):
        Target(id="t", kind="turn", joint=HAND, velocity=True, speed=(2e9, 0.0, 0.0))
    with pytest.raises(InvalidDocument, match="speed"):
        Target(id="t", time=0, velocity=True, speed=(1.0, 0.0, 0.0))


def test_an_edit_sets_it_and_its_undo_gives_the_identical_document() -> None:
    actor: Actor = puncher()
    document = scene(SPIN, actor=actor)
    change = edit("set_targets", actor="one", targets=("spin",), changes=(("speed", (1.0, 0.0, 0.0)),))
    after = change.apply(document)
    assert after.actors[0].secondary.targets[0].speed == (1.0, 0.0, 0.0)  # type: ignore[union-attr]
    back = edit("set_targets", actor="one", targets=("spin",), changes=(("speed", None),)).apply(after)
    assert back == document
