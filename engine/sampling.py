"""An actor's motion as it is seen, as samples. Importing this module loads no kernel."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.document import Blob, Document, Samples
from engine.document.drafts import without_drafts
from engine.document.extent import play_extent
from engine.document.motion import Rate, frame_time, ticks_per_frame
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import Pace, finish
from engine.systems import stages_used

if TYPE_CHECKING:
    from engine.evaluation import Evaluation

_FRAMES, _NUMBERS = 1_000_000, 1 << 26  # at most; numbers of all coordinates
_AT_ONCE = 256  # frames of layers alone that are worked out at once


def sampled(evaluation: Evaluation, document: Document, actor: str, rate: Rate, start: int, end: int) -> Samples:
    """An actor's motion, locks kept and drafts left out, from one tick to the last frame up to another."""
    return finish(sample_gradually(evaluation, document, actor, rate, start, end))


def sample_gradually(
    evaluation: Evaluation, document: Document, actor: str, rate: Rate, start: int, end: int
) -> Generator[float, None, Samples]:
    """Sample an actor's motion in slices; yields the share that is done."""
    import numpy as np

    count = int((end - start) / ticks_per_frame(rate)) + 1
    most = min(_FRAMES, _NUMBERS // max(1, len(document.actor(actor).figure.coordinates)))
    if not 1 <= count <= most:
        raise InvalidArguments(what="the frames of a locked motion", value=count, allowed=f"1 to {most}")
    coordinates, needed = document.actor(actor).figure.coordinates, without_drafts(document).with_all_that_hold(actor)
    at_once = 1 if stages_used(needed, needed.actors) else _AT_ONCE
    values, pace = np.empty((count, len(coordinates))), Pace()
    for first in range(0, count, at_once):
        frames = range(first, min(first + at_once, count))
        times = [start + frame_time(frame, rate) for frame in frames]
        values[first : frames.stop] = evaluation.coordinates(needed, actor, times)
        if pace.due():
            yield first / count
    return Samples(coordinates=coordinates, values=Blob(values), rate=rate, start=start)


def sample_played(evaluation: Evaluation, document: Document, actor: str) -> Generator[float, None, Samples]:
    """Sample an actor's motion in slices on the document's frames, over what is played: where that begins or ends
    between two of them, the one beyond is the first or last."""
    rate, (start, end) = document.rate, play_extent(document)
    first, last = math.floor(start / ticks_per_frame(rate)), math.ceil(end / ticks_per_frame(rate))
    ends = frame_time(first, rate), frame_time(last, rate)
    return (yield from sample_gradually(evaluation, document, actor, rate, *ends))
