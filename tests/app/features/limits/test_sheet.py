"""The sheet that asks what limits are built of."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.features.limits.sheet import LimitsSheet
from tests.app.session.held import Held

pytestmark = pytest.mark.gui


def test_motions_of_the_library_are_listed_as_clips(
    held: Held, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SINEW_DATA", str(tmp_path))
    own = tmp_path / "sequences" / "Mine.motion.toml"
    own.parent.mkdir()
    own.write_text("name = ")
    parent = QWidget()
    qtbot.addWidget(parent)
    sheet = LimitsSheet(parent, held.session, held.session.document.actor("human"), lambda then: None)
    rows = {sheet.clips.item(row).text(): sheet.clips.item(row) for row in range(sheet.clips.count())}
    assert {"Walk", "Wave", "Mine"} <= rows.keys()
    assert not sheet.command.files, "none is meant until it is ticked"
    rows["Mine"].setCheckState(Qt.CheckState.Checked)
    assert list(sheet.command.files) == [own]
    assert sheet.buttons.button(sheet.buttons.StandardButton.Ok).isEnabled()
