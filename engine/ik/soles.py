"""Soles and toes that are carried over between feet of other hinges.

Where one figure's ankle is two joints of a hinge each, as talus and heel are, and the other's is one joint, the two
hinges lay the sole as the source's lies: two angles for the two that the direction of its normal has. So it goes there
and back unchanged, and what stands flat does so; where the toes point follows from the hinges' axes. The angles are
found by Newton's method from none on, n the normal in the last hinge's frame, M the rest between the hinges,

    A₁(α) M A₂(β) n = w,    dv/dα = a₁ × v,    dv/dβ = A₁(α) M (a₂ × A₂(β) n).

Toes of one hinge in both figures are bent by the same angle, however their axes lie.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from engine.document import Dof, Figure
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix, rotation_vectors, turn
from engine.runtime.quick_dataclass import dataclass

_STEPS, _DAMPING = 12, 1e-9
_UP = np.array((0.0, 1.0, 0.0))


@dataclass(frozen=True, kw_only=True)
class Sole:
    """A foot of the target whose sole is laid as that of the source lies."""

    ankle: str
    heel: str | None  # None: both hinges are the ankle's
    foot: str  # of the source: the joint that carries the sole


@dataclass(frozen=True, kw_only=True)
class Toes:
    """Toes of one hinge that bend as others of one hinge do."""

    joint: str
    toes: str  # of the source
    foot: str  # that they hang on there


def heel_of(figure: Figure, roles: Mapping[str, str], side: str) -> str | None:
    """The heel, where it is a hinge of its own below the ankle."""
    ankle, toes = roles.get(f"ankle {side}"), roles.get(f"toes {side}")
    below = (each for each in figure.joints if ankle is not None and each.parent == ankle and each.id != toes)
    return next((each.id for each in below if len(each.dofs) == 1 and each.dofs[0].kind == "hinge"), None)


def soles(source: Figure, target: Figure, ours: Mapping[str, str], theirs: Mapping[str, str]) -> Iterator[Sole]:
    """The feet of the target of which one figure has a heel of its own and the other has not."""
    for side in ("left", "right"):
        role = f"ankle {side}"
        if role not in ours or role not in theirs:
            continue
        mine, yours = heel_of(source, ours, side), heel_of(target, theirs, side)
        hinges = target.joint(theirs[role]).dofs + (target.joint(yours).dofs if yours is not None else ())
        if (mine is None) != (yours is None) and [each.kind for each in hinges] == ["hinge", "hinge"]:
            yield Sole(ankle=theirs[role], heel=yours, foot=ours[role] if mine is None else mine)


def toes_of(source: Figure, target: Figure, ours: Mapping[str, str], theirs: Mapping[str, str]) -> Iterator[Toes]:
    """The toes that are one hinge in both."""
    for side in ("left", "right"):
        role = f"toes {side}"
        if role in ours and role in theirs:
            joints = source.joint(ours[role]), target.joint(theirs[role])
            above = joints[0].parent
            if above is not None and all([dof.kind for dof in each.dofs] == ["hinge"] for each in joints):
                yield Toes(joint=joints[1].id, toes=joints[0].id, foot=above)


def bend_of(toes: Toes, turned: Mapping[str, Array], axis: Array) -> Array:
    """How far the source's toes are bent [rad], the way that is positive about an axis where the figures stand."""
    bent = rotation_vectors(np.swapaxes(turned[toes.foot], 1, 2) @ turned[toes.toes])
    return np.asarray(np.linalg.norm(bent, axis=1) * np.sign(bent @ axis))


def lay_sole(
    target: Figure,
    sole: Sole,
    wanted: Array,
    zero: Mapping[str, Array],
    ends: Mapping[str, tuple[float, float]],
) -> dict[str, Array]:
    """Angles of the joints' hinges within their ends, shape [frame_count, hinge_count]; `wanted` is the direction of
    the sole's normal in the frame of the ankle at rest."""
    joints = [target.joint(each) for each in (sole.ankle, sole.heel) if each is not None]
    first, second = (dof for joint in joints for dof in joint.dofs)
    between = rotation_matrix(joints[1].rest) if sole.heel is not None else np.eye(3)
    normal, angles = zero[joints[-1].id].T @ _UP, np.zeros((len(wanted), 2))
    a, b = np.array(first.axis), np.array(second.axis)
    for _ in range(_STEPS):
        one = turn(a, angles[:, 0]) @ between
        here = np.einsum("fij,j->fi", turn(b, angles[:, 1]), normal)
        now = np.einsum("fij,fj->fi", one, here)
        slopes = np.stack((np.cross(a, now), np.einsum("fij,fj->fi", one, np.cross(b, here))), axis=2)
        left = np.einsum("fij,fi->fj", slopes, wanted - now)
        square = np.einsum("fij,fik->fjk", slopes, slopes) + _DAMPING * np.eye(2)
        angles = _within(angles + np.linalg.solve(square, left[:, :, None])[:, :, 0], (first, second), ends)
    return {sole.ankle: angles} if sole.heel is None else {sole.ankle: angles[:, :1], sole.heel: angles[:, 1:]}


def _within(angles: Array, dofs: tuple[Dof, Dof], ends: Mapping[str, tuple[float, float]]) -> Array:
    lower, upper = np.array([ends[dof.id] for dof in dofs]).T
    return np.clip(angles, lower, upper)
