"""Activation splines: their curves, regions, stiffness and damping, and weights that keep sum and torque."""

import math

import numpy as np
import pytest

from engine.limits.wrapping import icosphere
from engine.runtime.errors import InvalidArguments
from engine.soft.conserving import conserving_weights
from engine.soft.curves import CURVES, Curve, sample_curve
from engine.soft.embedding import Weights, embed
from engine.soft.mesh import UnsoundBody, volume_mesh
from engine.soft.meshing import box, cube_grid, cylinder, square_grid
from engine.soft.regions import REGIONS, Region, find_regions, inner_distances, nearest_places, paint_inside
from engine.soft.seeds import seed_controls
from engine.soft.splines import DrawnSpline, bind_splines, cross_section
from engine.soft.virtual_springs import VirtualSprings, clamped_alphas, join_springs, no_springs, reduced_masses

ROD = cylinder(0.1, 1.0, rings=2, layers=12)
MASSES = ROD.masses(1000.0)
LINE = np.array([(0.0, 0.0, -0.4), (0.0, 0.0, 0.4)])
ARC = np.array([(0.0, 0.0, -0.4), (0.03, 0.0, 0.0), (0.0, 0.02, 0.4)])


def moved(points: np.ndarray, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A pose far from rest, and velocities."""
    chance = np.random.default_rng(seed)
    bent = points + 0.05 * chance.normal(size=points.shape)
    return bent + np.array((3.0, -2.0, 1.0)), chance.normal(size=points.shape)


def lost(points: np.ndarray, forces: np.ndarray) -> float:
    """What forces on a free body lose of its momentum and angular momentum."""
    return float(max(np.abs(forces.sum(axis=0)).max(), np.abs(np.cross(points, forces).sum(axis=0)).max()))


@pytest.mark.parametrize("curve", CURVES)
def test_curves_begin_and_end_in_their_controls_and_lines_are_straight(curve: Curve) -> None:
    controls = np.array([(0, 0, 0), (1, 2, 0), (2, -1, 1), (4, 0, 0), (5, 5, 5)], float)
    places = sample_curve(controls, curve, 41)
    assert places[[0, -1]] == pytest.approx(controls[[0, -1]])
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).max() < 1.5
    steps = np.diff(sample_curve(np.linspace(controls[0], controls[1], 5), curve, 9), axis=0)
    assert np.cross(steps, controls[1]) == pytest.approx(np.zeros((8, 3)), abs=1e-12)
    assert sample_curve(controls[:2], curve, 3)[1] == pytest.approx((0.5, 1.0, 0.0))


def test_catmull_rom_goes_through_its_controls_and_b_splines_stay_in_their_hull() -> None:
    controls = np.array([(0, 0, 0), (1, 2, 0), (2, -1, 1), (4, 0, 0)], float)
    assert sample_curve(controls, "catmull-rom", 4) == pytest.approx(controls)
    cubic = sample_curve(controls, "b-spline", 3)[1]  # with four controls a Bezier curve
    assert cubic == pytest.approx(np.array((0.125, 0.375, 0.375, 0.125)) @ controls)


@pytest.mark.parametrize(
    ("controls", "count", "says"),
    [
        (LINE[:1], 4, "control points"),
        (LINE * np.nan, 4, "control point"),
        (LINE, 1, "points of a spline"),
        (LINE, 100_000, "points of a spline"),
        (LINE[:, :2], 4, "control points"),
    ],
)
def test_curves_that_are_none_are_refused(controls: np.ndarray, count: int, says: str) -> None:
    with pytest.raises(InvalidArguments, match=says):
        sample_curve(controls, "b-spline", count)


@pytest.mark.parametrize("region", REGIONS)
def test_splines_keep_sum_and_torque_in_every_pose(region: Region) -> None:
    painted = np.linspace(-0.5, 1.0, len(ROD.points))
    splines = [
        DrawnSpline(controls=ARC, region=region, radius=0.25, painted=painted),
        DrawnSpline(
            controls=LINE + np.array((0.04, 0.0, 0.05)), samples=5, region=region, radius=0.3, painted=painted[::-1]
        ),
    ]
    bound = bind_splines(ROD, MASSES, splines, young=1e5)
    assert bound.springs.places(ROD.points)[:8] == pytest.approx(sample_curve(ARC, "catmull-rom", 8), abs=1e-12)
    for seed in range(3):
        points, velocities = moved(ROD.points, seed)
        alphas = np.random.default_rng(seed).uniform(0.0, 3.0, bound.springs.segment_count)
        forces = bound.springs.forces(points, velocities, alphas)
        places = bound.springs.places(points)
        pulls = bound.springs.stiffness * np.abs(bound.springs.contractions(points) - alphas) * bound.springs.rest
        assert places.shape == (13, 3)
        assert lost(points, forces) < 1e-12 * pulls.max()
        assert np.abs(forces).max() > 1.0


def test_planar_splines_keep_sum_and_torque_and_stay_in_the_plane() -> None:
    grid = square_grid((12, 3), 0.1)
    spline = DrawnSpline(controls=np.array([(0.1, 0.15, 0.0), (0.6, 0.2, 0.0), (1.1, 0.1, 0.0)]))
    bound = bind_splines(grid, grid.masses(10.0), [spline], spring=100.0)
    points = grid.points + 0.02 * np.random.default_rng(1).normal(size=grid.points.shape) * (1.0, 1.0, 0.0)
    forces = bound.springs.forces(points, np.zeros_like(points), np.full(7, 0.5))
    assert lost(points, forces) < 1e-12 * np.abs(forces).max()
    assert not forces[:, 2].any()


def test_forces_are_the_slope_of_a_potential() -> None:
    bound = bind_splines(ROD, MASSES, [DrawnSpline(controls=ARC)], young=1e5)
    points, _ = moved(ROD.points)
    alphas, way, step = np.full(7, 0.6), np.random.default_rng(9).normal(size=points.shape), 1e-6

    def potential(at: np.ndarray) -> float:
        pulled = (bound.springs.contractions(at) - alphas) * bound.springs.rest
        return float(0.5 * np.sum(bound.springs.stiffness * pulled**2))

    slope = (potential(points + step * way) - potential(points - step * way)) / (2.0 * step)
    forces = bound.springs.forces(points, np.zeros_like(points), alphas)
    assert float(np.sum(forces * way)) == pytest.approx(-slope, rel=1e-7)


def test_weights_are_the_least_that_keep_both_as_dense_algebra_finds_them() -> None:
    places = sample_curve(ARC, "catmull-rom", 5)
    held = embed(ROD, places)
    regions = find_regions(ROD, places, held, "nearest")
    weights, widened = conserving_weights(ROD.points, MASSES, places, held, regions)
    assert widened == ()
    dense = weights.dense(len(ROD.points))
    for number, place in enumerate(places):
        row = regions.points[regions.starts[number] : regions.starts[number + 1]]
        kept = np.vstack((np.ones(len(row)), ROD.points[row].T))  # the constraints
        scale = np.sqrt(MASSES[row])
        least = scale * (np.linalg.pinv(kept * scale) @ np.concatenate(([1.0], place)))
        assert dense[number, row] == pytest.approx(least, abs=1e-12)
        assert np.count_nonzero(dense[number]) <= len(row)


@pytest.mark.parametrize("points", [[0], [0, 1], [0, 1, 2], [0, 1, 4, 5]])
def test_regions_without_room_are_widened_by_the_cell(points: list[int]) -> None:
    """One point, a line, a plane that the spline point is not in, and points that it is far outside of."""
    mesh = cube_grid((4, 1, 1), 0.1).mesh
    place = np.array([(0.35, 0.03, 0.06)])
    held = embed(mesh, place)
    regions = Weights(np.array([0, len(points)], np.int32), np.array(points, np.int32), np.ones(len(points)))
    weights, widened = conserving_weights(mesh.points, mesh.masses(1.0), place, held, regions)
    assert widened == (0,)
    assert weights.values.sum() == pytest.approx(1.0, abs=1e-14)
    assert weights.carried(mesh.points) == pytest.approx(place, abs=1e-14)
    assert np.abs(weights.values).sum() < 3.1


def test_a_flat_region_that_the_point_lies_in_is_taken_as_it_is() -> None:
    mesh = cube_grid((1, 1, 1), 1.0).mesh
    place = np.array([(0.3, 0.4, 0.0)])
    base = np.flatnonzero(mesh.points[:, 2] == 0.0).astype(np.int32)
    regions = Weights(np.array([0, 4], np.int32), base, np.ones(4))
    weights, widened = conserving_weights(mesh.points, mesh.masses(1.0), place, embed(mesh, place), regions)
    assert widened == ()
    assert weights.points.tolist() == base.tolist()
    assert weights.carried(mesh.points) == pytest.approx(place, abs=1e-14)


def test_regions_do_not_leak_between_two_tentacles() -> None:
    """A fork of two tentacles, one cube apart: a spline in one, near the other, has no point of the other."""
    kept = np.ones((3, 10, 2), dtype=bool)
    kept[1, 2:] = False
    mesh = cube_grid((3, 10, 2), 0.1, kept=kept).mesh
    places = sample_curve(np.array([(0.09, 0.25, 0.1), (0.09, 0.95, 0.1)]), "catmull-rom", 6)
    held = embed(mesh, places)
    other = (mesh.points[:, 0] > 0.15) & (mesh.points[:, 1] > 0.35)
    away = inner_distances(mesh, places, held)
    straight = np.linalg.norm(mesh.points[None] - places[:, None], axis=2)
    assert (away > straight - 1e-12).all()
    near = find_regions(mesh, places, held, "radius", radius=0.3)
    assert (straight[:, other] < 0.3).any()  # within the radius through the gap
    assert not np.isin(near.points, np.flatnonzero(other)).any()
    owner = nearest_places(mesh, places, held)
    assert set(owner[other]) == {0}  # by way of the root, not across
    assert owner[np.argmin(straight[5])] == 5


def test_each_point_belongs_to_the_nearest_spline_point() -> None:
    places = sample_curve(LINE, "catmull-rom", 5)
    held = embed(ROD, places)
    away = inner_distances(ROD, places, held)
    regions = find_regions(ROD, places, held, "nearest")
    assert len(regions.points) == len(ROD.points) == len(set(regions.points))
    for number in range(5):
        row = regions.points[regions.starts[number] : regions.starts[number + 1]]
        assert (away[number, row] <= away[:, row].min(axis=0) + 1e-12).all()


def test_another_piece_of_a_body_is_in_no_region() -> None:
    two = volume_mesh(
        np.vstack((ROD.points, ROD.points + 5.0)), np.vstack((ROD.cells, ROD.cells + len(ROD.points))), "tetrahedra"
    )
    places = sample_curve(LINE, "catmull-rom", 4)
    owner = nearest_places(two, places, embed(two, places))
    assert (owner[len(ROD.points) :] == -1).all()
    assert (owner[: len(ROD.points)] >= 0).all()


def test_painted_regions_scale_by_their_weights_and_may_come_from_a_surface() -> None:
    ball, faces = icosphere(2)
    painted = paint_inside(ROD, ball * 0.3, faces)
    assert np.array_equal(painted > 0.0, np.linalg.norm(ROD.points, axis=1) < 0.29) or 0 < painted.sum() < len(painted)
    bound = bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE * 0.5, region="painted", painted=painted)], young=1e5)
    assert (painted[bound.regions.points] > 0.0).all()
    for bad in (None, np.zeros(3), np.zeros(len(ROD.points)), np.full(len(ROD.points), np.nan)):
        with pytest.raises(InvalidArguments, match="painted region"):
            bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE, region="painted", painted=bad)], young=1e5)


def test_stiffness_is_the_ratio_to_the_rod_of_the_same_length() -> None:
    area = ROD.volumes.sum() / 1.0
    assert cross_section(ROD, sample_curve(LINE, "catmull-rom", 12)) == pytest.approx(area, rel=0.1)
    for samples in (3, 8, 15):
        for region in ("nearest", "radius"):
            spline = DrawnSpline(controls=LINE, samples=samples, ratio=3.0, region=region, radius=0.2)
            bound = bind_splines(ROD, MASSES, [spline], young=1e5)
            whole = 1.0 / np.sum(1.0 / bound.springs.stiffness)
            assert whole == pytest.approx(3.0 * 1e5 * area / 0.8, rel=0.1)
            assert bound.ratios == pytest.approx(3.0)
            assert bound.notes == ()


def test_a_spline_softer_than_twice_the_body_is_warned_of() -> None:
    bound = bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE, ratio=1.5, name="Left")], young=1e5)
    assert "Left is 1.5 times as stiff" in bound.notes[0]
    slow = bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE, tau=0.5)], young=1e5)
    assert "times as stiff" in slow.notes[0]
    assert slow.taus == pytest.approx(0.5)


def test_springs_are_critically_damped_as_in_closed_form() -> None:
    """x'' + (2 / tau) x' + x / tau^2 = 0 is (1 + t / tau) e^(-t / tau) x0; two points of 2 and 3 kg on a line."""
    tau, step = 0.05, 1e-5
    weights = Weights(np.array([0, 1, 2], np.int32), np.array([0, 1], np.int32), np.ones(2))
    segments, masses = np.array([(0, 1)], np.int32), np.array([2.0, 3.0])
    reduced = reduced_masses(weights, segments, masses)
    assert reduced == pytest.approx([6.0 / 5.0])
    springs = VirtualSprings(
        weights, segments, np.ones(1), reduced / tau**2, 2.0 * reduced / tau, np.zeros(1, np.int32), np.full(1, 0.5)
    )
    points, velocities = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]), np.zeros((2, 3))
    for number in range(1, 20_001):
        velocities += step * springs.forces(points, velocities, np.full(1, 0.8)) / masses[:, None]
        points += step * velocities
        if number % 5000 == 0:
            t = number * step
            wanted = 0.8 + 0.2 * (1.0 + t / tau) * math.exp(-t / tau)
            assert points[1, 0] - points[0, 0] == pytest.approx(wanted, abs=2e-5)


def test_reduced_masses_count_what_regions_share() -> None:
    """The dense form: 1 / m = d^T M^-1 d with d the difference of two rows."""
    bound = bind_splines(ROD, MASSES, [DrawnSpline(controls=ARC, region="radius", radius=0.3)], young=1e5)
    dense = bound.springs.weights.dense(len(ROD.points))
    for number, (first, second) in enumerate(bound.springs.segments):
        change = dense[second] - dense[first]
        mass = 1.0 / float(change @ (change / MASSES))
        assert bound.taus[number] == pytest.approx(math.sqrt(mass / bound.springs.stiffness[number]))
        assert bound.springs.damping[number] == pytest.approx(2.0 * mass / bound.taus[number])


def test_splines_outside_are_refused_or_said() -> None:
    with pytest.raises(InvalidArguments, match="the distance of Tail from the body"):
        bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE + 5.0, name="Tail")], young=1e5)
    bound = bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE * 1.5, name="Long")], young=1e5)
    assert "2 of 8 points of Long are outside the body, by up to 0.1 m" in bound.notes[0]
    with pytest.raises(InvalidArguments, match="points 0 and 1"):
        bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE * 0.0)], young=1e5)


@pytest.mark.parametrize(
    ("spline", "body", "says"),
    [
        ({"ratio": 0.0}, {"young": 1.0}, "stiffness ratio"),
        ({"tau": -1.0}, {"young": 1.0}, "tau"),
        ({"region": "radius"}, {"young": 1.0}, "radius"),
        ({"region": "far"}, {"young": 1.0}, "region"),
        ({}, {"young": 0.0}, "stiffness of a body"),
        ({}, {}, "stiffness of a body"),
        ({}, {"young": 1.0, "spring": 1.0}, "stiffness of a body"),
    ],
)
def test_settings_out_of_range_are_refused(spline, body, says: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InvalidArguments, match=says):
        bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE, **spline)], **body)


def test_contractions_are_held_in_their_range_and_that_is_said() -> None:
    found, notes = clamped_alphas(np.array([0.0, -3.0, 100.0, 1e9, np.nan, 0.5]))
    assert found.tolist() == [0.0, 0.0, 100.0, 100.0, 1.0, 0.5]
    assert len(notes) == 2
    assert clamped_alphas(np.array([0.0, 100.0]))[1] == ()


def test_segments_without_a_length_pull_nowhere() -> None:
    bound = bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE)], young=1e5)
    forces = bound.springs.forces(np.zeros_like(ROD.points), np.ones_like(ROD.points), np.zeros(7))
    assert not forces.any()


def test_springs_of_several_bodies_are_joined() -> None:
    one = bind_splines(ROD, MASSES, [DrawnSpline(controls=LINE), DrawnSpline(controls=ARC)], young=1e5).springs
    both = join_springs([one, no_springs(), one], [0, 0, len(ROD.points)])
    points = np.vstack((moved(ROD.points, 1)[0], moved(ROD.points, 2)[0]))
    forces = both.forces(points, np.zeros_like(points), np.full(28, 0.7))
    alone = one.forces(points[len(ROD.points) :], np.zeros_like(ROD.points), np.full(14, 0.7))
    assert np.array_equal(forces[len(ROD.points) :], alone)
    assert sorted(set(both.spline.tolist())) == [0, 1, 2, 3]
    assert join_springs([]).segment_count == 0


def test_axes_are_seeded_along_straight_and_bent_bodies() -> None:
    controls = seed_controls(ROD, 5)
    assert np.abs(controls[:, :2]).max() < 1e-3
    assert np.diff(controls[:, 2]) == pytest.approx(0.2, rel=0.15)
    long = box((4.0, 0.5, 0.5), (24, 3, 3))
    angles = long.points[:, 0]
    radii = 1.0 + long.points[:, 1]
    bent = volume_mesh(
        np.column_stack((radii * np.cos(angles), radii * np.sin(angles), long.points[:, 2])),
        long.cells[:, [1, 0, 2, 3]],
        "tetrahedra",
    )
    middle = seed_controls(bent, 8)
    assert np.linalg.norm(middle[1:-1, :2], axis=1) == pytest.approx(1.0, abs=0.12)
    with pytest.raises(UnsoundBody, match="no long axis"):
        seed_controls(cube_grid((3, 3, 3), 1.0).mesh)
    with pytest.raises(UnsoundBody, match="fewer than 50"):
        seed_controls(ROD, 50)
