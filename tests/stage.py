"""The real window for tests, benchmarks and pictures: opened, driven by real mouse and key events, and closed.

No waiting by the clock: `until` turns Qt's loop until something is true.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self

from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QWidget

from app.session import Session
from app.session.actors import new_document
from app.session.history import Entry, History
from app.shell.collecting import Collecting
from app.shell.milestones import Milestones
from app.shell.panels import make_panels
from app.shell.preferences import Preferences, PreferencesFile
from app.shell.startup import Startup
from app.shell.window import MainWindow
from app.shell.workspaces import LAYOUT_VERSION, packed
from app.style.apply import apply_theme
from app.style.theme import THEMES
from engine.document import Document
from engine.jobs.methods import Terms

if TYPE_CHECKING:
    from app.scene.viewport import Viewport
    from app.shell.files import Questions
    from engine.model import Snapshot

PATIENCE = 60.0  # [s]
LOOKED_EVERY = 4  # [ms] at least, for what comes without an event: a file, or something of another thread
POPUPS = (Qt.WindowType.Popup, Qt.WindowType.ToolTip)
PLACES = ("geometry", "docks", "views")  # preferences that tell where things stand


class Stage:
    """A window on a session, ready to be used."""

    def __init__(self, window: MainWindow) -> None:
        self.window = window
        self.session = window.session
        self.pictures = 0
        self.snapshot: Snapshot | None = None
        self._first: First | None = None
        self.session.snapshot_ready.connect(self._take)

    @property
    def view(self) -> Viewport:
        """The viewport."""
        return self.window.view

    def until(self, what: Callable[[], bool], *, patience: float = PATIENCE) -> None:
        """Turn Qt's loop until `what` is true. A screen without a window manager is asked for the keyboard again.

        It sleeps until something comes, so that the engine's thread and other tests have the processor meanwhile.
        """
        deadline, beat = perf_counter() + patience, QTimer(interval=LOOKED_EVERY)
        beat.start()
        try:
            while not what():
                if perf_counter() > deadline:
                    said = [f"{entry.kind}: {entry.text}" for entry in list(self.session.log)[-5:]]
                    state = self.session.engine_state
                    raise TimeoutError(f"waited {patience:.0f} s in vain for {what.__doc__ or what}; {state}; {said}")
                if not self.window.isActiveWindow():
                    self.window.activateWindow()
                QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
                QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)  # as the application's loop
        finally:
            beat.stop()

    def settle(self) -> None:
        """Until the engine has answered, the picture shows the document and nothing more is due to be drawn."""
        self.until(self._shows_document)
        self.draw()

    def draw(self) -> None:
        """Until one more picture is on the screen."""
        before = self.pictures
        self.view.set_look(self.view.look)
        self.until(lambda: self.pictures > before)

    def count_picture(self, _: float) -> None:
        """One more picture was drawn."""
        self.pictures += 1

    def grab(self) -> QImage:
        """The whole window as it is on the screen, once what was asked of its layout is done."""
        for _ in range(3):
            QCoreApplication.sendPostedEvents()
            QCoreApplication.processEvents()
        return self.window.screen().grabWindow(self.window.winId()).toImage()

    @contextmanager
    def anew(self, document: Document | None = None) -> Iterator[Stage]:
        """A window that several tests share, for one of them: begun with this document, or with a new one, and all else
        as it was the first time.
        """
        session, window, others = self.session, self.window, QApplication.topLevelWidgets()
        self._first = self._first or First.of(self)
        session.begin_with(History(document or new_document(), Entry("New document")), None)
        session.log.clear()
        self.until(window.isActiveWindow)
        self.settle()
        self.view.take_keyboard()
        try:
            yield self
        finally:
            for widget in QApplication.topLevelWidgets():
                if widget.windowType() in POPUPS and widget not in others:
                    widget.close()
                    if is_of_qt(widget):
                        widget.deleteLater()  # others are left to be found: a window of its own would take them along
            session._queue.clear()
            if session._gesture is not None:
                session._gesture.cancel()
            session.player.pause()
            session.edit_figure(None)
            session.select(())
            window.message.dismiss()
            if window.toolbox is not None:
                window.toolbox.cancel()
                window.toolbox.take("pose")
            self._first.restore(self)

    def widget_at(self, widget: QWidget, x: float, y: float) -> QPoint:
        """A point of a widget given in shares of its size."""
        return QPoint(round(widget.width() * x), round(widget.height() * y))

    def _take(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def _shows_document(self) -> bool:
        """the engine's picture of the document"""
        shown = self.snapshot
        return shown is not None and shown.state == "fresh" and shown.document is self.session.shown


@dataclass(frozen=True)
class First:
    """How a window was when it was first used."""

    preferences: Preferences
    views: Mapping[str, Any]
    docks: str
    terms: Terms

    @classmethod
    def of(cls, opened: Stage) -> Self:
        """As it is now."""
        window = opened.window
        docks = packed(window.saveState(LAYOUT_VERSION))
        return cls(window.preferences, opened.view.save_views(), docks, opened.session.reaching.terms)

    def restore(self, opened: Stage) -> None:
        """What a person may have changed is as it was; what was not changed is left alone."""
        window, names = opened.window, [each.name for each in fields(Preferences) if each.name not in PLACES]
        now, then = window.preferences, self.preferences
        changed = {name: getattr(then, name) for name in names if getattr(then, name) != getattr(now, name)}
        if changed:
            window.prefer(**changed)
        if packed(window.saveState(LAYOUT_VERSION)) != self.docks:
            window.workspaces.restore(self.docks)
        opened.session.posing.set_auto_key(then.auto_key)
        opened.session.reaching.set_terms(self.terms)
        opened.view.restore_views(self.views)


@contextmanager
def stage(
    document: Document | None = None,
    *,
    theme: str = "dark",
    size: tuple[int, int] = (1280, 800),
    anti_aliasing: str = "off",
    ready: bool = True,
    questions: Questions | None = None,
    copies: Path | None = None,
) -> Iterator[Stage]:
    """Open the window; closed without a question at the end. What is open is copied to the folder `copies`."""
    application = QApplication.instance() or QApplication(["sinew"])
    assert isinstance(application, QApplication)
    with tempfile.TemporaryDirectory() as folder:
        apply_theme(application, THEMES[theme])
        session = Session(document=document)
        collecting = Collecting(session, sets_aside=False)
        preferences = Preferences(theme=theme, anti_aliasing=anti_aliasing)
        kept = PreferencesFile(Path(folder))
        window = MainWindow(session, panels=make_panels, kept=kept, preferences=preferences, questions=questions)
        window.resize(*size)
        opened = Stage(window)
        Startup(window, Milestones(), copies=copies)
        try:
            window.show()
            opened.until(window.isActiveWindow)
            opened.until(lambda: window.viewport is not None)
            window.view.animated = False
            window.view.drawn.connect(opened.count_picture)
            if ready:
                opened.until(lambda: session.engine_state.ready)
                opened.settle()
            yield opened
        finally:
            window.close_for_good()
            window.deleteLater()
            collecting.end()
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def is_of_qt(popup: QWidget) -> bool:
    """Whether Qt made it and keeps it: the list of a box of choices, and what says a tip."""
    return isinstance(popup.parent(), QComboBox) or popup.objectName() == "qtooltip_label"


def drag(widget: QWidget, path: list[QPoint], *, modifiers: Qt.KeyboardModifier | None = None) -> None:
    """Press the left button at the first point, move along the path, let go at the last."""
    keys = modifiers or Qt.KeyboardModifier.NoModifier
    QTest.mousePress(widget, Qt.MouseButton.LeftButton, keys, path[0])
    for point in path[1:]:
        move(widget, point, modifiers=keys)
    QTest.mouseRelease(widget, Qt.MouseButton.LeftButton, keys, path[-1])


def move(widget: QWidget, point: QPoint, *, modifiers: Qt.KeyboardModifier | None = None, held: bool = True) -> None:
    """Move the pointer to a point of the widget, the left button held or not."""
    button = Qt.MouseButton.LeftButton if held else Qt.MouseButton.NoButton
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        QPointF(point),
        QPointF(widget.mapToGlobal(point)),
        Qt.MouseButton.NoButton,
        button,
        modifiers or Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(widget, event)
