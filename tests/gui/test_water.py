"""Water in the real window: a tank is added, dragged, filled, looked into, begun later, baked."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.features.water.baking import WaterBaking
from app.features.water.fields import idle_rows
from app.features.water.panel import WaterPanel
from app.scene.panes import PERSPECTIVE
from app.session import Item
from engine.document import Box, Document, Span
from engine.document.motion import frame_time
from engine.model.snapshot import LiquidSurface
from engine.water.making import tank_actor
from engine.water.parts import WaterTank
from engine.water.uses import water_tank
from tests.one_window import OneWindow
from tests.stage import Stage, drag
from tests.water_examples import thing

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton
FRAMES = 6


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    """A small coarse tank with a dam, which is selected."""
    tank = WaterTank(
        size=(0.8, 0.6, 0.6),
        resolution=10.0,
        begins="dam",
        level=0.1,
        block_length=0.3,
        block_height=0.4,
        touches=False,
    )
    play = Span(start=0, end=frame_time(FRAMES, (30, 1)))
    with the_window.begun(Document(actors=(tank_actor("tank", "Tank", tank),), play=play)) as open_stage:
        open_stage.session.select([Item("tank")])
        yield open_stage


@pytest.fixture
def panel(opened: Stage) -> WaterPanel:
    opened.window.menus.actions["water.show"].trigger()
    found = opened.window.docks["water"].widget()
    assert isinstance(found, WaterPanel)
    opened.until(found.isVisible)
    return found


def tank_of(opened: Stage) -> WaterTank:
    found = water_tank(opened.session.document.actors[0])
    assert found is not None
    return found


def water(opened: Stage) -> LiquidSurface:
    assert opened.snapshot is not None
    return opened.snapshot.liquids[0]


def go_to(opened: Stage, frame: int) -> None:
    time = frame_time(frame, opened.session.document.rate)
    opened.session.set_playhead(time)
    opened.until(lambda: opened.snapshot is not None and opened.snapshot.time == time)
    opened.settle()


def do(opened: Stage, action: str) -> Document:
    before = opened.session.document
    opened.window.menus.actions[action].trigger()
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    opened.settle()
    return opened.session.document


def blueness(opened: Stage) -> float:
    """How much bluer than red the picture is."""
    image = opened.view.render_image(160, 120, plain=True)
    pixels = np.frombuffer(image.constBits(), dtype=np.uint8).reshape(120, -1, 4)[:, :160].astype(float)
    return float((pixels[..., 2] - pixels[..., 0]).mean())


def baking(opened: Stage) -> WaterBaking:
    return opened.session.of(WaterBaking)


def test_add_makes_a_tank_that_is_selected_and_seen_as_water(the_window: OneWindow) -> None:
    with the_window.begun(Document()) as opened:
        before = blueness(opened)
        actor = do(opened, "add.water_tank").actors[-1]
        assert opened.session.selection.items == (Item(actor.id),)
        assert opened.window.docks["water"].isVisible()
        opened.view.frame()
        opened.settle()
        assert len(water(opened).positions) > 1000
        assert blueness(opened) > before + 3.0
        opened.session.undo()
        opened.until(lambda: not opened.session.document.actors)


def test_water_falls_and_its_first_shape_is_chosen_in_the_dock(opened: Stage, panel: WaterPanel) -> None:
    go_to(opened, 4)
    fallen = water(opened).positions
    assert "8 x 6 x 6 = 288 cells" in panel.grid.text()
    begins = panel.forms["water"].fields["begins"]
    begins.setCurrentIndex(0)
    begins.activated.emit(0)
    opened.until(lambda: tank_of(opened).begins == "still")
    opened.settle()
    assert water(opened).positions[:, 1].max() < fallen[:, 1].max()
    assert "of the start" in panel.volume.text()
    opened.session.undo()
    opened.until(lambda: tank_of(opened).begins == "dam")
    opened.settle()
    assert water(opened).positions.tobytes() == fallen.tobytes()


def test_a_side_is_dragged_in_a_view_and_the_middle_moves_the_tank(opened: Stage, panel: WaterPanel) -> None:
    opened.view.maximise(PERSPECTIVE)
    opened.view.frame()
    opened.settle()

    def at(place: tuple[float, float, float]) -> QPoint:
        x, y, _ = opened.view.cameras[PERSPECTIVE].project(np.array(place), opened.view.size_of(PERSPECTIVE)).tolist()
        return QPoint(round(x), round(y))

    start, end = at((0.4, 0.3, 0.0)), at((0.7, 0.3, 0.0))
    canvas = opened.view.childAt(start)
    assert isinstance(canvas, QWidget)
    before = opened.session.document
    drag(canvas, [start, (start + end) / 2, end])
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    opened.settle()
    assert tank_of(opened).size[0] == pytest.approx(1.1)
    assert opened.session.document.actors[0].placement.position[0] == pytest.approx(0.15), "the other side stays"
    assert panel.size_fields.sliders[0].value == pytest.approx(1.1)
    middle, aside = at((0.15, 0.0, 0.0)), at((0.15, 0.0, 0.3))
    before = opened.session.document
    drag(canvas, [middle, (middle + aside) / 2, aside], modifiers=Qt.KeyboardModifier.ShiftModifier)
    opened.until(lambda: opened.session.document is not before and opened.session.at_rest)
    assert tank_of(opened).size[0] == pytest.approx(1.1)
    assert opened.session.document.actors[0].placement.position != (0.15, 0.0, 0.0)


def test_a_slice_and_arrows_show_the_flow(opened: Stage, panel: WaterPanel) -> None:
    go_to(opened, 4)
    panel.sections["look"].header.set_unfolded(True)
    form = panel.forms["look"]
    form.fields["slice"].activated.emit(1)
    opened.until(lambda: tank_of(opened).slice == "speed")
    QTest.mouseClick(form.fields["arrows"], LEFT, pos=QPoint(8, form.fields["arrows"].height() // 2))
    opened.until(lambda: tank_of(opened).arrows)
    opened.settle()
    assert opened.snapshot is not None
    (sheet,) = opened.snapshot.sheets
    assert sheet.high > 0.5, "m/s"
    assert any(each.role == "flow" for each in opened.snapshot.items if each is not sheet)


def test_a_pond_a_plane_and_a_stream_are_chosen_in_the_dock(opened: Stage, panel: WaterPanel) -> None:
    for name in ("waves", "method"):
        panel.sections[name].header.set_unfolded(True)
    planar = panel.forms["domain"].fields["planar"]
    QTest.mouseClick(planar, LEFT, pos=QPoint(8, planar.height() // 2))
    opened.until(lambda: tank_of(opened).planar)
    opened.settle()
    assert "8 x 6 = 48 cells" in panel.grid.text()
    assert np.ptp(water(opened).positions[:, 2]) == pytest.approx(0.6, abs=1e-2), "it is seen as deep as it says"
    panel.forms["waves"].fields["ends"].activated.emit(1)
    opened.until(lambda: tank_of(opened).ends == "open")
    assert panel.forms["waves"].rows["stroke"].isHidden()
    surface = panel.forms["method"].fields["surface"]
    surface.activated.emit(surface.count() - 1)
    opened.until(lambda: tank_of(opened).surface == "height_field")
    opened.settle()
    assert "8 x 1 = 8 columns" in panel.grid.text()
    assert panel.forms["method"].rows["coupling"].isHidden()
    assert not panel.forms["water"].rows["level"].isHidden()
    go_to(opened, 3)
    assert len(water(opened).positions)
    before = opened.session.document
    panel.forms["water"].fields["begins"].activated.emit(2)
    opened.until_told("a height field has one height above each place")
    assert opened.session.document is before
    panel.forms["water"].fields["begins"].activated.emit(3)
    opened.until(lambda: tank_of(opened).begins == "wave")


def test_what_bodies_cut_out_of_the_water_is_shown_and_what_goes_on_in_them(the_window: OneWindow) -> None:
    tank = WaterTank(size=(0.6, 0.5, 0.5), resolution=12.0, level=0.25)
    block = thing("block", "Block", Box(half=(0.1, 0.2, 0.1)), (0.0, 0.2, 0.0))
    with the_window.begun(Document(actors=(tank_actor("tank", "Tank", tank), block))) as opened:
        opened.session.select([Item("tank")])
        opened.window.menus.actions["water.show"].trigger()
        panel = opened.window.docks["water"].widget()
        assert isinstance(panel, WaterPanel)
        opened.until(panel.isVisible)
        opened.settle()
        whole = water(opened).positions
        panel.sections["look"].header.set_unfolded(True)
        box = panel.forms["look"].fields["shown"]
        for place, shown in ((1, "raw"), (2, "both")):
            box.setCurrentIndex(place)
            box.activated.emit(place)
            opened.until(lambda shown=shown: tank_of(opened).shown == shown)  # type: ignore[misc]
            opened.settle()
            assert len(water(opened).positions) > len(whole), "the block's sides are seen in the water"
            assert opened.snapshot is not None
            assert any(each.role == "pseudo" for each in opened.snapshot.items) == (shown == "both")


def test_what_has_no_effect_on_a_way_of_computing_is_not_offered() -> None:
    idle = {surface: idle_rows(WaterTank(surface=surface)) for surface in ("particle_level_set", "level_set", "flip")}
    assert not idle["particle_level_set"] & {"spray", "advection"}
    assert idle["level_set"] & {"spray", "advection"} == {"spray"}, "it has no particles that could be lost"
    assert idle["flip"] >= {"spray", "advection"}


def test_it_begins_at_the_playhead(opened: Stage, panel: WaterPanel) -> None:
    go_to(opened, 3)
    moving = water(opened).positions
    do(opened, "water.begin_here")
    assert tank_of(opened).start == frame_time(3, (30, 1))
    assert water(opened).positions[:, 1].max() > moving[:, 1].max(), "the dam stands"


def test_it_is_baked_with_progress_cancelled_gone_on_with_and_removed(opened: Stage, panel: WaterPanel) -> None:
    opened.window.menus.actions["water.bake"].trigger()
    opened.until(lambda: panel.bar.isVisible())
    opened.window.menus.actions["water.cancel_bake"].trigger()
    opened.until(lambda: not baking(opened).running)
    assert "goes on from there" in opened.session.log[-1].text
    QTest.mouseClick(panel.bake, LEFT)
    opened.until(lambda: not baking(opened).running, patience=300.0)
    opened.until_told(f"Baked {FRAMES + 1} frames")
    opened.until(lambda: f"{FRAMES + 1} of {FRAMES + 1} frames" in panel.baked.text())
    assert not panel.bar.isVisible()
    go_to(opened, FRAMES)
    assert len(water(opened).positions)
    opened.window.menus.actions["water.remove_bake"].trigger()
    opened.until(lambda: panel.baked.text() == "No frame is baked.")
