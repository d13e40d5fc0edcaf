"""Pieces of tracks: cut out with keys at their ends, moved in time, turned about, and joined again.

A piece keeps the shape that the curve had. Two pieces that meet with different values jump within one tick: the left
one then ends a tick earlier in a stepped key. A cycle is a repetition of the keys between its ends: where a piece is
cut beyond them it has no keys there; `unrolled` writes the repetitions out as keys.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from engine.document import Key, Track
from engine.edits.split import key_on_curve
from engine.motion.tangents import CYCLES, slopes
from engine.runtime.errors import InvalidDocument

Keys = tuple[Key, ...]

MOST_KEYS = 1_000_000  # that a cycle may be written out as, and that an edit may add by repetition
_NEAR = 4  # keys at the end of a piece that tell the slopes of its last span


def frozen(track: Track) -> Track:
    """Replace automatic tangents by free ones on the same curve."""
    if all(key.tangent != "auto" for key in track.keys):
        return track
    arriving, leaving = slopes(track)
    keys = (
        replace(key, tangent="free", slope_in=float(slope_in), slope_out=float(slope_out))
        if key.tangent == "auto"
        else key
        for key, slope_in, slope_out in zip(track.keys, arriving, leaving, strict=True)
    )
    return replace(track, keys=tuple(keys))


def bordered(track: Track, *times: int) -> Track:
    """Set keys on the ticks, on the same curve, that do not depend on their neighbours; none where a cycle repeats."""
    for time in times:
        early, late = time < track.keys[0].time, time > track.keys[-1].time
        if (early and track.before in CYCLES) or (late and track.after in CYCLES):
            continue
        track = key_on_curve(track, time)
    free = frozen(track)
    ends = {*times, track.keys[0].time, track.keys[-1].time}
    keys = (key if old.time in ends else old for old, key in zip(track.keys, free.keys, strict=True))
    return replace(track, keys=tuple(keys))


def until(track: Track, time: int) -> Keys:
    """The keys up to a tick, and one on it."""
    return tuple(key for key in bordered(track, time).keys if key.time <= time)


def since(track: Track, time: int) -> Keys:
    """The keys from a tick on, and one on it."""
    return tuple(key for key in bordered(track, time).keys if key.time >= time)


def between(track: Track, start: int, end: int) -> Keys:
    """The keys from a tick to another, and one on each; the repetitions of a cycle written out."""
    whole = bordered(unrolled(track, start, end), start, end)
    return tuple(key for key in whole.keys if start <= key.time <= end)


def unrolled(track: Track, start: int, end: int) -> Track:
    """Write out the curve from a tick to another, with keys for what a cycle repeats there."""
    first, last = track.keys[0], track.keys[-1]
    period, jump = last.time - first.time, last.value - first.value
    if not period and {track.before, track.after} & set(CYCLES):
        return replace(track, before="hold", after="hold")
    early = late = 0
    if start < first.time and track.before in CYCLES:
        early = math.ceil((first.time - start) / period)
    if end > last.time and track.after in CYCLES:
        late = math.ceil((end - last.time) / period)
    if not early and not late:
        return track
    if (early + late) * len(track.keys) > MOST_KEYS:
        allowed = f"a range whose repetitions make at most {MOST_KEYS} keys"
        raise InvalidDocument(what=f"the repetitions of {track.coordinate}", value=early + late, allowed=allowed)
    free = frozen(track)
    offsets = (
        (cycle, (track.before if cycle < 0 else track.after) == "cycle_offset") for cycle in range(-early, late + 1)
    )
    runs = (shifted(free.keys, cycle * period, cycle * jump if offset else 0.0) for cycle, offset in offsets)
    keys = joined(track, runs)
    return replace(track, keys=keys, before="hold" if early else track.before, after="hold" if late else track.after)


def shifted(keys: Keys, ticks: int, value: float = 0.0) -> Keys:
    """The keys moved in time, and in value."""
    if not ticks and not value:
        return keys
    return tuple(replace(key, time=key.time + ticks, value=key.value + value) for key in keys)


def stretched(keys: Keys, pivot: int, factor: float) -> Keys:
    """The keys scaled in time about a tick; those that would fall on one tick become one."""
    made: dict[int, Key] = {}
    for key in keys:
        time = pivot + round((key.time - pivot) * factor)
        made[time] = replace(key, time=time, slope_in=key.slope_in / factor, slope_out=key.slope_out / factor)
    return tuple(made.values())


def turned_about(keys: Keys, start: int, end: int) -> Keys:
    """The keys from a tick to another run backwards: slopes change sign, slopes and weights change sides.

    A stepped span holds its first value to its end; backwards it jumps a tick after its start.
    """
    made: list[Key] = []
    for place in range(len(keys) - 1, -1, -1):
        key = keys[place]
        span = keys[place - 1] if place else key
        turned = replace(
            key,
            time=start + end - key.time,
            interpolation=span.interpolation,
            slope_in=-key.slope_out,
            slope_out=-key.slope_in,
            weight_in=key.weight_out,
            weight_out=key.weight_in,
        )
        made.append(turned)
        if place and span.interpolation == "stepped" and span.value != key.value and key.time - span.time > 1:
            made.append(Key(turned.time + 1, span.value, interpolation="stepped", tangent="flat"))
    return tuple(made)


def joined(track: Track, pieces: Iterable[Keys]) -> Keys:
    """Pieces of a track, each beginning where the one before ends or later."""
    made: list[Key] = []
    for piece in pieces:
        _join(track, made, piece)
    return tuple(made)


def _join(track: Track, left: list[Key], right: Keys) -> None:
    if not left or not right or left[-1].time < right[0].time:
        left += right
        return
    end, begin = left[-1], right[0]
    if end.value == begin.value:
        both = end.tangent == begin.tangent != "free"
        arriving = end.slope_in if end.tangent == "free" else 0.0
        leaving = begin.slope_out if begin.tangent == "free" else 0.0
        kind = begin.tangent if both else "free"
        left[-1] = replace(begin, tangent=kind, slope_in=arriving, slope_out=leaving, weight_in=end.weight_in)
        left += right[1:]
        return
    if len(left) > 1:
        first = _first_that_counts(track, left)
        cut = key_on_curve(replace(track, keys=tuple(left[first:])), end.time - 1).keys
        whole = 0 if first == 0 else 2  # the slopes of the first two of some are not those that they have
        left[first + whole :] = [key for key in cut[whole:] if key.time < end.time]
        left[-1] = replace(left[-1], interpolation="stepped")
    else:
        left[-1] = replace(end, time=end.time - 1, interpolation="stepped")
    left += right


def _first_that_counts(track: Track, keys: list[Key]) -> int:
    """The place of the first key that tells how the last span is cut: long tracks are joined of thousands of pieces."""
    cyclic = track.before in CYCLES or track.after in CYCLES  # slopes at one end depend on the other
    if len(keys) <= _NEAR or (cyclic and "auto" in (keys[0].tangent, keys[-1].tangent)):
        return 0
    return len(keys) - _NEAR
