"""Animations of a glTF file as layers.

Translations become three slides along the axes of the joint at rest, rotations three hinges in the order x, y, z after
the rest orientation: with rest q0, t0 and the accumulated scale s above the node, slide = s q0* (t - t0) q0 and
hinges = angles of q0* q. Linear rotations are slerps, so their keys are joined as rotations; stepped ones stay so;
cubic splines of quaternions, which the specification normalises after interpolation, are keyed anew 120 times a
second. Where every animated value has linear keys on the frames of one rate, the whole becomes samples at that rate.
After the glTF 2.0 specification, section 3.11 and appendix C.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from engine.document import Blob, Key, Layer, Samples, Track
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, Rate, frame_time
from engine.formats.gltf_file import GltfFile
from engine.formats.gltf_json import JsonItem
from engine.formats.gltf_nodes import GltfScene
from engine.formats.rates import WHOLE, rate_of
from engine.formats.text import counted, shown
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import euler_angles, matrices, rotation_matrix
from engine.runtime.quick_dataclass import dataclass

Way = Literal["STEP", "LINEAR", "CUBICSPLINE"]

MOST_KEYS = 3_000_000
SLOWEST = 20.0  # frames a second: more widely spaced keys stay keys

_XYZ = (0, 1, 2)
_SPLINE_RATE = 120


@dataclass
class GltfChannel:
    """One animated property of one node: values [n, 3 or 4] at rising times [s], with tangents of cubic splines."""

    node: int
    path: Literal["translation", "rotation"]
    way: Way
    times: Array
    values: Array
    tangents: tuple[Array, Array] | None


@dataclass
class Animation:
    """The channels of one animation that move joints."""

    name: str
    channels: list[GltfChannel]


def read_animations(file: GltfFile, notes: list[str]) -> list[Animation]:
    """All animations; what they do besides moving and turning nodes is said."""
    count, found, skipped = len(file.root.items("nodes")), [], set[str]()
    for place, item in enumerate(file.root.items("animations")):
        samplers, channels = item.items("samplers"), []
        for each in item.items("channels"):
            target = each.item("target")
            path = target.text("path") if target is not None else ""
            if target is None or not target.has("node") or path not in ("translation", "rotation"):
                skipped.add({"weights": "morph targets", "scale": "scale"}.get(path, shown(path)))
                continue
            sampler = samplers[each.index("sampler", len(samplers))]
            channels.append(_channel(file, sampler, target.index("node", count), path))
        if len({(each.node, each.path) for each in channels}) < len(channels):
            item.refuse("two channels for the same value of a node", "Write one.", "channels")
        if channels:
            found.append(Animation(item.text("name") or f"animation {place + 1}", channels))
    if skipped:
        notes.append(f"animations of {', '.join(sorted(skipped))}, left out")
    return found


def _channel(file: GltfFile, sampler: JsonItem, node: int, path: str) -> GltfChannel:
    way = sampler.text("interpolation", "LINEAR")
    if way not in ("STEP", "LINEAR", "CUBICSPLINE"):
        sampler.refuse(shown(way), "Write STEP, LINEAR or CUBICSPLINE.", "interpolation")
    times = file.array(sampler, "input", ("SCALAR",)).ravel()
    values = file.array(sampler, "output", ("VEC3",) if path == "translation" else ("VEC4",))
    each = 3 if way == "CUBICSPLINE" else 1
    if len(values) != each * len(times):
        found = f"{len(values)} values for {counted(len(times), 'time')}"
        sampler.refuse(found, f"Write {each} for each time.", "output")
    if (np.diff(times) < 0.0).any() or times.max() * TICKS_PER_SECOND > TICKS_LIMIT or times.min() < 0.0:
        sampler.refuse("times that do not rise from 0", "Write rising times in seconds.", "input")
    keep = np.append(np.diff(times) > 1e-8, True)
    if path == "rotation":
        values = np.roll(values, 1, axis=1)
        norms = np.linalg.norm(values[each // 2 :: each], axis=1)
        if not (norms > 1e-9).all():
            sampler.refuse("a rotation of norm 0", "Write unit quaternions.", "output")
    tangents = None
    if way == "CUBICSPLINE":
        tangents, values = (values[0::3][keep], values[2::3][keep]), values[1::3]
    values = values[keep]
    if path == "rotation" and way != "CUBICSPLINE":
        values = values / np.linalg.norm(values, axis=1, keepdims=True)
    fine: Way = "STEP" if way == "STEP" else "LINEAR" if way == "LINEAR" else "CUBICSPLINE"
    return GltfChannel(
        node, "translation" if path == "translation" else "rotation", fine, times[keep], values, tangents
    )


def layers_of(scene: GltfScene, animations: list[Animation], notes: list[str]) -> tuple[tuple[Layer, ...], Rate | None]:
    """One layer for each animation, the first of them heard; and the rate of its samples."""
    layers: list[Layer] = []
    rate: Rate | None = None
    for place, animation in enumerate(animations):
        channels = [each for each in animation.channels if each.node in scene.ids]
        if not channels:
            continue
        layer = _sampled(scene, channels, f"motion{place + 1 if place else ''}", animation.name)
        if layer is None:
            layer = _keyed(scene, channels, f"motion{place + 1 if place else ''}", animation.name, notes)
        rate = layer.samples.rate if layer.samples is not None and not layers else rate
        layers.append(replace(layer, mute=bool(layers)))
    if len(layers) > 1:
        notes.append(f"{len(layers)} animations, each a layer, all but the first muted")
    return tuple(layers), rate


def _coordinates(scene: GltfScene, channel: GltfChannel) -> list[str]:
    letter = "t" if channel.path == "translation" else "r"
    return [f"{scene.ids[channel.node]}.{letter}{each}" for each in "xyz"]


def _local(scene: GltfScene, channel: GltfChannel, values: Array, *, place: bool = True) -> Array:
    """Values of the file as slides [m] or as quaternions after the rest orientation; `place` False: tangents."""
    node = scene.nodes[channel.node]
    w, x, y, z = node.q
    if channel.path == "translation":
        above = scene.nodes[node.parent].scale if node.parent >= 0 else node.scale / node.s
        rest = rotation_matrix(node.q)
        return np.asarray((values - np.array(node.t) * place) @ rest * above)
    inverse = np.array([[w, x, y, z], [-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]])
    return np.asarray(values @ inverse.T)


def _angles(quaternions: Array) -> Array:
    unit = quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)
    return euler_angles(matrices(unit), _XYZ)


def _sampled(scene: GltfScene, channels: list[GltfChannel], id: str, name: str) -> Layer | None:
    """Samples, if all keys are linear and stand on the frames of one rate."""
    longest = max(channels, key=lambda each: len(each.times))
    times = longest.times
    if len(times) < 3 or any(each.way != "LINEAR" for each in channels):
        return None
    step = float(times[-1] - times[0]) / (len(times) - 1)
    if not 1e-6 < step <= 1.0 / SLOWEST:
        return None
    rate = rate_of(step, f"{step:.7f}" if step > 1e-3 else f"{step:.9f}")
    numbers = [each.times * rate[0] / rate[1] for each in channels]
    frames = [np.round(each) for each in numbers]
    slack = 1e-3 + 3e-7 * float(times[-1]) * rate[0] / rate[1]
    if any((np.abs(a - b) > slack).any() for a, b in zip(numbers, frames, strict=True)) or slack > 0.25:
        return None
    first, last = int(min(each[0] for each in frames)), int(max(each[-1] for each in frames))
    if last - first + 1 > 2 * len(times) + 2:
        return None
    grid = np.arange(first, last + 1, dtype=float)
    columns = []
    for channel, at in zip(channels, frames, strict=True):
        values = _local(scene, channel, channel.values)
        turns = channel.path == "rotation"
        filled = values if np.array_equal(at, grid) else _between(at, values, grid, turns=turns)
        columns.append(_angles(filled) if turns else filled)
    names = tuple(each for channel in channels for each in _coordinates(scene, channel))
    blob = Blob(np.concatenate(columns, axis=1))
    samples = Samples(coordinates=names, values=blob, rate=rate, start=frame_time(first, rate))
    return Layer(id=id, name=name, samples=samples)


def _between(at: Array, values: Array, wanted: Array, *, turns: bool) -> Array:
    """Linear interpolation, along great arcs for quaternions; held before the first and after the last."""
    if len(at) == 1:
        return np.tile(values, (len(wanted), 1))
    left = np.clip(np.searchsorted(at, wanted, side="right") - 1, 0, len(at) - 2)
    share = np.clip((wanted - at[left]) / (at[left + 1] - at[left]), 0.0, 1.0)[:, None]
    a, b = values[left], values[left + 1]
    if not turns:
        return np.asarray(a + share * (b - a))
    dot = np.sum(a * b, axis=1, keepdims=True)
    b, angle = np.where(dot < 0.0, -b, b), np.arccos(np.minimum(np.abs(dot), 1.0))
    sine = np.sin(angle)
    near = sine < 1e-6
    safe = np.where(near, 1.0, sine)
    first = np.where(near, 1.0 - share, np.sin((1.0 - share) * angle) / safe)
    second = np.where(near, share, np.sin(share * angle) / safe)
    return np.asarray(first * a + second * b)


def _keyed(scene: GltfScene, channels: list[GltfChannel], id: str, name: str, notes: list[str]) -> Layer:
    tracks, turning, splines = [], [], 0
    for channel in channels:
        if channel.path == "rotation" and channel.way == "CUBICSPLINE":
            channel = _without_spline(channel)
            splines += 1
        ticks = _ticks(channel.times)
        values, slopes = _local(scene, channel, channel.values), None
        if channel.path == "rotation":
            values = _angles(values)
            if channel.way == "LINEAR":
                turning.append(scene.ids[channel.node])
        elif channel.tangents is not None:
            slopes = [_local(scene, channel, each, place=False) for each in channel.tangents]
        for column, coordinate in enumerate(_coordinates(scene, channel)):
            inner = outer = np.zeros(len(ticks))
            if slopes is not None:
                inner, outer = slopes[0][:, column], slopes[1][:, column]
            keys = _keys(channel.way, ticks, values[:, column], inner, outer)
            tracks.append(Track(coordinate=coordinate, keys=keys))
    if splines:
        note = f"{counted(splines, 'cubic spline')} of rotations in {name}, keyed {_SPLINE_RATE} times a second"
        notes.append(note)
    order = sorted(turning, key=list(scene.ids.values()).index)
    return Layer(id=id, name=name, tracks=tuple(tracks), quaternions=tuple(order), quaternion_mode="slerp")


def _keys(way: Way, ticks: list[int], values: Array, inner: Array, outer: Array) -> tuple[Key, ...]:
    rows = zip(ticks, values.tolist(), inner.tolist(), outer.tolist(), strict=True)
    if way == "CUBICSPLINE":
        return tuple(Key(time, value, "cubic", "free", before, after) for time, value, before, after in rows)
    return tuple(Key(time, value, "stepped" if way == "STEP" else "linear") for time, value, _, _ in rows)


def _ticks(times: Array) -> list[int]:
    """Ticks of times [s], on the frames of a usual rate if all are within rounding of them; rising."""
    for rate in WHOLE:
        frames = np.round(times * rate)
        if (np.abs(times - frames / rate) <= 2e-6 + 2e-7 * times).all() and (np.diff(frames) > 0).all():
            return [frame_time(int(each), (rate, 1)) for each in frames]
    found: list[int] = []
    for each in np.round(times * TICKS_PER_SECOND).astype(np.int64).tolist():
        found.append(max(each, found[-1] + 1) if found else each)
    return found


def _without_spline(channel: GltfChannel) -> GltfChannel:
    """Linear keys close to each other in place of a cubic spline (specification, appendix C.5)."""
    times, values = channel.times, channel.values
    assert channel.tangents is not None
    inner, outer = channel.tangents
    if len(times) == 1 or (times[-1] - times[0]) * _SPLINE_RATE > MOST_KEYS:
        return GltfChannel(channel.node, "rotation", "LINEAR", times, _normalised(values), None)
    steps = [max(1, int(np.ceil(each * _SPLINE_RATE - 1e-6))) for each in np.diff(times)]
    new_times, new_values = [times[:1]], [values[:1]]
    for k, count in enumerate(steps):
        span = times[k + 1] - times[k]
        u = (np.arange(1, count + 1) / count)[:, None]
        value = (2 * u**3 - 3 * u**2 + 1) * values[k] + (3 * u**2 - 2 * u**3) * values[k + 1]
        value += span * ((u**3 - 2 * u**2 + u) * outer[k] + (u**3 - u**2) * inner[k + 1])
        new_times.append(times[k] + span * u[:, 0])
        new_values.append(value)
    return GltfChannel(
        channel.node, "rotation", "LINEAR", np.concatenate(new_times), _normalised(np.concatenate(new_values)), None
    )


def _normalised(values: Array) -> Array:
    norms = np.linalg.norm(values, axis=1, keepdims=True)
    unit = values / np.where(norms < 1e-12, 1.0, norms)
    unit[norms[:, 0] < 1e-12] = (1.0, 0.0, 0.0, 0.0)
    return np.asarray(unit)
