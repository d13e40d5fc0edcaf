"""Wraps as triangles, and wraps and points that a hand moves: as far as paths leave room, with what moves them."""

from __future__ import annotations

import math
from dataclasses import replace
from random import Random

import numpy as np
import pytest

from engine.document import Document, Placement
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.maths.quaternions import turn_about, unit
from engine.muscles.checks import contains
from engine.muscles.compiled import MuscledFigure
from engine.muscles.parts import Muscles, MuscleWrap, PathPoint, PathWrap, WrapShape
from engine.muscles.queries.moved_parts import (
    THIN,
    moved_point,
    moved_wrap,
    nearest_point,
    nearest_wrap,
    sized_wrap,
    turned_wrap,
)
from engine.muscles.queries.path_places import PathPlaces, path_places
from engine.muscles.queries.wrap_forms import sizes_of, wrap_form
from tests.engine.muscles.arms import arm_muscles, bent_arm

RADII: dict[WrapShape, tuple[float, ...]] = {
    "sphere": (0.03,), "cylinder": (0.02,), "ellipsoid": (0.05, 0.03, 0.02), "torus": (0.05, 0.012),
}  # fmt: skip


def a_wrap(shape: WrapShape, seed: int = 3) -> MuscleWrap:
    random = Random(seed)
    turn = unit(tuple(random.gauss(0.0, 1.0) for _ in range(4)))  # type: ignore[arg-type]
    return MuscleWrap(
        id="wrap", name="Wrap", joint="elbow", shape=shape, radii=RADII[shape], rotation=turn,
        centre=(0.1, -0.2, 0.3), length=0.07 if shape == "cylinder" else None,
    )  # fmt: skip


@pytest.mark.parametrize("shape", RADII)
def test_triangles_of_a_wrap_lie_on_its_surface_and_face_outward(shape: WrapShape) -> None:
    wrap = a_wrap(shape)
    form = wrap_form(wrap)
    middle = slice(None) if shape != "cylinder" else slice(0, 0)
    for place, normal in zip(form.positions[middle], form.normals[middle], strict=True):
        inside, outside = ((place + side * normal).tolist() for side in (-1e-4, 1e-4))
        assert contains(wrap, (inside[0], inside[1], inside[2]))
        assert not contains(wrap, (outside[0], outside[1], outside[2]))
    corners = form.positions[form.triangles].astype(np.float64)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    outward = np.einsum("ij,ij->i", across, form.normals[form.triangles].mean(axis=1))
    wide = np.linalg.norm(across, axis=1) > 1e-9
    assert (outward[wide] > 0.0).all()
    assert np.linalg.norm(form.normals, axis=1) == pytest.approx(1.0, abs=1e-6)


def test_a_cylinder_is_as_wide_and_as_long_as_it_says_and_has_some_length_without_an_end() -> None:
    wrap = a_wrap("cylinder")
    for each, length in ((wrap, 0.07), (replace(wrap, length=None), 8.0 * 0.02)):
        form = wrap_form(each)
        away = form.positions.astype(np.float64) - each.centre
        along = away - np.einsum("ij,ij->i", away, form.normals)[:, None] * form.normals
        assert np.einsum("ij,ij->i", away, form.normals) == pytest.approx(0.02, abs=1e-6)
        assert 2.0 * np.linalg.norm(along, axis=1) == pytest.approx(length, abs=1e-6)


@pytest.mark.parametrize("shape", RADII)
def test_a_size_that_is_set_moves_its_place_on_the_surface_by_as_much(shape: WrapShape) -> None:
    wrap = a_wrap(shape)
    for size, (_, place, way) in sizes_of(wrap).items():
        grown = sized_wrap(wrap, size, 0.004)
        moved = np.array(sizes_of(grown)[size][1]) - place
        assert moved == pytest.approx(0.004 * np.array(way), abs=1e-12), size
        assert min(sized_wrap(wrap, size, -1.0).radii) > 0.0, "it never closes"
    assert set(sizes_of(replace(wrap, length=None))) == set(sizes_of(wrap)) - {"length"}


def test_a_tube_stays_thinner_than_its_ring() -> None:
    wrap = a_wrap("torus")
    for grown in (sized_wrap(wrap, "second", 1.0), sized_wrap(wrap, "first", -1.0)):
        assert grown.radii[1] == pytest.approx(THIN * grown.radii[0])


def test_a_wrap_goes_as_far_as_no_path_that_goes_round_it_has_a_point_inside() -> None:
    muscles = arm_muscles()
    ball = MuscleWrap(id="ball", name="Ball", joint="elbow", shape="sphere", radii=(0.01,), centre=(0.0, -0.05, -0.1))
    biceps = replace(muscles.muscles[0], wraps=(PathWrap(wrap="ball"),))  # it ends at (0, -0.05, 0.02)
    found = Muscles(muscles=(biceps, *muscles.muscles[1:]), wraps=(*muscles.wraps, ball))
    free = nearest_wrap(found, lambda share: moved_wrap(ball, (0.05, 0.0, 0.0), share))
    assert free.centre == pytest.approx((0.05, -0.05, -0.1))
    stopped = nearest_wrap(found, lambda share: moved_wrap(ball, (0.0, 0.0, 0.12), share))
    assert stopped.centre == pytest.approx((0.0, -0.05, 0.01), abs=1e-6), "a radius before the point"
    assert nearest_wrap(found, lambda share: sized_wrap(ball, "first", share * 0.5)).radii[0] == pytest.approx(0.12)
    point = nearest_point(found, biceps, 1, (0.0, 0.0, -0.12))
    assert point.point == pytest.approx((0.0, -0.05, -0.09), abs=1e-6), "a point stops at the wrap, too"
    quarter = turned_wrap(ball, turn_about((0.0, 1.0, 0.0), math.pi / 2))
    assert quarter.rotation == pytest.approx((math.sqrt(0.5), 0.0, math.sqrt(0.5), 0.0))


def test_a_point_that_a_joint_moves_takes_all_of_its_way_along() -> None:
    point = arm_muscles().muscles[2].points[1]
    moved = moved_point(point, (0.01, 0.02, 0.03))
    assert moved.point == pytest.approx((0.01, -0.25, 0.06))
    old, new = (dict(each.curves[0].knots) for each in (point, moved))
    assert {at: value + 0.03 for at, value in old.items()} == pytest.approx(new)


def told(document: Document, time: int, muscle: str) -> PathPlaces:
    found = [each for each in path_places(Evaluator(), document, "arm", time, muscle) if each is not None]
    return found[-1]


def test_points_that_are_moved_are_told_where_their_path_is_measured() -> None:
    arm = replace(bent_arm(), placement=Placement(position=(0.4, 1.0, 0.0)))
    document = Document(actors=(arm,))
    grounded = PathPoint(joint=None, point=(0.0, 0.0, 0.5))
    document = edit("add_path_point", actor="arm", muscle="brachialis", place=0, point=grounded).apply(document)
    found = told(document, SECOND, "brachialis")
    ((number, place),) = found.moved
    assert number == 2
    assert place == pytest.approx((0.0, -0.27, 0.035)), "the knot at a radian"
    assert found.ground[9:] == pytest.approx((0.4, 1.0, 0.0))
    evaluator, actor = Evaluator(), document.actors[0]
    muscles = actor.part(Muscles)
    assert muscles is not None
    figure = MuscledFigure(evaluator.model(actor), muscles)
    points, starts = figure.trace(evaluator.coordinates(document, "arm", [SECOND])[0], np.array(found.ground))
    path = points[starts[2] : starts[3]]
    assert path[0] == pytest.approx((0.4, 1.0, 0.5)), "on the ground that the arm is placed on"
    assert path[2] == pytest.approx(np.array((0.4, 1.0, 0.0)) + place), "the shoulder does not turn"
    assert told(document, SECOND, "biceps").moved == ()
