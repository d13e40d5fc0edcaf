"""Props in the real window: a stick is added, attached to a hand by mouse and keys, and follows as the walk plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.features.inspector.attachments import AttachmentList
from app.features.inspector.page import Page
from app.features.inspector.panel import InspectorPanel
from app.session import Item
from engine.document import Actor, Document
from engine.formats import motion_toml
from engine.formats.format import Options
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui

WRIST = "wrist_right"


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    contents = motion_toml.FORMAT.read(Path("resources/motions/walk.motion.toml"), Options())  # type: ignore[misc]
    assert contents.figure is not None
    walker = Actor(id="walker", name="Walker", figure=contents.figure, layers=contents.layers)
    with the_window.begun(Document(actors=(walker,))) as open_stage:
        yield open_stage


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=widget.rect().center())


def unfold(opened: Stage, key: str) -> None:
    """Click the header of a section of the inspector."""
    panel = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert panel is not None
    assert isinstance(panel.page, Page)
    header = panel.page.sections[key].header
    if not header.unfolded:
        QTest.mouseClick(header, Qt.MouseButton.LeftButton, pos=QPoint(30, header.height() // 2))


def attachments(opened: Stage) -> AttachmentList:
    found = opened.window.docks["inspector"].findChildren(AttachmentList)
    assert found, "the section is unfolded"
    return found[-1]


def add_stick(opened: Stage) -> str:
    opened.window.menus.actions["add.stick"].trigger()
    opened.settle()
    return opened.session.document.actors[-1].id


def attach(opened: Stage, *, keep: bool) -> None:
    """Choose the right wrist with the keys and press Attach."""
    unfold(opened, "attachments")
    panel = attachments(opened)
    click(panel.begin)
    opened.until(panel.form.isVisible)
    panel.form.joint.setFocus()
    for _ in range(panel.form.joint.findText("Right wrist")):
        QTest.keyClick(panel.form.joint, Qt.Key.Key_Down)
    if panel.form.keep.isChecked() != keep:
        QTest.mouseClick(panel.form.keep, Qt.MouseButton.LeftButton, pos=QPoint(8, panel.form.keep.height() // 2))
    assert panel.form.keep.isChecked() == keep
    before = opened.session.document
    click(panel.form.done)
    opened.until(lambda: opened.session.document is not before)
    opened.settle()


def from_wrist(opened: Stage) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The stick's place in the wrist's frame, and the wrist's in the world, in the picture that is shown."""
    assert opened.snapshot is not None
    by_owner = {item.owner: item for item in opened.snapshot.bodies}
    walker, stick = by_owner["walker"], by_owner[opened.session.document.actors[-1].id]
    wrist, held = walker.transforms[walker.parts.index(WRIST)].astype(float), stick.transforms[0].astype(float)
    return wrist[:, :3].T @ (held[:, 3] - wrist[:, 3]), wrist[:, 3]


def test_a_stick_in_the_right_hand_follows_the_walk_and_undo_puts_it_back(opened: Stage) -> None:
    session = opened.session
    stick = add_stick(opened)
    free, before = session.document, from_wrist(opened)[0]
    attach(opened, keep=True)
    (hold,) = session.document.actor(stick).attachments
    assert (hold.target, hold.target_joint, hold.span) == ("walker", WRIST, None)
    assert np.abs(from_wrist(opened)[0] - before).max() < 1e-6, "it stays where it was"
    places = []
    opened.hear(session.snapshot_ready, lambda snapshot: places.append(from_wrist(opened)))
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Space)
    opened.until(lambda: len(places) > 6)
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Space)
    assert not session.player.playing
    assert np.ptp([wrist for _, wrist in places], axis=0).max() > 0.01, "the walk has moved the hand"
    assert max(np.abs(place - before).max() for place, _ in places) < 1e-5
    opened.until(lambda: session.document is not free)
    QTest.keyClick(opened.window.windowHandle(), Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.until(lambda: session.document is free)


def test_the_outliner_says_what_a_prop_hangs_on_and_remove_takes_it_off(opened: Stage) -> None:
    from app.features.outliner.panel import OutlinerPanel

    stick = add_stick(opened)
    attach(opened, keep=False)
    outliner = opened.window.docks["outliner"].findChild(OutlinerPanel)
    assert outliner is not None
    index = outliner.tree.index_of(Item(stick))
    assert str(index.data()) == "Stick  ·  on Right wrist"
    assert outliner.tree.rowCount(index) == 0, "a prop is one row"
    assert np.abs(from_wrist(opened)[0]).max() < 0.1, "it was brought to the hand"
    (remove,) = [each for each in attachments(opened).findChildren(QWidget) if each.toolTip().startswith("Take it off")]
    click(remove)
    opened.until(lambda: not opened.session.document.actor(stick).attachments)
    assert str(outliner.tree.index_of(Item(stick)).data()) == "Stick"


def test_sliders_place_what_is_held_and_set_the_size_of_a_prop(opened: Stage) -> None:
    session = opened.session
    stick = add_stick(opened)
    attach(opened, keep=False)
    before = from_wrist(opened)[0]
    slider = attachments(opened).sliders[1]
    drag(slider, [opened.widget_at(slider, share, 0.5) for share in (0.3, 0.4, 0.6)])
    opened.until(lambda: session.history.entries[-1].label == "Place attachment")
    opened.settle()
    assert from_wrist(opened)[0][1] > before[1] + 0.005
    unfold(opened, "size")
    figure = session.document.actor(stick).figure
    panel = opened.window.docks["inspector"].findChild(InspectorPanel)
    assert panel is not None
    assert isinstance(panel.page, Page)
    length = next(each for field in panel.page.fields for each in field.sliders if each.accessibleName() == "Length")
    length.setFocus()
    QTest.keyClick(length, Qt.Key.Key_Right)
    opened.until(lambda: session.document.actor(stick).figure is not figure)
    assert length.isVisible(), "the page stays while a size changes"


def test_removing_the_figure_lets_the_stick_go_and_says_so(opened: Stage) -> None:
    session = opened.session
    stick = add_stick(opened)
    attach(opened, keep=True)
    session.select([Item("walker")])
    opened.window.menus.actions["edit.delete"].trigger()
    assert session.document.actor(stick).attachments == ()
    assert session.log[-1].text == "Stick no longer hangs on Walker"


def test_a_dropped_mesh_file_is_seen_as_a_prop(opened: Stage, tmp_path: Path) -> None:
    path = tmp_path / "ramp.obj"
    path.write_text("v 0 0 0\nv 1 0 0\nv 0 0 1\nv 0 1 0\nf 1 2 3\nf 1 4 2\nf 2 4 3\nf 3 4 1\n")
    opened.session.exchange.open(path)
    opened.until(lambda: len(opened.session.document.actors) == 2)
    opened.settle()
    assert opened.session.document.actors[-1].figure.is_prop
    assert opened.snapshot is not None
    assert len(opened.snapshot.bodies[-1].mesh.triangles) == 4
