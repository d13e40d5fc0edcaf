"""Exports: videos and pictures that are drawn beside the window's own work, one after the other.

Drawing takes at most one frame, and of a large one a tile, a turn of the window's loop; the engine's thread works out
what the next frames show, under a key of its own, so that a drag in the window comes first; encoding is a program of
its own. Nothing here waits.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from time import monotonic
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.export.encoder import Encoder
from app.export.plan import Plan
from app.export.running import Answered, Running
from app.export.surface import OffscreenSurface, QtSurface
from app.session.engine_link import describe
from app.session.states import JobState
from engine.queries.stills import Stills
from engine.runtime.errors import EngineError

if TYPE_CHECKING:
    from app.scene.picture import Picture
    from app.session import Session
    from engine.runtime.worker import PublishedFrame as Answer

KEY = "export"  # of the worker, and of the job that is shown
AHEAD = 4  # stills that are worked out at a time
PROGRESS_EVERY = 0.1  # [s]
GIVE_WAY = 40  # [ms] between steps while something is dragged
ENDS_WITHIN = 5.0  # [s] of an encoder that was asked to end
State = Literal["waiting", "running", "done", "failed", "cancelled"]


class Export(QObject):
    """One video, from waiting to its end."""

    changed = Signal()

    def __init__(self, plan: Plan, parent: QObject) -> None:
        super().__init__(parent)
        self.plan = plan
        self.state: State = "waiting"
        self.written = 0  # frames that are with the encoder
        self.problem = ""  # why it failed
        self.began = 0.0  # [s] of a clock that only goes forward

    @property
    def fraction(self) -> float:
        """The share that is done, 0 to 1."""
        return self.written / self.plan.count

    @property
    def seconds_left(self) -> float | None:
        """An estimate of the time left; None while there is nothing to go by."""
        if self.state != "running" or not self.written:
            return None
        return (monotonic() - self.began) * (1.0 - self.fraction) / self.fraction

    @property
    def has_ended(self) -> bool:
        """True if it is done, failed or cancelled."""
        return self.state in ("done", "failed", "cancelled")


class ExportQueue(QObject):
    """The exports of one window. `add` begins one as soon as those before it have ended."""

    changed = Signal()  # exports have come, gone on or ended
    job_changed = Signal(object)  # JobState
    ended = Signal(object)  # Export

    _progressed = Signal()  # by the encoder, from its thread

    def __init__(self, session: Session, make_surface: Callable[[], OffscreenSurface] = QtSurface) -> None:
        super().__init__(session)
        self._session, self._make_surface = session, make_surface
        self.exports: list[Export] = []
        self._running: Running | None = None
        self._surface: OffscreenSurface | None = None
        self._picture: Picture | None = None
        self._shown_at = 0.0
        self._together: list[Export] = []  # those since nothing was exported: progress is that of them all
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self._turn)
        self._progressed.connect(self._look, Qt.ConnectionType.QueuedConnection)
        session.engine.answered.connect(self._take)
        session.engine.failed.connect(self._take_failure)
        session.engine.state_changed.connect(self._soon_turn)

    @property
    def busy(self) -> bool:
        """True if an export runs or waits."""
        return self.left > 0

    @property
    def left(self) -> int:
        """The number of exports that have not ended."""
        return sum(not each.has_ended for each in self.exports)

    def refusal(self, plan: Plan) -> str:
        """Return why this cannot be exported beside those that have not ended; empty if it can."""
        for each in self.exports:
            if not each.has_ended and plan.meets(each.plan):
                why = f"{each.plan.out.name} is being exported already, or waits. Wait for its end, or choose another"
                return f"{plan.out.name} is not exported: {why} name"
        return ""

    def add(self, plan: Plan) -> Export:
        """Add an export at the end of the queue."""
        export = Export(plan, self)
        if not self.busy:
            self._together.clear()
        self.exports.append(export)
        self._together.append(export)
        self.changed.emit()
        self._go_on()
        return export

    def cancel(self, export: Export) -> None:
        """Cancel an export that runs or waits; nothing is left of it."""
        if self._running is not None and self._running.export is export:
            self._running.encoder.cancel()  # which reports when it has ended
        elif not export.has_ended:
            self._end(export, "cancelled")

    def cancel_running(self) -> bool:
        """Cancel the running export; False if there is none."""
        if self._running is not None:
            self.cancel(self._running.export)
        return self._running is not None

    def cancel_all(self) -> None:
        """Cancel all exports."""
        for export in [each for each in self.exports if not each.has_ended]:
            self.cancel(export)

    def clear(self) -> None:
        """Remove the exports that have ended."""
        for each in [each for each in self.exports if each.has_ended]:
            self.exports.remove(each)
            each.deleteLater()
        self.changed.emit()

    def close(self) -> bool:
        """Cancel everything; False if the encoder did not end in time. No signal is emitted afterwards."""
        self.blockSignals(True)
        for each in self.exports:
            if each.state == "waiting":
                each.state = "cancelled"
        running, ended = self._running, True
        if running is not None:
            running.encoder.cancel()
            ended = running.encoder.wait(ENDS_WITHIN)
            self._stop(running)
            running.export.state = "cancelled"
        self._soon.stop()
        self._drop_surface()
        return ended

    # One turn of the loop

    def _soon_turn(self, *_: object) -> None:
        if self.busy:
            self._go_on()

    def _go_on(self) -> None:
        """Schedule the next step soon; a drag in the window comes first."""
        if not self._soon.isActive():
            self._soon.start(0 if self._session.at_rest else GIVE_WAY)

    def _turn(self) -> None:
        running = self._running
        if running is None:
            self._begin_next()
        elif running.encoder.state != "running":
            self._stop(running)
            if running.problem:
                self._end(running.export, "failed", running.problem)
            else:
                self._end(running.export, running.encoder.state, running.encoder.problem)
        elif not running.problem:
            try:
                goes_on = self._draw(running)
            except EngineError as problem:
                self._fail(running, str(problem))
            except MemoryError:
                size = "{} x {}".format(*running.export.plan.frame_size)
                self._fail(running, f"a picture of {size} pixels does not fit into memory. Make it smaller")
            except Exception as problem:  # Qt would go on without the frame, or never again
                self._fail(running, f"{running.export.plan.out.name} cannot be drawn: {describe(problem)}")
            else:
                if goes_on:
                    self._go_on()

    def _begin_next(self) -> None:
        export = next((each for each in self.exports if each.state == "waiting"), None)
        if export is None:
            self._drop_surface()
            return
        evaluator = self._session.engine.evaluator
        if evaluator is None or not self._session.engine_state.ready:
            return  # begun when the engine is
        try:
            stills = Stills(evaluator, export.plan.wanted)
            self._running = Running(export, Encoder(export.plan, self._progressed.emit), stills)
        except Exception as problem:
            self._end(export, "failed", f"{export.plan.out.name} cannot be exported: {describe(problem)}")
            return
        export.state, export.began = "running", monotonic()
        for note in export.plan.notes:
            self._session.note("note", f"{export.plan.out.name}: {note}")
        self._show(export, at_once=True)
        self._go_on()

    def _draw(self, running: Running) -> bool:
        """Draw one step of a frame; return True if there is something to do at once."""
        from app.export.drawing import Drawing
        from app.scene.gl import Unusable
        from app.scene.picture import Picture

        self._ask(running)
        if running.steps is None and not running.can_begin:
            return False  # goes on when the engine or the encoder reports
        plan = running.export.plan
        try:
            surface = self._surface = self._surface or self._make_surface()
            with surface.current():
                self._picture = self._picture or Picture()
                running.drawing = running.drawing or Drawing(plan, self._picture)
                frame = running.step(running.drawing)
        except Unusable as problem:
            raise EngineError(f"{plan.out.name} cannot be drawn: {problem}. Make it smaller") from problem
        if frame is not None:
            running.encoder.put(frame)
            if running.drawn == plan.count:
                running.encoder.finish()
        return True

    # What the engine works out

    def _ask(self, running: Running) -> None:
        if running.expected or len(running.stills) >= AHEAD or running.known == running.export.plan.count:
            return
        plan, source = running.export.plan, running.source
        times = [plan.time(each) for each in range(running.known, min(running.known + AHEAD, plan.count))]
        running.expected, running.taken = len(times), 0

        def job() -> Generator[Answered | None, None, None]:
            try:
                for found in source.answer(times):
                    yield None if found is None else Answered(source, found)
            except EngineError as problem:
                yield Answered(source, (), f"{plan.out.name} cannot be exported: {problem}")

        running.ticket = self._session.engine.submit(KEY, job, document=plan.wanted.document)

    def _take(self, key: Hashable, answer: Answer) -> None:
        value, running = answer.value, self._running
        if key != KEY or running is None or not isinstance(value, Answered) or value.source is not running.source:
            return
        if value.problem:
            self._fail(running, value.problem)
            return
        running.take(value.found)
        self._go_on()

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        running = self._running
        if key == KEY and running is not None and ticket == running.ticket:
            self._fail(running, describe(problem))

    # Progress and ends

    def _look(self) -> None:
        running = self._running
        if running is None:
            return
        running.export.written = running.encoder.written
        self._show(running.export)
        self._go_on()

    def _show(self, export: Export, *, at_once: bool = False) -> None:
        now = monotonic()
        if not at_once and now - self._shown_at < PROGRESS_EVERY:
            return
        self._shown_at = now
        waiting = sum(each.state == "waiting" for each in self.exports)
        more = f", {waiting} more to come" if waiting else ""
        text = f"Exporting {export.plan.out.name}{more}"
        counted = [each for each in self._together if each.state not in ("failed", "cancelled")]
        fraction = sum(each.written for each in counted) / sum(each.plan.count for each in counted)
        self.job_changed.emit(JobState(name=KEY, text=text, fraction=fraction))
        export.changed.emit()
        self.changed.emit()

    def _fail(self, running: Running, why: str) -> None:
        """Stop an export that cannot be drawn: the encoder ends, too, and reports when it has."""
        running.problem = running.problem or why
        running.encoder.cancel()

    def _stop(self, running: Running) -> None:
        self._running = None
        self._session.engine.cancel(KEY)
        running.export.written = running.encoder.written
        if running.drawing is not None and self._surface is not None:
            try:
                with self._surface.current():
                    running.drawing = running.steps = None  # what it drew into is given back
            except Exception:  # its OpenGL is lost, and all that was made in it: the next export gets another
                self._drop_surface()

    def _end(self, export: Export, state: State, problem: str = "") -> None:
        export.state, export.problem = state, problem
        name = export.plan.out.name
        said = {"done": f"Exported {name}", "cancelled": f"The export of {name} was cancelled"}
        if state == "failed":
            self._session.note("error", problem[:1].upper() + problem[1:])
        else:
            self._session.note("note", said[state])
        export.changed.emit()
        self.changed.emit()
        self.ended.emit(export)
        if not self.busy:
            self.job_changed.emit(JobState(name=KEY, text="", running=False))
        self._go_on()

    def _drop_surface(self) -> None:
        """Free the surface, with all that was made in it."""
        if self._surface is not None:
            self._surface.close()
        self._surface = self._picture = None
