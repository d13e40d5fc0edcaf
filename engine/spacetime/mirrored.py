"""Planned motions seen in a mirror, as the motion that they belong to is (`engine.motion.mirror_map`).

With S = diag(-1, 1, 1) of the actor's own frame and M that takes the frame of a joint to its partner's, points go to
M p of the partner, positions and directions to S x, and a degree of freedom to its partner, times a sign. Those whose
angles have to be solved have no mirror image of their own: what is said of them stays.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.document import Actor
from engine.document.frames import Frame
from engine.document.mirrored import mirrored_vector
from engine.document.values import Vector3, vector3
from engine.maths.quaternions import inverse, turned
from engine.motion.mirror_map import compile_mirror
from engine.spacetime.parts import (
    IN_SPACE,
    Spacetime,
    SpacetimeConstraint,
    SpacetimeCurve,
    SpacetimeMeeting,
    SpacetimeMuscle,
    SpacetimeStage,
)

_Reflect = Callable[[Vector3], Vector3]


def mirror_plan(actor: Actor, plan: Spacetime) -> Spacetime:
    """The plan with left and right exchanged."""
    return _PlanMirror(actor).plan(plan)


class _PlanMirror:
    """Takes names, points and numbers of an actor over to the other side."""

    def __init__(self, actor: Actor) -> None:
        self.mirror, self.figure = compile_mirror(actor.figure), actor.figure
        self.home = Frame(actor.placement.position, actor.placement.rotation)
        self.image = {each.source: (name, each.sign, each.shift) for name, each in self.mirror.copied.items()}

    def plan(self, plan: Spacetime) -> Spacetime:
        return replace(
            plan,
            plane=None if plan.plane is None else mirrored_vector(plan.plane),
            stages=tuple(map(self.stage, plan.stages)),
            muscles=tuple(map(self.muscle, plan.muscles)),
            forces=tuple(replace(self.pointed(each), direction=self.along(each.direction)) for each in plan.forces),
            constraints=tuple(map(self.constraint, plan.constraints)),
            calm=tuple(map(self.pointed, plan.calm)),
            meetings=tuple(map(self.meeting, plan.meetings)),
        )

    def joint(self, id: str) -> str:
        return self.figure.joint(id).mirror or id

    def pointed(self, each: Any) -> Any:
        point = vector3("a mirrored point", (0.0 + self.mirror.reflections[each.joint] @ each.point).tolist())
        return replace(each, joint=self.joint(each.joint), point=point)

    def along(self, direction: Vector3) -> Vector3:
        return turned(self.home.rotation, mirrored_vector(turned(inverse(self.home.rotation), direction)))

    def place(self, position: Vector3) -> Vector3:
        return self.home.at(mirrored_vector(self.home.seeing(Frame(position)).position))

    def signed(self, dof: str) -> tuple[str, float, float]:
        return self.image.get(dof, (dof, 1.0, 0.0))

    def numbers(self, given: tuple[tuple[str, float], ...], *, rates: bool) -> tuple[tuple[str, float], ...]:
        made = list[tuple[str, float]]()
        for dof, number in given:
            name, sign, shift = self.signed(dof)
            made.append((name, 0.0 + sign * number + (0.0 if rates else shift)))
        return tuple(sorted(made, key=lambda each: self.figure.coordinate_index[each[0]]))

    def muscle(self, muscle: SpacetimeMuscle) -> SpacetimeMuscle:
        name, sign, _ = self.signed(muscle.dof)
        return replace(muscle, dof=name, **_bounds(muscle, sign, 0.0))

    def curve(self, curve: SpacetimeCurve) -> SpacetimeCurve:
        if curve.what == "force":
            return curve
        name, sign, shift = self.signed(curve.of)
        shift = shift if curve.what == "coordinate" else 0.0
        value = 0.0 + sign * curve.value + (shift if curve.kind in ("constant", "held") else 0.0)
        return replace(curve, of=name, value=value, **_bounds(curve, sign, shift))

    def stage(self, stage: SpacetimeStage) -> SpacetimeStage:
        contacts, curves = tuple(map(self.pointed, stage.contacts)), tuple(map(self.curve, stage.curves))
        return replace(stage, contacts=contacts, curves=curves)

    def constraint(self, each: SpacetimeConstraint) -> SpacetimeConstraint:
        if each.quantity == "pose":
            return replace(
                each, values=self.numbers(each.values, rates=False), rates=self.numbers(each.rates, rates=True)
            )
        if each.quantity == "impulse":
            return replace(each, of=self.joint(each.of)) if each.of in self.figure.joint_index else each
        if each.quantity in IN_SPACE:
            moved = each if each.joint is None else self.pointed(each)
            change: _Reflect = self.along if each.quantity.endswith("velocity") else self.place
            position = None if each.position is None else change(each.position)
            if each.quantity.endswith("velocity"):
                return replace(moved, position=position, direction=self.along(each.direction))
            return self._measured(each, replace(moved, position=position))
        name, sign, shift = self.signed(each.of)
        return replace(each, of=name, **_bounds(each, sign, shift if each.quantity == "value" else 0.0))

    def meeting(self, each: SpacetimeMeeting) -> SpacetimeMeeting:
        """Mirror this actor's side of a meeting, and the way from the other's point to its own."""
        offset = None if each.offset is None else self.along(each.offset)
        made: SpacetimeMeeting = replace(self.pointed(each), offset=offset, direction=self.along(each.direction))
        return made

    def _measured(self, old: SpacetimeConstraint, new: SpacetimeConstraint) -> SpacetimeConstraint:
        """Mirror a size along a direction from the world's origin: of n . x it is n' . x' less what is between the
        origins."""
        direction = self.along(old.direction)
        home = self.home.position
        there = sum(a * b for a, b in zip(direction, home, strict=True))
        here = sum(a * b for a, b in zip(old.direction, home, strict=True))
        return replace(new, direction=direction, **_bounds(old, 1.0, there - here))


def _bounds(owner: Any, sign: float, shift: float) -> dict[str, Any]:
    least, most = (owner.least, owner.most) if sign > 0.0 else (owner.most, owner.least)
    return {
        "least": None if least is None else 0.0 + sign * least + shift,
        "most": None if most is None else 0.0 + sign * most + shift,
    }
