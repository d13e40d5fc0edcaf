"""A random example of each edit of soft bodies."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Document, Key
from engine.document.motion import Extrapolation
from engine.edits import Edit, edit
from engine.soft.parts import ACTIVATIONS, SoftAttachment, SoftBake, SoftBody
from engine.soft.pulls import SoftPull
from engine.soft.system import SYSTEM
from engine.soft.uses import soft_body
from tests.engine.edits.examples import SECOND, new_id
from tests.engine.soft.bodies import soft_actor, soft_cube, spline

SOFT_EDITS = tuple(name for _, name, _ in SYSTEM.edits)

Example = Callable[[Random, SoftBody], dict[str, Any]]
EXTRAPOLATIONS: tuple[Extrapolation, ...] = ("hold", "cycle")


def soft_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name, or one that has to come before it."""
    if name == "set_soft_world":
        return edit(name, step=random.choice((0.005, 0.01)), iterations=random.randint(1, 9), together=False)
    if name == "add_soft_body":
        return edit(name, actor=soft_actor(new_id(random)))
    soft = [actor for actor in document.actors if soft_body(actor) is not None]
    actor = random.choice(soft or document.actors)
    body = soft_body(actor)
    if name == "put_soft_body" or body is None:
        return edit("put_soft_body", actor=actor.id, body=soft_cube(spline(new_id(random))))
    if name in ("detach_soft_body", "set_soft_attachment", "move_soft_attachment") and not body.attachments:
        name = "attach_soft_body"
    if name == "attach_soft_body":
        return _attach(random, document, actor)
    if name in _OF_SPLINES and not body.splines:
        name = "add_activation_spline"
    return edit(name, actor=actor.id, **_EXAMPLES[name](random, body))


def _attach(random: Random, document: Document, actor: Actor) -> Edit:
    target = random.choice([each for each in document.actors if each is not actor])
    held = SoftAttachment(
        id=new_id(random),
        points=Blob(np.array([0, 1], dtype=np.int32)),
        places=Blob(np.zeros((2, 3))),
        target=target.id,
        joint=random.choice(target.figure.joints).id,
        hold=random.choice(("hard", "spring")),
    )
    return edit("attach_soft_body", actor=actor.id, attachment=held)


def _of_spline(make: Example) -> Example:
    return lambda random, body: {"spline": random.choice(body.splines).id, **make(random, body)}


def _of_attachment(make: Example) -> Example:
    return lambda random, body: {"attachment": random.choice(body.attachments).id, **make(random, body)}


def _keys(random: Random) -> tuple[Key, ...]:
    return tuple(Key(time * SECOND, random.uniform(0.5, 1.5)) for time in sorted(random.sample(range(9), k=3)))


def _times(random: Random) -> tuple[int, ...]:
    return tuple(time * SECOND for time in random.sample(range(9), k=4))


def _numbers(random: Random, body: SoftBody) -> dict[str, Any]:
    start = random.randint(-2, 2) * SECOND
    return {"young": random.uniform(1e3, 1e5), "density": random.uniform(1.0, 9e3), "start": start, "backward": 4.0}


def _moved(random: Random, body: SoftBody) -> tuple[float, float, float]:
    return (random.uniform(0.0, 0.04), random.random() * 0.1, 0.0)


def _bake(random: Random, body: SoftBody) -> dict[str, Any]:
    rows = np.zeros((random.randint(1, 4), body.point_count, 3), dtype=np.float32)
    bake = SoftBake(start=random.randint(-2, 2) * SECOND, rate=(30, 1), positions=Blob(rows), speeds=Blob(rows[0]))
    return {"bake": bake}


def _pull(random: Random, body: SoftBody) -> dict[str, Any]:
    id = random.choice([new_id(random), *(each.id for each in body.pulls)])
    times = tuple(sorted(random.sample(range(9 * SECOND), k=3)))
    places = tuple((random.random(), 1.0, 0.0) for _ in times)
    pull = SoftPull(id=id, point=(0.05, 0.1, 0.05), times=times, places=places, end=10 * SECOND)
    return {"pull": pull}


def _without_pulls(random: Random, body: SoftBody) -> dict[str, Any]:
    return {"pulls": random.choice((None, tuple(each.id for each in body.pulls[:1])))}


def _painted(random: Random, body: SoftBody) -> dict[str, Any]:
    weights = np.full(body.point_count, random.random(), dtype=np.float32)
    return {
        "region": random.choice(("painted", "radius")),
        "radius": random.uniform(0.1, 1.0),
        "weights": Blob(weights),
    }


_WITH_SPLINES: dict[str, Example] = {
    "remove_activation_spline": lambda random, body: {},
    "rename_activation_spline": lambda random, body: {"name": random.choice(("Back", "Leg"))},
    "set_activation_spline": lambda random, body: {
        "samples": random.randint(2, 20), "stiffness": random.uniform(1.0, 4.0), "mute": random.random() < 0.5,
    },
    "set_activation_points": lambda random, body: {"points": (_moved(random, body), (0.09, 0.05, 0.0))},
    "move_activation_point": lambda random, body: {
        "point": random.randint(0, 1), "position": (0.1, 0.04, random.random() * 0.1),
    },
    "set_activation_region": _painted,
    "set_activation": lambda random, body: {
        "activation": random.choice(ACTIVATIONS), "alpha": random.uniform(0.5, 1.5), "expression": "1 + 0.1 * cos(t)",
    },
    "set_activation_keys": lambda random, body: {"keys": _keys(random)},
    "draw_activation": lambda random, body: {"start": 0, "end": 9 * SECOND, "keys": _keys(random)},
    "move_activation_keys": lambda random, body: {
        "times": _times(random), "ticks": random.randint(-9, 9) * SECOND, "value": random.uniform(-1.0, 1.0),
    },
    "remove_activation_keys": lambda random, body: {"times": random.choice((None, _times(random)))},
    "extend_activation": lambda random, body: {"after": random.choice(EXTRAPOLATIONS)},
}  # fmt: skip
_WITH_ATTACHMENTS: dict[str, Example] = {
    "detach_soft_body": lambda random, body: {},
    "set_soft_attachment": lambda random, body: {
        "hold": random.choice(("hard", "spring")), "tension": random.uniform(1.0, 9.0),
    },
    "move_soft_attachment": lambda random, body: random.choice(({}, {"start": 0, "end": random.randint(1, 9)})),
}  # fmt: skip
_OF_SPLINES = frozenset(_WITH_SPLINES)
_EXAMPLES: dict[str, Example] = {
    "remove_soft_body": lambda random, body: {},
    "set_soft_body": _numbers,
    "set_soft_heading": lambda random, body: {"heading": random.choice((None, (0.0, 0.0, 1.0)))},
    "set_soft_factors": lambda random, body: {
        "factors": random.choice((None, Blob(np.full(body.cell_count, 1.0 + random.random())))),
    },
    "add_activation_spline": lambda random, body: {"spline": spline(new_id(random))},
    "put_soft_pull": _pull,
    "remove_soft_pulls": _without_pulls,
    "bake_soft_body": _bake,
    "remove_soft_bake": lambda random, body: {},
    **{name: _of_spline(make) for name, make in _WITH_SPLINES.items()},
    **{name: _of_attachment(make) for name, make in _WITH_ATTACHMENTS.items()},
}  # fmt: skip
