"""Feet of figures: their heels and toes as handles of foot roll, and what each turns about.

A foot is a body with a handle, on which nothing hangs but toes: a last body behind one hinge. That stands at the ball;
the heel lies as low, behind the ankle, by the part of the way to the ball that it has in people.
"""

from __future__ import annotations

import math
from functools import cached_property

from engine.document.figure import Figure, Handle
from engine.document.values import Vector3
from engine.maths.quaternions import inverse, product, turned
from engine.runtime.bounded import Bounded
from engine.runtime.quick_dataclass import dataclass

_BEHIND = 0.4  # of the way from ankle to ball, level, that the heel is behind the ankle


@dataclass(frozen=True)
class Foot:
    """One foot; points are in the frame of its joint [m]."""

    handle: Handle
    ball: Vector3
    heel: Vector3

    @cached_property
    def rolls(self) -> tuple[Handle, Handle]:
        """Handles of its heel and of its toes."""
        id, name, joint = self.handle.id, self.handle.name, self.handle.joint
        heel = Handle(id=f"{id}.heel", name=f"{name}, heel", joint=joint, point=self.heel)
        return heel, Handle(id=f"{id}.toes", name=f"{name}, toes", joint=joint, point=self.ball)


def feet_of(figure: Figure) -> tuple[Foot, ...]:
    """Find the feet of a figure, in the order of its handles, or take them from where they are kept."""
    return _known.find(figure.digest, lambda: tuple(_found(figure)))


_known: Bounded[str, tuple[Foot, ...]] = Bounded(16)


def _found(figure: Figure) -> list[Foot]:
    found: list[Foot] = []
    for handle in figure.handles:
        hung = [joint for joint in figure.joints if joint.parent == handle.joint]
        is_foot = len(hung) == 1 and [dof.kind for dof in hung[0].dofs] == ["hinge"]
        if is_foot and not figure.below(hung[0].id) and not any(foot.handle.joint == handle.joint for foot in found):
            found.append(Foot(handle, hung[0].offset, _heel(figure, handle.joint, hung[0].offset)))
    return found


def handle_of(figure: Figure, id: str) -> Handle | None:
    """The handle of that id: the figure's own, or a heel or toes; None if there is none."""
    return next((each for each in (*figure.handles, *rolls_of(figure)) if each.id == id), None)


def rolls_of(figure: Figure) -> tuple[Handle, ...]:
    """Handles of the heels and toes of a figure."""
    return tuple(handle for foot in feet_of(figure) for handle in foot.rolls)


def pivot_of(figure: Figure, joint: str, point: Vector3) -> Vector3 | None:
    """The point that stays while one of a foot is pulled: its ball for the heel, its heel for the toes; else None."""
    for foot in feet_of(figure):
        if foot.handle.joint == joint and point in (foot.heel, foot.ball):
            return foot.ball if point == foot.heel else foot.heel
    return None


def tipping_of(figure: Figure, joint: str) -> frozenset[str]:
    """Ids of the hinges of a foot that turn it about another axis than its toes have: it does not roll by these."""
    toes = next(each for each in figure.joints if each.parent == joint)
    axis = turned(toes.rest, toes.dofs[0].axis)
    along = [
        (dof.id, abs(math.fsum(a * b for a, b in zip(dof.axis, axis, strict=True)))) for dof in figure.joint(joint).dofs
    ]
    return frozenset(id for id, part in along if part < math.cos(math.pi / 4.0))


def _heel(figure: Figure, joint: str, ball: Vector3) -> Vector3:
    """The heel of a foot, level with its ball as the figure stands with every coordinate at zero."""
    rests = [figure.joint(each).rest for each in reversed(figure.above(joint))]
    up = rests[0]
    for rest in rests[1:]:
        up = product(up, rest)
    x, y, z = turned(up, ball)
    return turned(inverse(up), (-_BEHIND * x, y, -_BEHIND * z))
