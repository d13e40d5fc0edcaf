"""A random example of each edit of what is planned of soft bodies, and all of them one after the other."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from engine.document import Actor, Blob, Document, Key
from engine.edits import Edit, edit
from engine.soft.goals import EFFORTS, SoftKeyframe, SoftPlan
from engine.soft.nodal import NodalForces
from engine.soft.parts import SoftBody
from tests.engine.edits.examples import SECOND, new_id
from tests.engine.soft.bodies import soft_actor, soft_cube, spline

OF_KEYFRAMES = ("move_soft_keyframe", "set_soft_keyframe", "set_keyframe_velocity")
OF_FORCES = ("put_nodal_forces", "set_nodal_forces", "set_nodal_values", "remove_nodal_forces")
PLAN_EDITS = (
    "put_soft_keyframe", *OF_KEYFRAMES, "remove_soft_keyframes", "set_planned_splines", "set_plan_start",
    "set_plan_choices", "keep_soft_plan", "set_planned_forces", *OF_FORCES,
)  # fmt: skip


def plan_edit(random: Random, name: str, actor: Actor, body: SoftBody) -> Edit:
    """Make an edit of that name for a soft body, or one that has to come before it."""
    keyframes = (actor.part(SoftPlan) or SoftPlan()).keyframes
    if name in OF_FORCES:
        return _forces_edit(random, name, actor, body)
    if name == "set_planned_forces":
        chosen = random.choice((None, tuple(each.id for each in body.forces[:1])))
        return edit(name, actor=actor.id, forces=chosen)
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
    found = tuple((actor.id, each.id, *_values(random, each.count).values()) for each in body.forces)
    return edit("keep_soft_plan", parts=rows, forces=found, tolerance=random.choice((None, 1e-6)))


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


def nodal_edits() -> tuple[Document, list[Edit]]:
    """Every edit of nodal forces on a body of one cell."""
    start, who = Document(actors=(soft_actor("jelly", soft_cube(spline("up"))),)), {"actor": "jelly"}
    return start, [
        edit("put_nodal_forces", **who, forces=_forces("low", (0, 1, 2, 3))),
        edit("put_nodal_forces", **who, forces=_forces("high", (4, 5, 6, 7))),
        edit("set_nodal_forces", actor="jelly", forces="high", name="Above", strongest=4.0, form="held", mute=True),
        edit("set_planned_forces", **who, forces=("low",)),
        edit("set_nodal_values", **who, forces="high", times=(0, SECOND), values=Blob(np.full((2, 4, 3), 0.5))),
        edit("keep_soft_plan", forces=(("jelly", "low", (0, SECOND), Blob(np.full((2, 4, 3), 0.25))),)),
        edit("remove_nodal_forces", **who, forces=("high",)),
    ]


def _forces_edit(random: Random, name: str, actor: Actor, body: SoftBody) -> Edit:
    if name == "put_nodal_forces" or not body.forces:
        count = random.randint(1, body.point_count)
        points = random.sample(range(body.point_count), k=count)
        return edit("put_nodal_forces", actor=actor.id, forces=_forces(new_id(random), tuple(points)))
    forces = random.choice(body.forces)
    if name == "remove_nodal_forces":
        return edit(name, actor=actor.id, forces=random.choice((None, (forces.id,))))
    if name == "set_nodal_forces":
        given = {"strongest": random.uniform(0.1, 9.0), "form": random.choice(("linear", "held"))}
        return edit(name, actor=actor.id, forces=forces.id, mute=random.random() < 0.5, **given)
    told = random.choice(({}, _values(random, forces.count)))
    return edit("set_nodal_values", actor=actor.id, forces=forces.id, **told)


def _forces(id: str, points: tuple[int, ...]) -> NodalForces:
    return NodalForces(id=id, name=id.capitalize(), points=Blob(np.array(points, dtype=np.int32)))


def _values(random: Random, count: int) -> dict[str, Any]:
    times = tuple(sorted(random.sample(range(9 * SECOND), k=3)))
    return {"times": times, "values": Blob(np.full((3, count, 3), random.uniform(-1.0, 1.0)))}


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
