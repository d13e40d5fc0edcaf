"""Curves of the graph editor: the channels of the selection, how their values are shown, their keys as arrays.

A curve is named by a `Channel`: actor, layer and coordinate; a speed curve by actor, layer and `SPEED` with the tick
on which its range starts. Values are shown in the unit in which they are read, or from -1 to 1 where each curve is
normalised: shown = gain * value + offset. Of a joint whose keys a layer joins as rotations, and of a ball, the curves
are what comes of that (`engine.queries.turning`): they have keys and no tangents. Brings numpy: not loaded before the
first paint.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from app.session.found_curves import FoundCurve
from app.session.selection import Selection
from app.style.units import ANGLE, FORCE, LENGTH, TORQUE, Unit
from app.timeline.keys import Channel, Flags, Picked
from engine.document import Actor, Document, Dof, Joint, Layer, Samples, SpeedRange, Track
from engine.document.keyed_part import KeyedPart
from engine.document.motion import ticks_per_frame
from engine.edits.poses import pose_layer
from engine.maths.arrays import Array
from engine.queries.chart_files import Drawn
from engine.queries.outline import Outline
from engine.queries.turning import Turning, turning_of_ball, turning_of_joint
from engine.runtime.quick_dataclass import dataclass

Ints = NDArray[np.int64]

PERCENT = Unit(suffix=" %", words="per cent", scale=100.0, decimals=1, step=1.0, coarse=10.0)
NUMBER = Unit(suffix="", words="", scale=1.0, decimals=3, step=0.01, coarse=0.1)
UNITS = {"hinge": ANGLE, "slide": LENGTH, "ball": NUMBER}
DRIVING = {"hinge": TORQUE, "slide": FORCE}  # units of what drives a joint
_SI = ((ANGLE, "rad"), (LENGTH, "m"), (TORQUE, "N m"), (FORCE, "N"))
SPEED = "speed from "  # begins the channel of a speed curve; no coordinate has a space in its id


@dataclass(frozen=True, eq=False, kw_only=True)
class Curve:
    """One channel."""

    channel: Channel
    group: str  # the joint, and the layer where several have keys of it
    name: str
    unit: Unit
    outline: Outline | None = None  # None: there are no keys
    samples: Samples | None = None  # what gives its values where there are no keys
    found: FoundCurve | None = None  # what a search has come to, which nobody may change
    constant: float = 0.0  # where there is none of these
    speed: SpeedRange | None = None
    turning: Turning | None = None  # of which it is one number, where its keys are joined as rotations
    of_motion: bool = True  # a curve of a layer, and not of what drives a joint
    gain: float = 1.0
    offset: float = 0.0
    read: dict[str, Array] = field(default_factory=dict)  # lines of its samples by coordinate, once they are asked for

    @property
    def label(self) -> str:
        """The name of the curve where it stands alone, with that of its group."""
        return f"{self.group} {self.name[:1].lower()}{self.name[1:]}"

    @property
    def track(self) -> Track | None:
        """The keys of the curve."""
        return None if self.outline is None else self.outline.track

    @property
    def sampled(self) -> Array | None:
        """Ticks and values of the curve's samples."""
        if self.found is not None:
            return np.stack((self.found.times, self.found.values), axis=1)
        if self.samples is None:
            return None
        name = self.channel.coordinate
        if name not in self.read:
            samples, column = self.samples, self.samples.coordinates.index(name)
            times = samples.start + np.rint(np.arange(samples.frame_count) * ticks_per_frame(samples.rate))
            self.read[name] = np.stack((times, samples.values.array[:, column].astype(np.float64)), axis=1)
        return self.read[name]

    def lines(self, start: float, end: float, time_step: float, value_step: float) -> Iterator[Array]:
        """Yield the line of the curve in a range, and its extrapolation: ticks and values. Steps span a pixel."""
        if self.turning is not None:
            yield from _line_of(self.turning, self.column, start, end, time_step)
        elif self.outline is not None:
            yield self.outline.line(start, end, time_step, value_step)
            yield from self.outline.beyond(start, end, time_step, value_step)
        elif self.sampled is not None:
            first, last = np.searchsorted(self.sampled[:, 0], (start, end)).tolist()
            yield _thinned(self.sampled[max(first - 1, 0) : last + 1], time_step)
        else:
            yield np.array([[start, self.constant], [end, self.constant]])

    @property
    def column(self) -> int:
        """The number of the curve among those of its rotation."""
        return 0 if self.turning is None else self.turning.names.index(self.channel.coordinate)

    @property
    def mute(self) -> bool:
        """True if the curve is muted."""
        return self.track is not None and self.track.mute

    def values_at(self, times: Array) -> Array:
        """Return the values at some times, as they are drawn."""
        if self.turning is not None:
            return self.turning.at(times)[:, self.column]
        if self.outline is not None:
            return self.outline.values_at(times)
        return np.full(len(times), self.constant) if self.sampled is None else np.interp(times, *self.sampled.T)

    def value_at(self, time: float) -> float:
        """Return the value at a time."""
        if self.turning is not None:
            return float(self.turning.at(np.array([float(time)]))[0, self.column])
        if self.outline is not None:
            return self.outline.value_at(time)
        return self.constant if self.sampled is None else float(np.interp(time, *self.sampled.T))

    def shown(self, value: float) -> float:
        """Convert a value to a height of the graph."""
        return self.gain * value + self.offset

    def meant(self, shown: float) -> float:
        """Convert a height of the graph to a value."""
        return (shown - self.offset) / self.gain


@dataclass(frozen=True, eq=False, kw_only=True)
class GraphCurves:
    """Curves and the keys of all of them."""

    curves: tuple[Curve, ...] = ()

    @cached_property
    def place_of(self) -> dict[Channel, int]:
        """The number of each curve."""
        return {curve.channel: place for place, curve in enumerate(self.curves)}

    @cached_property
    def first(self) -> Ints:
        """The number of each curve's first key, and of the end."""
        counts = [0 if curve.outline is None else len(curve.outline.time) for curve in self.curves]
        return np.concatenate(([0], np.cumsum(np.array(counts, dtype=np.int64))))

    @cached_property
    def time(self) -> Array:
        """The tick of each key."""
        return _joined(curve.outline.time for curve in self.curves if curve.outline is not None)

    @cached_property
    def shown(self) -> Array:
        """The height of each key."""
        with_keys = ((curve, curve.outline) for curve in self.curves if curve.outline is not None)
        return _joined(curve.gain * outline.value + curve.offset for curve, outline in with_keys)

    @cached_property
    def curve_of(self) -> Ints:
        """The number of each key's curve."""
        return np.repeat(np.arange(len(self.curves)), np.diff(self.first))

    def find(self, channel: Channel) -> Curve | None:
        """Return the curve of a channel."""
        place = self.place_of.get(channel)
        return None if place is None else self.curves[place]

    def flags(self, picked: Picked) -> Flags:
        """Return flags of the chosen keys; chosen ones that are no longer there are left out."""
        chosen = np.zeros(len(self.time), dtype=np.bool_)
        for channel, times in picked.items():
            place = self.place_of.get(channel)
            if place is not None:
                part = slice(self.first[place], self.first[place + 1])
                chosen[part] = np.isin(self.time[part], np.fromiter(times, dtype=np.float64, count=len(times)))
        return chosen

    def picked(self, chosen: Flags) -> dict[Channel, frozenset[int]]:
        """Return the chosen keys by channel."""
        found: dict[Channel, frozenset[int]] = {}
        for place in np.unique(self.curve_of[chosen]).tolist():
            part = slice(self.first[place], self.first[place + 1])
            ticks = self.time[part][chosen[part]].astype(np.int64).tolist()
            found[self.curves[place].channel] = frozenset(ticks)
        return found

    def seen(self, numbers: Iterable[int]) -> Flags:
        """Return flags of the keys of some curves."""
        flags: Flags = np.isin(self.curve_of, np.fromiter(numbers, dtype=np.int64))
        return flags


@dataclass(frozen=True, kw_only=True)
class Known:
    """A cache of what curves are made of: outlines by their track's `id`, paths of rotations by their curves."""

    outlines: dict[int, Outline] = field(default_factory=dict)
    turnings: Mapping[Channel, Turning] = field(default_factory=dict)

    def outline(self, track: Track) -> Outline:
        """Return the outline of a track."""
        if id(track) not in self.outlines:
            self.outlines[id(track)] = Outline.of(track)
        return self.outlines[id(track)]


def curves_of(
    document: Document,
    selection: Selection,
    before: GraphCurves | None = None,
    *,
    normalised: bool = False,
    found_curves: Iterable[FoundCurve] = (),
) -> GraphCurves:
    """Return the curves of the selection, those among them that were found and are in no document; outlines of tracks
    and lines of samples that are those of `before` are used again."""
    read = {id(each.samples): each.read for each in before.curves if each.samples} if before is not None else {}
    known = Known() if before is None else Known(
        outlines={id(each.track): each.outline for each in before.curves if each.outline},
        turnings={each.channel: each.turning for each in before.curves if each.turning},
    )  # fmt: skip
    found: dict[Channel, Curve] = {}
    for actor, joints, whole in _meant(document, selection):
        for curve in _curves_of_actor(actor, joints, known, read, whole=whole):
            found.setdefault(curve.channel, curve)
        own = (each for each in found_curves if each.actor == actor.id)
        found.update((curve.channel, curve) for each in own for curve in _found(each, joints))
    curves = tuple(map(_normalised if normalised else _in_units, found.values()))
    return GraphCurves(curves=curves)


def _meant(document: Document, selection: Selection) -> Iterator[tuple[Actor, tuple[Joint, ...], bool]]:
    """Return actors, their joints that are selected, and True for an actor that is selected as a whole."""
    for id in dict.fromkeys(item.actor for item in selection.items):
        actor = document.actor(id)
        parts = {item.part for item in selection.items if item.actor == id}
        whole = None in parts
        joints = tuple(joint for joint in actor.figure.joints if whole or joint.id in parts)
        yield actor, joints, whole


def _curves_of_actor(
    actor: Actor,
    joints: tuple[Joint, ...],
    known: Known,
    read: dict[int, dict[str, Array]],
    *,
    whole: bool,
) -> Iterator[Curve]:
    """Return the keyed curves of a whole actor; of a selected joint all, in the layer that its pose is kept in."""
    moving = [layer for layer in reversed(actor.layers) if layer.tracks or layer.samples is not None]
    names = {name: (dof, joint) for joint in joints for dof in joint.dofs for name in dof.coordinates}
    for joint in joints:
        own = [name for dof in joint.dofs for name in dof.coordinates]
        holding = [layer for layer in moving if any(name in layer.track_of or name in _sampled(layer) for name in own)]
        for layer in holding:
            turning = _turnings(actor, joint, layer, known)
            group = joint.name if len(holding) == 1 else f"{joint.name}, {layer.name}"
            for name in own:
                dof, track = names[name][0], layer.track_of.get(name)
                if track is not None or name in turning or name in _sampled(layer):
                    yield Curve(
                        channel=Channel(actor.id, layer.id, name), group=group, name=_name(dof, name),
                        unit=UNITS[dof.kind], samples=layer.samples if track is None else None,
                        read=read.setdefault(id(layer.samples), {}),
                        outline=None if track is None else known.outline(track), turning=turning.get(name),
                    )  # fmt: skip
        if not whole and actor.layers:
            for name in own:
                if not any(name in layer.track_of or name in _sampled(layer) for layer in holding):
                    yield _unkeyed(actor, joint, names[name][0], name)
    for layer in moving:
        yield from _speeds(actor, layer, names.keys())
    for part in actor.parts:
        if isinstance(part, KeyedPart):
            yield from _driving(actor, part, joints, known)


def _driving(actor: Actor, part: KeyedPart, joints: tuple[Joint, ...], known: Known) -> Iterator[Curve]:
    for joint in joints:
        for dof in joint.dofs:
            track = part.track_of.get(dof.id)
            if track is not None and dof.kind in DRIVING:
                yield Curve(
                    channel=Channel(actor.id, part.id, dof.id), group=f"{joint.name}, {part.name.lower()}",
                    name=dof.name, unit=DRIVING[dof.kind], outline=known.outline(track), of_motion=False,
                )  # fmt: skip


def _found(curve: FoundCurve, joints: tuple[Joint, ...]) -> Iterator[Curve]:
    for joint in joints:
        for dof in joint.dofs:
            if dof.id == curve.part and dof.kind in DRIVING:
                what = "force" if dof.kind == "slide" else "torque"
                yield Curve(
                    channel=Channel(curve.actor, curve.name, dof.id), group=f"{joint.name}, {what} {curve.name}",
                    name=dof.name, unit=DRIVING[dof.kind], found=curve, of_motion=False,
                )  # fmt: skip


def _turnings(actor: Actor, joint: Joint, layer: Layer, known: Known) -> dict[str, Turning]:
    """Return the path of rotations that each coordinate of a joint follows in a layer."""
    found = {}
    for dof in joint.dofs:
        old = known.turnings.get(Channel(actor.id, layer.id, dof.coordinates[0]))
        made = turning_of_ball(dof, layer, known.outline, old)
        if made is None and dof.kind == "hinge" and dof.id not in found:
            made = turning_of_joint(joint, layer, known.outline, old)
        if made is not None:
            found.update(dict.fromkeys(made.names, made))
    return found


def _unkeyed(actor: Actor, joint: Joint, dof: Dof, name: str) -> Curve:
    layer = pose_layer(actor)
    constant = layer.by_coordinate.get(name, float(dof.kind == "ball" and name.endswith(".w")))
    channel = Channel(actor.id, layer.id, name)
    return Curve(channel=channel, group=joint.name, name=_name(dof, name), unit=UNITS[dof.kind], constant=constant)


def _speeds(actor: Actor, layer: Layer, names: Set[str]) -> Iterator[Curve]:
    for number, speed in enumerate(layer.speed, start=1):
        if names & set(speed.coordinates):
            track = Track(coordinate=SPEED, keys=speed.keys)
            channel = Channel(actor.id, layer.id, f"{SPEED}{speed.start}")
            name = "Way travelled" if len(layer.speed) == 1 else f"Way travelled {number}"
            yield Curve(
                channel=channel, group=layer.name, name=name, unit=PERCENT, outline=Outline.of(track), speed=speed
            )  # fmt: skip


def _sampled(layer: Layer) -> tuple[str, ...]:
    return () if layer.samples is None else layer.samples.coordinates


def _thinned(line: Array, time_step: float) -> Array:
    """Reduce a line to what pixels show: of many samples in a pixel the lowest and the highest."""
    together = int(time_step * len(line) / max(line[-1, 0] - line[0, 0], 1.0))
    if together < 4:
        return line.copy()
    begins = np.arange(0, len(line), together)
    low, high = (each.reduceat(line[:, 1], begins) for each in (np.minimum, np.maximum))
    return np.stack((np.repeat(line[begins, 0], 2), np.stack((low, high), axis=1).ravel()), axis=1)


def _name(dof: Dof, name: str) -> str:
    return dof.name if len(dof.coordinates) == 1 else f"{dof.name} {name[-1]}"


def _in_units(curve: Curve) -> Curve:
    return replace(curve, gain=curve.unit.scale)


def _line_of(turning: Turning, column: int, start: float, end: float, time_step: float) -> Iterator[Array]:
    """Yield the line between the first and the last key, then those beyond."""
    line = turning.line(start, end, time_step)[:, [0, column + 1]]
    first, last = turning.time[[0, -1]]
    inside = (line[:, 0] >= first) & (line[:, 0] <= last)
    yield line[inside] if inside.any() else np.column_stack(([last], turning.at(turning.time[-1:])[:, column]))
    for beyond in (line[:, 0] <= first, line[:, 0] >= last):
        if beyond.sum() > 1:
            yield line[beyond]


def _normalised(curve: Curve) -> Curve:
    """Scale a curve to -1 at its lowest point and 1 at its highest, tangents included; a level curve stands at 0."""
    if curve.turning is not None:
        first, last = curve.turning.time[[0, -1]].tolist()
        values = curve.turning.at(np.union1d(np.linspace(first, last, 400), curve.turning.time))[:, curve.column]
    elif curve.outline is not None:
        values = np.concatenate((curve.outline.value, curve.outline.points[:, :, 1].ravel()))
    else:
        values = np.array([curve.constant]) if curve.sampled is None else curve.sampled[:, 1]
    low, high = float(values.min()), float(values.max())
    gain = 2.0 / (high - low) if high - low > 1e-9 else 1.0
    return replace(curve, gain=gain, offset=-gain * 0.5 * (low + high))


def _joined(parts: Iterable[Array]) -> Array:
    listed = list(parts)
    return np.concatenate(listed) if listed else np.empty(0)


def drawn_of(document: Document, curves: Iterable[Curve]) -> tuple[Drawn, ...]:
    """Return curves for a file: in the engine's units, with the actor's name where there are several."""
    found = tuple(curves)
    several = len({curve.channel.actor for curve in found}) > 1
    return tuple(
        Drawn(
            f"{document.actor(curve.channel.actor).name}, {curve.label}" if several else curve.label,
            next((name for unit, name in _SI if unit is curve.unit), "1"),
            curve.values_at,
        )
        for curve in found
    )
