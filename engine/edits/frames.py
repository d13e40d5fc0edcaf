"""Samples whose time is laid out anew, and samples as keys.

Frames stay frames of the same rate. The grid is that of the first old frame that is still there, so that edits by
whole frames copy rows; values between frames come from the curve that is on screen, which needs the engine's kernels
(on the engine's thread only).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from engine.document import Blob, Clip, Figure, Key, Layer, Samples, Track
from engine.document.motion import frame_time, ticks_per_frame
from engine.edits.stretches import Layout, Stretch, sample_extent
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidDocument

MOST_FRAMES = 1_000_000  # that an edit may make of samples


def read_frames(figure: Figure, samples: Samples, times: Array) -> Array:
    """Values at times [ticks] from the first to the last frame, beyond them those of the ends; exact on frames."""
    first, last = sample_extent(samples)
    wanted = np.clip(times, first, last)
    frames = np.rint((wanted - first) / ticks_per_frame(samples.rate)).astype(np.int64)
    ticks = np.array([samples.time(frame) for frame in frames.tolist()], dtype=np.float64)
    values = np.array(samples.values.array[frames], dtype=np.float64)
    away = np.abs(ticks - wanted) > 1.0
    if away.any():
        from engine.motion.motion import compile_motion

        motion = compile_motion(figure, (Layer(id="samples", samples=samples),)).at(wanted[away])
        values[away] = motion[:, 0, [figure.coordinate_index[name] for name in samples.coordinates]]
    return values


def frames_within(samples: Samples, length: int) -> int:
    """Count the frames at the rate of samples that lie within so many ticks; refused where they are more than an edit
    may make."""
    wanted, most = round(length / ticks_per_frame(samples.rate)) + 1, max(MOST_FRAMES, samples.frame_count)
    if wanted > most:
        allowed = f"up to {most}; loop or stretch a shorter range, or make keys of the samples first"
        raise InvalidDocument(what="the frames of samples laid out anew", value=wanted, allowed=allowed)
    count = max(wanted - 1, 1)
    while frame_time(count, samples.rate) <= length:
        count += 1
    return count


def crop(figure: Figure, samples: Samples, start: int, end: int) -> Samples:
    """The frames of a range, counted from its start: those that lie in it, read anew where none stands on it."""
    count = frames_within(samples, end - start)
    first = round((start - samples.start) / ticks_per_frame(samples.rate))
    last = first
    while samples.time(last + 1) <= end:
        last += 1
    if first >= 0 and last < samples.frame_count and abs(samples.time(first) - start) <= 1:
        return replace(
            samples, values=Blob(samples.values.array[first : last + 1]), start=0, before="hold", after="hold"
        )
    times = np.array([start + frame_time(frame, samples.rate) for frame in range(count)], dtype=np.float64)
    values = Blob(read_frames(figure, samples, times))
    return replace(samples, values=values, start=0, before="hold", after="hold")


def sampled_tracks(samples: Samples, names: Iterable[str], length: int) -> dict[str, Track]:
    """A key for each frame up to a tick, joined by lines, for some coordinates."""
    column = {name: place for place, name in enumerate(samples.coordinates)}
    times = [samples.time(frame) for frame in range(samples.frame_count)]
    made = {}
    for name in names:
        values = samples.values.array[:, column[name]].tolist()
        keys = [Key(time, value, interpolation="linear") for time, value in zip(times, values, strict=True)]
        if keys[-1].time < length:
            keys.append(replace(keys[-1], time=length))
        if keys[0].time > 0:
            keys.insert(0, replace(keys[0], time=0))
        made[name] = Track(coordinate=name, keys=tuple(keys))
    return made


def frames_of_clip(layout: Layout) -> Samples | None:
    """The samples of the clip that is pasted, if there are any, where it is pasted."""
    samples = None if layout.clip is None else layout.clip.samples
    if samples is None:
        return None
    start = next(each.start for each in layout.stretches if each.origin == "clip")
    return replace(samples, start=start + samples.start)


def lay_out_samples(figure: Figure, samples: Samples, layout: Layout) -> Samples:
    """The samples in new time; the identical object where they have no part in the change."""
    first, last = sample_extent(samples)
    shared = layout.clip is not None and set(layout.clip.coordinates) & set(samples.coordinates)
    if not shared:
        if layout.clip is not None and not layout.shifts:
            return samples
        if last <= layout.start:
            return samples
        if first >= layout.source_end:
            return replace(samples, start=first + layout.shift) if layout.shift else samples
    ticks = _grid(samples, layout, bool(shared))
    if not ticks:
        return samples
    values = np.empty((len(ticks), len(samples.coordinates)))
    times = np.array(ticks, dtype=np.float64)
    ends = layout.holds_ends and last <= layout.source_end
    stretches = layout.stretches[: -1 if ends else None]
    for number, each in enumerate(stretches):
        final = number == len(stretches) - 1
        inside = (times >= each.start) & ((times < each.end) | final)
        if inside.any():
            values[inside] = _rows(figure, samples, each, times[inside], layout.clip)
    _normalise(figure, samples, values)
    return replace(samples, values=Blob(values), start=ticks[0])


def _grid(samples: Samples, layout: Layout, shared: bool) -> list[int]:
    """The ticks of the new frames."""
    first, last = sample_extent(samples)
    images: list[tuple[int, int]] = []
    anchor: int | None = None
    for each in layout.stretches:
        low, high = max(first, each.source), min(last, each.source_end)
        if each.origin == "clip" and shared:
            images.append((each.start, each.end))
        elif each.origin in ("hold", "bridge", "clip"):
            if first < each.source <= last and first < each.source_end:
                images.append((each.start, each.end))
        elif low <= high:
            ends = sorted((each.new_time(low), each.new_time(high)))
            images.append((ends[0], ends[1]))
            if anchor is None and not each.backward:
                frame = int(np.ceil((low - first) / ticks_per_frame(samples.rate) - 1e-9))
                anchor = each.new_time(samples.time(frame)) if samples.time(frame) <= high else None
    if not images:
        return []
    start, end = min(image[0] for image in images), max(image[1] for image in images)
    frames_within(samples, end - start)
    anchor = start if anchor is None else anchor
    before = 0
    while anchor - frame_time(before + 1, samples.rate) >= start:
        before += 1
    start = anchor - frame_time(before, samples.rate)
    return [start + frame_time(frame, samples.rate) for frame in range(frames_within(samples, end - start))]


def _rows(figure: Figure, samples: Samples, each: Stretch, times: Array, clip: Clip | None) -> Array:
    if each.origin == "bridge":
        ends = read_frames(figure, samples, np.array([each.source, each.source_end], dtype=np.float64))
        for ball in _balls(figure, samples):
            ends[1, ball] *= -1.0 if ends[0, ball] @ ends[1, ball] < 0.0 else 1.0
        share = (times - each.start)[:, None] / (each.end - each.start)
        return np.asarray(ends[0] + share * (ends[1] - ends[0]))
    if each.origin == "clip":
        own = np.full(len(times), float(each.source)) if each.inserted else times
        values = read_frames(figure, samples, own)
        return _pasted(figure, samples, values, times - each.start, clip)
    sources = np.array([each.source_time(time) for time in times.tolist()])
    values = read_frames(figure, samples, sources)
    if each.repeat:
        ends = read_frames(figure, samples, np.array([each.source, each.source_end], dtype=np.float64))
        jump = ends[1] - ends[0]
        for ball in _balls(figure, samples):
            jump[ball] = 0.0
        values += each.repeat * jump
    return values


def _pasted(figure: Figure, samples: Samples, values: Array, times: Array, clip: Clip | None) -> Array:
    """The values with those that the clip gives at times from its start."""
    if clip is None:
        return values
    column = {name: place for place, name in enumerate(samples.coordinates)}
    if clip.samples is not None:
        rows = read_frames(figure, clip.samples, times)
        for place, name in enumerate(clip.samples.coordinates):
            if name in column:
                values[:, column[name]] = rows[:, place]
    keyed = [track for track in clip.tracks if track.coordinate in column]
    if keyed:
        from engine.motion.curves import evaluate_track

        for track in keyed:
            values[:, column[track.coordinate]] = evaluate_track(track, times)[:, 0]
    return values


def _balls(figure: Figure, samples: Samples) -> list[list[int]]:
    column = {name: place for place, name in enumerate(samples.coordinates)}
    balls = [dof.coordinates for dof in figure.dofs if dof.kind == "ball"]
    return [[column[name] for name in names] for names in balls if all(name in column for name in names)]


def _normalise(figure: Figure, samples: Samples, out_values: Array) -> None:
    for ball in _balls(figure, samples):
        norm = np.linalg.norm(out_values[:, ball], axis=1, keepdims=True)
        off = np.abs(norm[:, 0] - 1.0) > 1e-12
        out_values[np.ix_(off, ball)] /= np.where(norm[off] > 1e-9, norm[off], 1.0)
