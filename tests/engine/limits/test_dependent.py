"""Limits over the angles of two joints."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from engine.document import Blob
from engine.document.limit import Limit, SampledRange
from engine.formats import bvh
from engine.formats.format import Options
from engine.limits.dependent import dependent_grid, dependent_limit, field_bytes
from engine.limits.field import Field, compile_field
from engine.limits.ranges import grid_for
from engine.limits.signs import interpolate
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument
from tests.engine.shared_data import shared

MARGIN = 0.2  # [rad]
APART = 0.25  # [rad] from every pair of a hip and a knee that was seen: what we call impossible
MOST_BYTES = 2_000_000
WALK_AND_JUMPS = ("cmu_12_01_walk", "cmu_01_01_forward_jumps")


@cache
def leg(clip: str, side: str) -> Array:
    """Three angles of a hip and one of its knee [rad], frame by frame."""
    layer = bvh.FORMAT.read(shared("mocap", "bvh", f"{clip}.bvh"), Options()).layers[0]  # type: ignore[misc]
    names = [f"{side}UpLeg.{each}" for each in ("rz", "ry", "rx")] + [f"{side}Leg.rx"]
    assert layer.samples is not None
    return np.array(layer.samples.values.array[:, [layer.samples.coordinates.index(each) for each in names]])


def single(clips: list[Array], counts: tuple[int, ...]) -> Field:
    """The field of one joint alone, from the same clips."""
    own = SampledRange(angles=Blob(np.concatenate(clips)), clips=tuple(map(len, clips)))
    dofs = tuple(f"a{each}" for each in range(len(counts)))
    limit = Limit(id="s", name="Single", dofs=dofs, range=own, grid=grid_for(own, counts, MARGIN), margin=MARGIN)
    return compile_field(limit, np.eye(3)[[2, 1, 0]][: len(counts)])


def accepts(field: Field, points: Array) -> NDArray[np.bool_]:
    """Whether points are feasible; those beyond the grid are not."""
    last = np.array(field.grid.lower) + (np.array(field.grid.counts) - 1) * np.array(field.grid.spacing)
    within = ((points >= field.grid.lower) & (points <= last)).all(axis=1)
    return np.asarray(within & (interpolate(field.grid, field.values, np.clip(points, field.grid.lower, last)) <= 0.0))


@pytest.mark.parametrize("side", ["Left", "Right"])
def test_a_knee_given_its_hip_rejects_what_the_two_alone_let_through(side: str) -> None:
    clips = [leg(each, side) for each in WALK_AND_JUMPS]
    seen = np.concatenate(clips)
    limit = dependent_limit("knee", "Knee on hip", ("z", "y", "x", "k"), clips, margin=MARGIN, most_bytes=MOST_BYTES)
    field = compile_field(limit, None)
    assert field.bytes <= MOST_BYTES
    assert accepts(field, seen).all()
    random = np.random.default_rng(2)
    pairs = np.concatenate((random.permutation(seen)[:, :3], random.permutation(seen)[:, 3:]), axis=1)
    apart, _ = cKDTree(seen).query(pairs)
    hip, knee = single([each[:, :3] for each in clips], (32, 32, 32)), single([each[:, 3:] for each in clips], (32,))
    impossible = pairs[(apart > APART) & accepts(hip, pairs[:, :3]) & accepts(knee, pairs[:, 3:])]
    assert len(impossible) > 400
    rejected = ~accepts(field, impossible)
    assert rejected.mean() >= 0.9


def curve(size: int) -> Array:
    """A walk through so many angles."""
    steps = np.linspace(0.0, 3.0, 80)
    return np.stack([np.sin((1.0 + 0.3 * each) * steps) for each in range(size)], axis=1)


@pytest.mark.parametrize(("size", "most"), [(2, 1_000_000), (4, 8_000_000), (5, 30_000_000)])
def test_the_field_takes_what_was_said_and_no_more(size: int, most: int) -> None:
    dofs = tuple("abcde"[:size])
    limit = dependent_limit("d", "Dependent", dofs, [curve(size)], margin=0.3, most_bytes=most)
    field = compile_field(limit, None)
    said = field_bytes(limit.range, limit.grid.counts, 0.3)  # type: ignore[arg-type]
    assert field.bytes <= 1.02 * said
    assert said <= most
    assert accepts(field, curve(size)).all()
    assert max(limit.grid.spacing) < 1.2 * min(limit.grid.spacing)


def test_less_memory_means_wider_cells_and_the_margin_bounds_both() -> None:
    samples = SampledRange(angles=Blob(curve(4)), clips=(80,))
    spacings = [max(dependent_grid(samples, 0.3, most).spacing) for most in (700_000, 2_000_000, 10**10)]
    assert spacings[0] > spacings[1] > spacings[2]
    assert spacings[2] == pytest.approx(0.1, rel=0.1)
    with pytest.raises(InvalidDocument, match=r"memory for a dependent limit is '0\.0 MB'; allowed: \d+\.\d MB"):
        dependent_grid(samples, 0.3, 10_000)


def test_unsound_clips_are_refused() -> None:
    for clips, words in (([], "none"), ([np.zeros((0, 4))], r"\(0, 4\)"), ([np.zeros((3, 3))], r"\(3, 3\)")):
        with pytest.raises(InvalidDocument, match=words):
            dependent_limit("d", "Dependent", ("a", "b", "c", "d"), clips, margin=0.2)
    with pytest.raises(InvalidDocument, match="above 0"):
        dependent_limit("d", "Dependent", ("a", "b"), [np.zeros((3, 2))], margin=0.0)
    with pytest.raises(InvalidDocument, match="not finite"):
        dependent_limit("d", "Dependent", ("a", "b"), [np.full((3, 2), np.nan)], margin=0.2)
