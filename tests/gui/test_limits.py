"""The Joint limits panel in the real window: limits built, turned, sliced, brushed, undone, imported and exported."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from app.features.limits.current_limit import CurrentLimit
from app.features.limits.panel import LimitsPanel
from app.features.limits.sheet import LimitsSheet
from app.scene.region_view import RegionView
from app.session import Item
from app.session.actors import new_document
from app.style.apply import current_theme
from app.style.value_slider import ValueSlider
from engine.document import Blob, Document, Key, Limit, Track
from engine.document.limit import BoxRange, ConeRange, MeshRange, SampledRange
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import Edit, edit
from tests.app.shell.answers import Answers
from tests.gui.test_scenery import choose, pixels
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui
LEFT = Qt.MouseButton.LeftButton
SHOULDER, ANKLE, KNEE = "shoulder_left", "ankle_left", "knee_left"
PATIENCE = 240.0  # [s] where kernels may have to be compiled


def dancing() -> Document:
    """A human that waves its left arm about, bends a knee and rolls an ankle, for two seconds."""
    document = new_document()
    actor = document.actors[0]
    sizes = {
        f"{SHOULDER}.flexion": 0.9, f"{SHOULDER}.abduction": 0.6, f"{SHOULDER}.rotation": 0.5,
        f"{KNEE}.flexion": 0.6, f"{ANKLE}.dorsiflexion": 0.3, f"{ANKLE}.inversion": 0.2,
    }  # fmt: skip
    tracks = []
    for place, (name, size) in enumerate(sizes.items()):
        turn = [0.4 * size + size * math.sin(0.7 * step + 1.1 * place) * 0.6 for step in range(9)]
        keys = tuple(Key(step * SECOND // 4, value) for step, value in enumerate(turn))
        tracks.append(Track(coordinate=name, keys=keys))
    order = actor.figure.coordinate_index
    layer = replace(actor.layers[0], tracks=tuple(sorted(tracks, key=lambda each: order[each.coordinate])))
    return document.with_actor(replace(actor, layers=(layer,)))


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture(scope="module")
def window(the_window: OneWindow, answers: Answers) -> Arranged:
    return the_window.arranged(questions=answers)


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    """The left shoulder is selected, and the panel raised by its keys."""
    with window.anew(dancing()) as begun:
        begun.window.resizeDocks([begun.window.docks["limits"]], [420], Qt.Orientation.Horizontal)
        current = begun.session.of(CurrentLimit)
        current.set_brush(kind=None, mirror=None)
        begun.session.select([Item(human(begun), SHOULDER)])
        QTest.keyClick(
            begun.window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
        )
        begun.until(lambda: panel_of(begun).isVisible())
        yield begun
        current.show_on_body(False)


def human(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def panel_of(opened: Stage) -> LimitsPanel:
    panel = opened.window.docks["limits"].widget()
    assert isinstance(panel, LimitsPanel)
    return panel


def view_of(opened: Stage) -> RegionView:
    view = panel_of(opened).region
    assert isinstance(view, RegionView)
    return view


def limits(opened: Stage) -> tuple[Limit, ...]:
    return opened.session.document.actors[0].figure.limits


def seen(opened: Stage, what: Callable[[CurrentLimit], bool] = lambda current: True) -> CurrentLimit:
    """Until the picture of the limit that is meant is there, drawn, and so."""
    current = opened.session.of(CurrentLimit)

    def there() -> bool:
        """the picture of the limit"""
        picture, limit = current.picture, current.limit
        return picture is not None and limit is not None and picture.limit is limit and what(current)

    opened.until(there, patience=PATIENCE)
    opened.settle()
    return current


def build(opened: Stage, *joints: str, mirrored: bool = False) -> CurrentLimit:
    """By the button of the panel and the sheet that it opens."""
    session = opened.session
    session.select(Item(human(opened), each) for each in joints)
    QTest.mouseClick(panel_of(opened).buttons["limit.build"], LEFT)
    sheet = opened.window.findChild(LimitsSheet)
    assert sheet is not None
    opened.until(sheet.isVisible)
    if mirrored:
        QTest.mouseClick(sheet.mirrored, LEFT, pos=QPoint(8, sheet.mirrored.height() // 2))
    QTest.mouseClick(sheet.buttons.button(sheet.buttons.StandardButton.Ok), LEFT)
    opened.until(lambda: len(limits(opened)) > 0, patience=PATIENCE)
    return seen(opened)


def grab(view: QWidget) -> QImage:
    return view.grab_gl() if isinstance(view, RegionView) else view.grab().toImage()


def share(image: QImage, is_so: Callable[[QColor], bool]) -> float:
    """How much of a picture is of some colour, by every third pixel."""
    colours, counts = np.unique(pixels(image)[::3, ::3].reshape(-1, 3), axis=0, return_counts=True)
    so = [is_so(QColor(*colour)) for colour in colours.tolist()]
    return float(counts[so].sum() / counts.sum())


def is_accent(colour: QColor) -> bool:
    """Of the hue of the surface, shaded or not."""
    wanted = QColor(current_theme().accent)
    apart = abs(colour.hue() - wanted.hue())
    return colour.saturation() > 60 and colour.value() > 50 and min(apart, 360 - apart) < 20


def is_warning(colour: QColor) -> bool:
    wanted = QColor(current_theme().warning)
    apart = (colour.red() - wanted.red(), colour.green() - wanted.green(), colour.blue() - wanted.blue())
    return max(abs(each) for each in apart) < 40


def on_surface(view: RegionView) -> QPoint:
    """A point of the view under which the surface is, with surface around it."""
    centre = view.rect().center()
    around = sorted(
        (QPoint(x, y) for x in range(20, view.width() - 20, 6) for y in range(20, view.height() - 20, 6)),
        key=lambda each: (each - centre).manhattanLength(),
    )
    shifts = (QPoint(), QPoint(8, 0), QPoint(-8, 0), QPoint(0, 8), QPoint(16, 8))
    return next(p for p in around if all(view.place_at(QPointF(p + shift)) is not None for shift in shifts))


def test_limits_are_built_from_clips_turned_brushed_and_each_stroke_undone(opened: Stage) -> None:
    current = build(opened, SHOULDER)
    made, view = limits(opened)[0], view_of(opened)
    assert isinstance(made.range, SampledRange)
    assert made.dofs == (f"{SHOULDER}.flexion", f"{SHOULDER}.abduction", f"{SHOULDER}.rotation")
    first = grab(view)
    assert share(first, is_accent) > 0.02

    corner = QPoint(12, 12)
    drag(view, [corner, corner + QPoint(60, 20), corner + QPoint(150, 60)])
    opened.settle()
    turned = grab(view)
    assert turned != first
    assert share(turned, is_accent) > 0.018
    assert limits(opened)[0] is made

    choose(opened, "limit.pull")
    current.set_brush(radius=0.4, strength=1.0)
    volume = _volume(current)
    start, depth = on_surface(view), opened.session.history.position
    QTest.mousePress(view, LEFT, pos=start)
    move(view, start + QPoint(8, 0))
    move(view, start + QPoint(16, 8))
    opened.until(lambda: current.picture is not None and bool(current.picture.wanted.strokes), patience=PATIENCE)
    assert limits(opened)[0] is made, "a stroke is a preview until it is let go"
    QTest.mouseRelease(view, LEFT, pos=start + QPoint(16, 8))
    seen(opened, lambda each: not each.brushing and len(limits(opened)[0].strokes) == 1)
    assert opened.session.history.position == depth + 1
    assert _volume(current) > volume
    assert grab(view) != turned

    QTest.keyClick(opened.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    seen(opened, lambda each: limits(opened)[0] is made)
    assert _volume(current) == volume
    assert share(grab(view), is_accent) == pytest.approx(share(turned, is_accent), abs=0.01)


def test_a_limit_built_with_mirrored_clips_holds_what_the_other_side_did(opened: Stage) -> None:
    build(opened, "knee_right", mirrored=True)
    (made,) = limits(opened)
    assert isinstance(made.range, SampledRange)
    seen_of_own, seen_of_other = np.split(made.range.angles.array[:, 0], 2)
    assert np.ptp(seen_of_own) == 0.0, "the right knee stays as it is"
    assert np.ptp(seen_of_other) > 0.4, "the left one bends"


def enter(slider: ValueSlider, number: str) -> None:
    """Type a number into a slider."""
    slider.edit(number)
    field = slider.findChild(QLineEdit)
    assert field is not None
    QTest.keyClick(field, Qt.Key.Key_Return)


def _volume(current: CurrentLimit) -> float:
    """Enclosed by the boundary that is shown."""
    assert current.picture is not None
    a, b, c = (current.picture.positions[current.picture.faces[:, corner]] for corner in range(3))
    x, y, z = (
        a[:, (axis + 1) % 3] * b[:, (axis + 2) % 3] - a[:, (axis + 2) % 3] * b[:, (axis + 1) % 3] for axis in range(3)
    )
    return float((x * c[:, 0] + y * c[:, 1] + z * c[:, 2]).sum() / 6.0)


def test_brushes_push_and_smooth_mirrored_and_escape_drops_a_stroke(opened: Stage) -> None:
    current, view = build(opened, SHOULDER), view_of(opened)
    before = _volume(current)
    choose(opened, "limit.push")
    current.set_brush(radius=0.3, strength=1.0, mirror=0)
    start = on_surface(view)
    drag(view, [start, start + QPoint(8, 0)])
    seen(opened, lambda each: len(limits(opened)[0].strokes) == 2)
    assert _volume(current) < before
    stroke, image = limits(opened)[0].strokes
    assert [point[0] for point in stroke.points] == [-point[0] for point in image.points]

    choose(opened, "limit.smooth")
    assert current.brush.kind == "smooth"
    QTest.mousePress(view, LEFT, pos=on_surface(view))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=on_surface(view))
    seen(opened, lambda each: not each.brushing)
    assert len(limits(opened)[0].strokes) == 2

    choose(opened, "limit.no_strokes")
    seen(opened, lambda each: limits(opened)[0].strokes == ())
    assert _volume(current) == pytest.approx(before)
    choose(opened, "limit.turn")
    assert current.brush.kind is None


def test_a_slice_tells_distances_in_colour_and_moves_with_its_slider(opened: Stage) -> None:
    current, view, panel = build(opened, SHOULDER), view_of(opened), panel_of(opened)
    shown = grab(view)
    current.set_cut(2, None)
    opened.until(lambda: current.picture is not None and not current.picture.slices)
    opened.settle()
    assert grab(view) != shown
    current.set_cut(0, 0.4)
    opened.until(lambda: current.picture is not None and bool(current.picture.slices))
    assert current.picture is not None
    cut = current.picture.slices[0]
    assert cut.axes == (1, 2)
    assert cut.place[0] == pytest.approx(0.4)
    assert cut.values.min() < 0.0 < cut.values.max()
    assert panel.slices.places[0].value == pytest.approx(0.4)


def test_the_pose_is_a_dot_with_a_trail_and_outside_an_arrow_leads_back(opened: Stage) -> None:
    current, panel, view = build(opened, SHOULDER), panel_of(opened), view_of(opened)
    opened.session.set_playhead(SECOND // 4)
    opened.until(lambda: current.standing is not None and current.standing.angles == current.angles)
    assert current.standing is not None
    assert current.standing.value <= 0.0
    assert panel.state.text.startswith("inside")
    opened.settle()
    inside = share(grab(view), is_warning)
    current.do("set_limit_on", on=False)
    opened.session.do(_turned(opened, f"{SHOULDER}.flexion", 1.6))
    opened.session.set_playhead(0)
    opened.until(
        lambda: (
            current.standing is not None
            and current.standing.angles == current.angles
            and current.angles is not None
            and current.angles[0] == pytest.approx(1.6)
        )
    )
    assert current.standing.value > 0.2
    assert panel.state.text.startswith("outside by")
    opened.settle()
    assert share(grab(view), is_warning) > inside + 0.0005, "dot and arrow"
    opened.window.prefer(every_frame=True)  # a busy machine leaves so many out that the trail breaks off
    opened.session.play()
    opened.until(lambda: len(current.trail) > 5)
    opened.session.player.pause()
    assert all(one != other for one, other in pairwise(current.trail))


def _turned(opened: Stage, dof: str, value: float) -> Edit:
    actor = opened.session.document.actors[0]
    return edit("set_key", actor=actor.id, layer=actor.layers[0].id, coordinate=dof, time=0, value=value)


def test_limits_are_made_of_box_and_cone_wrapped_turned_off_and_removed(opened: Stage) -> None:
    session = opened.session
    choose(opened, "limit.cone")
    seen(opened, lambda each: isinstance(limits(opened)[0].range, ConeRange))
    choose(opened, "limit.wrap")
    seen(opened, lambda each: isinstance(limits(opened)[0].range, MeshRange))
    choose(opened, "limit.box")
    current = seen(opened, lambda each: isinstance(limits(opened)[0].range, BoxRange))
    assert limits(opened)[0].on
    choose(opened, "limit.toggle")
    opened.until(lambda: not limits(opened)[0].on)
    assert session.document.actors[0].figure.limited == frozenset()
    choose(opened, "limit.toggle")
    name = panel_of(opened).name
    name.setFocus()
    name.selectAll()
    QTest.keyClicks(name, "Reach")
    QTest.keyClick(name, Qt.Key.Key_Return)
    assert limits(opened)[0].name == "Reach"
    choose(opened, "limit.mirror")
    opened.until(lambda: len(limits(opened)) == 2)
    assert {each.split(".")[0] for each in limits(opened)[1].dofs} == {"shoulder_right"}
    choose(opened, "limit.remove")
    opened.until(lambda: len(limits(opened)) == 1)
    opened.until(lambda: current.picture is None)
    assert panel_of(opened).nothing.isVisible()


def test_limits_of_one_and_of_two_hinges_are_a_bar_and_a_filled_picture(opened: Stage) -> None:
    build(opened, KNEE, ANKLE)
    panel = panel_of(opened)
    flat = panel.flat
    for joint, count in ((KNEE, 1), (ANKLE, 2)):
        opened.session.select([Item(human(opened), joint)])
        current = seen(opened, lambda each, count=count: each.limit is not None and len(each.limit.dofs) == count)  # type: ignore[misc]
        assert flat.isVisible()
        assert share(grab(flat), is_accent) > 0.005
        assert current.limit is not None
        choose(opened, "limit.pull")
        place = flat.point_of((0.2,) * count).toPoint()
        drag(flat, [place, place + QPoint(6, 0)])
        seen(opened, lambda each: each.limit is not None and len(each.limit.strokes) == 1)
        choose(opened, "limit.turn")


def test_samples_that_jump_are_told_below_the_picture(opened: Stage) -> None:
    panel, current = panel_of(opened), build(opened, KNEE)
    assert current.limit is not None
    assert not panel.notes.isVisible(), "nothing is doubtful"
    wave = SampledRange(angles=Blob(np.array([[0.0], [0.1], [1.2], [1.3]])), clips=(4,))
    jumping = replace(current.limit, range=wave, grid=replace(current.limit.grid, lower=(-1.0,), spacing=(0.1,)))
    opened.session.do(edit("set_limit", actor=human(opened), limit=jumping))
    seen(opened)
    assert panel.notes.isVisible()
    assert panel.notes.text() == "The samples jump by more than 45 degrees once; the way between is a guess."


def test_resolution_and_margin_are_live_and_the_table_tells_of_all(opened: Stage) -> None:
    current, panel = build(opened, SHOULDER, ANKLE), panel_of(opened)
    opened.session.select([Item(human(opened), SHOULDER)])
    seen(opened)
    opened.until(lambda: len(current.rows) == 2 and all(row.inside is not None for row in current.rows))
    assert [row.name for row in current.rows] == ["Left shoulder", "Left ankle"]
    assert all(row.inside == 1.0 for row in current.rows)
    small = current.rows[0].volume
    enter(panel.fields.margin, "30")
    opened.until(lambda: limits(opened)[0].margin == pytest.approx(math.radians(30.0)))
    opened.until(lambda: current.rows[0].volume is not None and current.rows[0].volume > (small or 0.0))
    enter(panel.fields.nodes, "16")
    opened.until(lambda: limits(opened)[0].grid.counts == (16, 16, 16))
    row = panel.table.visualRect(panel.rows.index(1, 1)).center()
    QTest.mouseClick(panel.table.viewport(), LEFT, pos=row)
    seen(opened, lambda each: each.limit is not None and each.limit.name == "Left ankle")
    assert opened.session.selection.active == Item(human(opened), ANKLE)


def test_the_reachable_patch_is_drawn_about_the_joint_and_goes(opened: Stage) -> None:
    current = build(opened, SHOULDER)
    opened.session.set_playhead(0)
    opened.settle()
    before = opened.view.grab().toImage()
    choose(opened, "limit.on_body")
    opened.until(lambda: current.picture is not None and current.picture.reach is not None, patience=PATIENCE)
    opened.settle()
    with_patch = opened.view.grab().toImage()
    assert share(with_patch, is_accent) > share(before, is_accent) + 0.0015
    choose(opened, "limit.on_body")
    opened.settle()
    opened.until(lambda: current.picture is not None and current.picture.reach is None)
    opened.settle()
    assert share(opened.view.grab().toImage(), is_accent) == pytest.approx(share(before, is_accent), abs=0.0005)


@pytest.mark.parametrize("ending", [".obj", ".npz"])
def test_a_limit_is_exported_and_imported(opened: Stage, answers: Answers, tmp_path: Path, ending: str) -> None:
    current = build(opened, SHOULDER)
    volume = _volume(current)
    answers.place = answers.file = tmp_path / f"shoulder{ending}"
    choose(opened, "limit.export")
    opened.until(lambda: answers.place is not None and answers.place.exists() and opened.session.exchange.idle)
    choose(opened, "limit.remove")
    opened.until(lambda: not limits(opened))
    choose(opened, "limit.import")
    seen(opened, lambda each: len(limits(opened)) == 1)
    assert _volume(current) == pytest.approx(volume, rel=0.05)


def test_a_file_that_holds_no_limit_is_refused_and_the_former_one_stays(
    opened: Stage, answers: Answers, tmp_path: Path
) -> None:
    build(opened, SHOULDER)
    made = limits(opened)[0]
    answers.file = tmp_path / "open.obj"
    answers.file.write_text("v 0 0 0\nv 10 0 0\nv 0 10 0\nf 1 2 3\n")
    choose(opened, "limit.import")
    opened.until(lambda: any(entry.kind == "error" for entry in opened.session.log))
    assert limits(opened) == (made,)


def test_nothing_is_worked_out_while_the_panel_is_hidden(opened: Stage) -> None:
    current = build(opened, SHOULDER)
    opened.window.show_panel("inspector")
    opened.until(lambda: current.picture is None)
    opened.session.set_playhead(SECOND)
    opened.settle()
    assert current.standing is None
    choose(opened, "limit.show")
    seen(opened)
