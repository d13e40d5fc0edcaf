"""Planned motions in documents: what they refuse, and what general edits do to them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from engine.document import Actor, Document, Dof, Figure, Joint, Layer
from engine.document.motion import TICKS_PER_SECOND, Key, Track
from engine.edits import edit
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.spacetime.parts import (
    Spacetime,
    SpacetimeConstraint,
    SpacetimeContact,
    SpacetimeCurve,
    SpacetimeForce,
    SpacetimeMuscle,
    SpacetimeStage,
)
from engine.spacetime.uses import spacetime_of

SECOND = TICKS_PER_SECOND
STAGES = (SpacetimeStage(id="push", name="Push", length=0.5), SpacetimeStage(id="fly", name="Flight", length=0.25))


def two_sided() -> Figure:
    """A trunk with an arm on either side, which swing about z."""
    swing = {"kind": "hinge", "axis": (0.0, 0.0, 1.0)}
    return Figure(
        name="Two arms",
        joints=(
            Joint(id="trunk", name="Trunk", dofs=(Dof(id="trunk.turn", name="turn", axis=(0.0, 0.0, 1.0)),)),
            *(
                Joint(
                    id=side,
                    name=side,
                    parent="trunk",
                    offset=(0.2 if side == "left" else -0.2, 0.0, 0.0),
                    dofs=(Dof(id=f"{side}.swing", name="swing", **swing),),  # type: ignore[arg-type]
                    mirror="right" if side == "left" else "left",
                )
                for side in ("left", "right")
            ),
        ),
    )


def planned(**given: Any) -> Document:
    plan = Spacetime(start=SECOND, stages=STAGES, **given)
    actor = Actor(id="one", name="One", figure=two_sided(), layers=(Layer(id="pose"),))
    return edit("put_spacetime", actor="one", spacetime=plan).apply(Document(actors=(actor,)))


def plan_of(document: Document) -> Spacetime:
    found = spacetime_of(document.actor("one"))
    assert found is not None
    return found


def hold(**given: Any) -> SpacetimeConstraint:
    usual: dict[str, Any] = {"id": "c", "name": "Hold", "stage": "push"}
    return SpacetimeConstraint(**(usual | given))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: SpacetimeStage(id="s", name="Leap", length=0.0), "the length of Leap is 0.0"),
        (lambda: SpacetimeStage(id="s", name="Leap", length=0.4, least_length=0.5), "shortest, length and longest"),
        (lambda: SpacetimeStage(id="s", name="Leap", pieces=0), "the pieces of Leap is 0"),
        (lambda: SpacetimeMuscle(dof="knee", least=2.0, most=1.0), "the bounds of the torque of the muscle of knee"),
        (lambda: SpacetimeCurve(of="knee", kind="held", value=2.0, most=1.0), "the value of the coordinate knee"),
        (lambda: hold(least=1.0, most=0.0), "the bounds of Hold"),
        (lambda: hold(at=0.7, until=0.2), "the time of Hold"),
        (lambda: hold(quantity="point"), "the joint of Hold"),
        (lambda: hold(quantity="rate"), "what Hold is of"),
        (lambda: SpacetimeForce(id="f", name="Wind", joint="j", direction=(0.0, 0.0, 0.0)), "the direction of Wind"),
        (lambda: Spacetime(stages=()), "the stages"),
        (lambda: Spacetime(stages=(STAGES[0], STAGES[0])), "the stages of a planned motion is 'push'"),
        (lambda: Spacetime(stages=STAGES, plane=(0.0, 0.0, 0.0)), "the normal of the plane"),
    ],
)
def test_what_cannot_be_is_refused_by_name(make: Any, words: str) -> None:
    with pytest.raises(InvalidDocument, match=words):
        make()


def test_what_the_figure_lacks_is_refused() -> None:
    with pytest.raises(UnknownPart, match=r"left\.swing"):
        planned(muscles=(SpacetimeMuscle(dof="left.swin"),))
    with pytest.raises(UnknownPart, match="no stage"):
        planned(constraints=(hold(stage="land"),))
    wind = SpacetimeForce(id="wind", name="Wind", joint="left")
    with pytest.raises(InvalidDocument, match="allowed: a blow"):
        planned(forces=(wind,), constraints=(hold(quantity="impulse", of="wind"),))


def test_a_border_moves_what_comes_after_or_takes_from_it() -> None:
    document = planned()
    later = edit("move_spacetime_border", actor="one", stage="push", length=0.6).apply(document)
    assert plan_of(later).borders == tuple(round(each * SECOND) for each in (1.0, 1.6, 1.85))
    shared = edit("move_spacetime_border", actor="one", stage="push", length=0.6, shifts=False).apply(document)
    assert plan_of(shared).borders == tuple(round(each * SECOND) for each in (1.0, 1.6, 1.75))
    with pytest.raises(InvalidDocument, match="the length of Flight"):
        edit("move_spacetime_border", actor="one", stage="push", length=0.8, shifts=False).apply(document)


def test_a_stage_goes_with_what_is_demanded_in_it() -> None:
    wind = SpacetimeForce(id="wind", name="Wind", joint="left", stages=("fly",))
    document = planned(constraints=(hold(), hold(id="d", stage="fly")), forces=(wind,))
    left = plan_of(edit("remove_spacetime_stage", actor="one", stage="fly").apply(document))
    assert [each.id for each in left.constraints] == ["c"]
    assert left.forces == ()
    one = edit("remove_spacetime_stage", actor="one", stage="fly").apply(document)
    with pytest.raises(InvalidDocument, match="one of several"):
        edit("remove_spacetime_stage", actor="one", stage="push").apply(one)


def test_a_plan_goes_with_its_time() -> None:
    document = planned()
    later = edit("insert_everywhere", actors=("one",), time=SECOND // 2, length=SECOND).apply(document)
    assert plan_of(later).start == 2 * SECOND
    assert plan_of(later).stages == STAGES
    longer = edit("insert_everywhere", actors=("one",), time=SECOND + SECOND // 4, length=SECOND).apply(document)
    assert [each.length for each in plan_of(longer).stages] == [1.5, 0.25]
    cut = edit("delete_everywhere", actors=("one",), start=SECOND, end=SECOND + SECOND // 2).apply(document)
    assert [each.id for each in plan_of(cut).stages] == ["fly"]


def test_a_whole_length_goes_with_its_time() -> None:
    free = tuple(replace(each, least_length=0.1, most_length=2.0) for each in STAGES)
    document = edit("put_spacetime", actor="one", spacetime=Spacetime(start=SECOND, stages=free, whole=0.75)).apply(
        planned()
    )
    longer = edit("insert_everywhere", actors=("one",), time=SECOND + SECOND // 4, length=SECOND).apply(document)
    assert plan_of(longer).whole == pytest.approx(1.75)
    later = edit("insert_everywhere", actors=("one",), time=SECOND // 2, length=SECOND).apply(document)
    assert plan_of(later).whole == 0.75


def test_what_has_gone_of_the_figure_goes_from_the_plan() -> None:
    pose = hold(values=(("left.swing", 0.1), ("trunk.turn", 0.2)))
    stage = replace(STAGES[0], contacts=(SpacetimeContact(joint="left"),))
    document = planned(constraints=(pose,), muscles=(SpacetimeMuscle(dof="left.swing"),))
    document = edit("put_spacetime_stage", actor="one", stage=stage).apply(document)
    removed = plan_of(edit("remove_joint", actor="one", joint="left").apply(document))
    assert removed.constraints[0].values == (("trunk.turn", 0.2),)
    assert (removed.muscles, removed.stages[0].contacts) == ((), ())


def test_left_and_right_are_exchanged_with_the_motion() -> None:
    here = hold(id="d", quantity="point", joint="left", point=(0.1, 0.2, 0.0), position=(0.5, 1.0, 0.0))
    document = planned(
        constraints=(
            hold(values=(("left.swing", 0.4),)),
            here,
            hold(id="e", quantity="rate", of="left.swing", most=2.0),
        ),
        muscles=(SpacetimeMuscle(dof="left.swing", least=-1.0, most=3.0),),
    )
    swing = Layer(id="pose", tracks=(Track(coordinate="left.swing", keys=(Key(0, 0.2),)),))
    document = document.with_actor(replace(document.actor("one"), layers=(swing,)))
    change = edit("mirror_ranges", parts=(("one", "pose", None),), start=0, end=3 * SECOND)
    mirrored = change.apply(document)
    found = plan_of(mirrored)
    assert found.constraints[0].values == (("right.swing", -0.4),)
    assert (found.constraints[1].joint, found.constraints[1].position) == ("right", (-0.5, 1.0, 0.0))
    assert found.constraints[1].point == pytest.approx((-0.1, 0.2, 0.0))
    assert (found.constraints[2].of, found.constraints[2].least) == ("right.swing", -2.0)
    assert (found.muscles[0].dof, found.muscles[0].least, found.muscles[0].most) == ("right.swing", -3.0, 1.0)
    assert plan_of(change.apply(mirrored)) == plan_of(document)


def test_a_kept_motion_takes_the_place_of_the_one_before() -> None:
    document = planned()
    first = edit("keep_spacetime", actor="one", layer=Layer(id="found", name="Found")).apply(document)
    again = edit("keep_spacetime", actor="one", layer=Layer(id="better", name="Found")).apply(first)
    assert [each.id for each in again.actor("one").layers] == ["pose", "better"]
    assert plan_of(again).layer == "better"
    assert math.isclose(plan_of(again).seconds, 0.75)
    free = edit("set_spacetime_length", actor="one", stage="fly", length=0.25, most_length=0.5).apply(document)
    change = edit("keep_spacetime", actor="one", layer=Layer(id="found"), lengths=(0.5, 0.4))
    assert plan_of(change.apply(free)).stages[1].lengths == (0.25, 0.5)
    assert plan_of(change.apply(free)).stages[1].length == 0.4
    with pytest.raises(InvalidDocument, match="2 of them"):
        edit("keep_spacetime", actor="one", layer=Layer(id="found"), lengths=(0.5,)).apply(free)
