"""Figures with locks, for tests of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from engine.document import Actor, Document, Figure, Key, Layer, Lock, Placement, Span, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats import motion_toml
from engine.formats.figure_toml import load_figure
from engine.formats.format import Options
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import quaternion_of

KEPT = 1e-8  # [m], and of the length of an axis' difference
LEFT, RIGHT = "ankle_left", "ankle_right"
SPAN = Span(start=SECOND, end=3 * SECOND, ease_in=SECOND // 2, ease_out=SECOND // 2)


@cache
def human() -> Figure:
    return load_figure("human")


@cache
def walker() -> Actor:
    """The walk that ships."""
    contents = motion_toml.FORMAT.read(Path("resources/motions/walk.motion.toml"), Options())  # type: ignore[misc]
    assert contents.figure is not None
    return Actor(id="one", name="Walker", figure=contents.figure, layers=contents.layers)


def track(name: str, *keys: tuple[float, float]) -> Track:
    return Track(coordinate=name, keys=tuple(Key(round(time * SECOND), value) for time, value in keys))


def crouch(id: str = "one", *, depth: float = 0.15, x: float = 0.0) -> Actor:
    """A human whose keys alone let the pelvis sink and rise, tilt and turn, with straight legs."""
    tracks = (
        track("pelvis.move_y", (0.0, 0.0), (2.0, -depth), (4.0, 0.0)),
        track("pelvis.tilt", (0.0, 0.0), (2.0, 0.3), (4.0, 0.0)),
        track("pelvis.turn", (0.0, 0.0), (1.0, 0.2), (4.0, 0.0)),
    )
    layers = (Layer(id="pose", tracks=tracks),)
    return Actor(id=id, name=id, figure=human(), layers=layers, placement=Placement(position=(x, 0.0, 0.0)))


def frame(evaluator: Evaluator, document: Document, actor: str, joint: str, time: int) -> Array:
    index = document.actor(actor).figure.joint_index[joint]
    return np.asarray(evaluator.joint_transforms(document, actor, time)[index])


def held(actor: Actor, joint: str, *, time: int = 0, id: str = "", **fields: Any) -> Lock:
    """A lock at the place where the actor's own layers have the joint at a time."""
    alone = Document(actors=(replace(actor, locks=()),))
    place = frame(Evaluator(), alone, actor.id, joint, time)
    x, y, z = (place[:, 3] + place[:, :3] @ np.array(fields.get("point", (0.0, 0.0, 0.0)))).tolist()
    made: dict[str, Any] = {"axes": ("i", "j"), "position": (x, y, z), "rotation": quaternion_of(place), **fields}
    return Lock(id=id or joint, name=joint, joint=joint, **made)


def planted(**fields: Any) -> Document:
    actor = crouch()
    return Document(actors=(replace(actor, locks=(held(actor, LEFT, **fields), held(actor, RIGHT, **fields))),))


def frames(count: int = 120) -> Iterable[int]:
    """Frames of four seconds, and times between them."""
    return (frame_time(each, (30, 1)) + (each % 3) * SECOND // 97 for each in range(count))


def away(evaluator: Evaluator, document: Document, lock: Lock, actor: str, time: int) -> float:
    """How far a point lock in the world is from being kept."""
    now = frame(evaluator, document, actor, lock.joint, time)
    off = float(np.abs(now[:, 3] + now[:, :3] @ np.array(lock.point) - lock.position).max())
    return max(off, 1.0 - abs(float(np.dot(quaternion_of(now), lock.rotation))) if lock.axes else 0.0)


def seen(document: Document, time: int = 0) -> Array:
    return np.asarray(Evaluator().coordinates(document, "one", [time])[0])


def posed(values: dict[str, float], *locks: Lock, **fields: Any) -> Document:
    """The human in a pose, with locks where the rest pose has their parts."""
    layer = Layer(id="pose", values=tuple(values.items()))
    return Document(actors=(Actor(id="one", name="one", figure=human(), layers=(layer,), locks=locks, **fields),))


def rest_lock(joint: str, **fields: Any) -> Lock:
    return held(posed({}).actors[0], joint, **fields)
