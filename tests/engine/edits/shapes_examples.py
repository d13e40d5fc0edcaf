"""A random example of each edit of blend shapes."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.document import Document, Key
from engine.document.motion import Extrapolation
from engine.edits import Edit, edit
from engine.shapes.parts import POSES, VELOCITIES, BlendShapes, ShapeTarget
from engine.shapes.system import SYSTEM
from engine.shapes.uses import blend_shapes
from tests.engine.edits.examples import SECOND, new_id
from tests.engine.shapes.surfaces import a_shape, a_surface, ball_actor

SHAPES_EDITS = tuple(name for _, name, _ in SYSTEM.edits)
EXTRAPOLATIONS: tuple[Extrapolation, ...] = ("hold", "linear", "cycle")

Example = Callable[[Random, BlendShapes], dict[str, Any]]


def shapes_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name, or one that has to come before it."""
    shaped = [actor for actor in document.actors if blend_shapes(actor) is not None]
    if name == "add_shaped_actor" and (not shaped or random.random() < 0.2):
        return edit(name, actor=ball_actor(new_id(random)))
    name = "set_shape_motion" if name == "add_shaped_actor" else name
    actor = random.choice(shaped or document.actors)
    surface = blend_shapes(actor)
    if name == "put_blend_shapes" or surface is None:
        return edit("put_blend_shapes", actor=actor.id, shapes=a_surface(a_shape(new_id(random))))
    if name in _OF_SHAPES and not surface.shapes:
        name = "add_blend_shape"
    if name in ("remove_shape_target", "set_shape_target") and not surface.targets:
        name = "add_shape_target"
    return edit(name, actor=actor.id, **_EXAMPLES[name](random, surface))


def _of_shape(make: Example) -> Example:
    return lambda random, surface: {"shape": random.choice(surface.shapes).id, **make(random, surface)}


def _keys(random: Random) -> tuple[Key, ...]:
    return tuple(Key(time * SECOND, random.uniform(0.0, 1.0)) for time in sorted(random.sample(range(9), k=3)))


def _times(random: Random) -> tuple[int, ...]:
    return tuple(time * SECOND for time in random.sample(range(9), k=4))


def _free_time(random: Random, surface: BlendShapes) -> int:
    taken = {each.time for each in surface.targets}
    return random.choice([time for time in range(0, 400 * SECOND, SECOND) if time not in taken])


def _target(random: Random, surface: BlendShapes) -> dict[str, Any]:
    weights = tuple((each.id, random.random()) for each in surface.shapes[:2])
    made = ShapeTarget(
        id=new_id(random), name="Smile", time=_free_time(random, surface), pose="given", weights=weights,
        velocity=random.choice(VELOCITIES),
    )  # fmt: skip
    return {"target": made}


def _set_target(random: Random, surface: BlendShapes) -> dict[str, Any]:
    return {
        "target": random.choice(surface.targets).id, "time": _free_time(random, surface), "place": random.choice(POSES),
        "position": (random.random(), 0.5, 0.0), "rotation": (0.6, 0.8, 0.0, 0.0), "before": SECOND,
        "mute": random.random() < 0.5, "name": random.choice(("Tilt", "Grin")),
    }  # fmt: skip


_WITH_SHAPE: dict[str, Example] = {
    "remove_blend_shape": lambda random, surface: {},
    "rename_blend_shape": lambda random, surface: {"name": random.choice(("Grin", "Pout"))},
    "set_blend_shape": lambda random, surface: {
        "weight": random.uniform(-1.0, 2.0), "most": random.uniform(1.0, 2.0), "mute": random.random() < 0.5,
    },
    "set_shape_keys": lambda random, surface: {"keys": _keys(random)},
    "move_shape_keys": lambda random, surface: {
        "times": _times(random), "ticks": random.randint(-9, 9) * SECOND, "value": random.uniform(-1.0, 1.0),
    },
    "remove_shape_keys": lambda random, surface: {"times": random.choice((None, _times(random)))},
    "extend_shape": lambda random, surface: {"after": random.choice(EXTRAPOLATIONS)},
}  # fmt: skip
_OF_SHAPES = (*_WITH_SHAPE, "key_shapes")
_EXAMPLES: dict[str, Example] = {
    **{name: _of_shape(make) for name, make in _WITH_SHAPE.items()},
    "remove_blend_shapes": lambda random, surface: {},
    "add_blend_shape": lambda random, surface: {"shape": a_shape(new_id(random))},
    "key_shapes": lambda random, surface: {
        "keys": tuple((each.id, Key(random.randint(0, 9) * SECOND, random.random())) for each in surface.shapes[:3])
    },
    "set_shape_motion": lambda random, surface: {
        "on": random.random() < 0.5, "tension": random.uniform(1.0, 9.0), "clusters": random.randint(1, 4),
        "window": random.randint(1, 4) * SECOND // 4,
    },
    "add_shape_target": _target,
    "remove_shape_target": lambda random, surface: {"target": random.choice(surface.targets).id},
    "set_shape_target": _set_target,
}  # fmt: skip
