"""PoseLibrary: poses that are kept by name, with a picture each: those that come with Sinew, and a person's own.

A pose of one's own is a file `NAME.pose.toml` in the folder `poses` of the user's data folder, its picture beside it as
`NAME.png`; files put there by hand are found with the next start. What is removed goes to the folder `trash` there and
can be brought back; it is never deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.document.pose import Pose, place_of, pose_of, read_pose
from engine.runtime.errors import EngineError
from engine.runtime.folders import write_whole
from engine.runtime.places import DATA
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.session.session import Session

SUFFIX, PICTURE, FOLDER, TRASH = ".pose.toml", ".png", "poses", "trash"


@dataclass(frozen=True)
class KeptPose:
    """One pose of the library."""

    pose: Pose
    path: Path
    own: bool  # a person's, who may rename and remove it

    @property
    def name(self) -> str:
        """The pose's name."""
        return self.pose.name

    @property
    def picture(self) -> Path:
        """The path of its picture, if there is one."""
        return self.path.with_name(self.path.name.removesuffix(SUFFIX) + PICTURE)


class PoseLibrary(QObject):
    """The session's poses by name; read when they are first asked for."""

    changed = Signal()
    added = Signal(object)  # KeptPose that was saved

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._kept: tuple[KeptPose, ...] | None = None
        self._removed: list[tuple[Path, Path]] = []  # where each stood, and where it lies now
        self.photograph: Callable[[str, Path], None] | None = None  # an actor as it is seen, into a file

    @property
    def poses(self) -> tuple[KeptPose, ...]:
        """All of them by name: those that come with Sinew, then a person's own."""
        if self._kept is None:
            shipped = Path(str(files("resources"))) / FOLDER
            own = self._folder()
            self._kept = (*self._read(shipped, own=False), *(self._read(own, own=True) if own is not None else ()))
        return self._kept

    @property
    def can_restore(self) -> bool:
        """True if something was removed since the start."""
        return bool(self._removed)

    def save_present(self) -> None:
        """Keep the pose that is seen of the active figure, or of its selected joints, with a picture.

        Where a figure stands on the floor and which way it faces is no part of it.
        """
        targets = self._session.posing.targets()
        if not targets:
            return
        owner, joints = targets[-1]

        def seen() -> None:
            values = self._session.posing.seen(owner.id)
            kept = {name: value for name, value in values.items() if name not in place_of(owner.figure)}
            pose = pose_of(owner.figure, kept, name=self._free_name("Pose"), joints=joints)
            if pose.names:
                self._add(pose, owner.id)
            else:
                self._session.note("warning", f"What is selected of {owner.name} has no degree of freedom to keep.")

        self._session.posing.when_seen(seen)

    def rename(self, kept: KeptPose, name: str) -> None:
        """Give one's own pose another name; one that is taken gets a number."""
        name = " ".join(name.split())
        if not kept.own or not name or name == kept.pose.name:
            return
        renamed = replace(kept.pose, name=self._free_name(name, but=kept))
        path = self._free_path(kept.path.parent, renamed.name)
        new = KeptPose(renamed, path, own=True)
        if self._tried(lambda: write_whole(path, renamed.to_toml().encode())):
            if kept.picture.exists():
                self._tried(lambda: kept.picture.replace(new.picture))
            self._tried(kept.path.unlink)
            self._put([each if each is not kept else new for each in self.poses])

    def remove(self, kept: KeptPose) -> None:
        """Put one's own pose into the trash."""
        if not kept.own:
            return
        trash = self._free_path(kept.path.parent / TRASH, kept.path.name.removesuffix(SUFFIX))
        if self._move(kept.path, trash):
            self._removed.append((kept.path, trash))
            self._put([each for each in self.poses if each is not kept])
            self._session.note("note", f"Removed the pose {kept.pose.name} from the library")

    def restore(self) -> None:
        """Bring back what was removed last."""
        if self._removed:
            stood, lies = self._removed.pop()
            path = self._free_path(stood.parent, stood.name.removesuffix(SUFFIX))
            if self._move(lies, path):
                self._put([*self.poses, *self._read_files([path], own=True)])

    def _add(self, pose: Pose, actor: str) -> None:
        folder = self._folder()
        if folder is None:
            self._session.note("error", "There is no folder to keep poses in: this user has no home folder.")
            return
        kept = KeptPose(pose, self._free_path(folder, pose.name), own=True)
        if not self._tried(lambda: write_whole(kept.path, pose.to_toml().encode())):
            return
        photograph = self.photograph
        if photograph is not None:
            self._tried(lambda: photograph(actor, kept.picture))
        self._put([*self.poses, kept])
        self._session.note("note", f"Saved the pose as {pose.name}")
        self.added.emit(kept)

    def _put(self, poses: Iterable[KeptPose]) -> None:
        self._kept = tuple(sorted(poses, key=lambda each: (each.own, each.pose.name.casefold())))
        self.changed.emit()

    def _folder(self) -> Path | None:
        folder = DATA.folder()
        return None if folder is None else folder / FOLDER

    def _read(self, folder: Path, *, own: bool) -> list[KeptPose]:
        try:
            paths = sorted(folder.glob(f"*{SUFFIX}"))
        except OSError:
            return []
        return sorted(self._read_files(paths, own=own), key=lambda each: each.pose.name.casefold())

    def _read_files(self, paths: Iterable[Path], *, own: bool) -> list[KeptPose]:
        found = []
        for path in paths:
            try:
                found.append(KeptPose(read_pose(path.read_text(encoding="utf-8"), path.name), path, own))
            except (OSError, UnicodeDecodeError, EngineError) as problem:
                self._session.note("warning", f"The pose {path.name} was left out of the library: {problem}")
        return found

    def _free_name(self, name: str, *, but: KeptPose | None = None) -> str:
        taken = {each.pose.name.casefold() for each in self.poses if each is not but}
        names = (name if number == 1 else f"{name} {number}" for number in range(1, len(taken) + 2))
        return next(each for each in names if each.casefold() not in taken)

    def _free_path(self, folder: Path, name: str) -> Path:
        plain = (
            "".join(letter if letter.isalnum() or letter in " -_" else "_" for letter in name).strip()[:60] or "pose"
        )
        paths = (folder / f"{plain}{'' if number == 1 else f' {number}'}{SUFFIX}" for number in range(1, 10_000))
        return next(each for each in paths if not each.exists())

    def _move(self, old: Path, new: Path) -> bool:
        def move() -> None:
            new.parent.mkdir(parents=True, exist_ok=True)
            old.replace(new)
            pictures = [each.with_name(each.name.removesuffix(SUFFIX) + PICTURE) for each in (old, new)]
            if pictures[0].exists():
                pictures[0].replace(pictures[1])

        return self._tried(move)

    def _tried(self, work: Callable[[], object]) -> bool:
        """Do some work on the files; True if it went well, else a message says why not."""
        try:
            work()
        except OSError as problem:
            why = f"{problem.strerror or problem}: {problem.filename or self._folder()}"
            self._session.note("error", f"The pose library could not be written. {why}")
            return False
        return True
