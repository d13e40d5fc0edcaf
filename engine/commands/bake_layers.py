"""bake_layers and key_layer worked out: some layers as the one that they make together, and samples as keys.

What is baked is what the layers show with all that is below them, at the frames of a rate: as a pose where nothing of
it moves in time, else as samples. So what is seen stays at every frame, while what is below no longer shows through.
Frames are those of the densest samples among the layers, or of the document. Worked through in slices on the engine's
thread; importing this module loads no kernel.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Actor, Blob, Document, Figure, Layer, Samples
from engine.document.extent import layer_extent, play_extent
from engine.document.motion import Rate, frame_time, ticks_per_frame
from engine.edits import Edit, edit
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.progress import Pace
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

MOST_FRAMES = 1_000_000
_TOGETHER = 64  # frames that are worked out at once


@dataclass(frozen=True, kw_only=True)
class BakeLayers(Gradual):
    """The command to bake some layers of an actor into one."""

    uses = ("motion",)

    id: str  # of the new layer
    actor: str
    layers: tuple[str, ...]
    name: str
    title: str = "Bake layers"  # what a person reads in the history

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return self.title

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """The edit that does it; yields the share that is done."""
        import numpy as np

        from engine.motion.motion import compile_motion

        owner = document.actor(self.actor)
        chosen = _chosen(owner, self.layers)
        below = owner.layers[: owner.layers.index(chosen[-1]) + 1]
        stack = tuple(replace(each, solo=False) if each.solo else each for each in below)
        names = touched(owner.figure, chosen)
        if not names:
            value = ", ".join(layer.name for layer in chosen)
            raise NothingThere(f"{value} holds nothing to bake", remedy="Choose layers that hold poses or motion")
        columns = [owner.figure.coordinate_index[name] for name in names]
        motion = compile_motion(owner.figure, stack, evaluator.motion(owner))
        place = {"actor": self.actor, "layers": tuple(each.id for each in chosen), "id": self.id, "name": self.name}
        if not any(moves(layer) for layer in stack if not layer.mute):
            row = motion.at(0.0)[0, columns].tolist()
            return edit("bake_layers", **place, values=tuple(zip(names, row, strict=True)))
        rate, origin, frames = _frames(document, stack)
        values, pace = np.empty((len(frames), len(names))), Pace()
        for first in range(0, len(frames), _TOGETHER):
            some = frames[first : first + _TOGETHER]
            times = [float(origin + frame_time(frame, rate)) for frame in some]
            values[first : first + len(some)] = motion.at(times)[:, 0, columns]
            if pace.due():
                yield first / len(frames)
        start = origin + frame_time(frames[0], rate)
        samples = Samples(coordinates=names, values=Blob(values, copy=False), rate=rate, start=start)
        return edit("bake_layers", **place, samples=samples)


@dataclass(frozen=True, kw_only=True)
class MakeKeys(Gradual):
    """The command to replace a layer's samples by keys, few but near them."""

    uses = ("motion",)

    actor: str
    layer: str

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return edit("key_layer", actor=self.actor, layer=self.layer).label(document)

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Edit]:
        """The edit that does it: within half a degree and a millimetre of every sample, ends within 5 mm."""
        from engine.motion.reduce import Tolerance, reduce_gradually

        owner = document.actor(self.actor)
        layer = next((each for each in owner.layers if each.id == self.layer), None)
        if layer is None or layer.samples is None:
            value = self.layer if layer is None else layer.name
            remedy = "Choose a layer that holds samples, such as a capture"
            raise NothingThere(f"{value} has no samples to make keys of", remedy=remedy)
        handles = tuple(each.id for each in owner.figure.handles)
        found = yield from reduce_gradually(owner.figure, layer.samples, Tolerance(handles=handles))
        return edit("key_layer", actor=self.actor, layer=self.layer, tracks=found.tracks)


def touched(figure: Figure, layers: Sequence[Layer]) -> tuple[str, ...]:
    """The coordinates that some layers give values to, in the figure's order; of a ball all four or none."""
    found: set[str] = set()
    for layer in layers:
        sampled = () if layer.samples is None else layer.samples.coordinates
        corrected = () if layer.correction is None else layer.correction.coordinates
        for dof in {
            figure.coordinate_dof[each] for each in (*layer.by_coordinate, *layer.track_of, *sampled, *corrected)
        }:
            if layer.mask is None or set(layer.mask).issuperset(dof.coordinates):
                found.update(dof.coordinates)
    return tuple(name for name in figure.coordinates if name in found)


def moves(layer: Layer) -> bool:
    """Tell whether a layer gives other values at other times."""
    changing = layer.samples is not None or layer.span is not None or layer.correction is not None
    return bool(layer.tracks) or changing


def _chosen(owner: Actor, ids: Sequence[str]) -> list[Layer]:
    chosen = [layer for layer in owner.layers if layer.id in ids]
    if len(chosen) != len(set(ids)) or not chosen:
        allowed = f"ids of layers of {owner.name}"
        raise InvalidArguments(what="the layers to bake", value=ids, allowed=allowed)
    muted = [layer.name for layer in chosen if layer.mute]
    if muted:
        allowed = "layers that count; let them count again first"
        raise InvalidArguments(what="the layers to bake", value=f"{', '.join(muted)}, left out", allowed=allowed)
    return chosen


def _frames(document: Document, layers: Sequence[Layer]) -> tuple[Rate, int, range]:
    """The rate, the tick of its frame 0, and the frames from the first thing that moves to the last, and of what is
    played."""
    ends = [play_extent(document), *filter(None, map(layer_extent, layers))]
    ends += [(layer.span.start, layer.span.end) for layer in layers if layer.span is not None]
    ends += [layer.correction.extent for layer in layers if layer.correction is not None]
    sampled = [layer.samples for layer in layers if layer.samples is not None]
    densest = max(sampled, key=lambda each: Fraction(*each.rate), default=None)
    rate, origin = (document.rate, 0) if densest is None else (densest.rate, densest.start)
    if Fraction(*rate) < Fraction(*document.rate):
        rate, origin = document.rate, 0
    start, end = min(each[0] for each in ends), max(each[1] for each in ends)
    first = math.floor((start - origin) / ticks_per_frame(rate))
    last = math.ceil((end - origin) / ticks_per_frame(rate))
    if last - first >= MOST_FRAMES:
        raise InvalidArguments(what="the frames to bake", value=last - first + 1, allowed=f"up to {MOST_FRAMES}")
    return rate, origin, range(first, last + 1)
