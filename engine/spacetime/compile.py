"""Compile the plan of an actor to a problem that can be searched.

Where a stage is nailed, the root is a constant where a pose or a point says where; else a number that is to be found.
Contacts give forces that push and hold by friction alone, and, where the ground may strike, blows. What the plan says
of degrees of freedom, points and directions goes through a `MotionSpace`, which knows how the figure is seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from engine.document import Actor, Document
from engine.maths.arrays import Array
from engine.motion.motion import compile_motion
from engine.physics.parts import PhysicsWorld
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.spacetime.contacts import AnchoredPoint, PlanParts, Pushing, strike, support
from engine.spacetime.parts import (
    IN_SPACE,
    Spacetime,
    SpacetimeConstraint,
    SpacetimeContact,
    SpacetimeCurve,
    SpacetimeStage,
)
from engine.spacetime.problem import BoundForm, JointMuscle, MotionStage, Quantity, Representation
from engine.spacetime.spaces import AskedDemand, MotionSpace, PlanarSpace
from engine.spacetime.spatial.space import FigureSpace
from engine.spacetime.uses import spacetime_of

_INFINITE = math.inf
_OF_POINTS: dict[str, Quantity] = {
    "point": "point",
    "point_velocity": "point rate",
    "centre": "centre",
    "centre_velocity": "centre rate",
}


@dataclass(frozen=True, eq=False)
class PlanProblem:
    """The problem of a plan, and how its numbers belong to the figure."""

    actor: Actor
    plan: Spacetime
    space: MotionSpace
    problem: Any
    labels: Mapping[str, str]
    pushing: Mapping[str, Pushing]


def find_plan(document: Document, actor: str) -> tuple[Actor, Spacetime]:
    """Give an actor and its plan."""
    owner = document.actor(actor)
    plan = spacetime_of(owner)
    if plan is None:
        raise NothingThere(f"No motion of {owner.name} is planned", remedy="Plan one in the Spacetime panel")
    return owner, plan


def compile_plan(document: Document, actor: str, plan: Spacetime | None = None) -> PlanProblem:
    """Compile the plan of an actor, or another one in its place."""
    owner, own = find_plan(document, actor)
    plan = own if plan is None else plan
    held = held_pose(owner, plan)
    space: MotionSpace = FigureSpace(owner, held, plan) if plan.plane is None else PlanarSpace(owner, plan.plane, held)
    return PlanCompiler(owner, plan, space).compile((document.part(PhysicsWorld) or PhysicsWorld()).gravity)


def held_pose(owner: Actor, plan: Spacetime) -> dict[str, float]:
    """Values of all coordinates where the motion begins: those that its poses say, else those of the other layers."""
    layers = tuple(each for each in owner.layers if each.id != plan.layer)
    row = compile_motion(owner.figure, layers).at(float(plan.start))[0]
    found = dict(zip(owner.figure.coordinates, map(float, row), strict=True))
    poses = [each for each in plan.constraints if each.on and each.quantity == "pose"]
    for each in reversed(poses):
        found.update(each.values)
    return found


class PlanCompiler:
    """Works on one plan."""

    def __init__(self, actor: Actor, plan: Spacetime, space: MotionSpace) -> None:
        self.actor, self.plan, self.space = actor, space.seen(plan), space
        self.form: BoundForm = "samples" if plan.form == "samples" and plan.plane is not None else "hull"
        self.usual = {name: replace(each, form=self.form) for name, each in space.representations().items()}
        self.constraints = [each for each in self.plan.constraints if each.on and each.says_something]
        self.made = PlanParts()
        self.known = [self._known(each) for each in plan.stages]

    def compile(self, gravity: float) -> PlanProblem:
        """Put all together."""
        for each in self.plan.muscles:
            self._check_muscle(each.dof)
        own = self._forces()
        coordinates = [self._coordinates(at) for at in range(len(self.plan.stages))]
        pushes = [self._contacts(at, coordinates[at]) for at in range(len(self.plan.stages))]
        blows = [self._blows(at) for at in range(len(self.plan.stages))]
        stages = [
            MotionStage(
                name=each.id,
                pieces=each.pieces,
                length=each.length,
                least_length=each.least_length,
                most_length=each.most_length,
                coordinates=coordinates[at],
                muscles=self._muscles(each),
                forces={**self._acting(own, each, blow=False), **pushes[at]},
                blows={**self._acting(own, each, blow=True), **blows[at]},
            )
            for at, each in enumerate(self.plan.stages)
        ]
        for constraint in self.constraints:
            self._demand(constraint, coordinates[self.plan.stages.index(self.plan.stage(constraint.stage))])
        problem = self.space.problem(
            stages=stages,
            demands=self.made.demands,
            muscles=[self._cost(each.dof) for each in self.plan.muscles],
            forces=self.made.forces,
            blows=self.made.blows,
            cones=self.made.cones,
            calm=[self.space.calm((each.joint, each.point), each.weight) for each in self.plan.calm],
            gravity=gravity,
            implicit=self.plan.implicit,
            whole=self.plan.whole or None,
        )
        return PlanProblem(self.actor, self.plan, self.space, problem, self.made.labels, self.made.pushing)

    def _known(self, stage: SpacetimeStage) -> dict[str, float]:
        """Coordinates of the root where the poses and points of a stage say that it stands."""
        found: dict[str, float] = {}
        mine = [each for each in self.constraints if each.stage == stage.id]
        for each in mine:
            for dof, value in each.values if each.quantity == "pose" else ():
                if self.space.moved.get(dof) in self.space.root:
                    found.setdefault(self.space.moved[dof], self.space.at(dof, value))
            is_given = each.quantity == "value" and each.least is not None and each.least == each.most
            if is_given and each.least is not None and self.space.moved.get(each.of) in self.space.root:
                found.setdefault(self.space.moved[each.of], self.space.at(each.of, each.least))
        for each in mine:
            if each.quantity == "point" and each.position is not None and each.joint is not None:
                found.update(self.space.root_at((each.joint, each.point), each.position, found))
        return found

    def _coordinates(self, at: int) -> dict[str, Representation]:
        """Represent the coordinates on a stage."""
        stage = self.plan.stages[at]
        found = dict(self.usual)
        stands = any(
            each.kind == "held" and self.space.carrier(each.joint) == self.space.root_joint for each in stage.contacts
        )
        for name in self.space.root if stage.nailed or stands else ():
            usual = found[name]
            if usual.kind == "constant":
                continue
            value = self.known[at].get(name)
            if value is None and stands and not stage.nailed:
                value = self._present(name)
            kind = "constant" if stage.nailed else "held"
            found[name] = replace(usual, kind="single") if value is None else Representation(kind=kind, value=value)  # type: ignore[arg-type]
        for curve in stage.curves:
            if curve.what == "coordinate":
                found[self._moved(curve.of, f"the curve of {stage.name}")] = self._curve(curve)
        return found

    def _present(self, name: str) -> float:
        """Return a coordinate of the root as the motion begins."""
        dof = next(dof for dof, each in self.space.moved.items() if each == name)
        return self.space.at(dof, self.space.held[dof])

    def _curve(self, curve: SpacetimeCurve) -> Representation:
        sign, at = self.space.sign(curve.of), self.space.at
        value = at(curve.of, curve.value)
        bounds = [None if each is None else at(curve.of, each) for each in (curve.least, curve.most)]
        least, most = bounds if sign > 0.0 else bounds[::-1]
        usual = self.usual[self.space.moved[curve.of]]
        if curve.kind in ("constant", "held"):
            return Representation(kind=curve.kind, value=value)
        return Representation(
            kind=curve.kind,
            least=usual.least if least is None else least,
            most=usual.most if most is None else most,
            form=self.form,
        )

    def _muscles(self, stage: SpacetimeStage) -> dict[str, Representation]:
        """Represent the torques on a stage; a muscle may have a curve of its own there."""
        own = {each.of: each for each in stage.curves if each.what == "torque"}
        found = {}
        for muscle in self.plan.muscles:
            curve = own.get(muscle.dof)
            sign = self.space.sign(muscle.dof)
            least, most = (muscle.least, muscle.most) if curve is None else (curve.least, curve.most)
            if curve is not None and curve.kind in ("constant", "held"):
                found[self.space.moved[muscle.dof]] = Representation(kind="constant", value=sign * curve.value)
                continue
            if sign < 0.0:
                least, most = (None if each is None else -each for each in (most, least))
            found[self.space.moved[muscle.dof]] = Representation(
                kind=muscle.kind if curve is None else curve.kind, **_bounds(least, most)
            )
        return found

    def _cost(self, dof: str) -> JointMuscle:
        muscle, plan = self.plan.muscle(dof), self.plan
        return JointMuscle(
            limb=self.space.moved[dof],
            torque=plan.torque * muscle.torque,
            power=plan.power * muscle.power,
            work=plan.work * muscle.work,
            smoothness=plan.smoothness * muscle.smoothness,
        )

    def _forces(self) -> dict[str, Representation]:
        """Make the plan's own forces and blows."""
        found = {}
        for each in self.plan.forces:
            name, place = f"force {each.id}", (each.joint, each.point)
            make, listed = (self.space.blow, self.made.blows) if each.blow else (self.space.force, self.made.forces)
            listed.append(make(name, place, each.direction))
            self.made.labels[name] = each.name
            self.made.pushing[name] = Pushing(place, each.direction, each.blow)
            kind = "single" if each.blow else each.kind
            if each.least is not None and each.least == each.most:
                found[each.id] = Representation(kind="constant", value=each.least)
            else:
                found[each.id] = Representation(kind=kind, **_bounds(each.least, each.most))
        return found

    def _acting(self, own: Mapping[str, Representation], stage: SpacetimeStage, *, blow: bool) -> dict[str, Any]:
        found = {}
        curves = {each.of: each for each in stage.curves if each.what == "force"}
        for each in self.plan.forces:
            if each.blow != blow or (each.stages and stage.id not in each.stages):
                continue
            curve = curves.get(each.id)
            if curve is None:
                found[f"force {each.id}"] = own[each.id]
            elif curve.kind in ("constant", "held"):
                found[f"force {each.id}"] = Representation(kind="constant", value=curve.value)
            else:
                kind = "single" if blow else curve.kind
                found[f"force {each.id}"] = Representation(kind=kind, **_bounds(curve.least, curve.most))
        return found

    def _contacts(self, at: int, coordinates: Mapping[str, Representation]) -> dict[str, Representation]:
        """Let the ground push where the figure stands on it and is not nailed."""
        stage = self.plan.stages[at]
        if stage.nailed:
            return {}
        places = {each: self._anchored(at, each) for each in stage.contacts}
        return support(self.space, self.actor, stage, self.made, coordinates, self._way(stage), places)

    def _anchored(self, at: int, contact: SpacetimeContact) -> AnchoredPoint | None:
        """Where a contact stands as a stage begins and ends; None where no pose says so.

        Where the poses before and after have it at places that differ a little, it goes from one to the other in one
        stage: that in which the fewest points of its joint stand, which would be stretched else."""
        stages, place = self.plan.stages, (contact.joint, contact.point)
        stands = [contact in each.contacts for each in stages]
        poses = self._pose(stages[at], 0.0), self._pose(stages[at], 1.0)
        before, first = poses[0], at
        while before is None and first > 0 and stands[first - 1]:
            first -= 1
            before = self._pose(stages[first], 1.0)
            if before is None:
                before = self._pose(stages[first], 0.0)
            else:
                first += 1
        after, last = poses[1], at
        while after is None and last + 1 < len(stages) and stands[last + 1]:
            last += 1
            after = self._pose(stages[last], 0.0)
            if after is None:
                after = self._pose(stages[last], 1.0)
            else:
                last -= 1
        given = [None if each is None else self.space.point_at(each, place) for each in (before, after)]
        begin, end = (one if one is not None else other for one, other in (given, given[::-1]))
        if begin is None or end is None:
            return None
        counts = [sum(one.joint == contact.joint for one in stages[each].contacts) for each in range(first, last + 1)]
        moves = first + counts.index(min(counts))
        goes_on = at > 0 and stands[at - 1] and not stages[at - 1].impact
        posed = poses[0] is not None, poses[1] is not None
        return AnchoredPoint(begin if at <= moves else end, begin if at < moves else end, posed, goes_on)

    def _pose(self, stage: SpacetimeStage, at: float) -> Array | None:
        """Return all coordinates at an end of a stage, where a pose gives them."""
        for each in self.constraints:
            if (each.stage, each.quantity, each.at) == (stage.id, "pose", at):
                given = dict(each.values)
                if given.keys() >= self.space.moved.keys():
                    found = {name: self.space.at(dof, given[dof]) for dof, name in self.space.moved.items()}
                    return np.array([found.get(name, 0.0) for name in self.space.coordinates])
        return None

    def _way(self, stage: SpacetimeStage) -> int:
        """Say which way along the ground the root is asked to go, from the first of its poses on."""
        asked = [
            self.space.at(dof, value)
            for each in sorted(self.constraints, key=lambda each: each.at)
            for dof, value in (each.values if each.stage == stage.id else ())
            if dof in self.space.moved and self.space.moved[dof] in self.space.root[:1]
        ]
        return -1 if asked and asked[-1] < asked[0] else 1

    def _blows(self, at: int) -> dict[str, Representation]:
        """Let the ground strike where the next stage stands on it."""
        stage = self.plan.stages[at]
        if not stage.impact or at + 1 == len(self.plan.stages):
            return {}
        return strike(self.space, self.actor, stage, self.plan.stages[at + 1], self.made)

    def _demand(self, each: SpacetimeConstraint, coordinates: Mapping[str, Representation]) -> None:
        """Make the demands of a constraint."""
        if each.quantity == "pose":
            for dof, value in each.values:
                if dof in self.space.moved:
                    self._demand_of(each, "value", dof, value, value, coordinates)
            for dof, rate in each.rates:
                if dof in self.space.moved:
                    self._demand_of(each, "rate", dof, rate, rate, coordinates)
        elif each.quantity in IN_SPACE:
            self._demand_place(each, coordinates)
        elif each.quantity == "impulse":
            for name in self._struck(each):
                self._add(each, "value", of=name, at=1.0, least=each.least, most=each.most)
        else:
            quantity: Quantity = "value" if each.quantity == "torque" else each.quantity  # type: ignore[assignment]
            self._demand_of(each, quantity, each.of, each.least, each.most, coordinates)

    def _demand_of(
        self,
        each: SpacetimeConstraint,
        quantity: Quantity,
        dof: str,
        least: float | None,
        most: float | None,
        coordinates: Mapping[str, Representation],
    ) -> None:
        """Demand something of a degree of freedom."""
        name, sign = self._moved(dof, each.name), self.space.sign(dof)
        shift, stays = 0.0, coordinates[name].kind in ("constant", "held", "single")
        if each.quantity == "torque":
            if self.plan.implicit or name not in {self.space.moved[muscle.dof] for muscle in self.plan.muscles}:
                allowed = "a muscle whose torque is represented"
                raise InvalidArguments(what=f"what {each.name} is of", value=dof, allowed=allowed)
            name = f"torque of {name}"
        elif quantity == "value":
            if stays and least == most and self._is_there(coordinates[name], dof, least):
                return
            shift = self.space.at(dof, 0.0)
        elif quantity == "rate" and stays and least == most == 0.0:
            return
        bounds = [None if value is None else shift + sign * value for value in (least, most)]
        low, high = bounds if sign > 0.0 else bounds[::-1]
        self._add(each, quantity, of=name, least=low, most=high)

    def _is_there(self, given: Representation, dof: str, value: float | None) -> bool:
        """Tell whether what does not move is there already."""
        return given.kind != "single" and value is not None and abs(self.space.at(dof, value) - given.value) < 1e-9

    def _demand_place(self, each: SpacetimeConstraint, coordinates: Mapping[str, Representation]) -> None:
        quantity = _OF_POINTS[each.quantity]
        place = None if each.joint is None else (each.joint, each.point)
        if each.position is None:
            self._add(each, quantity, place=place, direction=each.direction, least=each.least, most=each.most)
            return
        for axis in self.space.axes:
            size = float(np.dot(axis, each.position))
            self._add(each, quantity, place=place, direction=axis, least=size, most=size)

    def _add(
        self,
        each: SpacetimeConstraint,
        quantity: Quantity,
        *,
        least: float | None,
        most: float | None,
        at: float | None = None,
        **given: Any,
    ) -> None:
        self.made.demands.append(
            self.space.demand(
                AskedDemand(
                    stage=each.stage,
                    quantity=quantity,
                    at=each.at if at is None else at,
                    until=each.until if at is None else None,
                    key=each.id,
                    **_bounds(least, most),
                    **given,
                )
            )
        )

    def _struck(self, each: SpacetimeConstraint) -> list[str]:
        """Name the blows that an impulse is of."""
        if each.of not in self.actor.figure.joint_index:
            return [f"force {each.of}"]
        start = f"blow {each.of}/"
        found = [name for name in self.made.pushing if name.startswith(start)]
        if not found:
            allowed = "a joint that the ground strikes at the end of the stage"
            raise InvalidArguments(what=f"what {each.name} is of", value=each.of, allowed=allowed)
        return found

    def _moved(self, dof: str, what: str) -> str:
        if dof not in self.space.moved:
            moves = "a degree of freedom that moves"
            in_plane = f"{moves} in the plane of the motion; all do in space, where the plane of the plan is None"
            allowed = moves if self.plan.plane is None else in_plane
            raise InvalidArguments(what=f"what {what} is of", value=dof, allowed=allowed)
        return self.space.moved[dof]

    def _check_muscle(self, dof: str) -> None:
        name = self._moved(dof, "the muscle")
        if self.actor.figure.coordinate_dof[dof].kind != "hinge" or name in self.space.root[:2]:
            raise InvalidArguments(what="what a muscle turns", value=dof, allowed="a hinge")


def _bounds(least: float | None, most: float | None) -> dict[str, Any]:
    return {"least": -_INFINITE if least is None else least, "most": _INFINITE if most is None else most}
