"""Blend shapes in the real window: a face is added, its shapes set, keyed and loosened, its targets set and met."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from app.features.shapes.current_surface import CurrentSurface
from app.features.shapes.panel import ShapesPanel
from app.features.shapes.shape_menu import ShapeMenu
from app.style.value_slider import ValueSlider
from engine.document import Document
from engine.edits import edit
from engine.maths.arrays import Array
from engine.queries.examples import example
from engine.shapes.parts import BlendShapes
from tests.engine.shapes.surfaces import FRAME, ball, swinging
from tests.gui.acting import changed, click, go_to, shown_panel
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    document = edit("set_play_range", start=0, end=24 * FRAME).apply(swinging(rigidity=3.0))
    with the_window.begun(edit("set_shape_motion", actor="ball", on=False).apply(document)) as open_stage:
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> ShapesPanel:
    return shown_panel(opened, "shapes.show", ShapesPanel)


def surface(opened: Stage, actor: str = "ball") -> BlendShapes:
    found = opened.session.document.actor(actor).part(BlendShapes)
    assert found is not None
    return found


def seen(opened: Stage) -> Array:
    """The vertices of the picture."""
    assert opened.snapshot is not None
    return opened.snapshot.skins[0].positions.astype(np.float64)


def test_a_slider_is_live_sets_the_constant_and_is_one_entry(opened: Stage, panel: ShapesPanel) -> None:
    before, entries, drawn = opened.session.document, opened.session.history.position, seen(opened)
    slider = panel.weights.rows["brow"].slider
    drag(slider, [opened.widget_at(slider, x, 0.5) for x in (0.3, 0.6, 0.9)])
    changed(opened, before)
    brow = surface(opened).shape("brow")
    assert brow is not None
    assert brow.weight > 0.6
    assert brow.track is None
    assert opened.session.history.position == entries + 1
    assert np.abs(seen(opened) - drawn).max() > 0.005
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)


def test_a_keyed_shape_is_keyed_at_the_playhead_by_its_slider(opened: Stage, panel: ShapesPanel) -> None:
    go_to(opened, 12 / 24)
    before, row = opened.session.document, panel.weights.rows["smile"]
    drag(row.slider, [opened.widget_at(row.slider, x, 0.5) for x in (0.5, 0.3, 0.1)])
    changed(opened, before)
    smile = surface(opened).shape("smile")
    assert smile is not None
    assert smile.track is not None
    assert [key.time // FRAME for key in smile.track.keys] == [2, 8, 12, 16]
    assert row.key is not None
    assert row.key.isChecked()
    keyed = opened.session.document
    click(row.key)
    changed(opened, keyed)
    assert len(surface(opened).shapes[0].track.keys) == 3  # type: ignore[union-attr]


def test_all_shapes_are_keyed_by_their_action(opened: Stage, panel: ShapesPanel) -> None:
    go_to(opened, 5 / 24)
    before = opened.session.document
    opened.window.menus.actions["shapes.key_all"].trigger()
    changed(opened, before)
    for each in surface(opened).shapes:
        assert each.track is not None
        assert 5 * FRAME in each.track.ticks


def test_a_search_leaves_the_sliders_that_it_names(opened: Stage, panel: ShapesPanel) -> None:
    panel.search.setText("bro")
    assert list(panel.weights.rows) == ["brow"]
    panel.search.clear()
    assert list(panel.weights.rows) == ["smile", "brow"]


def test_switched_on_the_surface_trails_and_its_numbers_are_live(opened: Stage, panel: ShapesPanel) -> None:
    go_to(opened, 3 / 24)
    before, still = opened.session.document, seen(opened)
    click(panel.on)
    on = changed(opened, before)
    loose = seen(opened)
    assert np.abs(loose - still).max() > 1e-3
    slider = panel.form.fields["tension"]
    assert isinstance(slider, ValueSlider)
    drag(slider, [opened.widget_at(slider, x, 0.5) for x in (0.3, 0.2, 0.1)])
    changed(opened, on)
    assert surface(opened).motion.tension < 4.0
    opened.until(lambda: "control points" in panel.told.text())
    after = opened.session.document
    opened.window.menus.actions["shapes.toggle"].trigger()
    changed(opened, after)
    assert seen(opened) == pytest.approx(still)


def test_what_is_played_is_baked_to_keys(opened: Stage, panel: ShapesPanel) -> None:
    bake = opened.window.menus.actions["shapes.bake"]
    assert not bake.isEnabled(), "it follows its keys exactly as it is"
    before = opened.session.document
    opened.session.do(edit("set_shape_motion", actor="ball", on=True))
    loose = changed(opened, before)
    bake.trigger()
    baked = changed(opened, loose)
    found = surface(opened)
    assert not found.motion.on
    assert all(each.track is not None and each.track.keys for each in found.shapes)
    swinging = loose.actor("ball").part(BlendShapes)
    assert swinging is not None
    assert [each.track for each in found.shapes] != [each.track for each in swinging.shapes]
    opened.session.undo()
    opened.until(lambda: opened.session.document is loose)
    assert baked is not loose


def test_a_window_is_suggested(opened: Stage, panel: ShapesPanel) -> None:
    short = opened.session.document
    opened.session.do(edit("set_shape_motion", actor="ball", window=FRAME))
    before = changed(opened, short)
    click(panel.suggest)
    suggested = changed(opened, before)
    assert surface(opened).motion.window > 5 * FRAME
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)
    opened.window.menus.actions["shapes.suggest_window"].trigger()
    assert changed(opened, before) == suggested


def test_a_shape_is_renamed_left_out_and_removed_and_so_is_the_surface(opened: Stage, panel: ShapesPanel) -> None:
    def menu(shape: str) -> ShapeMenu:
        more = panel.weights.rows[shape].more
        assert more is not None
        click(more)
        opened.until(lambda: panel.menu is not None and panel.menu.isVisible())
        assert panel.menu is not None
        return panel.menu

    def choose(shape: str, label: str) -> Document:
        before, found = opened.session.document, menu(shape)
        next(each for each in found.actions() if each.text() == label).trigger()
        found.close()
        return changed(opened, before)

    before, found = opened.session.document, menu("brow")
    found.name.setText("Forehead")
    QTest.keyClick(found.name, Qt.Key.Key_Return)
    changed(opened, before)
    assert surface(opened).shapes[1].name == "Forehead"
    choose("smile", "Extrapolation: cycle")
    assert surface(opened).shapes[0].track.after == "cycle"  # type: ignore[union-attr]
    choose("brow", "Leave it out")
    assert surface(opened).shapes[1].mute
    choose("smile", "Remove its keys")
    assert surface(opened).shapes[0].track is None
    last = choose("brow", "Remove shape")
    assert [each.id for each in surface(opened).shapes] == ["smile"]
    opened.window.menus.actions["shapes.remove"].trigger()
    assert not changed(opened, last).actor("ball").parts


def test_reach_this_here_is_met_and_listed_and_removed(opened: Stage, panel: ShapesPanel) -> None:
    go_to(opened, 9 / 24)
    before, keyed = opened.session.document, seen(opened)
    assert panel.targets is not None
    click(panel.targets.reach)
    opened.until(lambda: surface(opened).motion.on and len(surface(opened).targets) == 1)
    opened.settle()
    assert np.abs(seen(opened) - keyed).max() < 1e-6
    opened.until(lambda: panel.targets is not None and "Met exactly" in panel.targets.told.text())
    assert "met" in panel.targets.list.item(0).text()
    opened.window.menus.actions["shapes.reach_here"].trigger()
    opened.settle()
    assert len(surface(opened).targets) == 1, "there is one at this frame"
    with_target = opened.session.document
    opened.window.menus.actions["shapes.remove_target"].trigger()
    changed(opened, with_target)
    assert surface(opened).targets == ()
    assert before is not opened.session.document


def test_a_target_is_given_another_smile(opened: Stage, panel: ShapesPanel) -> None:
    go_to(opened, 9 / 24)
    assert panel.targets is not None
    click(panel.targets.reach)
    opened.until(lambda: surface(opened).motion.on and opened.session.at_rest)
    before = opened.session.document
    box = panel.targets.form.fields["pose"]
    box.setCurrentIndex(1)
    box.activated.emit(1)
    given = changed(opened, before)
    assert dict(surface(opened).targets[0].weights)["smile"] > 0.8
    slider = panel.targets.weights.rows["smile"].slider
    opened.until(slider.isVisible)
    panel.area.ensureWidgetVisible(slider)
    drag(slider, [opened.widget_at(slider, x, 0.5) for x in (0.6, 0.4, 0.2)])
    changed(opened, given)
    assert dict(surface(opened).targets[0].weights)["smile"] < 0.6
    opened.until(lambda: panel.targets is not None and "Met exactly" in panel.targets.told.text())


def test_a_key_is_dragged_along_its_row(opened: Stage, panel: ShapesPanel) -> None:
    opened.window.show_panel("timeline")
    sheet = opened.window.docks["timeline"].widget().sheet  # type: ignore[attr-defined]
    opened.until(lambda: any(row.path[1:2] == ("shape_keys",) for row in sheet.rows))
    opened.settle()
    number = next(at for at, row in enumerate(sheet.rows) if row.path[1:2] == ("shape_keys",))
    y = sheet.y_of(sheet.lines.index(number)) + 0.5 * sheet.row_height
    start, end = (QPointF(sheet.x_of(frame * FRAME), y).toPoint() for frame in (8, 11))
    before = opened.session.document
    drag(sheet.viewport(), [start, QPoint((start.x() + end.x()) // 2, start.y()), end])
    changed(opened, before)
    track = surface(opened).shapes[0].track
    assert track is not None
    assert [key.time // FRAME for key in track.keys] == [2, 11, 16]


def test_a_face_is_added_by_the_menu(opened: Stage) -> None:
    before = opened.session.document
    opened.window.menus.actions["add.face"].trigger()
    document = changed(opened, before)
    face = document.actors[-1]
    assert face.name == "Face"
    assert opened.session.of(CurrentSurface).owner is not None
    assert opened.session.of(CurrentSurface).owner.id == face.id  # type: ignore[union-attr]
    assert opened.window.docks["shapes"].isVisible()


def test_a_surface_and_its_shapes_are_read_from_files(
    opened: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    points, faces = ball()
    for name, size in (("base", 1.0), ("large", 1.3), ("odd", 1.0)):
        rows = [f"v {x} {y} {z}" for x, y, z in (size * points[: -1 if name == "odd" else None]).tolist()]
        rows += [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces.tolist()] if name == "base" else []
        (tmp_path / f"{name}.obj").write_text("\n".join(rows) + "\n")
    chosen = [tmp_path / "base.obj", tmp_path / "large.obj", tmp_path / "odd.obj"]
    monkeypatch.setattr(opened.window.asking, "choose_of", lambda kind, then: then(chosen.pop(0)))
    before = opened.session.document
    opened.window.menus.actions["add.surface"].trigger()
    added = changed(opened, before)
    opened.window.menus.actions["shapes.add_shape"].trigger()
    document = changed(opened, added)
    assert [each.name for each in surface(opened, document.actors[-1].id).shapes] == ["large"]
    opened.window.menus.actions["shapes.add_shape"].trigger()
    opened.until(lambda: any("vertices" in each.text for each in opened.session.log))
    assert opened.session.document is document


def test_the_example_plays(the_window: OneWindow) -> None:
    with the_window.begun(example("face").build()) as open_stage:
        go_to(open_stage, 40 / 24)
        smiling = seen(open_stage)
        go_to(open_stage, 0.0)
        assert np.abs(smiling - seen(open_stage)).max() > 0.01
