"""Locks in the real window: a foot is held from the menu, stays as the pelvis sinks, is muted, set and let go."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from app.panels import InspectorPanel, OutlinerPanel
from app.panels.inspector.locks import LockFields
from app.session import Item
from engine.document import Lock
from engine.edits import edit
from tests.stage import Stage, drag, stage

pytestmark = pytest.mark.gui

FOOT = "ankle_left"


@pytest.fixture
def opened(qapp: object) -> Iterator[Stage]:
    with stage(size=(1400, 900)) as open_stage:
        yield open_stage


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
    bodies = opened.snapshot.items[0]
    return np.asarray(bodies.transforms[bodies.parts.index(FOOT)], dtype=float)


def offered(menu: QMenu) -> dict[str, QAction]:
    """What a menu offers, its menus within too."""
    found: dict[str, QAction] = {}
    for action in menu.actions():
        inside = action.menu()
        found |= offered(inside) if isinstance(inside, QMenu) else {action.text(): action}
    return found


def outliner(opened: Stage) -> OutlinerPanel:
    found = opened.window.docks["outliner"].findChild(OutlinerPanel)
    assert found is not None
    return found


def fields(opened: Stage) -> LockFields:
    panel = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert panel is not None
    assert panel.page is not None
    (found,) = panel.page.fields
    assert isinstance(found, LockFields)
    return found


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
    assert {"Rename", "Delete", "Let lock count", "Unlock"} <= offered(panel.menu_for(index)).keys()
    offered(panel.menu_for(index))["Unlock"].trigger()
    assert not opened.session.document.actors[0].locks


def test_a_joint_offers_locks_and_unlock(opened: Stage) -> None:
    hold(opened, "position")
    panel = outliner(opened)
    assert (lock_of(opened).held, lock_of(opened).axes) == ("point", ())
    index = panel.filter.mapFromSource(panel.tree.index_of(Item(human(opened), FOOT)))
    actions = offered(panel.menu_for(index))
    assert {"Lock position", "Lock orientation", "Lock position and orientation", "Unlock"} <= actions.keys()
    actions["Unlock"].trigger()
    assert not opened.session.document.actors[0].locks


def test_the_inspector_moves_the_lock_and_sets_its_axes(opened: Stage) -> None:
    item = hold(opened)
    opened.session.select([item])
    before, panel = foot(opened), fields(opened)
    slider = next(each for each in panel.sliders if each.accessibleName() == "Position Z")
    drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.3, 0.4, 0.55)])
    opened.until(lambda: opened.session.history.entries[-1].label.startswith("Move lock"))
    opened.settle()
    assert foot(opened)[2, 3] - before[2, 3] == pytest.approx(lock_of(opened).position[2] - before[2, 3], abs=1e-5)
    assert abs(foot(opened)[2, 3] - before[2, 3]) > 0.005
    QTest.mouseClick(panel.axes["j"], Qt.MouseButton.LeftButton)
    opened.until(lambda: lock_of(opened).axes == ("i",))


def test_a_lock_that_is_out_of_reach_says_by_how_much_in_the_view(opened: Stage) -> None:
    item = hold(opened, "position")
    joints = ("hip_left", "knee_left")
    opened.session.do(edit("set_lock_joints", actor=item.actor, lock=str(item.lock), joints=joints))
    opened.session.do(edit("set_lock_target", actor=item.actor, lock=str(item.lock), position=(1.5, 0.2, 0.0)))
    opened.settle()
    assert opened.snapshot is not None
    (mark,) = opened.snapshot.locks
    assert mark.off > 0.5
    assert mark.text == f"missed by {1e3 * mark.off:.1f} mm"
    with_miss = opened.grab()
    opened.session.do(edit("mute_lock", actor=item.actor, lock=str(item.lock), mute=True))
    opened.settle()
    assert opened.grab() != with_miss
