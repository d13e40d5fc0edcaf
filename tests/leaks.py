"""What a test may leave behind: nothing. A photograph before and after, and the difference in words.

Threads and child processes are looked for after every test. Qt's timers and windows after those that asked for Qt:
a timer that runs on fires into the next test, a window that stays keeps its OpenGL context and its document.
"""

import gc
import os
import sys
import threading
import time
from collections.abc import Collection
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakSet

if TYPE_CHECKING:
    from PySide6.QtCore import QTimer

PATIENCE = float(os.environ.get("SINEW_TEST_PATIENCE", "120"))
MANY = 200_000  # objects
TURNS = 2  # of Qt's loop before garbage is collected, which takes 40 ms beside an open window
EVERY = 16  # test that asks for Qt, since counting objects takes milliseconds
THREADS = "/proc/self/task"

_asked = count()
timers: "WeakSet[QTimer]" = WeakSet()  # that Python has made since they are watched


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
    """Modules, compiled kernels and whatever else stays for good: once it is much, collecting garbage leaves it out.
    Never while a window is open that is not to stay.
    """
    if next(_asked) % EVERY == 0 and len(gc.get_objects()) > MANY and not has_windows_besides(staying):
        gc.collect()
        gc.freeze()


def watch_timers() -> None:
    """Remember each timer that Python makes from now on. To look for them among all objects took 10 ms, twice in each
    test.
    """
    from PySide6.QtCore import QTimer

    make = QTimer.__init__

    def remember(timer: QTimer, *arguments: Any, **named: Any) -> None:
        make(timer, *arguments, **named)
        timers.add(timer)

    QTimer.__init__ = remember  # type: ignore[method-assign]


def left_behind(before: Photograph, *, with_qt: bool, patience: float = PATIENCE) -> list[str]:
    """What is new since `before`. Closing takes a moment, so it looks again until nothing is left or patience ends:
    first after what Qt was asked to do, and what that asked for, then after garbage was collected, too.
    """
    deadline = time.monotonic() + patience
    for looked in count():
        after = photograph(with_qt=with_qt)
        found = [what for old, new in zip(before, after, strict=True) for key, what in new.items() if key not in old]
        if not found or time.monotonic() > deadline:
            return found
        if looked >= TURNS or not with_qt:
            gc.collect()
            threading.Event().wait(0.02)
        let_qt_close(with_qt=with_qt)
    raise AssertionError("counting has no end")


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
    def say(timer: "QTimer") -> str:
        kind = "single-shot" if timer.isSingleShot() else "repeating"
        return f"{kind} QTimer of {timer.interval()} ms, parent {type(timer.parent()).__name__}"

    if not timers:
        return {}
    from shiboken6 import isValid

    return {address(timer): say(timer) for timer in timers if isValid(timer) and timer.isActive()}


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
