"""Soft bodies in the real window: added, looked at, changed while they move, pulled by the mouse, held and baked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QDialogButtonBox, QWidget

from app.features.soft.current_soft import CurrentSoft
from app.features.soft.panel import SoftPanel
from app.features.soft.sheet import SoftSheet
from app.scene.panes import PERSPECTIVE
from app.session import Item
from app.style.value_slider import ValueSlider
from engine.document import Actor, Box, Document, Placement, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.props import prop
from engine.model import SkinSurface
from engine.model.snapshot import Arrows
from engine.soft.making import soft_actor, soft_box
from engine.soft.parts import SoftBody, SoftWorld
from engine.soft.uses import soft_body
from tests.app.shell.answers import Answers
from tests.gui.acting import changed, click, go_to, shown_panel
from tests.one_window import OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui
WEDGE = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"
HIGH = 0.6  # [m]
LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """A jelly above the floor and a crate beside it."""
    jelly = soft_actor("jelly", "Jelly", soft_box((0.3, 0.3, 0.3), (2, 2, 2)), position=(0.0, HIGH, 0.0))
    crate = prop("Crate", (Box(half=(0.1, 0.1, 0.1)),))
    beside = Actor(id="crate", name="Crate", figure=crate, placement=Placement(position=(0.25, 0.5, 0.0)))
    world = SoftWorld(step=1.0 / 30.0)
    document = Document(actors=(jelly, beside), parts=(world,), play=Span(start=0, end=2 * SECOND))
    with the_window.begun(document) as open_stage:
        open_stage.session.select([Item("jelly")])
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> SoftPanel:
    return shown_panel(opened, "soft.show", SoftPanel)


def surface(opened: Stage, owner: str = "jelly") -> SkinSurface:
    assert opened.snapshot is not None
    return next(each for each in opened.snapshot.skins if each.owner == owner)


def height(opened: Stage) -> float:
    return float(surface(opened).positions[:, 1].mean())


def body_of(opened: Stage) -> SoftBody:
    found = soft_body(opened.session.document.actor("jelly"))
    assert found is not None
    return found


def do(opened: Stage, action: str) -> Document:
    before = opened.session.document
    opened.window.menus.actions[action].trigger()
    return changed(opened, before)


def unfolded(opened: Stage, panel: SoftPanel, name: str) -> None:
    header = panel.sections[name].header
    if not header.unfolded:
        click(header)
    opened.settle()


def canvas_and_spot(opened: Stage) -> tuple[QWidget, QPoint]:
    """The picture, large, and where the middle of the jelly is in it."""
    opened.view.maximise(PERSPECTIVE)
    opened.view.frame()
    opened.settle()
    middle: NDArray[np.float64] = surface(opened).positions.astype(np.float64).mean(axis=0)
    x, y, _ = opened.view.cameras[PERSPECTIVE].project(middle, opened.view.size_of(PERSPECTIVE)).tolist()
    canvas = opened.view.childAt(round(x), round(y))
    assert canvas is not None
    return canvas, QPoint(round(x), round(y))


def test_add_makes_soft_bodies_that_are_selected_and_shown(the_window: OneWindow) -> None:
    with the_window.begun(Document()) as opened:
        for kind in ("box", "cylinder", "table", "stool", "snake"):
            actor = do(opened, f"add.soft_{kind}").actors[-1]
            assert actor.name == f"Soft {kind}"
            assert opened.session.selection.items == (Item(actor.id),)
            assert len(surface(opened, actor.id).positions) > 20
        assert len({each.placement.position[0] for each in opened.session.document.actors}) == 5, "side by side"
        assert opened.window.docks["soft"].isVisible()
        opened.session.undo()
        opened.until(lambda: len(opened.session.document.actors) == 4)


@pytest.mark.parametrize("closed", [True, False])
def test_a_mesh_file_becomes_a_soft_body_on_the_floor_and_an_open_one_says_why_not(
    the_window: OneWindow, tmp_path: Path, closed: bool
) -> None:
    answers = Answers()
    answers.file = tmp_path / "Wedge.off"
    answers.file.write_text(WEDGE if closed else WEDGE.replace("4 4 0", "4 3 0").rpartition("\n3")[0] + "\n")
    with the_window.begun(Document(), questions=answers) as opened:
        opened.window.menus.actions["add.soft_mesh"].trigger()
        sheet = opened.window.findChild(SoftSheet)
        assert isinstance(sheet, SoftSheet)
        opened.until(sheet.isVisible)
        sheet.form.fields["along"].setValue(4)
        before = opened.session.document
        click(sheet.buttons.button(QDialogButtonBox.StandardButton.Ok))
        if not closed:
            opened.until_told("hole", "error")
            assert opened.session.document is before
            return
        (actor,) = changed(opened, before).actors
        assert actor.name == "Wedge"
        assert surface(opened, actor.id).positions[:, 1].min() == pytest.approx(0.0, abs=1e-6)


def test_a_figures_skin_becomes_flesh_that_its_bones_carry(the_window: OneWindow) -> None:
    with the_window.begun() as opened:
        (human,) = opened.session.document.actors
        assert not opened.window.menus.actions["add.soft_skin"].isEnabled()
        opened.session.select([Item(human.id)])
        opened.settle()
        opened.window.menus.actions["add.soft_skin"].trigger()
        sheet = opened.window.findChild(SoftSheet)
        assert isinstance(sheet, SoftSheet)
        opened.until(sheet.isVisible)
        sheet.form.fields["along"].setValue(12)
        before = opened.session.document
        click(sheet.buttons.button(QDialogButtonBox.StandardButton.Ok))
        flesh = soft_body(changed(opened, before).actors[1])
        assert flesh is not None
        assert {each.target for each in flesh.attachments} == {human.id}
        assert flesh.factors is not None


def test_it_falls_and_its_stiffness_is_dragged_live_in_one_entry(opened: Stage, panel: SoftPanel) -> None:
    go_to(opened, 1.0)
    assert height(opened) < HIGH - 0.2
    before, entries, seen = opened.session.document, opened.session.history.position, height(opened)
    assert panel.material is not None
    slider = panel.material.fields["young"]
    assert isinstance(slider, ValueSlider)
    drag(slider, [opened.widget_at(slider, x, 0.5) for x in (0.5, 0.4, 0.2)])
    changed(opened, before)
    assert opened.session.history.position == entries + 1
    assert body_of(opened).young < 5e3
    assert height(opened) < seen - 0.005, "it sinks in more"
    opened.until(lambda: "A step of 33.3 ms takes" in panel.pace.text())
    assert panel.counts.text() == "40 tetrahedra, 27 points, 27 kg"


def test_it_begins_at_the_playhead_and_stands_before(opened: Stage, panel: SoftPanel) -> None:
    go_to(opened, 0.5)
    do(opened, "soft.begin_here")
    assert body_of(opened).start == SECOND // 2
    assert height(opened) == pytest.approx(HIGH)
    go_to(opened, 1.0)
    assert height(opened) < HIGH - 0.2
    assert "0.50 s" in panel.about.text()


def test_it_is_pulled_by_the_mouse_while_time_goes_on_and_undo_takes_it_back(opened: Stage, panel: SoftPanel) -> None:
    go_to(opened, 1.0)
    canvas, spot = canvas_and_spot(opened)
    before = opened.session.document
    QTest.mousePress(canvas, LEFT, NONE, spot)
    for step in range(1, 4):
        move(canvas, spot - QPoint(0, 50 * step))
    lies = height(opened)
    opened.until(lambda: height(opened) > lies + 0.02)
    assert opened.session.shown is not before
    assert opened.session.playhead > SECOND
    QTest.mouseRelease(canvas, LEFT, NONE, spot - QPoint(0, 150))
    changed(opened, before)
    opened.session.player.pause()
    (pull,) = body_of(opened).pulls
    assert pull.start == SECOND
    assert SECOND < pull.end <= 2 * SECOND
    assert pull.places[-1][1] > lies + 0.1
    assert "once" in panel.pulls.text
    do(opened, "soft.remove_pulls")
    assert not body_of(opened).pulls
    opened.session.undo()
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)


def test_a_pull_is_as_strong_and_as_wide_as_it_is_set(opened: Stage, panel: SoftPanel) -> None:
    go_to(opened, 1.0)
    unfolded(opened, panel, "hand")
    for name, share in (("tension", 0.9), ("reach", 0.2)):
        slider = panel.hand.fields[name]
        drag(slider, [opened.widget_at(slider, x, 0.5) for x in (0.5, 0.6, share)])
    before = opened.session.document
    canvas, spot = canvas_and_spot(opened)
    QTest.mousePress(canvas, LEFT, NONE, spot)
    for step in range(1, 4):
        move(canvas, spot - QPoint(0, 40 * step))
    opened.until(lambda: opened.session.shown is not before)
    QTest.mouseRelease(canvas, LEFT, NONE, spot - QPoint(0, 120))
    changed(opened, before)
    opened.session.player.pause()
    (pull,) = body_of(opened).pulls
    assert pull.tension > 5.0
    assert pull.reach < 0.25
    for name in ("tension", "reach"):
        click(panel.hand.resets[name])
    assert opened.session.of(CurrentSoft).hand == {"tension": 2.0, "ratio": 1.0, "reach": 0.25}


def test_escape_gives_a_pull_up_and_time_stands_again(opened: Stage) -> None:
    go_to(opened, 1.0)
    canvas, spot = canvas_and_spot(opened)
    before = opened.session.document
    QTest.mousePress(canvas, LEFT, NONE, spot)
    move(canvas, spot - QPoint(0, 90))
    opened.until(lambda: opened.session.shown is not before)
    QTest.keyClick(canvas, Qt.Key.Key_Escape)
    opened.until(lambda: opened.session.at_rest)
    QTest.mouseRelease(canvas, LEFT, NONE, spot - QPoint(0, 90))
    assert opened.session.document is before
    assert not opened.session.player.playing


def test_a_click_on_it_selects_it_and_ctrl_drag_places_where_it_starts(opened: Stage) -> None:
    go_to(opened, 1.0)
    opened.session.select(())
    canvas, spot = canvas_and_spot(opened)
    QTest.mouseClick(canvas, LEFT, NONE, spot)
    assert opened.session.selection.items == (Item("jelly"),)
    before = opened.session.document
    drag(canvas, [spot, spot + QPoint(30, 0), spot + QPoint(60, 0)], modifiers=Qt.KeyboardModifier.ControlModifier)
    changed(opened, before)
    assert not body_of(opened).pulls


def test_it_is_coloured_with_a_legend_and_its_inside_is_seen(opened: Stage, panel: SoftPanel) -> None:
    opened.view.maximise(PERSPECTIVE)
    go_to(opened, 1.0)
    pictures = []
    for action in ("view.colour_strain", "view.colour_stress", "view.colour_contraction", "view.colour_plain"):
        opened.window.menus.actions[action].trigger()
        opened.draw()
        pictures.append(opened.view.grab_image())
    strain, stress, contraction, plain = pictures
    assert strain != plain
    assert stress != strain
    assert contraction == plain, "it has no splines"
    assert opened.view.look.field == ""
    unfolded(opened, panel, "look")
    see_inside, seen = opened.window.menus.actions["view.see_inside"], []
    calls: list[Callable[[], object]] = [lambda: click(panel.inside), see_inside.trigger]
    for change in calls:
        change()
        opened.draw()
        seen.append((opened.view.look.see_inside, panel.inside.isChecked(), opened.view.grab_image() == plain))
    assert seen == [(True, True, False), (False, False, True)]


def test_its_forces_of_contact_are_arrows(opened: Stage) -> None:
    go_to(opened, 1.5)
    assert opened.snapshot is not None
    (arrows,) = opened.snapshot.of(Arrows)
    assert arrows.vectors[:, 1].sum() == pytest.approx(2e-3 * 27.0 * 9.81, rel=0.3)


def test_it_is_attached_to_what_is_selected_beside_it_by_springs_and_let_go(opened: Stage, panel: SoftPanel) -> None:
    go_to(opened, 0.0)
    unfolded(opened, panel, "attachments")
    assert not panel.attachments.attach.isVisible()
    opened.session.select([Item("crate"), Item("jelly")])
    opened.settle()
    panel.attachments.reach.set_value(0.35)
    before = opened.session.document
    click(panel.attachments.attach)
    changed(opened, before)
    (held,) = body_of(opened).attachments
    assert (held.target, held.hold, held.span) == ("crate", "hard", None)
    go_to(opened, 1.0)
    assert height(opened) > 0.3, "it hangs on the crate"
    before = opened.session.document
    holds = panel.attachments.form.fields["hold"]
    holds.setCurrentIndex(1)
    holds.activated.emit(1)
    changed(opened, before)
    assert body_of(opened).attachments[0].hold == "spring"
    assert panel.attachments.form.rows["tension"].isVisible()
    before = opened.session.document
    click(panel.attachments.remove)
    changed(opened, before)
    assert not body_of(opened).attachments
    assert not panel.attachments.list.isVisible()


def test_it_is_baked_up_to_the_playhead_and_simulated_on_from_there(opened: Stage, panel: SoftPanel) -> None:
    go_to(opened, 0.5)
    seen = surface(opened).positions.copy()
    do(opened, "soft.bake_here")
    bake = body_of(opened).bake
    assert bake is not None
    assert (bake.start, bake.end) == (0, SECOND // 2)
    assert surface(opened).positions == pytest.approx(seen, abs=1e-6)
    assert panel.unbake.isVisible()
    go_to(opened, 1.0)
    assert height(opened) < 0.2
    do(opened, "soft.remove_bake")
    assert body_of(opened).bake is None
    do(opened, "soft.bake")
    bake = body_of(opened).bake
    assert bake is not None
    assert bake.end == 2 * SECOND


def test_friction_differs_along_a_heading_that_is_chosen(opened: Stage, panel: SoftPanel) -> None:
    unfolded(opened, panel, "contact")
    before = opened.session.document
    ways = panel.contact.fields["heading"]
    ways.setCurrentIndex(5)
    ways.activated.emit(5)
    changed(opened, before)
    assert body_of(opened).heading == (0.0, 0.0, 1.0)
    assert panel.contact.rows["backward"].isVisible()
    assert replace(body_of(opened), heading=None) == soft_body(before.actor("jelly"))


def test_it_pushes_back_until_it_is_told_not_to(opened: Stage, panel: SoftPanel) -> None:
    unfolded(opened, panel, "contact")
    before = opened.session.document
    box = panel.contact.fields["pushes"]
    assert isinstance(box, QCheckBox)
    assert not box.isChecked(), "a document that does not tell of it"
    QTest.mouseClick(box, LEFT, NONE, QPoint(8, box.height() // 2))
    changed(opened, before)
    assert body_of(opened).pushes
    assert replace(body_of(opened), pushes=False) == soft_body(before.actor("jelly"))
    assert not panel.contact.rows["touches_wearer"].isVisible(), "nobody wears it"
    before = opened.session.document
    opened.window.menus.actions["add.soft_box"].trigger()
    made = soft_body(changed(opened, before).actors[-1])
    assert made is not None
    assert (made.pushes, made.touches_wearer, made.touches_by_surface, made.touches_itself) == (True,) * 4


def test_it_touches_with_its_surface_and_itself_and_undo_takes_that_back(opened: Stage, panel: SoftPanel) -> None:
    unfolded(opened, panel, "contact")
    first = opened.session.document
    for name in ("touches_by_surface", "touches_itself"):
        before = opened.session.document
        box = panel.contact.fields[name]
        assert isinstance(box, QCheckBox)
        assert not box.isChecked(), "a document that does not tell of it"
        QTest.mouseClick(box, LEFT, NONE, QPoint(8, box.height() // 2))
        changed(opened, before)
        assert getattr(body_of(opened), name)
    opened.session.undo()
    opened.session.undo()
    opened.until(lambda: opened.session.document is first)
    assert not panel.contact.fields["touches_itself"].isChecked()


def test_the_scene_has_a_time_step(opened: Stage, panel: SoftPanel) -> None:
    unfolded(opened, panel, "scene")
    assert panel.world_form is not None
    slider = panel.world_form.fields["step"]
    assert isinstance(slider, ValueSlider)
    before = opened.session.document
    drag(slider, [opened.widget_at(slider, x, 0.5) for x in (0.5, 0.4, 0.3)])
    world = changed(opened, before).part(SoftWorld)
    assert world is not None
    assert world.step < 1.0 / 30.0
