"""Packed limits: several fields of a pose, those that share angles too."""

from __future__ import annotations

import math

import numpy as np
import pytest

from engine.document.limit import BoxRange
from engine.limits.field import Field, compile_field
from engine.limits.packed import EMPTY, pack_limits
from engine.limits.query import measure_pose, project_pose, value_at
from tests.engine.limits.regions import bounded, curve, curve_field, limit_of, packed, projected, sampled, values_at


def box(lower: tuple[float, ...], upper: tuple[float, ...]) -> Field:
    size = len(lower)
    grid = bounded((16,) * size, [-3.0] * size, [3.0] * size)
    return compile_field(limit_of(BoxRange(lower=lower, upper=upper), grid, margin=0.0))


def test_no_fields_leave_a_pose_as_it_is() -> None:
    q = np.array([9.0, -9.0])
    out = np.empty(2)
    assert pack_limits([]) is EMPTY
    assert project_pose(EMPTY.ints, EMPTY.floats, q, out) == 0.0
    assert np.array_equal(out, q)
    assert measure_pose(EMPTY.ints, EMPTY.floats, q) == -math.inf


def test_each_field_works_on_the_angles_that_it_was_given() -> None:
    shoulder, elbow = curve_field(0, count=16), box((0.0,), (2.0,))
    limits = pack_limits([(elbow, [5]), (shoulder, [4, 0, 2])])
    q = np.array([2.5, 7.0, -2.0, 8.0, 1.0, -0.5])
    out = np.empty(6)
    moved = project_pose(limits.ints, limits.floats, q, out)
    alone, far = projected(shoulder, q[[4, 0, 2]][None])
    assert np.array_equal(out[[4, 0, 2]], alone[0])
    assert np.array_equal(out[[1, 3]], q[[1, 3]])
    assert 0.0 <= out[5] < 2e-4
    assert moved == max(far[0], out[5] + 0.5)
    assert limits.field_count == 2
    assert value_at(limits.ints, limits.floats, 0, np.array([1.0])) < 0.0
    assert measure_pose(limits.ints, limits.floats, out) <= 0.0
    assert measure_pose(limits.ints, limits.floats, q) == max(
        values_at(shoulder, q[[4, 0, 2]][None])[0], values_at(elbow, q[5:][None])[0]
    )
    assert project_pose(limits.ints, limits.floats, out, out) == 0.0


def test_packing_again_gives_the_same_and_other_places_another() -> None:
    field = box((0.0,), (2.0,))
    assert pack_limits([(field, [3])]) is pack_limits([(field, (3,))])
    assert pack_limits([(field, [3])]) is not pack_limits([(field, [2])])
    assert not packed(field).floats.flags.writeable
    assert packed(field).bytes >= field.bytes


def knee_given_hip() -> tuple[Field, Field, Field]:
    """A hip, a knee, and a region over both that is a band along their diagonal."""
    samples = np.stack([np.linspace(-1.2, 1.2, 60), np.linspace(0.0, 2.0, 60)], axis=1)
    both = compile_field(limit_of(sampled(samples), bounded((24, 24), [-2.0, -1.0], [2.0, 3.0]), margin=0.25))
    return box((-1.5,), (1.0,)), box((0.2,), (2.4,)), both


def test_fields_that_share_angles_are_all_kept() -> None:
    hip, knee, both = knee_given_hip()
    limits = pack_limits([(both, [0, 2]), (hip, [0]), (knee, [2])])
    rng = np.random.default_rng(0)
    out = np.empty(4)
    for q in rng.uniform(-4.0, 4.0, size=(3000, 4)):
        project_pose(limits.ints, limits.floats, q, out)
        assert measure_pose(limits.ints, limits.floats, out) <= 0.0
        assert np.array_equal(out[[1, 3]], q[[1, 3]])


def test_fields_that_touch_in_a_corner_alone_are_still_kept() -> None:
    _, knee, both = knee_given_hip()
    limits = pack_limits([(both, [0, 1]), (box((-2.5,), (-1.25,)), [0]), (knee, [1])])
    out = np.empty(2)
    for q in np.random.default_rng(1).uniform(-4.0, 4.0, size=(2000, 2)):
        project_pose(limits.ints, limits.floats, q, out)
        assert measure_pose(limits.ints, limits.floats, out) <= 0.0


def test_of_fields_that_allow_no_pose_together_the_one_of_most_angles_has_the_last_word() -> None:
    both, hip = box((2.0, 0.0), (2.5, 1.0)), box((0.0,), (1.0,))
    limits = pack_limits([(both, [0, 1]), (hip, [0])])
    out = np.empty(2)
    project_pose(limits.ints, limits.floats, np.array([-2.0, 2.0]), out)
    assert values_at(both, out[None])[0] <= 0.0
    assert values_at(hip, out[:1][None])[0] > 0.9
    assert pack_limits([(both, [0, 1]), (hip, [0])]) is limits


def test_fields_may_share_angles_in_a_chain() -> None:
    pair = compile_field(limit_of(sampled(curve(3, size=2)), bounded((24, 24), [-3.0] * 2, [3.0] * 2)))
    limits = pack_limits([(pair, [0, 1]), (pair, [1, 2]), (box((-2.0,), (0.5,)), [3])])
    out = np.empty(4)
    for q in np.random.default_rng(2).uniform(-3.0, 3.0, size=(500, 4)):
        project_pose(limits.ints, limits.floats, q, out)
        assert measure_pose(limits.ints, limits.floats, out) <= 0.0


def test_many_packs_are_found_again_until_their_memory_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    field = box((-1.0,), (1.0,))
    packs = [pack_limits([(field, [each])]) for each in range(40)]
    assert [pack_limits([(field, [each])]) for each in range(40)] == packs
    monkeypatch.setattr("engine.limits.packed._packed.most_bytes", 3 * (packs[0].bytes + field.bytes))
    pack_limits([(field, [40])])
    assert pack_limits([(field, [39])]) is packs[39]
    assert pack_limits([(field, [1])]) is not packs[1]
