"""BakeShapes: keys of shapes that come nearest to what is seen of a loose surface, frame by frame.

At each frame the weights w are those that leave the least of p - (p0 + S w + t + r x p0), with p what is seen in the
joint's frame, S the shapes, t and r a small rigid motion that keys of shapes cannot say and that is left out. Keys are
few: straight lines between them stay within a tolerance of the weights. Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from engine.command import Gradual
from engine.document import Document, Key, Track
from engine.document.drafts import without_drafts
from engine.document.extent import play_extent
from engine.document.ticks import frame_time, ticks_per_frame
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass
from engine.shapes.parts import LEAST_WEIGHT, MOST_WEIGHT, WEIGHT, BlendShapes
from engine.shapes.uses import blend_shapes

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.shapes.stage import ShapedActor

MOST_FRAMES = 5_000


@dataclass(frozen=True, kw_only=True)
class BakeShapes(Gradual):
    """Bakes what is played of a surface to keys of its shapes, which it then follows exactly; targets are left out."""

    uses = ("shapes",)

    actor: str
    start: int | None = None  # [ticks]; None: what is played
    end: int | None = None
    tolerance: float = 0.01  # of weights

    def label(self, document: Document) -> str:
        """Its entry in the history."""
        return f"Bake shapes of {document.actor(self.actor).name}"

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """Find the edit."""
        import numpy as np

        from engine.shapes.stage import ShapesStage

        surface = blend_shapes(document.actor(self.actor))
        if surface is None or not surface.shapes:
            name = document.actor(self.actor).name
            raise NothingThere(f"{name} has no blend shapes to bake", remedy="Choose an actor with blend shapes")
        times = self._frames(document)
        seen = cast(ShapesStage, evaluator.stage("shapes")).of(without_drafts(document), self.actor)
        solve, rows = _solver(seen), []
        frames = seen.keyed.frames(np.array(times, dtype=np.float64))
        for number, (time, frame) in enumerate(zip(times, frames, strict=True)):
            local = (seen.vertices(time) - frame[:, 3]) @ frame[:, :3]
            rows.append(np.clip(solve @ (local - seen.model.base).ravel(), LEAST_WEIGHT, MOST_WEIGHT))
            yield (number + 1) / len(times)
        found = np.array(rows)
        shapes = tuple(
            replace(
                shape,
                track=Track(
                    coordinate=WEIGHT,
                    keys=_few_keys(times, found[:, place], self.tolerance),
                ),
            )
            for place, shape in enumerate(surface.shapes)
        )
        targets = tuple(replace(each, mute=True) for each in surface.targets)
        made: BlendShapes = replace(surface, shapes=shapes, targets=targets, motion=replace(surface.motion, on=False))
        return edit("put_blend_shapes", actor=self.actor, shapes=made)

    def _frames(self, document: Document) -> list[int]:
        first, last = play_extent(document)
        start, end = first if self.start is None else self.start, last if self.end is None else self.end
        length = ticks_per_frame(document.rate)
        numbers = range(-int(-start // length), int(end // length) + 1)
        if not 1 <= len(numbers) <= MOST_FRAMES:
            allowed = f"1 to {MOST_FRAMES:,}"
            raise InvalidArguments(what="the frames to bake", value=len(numbers), allowed=allowed)
        return [frame_time(each, document.rate) for each in numbers]


def _few_keys(times: list[int], values: Array, tolerance: float) -> tuple[Key, ...]:
    """Choose keys between which values go straight and stay within a tolerance."""
    import numpy as np

    chosen, places = sorted({0, len(times) - 1}), np.arange(len(times))
    while len(chosen) < len(times):
        away = np.abs(np.interp(places, chosen, values[chosen]) - values)
        worst = int(np.argmax(away))
        if away[worst] <= tolerance:
            break
        chosen = sorted({*chosen, worst})
    return tuple(Key(times[each], float(values[each]), interpolation="linear") for each in chosen)


def _solver(seen: ShapedActor) -> Array:
    """Make the matrix that gives weights of offsets in the joint's frame; of shapes that are muted nothing."""
    import numpy as np

    base, shapes = seen.model.base, seen.surface.shapes
    columns = np.zeros((len(base), 3, len(shapes) + 6))
    for place, (shape, (vertices, offsets)) in enumerate(zip(shapes, seen.model.offsets, strict=True)):
        if not shape.mute:
            columns[vertices, :, place] = offsets
    columns[:, :, len(shapes) : len(shapes) + 3] = np.eye(3)
    for axis, unit in enumerate(np.eye(3)):
        columns[:, :, len(shapes) + 3 + axis] = np.cross(unit, base - base.mean(axis=0))
    flat = columns.reshape(-1, columns.shape[2])
    inverse = np.linalg.pinv(flat.T @ flat, rcond=1e-9, hermitian=True) @ flat.T
    return np.ascontiguousarray(inverse[: len(shapes)])
