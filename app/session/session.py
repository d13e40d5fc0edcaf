"""Session: the one mutable cell of the application. It holds the document, its history, the selection and the engine.

Everything that a person does goes through here; views listen to the signals and compare parts by identity. While a
gesture is open, commands queue behind it. An edit that may run kernels is a gesture of one preview, which the engine's
thread answers.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Generator, Hashable, Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from PySide6.QtCore import QObject, Signal

from app.session.actors import fallen
from app.session.baking import BAKE, Baking
from app.session.binding import BIND, Binding
from app.session.clock import Clock
from app.session.engine_link import EngineLink, describe
from app.session.engine_steps import TimedPicture, picture, previewed, same_figures
from app.session.exchange import Exchange
from app.session.features import Closing, InHand
from app.session.filing import FILE
from app.session.frozen import refusal, why_frozen
from app.session.gesture import EditOrCommand, Gesture, Preview
from app.session.history import Entry, History
from app.session.kept_pictures import KeptPictures
from app.session.layering import Layering
from app.session.live_query import LiveQuery, Question
from app.session.new_scene import new_scene
from app.session.player import Player
from app.session.posing import SessionPosing
from app.session.project_file import ProjectFile
from app.session.reaching import Reaching
from app.session.recovering import Recovering
from app.session.references import References
from app.session.selection import Item, Selection
from app.session.sets import Sets
from app.session.sounds import Sounds
from app.session.states import LOG_KEPT, EngineState, JobState, LogEntry, LogKind
from app.session.trails import ShownTrails
from engine.command import AtOnce, Desk, Gradual, Underway, as_command
from engine.document import Document
from engine.document.extent import play_extent
from engine.edits import Edit, both, edit
from engine.edits.command_log import LoggedCommand, Step
from engine.ik.methods import Card, describe_methods
from engine.queries.needs import needs_of
from engine.runtime.errors import EngineError
from engine.runtime.progress import Cancelled
from engine.runtime.worker import PublishedFrame

if TYPE_CHECKING:
    from engine.measure import Quantity
    from engine.model.snapshot import Snapshot

_log = logging.getLogger(__name__)

StateT = TypeVar("StateT")
View = tuple[bool, bool, bool, str | None]
POSE, PREVIEW, TRIAL, REST, METHODS = "pose", "preview", "trial", "rest", "methods"  # keys of the worker


class Session(QObject):
    """The window's state: what is open now."""

    document_changed = Signal(object, object)  # old, new: the committed document
    preview_changed = Signal(object)  # the document on screen while a gesture is open
    snapshot_ready = Signal(object)  # Snapshot of the document on screen
    solved = Signal(float)  # how long the engine took for the last picture [s]
    selection_changed = Signal(object)  # Selection
    playhead_moved = Signal(object)  # tick
    editing_changed = Signal(object)  # id of the actor whose figure is edited, or None
    ghosts_changed = Signal()  # whether keyed figures are to be seen behind those that swing
    history_changed = Signal()
    gesture_ended = Signal()  # kept or not
    engine_changed = Signal(object)  # EngineState
    job_changed = Signal(object)  # JobState
    logged = Signal(object)  # LogEntry
    retracted = Signal(str)  # the text of one that no longer holds
    saved_changed = Signal(object, bool)  # path or None, dirty
    filed = Signal(object)  # FileOutcome
    begun = Signal()  # another document has taken the place of this one
    spot: tuple[str, int] | None = None  # the actor whose surface was clicked last, and which vertex of it

    def __init__(self, *, document: Document | None = None, link: EngineLink | None = None) -> None:
        super().__init__()
        self._states: dict[object, object] = {}  # of features, by class
        first = new_scene() if document is None else document
        self.history = History(first, Entry("New document"))
        self.command_log: list[LoggedCommand] = self.history.command_log  # since the document was begun or opened
        self.recovering = Recovering(self)  # before others, who may change what they hear of
        self.selection = Selection()
        self.sets = Sets(self)
        self.hands: list[InHand] = []  # of features, that Delete may be for
        self.path: Path | None = None
        self.log: deque[LogEntry] = deque(maxlen=LOG_KEPT)
        self.saved: Document | None = first  # as it was saved or opened last; None: what is open is in no file
        self._preview: Preview | None = None
        self._gesture: Gesture | None = None
        self._underway = ""  # the job that reports what takes long for the gesture
        self._shown_job = ""  # the job that was reported last, of whatever kind
        self._views: dict[int, View] = {}  # how the answers to its commands are seen, by ticket
        self._queue: deque[Callable[[], None]] = deque()
        self.playhead = 0
        self.editing: str | None = None  # the actor whose figure is edited: it is shown at rest
        self._shown_time: int | None = None
        self.player = Player(self._put_playhead)
        self.player.setParent(self)
        self.clock = Clock(self)
        self.snapshot: Snapshot | None = None  # the picture that was shown last
        self.charted: Callable[[Document], tuple[Quantity, ...]] | None = None  # what is shown against time
        self._closed = self.with_skins = self._with_balance = self.with_ghosts = False
        self.reaching = Reaching(
            begin=self.begin_gesture,
            note=self.note,
            document=lambda: self.document,
            show_again=self.request_picture,
            try_out=lambda document, time, command: self._submit_command(TRIAL, document, time, command),
        )
        self.reaching.setParent(self)
        self.posing, self.layering = SessionPosing(self), Layering(self)
        self.engine = link or EngineLink()
        self.engine.setParent(self)
        self.references, self.trails = References(self), ShownTrails(self)
        self.kept_pictures, self.sounds = KeptPictures(self), Sounds(self)
        self.engine.answered.connect(self._take_answer)
        self.engine.failed.connect(self._take_failure)
        self.exchange = Exchange(self)  # hears of a failure after the log has
        self.file = ProjectFile(self, self.exchange.queue)
        self.engine.state_changed.connect(self._take_engine_state)
        self.job_changed.connect(self._take_job)
        self._methods = LiveQuery(self, self.engine, METHODS, self._take_methods)
        self.binding, self.baking = Binding(self.engine), Baking(self)
        self.binding.setParent(self)
        self.binding.bound.connect(lambda actor, skin: self.do(edit("add_skin", actor=actor, skin=skin)))
        self.binding.failed.connect(lambda why: self.note("error", why))
        for worker in (self.engine, self.exchange, self.binding, self.baking):
            worker.job_changed.connect(self.job_changed)
        self.baking.found.connect(self.kept_pictures.look_again)
        ends = (self.binding.cancel, self.baking.cancel, self.exchange.cancel)
        self.long_work: dict[str, Callable[[], object]] = dict(zip((BIND, BAKE, FILE), ends, strict=True))
        self.engine.noted.connect(self.note)

    @property
    def document(self) -> Document:
        """The committed document."""
        return self.history.document

    @property
    def shown(self) -> Document:
        """The document on screen: a gesture's while one is open."""
        return self.document if self._preview is None else self._preview.document

    @property
    def report(self) -> object:
        """The engine's report of the preview on screen, where there is one."""
        return None if self._preview is None else self._preview.report

    @property
    def dirty(self) -> bool:
        """True if the document differs from the one that was last saved or opened, or is about to."""
        about_to = self._gesture is not None and self._gesture.state == "finishing"
        return about_to or self.document is not self.saved

    @property
    def at_rest(self) -> bool:
        """True if nothing is under way: no gesture, no command that waits, no file."""
        return self._gesture is None and not self._queue and self.exchange.idle

    @property
    def yielding(self) -> Gesture | None:
        """The preview that stands until it is kept, if one does."""
        return self._gesture if self._gesture is not None and self._gesture.yields else None

    @property
    def engine_state(self) -> EngineState:
        """The engine's readiness to compute poses."""
        return self.engine.state

    # What features keep

    def of(self, kind: Callable[[Session], StateT]) -> StateT:
        """Return a feature's state in this session: the one object of that class, made when it is first asked for."""
        if kind not in self._states:
            self._states[kind] = kind(self)
        return cast(StateT, self._states[kind])

    # Edits and history

    def do(self, edit: Edit, *, choose: Item | None = None) -> None:
        """Make one undoable change, then choose an item that it made; one that is refused is logged, nothing else."""
        self.when_free(lambda: self._apply(edit))
        if choose is not None:
            self.when_free(lambda: self._choose(choose))

    def work_out(self, command: AtOnce | Gradual, *, goes_on: bool = False) -> None:
        """Hang on something, pin or bake: the engine works out the edit from the poses.

        One that `goes_on` belongs to what was done last: both are one entry. It is left out once that is undone."""
        self.when_free(lambda: self._apply_on_engine(command, goes_on=goes_on))

    def undo(self) -> None:
        """Back to the document before the last change; a preview that waits to be kept goes first."""
        if self.yielding is not None:
            self.yielding.cancel()
        else:
            self.when_free(lambda: self._go_to(self.history.position - 1))

    def redo(self) -> None:
        """Forward again to the document that was undone last."""
        self.when_free(lambda: self._go_to(self.history.position + 1))

    def go_to(self, position: int) -> None:
        """To the document of one entry of the history."""
        self.when_free(lambda: self._go_to(position))

    def begin_gesture(self, label: str, *, plays_on: bool = False, yields: bool = False) -> Gesture:
        """Open a gesture, behind any other that is open. Without an engine it has ended before it began.

        One that `plays_on` is seen in the motion that plays, as a key that is dragged; any other has its time. One that
        `yields` ends as soon as anything else is done."""
        gesture = Gesture(
            label, ask=self._ask, ended=self._end_gesture, may=lambda command: not self._is_frozen(command)
        )
        gesture.yields = yields
        if not plays_on:
            self.player.pause()
        if self._closed or not self.is_ready("SessionPosing"):
            gesture.cancel()
            return gesture
        self.when_free(lambda: self._open_gesture(gesture))
        return gesture

    def select(self, items: Iterable[Item]) -> None:
        """Choose these items and no others; those that the document does not hold are left out."""
        selection = Selection.of(items).within(self.document)
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit(selection)

    def edit_figure(self, actor: str | None) -> None:
        """Show an actor at rest while its figure is edited; None: as it is posed."""
        why = why_frozen(self.document.actor(actor)) if actor is not None else ""
        if why:
            self.note("warning", why)
        elif actor != self.editing:
            self.editing = actor
            self.player.pause()
            self.editing_changed.emit(actor)
            self.request_picture()

    def when_free(self, command: Callable[[], None]) -> None:
        """Do it once no gesture is open; one that yields ends for it."""
        if self._closed:
            return
        if self.yielding is not None:
            self.yielding.cancel()
        self._queue.append(command)
        self._run_queue()

    # Time

    def set_playhead(self, time: int) -> None:
        """Show another time [ticks]; playing goes on from there."""
        self.player.seek(time)
        self._put_playhead(time)

    def play(self, direction: int = 1, *, again: bool = False) -> None:
        """Play the document's span, or pause; not while something is dragged, which has its time.

        `again`: go in that direction, twice as fast where it does already."""
        if self.player.playing and not again:
            self.player.pause()
        elif self._gesture is not None and self.yielding is None:
            self.note("note", "Let go of what is dragged, then play.")
        else:
            start, end = play_extent(self.document)
            direction = self.player.faster(direction) if again else direction
            self.player.play(start, end, self.document.rate, self.playhead, direction=direction)

    def pause_on_picture(self) -> None:
        """Stop playing at the time of the picture that was shown last, which the playhead may have left."""
        self.player.pause()
        if self._shown_time is not None:
            self.set_playhead(self._shown_time)

    # Documents and long work

    def new(self) -> None:
        """Begin a new document."""
        self.when_free(lambda: self.begin_with(History(new_scene(), Entry("New document")), None))

    def begin_with(self, history: History, path: Path | None, *, said: str = "", saved: bool = True) -> None:
        """Put another document, with what led to it, in the place of this one; nothing may be open."""
        self.player.pause()
        self.playhead = 0
        self.playhead_moved.emit(0)  # before the rest: whoever looks finds the selection in the document
        old = self.document
        self.file.leave()
        self.history, self.path = history, path
        self.command_log = history.command_log
        self.saved = history.document if saved else None
        self._changed(old)
        self.reaching.forget()
        self.begun.emit()
        self.note("note", said or history.newest.label)
        self.request_picture()

    def bind_skin(self, actor: str, mesh: Path) -> None:
        """Make a mesh file a skin of a figure as it stands now, in a process of its own."""
        if self.binding.running:
            self.note("note", "A mesh is being bound already; wait for it, or cancel it.")
            return
        self.binding.bind(self.document, actor, self.playhead, mesh)

    def cancel_job(self, name: str = "") -> None:
        """End the long work of that name, that which is shown if none is given."""
        name = name or self._shown_job
        if name in self.long_work:
            self.long_work[name]()
        elif self._gesture is not None and name and name == self._underway:
            self.note("note", f"{self._gesture.label} was cancelled")
            self._gesture.cancel()
        else:
            self.engine.cancel_job()

    # The engine

    def is_ready(self, what: str) -> bool:
        """True if the engine is ready; else a note says what it cannot do yet."""
        state = self.engine.state
        if not state.ready:
            self.note("note", f"{what} is not ready yet; waiting for: {state.waiting_for or state.text}")
        return state.ready

    def want_skins(self, wanted: bool) -> None:
        """Put the surfaces that bend into pictures, or leave them out; they cost most of a picture's time."""
        if wanted != self.with_skins:
            self.with_skins = wanted
            self.request_picture()

    def want_balance(self, wanted: bool) -> None:
        """Put the centre of mass of each actor and what it stands on into pictures, or leave them out."""
        if wanted != self._with_balance:
            self._with_balance = wanted
            self.request_picture()

    def want_ghosts(self, wanted: bool) -> None:
        """Put the keyed pose of those that swing into pictures, or leave it out."""
        if wanted != self.with_ghosts:
            self.with_ghosts = wanted
            self.ghosts_changed.emit()
            self.request_picture()

    def request_picture(self) -> None:
        """Ask for a picture of the document; `snapshot_ready` brings it. A gesture that is open asks for its own,
        except of times that it plays on to, or that are looked at while it waits to be kept."""
        if self._closed or (self._preview is not None and not self.player.playing and self.yielding is None):
            return
        document, link = self.shown, self.engine
        evaluator, kept = link.evaluator, link.pictures  # as they are now: until the engine is ready, at rest
        time, (skins, balance, ghosts, rest) = self.playhead, self._view
        if link.lacks(needs_of(document)) and not same_figures(document, self.snapshot):
            link.submit(REST, lambda: picture(None, document, time, skins=False, balance=False), document=None)

        def job() -> Generator[TimedPicture | None, None, None]:
            shown = partial(picture, skins=skins, balance=balance, ghosts=ghosts, rest=rest, pictures=kept)
            return shown(evaluator, document, time)

        link.submit(POSE, job, document=document, after_first_frame=True)

    def note(self, kind: LogKind, text: str, line: str = "") -> None:
        """Write a line into the log."""
        entry = LogEntry(kind=kind, text=text, line=line)
        self.log.append(entry)
        self.logged.emit(entry)

    def close(self) -> bool:
        """End the engine's thread and children; False if one did not end in time. Nothing is answered afterwards."""
        if not self._closed:
            self._closed = True
            self.kept_pictures.close()
            self.player.pause()
            self._queue.clear()
            if self._gesture is not None:
                self._gesture.cancel()
        own = (self.recovering, self.binding, self.baking, self.references, self.sounds, self.engine, self.file)
        ending = (*(each for each in self._states.values() if isinstance(each, Closing)), *own)
        ended = 0
        for each in ending:  # all of them, whatever the first ones say
            try:
                ended += each.close()
            except Exception:
                _log.exception("%s could not be closed", type(each).__name__)
        return ended == len(ending)

    # How it is done

    def _run_queue(self) -> None:
        while self._queue and self._gesture is None:
            self._queue.popleft()()

    def _apply(self, edit: Edit) -> None:
        if edit.may_run_kernels_on(self.document):
            self._apply_on_engine(edit)
            return
        if self._is_frozen(edit):
            return
        try:
            document = edit.apply(self.document)
        except EngineError as problem:
            self.note("error", describe(problem), edit.line)
            return
        if document is not self.document:
            self._commit(document, Entry(edit.label(self.document), edit))
            self.request_picture()

    def _apply_on_engine(self, edit: Edit | AtOnce | Gradual, *, goes_on: bool = False) -> None:
        if goes_on and self.history.redo_entry is not None:
            return
        label = edit.label(self.document)
        if not self._is_frozen(edit) and self.is_ready(label):
            gesture = Gesture(label, ask=self._ask, ended=self._end_gesture)
            gesture.goes_on = goes_on
            gesture.preview(edit)
            gesture.finish()
            self._open_gesture(gesture)

    def _is_frozen(self, command: EditOrCommand) -> bool:
        """True if it would change an actor that is not to be changed by hand; a warning says so."""
        why = refusal(self.document, command)
        if why:
            self.note("warning", why)
        return bool(why)

    def _choose(self, item: Item) -> None:
        if Selection((item,)).within(self.document):
            self.select([item])

    def _commit(self, document: Document, entry: Entry, *, goes_on: bool = False) -> None:
        old, done, keep = self.document, self.history.undo_entry, self.history.add
        is_part = goes_on and done is not None and done.edit is self.command_log[-1] and old is not self.saved
        if is_part and done is not None and done.edit is not None and entry.edit is not None:
            entry, keep = Entry(done.label, both(done.edit, entry.edit)), self.history.put_instead
            self.command_log.pop()
        if entry.edit is not None:
            self.command_log.append(entry.edit)
        if keep(document, entry):
            self.command_log = self.history.command_log
        self._changed(old)
        if not is_part:
            self.note("edit", entry.told, entry.line)
        for text in fallen(old, document):
            self.note("note", text)

    def _go_to(self, position: int) -> None:
        old, was = self.document, self.history.position
        undone, redone = self.history.undo_entry, self.history.redo_entry
        self.history.go_to(position)
        now = self.history.position
        if now == was:
            return
        step = Step("undo", was - now) if now < was else Step("redo", now - was)
        self.command_log.append(step)
        self._changed(old)
        self.request_picture()
        if now == was - 1 and undone is not None:
            self.note("note", f"Undo: {undone.label}", step.line)
        elif now == was + 1 and redone is not None:
            self.note("note", f"Redo: {redone.label}", step.line)
        else:
            self.note("note", f"Back to: {self.history.entries[now].label}", step.line)

    def _changed(self, old: Document) -> None:
        """Tell everyone. Neither the selection nor what is edited has gone by the time they look."""
        self.player.follow(*play_extent(self.document), self.document.rate)
        before, self.selection = self.selection, self.selection.within(self.document)
        edited, self.editing = self.editing, self.editing if self.editing in self.document.actor_index else None
        self.document_changed.emit(old, self.document)
        self.history_changed.emit()
        self.saved_changed.emit(self.path, self.dirty)
        if self.selection != before:
            self.selection_changed.emit(self.selection)
        if self.editing != edited:
            self.editing_changed.emit(None)
            self.request_picture()

    def _open_gesture(self, gesture: Gesture) -> None:
        if gesture.state == "waiting":
            self._gesture = gesture
            gesture.begin()

    def _ask(self, command: EditOrCommand) -> int:
        ticket = self._submit_command(PREVIEW, self.document, self.playhead, command)
        self._views[ticket] = self._view
        return ticket

    def _submit_command(self, key: str, document: Document, time: int, command: EditOrCommand) -> int:
        link, shown, command = self.engine, key == PREVIEW, as_command(self.posing.as_chosen(command))
        skins, balance, ghosts = (each and shown for each in (self.with_skins, self._with_balance, self.with_ghosts))
        rest = self.editing

        def job() -> Generator[TimedPicture | Underway | None, None, None]:
            assert link.evaluator is not None, "a gesture opens only when the engine is ready"
            assert link.reach is not None, "made with the evaluator"
            desk = Desk(link.evaluator, link.reach, time, skins, rest)
            return previewed(desk, document, command, balance=balance, ghosts=ghosts)

        return self.engine.submit(key, job, document=document, after_first_frame=True, needs=command.needs)

    def _end_gesture(self, gesture: Gesture, preview: Preview | None) -> None:
        if gesture is not self._gesture:
            return
        self._show_underway(None)
        shown, self._gesture, self._preview = self._preview, None, None
        self._views.clear()
        self.engine.cancel(PREVIEW)
        if not self._closed:
            if preview is not None and preview.document is not self.document:
                self._commit(preview.document, preview.entry(gesture.label), goes_on=gesture.goes_on)
            elif shown is not None:
                self.preview_changed.emit(self.document)
                self.request_picture()
            self.reaching.ended(gesture)
            self.gesture_ended.emit()
            self._run_queue()

    def _take_answer(self, key: Hashable, frame: PublishedFrame) -> None:
        value = frame.value
        if isinstance(value, TimedPicture) and key == PREVIEW:
            self._take_preview(frame.ticket, value)
        elif isinstance(value, Underway) and self._gesture is not None and self._gesture.asked(frame.ticket):
            self._show_underway(JobState(name=f"{PREVIEW} {frame.ticket}", text=value.text, fraction=value.share))
        elif isinstance(value, TimedPicture) and value.reached is not None:
            self.reaching.take_tried(value.reached)
        elif isinstance(value, TimedPicture) and value.snapshot.document is self.shown:
            self._show(value)

    def _put_playhead(self, time: int) -> None:
        if time != self.playhead:
            self.playhead = time
            self.playhead_moved.emit(time)
            self.request_picture()

    def _take_preview(self, ticket: int, answer: TimedPicture) -> None:
        gesture = self._gesture
        if gesture is None or answer.preview is None or not gesture.asked(ticket) or gesture.has_passed(ticket):
            return
        self._show_underway(None)
        view = self._views.get(ticket)
        self._preview = answer.preview
        self.preview_changed.emit(answer.preview.document)
        self._show(answer)
        goes_on = answer.reached is not None and self.reaching.take(answer.reached)
        gesture.answered(ticket, answer.preview, goes_on=goes_on)
        if answer.snapshot.time != self.playhead or view != self._view:
            self.request_picture()

    @property
    def _view(self) -> View:
        """The choice of what pictures show beside the poses: skins, balance, ghosts, whom at rest."""
        return self.with_skins, self._with_balance, self.with_ghosts, self.editing

    def _take_job(self, job: JobState) -> None:
        self._shown_job = job.name if job.running else ""

    def _show_underway(self, job: JobState | None) -> None:
        if job is not None or self._underway:
            self.job_changed.emit(job or JobState(name=self._underway, text="", running=False))
            self._underway = "" if job is None else job.name

    def _show(self, answer: TimedPicture) -> None:
        snapshot: Snapshot = self.reaching.dressed(answer.snapshot)
        self._shown_time, self.snapshot = snapshot.time, snapshot
        self.player.shown(self.playhead if snapshot.state == "rest" else snapshot.time)  # at rest it is so at any time
        self.snapshot_ready.emit(snapshot)
        self.solved.emit(answer.seconds)

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        text = describe(problem)
        self.note("note" if isinstance(problem, Cancelled) else "error", text)
        if key == POSE:
            self.player.shown(self.playhead)
        elif key == PREVIEW and self._gesture is not None and self._gesture.asked(ticket):
            self._gesture.failed()

    def _take_engine_state(self, state: EngineState) -> None:
        self.engine_changed.emit(state)
        if state.ready and self._methods.question is None:  # for the first time
            self._methods.ask(Question(work=describe_methods))  # first: with the picture drags can be begun
            self.request_picture()

    def _take_methods(self, cards: tuple[Card, ...] | None) -> None:
        if cards is not None:
            self.reaching.take_cards(cards)
