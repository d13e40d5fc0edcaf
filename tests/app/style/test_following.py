"""A panel that follows what it shows only while it is seen."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.style.following import Following

pytestmark = pytest.mark.gui


class Counting(Following):
    count = 0

    def refresh(self) -> None:
        self.count += 1


def test_it_is_brought_up_to_date_at_once_while_it_is_seen_and_once_when_it_is_seen_again(qtbot: QtBot) -> None:
    panel = Counting()
    qtbot.addWidget(panel)
    panel.follow()
    assert panel.count == 1
    panel.set_seen(False)
    panel.follow()
    panel.follow()
    assert panel.count == 1
    panel.set_seen(True)
    assert panel.count == 2
    panel.set_seen(False)
    panel.set_seen(True)
    assert panel.count == 2
