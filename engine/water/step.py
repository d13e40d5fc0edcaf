"""Steps of water: start, step, save, load.

    model = WaterModel(grid=WaterGrid(cells=(32, 24, 24), spacing=1 / 32))
    state = model.new_state(box_distance(model.grid, (0, 0, 0), (0.4, 0.4, 0.75)))
    work = start(model, state)
    report = step(model, state, work, 1 / 60)

A step is divided into sub-steps by the speed of the flow (timestep.py). One sub-step, with velocities that have been
extrapolated beyond the water:

    1. the surface is carried along          phi_t + u . grad phi = 0
    2. the velocities are carried along      u_t + u . grad u = 0         advection.py
    3. gravity, viscosity                    u_t = g + nu laplacian u     viscosity.py
    4. pressure makes it free of divergence  u_t = -grad p / density      pressure.py
    5. velocities are extrapolated                                        extrapolation.py

The same state and inputs give the same bytes. A step that leaves the finite numbers raises `Diverged`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.errors import Diverged, InvalidArguments
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass
from engine.water import equation, pressure
from engine.water.advection import BLOCKS, LINES, Corners, carry, correct
from engine.water.boundaries import Boundaries, walls
from engine.water.ends import EndZones
from engine.water.equation import KNOWN, UNKNOWN, Faces, Flags, Open, Solve
from engine.water.extrapolation import extrapolate
from engine.water.grid import WaterGrid
from engine.water.sliding import slide
from engine.water.surface import SurfaceOptions, SurfaceReport
from engine.water.surfaces import LABELS, PARTICLE_LEVEL_SET, SURFACES, WaterSurface, free_share, new_surface
from engine.water.timestep import fastest, substeps
from engine.water.turned import as_cells, as_faces, kernel_axes, kernel_cells
from engine.water.viscosity import VECTORS, diffuse, mark
from engine.water.volume import measure_water

SEMI_LAGRANGIAN, MACCORMACK = "semi-lagrangian", "maccormack"
_SAVED = "u", "v", "w", "phi", "pressure"


@dataclass(frozen=True, kw_only=True)
class WaterOptions(CheckedOptions):
    """How a step is computed."""

    advection: str = option(
        MACCORMACK,
        label="Advection",
        note="MacCormack's method goes there and back and takes out half of the error: eddies live longer.",
        choices=(MACCORMACK, SEMI_LAGRANGIAN),
        labels=("MacCormack", "semi-Lagrangian"),
    )
    surface: str = option(
        PARTICLE_LEVEL_SET,
        label="WaterSurface",
        note="The level set is smooth; its particles keep what is thin. FLIP splashes more, APIC turns more smoothly.",
        choices=SURFACES,
        labels=LABELS,
    )
    per_cell: int = option(
        12, label="Particles a cell", note="Of the particle level set, near the surface.", least=4, most=64
    )
    correct_volume: bool = option(
        True,
        label="Keep the volume",
        note="Level sets: phi -= rate dt (V wanted - V) / area, at most 10 cells a second. "
        "Particles: div u = rate (V wanted - V) / V.",
    )
    spray: bool = option(True, label="Spray", note="Drops that are smaller than a cell fly and fall back.")
    seed: int = option(1, label="Seed", note="Of the places of particles.", least=0, most=2**31 - 1)
    tolerance: float = option(
        1e-6, label="Divergence left", note="Of what was there before the pressure acted.", least=1e-13, most=1e-1
    )
    iterations: int = option(200, label="Most iterations", note="Of the pressure.", least=1, most=10_000)
    courant: float = option(
        1.0, label="Cells a sub-step", note="How many cells water may cross: u dt / h.", least=0.1, most=5.0
    )
    most_substeps: int = option(64, label="Most sub-steps", note="Of one step.", least=1, most=10_000)


@dataclass(frozen=True, kw_only=True)
class WaterModel:
    """The water of a tank, and how it is stepped. SI units."""

    grid: WaterGrid
    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)
    density: float = 1000.0
    viscosity: float = 0.0  # kinematic [m^2/s]
    sticks: bool = False  # to walls and solids, where there is viscosity
    ends: EndZones | None = None  # open ones along x
    options: WaterOptions = field(default_factory=WaterOptions)

    def __post_init__(self) -> None:
        _positive("the density of water", self.density)
        if not (self.viscosity >= 0.0 and math.isfinite(self.viscosity)):
            allowed = "a finite number, 0 m²/s or more"
            raise InvalidArguments(what="the viscosity of water", value=self.viscosity, allowed=allowed)
        if not all(math.isfinite(each) for each in self.gravity):
            raise InvalidArguments(what="gravity", value=self.gravity, allowed="three finite numbers")

    def new_state(self, distance: Array) -> WaterState:
        """Put still water where the signed distance to its surface [m], at the centres of cells, is below zero."""
        grid = self.grid
        phi = np.array(np.broadcast_to(distance, grid.cells), dtype=np.float64, order="C")
        if not np.isfinite(phi).all():
            bad = phi[~np.isfinite(phi)][0]
            raise InvalidArguments(what="the distance to the water's surface", value=bad, allowed="finite numbers")
        if not (phi < 0.0).any():
            raise InvalidArguments(what="the water in a tank", value="none", allowed="at least one cell of it")
        u, v, w = (np.zeros(shape) for shape in grid.faces)
        return WaterState(u=u, v=v, w=w, phi=phi, pressure=np.zeros(grid.cells))


@dataclass(eq=False)
class WaterState:
    """Velocities at faces, extrapolated beyond the water [m/s]; signed distance to the surface [m], negative in water;
    pressure of the last sub-step [Pa]."""

    u: Array
    v: Array
    w: Array
    phi: Array
    pressure: Array
    time: float = 0.0

    @property
    def velocities(self) -> Faces:
        """The velocities for kernels."""
        return Faces(self.u, self.v, self.w)


@dataclass(frozen=True, kw_only=True)
class WaterReport:
    """Results of a step beside the state."""

    substeps: int
    iterations: int  # of the pressure, in all sub-steps
    converged: bool
    divergence: float  # 2-norm after the last projection over that before
    volume: float  # [m^3]
    momentum: Array  # of the water at the end [N s]
    impulse: Array  # that walls and solids gave to the water by pressure over the step [N s]
    body_impulses: Array  # that the water gave to each unknown of `BodyTerms` over the step, shape [n]
    fastest: float  # [m/s]
    surface: SurfaceReport  # of the last sub-step


@dataclass(eq=False)
class WaterWork:
    """Work memory of one state's steps; one thread at a time."""

    solve: Solve
    surface: WaterSurface
    carried: Faces
    corrected: Faces  # by MacCormack; masses of faces where particles give velocities
    corners: Corners
    lines: Array  # rows for each block of advection
    known: tuple[Flags, Flags, Flags]
    marks: Flags  # of extrapolation
    room: Array  # of viscosity
    walls: Boundaries

    def forget(self) -> None:
        """Take out what is no number, so that another state can be stepped."""
        for each in (self.solve.numbers, self.solve.multigrid.numbers, *self.carried, *self.corrected):
            each[...] = 0.0


def start(model: WaterModel, state: WaterState) -> WaterWork:
    """Make the workspace for steps of a state; its phi becomes a distance near the surface."""
    grid = model.grid
    if state.phi.shape != grid.cells:
        raise InvalidArguments(what="the state", value=state.phi.shape, allowed=f"one of {grid.cells} cells")
    chosen = model.options
    carried, corrected = (Faces(*(np.zeros(shape) for shape in grid.faces)) for _ in range(2))
    flags = [np.zeros(shape, np.uint8) for shape in grid.faces]
    faces = max(each.size for each in flags)
    return WaterWork(
        equation.new_solve(kernel_cells(grid)),
        new_surface(chosen.surface, grid, state.phi, model.gravity, _surface_options(chosen)),
        carried,
        corrected,
        Corners(*(np.zeros(shape, np.int32) for shape in grid.faces)),
        np.zeros((BLOCKS, LINES, max(grid.cells[1:]) + 1)),
        (flags[0], flags[1], flags[2]),
        np.zeros((2, (grid.cells[0] + 1) * (grid.cells[1] + 1)), np.uint8),
        np.zeros((VECTORS if model.viscosity > 0.0 else 0, faces)),
        walls(grid) if model.ends is None else model.ends.opened(walls(grid)),
    )


def step(
    model: WaterModel, state: WaterState, work: WaterWork, dt: float, boundaries: Boundaries | None = None
) -> WaterReport:
    """Move the state on by dt [s], in as many sub-steps as the flow asks for; boundaries stand still meanwhile."""
    _positive("the time step", dt)
    around = work.walls if boundaries is None else boundaries
    if boundaries is not None:
        boundaries.check(model.grid)
    speed = max(fastest(state.velocities), fastest(around.velocities))
    if not np.isfinite(state.phi).all():
        raise Diverged(what="the distance to the water's surface", value="not a number")
    pull, options = float(np.abs(model.gravity).max()), model.options
    count = substeps(speed, pull, dt, model.grid.spacing, options.courant, options.most_substeps)
    count_of = 0 if around.bodies is None else len(around.bodies.starts) - 1
    impulse, given = np.zeros(3), np.zeros(count_of)
    iterations, converged, left = 0, True, 0.0
    for _ in range(count):
        surface = transport(model, state, work, around, dt / count)
        solved = project(model, state, work, around, dt / count)
        iterations, converged = iterations + solved.iterations, converged and solved.converged
        impulse, given, left = impulse + solved.impulse, given + solved.body_impulses, solved.divergence
    state.time += dt
    most = fastest(state.velocities)
    if not math.isfinite(most):
        work.forget()
        raise Diverged(what=f"water at {state.time:.4g} s", value=most)
    return WaterReport(
        substeps=count,
        iterations=iterations,
        converged=converged,
        divergence=left,
        volume=measure_water(state.phi, model.grid.spacing, free_share(around, model.grid.spacing))[0],
        momentum=momentum(model, state),
        impulse=impulse,
        body_impulses=given,
        fastest=most,
        surface=surface,
    )


def transport(model: WaterModel, state: WaterState, work: WaterWork, around: Boundaries, dt: float) -> SurfaceReport:
    """Carry surface and velocities along for dt [s], and let gravity and viscosity act."""
    h = model.grid.spacing
    report = work.surface.carry(state.phi, state.velocities, around, dt)
    if work.surface.give(state.velocities, work.corrected):
        for each, mass, known in zip(state.velocities, work.corrected, work.known, strict=True):
            known[:] = np.where(mass > 0.0, KNOWN, UNKNOWN)
            extrapolate(each, known, _layers(model), work.marks, work.lines[0])
    else:
        advect(model, state, work, dt)
    if model.ends is not None:
        work.surface.allow(model.ends.relax(state.velocities, state.phi, dt))
    for axis, each in enumerate(state.velocities):
        if model.gravity[axis]:
            each += dt * model.gravity[axis]
        if model.viscosity > 0.0:
            weights, solids, known = around.weights[axis], around.velocities[axis], work.known[axis]
            share = dt * model.viscosity / h**2
            mark(state.phi, weights, axis, known)
            diffuse(each, solids, weights, known, axis, share, model.sticks, 1e-9, 1000, work.room)
    return report


def advect(model: WaterModel, state: WaterState, work: WaterWork, dt: float) -> None:
    """Carry the velocities along for dt [s], at inner faces of wet cells."""
    h, options = model.grid.spacing, model.options
    twice = options.advection == MACCORMACK
    band = 1.5 * h if twice else 0.0  # it goes forth to faces beyond the surface
    grid, phi = model.grid, as_cells(model.grid, state.phi)
    given, carried = Faces(*as_faces(grid, state.velocities)), Faces(*as_faces(grid, work.carried))
    corners = Corners(*as_faces(grid, work.corners))
    carry(given, phi, dt / h, band, work.lines, corners, carried)
    done = work.carried
    if twice:
        correct(given, carried, phi, dt / h, work.lines, corners, Faces(*as_faces(grid, work.corrected)))
        done, work.corrected = work.corrected, state.velocities
    else:
        work.carried = state.velocities
    state.u, state.v, state.w = done


@dataclass(frozen=True, kw_only=True)
class PressureFound:
    """Results of a projection."""

    iterations: int
    converged: bool
    divergence: float
    impulse: Array
    body_impulses: Array


def project(model: WaterModel, state: WaterState, work: WaterWork, around: Boundaries, dt: float) -> PressureFound:
    """Let pressure make the velocities free of divergence, and extrapolate them beyond the water."""
    options, solve, grid, h = model.options, work.solve, model.grid, model.grid.spacing
    phi, velocities = as_cells(grid, state.phi), Faces(*as_faces(grid, state.velocities))
    weights, solids = Open(*as_faces(grid, around.weights)), Faces(*as_faces(grid, around.velocities))
    known, mass = as_faces(grid, work.known), model.density * h**3
    bodies = pressure.columns(around.bodies, mass, kernel_cells(grid))
    equation.build(phi, weights, solve)
    has_surface = bool(solve.outcome[equation.OPEN] > 0.0)  # else there is no room to swell
    solve.outcome[equation.SWELLING] = work.surface.swelling * h if has_surface else 0.0
    flow = velocities, weights, solids
    swelling = pressure.no_water(_swelling(around.swelling, work.surface.apart, h), kernel_cells(grid))
    converged, given = pressure.solve_pressure(solve, flow, swelling, bodies, options.tolerance, options.iterations)
    change = np.zeros(3)
    for axis, turned in kernel_axes(grid):
        open_faces, still = weights[turned], solids[turned]
        change[axis] = equation.subtract(velocities[turned], phi, open_faces, still, known[turned], solve, turned)
    pressure.body_impulses(solve.numbers[equation.Q], bodies)
    left = solve.outcome[equation.LEFT] if len(bodies.response) else pressure.unmet(solve, flow, swelling)
    equation.take_pressure(solve, model.density * h / dt, as_cells(grid, state.pressure))
    for _, turned in kernel_axes(grid):
        extrapolate(velocities[turned], known[turned], _layers(model), work.marks, work.lines[0])
    if grid.planar:
        state.w[:] = 0.0
    if around.bodies is None:
        slide_along(model, state, work, around)
    return PressureFound(
        iterations=int(solve.outcome[equation.ITERATIONS]),
        converged=converged,
        divergence=float(left / given) if given > 0.0 else 0.0,
        impulse=mass * change,
        body_impulses=mass * bodies.room[0],
    )


def _swelling(solids: Array | None, apart: Array | None, h: float) -> Array | None:
    """Add up the flow out of each cell [m/s] that solids seem to have and that which moves particles apart."""
    if apart is None:
        return solids
    return h * apart if solids is None else solids + h * apart


def slide_along(model: WaterModel, state: WaterState, work: WaterWork, around: Boundaries) -> None:
    """Make velocities that are extrapolated into solids slide along them; nothing without distances to solids."""
    if around.distance is None:
        return
    grid = model.grid
    velocities, solids = Faces(*as_faces(grid, state.velocities)), Faces(*as_faces(grid, around.velocities))
    weights, out = Open(*as_faces(grid, around.weights)), as_faces(grid, work.carried)
    distance = as_cells(grid, around.distance)
    for _, turned in kernel_axes(grid):
        slide(velocities, solids, weights[turned], distance, grid.spacing, turned, out[turned])
    if grid.planar:
        work.carried.w[:] = 0.0
    work.carried, (state.u, state.v, state.w) = state.velocities, work.carried


def save(state: WaterState, work: WaterWork) -> Mapping[str, Array]:
    """Make a checkpoint."""
    arrays = {name: getattr(state, name).copy() for name in _SAVED}
    return arrays | {"time": np.array([state.time])} | dict(work.surface.save())


def load(model: WaterModel, arrays: Mapping[str, Array]) -> tuple[WaterState, WaterWork]:
    """Take up a checkpoint, of a model with the same options."""
    if not {*_SAVED, "time"} <= set(arrays):
        allowed = f"one with {', '.join(_SAVED)} and time"
        raise InvalidArguments(what="a checkpoint of water", value=sorted(arrays), allowed=allowed)
    shapes = dict(zip(_SAVED, (*model.grid.faces, model.grid.cells, model.grid.cells), strict=True))
    found: dict[str, Array] = {}
    for name, shape in shapes.items():
        found[name] = np.array(arrays[name], dtype=np.float64)
        if found[name].shape != shape or not np.isfinite(found[name]).all():
            allowed = f"finite numbers of shape {shape}"
            raise InvalidArguments(what=f"{name} of a checkpoint", value=found[name].shape, allowed=allowed)
    phi = found["phi"].copy()
    state = WaterState(**found, time=float(arrays["time"][0]))
    work = start(model, state)
    work.surface.load(arrays)
    state.phi[:] = phi  # as it was: not made a distance once more
    return state, work


def momentum(model: WaterModel, state: WaterState) -> Array:
    """Give the momentum of the water [N s], each face counting for the wet halves beside it."""
    cell = 0.5 * model.density * model.grid.spacing**3
    wet = state.phi < 0.0
    found = np.zeros(3)
    for axis, each in enumerate(state.velocities):
        low = [slice(None)] * 3
        high = [slice(None)] * 3
        low[axis], high[axis] = slice(None, -1), slice(1, None)
        found[axis] = cell * float((each[tuple(low)] + each[tuple(high)])[wet].sum())
    return found


def box_distance(grid: WaterGrid, low: Sequence[float], high: Sequence[float]) -> Array:
    """Give the signed distance to a box [m] at the centres of cells, negative inside. Sides at or beyond the tank's
    walls do not count, so that water lies against them."""
    inside = np.full(grid.cells, -np.inf)
    outside = np.zeros(grid.cells)
    for axis, centres in enumerate(grid.centres()):
        least, most = grid.origin[axis], grid.origin[axis] + grid.size[axis]
        for over, at_wall in ((low[axis] - centres, low[axis] <= least), (centres - high[axis], high[axis] >= most)):
            if not at_wall:
                inside = np.maximum(inside, over)
                outside = outside + np.maximum(over, 0.0) ** 2
    bound = float(np.linalg.norm(grid.size))
    return np.where(outside > 0.0, np.sqrt(outside), np.maximum(inside, -bound))


def _layers(model: WaterModel) -> int:
    """How far velocities reach beyond the water: where particles are, and as far as they may go."""
    return math.ceil(model.options.courant) + 3


def _surface_options(options: WaterOptions) -> SurfaceOptions:
    return SurfaceOptions(
        per_cell=options.per_cell,
        conserve=True,
        correct_volume=options.correct_volume,
        spray=options.spray,
        seed=options.seed,
    )


def _positive(what: str, value: float) -> None:
    if not (value > 0.0 and math.isfinite(value)):
        raise InvalidArguments(what=what, value=value, allowed="a finite number above 0")
