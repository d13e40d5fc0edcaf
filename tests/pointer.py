"""The mouse is the same as each test begins, however the one before has left it.

Its pointer stands in the lower right corner of the screen, beside all windows, or where a shuffled run wants it: it
tells of what it lies over by events of its own, which no test asks for. Its buttons are up: Qt's double click of a test
ends with the button down, and what waits in the window until it is let go waits for ever.
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


def let_go() -> None:
    """Of what is held down."""
    from PySide6.QtCore import QPoint, Qt
    from PySide6.QtGui import QGuiApplication

    if QGuiApplication.mouseButtons() == Qt.MouseButton.NoButton:
        return
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QWidget

    nobody = QWidget()
    for button in Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton:
        if QGuiApplication.mouseButtons() & button:
            QTest.mouseRelease(nobody, button, pos=QPoint(1, 1))


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
