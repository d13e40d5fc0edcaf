"""Targets in a mirror: what is asked for of the mirrored motion is missed by the mirror image of what was missed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Actor, Attachment, Document, Layer, Placement, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Gains, Secondary
from engine.document.validation import validate
from engine.document.values import Quaternion
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.targets.actor_targets import compile_targets
from engine.targets.equations import Residual
from tests.engine.evaluate.locked import human, track
from tests.engine.kinodynamics.test_secondary import pendulum

WHEN = 7 * SECOND // 10
PARTS = (("one", "pose", None),)
WITHIN = 1e-6  # [m, rad, m/s, rad/s]
S, AXIAL = np.diag((-1.0, 1.0, 1.0)), np.diag((1.0, -1.0, -1.0))
HAND = {"joint": "wrist_right", "time": WHEN, "velocity": True}


def puncher(*targets: Target) -> Document:
    """A human that leans and turns as it swings an arm and a leg, slackly."""
    tracks = (
        track("shoulder_right.flexion", (0.0, 0.0), (0.6, 1.2), (1.2, 0.2), (1.8, 0.6)),
        track("shoulder_right.rotation", (0.0, 0.1), (0.6, -0.4), (1.8, 0.2)),
        track("elbow_right.flexion", (0.0, 0.4), (0.6, 0.3), (1.2, 1.4), (1.8, 0.5)),
        track("shoulder_left.flexion", (0.0, 0.1), (1.8, 0.3)),
        track("shoulder_left.rotation", (0.0, 0.2), (0.9, 0.1)),
        track("elbow_left.flexion", (0.0, 0.5), (0.9, 0.9)),
        track("hip_left.flexion", (0.0, 0.0), (0.9, 0.5), (1.8, 0.1)),
        track("hip_right.flexion", (0.0, 0.3), (1.8, 0.2)),
        track("pelvis.turn", (0.0, 0.0), (0.9, 0.4), (1.8, 0.1)),
    )
    layer = Layer(id="pose", tracks=tracks)
    secondary = Secondary(gains=Gains(tension=3.0), targets=targets)
    actor = Actor(id="one", name="Puncher", figure=human(), layers=(layer,), secondary=secondary)
    return Document(actors=(actor,))


def mirrored(document: Document, *, start: int = 0, end: int = 10 * SECOND) -> Document:
    after = edit("mirror_ranges", parts=PARTS, start=start, end=end).apply(document)
    validate(after)
    return after


def only(document: Document) -> Target:
    secondary = document.actors[0].secondary
    assert secondary is not None
    (target,) = secondary.targets
    return target


def residuals(document: Document) -> tuple[Residual, ...]:
    evaluator = Evaluator()
    actor_targets = compile_targets(evaluator, document, "one")
    return actor_targets.residuals(evaluator, document, actor_targets.goals[0])


@pytest.mark.parametrize("turn", [(1.0, 0.0, 0.0, 0.0), (0.8, 0.0, 0.6, 0.0), (0.5, 0.5, -0.5, 0.5)])
@pytest.mark.parametrize(
    ("target", "images"),
    [
        (Target(id="t", kind="turn", **HAND), (AXIAL, AXIAL)),  # type: ignore[arg-type]
        (
            Target(id="t", kind="turn", rotation=(0.6, 0.48, 0.0, 0.64), speed=(1.0, 2.0, -3.0), **HAND),  # type: ignore[arg-type]
            (AXIAL, AXIAL),
        ),
        (
            Target(
                id="t",
                kind="point",
                point=(0.02, -0.1, 0.03),
                position=(-0.3, 1.2, 0.4),
                speed=(1.0, 2.0, -3.0),
                **HAND,  # type: ignore[arg-type]
            ),
            (S, S),
        ),
    ],
)
def test_a_target_of_a_body_is_missed_by_the_mirror_image_across_the_figures_plane(
    target: Target,
    images: tuple[Array, ...],
    turn: Quaternion,
) -> None:
    actor = puncher(target).actors[0]
    standing = replace(actor, placement=Placement(position=(0.5, 0.1, -0.3), rotation=turn))
    document, own = Document(actors=(standing,)), rotation_matrix(turn)
    after = mirrored(document)
    assert only(after).joint == "wrist_left"
    for before, now, image in zip(residuals(document), residuals(after), images, strict=True):
        assert before.size > 1e-2
        assert np.abs(now.error - own @ image @ own.T @ before.error).max() < WITHIN


def test_an_angular_velocity_about_the_vertical_changes_its_sign_and_one_about_the_side_does_not() -> None:
    target = Target(id="t", kind="turn", speed=(1.0, 2.0, 3.0), **HAND)  # type: ignore[arg-type]
    assert only(mirrored(puncher(target))).speed == (1.0, -2.0, -3.0)
    point = Target(id="t", kind="point", speed=(1.0, 2.0, 3.0), **HAND)  # type: ignore[arg-type]
    assert only(mirrored(puncher(point))).speed == (-1.0, 2.0, 3.0)


def test_a_pose_and_its_rates_are_those_of_the_partners() -> None:
    told = (("shoulder_right.flexion", 0.7), ("elbow_right.flexion", 0.9))
    joints = ("shoulder_right", "elbow_right")
    document = puncher(Target(id="t", time=WHEN, joints=joints, velocity=True, values=told, rates=told))
    after = mirrored(document)
    assert set(only(after).joints or ()) == {"shoulder_left", "elbow_left"}
    for before, now in zip(residuals(document), residuals(after), strict=True):
        assert before.size > 0.05
        assert now.size == pytest.approx(before.size, abs=WITHIN)


def test_a_wish_is_that_of_the_partners_and_twice_is_as_before() -> None:
    known = (("shoulder_right.rotation", 0.2), ("elbow_right.flexion", 0.1))
    targets = (
        Target(id="w", kind="wish", time=WHEN, change=known),
        Target(id="t", kind="turn", rotation=(0.6, 0.48, 0.0, 0.64), speed=(1.0, 2.0, -3.0), **HAND),  # type: ignore[arg-type]
        Target(id="p", kind="point", point=(0.02, -0.1, 0.03), position=(-0.3, 1.2, 0.4), **HAND),  # type: ignore[arg-type]
    )
    document = puncher(*targets)
    once = mirrored(document)
    assert once.actors[0].secondary is not None
    assert {name.split(".")[0] for name, _ in once.actors[0].secondary.targets[0].change or ()} <= {
        "shoulder_left",
        "elbow_left",
    }
    again = mirrored(once).actors[0].secondary
    assert again is not None
    assert dict(again.targets[0].change or ()) == pytest.approx(dict(known))
    for old, new in zip(targets[1:], again.targets[1:], strict=True):
        assert (new.kind, new.joint, new.speed, new.position) == (old.kind, old.joint, old.speed, old.position)
        assert new.point == pytest.approx(old.point, abs=1e-12)
        assert new.rotation == (None if old.rotation is None else pytest.approx(old.rotation, abs=1e-12))


def test_what_is_outside_of_the_range_or_stands_for_many_stays() -> None:
    target = Target(id="t", kind="turn", speed=(1.0, 2.0, 3.0), **HAND)  # type: ignore[arg-type]
    document = puncher(target)
    assert only(mirrored(document, end=WHEN)) == target
    assert only(mirrored(document, start=WHEN, end=WHEN + 1)) != target
    keys = replace(target, source="keys")
    assert only(mirrored(puncher(keys))) == keys


def test_where_a_part_alone_is_mirrored_targets_stay() -> None:
    target = Target(id="t", kind="turn", speed=(1.0, 2.0, 3.0), **HAND)  # type: ignore[arg-type]
    parts = (("one", "pose", ("elbow_right.flexion",)),)
    after = edit("mirror_ranges", parts=parts, start=0, end=10 * SECOND).apply(puncher(target))
    assert only(after) == target
    other = Layer(id="other", mode="add", tracks=(track("neck.flexion", (0.0, 0.1), (1.0, 0.2)),))
    actor = puncher(target).actors[0]
    both = Document(actors=(replace(actor, layers=(*actor.layers, other)),))
    assert only(mirrored(both)) == target
    muted = Document(actors=(replace(actor, layers=(*actor.layers, replace(other, mute=True))),))
    assert only(mirrored(muted)) != target


def test_targets_of_what_hangs_on_another_stay() -> None:
    target = Target(id="t", kind="turn", speed=(1.0, 2.0, 3.0), **HAND)  # type: ignore[arg-type]
    carrier = replace(pendulum("two"), secondary=None)
    hung = Attachment(id="a", joint=human().joints[0].id, target="two", target_joint="rod")
    document = Document(actors=(carrier, replace(puncher(target).actors[0], attachments=(hung,))))
    after = mirrored(document).actor("one").secondary
    assert after is not None
    assert after.targets == (target,)
