"""A random example of each edit of what is planned of soft bodies, and all of them one after the other."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Document, Key
from engine.edits import Edit, edit
from engine.soft.goals import EFFORTS, SoftKeyframe, SoftPlan
from engine.soft.parts import SoftBody
from tests.engine.edits.examples import SECOND, new_id
from tests.engine.soft.bodies import soft_actor, soft_cube, spline

OF_KEYFRAMES = ("move_soft_keyframe", "set_soft_keyframe", "set_keyframe_velocity")
PLAN_EDITS = (
    "put_soft_keyframe", *OF_KEYFRAMES, "remove_soft_keyframes", "set_planned_splines", "set_plan_start",
    "set_plan_choices", "keep_soft_plan",
)  # fmt: skip


def plan_edit(random: Random, name: str, actor: Actor, body: SoftBody) -> Edit:
    """Make an edit of that name for a soft body, or one that has to come before it."""
    keyframes = (actor.part(SoftPlan) or SoftPlan()).keyframes
    if name == "set_plan_choices":
        return edit(name, effort=random.choice(EFFORTS), calm=random.random(), iterations=random.randint(1, 99))
    if name == "put_soft_keyframe" or (name in OF_KEYFRAMES and not keyframes):
        return edit("put_soft_keyframe", actor=actor.id, keyframe=_keyframe(random, body))
    if name in OF_KEYFRAMES:
        return edit(name, actor=actor.id, keyframe=random.choice(keyframes).id, **_other(random, name))
    if name == "remove_soft_keyframes":
        chosen = random.choice((None, tuple(each.id for each in keyframes[:1])))
        return edit(name, actor=actor.id, keyframes=chosen)
    if name == "set_planned_splines":
        chosen = random.choice((None, tuple(each.id for each in body.splines[:1])))
        return edit(name, actor=actor.id, splines=chosen)
    if name == "set_plan_start":
        return edit(name, actor=actor.id, start=random.choice((None, random.randint(-2, 2) * SECOND)))
    if not body.splines:
        return edit("add_activation_spline", actor=actor.id, spline=spline(new_id(random)))
    rows = tuple((actor.id, each.id, _keys(random)) for each in body.splines)
    return edit("keep_soft_plan", parts=rows, tolerance=random.choice((None, 1e-6)))


def every_edit() -> tuple[Document, list[Edit]]:
    """Every edit of the plan of a body of one cell."""
    start = Document(actors=(soft_actor("jelly", soft_cube(spline("up"), spline("along"))),))
    who, one = {"actor": "jelly"}, {"actor": "jelly", "keyframe": "landing"}
    shape = Blob(soft_cube().points.array - 0.05)
    leap = SoftKeyframe(id="leap", time=SECOND, position=(0.2, 0.4, 0.05), weight=2.0)
    landing = SoftKeyframe(id="landing", time=2 * SECOND, position=(0.4, 0.05, 0.05), shape=shape)
    alphas = tuple(Key(each * SECOND // 2, 1.0 + 0.1 * each, interpolation="linear") for each in range(5))
    return start, [
        edit("put_soft_keyframe", **who, keyframe=leap),
        edit("put_soft_keyframe", **who, keyframe=landing),
        edit("set_keyframe_velocity", **one, velocity=(0.0, 0.0, 0.0)),
        edit("set_soft_keyframe", **one, weight=3.0),
        edit("move_soft_keyframe", **one, time=3 * SECOND, position=(0.5, 0.05, 0.05)),
        edit("set_planned_splines", **who, splines=("up",)),
        edit("set_plan_start", **who, start=SECOND // 2),
        edit("set_plan_choices", effort="sparse", calm=0.1, reach=2e4, spacing=0.5),
        edit("keep_soft_plan", parts=(("jelly", "up", alphas),), tolerance=1e-6),
        edit("remove_soft_keyframes", **who, keyframes=("leap",)),
    ]


def _keyframe(random: Random, body: SoftBody) -> SoftKeyframe:
    shape = np.asarray(body.points.array) * random.random()
    return SoftKeyframe(
        id=new_id(random),
        time=random.randint(1, 9) * SECOND,
        position=(random.random(), 1.0, 0.0),
        shape=random.choice((None, Blob(shape))),
        velocity=random.choice((None, (0.0, random.random(), 0.0))),
    )


def _other(random: Random, name: str) -> dict[str, Any]:
    if name == "move_soft_keyframe":
        return {"time": random.randint(1, 9) * SECOND, "position": (random.random(), 0.5, 0.0)}
    if name == "set_soft_keyframe":
        return {"weight": random.uniform(0.0, 9.0)}
    return {"velocity": random.choice((None, (random.random(), 0.0, 0.0)))}


def _keys(random: Random) -> tuple[Key, ...]:
    return tuple(Key(time * SECOND, random.uniform(0.5, 1.5), interpolation="linear") for time in range(3))
