"""Figure parts: each stands where the figure at rest has it, and its edit brings it to where it is dragged."""

from __future__ import annotations

import math

import pytest

from app.features.figure.view.parts import LimitPart, arcs_of, body_frames, parts_of
from engine.document import Actor, Document, Dof, Figure, Handle, Joint, Placement


def arm(lower: float | None = -1.0, upper: float | None = 2.0) -> Actor:
    joints = (
        Joint(id="base", name="Base", rest=(0.8, 0.0, 0.6, 0.0)),
        Joint(
            id="elbow",
            name="Elbow",
            parent="base",
            offset=(0.0, 0.3, 0.0),
            rest=(0.6, 0.8, 0.0, 0.0),
            dofs=(Dof(id="elbow.bend", name="Bend", axis=(0.0, 0.0, 1.0), lower=lower, upper=upper),),
        ),
        Joint(id="hand", name="Hand", parent="elbow", offset=(0.0, 0.2, 0.0)),
    )
    tip = Handle(id="tip", name="Tip", joint="hand", point=(0.0, 0.1, 0.0))
    placement = Placement(position=(1.0, 0.0, -1.0), rotation=(0.6, 0.0, 0.8, 0.0))
    return Actor(id="one", name="Arm", figure=Figure(name="Arm", joints=joints, handles=(tip,)), placement=placement)


@pytest.mark.parametrize("id", ["joint base", "joint elbow", "joint hand", "end tip"])
@pytest.mark.parametrize("keep", [False, True])
def test_a_part_goes_where_it_is_dragged(id: str, keep: bool) -> None:
    actor = arm()
    part = next(each for each in parts_of(actor, None) if each.id == id)
    wanted = (0.4, 0.7, -0.2)
    document = part.moved(actor, wanted, keep_children=keep).apply(Document(actors=(actor,)))
    again = next(each for each in parts_of(document.actors[0], None) if each.id == id)
    assert math.dist(again.place, wanted) < 1e-12
    if id == "joint elbow":
        before, after = (body_frames(each)["hand"].position for each in (actor, document.actors[0]))
        assert (math.dist(before, after) < 1e-12) is keep


def test_limits_are_parts_of_the_selected_joint_alone() -> None:
    assert not [each for each in parts_of(arm(), None) if isinstance(each, LimitPart)]
    assert not [each for each in parts_of(arm(), "hand") if isinstance(each, LimitPart)]
    assert [each.id for each in parts_of(arm(), "elbow") if isinstance(each, LimitPart)] == [
        "lower elbow.bend",
        "upper elbow.bend",
    ]
    assert [each.id for each in parts_of(arm(lower=None), "elbow")][-1] == "upper elbow.bend"


@pytest.mark.parametrize(("to", "upper"), [(1.2, 1.2), (-1.1, -1.0), (3.5, 3.5)])
def test_a_limit_follows_its_arc_and_stops_at_the_other(to: float, upper: float) -> None:
    actor = arm()
    part = next(each for each in parts_of(actor, "elbow") if each.id == "upper elbow.bend")
    ((_, arc),) = arcs_of(actor, "elbow")
    document = part.moved(actor, arc.at(to), keep_children=False).apply(Document(actors=(actor,)))
    (dof,) = document.actors[0].figure.joint("elbow").dofs
    assert dof.upper == pytest.approx(upper, abs=1e-12)
    assert dof.lower == -1.0


def test_the_arc_shows_where_the_bone_points() -> None:
    actor = arm(lower=0.5)
    ((dof, arc),) = arcs_of(actor, "elbow")
    bone = body_frames(actor)["hand"].position
    assert arc.angle_at(bone) == pytest.approx(dof.lower, abs=1e-12)
    assert math.dist(arc.at(0.7), arc.centre) == pytest.approx(arc.radius)
