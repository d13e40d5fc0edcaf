"""Secondary motion of actors: what becomes of the locked motion over a window before each time (DESIGN 3.3).

x_KD(t) is where a simulation from x_K(t - window), with its velocity, has come to at t (Rahgoshay 2011, chapter 3); x_K
is what is seen without secondary motion: layers, then locks. Its values at the simulation's steps are worked out alone,
as those of any frame are, and kept until an edit touches their times, so that a frame alone is the same bytes as in
sequence; their rates are central differences over a step where locks or what the actor hangs on move it.

An actor that hangs on another is carried: a joint above its roots follows exactly what carries it, so that a ball on
a hand that is keyed swings. A joint that moves no mass follows exactly, too. Limits over several angles brake in the
simulation, and hold of what is shown where the keyed pose keeps them without what corrections add to it. At a time with
a draft nothing is simulated: what is tried out there is shown.

What hangs on an actor may push it (`Stage.push_over`): by the forces that it has along the locked motion, over a window
that ends at the same time. Since what swings does not feed back into these, that is one step of Picard's iteration.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import numpy as np

from engine.document import Actor, Document, Figure
from engine.document.carried import carried
from engine.document.drafts import without_drafts
from engine.document.motion import active_layers
from engine.document.order import Group
from engine.document.secondary import Gains, Secondary
from engine.document.ticks import TICKS_PER_SECOND
from engine.dynamics.coordinates import integrate_coordinates
from engine.dynamics.mechanics import Mechanics, compile_mechanics, placed
from engine.evaluation import Below, Evaluation, Instants, Members, Stage
from engine.ik.kept_limits import keep_limits
from engine.kinodynamics.gains import EXACT, JointGains, compile_gains, moved_inertia, rest_inertia
from engine.kinodynamics.keyed import Keyed, KeyedMotion, first_key, held_before
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.kinodynamics.uses import pushing_over
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternions
from engine.model.compile import ROW, Model, compile_model
from engine.motion.bells import bell_motion
from engine.motion.changed import changed_span
from engine.motion.jumps import Jumps, jumps_of
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

_MODELS_KEPT, _TIMES_KEPT = 64, 20_000
_ACTORS_KEPT, _BYTES_KEPT = 256, 512 << 20  # whose locked motion is, and what that of a document's actors takes
_OBJECTS = 400  # bytes of a kept row beside its numbers
_AT_ONCE = 1024  # times at which the locked motion of a whole group is at hand
_CARRIER = 7  # coordinates of the joint above the roots: three slides and a quaternion


@dataclass(eq=False)
class _Known:
    """The cached locked motion of an actor in one document."""

    document: Document
    bare: Document  # without secondary motion and drafts, and of nothing but what moves the actor
    group: frozenset[str]  # with which it moves, whose locked motion it is
    rows: Bounded[int, Array]  # where it stands and how it is posed, by tick


@dataclass(frozen=True, eq=False)
class _Body:
    """The simulated body of an actor, whatever its gains."""

    own: Model  # of the actor's figure, whatever it hangs on
    mechanics: Mechanics
    inertia: Array  # that gains are for
    moving: frozenset[str]  # joints that move a mass, or have no freedom
    balls: list[list[int]]  # coordinates of each ball


def uncorrected(actor: Actor, model: Model, time: float, q: Array) -> Array:
    """A keyed pose without what corrections add to it at a time [ticks]: what a person sets. Where locks hold a joint
    it is that to first order."""
    f = np.zeros(model.rate_count)
    for layer in active_layers(actor.layers):
        for term in layer.correction.terms if layer.correction is not None else ():
            if term.bell.start < time < term.bell.end:
                shape = bell_motion(term.bell, time)[0]
                for order, amplitudes in enumerate((term.amplitudes, term.wiggles)):
                    for name, number in amplitudes:
                        f[actor.figure.rate_index[name]] -= layer.weight * number * shape[order]
    if not f.any():
        return q
    found = np.empty_like(q)
    integrate_coordinates(model.ints, q, f, 1.0, found)
    return found


def secondaries_of(evaluation: Evaluation) -> Secondaries:
    """Return the secondary motion of an evaluation."""
    return cast(Secondaries, evaluation.stage("secondary"))


class Secondaries(Stage):
    """Simulates. Compiled models and locked motions are kept between calls; used by one thread."""

    def __init__(self, evaluation: Evaluation) -> None:
        self._evaluation = evaluation
        self._bodies: Bounded[tuple[object, ...], _Body] = Bounded(_MODELS_KEPT)
        self._models: Bounded[tuple[object, ...], KinoModel] = Bounded(_MODELS_KEPT)
        self._known: Bounded[str, _Known] = Bounded(_ACTORS_KEPT)

    def replaced(self, instants: Instants, below: Below) -> list[Members]:
        """Give those that are simulated."""
        out: list[Members] = [{} for _ in instants.times]
        for actor in instants.group:
            counting = [place for place, time in enumerate(instants.times) if self.counts(actor, time)]
            chosen = [instants.times[place] for place in counting]
            found = self.poses(instants.document, instants.group, actor, chosen) if chosen else []
            for place, q in zip(counting, found, strict=True):
                time, frames = instants.times[place], instants.frames[place]
                out[place][actor.id] = self._evaluation.member(actor, time, frames, q)
        return out

    def moves(self, document: Document, actor: str, times: Sequence[float]) -> bool:
        """Tell whether the actor swings."""
        return document.actor(actor).swings

    def keyed_pose(self, document: Document, group: Group, actor: Actor, time: float) -> Array | None:
        """Give what it follows, without what corrections add."""
        if not self.counts(actor, time):
            return None
        return uncorrected(actor, self._evaluation.model(actor), time, self.followed(document, group, actor, time))

    def counts(self, actor: Actor, time: float) -> bool:
        """Tell whether an actor is simulated at a time."""
        return actor.swings and not any(layer.draft_at(time) for layer in actor.layers)

    def poses(self, document: Document, group: Group, actor: Actor, times: Sequence[float]) -> list[Array]:
        """The coordinates of an actor of a group at some times [ticks]; fresh arrays."""
        model = self.model(actor)
        keyed = self.keyed(document, group, actor, model)
        together, found = max(1, _TIMES_KEPT // (3 * (model.steps + 2))), list[Array]()  # beside each are two more
        for first in range(0, len(times), together):
            some = times[first : first + together]
            if len(some) > 1 and not self._is_told_by_layers(group, actor):
                keyed(np.unique(model.samples(np.array(some, dtype=np.float64))))  # known from here on
            found += [self._pose(document, group, actor, model, keyed, time) for time in some]
        return found

    def _pose(
        self, document: Document, group: Group, actor: Actor, model: KinoModel, keyed: Keyed, time: float
    ) -> Array:
        pushes = self._pushes(document, actor, model, time)
        model = model if pushes is None else model.pushed(pushes)
        q = model.simulate(np.array([float(time)]), keyed)[0][0]
        own = np.ascontiguousarray(q[_CARRIER:]) if actor.attachments else q
        if actor.figure.limits_on:
            pose = self.followed(document, group, actor, time)
            keep_limits(actor.figure, uncorrected(actor, self._body(actor).own, time, pose), own)
        return own

    def _pushes(self, document: Document, actor: Actor, model: KinoModel, time: float) -> Array | None:
        """Ask who pushes the actor over the window before a time; None where nobody does. Of weight it feels what it
        feels of its own."""
        found: Array | None = None
        for system in pushing_over(document, actor.id):
            times = model.samples(np.array([time]))[0, 2:]
            pushed, weight = self._evaluation.stage(system).push_over(document, actor.id, times)
            carrier = int(bool(actor.attachments))
            felt = pushed - (1.0 - model.gains.shares[carrier:, None]) * weight
            own = np.pad(felt, ((0, 0), (carrier, 0), (0, 0)))
            found = own if found is None else found + own
        return found

    def followed(self, document: Document, group: Group, actor: Actor, time: float) -> Array:
        """The coordinates that the actor's body follows at a time [ticks]; a fresh array."""
        if self._is_told_by_layers(group, actor):
            keyed: Array = self._evaluation.motion(without_drafts(document).actor(actor.id)).at(time)[0]
            return keyed
        row: Array = self._rows_of(self._follow(document, group, actor.id), actor, [round(time)])[0]
        return row[_CARRIER:].copy() if actor.attachments else row

    def model(self, actor: Actor) -> KinoModel:
        """Compile the model by which an actor is simulated; kept while its figure, place and gains stay."""
        secondary = actor.secondary or Secondary()
        key = (*_standing(actor), replace(secondary, targets=()))
        found = self._models.kept.get(key)  # looked at: to use it is to hash it twice, which takes longer than the rest
        return self._models.keep(key, _compile(actor, secondary, self._body(actor))) if found is None else found

    def _body(self, actor: Actor) -> _Body:
        """Compile the part of an actor's model that no gain changes; kept while its figure and place stay."""
        key = _standing(actor)
        found = self._bodies.kept.get(key)
        return self._bodies.keep(key, _body_of(actor)) if found is None else found

    def keyed(self, document: Document, group: Group, actor: Actor, model: KinoModel) -> Keyed:
        """The locked motion of an actor, as the simulation reads it."""
        keyed_actor, lead = without_drafts(document).actor(actor.id), (actor.secondary or Secondary()).lead
        motion = self._evaluation.motion(keyed_actor)
        by_layers, first = self._is_told_by_layers(group, actor), first_key(motion.source)
        known = None if by_layers else self._follow(document, group, actor.id)
        followed = [keyed_actor] if by_layers else group
        jumps = jumps_of([layer for each in followed for layer in active_layers(each.layers)])
        keyed = motion.at if known is None else self._differing(known, actor, model.step_ticks, jumps)
        corrects = actor.figure.limits_on and any(each.correction is not None for each in actor.layers)
        keyed = KeyedMotion(keyed, self._meant(actor, keyed) if corrects else None, jumps)
        return keyed if lead == "run_in" or first is None else held_before(keyed, first)

    def _meant(self, actor: Actor, keyed: Keyed) -> Keyed:
        """Values of the keyed motion without corrections."""
        model, own = self._body(actor).own, slice(_CARRIER if actor.attachments else 0, None)

        def meant(times: Array) -> Array:
            values = keyed(times)[:, :1].copy()
            for time, row in zip(times.tolist(), values[:, 0], strict=True):
                row[own] = uncorrected(actor, model, time, np.ascontiguousarray(row[own]))
            return values

        return meant

    def _is_told_by_layers(self, group: Group, actor: Actor) -> bool:
        return not actor.attachments and not any(each.is_constrained for each in group)

    def _differing(self, known: _Known, actor: Actor, step: int, jumps: Jumps | None) -> Keyed:
        """Values of the locked motion and their rates by differences over a step of the simulation, to the one side
        where the other lies beyond a jump."""
        balls = self._body(actor).balls

        def keyed(times: Array) -> Array:
            now = [round(time) for time in times.tolist()]
            aside = [(tick - step, tick, tick + step) for tick in now]
            if jumps is not None:
                aside = [_between_jumps(jumps, *each) for each in aside]
            ticks = dict.fromkeys(tick for each in aside for tick in each)
            found = self._rows_of(known, actor, list(ticks))
            place = {tick: number for number, tick in enumerate(ticks)}
            before, here, after = (found[[place[tick] for tick in side]] for side in zip(*aside, strict=True))
            seconds = np.array([max(last - first, 1) / TICKS_PER_SECOND for first, _, last in aside])
            for ball in balls:
                for rows in (before, after):
                    rows[:, ball] *= np.where((rows[:, ball] * here[:, ball]).sum(axis=1) < 0.0, -1.0, 1.0)[:, None]
            return np.stack((here, (after - before) / seconds[:, None]), axis=1)

        return keyed

    def _rows_of(self, known: _Known, actor: Actor, ticks: Sequence[int]) -> Array:
        """The locked motion at some ticks, those that are not known yet worked out together; a fresh array."""
        rows_by_tick = known.rows.kept  # thousands are looked at
        missing = [tick for tick in ticks if tick not in rows_by_tick]
        fresh = dict[int, Array]()
        for first in range(0, len(missing), _AT_ONCE):
            some = missing[first : first + _AT_ONCE]
            made = self._evaluation.rows_at(known.bare, some, below="secondary", of=known.group)
            fresh.update((tick, _row(actor, rows[actor.id])) for tick, rows in zip(some, made, strict=True))
        found = np.array([fresh[tick] if tick in fresh else rows_by_tick[tick] for tick in ticks])
        for tick, row in fresh.items():
            known.rows.keep(tick, row)
        return found

    def _follow(self, document: Document, group: Group, actor: str) -> _Known:
        """Update the cached motion of an actor to a document; what an edit touched is forgotten."""
        known = self._known.get(actor)
        if known is not None and known.document is document:
            return known
        bare, ids = _bare(document, group, actor), frozenset(each.id for each in group)
        begins = () if known is None else _untouched(known, bare, actor)
        size = _BYTES_KEPT // max(1, sum(each.swings for each in document.actors))
        rows = Bounded[int, Array](_TIMES_KEPT, size=size, size_of=lambda row: row.nbytes + _OBJECTS, begins=begins)
        return self._known.keep(actor, _Known(document, bare, ids, rows))


def _between_jumps(jumps: Jumps, before: int, tick: int, after: int) -> tuple[int, int, int]:
    """Times beside a tick, or it where a jump lies between."""
    first, last = (jumps.are_between(*each) for each in ((before, tick), (tick, after)))
    return tick if first else before, tick, tick if last else after


def _bare(document: Document, group: Group, actor: str) -> Document:
    """The document as the simulation follows it: the group's locked motion; what it hangs on as it is seen."""
    needed = without_drafts(document.with_all_that_hold(actor))
    for each in group:
        found = needed.actor(each.id)
        if found.secondary is not None:
            needed = needed.with_actor(replace(found, secondary=None))
    return needed


def _untouched(known: _Known, bare: Document, actor: str) -> list[tuple[int, Array]]:
    if bool(known.bare.actor(actor).attachments) != bool(bare.actor(actor).attachments):
        return []  # rows of what hangs on another begin with its base
    spans = [
        (-math.inf if start is None else start, math.inf if end is None else end)
        for id, start, end in changed_span(known.bare, bare)
        if id == actor
    ]
    rows = known.rows.kept.items()
    return [(tick, row) for tick, row in rows if not any(start <= tick <= end for start, end in spans)]


def _row(actor: Actor, seen: Array) -> Array:
    """Return the pose of an actor, behind the placement of its base if it hangs on another."""
    if not actor.attachments:
        return seen[ROW:]
    turn = quaternions(seen[:9].reshape(1, 3, 3))[0]
    return np.concatenate((seen[9:ROW], turn, seen[ROW:]))


def _standing(actor: Actor) -> tuple[object, ...]:
    """Return what a model depends on beside gains: the figure, and where it is placed unless it is carried."""
    return actor.figure.digest, bool(actor.attachments), None if actor.attachments else actor.placement


def _body_of(actor: Actor) -> _Body:
    figure = carried(actor.figure) if actor.attachments else actor.figure
    mechanics = compile_mechanics(compile_model(figure), massless=True)
    if not actor.attachments:
        mechanics = placed(mechanics, actor.placement.position, actor.placement.rotation)
    inertia, rate, moving = rest_inertia(mechanics), 0, set[str]()
    for joint in figure.joints:
        count = sum(3 if dof.kind == "ball" else 1 for dof in joint.dofs)
        if count == 0 or float(inertia[rate : rate + count].min()) > 0.0:
            moving.add(joint.id)
        rate += count
    return _Body(compile_model(actor.figure), mechanics, moved_inertia(mechanics), frozenset(moving), _balls(figure))


def _compile(actor: Actor, secondary: Secondary, body: _Body) -> KinoModel:
    own = {joint.id: _gains(secondary.gains_of(joint), moves=joint.id in body.moving) for joint in actor.figure.joints}
    return compile_kinodynamics(
        body.mechanics,
        compile_gains(body.mechanics, JointGains(), own, inertia=body.inertia),
        window=secondary.window / TICKS_PER_SECOND,
        dt=secondary.step / TICKS_PER_SECOND,
        contact=secondary.contact,
    )


def _gains(said: Gains, *, moves: bool) -> JointGains:
    if said.exact or not moves:
        return replace(EXACT, gravity=said.gravity)
    return JointGains(tension=said.tension, relaxation=said.relaxation, damping=said.damping, gravity=said.gravity)


def _balls(figure: Figure) -> list[list[int]]:
    index = figure.coordinate_index
    return [[index[name] for name in dof.coordinates] for dof in figure.dofs if dof.kind == "ball"]
