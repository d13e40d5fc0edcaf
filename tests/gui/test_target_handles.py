"""Targets in the views with real mouse and key events: made by dragging what swings, chosen, dragged, turned, taken
back; and the ghost, by which keys are posed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.secondary.current_targets import CurrentTargets
from app.scene.panes import FRONT, RIGHT
from app.session import Item
from engine.document import Document, Layer, Target
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.segment import middle_of_segment
from engine.document.values import Vector3
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.locks.standing import standing_of
from engine.maths.quaternions import turned
from engine.targets.queries.mark_targets import TargetMark
from tests.gui.aimed import HAND, punching
from tests.gui.test_manipulators import only_ring, pull_of, shown, take
from tests.gui.test_scenery import pixels
from tests.gui.test_window import canvas_of, press
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui

ELBOW, WITHIN = "elbow_right", 1e-4
NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)
AWAY = QPoint(24, -30)  # [px]


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged(size=(1400, 900))


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    """The human that punches, seen from the side a second on, without targets; nothing is selected."""
    with window.anew(without_targets()) as begun:
        begun.session.of(CurrentTargets).meet_always(False)
        begun.session.of(CurrentTargets).choose(None)
        begun.until(lambda: begun.session.reaching.ready)
        begun.view.maximise(RIGHT)
        look_at_it(begun, SECOND)
        yield begun


def without_targets() -> Document:
    document = punching()
    actor = document.actors[0]
    assert actor.secondary is not None
    return document.with_actor(replace(actor, secondary=replace(actor.secondary, targets=())))


def begin_with(opened: Stage, *targets: Target) -> None:
    """Give the human these targets, and wait for their signs."""
    actor = opened.session.document.actors[0]
    opened.session.do(edit("place_targets", actor=actor.id, targets=targets))
    opened.until(
        lambda: {each.target for each in opened.session.of(CurrentTargets).marks.marks} == {each.id for each in targets}
    )
    opened.settle()


def look_at_it(opened: Stage, time: int) -> None:
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    opened.settle()
    opened.view.frame()
    opened.draw()


def actor_of(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def targets(document: Document) -> tuple[Target, ...]:
    secondary = document.actors[0].secondary
    assert secondary is not None
    return secondary.targets


def keys_of(document: Document) -> int:
    actor = document.actors[0]
    return sum(len(track.keys) for layer in actor.layers for track in layer.tracks)


def pixel(opened: Stage, place: Vector3, view: int = RIGHT) -> QPoint:
    """Where a place is seen."""
    pane = opened.view.panes()[view]
    x, y, _ = opened.view.cameras[view].project(np.array(place), opened.view.size_of(view)).tolist()
    return QPoint(round(pane.x + x), round(pane.y + y))


def middle(opened: Stage, joint: str = HAND, *, keyed: bool = False) -> QPoint:
    """Where the middle of a body, or of its ghost, is seen."""
    point = middle_of_segment(opened.session.document.actors[0].figure, joint)
    place = opened.view.place_of(actor_of(opened), joint, point, keyed=keyed)
    assert place is not None
    return pixel(opened, place)


def grip(opened: Stage, joint: str = HAND, *, keyed: bool = False) -> QPoint:
    """A pixel near its middle where nothing stands before it."""
    around = sorted(
        ((x, y) for x in range(-12, 13, 3) for y in range(-12, 13, 3)), key=lambda at: at[0] ** 2 + at[1] ** 2
    )
    for x, y in around:
        at = middle(opened, joint, keyed=keyed) + QPoint(x, y)
        pick = opened.view.pick(at.toPointF())
        if pick is not None and (pick.part, pick.keyed) == (joint, keyed):
            return at
    raise AssertionError(f"{joint} is not to be seen")


def along(start: QPoint, way: QPoint = AWAY) -> list[QPoint]:
    return [start + QPoint(round(way.x() * n / 6), round(way.y() * n / 6)) for n in range(7)]


def pull(opened: Stage, start: QPoint, way: QPoint = AWAY, *, modifiers: Qt.KeyboardModifier = NONE) -> Document:
    """Drag from a pixel, and wait for the new document."""
    before = opened.session.document
    drag(canvas_of(opened), along(start, way), modifiers=modifiers)
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    opened.settle()
    return opened.session.document


def seen(document: Document, target: Target) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Where the point of a target is at its time, with locks and secondary motion, worked out anew [m]."""
    actor = document.actors[0]
    assert target.joint is not None
    frame = Evaluator().joint_transforms(document, actor.id, target.time)[actor.figure.joint_index[target.joint]]
    return np.asarray(frame[:, :3] @ np.array(target.point) + frame[:, 3])


def missed(document: Document, target: Target) -> float:
    assert target.position is not None
    return float(np.linalg.norm(seen(document, target) - target.position))


def mark(opened: Stage, target: str) -> TargetMark:
    found = opened.session.of(CurrentTargets).marks.of(target)
    assert found is not None
    return found


def undo(opened: Stage) -> Document:
    press(opened, Qt.Key.Key_Z, CTRL)
    opened.settle()
    return opened.session.document


def test_dragging_the_hand_that_swings_sets_a_target_that_is_hit_and_one_undo_takes_it_back(opened: Stage) -> None:
    session, before, was = opened.session, opened.session.document, middle(opened)
    entries, keys = len(session.history.entries), keys_of(before)
    after = pull(opened, grip(opened))
    (target,) = targets(after)
    assert (target.kind, target.joint, target.time) == ("point", HAND, SECOND)
    assert missed(after, target) < WITHIN
    assert len(session.history.entries) == entries + 1
    assert session.history.entries[-1].label == "Set target of Right hand"
    assert keys_of(after) == keys
    assert after.actors[0].layers[-1].correction is not None
    apart = middle(opened) - (was + AWAY)
    assert apart.manhattanLength() <= 3, "the hand went where the pointer did"
    assert session.of(CurrentTargets).target == target
    assert undo(opened) is before


def test_while_it_is_dragged_the_hand_follows_the_pointer(opened: Stage) -> None:
    session, start, was, canvas = opened.session, grip(opened), middle(opened), canvas_of(opened)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, NONE, start)
    before = session.document
    for place in along(start)[1:]:
        was_shown = session.shown
        move(canvas, place)
        opened.until(lambda old=was_shown: session.shown is not old)  # type: ignore[misc]
    opened.settle()
    assert session.document is before
    assert (middle(opened) - (was + AWAY)).manhattanLength() <= 4
    (target,) = targets(session.shown)
    opened.until(lambda: session.of(CurrentTargets).marks.of(target.id) is not None)
    press(opened, Qt.Key.Key_Escape)
    opened.until(lambda: session.at_rest)
    assert session.document is before
    assert session.shown is before
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, NONE, start + AWAY)
    opened.settle()
    assert session.document is before


def test_dragged_again_at_this_time_the_same_target_moves(opened: Stage) -> None:
    first = pull(opened, grip(opened))
    second = pull(opened, grip(opened), QPoint(-10, -16))
    assert [each.id for each in targets(second)] == [each.id for each in targets(first)]
    (was,), (now,) = targets(first), targets(second)
    assert was.position is not None
    assert now.position is not None
    assert np.linalg.norm(np.subtract(now.position, was.position)) > 0.01
    assert missed(second, now) < WITHIN
    assert opened.session.history.entries[-1].label == "Move target of Right hand"
    look_at_it(opened, SECOND + SECOND // 5)
    third = pull(opened, grip(opened), QPoint(6, -10))
    assert len(targets(third)) == 2, "another time, another target"
    assert all(missed(third, each) < WITHIN for each in targets(third))


def test_two_drags_without_waiting_between_them_are_both_kept(opened: Stage) -> None:
    session, before, ways = opened.session, opened.session.document, (AWAY, QPoint(8, -10))
    starts = [grip(opened), grip(opened, ELBOW)]
    for start, way in zip(starts, ways, strict=True):
        drag(canvas_of(opened), along(start, way))
    opened.until(lambda: session.document is not before and session.at_rest)
    assert [each.joint for each in targets(session.document)] == [HAND, ELBOW]
    hand = targets(session.document)[0]
    assert hand.position is not None
    x, y, z = seen(before, hand).tolist()
    assert (pixel(opened, hand.position) - pixel(opened, (x, y, z)) - AWAY).manhattanLength() <= 3
    assert [each.label for each in session.history.entries[-2:]] == [
        "Set target of Right hand",
        "Set target of Right elbow",
    ]


def test_two_signs_dragged_without_waiting_both_stay_where_they_were_let_go(opened: Stage) -> None:
    begin_with(opened, *(Target(id=name, kind="point", joint=name, time=SECOND) for name in (HAND, ELBOW)))
    session, before = opened.session, opened.session.document
    places = [pixel(opened, mark(opened, name).place) for name in (HAND, ELBOW)]
    ways = (QPoint(10, 12), QPoint(-16, -10))
    for place, way in zip(places, ways, strict=True):
        drag(canvas_of(opened), along(place, way))
    opened.until(lambda: session.at_rest and len(session.history.entries) > 2)
    assert session.document is not before
    for target, place, way in zip(targets(session.document), places, ways, strict=True):
        assert target.position is not None
        assert (pixel(opened, target.position) - place - way).manhattanLength() <= 1


def test_escape_gives_a_dragged_sign_up_says_so_and_what_was_chosen_is_chosen_again(opened: Stage) -> None:
    begin_with(opened, *(Target(id=name, kind="point", joint=name, time=SECOND) for name in (HAND, ELBOW)))
    session, before, canvas = opened.session, opened.session.document, canvas_of(opened)
    QTest.mouseClick(canvas, Qt.MouseButton.LeftButton, NONE, pixel(opened, mark(opened, ELBOW).place))
    start = pixel(opened, mark(opened, HAND).place)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, NONE, start)
    for place in along(start)[1:]:
        move(canvas, place)
    opened.until(lambda: session.shown is not before)
    assert session.of(CurrentTargets).chosen == HAND
    press(opened, Qt.Key.Key_Escape)
    opened.until(lambda: session.at_rest)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, NONE, start + AWAY)
    opened.settle()
    assert session.document is before
    assert (session.log[-1].kind, session.log[-1].text) == ("note", "The drag was given up; nothing has changed.")
    assert session.of(CurrentTargets).chosen == ELBOW
    assert session.of(CurrentTargets).in_hand, "Delete is for it, as before"


def test_a_target_that_is_missed_comes_to_the_body_that_is_dragged_and_nothing_leaps(opened: Stage) -> None:
    begin_with(opened, Target(id="hand", kind="point", joint=HAND, time=SECOND, position=(-0.2, 1.5, 0.3)))
    was, there = middle(opened), mark(opened, "hand").at
    assert mark(opened, "hand").missed
    after = pull(opened, grip(opened))
    (target,) = targets(after)
    assert target.position is not None
    assert (middle(opened) - (was + AWAY)).manhattanLength() <= 6, "the wrist is led: the hand turns a little about it"
    assert (pixel(opened, target.position) - (pixel(opened, there) + AWAY)).manhattanLength() <= 3
    assert missed(after, target) < WITHIN


def test_a_round_mark_of_what_swings_leads_a_target_too(opened: Stage) -> None:
    opened.session.select([Item(actor_of(opened))])
    opened.settle()
    figure = opened.session.document.actors[0].figure
    handle = next(each for each in figure.handles if each.joint == HAND)
    place = opened.view.place_of(actor_of(opened), HAND, handle.point)
    assert place is not None
    after = pull(opened, pixel(opened, place))
    (target,) = targets(after)
    assert (target.joint, target.point) == (HAND, handle.point)
    assert missed(after, target) < WITHIN


def test_dragging_the_ghost_adds_a_key_and_no_target(opened: Stage) -> None:
    session, before = opened.session, opened.session.document
    look_at_it(opened, SECOND * 9 // 10)
    was = middle(opened, keyed=True)
    assert (middle(opened) - was).manhattanLength() > 20, "they stand apart"
    entries, keys = len(session.history.entries), keys_of(before)
    after = pull(opened, grip(opened, keyed=True))
    assert targets(after) == ()
    assert keys_of(after) > keys
    assert len(session.history.entries) == entries + 1
    assert (middle(opened, keyed=True) - (was + AWAY)).manhattanLength() <= 3, "the ghost went where the pointer did"
    assert undo(opened) is before


def test_ctrl_poses_the_keys_of_the_body_and_the_option_does_so_without(opened: Stage) -> None:
    start, keys = grip(opened), keys_of(opened.session.document)
    keyed = pull(opened, start, modifiers=CTRL)
    assert targets(keyed) == ()
    assert keys_of(keyed) > keys
    undo(opened)
    opened.window.menus.refresh()
    action = opened.window.menus.actions["targets.by_hand"]
    assert action.isChecked()
    action.trigger()
    assert targets(pull(opened, grip(opened))) == ()
    undo(opened)
    assert len(targets(pull(opened, grip(opened), modifiers=CTRL))) == 1


def test_where_the_correction_is_muted_a_drag_poses_keys_and_the_status_line_says_so(opened: Stage) -> None:
    session = opened.session
    after = pull(opened, grip(opened))
    layer = after.actors[0].layers[-1]
    assert isinstance(layer, Layer)
    session.do(edit("mute_layer", actor=actor_of(opened), layer=layer.id, mute=True))
    opened.settle()
    keys, start = keys_of(session.document), grip(opened, ELBOW)
    move(canvas_of(opened), start, held=False)
    opened.until(lambda: "muted" in opened.window.status.pointer.text)
    keyed = pull(opened, start)
    assert targets(keyed) == targets(after)
    assert keys_of(keyed) > keys


def test_the_status_line_tells_what_a_drag_of_the_body_and_of_its_ghost_does(opened: Stage) -> None:
    status = opened.window.status.pointer
    move(canvas_of(opened), grip(opened, ELBOW), held=False)
    opened.until(lambda: "drag to set a target" in status.text)
    look_at_it(opened, SECOND * 9 // 10)
    move(canvas_of(opened), grip(opened, keyed=True), held=False)
    opened.until(lambda: "as keyed" in status.text)
    opened.window.prefer(show_keyed=False)
    opened.settle()
    move(canvas_of(opened), grip(opened, ELBOW), held=False)
    opened.until(lambda: "Ctrl poses the keys" in status.text)


def test_a_sign_is_chosen_by_a_click_and_moved_by_a_drag_along_an_axis_with_shift(opened: Stage) -> None:
    session = opened.session
    begin_with(opened, Target(id="hand", kind="point", joint=HAND, time=SECOND))
    place = mark(opened, "hand").place
    assert mark(opened, "hand").missed.startswith("missed by ")
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, NONE, pixel(opened, place))
    assert session.of(CurrentTargets).target is targets(session.document)[0]
    before = session.document
    after = pull(opened, pixel(opened, place), QPoint(4, -30), modifiers=SHIFT)
    (target,) = targets(after)
    assert target.position is not None
    way = np.subtract(target.position, place)
    assert way[1] > 0.02
    assert np.abs(way[[0, 2]]).max() < 1e-9
    assert after.actors[0].layers == before.actors[0].layers, "placed, and not yet met"
    assert undo(opened) is before
    free = targets(pull(opened, pixel(opened, place), QPoint(10, 12)))[0].position
    assert free is not None
    assert abs(free[0] - place[0]) < 1e-9, "seen from the side nothing goes towards the eye"
    assert (pixel(opened, free) - pixel(opened, place) - QPoint(10, 12)).manhattanLength() <= 1


def test_delete_takes_the_target_away_that_was_clicked_and_nothing_else(opened: Stage) -> None:
    session = opened.session
    begin_with(opened, *(Target(id=name, kind="point", joint=name, time=SECOND) for name in (HAND, ELBOW)))
    before, place = session.document, mark(opened, HAND).place
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, NONE, pixel(opened, place))
    assert session.selection.items == (Item(actor_of(opened), HAND),)
    press(opened, Qt.Key.Key_Delete)
    opened.until(lambda: session.document is not before and session.at_rest)
    assert [each.id for each in targets(session.document)] == [ELBOW]
    after = session.document
    session.of(CurrentTargets).choose(ELBOW)
    press(opened, Qt.Key.Key_Delete)
    opened.settle()
    assert session.document is after, "chosen elsewhere, it is not what the views' Delete is for"
    assert undo(opened) is before


def test_a_sign_that_is_dragged_where_targets_are_met_always_is_followed_and_hit(opened: Stage) -> None:
    session = opened.session
    begin_with(opened, Target(id="hand", kind="point", joint=HAND, time=SECOND))
    session.of(CurrentTargets).meet_always(True)
    opened.until(lambda: session.at_rest and session.of(CurrentTargets).is_fresh and not mark(opened, "hand").missed)
    entries = len(session.history.entries)
    after = pull(opened, pixel(opened, mark(opened, "hand").place), QPoint(-8, -20))
    opened.until(lambda: session.at_rest)
    assert len(session.history.entries) == entries + 1
    assert missed(after, targets(after)[0]) < WITHIN


def test_a_turn_is_rolled_under_the_pointer(opened: Stage) -> None:
    begin_with(opened, Target(id="turn", kind="turn", joint=ELBOW, time=SECOND))
    first = mark(opened, "turn")
    assert first.rotation is not None
    after = pull(opened, pixel(opened, first.place), QPoint(50, 0))
    rotation = targets(after)[0].rotation
    assert rotation is not None
    up = (0.0, 1.0, 0.0)
    upright = [np.dot(turned(each, (1.0, 0.0, 0.0)), up) for each in (first.rotation, rotation)]
    assert upright[0] == pytest.approx(upright[1], abs=1e-9), "a way to the right turns about what points up"
    cosine = abs(float(np.dot(rotation, first.rotation)))
    assert 2.0 * np.degrees(np.arccos(min(cosine, 1.0))) == pytest.approx(0.6 * 50, abs=0.7)


def test_dragging_one_of_many_at_keys_makes_one_of_its_own_for_that_key(opened: Stage) -> None:
    begin_with(opened, Target(id="keys", kind="point", joint=HAND, source="keys"))
    marks = opened.session.of(CurrentTargets).marks.marks
    assert len(marks) == 4
    chosen = marks[1]
    assert not chosen.own
    after = pull(opened, pixel(opened, chosen.place), QPoint(12, -14))
    rule, own = targets(after)
    assert (rule.id, rule.source) == ("keys", "keys")
    assert (own.source, own.time, own.joint) == ("own", chosen.time, HAND)
    opened.until(lambda: opened.session.of(CurrentTargets).marks.of(own.id) is not None)
    assert len(opened.session.of(CurrentTargets).marks.marks) == 4, "it stands for that key alone"


def test_a_pose_is_chosen_and_not_dragged(opened: Stage) -> None:
    begin_with(opened, Target(id="pose", time=SECOND))
    before = opened.session.document
    start = pixel(opened, mark(opened, "pose").place)
    drag(canvas_of(opened), along(start))
    opened.settle()
    assert opened.session.document is before
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, NONE, start)
    assert opened.session.of(CurrentTargets).target is targets(before)[0]


def test_signs_are_drawn_with_the_way_that_is_missed_and_can_be_hidden(opened: Stage) -> None:
    begin_with(opened, Target(id="hand", kind="point", joint=HAND, time=SECOND, position=(-0.2, 1.2, 0.9)))
    opened.draw()
    there = pixels(opened.view.grab_image()).astype(int)
    opened.window.menus.refresh()
    opened.window.menus.actions["view.show_targets"].trigger()
    opened.until(lambda: opened.session.of(CurrentTargets).marks.marks == ())
    opened.draw()
    hidden = pixels(opened.view.grab_image()).astype(int)
    changed = np.abs(there - hidden).max(axis=2) > 40
    ratio = there.shape[1] / opened.view.width()
    place, body = pixel(opened, (-0.2, 1.2, 0.9)), pixel(opened, tuple(middle_of_hand(opened)))  # type: ignore[arg-type]
    for at, reach in ((place, 14), ((place + body) / 2, 6)):
        x, y, half = round(at.x() * ratio), round(at.y() * ratio), round(reach * ratio)
        assert changed[y - half : y + half, x - half : x + half].sum() >= 4, (at, reach)


def middle_of_hand(opened: Stage) -> Vector3:
    place = opened.view.place_of(actor_of(opened), HAND, (0.0, 0.0, 0.0))
    assert place is not None
    return place


def test_the_rings_of_a_joint_that_swings_stand_on_its_ghost_and_turn_its_keys(opened: Stage) -> None:
    look_at_it(opened, SECOND * 9 // 10)
    take(opened, Qt.Key.Key_E, ELBOW)
    place = opened.view.place_of(actor_of(opened), ELBOW, (0.0, 0.0, 0.0), keyed=True)
    solid = opened.view.place_of(actor_of(opened), ELBOW, (0.0, 0.0, 0.0))
    assert place is not None
    assert solid is not None
    assert np.linalg.norm(np.subtract(place, solid)) > 0.02
    assert shown(opened).origin == pytest.approx(place, abs=1e-6)
    before, document = elbow(opened), opened.session.document
    QTest.keyClicks(canvas_of(opened), f"{only_ring(opened)}20")
    opened.until(lambda: opened.session.shown is not document)
    opened.settle()
    pull = pull_of(opened)
    assert pull is not None
    assert "limit" not in pull.words
    QTest.keyClick(canvas_of(opened), Qt.Key.Key_Return)
    opened.until(lambda: opened.session.document is not document and opened.session.at_rest)
    opened.settle()
    assert abs(elbow(opened) - before) == pytest.approx(np.radians(20.0), abs=1e-9)
    assert targets(opened.session.document) == ()


def elbow(opened: Stage) -> float:
    """The angle of the elbow that is keyed at the playhead."""
    actor, time = opened.session.document.actors[0], opened.session.playhead
    motion = standing_of(Evaluator(), opened.session.document, actor.id, time)
    return float(motion.poses[actor.id][actor.figure.coordinate_index["elbow_right.flexion"]])


def test_a_click_on_a_body_beside_signs_selects_it_as_ever(opened: Stage) -> None:
    begin_with(opened, Target(id="hand", kind="point", joint=HAND, time=SECOND))
    opened.view.maximise(FRONT)
    opened.draw()
    place = opened.view.place_of(actor_of(opened), "head", (0.0, 0.05, 0.05))
    assert place is not None
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, NONE, pixel(opened, place, FRONT))
    assert [item.part for item in opened.session.selection.items] == ["head"]
