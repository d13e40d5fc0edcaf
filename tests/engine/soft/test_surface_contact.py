"""Contact of surfaces that cells carry, of edges of boxes between spots, and of bodies with themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.maths.arrays import Array
from engine.soft.assembly import EXACT, GRADIENT, Around, assemble
from engine.soft.contact import Collider, find_touching, pack_colliders
from engine.soft.embedding import embed
from engine.soft.materials import SoftMaterial
from engine.soft.meeting import find_meeting, new_meeting
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import box, cube_grid
from engine.soft.outsides import GRAIN, Outside, by_surface, edge_length, outer_triangles
from engine.soft.pattern import dense
from engine.soft.step import (
    SoftModel,
    SoftOptions,
    SoftPiece,
    SoftState,
    SoftWork,
    compile_soft,
    load,
    save,
    start,
    step,
)
from engine.soft.ties import add_ties
from engine.soft.toy_forms import cube_surface
from tests.engine.soft.pierced import depths, own_cells
from tests.engine.soft.scenes import WEIGHTLESS
from tests.engine.soft.strips import THICK, folded, strip

GROUND = Collider(kind="plane")
JELLY = SoftMaterial(young=2e4, mass_damping=1.0)
SIDE = 0.2
CUBE = cube_surface((SIDE, SIDE, SIDE), rounding=0.2, along=10)
TILTED = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])


def carried(cells: int = 2, *, wide: float = 1.3) -> tuple[VolumeMesh, Outside]:
    """A cube with round edges in a lattice that is wider than it."""
    grid = cube_grid((cells,) * 3, 1.0).mesh
    mesh = replace(grid, points=(grid.points / cells - 0.5) * SIDE * wide)
    return mesh, by_surface(mesh, embed(mesh, CUBE[0]).weights, *CUBE)


def placed(
    pieces: list[SoftPiece], heights: list[float], options: SoftOptions | None = None
) -> tuple[SoftModel, SoftState, SoftWork]:
    """Bodies at some heights of their middles."""
    model = compile_soft(pieces, options)
    state = model.new_state()
    for number, height in enumerate(heights):
        state.x[model.points_of(number), 1] += height
    return model, state, start(model, state)


def test_spots_are_few_of_the_surface_well_spread_and_sum_to_one() -> None:
    mesh, outside = carried()
    grain = GRAIN * edge_length(mesh)
    places = outside.weights.carried(mesh.points)
    assert len(places) < 0.5 * len(CUBE[0])
    assert np.add.reduceat(outside.weights.values, outside.weights.starts[:-1]) == pytest.approx(1.0, abs=1e-14)
    away = np.linalg.norm(CUBE[0][:, None] - places, axis=2)
    assert away.min(axis=0).max() < 1e-6, "they are vertices of it"
    assert away.min(axis=1).max() < np.sqrt(3.0) * grain, "and none is far from one"
    corners = places[outside.triangles]
    volume = np.einsum("ij,ij->i", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])).sum() / 6.0
    assert 0.8 * SIDE**3 < volume < SIDE**3


def test_a_body_rests_on_its_surface_not_on_the_cells_that_carry_it() -> None:
    mesh, outside = carried()
    low = {}
    for name, given in (("surface", outside), ("points", None)):
        model, state, work = placed([SoftPiece(mesh=mesh, material=JELLY, outside=given)], [0.14])
        for _ in range(150):
            report = step(model, state, work, 1 / 60, colliders=[GROUND])
        assert report.contacts.sum(axis=0) == pytest.approx([0.0, 9.81 * model.masses.sum(), 0.0], abs=0.5)
        assert report.kinetic <= 1e-6
        before = state.x.copy()
        for _ in range(30):
            step(model, state, work, 1 / 60, colliders=[GROUND])
        assert np.abs(state.x - before).max() <= 1e-4
        low[name] = embed(mesh, CUBE[0]).weights.carried(state.x)[:, 1].min()
    assert abs(low["surface"]) < 0.04 * SIDE, "all vertices of it, those between spots too"
    assert low["points"] > 0.1 * SIDE, "else a gap is seen below it"


class Pressed:
    """Bodies that touch a floor, a tilted box with an edge within them, and each other, wherever their points are."""

    def __init__(self) -> None:
        mesh, outside = carried(2)
        pieces = [SoftPiece(mesh=mesh, material=JELLY, outside=outside)] * 2
        self.model, self.state, self.work = placed(pieces, [0.095, 0.095 + 0.198], WEIGHTLESS)
        edge = Collider(kind="box", half=(0.1, 0.1, 0.4), rotation=TILTED, position=(0.225, 0.1, 0.0))
        colliders = pack_colliders([GROUND, edge], 2)
        work, bodies, x = self.work, self.model.bodies, self.state.x.ravel()
        work.meeting = new_meeting(512, 1 << 16, bodies.skin)
        self.around = Around(
            colliders, work.touching, work.meeting, work.grips, self.model.pulled, np.zeros((0, 8)), np.zeros(0)
        )
        stepping = work.stepping
        stepping.before[:] = stepping.aim[:] = x
        stepping.frames[:] = np.tile(np.eye(3).ravel(), self.model.point_count)
        still = np.zeros_like(x)
        find_touching(bodies.skin, colliders, work.grips, x, still, 1 / 60, work.touching)
        find_meeting(bodies.skin, bodies.hull, colliders, work.grips, x, still, 1 / 60, work.meeting)

    def at(self, x: Array, level: int) -> tuple[float, Array]:
        """Give energy and gradient."""
        self.work.stepping.x[:] = x
        energy = assemble(self.model.bodies, self.around, self.work.stepping, 1 / 60, level)
        return energy, self.work.stepping.gradient.copy()


def test_gradient_and_matrix_are_derivatives() -> None:
    pressed, chance = Pressed(), np.random.default_rng(3)
    meeting, touching = pressed.work.meeting, pressed.work.touching
    kinds = meeting.colliders[: int(meeting.tied.number[0])]
    assert {1, -1} == set(kinds.tolist())
    assert int(touching.number[0]) > 4
    x = pressed.state.x.ravel() + 1e-4 * chance.standard_normal(pressed.state.x.size)
    pressed.at(x, EXACT)
    for states in (touching.states, meeting.states):  # let friction have something to hold with
        states[:, 1] = 5.0
    _, gradient = pressed.at(x, EXACT)
    values = pressed.work.stepping.values.copy()
    tied = meeting.tied._replace(blocks=meeting.tied.blocks.copy())
    way = chance.standard_normal(len(x))
    small = 1e-7
    (up, above), (down, below) = (pressed.at(x + sign * small * way, GRADIENT) for sign in (1.0, -1.0))
    assert (up - down) / (2.0 * small) == pytest.approx(gradient @ way, rel=1e-5)
    product = dense(pressed.model.bodies.pattern, values) @ way
    add_ties(tied, way, product)
    assert np.abs((above - below) / (2.0 * small) - product).max() <= 2e-5 * np.abs(product).max()


def test_pushes_of_solids_have_the_sum_and_torque_of_what_the_points_feel() -> None:
    mesh, outside = carried()
    edge = Collider(kind="box", half=(0.1, 0.1, 0.4), rotation=TILTED, position=(0.0, -0.14, 0.0))
    options = replace(WEIGHTLESS, tolerance=1e-10)
    piece = SoftPiece(mesh=mesh, material=replace(JELLY, mass_damping=0.0), outside=outside)
    model, state, work = placed([piece], [0.125], options)
    state.v[:, 1], state.v[:, 0] = -1.0, 0.3
    model = replace(model, floor=0.0)
    felt = 0.0
    for _ in range(12):
        before = model.masses @ state.v
        report = step(model, state, work, 1 / 60, colliders=[edge])
        gained = model.masses @ state.v - before
        assert report.contacts.sum(axis=0) / 60 == pytest.approx(gained, abs=1e-9 * max(1.0, np.abs(gained).max()))
        spots = report.touched
        assert spots.forces.sum(axis=0) == pytest.approx(report.contacts.sum(axis=0), abs=1e-9)
        turning = np.cross(state.x[report.contact_points], report.contacts).sum(axis=0)
        assert np.cross(spots.places, spots.forces).sum(axis=0) == pytest.approx(turning, abs=1e-9)
        felt = max(felt, float(report.contacts[:, 1].sum()))
    assert felt > 100.0


@pytest.mark.parametrize("surface", [True, False])
def test_an_edge_does_not_go_in_between_spots(surface: bool) -> None:
    mesh = box((0.3, 0.3, 0.3), (2, 2, 2))
    outside = (
        by_surface(mesh, embed(mesh, mesh.points).weights, mesh.points, outer_triangles(mesh)) if surface else None
    )
    model, state, work = placed([SoftPiece(mesh=mesh, material=JELLY, outside=outside)], [0.37])
    wall = Collider(kind="box", half=(0.005, 0.2, 0.3), position=(0.075, 0.0, 0.0))
    for _ in range(90):
        step(model, state, work, 1 / 60, colliders=[GROUND, wall])
    along = np.linspace(-0.2, 0.2, 21)
    top = np.stack((np.full(21, 0.075), np.full(21, 0.2), along), axis=1)
    deep = depths(mesh, state.x, top).max()
    assert deep < 0.01 if surface else deep > 0.05


def test_what_edges_hold_on_to_is_in_a_checkpoint() -> None:
    mesh = box((0.3, 0.3, 0.3), (2, 2, 2))
    outside = by_surface(mesh, embed(mesh, mesh.points).weights, mesh.points, outer_triangles(mesh))
    piece = SoftPiece(mesh=mesh, material=replace(JELLY, friction=0.8, mass_damping=10.0), outside=outside)
    model, state, work = placed([piece], [0.36], SoftOptions(gravity=(1.0, -9.81, 0.0)))
    posts = [Collider(kind="box", half=(0.01, 0.2, 0.3), position=(x, 0.0, 0.0)) for x in (-0.08, 0.075)]
    for _ in range(60):
        step(model, state, work, 1 / 60, colliders=posts)
    held, at = model.masses @ state.x / model.masses.sum(), state.x.copy()
    again, other = load(model, save(state))
    for _ in range(20):
        step(model, state, work, 1 / 60, colliders=posts)
        step(model, again, other, 1 / 60, colliders=posts)
    assert state.x.tobytes() == again.x.tobytes()
    assert np.abs(state.x - at).max() < 5e-4, "it holds still on two edges, though pushed along"
    assert held[1] > 0.3


def test_bodies_by_their_surfaces_strike_each_other_and_keep_momentum() -> None:
    mesh, outside = carried()
    pieces = [SoftPiece(mesh=mesh, material=replace(JELLY, mass_damping=0.0), outside=outside)] * 2
    model, state, work = placed(pieces, [0.0, 0.0], replace(WEIGHTLESS, tolerance=1e-10))
    model = replace(model, floor=0.0)
    state.x[model.points_of(1)] += (0.21, 0.03, 0.02)
    state.v[model.points_of(0), 0] = 2.0
    whole = model.masses @ state.v
    for _ in range(20):
        report = step(model, state, work, 1 / 60)
        assert report.momentum == pytest.approx(whole, abs=1e-9 * whole[0])
    assert state.v[model.points_of(1), 0].mean() > 0.5
    ends = [outside.weights.carried(state.x[model.points_of(each)])[:, 0] for each in (0, 1)]
    assert ends[0].max() < ends[1].min() + 0.01


@pytest.mark.parametrize("itself", [True, False])
def test_a_strip_that_folds_onto_itself_does_not_go_through_itself(itself: bool) -> None:
    mesh = strip()
    material = SoftMaterial(young=2e4, mass_damping=1.0, stiffness_damping=0.01, friction=0.5)
    model, state, work = placed([SoftPiece(mesh=mesh, material=material, touches_itself=itself)], [0.0])
    state.x[:] = folded(mesh.points)
    for _ in range(120):
        report = step(model, state, work, 1 / 60, colliders=[GROUND])
    upper = np.flatnonzero(mesh.points[:, 0] > 0.1).astype(np.int32)
    deep = depths(mesh, state.x, state.x[upper], own_cells(mesh, upper, 3)).max()
    gap = state.x[upper, 1].min() - THICK
    if not itself:
        assert gap < -0.5 * THICK, "it lies within its lower half"
        return
    assert deep < 0.05 * THICK
    assert -0.05 * THICK < gap < 0.1 * THICK, "and on it"
    assert report.kinetic < 1e-6
    assert report.contacts.sum(axis=0) == pytest.approx([0.0, 9.81 * model.masses.sum(), 0.0], abs=0.02)


def test_a_body_that_is_bent_outwards_or_lies_still_does_not_feel_itself() -> None:
    mesh = strip()
    pieces = [SoftPiece(mesh=mesh, material=JELLY, touches_itself=True)]
    model, state, work = placed(pieces, [0.0], WEIGHTLESS)
    for shape in (mesh.points, folded(mesh.points, 0.12)):
        state.x[:], state.v[:] = shape, 0.0
        state.v[:, 0] = 20.0  # so that it looks far around itself
        assert step(model, state, work, 1 / 60).contact == 0.0
