"""Animator: a person's hands on the real window, for tests and examples: clicks, drags, keys and typed numbers.

Bodies are dragged in views along the axes, where a length on the screen is a length of the world; the time is dragged
along the head of the timeline, which shows any moment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QWidget

from app.features.inspecting import InspectorPage
from app.features.inspector.attachments import AttachmentList
from app.features.inspector.panel import InspectorPanel
from app.features.locks.sections import WhenFields
from app.scene.panes import FRONT, RIGHT
from app.session import Item
from app.style.section import FoldedSection
from app.style.value_slider import ValueSlider
from app.timeline.panel import TimelinePanel
from app.timeline.time_head import TimeHead
from engine.document import Lock
from engine.document.motion import TICKS_PER_SECOND, frame_time
from tests.stage import Stage, drag

LEFT_BUTTON, CTRL = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier
STEPS = 8  # mouse moves of a drag
SHOWN = 12  # [s] on the timeline
LEAST = 0.02  # [m] that are worth a drag: a few pixels are a click
Place = tuple[float, float, float]


class Animator:
    """Works on one actor after the other."""

    def __init__(self, opened: Stage, actor: str) -> None:
        self.opened, self.session, self.actor = opened, opened.session, actor
        opened.until(lambda: opened.session.reaching.ready)
        opened.window.show_panel("inspector")
        opened.window.show_panel("timeline")
        opened.settle()

    # Time and keys

    def go(self, seconds: float) -> None:
        """Drag the playhead along the head of the timeline."""
        panel = self.opened.window.docks["timeline"].widget()
        assert isinstance(panel, TimelinePanel)
        head = panel.findChild(TimeHead)
        assert head is not None
        axis, time = panel.sheet.axis, round(seconds * TICKS_PER_SECOND)
        margin = panel.sheet.names_width
        if not axis.start <= time <= axis.end:
            axis.show_range(0, SHOWN * TICKS_PER_SECOND)
        points = [QPoint(round(margin + axis.x_of(each)), 6) for each in (self.session.playhead, time)]
        drag(head, [points[0], (points[0] + points[1]) / 2, points[1]])
        self.step_to(time)
        self.opened.settle()

    def step_to(self, time: int) -> None:
        """By single frames, where the drag could not be that exact."""
        frame = frame_time(1, self.session.document.rate)
        while abs(time - self.session.playhead) > frame // 2:
            before = self.session.playhead
            self.press(Qt.Key.Key_Period if time > before else Qt.Key.Key_Comma)
            assert self.session.playhead != before, f"frame {time / frame:.1f} is not to be reached"

    def key(self) -> None:
        """Key the pose that is seen."""
        self.session.select([Item(self.actor)])
        self.change(lambda: self.press(Qt.Key.Key_S))

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        """A key, for the picture."""
        self.opened.view.take_keyboard()
        QTest.keyClick(self.opened.window.windowHandle(), key, modifiers)

    def act(self, action: str) -> None:
        """An action of the menus."""
        self.opened.window.menus.refresh()
        self.opened.window.menus.actions[action].trigger()
        self.opened.until(lambda: self.session.at_rest)

    def change(self, deed: Callable[[], object]) -> None:
        """Until what was done has made another document."""
        before = self.session.document
        deed()
        self.opened.until(lambda: self.session.document is not before and self.session.at_rest)

    # Numbers

    def turn(self, values: Mapping[str, float]) -> None:
        """Type coordinates [degrees or cm], joint after joint."""
        figure = self.session.document.actor(self.actor).figure
        joint = ""
        for coordinate, value in values.items():
            if coordinate.split(".")[0] != joint:
                joint = coordinate.split(".")[0]
                self.session.select([Item(self.actor, joint)])
                self.opened.until(lambda: self._page() is not None)
            self.type_in(self.slider(figure.coordinate_dof[coordinate].name), f"{value:g}")

    def slider(self, name: str, number: int = 0) -> ValueSlider:
        """A slider of the inspector, by the end of its name."""
        found = [each for each in self._panel().findChildren(ValueSlider) if each.accessibleName().endswith(name)]
        return [each for each in found if each.isVisibleTo(self._panel())][number]

    def type_in(self, slider: ValueSlider, text: str) -> None:
        """A number, and Enter."""
        slider.setFocus()
        slider.edit(text)
        line = slider.window().focusWidget()
        assert line is not None
        QTest.keyClick(line, Qt.Key.Key_Return)
        self.opened.until(lambda: self.session.at_rest)

    def unfold(self, key: str) -> None:
        """Click the header of a section of the inspector, unless it is open."""
        header = self._sections()[key].header
        self._panel().area.ensureWidgetVisible(header)
        if not header.unfolded:
            QTest.mouseClick(header, LEFT_BUTTON, pos=QPoint(30, header.height() // 2))

    def select_whole(self) -> None:
        """The actor as a whole."""
        self.session.select([Item(self.actor)])
        self.opened.settle()

    def fill(self, section: str, numbers: Sequence[float]) -> None:
        """Type the first numbers of a section of the inspector."""
        self.unfold(section)
        fields = self._sections()[section].findChildren(ValueSlider)
        for slider, value in zip(fields, numbers, strict=False):
            self.type_in(slider, f"{value:g}")

    # Bodies

    def drag_to(self, joint: str, place: Place) -> None:
        """Drag a body until the joint is at a place [m], in the front view and then from the right."""
        for view, axes in ((FRONT, (0, 1)), (RIGHT, (2, 1)), (FRONT, (0, 1))):
            now = self.place(joint)
            wanted = np.array([place[axis] if axis in axes else now[axis] for axis in range(3)])
            if np.linalg.norm(wanted - now) > LEAST:
                self._drag_in(view, joint, now, wanted)

    def place(self, joint: str) -> np.ndarray:
        """Where a joint is seen [m]."""
        self.opened.settle()
        shown = self.opened.snapshot
        assert shown is not None
        item = next(each for each in shown.bodies if each.owner == self.actor and each.role == "result")
        return np.asarray(item.transforms[item.parts.index(joint)][:, 3], dtype=float)

    def _drag_in(self, view: int, joint: str, now: np.ndarray, wanted: np.ndarray) -> None:
        opened = self.opened
        self.session.select([Item(self.actor, joint)])
        opened.view.maximise(view)
        opened.settle()
        canvas = opened.view.childAt(opened.view.rect().center())
        assert isinstance(canvas, QWidget)
        start, by = self._grasp(view, joint), self._pixels(view, wanted) - self._pixels(view, now)
        path = [start + QPoint(*(round(float(each) * n / STEPS) for each in by)) for n in range(STEPS + 1)]
        before = self.session.document
        drag(canvas, path)
        opened.until(lambda: self.session.at_rest)
        assert self.session.document is not before, f"{joint} did not follow in view {view}"
        opened.view.maximise(None)
        opened.settle()

    def _pixels(self, view: int, place: np.ndarray) -> np.ndarray:
        camera, size = self.opened.view.cameras[view], self.opened.view.size_of(view)
        return np.asarray(camera.project(place, size)[:2])

    def _grasp(self, view: int, joint: str) -> QPoint:
        """The round mark of the body, which lies over everything; else a point where the body is what is seen, the
        nearest to its joint."""
        viewport = self.opened.view
        for handle in self.session.document.actor(self.actor).figure.handles:
            place = viewport.place_of(self.actor, joint, handle.point) if handle.joint == joint else None
            if place is not None:
                point = QPoint(*(round(float(each)) for each in self._pixels(view, np.array(place))))
                found = viewport.marker_at(point.toPointF())
                if found is not None and (found.marker.owner, found.marker.id) == (self.actor, handle.id):
                    return point
        x, y = self._pixels(view, self.place(joint))
        for far in range(0, 90, 3):
            for angle in np.linspace(0.0, 2.0 * np.pi, max(1, 2 * far), endpoint=False):
                point = QPoint(round(x + far * np.cos(angle)), round(y + far * np.sin(angle)))
                if not self.opened.view.rect().contains(point):
                    continue
                pick = self.opened.view.pick(point.toPointF())
                if pick is not None and (pick.owner, pick.part) == (self.actor, joint):
                    return point
        raise AssertionError(f"{joint} is not seen in view {view}")

    # Locks and what hangs on hands

    def lock(self, joint: str) -> Lock:
        """Hold a part in place and turn, here."""
        self.session.select([Item(self.actor, joint)])
        self.change(lambda: self.press(Qt.Key.Key_K, CTRL))
        return self.session.document.actor(self.actor).locks[-1]

    def time_lock(self, lock: Lock, times: Sequence[float]) -> None:
        """Type from when to when a lock holds, and its eases [s]."""
        self.session.select([Item(self.actor, lock.joint, lock.id)])
        self.unfold("lock when")
        fields = self._panel().findChild(WhenFields)
        assert fields is not None
        if fields.ends.isHidden():
            self.change(lambda: choose(fields.when, 1))
        for _ in range(2):  # an end may have had to wait until the other one made room
            for slider, value in zip(fields.ends.fields.values(), times, strict=True):
                self.type_in(slider, f"{value:g}")

    def place_lock(self, lock: Lock, place: Place, turns: Place) -> None:
        """Type where a lock holds [cm], and how it is turned: heading, pitch, roll [degrees]."""
        self.session.select([Item(self.actor, lock.joint, lock.id)])
        for axis, value in zip("XYZ", place, strict=True):
            self.type_in(self.slider(f"Position {axis}"), f"{value:g}")
        self.fill("lock turn", turns)

    def attach(self, target: str, joint: str, until: float) -> None:
        """Hang the actor on a joint of another one from the playhead on, where it is, until a time [s]."""
        self.session.select([Item(self.actor)])
        self.unfold("attachments")
        panel = self._panel().findChildren(AttachmentList)[-1]
        QTest.mouseClick(panel.begin, LEFT_BUTTON)
        names = self.session.document.actor(target)
        choose(panel.form.target, panel.form.target.findText(names.name))
        choose(panel.form.joint, panel.form.joint.findText(names.figure.joint(joint).name))
        choose(panel.form.when, 1)
        self.change(lambda: QTest.mouseClick(panel.form.done, LEFT_BUTTON))
        self.opened.settle()
        self.type_in(self.slider("Attachment, End"), f"{until:g}")

    def _panel(self) -> InspectorPanel:
        found = self.opened.window.docks["inspector"].findChild(InspectorPanel)
        assert found is not None
        return found

    def _page(self) -> InspectorPage | None:
        return self._panel().page

    def _sections(self) -> Mapping[str, FoldedSection]:
        page = self._page()
        assert page is not None
        return page.sections


def choose(box: QComboBox, row: int) -> None:
    """A line of a list, with the keys."""
    box.setFocus()
    while box.currentIndex() != row:
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < row else Qt.Key.Key_Up)
