"""Physics in the real window: an actor is let go, falls on another, is held by its keys' servos, and baked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QCheckBox, QComboBox

from app.features.physics.panel import PhysicsPanel
from app.session import Item
from app.session.actors import new_document
from app.style.value_slider import ValueSlider
from engine.document import Actor, Box, Document, Placement, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.props import prop
from engine.edits import edit
from engine.model.snapshot import Arrows, Bodies
from engine.physics.parts import Physics, PhysicsWorld
from tests.gui.acting import changed, click, go_to, shown_panel
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    human = replace(new_document().actors[0], id="human")
    crate = prop("Crate", (Box(half=(0.2, 0.2, 0.2)),))
    above = Actor(id="crate", name="Crate", figure=crate, placement=Placement(position=(0.0, 3.0, 0.0)))
    with the_window.begun(Document(actors=(human, above), play=Span(start=0, end=2 * SECOND))) as open_stage:
        open_stage.session.select([Item("crate")])
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> PhysicsPanel:
    return shown_panel(opened, "physics.show", PhysicsPanel)


def height(opened: Stage, owner: str = "crate") -> float:
    """Of the first body of an actor, as it is seen."""
    assert opened.snapshot is not None
    found = next(each for each in opened.snapshot.of(Bodies) if each.owner == owner and each.role == "result")
    return float(found.transforms[0, 1, 3])


def test_an_actor_that_is_switched_on_falls_on_the_other_and_undo_holds_it_up(
    opened: Stage, panel: PhysicsPanel
) -> None:
    before = opened.session.document
    go_to(opened, 0.3)
    assert height(opened) == pytest.approx(3.0)
    click(panel.on)
    changed(opened, before)
    assert height(opened) == pytest.approx(3.0 - 0.5 * 9.80665 * 0.09, abs=0.02)
    go_to(opened, 1.5)
    assert height(opened) < 2.2
    opened.session.undo()
    opened.until(lambda: opened.session.document is before)
    opened.settle()
    assert height(opened) == pytest.approx(3.0)
    assert not panel.on.isChecked()


def test_it_is_let_go_at_the_playhead_by_menu(opened: Stage, panel: PhysicsPanel) -> None:
    go_to(opened, 1.0)
    before = opened.session.document
    opened.window.menus.actions["physics.start_here"].trigger()
    document = changed(opened, before)
    part = document.actor("crate").part(Physics)
    assert part is not None
    assert part.start == SECOND
    go_to(opened, 0.9)
    assert height(opened) == pytest.approx(3.0)
    go_to(opened, 1.2)
    assert height(opened) == pytest.approx(3.0 - 0.5 * 9.80665 * 0.04, abs=0.03)
    assert "1.0" in panel.about.text()


def test_servos_are_dragged_live_in_one_entry(opened: Stage, panel: PhysicsPanel) -> None:
    opened.session.select([Item("human")])
    before = opened.session.document
    opened.window.menus.actions["physics.toggle"].trigger()
    slack = changed(opened, before)
    go_to(opened, 1.0)
    fallen, entries = height(opened, "human"), opened.session.history.position
    slider = panel.actor_form.fields["follow"]
    assert isinstance(slider, ValueSlider)
    drag(slider, [opened.widget_at(slider, x, 0.5) for x in (0.1, 0.3, 0.6)])
    held = changed(opened, slack)
    part = held.actor("human").part(Physics)
    assert part is not None
    assert part.follow > 1.0
    assert opened.session.history.position == entries + 1
    assert abs(height(opened, "human") - fallen) > 0.01


def test_the_scene_has_a_floor_that_is_taken_away(opened: Stage, panel: PhysicsPanel) -> None:
    opened.session.do(edit("set_physics", actor="crate"))
    go_to(opened, 2.0)
    before = opened.session.document
    if not panel.scene.header.unfolded:
        click(panel.scene.header)
    assert panel.world_form is not None
    floor = panel.world_form.fields["ground"]
    assert isinstance(floor, QCheckBox)
    opened.until(floor.isVisible)
    click(floor)
    world = changed(opened, before).part(PhysicsWorld)
    assert world is not None
    assert not world.ground


def test_an_actor_is_made_no_obstacle(opened: Stage, panel: PhysicsPanel) -> None:
    opened.session.do(edit("set_physics", actor="crate"))
    opened.session.select([Item("human")])
    opened.settle()
    roles = panel.actor_form.fields["role"]
    assert isinstance(roles, QComboBox)
    before = opened.session.document
    roles.setFocus()
    roles.setCurrentIndex(roles.findData("none"))
    roles.activated.emit(roles.currentIndex())
    changed(opened, before)
    go_to(opened, 2.0)
    assert height(opened) == pytest.approx(0.2, abs=5e-3)


def test_bake_makes_it_a_layer_with_the_same_motion(opened: Stage, panel: PhysicsPanel) -> None:
    opened.session.do(edit("set_physics", actor="crate"))
    go_to(opened, 1.0)
    seen, before = height(opened), opened.session.document
    assert panel.bake.isVisible()
    opened.window.menus.actions["physics.bake"].trigger()
    document = changed(opened, before)
    assert document.actor("crate").layers[-1].samples is not None
    assert not panel.on.isChecked()
    assert height(opened) == pytest.approx(seen, abs=1e-6)


def test_forces_of_contact_are_shown_and_hidden(opened: Stage, panel: PhysicsPanel) -> None:
    opened.session.do(edit("set_physics", actor="crate"))
    go_to(opened, 2.0)
    assert opened.snapshot is not None
    assert opened.snapshot.of(Arrows)
    opened.draw()
    plain = opened.grab()
    opened.window.menus.actions["view.show_forces"].trigger()
    opened.draw()
    shown = opened.grab()
    assert shown != plain
    opened.window.menus.actions["view.show_forces"].trigger()
    opened.draw()
    assert "force" in opened.view.look.hidden
