"""What a shuffled run leaves to chance: the order of its files, and where the mouse pointer stands as each begins.

Files of tests share a process, its window and its screen, so that each finds what those before it have loaded and
where they left the pointer. The usual order hides a test that hangs on that; `start.py test --shuffle SEED` does not.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping, Sequence
from random import Random

from start import SCREEN
from tests.plan import Task


def shuffled(tasks: Sequence[Task], seed: int) -> list[Task]:
    """Checks first, as ever; then the files in an order that follows from the seed."""
    files = [task for task in tasks if task.kind is not None]
    Random(seed).shuffle(files)
    return [task for task in tasks if task.kind is None] + files


def place_of_pointer(file: str, seed: int) -> tuple[int, int]:
    """Somewhere on the screen [pixels] for a file; half of the places lie where windows usually stand."""
    chance = Random(f"{seed} {file}")
    width, height = map(int, SCREEN.split("x")[:2])
    share = chance.choice((0.5, 1.0))
    return chance.randrange(round(width * share)), chance.randrange(round(height * share))


def put_pointer(place: tuple[int, int], screen: Mapping[str, str]) -> None:
    """Move it on a virtual screen. A screen that somebody sits at is left alone."""
    if not (sys.platform.startswith("linux") and screen.get("DISPLAY")):
        return
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = x11.XDefaultRootWindow.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.argtypes = x11.XCloseDisplay.argtypes = (ctypes.c_void_p,)
    x11.XWarpPointer.argtypes = (
        *(ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p),
        *(ctypes.c_int, ctypes.c_int, ctypes.c_uint, ctypes.c_uint, ctypes.c_int, ctypes.c_int),
    )
    display = x11.XOpenDisplay(screen["DISPLAY"].encode())
    if not display:
        raise OSError(f"the screen {screen['DISPLAY']} does not answer")
    x11.XWarpPointer(display, 0, x11.XDefaultRootWindow(display), 0, 0, 0, 0, *place)
    x11.XCloseDisplay(display)  # what was asked for is sent first
