"""Limits as polygons on the sphere, in the real window: corners dragged, added, removed; numbers of ranges; nodes."""

from __future__ import annotations

import math
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.features.limits.current_limit import CurrentLimit
from app.features.limits.sphere import SphereView
from app.session import Item
from app.style.apply import current_theme
from app.style.value_slider import ValueSlider
from engine.document.limit import BoxRange, ConeRange, PolygonRange
from engine.document.values import Vector3
from tests.gui.test_limits import (
    KNEE,
    LEFT,
    PATIENCE,
    SHOULDER,
    build,
    dancing,
    enter,
    grab,
    human,
    is_accent,
    limits,
    panel_of,
    seen,
    share,
)
from tests.gui.test_scenery import choose
from tests.one_window import Arranged, OneWindow
from tests.stage import Stage, drag, move

pytestmark = pytest.mark.gui


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged()


@pytest.fixture
def opened(window: Arranged) -> Iterator[Stage]:
    """The left shoulder is selected, and the panel raised."""
    with window.anew(dancing()) as begun:
        begun.window.resizeDocks([begun.window.docks["limits"]], [420], Qt.Orientation.Horizontal)
        begun.session.select([Item(human(begun), SHOULDER)])
        choose(begun, "limit.show")
        begun.until(lambda: panel_of(begun).isVisible())
        yield begun
        begun.session.of(CurrentLimit).pointing.show(False)
        begun.session.of(CurrentLimit).show_on_body(False)


def polygon(opened: Stage) -> PolygonRange:
    content = limits(opened)[0].range
    assert isinstance(content, PolygonRange)
    return content


def made(opened: Stage) -> SphereView:
    """A polygon of the shoulder, by the menu; the map of it, drawn."""
    choose(opened, "limit.polygon")
    view = panel_of(opened).sphere
    pointing = opened.session.of(CurrentLimit).pointing

    def there() -> bool:
        """the map of the polygon"""
        content = limits(opened)[0].range if limits(opened) else None
        is_there = isinstance(content, PolygonRange) and view.shown.corners == content.corners
        return is_there and pointing.picture is not None

    opened.until(there, patience=PATIENCE)
    opened.settle()
    assert view.isVisible()
    return view


def pixel(view: SphereView, direction: Vector3) -> QPoint:
    return view.point_of(direction).toPoint()


def kept(opened: Stage, depth: int) -> None:
    """Until one more entry is in the history."""
    pointing = opened.session.of(CurrentLimit).pointing
    opened.until(lambda: opened.session.history.position == depth and not pointing.busy, patience=PATIENCE)
    opened.settle()


def test_a_corner_is_dragged_with_a_live_preview_as_one_entry_and_undone(opened: Stage) -> None:
    build(opened, SHOULDER)
    view = made(opened)
    before, depth = polygon(opened), opened.session.history.position
    assert len(view.shown.dots) > 50, "the samples that it was built from stay in sight"
    assert share(grab(view), is_accent) > 0.02
    start = pixel(view, before.corners[0])
    outwards = (view.point_of(before.corners[0]) - view.point_of(_middle(before))) * 0.4
    QTest.mousePress(view, LEFT, pos=start)
    for step in (0.5, 1.0):
        move(view, start + (outwards * step).toPoint())
    opened.until(lambda: opened.session.shown is not opened.session.document, patience=PATIENCE)
    assert polygon(opened) is before, "what is dragged is a preview"
    QTest.mouseRelease(view, LEFT, pos=start + outwards.toPoint())
    kept(opened, depth + 1)
    after = polygon(opened)
    assert after.corners[1:] == before.corners[1:]
    assert after.corners[0] == pytest.approx(view.direction_at(QPointF(start + outwards.toPoint())))
    assert limits(opened)[0].grid.counts == (32, 32, 32), "the drag's coarse grid is gone"
    QTest.keyClick(opened.window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    opened.until(lambda: polygon(opened) is before)
    opened.until(lambda: view.shown.corners == before.corners)


def _middle(content: PolygonRange) -> Vector3:
    x, y, z = (sum(each[axis] for each in content.corners) for axis in range(3))
    length = math.hypot(x, y, z)
    return x / length, y / length, z / length


def test_corners_are_added_on_a_side_moved_by_keys_and_removed(opened: Stage) -> None:
    view = made(opened)
    first, depth = polygon(opened), opened.session.history.position
    side = view.shown.map.side(first.corners[0], first.corners[1])
    middle = view.pixel(side[len(side) // 2]).toPoint()
    move(view, middle, held=False)
    assert view.shown.ghost is not None, "a press would make a corner here"
    drag(view, [middle, middle + QPoint(6, 4), middle + QPoint(14, 8)])
    kept(opened, depth + 1)
    more = polygon(opened)
    assert len(more.corners) == len(first.corners) + 1
    assert (more.corners[0], more.corners[2]) == first.corners[:2]
    assert view.shown.chosen == 1

    QTest.keyClick(view, Qt.Key.Key_Right)
    kept(opened, depth + 2)
    moved, was = view.shown.map.flat(polygon(opened).corners[1]), view.shown.map.flat(more.corners[1])
    assert moved == pytest.approx((was[0] + math.radians(1.0), was[1]))

    QTest.keyClick(view, Qt.Key.Key_Delete)
    kept(opened, depth + 3)
    assert polygon(opened).corners == first.corners
    assert opened.session.selection.active == Item(human(opened), SHOULDER), "the joint was not deleted"


def test_two_quick_keys_are_two_changes(opened: Stage) -> None:
    view = made(opened)
    before, depth = polygon(opened), opened.session.history.position
    QTest.mouseClick(view, LEFT, pos=pixel(view, before.corners[0]))
    QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Right)
    kept(opened, depth + 2)
    moved, was = view.shown.map.flat(polygon(opened).corners[0]), view.shown.map.flat(before.corners[0])
    assert moved == pytest.approx((was[0] + math.radians(2.0), was[1]))


def test_a_drag_that_loses_its_view_is_dropped(opened: Stage) -> None:
    view = made(opened)
    before, depth = polygon(opened), opened.session.history.position
    start = pixel(view, before.corners[0])
    QTest.mousePress(view, LEFT, pos=start)
    move(view, start + QPoint(5, 5))
    opened.session.of(CurrentLimit).pointing.show(False)
    opened.until(lambda: not view.isVisible())
    assert not opened.session.of(CurrentLimit).pointing.busy
    opened.until(lambda: opened.session.shown is opened.session.document)
    assert view.shown.corners == before.corners
    QTest.mouseRelease(view, LEFT, pos=start)
    opened.settle()
    assert opened.session.history.position == depth


def test_what_is_no_polygon_is_told_and_not_kept(opened: Stage) -> None:
    view, panel = made(opened), panel_of(opened)
    before, depth = polygon(opened), opened.session.history.position
    start, across = pixel(view, before.corners[0]), pixel(view, before.corners[6])
    beyond = across + QPoint(*(round(0.4 * each) for each in (across - start).toTuple()))
    QTest.mousePress(view, LEFT, pos=start)
    move(view, beyond)
    assert "cross" in panel.state.text
    assert view.shown.is_wrong
    QTest.mouseRelease(view, LEFT, pos=beyond)
    opened.settle()
    assert view.shown.corners == before.corners
    QTest.mousePress(view, LEFT, pos=start)
    move(view, start + QPoint(5, 5))
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=start + QPoint(5, 5))
    opened.until(lambda: not opened.session.of(CurrentLimit).pointing.busy)
    opened.settle()
    assert view.shown.corners == before.corners
    assert opened.session.history.position == depth


def test_the_map_is_zoomed_moved_and_seen_as_a_whole_again(opened: Stage) -> None:
    view = made(opened)
    corner = polygon(opened).corners[3]
    whole = pixel(view, corner)
    corner_of_view = QPoint(8, 8)
    drag(view, [corner_of_view, corner_of_view + QPoint(30, 20)])
    assert pixel(view, corner) == whole + QPoint(30, 20)
    QTest.mouseDClick(view, LEFT, pos=corner_of_view)
    assert pixel(view, corner) == whole
    assert opened.session.history.position == 1, "the polygon alone"


def test_the_pose_is_on_the_map_and_the_patch_on_the_body_follows_the_polygon(opened: Stage) -> None:
    view, current = made(opened), opened.session.of(CurrentLimit)
    current.do("set_limit_on", on=False)
    choose(opened, "limit.on_body")
    opened.until(lambda: current.picture is not None and current.picture.reach is not None, patience=PATIENCE)
    assert current.picture is not None
    assert current.picture.reach is not None
    small = len(current.picture.reach.faces)
    opened.session.set_playhead(0)
    opened.until(lambda: view.shown.pose is not None)
    first = view.shown.pose
    opened.session.set_playhead(705_600_000)
    opened.until(lambda: view.shown.pose not in (None, first))
    view.setFocus()
    start = pixel(view, polygon(opened).corners[0])
    QTest.mouseClick(view, LEFT, pos=start)
    depth = opened.session.history.position
    outwards = view.shown.map.flat(polygon(opened).corners[0])
    way = Qt.Key.Key_Right if outwards[0] > 0.1 else Qt.Key.Key_Left if outwards[0] < -0.1 else Qt.Key.Key_Up
    QTest.keyClick(view, way, Qt.KeyboardModifier.ShiftModifier)
    kept(opened, depth + 1)

    def other() -> bool:
        """the patch of the larger polygon"""
        picture = current.picture
        return picture is not None and picture.reach is not None and len(picture.reach.faces) != small

    opened.until(other, patience=PATIENCE)


def test_the_map_shows_what_any_limit_of_three_hinges_allows(opened: Stage) -> None:
    build(opened, SHOULDER)
    panel = panel_of(opened)
    assert panel.map.isEnabled()
    QTest.mouseClick(panel.map, LEFT)
    opened.until(lambda: bool(panel.sphere.shown.triangles), patience=PATIENCE)
    opened.settle()
    assert panel.sphere.isVisible()
    assert not panel.brush.isVisible()
    assert panel.sphere.shown.corners == ()
    assert share(grab(panel.sphere), is_accent) > 0.02
    choose(opened, "limit.sphere")
    opened.until(lambda: not panel.sphere.isVisible())
    assert panel.brush.isVisible()


def unfold(opened: Stage, title: str, inside: QWidget) -> None:
    section = panel_of(opened)._folds[title]
    if not section.header.unfolded:
        QTest.mouseClick(section.header, LEFT)
    opened.until(inside.isVisible)


def entered(opened: Stage, label: str, number: str) -> None:
    """Type a number of the range."""
    depth = opened.session.history.position
    sliders: list[ValueSlider] = panel_of(opened).numbers.sliders
    enter(next(each for each in sliders if each.face.label == label), number)
    opened.until(lambda: opened.session.history.position == depth + 1, patience=PATIENCE)


def test_each_number_of_box_cone_and_polygon_is_typed(opened: Stage) -> None:
    choose(opened, "limit.cone")
    seen(opened, lambda each: isinstance(limits(opened)[0].range, ConeRange))
    unfold(opened, "Range", panel_of(opened).numbers)
    for label, number in (("Swing 1", "40"), ("Swing 2", "50"), ("Twist, from", "-20"), ("Twist, to", "30")):
        entered(opened, label, number)
    entered(opened, "Bone, z", "0.6")
    cone = limits(opened)[0].range
    assert isinstance(cone, ConeRange)
    assert [math.degrees(each) for each in (*cone.swing, *cone.twist)] == pytest.approx([40, 50, -20, 30])
    assert cone.axis[2] == pytest.approx(0.6)
    assert math.hypot(*cone.axis) == pytest.approx(1.0)

    made(opened)
    entered(opened, "Twist, to", "45")
    assert math.degrees(polygon(opened).twist[1]) == pytest.approx(45.0)
    assert polygon(opened).axis == pytest.approx(cone.axis)

    choose(opened, "limit.box")
    opened.until(lambda: isinstance(limits(opened)[0].range, BoxRange), patience=PATIENCE)
    opened.settle()
    numbers = panel_of(opened).numbers
    assert len(numbers.sliders) == 6
    for at, slider in enumerate(numbers.sliders):
        entered(opened, slider.face.label, str(10 * (at % 2)))
    box = limits(opened)[0].range
    assert isinstance(box, BoxRange)
    assert [math.degrees(each) for each in (*box.lower, *box.upper)] == pytest.approx([0, 0, 0, 10, 10, 10])


def test_nodes_along_each_angle_are_set_by_themselves(opened: Stage) -> None:
    choose(opened, "limit.box")
    seen(opened, lambda each: len(limits(opened)) == 1)
    fields = panel_of(opened).fields
    unfold(opened, "Region", fields)
    assert [each.isVisible() for each in fields.along] == [True, True, True, False, False]
    enter(fields.along[1], "12")
    opened.until(lambda: limits(opened)[0].grid.counts == (32, 12, 32), patience=PATIENCE)
    enter(fields.along[2], "20")
    opened.until(lambda: limits(opened)[0].grid.counts == (32, 12, 20), patience=PATIENCE)
    enter(fields.nodes, "16")
    opened.until(lambda: limits(opened)[0].grid.counts == (16, 16, 16), patience=PATIENCE)
    opened.session.select([Item(human(opened), KNEE)])
    choose(opened, "limit.box")
    opened.until(lambda: len(limits(opened)) == 2, patience=PATIENCE)
    opened.settle()
    assert not any(each.isVisible() for each in fields.along), "one angle has one number"


def test_a_wrong_polygon_is_drawn_in_the_colour_of_danger(opened: Stage) -> None:
    view = made(opened)
    before = polygon(opened)
    start, across = pixel(view, before.corners[0]), pixel(view, before.corners[6])
    beyond = across + QPoint(*(round(0.4 * each) for each in (across - start).toTuple()))
    wanted = QColor(current_theme().danger)

    def is_danger(colour: QColor) -> bool:
        return colour.saturation() > 60 and abs(colour.hue() - wanted.hue()) < 12

    assert share(grab(view), is_danger) == 0.0
    QTest.mousePress(view, LEFT, pos=start)
    move(view, beyond)
    assert share(grab(view), is_danger) > 0.01
    QTest.keyClick(view, Qt.Key.Key_Escape)
    QTest.mouseRelease(view, LEFT, pos=beyond)
