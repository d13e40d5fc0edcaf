"""Examples of what drives degrees of freedom."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.document import Actor, Document, Dof, DrivenBy, Layer
from engine.document.freedoms import followers_of
from engine.edits import Edit, edit
from engine.formats.figure_toml import load_figure


def driver(random: Random, dof: str) -> DrivenBy:
    """A spline of two to four knots."""
    at, count = random.uniform(-1.0, 0.0), random.randint(2, 4)
    knots = tuple(at + 0.4 * place for place in range(count))
    return DrivenBy(dof=dof, at=knots, values=tuple(random.uniform(-0.5, 0.5) for _ in knots))


def some_driven(random: Random, actor: Actor) -> dict[str, Any] | None:
    """Arguments of `set_driven`: now and then for none, else for one or two."""
    figure = actor.figure
    driving = {each.dof for dof in figure.driven for each in dof.driven}
    free = [dof for dof in figure.dofs if dof.kind != "ball" and not dof.driven]
    may: list[Dof] = [dof for dof in figure.dofs if dof.kind != "ball" and dof.id not in driving]
    if not may:
        return None
    chosen = random.choice(may)
    others = [dof.id for dof in free if dof.id != chosen.id]
    if not others or (chosen.driven and random.random() < 0.5):
        return {"dof": chosen.id, "driven": ()}
    drivers = random.sample(others, min(len(others), random.randint(1, 2)))
    return {"dof": chosen.id, "driven": tuple(driver(random, each) for each in drivers)}


def some_following(random: Random, actor: Actor) -> dict[str, Any] | None:
    """Arguments of `follow_joint`: joints that can, of a leader that has some."""
    figure = actor.figure
    pairs = [
        (joint.id, leader.id)
        for leader in figure.joints
        for joint in figure.joints
        if followers_of(figure, joint.id, leader.id)
    ]
    if not pairs:
        return None
    _, leader = random.choice(pairs)
    may = [joint for joint, other in pairs if other == leader]
    return {"joints": tuple(random.sample(may, random.randint(1, min(3, len(may))))), "leader": leader}


def following_edits() -> tuple[Document, list[Edit]]:
    """A leg that follows the other, and is free again."""
    who, joints = {"actor": "one"}, ("knee_right", "ankle_right")
    actor = Actor(id="one", name="One", figure=load_figure("human"), layers=(Layer(id="pose"),))
    return Document(actors=(actor,)), [
        *(edit("follow_joint", **who, joints=(each,), leader=each.replace("right", "left")) for each in joints),
        edit("set_value", **who, layer="pose", coordinate="knee_left.flexion", value=0.4),
        edit("set_driven", **who, dof="knee_right.flexion"),
    ]


def spring_edits() -> tuple[Document, list[Edit]]:
    """A human whose elbow gets a spring, another one, one with a rest of its own, and none."""
    who = {"actor": "one", "dof": "elbow_left.flexion"}
    actor = Actor(id="one", name="One", figure=load_figure("human"), layers=(Layer(id="pose"),))
    return Document(actors=(actor,)), [
        edit("set_spring", **who, spring=12.0),
        edit("set_spring", actor="one", dof="wrist_left.flexion", spring=3.5, neutral=-0.2),
        edit("set_spring", **who, spring=12.0, neutral=0.6),
        edit("set_spring", **who, spring=0.0),
    ]


def every_edit() -> tuple[Document, list[Edit]]:
    """A human whose fingers follow each other, and one that is free again."""
    who, layer = {"actor": "one"}, {"actor": "one", "layer": "pose"}
    figure, random = load_figure("human"), Random(7)
    elbows, wrist = ("elbow_left.flexion", "elbow_right.flexion"), figure.joint("wrist_left").dofs[0].id
    actor = Actor(id="one", name="One", figure=figure, layers=(Layer(id="pose"),))
    return Document(actors=(actor,)), [
        edit("set_value", **layer, coordinate=elbows[1], value=0.4),
        edit("set_driven", **who, dof=elbows[1], driven=(driver(random, elbows[0]),)),
        edit("set_driven", **who, dof=wrist, driven=(driver(random, elbows[0]), driver(random, "knee_left.flexion"))),
        edit("set_value", **layer, coordinate=elbows[0], value=0.7),
        edit("set_driven", **who, dof=elbows[1]),
    ]
