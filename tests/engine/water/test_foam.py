"""Foam where drops fall in, drops as ellipsoids, and what is drawn of a moment: flat walls, a closed shell, what bodies
cut out."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.water.drops import LONGEST, PALEST, SHUTTER, drawn_drops
from engine.water.equation import Faces
from engine.water.flip import DROP, loose_particles
from engine.water.foam import LIFE, Foam
from engine.water.grid import WaterGrid
from engine.water.marching_cubes import mesh_water
from engine.water.moments import NOT_CUT, WaterMoment
from engine.water.seen_surface import seen_surface

GRID = WaterGrid(cells=(8, 8, 8), spacing=0.1, origin=(-0.4, 0.0, -0.4))
H = GRID.spacing


def level(height: float) -> Array:
    """The distance to still water."""
    return np.broadcast_to(GRID.centres()[1] - height, GRID.cells).copy()


def drop(height: float, speed: float) -> Array:
    """A drop in the tank's middle, in cells."""
    return np.array([[4.0, height, 4.0, 0.0, speed, 0.0, 0.3]])


def still() -> Faces:
    """A flow along x."""
    faces = Faces(*(np.zeros(shape) for shape in GRID.faces))
    faces.u[:] = 1.0
    return faces


def test_a_drop_that_falls_in_leaves_foam_which_goes_along_with_the_flow_and_fades() -> None:
    phi, foam = level(0.4), Foam()
    foam.shed(drop(4.5, -1.0), phi, H, 0.02)
    assert len(foam.flecks) == 0, "it is still in the air after that step"
    foam.shed(drop(4.5, 1.0), phi, H, 0.1)
    assert len(foam.flecks) == 0, "it rises"
    foam.shed(drop(4.5, -1.0), phi, H, 0.1)
    assert foam.flecks[0, :3] == pytest.approx((4.0, 4.0, 4.0))
    places = np.array([(4.0, 4.0, 4.0), (1.0, 4.0, 1.0), (5.0, 4.0, 4.0)], dtype=np.float32)
    first = foam.at(places, GRID.cells)
    assert first[0] > 0.03
    assert first[1] == 0.0
    foam.carry(phi, H, 0.1, still())
    assert foam.flecks[0, :3] == pytest.approx((5.0, 4.0, 4.0), abs=1e-9)
    later = foam.at(places, GRID.cells)
    assert 0.0 < later[2] < first[0]
    for _ in range(round(LIFE / 0.1) + 1):
        foam.carry(phi, H, 0.1, Faces(*(np.zeros(shape) for shape in GRID.faces)))
    assert len(foam.flecks) == 0


def test_a_drop_alone_is_a_ball_and_a_sheet_of_them_is_flat_whiter_and_as_large() -> None:
    alone = np.array([[0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.02]], dtype=np.float32)
    ball = drawn_drops(alone, GRID)[0]
    assert ball[:3] == pytest.approx((0.0, 0.4, 0.0))
    assert ball[3:9] == pytest.approx(np.array((0.02, 0.0, 0.0, 0.02, 0.0, 0.02)))
    assert ball[9] == pytest.approx(PALEST)
    places = np.stack(np.meshgrid(np.arange(-0.3, 0.3, 0.02), np.arange(-0.3, 0.3, 0.02)), axis=-1).reshape(-1, 2)
    sheet = np.zeros((len(places), 7), dtype=np.float32)
    sheet[:, 0], sheet[:, 1], sheet[:, 2], sheet[:, 6] = places[:, 0], 0.4, places[:, 1], 0.02
    found = drawn_drops(sheet, GRID)[np.argmin(np.abs(places).sum(axis=1))]
    xx, xy, xz, yy, yz, zz = found[3:9].tolist()
    assert yy < 0.6 * xx
    assert zz == pytest.approx(xx, rel=0.1)
    volume = np.linalg.det(np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))))
    assert volume == pytest.approx(0.02**3, rel=1e-3)
    assert found[9] > 0.9


def test_a_drop_that_flies_is_long_along_its_way_and_as_large() -> None:
    slow, fast = (0.9, 0.0, -1.2), (0.0, -90.0, 0.0)
    rows = np.array([(0.0, 0.4, 0.0, *slow, 0.02), (0.0, 0.1, 0.0, *fast, 0.02)], dtype=np.float32)
    for found, velocity, length in zip(
        drawn_drops(rows, GRID), (slow, fast), (0.02 + 0.5 * SHUTTER * 1.5, 0.02 * LONGEST), strict=True
    ):
        xx, xy, xz, yy, yz, zz = found[3:9].tolist()
        matrix = np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        assert np.linalg.det(matrix) == pytest.approx(0.02**3, rel=1e-5)
        assert matrix @ velocity == pytest.approx(length * np.array(velocity), rel=1e-5, abs=1e-8)


def test_a_particle_among_few_others_is_seen_by_itself() -> None:
    crowd = np.zeros(GRID.cells, dtype=np.int32)
    places = np.stack(np.meshgrid(*(np.arange(1.25, 6.0, 0.5) for _ in range(3))), axis=-1).reshape(-1, 3)
    particles = np.zeros((len(places) + 1, 6))
    particles[1:, :3] = places
    particles[0] = (0.5, 7.5, 0.5, 4.0, 5.0, 6.0)
    found = np.empty((len(particles), 7))
    assert loose_particles(particles, crowd, found) == 1
    assert found[0] == pytest.approx((0.5, 7.5, 0.5, 4.0, 5.0, 6.0, DROP))


def moment(phi: Array, distance: Array | None = None) -> WaterMoment:
    """Make what is kept of a level set, with a body in it."""
    mesh = mesh_water(phi, H, GRID.origin)
    cut = NOT_CUT if distance is None else (np.maximum(phi, -distance) / H).astype(np.float16)
    return WaterMoment(
        positions=mesh.positions,
        normals=mesh.normals,
        triangles=mesh.triangles.astype(np.int32),
        foam=np.linspace(0.0, 1.0, len(mesh.positions), dtype=np.float32),
        spray=np.zeros((0, 7), dtype=np.float32),
        cut=cut,
        flow=np.zeros((4, 0, 0, 0), dtype=np.float16),
        numbers=np.zeros(10),
        forces=np.zeros((0, 6)),
        pushes=np.zeros((0, 0, 9)),
    )


def test_what_is_drawn_is_flat_at_walls_and_its_shell_is_closed() -> None:
    found = seen_surface(GRID, moment(level(0.43)), "pseudo")
    corners = found.normals[found.triangles]
    at_wall = np.abs(found.positions[found.triangles][:, :, 0] + 0.4).max(axis=1) < 1e-4
    assert at_wall.sum() > 20
    assert corners[at_wall].reshape(-1, 3) == pytest.approx(np.tile((-1.0, 0.0, 0.0), (3 * at_wall.sum(), 1)))
    ends = np.concatenate([found.shell[:, pair] for pair in ((0, 1), (1, 2), (2, 0))]).astype(np.int64)
    forth, back = (np.sort(each @ (1, 1 << 32)) for each in (ends, ends[:, ::-1]))
    assert (forth == back).all(), "each side of a triangle is another's, the other way round"
    assert len(found.foam) == len(found.positions)
    top = np.abs(found.positions[:, 1] - 0.43) < 1e-6
    assert (
        found.positions[: found.shell.max() + 1].tobytes()
        == mesh_water(level(0.43), H, GRID.origin).positions.tobytes()
    )
    assert top.any()


def volume_of(places: NDArray[np.float32], triangles: IntArray) -> float:
    """Measure what a closed surface holds."""
    a, b, c = (places[triangles[:, n]].astype(float) for n in range(3))
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0)


def test_bodies_cut_out_of_the_water_what_they_fill_and_a_net_shows_what_goes_on_in_them() -> None:
    x, y, z = GRID.centres()
    distance = np.sqrt(x * x + (y - 0.4) ** 2 + z * z) - 0.21
    seen = {shown: seen_surface(GRID, moment(level(0.4), distance), shown) for shown in ("pseudo", "raw", "both")}
    whole, cut = (volume_of(seen[shown].positions, seen[shown].shell) for shown in ("pseudo", "raw"))
    assert whole == pytest.approx(0.4 * 0.8 * 0.8, rel=1e-3)
    assert whole - cut == pytest.approx(0.5 * 4.0 / 3.0 * np.pi * 0.21**3, rel=0.15)
    assert seen["pseudo"].net is seen["raw"].net is None
    net = seen["both"].net
    assert net is not None
    places, ends = net
    assert len(ends) > 10
    assert np.abs(places[:, 1] - 0.4).max() < 1e-6
    assert np.hypot(places[:, 0], places[:, 2]).max() < 0.25
    assert ends.max() < len(places)
