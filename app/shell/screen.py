"""Requirements of Qt, checked before it starts, because Qt itself ends the process with a long complaint."""

from __future__ import annotations

import builtins
import ctypes
import os
import socket
import sys
from importlib.util import find_spec
from pathlib import Path

LINUX = sys.platform.startswith("linux")


PARTS = ("PySide6", "shiboken6", "vispy", "OpenGL", "imageio_ffmpeg")


def missing_parts() -> str:
    """Name the packages of the window that are not installed, in one line; empty when all are."""
    missing = [name for name in PARTS if find_spec(name) is None]
    if not missing:
        return ""
    how = "Install them from Sinew's folder: pip install '.[app]'; or start it with `python3 start.py`"
    return f"the parts that draw are not installed: {', '.join(missing)}. {how}"


def missing_screen() -> str:
    """Say why no window can be opened here, in one line; empty when one can."""
    platform = os.environ.get("QT_QPA_PLATFORM", "")
    if not LINUX or platform not in ("", "xcb"):
        return ""
    display = os.environ.get("DISPLAY")
    wayland = "" if platform == "xcb" else os.environ.get("WAYLAND_DISPLAY")
    if (display and _x_answers()) or (wayland and _wayland_answers(wayland)):
        return ""
    if not display and not wayland:
        return (
            "there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it from a desktop, "
            "or on a virtual screen: xvfb-run -a sinew"
        )
    name = f"DISPLAY={display}" if display else f"WAYLAND_DISPLAY={wayland}"
    return f"the screen {name} does not answer. Check that it runs and that you may use it"


def missing_libraries() -> str:
    """Name those of Qt's own needs that are not installed, in one line; empty when all is there."""
    try:
        load_qt()
        from PySide6.QtCore import QLibraryInfo
    except ImportError as problem:
        return f"Qt cannot be loaded: {problem}. {REMEDY}"
    if not LINUX or os.environ.get("WAYLAND_DISPLAY") or os.environ.get("QT_QPA_PLATFORM", "xcb") != "xcb":
        return ""
    folder = QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)
    try:
        ctypes.CDLL(f"{folder}/platforms/libqxcb.so")
    except OSError as problem:
        return f"Qt's window plugin cannot be loaded: {problem}. {REMEDY}"
    return ""


def load_qt() -> None:
    """Import Qt, and leave Python its own `import`.

    PySide puts another in its place, which reads the source of every module that is imported from then on, to find out
    whether it asks for PySide's other spelling of names (`__feature__`), which none here does: a tenth of a start.
    """
    own = builtins.__import__
    try:
        from PySide6 import QtWidgets  # noqa: F401
    finally:
        builtins.__import__ = own


REMEDY = (
    "`python3 start.py` installs what is missing; on Debian and Ubuntu by hand: sudo apt-get install libgl1 libegl1 "
    "libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 "
    "libxcb-shape0"
)


def _x_answers() -> bool:
    """True if the X server can be reached, or if that cannot be found out, for then Qt shall try."""
    try:
        xcb = ctypes.CDLL("libxcb.so.1")
    except OSError:
        return True
    xcb.xcb_connect.restype = ctypes.c_void_p
    xcb.xcb_connect.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
    xcb.xcb_connection_has_error.argtypes = [ctypes.c_void_p]
    xcb.xcb_disconnect.argtypes = [ctypes.c_void_p]
    connection = xcb.xcb_connect(None, None)
    reached = not xcb.xcb_connection_has_error(connection)
    xcb.xcb_disconnect(connection)
    return reached


def _wayland_answers(name: str) -> bool:
    """True if the Wayland socket can be reached: `name` in the folder of running things, or a whole path."""
    with socket.socket(socket.AF_UNIX) as link:
        try:
            link.connect(str(Path(os.environ.get("XDG_RUNTIME_DIR", "/"), name)))
        except OSError:
            return False
    return True
