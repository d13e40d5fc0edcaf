"""Files: New, Open, Save and the questions before changes are lost. Nothing here waits: answers come as signals."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, Signal

from app.features.window import FileKind
from app.session import FileOutcome, Session
from app.session.building import slug
from app.session.filing import SUFFIX, with_suffix
from app.session.recent_files import FolderSeen, look_into
from app.session.references import PICTURE_SUFFIXES, VIDEO_SUFFIXES
from app.session.sounds import SUFFIXES as SOUND_SUFFIXES
from app.shell.file_kinds import (
    FIGURE,
    FIGURE_SUFFIX,
    LOG,
    LOG_SUFFIX,
    PICTURE,
    PROJECT,
    SOUND,
    VIDEO,
    curves,
    film,
    importable,
    mesh,
)
from app.shell.imports import ImportChoice, Imports
from app.shell.projects import Projects
from app.style.export_button import HasCurves
from engine.document import Document

if TYPE_CHECKING:
    from app.session.history import History
    from engine.commands.bring_in import BroughtIn
    from engine.formats.format import Options
    from engine.runtime.worker import PublishedFrame

MOST_AT_ONCE = 50  # files of a folder


class Questions(Protocol):
    """The questions to the person; each answers later by calling back."""

    def which_file(self, folder: Path | None, then: Callable[[Path], None]) -> None:
        """Ask for a file to open."""

    def which_of(self, kind: FileKind, folder: Path | None, then: Callable[[Path], None]) -> None:
        """Ask for a file of a kind to read."""

    def where_to_save(self, kind: FileKind, suggested: Path, then: Callable[[Path], None]) -> None:
        """Ask where to save a file of a kind; the ending says as what."""

    def how_to_import(
        self, path: Path, found: BroughtIn, others: int, then: Callable[[ImportChoice | None], None]
    ) -> None:
        """Ask for what a file does not say; `others` of its kind came with it. None: it is not imported."""

    def how_to_export(
        self, document: Document, actors: Sequence[str], suggested: Path, then: Callable[[Path, Options], None]
    ) -> None:
        """Ask for a format, and where to; not answered if the person would rather not."""

    def workspace_name(self, suggested: str, then: Callable[[str], None]) -> None:
        """Ask for the name of an arrangement of panels; not answered if it is not to be kept."""

    def stop_exports(self, count: int, stop: Callable[[], None]) -> None:
        """Ask before so many exports are ended; not answered if they are to go on."""

    def save_changes(self, name: str, save: Callable[[], None], discard: Callable[[], None]) -> None:
        """Ask before changes are lost: save them, lose them, or stay (then neither is called)."""

    def open_twice(
        self,
        name: str,
        who: str,
        *,
        read_only: Callable[[], None],
        anyway: Callable[[], None],
        cancel: Callable[[], None],
    ) -> None:
        """Ask how to open a project that somebody else has open."""

    def open_sound(self, name: str, then: Callable[[], None]) -> None:
        """Ask before opening what is sound in a damaged file; not answered if it is to be let be."""

    def replace_changed(self, name: str, *, elsewhere: Callable[[], None], replace: Callable[[], None]) -> None:
        """Ask before a file is replaced that is another than it was: save elsewhere, or replace it."""

    def draw_with_processor(self, why: str, then: Callable[[], None]) -> None:
        """Ask whether to start anew, since there is no OpenGL; not answered if it is to stay without a picture."""

    def tell(self, title: str, text: str, lines: Sequence[str]) -> None:
        """Something to read; nothing is answered."""


class Files(QObject):
    """The file commands of one session."""

    used = Signal(object)  # Path that was opened or saved

    def __init__(self, session: Session, questions: Questions) -> None:
        super().__init__()
        self._session = session
        self._questions = questions
        self._named: History | None = None  # of a document that is being written to a file that was asked for
        self._once_named: list[Callable[[], None]] = []
        self.imports = Imports(session, questions)
        self.projects = Projects(session, questions, self)
        session.filed.connect(self._take_outcome)
        session.engine.answered.connect(self._take_folder)

    @property
    def name(self) -> str:
        """The document's name."""
        return self._session.path.stem if self._session.path else "Untitled"

    @property
    def _folder(self) -> Path | None:
        return self._session.path.parent if self._session.path else None

    def beside(self, name: str) -> Path:
        """Return a path beside the document's own, or the name alone."""
        return (self._folder or Path()) / name

    def new(self) -> None:
        """Begin a new document once nothing can be lost."""
        self.when_kept(self._session.new)

    def open_example(self, id: str) -> None:
        """Begin with an example once nothing can be lost."""
        self.when_kept(partial(self._session.exchange.open_example, id))

    def choose_and_open(self) -> None:
        """Ask which file, then open it."""
        self._questions.which_file(self._folder, self.open)

    def choose_and_import(self) -> None:
        """Ask which file joins the document that is open."""
        self._questions.which_of(importable(), self._folder, self.open)

    def open(self, path: Path) -> None:
        """Open a document once nothing can be lost; a file of another format joins the document that is open."""
        self.open_all([path])

    def open_all(self, paths: Sequence[Path]) -> None:
        """Open files that came together, one after the other; of several documents the first, and what folders hold."""
        for folder in (path for path in paths if path.is_dir()):
            self._session.engine.submit(("folder", str(folder)), partial(look_into, folder), document=None)
        files = [path for path in paths if not path.is_dir()]
        documents = [path for path in files if path.suffix.lower() in (SUFFIX, LOG_SUFFIX)]
        if documents:
            self.when_kept(partial(self.projects.open, documents[0]))
        if len(documents) > 1:
            left = _some(documents[1:])
            said = f"One document is open at a time: {documents[0].name} was taken. Open the others after it: {left}."
            self._session.note("warning", said)
        pictures = (*PICTURE_SUFFIXES, *VIDEO_SUFFIXES)
        for path in files:
            if path.suffix.lower() in pictures:
                self._session.references.add(path)
        sounds = [path for path in files if path.suffix.lower() in SOUND_SUFFIXES]
        if sounds:
            self._session.sounds.add(sounds[0])
        if len(sounds) > 1:
            said = f"A scene has one sound: {sounds[0].name} was taken, not {_some(sounds[1:])}."
            self._session.note("warning", said)
        seen = (*pictures, *SOUND_SUFFIXES)
        others = [path for path in files if path not in documents and path.suffix.lower() not in seen]
        if others:
            self.imports.open(others)

    def _take_folder(self, key: Hashable, frame: PublishedFrame) -> None:
        found = frame.value
        if not isinstance(found, FolderSeen):
            return
        name, count = found.folder.name, len(found.files)
        if found.problem:
            self._session.note("error", f"The folder {name} cannot be read: {found.problem}. Drop its files instead.")
        elif not count:
            said = f"The folder {name} holds no file that Sinew reads. Help > File formats lists those that it does."
            self._session.note("warning", said)
        elif count > MOST_AT_ONCE:
            said = f"The folder {name} holds {count} files that Sinew reads. Drop at most {MOST_AT_ONCE} at once."
            self._session.note("warning", said)
        else:
            self.open_all(found.files)

    def export(self, actors: Sequence[str]) -> None:
        """Ask how and where to, then write these actors as another format."""
        document = self._session.document
        stem = _plain(document.actor(actors[0]).name) if len(actors) == 1 else self.name
        self._questions.how_to_export(
            document,
            actors,
            self.beside(stem),
            lambda path, options: self._session.exchange.export(path, actors, options),
        )

    def save_figure(self, actor: str) -> None:
        """Ask where, then write the figure of an actor as text."""
        from engine.formats.format import Options

        name = self._session.document.actor(actor).name
        suggested = self.beside(f"{slug(name)}{FIGURE_SUFFIX}")
        self._questions.where_to_save(
            FIGURE, suggested, lambda path: self._session.exchange.export(_named_figure(path), [actor], Options())
        )

    def export_curves(self, shown: HasCurves, suffix: str) -> None:
        """Ask where, then write the curves that a panel shows: as numbers (.csv, .npz) or as a drawing (.svg)."""
        suggested = self.beside(f"{self.name} {shown.export_name}{suffix}")
        self._questions.where_to_save(
            curves(suffix), suggested, lambda path: shown.write_curves(with_suffix(path, suffix))
        )

    def choose_picture(self) -> None:
        """Ask which picture, then hang it into the views like the active one."""
        self._questions.which_of(PICTURE, self._folder, self._session.references.add)

    def choose_video(self) -> None:
        """Ask which video, then hang it into the views like the active one."""
        self._questions.which_of(VIDEO, self._folder, self._session.references.add)

    def choose_sound(self) -> None:
        """Ask which sound, then let it be heard with the motion."""
        self._questions.which_of(SOUND, self._folder, self._session.sounds.add)

    def choose_motion(self, then: Callable[[Path], None]) -> None:
        """Ask which file of motion is meant."""
        self._questions.which_file(self._folder, then)

    def place_of_pictures(self, suggested: Path, then: Callable[[Path], None]) -> None:
        """Ask where a video or pictures are to be written: the suggested ending says what it is."""
        self._questions.where_to_save(film(suggested.suffix), suggested, then)

    def stop_exports(self, count: int, stop: Callable[[], None]) -> None:
        """Ask whether to end so many exports."""
        self._questions.stop_exports(count, stop)

    def choose_of(self, kind: FileKind, then: Callable[[Path], None]) -> None:
        """Ask which file of a kind is to be read."""
        self._questions.which_of(kind, self._folder, then)

    def place_of(self, kind: FileKind, name: str, then: Callable[[Path], None]) -> None:
        """Ask where a file of a kind is to be written; `name` is suggested, without an ending."""
        usual = next(iter(kind.endings))

        def write(path: Path) -> None:
            then(path if path.suffix.lower() in kind.known else with_suffix(path, usual))

        self._questions.where_to_save(kind, self.beside(f"{name}{usual}"), write)

    def choose_skin(self, actor: str) -> None:
        """Ask which mesh, then bind it to a figure."""
        self._questions.which_of(mesh(), self._folder, lambda path: self._session.bind_skin(actor, path))

    def save(self, then: Callable[[], None] | None = None) -> None:
        """Save, or ask where to if it has no file or one that is open read-only; `then` is called only if it went
        well."""
        if self.waits_for_name(partial(self.save, then)):
            return
        if self._must_ask:
            self.save_as(then)
        else:
            self._save(None, then, careful=True)

    def save_as(self, then: Callable[[], None] | None = None) -> None:
        """Ask where, then save."""
        suggested = self._session.path or Path(f"Untitled{SUFFIX}")
        if self._session.file.protected:
            suggested = suggested.with_stem(f"{suggested.stem} copy")
        self._questions.where_to_save(PROJECT, suggested, lambda path: self._save(with_suffix(path), then))

    def waits_for_name(self, work: Callable[[], None]) -> bool:
        """True if the file that was asked for is being written, so that it need not be asked for again: then this is
        done once it is there, and not if it cannot be written."""
        is_waiting = self._must_ask and self._named is self._session.history
        if is_waiting:
            self._once_named.append(work)
        return is_waiting

    def save_log(self) -> None:
        """Ask where, then write all that was done to this document."""
        suggested = self.beside(f"{self.name}{LOG_SUFFIX}")
        self._questions.where_to_save(LOG, suggested, self._session.exchange.save_log)

    def when_kept(self, then: Callable[[], None]) -> None:
        """Do it at once if nothing would be lost, else after the person has saved or discarded the changes."""
        if not self._session.dirty:
            then()
            return
        self._questions.save_changes(self.name, save=lambda: self.save(then), discard=then)

    def save_over(self, path: Path, then: Callable[[], None] | None) -> None:
        """Save in place of whatever stands there."""
        self._save(path, then)

    @property
    def _must_ask(self) -> bool:
        return self._session.path is None or bool(self._session.file.protected)

    def _save(self, path: Path | None, then: Callable[[], None] | None, *, careful: bool = False) -> None:
        session = self._session
        if self._must_ask and self._named is not session.history:
            self._named, self._once_named = session.history, []
        session.file.save(path, careful=careful, done=partial(self._take_saved, session.history, then))

    def _take_saved(self, history: History, then: Callable[[], None] | None, outcome: FileOutcome) -> None:
        if history is self._named:
            self._named, waiting = None, self._once_named
            if history is self._session.history and outcome.went_well:
                for work in waiting:
                    work()
        if outcome.cause == "changed":
            self.projects.ask_to_replace(outcome.path, then)
        elif outcome.went_well and then is not None:
            self.when_kept(then)  # something may have been done while it was written

    def _take_outcome(self, outcome: FileOutcome) -> None:
        if outcome.went_well and outcome.kind in ("open", "save"):  # else the session's log has said why
            self.used.emit(outcome.path)


def _plain(name: str) -> str:
    """Write a person's name of something as the name of a file, in the folder where it is to be."""
    return (
        "".join("_" if each in '/\\:*?"<>|' or not each.isprintable() else each for each in name).strip(" .") or "Actor"
    )


def _named_figure(path: Path) -> Path:
    """Return the path with the ending of figures, of which a dialogue may have left half."""
    if path.name.endswith(FIGURE_SUFFIX):
        return path
    return path.with_name(path.name.removesuffix(".toml").removesuffix(".figure") + FIGURE_SUFFIX)


def _some(paths: Sequence[Path]) -> str:
    """Return the names of a few files."""
    return ", ".join(path.name for path in paths[:3]) + (", …" if len(paths) > 3 else "")
