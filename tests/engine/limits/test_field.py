"""Fields: distances less the margin, samples feasible, bad input refused, found again by digest."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.document import Blob
from engine.document.limit import BoxRange, ConeRange, Grid, GridRange, MeshRange, PolygonRange, Range, Stroke
from engine.limits import field as field_module
from engine.limits.field import compile_field, compile_fields, make_field
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument
from tests.engine.limits.regions import EULER, bounded, curve, limit_of, projected, sampled, turning, values_at


@pytest.mark.parametrize(("count", "margin"), [(8, 0.0), (16, 0.05), (32, 0.0), (32, 0.2), (64, 0.0)])
def test_every_sample_is_feasible_and_what_that_took_is_told(count: int, margin: float) -> None:
    samples = curve(2)
    field = compile_field(limit_of(sampled(samples), turning(count), margin=margin), EULER)
    assert values_at(field, samples).max() <= 0.0
    cell = math.tau / count
    assert 0.0 <= field.raised <= math.sqrt(3.0) / 2.0 * cell + 1e-6
    assert (field.raised == 0.0) == (margin > math.sqrt(3.0) / 2.0 * cell)


def test_outside_the_value_is_the_distance_to_the_samples_less_the_margin() -> None:
    field = compile_field(limit_of(sampled(curve(4)), turning(32), margin=0.25), EULER)
    nodes = np.argwhere(field.values > 0.0)[::37]
    points = np.array(field.grid.lower) + nodes * np.array(field.grid.spacing)
    gaps = np.abs(points[:, None] - field.anchors[None])
    gaps = np.minimum(gaps, math.tau - gaps)
    wanted = np.sqrt((gaps**2).sum(axis=2)).min(axis=1) - 0.25
    assert np.abs(values_at(field, points) - wanted).max() < 1e-12


def test_one_sample_makes_a_ball() -> None:
    grid = bounded((33,) * 3, [-1.0] * 3, [1.0] * 3)
    field = compile_field(limit_of(sampled(np.zeros((1, 3))), grid, margin=0.5), EULER)
    assert field.volume == pytest.approx(4.0 / 3.0 * math.pi * 0.5**3, rel=0.02)
    assert values_at(field, np.array([[0.5, 0.0, 0.0]]))[0] == pytest.approx(0.0, abs=1e-12)


def test_samples_between_clips_are_feasible_where_they_are_joined() -> None:
    samples = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    middle = np.array([[0.5, 0.0, 0.0]])
    joined, apart = (
        compile_field(limit_of(sampled(samples, clips=(1, 1), joins_clips=each), turning(32)), EULER)
        for each in (True, False)
    )
    assert values_at(joined, middle)[0] <= 0.0
    assert values_at(apart, middle)[0] > 0.2


def test_a_box_is_its_closed_form() -> None:
    box = BoxRange(lower=(-0.5, -0.25, 0.0), upper=(0.5, 0.75, 0.5))
    grid = bounded((41,) * 3, [-1.5] * 3, [1.5] * 3)
    field = compile_field(limit_of(box, grid, margin=0.0))
    assert field.volume == pytest.approx(0.5, rel=0.1)
    assert values_at(field, field.anchors).max() <= 0.0
    assert values_at(field, np.array([[0.9, 0.25, 0.25]]))[0] == pytest.approx(0.4, abs=1e-9)


@pytest.mark.parametrize("width", [0.0, 0.01])
def test_a_box_thinner_than_a_cell_is_not_lost(width: float) -> None:
    box = BoxRange(lower=(0.1, -0.5), upper=(0.1 + width, 0.5))
    field = compile_field(limit_of(box, bounded((16, 16), [-1.0] * 2, [1.0] * 2), margin=0.0))
    assert (field.values <= 0.0).any()
    assert values_at(field, field.anchors).max() <= 0.0
    assert 0.0 < field.raised < 0.15


def test_strokes_change_the_region_and_its_anchors() -> None:
    grid = turning(32)
    limit = limit_of(sampled(curve(1)), grid)
    point = tuple(curve(1)[50].tolist())
    pushed = replace(limit, strokes=(Stroke(kind="push", points=(point,), radius=0.8),))
    before, after = compile_fields([limit, pushed], [EULER, EULER])
    assert values_at(before, np.array([point]))[0] <= 0.0
    assert values_at(after, np.array([point]))[0] > 0.0
    assert values_at(after, after.anchors).max() <= 0.0


def test_the_same_limit_is_found_again_and_another_is_not() -> None:
    limit = limit_of(sampled(curve(6)), turning(12))
    first = compile_field(limit, EULER)
    assert compile_field(replace(limit), EULER.copy()) is first
    assert compile_field(replace(limit, margin=0.3), EULER) is not first
    assert compile_field(limit, EULER[[2, 1, 2]]) is not first
    assert compile_fields([limit, limit], [EULER, EULER]) == [first, first]


def test_a_name_a_resistance_and_other_hinges_leave_the_field_as_it_is() -> None:
    limit = limit_of(sampled(curve(6)), turning(12))
    other = replace(limit, id="b", name="B", dofs=("x", "y", "z"), resistance=3.0, onset=0.1, on=False)
    assert compile_field(other, EULER) is compile_field(limit, EULER)


def test_several_limits_in_one_call_are_the_same_as_one_by_one() -> None:
    limits = [limit_of(sampled(curve(each + 20)), turning(10 + each)) for each in range(4)]
    together = compile_fields(limits, [EULER] * 4)
    for limit, field in zip(limits, together, strict=True):
        forget()
        alone = compile_field(limit, EULER)
        assert alone is not field
        assert np.array_equal(alone.values, field.values)
        assert np.array_equal(alone.nearest, field.nearest)


def forget() -> None:
    """As if nothing had been compiled."""
    field_module._fields.clear()


@pytest.mark.parametrize("size", [1, 3])
def test_a_margin_beyond_the_grid_allows_no_more_than_itself(size: int) -> None:
    samples = np.zeros((1, size))
    samples[:, 0] = 0.05
    limit = limit_of(sampled(samples), bounded((16,) * size, [-0.3] * size, [0.4] * size), margin=1.5)
    points = np.zeros((2, size))
    points[:, 0] = -2.5, 2.5
    field = compile_field(limit, EULER)
    found, _ = projected(field, points)
    assert values_at(field, samples).max() <= 0.0
    assert np.abs(found[:, 0] - 0.05).max() <= 1.5 + 1e-3


def test_strokes_tell_by_how_much_the_range_was_raised_too() -> None:
    limit = limit_of(sampled(curve(2)), turning(32), margin=0.0)
    point = tuple(curve(2)[50].tolist())
    brushed = replace(limit, strokes=(Stroke(kind="pull", points=(point,), radius=0.4),))
    before, after = compile_fields([limit, brushed], [EULER, EULER])
    assert after.raised == before.raised > 0.0


def test_its_arrays_cannot_be_written() -> None:
    field = compile_field(limit_of(sampled(curve(7)), turning(8)), EULER)
    for array in (field.values, field.anchors, field.nearest):
        assert not array.flags.writeable
    assert field.bytes == 8**3 * 12 + field.anchors.nbytes


def test_a_field_of_numbers_keeps_them() -> None:
    grid = bounded((9, 9), [-1.0] * 2, [1.0] * 2)
    field = compile_field(limit_of(GridRange(distances=Blob(disc(grid))), grid, margin=0.0))
    assert np.array_equal(field.values, disc(grid))
    assert field.raised == 0.0


def test_a_region_with_no_feasible_node_is_raised_to_its_best() -> None:
    grid = bounded((9, 9), [-1.0] * 2, [1.0] * 2)
    field = make_field(grid, disc(grid) + 5.0)
    assert field.raised == pytest.approx(4.5, abs=1e-6)
    assert values_at(field, field.anchors).max() <= 0.0


def disc(grid: Grid, radius: float = 0.5) -> Array:
    x = grid.lower[0] + grid.spacing[0] * np.arange(grid.counts[0])
    return np.asarray(np.hypot(x[:, None], x[None]) - radius)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (np.zeros((9, 8)), "the field of a limit is .9, 8."),
        (np.full((9, 9), np.nan), "81 numbers that are not finite"),
    ],
)
def test_values_of_a_wrong_shape_or_not_finite_are_refused(values: Array, said: str) -> None:
    with pytest.raises(InvalidDocument, match=said):
        make_field(bounded((9, 9), [-1.0] * 2, [1.0] * 2), values)


def test_no_samples_are_refused() -> None:
    with pytest.raises(InvalidDocument, match="one row and more"):
        sampled(np.zeros((0, 3)), clips=())


def test_a_grid_too_large_is_refused_by_its_size() -> None:
    with pytest.raises(InvalidDocument, match="1000 x 1000 x 1000, 8000 MB"):
        turning(1000)


def test_a_cone_needs_the_hinges_of_one_joint() -> None:
    with pytest.raises(InvalidDocument, match="hinges of Shoulder"):
        compile_field(limit_of(ConeRange(), turning(8)))


def test_the_memory_of_fields_that_are_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.limits.field._fields.most_bytes", 3 * 16**3 * 12)
    limits = [limit_of(sampled(curve(each + 40)), turning(16)) for each in range(4)]
    first = compile_field(limits[0], EULER)
    compile_fields(limits[1:], [EULER] * 3)
    assert compile_field(limits[0], EULER) is not first


_TETRAHEDRON = Blob(np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.5]]))
_OPEN = Blob(np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3]], dtype=np.int32))
_CROSSING = ((1.0, 0.3, 0.3), (1.0, -0.3, -0.3), (1.0, 0.3, -0.3), (1.0, -0.3, 0.3))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (sampled(np.full((2, 3), -3.0)), "within its grid"),
        (sampled(np.full((2, 3), 30.0)), "two turns"),
        (PolygonRange(axis=(1.0, 0.0, 0.0), corners=_CROSSING), "sides that do not cross"),
        (MeshRange(positions=_TETRAHEDRON, faces=_OPEN), "open at 3 edges"),
    ],
)
def test_a_limit_that_is_none_holds_nothing_and_its_figure_is_drawn_all_the_same(content: Range, said: str) -> None:
    """Edits and files may bring it: only its field shows what is wrong, and the table of limits tells that."""
    grid = bounded((8,) * 3, [-1.0] * 3, [1.0] * 3)
    wrong, sound = limit_of(content, grid), limit_of(sampled(np.zeros((1, 3))), grid, margin=0.5)
    with pytest.raises(InvalidDocument, match=said):
        compile_field(wrong, EULER)
    with pytest.raises(InvalidDocument, match=said):
        compile_fields([sound, wrong], [EULER] * 2, strict=True)
    free, field = compile_fields([wrong, sound], [EULER] * 2)
    assert free.values.max() < 0.0
    assert field is compile_field(sound, EULER)
    with pytest.raises(InvalidDocument, match=said):
        compile_field(wrong, EULER)
