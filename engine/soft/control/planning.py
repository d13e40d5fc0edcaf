"""Plans: what splines of soft bodies of a document, or forces on their points, must do for these to be somewhere at
some times.

    plan = plan_motion(evaluation, document, splines={"stool": ("leg0", "leg1")}, keys=[...], span=Span(...))
    for iterate in plan.search():        # each better than the one before; stop whenever it is good enough
        print(plan.said(iterate.run))
    document = plan.edit(iterate.values).apply(document)

A plan begins with the state that the document's own simulation has at the begin of the span, and is stepped as that is,
with the same ground and obstacles, so that a document with the new keys moves as planned but for what its tolerance
leaves. Other splines, forces and bodies of the scene go on as the document says; several bodies may be planned
together.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from engine.document import Document, Key, Span
from engine.document.drafts import without_drafts
from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.maths.arrays import Array, BoolArray
from engine.physics.uses import is_simulated
from engine.runtime.amounts import amount_text
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.soft.compile import SoftScene
from engine.soft.control.chosen import Chosen, Names, Rows, check_chosen, rows_in
from engine.soft.control.descent import DescentChoices, DescentIterate, descend
from engine.soft.control.objective import Keyframe, Objective, centre_key, pose_key
from engine.soft.control.problem import ControlledRun, ControlProblem, StepSetting
from engine.soft.goals import SoftPlanChoices
from engine.soft.holding import hold
from engine.soft.step import SoftState, StepGiven
from engine.soft.uses import clocked, pressed, soft_actors, soft_body, soft_world

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.soft.simulation import SoftSimulation


MET = 1e-5  # [m] of a miss that is none


class SimulatedStage(Protocol):
    """The stage of soft bodies, as far as a plan reads it."""

    def simulation(self, document: Document) -> SoftSimulation | None:
        """The simulation of the bodies that have a clock."""


@dataclass(frozen=True, kw_only=True, eq=False)
class MotionKey:
    """Where a soft body is to be at a time: its centre of mass, or all its points, and how fast."""

    actor: str
    time: int  # [ticks]
    centre: Vector3 | None = None  # [m] in the world
    points: Array | None = None  # [m] of all points of its mesh, in the world
    velocity: Vector3 | None = None  # [m/s] of its centre, or of all points alike
    weight: float = 1.0


@dataclass(eq=False)
class MotionPlan:
    """A problem of a document, and how its values are read."""

    scene: SoftScene
    problem: ControlProblem
    chosen: Chosen
    first: Array  # values that the document has
    pinned: BoolArray  # which of these stay
    choices: SoftPlanChoices
    tolerance: float  # that the document has
    before: tuple[int, ...]  # [ticks] of the steps before the span
    ticks: tuple[int, ...]  # of the begin and of each step's end
    keys: tuple[MotionKey, ...] = field(default=())
    notes: tuple[str, ...] = ()  # for a person

    @property
    def splines(self) -> Rows:
        """Actor and id of each row of splines."""
        return self.chosen.splines

    @property
    def knots(self) -> tuple[int, ...]:
        """Times of the values [ticks]."""
        return self.chosen.knots

    def search(
        self, values: Array | None = None, until: int | None = None
    ) -> Generator[DescentIterate[ControlledRun], None, None]:
        """Search on from values, or from what the document says; yields better and better ones. Keyframes after a time
        [ticks] do not count, where one is given."""
        first = self.first if values is None else values
        lower, upper = self.problem.controls.bounds()
        lower[self.pinned] = upper[self.pinned] = self.first[self.pinned]
        counts = [until is None or key.time <= until for key in self.keys]
        keys = tuple(replace(key, counts=each) for key, each in zip(self.problem.objective.keys, counts, strict=True))
        problem = replace(self.problem, objective=replace(self.problem.objective, keys=keys))
        shares, choices = _InShares(problem), DescentChoices(iterations=self.choices.iterations)
        scale = shares.scale
        for each in descend(shares, first / scale, lower / scale, upper / scale, choices):
            yield replace(each, values=each.run.values)

    def search_in_stages(
        self, values: Array | None = None
    ) -> Generator[tuple[int, DescentIterate[ControlledRun]], None, None]:
        """Search for the first keyframe alone, then on for the first two, and so on, as many iterations each; yields
        the time [ticks] of the last that counts with each iterate. A landing so follows from a leap, where all at once
        bodies rather shuffle along the ground."""
        for until in sorted({key.time for key in self.keys}):
            for iterate in self.search(values, until):
                values = iterate.values
                yield until, iterate

    def edit(self, values: Array) -> Edit:
        """Make the edit by which the document has values in the span, and steps as the plan does."""
        parts = []
        for number, (actor, spline) in enumerate(self.chosen.splines):
            earlier = self._earlier(number)
            times, alphas = [*earlier, *self.chosen.knots], [*earlier.values(), *values[number].tolist()]
            keys = tuple(Key(time, alpha, interpolation="linear") for time, alpha in zip(times, alphas, strict=True))
            parts.append((actor, spline, keys))
        tolerance = self.choices.tolerance if self.choices.tolerance != self.tolerance else None
        forces = tuple(self.chosen.kept(self.problem.controls, values))
        if not forces:
            return edit("keep_soft_plan", parts=tuple(parts), tolerance=tolerance)
        return edit("keep_soft_plan", parts=tuple(parts), forces=forces, tolerance=tolerance)

    def _earlier(self, row: int) -> dict[int, float]:
        """Give what a formula says before the span, at each step, since its spline is keyed from then on."""
        actor, id = self.chosen.splines[row]
        spline = self.scene.member(actor).body.spline(id)
        if spline is None or spline.activation != "expression":
            return {}
        return {time: self.chosen.mean_alpha(self.problem.controls, row, time) for time in self.before}

    def said(self, run: ControlledRun) -> tuple[str, ...]:
        """Say for a person by how much keyframes are missed, in the order of time."""
        found = []
        for key, missed in sorted(zip(self.keys, run.missed, strict=True), key=lambda each: each[0].time):
            name, what = self.scene.member(key.actor).actor.name, "centre" if key.points is None else "pose"
            how = "met" if missed.place < MET else f"missed by {amount_text(missed.place, 'm')}"
            if key.velocity is not None:
                how += f", its velocity missed by {amount_text(missed.velocity, 'm/s')}"
            found.append(f"{name} at {key.time / TICKS_PER_SECOND:.2f} s: {what} {how}")
        return tuple(found)

    def shapes(self, run: ControlledRun, actor: str, times: Sequence[int]) -> list[Array]:
        """Give the points of a body at the steps nearest to some times [ticks], ascending."""
        own, ticks = self.scene.member(actor).points, np.array(self.ticks)
        steps = [int(np.abs(ticks - time).argmin()) for time in times]
        return [each[own] for each in self.problem.points(run, steps)]


class _InShares:
    """A problem whose forces count as shares of the strongest, so that all values are about as large; powers of two,
    so that no bit is lost."""

    def __init__(self, problem: ControlProblem) -> None:
        self._problem, controls = problem, problem.controls
        self.scale = np.ones((controls.shape[0], 1))
        for rows, each in zip(controls.force_rows, controls.forces, strict=True):
            self.scale[rows] = 2.0 ** np.round(np.log2(each.strongest))

    def run(self, values: Array) -> ControlledRun:
        """Run it."""
        return self._problem.run(values * self.scale)

    def gradient(self, run: ControlledRun) -> Array:
        """Find the gradient by shares."""
        return self._problem.gradient(run) * self.scale


def plan_motion(
    evaluation: Evaluation,
    document: Document,
    *,
    splines: Names,
    forces: Names | None = None,
    keys: Sequence[MotionKey],
    span: Span,
    choices: SoftPlanChoices | None = None,
) -> MotionPlan:
    """Set up the plan of what some splines and nodal forces, by their actors, do over a span; keyframes stand within
    it."""
    chosen = SoftPlanChoices() if choices is None else choices
    stage, document = cast("SimulatedStage", evaluation.stage("soft")), without_drafts(document)
    pushing = {} if forces is None else forces
    _check(document, splines, pushing, keys, span)
    present, world = soft_world(document), replace(soft_world(document), tolerance=chosen.tolerance)
    document = document if present == world else document.with_part(world)
    simulation = stage.simulation(document)
    if simulation is None:
        raise NothingThere("there is no soft body with a clock", remedy="Let one be stepped from its start")
    scene = simulation.scene
    _check_scene(document, scene)
    start = max(0, math.ceil((span.start - scene.start) / (simulation.tick(1) - simulation.tick(0)) - 1e-6))
    ticks = [simulation.tick(start)]
    while simulation.tick(start + len(ticks)) <= span.end:
        ticks.append(simulation.tick(start + len(ticks)))
    if len(ticks) < 2:
        raise InvalidArguments(what="the span of a plan", value=(span.start, span.end), allowed="one step or more")
    for _ in simulation.reach(ticks[0]):
        pass
    saved = simulation.saved(start)["state"]
    begin = SoftState(*(saved[name].copy() for name in ("x", "v", "a", "grips")))
    what = Chosen(scene, rows_in(splines), rows_in(pushing), _knots(ticks[0], ticks[-1], chosen.spacing))
    controls = what.controls(ticks, chosen)
    _check_steps(scene, keys, ticks)
    objective = Objective(
        keys=tuple(_keyframe(scene, each, ticks, chosen) for each in keys),
        reach=chosen.reach,
        effort=chosen.effort,  # type: ignore[arg-type]
        dear=chosen.dear,
        calm=chosen.calm,
    )
    settings = _settings(evaluation, document, scene, ticks)
    problem = ControlProblem(settings, scene.dt, begin, controls, objective)
    earlier = tuple(simulation.tick(each) for each in range(start))
    first, pinned = what.first(controls), what.pinned(controls)
    return MotionPlan(
        scene, problem, what, first, pinned, chosen, present.tolerance, earlier, tuple(ticks), tuple(keys)
    )


def _check(document: Document, splines: Names, forces: Names, keys: Sequence[MotionKey], span: Span) -> None:
    if not (any(splines.values()) or any(forces.values())):
        remedy = "Name splines or nodal forces of a soft body"
        raise NothingThere("no spline and no nodal forces may be chosen for the plan", remedy=remedy)
    if not keys:
        raise NothingThere("the plan has no keyframe", remedy="Say where a body is to be at some time")
    known = {actor.id: body for actor, body in soft_actors(clocked(document))}
    for actor in (*splines, *forces, *(each.actor for each in keys)):
        if soft_body(document.actor(actor)) is None or actor not in known:
            allowed = "a soft body that is stepped from its start"
            raise InvalidArguments(what="an actor of the plan", value=actor, allowed=allowed)
    check_chosen(known, splines, forces)
    for key in keys:
        if not span.start < key.time <= span.end:
            raise InvalidArguments(what="the time of a keyframe", value=key.time, allowed="one within the span")
        if (key.centre is None) == (key.points is None):
            raise InvalidArguments(what="a keyframe", value="no place", allowed="a centre, or points")


def _check_scene(document: Document, scene: SoftScene) -> None:
    """Refuse what gradients do not go through."""
    if scene.terms.printed:
        allowed = "the conserving one, in all splines"
        raise InvalidArguments(what="the transfer of a spline", value="a printed one", allowed=allowed)
    pulled = [each.actor.name for each in scene.members if each.body.pulls]
    if pulled:
        raise InvalidArguments(what="the pulls of hands", value=pulled, allowed="none in bodies that are planned")
    pushing = [each.actor.name for each in scene.members if each.body.pushes]
    if pressed(document) or (pushing and any(is_simulated(each) for each in document.actors)):
        allowed = "bodies that push nothing that physics simulates, and that water does not push"
        raise InvalidArguments(what="a plan's bodies", value=pushing, allowed=allowed)


def _knots(start: int, end: int, spacing: float) -> tuple[int, ...]:
    count = max(1, round((end - start) / (spacing * TICKS_PER_SECOND)))
    return tuple(start + round(each * (end - start) / count) for each in range(count + 1))


def _check_steps(scene: SoftScene, keys: Sequence[MotionKey], ticks: Sequence[int]) -> None:
    """Refuse keyframes of a body that contradict each other: at one step, and not in one place."""
    found = dict[tuple[str, int], MotionKey]()
    for key in keys:
        other = found.setdefault((key.actor, _step_of(key.time, ticks)), key)
        if other is not key and (key.centre, key.velocity) != (other.centre, other.velocity):
            what = f"the keyframes of {scene.member(key.actor).actor.name} at one step of {1e3 * scene.dt:.3g} ms"
            value = " and ".join(f"{each.time / TICKS_PER_SECOND:.6g} s" for each in (other, key))
            raise InvalidArguments(
                what=what, value=value, allowed="one place at a time: remove one of them, or move it"
            )


def _step_of(time: int, ticks: Sequence[int]) -> int:
    """Find the step whose end is nearest to a time [ticks]."""
    return max(1, int(np.abs(np.array(ticks) - time).argmin()))


def _keyframe(scene: SoftScene, key: MotionKey, ticks: Sequence[int], choices: SoftPlanChoices) -> Keyframe:
    member = scene.member(key.actor)
    step = _step_of(key.time, ticks)
    first, count, masses = member.points.start, member.points.stop - member.points.start, member.masses
    whole = scene.terms.model.point_count
    if key.points is None:
        velocity = None if key.velocity is None else np.array(key.velocity)
        return centre_key(
            step, np.array(key.centre), masses, first=first, count=whole, velocity=velocity, weight=key.weight,
            time=choices.velocity_time,
        )  # fmt: skip
    if np.shape(key.points) != (count, 3):
        allowed = f"one place for each of its {count} points"
        raise InvalidArguments(what="the pose of a keyframe", value=np.shape(key.points), allowed=allowed)
    velocities = None if key.velocity is None else np.tile(np.array(key.velocity), (count, 1))
    return pose_key(
        step, key.points, first=first, count=whole, masses=masses, velocities=velocities, weight=key.weight,
        time=choices.velocity_time,
    )  # fmt: skip


def _settings(evaluation: Evaluation, document: Document, scene: SoftScene, ticks: Sequence[int]) -> list[StepSetting]:
    """Find what acts in each step: where obstacles are, what is held and where."""
    rows = evaluation.rows_at(document, ticks, below="soft")
    frames = [scene.surroundings.frames(each, evaluation.model) for each in rows]
    found = []
    for number in range(len(ticks) - 1):
        before, now = frames[number], frames[number + 1]
        held = hold(scene.holds, before, now, ticks[number + 1], scene.dt)
        given = StepGiven(
            colliders=scene.placed(before, now),
            held_at=held.places[held.hard],
            targets=held.anchors.places,
            target_velocities=held.anchors.speeds,
        )
        found.append(StepSetting(scene.terms.model_for(held), given))
    return found
