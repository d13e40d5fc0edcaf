"""Locks in the real window: a foot is held from the menu, stays as the pelvis sinks, is muted, set and let go."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QMenu

from app.features.inspector.panel import InspectorPanel
from app.features.locks.fields import LockFields
from app.features.locks.page import LockPage
from app.features.locks.part import LockPart
from app.features.locks.sections import (
    DirectionFields,
    KeyFields,
    LockJointFields,
    TargetFields,
    TogetherFields,
    WhenFields,
    sections_of,
)
from app.features.outliner.panel import OutlinerPanel
from app.features.outliner.tree import StateRole
from app.scene.panes import RIGHT
from app.session import Item, actors
from app.style.value_slider import ValueSlider
from engine.commands.hold import Hold
from engine.document import Lock, Span
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit
from tests.gui.test_window import press
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui

FOOT = "ankle_left"


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as begun:
        yield begun


def human(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def lock_of(opened: Stage) -> Lock:
    (lock,) = opened.session.document.actors[0].locks
    return lock


def hold(opened: Stage, held: str = "both") -> Item:
    """Lock the left foot from the menu; the item of the lock."""
    opened.session.select([Item(human(opened), FOOT)])
    opened.window.menus.actions[f"lock.{held}"].trigger()
    opened.until(lambda: bool(opened.session.document.actors[0].locks))
    opened.settle()
    return Item(human(opened), FOOT, lock_of(opened).id)


def sink(opened: Stage, depth: float) -> None:
    """Let the pelvis sink [m]."""
    actor = opened.session.document.actors[0]
    change = {"actor": actor.id, "layer": actor.layers[0].id, "coordinate": "pelvis.move_y", "value": -depth}
    opened.session.do(edit("set_value", **change))
    opened.settle()


def foot(opened: Stage) -> NDArray[np.float64]:
    assert opened.snapshot is not None
    bodies = opened.snapshot.bodies[0]
    return np.asarray(bodies.transforms[bodies.parts.index(FOOT)], dtype=float)


def offered(menu: QMenu) -> dict[str, QAction]:
    """What a menu offers, its menus within too."""
    found: dict[str, QAction] = {}
    for action in menu.actions():
        inside = action.menu()
        found |= offered(inside) if isinstance(inside, QMenu) else {action.text(): action}
    return found


@contextmanager
def menu_at(panel: OutlinerPanel, index: QModelIndex) -> Iterator[dict[str, QAction]]:
    """What the menu of a line of the outliner offers."""
    menu = panel.menu_for(index)
    yield offered(menu)
    menu.deleteLater()


def outliner(opened: Stage) -> OutlinerPanel:
    found = opened.window.docks["outliner"].findChild(OutlinerPanel)
    assert found is not None
    return found


def page(opened: Stage) -> LockPage:
    """What the inspector shows."""
    panel = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert panel is not None
    assert isinstance(panel.page, LockPage)
    return panel.page


def fields(opened: Stage) -> LockFields:
    return next(each for each in page(opened).fields if isinstance(each, LockFields))


def test_a_foot_that_is_locked_stays_as_the_pelvis_sinks_and_undo_brings_back_what_was(opened: Stage) -> None:
    free, before = opened.session.document, foot(opened)
    hold(opened)
    sink(opened, 0.2)
    assert np.abs(foot(opened) - before).max() < 1e-5
    assert opened.snapshot is not None
    assert [mark.kept for mark in opened.snapshot.locks] == [True]
    opened.session.undo()
    opened.session.undo()
    assert opened.session.document is free


def test_the_outliner_lists_the_lock_and_its_eye_leaves_it_out(opened: Stage) -> None:
    item = hold(opened)
    sink(opened, 0.2)
    held, panel = foot(opened), outliner(opened)
    index = panel.filter.mapFromSource(panel.tree.index_of(item))
    assert str(index.data()) == "Left ankle"
    place = panel.view.visualRect(index)
    QTest.mouseClick(
        panel.view.viewport(),
        Qt.MouseButton.LeftButton,
        pos=QPoint(panel.view.viewport().width() - 12, place.center().y()),
    )
    opened.until(lambda: lock_of(opened).mute)
    opened.settle()
    assert np.abs(foot(opened) - held).max() > 0.1
    with menu_at(panel, index) as actions:
        assert {"Rename", "Delete", "Let pin count", "Unpin"} <= actions.keys()
        actions["Unpin"].trigger()
    assert not opened.session.document.actors[0].locks


def test_a_joint_offers_locks_and_unlock(opened: Stage) -> None:
    hold(opened, "position")
    panel = outliner(opened)
    assert (lock_of(opened).held, lock_of(opened).axes) == ("point", ())
    index = panel.filter.mapFromSource(panel.tree.index_of(Item(human(opened), FOOT)))
    with menu_at(panel, index) as actions:
        assert {"Pin position", "Pin orientation", "Pin position and orientation", "Unpin"} <= actions.keys()
        actions["Unpin"].trigger()
    assert not opened.session.document.actors[0].locks


def test_the_inspector_moves_the_lock_and_sets_its_axes(opened: Stage) -> None:
    item = hold(opened)
    opened.session.select([item])
    before, panel = foot(opened), fields(opened)
    slider = next(each for each in panel.sliders if each.accessibleName() == "Position Z")
    drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.3, 0.4, 0.55)])
    opened.until(lambda: opened.session.history.entries[-1].label.startswith("Move pin"))
    opened.settle()
    assert foot(opened)[2, 3] - before[2, 3] == pytest.approx(lock_of(opened).position[2] - before[2, 3], abs=1e-5)
    assert abs(foot(opened)[2, 3] - before[2, 3]) > 0.005
    QTest.mouseClick(panel.axes["j"], Qt.MouseButton.LeftButton)
    opened.until(lambda: lock_of(opened).axes == ("i",))


def test_a_lock_that_is_out_of_reach_says_by_how_much_in_the_view(opened: Stage) -> None:
    item = hold(opened, "position")
    joints = ("hip_left", "knee_left")
    opened.session.do(edit("set_lock_joints", actor=item.actor, lock=str(item.added), joints=joints))
    opened.session.do(edit("set_lock_target", actor=item.actor, lock=str(item.added), position=(1.5, 0.2, 0.0)))
    opened.settle()
    assert opened.snapshot is not None
    (mark,) = opened.snapshot.locks
    assert mark.off > 0.5
    assert mark.text == f"missed by {1e3 * mark.off:.1f} mm"
    with_miss = opened.grab()
    opened.session.do(edit("mute_lock", actor=item.actor, lock=str(item.added), mute=True))
    opened.settle()
    assert opened.grab() != with_miss


KINDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "lock.position": ("point", ()),
    "lock.orientation": ("turn", ("i", "j")),
    "lock.both": ("point", ("i", "j")),
    "lock.axis_i": ("turn", ("i",)),
    "lock.axis_j": ("turn", ("j",)),
    "lock.axis_k": ("turn", ("k",)),
    "lock.level": ("plane", ()),
    "lock.line": ("line", ()),
    "lock.view": ("plane", ()),
    "lock.balance": ("balance", ()),
    "lock.centre": ("centre", ()),
}


def test_each_kind_of_lock_is_made_from_the_menu_and_kept(opened: Stage) -> None:
    free = opened.session.document
    for action, (held, axes) in KINDS.items():
        by_menu(opened, action, Item(human(opened), FOOT))
        assert (lock_of(opened).held, lock_of(opened).axes) == (held, axes), action
        sink(opened, 0.1)
        assert opened.snapshot is not None
        (mark,) = opened.snapshot.locks
        assert mark.kept, action
        assert mark.held == held, action
        opened.session.undo()
        opened.session.undo()
        assert opened.session.document is free, action


def test_the_plane_of_the_view_faces_the_active_view(opened: Stage) -> None:
    opened.view.set_active(RIGHT)
    by_menu(opened, "lock.view", Item(human(opened), FOOT))
    assert np.abs(lock_of(opened).normal) == pytest.approx((1.0, 0.0, 0.0), abs=1e-12)


def test_keys_lock_and_alt_k_unlocks(opened: Stage) -> None:
    opened.session.select([Item(human(opened), FOOT)])
    opened.draw()
    for key, modifiers, held in (
        (Qt.Key.Key_P, Qt.KeyboardModifier.NoModifier, ("point", ())),
        (Qt.Key.Key_K, Qt.KeyboardModifier.ShiftModifier, ("turn", ("i", "j"))),
        (Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier, ("point", ("i", "j"))),
    ):
        press(opened, key, modifiers)
        opened.until(lambda: bool(opened.session.document.actors[0].locks))
        assert (lock_of(opened).held, lock_of(opened).axes) == held
        press(opened, Qt.Key.Key_K, Qt.KeyboardModifier.AltModifier)
        assert not opened.session.document.actors[0].locks


def test_a_pin_ends_at_the_playhead_and_the_part_is_planted_again_later(opened: Stage) -> None:
    hold(opened, "both")
    press(opened, Qt.Key.Key_U)
    assert "begins at this time" in opened.session.log[-1].text
    assert lock_of(opened).span is None
    unit = TICKS_PER_SECOND
    opened.session.set_playhead(unit)
    press(opened, Qt.Key.Key_U)
    opened.until(lambda: lock_of(opened).span is not None)
    assert lock_of(opened).span == Span(start=0, end=unit)
    opened.session.set_playhead(2 * unit)
    press(opened, Qt.Key.Key_U)
    assert "is not pinned at this time" in opened.session.log[-1].text
    opened.settle()
    press(opened, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    opened.until(lambda: len(opened.session.document.actors[0].locks) == 2)
    again = opened.session.document.actors[0].locks[1].span
    assert again is not None
    assert (again.start, again.end) == (2 * unit, 4 * unit), "for two seconds, in a document without a range"


def test_locking_the_same_again_says_so_and_changes_nothing(opened: Stage) -> None:
    hold(opened, "position")
    before = opened.session.document
    opened.window.menus.actions["lock.position"].trigger()
    opened.settle()
    assert opened.session.document is before
    assert "pinned like that already" in opened.session.log[-1].text


def test_what_was_selected_first_is_held_at_what_was_selected_last(opened: Stage) -> None:
    ball = actors.ball(opened.session.document)
    opened.session.do(edit("add_actor", actor=ball))
    by_menu(opened, "lock.to_last", Item(human(opened), "wrist_left"), Item(ball.id))
    assert (lock_of(opened).target, lock_of(opened).joint, lock_of(opened).shared) == (ball.id, "wrist_left", False)


def test_two_figures_locked_together_both_give_way(opened: Stage) -> None:
    other = actors.human(opened.session.document)
    opened.session.do(edit("add_actor", actor=other))
    by_menu(opened, "lock.together", Item(human(opened), "wrist_left"), Item(other.id, "wrist_right"))
    assert lock_of(opened).shared
    sink(opened, 0.1)
    assert opened.snapshot is not None
    assert opened.snapshot.locks[0].kept


def test_a_part_locked_to_another_part_of_its_figure_follows_it(opened: Stage) -> None:
    by_menu(opened, "lock.to_last", Item(human(opened), "wrist_left"), Item(human(opened), "pelvis"))
    sink(opened, 0.1)
    assert opened.snapshot is not None
    assert opened.snapshot.locks[0].kept


def test_what_hangs_on_something_is_not_locked_and_says_why(opened: Stage) -> None:
    ball = actors.ball(opened.session.document)
    opened.session.do(edit("add_actor", actor=ball))
    root = ball.figure.joints[0].id
    command = Hold(id="hold", actor=ball.id, joint=root, target=human(opened), target_joint="wrist_left", time=0)
    opened.session.work_out(command)
    opened.until(lambda: bool(opened.session.document.actor(ball.id).attachments))
    opened.session.select([Item(ball.id)])
    opened.window.menus.actions["lock.position"].trigger()
    opened.settle()
    assert not opened.session.document.actor(ball.id).locks
    assert "Ball hangs on Left wrist" in opened.session.log[-1].text
    assert "Detach it" in opened.session.log[-1].text


def test_the_menu_mutes_a_lock_and_lets_it_count_again(opened: Stage) -> None:
    item = hold(opened)
    opened.session.select([item])
    opened.window.menus.actions["lock.mute"].trigger()
    assert lock_of(opened).mute
    assert opened.window.menus.actions["lock.mute"].text() == "Let pin count"
    opened.window.menus.actions["lock.mute"].trigger()
    assert not lock_of(opened).mute


def test_a_lock_is_keyed_from_the_menu_and_baked(opened: Stage) -> None:
    item = hold(opened)
    by_menu(opened, "lock.key", item)
    assert sorted(lock_of(opened).track_of) == ["turn_x", "turn_y", "turn_z", "x", "y", "z"]
    by_menu(opened, "lock.bake", item)
    actor = opened.session.document.actors[0]
    assert actor.locks == ()
    assert actor.layers[-1].name == "Locked"


def test_the_pose_in_which_locks_are_kept_becomes_the_figures_own_by_satisfy(opened: Stage) -> None:
    item = hold(opened)
    sink(opened, 0.1)
    kept = foot(opened)
    by_menu(opened, "lock.satisfy", item)
    assert opened.session.history.entries[-1].label == "Satisfy pins of Human"
    opened.session.do(edit("remove_lock", actor=item.actor, lock=str(item.added)))
    opened.settle()
    assert np.abs(foot(opened) - kept).max() < 1e-5


def test_two_locks_that_contradict_each_other_say_by_how_much_they_are_missed(opened: Stage) -> None:
    first = hold(opened, "position")
    lock = lock_of(opened)
    x, y, z = lock.position
    opened.session.do(edit("add_lock", actor=first.actor, lock=replace(lock, id="two", position=(x + 0.1, y, z))))
    opened.settle()
    assert opened.snapshot is not None
    assert [mark.off for mark in opened.snapshot.locks] == pytest.approx([0.05, 0.05], abs=1e-4)
    panel = outliner(opened)
    states = [panel.tree.index_of(Item(first.actor, FOOT, id)).data(StateRole) for id in (first.added, "two")]
    assert states == ["missed by 50.0 mm"] * 2


def test_the_outliner_tells_how_locks_are_kept_and_renames_them(opened: Stage) -> None:
    item = hold(opened)
    panel = outliner(opened)
    index = panel.filter.mapFromSource(panel.tree.index_of(item))
    assert index.data(StateRole) == "met"
    panel.filter.setData(index, "Standing leg")
    assert lock_of(opened).name == "Standing leg"
    assert str(panel.filter.mapFromSource(panel.tree.index_of(item)).data()) == "Standing leg"
    opened.session.do(edit("mute_lock", actor=item.actor, lock=str(item.added), mute=True))
    assert panel.tree.index_of(item).data(StateRole) == "muted"


def test_limbs_stay_unfolded_in_the_outliner_as_locks_come_and_go(opened: Stage) -> None:
    panel = outliner(opened)
    pelvis = Item(human(opened), "pelvis")
    panel.view.expand(panel.filter.mapFromSource(panel.tree.index_of(pelvis)))
    hold(opened)
    assert panel.view.isExpanded(panel.filter.mapFromSource(panel.tree.index_of(pelvis)))
    opened.session.undo()
    assert panel.view.isExpanded(panel.filter.mapFromSource(panel.tree.index_of(pelvis)))


def section(opened: Stage, key: str) -> LockPart:
    """The fields of a group of the inspector, unfolded with the mouse if they are not."""
    panel = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert panel is not None
    header, area = page(opened).sections[key].header, panel.area
    area.ensureWidgetVisible(header)
    if not header.unfolded:
        QTest.mouseClick(header, Qt.MouseButton.LeftButton)
    kind = next(kind for name, _, kind in sections_of(lock_of(opened)) if name == key)
    found = next(each for each in page(opened).fields if isinstance(each, kind))
    area.ensureWidgetVisible(found)
    return found


def typed(slider: ValueSlider, text: str) -> None:
    slider.setFocus()
    slider.edit(text)
    line = slider.window().focusWidget()
    assert line is not None
    QTest.keyClick(line, Qt.Key.Key_Return)


def test_the_twist_slider_turns_what_is_held_about_its_own_axis(opened: Stage) -> None:
    opened.session.select([hold(opened)])
    before, slider = lock_of(opened).rotation, fields(opened).twist
    drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.5, 0.52, 0.56)])
    opened.until(lambda: opened.session.history.entries[-1].label == "Twist pin")
    opened.settle()
    angle = 2.0 * np.arccos(min(1.0, abs(float(np.dot(before, lock_of(opened).rotation)))))
    assert angle > 0.05
    assert opened.snapshot is not None
    assert opened.snapshot.locks[0].kept


def test_orientation_weight_importance_and_time_are_set_in_the_inspector(opened: Stage) -> None:
    opened.session.select([hold(opened)])
    turn = section(opened, "lock turn")
    typed(turn.sliders[0], "20")
    opened.until(lambda: opened.session.history.entries[-1].label.startswith("Turn pin"))
    counts = section(opened, "lock counts")
    typed(counts.sliders[0], "50")
    opened.until(lambda: lock_of(opened).weight == pytest.approx(0.5))
    typed(counts.sliders[1], "2")
    opened.until(lambda: lock_of(opened).importance == pytest.approx(2.0))
    typed(counts.sliders[2], "0.4")
    opened.until(lambda: lock_of(opened).turn_importance == pytest.approx(0.4))
    when = section(opened, "lock when")
    assert isinstance(when, WhenFields)
    pick(when.when, 1)
    opened.until(lambda: lock_of(opened).span is not None)
    typed(when.ends.fields["end"], "2")
    opened.until(lambda: lock_of(opened).span.end == 2 * TICKS_PER_SECOND)  # type: ignore[union-attr]


def test_joints_that_move_for_a_lock_are_chosen_from_a_list(opened: Stage) -> None:
    opened.session.select([hold(opened)])
    joints = section(opened, "lock joints")
    assert isinstance(joints, LockJointFields)
    pick(joints.which, 1)
    limb = ("hip_left", "knee_left", FOOT)
    opened.until(lambda: lock_of(opened).joints == limb)
    item = next(joints.list.item(row) for row in range(joints.list.count()) if joints.list.item(row).text() == "Pelvis")
    joints.list.scrollToItem(item)
    joints.list.setCurrentItem(item)
    joints.list.setFocus()
    QTest.keyClick(joints.list, Qt.Key.Key_Return)
    opened.until(lambda: lock_of(opened).joints == ("pelvis", *limb))


def test_a_lock_is_tied_to_another_actor_and_back_in_the_inspector(opened: Stage) -> None:
    ball = actors.ball(opened.session.document)
    opened.session.do(edit("add_actor", actor=ball))
    opened.session.select([hold(opened)])
    before = lock_of(opened).position
    target = section(opened, "lock target")
    assert isinstance(target, TargetFields)
    pick(target.target, target.target.findData(ball.id))
    opened.until(lambda: lock_of(opened).target == ball.id)
    opened.settle()
    again = section(opened, "lock target")
    assert isinstance(again, TargetFields)
    pick(again.target, 0)
    opened.until(lambda: lock_of(opened).target is None)
    assert lock_of(opened).position == pytest.approx(before, abs=1e-9)


def test_keys_of_a_lock_are_set_and_taken_away_in_the_inspector(opened: Stage) -> None:
    opened.session.select([hold(opened)])
    keys = section(opened, "lock keys")
    assert isinstance(keys, KeyFields)
    here, gone, none = keys.keys["place"]
    QTest.mouseClick(here, Qt.MouseButton.LeftButton)
    opened.until(lambda: sorted(lock_of(opened).track_of) == ["x", "y", "z"])
    opened.session.set_playhead(TICKS_PER_SECOND)
    QTest.mouseClick(here, Qt.MouseButton.LeftButton)
    opened.until(lambda: len(lock_of(opened).track_of["x"].keys) == 2)
    QTest.mouseClick(gone, Qt.MouseButton.LeftButton)
    opened.until(lambda: len(lock_of(opened).track_of["x"].keys) == 1)
    QTest.mouseClick(none, Qt.MouseButton.LeftButton)
    opened.until(lambda: not lock_of(opened).tracks)


def test_time_goes_on_once_the_keys_of_a_lock_are_seen_no_more(opened: Stage) -> None:
    item = hold(opened)
    opened.session.select([item])
    section(opened, "lock keys")
    opened.session.select([Item(item.actor)])
    opened.settle()
    opened.session.set_playhead(TICKS_PER_SECOND)  # what an exception in a slot would say fails the test
    opened.settle()
    assert opened.session.playhead == TICKS_PER_SECOND


def test_a_plane_is_tilted_in_the_inspector_and_no_normal_is_refused(opened: Stage) -> None:
    by_menu(opened, "lock.level", Item(human(opened), FOOT))
    opened.session.select([Item(human(opened), FOOT, lock_of(opened).id)])
    plane = section(opened, "lock plane")
    assert isinstance(plane, DirectionFields)
    pick(plane.way, 1)
    opened.until(lambda: lock_of(opened).normal == (1.0, 0.0, 0.0))
    typed(plane.sliders[0], "0")
    opened.until(lambda: any("normal" in entry.text for entry in opened.session.log if entry.kind == "error"))
    assert lock_of(opened).normal == (1.0, 0.0, 0.0)


def test_comfort_and_what_keeps_the_locks_are_set_in_the_inspector(opened: Stage) -> None:
    opened.session.select([hold(opened)])
    together = section(opened, "lock together")
    assert isinstance(together, TogetherFields)
    typed(together.sliders[0], "30")
    opened.until(lambda: opened.session.document.actors[0].comfort == pytest.approx(0.3))
    pick(together.solver, together.solver.findData("multipliers"))
    opened.until(lambda: opened.session.document.lock_solver == "multipliers")
    typed(together.sliders[1], "40")
    opened.until(lambda: opened.session.document.lock_iterations == 40)


def test_the_inspector_renames_mutes_and_removes_the_lock(opened: Stage) -> None:
    opened.session.select([hold(opened)])
    panel = fields(opened)
    panel.name.setFocus()
    panel.name.selectAll()
    QTest.keyClicks(panel.name, "Standing leg")
    QTest.keyClick(panel.name, Qt.Key.Key_Return)
    opened.until(lambda: lock_of(opened).name == "Standing leg")
    QTest.mouseClick(fields(opened).mute, Qt.MouseButton.LeftButton)
    opened.until(lambda: lock_of(opened).mute)
    QTest.mouseClick(fields(opened).remove, Qt.MouseButton.LeftButton)
    opened.until(lambda: not opened.session.document.actors[0].locks)


def test_nonsense_in_a_number_of_a_lock_is_refused_and_nothing_changes(opened: Stage) -> None:
    opened.session.select([hold(opened)])
    before, slider = opened.session.document, fields(opened).sliders[0]
    for text in ("banana", "1e400", "nan", ""):
        slider.setFocus()
        slider.edit(text)
        line = slider.window().focusWidget()
        assert line is not None
        QTest.keyClick(line, Qt.Key.Key_Return)
        QTest.keyClick(line, Qt.Key.Key_Escape)
    opened.settle()
    assert opened.session.document is before


def pick(box: QComboBox, row: int) -> None:
    """Open a list and click a row."""
    box.showPopup()
    view = box.view()
    place = view.visualRect(box.model().index(row, 0)).center()
    QTest.mouseMove(view.viewport(), place)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)


def by_menu(opened: Stage, action: str, *items: Item) -> None:
    """Select, do what an action of the menu does, and wait for the change of the document."""
    opened.session.select(items)
    before = opened.session.document
    opened.window.menus.actions[action].trigger()
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def test_a_picture_finds_the_inspector_behind_another_tab_after_what_a_lock_held_on_to_has_gone(opened: Stage) -> None:
    session, owner, other = opened.session, human(opened), actors.human(opened.session.document)
    session.do(edit("add_actor", actor=other))
    session.select([Item(owner, FOOT), Item(other.id, "toes_left")])
    opened.settle()
    opened.window.menus.actions["lock.to_last"].trigger()
    opened.until(lambda: bool(session.document.actors[0].locks))
    session.select([Item(owner)])
    opened.settle()
    session.posing.key()
    session.select([Item(owner, FOOT, lock_of(opened).id)])
    opened.settle()
    tabbed = opened.window.tabifiedDockWidgets(opened.window.docks["inspector"])
    tabbed[0].raise_()
    opened.until(lambda: opened.window.docks["inspector"].visibleRegion().isEmpty())
    session.do(edit("remove_joint", actor=other.id, joint="toes_left"))
    opened.until(lambda: "toes_left" not in session.document.actors[1].figure.joint_index)
    opened.settle()
    assert not session.document.actors[0].locks, "what it held on to has gone"


def test_another_document_finds_no_page_of_a_lock_that_looks_for_what_it_held_on_to(opened: Stage) -> None:
    session, owner, other = opened.session, human(opened), actors.human(opened.session.document)
    session.do(edit("add_actor", actor=other))
    session.select([Item(owner, FOOT), Item(other.id, "toes_left")])
    opened.settle()
    by_menu(opened, "lock.to_last", Item(owner, FOOT), Item(other.id, "toes_left"))
    session.select([Item(owner, FOOT, lock_of(opened).id)])
    opened.window.menus.actions["figure.edit"].trigger()
    opened.until(lambda: session.editing is not None)
    opened.settle()
    session.exchange.open_example("jump")
    opened.until(lambda: session.editing is None)
    opened.settle()
    assert other.id not in session.document.actor_index
