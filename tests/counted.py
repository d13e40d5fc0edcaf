"""Counted: a person's hands on the real window, each click, press of keys, typed text and drag of which is counted.

Bodies are dragged in views along the axes, by lengths of the world; the time is chosen by a click on the ruler. Nothing
is done but by events of mouse and keyboard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QKeySequence, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QMenu, QMenuBar, QWidget

from app.scene.held_symbols import HELD
from app.scene.panes import FRONT
from engine.document.motion import frame_time
from tests.stage import Stage, drag

LEFT = Qt.MouseButton.LeftButton
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
FAR = 60  # [px] around a joint in which its body is looked for
Move = tuple[float, float, float]


class Counted:
    """Works on the first actor of a window."""

    def __init__(self, opened: Stage, *, moves: int = 6) -> None:
        """`moves`: of the mouse in a drag."""
        self.opened, self.session, self.moves = opened, opened.session, moves
        self.actions: list[str] = []  # what was done, in words
        self.done: Callable[[str], None] = lambda what: None  # called after each

    @property
    def count(self) -> int:
        """How many actions it took so far."""
        return len(self.actions)

    # Keys and menus

    def press(self, action: str) -> None:
        """The keys of an action."""
        keys = self.opened.window.keys[action][0]
        self.opened.until(self.opened.window.isActiveWindow)
        self.opened.view.take_keyboard()
        QTest.keySequence(self.opened.window, QKeySequence(keys))
        self._settle(f"press {keys}: {action}")

    def choose(self, *names: str) -> None:
        """An entry of the menus, by the names of the menus on the way: a click for each."""
        window = self.opened.window
        self.opened.until(window.isActiveWindow)
        menu: QMenuBar | QMenu = window.menuBar()
        for name in names:
            entries = {each.text().replace("&", ""): each for each in menu.actions() if each.isVisible()}
            entry = entries[name]
            self._click(menu, menu.actionGeometry(entry).center(), f"click {name} in the menus")
            inside = entry.menu()
            if isinstance(inside, QMenu):
                self.opened.until(inside.isVisible)
                menu = inside
        for each in QApplication.topLevelWidgets():  # to Qt, clicks without a pointer on the way leave menus open
            if isinstance(each, QMenu):
                each.hide()
        self._wait()

    # Time

    def go(self, frame: int) -> None:
        """Click the ruler at a frame."""
        ruler, time = self.opened.window.transport.ruler, frame_time(frame, self.session.document.rate)
        QTest.mouseClick(ruler, LEFT, NONE, QPoint(round(ruler.x_of(time)), ruler.height() // 2))
        self._settle(f"click the ruler at frame {frame}")
        assert self.session.playhead == time, f"frame {frame} is not to be reached by a click"

    # Bodies

    def click(self, joint: str, *, view: int = FRONT, add: bool = False) -> None:
        """A body, beside its marks; with Shift, it is added to what is selected."""
        QTest.mouseClick(self._canvas, LEFT, SHIFT if add else NONE, self._grasp(joint, view))
        self._settle(f"{'Shift + click' if add else 'click'} {joint}")

    def click_floor(self, view: int) -> None:
        """A place of a view where nothing is: the view is the active one, and nothing is selected."""
        pane = self.opened.view.panes()[view]
        QTest.mouseClick(self._canvas, LEFT, NONE, QPoint(pane.x + pane.width // 8, pane.y + pane.height // 2))
        self._settle("click beside the figure")

    def wheel(self, view: int, notches: int) -> None:
        """Turn the wheel over the middle of a view: towards, or below 0 away."""
        pane = self.opened.view.panes()[view]
        at = QPointF(pane.x + pane.width / 2, pane.y + pane.height / 2)
        there = QPointF(self._canvas.mapToGlobal(at.toPoint()))
        turn = QPoint(0, 120 * notches)
        event = QWheelEvent(
            at, there, QPoint(), turn, Qt.MouseButton.NoButton, NONE, Qt.ScrollPhase.NoScrollPhase, False
        )
        QApplication.sendEvent(self._canvas, event)
        self._settle("turn the wheel")

    def orbit(self, view: int, right: int, down: int) -> None:
        """Turn a view: Alt + drag [px]."""
        pane = self.opened.view.panes()[view]
        start = QPoint(pane.x + pane.width // 4, pane.y + pane.height // 2)
        drag(self._canvas, [start, start + QPoint(right, down)], modifiers=Qt.KeyboardModifier.AltModifier)
        self._settle("Alt + drag")

    def drag(self, joint: str, by: Move, *, view: int = FRONT) -> None:
        """A body, by a way of the world [m] as far as the view shows it."""
        start, way = self._grasp(joint, view), self._pixels(view, self.place(joint) + np.array(by))
        way -= self._pixels(view, self.place(joint))
        path = [start + QPoint(*(round(float(each) * n / self.moves) for each in way)) for n in range(self.moves + 1)]
        before = self.session.document
        drag(self._canvas, path)
        self._settle(f"drag {joint}")
        assert self.session.document is not before, f"{joint} did not follow"

    def drag_to(
        self,
        joint: str,
        *,
        view: int = FRONT,
        x: float | None = None,
        y: float | None = None,
        z: float | None = None,
    ) -> None:
        """A body, until its joint is there [m], as far as the view shows it."""
        now = self.place(joint)
        wanted = [float(at) if to is None else to for at, to in zip(now, (x, y, z), strict=True)]
        self.drag(joint, (wanted[0] - now[0], wanted[1] - now[1], wanted[2] - now[2]), view=view)

    def place(self, joint: str) -> np.ndarray:
        """Where a joint is seen [m]."""
        self.opened.settle()
        shown, actor = self.opened.snapshot, self.session.document.actors[0].id
        assert shown is not None
        item = next(each for each in shown.bodies if each.owner == actor and each.role == "result")
        return np.asarray(item.transforms[item.parts.index(joint)][:, 3], dtype=float)

    # Dialogues

    def pick(self, box: QComboBox, text: str) -> None:
        """An entry of a list: a click opens it, another one chooses."""
        self._click(box, box.rect().center(), f"click {box.accessibleName() or 'a list'}")
        view = box.view()
        self.opened.until(view.isVisible)
        ready = perf_counter() + 1e-3 * QApplication.doubleClickInterval() + 0.2
        self.opened.until(lambda: perf_counter() > ready)  # Qt takes no click that could be the second of a double one
        row = view.visualRect(box.model().index(box.findText(text), 0))
        assert row.isValid(), f"there is no {text}"
        QTest.mouseMove(view.viewport(), row.center())
        self._click(view.viewport(), row.center(), f"click {text}")
        assert box.currentText() == text, f"{text} was not chosen"

    def push(self, button: QWidget) -> None:
        """Click a button."""
        self._click(button, button.rect().center(), f"click {button.property('text')}")

    def type(self, field: QLineEdit, text: str) -> None:
        """A text, and Enter."""
        field.setText(text)  # typed, a list of names would open over a file's
        QTest.keyClick(field, Qt.Key.Key_Return)
        self._settle(f"type {text}")

    # Within

    def _click(self, widget: QWidget, at: QPoint, what: str) -> None:
        QTest.mouseClick(widget, LEFT, NONE, at)
        self._note(what)

    def _note(self, what: str) -> None:
        self.actions.append(what)
        self.done(what)

    def _settle(self, what: str) -> None:
        self._wait()
        self._note(what)

    def _wait(self) -> None:
        self.opened.until(lambda: self.session.at_rest)
        self.opened.settle()

    @property
    def _canvas(self) -> QWidget:
        canvas = self.opened.view.childAt(self.opened.view.rect().center())
        assert isinstance(canvas, QWidget)
        return canvas

    def _pixels(self, view: int, place: np.ndarray) -> np.ndarray:
        pane = self.opened.view.panes()[view]
        x, y = self.opened.view.cameras[view].project(place, self.opened.view.size_of(view))[:2]
        return np.array([pane.x + float(x), pane.y + float(y)])

    def _grasp(self, joint: str, view: int) -> QPoint:
        """The point nearest to the joint where its body is what is seen, and nothing lies over it."""
        viewport, actor = self.opened.view, self.session.document.actors[0].id
        middle = self._pixels(view, self.place(joint))
        for x, y in _around():
            point = QPoint(*(round(float(each)) for each in middle + np.array([x, y])))
            at = point.toPointF()
            is_free = viewport.marker_at(at) is None and viewport.symbol_at(at, HELD) is None
            pick = viewport.pick(at) if is_free and viewport.view_at(at) == view else None
            if pick is not None and (pick.owner, pick.part) == (actor, joint):
                return point
        raise AssertionError(f"{joint} is not seen in view {view}")


def _around() -> Iterator[tuple[float, float]]:
    """Ways from a point outwards [px]."""
    for far in range(0, FAR, 2):
        for angle in np.linspace(0.0, 2.0 * np.pi, max(1, 2 * far), endpoint=False):
            yield far * float(np.cos(angle)), far * float(np.sin(angle))
