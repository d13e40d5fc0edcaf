"""The mouse pointer stands in the same place as each test begins, wherever the one before has left it: in the lower
right corner of the screen, beside all windows, or where a shuffled run wants it. It tells of what it lies over by
events of its own, which no test asks for.
"""

from __future__ import annotations

import os
import sys

from tests.chance import Shares

WHERE = "SINEW_TEST_POINTER"  # shares of the screen
CORNER: Shares = (1.0, 1.0)


def want_pointer(place: Shares | None) -> None:
    """For the tests to come; None for where it usually stands."""
    if place is None:
        os.environ.pop(WHERE, None)
    else:
        os.environ[WHERE] = "{} {}".format(*place)


def put_pointer() -> None:
    """Where it is wanted, on the virtual screen of Linux; elsewhere somebody has it in hand."""
    from PySide6.QtCore import QCoreApplication, QPoint
    from PySide6.QtGui import QCursor, QGuiApplication

    if not sys.platform.startswith("linux"):
        return
    screen = QGuiApplication.primaryScreen().geometry()
    across, down = map(float, os.environ[WHERE].split()) if WHERE in os.environ else CORNER
    x = screen.x() + min(int(across * screen.width()), screen.width() - 1)
    y = screen.y() + min(int(down * screen.height()), screen.height() - 1)
    if QCursor.pos() != QPoint(x, y):
        QCursor.setPos(x, y)
        QCursor.pos()  # the answer comes after the events of the way, which are not to reach the test
        QCoreApplication.processEvents()
