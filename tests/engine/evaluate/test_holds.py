"""Actors that hang on joints of others."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from engine.commands.hold import Hold
from engine.document import Actor, Attachment, Capsule, Document, Key, Layer, Placement, Span, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import weight
from engine.edits import edit
from engine.evaluate import rest_snapshot
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.holds import place_of
from engine.maths.arrays import Array
from engine.maths.transforms import between, joined
from engine.motion.changed import changed_span
from tests.engine.figures import random_figure

SEEDS, KINDS = 14, 7  # of random edits

HOLD = Attachment(id="hold", joint="body", target="one", target_joint="j5", position=(0.1, -0.2, 0.3))
EASED = Span(start=SECOND, end=4 * SECOND, ease_in=SECOND, ease_out=SECOND)


def moving(id: str, names: tuple[str, ...], **fields: object) -> Layer:
    tracks = tuple(
        Track(coordinate=name, keys=(Key(0, 0.1 * place), Key(5 * SECOND, 1.0 - 0.2 * place)))
        for place, name in enumerate(names)
    )
    return replace(Layer(id=id, tracks=tracks), **fields)  # type: ignore[arg-type]


def document(*attachments: Attachment) -> Document:
    """A figure that moves and a stick that slides; the stick is listed first."""
    figure = random_figure(3)
    shape = Capsule(start=(0.0, -0.4, 0.0), end=(0.0, 0.4, 0.0), radius=0.02)
    stick = Actor(
        id="stick",
        name="Stick",
        figure=prop("Stick", (shape,)),
        placement=Placement(position=(1.0, 0.5, 0.0), rotation=(0.6, 0.0, 0.8, 0.0)),
        layers=(moving("slide", ("body.move_x", "body.move_y")),),
        attachments=attachments,
    )
    one = Actor(id="one", name="One", figure=figure, layers=(moving("walk", figure.coordinates[:6]),))
    return Document(actors=(stick, one))


def world(scene: Document, time: int, actor: str = "stick", joint: str = "body") -> Array:
    at = scene.actor(actor).figure.joint_index[joint]
    return np.asarray(Evaluator().joint_transforms(scene, actor, time)[at])


@pytest.mark.jit_off
def test_a_held_joint_stands_at_its_place_in_the_target_at_every_time() -> None:
    scene = document(HOLD)
    for time in (0, SECOND // 3, 4 * SECOND):
        wanted = joined(world(scene, time, "one", "j5"), place_of(HOLD))
        assert np.abs(world(scene, time) - wanted).max() < 1e-12
        bodies = Evaluator().snapshot(scene, time).bodies
        assert [item.owner for item in bodies] == ["stick", "one"], "pictures keep the order of the document"
        assert np.abs(bodies[0].transforms[0] - wanted).max() < 1e-6


@pytest.mark.jit_off
def test_what_is_always_held_is_moved_neither_by_its_placement_nor_by_its_root() -> None:
    held, later = document(HOLD), replace(HOLD, id="later", span=EASED, position=(0.5, 0.0, 0.0))
    for scene in (held, document(later, HOLD), document(HOLD, later)):
        stick = scene.actor("stick")
        assert stick.held_always is HOLD
        assert stick.is_held_at("body")
        elsewhere = replace(stick, placement=Placement(position=(0.0, 3.0, 1.0)), layers=())
        for time in (0, SECOND + SECOND // 4, 3 * SECOND):
            assert np.abs(world(scene, time) - world(scene.with_actor(elsewhere), time)).max() < 1e-12
    for scene in (document(), document(later)):
        assert scene.actor("stick").held_always is None
        assert not scene.actor("stick").is_held_at("body")
    figure = random_figure(3)
    by_the_hand = Actor(id="f", name="F", figure=figure, attachments=(replace(HOLD, joint="j5"),))
    assert not by_the_hand.is_held_at("j5"), "its turns move the rest of the figure"
    assert not by_the_hand.is_held_at("j0")


@pytest.mark.jit_off
def test_outside_its_span_an_attachment_changes_no_byte() -> None:
    free, held = document(), document(replace(HOLD, span=EASED))
    for time in (0, SECOND, 4 * SECOND, 5 * SECOND):
        assert world(held, time).tobytes() == world(free, time).tobytes()
    assert np.abs(world(held, 2 * SECOND) - world(free, 2 * SECOND)).max() > 0.1


@pytest.mark.jit_off
def test_eases_blend_places_linearly_and_turns_by_slerp() -> None:
    scene, time = document(replace(HOLD, span=EASED)), SECOND + SECOND // 4
    own, held = world(document(), time), world(document(HOLD), time)
    share = weight(EASED, time)
    assert share == pytest.approx(0.25**3 * (10 - 15 * 0.25 + 6 * 0.25**2))
    found = world(scene, time)
    assert np.abs(found[:, 3] - ((1 - share) * own[:, 3] + share * held[:, 3])).max() < 1e-12
    whole = np.arccos((np.trace(own[:, :3].T @ held[:, :3]) - 1) / 2)
    part = np.arccos((np.trace(own[:, :3].T @ found[:, :3]) - 1) / 2)
    assert part == pytest.approx(share * whole, abs=1e-9)
    assert np.abs(found[:, :3].T @ found[:, :3] - np.eye(3)).max() < 1e-12


@pytest.mark.jit_off
def test_eased_hand_overs_move_without_a_jump() -> None:
    scene = document(replace(HOLD, span=EASED))
    for time in (SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND):
        steps = [world(scene, time + each) for each in (-SECOND // 10_000, 0, SECOND // 10_000)]
        assert max(np.abs(a - b).max() for a, b in pairwise(steps)) < 1e-3


@pytest.mark.jit_off
def test_a_later_attachment_takes_over_from_an_earlier_one() -> None:
    second = replace(HOLD, id="second", target_joint="j2", span=replace(EASED, ease_out=0))
    both, first, last = document(HOLD, second), document(HOLD), document(replace(second, span=None))
    assert np.abs(world(both, 3 * SECOND) - world(last, 3 * SECOND)).max() < 1e-12
    assert world(both, 0).tobytes() == world(first, 0).tobytes()
    time = SECOND + SECOND // 2
    wanted = between(world(first, time), world(last, time), 0.5)
    assert np.abs(world(both, time) - wanted).max() < 1e-12


@pytest.mark.jit_off
def test_what_hangs_on_what_hangs_follows() -> None:
    scene = document(HOLD)
    ring = replace(
        scene.actors[0], id="ring", name="Ring", attachments=(replace(HOLD, target="stick", target_joint="body"),)
    )
    chain = Document(actors=(ring, *scene.actors))
    wanted = joined(world(chain, SECOND), place_of(HOLD))
    assert np.abs(world(chain, SECOND, "ring") - wanted).max() < 1e-12


@pytest.mark.jit_off
def test_a_figure_hangs_by_any_of_its_joints_and_poses_about_it() -> None:
    scene = document()
    hung = replace(HOLD, joint="j5", target="stick", target_joint="body")
    scene = scene.with_actor(replace(scene.actor("one"), attachments=(hung,)))
    for time in (0, 2 * SECOND):
        assert np.abs(world(scene, time, "one", "j5") - joined(world(scene, time), place_of(hung))).max() < 1e-12
    free = scene.with_actor(replace(scene.actor("one"), attachments=()))
    between_joints = [
        np.linalg.norm(world(each, SECOND, "one", "j0")[:, 3] - world(each, SECOND, "one", "j5")[:, 3])
        for each in (scene, free)
    ]
    assert between_joints[0] == pytest.approx(between_joints[1], abs=1e-12)


@pytest.mark.jit_off
def test_the_first_picture_shows_what_is_held() -> None:
    bodies = rest_snapshot(document(HOLD)).bodies
    joint = bodies[1].transforms[bodies[1].parts.index("j5")]
    assert np.abs(bodies[0].transforms[0] - joined(joint.astype(float), place_of(HOLD))).max() < 1e-6


@pytest.mark.jit_off
@pytest.mark.parametrize("time", [0, 2 * SECOND])
def test_an_actor_that_keeps_its_place_does_not_jump_as_it_is_attached(time: int) -> None:
    scene, evaluator = document(), Evaluator()
    span = Span(start=time, end=9 * SECOND)
    wish = Hold(id="h", actor="stick", joint="body", target="one", target_joint="j5", span=span, time=time)
    held = wish.work_out(evaluator, scene).apply(scene)
    assert np.abs(world(held, time) - world(scene, time)).max() < 1e-12
    assert np.abs(world(held, 4 * SECOND) - world(scene, 4 * SECOND)).max() > 1e-3


@pytest.mark.jit_off
def test_an_actor_that_is_brought_has_its_middle_in_the_middle_of_the_body() -> None:
    scene = document()
    wish = Hold(id="h", actor="stick", joint="body", target="one", target_joint="j5", time=0, keep=False)
    held = wish.work_out(Evaluator(), scene).apply(scene)
    middle = world(scene, 0, "one", "j5")[:, 3]  # of a box about the joint
    assert np.abs(world(held, 0)[:, 3] - middle).max() < 1e-12
    assert np.abs(world(held, 0)[:, :3] - world(scene, 0)[:, :3]).max() < 1e-12


@pytest.mark.jit_off
def test_a_change_of_the_target_touches_what_hangs_on_it_while_it_hangs() -> None:
    old = document(replace(HOLD, span=EASED))
    layer = old.actor("one").layers[0]
    new = edit("set_layer_weight", actor="one", layer=layer.id, weight=0.5).apply(old)
    assert changed_span(old, new) == (("stick", EASED.start, EASED.end), ("one", None, None))
    assert changed_span(document(), old) == (("stick", EASED.start, EASED.end),)


@pytest.mark.parametrize(
    "seed", [pytest.param(seed, marks=[pytest.mark.jit_off] if seed < KINDS else []) for seed in range(SEEDS)]
)
def test_outside_the_changed_spans_of_random_edits_every_transform_is_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    second = replace(HOLD, id="second", target_joint="j2", span=Span(start=2 * SECOND, end=3 * SECOND, ease_in=9))
    old = document(replace(HOLD, span=EASED), second)
    layer = old.actor("one").layers[0].id
    name = old.actor("one").figure.coordinates[int(rng.integers(6))]
    start = int(rng.integers(0, 3 * SECOND))
    third = replace(HOLD, id="third", target_joint="j4", span=Span(start=start, end=start + 5))
    changes = (
        edit("set_key", actor="one", layer=layer, coordinate=name, time=start, value=0.7),
        edit("set_layer_span", actor="one", layer=layer, start=start, end=start + SECOND),
        edit("move_attachment", actor="stick", attachment="hold", start=start, end=start + SECOND),
        edit("detach_actor", actor="stick", attachment=str(rng.choice(["hold", "second"]))),
        edit("attach_actor", actor="stick", attachment=third),
        edit("remove_actor", actor="one"),
        edit("set_key", actor="stick", layer="slide", coordinate="body.move_x", time=start, value=0.2),
    )
    assert len(changes) == KINDS
    new = changes[seed % KINDS].apply(old)
    spans = [change[1:] for change in changed_span(old, new) if change[0] == "stick"]
    times = np.concatenate((rng.integers(-SECOND, 6 * SECOND, 40), [SECOND - 1, 4 * SECOND + 1, start - 1]))
    outside = [
        int(time) for time in times if not any((a is None or a <= time) and (b is None or time <= b) for a, b in spans)
    ]
    for time in outside:
        assert world(old, time).tobytes() == world(new, time).tobytes(), (time, spans)
    assert any(world(old, int(time)).tobytes() != world(new, int(time)).tobytes() for time in (*times, start))
