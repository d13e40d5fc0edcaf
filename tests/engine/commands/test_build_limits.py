"""Limits built from what actors and files do: what comes of the samples, what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.commands.build_limits import BuildLimits, turned_back
from engine.document import Actor, Document, Key, Layer, Track
from engine.document.limit import SampledRange
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.queries.limit_table import limit_rows
from engine.runtime.errors import EngineError, InvalidArguments
from engine.runtime.progress import finish
from tests.engine.queries.limit_figures import SHOULDER, arm, moving


def build(document: Document, **wished: object) -> Document:
    wish = BuildLimits(**{"actor": "arm", "actors": ("arm",), "ids": ("one", "two"), "nodes": 16, **wished})  # type: ignore[arg-type]
    return finish(wish.work_through(Evaluator(), document)).apply(document)


def test_each_joint_gets_a_limit_that_holds_all_of_its_clip() -> None:
    built = build(moving(), joints=("shoulder", "elbow"))
    limits = built.actor("arm").figure.limits
    assert [(each.id, each.name, each.dofs) for each in limits] == [
        ("one", "Shoulder", SHOULDER),
        ("two", "Elbow", ("elbow.x",)),
    ]
    *_, rows = (each for each in limit_rows(Evaluator(), built, "arm") if each is not None)
    assert [row.inside for row in rows] == [1.0, 1.0]


def test_a_limit_over_the_same_hinges_is_built_anew_and_keeps_its_id() -> None:
    first = build(moving(), joints=("shoulder",))
    again = build(first, joints=("shoulder",), ids=("other",), margin=0.3)
    (limit,) = again.actor("arm").figure.limits
    assert (limit.id, limit.margin) == ("one", 0.3)


def test_clips_of_another_figure_are_taken_by_names_and_axes() -> None:
    other = arm("other")
    both = Document(actors=(arm(), replace(other, layers=other.layers)))
    built = build(both, joints=("shoulder",), actors=("arm", "other"))
    content = built.actor("arm").figure.limits[0].range
    assert isinstance(content, SampledRange)
    assert len(content.clips) == 2
    assert content.clips[0] == content.clips[1]


def test_angles_about_other_axes_are_not_taken() -> None:
    other = arm("other", axes="xyz")
    renamed = replace(other.figure.joints[1], dofs=tuple(
        replace(dof, id=id, name=id[-1].upper()) for dof, id in zip(other.figure.joints[1].dofs, SHOULDER, strict=True)
    ))  # fmt: skip
    joints = (other.figure.joints[0], renamed, *other.figure.joints[2:])
    odd = replace(other, figure=replace(other.figure, joints=joints))
    with pytest.raises(InvalidArguments, match="Shoulder"):
        build(Document(actors=(arm(), odd)), joints=("shoulder",), actors=("other",))


def test_with_mirrored_clips_one_side_may_do_what_the_other_did() -> None:
    figure = load_figure("human")
    track = Track(coordinate="elbow_left.flexion", keys=(Key(0, 0.1), Key(TICKS_PER_SECOND, 1.4)))
    document = Document(actors=(Actor(id="arm", name="Arm", figure=figure, layers=(Layer(id="a", tracks=(track,)),)),))
    for mirrored in (False, True):
        built = build(document, joints=("elbow_right",), mirrored=mirrored)
        (limit,) = built.actor("arm").figure.limits
        content = limit.range
        assert isinstance(content, SampledRange)
        assert len(content.clips) == 1 + mirrored
        assert content.angles.array.max() == pytest.approx(1.4 if mirrored else 0.0, abs=1e-6)


def test_two_joints_together_are_one_limit_over_all_of_their_angles() -> None:
    built = build(moving(), joints=("shoulder", "elbow"), together=True, margin=0.3)
    (limit,) = built.actor("arm").figure.limits
    assert limit.dofs == (*SHOULDER, "elbow.x")
    assert built.actor("arm").figure.depends(limit)


@pytest.mark.parametrize(
    "wished",
    [
        {"joints": ()},
        {"joints": ("shoulder",), "actors": ()},
        {"joints": ("base",)},
        {"joints": ("shoulder", "wrist", "elbow"), "ids": ("a", "b", "c"), "together": True},
        {"joints": ("shoulder",), "actors": (), "files": (Path("nowhere.bvh"),)},
    ],
)
def test_what_cannot_be_built_is_refused_by_name(wished: dict[str, object]) -> None:
    with pytest.raises(EngineError):
        build(moving(), **wished)


def test_an_actor_without_motion_is_refused() -> None:
    still = Document(actors=(replace(arm(), layers=()),))
    with pytest.raises(InvalidArguments, match="Arm does not move"):
        build(still, joints=("shoulder",))


def test_angles_beyond_a_turn_are_brought_back() -> None:
    rows = np.array([[7.0, 0.1], [7.5, -0.1]])
    assert np.allclose(turned_back(rows), [[7.0 - math.tau, 0.1], [7.5 - math.tau, -0.1]])
    spun = np.linspace(0.0, 6.0 * math.pi, 40)[:, None]
    assert np.abs(turned_back(spun)).max() <= math.tau


def test_a_clip_that_would_leave_the_turn_beside_the_first_stays_where_it_is() -> None:
    first, wide = np.array([[4.0], [5.0]]), np.array([[-2.6], [3.0]])
    assert np.array_equal(turned_back(wide, first), wide)
    assert np.allclose(turned_back(first - math.tau, first), first)
    near, far = turned(arm(), "arm", 1.4 * math.pi), elbow(arm(), "wide", -2.6, 3.0)
    built = build(Document(actors=(near, far)), joints=("elbow",), actors=("arm", "wide"))
    content = built.actor("arm").figure.limits[0].range
    assert isinstance(content, SampledRange)
    assert content.angles.array.min() == pytest.approx(-2.6)


def test_a_leap_is_refused_by_the_name_of_its_clip() -> None:
    leaping = replace(elbow(arm(), "leaping", 0.0, 3.0, ticks=TICKS_PER_SECOND // 30), name="Jumper")
    both = Document(actors=(arm(), leaping))
    with pytest.raises(InvalidArguments, match="the clip of Jumper for Elbow"):
        build(both, joints=("elbow",), actors=("leaping", "arm"))


def elbow(actor: Actor, id: str, start: float, end: float, ticks: int = 2 * TICKS_PER_SECOND) -> Actor:
    """The same actor with nothing but an elbow that goes from one angle to another."""
    track = Track(coordinate="elbow.x", keys=(Key(0, start), Key(ticks, end)))
    return replace(actor, id=id, layers=(replace(actor.layers[0], tracks=(track,)),))


def turned(actor: Actor, id: str, by: float) -> Actor:
    """The same actor with an elbow that moves so much further round."""
    layer = actor.layers[0]
    tracks = tuple(
        replace(each, keys=tuple(replace(key, value=key.value + by) for key in each.keys))
        if each.coordinate == "elbow.x"
        else each
        for each in layer.tracks
    )
    return replace(actor, id=id, layers=(replace(layer, tracks=tracks),))


def test_a_limit_lies_on_the_turn_on_which_its_actor_moves() -> None:
    far, near = turned(arm(), "arm", 1.4 * math.pi), turned(arm(), "near", -0.6 * math.pi)
    both = Document(actors=(far, near))
    built = build(both, joints=("elbow",), actors=("near", "arm"))
    *_, rows = (each for each in limit_rows(Evaluator(), built, "arm") if each is not None)
    assert rows[0].inside == 1.0
    content = built.actor("arm").figure.limits[0].range
    assert isinstance(content, SampledRange)
    assert content.angles.array.min() > 0.5 * math.pi


def test_a_limit_over_several_joints_built_anew_keeps_what_a_person_set() -> None:
    wished: dict[str, object] = {"joints": ("shoulder", "elbow"), "together": True, "margin": 0.3}
    first = build(moving(), **wished)
    resisting = edit("set_limit_resistance", actor="arm", limit="one", resistance=12.0, onset=0.4).apply(first)
    off = edit("set_limit_on", actor="arm", limit="one", on=False).apply(resisting)
    (again,) = build(off, **wished, ids=("other", "more")).actor("arm").figure.limits
    assert (again.id, again.resistance, again.onset, again.on) == ("one", 12.0, 0.4, False)
