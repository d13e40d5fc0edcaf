"""Where a bone points: the map on which limits of three hinges are seen, and the polygons that they become."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.commands.make_limit import Kind, MakeLimit
from engine.commands.shape_limit import ShapeLimit, fault_of, solid_angle, with_part
from engine.document import Blob, Document, Limit, Placement
from engine.document.limit import BoxRange, ConeRange, PolygonRange, SampledRange, Stroke
from engine.evaluate.evaluator import Evaluator
from engine.ik.regions import axes_of
from engine.limits.cones import measure_pointing, pointing
from engine.limits.field import compile_field
from engine.queries.limit_pointing import PointingPicture, PointingPictures, PointingWanted
from engine.queries.polygons import MOST_CORNERS, ROOM, corners_around, ends_of_twists
from engine.runtime.errors import EngineError
from tests.engine.queries.limit_figures import moving


def made(kind: Kind, document: Document | None = None, joint: str = "shoulder") -> Document:
    document = document or moving()
    wish = MakeLimit(actor="arm", joint=joint, kind=kind, id="limit", nodes=20)
    return wish.work_out(Evaluator(), document).apply(document)


def limit_of(document: Document) -> Limit:
    return document.actor("arm").figure.limit("limit")


def polygon_of(document: Document) -> PolygonRange:
    found = limit_of(document).range
    assert isinstance(found, PolygonRange)
    return found


def sampled(angles: np.ndarray) -> Document:
    """The arm with a limit of these samples in the place of a box."""
    document = made("box")
    arm = document.actor("arm")
    samples = SampledRange(angles=Blob(np.ascontiguousarray(angles)), clips=(len(angles),))
    figure = replace(arm.figure, limits=(replace(limit_of(document), range=samples),))
    return document.with_actor(replace(arm, figure=figure))


def measured(document: Document, angles: np.ndarray) -> np.ndarray:
    """How far beyond the polygon and its twist each of some poses is [rad]."""
    figure = document.actor("arm").figure
    axes = axes_of(figure, limit_of(document))
    assert axes is not None
    region = pointing(polygon_of(document), axes)
    return np.array([measure_pointing(*region, each) for each in angles])


def picture(document: Document, **wished: object) -> PointingPicture:
    wanted = PointingWanted(actor="arm", limit="limit", **wished)  # type: ignore[arg-type]
    *_, found = (each for each in PointingPictures().answer(Evaluator(), document, wanted) if each is not None)
    return found


def some_angles(count: int = 300, size: float = 0.5) -> np.ndarray:
    return np.asarray(np.random.default_rng(5).uniform(-size, size, (count, 3)) + np.array((0.4, 0.2, 0.3)))


@pytest.mark.parametrize("size", [0.0, 0.05, 0.5, 1.4], ids=["one pose", "few", "many", "all about"])
def test_the_polygon_of_samples_holds_them_all_with_their_twists(size: float) -> None:
    angles = some_angles(size=size)
    document = made("polygon", sampled(angles))
    assert measured(document, angles).max() <= 0.0
    assert 3 <= len(polygon_of(document).corners) <= 16
    assert limit_of(document).name == "Shoulder"


def test_a_polygon_around_samples_is_hardly_larger_than_their_hull() -> None:
    directions = np.array([(math.sin(a) * math.cos(b), -math.cos(a), math.sin(a) * math.sin(b))
                           for a in (0.1, 0.3, 0.5) for b in np.linspace(0.0, math.tau, 40)])  # fmt: skip
    corners = corners_around(directions)
    assert len(corners) <= MOST_CORNERS
    cap = math.tau * (1.0 - math.cos(0.5 + ROOM))
    assert cap * 0.9 < solid_angle(corners) < cap * 1.12


def test_the_polygon_of_a_cone_is_its_outline() -> None:
    cone = made("cone")
    content = limit_of(cone).range
    assert isinstance(content, ConeRange)
    found = polygon_of(made("polygon", cone))
    assert found.twist == content.twist
    away = [math.acos(sum(a * b for a, b in zip(corner, content.axis, strict=True))) for corner in found.corners]
    assert away == pytest.approx([content.swing[0]] * len(away))
    assert solid_angle(found.corners) == pytest.approx(math.tau * (1.0 - math.cos(content.swing[0])), rel=0.1)


def test_the_polygon_of_a_box_holds_what_it_allows() -> None:
    document = made("box")
    shape = BoxRange(lower=(-0.3, -0.2, -0.1), upper=(0.3, 0.4, 0.5))
    document = ShapeLimit(actor="arm", limit="limit", range=shape).work_out(Evaluator(), document).apply(document)
    inside = np.random.default_rng(1).uniform(shape.lower, shape.upper, (200, 3))
    assert measured(made("polygon", document), inside).max() < 0.02


def test_a_joint_without_a_limit_begins_with_the_usual_cone_and_one_of_two_hinges_is_refused() -> None:
    assert len(polygon_of(made("polygon")).corners) == MOST_CORNERS
    with pytest.raises(EngineError, match="three"):
        made("polygon", joint="wrist")


def test_twists_that_go_over_half_a_turn_lie_between_their_ends() -> None:
    lower, upper = ends_of_twists(np.array([3.0, -3.0, 3.1]))
    assert (lower, upper) == pytest.approx((3.0 - ROOM - math.tau, -3.0 + ROOM)) or (lower, upper) == pytest.approx(
        (3.0 - ROOM, math.tau - 3.0 + ROOM)
    )
    assert ends_of_twists(np.linspace(-3.1, 3.1, 60)) == (-math.pi, math.pi)


def test_the_map_is_seen_from_outside_with_the_world_around_it() -> None:
    found = picture(made("cone")).map
    assert np.allclose(found.middle, (0.0, -1.0, 0.0)), "where the forearm hangs"
    assert np.allclose(found.up, (0.0, 0.0, 1.0)), "an arm that hangs has the front above"
    assert np.allclose(np.cross(found.right, found.up), found.middle)
    assert dict(found.marks)["left"] == pytest.approx((1.0, 0.0, 0.0))
    assert len(found.faces) > 50
    assert (found.patch @ np.array(found.middle)).min() > math.cos(math.pi / 3 + 0.3)


def test_dots_are_of_the_samples_that_are_told_else_of_what_the_figure_does() -> None:
    angles = some_angles(100)
    told = picture(made("polygon", sampled(angles)), samples=Blob(angles)).map.dots
    assert len(told) == 100
    assert np.allclose(np.linalg.norm(told, axis=1), 1.0)
    done = picture(made("polygon")).map.dots
    assert len(done) > 200
    assert not len(picture(made("polygon")).map.faces), "a polygon tells itself where it is"


def test_the_pose_points_where_the_bone_does_and_the_map_is_kept_from_pose_to_pose() -> None:
    pictures, document = PointingPictures(), made("polygon")
    found = []
    for angles in ((0.0, 0.0, 0.0), (0.0, math.pi / 2, 0.0)):
        wanted = PointingWanted(actor="arm", limit="limit", angles=angles)
        found += [each for each in pictures.answer(Evaluator(), document, wanted) if each is not None]
    first, second = found
    assert first.pose == pytest.approx((0.0, -1.0, 0.0))
    assert second.pose == pytest.approx((0.0, 0.0, -1.0)), "turned about x"
    assert first.map is second.map


def with_limit(document: Document, **changes: object) -> Document:
    arm = document.actor("arm")
    limits = (replace(limit_of(document), **changes),)  # type: ignore[arg-type]
    return document.with_actor(replace(arm, figure=replace(arm.figure, limits=limits)))


def test_the_patch_of_a_cone_off_the_bone_is_about_the_cone() -> None:
    document = made("cone")
    cone = limit_of(document).range
    assert isinstance(cone, ConeRange)
    found = picture(with_limit(document, range=replace(cone, axis=(1.0, 0.0, 0.0)))).map
    assert found.middle == (1.0, 0.0, 0.0)
    assert len(found.faces) > 50
    assert (found.patch @ np.array(found.middle)).min() > math.cos(max(cone.swing) + 0.3)


def test_the_map_of_a_root_joint_is_the_same_however_its_actor_stands() -> None:
    document = made("cone")
    arm = document.actor("arm")
    _, shoulder, *others = arm.figure.joints
    figure = replace(arm.figure, joints=(replace(shoulder, parent=None), *others))
    half = math.sqrt(0.5)
    maps = [
        picture(document.with_actor(replace(arm, figure=figure, layers=(), placement=Placement(rotation=rotation)))).map
        for rotation in ((1.0, 0.0, 0.0, 0.0), (half, 0.0, 0.0, half))
    ]
    assert len(maps[0].faces) > 50
    assert np.allclose(maps[0].patch, maps[1].patch)


def test_the_patch_of_a_brushed_polygon_follows_its_corners() -> None:
    pictures, document = PointingPictures(), made("polygon")
    content, found = polygon_of(document), []
    stroke = Stroke(kind="pull", points=((0.0, 0.0, 0.0),), radius=0.2)
    for corners in (content.corners, content.corners[:-1]):
        shaped = with_limit(document, range=replace(content, corners=corners), strokes=(stroke,))
        wanted = PointingWanted(actor="arm", limit="limit")
        *_, last = (each for each in pictures.answer(Evaluator(), shaped, wanted) if each is not None)
        found.append(last.map)
    assert len(found[0].faces) > 50
    assert found[0] is not found[1]


def test_while_something_is_dragged_the_motion_is_not_gone_through_again() -> None:
    pictures, document = PointingPictures(), made("polygon")
    arm = document.actor("arm")
    dragged = document.with_actor(replace(arm, layers=(replace(arm.layers[0], name="Dragged", tracks=()),)))
    dots = []
    for shown, moving_now in ((document, False), (dragged, True), (dragged, False)):
        wanted = PointingWanted(actor="arm", limit="limit", moving=moving_now)
        *_, last = (each for each in pictures.answer(Evaluator(), shown, wanted) if each is not None)
        dots.append(last.map.dots)
    assert dots[0] is dots[1]
    assert len(dots[0]) > 200
    assert not len(dots[2])


def test_dots_of_samples_are_kept_whatever_the_figure_does() -> None:
    pictures, samples = PointingPictures(), Blob(some_angles(100))
    document = made("polygon")
    arm = document.actor("arm")
    still = document.with_actor(replace(arm, layers=()))
    wanted = PointingWanted(actor="arm", limit="limit", samples=samples)
    first, second = (
        [each for each in pictures.answer(Evaluator(), shown, wanted) if each is not None][-1].map
        for shown in (document, still)
    )
    assert first.dots is second.dots
    assert first is second


def test_another_shape_takes_its_grid_with_it_and_fewer_nodes_while_it_is_moved() -> None:
    document = made("polygon")
    old = limit_of(document)
    wide = replace(polygon_of(document), twist=(-1.5, 1.5))
    for most, count in ((8, 8), (None, 20)):
        wish = ShapeLimit(actor="arm", limit="limit", range=wide, most=most)
        new = limit_of(wish.work_out(Evaluator(), document).apply(document))
        assert new.grid.counts == (count,) * 3
        assert (new.id, new.name, new.range) == (old.id, old.name, wide)
    arm = document.actor("arm").figure
    assert compile_field(new, axes_of(arm, new)).volume > compile_field(old, axes_of(arm, old)).volume
    assert wish.label(document) == "Shape limit Shoulder"


def test_polygons_that_cross_themselves_turn_over_or_have_two_corners_are_told() -> None:
    square = tuple((x / 3**0.5, y / 3**0.5, 1 / 3**0.5) for x, y in ((1, -1), (1, 1), (-1, 1), (-1, -1)))
    assert fault_of(square, square) == ""
    assert solid_angle(square) == pytest.approx(math.tau * 2 / 6), "a sixth of the sphere"
    assert "cross" in fault_of((square[0], square[2], square[1], square[3]), square)
    assert "inside out" in fault_of(square[::-1], square)
    assert "three" in fault_of(square[:2], square)
    assert "shorter" in fault_of((square[0], square[0], *square[1:]), square)
    concave = (*square[:3], (0.0, 0.0, 1.0))
    assert fault_of(concave, square) == ""


def test_a_crossing_polygon_is_refused_and_the_limit_stays() -> None:
    document = made("polygon")
    corners = polygon_of(document).corners
    crossed = replace(polygon_of(document), corners=(corners[0], corners[6], corners[3], corners[9]))
    with pytest.raises(EngineError, match="cross"):
        ShapeLimit(actor="arm", limit="limit", range=crossed).work_out(Evaluator(), document)


def test_a_part_of_a_direction_is_set_and_the_others_keep_their_ratio() -> None:
    assert with_part((0.6, 0.0, 0.8), 1, 0.6) == pytest.approx((0.48, 0.6, 0.64))
    assert with_part((1.0, 0.0, 0.0), 0, 0.8) == pytest.approx((0.8, 0.6, 0.0))
