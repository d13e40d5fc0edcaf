"""SequenceLibrary: motions that are kept by name (Welman 1993, 6.1.3): those that come with Sinew, and a person's own.

A sequence is a file `NAME.motion.toml`, shipped or in the folder `sequences` of the user's data folder; its flipbook
stands beside it as `NAME.png`, pictures of its key poses side by side. Only names are looked up at first; a file is
read on the engine's thread when it is put on a figure. What is removed goes to the folder `trash` there and can be
brought back; it is never deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.session.motions import SUFFIX, motions_in, name_of_motion, own_folder, shipped_folder
from app.session.posing import NO_FIGURE, NO_JOINT
from app.session.states import EngineState, JobState
from engine.commands.retarget import RetargetMotion, has_limbs
from engine.commands.sequences import Into, PutSequence
from engine.document import Actor, Clip, Document, Figure, Span
from engine.document.extent import play_extent
from engine.document.motion import ticks_per_frame
from engine.document.pose import partners
from engine.document.values import new_id
from engine.runtime.progress import Pace
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.model.snapshot import Snapshot
    from engine.runtime.worker import PublishedFrame

MIME = "application/x-sinew-sequence"  # the path of one, as it is dragged
FIGURE, PICTURE, TRASH = ".figure.toml", ".png", "trash"
NAMED_AT_MOST = 4
KEEP = "keep sequence"  # the job, as it is shown
TOLD_EVERY = 0.1  # [s] how far it is


@dataclass(frozen=True)
class KeptSequence:
    """One motion of the library."""

    path: Path
    own: bool  # a person's, who may rename and remove it

    @property
    def name(self) -> str:
        """The sequence's name."""
        return name_of_motion(self.path)

    @property
    def picture(self) -> Path:
        """The path of its flipbook, if there is one."""
        return self.path.with_name(self.name + PICTURE)


@dataclass(frozen=True, kw_only=True)
class Manner:
    """The options with which a sequence is put on a figure."""

    into: Into = "layer"
    mirrored: bool = False
    on_selected: bool = False
    runs: int = 1
    ease_in: int = 6  # [frames]
    ease_out: int = 6


@dataclass(frozen=True, eq=False)
class SequenceRead:
    """The contents of a file of the library."""

    path: Path
    clip: Clip


@dataclass(frozen=True, eq=False)
class SequenceKeeping:
    """The progress of a motion that is being kept."""

    path: Path
    share: float


@dataclass(frozen=True, eq=False)
class SequenceKept:
    """A motion was written."""

    path: Path
    clip: Clip
    figure: Figure


@dataclass(frozen=True, eq=False)
class FlipbookPosed:
    """The key poses of a sequence, to be drawn into its flipbook."""

    path: Path
    snapshots: tuple[Snapshot, ...]


class SequenceLibrary(QObject):
    """The session's sequences by name."""

    changed = Signal()
    manner_changed = Signal()
    added = Signal(object)  # KeptSequence that was kept
    job_changed = Signal(object)  # JobState, of a motion that takes long to keep
    keeping_ended = Signal()  # kept or not
    rename_wished = Signal(object)  # KeptSequence, by whoever shows them

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._kept: tuple[KeptSequence, ...] | None = None
        self._clips: dict[Path, Clip] = {}
        self._waiting: dict[Path, list[Callable[[Clip], None]]] = {}
        self._asked: set[Path] = set()  # files whose flipbooks were asked for, whether or not it came to one
        self._behind = False  # flipbooks are to be asked for once the engine is ready
        self._keeping: Path | None = None  # the file that a motion goes to
        self._ticket = 0  # of that work
        self._unwanted = Event()  # set where it was cancelled
        self._told = False  # whether it was said how far that is
        self._removed: list[tuple[Path, Path]] = []  # where each stood, and where it lies now
        self._chosen: Path | None = None
        self.manner = Manner()
        self.photograph: Callable[[Path, tuple[Snapshot, ...], Callable[[], None]], None] | None = None
        session.engine.answered.connect(self._take)
        session.engine.failed.connect(self._take_failure)
        session.engine.state_changed.connect(self._follow_engine)
        self.job_changed.connect(session.job_changed)
        session.long_work[KEEP] = self.cancel

    @property
    def sequences(self) -> tuple[KeptSequence, ...]:
        """All of them by name: those that come with Sinew, then a person's own."""
        if self._kept is None:
            self._kept = (*_listed(shipped_folder(), own=False), *_listed(own_folder(), own=True))
        return self._kept

    @property
    def chosen(self) -> KeptSequence | None:
        """The one that was chosen last, else the first."""
        known = self.sequences
        return next((each for each in known if each.path == self._chosen), known[0] if known else None)

    @property
    def keeping(self) -> bool:
        """True if a motion is being kept."""
        return self._keeping is not None

    @property
    def can_restore(self) -> bool:
        """True if something was removed since the start."""
        return bool(self._removed)

    def choose(self, kept: KeptSequence) -> None:
        """Mean this one from now on."""
        self._chosen = kept.path

    def set_manner(self, manner: Manner) -> None:
        """Put sequences on figures in this way from now on."""
        if manner != self.manner:
            self.manner = manner
            self.manner_changed.emit()

    # Putting them on figures

    def put(
        self, kept: KeptSequence, *, time: int | None = None, actor: str | None = None, manner: Manner | None = None
    ) -> None:
        """Put a sequence on the selected figures, or on one actor, at the playhead or at a time [ticks]."""
        self.choose(kept)
        how, session = manner or self.manner, self._session
        targets = session.posing.targets()
        if actor is not None:
            known = {owner.id: joints for owner, joints in targets}
            targets = [(session.document.actor(actor), known.get(actor))]
        if not targets:
            session.note("warning", NO_FIGURE)
        elif how.on_selected and all(joints is None for _, joints in targets):
            session.note("warning", NO_JOINT)
        else:
            at = session.playhead if time is None else time
            meant = [(owner.id, joints if how.on_selected else None) for owner, joints in targets]
            self._read(kept.path, lambda clip: self._put(kept.path, kept.name, clip, meant, at, how))

    def _put(
        self,
        path: Path,
        name: str,
        clip: Clip,
        meant: Iterable[tuple[str, frozenset[str] | None]],
        time: int,
        how: Manner,
    ) -> None:
        document, session = self._session.document, self._session
        frame = ticks_per_frame(document.rate)
        for id, joints in meant:
            if id not in document.actor_index:
                continue
            missing, fits = lacking(document.actor(id), clip)
            if not fits and has_limbs(document.actor(id).figure):
                said = f"{document.actor(id).name} has joints of other names: {name} is retargeted onto it."
                session.note("note", f"{said} Keys > Retarget says which joint follows which.")
                session.work_out(RetargetMotion(actor=id, path=path, id=new_id("layer"), time=time))
                continue
            if not fits:
                why = f"none of the joints of {name} is found by name"
                session.note("warning", f"{document.actor(id).name} cannot take this sequence: {why}.")
                continue
            if missing:
                shown = ", ".join(missing[:NAMED_AT_MOST])
                more = f" and {len(missing) - NAMED_AT_MOST} more joints" if len(missing) > NAMED_AT_MOST else ""
                session.note("warning", f"{document.actor(id).name} has no {shown}{more}: left out.")
            command = PutSequence(
                actor=id, clip=clip, name=name, id=new_id("layer"), time=time, into=how.into, joints=joints,
                mirrored=how.mirrored, runs=how.runs, ease_in=round(how.ease_in * frame),
                ease_out=round(how.ease_out * frame),
            )  # fmt: skip
            session.work_out(command)

    # Keeping them

    def keep_present(self) -> None:
        """Keep what the active figure, or its selected joints, does while it plays, with a flipbook."""
        session, folder = self._session, own_folder()
        targets = session.posing.targets()
        if not targets:
            session.note("warning", NO_FIGURE)
            return
        if folder is None:
            session.note("error", "There is no folder to keep sequences in: this user has no home folder.")
            return
        if self._keeping is not None:
            session.note("note", "A motion is being kept already; wait for it, or cancel it.")
            return
        if not session.is_ready("Keeping a motion"):
            return
        owner, joints = targets[-1]
        start, end = play_extent(session.document)
        path, document = self._free_path(folder, f"{owner.name} motion"), session.document
        span = Span(start=start, end=end)
        self._keeping = path
        self._unwanted = unwanted = Event()
        self._ticket = session.engine.submit(
            ("sequence", path),
            lambda: self._keep(document, owner, joints, span, path, unwanted),
            document=document,
            needs=("motion",),
        )

    def cancel(self) -> bool:
        """Keep no motion, nor one that was just written; False if none is shown to be kept."""
        path = self._keeping
        if path is None or not self._told:
            return False
        self._unwanted.set()
        self._session.engine.cancel(("sequence", path))
        self._end_keeping()
        self._session.note("note", f"{KeptSequence(path, own=True).name} was not kept: cancelled")
        return True

    def _keep(
        self, document: Document, owner: Actor, joints: frozenset[str] | None, span: Span, path: Path, unwanted: Event
    ) -> Generator[SequenceKept | SequenceKeeping | None, None, None]:
        """Keep a motion, on the engine's thread, in slices."""
        from engine.commands.sequences import keep_sequence

        evaluator = self._session.engine.evaluator
        assert evaluator is not None, "kept once the engine is ready"
        steps, pace = keep_sequence(evaluator, document, owner.id, joints, span, path), Pace(TOLD_EVERY)
        while True:
            try:
                share = next(steps)
            except StopIteration as end:
                try:
                    yield SequenceKept(path, end.value, owner.figure)
                except GeneratorExit:
                    if unwanted.is_set():  # cancelled as it was written
                        _take_back(path)
                    raise
                return
            yield SequenceKeeping(path, share) if pace.due() else None

    def _end_keeping(self) -> None:
        told, self._keeping, self._told = self._told, None, False
        if told:
            self.job_changed.emit(JobState(name=KEEP, text="", running=False))
        self.keeping_ended.emit()

    def rename(self, kept: KeptSequence, name: str) -> None:
        """Give one's own sequence another name; one that is taken gets a number."""
        name = " ".join(name.split())
        if not kept.own or not name or name == kept.name:
            return
        path = self._free_path(kept.path.parent, name)
        if self._move(kept.path, path):
            new = KeptSequence(path, own=True)
            if self._chosen == kept.path:
                self._chosen = path
            self._show([each if each is not kept else new for each in self.sequences])

    def remove(self, kept: KeptSequence) -> None:
        """Put one's own sequence into the trash."""
        if not kept.own:
            return
        trash = self._free_path(kept.path.parent / TRASH, kept.name)
        if self._move(kept.path, trash):
            self._removed.append((kept.path, trash))
            self._show([each for each in self.sequences if each is not kept])
            self._session.note("note", f"Removed the sequence {kept.name} from the library")

    def restore(self) -> None:
        """Bring back what was removed last."""
        if self._removed:
            stood, lies = self._removed[-1]
            path = self._free_path(stood.parent, stood.name.removesuffix(SUFFIX))
            if self._move(lies, path):
                self._removed.pop()
                self._show([*self.sequences, KeptSequence(path, own=True)])

    def draw_missing(self) -> None:
        """Have the flipbooks drawn that one's own sequences lack, of files that were put there by hand: each once."""
        self._behind = not self._session.engine.state.ready
        for kept in () if self._behind else self.sequences:
            if kept.own and kept.path not in self._asked and not kept.picture.exists():
                self._asked.add(kept.path)
                self._read(kept.path, partial(self._ask_for_flipbook, kept.path))

    # Within

    def _read(self, path: Path, then: Callable[[Clip], None]) -> None:
        """Go on with what a file holds; what cannot be read is said."""
        if path in self._clips:
            then(self._clips[path])
            return
        waiting = self._waiting.setdefault(path, [])
        waiting.append(then)
        if len(waiting) == 1:
            self._session.engine.submit(("sequence", path), lambda: _read_on_engine(path), document=None)

    def _take(self, key: Hashable, frame: PublishedFrame) -> None:
        value = frame.value
        if isinstance(value, SequenceRead):
            self._clips[value.path] = value.clip
            for then in self._waiting.pop(value.path, []):
                then(value.clip)
        elif isinstance(value, SequenceKeeping) and self._is_kept_by(frame.ticket):
            self._told, text = True, f"Keeping {KeptSequence(value.path, own=True).name}"
            self.job_changed.emit(JobState(name=KEEP, text=text, fraction=value.share))
        elif isinstance(value, SequenceKept) and not self._is_kept_by(frame.ticket):
            if value.path != self._keeping:  # cancelled as it was written
                _take_back(value.path)
        elif isinstance(value, SequenceKept):
            self._clips[value.path] = value.clip
            self._asked.add(value.path)  # below, with the figure that it is of
            kept = KeptSequence(value.path, own=True)
            self._show([*self.sequences, kept])
            self._session.note("note", f"Kept the motion as {kept.name}")
            self._ask_for_flipbook(value.path, value.clip, figure=value.figure)
            self.added.emit(kept)
            self._end_keeping()
        elif isinstance(value, FlipbookPosed) and self.photograph is not None:
            self.photograph(KeptSequence(value.path, own=True).picture, value.snapshots, self.changed.emit)

    def _take_failure(self, key: Hashable, ticket: int, problem: BaseException) -> None:
        if isinstance(key, tuple) and key[0] == "sequence":
            self._waiting.pop(key[1], None)
            if self._is_kept_by(ticket):
                self._end_keeping()

    def _is_kept_by(self, ticket: int) -> bool:
        """True if the ticket is that of the motion that is being kept."""
        return self._keeping is not None and ticket == self._ticket

    def _ask_for_flipbook(self, path: Path, clip: Clip, *, figure: Figure | None = None) -> None:
        document = self._session.document
        shown = figure or next((actor.figure for actor in document.actors if lacking(actor, clip)[1]), None)
        if shown is None:
            self._asked.discard(path)  # a figure of these joints may come
        else:
            self._session.engine.submit(
                ("flipbook", path), lambda: self._pose(path, clip, shown), document=None, needs=("playing", "motion")
            )

    def _pose(self, path: Path, clip: Clip, figure: Figure) -> Generator[FlipbookPosed | None, None, None]:
        """Pose the pages of a flipbook, on the engine's thread, a pose a step."""
        from engine.commands.sequences import flipbook

        evaluator = self._session.engine.evaluator
        if evaluator is None:
            return
        found: list[Snapshot] = []
        for snapshot in flipbook(evaluator, figure, clip):
            found.append(snapshot)
            yield None
        yield FlipbookPosed(path, tuple(found))

    def _follow_engine(self, state: EngineState) -> None:
        if state.ready and self._behind:
            self.draw_missing()

    def _show(self, kept: Iterable[KeptSequence]) -> None:
        self._kept = tuple(sorted(kept, key=lambda each: (each.own, each.name.casefold())))
        self.changed.emit()

    def _free_path(self, folder: Path, name: str) -> Path:
        """Find a path of that name where neither a motion nor the figure of another stands."""
        plain = "".join(letter if letter.isalnum() or letter in " -_" else "_" for letter in name).strip()[:60]
        plain = plain or "Sequence"
        names = (plain if number == 1 else f"{plain} {number}" for number in range(1, 10_000))
        coming = () if self._keeping is None else (KeptSequence(self._keeping, own=True),)
        taken = {each.name.casefold() for each in (*self.sequences, *coming)}
        free = (
            each
            for each in names
            if each.casefold() not in taken and not any((folder / (each + end)).exists() for end in (SUFFIX, FIGURE))
        )
        return folder / (next(free) + SUFFIX)

    def _move(self, old: Path, new: Path) -> bool:
        """Move a motion and its flipbook; True if it could be moved. Failures are shown with the reason."""
        try:
            new.parent.mkdir(parents=True, exist_ok=True)
            old.replace(new)
        except OSError as problem:
            self._say_unwritten(problem)
            return False
        self._clips.pop(old, None)
        self._asked.discard(new)
        pictures = [KeptSequence(each, own=True).picture for each in (old, new)]
        try:
            if pictures[0].exists():
                pictures[0].replace(pictures[1])
        except OSError as problem:  # the motion has its new place all the same
            self._say_unwritten(problem)
        return True

    def _say_unwritten(self, problem: OSError) -> None:
        why = f"{problem.strerror or problem}: {problem.filename or own_folder()}"
        self._session.note("error", f"The library of sequences could not be written. {why}")


def lacking(actor: Actor, clip: Clip) -> tuple[list[str], bool]:
    """Return the names of joints that a clip moves and an actor has not, each once; and whether it has any of them."""
    partner = partners(actor.figure, clip.names)
    missing = dict.fromkeys(joint for name, joint, _ in clip.names if name not in partner)
    return list(missing), bool(partner)


def with_manner(manner: Manner, **changes: object) -> Manner:
    """Return the manner with some of it changed."""
    return replace(manner, **changes)  # type: ignore[arg-type]


def _read_on_engine(path: Path) -> Generator[SequenceRead, None, None]:
    from engine.commands.sequences import read_sequence

    yield SequenceRead(path, read_sequence(path))


def _take_back(path: Path) -> None:
    """Of a motion that was written just now, and is not wanted."""
    for each in (path, path.with_name(path.name.removesuffix(SUFFIX) + FIGURE)):
        each.unlink(missing_ok=True)


def _listed(folder: Path | None, *, own: bool) -> list[KeptSequence]:
    return [KeptSequence(path, own) for path in motions_in(folder)]
