"""Skins in the real window: a mesh bound by hand, cancelled, and a figure from glTF that is nothing but a skin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from app.session import Item, JobState
from app.session.binding import BIND
from app.shell.file_chooser import FileChooser
from engine.document import Document
from engine.model import SkinSurface
from tests.engine.model.test_binding import arm, around
from tests.engine.shared_data import shared
from tests.gui.test_files import LEFT, drop, shown
from tests.one_window import OneWindow
from tests.stage import Stage, stage

pytestmark = [pytest.mark.gui, pytest.mark.pixels]

CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def mesh(tmp_path: Path) -> Path:
    """A closed tube about the chain of three links."""
    points, triangles, _ = around(arm())
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points.tolist()]
    lines += [f"f {a} {b} {c}" for a, b, c in (triangles + 1).tolist()]
    path = tmp_path / "sleeve.obj"
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(arm()) as open_stage:
        yield open_stage


def begin(opened: Stage, mesh: Path) -> None:
    """Select the arm and choose the mesh from the menu."""
    opened.session.select([Item("arm")])
    opened.window.menus.actions["figure.bind_skin"].trigger()
    chooser = shown(opened, FileChooser)
    name = chooser.findChild(QLineEdit, "fileNameEdit")
    assert isinstance(name, QLineEdit)
    name.setText(str(mesh))
    QTest.keyClick(name, Qt.Key.Key_Return)
    opened.until(lambda: opened.session.binding.running)


def can_bind(opened: Stage) -> bool:
    """As the menu says it when it opens."""
    opened.window.menus.refresh()
    return opened.window.menus.actions["figure.bind_skin"].isEnabled()


def surfaces(opened: Stage) -> tuple[SkinSurface, ...]:
    """The skins in the picture that is shown."""
    assert opened.snapshot is not None
    return opened.snapshot.skins


def test_a_mesh_is_bound_with_progress_as_one_edit_that_undo_takes_back(opened: Stage, mesh: Path) -> None:
    session, before = opened.session, opened.session.document
    count = len(session.history.entries)
    states: list[JobState] = []
    opened.hear(session.job_changed, states.append)
    begin(opened, mesh)
    area = opened.window.status.job
    assert area.isVisible()
    assert area.text.text() == "Binding sleeve.obj"
    assert not can_bind(opened), "one at a time"
    opened.until(lambda: not session.binding.running)
    assert area.isHidden()
    shares = [state.fraction for state in states if state.running and state.name == BIND]
    assert shares == sorted(shares)
    assert len(set(shares)) > 2
    (skin,) = session.document.actor("arm").figure.skins
    assert skin.name == "sleeve"
    assert len(session.history.entries) == count + 1
    bound = session.document
    opened.window.menus.refresh()
    keep = opened.window.menus.actions["figure.keep_volume"]
    assert keep.isChecked()
    keep.trigger()
    assert session.document.actor("arm").figure.skins[0].blending == "linear"
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Z, CONTROL)
    assert session.document is bound
    opened.window.menus.actions["figure.remove_skins"].trigger()
    assert session.document.actor("arm").figure.skins == ()
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Z, CONTROL)
    assert session.document is bound
    opened.view.set_display("skin")
    opened.until(lambda: len(surfaces(opened)) == 1)
    points, _, _ = around(arm())
    assert np.abs(surfaces(opened)[0].positions - points).max() < 1e-5, "it stands where the mesh stood"
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Z, CONTROL)
    opened.until(lambda: session.document is before)
    opened.settle()
    assert surfaces(opened) == ()


@pytest.mark.parametrize("when", ["at once", "while it runs"])
def test_cancelling_a_binding_leaves_nothing(opened: Stage, mesh: Path, scratch: Path, when: str) -> None:
    session, before = opened.session, opened.session.document
    states: list[JobState] = []
    opened.hear(session.job_changed, states.append)
    begin(opened, mesh)
    if when == "while it runs":
        opened.until(lambda: any(state.name == BIND and state.fraction > 0.0 for state in states))
    area = opened.window.status.job
    QTest.mouseClick(area.cancel, LEFT)
    opened.until(lambda: not session.binding.running)
    assert area.isHidden()
    assert session.document is before
    assert session.history.undo_entry is None
    assert not list(scratch.glob("sinew-bind-*"))
    assert not any(entry.kind == "error" for entry in session.log)
    assert can_bind(opened), "it may be tried again"


def test_an_imported_skin_without_shapes_is_in_view_saved_and_undone(the_window: OneWindow, tmp_path: Path) -> None:
    file, place = shared("gltf", "simple_skin", "simple_skin.gltf"), tmp_path / "skin.sinew"
    with the_window.begun(Document()) as opened:
        session, empty = opened.session, opened.session.document
        drop(opened, file)
        opened.until(lambda: len(session.document.actors) == 1)
        opened.settle()
        (surface,) = surfaces(opened)
        low, high = surface.positions.min(axis=0), surface.positions.max(axis=0)
        for camera in opened.view.cameras:
            assert np.abs(np.array(camera.target) - 0.5 * (low + high)).max() < 1e-6
            assert camera.distance > float((high - low).max())
        middle = QPointF(opened.widget_at(opened.view, 0.25, 0.75))
        pick = opened.view.pick(middle)
        assert pick is not None, "its skin is drawn though no view asks for skins"
        session.exchange.save(place)
        opened.until(lambda: not session.dirty)
        imported = session.document
        QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Z, CONTROL)
        opened.until(lambda: session.document is empty)
        opened.settle()
        assert surfaces(opened) == ()
        session.exchange.open(place)
        opened.until(lambda: session.path == place and len(session.document.actors) == 1)
        opened.settle()
        assert session.document.digest == imported.digest
        assert surfaces(opened)[0].positions.tobytes() == surface.positions.tobytes()


def test_a_file_named_at_the_start_is_in_view_once_the_engine_has_posed_it(qapp: object, tmp_path: Path) -> None:
    file = shared("gltf", "simple_skin", "simple_skin.gltf")
    with stage(Document(), ready=False, seen=False) as opened:
        opened.session.exchange.open(file)
        opened.until(lambda: len(opened.session.document.actors) == 1)
        opened.settle()
        assert min(camera.distance for camera in opened.view.cameras) > 2.0
