"""Rows of tools that take as many lines as they need."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMargins, QPoint
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.style.wrapping_row import WrappingRow

pytestmark = pytest.mark.gui


@pytest.mark.parametrize(
    ("width", "places"),
    [
        (500, [(8, 3), (68, 3), (128, 3), (442, 3)]),  # the last one stands at the end
        (200, [(8, 3), (68, 3), (128, 3), (142, 28)]),
        (130, [(8, 3), (68, 3), (8, 28), (72, 28)]),
        (70, [(8, 3), (8, 28), (8, 53), (12, 78)]),
    ],
)
def test_groups_go_on_in_the_next_line_where_there_is_no_room(
    qtbot: QtBot, width: int, places: list[tuple[int, int]]
) -> None:
    panel, groups = QWidget(), [QWidget() for _ in range(4)]
    qtbot.addWidget(panel)
    row = WrappingRow(gap=10, margins=QMargins(8, 3, 8, 3))
    for group in groups:
        group.setFixedSize(50, 20)
        row.add_group(group, at_end=group is groups[-1])
    panel.setLayout(row)
    panel.resize(width, row.heightForWidth(width))
    row.activate()
    assert [(at.x(), at.y()) for at in (group.mapTo(panel, QPoint(0, 0)) for group in groups)] == places
    assert row.heightForWidth(width) == places[-1][1] + 20 + 3
    assert (row.minimumSize().width(), row.sizeHint().width()) == (66, 246)
