"""Recovery: what is open is copied by a thread of its own as it is made, so that no end of the program costs more than
the last moment.

A copy is a project file (`copy_file.py`) below the folder of its run (`runs.py`), with the undo list. What is put to it
is written at once if the last write is a quarter of a second ago, else with all that came by then, in one transaction.
What cannot be written is said once, and tried again with all that came since; the work goes on. A copy whose file has
gone or is damaged is said to be lost, and whoever put to it begins another.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue

from engine.document import Document
from engine.edits import Edit
from engine.project import disk, runs
from engine.project.copy_file import Act, CopyFile, LostCopy
from engine.project.past import Past, PastEntry
from engine.project.runs import LeftCopy
from engine.runtime.errors import UnwritableFile
from engine.runtime.quick_dataclass import dataclass

APART = 0.25  # [s] between writes
AGAIN = 2.0  # [s] until what could not be written is tried again


@dataclass(frozen=True)
class WriterReport:
    """A message of the writer to a person; `lost`: a copy that takes nothing any more, while another could."""

    text: str
    is_bad: bool = True
    lost: Copy | None = None


class Copy:
    """The copy of one document that is open. Nothing here waits, and nothing fails."""

    def __init__(self, put: Callable[[Copy, Act], None]) -> None:
        self._put = put

    def commit(self, label: str, edit: Edit | None, document: Document) -> None:
        """A change was made; those that were undone before are gone."""
        self._put(self, lambda file: file.commit(label, edit, document))

    def extend(self, past: Past) -> None:
        """The undo list goes farther back than it was known to; it ends as it did."""
        self._put(self, lambda file: file.extend(past))

    def step(self, position: int) -> None:
        """Undone or done again: the place of the present line in the undo list."""
        self._put(self, lambda file: file.step(position))

    def saved(self, path: Path | None, name: str, position: int | None) -> None:
        """The document at that place of the undo list is in a file now; None: one that is not there any more."""
        self._put(self, lambda file: file.saved(path, name, position))

    def picture(self, png: bytes) -> None:
        """Write a picture of the document."""
        self._put(self, lambda file: file.picture(png))

    def replaces(self, left: LeftCopy) -> None:
        """Go on with another copy, which is offered no more once this one is written."""
        self._put(self, lambda file: file.after.append(lambda: left.mark("recovered")))

    def close(self, *, kept: bool, offered: bool = False) -> None:
        """Close the copy, as its document is closed. One that is not `kept` is removed; one that is `offered` looks as
        after a crash."""
        self._put(self, lambda file: file.close(kept=kept, offered=offered))


class RecoveryRun:
    """One run of the program. The thread keeps the process alive until `end`, so that no write is cut off."""

    def __init__(self, folder: Path, *, tell: Callable[[WriterReport], None], days: float, size: int) -> None:
        self._folder, self._tell, self._days, self._size = folder, tell, days, size
        self._queue: SimpleQueue[tuple[Copy, Act] | None] = SimpleQueue()
        self._waiting: dict[Copy, list[Act]] = {}
        self._files: dict[Copy, CopyFile | None] = {}  # None: one that takes nothing any more
        self._place: tuple[Path, int] | None = None  # the run's folder and its lock
        self._is_failing = self._has_ended = False
        self._thread = threading.Thread(target=self._write, name="recovery", daemon=False)
        self._thread.start()

    def open(
        self, name: str, path: Path | None, document: Document, past: Past | None = None, *, unsaved: bool = False
    ) -> Copy:
        """A copy of a document that was opened or begun, which is written even if nothing more is done."""
        copy = Copy(lambda to, act: self._queue.put((to, act)))
        begun = past or Past((PastEntry(name, None, document),), 0)
        self._queue.put((copy, lambda file: file.begin(name, path, begun, unsaved=unsaved)))
        return copy

    def end(self, timeout: float | None = None) -> bool:
        """Write what is there and end the thread; False if it does not within `timeout` [s]."""
        if not self._has_ended:
            self._has_ended = True
            self._queue.put(None)
        self._thread.join(timeout)
        return not self._thread.is_alive()

    # On the writer's thread

    def _write(self) -> None:
        self._try(self._begin)
        last, goes_on = float("-inf"), True
        while goes_on:
            goes_on = self._gather(last)
            last = time.monotonic()
            self._try(self._settle)
        for file in self._files.values():
            if file is not None:
                file.release()
        if self._place is not None:
            runs.release(*self._place)
            runs.tidy(self._place[0])

    def _gather(self, last: float) -> bool:
        """Take what came; what comes soon after a write waits for what else comes by then. False after the last."""
        until = last + (AGAIN if self._is_failing else APART)
        while True:
            wait = max(until - time.monotonic(), 0.0) if self._waiting else None
            try:
                taken = self._queue.get(timeout=wait)
            except Empty:
                return True
            if taken is None:
                return False
            copy, act = taken
            if self._files.get(copy, copy) is not None:
                self._waiting.setdefault(copy, []).append(act)
            if self._waiting and time.monotonic() >= until:
                return True

    def _say(self, report: WriterReport) -> None:
        with suppress(RuntimeError):  # the window has gone, while what is behind is still written
            self._tell(report)

    def _try(self, work: Callable[[], None]) -> None:
        """Do one piece of work; report its failure once, and once that it works again."""
        try:
            work()
        except Exception as error:  # whatever it is, the thread goes on
            if not self._is_failing:
                self._is_failing = True
                failure = disk.unwritable(self._folder, error) if isinstance(error, OSError) else error
                why = f"{failure.found}. {failure.remedy}" if isinstance(failure, UnwritableFile) else f"{failure!r}."
                said = f"Recovery copies cannot be written to {self._folder}: {why} It is tried again and again."
                self._say(WriterReport(said))
        else:
            if self._is_failing:
                self._is_failing = False
                self._say(WriterReport("Recovery copies are written again.", is_bad=False))

    def _begin(self) -> None:
        """A folder for this run; a lock on it; what is old goes."""
        self._place = runs.make_run(self._folder)
        runs.prune(self._folder, self._days, self._size)

    def _settle(self) -> None:
        """Write what waits; what fails stays, and the first of it is raised after the others were written."""
        if self._place is not None and not self._place[0].is_dir():
            runs.release(*self._place)
            self._place = None
        if self._place is None:
            self._place = runs.make_run(self._folder)
        problem: UnwritableFile | None = None
        has_closed = False
        for copy, acts in list(self._waiting.items()):
            file = self._files.get(copy)
            if file is None:
                file = self._files[copy] = CopyFile(self._place[0] / f"{len(self._files) + 1}{runs.SUFFIX}")
            try:
                file.take(acts)
            except UnwritableFile as error:
                problem = problem or error
                continue
            except LostCopy as error:
                self._lose(copy, WriterReport(str(error), lost=copy))
            except Exception as error:  # whatever it is, the other copies go on
                self._lose(copy, WriterReport(f"No recovery copy can be kept of what is open: {error}. Save it often."))
            del self._waiting[copy]
            for said in file.said:
                self._say(WriterReport(said))
            file.said.clear()
            if not file.is_open:
                self._files[copy] = None
                has_closed = True
        if has_closed:
            runs.prune(self._folder, self._days, self._size)
        if problem is not None:
            raise problem

    def _lose(self, copy: Copy, report: WriterReport) -> None:
        file, self._files[copy] = self._files[copy], None
        if file is not None:
            file.release()
        self._say(report)


def begin_run(
    folder: Path,
    *,
    tell: Callable[[WriterReport], None] = lambda report: None,
    days: float = 14,
    size: int = 1_000_000_000,
) -> RecoveryRun:
    """Keep copies below that folder; what is there from before goes when it is older, or more, than that."""
    return RecoveryRun(folder, tell=tell, days=days, size=size)
