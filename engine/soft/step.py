"""Soft bodies of a scene as one model, and its step: compile, step, save, load.

    model = compile_soft([SoftPiece(mesh=box((1, 1, 1), (4, 4, 4)), material=SoftMaterial())])
    state = model.new_state()
    work = start(model, state)
    report = step(model, state, work, 1 / 60, colliders=[Collider(kind="plane")])

Points of all bodies stand one after the other. The step is implicit Euler (`newton.py`); its results are the same bytes
on every run, and a saved state goes on with the same bytes. A step that leaves the finite numbers raises `Diverged` and
changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import Diverged, InvalidArguments
from engine.soft import newton
from engine.soft.assembly import (
    CONTACT,
    ELASTIC,
    ENERGY_COUNT,
    EXACT,
    PULLS,
    STRINGS,
    Around,
    Bodies,
    Stepping,
    assemble,
    remember_samples,
)
from engine.soft.cells import Member, pack_samples, pack_springs, pack_tetrahedra
from engine.soft.contact import GRIP, GRIPS, PUSH_X, STATES, TRAITS, Collider, Skin, Touching, pack_colliders
from engine.soft.lanes import BLOCK_ROWS, ROWS, L
from engine.soft.layers import Frames, Layers, Order, factor, find_frames, order_points
from engine.soft.linear import CONJUGATE_GRADIENTS, MINRES, System
from engine.soft.materials import SoftMaterial
from engine.soft.meeting import Hull, Meeting, new_meeting
from engine.soft.mesh import FACES, VolumeMesh
from engine.soft.pattern import join_points
from engine.soft.projected import PROJECTED
from engine.soft.samples import new_lanes
from engine.soft.ties import ALPHA, Strings, Tied, join_rows
from engine.soft.virtual_springs import LEAST_ALPHA, MOST_ALPHA, VirtualSprings

_METHODS = {"conjugate gradients": CONJUGATE_GRADIENTS, "minres": MINRES}
_NOTHING = np.zeros(0, dtype=np.int32)
_SAVED = ("x", "v", "a", "grips")


@dataclass(frozen=True, kw_only=True, eq=False)
class SoftPiece:
    """One soft body as the solver takes it."""

    mesh: VolumeMesh
    material: SoftMaterial
    held: IntArray = field(default_factory=lambda: _NOTHING)  # points whose place is given in each step
    pulled: IntArray = field(default_factory=lambda: _NOTHING)  # points on springs to targets given in each step
    pull_stiffness: float | Array = 0.0  # [N/m], of each
    pull_damping: float | Array = 0.0  # [N s/m]
    springs: VirtualSprings | None = None  # of activation splines, points counted from the body's first
    thickness: float = 0.0  # [m] of the skin in contact
    contact_stiffness: float = 10.0  # times Young's modulus and the size of a cell
    contact_damping: float = 0.005  # [s]
    touches: bool = True


@dataclass(frozen=True, kw_only=True)
class SoftOptions:
    """How steps are solved."""

    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)  # [m/s2]
    tolerance: float = 1e-4  # of the residual at the ballistic guess
    iterations: int = 30
    products: int = 400  # in one linear system
    method: str = "conjugate gradients"


@dataclass(eq=False)
class SoftState:
    """Where all points are, and how fast."""

    x: Array  # [m], shape [point_count, 3]
    v: Array  # [m/s]
    a: Array  # [m/s2] of the step before, from which the next one guesses
    grips: Array  # what points of the skin hold on to by friction
    time: float = 0.0  # [s]


@dataclass(frozen=True, kw_only=True)
class StepReport:
    """What a step came to."""

    iterations: int
    products: int  # of the matrix with a vector
    matrices: int  # times it was assembled
    residual: float  # of the gradient [N], at the end over at the ballistic guess
    force: float  # [N] its norm at the end
    converged: bool
    kinetic: float  # [J]
    elastic: float
    strings: float  # in springs of activation splines, damping of the step included
    gravity: float
    contact: float
    momentum: Array  # [N s]
    angular_momentum: Array  # about the origin
    contacts: Array  # forces of contact on points [N], shape [contact_count, 3]
    contact_points: IntArray
    contact_colliders: IntArray
    reactions: Array  # forces that hold the held points [N], shape [held_count, 3]


@dataclass(frozen=True, eq=False)
class SoftModel:
    """Soft bodies, compiled."""

    pieces: tuple[SoftPiece, ...]
    options: SoftOptions
    starts: IntArray  # first point of each body, and the end
    rest: Array  # [m], shape [point_count, 3]
    bodies: Bodies
    frames: Frames
    order: Order
    held: IntArray
    pulled: IntArray
    pulls: Array  # stiffness, damping; shape [pulled_count, 2]

    @property
    def point_count(self) -> int:
        """Number of points of all bodies."""
        return len(self.rest)

    @property
    def masses(self) -> Array:
        """Lumped masses [kg]."""
        return self.bodies.masses

    def points_of(self, piece: int) -> slice:
        """Give the points of one body."""
        return slice(int(self.starts[piece]), int(self.starts[piece + 1]))

    def new_state(self) -> SoftState:
        """Give all at rest."""
        return SoftState(
            self.rest.copy(),
            np.zeros_like(self.rest),
            np.zeros_like(self.rest),
            np.zeros((len(self.bodies.skin.points), GRIPS, GRIP)),
        )


@dataclass(eq=False)
class SoftWork:
    """Work memory of one state's steps; one thread at a time."""

    stepping: Stepping
    vectors: newton.Vectors
    touching: Touching
    meeting: Meeting
    grips: Array
    free: Array
    own: Array
    singles: tuple[NDArray[np.float32], NDArray[np.float32]]
    outcome: Array
    layers: Layers | None = None
    factored: float = 0.0  # [s] the time step that the layers are for


def compile_soft(pieces: Sequence[SoftPiece], options: SoftOptions | None = None) -> SoftModel:
    """Put bodies together as one model."""
    options = SoftOptions() if options is None else options
    _check(pieces, options)
    members, first = [], 0
    for piece in pieces:
        members.append(Member(piece.mesh, piece.material, first))
        first += len(piece.mesh.points)
    count = first
    rest = np.concatenate([each.mesh.points for each in members]).copy()
    pattern = join_points(count, np.concatenate([_pairs(each.mesh) + each.first for each in members]))
    masses = np.concatenate([_masses(each) for each in members])
    drags = masses * np.concatenate([np.full(len(each.mesh.points), each.material.mass_damping) for each in members])
    planar = np.concatenate([np.full(len(each.mesh.points), each.mesh.planar) for each in members])
    samples, bricks = pack_samples(members, pattern, 4), pack_samples(members, pattern, 8)
    bodies = Bodies(
        masses,
        drags,
        pattern,
        pack_tetrahedra(members, pattern),
        samples,
        bricks,
        (np.zeros(6 * L * len(samples.kinds)), np.zeros(48 * L * len(bricks.kinds))),
        pack_springs(members, pattern),
        _strings(pieces, members),
        *_skin(pieces, members),
    )
    held = np.concatenate([piece.held + each.first for piece, each in zip(pieces, members, strict=True)])
    pulled = np.concatenate([piece.pulled + each.first for piece, each in zip(pieces, members, strict=True)])
    pulls = np.concatenate(
        [
            np.stack([np.broadcast_to(value, len(piece.pulled)) for value in (piece.pull_stiffness, piece.pull_damping)], 1)
            for piece in pieces
        ]
    )
    return SoftModel(
        tuple(pieces),
        options,
        np.array([each.first for each in members] + [count], dtype=np.int32),
        rest,
        bodies,
        find_frames(rest, pattern, planar),
        order_points(pattern),
        held.astype(np.int32),
        pulled.astype(np.int32),
        pulls.astype(np.float64),
    )


def start(model: SoftModel, state: SoftState) -> SoftWork:
    """Make the workspace for steps of a state."""
    if state.x.shape != model.rest.shape:
        raise InvalidArguments(what="the state", value=state.x.shape, allowed=f"one of shape {model.rest.shape}")
    size = 3 * model.point_count
    stepping = Stepping(
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(size),
        np.zeros(9 * len(model.bodies.pattern.columns)),
        np.zeros(3 * size),
        np.zeros(ROWS * L),
        np.zeros(BLOCK_ROWS * L),
        new_lanes(),
        np.zeros(PROJECTED),
        np.zeros(ENERGY_COUNT),
    )
    pull = np.tile(np.array(model.options.gravity, dtype=np.float64), model.point_count)
    vectors = newton.Vectors(*(np.zeros(size) for _ in range(6)), pull, np.zeros((7, size)))
    free = np.ones((model.point_count, 3))
    free[model.held] = 0.0
    wide = int(model.order.layers[-1, 2]) + 16
    singles = np.zeros(wide, dtype=np.float32), np.zeros(wide, dtype=np.float32)
    touching = _touching(max(64, 2 * len(model.bodies.skin.points)))
    grips = np.zeros((len(model.bodies.skin.points), GRIPS, GRIP))
    return SoftWork(stepping, vectors, touching, new_meeting(64, 1024), grips, free.ravel(), np.zeros(3 * size), singles, np.zeros(newton.OUTCOMES))


def step(
    model: SoftModel,
    state: SoftState,
    work: SoftWork,
    dt: float,
    *,
    alphas: Array | None = None,
    colliders: Sequence[Collider] = (),
    held_at: Array | None = None,
    targets: Array | None = None,
    target_velocities: Array | None = None,
    pokes: Sequence[tuple[int, Array, float, float]] = (),
) -> StepReport:
    """Move the state on by dt [s].

    alphas: of each segment of all activation splines (1 where None). held_at: where held points are at the end of the
    step, shape [held_count, 3] (where they are now where None). targets: of pulled points, likewise. pokes: springs for
    this step alone: point, target, stiffness, damping.
    """
    if not 0.0 < dt < math.inf:
        raise InvalidArguments(what="the time step", value=dt, allowed="a finite time above 0 s")
    _prepare(model, work, dt)
    x, v = state.x.ravel(), state.v.ravel()
    if not (np.isfinite(x).all() and np.isfinite(v).all()):
        raise Diverged(what="the state of a soft body", value="not a number")
    work.stepping.x[:], work.vectors.v[:], work.vectors.a[:] = x, v, state.a.ravel()
    work.vectors.held_at[:], work.grips[:] = x, state.grips
    if held_at is not None:
        work.vectors.held_at.reshape(-1, 3)[model.held] = _finite("the places of held points", held_at, len(model.held))
    _set_alphas(model, alphas)
    around = Around(
        pack_colliders(colliders),
        work.touching,
        work.meeting,
        work.grips,
        *_pulls(model, state, targets, target_velocities, pokes),
    )
    choices = newton.Choices(
        model.options.tolerance,
        1e-6 * float(np.linalg.norm(model.masses)) * 9.81,
        model.options.iterations,
        model.options.products,
        _METHODS[model.options.method],
    )
    while True:
        given = work.stepping, _system(model, work), model.frames, work.vectors, choices, dt, work.outcome
        went = newton.advance(model.bodies, around, *given)
        if went == newton.TOO_MANY_CONTACTS:
            work.touching = _touching(2 * len(work.touching.pairs))
        elif went == newton.TOO_MANY_MEETINGS:
            met, entries = int(work.outcome[newton.ITERATIONS]), int(work.outcome[newton.PRODUCTS])
            room = len(work.meeting.points), len(work.meeting.listed)
            work.meeting = new_meeting(max(room[0], 2 * met), max(room[1], 2 * entries))
        else:
            break
        around = around._replace(touching=work.touching, meeting=work.meeting)
    if went == newton.NOT_FINITE:
        raise Diverged(what=f"soft bodies at {state.time + dt:.4g} s", value=float(work.outcome[newton.LAST]))
    state.x[:], state.v[:] = work.stepping.x.reshape(-1, 3), work.vectors.v.reshape(-1, 3)
    state.a[:], state.grips[:] = work.vectors.a.reshape(-1, 3), work.grips
    state.time += dt
    return _report(model, state, work, went)


def _system(model: SoftModel, work: SoftWork) -> System:
    assert work.layers is not None
    return System(
        model.bodies.pattern,
        work.stepping.values,
        work.free,
        model.bodies.strings.tied,
        work.meeting.tied,
        work.layers,
        work.stepping.frames,
        work.own,
        work.singles,
    )


def save(state: SoftState) -> Mapping[str, Array]:
    """Make a checkpoint."""
    return {name: getattr(state, name).copy() for name in _SAVED} | {"time": np.array([state.time])}


def load(model: SoftModel, arrays: Mapping[str, Array]) -> tuple[SoftState, SoftWork]:
    """Take up a checkpoint: the state as it was saved, and a workspace for it."""
    if not {*_SAVED, "time"} <= set(arrays):
        allowed = f"one with {', '.join(_SAVED)} and time"
        raise InvalidArguments(what="a checkpoint", value=sorted(arrays), allowed=allowed)
    state = model.new_state()
    for name in _SAVED:
        found, own = np.array(arrays[name], dtype=np.float64), getattr(state, name)
        if found.shape != own.shape or not np.isfinite(found).all():
            allowed = f"finite numbers of shape {own.shape}"
            raise InvalidArguments(what=f"{name} of a checkpoint", value=found, allowed=allowed)
        own[:] = found
    state.time = float(arrays["time"][0])
    return state, start(model, state)


def _check(pieces: Sequence[SoftPiece], options: SoftOptions) -> None:
    if not pieces:
        raise InvalidArguments(what="the soft bodies", value="none", allowed="one or more")
    if options.method not in _METHODS:
        raise InvalidArguments(what="the linear solver", value=options.method, allowed=", ".join(_METHODS))
    if not (0.0 < options.tolerance < 1.0 and options.iterations > 0 and options.products > 0):
        raise InvalidArguments(what="the options of soft bodies", value=options, allowed="numbers above zero")
    if not np.isfinite(options.gravity).all():
        raise InvalidArguments(what="gravity", value=options.gravity, allowed="three finite numbers")
    for piece in pieces:
        count = len(piece.mesh.points)
        for what, points in (("held points", piece.held), ("pulled points", piece.pulled)):
            if len(points) and not (0 <= min(points) and max(points) < count):
                raise InvalidArguments(what=f"the {what}", value=list(points), allowed=f"points from 0 to {count - 1}")
        for what, value in (
            ("the stiffness of springs to targets", piece.pull_stiffness),
            ("the damping of springs to targets", piece.pull_damping),
            ("the thickness of a skin", piece.thickness),
            ("the stiffness of contact", piece.contact_stiffness),
            ("the damping of contact", piece.contact_damping),
        ):
            if not (np.isfinite(value).all() and (np.asarray(value) >= 0.0).all()):
                raise InvalidArguments(what=what, value=value, allowed="a finite number, not below zero")


def _pairs(mesh: VolumeMesh) -> IntArray:
    return mesh.edges


def _masses(member: Member) -> Array:
    flat = member.mesh.shape in ("edges", "squares")
    return member.mesh.masses(member.material.density) * (member.material.thickness if flat else 1.0)


def _strings(pieces: Sequence[SoftPiece], members: Sequence[Member]) -> Strings:
    starts, points, weights, springs = [np.zeros(1, np.int64)], [_NOTHING], [np.zeros(0)], [np.zeros((0, 5))]
    for piece, member in zip(pieces, members, strict=True):
        if piece.springs is not None and len(piece.springs.rest):
            given = piece.springs
            own = join_rows(given.weights.starts, given.weights.points, given.weights.values, given.segments, member.first)
            starts.append(own[0][1:] + sum(len(each) for each in points))
            points.append(own[1])
            weights.append(own[2])
            ones = np.ones(len(given.rest))
            springs.append(np.stack([given.rest, given.stiffness, given.damping, ones, given.rest], axis=1))
    values = np.concatenate(springs)
    tied = Tied(
        np.concatenate(starts).astype(np.int32),
        np.concatenate(points).astype(np.int32),
        np.concatenate(weights),
        np.zeros((len(values), 9)),
        np.array([len(values)], np.int32),
    )
    return Strings(tied, values)


def _skin(pieces: Sequence[SoftPiece], members: Sequence[Member]) -> tuple[Skin, Hull]:
    points, traits, owners = [_NOTHING], [np.zeros((0, TRAITS))], [_NOTHING]
    triangles, bodies = [np.zeros((0, 3), np.int32)], [_NOTHING]
    hull = np.zeros((len(pieces), 2))
    for body, (piece, member) in enumerate(zip(pieces, members, strict=True)):
        mesh, material = member.mesh, member.material
        own = outer_triangles(mesh)
        longest = np.linalg.norm(mesh.points[mesh.edges[:, 0]] - mesh.points[mesh.edges[:, 1]], axis=1)
        hull[body] = material.friction, longest.mean()
        if not piece.touches:
            continue
        triangles.append(own + np.int32(member.first))
        bodies.append(np.full(len(own), body, dtype=np.int32))
        touching = np.arange(len(mesh.points)) if mesh.planar or not len(own) else np.unique(own)
        sizes = np.cbrt(_masses(member) / material.density)[touching]
        row = np.zeros((len(touching), TRAITS))
        row[:, 0] = piece.contact_stiffness * material.young * sizes
        row[:, 1], row[:, 2:5], row[:, 5] = piece.contact_damping, material.frictions, piece.thickness
        if material.forward is not None:
            row[:, 6:9] = np.array(material.forward) / np.linalg.norm(material.forward)
        points.append((touching + member.first).astype(np.int32))
        traits.append(row)
        owners.append(np.full(len(touching), body, dtype=np.int32))
    joined = np.concatenate(triangles)
    normals, boxes = np.zeros(3 * (member.first + len(member.mesh.points))), np.zeros((len(pieces), 6))
    return Skin(np.concatenate(points), np.concatenate(traits)), Hull(
        joined, np.concatenate(bodies), np.concatenate(owners), hull, normals, boxes
    )


def outer_triangles(mesh: VolumeMesh) -> IntArray:
    """List the triangles of the outside, anticlockwise from there; of a flat body its outline, last corners twice."""
    if mesh.shape == "edges":
        return np.zeros((0, 3), dtype=np.int32)
    faces = np.concatenate([mesh.cells[:, list(face)] for face in FACES[mesh.shape]])
    _, at, counts = np.unique(np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True)
    outer = faces[np.sort(at[counts == 1])]
    corners = {2: [(0, 1, 1)], 3: [(0, 1, 2)], 4: [(0, 1, 2), (0, 2, 3)]}[outer.shape[1]]
    return np.ascontiguousarray(outer[:, corners].reshape(-1, 3), dtype=np.int32)


def _touching(capacity: int) -> Touching:
    return Touching(np.zeros((capacity, 2), np.int32), np.zeros((capacity, STATES)), np.zeros(1, np.int32))


def _prepare(model: SoftModel, work: SoftWork, dt: float) -> None:
    """Factor the matrix at rest, where the time step is another than before."""
    if work.layers is not None and work.factored == dt:
        return
    stepping = work.stepping
    stepping.x[:] = stepping.before[:] = stepping.aim[:] = model.rest.ravel()
    work.touching.count[0] = work.meeting.tied.count[0] = 0
    pulls = np.zeros((len(model.pulled), 8))
    pulls[:, :3], pulls[:, 3:5] = model.rest[model.pulled], model.pulls
    around = Around(pack_colliders(()), work.touching, work.meeting, work.grips, model.pulled, pulls)
    remember_samples(model.bodies.samples, model.bodies.memories[0], 4, stepping)
    remember_samples(model.bodies.bricks, model.bodies.memories[1], 8, stepping)
    assemble(model.bodies, around, stepping, dt, EXACT)
    held = np.zeros(model.point_count, dtype=bool)
    held[model.held] = True
    work.layers = factor(model.order, model.bodies.pattern, stepping.values, held)
    work.factored = dt


def _finite(what: str, given: Array, count: int) -> Array:
    values = np.asarray(given, dtype=np.float64)
    if values.shape != (count, 3) or not np.isfinite(values).all():
        raise InvalidArguments(what=what, value=given, allowed=f"finite numbers of shape {(count, 3)}")
    return values


def _set_alphas(model: SoftModel, alphas: Array | None) -> None:
    springs = model.bodies.strings.springs
    if alphas is None:
        springs[:, ALPHA] = 1.0
        return
    values = np.asarray(alphas, dtype=np.float64)
    if values.shape != (len(springs),) or not np.isfinite(values).all():
        allowed = f"{len(springs)} finite numbers, one for each segment"
        raise InvalidArguments(what="the contractions of activation splines", value=alphas, allowed=allowed)
    springs[:, ALPHA] = np.clip(values, LEAST_ALPHA, MOST_ALPHA)


def _pulls(
    model: SoftModel,
    state: SoftState,
    targets: Array | None,
    velocities: Array | None,
    pokes: Sequence[tuple[int, Array, float, float]],
) -> tuple[IntArray, Array]:
    count = len(model.pulled)
    pulls = np.zeros((count + len(pokes), 8))
    what = "the targets of pulled points"
    pulls[:count, :3] = state.x[model.pulled] if targets is None else _finite(what, targets, count)
    pulls[:count, 3:5] = model.pulls
    if velocities is not None:
        pulls[:count, 5:] = _finite("the velocities of targets", velocities, count)
    for row, (_, target, stiffness, damping) in zip(pulls[count:], pokes, strict=True):
        row[:3], row[3], row[4] = target, stiffness, damping
    poked = np.array([point for point, *_ in pokes], dtype=np.int32)
    if len(pokes) and not (np.isfinite(pulls).all() and 0 <= poked.min() and poked.max() < model.point_count):
        raise InvalidArguments(what="a poke", value=list(pokes), allowed="points of the model and finite numbers")
    return np.concatenate([model.pulled, poked]).astype(np.int32), pulls


def _report(model: SoftModel, state: SoftState, work: SoftWork, went: int) -> StepReport:
    outcome, energies, masses = work.outcome, work.stepping.energies, model.masses[:, None]
    count = int(work.touching.count[0])
    momenta = masses * state.v
    pairs = work.touching.pairs[:count]
    return StepReport(
        iterations=int(outcome[newton.ITERATIONS]),
        products=int(outcome[newton.PRODUCTS]),
        matrices=int(outcome[newton.MATRICES]),
        residual=float(outcome[newton.LAST] / max(outcome[newton.FIRST], 1e-300)),
        force=float(outcome[newton.LAST]),
        converged=went == newton.DONE,
        kinetic=0.5 * float((momenta * state.v).sum()),
        elastic=float(energies[ELASTIC]),
        strings=float(energies[STRINGS] + energies[PULLS]),
        gravity=-float((masses * state.x).sum(axis=0) @ np.array(model.options.gravity)),
        contact=float(energies[CONTACT]),
        momentum=momenta.sum(axis=0),
        angular_momentum=np.cross(state.x, momenta).sum(axis=0),
        contacts=work.touching.states[:count, PUSH_X : PUSH_X + 3].copy(),
        contact_points=model.bodies.skin.points[pairs[:, 0]],
        contact_colliders=pairs[:, 1].copy(),
        reactions=work.stepping.gradient.reshape(-1, 3)[model.held].copy(),
    )
