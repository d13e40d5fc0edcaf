"""TakeShapePose, KeyShapes and SuggestShapeWindow: numbers of a surface worked out from its keys.

Importing this module loads no kernel.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from engine.command import AtOnce
from engine.document import Document, Key
from engine.document.drafts import without_drafts
from engine.document.extent import play_extent
from engine.document.ticks import TICKS_PER_SECOND, ticks_per_frame
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.quick_dataclass import dataclass
from engine.shapes.parts import BlendShapes
from engine.shapes.uses import blend_shapes

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.shapes.stage import ShapedActor

LEAST_SEEN = 5e-4  # [m] what can just be seen of a face
_MOST_FRAMES = 2000


def _surface(document: Document, actor: str) -> BlendShapes:
    found = blend_shapes(document.actor(actor))
    if found is None:
        raise InvalidArguments(what="the actor", value=document.actor(actor).name, allowed="one with blend shapes")
    return found


def _seen(evaluator: Evaluation, document: Document, actor: str) -> ShapedActor:
    from engine.shapes.stage import ShapesStage

    return cast(ShapesStage, evaluator.stage("shapes")).of(without_drafts(document), actor)


@dataclass(frozen=True, kw_only=True)
class TakeShapePose(AtOnce):
    """A target's weights, its place, or both, given as the surface is keyed at its time, or at another."""

    uses = ("shapes",)

    actor: str
    target: str
    time: int | None = None  # [ticks] when the keys are read; None: at the target's own
    pose: bool = True
    place: bool = False

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return edit("set_shape_target", actor=self.actor, target=self.target).label(document)

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        import numpy as np

        from engine.maths.rotation_arrays import quaternions

        surface = _surface(document, self.actor)
        target = surface.target(self.target)
        if target is None:
            raise UnknownPart(kind="target", id=self.target, known=tuple(each.id for each in surface.targets))
        keyed, times = (
            _seen(evaluator, document, self.actor).keyed,
            np.array([float(target.time if self.time is None else self.time)]),
        )
        given: dict[str, object] = {}
        if self.pose:
            weights = keyed.weights(times)[0].tolist()
            pairs = zip(surface.shapes, weights, strict=True)
            given |= {"pose": "given", "weights": tuple((shape.id, weight) for shape, weight in pairs)}
        if self.place:
            frame = keyed.frames(times)[0]
            given |= {
                "place": "given",
                "position": tuple(frame[:, 3].tolist()),
                "rotation": tuple(quaternions(frame[None, :, :3])[0].tolist()),
            }
        return edit("set_shape_target", actor=self.actor, target=self.target, **given)


@dataclass(frozen=True, kw_only=True)
class KeyShapes(AtOnce):
    """Keys of some shapes, or of all, at a time, as their weights are there."""

    uses = ("shapes",)

    actor: str
    time: int  # [ticks]
    shapes: tuple[str, ...] | None = None  # None: all

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return f"Key shapes of {document.actor(self.actor).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        import numpy as np

        surface = _surface(document, self.actor)
        weights = _seen(evaluator, document, self.actor).keyed.weights(np.array([float(self.time)]))[0].tolist()
        keys = []
        for shape, weight in zip(surface.shapes, weights, strict=True):
            if self.shapes is None or shape.id in self.shapes:
                old = None if shape.track is None else next((k for k in shape.track.keys if k.time == self.time), None)
                key = Key(self.time, weight) if old is None else replace(old, value=weight)
                keys.append((shape.id, key))
        return edit("key_shapes", actor=self.actor, keys=tuple(keys))


@dataclass(frozen=True, kw_only=True)
class SuggestShapeWindow(AtOnce):
    """The window that forgets less than can be seen, for the accelerations of the keys in what is played (5.6)."""

    uses = ("shapes",)

    actor: str
    least: float = LEAST_SEEN  # [m]

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return f"Set window of {document.actor(self.actor).name}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """Find the edit."""
        window = self.seconds(evaluator, document)
        length = ticks_per_frame(document.rate)
        frames = max(1, -int(-window * TICKS_PER_SECOND // length))
        wanted = min(max(frames * length, TICKS_PER_SECOND // 50), 5 * TICKS_PER_SECOND)
        return edit("set_shape_motion", actor=self.actor, window=int(wanted))

    def seconds(self, evaluator: Evaluation, document: Document) -> float:
        """The window [s]."""
        import numpy as np

        from engine.shapes.windows import history_window

        motion = _surface(document, self.actor).motion
        seen = _seen(evaluator, document, self.actor)
        first, last = play_extent(document)
        length = ticks_per_frame(document.rate)
        stride = max(1.0, (last - first) / length / _MOST_FRAMES) * length
        times = np.arange(first - length, last + length, stride)
        model = seen.model
        most = 0.0
        for time in times.tolist():
            sides = np.array([time - model.step, time, time + model.step])
            before, now, after = model.keyed_controls(seen.keyed, sides)
            bent = np.linalg.norm(after - 2.0 * now + before, axis=1).max() / model.dt**2
            most = max(most, float(bent))
        return min(history_window(motion.tension, motion.ratio, most, self.least), 5.0)
