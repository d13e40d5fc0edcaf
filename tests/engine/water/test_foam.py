"""Foam where drops fall in, drops as ellipsoids, and what is drawn of a moment: flat walls, a closed shell, what bodies
cut out."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.water.drops import GROWS, LONGEST, PALEST, SHUTTER, WIDEST, drawn_drops
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


def drops(*rows: Sequence[float], age: float = 1.0, size: float = 1.0) -> NDArray[np.float32]:
    """Drops of places, velocities and radii, for so long in the air, drawn so large."""
    return np.array([(*each, age, size) for each in rows], dtype=np.float32)


def test_a_drop_alone_is_a_ball_and_a_sheet_of_them_is_flat_whiter_and_as_large() -> None:
    ball = drawn_drops(drops((0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.02)), GRID)[0]
    assert ball[:3] == pytest.approx((0.0, 0.4, 0.0))
    assert ball[3:9] == pytest.approx(np.array((0.02, 0.0, 0.0, 0.02, 0.0, 0.02)))
    assert ball[9] == pytest.approx(PALEST)
    places = np.stack(np.meshgrid(np.arange(-0.3, 0.3, 0.02), np.arange(-0.3, 0.3, 0.02)), axis=-1).reshape(-1, 2)
    sheet = drops(*((x, 0.4, z, 0.0, 0.0, 0.0, 0.02) for x, z in places.tolist()))
    found = drawn_drops(sheet, GRID)[np.argmin(np.abs(places).sum(axis=1))]
    xx, xy, xz, yy, yz, zz = found[3:9].tolist()
    assert yy < 0.6 * xx
    assert zz == pytest.approx(xx, rel=0.1)
    volume = np.linalg.det(np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz))))
    assert volume == pytest.approx(0.02**3, rel=1e-3)
    assert found[9] > 0.9


def test_a_drop_that_flies_is_long_along_its_way_and_as_large() -> None:
    slow, fast = (0.9, 0.0, -1.2), (0.0, -90.0, 0.0)
    rows = drops((0.0, 0.4, 0.0, *slow, 0.02), (0.0, 0.1, 0.0, *fast, 0.02))
    for found, velocity, length in zip(
        drawn_drops(rows, GRID), (slow, fast), (0.02 + 0.5 * SHUTTER * 1.5, 0.02 * LONGEST), strict=True
    ):
        xx, xy, xz, yy, yz, zz = found[3:9].tolist()
        matrix = np.array(((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
        assert np.linalg.det(matrix) == pytest.approx(0.02**3, rel=1e-5)
        assert matrix @ velocity == pytest.approx(length * np.array(velocity), rel=1e-5, abs=1e-8)


def test_a_drop_grows_to_its_own_size_and_does_not_appear_at_once() -> None:
    still = (0.0, 0.4, 0.0, 0.0, 0.0, 0.0, 0.02)
    radii = [float(drawn_drops(drops(still, age=age, size=0.5), GRID)[0, 3]) for age in np.linspace(0.0, GROWS, 7)]
    assert radii[0] < 0.2 * radii[-1]
    assert (np.diff(radii) > 0.0).all()
    assert radii[-1] == pytest.approx(0.01)
    assert drawn_drops(drops((*still[:6], 0.05)), GRID)[0, 3] == pytest.approx(WIDEST * H)


def test_a_particle_among_few_others_is_seen_by_itself() -> None:
    crowd = np.zeros(GRID.cells, dtype=np.int32)
    places = np.stack(np.meshgrid(*(np.arange(1.25, 6.0, 0.5) for _ in range(3))), axis=-1).reshape(-1, 3)
    particles = np.zeros((len(places) + 1, 6))
    particles[1:, :3] = places
    particles[0] = (0.5, 7.5, 0.5, 4.0, 5.0, 6.0)
    found = np.empty((len(particles), 9))
    assert loose_particles(particles, crowd, found) == 1
    assert found[0] == pytest.approx((0.5, 7.5, 0.5, 4.0, 5.0, 6.0, DROP, 1.0, 1.0))


def moment(phi: Array, distance: Array | None = None) -> WaterMoment:
    """Make what is kept of a level set, with a body in it."""
    mesh = mesh_water(phi, H, GRID.origin)
    cut = NOT_CUT if distance is None else (np.maximum(phi, -distance) / H).astype(np.float16)
    return WaterMoment(
        positions=mesh.positions,
        normals=mesh.normals,
        triangles=mesh.triangles.astype(np.int32),
        foam=np.linspace(0.0, 1.0, len(mesh.positions), dtype=np.float32),
        spray=np.zeros((0, 9), dtype=np.float32),
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


def test_foam_lies_on_water_that_is_cut_out_as_on_the_whole_and_not_along_bodies() -> None:
    x, y, z = GRID.centres()
    body = np.sqrt(x * x + (y - 0.4) ** 2 + z * z) - 0.21
    of_all = moment(level(0.4), body)
    foamy = of_all._replace(foam=(of_all.positions[:, 0] + 0.4).astype(np.float32))
    found = seen_surface(GRID, foamy, "raw")
    count = found.shell.max() + 1
    places, foam = found.positions[:count], found.foam[:count]
    inside = np.abs(places[:, [0, 2]]).max(axis=1) < 0.39
    top = inside & (np.abs(places[:, 1] - 0.4) < 1e-4) & (np.hypot(places[:, 0], places[:, 2]) > 0.27)
    assert top.sum() > 30
    assert foam[top] == pytest.approx(places[top, 0] + 0.4, abs=0.05)
    along = inside & (places[:, 1] < 0.35) & (places[:, 1] > 0.05)
    assert along.sum() > 5
    assert foam[along].max() == 0.0
