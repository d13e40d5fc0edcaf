"""ActorTargets: the targets of an actor as what inverse kinodynamics solves for, and where they are missed on screen.

What a target leaves open is as the keyed motion has it: the locked motion without the correction that an earlier solve
left (Rahgoshay 2011, 3.1: a key is met where the secondary motion is where the key is). A null-space edit is no target:
it sets the correction at its time, and targets are met around it. Errors are counted at the end of the stack (DESIGN
3.3): with the correction in its layer, after the simulation and the locks that have the last word.

Where keys are targets each key is to be hit: of a pose that stands for keys, the coordinates that have one on its tick.

A motion that is held before its first key holds its correction there, too: what a window reads earlier is read at that
key. An actor that hangs on another is solved as it is simulated, under a joint more that carries it and gives way to
no target.

A target may be of a point of another actor, which a joint carries and which gives way (Rahgoshay 2011, 4.6). It is
solved for as an end effector fixed to that joint, and missed by as far as the point is from there on screen: outer
iterations find where the end effector has to be. How the point moves is asked of the evaluation.

Times [ticks]; places [m] in the world; q, qd: coordinates and rates [rad, m, per second].
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Correction, Document, Layer, Target
from engine.document.correction import correction_of, restricted
from engine.document.drafts import without_drafts
from engine.document.motion import active_layers
from engine.document.target_times import placed_null_space_edits, placed_targets
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import Vector3, vector3
from engine.dynamics.coordinates import read_rates
from engine.evaluation import Evaluation
from engine.kinodynamics.gains import ADDED, BEFORE, LOWER, UPPER
from engine.kinodynamics.keyed import Keyed, first_key, known_of
from engine.kinodynamics.secondary import secondaries_of
from engine.kinodynamics.tracking import APART, KinoModel
from engine.kinodynamics.uses import pushing_over
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of, quaternions
from engine.model.compile import ROW
from engine.motion.curve_kernels import TICKS
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.targets.corrections import Corrections, rate_names
from engine.targets.equations import (
    Equation,
    KinodynamicState,
    PointEquation,
    PointVelocityEquation,
    PoseEquation,
    PoseVelocityEquation,
    Residual,
    TimedGoal,
    TurnEquation,
    TurnVelocityEquation,
    find_point,
    measure,
)
from engine.targets.problem import NullSpaceEdit
from engine.targets.reach import rate_places
from engine.targets.steering import body_rows

SPOT_APART = TICKS_PER_SECOND // 2000  # half of what lies between the places that a velocity is read from


@dataclass(frozen=True, eq=False)
class Held(KinoModel):
    """The simulated model of an actor whose motion is held before its first key."""

    first: float

    @property
    def held_to(self) -> float:
        """Return the time of that key."""
        return self.first

    def samples(self, times: Array) -> Array:
        """Return the times at which the keyed motion is read: never before that key."""
        return np.maximum(super().samples(times), self.first)

    def moves(self, times: Array) -> NDArray[np.bool_]:
        """Held before that key and at it, a correction has values alone."""
        return np.asarray(times > self.first)


@dataclass(frozen=True, eq=False)
class ActorTargets:
    """An actor's targets, ready to be solved for."""

    document: Document  # of all that moves the actor; without the correction
    actor: Actor  # without the correction
    layer: Layer | None  # that holds the correction
    kino: KinoModel
    keyed: Keyed
    targets: tuple[Target, ...]  # each at one time
    goals: tuple[TimedGoal, ...]  # what they ask for, in the same order
    null_space_edits: tuple[NullSpaceEdit, ...]  # what the correction is to be between them
    first: int | None  # the first key, where the motion is held before that
    told_by_layers: bool  # whether its keyed motion is, so that many times are read as quickly as few
    spots: Mapping[str, tuple[str, int]] = field(default_factory=dict)  # of goals that are of points of other actors

    @cached_property
    def workspace(self) -> Array:
        """A state buffer, placed."""
        return self.kino.new_state()

    def correction(self, corrections: Sequence[Corrections]) -> Correction | None:
        """Convert corrections to the form that a layer holds; those of what carries the actor are left out."""
        names = rate_names(self.kino.mechanics.model.figure)
        found = (each.document(names) for each in corrections)
        terms = [term for each in found if each is not None for term in each.terms]
        return restricted(correction_of(terms), self.actor.figure.coordinates)

    def corrected(self, correction: Correction | None) -> Document:
        """The document with another correction."""
        if correction is None:
            return self.document
        layers, solo = self.actor.layers, any(each.solo for each in self.actor.layers)
        if self.layer is None:
            layers = (*layers, Layer(id="", mode="add", correction=correction, solo=solo))
        else:
            id = self.layer.id
            layers = tuple(replace(each, correction=correction) if each.id == id else each for each in layers)
        return self.document.with_actor(replace(self.actor, layers=layers))

    def seen(self, evaluator: Evaluation, document: Document, goal: TimedGoal) -> KinodynamicState:
        """Sample the state that a `TimedGoal` is about, as it is on screen."""
        apart = (0, -APART, APART) if goal.speeds else (0,)
        q = [self.pose(evaluator, document, goal.bell.time + by) for by in apart]
        return KinodynamicState(q[0]) if len(q) == 1 else KinodynamicState(q[0], q[1], q[2], 2.0 * APART / TICKS)

    def residuals(self, evaluator: Evaluation, document: Document, goal: TimedGoal) -> tuple[Residual, ...]:
        """Measure by how much each equation of a `TimedGoal` is missed on screen."""
        if goal.id in self.spots:
            return tuple(self._miss_spot(evaluator, document, goal, each) for each in goal.equations)
        return measure(self.kino.mechanics.model, goal, self.seen(evaluator, document, goal), self.workspace)

    def _miss_spot(self, evaluator: Evaluation, document: Document, goal: TimedGoal, equation: Equation) -> Residual:
        """Measure the miss of a point that a joint carries, which has a way of its own."""
        (actor, spot), time = self.spots[goal.id], goal.bell.time
        if isinstance(equation, PointEquation):
            (place,) = evaluator.places(document, actor, spot, (time,))
            return Residual(goal.id, equation, np.array(equation.position) - place, "m")
        assert isinstance(equation, PointVelocityEquation), "a point has a place and a velocity"
        speed = spot_velocity(evaluator, document, actor, spot, time)
        return Residual(goal.id, equation, np.array(equation.velocity) - speed, "m/s")

    def pose(self, evaluator: Evaluation, document: Document, time: int) -> Array:
        """Coordinates of what is simulated, from where the actor stands and how it is posed on screen."""
        row = evaluator.rows(document, time)[self.actor.id]
        if not self.actor.attachments:
            return row[ROW:]
        return np.concatenate((row[9:ROW], quaternions(row[:9].reshape(1, 3, 3))[0], row[ROW:]))


def compile_targets(evaluator: Evaluation, document: Document, actor: str, *, bare: bool = False) -> ActorTargets:
    """Compile the targets of an actor that are on into goals of the inverse search. `bare`: its correction has been
    left out already."""
    owner = document.actor(actor)
    secondary = owner.secondary
    if secondary is None or not secondary.on:
        allowed = "one whose secondary motion is on"
        raise InvalidArguments(what="the actor of the targets", value=owner.name, allowed=allowed)
    layer = None if bare else correction_layer(owner)
    if layer is not None:
        _check_counts(owner, layer)
        others = tuple(replace(each, correction=None) if each is layer else each for each in owner.layers)
        owner = replace(owner, layers=others)
    needed = without_drafts(needed_by(document.with_actor(owner), owner))
    owner = needed.actor(actor)
    group = next(group for group in needed.groups if any(each.id == actor for each in group))
    secondaries = secondaries_of(evaluator)
    kino: KinoModel = secondaries.model(owner)
    first = None if secondary.lead == "run_in" else first_key(owner.layers)
    if first is not None:
        kino = Held(**{each.name: getattr(kino, each.name) for each in fields(KinoModel)}, first=float(first))
    keyed = remembered(secondaries.keyed(needed, group, owner, kino))
    equations = EquationCompiler(owner, kino, keyed)
    pairs = [(each, equations.of(each)) for each in placed_targets(owner, document.rate)]
    pairs = [(each, own) for each, own in pairs if any(_asks(equation) for equation in own)]
    targets = tuple(each for each, _ in pairs)
    goals = tuple(TimedGoal(id=each.id, bell=each.bell_at(each.time), equations=own) for each, own in pairs)
    by_layers = not owner.attachments and not any(each.is_constrained for each in group)
    by_layers = by_layers and not pushing_over(needed, actor)  # what it wears feels each try anew
    changes = tuple(_null_space_edit(kino, each) for each in placed_null_space_edits(owner))
    spots = spots_of(targets)
    return ActorTargets(needed, owner, layer, kino, keyed, targets, goals, changes, first, by_layers, spots)


def spot_velocity(evaluator: Evaluation, document: Document, actor: str, spot: int, time: int) -> Array:
    """Measure the velocity of a point of another actor [m/s]; further apart than states of figures are, for what gives
    way is known to a tolerance."""
    before, after = evaluator.places(document, actor, spot, (time - SPOT_APART, time + SPOT_APART))
    return np.asarray((after - before) * (TICKS / (2.0 * SPOT_APART)))


def spots_of(targets: Iterable[Target]) -> dict[str, tuple[str, int]]:
    """List the points of other actors that targets are of, by the ids of these."""
    return {each.id: (each.carried, each.spot) for each in targets if each.carried and each.spot is not None}


def needed_by(document: Document, owner: Actor) -> Document:
    """Give the document with what moves an actor, and what moves all that its targets are of."""
    carried = {each.carried for each in placed_targets(owner, document.rate) if each.carried is not None}
    ids = (owner.id, *sorted(carried))
    kept = {actor.id for id in ids for actor in document.with_all_that_hold(id).actors}
    if len(kept) == len(document.actors):
        return document
    return replace(document, actors=tuple(actor for actor in document.actors if actor.id in kept))


def correction_layer(actor: Actor) -> Layer | None:
    """The layer that holds the correction of an actor's targets: the uppermost that holds any."""
    return next((each for each in reversed(actor.layers) if each.correction is not None), None)


def remembered(keyed: Keyed) -> Keyed:
    """Cache a keyed motion that is read at the same times again and again."""
    known: dict[bytes, Array] = {}

    def cached(times: Array) -> Array:
        key = times.tobytes()
        if key not in known:
            known[key] = np.ascontiguousarray(keyed(times)[:, :2])
        return known[key]

    return replace(known_of(keyed), motion=cached)


def _asks(equation: Equation) -> bool:
    """Tell whether an equation has any rates: at a key of another joint a rule for some joints has none."""
    return (
        not isinstance(equation, PoseEquation | PoseVelocityEquation) or equation.rates is None or bool(equation.rates)
    )


def _null_space_edit(kino: KinoModel, target: Target) -> NullSpaceEdit:
    figure = kino.mechanics.model.figure
    change = np.zeros(kino.mechanics.rate_count)
    for name, number in target.change or ():
        change[figure.rate_index[name]] = number
    return NullSpaceEdit(bell=target.bell_at(target.time), change=change)


def _check_counts(actor: Actor, layer: Layer) -> None:
    parts = {
        "muted": layer.mute,
        "not alone": not layer.mute and layer.weight > 0.0 and layer not in active_layers(actor.layers),
        f"of weight {layer.weight:g}": layer.weight != 1.0 or "weight" in layer.track_of,
        "masked": layer.mask is not None,
        "limited to a span": layer.span is not None,
    }
    found = [text for text, is_so in parts.items() if is_so]
    if found:
        allowed = "one that counts in full, at all times, for every coordinate"
        raise InvalidArguments(
            what=f"the layer of the correction, {layer.name},", value=", ".join(found), allowed=allowed
        )


class EquationCompiler:
    """The equations of targets, in the coordinates of the simulated figure."""

    def __init__(self, actor: Actor, kino: KinoModel, keyed: Keyed) -> None:
        self._own, self._keyed, self._layers = actor.figure, keyed, active_layers(actor.layers)
        listed = () if actor.secondary is None else actor.secondary.targets
        self._rules = {each.id: each for each in listed if each.source in ("keys", "marked")}
        self._model, self._room, self._servo = kino.mechanics.model, kino.new_state(), kino.servo
        self._figure = self._model.figure

    def of(self, target: Target) -> tuple[Equation, ...]:
        """The equations of one."""
        motion = self._keyed(np.array([float(target.time)]))[0]
        q, qd = motion[0], np.empty(self._model.rate_count)
        read_rates(self._model.ints, q, motion[1], qd)
        if target.kind == "pose":
            return self._pose(target, q, qd)
        assert target.joint is not None, "a point and a turn have a joint"
        joint = self._figure.joint_index[self._own.joint(target.joint).id]
        if target.kind == "turn":
            return self._turn(target, joint, q, qd)
        found: list[Equation] = []
        if target.place:
            place = find_point(self._model, q, joint, target.point, self._room)
            position = target.position or _vector(place)
            found.append(PointEquation(joint=joint, position=position, local=target.point))
        if target.velocity:
            speed = body_rows(self._model, q, joint, target.point, self._room)[:3] @ qd
            velocity = target.speed or _vector(speed)
            found.append(PointVelocityEquation(joint=joint, velocity=velocity, local=target.point))
        return tuple(found)

    def _turn(self, target: Target, joint: int, q: Array, qd: Array) -> tuple[Equation, ...]:
        found: list[Equation] = []
        spin = body_rows(self._model, q, joint, (0.0, 0.0, 0.0), self._room)[3:] @ qd
        if target.place:
            turn = quaternion_of(self._model.transforms(self._room)[joint, :9].reshape(3, 3))
            found.append(TurnEquation(joint=joint, rotation=target.rotation or turn))
        if target.velocity:
            found.append(TurnVelocityEquation(joint=joint, velocity=target.speed or _vector(spin)))
        return tuple(found)

    def _pose(self, target: Target, q: Array, qd: Array) -> tuple[Equation, ...]:
        figure, joints = self._own, target.joints
        dofs = [
            dof for dof in figure.dofs if not dof.driven and (joints is None or figure.dof_joint[dof.id].id in joints)
        ]
        rule, named = self._rules.get(target.id.rpartition("@")[0]), {dof.id for dof in dofs}
        named &= named if rule is None else self._keyed_at(rule, target.time)
        found: list[Equation] = []
        if target.place:
            given = dict(target.values or ())
            wanted = q.copy()
            for name, value in given.items():
                wanted[self._figure.coordinate_index[name]] = value
            counting = {figure.coordinate_dof[name].id for name in given} if given else named
            found.append(PoseEquation(q=self._before_stops(wanted), rates=self._places(counting & named)))
        if target.velocity:
            given = dict(target.rates or ())
            rates = qd.copy()
            for name, value in given.items():
                rates[self._figure.rate_index[name]] = value
            about = {figure.coordinate_dof[name].id for name in (given or dict(target.values or ()))} or named
            places = self._places(about & named)
            if given:
                driven = {name for dof in figure.driven for name in dof.rates}
                places = tuple(self._figure.rate_index[name] for name in given if name not in driven)
            found.append(PoseVelocityEquation(qd=rates, rates=places))
        return tuple(found)

    def _before_stops(self, q: Array) -> Array:
        """Move wanted coordinates from limits to where the stops begin: nothing that presses against a stop comes
        nearer than that for sure, a straight knee at rest included. One that follows exactly stands at its limit at
        most."""
        servo, found = self._servo, q.copy()
        for rate, place in enumerate(rate_places(self._model)):
            if place >= 0:
                before = servo[BEFORE, rate] if np.isfinite(servo[ADDED, rate]) else 0.0
                lower, upper = servo[LOWER, rate] + before, servo[UPPER, rate] - before
                found[place] = min(max(found[place], lower), upper)
        return found

    def _keyed_at(self, rule: Target, time: int) -> set[str]:
        """Find the degrees of freedom that have a key on a tick, of those that a target stands for."""
        tracks = (track for layer in self._layers for track in layer.heard.values())
        keys = ((track.coordinate, key) for track in tracks for key in track.keys)
        counting = (name for name, key in keys if key.time == time and (rule.source == "keys" or key.mark))
        return {self._own.coordinate_dof[name].id for name in counting}

    def _places(self, dofs: set[str]) -> tuple[int, ...]:
        return tuple(self._figure.rate_index[name] for dof in self._own.dofs if dof.id in dofs for name in dof.rates)


def _vector(place: Array) -> Vector3:
    return vector3("a place of the keyed motion", place.tolist())
