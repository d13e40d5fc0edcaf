"""Steps of soft bodies: start, step, save, load.

    model = compile_soft([SoftPiece(mesh=box((1, 1, 1), (4, 4, 4)), material=SoftMaterial())])
    state = model.new_state()
    work = start(model, state)
    report = step(model, state, work, 1 / 60, colliders=[Collider(kind="plane")])

The step is implicit Euler (`newton.py`); its results are the same bytes on every run, and a saved state goes on with
the same bytes. A step that leaves the finite numbers raises `Diverged` and changes nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import Diverged, InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft import newton
from engine.soft.assembly import (
    CONTACT,
    ELASTIC,
    ENERGY_COUNT,
    EXACT,
    PULLS,
    STRINGS,
    Around,
    Stepping,
    assemble,
    remember,
)
from engine.soft.bodies import SoftModel, SoftOptions, SoftPiece, SoftState, compile_soft
from engine.soft.contact import GRIP, GRIPS, STATES, Collider, ColliderContacts, pack_colliders
from engine.soft.lanes import BLOCK_ROWS, ROWS, L
from engine.soft.layers import Layers, factor
from engine.soft.linear import METHODS, LinearSystem
from engine.soft.meeting import Meeting, new_meeting
from engine.soft.pressed import Pressed, find_traces, no_pressed
from engine.soft.projected import PROJECTED
from engine.soft.samples import new_lanes
from engine.soft.touched import TouchedSpots, find_touched

__all__ = [
    "SoftModel",
    "SoftOptions",
    "SoftPiece",
    "SoftState",
    "SoftWork",
    "StepReport",
    "compile_soft",
    "inputs_at_rest",
    "load",
    "save",
    "start",
    "step",
]

_SAVED = ("x", "v", "a", "grips")
_NO_ALPHAS = np.zeros(0)


@dataclass(frozen=True, kw_only=True)
class StepReport:
    """Results of a step beside the state."""

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
    touched: TouchedSpots  # where they are, on the outside
    reactions: Array  # forces that hold the held points [N], shape [held_count, 3]


class StepGiven(NamedTuple):
    """Inputs of one step beside the state, as `step` takes them."""

    alphas: Array | None = None
    colliders: Sequence[Collider] = ()
    held_at: Array | None = None
    targets: Array | None = None
    target_velocities: Array | None = None
    pokes: Sequence[tuple[int, Array, float, float]] = ()


@dataclass(eq=False)
class SoftWork:
    """Work memory of one state's steps; one thread at a time."""

    stepping: Stepping
    vectors: newton.Vectors
    touching: ColliderContacts
    meeting: Meeting
    grips: Array
    free: Array
    own: Array
    singles: tuple[NDArray[np.float32], NDArray[np.float32]]
    outcome: Array
    pressed: Pressed
    layers: Layers | None = None
    factored: float = 0.0  # [s] the time step that the layers are for


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
    vectors = newton.Vectors(
        v=np.zeros(size),
        a=np.zeros(size),
        held_at=np.zeros(size),
        step=np.zeros(size),
        right=np.zeros(size),
        start=np.zeros(size),
        pull=pull,
        room=np.zeros((7, size)),
        settled=np.zeros(size),
    )
    free = np.ones((model.point_count, 3))
    free[model.held] = 0.0
    wide = int(model.order.layers[-1, 2]) + 16
    singles = np.zeros(wide, dtype=np.float32), np.zeros(wide, dtype=np.float32)
    touching = _touching(max(64, 2 * len(model.bodies.skin.points)))
    grips = np.zeros((len(model.bodies.skin.points), GRIPS, GRIP))
    return SoftWork(
        stepping,
        vectors,
        touching,
        new_meeting(64, 1024, model.bodies.skin),
        grips,
        free.ravel(),
        np.zeros(3 * size),
        singles,
        np.zeros(newton.OUTCOMES),
        no_pressed(model.point_count, len(model.bodies.pattern.columns)),
    )


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
    prepare(model, work, dt)
    given = StepGiven(alphas, colliders, held_at, targets, target_velocities, pokes)
    around = take_in(model, state, work, given)
    choices = newton.NewtonChoices(
        model.options.tolerance,
        model.floor,
        model.options.iterations,
        model.options.products,
        METHODS[model.options.method],
    )
    while True:
        on = work.stepping, system_of(model, work), model.frames, work.vectors, choices, dt, work.outcome
        went = newton.advance(model.bodies, around, *on)
        if not make_room(model, work, went):
            break
        around = around._replace(touching=work.touching, meeting=work.meeting)
    if went == newton.NO_ALPHA:
        raise _wrong_alphas(model, alphas)
    if went == newton.NOT_FINITE:
        raise Diverged(what=f"soft bodies at {state.time + dt:.4g} s", value=float(work.outcome[newton.LAST]))
    state.x[:], state.v[:] = work.stepping.x.reshape(-1, 3), work.vectors.v.reshape(-1, 3)
    state.a[:], state.grips[:] = work.vectors.a.reshape(-1, 3), work.grips
    state.time += dt
    return _report(model, work, went)


def take_in(model: SoftModel, state: SoftState, work: SoftWork, given: StepGiven) -> Around:
    """Copy a state, and what acts on it in a step, into the workspace."""
    x, v = state.x.ravel(), state.v.ravel()
    if not (np.isfinite(x).all() and np.isfinite(v).all()):
        raise Diverged(what="the state of a soft body", value="not a number")
    work.stepping.x[:], work.vectors.v[:], work.vectors.a[:] = x, v, state.a.ravel()
    work.vectors.held_at[:], work.grips[:] = x, state.grips
    if given.held_at is not None:
        places = _finite("the places of held points", given.held_at, len(model.held))
        work.vectors.held_at.reshape(-1, 3)[model.held] = places
    return Around(
        pack_colliders(given.colliders, len(model.pieces)),
        work.touching,
        work.meeting,
        work.grips,
        *_pulls(model, state, given.targets, given.target_velocities, given.pokes),
        _alphas(model, given.alphas),
    )


def make_room(model: SoftModel, work: SoftWork, went: int) -> bool:
    """Make room for more contacts where a step had too little of it; tell whether it had."""
    if went == newton.TOO_MANY_CONTACTS:
        work.touching = _touching(2 * len(work.touching.pairs))
        return True
    if went == newton.TOO_MANY_MEETINGS:
        met, entries = int(work.outcome[newton.ITERATIONS]), int(work.outcome[newton.PRODUCTS])
        room = len(work.meeting.spots), len(work.meeting.grid.listed)
        work.meeting = new_meeting(max(room[0], 2 * met), max(room[1], 2 * entries), model.bodies.skin)
        return True
    return False


def system_of(model: SoftModel, work: SoftWork) -> LinearSystem:
    """Give the linear system of a workspace, whose time step is known."""
    assert work.layers is not None
    return LinearSystem(
        model.bodies.pattern,
        work.stepping.values,
        work.free,
        model.bodies.strings,
        work.meeting.tied,
        work.layers,
        work.stepping.frames,
        work.own,
        work.singles,
        work.pressed,
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


def _touching(capacity: int) -> ColliderContacts:
    return ColliderContacts(np.zeros((capacity, 2), np.int32), np.zeros((capacity, STATES)), np.zeros(1, np.int32))


def prepare(model: SoftModel, work: SoftWork, dt: float) -> None:
    """Factor the matrix at rest, where the time step is another than before."""
    if work.layers is not None and work.factored == dt:
        return
    assemble_at_rest(model, work, dt)
    held = np.zeros(model.point_count, dtype=bool)
    held[model.held] = True
    values, strings = work.stepping.values, model.bodies.strings
    find_traces(model.bodies.pattern, values, work.pressed.usual)
    work.layers = factor(model.order, model.bodies.pattern, values, held, strings, model.rest, dt)
    work.factored = dt


def assemble_at_rest(model: SoftModel, work: SoftWork, dt: float) -> None:
    """Assemble the matrix of a step where nothing is bent or touched, in the work's values: upper blocks, row by row.
    Over a step without end it is the stiffness, that of springs to places included."""
    stepping = work.stepping
    stepping.x[:] = stepping.before[:] = stepping.aim[:] = model.rest.ravel()
    around = inputs_at_rest(model, work)
    remember(model.bodies, stepping)
    assemble(model.bodies, around, stepping, dt, EXACT)


def inputs_at_rest(model: SoftModel, work: SoftWork) -> Around:
    """Give what acts on bodies at rest: springs to where they are, and nothing that they touch."""
    work.touching.number[0] = work.meeting.tied.number[0] = 0
    pulls = np.zeros((len(model.pulled), 8))
    pulls[:, :3], pulls[:, 3:5] = model.rest[model.pulled], model.pulls
    return Around(
        pack_colliders((), len(model.pieces)), work.touching, work.meeting, work.grips, model.pulled, pulls, _NO_ALPHAS
    )


def _finite(what: str, given: Array, count: int) -> Array:
    values = np.asarray(given, dtype=np.float64)
    if values.shape != (count, 3) or not np.isfinite(values).all():
        raise InvalidArguments(what=what, value=given, allowed=f"finite numbers of shape {(count, 3)}")
    return values


def _alphas(model: SoftModel, given: Array | None) -> Array:
    """Give alphas as kernels take them, which look whether they are numbers."""
    if given is None:
        return _NO_ALPHAS
    values = np.ascontiguousarray(given, dtype=np.float64)
    if values.shape != (len(model.bodies.strings.springs),):
        raise _wrong_alphas(model, given)
    return values


def _wrong_alphas(model: SoftModel, given: Array | None) -> InvalidArguments:
    allowed = f"{len(model.bodies.strings.springs)} finite numbers, one for each segment"
    return InvalidArguments(what="the contractions of activation splines", value=given, allowed=allowed)


def _pulls(
    model: SoftModel,
    state: SoftState,
    targets: Array | None,
    velocities: Array | None,
    pokes: Sequence[tuple[int, Array, float, float]],
) -> tuple[IntArray, Array]:
    count = len(model.pulled)
    pulls = np.zeros((count + len(pokes), 8))
    if not len(pulls):
        return model.pulled, pulls
    what = "the targets of pulled points"
    pulls[:count, :3] = state.x[model.pulled] if targets is None else _finite(what, targets, count)
    pulls[:count, 3:5] = model.pulls
    if velocities is not None:
        pulls[:count, 5:] = _finite("the velocities of targets", velocities, count)
    for row, (_, target, stiffness, damping) in zip(pulls[count:], pokes, strict=True):
        row[:3], row[3], row[4] = target, stiffness, damping
    poked = np.array([point for point, *_ in pokes], dtype=np.int32)
    if len(pokes) and not (np.isfinite(pulls).all() and poked.min() >= 0 and poked.max() < model.point_count):
        raise InvalidArguments(what="a poke", value=list(pokes), allowed="points of the model and finite numbers")
    return np.concatenate([model.pulled, poked]).astype(np.int32), pulls


def _report(model: SoftModel, work: SoftWork, went: int) -> StepReport:
    outcome, energies, gravity = work.outcome, work.stepping.energies, model.options.gravity
    touched = find_touched(model.bodies.skin, work.touching, work.meeting, work.stepping.x)
    return StepReport(
        iterations=int(outcome[newton.ITERATIONS]),
        products=int(outcome[newton.PRODUCTS]),
        matrices=int(outcome[newton.MATRICES]),
        residual=float(outcome[newton.LAST] / max(outcome[newton.FIRST], 1e-300)),
        force=float(outcome[newton.LAST]),
        converged=went == newton.DONE,
        kinetic=float(outcome[newton.KINETIC]),
        elastic=float(energies[ELASTIC]),
        strings=float(energies[STRINGS] + energies[PULLS]),
        gravity=-float(sum(outcome[newton.WEIGHT + way] * gravity[way] for way in range(3))),
        contact=float(energies[CONTACT]),
        momentum=outcome[newton.MOMENTUM : newton.SPIN].copy(),
        angular_momentum=outcome[newton.SPIN : newton.SPIN + 3].copy(),
        contacts=touched.pushes,
        contact_points=touched.points,
        contact_colliders=touched.colliders,
        touched=touched.spots,
        reactions=work.stepping.gradient.reshape(-1, 3)[model.held].copy(),
    )
