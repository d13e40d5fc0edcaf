"""Brushes on a field."""

from __future__ import annotations

import math
from time import thread_time

import numpy as np
import pytest

from engine.document.limit import BRUSHES, BrushKind, Grid, Stroke
from engine.limits import brush
from engine.limits.brush import REACH, apply_strokes, preview_strokes
from engine.limits.surface import open_level, zero_level
from engine.limits.triangles import build_tree, corners_of, distances_to
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument
from tests.engine.limits.shapes import ball, cube, is_closed, places, turns

LINE = ((1.0, -0.1, 0.0), (1.0, 0.1, 0.0))


def stroke(kind: BrushKind, radius: float = 0.4, strength: float = 1.0) -> Stroke:
    return Stroke(kind=kind, points=LINE, radius=radius, strength=strength)


def to_line(grid: Grid) -> Array:
    """Distances of the nodes to the stroke's line."""
    offsets = places(grid) - np.array(LINE[0])
    offsets[..., 1] -= np.clip(offsets[..., 1], 0.0, 0.2)
    return np.asarray(np.linalg.norm(offsets, axis=-1))


def extent(grid: Grid, values: Array) -> float:
    """How far the region reaches along the first angle."""
    return float(zero_level(grid, values).positions[:, 0].max())


@pytest.mark.parametrize("kind", BRUSHES)
@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_only_nodes_within_the_radius_change(kind: BrushKind, size: int) -> None:
    grid = cube((81, 41, 25, 9)[size - 1], size=size)
    before = ball(grid) + 0.02 * np.sin(9.0 * places(grid)).sum(axis=-1)
    own = Stroke(kind=kind, points=tuple(each[:1] + each[1:] + (0.0,) for each in LINE), radius=0.5)
    own = Stroke(kind=kind, points=tuple(each[:size] for each in own.points), radius=0.5)
    after = apply_strokes(grid, before, [own])
    offsets = places(grid) - np.array(own.points[0])
    if size > 1:
        offsets[..., 1] -= np.clip(offsets[..., 1], 0.0, 0.2)
    far = np.linalg.norm(offsets, axis=-1) >= 0.5
    assert (after[far] == before[far]).all()
    assert (after != before).any()
    assert np.isfinite(after).all()


def test_pulling_moves_the_boundary_out_and_pushing_in() -> None:
    grid = cube(41)
    pulled, pushed = (extent(grid, apply_strokes(grid, ball(grid), [stroke(each)])) for each in ("pull", "push"))
    assert 1.0 + 0.2 * REACH < pulled < 1.0 + 0.4 * REACH
    inwards = apply_strokes(grid, ball(grid), [stroke("push")])
    middle = zero_level(grid, inwards).positions
    middle = middle[np.hypot(middle[:, 1], middle[:, 2]) < 0.08]
    assert 1.0 - 0.4 * REACH < middle[:, 0].max() < 1.0 - 0.2 * REACH
    assert pushed < 1.0


def test_strength_counts() -> None:
    grid = cube(41)
    reaches = [extent(grid, apply_strokes(grid, ball(grid), [stroke("pull", strength=s)])) for s in (0.0, 0.5, 1.0)]
    assert reaches[0] == pytest.approx(1.0, abs=0.005)
    assert reaches[0] < reaches[1] < reaches[2]


def test_a_stroke_far_from_the_boundary_makes_no_island() -> None:
    grid = cube(41)
    for kind in ("pull", "push"):
        far = Stroke(kind=kind, points=((1.3, 0.3, 0.2), (0.0, 0.0, 0.0)), radius=0.2)
        surface = zero_level(grid, apply_strokes(grid, ball(grid, 0.7), [far]))
        assert is_closed(surface)
        assert np.linalg.norm(surface.positions, axis=1).max() < 0.85


def test_smoothing_takes_off_a_point() -> None:
    grid = cube(41)
    pointed = np.abs(places(grid)).sum(axis=-1) / math.sqrt(3.0) - 1.0 / math.sqrt(3.0)
    smoothed = apply_strokes(grid, pointed, [stroke("smooth")])
    assert extent(grid, smoothed) < extent(grid, pointed) - 0.02


def test_values_near_the_boundary_stay_distances() -> None:
    grid = cube(41)
    strokes = [stroke("pull"), stroke("push", 0.3), stroke("smooth", 0.35)]
    after = apply_strokes(grid, ball(grid), strokes)
    tree = build_tree(corners_of(*zero_level(grid, after)))
    touched = (to_line(grid) < 0.35) & (np.abs(after) < 2.0 * grid.spacing[0])
    assert touched.sum() > 100
    distances = distances_to(tree, places(grid)[touched], np.zeros((1, 3)))
    assert np.abs(np.abs(after[touched]) - distances).max() < 0.05 * grid.spacing[0]


def test_a_hundred_strokes_on_one_place_stay_sound() -> None:
    grid = cube(32)
    kinds = [BRUSHES[each] for each in np.random.default_rng(5).integers(0, 3, 100)]
    after = apply_strokes(grid, ball(grid), [stroke(kind, 0.35) for kind in kinds])
    assert np.isfinite(after).all()
    assert is_closed(zero_level(grid, after))
    slopes = np.linalg.norm(np.array([*np.gradient(after, grid.spacing[0])]), axis=0)
    assert np.median(slopes[np.abs(after) < grid.spacing[0]]) == pytest.approx(1.0, abs=0.1)


def test_a_stroke_goes_round_the_seam_whatever_turn_it_is_told_in() -> None:
    grid = turns(48, True, False)
    values = np.abs(places(grid)[..., 1]) - 0.5
    told = [
        apply_strokes(grid, values, [Stroke(kind="pull", points=((turn, 0.5),), radius=0.6)])
        for turn in (math.pi, -math.pi, 3.0 * math.pi)
    ]
    assert (values - told[0]).max() > 0.2
    assert np.abs(told[0] - told[1]).max() < 1e-9
    assert np.abs(told[0] - told[2]).max() < 1e-9
    assert np.abs(told[0][1:] - told[0][:0:-1]).max() < 1e-9


def test_a_stroke_wider_than_a_turn_touches_every_node_once() -> None:
    grid = turns(24, True, False)
    values = np.abs(places(grid)[..., 1]) - 0.5
    after = apply_strokes(grid, values, [Stroke(kind="pull", points=((-3.0, 0.5), (3.0, 0.5)), radius=0.4)])
    moved = open_level(grid, after).positions
    assert moved[moved[:, 1] > 0.0, 1].min() > 0.6


def test_a_stroke_outside_of_the_grid_changes_nothing() -> None:
    grid = cube(16)
    far = Stroke(kind="pull", points=((9.0, 0.0, 0.0),), radius=0.5)
    assert (apply_strokes(grid, ball(grid), [far]) == ball(grid)).all()


def test_a_stroke_of_other_angles_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="one of 2 angles"):
        apply_strokes(cube(8), ball(cube(8)), [Stroke(kind="pull", points=((0.0, 0.0),), radius=0.5)])


def test_what_is_given_stays_as_it_was() -> None:
    grid = cube(16)
    before = ball(grid)
    before.flags.writeable = False
    apply_strokes(grid, before, [stroke("push")])
    assert (before == ball(grid)).all()


def test_a_symmetric_stroke_is_two() -> None:
    grid = cube(31)
    side = Stroke(kind="pull", points=((0.6, 0.7, 0.1),), radius=0.4)
    after = apply_strokes(grid, ball(grid), [side, side.mirrored(1)])
    assert side.mirrored(1).points == ((0.6, -0.7, 0.1),)
    assert side.mirrored(0, 0.5).points[0] == pytest.approx((0.4, 0.7, 0.1))
    assert np.abs(after - after[:, ::-1]).max() < 0.1 * grid.spacing[0]
    with pytest.raises(InvalidDocument, match="mirror"):
        side.mirrored(3)


def test_one_after_the_other_is_as_all_at_once() -> None:
    grid = cube(20)
    strokes = [stroke("pull"), stroke("smooth"), stroke("push", 0.3)]
    step = ball(grid)
    for each in strokes:
        step = apply_strokes(grid, step, [each])
    assert (step == apply_strokes(grid, ball(grid), strokes)).all()


def test_a_preview_at_32_costs_less_than_working_out_all_distances() -> None:
    grid = cube(32)
    tree = build_tree(corners_of(*zero_level(grid, ball(grid))))
    nodes = places(grid).reshape(-1, 3)
    apply_strokes(grid, ball(grid), [stroke("pull", 0.3)])
    distances_to(tree, nodes[:10], np.zeros((1, 3)))
    start = thread_time()
    for each in range(5):
        apply_strokes(grid, ball(grid), [stroke("pull", 0.3 + 0.001 * each)])
    middle = thread_time()
    for _ in range(5):
        distances_to(tree, nodes, np.zeros((1, 3)))
    assert middle - start < thread_time() - middle


@pytest.mark.parametrize("kind", BRUSHES)
def test_a_preview_has_the_boundary_of_the_stroke_that_is_kept(kind: BrushKind) -> None:
    grid = cube(32)
    rough = ball(grid) + 0.06 * np.sin(7.0 * places(grid)).sum(axis=-1)
    kept, seen = (zero_level(grid, each(grid, rough, [stroke(kind)])) for each in (apply_strokes, preview_strokes))
    assert len(kept.faces) == len(seen.faces)
    for one, other in ((kept, seen), (seen, kept)):
        away = distances_to(build_tree(corners_of(*one)), other.positions, np.zeros((1, 3)))
        assert away.max() < 0.2 * grid.spacing[0]


def test_a_preview_costs_half_of_the_stroke_that_is_kept_or_less_and_keeps_nothing() -> None:
    grid = cube(32)
    before, times = ball(grid), {apply_strokes: math.inf, preview_strokes: math.inf}
    for each in range(8):
        for make in times:
            kept, start = len(brush._kept), thread_time()
            make(grid, before, [stroke("pull", 0.3017 + 0.001 * each)])  # nobody else kept them
            times[make] = min(times[make], thread_time() - start)
            assert make is apply_strokes or len(brush._kept) == kept
    assert 2.0 * times[preview_strokes] < times[apply_strokes]


def test_what_is_kept_is_not_hashed_again_by_what_is_kept_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[Stroke] = []
    own = Stroke.__hash__

    def counted(self: Stroke) -> int:
        hashed.append(self)
        return own(self)

    monkeypatch.setattr(Stroke, "__hash__", counted)
    grid = cube(8)
    for each in range(20):
        apply_strokes(grid, ball(grid), [stroke("pull", 0.2 + 0.01 * each)])
    assert max(map(hashed.count, hashed)) < 10


def test_one_stroke_more_or_less_is_one_strokes_work(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = cube(20)
    strokes = [stroke(kind, 0.3 + 0.01 * each) for each, kind in enumerate(BRUSHES * 7)]
    first = apply_strokes(grid, ball(grid), strokes)
    made: list[Stroke] = []
    apply = brush._apply

    def counted(grid: Grid, values: Array, stroke: Stroke) -> None:
        made.append(stroke)
        apply(grid, values, stroke)

    monkeypatch.setattr(brush, "_apply", counted)
    more = [*strokes, stroke("pull"), stroke("push")]
    apply_strokes(grid, ball(grid), more)
    assert made == more[-2:]
    made.clear()
    assert (apply_strokes(grid, ball(grid), strokes) == first).all()
    assert made == []
    apply_strokes(grid, ball(grid, 0.9), strokes)
    assert made == strokes


def test_what_is_kept_has_a_bound_and_is_nobody_elses(monkeypatch: pytest.MonkeyPatch) -> None:
    grid = cube(20)
    monkeypatch.setattr(brush._kept, "most_bytes", 3 * ball(grid).nbytes)
    for each in range(6):
        apply_strokes(grid, ball(grid), [stroke("pull", 0.2 + 0.01 * each)])
    assert len(brush._kept) == 3
    once = apply_strokes(grid, ball(grid), [stroke("pull", 0.25)])
    kept = once.copy()
    once[:] = 0.0
    assert (apply_strokes(grid, ball(grid), [stroke("pull", 0.25)]) == kept).all()


def test_a_stroke_of_four_angles_goes_on_beyond_the_seam() -> None:
    grid = turns(8, True, True, True, True)
    cell = grid.spacing[0]
    line = tuple((grid.lower[0] + cell * a, cell * b, 0.0, 0.0) for a, b in ((0, 0), (6, 0), (6, 2)))
    changed = apply_strokes(grid, np.zeros(grid.counts), [Stroke(kind="pull", points=line, radius=2.0 * cell)])
    assert changed[7, 6, 4, 4] == pytest.approx(-2.0 * cell * REACH * (1.0 - 0.25) ** 2)
