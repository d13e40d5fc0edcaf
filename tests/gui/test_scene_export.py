"""Whole scenes exported from the real window: USD text and OBJ sequences, over a range, cancelled and refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.session import Item
from app.shell.export_sheet import ExportSheet
from app.shell.file_chooser import FileChooser
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.formats import obj
from engine.formats.format import Options
from tests.engine.formats.scenes import crowd, seen, vertices
from tests.engine.formats.usd_reader import UsdFile
from tests.gui.test_files import OK, choose, click, last, shown, type_time
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui

NEAR = 1e-5  # [m]


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    document = crowd()
    seen(document, 0)  # compiles what locks need before the window waits for it
    with the_window.begun(document) as open_stage:
        open_stage.session.select([Item(actor.id) for actor in document.actors])
        yield open_stage


def asked(opened: Stage, kind: str) -> ExportSheet:
    """The dialogue of an export, with a format chosen."""
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    sheet = shown(opened, ExportSheet)
    choose(sheet.kind, kind)
    return sheet


def write_to(opened: Stage, sheet: ExportSheet, path: Path) -> None:
    click(sheet.buttons, OK)
    name = shown(opened, FileChooser).findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    name.setText(str(path))
    QTest.keyClick(name, Qt.Key.Key_Return)


def test_a_scene_is_exported_as_usd_over_a_range(opened: Stage, tmp_path: Path) -> None:
    sheet = asked(opened, "BVH motion (.bvh)")
    assert sheet.start.isEnabled()
    choose(sheet.kind, "ASF skeleton (.asf)")
    assert not sheet.start.isEnabled()
    choose(sheet.kind, "USD text (.usda)")
    assert (sheet.start.value(), sheet.end.value()) == (0.0, 1.0)
    assert "degrees of freedom" in sheet.lost.text()
    assert "pins, written as the motion that meets them: Anna Bölling" in sheet.lost.text()
    type_time(sheet.start, "0.5 s")
    write_to(opened, sheet, tmp_path / "walk")
    opened.until(lambda: last(opened) == ("note", "Exported walk.usda"))
    file = UsdFile(tmp_path / "walk.usda")
    assert (file.stage.GetStartTimeCode(), file.stage.GetEndTimeCode()) == (12, 24)
    for frame in (12, 24):
        found = file.points("/Scene/The__ball_/Mesh", frame)
        assert np.abs(found - vertices(seen(opened.session.document, frame), "ball")).max() < NEAR
    assert not opened.session.dirty


def test_a_scene_is_exported_as_an_obj_for_each_frame(opened: Stage, tmp_path: Path) -> None:
    sheet = asked(opened, "OBJ sequence (.objseq)")
    assert "actors that are hidden: Box" in sheet.lost.text()
    choose(sheet.rate, "30")
    type_time(sheet.end, "0.2 s")
    write_to(opened, sheet, tmp_path / "walk")
    opened.until(lambda: last(opened) == ("note", "Exported walk.objseq"))
    folder = tmp_path / "walk.objseq"
    assert [each.name for each in sorted(folder.iterdir())] == [f"walk_000{number}.obj" for number in range(1, 8)]
    found = {each.name: each for each in obj.read(folder / "walk_0001.obj", Options()).surfaces}
    picture = seen(opened.session.document, 0)
    for name, actor in (("Anna Bölling Human skin", "one"), ("2 ../Otto", "two"), ("Box", "box")):
        assert np.abs(found[name].positions - vertices(picture, actor)).max() < NEAR


def test_a_sequence_in_place_of_a_folder_is_refused_by_name(opened: Stage, tmp_path: Path) -> None:
    (tmp_path / "walk.objseq").mkdir()
    (tmp_path / "walk.objseq" / "mine").write_text("mine")
    opened.session.exchange.export(tmp_path / "walk.objseq", ["box"], Options())
    opened.until(lambda: last(opened)[0] == "error")
    assert "there is a folder of that name. Choose another name, or move that folder away first." in last(opened)[1]
    assert [each.name for each in tmp_path.rglob("*")] == ["walk.objseq", "mine"]


def test_a_long_sequence_is_cancelled_while_one_works_on_and_leaves_nothing(opened: Stage, tmp_path: Path) -> None:
    session, area = opened.session, opened.window.status.job
    session.exchange.export(tmp_path / "a.objseq", ["two"], Options(rate=(10_000, 1)))
    opened.until(lambda: area.isVisible() and "Writing a.objseq" in area.text.text())
    session.set_playhead(SECOND // 2)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == SECOND // 2)
    assert not session.exchange.idle, "it is still written"
    assert len(list(tmp_path.iterdir())) == 1
    QTest.mouseClick(area.cancel, Qt.MouseButton.LeftButton, pos=area.cancel.rect().center())
    opened.until(lambda: session.exchange.idle)
    assert list(tmp_path.iterdir()) == []
    assert "was cancelled" in last(opened)[1]
