"""MotionPoses: how a figure stands in a motion that a search has come to, at any time, and where its points are then.

Degrees of freedom that the motion has not stay as the actor's layers have them. Used by the engine's thread alone;
importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from engine.document import Actor, Document, Layer, Placement
from engine.document.values import Vector3
from engine.spacetime.parts import Spacetime

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.model.snapshot import Bodies, SkinSurface
    from engine.spacetime.queries.seen_motion import SeenMotion

ALONE = "planned"  # id of the actor by itself, whose motion is compiled apart from that of the document's
LEAST_REACH = 0.2  # [m] that a figure counts as large


class Posed(NamedTuple):
    """A figure in a motion."""

    bodies: Bodies
    skins: tuple[SkinSurface, ...]  # of one that has no other form


class MotionPoses:
    """The poses of one motion, made as they are asked for."""

    def __init__(
        self,
        evaluator: Evaluation,
        document: Document,
        owner: Actor,
        motion: SeenMotion | None,
        known: Mapping[int, Posed],
    ) -> None:
        plan = owner.part(Spacetime)
        assert plan is not None, "asked for where a motion is planned"
        self._evaluator, self._document, self.owner, self.plan = evaluator, document, owner, plan
        self.motion = motion
        self._known = dict(known)

    def pose(self, tick: int) -> Posed:
        """The figure as the motion has it at a tick, or as its layers do where there is none."""
        found = self._known.get(tick)
        if found is None:
            found = self._known[tick] = self.made(tick, self.values(tick))
        return found

    def values(self, tick: int) -> dict[str, float]:
        """Values of degrees of freedom that the motion has at a tick."""
        return {} if self.motion is None else self.motion.values(self.motion.seconds(tick))

    def known(self, ticks: set[int]) -> dict[int, Posed]:
        """Those at some ticks that were asked for."""
        return {tick: posed for tick, posed in self._known.items() if tick in ticks}

    def made(self, tick: int, values: Mapping[str, float]) -> Posed:
        """Stand the figure with these values of coordinates, and others as its layers have them."""
        owner = self.owner
        row = self._evaluator.layered(owner, (tick,))[0].tolist()
        q = {**dict(zip(owner.figure.coordinates, row, strict=True)), **values}
        pose = Layer(id="pose", values=tuple(q.items()))
        alone = Actor(id=ALONE, name=owner.name, figure=owner.figure, placement=self.stands(tick), layers=(pose,))
        found = self._evaluator.snapshot(Document(actors=(alone,), rate=self._document.rate), skins=False)
        (bodies,) = found.bodies
        skins = tuple(replace(each, owner=owner.id, role="onion") for each in found.skins)
        return Posed(replace(bodies, owner=owner.id, role="onion", pose=None), skins)

    def stands(self, tick: int) -> Placement:
        """Where the actor stands or hangs."""
        from engine.maths.rotation_arrays import quaternion_of
        from engine.model.compile import ROW

        if not self.owner.attachments:
            return self.owner.placement
        row = self._evaluator.rows(self._document.with_all_that_hold(self.owner.id), tick)[self.owner.id][:ROW]
        return Placement(position=triple(row[9:]), rotation=quaternion_of(row[:9].reshape(3, 3)))

    def tick(self, stage: str, share: float) -> int:
        """The tick of a share of a stage, as it is in the motion."""
        motion = self.motion
        span = None if motion is None else next((each for each in motion.stages if each.stage == stage), None)
        if motion is None or span is None:
            return self.plan.time(stage, share)
        return motion.tick(span.begins + share * span.length)

    def place(self, tick: int, joint: str | None, point: Vector3) -> Vector3:
        """Where a point of a joint's body is at a tick, or (None) the centre of mass."""
        import numpy as np

        bodies = self.pose(tick).bodies
        frames = bodies.transforms.astype(np.float64)
        if joint is None:
            return self._centre(frames)
        frame = frames[bodies.parts.index(joint)]
        return triple(frame[:, :3] @ np.array(point) + frame[:, 3])

    def _centre(self, frames: Array) -> Vector3:
        import numpy as np

        masses = self.weighed[:, 0]
        places = np.einsum("jab,jb->ja", frames[:, :, :3], self.weighed[:, 1:4]) + frames[:, :, 3]
        return triple(masses @ places / masses.sum() if masses.any() else frames[0, :, 3])

    @cached_property
    def reach(self) -> float:
        """How large the figure is, from joint to joint [m]."""
        import numpy as np

        tick = self.plan.start if self.motion is None else self.motion.start
        return max(float(np.ptp(self.pose(tick).bodies.transforms[:, :, 3], axis=0).max()), LEAST_REACH)

    @cached_property
    def weighed(self) -> Array:
        """Masses of the bodies, as `engine.model.inertia.masses_of` gives them."""
        from engine.model.inertia import masses_of

        return masses_of(self.owner.figure)


def triple(numbers: Array) -> Vector3:
    """Three numbers as a tuple."""
    x, y, z = numbers.tolist()
    return (x, y, z)
