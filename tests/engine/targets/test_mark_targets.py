"""Marks of targets: where they are wanted, where the body is then, by how much that is apart; and in slices."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np
import pytest

from engine.document import Actor, Attachment, Document, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.secondary import Secondary
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.targets.queries import mark_targets as marking
from engine.targets.queries.mark_targets import TargetMark, TargetsMarked, mark_targets
from tests.engine.kinodynamics.test_secondary import pendulum
from tests.engine.targets.test_meet_targets import AT_KEYS, LOOSE, WEIGHT, met, place, puncher, scene

TIP = Target(id="tip", kind="point", joint="rod", point=WEIGHT, time=SECOND // 2)


def answer(document: Document, time: int = 0, actor: str = "one", joint: str | None = None) -> TargetsMarked:
    *before, last = mark_targets(Evaluator(), document, actor, time, joint=joint)
    assert not any(before)
    assert last is not None
    return last


def marks(document: Document, time: int = 0, joint: str | None = None) -> tuple[TargetMark, ...]:
    return answer(document, time, joint=joint).marks


def bare(document: Document) -> Document:
    return replace(document, actors=tuple(replace(each, secondary=None) for each in document.actors))


def corrected(document: Document) -> Document:
    return met(document).edit.apply(document)


def test_a_point_is_wanted_where_the_keys_have_it_and_marked_where_it_is_seen() -> None:
    document = scene(TIP)
    (mark,) = marks(document)
    wanted, there = place(bare(document), "rod", WEIGHT, TIP.time), place(document, "rod", WEIGHT, TIP.time)
    assert np.abs(np.subtract(mark.place, wanted)).max() < 1e-9
    assert np.abs(np.subtract(mark.at, there)).max() < 1e-6
    assert (mark.target, mark.own, mark.part, mark.kind) == ("tip", True, "rod", "point")
    assert mark.missed == f"missed by {1e3 * np.linalg.norm(wanted - there):.3g} mm"


def test_one_that_is_met_misses_nothing_and_its_place_stays_whatever_becomes_of_the_correction() -> None:
    document = scene(TIP)
    after = corrected(document)
    (before,), (now,) = marks(document), marks(after)
    assert now.missed == ""
    assert now.place == pytest.approx(before.place, abs=1e-12)
    layer = after.actors[0].layers[-1]
    muted = edit("mute_layer", actor="one", layer=layer.id, mute=True).apply(after)
    assert marks(muted) == (before,)
    half = edit("set_layer_weight", actor="one", layer=layer.id, weight=0.5).apply(after)
    assert marks(half)[0].place == pytest.approx(before.place, abs=1e-12)
    assert marks(half)[0].missed


def test_one_that_stands_for_keys_has_a_mark_at_each_and_misses_what_has_a_key_alone() -> None:
    found = marks(scene(AT_KEYS))
    assert [each.time for each in found] == [0, SECOND // 2, SECOND]
    assert {(each.target, each.own, each.name) for each in found} == {("keys", False, "Pose")}
    assert len({each.id for each in found}) == 3
    assert found[1].missed == "", "but for the slide, which goes where its keys are, nothing has a key there"
    assert found[2].missed
    assert all(not each.missed for each in marks(corrected(scene(AT_KEYS))))


def test_a_pose_is_marked_at_the_joint_that_is_asked_for_else_at_what_it_is_about() -> None:
    document = scene(Target(id="pose", time=SECOND))
    (root,), (rod,) = marks(document), marks(document, joint="rod")
    (about,) = marks(scene(Target(id="pose", time=SECOND, joints=("rod",))))
    assert (root.part, rod.part, about.part) == ("base", "rod", "rod")
    assert rod.place == pytest.approx(tuple(place(bare(document), "rod", (0.0, 0.0, 0.0), SECOND)))


def test_a_turn_stands_where_its_body_is_seen_and_tells_how_it_is_wanted() -> None:
    document = scene(Target(id="turn", kind="turn", joint="rod", time=SECOND))
    (mark,) = marks(document)
    q = Evaluator().coordinates(bare(document), "one", [SECOND])[0]
    assert mark.rotation is not None
    assert mark.rotation == pytest.approx((np.cos(q[1] / 2), 0.0, 0.0, np.sin(q[1] / 2)), abs=1e-12)
    assert mark.place == mark.at
    assert mark.missed.endswith("\N{DEGREE SIGN}")


def test_a_velocity_alone_stands_where_the_body_is() -> None:
    (mark,) = marks(scene(replace(TIP, place=False, velocity=True)))
    assert mark.place == mark.at
    assert mark.missed.endswith(" cm/s")


def test_what_hangs_on_another_is_marked_in_the_world() -> None:
    carrier = replace(pendulum("two"), secondary=None)
    hung = Attachment(id="a", joint="base", target="two", target_joint="rod")
    rod = replace(pendulum(), attachments=(hung,), secondary=Secondary(gains=LOOSE, targets=(TIP,)))
    document = Document(actors=(carrier, rod))
    (mark,) = marks(document)
    assert mark.place == pytest.approx(tuple(place(bare(document), "rod", WEIGHT, TIP.time)), abs=1e-9)
    assert mark.at == pytest.approx(tuple(place(document, "rod", WEIGHT, TIP.time)), abs=1e-6)


def test_a_handle_gives_its_name() -> None:
    document = scene(Target(id="hand", kind="point", joint="wrist_right", time=SECOND), actor=puncher())
    assert marks(document)[0].name == "Right hand"


@pytest.mark.parametrize("change", ["off", "hidden", "target off"])
def test_nothing_is_marked_of_what_does_not_swing_or_is_not_seen(change: str) -> None:
    actor = scene(replace(TIP, on=change != "target off")).actors[0]
    assert actor.secondary is not None
    actor = replace(actor, visible=change != "hidden", secondary=replace(actor.secondary, on=change != "off"))
    found = answer(Document(actors=(actor,)))
    assert (found.marks, found.whole) == ((), True)


def test_of_too_many_those_nearest_to_the_present_are_marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marking, "MOST", 2)
    found = answer(scene(AT_KEYS), time=SECOND)
    assert not found.whole
    assert [each.time for each in found.marks] == [SECOND // 2, SECOND]


def test_it_pauses_after_each_slice() -> None:
    ticks = count()
    found = list(mark_targets(Evaluator(), scene(AT_KEYS), "one", 0, clock=lambda: 0.003 * next(ticks)))
    assert found[:-1] == [None] * (len(found) - 1)
    assert len(found) > 1
    assert isinstance(found[-1], TargetsMarked)


def test_marking_leaves_the_document_alone() -> None:
    document = scene(TIP)
    actor: Actor = document.actors[0]
    assert answer(document).document is document
    assert document.actors[0] is actor
