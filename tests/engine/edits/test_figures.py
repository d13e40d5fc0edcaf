"""Edits of figures change what they name, and nothing that refers to it breaks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine.document import Actor, Body, Box, Document, Dof, Figure, Handle, Joint, Key, Layer, Track, validate
from engine.edits import edit
from engine.runtime.errors import EngineError


def _scene() -> Document:
    names = ("arm", "hand_left", "hand_right", "third")
    joints = [
        Joint(id=name, name=name, parent="arm" if place else None, dofs=(Dof(id=f"{name}.turn", name="Turn"),))
        for place, name in enumerate(names)
    ]
    joints[1], joints[2] = replace(joints[1], mirror="hand_right"), replace(joints[2], mirror="hand_left")
    layer = Layer(id="pose", tracks=(Track(coordinate="hand_left.turn", keys=(Key(0, 2.0),)),))
    figure = Figure(name="Arm", joints=tuple(joints), handles=(Handle(id="tip", name="Tip", joint="hand_left"),))
    return Document(actors=(Actor(id="one", name="One", figure=figure, layers=(layer,)),))


def _figure(document: Document) -> Figure:
    figure = document.actors[0].figure
    assert figure is not None
    return figure


@pytest.mark.parametrize(
    ("name", "arguments", "field", "value"),
    [
        ("rename_joint", {"name": "Main"}, "name", "Main"),
        ("set_body", {"body": Body(mass=2.0)}, "body", Body(mass=2.0)),
        ("set_body", {"density": 500.0}, "density", 500.0),
        ("set_shapes", {"shapes": (Box(half=(1.0, 1.0, 1.0)),)}, "shapes", (Box(half=(1.0, 1.0, 1.0)),)),
        ("set_side", {"side": "left"}, "side", "left"),
        ("set_group", {"group": "Left arm"}, "group", "Left arm"),
    ],
)
def test_a_joint_is_changed_and_what_refers_to_it_stays(
    name: str, arguments: dict[str, Any], field: str, value: object
) -> None:
    document = _scene()
    change = edit(name, actor="one", joint="hand_left", **arguments)
    changed = change.apply(document)
    validate(changed)
    assert getattr(_figure(changed).joint("hand_left"), field) == value
    assert change.apply(changed) is changed
    assert changed.actors[0].layers is document.actors[0].layers
    assert _figure(changed).joints[0] is _figure(document).joints[0]
    assert _figure(changed).joint("hand_left").mirror == "hand_right"
    assert _figure(changed).handles[0].joint == "hand_left"


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("set_limits", {"lower": -0.5, "upper": 1.0}),
        ("set_stiffness", {"stiffness": 0.25}),
        ("set_damping", {"damping": 3.0}),
        ("set_spring", {"spring": 12.0, "neutral": 0.25}),
    ],
)
def test_a_degree_of_freedom_is_changed(name: str, arguments: dict[str, float]) -> None:
    document = _scene()
    change = edit(name, actor="one", dof="hand_left.turn", **arguments)
    changed = change.apply(document)
    dof = _figure(changed).joint("hand_left").dofs[0]
    assert {field: getattr(dof, field) for field in arguments} == arguments
    assert change.apply(changed) is changed
    assert changed.actors[0].layers[0].tracks[0].keys[0].value == 2.0


def test_limits_are_taken_away() -> None:
    limited = edit("set_limits", actor="one", dof="arm.turn", lower=0.0, upper=1.0).apply(_scene())
    assert edit("set_limits", actor="one", dof="arm.turn").apply(limited) == _scene()


def test_mirrors_stay_pairs() -> None:
    document = edit("set_mirror", actor="one", joint="hand_left", mirror="third").apply(_scene())
    validate(document)
    mirrors = {joint.id: joint.mirror for joint in _figure(document).joints}
    assert mirrors == {"arm": None, "hand_left": "third", "hand_right": None, "third": "hand_left"}
    alone = edit("set_mirror", actor="one", joint="third", mirror=None).apply(document)
    assert all(joint.mirror is None for joint in _figure(alone).joints)
    assert edit("set_mirror", actor="one", joint="third", mirror="third").apply(alone) is alone


def test_handles_are_added_and_removed() -> None:
    document = edit("add_handle", actor="one", handle=Handle(id="grip", name="Grip", joint="third")).apply(_scene())
    assert [handle.id for handle in _figure(document).handles] == ["tip", "grip"]
    assert edit("remove_handle", actor="one", handle="grip").apply(document) == _scene()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("rename_joint", {"joint": "arm", "name": " "}),
        ("rename_joint", {"joint": "leg", "name": "Leg"}),
        ("set_limits", {"dof": "arm.turn", "lower": 1.0, "upper": 0.0}),
        ("set_limits", {"dof": "leg"}),
        ("set_stiffness", {"dof": "arm.turn", "stiffness": -1.0}),
        ("set_damping", {"dof": "arm.turn", "damping": float("nan")}),
        ("set_spring", {"dof": "arm.turn", "spring": -1.0}),
        ("set_spring", {"dof": "arm.turn", "spring": 1.0, "neutral": float("inf")}),
        ("set_body", {"joint": "arm", "density": -1.0}),
        ("set_side", {"joint": "arm", "side": "top"}),
        ("set_mirror", {"joint": "arm", "mirror": "leg"}),
        ("add_handle", {"handle": Handle(id="tip", name="Tip", joint="arm")}),
        ("add_handle", {"handle": Handle(id="new", name="New", joint="leg")}),
        ("remove_handle", {"handle": "grip"}),
    ],
)
def test_bad_arguments_are_refused(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        edit(name, actor="one", **arguments).apply(_scene())
