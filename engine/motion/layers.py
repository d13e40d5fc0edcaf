"""Layers compiled for the kernels: which coordinates a layer gives, and from what.

A track comes before samples, samples before a constant; a muted track is as none. A ball is one thing: where a layer
names one of its numbers it gives all four (the rest pose's where nothing gives them), and a mask touches it only by
naming all four. A joint listed in `quaternions` follows a path of rotations where this layer gives all three of its
angles, one or more of them by keys and none by samples; otherwise, and where its hinges are not of the twelve orders,
it stays on its Euler curves. A correction is added to what all that has given, in the time of the scene: speed curves
of the layer do not time it.
"""

from __future__ import annotations

import math
from collections.abc import Generator

import numpy as np

from engine.document import Correction, Dof, Figure, Layer, Samples, SpeedRange, Track
from engine.document.motion import TICKS_PER_SECOND
from engine.maths.arrays import Array, IntArray
from engine.model.compile import rest_value
from engine.motion import layer_kernels as layout
from engine.motion.bells import pack_bell
from engine.motion.curves import CODES, pack_track
from engine.motion.layer_kernels import measure_speeds
from engine.motion.paths import Hinges, Source, hinges_of, pack_ball, pack_hinges
from engine.motion.speed import measure_table
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass

_NO_SAMPLES = np.empty((0, 0))
_NO_SAMPLES.flags.writeable = False


@dataclass(frozen=True, eq=False)
class CompiledLayer:
    """A layer's packed arrays, and the packed form of each of its tracks for the next compilation."""

    layer: Layer
    ints: IntArray
    floats: Array
    samples: Array
    work: Array  # written by every evaluation
    tracks: dict[str, tuple[Track, Array]]


def compile_layer(figure: Figure, layer: Layer, before: CompiledLayer | None = None) -> CompiledLayer:
    """Pack a layer; what `before` packed of tracks that are still the same objects is used again."""
    return finish(compile_layer_gradually(figure, layer, before))


def compile_layer_gradually(
    figure: Figure, layer: Layer, before: CompiledLayer | None = None
) -> Generator[float, None, CompiledLayer]:
    """Compile a layer as `compile_layer` does, in slices: one for each track that has to be packed."""
    known = before.tracks if before is not None else {}
    tracks: dict[str, tuple[Track, Array]] = {}
    for place, track in enumerate(layer.heard.values()):
        old = known.get(track.coordinate)
        if old is not None and old[0] is track:
            tracks[track.coordinate] = old
        else:
            tracks[track.coordinate] = (track, pack_track(track))
            yield place / len(layer.tracks)
    parts = _Parts(figure, layer, tracks)
    samples = _sample_array(layer.samples)
    work = np.zeros((len(parts.slots) + layout.WORK_ROWS + parts.corrected_rows, 4))
    ints, floats = parts.packed()
    for speed in layer.speed:
        table = _measure(parts, speed, ints, floats, samples, work)
        if table is not None:
            parts.add_speed(speed, table)
    if layer.speed:
        ints, floats = parts.packed()
    return CompiledLayer(layer, ints, floats, samples, work, tracks)


class _Parts:
    """The entries and numbers of a layer while they are gathered."""

    def __init__(self, figure: Figure, layer: Layer, tracks: dict[str, tuple[Track, Array]]) -> None:
        self.layer = layer
        span = layer.span
        timing = (span.start, span.end, span.ease_in, span.ease_out) if span is not None else (0, 0, 0, 0)
        self.blocks: list[Array] = [np.array([layer.weight, *timing], dtype=np.float64)]
        self.size = layout.LAYER_FLOATS
        self.tracks = tracks
        self.columns = {} if layer.samples is None else {name: i for i, name in enumerate(layer.samples.coordinates)}
        named = tracks.keys() | self.columns.keys() | layer.by_coordinate.keys()
        touched = {figure.coordinate_dof[name].id for name in named}
        self.dofs = [dof for dof in figure.dofs if dof.id in touched]
        self.slots = {name: slot for slot, name in enumerate(name for dof in self.dofs for name in dof.coordinates)}
        self.lists: dict[int, list[int]] = {start: [] for start in range(layout.CONSTANTS, layout.LAYER_HEADER, 2)}
        self.sample_floats = 0 if layer.samples is None else self.add(_sample_header(layer.samples))
        for dof in self.dofs:
            if dof.kind == "ball":
                self._add_ball(dof)
            else:
                self._add_number(dof.id)
        for id in layer.quaternions:
            joint = figure.joints[figure.joint_index[id]] if id in figure.joint_index else None
            hinges = hinges_of(joint) if joint is not None else None
            if hinges is not None:
                self._add_hinges(hinges)
        self._add_targets(figure)
        self.corrected_rows = 0
        if layer.correction is not None:
            self._add_correction(figure, layer.correction)

    def add(self, block: Array) -> int:
        """Append a block of numbers; return where it begins."""
        self.blocks.append(block)
        self.size += len(block)
        return self.size - len(block)

    def source(self, name: str, rest: float = 0.0) -> Source:
        """A track or a constant."""
        track = self.tracks.get(name)
        return track if track is not None else self.layer.by_coordinate.get(name, rest)

    def add_speed(self, speed: SpeedRange, table: Array) -> None:
        """A speed curve over a measured path."""
        named = self.named_slots(speed)
        curve = self.add(pack_track(Track(coordinate="speed", keys=speed.keys)))
        self.lists[layout.SPEEDS] += [self.add(table), curve, len(named), len(self.lists[layout.NAMED])]
        self.lists[layout.NAMED] += named

    def named_slots(self, speed: SpeedRange) -> list[int]:
        """Slots of the coordinates whose path is measured."""
        return [self.slots[name] for name in speed.coordinates if name in self.slots]

    def packed(self) -> tuple[IntArray, Array]:
        """The two read-only buffers."""
        header = [0] * layout.LAYER_HEADER
        entries: list[int] = []
        header[layout.ADDS], header[layout.HAS_SPAN] = self.layer.mode == "add", self.layer.span is not None
        header[layout.SLOT_COUNT], header[layout.SAMPLE_FLOATS] = len(self.slots), self.sample_floats
        header[layout.CORRECTED_ROWS] = self.corrected_rows
        for start, each in self.lists.items():
            header[start] = layout.LAYER_HEADER + len(entries)
            entries += each
            header[start + 1] = layout.LAYER_HEADER + len(entries)
        ints, floats = np.array(header + entries, dtype=np.int32), np.concatenate(self.blocks)
        ints.flags.writeable = floats.flags.writeable = False
        return ints, floats

    def _add_number(self, name: str) -> None:
        slot = self.slots[name]
        if name in self.tracks:
            self.lists[layout.CURVES] += [slot, self.add(self.tracks[name][1])]
        elif name in self.columns:
            self.lists[layout.COLUMNS] += [slot, self.columns[name]]
        else:
            self._add_constant(slot, self.layer.by_coordinate[name])

    def _add_constant(self, slot: int, value: float) -> None:
        self.lists[layout.CONSTANTS] += [slot, self.add(np.array([value]))]

    def _add_ball(self, dof: Dof) -> None:
        names = dof.coordinates
        if any(name in self.tracks for name in names):
            path = pack_ball(self.layer, [self.source(name, rest_value(name, dof)) for name in names])
            self.lists[layout.PATHS] += [self.add(path), 1, self.slots[names[0]], *[0] * (layout.PATH_ENTRY - 3)]
        elif all(name in self.columns for name in names):
            self.lists[layout.SAMPLED_BALLS] += [self.slots[names[0]], *(self.columns[name] for name in names)]
        else:
            numbers = [self.layer.by_coordinate.get(name, rest_value(name, dof)) for name in names]
            norm = math.hypot(*numbers)
            for name, number in zip(names, numbers, strict=True):
                self._add_constant(
                    self.slots[name], number / norm if abs(norm - 1.0) > 4e-16 and norm > 0.0 else number
                )

    def _add_hinges(self, hinges: Hinges) -> None:
        names = hinges.coordinates
        given = all(name in self.tracks or name in self.layer.by_coordinate for name in names)
        keyed = any(name in self.tracks for name in names)
        if not given or not keyed or any(name in self.columns and name not in self.tracks for name in names):
            return
        path = pack_hinges(hinges, self.layer, [self.source(name) for name in names])
        slots = [self.slots[name] for name in names]
        self.lists[layout.PATHS] += [self.add(path), 0, *slots, *hinges.order, *hinges.signs]

    def _add_targets(self, figure: Figure) -> None:
        allowed = None if self.layer.mask is None else set(self.layer.mask)
        for dof in self.dofs:
            if allowed is None or allowed.issuperset(dof.coordinates):
                first = dof.coordinates[0]
                kind = layout.BALLS if dof.kind == "ball" else layout.SINGLES
                self.lists[kind] += [self.slots[first], figure.coordinate_index[first]]

    def _add_correction(self, figure: Figure, correction: Correction) -> None:
        """The degrees of freedom that it touches, and each term's numbers for all of them."""
        allowed = None if self.layer.mask is None else set(self.layer.mask)
        named = {figure.coordinate_dof[name].id for name in correction.coordinates}
        rates: list[str] = []
        for dof in figure.dofs:
            if dof.id in named and (allowed is None or allowed.issuperset(dof.coordinates)):
                is_ball = dof.kind == "ball"
                self.lists[layout.CORRECTED] += [is_ball, figure.coordinate_index[dof.coordinates[0]], len(rates)]
                rates += dof.rates
        self.corrected_rows = len(rates)
        for term in correction.terms if rates else ():
            columns = (dict(term.amplitudes), dict(term.wiggles))
            numbers = np.array([column.get(name, 0.0) for name in rates for column in columns])
            self.lists[layout.TERMS].append(self.add(np.concatenate((pack_bell(term.bell), numbers))))


def _measure(
    parts: _Parts, speed: SpeedRange, ints: IntArray, floats: Array, samples: Array, work: Array
) -> Array | None:
    named = np.array(parts.named_slots(speed), dtype=np.int32)
    if not len(named):
        return None

    def measured(times: Array) -> Array:
        speeds = np.empty(len(times))
        measure_speeds(ints, floats, samples, named, times, work, speeds)
        return speeds

    return measure_table(measured, _edges(parts.layer, speed))


def _edges(layer: Layer, speed: SpeedRange) -> Array:
    """The times within a range at which the layer's curves go from one span to the next; cycles are not unrolled."""
    times = {speed.start, speed.end}
    for track in layer.heard.values():
        times.update(key.time for key in track.keys if speed.start < key.time < speed.end)
    if layer.samples is not None:
        frames = (layer.samples.time(frame) for frame in range(layer.samples.frame_count))
        times.update(time for time in frames if speed.start < time < speed.end)
    return np.array(sorted(times), dtype=np.float64)


def _sample_array(samples: Samples | None) -> Array:
    if samples is None:
        return _NO_SAMPLES
    array = np.ascontiguousarray(samples.values.array, dtype=np.float64)
    array.flags.writeable = False
    return array


def _sample_header(samples: Samples) -> Array:
    """The numbers that `engine.motion.sample_kernels` reads."""
    frames, seconds = samples.rate
    whole, part = divmod(TICKS_PER_SECOND * seconds, frames)
    shared = math.gcd(part, frames)
    ends = (samples.time(0), samples.time(samples.frame_count - 1))
    codes = (CODES[samples.before], CODES[samples.after])
    return np.array([*ends, *codes, whole, part // shared, frames // shared], dtype=np.float64)
