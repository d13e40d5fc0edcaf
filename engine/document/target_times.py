"""The times at which targets are to be met: worked out from the tracks, so that it is in step with keys whatever moves
them."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.document.actor import Actor
from engine.document.extent import layer_extent
from engine.document.motion import Layer, active_layers
from engine.document.target import Target
from engine.document.ticks import Rate, frame_time, ticks_per_frame
from engine.runtime.errors import InvalidDocument

MOST_TIMES = 100_000


def target_times(actor: Actor, target: Target, rate: Rate) -> tuple[int, ...]:
    """Every tick at which one of an actor's targets is to be met, in rising order; `rate` is that of the document."""
    if target.source == "own":
        return (target.time,)
    layers = tuple(layer for layer in active_layers(actor.layers) if layer.correction is None)
    if target.source == "every":
        return _every(layers, target, rate)
    keys = (key for layer in layers for track in layer.heard.values() for key in track.keys if _counts(layer, key.time))
    return tuple(sorted({key.time for key in keys if target.source == "keys" or key.mark}))


def shown_times(actor: Actor, target: Target, rate: Rate) -> tuple[int, ...]:
    """Return the times of a target for a view: none where they are too many, as they may be in a file or where a motion
    grew."""
    try:
        return target_times(actor, target, rate)
    except InvalidDocument:
        return ()


def placed_targets(actor: Actor, rate: Rate) -> tuple[Target, ...]:
    """Every target of an actor that is on, each at one time, in rising order of times, null-space edits left out.

    What stands for many is taken apart, its ids numbered by their ticks; where one of another, or one that comes
    earlier in the list, asks for the same on that tick, that one counts alone: a key may so be met in a way of its own.
    """
    if actor.secondary is None:
        return ()
    listed = [each for each in actor.secondary.targets if each.on and each.kind != "wish"]
    found = [each for each in listed if each.source == "own"]
    there: dict[int, list[Target]] = {}
    for each in found:
        there.setdefault(each.time, []).append(each)
    for rule in listed:
        for time in target_times(actor, rule, rate) if rule.source != "own" else ():
            if not any(each.asks_like(rule) for each in there.get(time, ())):
                made = replace(rule, id=f"{rule.id}@{time}", source="own", time=time)
                there.setdefault(time, []).append(made)
                found.append(made)
    return tuple(sorted(found, key=lambda each: each.time))


def placed_null_space_edits(actor: Actor) -> tuple[Target, ...]:
    """List the null-space edits of an actor that are on, in rising order of times."""
    listed = () if actor.secondary is None else actor.secondary.targets
    return tuple(sorted((each for each in listed if each.on and each.kind == "wish"), key=lambda each: each.time))


def _every(layers: tuple[Layer, ...], target: Target, rate: Rate) -> tuple[int, ...]:
    """One each so many frames, from the first motion to the last."""
    extents = [extent for extent in map(layer_extent, layers) if extent is not None]
    if not extents:
        return ()
    first, last = min(each[0] for each in extents), max(each[1] for each in extents)
    between = target.frames * ticks_per_frame(rate)
    low, high = math.floor((first - target.time) / between), math.ceil((last - target.time) / between)
    if high - low > MOST_TIMES:
        allowed = f"so many that there are at most {MOST_TIMES} targets"
        raise InvalidDocument(what="the frames from one target to the next", value=target.frames, allowed=allowed)
    times = (target.time + frame_time(count * target.frames, rate) for count in range(low, high + 1))
    return tuple(time for time in times if first <= time <= last)


def _counts(layer: Layer, time: int) -> bool:
    return layer.span is None or layer.span.start <= time <= layer.span.end
