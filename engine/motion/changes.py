"""The times that a change of a layer touches: outside of them the layer gives the same bytes as before.

Curves and paths are compared in their packed form, span by span, so that what a key does to its neighbours' automatic
slopes, across seams and beyond the ends is seen as it is, not as it is thought to be. What cannot be bounded (a
weight, a mask, a mode) touches all times of the layer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

import numpy as np

from engine.document import Correction, Figure, Layer, Samples, Track
from engine.maths.arrays import Array
from engine.motion import curve_kernels as curve
from engine.motion import rotation_kernels as path
from engine.motion.curves import pack_track
from engine.motion.paths import Source, hinges_of, pack_ball, pack_hinges
from engine.motion.tangents import CYCLES
from engine.runtime.quick_dataclass import dataclass

Interval = tuple[float, float]  # closed [ticks]; infinite ends allowed

ALWAYS: Interval = (-math.inf, math.inf)


def merge(intervals: Iterable[Interval]) -> list[Interval]:
    """Merge intervals of time into disjoint ones, in order."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def support(layer: Layer) -> Interval:
    """The times at which a layer does anything."""
    start, end = _spanned(layer)
    given = layer.values or layer.tracks or layer.samples is not None or layer.drafts
    if layer.correction is None or given:
        return start, end
    first, last = layer.correction.extent
    return (max(start, first), min(end, last)) if first <= end and start <= last else (first, first)


def _spanned(layer: Layer) -> Interval:
    return ALWAYS if layer.span is None else (layer.span.start, layer.span.end)


def layer_changes(figure: Figure, old: Layer, new: Layer) -> list[Interval]:
    """The times at which the new layer, in the place of the old one, may give something else."""
    if old is new:
        return []
    if _settings(old) != _settings(new):
        return merge((support(old), support(new)))
    found = [*_track_changes(figure, old, new), *_sample_changes(old.samples, new.samples)]
    ranges = {*old.speed, *new.speed}
    found += [(each.start, each.end) for each in ranges if not (each in old.speed and each in new.speed)]
    if old.speed != new.speed and set(old.speed) == set(new.speed):
        found += [(each.start, each.end) for each in ranges]
    for each in ranges:
        if any(start <= each.end and each.start <= end for start, end in found):
            found.append((each.start, each.end))
    found += correction_changes(old.correction, new.correction)
    if old.drafts != new.drafts:
        shown = {draft for draft in (*old.drafts, *new.drafts) if not (draft in old.drafts and draft in new.drafts)}
        found += [(draft.time, draft.time) for draft in shown]
    first, last = _spanned(new)
    return merge((max(start, first), min(end, last)) for start, end in found if start <= last and first <= end)


def correction_changes(old: Correction | None, new: Correction | None) -> list[Interval]:
    """Find the times that bells reach that are not in both, or not in the same order."""
    if old is new or old == new:
        return []
    before, after = (() if each is None else each.terms for each in (old, new))
    terms = [term for terms, others in ((before, after), (after, before)) for term in terms if term not in others]
    kept = [term for term in before if term in after] == [term for term in after if term in before]
    return merge((term.bell.start, term.bell.end) for term in (terms if kept else (*before, *after)))


def _settings(layer: Layer) -> tuple[object, ...]:
    mask = None if layer.mask is None else frozenset(layer.mask)
    turned = (layer.quaternions, layer.quaternion_mode)
    return (dict(layer.values), *turned, layer.mode, layer.weight, layer.span, mask)


def _track_changes(figure: Figure, old: Layer, new: Layer) -> list[Interval]:
    tracks, followers = old.heard, new.heard
    if tracks.keys() != followers.keys():
        return [ALWAYS]
    changed = {name for name, track in tracks.items() if followers[name] is not track}
    found: list[Interval] = []
    found += track_changes({name: tracks[name] for name in changed}, {name: followers[name] for name in changed})
    for id in new.quaternions:
        hinges = hinges_of(figure.joint(id)) if id in figure.joint_index else None
        if hinges is not None and changed.intersection(hinges.coordinates):
            packs = [pack_hinges(hinges, layer, _sources(layer, hinges.coordinates)) for layer in (old, new)]
            found += pack_changes(*map(_path_pieces, packs))
    for dof in figure.dofs:
        if dof.kind == "ball" and changed.intersection(dof.coordinates):
            packs = [pack_ball(layer, _sources(layer, dof.coordinates)) for layer in (old, new)]
            found += pack_changes(*map(_path_pieces, packs))
    return found


def track_changes(old: Mapping[str, Track], new: Mapping[str, Track]) -> list[Interval]:
    """The times at which some of these curves may give something else."""
    if old.keys() != new.keys():
        return [ALWAYS]
    differ = [name for name in new if new[name] is not old[name]]
    pieces = [(_curve_pieces(pack_track(old[name])), _curve_pieces(pack_track(new[name]))) for name in differ]
    return [each for before, after in pieces for each in pack_changes(before, after)]


def _sources(layer: Layer, names: Iterable[str]) -> list[Source]:
    """List the sources of a layer for the coordinates of a joint: tracks and constants, with the identity of a ball
    elsewhere."""
    made: list[Source] = []
    for name in names:
        track: Track | None = layer.heard.get(name)
        rest = float(name.endswith(".w"))
        made.append((track, pack_track(track)) if track is not None else layer.by_coordinate.get(name, rest))
    return made


@dataclass(frozen=True)
class Pieces:
    """A packed curve or path, taken apart: its spans, and what it does before and after them."""

    first: float
    last: float
    spans: list[tuple[float, float, bytes]]
    before: tuple[object, ...]
    after: tuple[object, ...]


def pack_changes(old: Pieces, new: Pieces) -> list[Interval]:
    """Find where two curves differ: one interval around the spans that they do not share, and the ends."""
    shorter = min(len(old.spans), len(new.spans))
    head = next((i for i in range(shorter) if old.spans[i] != new.spans[i]), shorter)
    tail = next((i for i in range(shorter - head) if old.spans[-1 - i] != new.spans[-1 - i]), shorter - head)
    apart = [span for spans in (old.spans, new.spans) for span in spans[head : len(spans) - tail]]
    found: list[Interval] = []
    if apart:
        found.append((min(span[0] for span in apart), max(span[1] for span in apart)))
    if old.before != new.before:
        found.append((-math.inf, max(old.first, new.first)))
    if old.after != new.after:
        found.append((min(old.last, new.last), math.inf))
    return found


def _curve_pieces(packed: Array) -> Pieces:
    count = int(packed[curve.KEY_COUNT])
    times = packed[curve.CURVE_HEADER : curve.CURVE_HEADER + count]
    rows = packed[curve.CURVE_HEADER + count :].reshape(count - 1, curve.SPAN)
    before = _end(packed, curve.BEFORE, curve.FIRST, packed[[curve.FIRST_VALUE]], packed[[curve.FIRST_SLOPE]])
    after = _end(packed, curve.AFTER, curve.LAST, packed[[curve.LAST_VALUE]], packed[[curve.LAST_SLOPE]])
    return Pieces(times[0], times[-1], _spans(times, rows), before, after)


def _path_pieces(packed: Array) -> Pieces:
    count = int(packed[path.KEY_COUNT])
    times = packed[path.PATH_HEADER : path.PATH_HEADER + count]
    rows = packed[path.PATH_HEADER + count :].reshape(count, path.ARC)
    turns = packed[path.FIRST_TURN : path.LAST_TURN], packed[path.LAST_TURN : path.CYCLE_TURN]
    before = _end(packed, path.BEFORE, path.FIRST, rows[0, 1:5], turns[0])
    after = _end(packed, path.AFTER, path.LAST, rows[-1, 1:5], turns[1])
    return Pieces(times[0], times[-1], _spans(times, rows), before, after)


def _spans(times: Array, rows: Array) -> list[tuple[float, float, bytes]]:
    return [(times[i], times[i + 1], rows[i].tobytes()) for i in range(len(times) - 1)]


def _end(packed: Array, code: int, time: int, value: Array, slope: Array) -> tuple[object, ...]:
    """All that a curve's extrapolation depends on."""
    kind = int(packed[code])
    if kind == curve.HOLD:
        return kind, value.tobytes()
    if kind == curve.LINEAR:
        return kind, packed[time], value.tobytes(), slope.tobytes()
    return kind, packed.tobytes()


def _sample_changes(old: Samples | None, new: Samples | None) -> list[Interval]:
    if old is new or old == new:
        return []
    if old is None or new is None or _frames(old) != _frames(new):
        return [ALWAYS]
    differ = np.flatnonzero((old.values.array != new.values.array).any(axis=1))
    if not len(differ):
        return []
    if old.before in CYCLES or old.after in CYCLES:
        return [ALWAYS]
    final, first, last = old.frame_count - 1, int(differ[0]), int(differ[-1])
    # A frame bends the slopes of its neighbours, and at an end those of the two frames nearest to it.
    opens = first <= (0 if old.before == "hold" else 2)
    closes = last >= final - (0 if old.after == "hold" else 2)
    start = -math.inf if opens else old.time(max(first - 2, 0))
    return [(start, math.inf if closes else old.time(min(last + 2, final)))]


def _frames(samples: Samples) -> tuple[object, ...]:
    ends = (samples.before, samples.after)
    return (samples.coordinates, samples.rate, samples.start, samples.values.array.shape, *ends)
