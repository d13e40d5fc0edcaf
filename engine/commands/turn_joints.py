"""turn_joints and slide_joint: the edits by which joints are turned about axes, and moved along their own slides.

A joint whose degrees of freedom turn it by R in its rest frame is turned about the unit vector n by the angle a to
R exp(a n) with n in its own frame, exp(a m) R with m in its rest frame (n in its parent's frame and in the world are
brought there first). Its angles follow R over steps of 15 degrees, so that they go on from where they are also past
half a turn and near a gimbal lock (`engine.maths.hinge_angles`). Where the next step would leave a limit, be it
of one angle or over several, the turn ends at it; a joint with fewer than three hinges takes the nearest turn that it
has.

Run on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from engine.command import AtOnce
from engine.document import Document, Joint
from engine.document.values import Vector3, finite, vector3
from engine.edits import Edit
from engine.edits.poses import document_as_keyed
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array

AxisOf = Literal["joint", "parent", "world"]
STEP = math.radians(15.0)
_MOST = 40.0 * math.pi  # [rad]
_HALVINGS = 40
_AT_LIMIT = 1e-9  # [rad]
_CHANGED = 1e-12
_OFF = 1e-6  # between the numbers of two rotations


@dataclass(frozen=True, kw_only=True)
class TurnJoints(AtOnce):
    """The command to rotate joints of one actor by an angle, each about the axis of that name of its own."""

    actor: str
    joints: tuple[str, ...]  # at least one
    axis: Vector3
    of: AxisOf  # whose frame the axis is given in
    angle: float  # [rad]
    time: int
    auto_key: bool = True

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Rotate {document.actor(self.actor).figure.joint(self.joints[0]).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        import numpy as np

        from engine.edits.regions import beyond_regions
        from engine.maths.rotation_arrays import turn

        axis = np.array(vector3("an axis to turn about", self.axis))
        norm = float(np.linalg.norm(axis))
        if norm < 1e-9:
            raise InvalidArguments(what="an axis to turn about", value=self.axis, allowed="a direction, not zero")
        if abs(finite("an angle to turn by", self.angle)) > _MOST:
            raise InvalidArguments(what="an angle to turn by", value=self.angle, allowed="20 whole turns at most")
        posed = _PosedActor(evaluator, document, self.actor, self.time)
        values: list[tuple[str, float]] = []
        for joint in map(posed.figure.joint, dict.fromkeys(self.joints)):
            own = axis / norm if self.of == "joint" else posed.rest_rotation(joint, self.of).T @ (axis / norm)

            def turned(angle: float, start: Array, own: Array = own) -> Array:
                turn_by: Array = turn(own, np.array([angle]))[0]
                return start @ turn_by if self.of == "joint" else turn_by @ start

            start = posed.values_of(joint)
            beyond = beyond_regions(posed.figure, joint, posed.values())
            values += posed.changed(joint, _turned(joint, start, self.angle, turned, beyond, posed.figure.limited))
        return posed.edit(values, auto_key=self.auto_key)


@dataclass(frozen=True, kw_only=True)
class SlideJoint(AtOnce):
    """The command to move a joint in the world by its own slides, as near as they go."""

    actor: str
    joint: str
    shift: Vector3  # [m] in the world
    time: int
    auto_key: bool = True

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Move {document.actor(self.actor).figure.joint(self.joint).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        import numpy as np

        from engine.motion.mirror_map import joint_coordinates, joint_motion

        posed = _PosedActor(evaluator, document, self.actor, self.time)
        joint = posed.figure.joint(self.joint)
        if not any(dof.kind == "slide" for dof in joint.dofs):
            remedy = "Turn it, or move a joint that slides, such as the root"
            raise NothingThere(f"{joint.name} only turns, it cannot be moved by itself", remedy=remedy)
        before = posed.values_of(joint)
        rotations, moves = joint_motion(joint, before[None])
        moved = moves + posed.rest_rotation(joint, "world").T @ np.array(vector3("a way to move by", self.shift))
        after = joint_coordinates(joint, rotations, moved, before[None])[0]
        slides = np.array([dof.kind == "slide" for dof in joint.dofs for _ in dof.coordinates])
        return posed.edit(posed.changed(joint, np.where(slides, after, before)), auto_key=self.auto_key)


class _PosedActor:
    """An actor as its layers pose it at a time, and where its joints stand then."""

    def __init__(self, evaluator: Evaluation, document: Document, actor: str, time: int) -> None:
        self._evaluator, self._document, self._actor, self._time = evaluator, document, actor, time
        self.figure = document.actor(actor).figure
        self._keyed = document_as_keyed(document, actor)
        self._posed = evaluator.motion(self._keyed.actor(actor), float(time)).at(float(time))[0]

    def values_of(self, joint: Joint) -> Array:
        """The joint's coordinates."""
        import numpy as np

        index = self.figure.coordinate_index
        return np.array([self._posed[index[name]] for dof in joint.dofs for name in dof.coordinates])

    def values(self) -> dict[str, float]:
        """Return all coordinates by name."""
        return dict(zip(self.figure.coordinates, self._posed.tolist(), strict=True))

    def rest_rotation(self, joint: Joint, of: AxisOf) -> Array:
        """The joint's rest frame as it stands in its parent, or in the world, shape [3, 3]."""
        import numpy as np

        from engine.maths.rotation_arrays import rotation_matrix
        from engine.motion.mirror_map import joint_motion

        rest = rotation_matrix(joint.rest)
        if of == "parent":
            return rest
        frames = self._evaluator.joint_transforms(self._keyed, self._actor, self._time)
        if joint.parent is not None:
            above: Array = frames[self.figure.joint_index[joint.parent]][:, :3]
            return above @ rest
        shown = self._evaluator.coordinates(self._keyed, self._actor, [float(self._time)])[0]
        index = self.figure.coordinate_index
        own = shown[[index[name] for dof in joint.dofs for name in dof.coordinates]]
        stands: Array = frames[self.figure.joint_index[joint.id]][:, :3]
        return np.asarray(stands @ joint_motion(joint, own[None])[0][0].T)

    def changed(self, joint: Joint, after: Array) -> list[tuple[str, float]]:
        """The coordinates that are others now; those of a ball together."""
        before, found, column = self.values_of(joint), list[tuple[str, float]](), 0
        for dof in joint.dofs:
            places = range(column, column + len(dof.coordinates))
            if any(abs(after[place] - before[place]) > _CHANGED for place in places):
                found += [(name, float(after[place])) for name, place in zip(dof.coordinates, places, strict=True)]
            column += len(dof.coordinates)
        return found

    def edit(self, values: list[tuple[str, float]], *, auto_key: bool) -> Edit:
        """The edit that poses the actor so."""
        from engine.edits.poses import pose_edit

        return pose_edit(self._document, self._actor, self._time, tuple(values), auto_key=auto_key)


def _turned(
    joint: Joint,
    start: Array,
    angle: float,
    turned: Callable[[float, Array], Array],
    beyond: Callable[[Array], float],
    limited: frozenset[str],
) -> Array:
    """The coordinates of a joint after a turn, or at the limit that ends it; `turned` turns a rotation, `beyond` gives
    how far coordinates are outside of limits over several angles."""
    import numpy as np

    from engine.motion.mirror_map import joint_coordinates, joint_motion

    rotations, moves = joint_motion(joint, start[None])
    rotation, now, done = rotations[0], start, 0.0
    lower, upper = _limits(joint, limited, start)
    most = max(beyond(start), 0.0)  # one that is outside already may stay there
    hinges = np.array([dof.kind == "hinge" for dof in joint.dofs for _ in dof.coordinates])

    def follow(share: float, near: Array) -> Array:
        wanted = turned(share, rotation)[None]
        found = joint_coordinates(joint, wanted, moves, near[None])
        if hinges.sum() == 3 and abs(joint_motion(joint, found)[0] - wanted).max() > _OFF:
            # In gimbal lock no small step leads on: other angles give the next rotation.
            found = joint_coordinates(joint, wanted, moves, None)
            found[:, hinges] += math.tau * np.rint((near - found[0])[hinges] / math.tau)
        return _same_sign(joint, found[0], near)

    for share in np.linspace(0.0, angle, math.ceil(abs(angle) / STEP) + 1)[1:]:
        found = follow(float(share), now)
        if (found < lower - _AT_LIMIT).any() or (found > upper + _AT_LIMIT).any() or beyond(found) > most:
            return _at_limit(follow, (done, float(share)), now, (lower, upper), lambda at: beyond(at) > most)
        now, done = np.clip(found, lower, upper), float(share)
    return now


def _at_limit(
    follow: Callable[[float, Array], Array],
    between: tuple[float, float],
    now: Array,
    ends: tuple[Array, Array],
    is_beyond: Callable[[Array], bool],
) -> Array:
    """The last coordinates within limits between two angles."""
    import numpy as np

    (good, bad), (lower, upper) = between, ends
    for _ in range(_HALVINGS):
        middle = 0.5 * (good + bad)
        found = follow(middle, now)
        if (found < lower).any() or (found > upper).any() or is_beyond(found):
            bad = middle
        else:
            good, now = middle, found
        if abs(bad - good) < _AT_LIMIT:
            break
    now = np.where(np.abs(now - lower) < 10.0 * _AT_LIMIT, lower, now)
    return np.where(np.abs(now - upper) < 10.0 * _AT_LIMIT, upper, now)


def _limits(joint: Joint, limited: frozenset[str], start: Array) -> tuple[Array, Array]:
    """Lower and upper limits of a joint's coordinates, none of hinges with a limit over several angles; one that is
    beyond a limit already may stay there."""
    import numpy as np

    ends = [
        (None, None) if dof.id in limited else (dof.lower, dof.upper) for dof in joint.dofs for _ in dof.coordinates
    ]
    lower = np.array([-math.inf if low is None else low for low, _ in ends])
    upper = np.array([math.inf if high is None else high for _, high in ends])
    return np.minimum(lower, start), np.maximum(upper, start)


def _same_sign(joint: Joint, found: Array, near: Array) -> Array:
    """Choose, of the two quaternions of a turn, the one nearer to what was there."""
    import numpy as np

    ball = np.array([dof.kind == "ball" for dof in joint.dofs for _ in dof.coordinates])
    opposite = ball.any() and float(found[ball] @ near[ball]) < 0.0
    return np.where(ball, -found, found) if opposite else found
