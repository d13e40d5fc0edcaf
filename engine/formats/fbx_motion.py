"""Animations of an FBX scene, evaluated in every frame from the first key of a take to its last."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from engine.formats.fbx_library import all_held, held
from engine.formats.gltf_buffer import FLOAT, GltfBuffer, Json
from engine.maths.rotation_arrays import without_flips
from engine.runtime.errors import UnreadableFile

MOST_VALUES = 6_000_000  # transforms of all nodes in all frames of a take

_MOVING = frozenset(("Lcl Translation", "Lcl Rotation", "Lcl Scaling"))
_USUAL_RATE = 30.0
_STILL = 1e-7  # [m], or of a quaternion: less than that is no motion
_STEADY = 1e-4  # of a scale


def add_animations(path: Path, scene: Any, nodes: list[Any], buffer: GltfBuffer, notes: list[str]) -> None:
    """One animation for each take that moves something."""
    rate = float(scene.settings.frames_per_second)
    rate = rate if math.isfinite(rate) and 1.0 <= rate <= 1000.0 else _USUAL_RATE
    places, scaled = {each.element_id: place for place, each in enumerate(nodes)}, False
    clocks: dict[tuple[int, int], int] = {}
    for stack in all_held(scene.anim_stacks):
        moved, times = _moved(stack, places)
        if not moved or not times:
            continue
        first, last = math.floor(min(times) * rate + 1e-3), math.ceil(max(times) * rate - 1e-3)
        if (last - first + 1) * len(moved) > MOST_VALUES:
            remedy = "Export a part of it, or at a lower rate."
            raise UnreadableFile(path=path, found=f"a take of {last - first + 1:,} frames", remedy=remedy)
        if first < 0:
            notes.append(f"{stack.name or 'the motion'} begins before time 0 and was moved there")
        begins = max(first, 0)
        if (begins, last - first) not in clocks:
            seconds = (np.arange(last - first + 1) + begins) / rate
            clocks[begins, last - first] = buffer.array(seconds, FLOAT, bounds=True)
        samplers: list[Json] = []
        channels: list[Json] = []
        for place in sorted(moved):
            rows = _evaluated(path, held(stack.anim), nodes[place], first, last, rate)
            scaled = scaled or bool(np.ptp(rows[:, 7:], axis=0).max() > _STEADY)
            for name, values in (("translation", rows[:, :3]), ("rotation", rows[:, 3:7])):
                if np.ptp(values, axis=0).max() > _STILL or not _rests(buffer.json["nodes"][place], name, values[0]):
                    sampler = {"input": clocks[begins, last - first], "output": buffer.array(values, FLOAT)}
                    channels.append({"sampler": len(samplers), "target": {"node": place, "path": name}})
                    samplers.append(sampler)
        if channels:
            animations = buffer.json.setdefault("animations", [])
            animations.append({"name": stack.name or "motion", "samplers": samplers, "channels": channels})
    if scaled:
        notes.append("animations of scale, left out")


def _moved(stack: Any, places: dict[int, int]) -> tuple[set[int], list[float]]:
    """Which nodes a take moves, and the times of the first and last keys [s]."""
    moved, times = set[int](), list[float]()
    for layer in all_held(stack.layers):
        for each in layer.anim_props:
            element = held(each.element)
            if each.prop_name not in _MOVING or element.element_id not in places:
                continue
            moved.add(places[element.element_id])
            value = held(each.anim_value)
            for curve in value.curves:
                if held(curve) is not None and len(curve.keyframes):
                    times += [time for time in (curve.min_time, curve.max_time) if math.isfinite(time)]
    return moved, times


def _evaluated(path: Path, anim: Any, node: Any, first: int, last: int, rate: float) -> Any:
    """Translation, rotation and scale in each frame, shape [frame_count, 10]; rotations without jumps of sign."""
    found = np.empty((last - first + 1, 10))
    for row, frame in zip(found, range(first, last + 1), strict=True):
        one = node.evaluate_transform(anim, frame / rate)
        row[:3], row[3:7], row[7:] = one.translation, one.rotation, one.scale
    if not (np.abs(found) < 1e30).all():
        remedy = "Correct it where the file was made."
        raise UnreadableFile(path=path, found=f"a motion of {node.name} that is not finite", remedy=remedy)
    found[:, 3:7] = without_flips(found[:, 3:7])
    return found


def _rests(node: Json, name: str, value: Any) -> bool:
    return bool(np.abs(np.array(node[name]) - value).max() <= _STILL)
