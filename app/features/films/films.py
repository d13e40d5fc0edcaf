"""Films: what this window does about videos and pictures: asks for them, lists them, and says when one is there."""

from __future__ import annotations

import os
from collections.abc import Generator, Hashable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QMessageBox

from app.export.choices import Choices
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.export.exports import Export, ExportQueue
    from app.export.plan import Plan
    from app.features.films.queue_sheet import QueueSheet
    from app.features.window import Window
    from engine.runtime.worker import PublishedFrame

KEY = "export-names"  # of the worker
AT_ONCE = 256  # names that are looked for in one step


@dataclass(frozen=True, eq=False)
class _ExportRequest:
    plan: Plan
    chosen: Path  # that a person was asked about if it is there


@dataclass(frozen=True, eq=False)
class _Looked:
    """The problems of some exports, found before they begin."""

    found: tuple[tuple[_ExportRequest, tuple[Path, ...]], ...]


class Films(QObject):
    """One window's."""

    def __init__(self, window: Window) -> None:
        super().__init__(window)
        self._window = window
        self._queue: ExportQueue | None = None
        self._list: QueueSheet | None = None
        self._requests: list[_ExportRequest] = []  # whose files are being looked for
        self._closes = False  # the window, once nothing is exported
        window.session.engine.answered.connect(self._take)
        window.before_closing(self._ask_to_stop, self._end)

    @property
    def exports(self) -> ExportQueue:
        """The videos and pictures that are exported."""
        if self._queue is None:
            from app.export.exports import KEY as QUEUE
            from app.export.exports import ExportQueue

            session = self._window.session
            self._queue = queue = ExportQueue(session)
            queue.job_changed.connect(session.job_changed)
            queue.ended.connect(self._tell)
            queue.ended.connect(lambda export: self._close_if_stopped())
            self._window.offer(QUEUE, "What is exported, and what waits", self.show_queue)
            session.long_work[QUEUE] = queue.cancel_running
        return self._queue

    def show_sheet(self) -> None:
        """Ask what is to be exported, and how."""
        from app.features.films.view.sheet import FilmSheet

        FilmSheet(self._window, self).open()

    def export_picture(self) -> None:
        """Ask where to, then write what the active view shows now, as the choices for videos are."""
        from app.export.planning import picture_of, suggested

        choices, session, viewport = self._window.preferred("film", Choices), self._window.session, self._window.view
        out = suggested(replace(choices, codec="png"), session)
        try:
            plan = picture_of(choices, session, viewport, out)
        except EngineError as problem:
            session.note("error", f"This picture cannot be exported: {problem}")
            return
        self._window.asking.place_of_pictures(out, partial(self._begin_at, plan))

    def show_queue(self) -> None:
        """Show what is exported, what waits, and what became of the others."""
        from app.features.films.queue_sheet import QueueSheet

        if self._list is None:
            self._list = QueueSheet(self._window, self.exports, self.show_in_folder)
            self._list.destroyed.connect(self._forget_list)
        self._list.show()
        self._list.raise_()
        self._list.activateWindow()

    @property
    def has_any(self) -> bool:
        """True if something was exported since the start."""
        return self._queue is not None and bool(self._queue.exports)

    def want(self, plan: Plan, chosen: Path) -> None:
        """Export this, once a person has agreed to replace what is there by its names, but for `chosen`: of that the
        chooser of files has asked."""
        self._requests.append(_ExportRequest(plan, chosen))
        requests = tuple(self._requests)
        self._window.session.engine.submit(KEY, lambda: _look(requests), document=None)

    def begin(self, plan: Plan) -> None:
        """Export this after what is already there, unless another one writes the same files."""
        refusal = self.exports.refusal(plan)
        if refusal:
            self._window.session.note("error", refusal)
            return
        self.exports.add(plan)
        self._window.prefer(film=replace(self._window.preferred("film", Choices), folder=str(plan.out.parent)))
        self._window.refresh_actions()

    def remember(self, choices: Choices) -> None:
        """Begin with these choices the next time."""
        self._window.prefer(film=replace(choices, folder=self._window.preferred("film", Choices).folder))

    def show_in_folder(self, path: Path) -> None:
        """Open the folder of a file with the system's own program."""
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent))):
            self._window.session.note("warning", f"This system has no program that shows folders. The file is {path}")

    def _begin_at(self, plan: Plan, path: Path) -> None:
        from app.features.films.view.sheet import with_ending

        self.want(replace(plan, out=with_ending(path, plan)), path)

    def _take(self, key: Hashable, frame: PublishedFrame) -> None:
        if key != KEY or not isinstance(frame.value, _Looked):
            return
        for request, there in frame.value.found:
            if request in self._requests:
                self._requests.remove(request)
                if there:
                    self._ask(request.plan, there)
                else:
                    self.begin(request.plan)

    def _ask(self, plan: Plan, there: Sequence[Path]) -> None:
        box = QMessageBox(self._window)
        box.setObjectName("replace-pictures")
        box.setWindowTitle("Sinew")
        more = f" and {len(there) - 1:,} more" if len(there) > 1 else ""
        box.setText(f"{there[0].name}{more} {'are' if more else 'is'} there already.")
        box.setInformativeText("The export replaces what is there, once it is whole.")
        replacing = box.addButton("Replace", QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(box.addButton(QMessageBox.StandardButton.Cancel))
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.finished.connect(lambda code: self.begin(plan) if box.clickedButton() is replacing else None)
        box.open()

    def _tell(self, export: Export) -> None:
        self._window.refresh_actions()
        if export.state == "done":
            out = export.plan.out
            self._window.say(f"Exported {out.name}.", do="Show in folder", act=partial(self.show_in_folder, out))

    def _ask_to_stop(self) -> bool:
        """Ask before the window closes while something is exported; True if it has to wait for the answer."""
        if self._queue is None or not self._queue.busy:
            return False
        self._window.asking.stop_exports(self._queue.left, self._stop)
        return True

    def _stop(self) -> None:
        self._closes = True
        self.exports.cancel_all()
        self._close_if_stopped()  # they may all have ended while it was asked

    def _close_if_stopped(self) -> None:
        if self._closes and not self.exports.busy:
            self._closes = False
            QTimer.singleShot(0, self._window.close)

    def _end(self) -> None:
        if self._queue is not None and not self._queue.close():
            print("Sinew: the encoder did not end in time", flush=True)

    def _forget_list(self) -> None:
        self._list = None


def _look(requests: Sequence[_ExportRequest]) -> Generator[_Looked | None, None, None]:
    """Find which files of some plans are there; on the engine's thread, for a drive may be slow."""
    found = []
    for request in requests:
        there = []
        for number, name in enumerate(request.plan.names):
            if name != request.chosen and os.path.lexists(name):
                there.append(name)
            if number % AT_ONCE == AT_ONCE - 1:
                yield None
        found.append((request, tuple(there)))
    yield _Looked(tuple(found))
