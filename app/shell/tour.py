"""Tour: the first scene. It sees by the session's signals that a step was done, and goes on to the next.

Nothing is taken from a person's hands: the card lies over the picture, everything else works as ever. The tour speaks
of the first figure of a new document and ends with it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QTimer, Signal

from app.scene.navigation import MICE
from app.scene.panes import PERSPECTIVE
from app.session.states import FileOutcome, JobState
from app.shell.help_sheet import with_keys
from app.shell.tour_card import TourCard
from app.shell.tour_steps import LAST, STEPS, TourState, TourStep
from engine.document import Document

if TYPE_CHECKING:
    from app.shell.window import MainWindow

EXPORT = "export"  # what videos are called among jobs, and other formats among files
PAUSE = 900  # [ms] for which a step that was done is seen as done


class Tour(QObject):
    """One way through the steps, over one window."""

    moved = Signal(int)  # the place of the step that is shown, from 0; the number of steps once all are done
    ended = Signal()

    def __init__(self, window: MainWindow) -> None:
        super().__init__(window)
        self._window, self._session, self._view = window, window.session, window.view
        self._actor = window.session.document.actors[0].id
        self._was_maximised = self._view.maximised
        self.at = 0
        self.card = TourCard(window)
        self._dragged: str | None = None
        self._missed = 0.0
        self._exported = False
        self._before = self._look()
        self._pause = QTimer(self, singleShot=True, interval=PAUSE)
        self._pause.timeout.connect(self._go_on)
        self.card.show()
        self._view.maximise(PERSPECTIVE)
        self._connect()
        self._show()

    @property
    def step(self) -> TourStep:
        """The present step."""
        return STEPS[self.at] if self.at < len(STEPS) else LAST

    # Its buttons, and actions of the Help menu

    def back(self) -> None:
        """Show the step before once more."""
        self._go_to(max(self.at - 1, 0))

    def skip(self) -> None:
        """Show the next step, though this one was not done."""
        self._go_to(min(self.at + 1, len(STEPS)))

    def end(self) -> None:
        """Put the card away; views are laid out as they were."""
        self._window.removeEventFilter(self)
        self._view.removeEventFilter(self)
        self._pause.stop()
        self.card.hide()
        self.card.deleteLater()
        self._view.maximise(self._was_maximised)
        self._view.take_keyboard()
        self.ended.emit()
        self.deleteLater()

    # What is seen

    def _connect(self) -> None:
        session, card = self._session, self.card
        card.back.connect(self.back)
        card.skip.connect(self.skip)
        card.end.connect(self.end)
        session.document_changed.connect(self._take_document)
        session.playhead_moved.connect(self._notice)
        session.player.changed.connect(self._notice)
        session.reaching.changed.connect(self._notice)
        session.job_changed.connect(self._take_job)
        session.filed.connect(self._take_file)
        session.snapshot_ready.connect(self._settle_place)
        self._view.views_changed.connect(self._notice)
        self._view.views_changed.connect(self._place)
        self._view.installEventFilter(self)
        self._window.installEventFilter(self)

    def _take_document(self, old: Document, new: Document) -> None:
        """Notice an act that is kept; while a drag is, the session still says what was pulled."""
        if self._actor not in new.actor_index and not self.card.isHidden():
            self.end()
        if self.card.isHidden():
            return
        pulled = self._session.reaching.pulled
        handle = pulled.within(new) if pulled is not None and pulled.actor == self._actor else None
        if handle is not None:
            self._dragged, self._missed = handle.joint, self._session.reaching.missed
        self._notice()

    def _take_job(self, job: JobState) -> None:
        if job.name == EXPORT and not self._exported:
            self._exported = True
            self._notice()

    def _take_file(self, outcome: FileOutcome) -> None:
        if outcome.kind == EXPORT and outcome.went_well:
            self._exported = True
            self._notice()

    def _notice(self, *_: object) -> None:
        """Go on if the step is done now."""
        if self._pause.isActive() or self.at >= len(STEPS) or self.card.isHidden():
            return
        now = self._look()
        if self.step.done(self._before, now):
            self._before, self._dragged = now, None  # what is done while the tick is shown counts for the next step
            self.card.show_done()
            self._pause.start()
        else:
            self.card.say_aside(self.step.aside(now))
        self._place()

    def _look(self) -> TourState:
        session, actor = self._session, self._session.document.actor(self._actor)
        keys = {key.time for layer in actor.layers for track in layer.tracks for key in track.keys}
        return TourState(
            directions=tuple((camera.azimuth, camera.elevation) for camera in self._view.cameras),
            dragged=self._dragged,
            missed=self._missed,
            held=bool(session.reaching.held),
            locked=frozenset(lock.joint for lock in actor.locks),
            keyed=tuple(sorted(keys)),
            time=session.playhead,
            playing=session.player.playing,
            exported=self._exported,
        )

    # What is shown

    def _go_on(self) -> None:
        self._show_step(self.at + 1)
        self._notice()

    def _go_to(self, at: int) -> None:
        self._pause.stop()
        self._before, self._dragged = self._look(), None
        self._show_step(at)

    def _show_step(self, at: int) -> None:
        self.at = at
        self._show()
        if at == len(STEPS):
            self._window.prefer(tour_done=True)
        self.moved.emit(at)

    def _show(self) -> None:
        window = self._window
        ways = (each for each in MICE[window.preferences.keymap] if each.motion == "orbit")
        orbit = " or ".join(f"<b>{way.gesture if way.modifier else way.gesture.lower()}</b>" for way in ways)
        text = with_keys(self.step.text.replace("{orbit}", orbit), window.keys)
        self.card.show_step(self.at + 1, len(STEPS), self.step.title, text)
        self._place()

    def _settle_place(self, *_: object) -> None:
        """Settle the card's place: one that moved with every picture of a drag would be in the way."""
        if self._session.reaching.pulled is None and not self._session.player.playing:
            self._place()

    def _place(self) -> None:
        if self.card.isHidden():
            return
        view = self._view
        picture = QRect(view.mapTo(self._window, QPoint(0, 0)), view.size())
        self.card.place(picture, self._joints(picture.topLeft()))

    def _joints(self, corner: QPoint) -> list[QPoint]:
        """Find where the joints of all bodies are seen, in the window."""
        shown, view = self._session.snapshot, self._view
        places = [item.transforms[:, :, 3] for item in shown.bodies if item.role == "result"] if shown else []
        if not places:
            return []
        points, found = np.concatenate(places).astype(float), []
        for number, pane in view.panes().items():
            for x, y, _ in view.cameras[number].project(points, view.size_of(number)).tolist():
                if 0.0 <= x < pane.width and 0.0 <= y < pane.height:
                    found.append(corner + QPoint(round(pane.x + x), round(pane.y + y)))
        return found

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the picture's size and place."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.LayoutRequest):
            self._place()
        return super().eventFilter(watched, event)
