"""What tests of simulated actors in the window share: go to a time, click a widget, wait for what comes of it."""

from __future__ import annotations

from typing import TypeVar

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QWidget

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from tests.stage import Stage

PanelT = TypeVar("PanelT", bound=QWidget)


def shown_panel(opened: Stage, action: str, kind: type[PanelT]) -> PanelT:
    """Show a dock by its action, NAME.show; its panel."""
    opened.window.menus.actions[action].trigger()
    found = opened.window.docks[action.partition(".")[0]].widget()
    assert isinstance(found, kind)
    opened.until(found.isVisible)
    return found


def go_to(opened: Stage, seconds: float) -> None:
    """Move the playhead, and wait until that time is seen."""
    time = round(seconds * SECOND)
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    opened.settle()


def click(widget: QWidget) -> None:
    """Click the middle of a widget, of a box the tick."""
    place = QPoint(8, widget.height() // 2) if isinstance(widget, QCheckBox) else widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


def changed(opened: Stage, before: Document) -> Document:
    """Wait until the document is another one, and nothing is under way; the document."""
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    opened.settle()
    return opened.session.document
