"""Automatic weights: closed cases, real meshes, and input that is refused."""

from __future__ import annotations

import time

import numpy as np
import pytest

from engine.maths.arrays import Array, IntArray
from engine.model.skin_weights import StraightBones, automatic_weights, pack_weights
from engine.model.solids import grid_triangles
from engine.runtime.errors import InvalidDocument
from tests.engine.shared_data import shared


def tube(rings: int = 41, segments: int = 16, *, length: float = 1.0, radius: float = 0.1) -> tuple[Array, IntArray]:
    """A closed tube about x from 0 to `length`."""
    x, angle = np.meshgrid(np.linspace(0.0, length, rings), 2.0 * np.pi * np.arange(segments) / segments, indexing="ij")
    body = np.stack((x, radius * np.cos(angle), radius * np.sin(angle)), axis=-1).reshape(-1, 3)
    points = np.concatenate(([[0.0, 0.0, 0.0]], body, [[length, 0.0, 0.0]]))
    return points, grid_triangles(rings, segments).astype(np.int32)


def in_a_row(*places: float) -> StraightBones:
    """Bones along x between the places."""
    ends = np.zeros((len(places), 3))
    ends[:, 0] = places
    return StraightBones(np.arange(len(places) - 1, dtype=np.int32), ends[:-1], ends[1:])


def test_two_bones_share_a_tube_evenly_and_monotonously() -> None:
    points, triangles = tube()
    weights = automatic_weights(points, triangles, in_a_row(0.0, 0.5, 1.0))
    assert np.abs(weights.sum(axis=1) - 1.0).max() < 1e-12
    assert weights.min() >= 0.0
    rings = weights[1:-1, 0].reshape(41, 16)
    assert np.abs(rings - rings.mean(axis=1, keepdims=True)).max() < 1e-9, "the same all around"
    middle = rings.mean(axis=1)
    assert abs(middle[20] - 0.5) < 1e-9
    assert np.abs(middle + middle[::-1] - 1.0).max() < 1e-9
    assert (np.diff(middle[1:-1]) < 0.0).all()
    assert middle[0] > 0.99, "far from the joint the other bone counts for nothing"


def test_weights_do_not_depend_on_the_size_of_the_mesh() -> None:
    points, triangles = tube()
    bones = in_a_row(0.0, 0.5, 1.0)
    large = StraightBones(bones.owner, 100.0 * bones.start, 100.0 * bones.end)
    assert (
        np.abs(automatic_weights(points, triangles, bones) - automatic_weights(100.0 * points, triangles, large)).max()
        < 1e-9
    )


def test_a_tube_beside_another_is_not_warmed_by_its_bone() -> None:
    """Two tubes 1 mm apart, the second one's bone far along: vertices see only the bone inside their own tube."""
    points, triangles = tube()
    other = points + np.array([0.0, 0.201, 0.0])
    start = np.array([[0.0, 0.0, 0.0], [0.0, 0.201, 0.0]])
    bones = StraightBones(np.array([0, 1], dtype=np.int32), start, start + np.array([1.0, 0.0, 0.0]))
    both = automatic_weights(
        np.concatenate((points, other)), np.concatenate((triangles, triangles + len(points))), bones
    )
    assert both[: len(points), 0].min() > 1.0 - 1e-9
    assert both[len(points) :, 1].min() > 1.0 - 1e-9


def test_a_surface_is_not_heated_through_another_surface() -> None:
    """A thin tube whose own bone lies deep is nearer to a neighbour's bone; sight lines keep the neighbour out."""
    points, triangles = tube(radius=0.1)
    beside = points + np.array([0.0, 0.25, 0.0])
    start = np.array([[0.0, 0.095, 0.0], [0.0, 0.25, 0.0]])
    bones = StraightBones(np.array([0, 1], dtype=np.int32), start, start + np.array([1.0, 0.0, 0.0]))
    mesh = np.concatenate((points, beside))
    weights = automatic_weights(mesh, np.concatenate((triangles, triangles + len(points))), bones)
    assert weights[len(points) :, 1].min() > 1.0 - 1e-9
    distance = np.abs(mesh[len(points) :, 1:] - (0.095, 0.0))
    assert (np.linalg.norm(distance, axis=1) < 0.1).any(), "some of its vertices are nearer to the other bone"


def test_pieces_that_see_no_bone_follow_the_nearest_and_seams_are_closed() -> None:
    points, triangles = tube(rings=21)
    soup, corners = points[triangles].reshape(-1, 3), np.arange(3 * len(triangles), dtype=np.int32).reshape(-1, 3)
    bones = in_a_row(0.0, 0.5, 1.0)
    joined, apart = automatic_weights(points, triangles, bones), automatic_weights(soup, corners, bones)
    assert np.abs(apart - joined[triangles.ravel()]).max() < 1e-9
    flake = np.array([[0.9, 0.3, 0.0], [0.95, 0.3, 0.0], [0.9, 0.3, 0.05]])
    mesh = np.concatenate((points, flake, [[0.1, 0.5, 0.0]]))
    faces = np.concatenate((triangles, [[len(points), len(points) + 1, len(points) + 2]])).astype(np.int32)
    weights = automatic_weights(mesh, faces, bones)
    assert weights[-4:-1, 1].min() > 0.999
    assert weights[-1, 0] > 0.999, "a vertex of no triangle"


def test_holes_change_little() -> None:
    points, triangles = tube()
    kept = triangles[np.arange(len(triangles)) % 37 != 0]
    bones = in_a_row(0.0, 0.5, 1.0)
    change = automatic_weights(points, kept, bones) - automatic_weights(points, triangles, bones)
    assert np.abs(change).max() < 0.05


def test_a_real_mesh_is_weighted_smoothly_and_locally() -> None:
    lines = shared("meshes", "spot.obj").read_text().splitlines()
    points = np.array([line.split()[1:4] for line in lines if line.startswith("v ")], dtype=float)
    faces = [[int(each.split("/")[0]) - 1 for each in line.split()[1:]] for line in lines if line.startswith("f ")]
    triangles = np.array([each[:3] for each in faces] + [[f[0], *f[2:4]] for f in faces if len(f) == 4], dtype=np.int32)
    low, high = points.min(axis=0), points.max(axis=0)
    middle = 0.5 * (low + high)
    places = np.stack([np.array([middle[0], middle[1], z]) for z in np.linspace(low[2] * 0.8, high[2] * 0.8, 5)])
    bones = StraightBones(np.arange(4, dtype=np.int32), places[:-1], places[1:])
    weights = automatic_weights(points, triangles, bones)
    assert np.abs(weights.sum(axis=1) - 1.0).max() < 1e-12
    assert weights.min() >= 0.0
    edges = np.concatenate((triangles[:, :2], triangles[:, 1:]))
    assert np.abs(weights[edges[:, 0]] - weights[edges[:, 1]]).max() < 0.35
    tail, nose = points[:, 2] < low[2] + 0.1, points[:, 2] > high[2] - 0.1
    assert weights[tail, 0].min() > 0.6
    assert weights[nose, 3].min() > 0.6


def test_twenty_thousand_vertices_and_fifty_bones_take_seconds() -> None:
    points, triangles = tube(rings=626, segments=32, length=5.0)
    bones = in_a_row(*np.linspace(0.0, 5.0, 51).tolist())
    begin = time.process_time()
    weights = automatic_weights(points, triangles, bones)
    assert weights.shape == (20034, 50)
    assert time.process_time() - begin < 60.0, "far above what it takes: only a runaway fails here"


def test_packed_weights_fall_sum_to_one_and_fade_in() -> None:
    share = np.linspace(0.0, 0.3, 31)
    dense = np.stack((0.5 - 0.0 * share, 0.2 + 0.0 * share, share, 0.3 - share), axis=1)
    columns, packed = pack_weights(dense, 2)
    assert np.abs(packed.sum(axis=1) - 1.0).max() < 1e-6
    assert (np.diff(packed, axis=1) <= 0.0).all()
    back = np.zeros((31, 4))
    np.put_along_axis(back, columns, 0.0, axis=1)
    np.add.at(back, (np.arange(31)[:, None], columns), packed)
    assert np.abs(np.diff(back, axis=0)).max() < 0.1, "no jump where one enters the list for another"
    one, alone = pack_weights(np.ones((3, 1)), 4)
    assert (alone == [1.0, 0.0, 0.0, 0.0]).all()
    assert (one == 0).all()


@pytest.mark.parametrize(
    "break_it",
    [
        lambda p, t, b: (p[:0], t, b),
        lambda p, t, b: (p * np.nan, t, b),
        lambda p, t, b: (p, t[:0], b),
        lambda p, t, b: (p, t + 10_000, b),
        lambda p, t, b: (p * (1.0, 0.0, 0.0), t, b),
        lambda p, t, b: (p * 0.0, t, b),
        lambda p, t, b: (p, t, StraightBones(b.owner[:0], b.start[:0], b.end[:0])),
        lambda p, t, b: (p, t, StraightBones(b.owner, b.start * np.inf, b.end)),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_what_is_no_surface_or_no_skeleton_is_refused(break_it: object) -> None:
    assert callable(break_it)
    points, triangles = tube(rings=5)
    with pytest.raises(InvalidDocument):
        automatic_weights(*break_it(points, triangles, in_a_row(0.0, 0.5, 1.0)))
