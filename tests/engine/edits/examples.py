"""A random example of each edit of layers, keys, ranges and figures, for any actor with a figure and a layer."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.document import Actor, Blob, Figure, Key, Layer, Samples, SpeedRange
from engine.edits import Edit, edit

SECOND = 705_600_000
Example = Callable[[Random, Actor, Layer], dict[str, Any] | None]


def example(random: Random, name: str, actor: Actor) -> Edit | None:
    """An edit of that name, or another where the actor has nothing that it could change; None for other edits."""
    make = EXAMPLES.get(name)
    if make is None:
        return None
    layer = random.choice(actor.layers)
    arguments = make(random, actor, layer)
    if arguments is None:
        return edit("rename_actor", actor=actor.id, name=f"Actor {random.randint(1, 9)}")
    return edit(name, actor=actor.id, **arguments)


def figure_of(actor: Actor) -> Figure:
    """The figure that the actor is known to have."""
    assert actor.figure is not None
    return actor.figure


def _id(random: Random) -> str:
    return f"{random.getrandbits(64):x}"


def _some(random: Random, actor: Actor) -> tuple[str, ...]:
    names = figure_of(actor).coordinates
    return tuple(random.sample(names, k=random.randint(1, min(4, len(names)))))


def _speed(random: Random, actor: Actor) -> SpeedRange:
    start = random.randint(-3, 3) * SECOND
    end = start + random.randint(1, 3) * SECOND
    return SpeedRange(start=start, end=end, coordinates=_some(random, actor), keys=(Key(start, 0.0), Key(end, 1.0)))


def _samples(random: Random, actor: Actor) -> Samples:
    names = tuple(name for name in _some(random, actor) if "turn" not in name) or (figure_of(actor).dofs[0].id,)
    values = Blob([[random.uniform(-1.0, 1.0) for _ in names] for _ in range(random.randint(2, 6))])
    return Samples(coordinates=names, values=values, rate=(5, 1), start=random.randint(-2, 2) * SECOND)


def _span(random: Random) -> dict[str, Any]:
    return {"start": 0, "end": random.randint(2, 5) * SECOND, "ease_in": SECOND} if random.random() < 0.7 else {}


EXAMPLES: dict[str, Example] = {
    "add_layer": lambda random, actor, layer: {"layer": Layer(id=_id(random)), "index": random.choice((None, 0))},
    "duplicate_layer": lambda random, actor, layer: {"layer": layer.id, "id": _id(random)},
    "remove_layer": lambda random, actor, layer: {"layer": layer.id} if len(actor.layers) > 2 else None,
    "move_layer": lambda random, actor, layer: {"layer": layer.id, "index": random.randrange(len(actor.layers))},
    "rename_layer": lambda random, actor, layer: {"layer": layer.id, "name": random.choice(("Walk", "Wave"))},
    "set_layer_mode": lambda random, actor, layer: {"layer": layer.id, "mode": random.choice(("replace", "add"))},
    "set_layer_weight": lambda random, actor, layer: {"layer": layer.id, "weight": random.random()},
    "set_layer_span": lambda random, actor, layer: {"layer": layer.id, **_span(random)},
    "set_layer_mask": lambda random, actor, layer: {
        "layer": layer.id,
        "mask": random.choice((None, _some(random, actor))),
    },
    "mute_layer": lambda random, actor, layer: {"layer": layer.id, "mute": random.random() < 0.5},
    "solo_layer": lambda random, actor, layer: {"layer": layer.id, "solo": random.random() < 0.5},
    "set_quaternions": lambda random, actor, layer: {
        "layer": layer.id,
        "joints": (),
        "mode": random.choice(("slerp", "spline")),
    },
    "set_speed": lambda random, actor, layer: {"layer": layer.id, "speed": _speed(random, actor)},
    "remove_speed": lambda random, actor, layer: (
        {"layer": layer.id, "start": random.choice(layer.speed).start} if layer.speed else None
    ),
    "bake_layers": lambda random, actor, layer: {
        "layers": (layer.id,),
        "id": _id(random),
        "samples": _samples(random, actor),
    },
}
"""Arguments for each edit beside the actor; None where it has nothing to change."""
