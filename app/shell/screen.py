"""What must be there before Qt may start, looked at first, because Qt itself ends the process with a long complaint."""

from __future__ import annotations

import ctypes
import os
import sys

LINUX = sys.platform.startswith("linux")


def missing_screen() -> str:
    """Why no window can be opened here, in one line; empty when one can."""
    if not LINUX or os.environ.get("QT_QPA_PLATFORM"):
        return ""
    display, wayland = os.environ.get("DISPLAY"), os.environ.get("WAYLAND_DISPLAY")
    if not display and not wayland:
        return (
            "there is no screen: neither DISPLAY nor WAYLAND_DISPLAY is set. Start it from a desktop, "
            "or on a virtual screen: xvfb-run -a sinew"
        )
    if display and not wayland and not _answers():
        return f"the screen DISPLAY={display} does not answer. Check that it runs and that you may use it"
    return ""


def missing_libraries() -> str:
    """Which of Qt's own needs is not installed, in one line; empty when all is there."""
    try:
        from PySide6 import QtWidgets  # noqa: F401
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


REMEDY = (
    "`python3 start.py` installs what is missing; on Debian and Ubuntu by hand: sudo apt-get install libgl1 libegl1 "
    "libglib2.0-0 libdbus-1-3 libfontconfig1 libxkbcommon-x11-0 libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 "
    "libxcb-shape0"
)


def _answers() -> bool:
    """Whether the X server can be reached; True if that cannot be found out, for then Qt shall try."""
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
