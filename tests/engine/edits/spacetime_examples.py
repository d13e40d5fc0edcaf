"""A random example of each edit of planned motions, and all of them one after the other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from engine.document import Actor, Document, Key, Layer, Track
from engine.edits import Edit, edit
from engine.spacetime.parts import (
    Spacetime,
    SpacetimeCalm,
    SpacetimeConstraint,
    SpacetimeContact,
    SpacetimeCurve,
    SpacetimeForce,
    SpacetimeMeeting,
    SpacetimeMuscle,
    SpacetimeStage,
)
from engine.spacetime.system import SYSTEM
from engine.spacetime.uses import spacetime_of
from tests.engine.edits.examples import SECOND, new_id
from tests.engine.figures import scene

SPACETIME_EDITS = tuple(name for _, name, _ in SYSTEM.edits)

Example = Callable[[Random, Actor, Spacetime], dict[str, Any]]


def spacetime_edit(random: Random, name: str, document: Document) -> Edit:
    """Make an edit of that name, or one that has to come before it."""
    planned = [actor for actor in document.actors if spacetime_of(actor) is not None]
    actor = random.choice(planned or document.actors)
    plan = spacetime_of(actor)
    if name == "put_spacetime" or plan is None:
        return edit("put_spacetime", actor=actor.id, spacetime=a_plan(random, actor))
    for needed, listed, first in (
        ("constraint", plan.constraints, "put_spacetime_constraint"),
        ("force", plan.forces, "put_spacetime_force"),
        ("muscles", plan.muscles, "put_spacetime_muscles"),
        ("meeting", plan.meetings, "put_spacetime_meeting"),
    ):
        if needed in name and not listed:
            name = first
    if "meeting" in name and not _others(document, actor):
        return edit("set_spacetime_calm", actor=actor.id, calm=())
    if name == "put_spacetime_meeting":
        return edit(name, actor=actor.id, meeting=_meeting(random, document, actor, plan))
    if "bounds" in name and not plan.constraints:
        name = "put_spacetime_constraint"
    if name in ("remove_spacetime_stage", "move_spacetime_border") and len(plan.stages) < 2:
        name = "put_spacetime_stage"
    return edit(name, actor=actor.id, **_EXAMPLES[name](random, actor, plan))


def a_plan(random: Random, actor: Actor) -> Spacetime:
    """Give a plan that fits an actor's figure."""
    stages = (a_stage(random, actor), a_stage(random, actor))
    return Spacetime(start=random.randint(-3, 9) * SECOND, stages=stages, power=random.choice((0.0, 0.5)))


def a_stage(random: Random, actor: Actor) -> SpacetimeStage:
    """Give a stage with a contact, and a curve where the figure has freedom."""
    dofs, joint = _dofs(actor), random.choice(actor.figure.joints).id
    curves = tuple(SpacetimeCurve(of=dof, kind="constant", value=0.1) for dof in dofs[:1])
    return SpacetimeStage(
        id=new_id(random), name="Flight", pieces=random.randint(1, 9), length=0.5, most_length=1.0,
        contacts=(SpacetimeContact(joint=joint, point=(0.1, 0.0, 0.0)),), curves=curves,
    )  # fmt: skip


def _dofs(actor: Actor) -> list[str]:
    return [dof.id for dof in actor.figure.dofs if dof.kind != "ball"]


def _muscles(random: Random, actor: Actor, plan: Spacetime) -> dict[str, Any]:
    dofs = _dofs(actor)
    chosen = random.sample(dofs, k=min(2, len(dofs)))
    return {"muscles": tuple(SpacetimeMuscle(dof=dof, torque=random.random(), most=9.0) for dof in chosen)}


def _force(random: Random, actor: Actor, plan: Spacetime) -> dict[str, Any]:
    id = random.choice([new_id(random), *(each.id for each in plan.forces)])
    joint, stage = random.choice(actor.figure.joints).id, random.choice(plan.stages).id
    blow = random.random() < 0.5
    return {"force": SpacetimeForce(id=id, name="Wind", joint=joint, blow=blow, stages=(stage,), most=3.0)}


def _constraint(random: Random, actor: Actor, plan: Spacetime) -> dict[str, Any]:
    id = random.choice([new_id(random), *(each.id for each in plan.constraints)])
    stage, joint = random.choice(plan.stages).id, random.choice(actor.figure.joints).id
    place = (random.uniform(-1.0, 1.0), 0.5, 0.0)
    made: dict[str, Any] = {"quantity": "point", "joint": joint, "position": place}
    if random.random() < 0.5:
        dofs = _dofs(actor)
        made = {"values": tuple((dof, random.uniform(-1.0, 1.0)) for dof in dofs[:2]), "rates": ()}
    return {"constraint": SpacetimeConstraint(id=id, name="Be here", stage=stage, at=random.random(), **made)}


def _others(document: Document, actor: Actor) -> list[Actor]:
    return [each for each in document.actors if each.id != actor.id]


def _meeting(random: Random, document: Document, actor: Actor, plan: Spacetime) -> SpacetimeMeeting:
    other, blow = random.choice(_others(document, actor)), random.random() < 0.5
    return SpacetimeMeeting(
        id=random.choice([new_id(random), *(each.id for each in plan.meetings)]),
        name="They meet",
        stage=random.choice(plan.stages).id,
        joint=random.choice(actor.figure.joints).id,
        other=other.id,
        other_joint=random.choice(other.figure.joints).id,
        at=1.0 if blow else random.random(),
        offset=random.choice((None, (0.0, random.random(), 0.0))),
        least=0.1,
        blow=blow,
    )


def _of_stage(make: Example) -> Example:
    return lambda random, actor, plan: {"stage": random.choice(plan.stages).id, **make(random, actor, plan)}


def _of_constraint(make: Example) -> Example:
    return lambda random, actor, plan: {"constraint": random.choice(plan.constraints).id, **make(random, actor, plan)}


def _kept(random: Random, actor: Actor, plan: Spacetime) -> dict[str, Any]:
    tracks = tuple(Track(coordinate=dof, keys=(Key(0, random.random()),)) for dof in _dofs(actor)[:1])
    return {"layer": Layer(id=plan.layer or new_id(random), name="Found", tracks=tracks)}


_EXAMPLES: dict[str, Example] = {
    "remove_spacetime": lambda random, actor, plan: {},
    "set_spacetime": lambda random, actor, plan: {
        "start": random.randint(-3, 9) * SECOND, "torque": random.random(), "guesses": random.randint(0, 9),
    },
    "set_spacetime_plane": lambda random, actor, plan: {"plane": random.choice((None, (1.0, 0.0, 0.0)))},
    "put_spacetime_stage": lambda random, actor, plan: {
        "stage": a_stage(random, actor), "place": random.randint(0, len(plan.stages)),
    },
    "set_spacetime_stage": _of_stage(lambda random, actor, plan: {"pieces": random.randint(1, 9), "nailed": True}),
    "set_spacetime_length": _of_stage(
        lambda random, actor, plan: {"length": random.uniform(0.3, 0.6), "least_length": 0.1}
    ),
    "move_spacetime_border": lambda random, actor, plan: {
        "stage": plan.stages[0].id, "shifts": False,
        "length": plan.stages[0].length + random.uniform(-0.1, 0.1) * min(each.length for each in plan.stages[:2]),
    },
    "remove_spacetime_stage": _of_stage(lambda random, actor, plan: {}),
    "put_spacetime_muscles": _muscles,
    "remove_spacetime_muscles": lambda random, actor, plan: {"dofs": tuple(each.dof for each in plan.muscles[:1])},
    "put_spacetime_force": _force,
    "remove_spacetime_force": lambda random, actor, plan: {"force": random.choice(plan.forces).id},
    "put_spacetime_constraint": _constraint,
    "set_spacetime_constraint": _of_constraint(lambda random, actor, plan: {"on": random.random() < 0.5}),
    "set_spacetime_bounds": _of_constraint(lambda random, actor, plan: {"least": -random.random(), "most": None}),
    "move_spacetime_constraint": _of_constraint(
        lambda random, actor, plan: {"stage": random.choice(plan.stages).id, "at": 0.25, "until": 0.75}
    ),
    "remove_spacetime_constraint": _of_constraint(lambda random, actor, plan: {}),
    "remove_spacetime_meeting": lambda random, actor, plan: {"meeting": random.choice(plan.meetings).id},
    "set_spacetime_calm": lambda random, actor, plan: {
        "calm": (SpacetimeCalm(joint=random.choice(actor.figure.joints).id, weight=random.random()),),
    },
    "keep_spacetime": _kept,
}  # fmt: skip


def meeting_edits() -> tuple[Document, list[Edit]]:
    """Actors that are let meet, and no longer."""
    start, random = scene(3), Random(5)
    one, other = start.actors[:2]
    plan = a_plan(random, one)
    made = SpacetimeMeeting(
        id=new_id(random), name="They push each other", stage=plan.stages[0].id, joint=one.figure.joints[0].id, at=1.0,
        other=other.id, other_joint=other.figure.joints[-1].id, other_point=(0.0, 0.1, 0.0), blow=True, hardest=2.0,
    )  # fmt: skip
    ahead = replace(made, id=new_id(random), name="Ahead", offset=None, least=0.2, at=0.0, until=0.5, blow=False)
    return start, [
        edit("put_spacetime", actor=one.id, spacetime=plan),
        edit("put_spacetime_meeting", actor=one.id, meeting=made),
        edit("put_spacetime_meeting", actor=one.id, meeting=ahead),
        edit("put_spacetime_meeting", actor=one.id, meeting=replace(made, on=False)),
        edit("remove_spacetime_meeting", actor=one.id, meeting=made.id),
    ]


def every_edit() -> tuple[Document, list[Edit]]:
    """Every edit of planned motions, as each changes what those before have come to."""
    start = document = scene(3)
    random, missing, changes = Random(8), {*SPACETIME_EDITS}, list[Edit]()
    while missing:
        change = spacetime_edit(random, random.choice(sorted(missing)), document)
        after = change.apply(document)
        if after is not document:
            document, missing = after, missing - {change.name}
            changes.append(change)
    return start, changes
