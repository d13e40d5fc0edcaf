"""What a test may leave behind: nothing. A photograph before and after, and the difference in words.

Threads and child processes are looked for after every test. Qt's timers and windows after those that asked for Qt:
a timer that runs on fires into the next test, a window that stays keeps its OpenGL context and its document.
"""

import gc
import os
import sys
import threading
import time
import weakref
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer

PATIENCE = float(os.environ.get("SINEW_TEST_PATIENCE", "5"))
MANY = 200_000  # objects
THREADS = "/proc/self/task"

timers_set_aside: list[weakref.ref[object]] = []  # which may be started yet


class Photograph(NamedTuple):
    """Things alive at one moment, by identity; each value says in words what it is."""

    threads: dict[object, str]
    children: dict[object, str]
    timers: dict[object, str]
    windows: dict[object, str]


def photograph(*, with_qt: bool) -> Photograph:
    has_qt = with_qt and "PySide6.QtWidgets" in sys.modules
    return Photograph(
        {(id(thread), thread.name): f"thread {thread.name}" for thread in threading.enumerate()},
        children_of_this_process(),
        running_timers() if has_qt else {},
        top_windows() if has_qt else {},
    )


def set_aside_what_stays(*staying: object) -> None:
    """Modules, compiled kernels and whatever else stays for good: once it is much, collecting garbage and looking for
    timers leave it out, which took two seconds after each test in the end. Timers are remembered, since one that
    stands may be started later. Never while a window is open that is not to stay.
    """
    if len(gc.get_objects()) > MANY and not has_windows_besides(staying):
        gc.collect()
        timers_set_aside[:] = map(weakref.ref, all_timers())
        gc.freeze()


def left_behind(before: Photograph, *, with_qt: bool, patience: float = PATIENCE) -> list[str]:
    """What is new since `before`. Closing takes a moment, so it looks again until nothing is left or patience ends:
    first after what Qt was asked to do, then after garbage was collected, too.
    """
    deadline = time.monotonic() + patience
    is_first = with_qt
    while True:
        after = photograph(with_qt=with_qt)
        found = [what for old, new in zip(before, after, strict=True) for key, what in new.items() if key not in old]
        if not found or time.monotonic() > deadline:
            return found
        if not is_first:
            gc.collect()
            threading.Event().wait(0.02)
        is_first = False
        let_qt_close(with_qt=with_qt)


def let_qt_close(*, with_qt: bool) -> None:
    if with_qt and "PySide6.QtWidgets" in sys.modules:
        from PySide6.QtCore import QCoreApplication, QEvent

        if QCoreApplication.instance() is not None:
            QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
            QCoreApplication.processEvents()


def children_of_this_process() -> dict[object, str]:
    """Child processes by number, zombies left out: those are waited for by whoever holds them. Linux alone. Asked
    twice for every test, so it goes by plain text, which is five times as fast as `Path.glob`.
    """
    found: dict[object, str] = {}
    for thread in os.listdir(THREADS) if os.path.isdir(THREADS) else ():
        for number in _read(f"{THREADS}/{thread}/children").split():
            if _read(f"/proc/{number}/stat").rpartition(") ")[2][:1] not in ("", "Z"):
                words = _read(f"/proc/{number}/cmdline").replace("\0", " ").strip()  # none as it starts
                found[int(number)] = f"child process {number}: {words[:300]}"
    return found


def _read(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:  # It has ended since it was listed.
        return ""


def running_timers() -> dict[object, str]:
    from PySide6.QtCore import QTimer

    def say(timer: QTimer) -> str:
        kind = "single-shot" if timer.isSingleShot() else "repeating"
        return f"{kind} QTimer of {timer.interval()} ms, parent {type(timer.parent()).__name__}"

    return {address(timer): say(timer) for timer in all_timers() if is_alive(timer) and timer.isActive()}


def all_timers() -> "list[QTimer]":
    """Those that Python knows, also those that were set aside."""
    from PySide6.QtCore import QTimer

    kinds = set(kinds_of(QTimer))  # `isinstance` would take five times as long
    kept = [timer for timer in (each() for each in timers_set_aside) if isinstance(timer, QTimer)]
    return [*kept, *(thing for thing in gc.get_objects() if type(thing) in kinds)]


def kinds_of(kind: type[object]) -> Iterator[type[object]]:
    """The class and all that inherit from it."""
    yield kind
    below: list[type[object]] = kind.__subclasses__()
    for each in below:
        yield from kinds_of(each)


def top_windows() -> dict[object, str]:
    """All but lists of choices, which Qt makes for a box when it likes and takes along with it."""
    from PySide6.QtWidgets import QApplication, QComboBox

    if not isinstance(QApplication.instance(), QApplication):
        return {}
    return {
        address(widget): f"top-level {type(widget).__name__} '{widget.objectName() or widget.windowTitle()}'"
        for widget in QApplication.topLevelWidgets()
        if is_alive(widget) and not isinstance(widget.parent(), QComboBox)
    }


def has_windows_besides(staying: Collection[object]) -> bool:
    """Whether another than these is open; menus and lists of choices belong to one."""
    from PySide6.QtWidgets import QApplication

    opened = QApplication.topLevelWidgets() if isinstance(QApplication.instance(), QApplication) else []
    return any(widget.parent() is None and widget not in staying for widget in opened)


def is_alive(thing: object) -> bool:
    import shiboken6

    return bool(shiboken6.isValid(thing))


def address(thing: object) -> object:
    """Of the C++ object: Python may wrap the same one anew each time it is asked for."""
    import shiboken6

    if not isinstance(thing, shiboken6.Object):
        raise TypeError(f"{type(thing).__name__} is not a C++ object")
    return shiboken6.getCppPointer(thing)


def has_screen() -> bool:
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
