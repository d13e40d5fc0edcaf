"""StandOn: the lowest points of a joint's body made contacts of a stage, as the figure is seen at a time.

In a plane these are the two ends of what lies lowest; in space up to four. Runs on the engine's thread; importing this
module loads no kernel.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.command import AtOnce
from engine.document import Document, Joint
from engine.document.values import Vector3
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.parts import SpacetimeContact
from engine.spacetime.uses import spacetime_of

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array

LEVEL = 0.006  # [m] above the lowest point, up to which a body lies as low


@dataclass(frozen=True, kw_only=True)
class StandOn(AtOnce):
    """The command to let a joint's body stand on the ground during a stage."""

    actor: str
    stage: str
    joint: str
    time: int  # [ticks]

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return "Stand on a joint"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        from engine.document.values import vector3
        from engine.maths.quaternions import turned

        owner = document.actor(self.actor)
        plan = spacetime_of(owner)
        if plan is None:
            raise NothingThere("No motion is planned", remedy="Plan one first, in the Spacetime panel")
        figure, stage = owner.figure, plan.stage(self.stage)
        frame = evaluator.joint_transforms(document, self.actor, self.time)[figure.joint_index[self.joint]]
        surface = _surface(figure.joint(self.joint)) @ frame[:, :3].T + frame[:, 3]
        normal = None if plan.plane is None else turned(owner.placement.rotation, plan.plane)
        local = [(each - frame[:, 3]) @ frame[:, :3] for each in _lowest(surface, normal)]
        points = dict.fromkeys(vector3("a contact", each.round(4).tolist()) for each in local)
        others = tuple(each for each in stage.contacts if each.joint != self.joint)
        contacts = (*others, *(SpacetimeContact(joint=self.joint, point=each) for each in points))
        return edit("put_spacetime_stage", actor=self.actor, stage=replace(stage, contacts=contacts, nailed=False))


def _surface(joint: Joint) -> Array:
    """Points of a joint's body; its origin where it has none."""
    import numpy as np

    from engine.model.meshes import build_mesh

    found = np.asarray(build_mesh((joint.shapes,)).positions, dtype=float)
    return found if len(found) else np.zeros((1, 3))


def _lowest(points: Array, normal: Vector3 | None) -> list[Array]:
    """The ends of what lies lowest of some points: across the plane of a normal, or (None) to all four sides."""
    import numpy as np

    low = points[points[:, 1] <= points[:, 1].min() + LEVEL]
    low[:, 1] = points[:, 1].min()  # edges that are rounded off stand, too
    if normal is None:
        return [low[np.argmax(low @ np.array(way))] for way in ((1, 0, 1), (1, 0, -1), (-1, 0, -1), (-1, 0, 1))]
    axis = np.array(normal)
    across = np.cross((0.0, 1.0, 0.0), axis)
    middle = float(np.mean(low @ axis))
    ends = [low[np.argmin(low @ across)], low[np.argmax(low @ across)]]
    return [each + (middle - float(each @ axis)) * axis for each in ends]
