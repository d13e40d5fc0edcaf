"""A random example of each edit of soft bodies, and all of them one after the other."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Box, Document, Key, Layer, prop
from engine.document.motion import Extrapolation
from engine.edits import Edit, edit
from engine.soft.parts import ACTIVATIONS, SoftAttachment, SoftBake, SoftBody
from engine.soft.pulls import SoftPull
from engine.soft.system import SYSTEM
from engine.soft.uses import soft_body
from tests.engine.edits.examples import SECOND, new_id
from tests.engine.edits.plan_examples import PLAN_EDITS, plan_edit
from tests.engine.edits.shapes_examples import SHAPES_EDITS, shapes_edit
from tests.engine.edits.water_examples import WATER_EDITS, water_edit
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
    if name in PLAN_EDITS:
        return plan_edit(random, name, actor, body)
    if name in ("detach_soft_body", "set_soft_attachment", "move_soft_attachment") and not body.attachments:
        name = "attach_soft_body"
    if name == "attach_soft_body":
        return _attach(random, document, actor)
    if name in _OF_SPLINES and not body.splines:
        name = "add_activation_spline"
    return edit(name, actor=actor.id, **_EXAMPLES[name](random, body))


def _attach(random: Random, document: Document, actor: Actor) -> Edit:
    before = document.actors[: document.actor_index[actor.id]]  # so that there is no ring, as of `attachment_edit`
    if not before:
        return edit("put_soft_body", actor=actor.id, body=soft_cube(spline(new_id(random))))
    target = random.choice(before)
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


def every_edit() -> tuple[Document, list[Edit]]:
    """Every edit of soft bodies, of a body of one cell, and then every one of blend shapes and of water."""
    start, changes = _each_soft_edit()
    document, random = start, Random(5)
    for each in changes:
        document = each.apply(document)
    for names, make in ((SHAPES_EDITS, shapes_edit), (WATER_EDITS, water_edit)):
        missing = {*names}
        while missing:
            change = make(random, random.choice(sorted(missing)), document)
            after = change.apply(document)
            if after is not document:
                document, missing = after, missing - {change.name}
                changes.append(change)
    return start, changes


def _each_soft_edit() -> tuple[Document, list[Edit]]:

    def key(time: int, value: float) -> Key:
        return Key(time * SECOND, value)

    shape = prop("Crate", (Box(half=(0.2, 0.1, 0.2)),))
    crate = Actor(id="crate", name="Crate", figure=shape, layers=(Layer(id="pose"),))
    held = SoftAttachment(
        id="held", points=Blob(np.array([0, 1], "<i4")), places=Blob(np.array([[0.0, 0.5, 0.0], [0.0, 0.5, 0.1]])),
        target="crate", joint="body",
    )  # fmt: skip
    pull = SoftPull(
        id="hand", point=(0.1, 0.1, 0.1), times=(0, SECOND // 2), places=((0.1, 0.4, 0.1), (0.2, 0.5, 0.1)), end=SECOND
    )
    rows = np.array([soft_cube().points.array, soft_cube().points.array + 0.1], "<f4")
    bake = SoftBake(start=0, rate=(30, 1), positions=Blob(rows), speeds=Blob(rows[0]))
    who = {"actor": "jelly"}
    one, other = {**who, "spline": "up"}, {**who, "spline": "along"}
    clip = {**who, "attachment": "held"}
    return Document(actors=(crate,)), [
        edit("add_soft_body", actor=soft_actor("jelly", soft_cube(young=5e3), at=(0.0, 0.4, 0.0))),
        edit("add_soft_body", actor=soft_actor("other", soft_cube(), at=(0.3, 0.4, 0.0))),
        edit("put_soft_body", actor="other", body=soft_cube(spline("through", alpha=0.8), young=2e4)),
        edit("remove_soft_body", actor="other"),
        edit("set_soft_body", **who, young=8e3, density=900.0, stiffness_damping=0.03, friction=0.4, backward=3.0),
        edit("set_soft_heading", **who, heading=(1.0, 0.0, 0.0)),
        edit("set_soft_factors", **who, factors=Blob(np.array([1.5]))),
        edit("set_soft_world", step=1.0 / 30.0, tolerance=1e-3),
        edit("add_activation_spline", **who, spline=spline("up", stiffness=3.0)),
        edit("add_activation_spline", **who, spline=spline("along", alpha=0.7)),
        edit("rename_activation_spline", **one, name="Upwards"),
        edit("set_activation_spline", **one, samples=3, curve="b_spline"),
        edit("set_activation_points", **one, points=((0.05, 0.02, 0.05), (0.05, 0.05, 0.05), (0.05, 0.09, 0.05))),
        edit("move_activation_point", **one, point=1, position=(0.06, 0.05, 0.05)),
        edit("set_activation_region", **one, region="radius", radius=0.08),
        edit("set_activation_keys", **one, keys=(key(0, 1.0), key(1, 0.7), key(3, 1.0))),
        edit("draw_activation", **one, start=SECOND, end=2 * SECOND, keys=(key(1, 0.8), key(2, 1.2))),
        edit("move_activation_keys", **one, times=(2 * SECOND,), ticks=SECOND // 4, value=-0.3),
        edit("extend_activation", **one, after="cycle"),
        edit("remove_activation_keys", **one, times=(SECOND,)),
        edit("set_activation", **other, activation="expression", expression="1 - 0.3 * cos(2 * pi * t)"),
        edit("attach_soft_body", **who, attachment=held),
        edit("set_soft_attachment", **clip, hold="spring", tension=6.0),
        edit("move_soft_attachment", **clip, start=0, end=SECOND),
        edit("put_soft_pull", **who, pull=pull),
        edit("bake_soft_body", **who, bake=bake),
        edit("remove_soft_bake", **who),
        edit("remove_soft_pulls", **who, pulls=("hand",)),
        edit("detach_soft_body", **clip),
        edit("remove_activation_spline", **other),
        edit("attach_soft_body", **who, attachment=held),
        edit("put_soft_pull", **who, pull=pull),
        edit("bake_soft_body", **who, bake=bake),
    ]
