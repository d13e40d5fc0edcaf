"""Signs of locks in the real window: hovered, clicked, dragged, cancelled, deleted meanwhile; and the right button."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.scene.held_symbols import held_symbols
from app.scene.panes import FRONT, PERSPECTIVE, TOP
from app.scene.symbols import BESIDE, placed
from app.session import Item
from app.session.actors import box
from engine.document import Lock
from engine.edits import edit
from engine.model import LockMark
from tests.gui.test_scenery import pixels
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = [pytest.mark.gui, pytest.mark.pixels]

FOOT, HAND = "ankle_left", "wrist_left"
NONE, SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun() as open_stage:
        open_stage.view.set_orthographic(PERSPECTIVE, False)
        yield open_stage


def human(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def locks(opened: Stage) -> tuple[Lock, ...]:
    return opened.session.document.actors[0].locks


def by_key(opened: Stage, *parts: str, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Select parts of the human and press P, or K with modifiers; wait for the locks."""
    opened.session.select([Item(human(opened), part) for part in parts])
    opened.draw()
    before = len(locks(opened))
    press(opened, Qt.Key.Key_P if modifiers == NONE else Qt.Key.Key_K, modifiers)
    opened.until(lambda: len(locks(opened)) == before + len(parts))
    opened.settle()


def by_menu(opened: Stage, id: str) -> None:
    """What an action of the menu does, and the change of the document that it makes."""
    before = opened.session.document
    opened.window.menus.actions[id].trigger()
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def marker(opened: Stage, number: int = 0) -> LockMark:
    assert opened.snapshot is not None
    return opened.snapshot.locks[number]


def at(opened: Stage, place: tuple[float, float, float], view: int = FRONT) -> QPoint:
    """Where a place is seen in a view."""
    pane = opened.view.panes()[view]
    x, y, _ = opened.view.cameras[view].project(np.array(place), opened.view.size_of(view)).tolist()
    return QPoint(round(pane.x + x), round(pane.y + y))


def sign(opened: Stage, view: int = FRONT, number: int = 0) -> QPoint:
    """Where the sign of a lock is seen."""
    assert opened.snapshot is not None
    found = placed(held_symbols(opened.snapshot))[number]
    beside = BESIDE if marker(opened, number).held not in ("centre", "balance") else (0.0, 0.0)
    return at(opened, found.place, view) + QPoint(round(beside[0]), round(beside[1]))


def pull(opened: Stage, right: int, down: int, *, view: int = FRONT, modifiers: Qt.KeyboardModifier = NONE) -> None:
    """Drag the sign of the first lock by so many pixels, and wait for the new document."""
    before, start = opened.session.document, sign(opened, view)
    path = [start + QPoint(right * n // 6, down * n // 6) for n in range(7)]
    drag(canvas_of(opened), path, modifiers=modifiers)
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def open_menus() -> list[QMenu]:
    widgets = QApplication.topLevelWidgets()
    return [each for each in widgets if isinstance(each, QMenu) and each.objectName() == "context" and each.isVisible()]


def offered(menu: QMenu) -> dict[str, QAction]:
    found: dict[str, QAction] = {}
    for action in menu.actions():
        inside = action.menu()
        found |= offered(inside) if isinstance(inside, QMenu) else {action.text(): action}
    return found


def test_a_lock_made_by_key_is_dragged_with_the_mouse_and_undone(opened: Stage) -> None:
    by_key(opened, HAND)
    assert (locks(opened)[0].held, locks(opened)[0].axes) == ("point", ())
    locked, before, start = opened.session.document, marker(opened).at, sign(opened)
    pull(opened, -12, -20)
    assert [entry.label for entry in opened.session.history.entries][-1] == "Move pin Left wrist"
    assert marker(opened).kept
    moved = np.subtract(marker(opened).at, before)
    assert abs(moved[2]) < 1e-3  # in the front view nothing goes towards the eye
    assert np.linalg.norm(moved) > 0.05
    assert sign(opened) - start == QPoint(-12, -20)
    press(opened, Qt.Key.Key_Z, CTRL)
    opened.settle()
    assert opened.session.document is locked


def test_shift_follows_an_axis(opened: Stage) -> None:
    by_key(opened, HAND)
    before = marker(opened).at
    pull(opened, -4, -24, modifiers=SHIFT)
    moved = np.subtract(marker(opened).at, before)
    assert moved[1] > 0.05
    assert abs(moved[0]) < 1e-6
    assert abs(moved[2]) < 1e-6


def test_in_perspective_a_lock_stays_under_the_pointer(opened: Stage) -> None:
    by_key(opened, HAND)
    start = sign(opened, PERSPECTIVE)
    pull(opened, -14, -18, view=PERSPECTIVE)
    assert (sign(opened, PERSPECTIVE) - start - QPoint(-14, -18)).manhattanLength() <= 2


def test_a_plane_moves_along_its_normal_alone(opened: Stage) -> None:
    opened.session.select([Item(human(opened), HAND)])
    by_menu(opened, "lock.level")
    before = locks(opened)[0].position
    pull(opened, 15, -20)
    moved = np.subtract(locks(opened)[0].position, before)
    assert moved[1] > 0.05
    assert np.abs(moved[[0, 2]]).max() < 1e-12
    assert marker(opened).kept


def test_a_centre_of_mass_moves_over_the_floor_alone(opened: Stage) -> None:
    by_key(opened, FOOT, "ankle_right", modifiers=CTRL)
    opened.session.select([Item(human(opened))])
    by_menu(opened, "lock.centre")
    opened.session.select(())  # seen from above, the round marks of a chosen figure lie over the sign
    opened.settle()
    number = len(locks(opened)) - 1
    start, before = sign(opened, TOP, number), locks(opened)[number].position
    first = opened.session.document
    drag(canvas_of(opened), [start + QPoint(n, n) for n in range(8)])
    opened.until(lambda: opened.session.document is not first)
    opened.settle()
    moved = np.subtract(locks(opened)[number].position, before)
    assert moved[1] == 0.0
    assert np.abs(moved[[0, 2]]).min() > 0.005
    assert [each.kept for each in opened.snapshot.locks] == [True] * 3  # type: ignore[union-attr]


def test_a_lock_on_a_prop_is_dragged_in_its_frame(opened: Stage) -> None:
    opened.session.do(edit("add_actor", actor=box(opened.session.document)))
    crate = opened.session.document.actors[1]
    opened.session.select([Item(human(opened), HAND), Item(crate.id)])
    by_menu(opened, "lock.to_last")
    assert locks(opened)[0].target == crate.id
    before = marker(opened).at
    pull(opened, -12, -12)
    assert np.linalg.norm(np.subtract(marker(opened).at, before)) > 0.03
    assert marker(opened).kept
    held = marker(opened).at
    x, y, _ = crate.placement.position
    place = {"position": (x, y, 0.05), "rotation": crate.placement.rotation}
    opened.session.do(edit("place_actor", actor=crate.id, **place))
    opened.settle()
    assert marker(opened).at[2] - held[2] == pytest.approx(0.05, abs=1e-4)


def test_hovering_tells_the_lock_and_what_the_mouse_does(opened: Stage) -> None:
    by_key(opened, HAND, modifiers=CTRL)
    opened.session.select(())
    opened.settle()
    before = opened.view.grab_image()
    move(canvas_of(opened), sign(opened), held=False)
    opened.draw()
    assert "Left wrist" in opened.window.status.pointer.text
    assert "drag to move it" in opened.window.status.pointer.text
    assert before != opened.view.grab_image()
    move(canvas_of(opened), QPoint(5, 5), held=False)
    assert opened.window.status.pointer.text == ""


def test_a_click_selects_the_lock_and_shift_adds_to_what_is_selected(opened: Stage) -> None:
    by_key(opened, HAND, FOOT)
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, pos=sign(opened))
    first = Item(human(opened), HAND, locks(opened)[0].id)
    assert list(opened.session.selection.items) == [first]
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, SHIFT, pos=sign(opened, number=1))
    assert list(opened.session.selection.items) == [first, Item(human(opened), FOOT, locks(opened)[1].id)]


def test_a_muted_lock_keeps_a_faint_sign_which_tells_it_and_selects_it_and_is_not_dragged(opened: Stage) -> None:
    opened.settle()
    bare = opened.view.grab_image()
    by_key(opened, HAND)
    item, start = Item(human(opened), HAND, locks(opened)[0].id), sign(opened)
    opened.session.select(())
    opened.settle()
    counting = differs_at(bare, opened.view.grab_image(), start)
    opened.session.do(edit("mute_lock", actor=item.actor, lock=str(item.added), mute=True))
    opened.settle()
    assert opened.snapshot is not None
    assert opened.snapshot.locks == ()
    assert [each.lock for each in opened.snapshot.muted_locks] == [item.added]
    muted = differs_at(bare, opened.view.grab_image(), start)
    assert 0.2 * counting < muted < 0.7 * counting, "seen, but fainter"
    document = opened.session.document
    drag(canvas_of(opened), [start + QPoint(-3 * n, -3 * n) for n in range(8)])
    opened.settle()
    assert opened.session.document is document
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.LeftButton, pos=start)
    assert opened.session.selection.items == (item,)
    move(canvas_of(opened), QPoint(5, 5), held=False)
    move(canvas_of(opened), start, held=False)
    assert opened.window.status.pointer.text == "Pin Left wrist, muted · click to select it"


def differs_at(one: QImage, other: QImage, at: QPoint) -> float:
    """By how much two pictures differ about a point, on average."""
    around = (slice(at.y() - 6, at.y() + 7), slice(at.x() - 6, at.x() + 7))
    return float(np.abs(pixels(one)[around] - pixels(other)[around]).mean())


def test_escape_leaves_the_lock_where_it_was(opened: Stage) -> None:
    by_key(opened, HAND)
    locked, start = opened.session.document, sign(opened)
    canvas = canvas_of(opened)
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for step in range(8):
        move(canvas, start + QPoint(-3 * step, -3 * step))
    opened.until(lambda: opened.session.shown is not locked)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start)
    opened.settle()
    assert opened.session.document is locked
    assert opened.session.shown is locked


def test_a_lock_deleted_while_it_is_dragged_goes_when_it_is_let_go(opened: Stage) -> None:
    by_key(opened, HAND)
    start, canvas = sign(opened), canvas_of(opened)
    opened.session.select([Item(human(opened), HAND, locks(opened)[0].id)])
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=start)
    for step in range(8):
        move(canvas, start + QPoint(-3 * step, -3 * step))
    press(opened, Qt.Key.Key_Delete)
    move(canvas, start + QPoint(-30, -30))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=start + QPoint(-30, -30))
    opened.until(lambda: not locks(opened))
    opened.settle()
    assert [entry.label for entry in opened.session.history.entries][-2:] == [
        "Move pin Left wrist",
        "Remove pin Left wrist",
    ]
    assert not [entry for entry in opened.session.log if entry.kind == "error"]


def test_the_right_button_selects_a_part_and_offers_what_can_be_done_with_it(opened: Stage) -> None:
    assert opened.snapshot is not None
    body = opened.snapshot.bodies[0]
    thigh = body.transforms[body.parts.index("knee_right")].astype(float)
    middle = thigh[:, :3] @ (0.0, -0.2, 0.0) + thigh[:, 3]
    x, y, z = middle.tolist()
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.RightButton, pos=at(opened, (x, y, z)))
    (menu,) = open_menus()
    assert opened.session.selection.items == (Item(human(opened), "knee_right"),)
    actions = offered(menu)
    assert "Pin position" in actions
    assert "Mute pin" not in actions
    actions["Pin position"].trigger()
    menu.close()
    opened.until(lambda: bool(locks(opened)))
    opened.settle()
    QTest.mouseClick(canvas_of(opened), Qt.MouseButton.RightButton, pos=sign(opened))
    (menu,) = open_menus()
    assert opened.session.selection.items == (Item(human(opened), "knee_right", locks(opened)[0].id),)
    assert {"Mute pin", "Unpin", "Delete"} <= offered(menu).keys()
    assert "Pin position" not in offered(menu)
    menu.close()


def test_the_right_button_keeps_what_is_selected_and_does_nothing_when_it_wanders(opened: Stage) -> None:
    by_key(opened, HAND, FOOT)
    opened.session.select(
        [Item(human(opened), HAND, locks(opened)[0].id), Item(human(opened), FOOT, locks(opened)[1].id)]
    )
    canvas, start = canvas_of(opened), sign(opened)
    QTest.mousePress(canvas, Qt.MouseButton.RightButton, pos=start)
    QTest.mouseRelease(canvas, Qt.MouseButton.RightButton, pos=start + QPoint(40, 0))
    assert open_menus() == []
    QTest.mouseClick(canvas, Qt.MouseButton.RightButton, pos=start)
    (menu,) = open_menus()
    assert len(opened.session.selection.items) == 2
    menu.close()


def test_the_menu_key_opens_the_menu_of_what_is_selected(opened: Stage) -> None:
    opened.session.select([Item(human(opened), HAND)])
    canvas_of(opened).setFocus()
    press(opened, Qt.Key.Key_F10, SHIFT)
    opened.until(lambda: bool(open_menus()))
    (menu,) = open_menus()
    assert "Pin position" in offered(menu)
    menu.close()
