"""The real window for tests, benchmarks and pictures: opened, driven by real mouse and key events, and closed.

No waiting by the clock: `until` turns Qt's loop until something is true.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, fields
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast

from PySide6.QtCore import (
    QCoreApplication,
    QEvent,
    QEventLoop,
    QMetaObject,
    QObject,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    SignalInstance,
)
from PySide6.QtGui import QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QDialog, QWidget

from app.features.figure.panel import FigurePanel
from app.features.inspector.panel import InspectorPanel
from app.features.keys.panel import KeysPanel
from app.features.limits.current_limit import Brush, CurrentLimit
from app.features.log.panel import LogPanel
from app.features.poses.library import PoseLibrary
from app.features.poses.panel import PosesPanel
from app.features.secondary.current_targets import CurrentTargets
from app.features.sequences.library import SequenceLibrary
from app.features.sequences.panel import SequencesPanel
from app.session import Session
from app.session.actors import new_document
from app.session.history import Entry, History
from app.shell.collecting import Collecting
from app.shell.milestones import Milestones
from app.shell.preferences import Preferences, PreferencesFile
from app.shell.questions import Dialogues
from app.shell.start_page import StartPage
from app.shell.startup import Startup
from app.shell.status_line import AT_REST
from app.shell.window import MainWindow
from app.shell.workspaces import LAYOUT_VERSION, packed
from app.style.apply import apply_theme, current_theme
from app.style.fonts import scaled
from app.style.search_field import SearchField
from app.style.section import SectionHeader
from app.style.theme import THEMES
from app.style.value_slider import ValueSlider
from app.timeline.graph.panel import CurvesPanel
from app.timeline.panel import TimelinePanel
from engine.document import Document
from engine.ik.methods import Method, Terms
from tests.unseen import UnseenCanvas

if TYPE_CHECKING:
    from app.scene.navigation import Mouse
    from app.scene.viewport import Viewport
    from app.shell.files import Questions
    from engine.model import Snapshot

PATIENCE = 240.0  # [s]
LOOKED_EVERY = 4  # [ms] at least, for what comes without an event: a file, or something of another thread
POPUPS = (Qt.WindowType.Popup, Qt.WindowType.ToolTip)
Panel = TypeVar("Panel", bound=QWidget)
PLACES = ("geometry", "docks", "views")  # preferences that tell where things stand


class Asked:
    """Passes the questions of a window on to whoever answers them now."""

    def __init__(self) -> None:
        self.whom: Questions | None = None

    @property
    def passing(self) -> Questions:
        """As a window knows it."""
        return cast("Questions", self)

    def __getattr__(self, name: str) -> object:
        return getattr(self.whom, name)


class Stage:
    """A window on a session, ready to be used."""

    def __init__(self, window: MainWindow, asked: Asked) -> None:
        self.window = window
        self.session = window.session
        self.asked = asked
        self.pictures = 0
        self.snapshot: Snapshot | None = None
        self._first: First | None = None
        self._heard: list[QMetaObject.Connection] = []
        self._data = os.environ.get("SINEW_DATA")  # where libraries are kept
        self.unseen: UnseenCanvas | None = None
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

    def until_told(self, words: str, kind: str = "") -> None:
        """Until the last line of the log has these words in it, and is of this kind if one is given."""
        log = self.session.log
        self.until(lambda: bool(log) and words in log[-1].text and kind in ("", log[-1].kind))

    def settle(self) -> None:
        """Until the engine has answered, the picture shows the document and nothing more is due to be drawn."""
        self.until(self._shows_document)
        with self.unseen.resting() if self.unseen is not None else nullcontext():
            for _ in range(2):  # what was asked of widgets and their layout may ask for more
                QCoreApplication.sendPostedEvents()
                QCoreApplication.processEvents()
            if self.window.updatesEnabled():
                self.until(self._shows_all)

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
        if self.unseen is not None:
            with self.unseen.seen():
                self.draw()
        for _ in range(3):
            QCoreApplication.sendPostedEvents()
            QCoreApplication.processEvents()
        return self.window.screen().grabWindow(self.window.winId()).toImage()

    @contextmanager
    def anew(
        self,
        document: Document | None = None,
        *,
        size: tuple[int, int] | None = None,
        questions: Questions | None = None,
    ) -> Iterator[Stage]:
        """A window that several tests share, for one of them: begun with this document, or with a new one, of this
        size, its questions answered by this person, and all else as it was the first time.
        """
        window, others = self.window, QApplication.topLevelWidgets()
        self._first = self._first or First.of(self)
        self.asked.whom = questions or self._first.questions
        self._resize(size or self._first.size)
        docks = packed(window.saveState(LAYOUT_VERSION))
        window.status.show_later.setInterval(AT_REST)
        self._begin(document or new_document())
        self.view.take_keyboard()
        try:
            yield self
        finally:
            for heard in self._heard:
                QObject.disconnect(heard)
            self._heard.clear()
            window.setUpdatesEnabled(False)  # nobody looks until the next test has its document
            self._close(others)
            self._let_go()
            self.until(lambda: self.session.at_rest)
            window.message.dismiss()
            self._first.restore(self, docks)
            self._close(others)
            self._end_timers()

    def _resize(self, size: tuple[int, int]) -> None:
        """Of another size, with the docks as a new window of that size has them."""
        assert self._first is not None, "known since it was used first"
        if size != (self.window.width(), self.window.height()):
            self.window.resize(*size)
            self.window.workspaces.restore(self._first.docks)

    def _begin(self, document: Document) -> None:
        """As the window starts: a document, its first picture, framed, and a log without lines."""
        if self._data != os.environ.get("SINEW_DATA"):
            self._data = os.environ.get("SINEW_DATA")
            for library in (self.session.of(PoseLibrary), self.session.of(SequenceLibrary)):
                library._kept = None
                library._removed.clear()
                library.changed.emit()
            self.panel(PosesPanel).refresh()
            self.panel(SequencesPanel).refresh()
        self.window.setUpdatesEnabled(False)  # one picture is enough, of the document
        self.session.begin_with(History(document, Entry("New document")), None)
        self.snapshot = None
        self.session.log.clear()
        self.panel(LogPanel).clear()
        timeline = self.panel(TimelinePanel)
        timeline.axis.set_snapping(True)
        timeline.sheet.folded.clear()
        timeline.sheet.commands.show_all()
        timeline.sheet.commands._clip = None
        curves = self.panel(CurvesPanel)
        graph = curves.graph
        graph.show_as(normalised=False, isolated=False)
        graph.lock(graph.locked, locked=False)
        graph.activate(())
        graph.loose.clear()
        curves.set_weighted(False)
        curves.set_snapping(False)
        self.until(self.window.isActiveWindow)
        self.until(self._shows_document)
        self.view.blockSignals(True)  # what menus show does not depend on where cameras stand
        self.view.frame()
        self.view.blockSignals(False)
        let_paint(self.window)
        self.draw()

    def _close(self, others: list[QWidget]) -> None:
        """What opened over it since, but these. Sheets and lists of choices go with it, as they go with a window of
        its own; menus are left to be found.
        """
        for page in self.window.findChildren(StartPage):
            page.close()
        for widget in QApplication.topLevelWidgets():
            is_sheet = isinstance(widget, QDialog) and is_below(widget, self.window)
            if widget not in others and (is_sheet or widget.windowType() in POPUPS):
                widget.close()
                if is_sheet or is_of_qt(widget):
                    widget.deleteLater()

    def _let_go(self) -> None:
        """Whatever is under way ends: nothing is dragged, waits, plays, is edited or selected."""
        session, toolbox = self.session, self.window.toolbox
        session._queue.clear()
        if session._gesture is not None:
            session._gesture.cancel()
        session.player.pause()
        session.player.set_looping(True)
        session.player.set_speed(1.0)
        session.edit_figure(None)
        session.select(())
        session.reaching.forget()
        session.of(CurrentTargets).meet_always(False)
        session.of(CurrentTargets).choose(None)
        session.of(CurrentLimit).set_brush(**vars(Brush()))
        session.of(CurrentLimit).show_on_body(False)
        session.of(CurrentLimit).pointing.show(False)
        if toolbox is not None:
            toolbox.cancel()
            toolbox.hover(None)
            toolbox.take("pose")
        self.view.set_hovered(None)
        self.window.status.pointer.set_text("", tip="")

    def _end_timers(self) -> None:
        """What the window does some time after its last picture is not waited for, as far as one more may come."""
        self.window.status.show_later.setInterval(0)
        self.session.kept_pictures._soon.stop()

    def panel(self, kind: type[Panel]) -> Panel:
        """The panel of a kind."""
        return next(each for dock in self.window.docks.values() if isinstance(each := dock.widget(), kind))

    def hear(self, signal: SignalInstance, slot: Callable[..., object]) -> None:
        """Connect a signal of the window until the test has ended."""
        self._heard.append(signal.connect(slot))

    def widget_at(self, widget: QWidget, x: float, y: float) -> QPoint:
        """A point of a widget given in shares of its size."""
        return QPoint(round(widget.width() * x), round(widget.height() * y))

    def _take(self, snapshot: Snapshot) -> None:
        self.snapshot = snapshot

    def _shows_all(self) -> bool:
        """the picture of what changed last"""
        return self._shows_document() and not self.view.is_due

    def _shows_document(self) -> bool:
        """the engine's picture of the document, with all that was done"""
        shown, gesture = self.snapshot, self.session._gesture
        if gesture is not None and gesture.state == "finishing":
            return False
        return shown is not None and shown.state == "fresh" and shown.document is self.session.shown


@dataclass(frozen=True)
class First:
    """How a window was when it was first used."""

    preferences: Preferences
    questions: Questions | None
    size: tuple[int, int]
    views: Mapping[str, Any]
    mouse: Mouse
    docks: str
    method: Method
    compared: Method | None
    terms: Terms
    unfolded: tuple[frozenset[str], ...]
    folds: Mapping[SectionHeader, bool]
    choices: Mapping[QComboBox, int]
    numbers: Mapping[ValueSlider, float]
    switches: Mapping[QAbstractButton, bool]

    @classmethod
    def of(cls, opened: Stage) -> Self:
        """As it is now."""
        window, keys = opened.window, opened.panel(KeysPanel)
        folds = {
            header: header.unfolded
            for dock in window.docks.values()
            if not isinstance(dock.widget(), InspectorPanel | FigurePanel)
            for header in dock.widget().findChildren(SectionHeader)
        }
        for header, is_unfolded in folds.items():
            header.set_unfolded(True)  # some are filled when they are unfolded first
            header.set_unfolded(is_unfolded)
        return cls(
            preferences=window.preferences,
            questions=opened.asked.whom,
            size=(window.width(), window.height()),
            views=opened.view.save_views(),
            mouse=opened.view.mouse,
            docks=packed(window.saveState(LAYOUT_VERSION)),
            method=opened.session.reaching.method,
            compared=opened.session.reaching.compared,
            terms=opened.session.reaching.terms,
            unfolded=tuple(map(frozenset, unfolded_in(opened))),
            folds=folds,
            choices={box: box.currentIndex() for box in keys.findChildren(QComboBox)},
            numbers={slider: slider.value for slider in keys.findChildren(ValueSlider)},
            switches={
                each: each.isChecked()
                for kind in (KeysPanel, LogPanel, PosesPanel, SequencesPanel)
                for each in opened.panel(kind).findChildren(QAbstractButton)
                if each.isCheckable()
            },
        )

    def restore(self, opened: Stage, docks: str) -> None:
        """What a person may have changed is as it was, docks as given; what was not changed is left alone."""
        window, names = opened.window, [each.name for each in fields(Preferences) if each.name not in PLACES]
        now, then = window.preferences, self.preferences
        changed = {name: getattr(then, name) for name in names if getattr(then, name) != getattr(now, name)}
        if changed:
            window.prefer(**changed)
            window.recent.show_paths(then.recent)
            window.workspaces.refresh()
        if packed(window.saveState(LAYOUT_VERSION)) != docks:
            window.workspaces.restore(docks)
        opened.session.posing.set_auto_key(then.auto_key)
        reaching = opened.session.reaching
        if reaching.method != self.method:
            reaching.set_method(self.method)
        if reaching.compared != self.compared:
            reaching.compare_with(self.compared)
        reaching.set_terms(self.terms)
        opened.view.restore_views(self.views)
        opened.view.mouse = self.mouse
        window._take_views()
        self._restore_panels(opened)

    def _restore_panels(self, opened: Stage) -> None:
        """What they remember by themselves: what is unfolded, how ranges are changed, which lines of the log count."""
        for known, unfolded in zip(unfolded_in(opened), self.unfolded, strict=True):
            known.clear()
            known.update(unfolded)
        for header, is_unfolded in self.folds.items():
            if header.unfolded != is_unfolded:
                header.set_unfolded(is_unfolded)
        for box, choice in self.choices.items():
            box.setCurrentIndex(choice)
        for slider, number in self.numbers.items():
            slider.set_value(number)
        for switch, is_on in self.switches.items():
            switch.setChecked(is_on)
        ranges = opened.panel(KeysPanel).ranges
        ranges._show_deed()
        ranges._take_play_range()
        for field in opened.window.findChildren(SearchField):
            field.clear()


@contextmanager
def stage(
    document: Document | None = None,
    *,
    theme: str = "dark",
    size: tuple[int, int] = (1280, 800),
    anti_aliasing: str = "off",
    shadows: str = "contact",
    ready: bool = True,
    questions: Questions | None = None,
    copies: Path | None = None,
    seen: bool = True,
) -> Iterator[Stage]:
    """Open the window; closed without a question at the end. What is open is copied to the folder `copies`. Unless it
    is `seen`, its viewport is drawn when its picture is asked for.
    """
    application = QApplication.instance() or QApplication(["sinew"])
    assert isinstance(application, QApplication)
    with tempfile.TemporaryDirectory() as folder:
        apply_theme(application, THEMES[theme])
        session = Session(document=document)
        collecting = Collecting(session, sets_aside=False)
        preferences = Preferences(theme=theme, anti_aliasing=anti_aliasing, shadows=shadows)
        kept = PreferencesFile(Path(folder))
        asked = Asked()
        window = MainWindow(session, kept=kept, preferences=preferences, questions=asked.passing)
        asked.whom = questions or Dialogues(window)
        window.resize(*size)
        opened = Stage(window, asked)
        Startup(window, Milestones(), copies=copies)
        try:
            window.show()
            opened.until(window.isActiveWindow)
            opened.until(lambda: window.viewport is not None and window.viewport.is_drawing)
            window.view.animated = False
            opened.unseen = None if seen else UnseenCanvas(window.view)
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
            if current_theme() is not THEMES["dark"] or scaled(1000) != 1000:
                apply_theme(application, THEMES["dark"])  # it is the application's: the next window has it, too


def let_paint(window: QWidget) -> None:
    """Let a window paint that was not to. Qt forgets what was due meanwhile, and asks for it no more."""
    window.setUpdatesEnabled(True)
    window.repaint()


def unfolded_in(opened: Stage) -> tuple[set[str], ...]:
    """What panels remember as unfolded."""
    return opened.panel(InspectorPanel)._unfolded, opened.panel(FigurePanel)._unfolded


def is_below(widget: QObject, window: QWidget) -> bool:
    """Whether a window is the parent of another, or of its parent, and so on."""
    above = widget.parent()
    return above is window or (above is not None and is_below(above, window))


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
