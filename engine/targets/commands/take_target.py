"""TakeTarget: what a target asks for, read off the figure as it is seen at a time: its place, turn, pose or velocity.

Read at the end of the stack (DESIGN 3.3): with secondary motion, corrections and locks. Velocities are differences over
the moment before and after that inverse kinodynamics takes, of what is seen there. The edit carries the numbers.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from engine.command import AtOnce
from engine.document import Document, Target
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.targets.edits import find_targets

if TYPE_CHECKING:
    from engine.document.correction import Amplitudes
    from engine.document.values import Quaternion, Vector3
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array

Taken = Literal["position", "rotation", "speed", "values", "rates"]
_VELOCITIES = ("speed", "rates")


@dataclass(frozen=True, kw_only=True)
class TakeTarget(AtOnce):
    """The command to set one of the equations of a target to what is seen at a time."""

    uses = ("secondary",)

    actor: str
    target: str
    what: Taken
    time: int

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return "Take velocity of target" if self.what in _VELOCITIES else "Take target from here"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        (target,) = find_targets(document, self.actor, (self.target,))
        known = {"point": ("position", "speed"), "turn": ("rotation", "speed"), "pose": ("values", "rates")}
        if self.what not in known.get(target.kind, ()):
            allowed = ", ".join(known.get(target.kind, ())) or "nothing"
            raise InvalidArguments(what=f"what is taken for a {target.kind}", value=self.what, allowed=allowed)
        found: object
        if target.kind == "point":
            found = self._point(evaluator, document, target)
        elif target.kind == "turn":
            found = self._turn(evaluator, document, target)
        else:
            found = self._pose(evaluator, document, target)
        source = ("velocity" if self.what in _VELOCITIES else "place", True)
        return edit("set_targets", actor=self.actor, targets=(self.target,), changes=((self.what, found), source))

    def _point(self, evaluator: Evaluation, document: Document, target: Target) -> Vector3:
        from engine.document.values import vector3
        from engine.kinodynamics.tracking import APART

        if self.what == "position":
            return vector3("a place", self._place(evaluator, document, target, self.time).tolist())
        if target.carried is not None and target.spot is not None:
            from engine.targets.actor_targets import spot_velocity

            speed = spot_velocity(evaluator, document, target.carried, target.spot, self.time)
            return vector3("a velocity", speed.tolist())
        before, after = (self._place(evaluator, document, target, self.time + by) for by in (-APART, APART))
        return vector3("a velocity", ((after - before) * (TICKS_PER_SECOND / (2.0 * APART))).tolist())

    def _place(self, evaluator: Evaluation, document: Document, target: Target, time: int) -> Array:
        import numpy as np

        if target.carried is not None and target.spot is not None:
            (place,) = evaluator.places(document, target.carried, target.spot, (time,))
            return np.asarray(place)
        frame = self._frame(evaluator, document, target, time)
        return np.asarray(frame[:, :3] @ np.array(target.point) + frame[:, 3])

    def _turn(self, evaluator: Evaluation, document: Document, target: Target) -> Quaternion | Vector3:
        from engine.document.values import vector3
        from engine.kinodynamics.tracking import APART
        from engine.maths.rotation_arrays import quaternion_of
        from engine.maths.rotations import turn_to

        if self.what == "rotation":
            frame = self._frame(evaluator, document, target, self.time)
            return quaternion_of(frame)
        before, after = (self._frame(evaluator, document, target, self.time + by)[:, :3] for by in (-APART, APART))
        return vector3("a velocity", (turn_to(before, after) * (TICKS_PER_SECOND / (2.0 * APART))).tolist())

    def _frame(self, evaluator: Evaluation, document: Document, target: Target, time: int) -> Array:
        import numpy as np

        assert target.joint is not None, "a point and a turn have a joint"
        index = document.actor(self.actor).figure.joint_index[target.joint]
        frames: Array = evaluator.joint_transforms(document, self.actor, time)
        return np.asarray(frames[index])

    def _pose(self, evaluator: Evaluation, document: Document, target: Target) -> Amplitudes:
        from engine.kinodynamics.tracking import APART
        from engine.model.compile import ROW
        from engine.targets.equations import KinodynamicState, velocity_of

        figure = document.actor(self.actor).figure
        dofs = [dof for dof in figure.dofs if target.joints is None or figure.dof_joint[dof.id].id in target.joints]
        if not dofs:
            raise InvalidArguments(what="the joints of the pose", value=target.joints, allowed="some that can move")
        apart = (-APART, 0, APART) if self.what == "rates" else (0, 0, 0)
        before, now, after = (evaluator.rows(document, self.time + by)[self.actor][ROW:] for by in apart)
        if self.what == "values":
            index = figure.coordinate_index
            return tuple((name, float(now[index[name]])) for dof in dofs for name in dof.coordinates)
        state = KinodynamicState(now, before, after, 2.0 * APART / TICKS_PER_SECOND)
        rates = velocity_of(evaluator.model(document.actor(self.actor)), state)
        return tuple((name, float(rates[figure.rate_index[name]])) for dof in dofs for name in dof.rates)
