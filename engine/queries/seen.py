"""The seen motion of an actor as a figure and a motion of its own, for files that know no locks and no attachments.

The end of the stack is worked out frame by frame where the layers alone do not tell it. A figure that hangs on others
gets a joint above its roots, `place`, that carries it as they do; its own coordinates keep their meaning.
Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.document import Actor, Blob, Document, Figure, Layer, Samples
from engine.document.carried import carried
from engine.document.drafts import without_drafts
from engine.document.extent import acting_extent, play_extent
from engine.document.motion import Rate, frame_count, frame_time
from engine.document.values import Vector3
from engine.maths.quaternions import product, turned
from engine.runtime.errors import InvalidArguments
from engine.runtime.progress import Pace

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator

MOST_FRAMES = 1_000_000
_BASE = 12  # numbers of a row of the evaluator before the coordinates: rotation and position


def is_constrained(document: Document, actor: str) -> bool:
    """Tell whether some lock has a part in an actor's motion, its own or one that another shares with it."""
    group = next(group for group in document.groups if any(each.id == actor for each in group))
    return any(each.is_constrained for each in group)


def is_more_than_layers(document: Document, actor: str) -> bool:
    """Tell whether an actor's coordinates differ from those of its layers: locks, secondary motion, a simulation."""
    owner = document.actor(actor)
    return owner.swings or is_constrained(document, actor) or any(part.coupled(document) for part in owner.parts)


def standing(actor: Actor) -> Figure:
    """The actor's figure with its roots where they stand in the world; the same one if that changes nothing."""
    placement, figure = actor.placement, actor.figure
    if placement == type(placement)():
        return figure
    joints = (
        replace(
            joint,
            offset=_sum(placement.position, turned(placement.rotation, joint.offset)),
            rest=product(placement.rotation, joint.rest),
        )
        if joint.parent is None
        else joint
        for joint in figure.joints
    )
    return replace(figure, joints=tuple(joints))


def seen_gradually(
    evaluator: Evaluator, document: Document, actor: str, rate: Rate | None, span: tuple[int, int] | None = None
) -> Generator[float, None, tuple[Figure, tuple[Layer, ...]]]:
    """The figure and its motion, locks kept and carried by what it hangs on, at a rate, else at that of its samples or
    of the document: over a span, else from the first key or sample of all that moves it to the last."""
    import numpy as np

    from engine.maths.rotation_arrays import quaternions

    owner, needed = document.actor(actor), without_drafts(document).with_all_that_hold(actor)
    rates = [layer.samples.rate for layer in owner.layers if layer.samples is not None]
    rate = rate or (rates[0] if rates else document.rate)
    start, end = seen_extent(needed) if span is None else span
    count = frame_count(rate, start, end)
    if not 1 <= count <= MOST_FRAMES:
        raise InvalidArguments(what="the frames of a motion", value=count, allowed=f"1 to {MOST_FRAMES}")
    rows, pace = np.empty((count, _BASE + len(owner.figure.coordinates))), Pace()
    for frame in range(count):
        rows[frame] = evaluator.rows(needed, start + frame_time(frame, rate))[actor]
        if pace.due():
            yield frame / count
    figure, values = standing(owner), rows[:, _BASE:]
    if owner.attachments:
        figure = carried(owner.figure)
        turns = quaternions(rows[:, :9].reshape(-1, 3, 3))
        values = np.concatenate((rows[:, 9:_BASE], turns, values), axis=1)
    samples = Samples(coordinates=figure.coordinates, values=Blob(values), rate=rate, start=start)
    return figure, (Layer(id="seen", name="As seen", samples=samples),)


def seen_extent(document: Document) -> tuple[int, int]:
    """The first and the last tick at which something begins or ends: keys, samples, and spans of layers, locks and
    attachments; of what is simulated also the span that is played."""
    ends = [end for actor in document.actors for end in _ends(actor)]
    ends += [play_extent(document)] if document.together or document.reading else []
    return min((each[0] for each in ends), default=0), max((each[1] for each in ends), default=0)


def _ends(actor: Actor) -> list[tuple[int, int]]:
    locks = [lock for lock in actor.locks if not lock.mute]
    spans = [*(each.span for each in actor.attachments), *(each.span for each in locks)]
    keys = [key.time for lock in locks for track in lock.tracks for key in track.keys]
    extents = [extent for extent in map(acting_extent, actor.layers) if extent is not None]
    return [*extents, *((span.start, span.end) for span in spans if span is not None), *((time, time) for time in keys)]


def _sum(a: Vector3, b: Vector3) -> Vector3:
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])
