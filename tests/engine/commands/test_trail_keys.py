"""Keys and tangents of a trail: the point goes where it is pulled at its key, and passes it as it is told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.commands.bend_trail import BendTrail, Side
from engine.commands.pull_key import pull_key, why_fixed
from engine.commands.reach import Reach, Reached
from engine.document import Document, Draft, Key, Layer, Lock, Span, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import Spot
from engine.ik.methods import Method, Terms
from engine.maths.arrays import Array
from engine.model.trails import Tangents
from engine.queries.tangents import tangents_at, velocities
from engine.runtime.errors import InvalidArguments, InvalidDocument
from tests.engine.commands.test_reach import handle, person

LIMB = ("shoulder_left", "elbow_left")
EXACT = 1e-3  # [m/s] as differences tell it


def swing(**more: Any) -> Document:
    """A person whose arm has keys at 0, 1 and 2 s, in two joints."""
    document = person()
    figure = document.actor("me").figure
    names = [name for joint in LIMB for dof in figure.joint(joint).dofs for name in dof.coordinates]
    values = {0.0: 0.1, 1.0: 0.45, 2.0: 0.3}

    def track(place: int, name: str) -> Track:
        scale = 1.0 + 0.2 * place
        clamp = figure.coordinate_dof[name].clamp
        keys = (Key(round(at * SECOND), clamp(scale * value), **more) for at, value in values.items())
        return Track(coordinate=name, keys=tuple(keys))

    return person(Layer(id="pose", tracks=tuple(track(place, name) for place, name in enumerate(names))))


def hand(document: Document) -> Spot:
    found = handle(document, "hand_left")
    return Spot(actor="me", joint=found.joint, point=found.point)


def place(document: Document, time: int) -> Array:
    spot, figure = hand(document), document.actor("me").figure
    frame = Evaluator().joint_transforms(document, "me", time)[figure.joint_index[spot.joint]]
    return np.asarray(frame[:, :3] @ spot.point + frame[:, 3])


def passing(document: Document, time: int = SECOND) -> Array:
    return velocities(Evaluator(), document, hand(document), time)


def pulled(document: Document, at: int, by: Vector3, *, shown: int = 0, auto_key: bool = True) -> Reached:
    x, y, z = (place(document, at) + by).tolist()
    request = pull_key(document, **asked(document), time=at, to=(x, y, z))
    *_, last = Reach(Evaluator()).answer(document, shown, replace(request, auto_key=auto_key))
    assert last is not None
    return last


def asked(document: Document) -> dict[str, Any]:
    return {"drag": "1", "spot": hand(document), "method": Method(), "terms": Terms(milliseconds=50.0)}


def bent(document: Document, velocity: Vector3, *, side: Side = "both", time: int = SECOND) -> Document:
    spot = hand(document)
    wish = BendTrail(actor="me", joint=spot.joint, point=spot.point, time=time, velocity=velocity, side=side)
    return wish.work_out(Evaluator(), document).apply(document)


def near(document: Document, change: tuple[float, float, float]) -> Vector3:
    """The velocity with which the hand passes its key, and something more."""
    x, y, z = (passing(document)[1] + change).tolist()
    return (x, y, z)


@pytest.mark.parametrize("auto_key", [True, False])
def test_a_key_that_is_pulled_at_its_own_time_changes_there_while_the_present_is_shown(auto_key: bool) -> None:
    document, by = swing(), (0.03, 0.05, -0.02)
    reached = pulled(document, SECOND, by, shown=2 * SECOND, auto_key=auto_key)
    edited = reached.edit.apply(document)
    assert reached.edit.name == "key_pose"
    assert dict(reached.edit.arguments)["time"] == SECOND
    np.testing.assert_allclose(place(edited, SECOND), place(document, SECOND) + by, atol=1e-3)
    np.testing.assert_allclose(place(edited, 0), place(document, 0), atol=1e-9)
    assert reached.snapshot.time == 2 * SECOND
    assert reached.outcome.places[0] == pytest.approx(tuple(place(edited, SECOND)), abs=1e-9)


def test_only_what_has_keys_moves() -> None:
    document = swing()
    values = dict(pulled(document, SECOND, (0.03, 0.05, -0.02)).edit.arguments)["values"]
    assert isinstance(values, tuple)
    assert {name for name, _ in values} <= document.actor("me").layers[0].track_of.keys()


def test_where_no_key_stands_nothing_is_pulled() -> None:
    document = swing()
    with pytest.raises(InvalidArguments, match=f"is 5; allowed: 0, {SECOND}, {2 * SECOND}"):
        pull_key(document, **asked(document), time=5, to=(0.0, 1.0, 0.0))
    with pytest.raises(InvalidArguments, match="allowed: none: set a key first"):
        pull_key(person(), **asked(document), time=0, to=(0.0, 1.0, 0.0))
    with pytest.raises(InvalidDocument, match="the place of a key"):
        pull_key(document, **asked(document), time=0, to=(float("nan"), 1.0, 0.0))


def test_why_a_key_cannot_be_pulled_is_told_in_words() -> None:
    document = swing()
    assert why_fixed(document, hand(document), SECOND) == ""
    assert why_fixed(document, hand(document), 5) == "it is no key of Pose, which a drag changes"
    actor = document.actor("me")
    above = document.with_actor(replace(actor, layers=(*actor.layers, Layer(id="top", name="Top", mode="add"))))
    assert why_fixed(above, hand(above), SECOND) == "it is no key of Top, which a drag changes"
    none = document.with_actor(replace(actor, layers=()))
    assert "any layer" in why_fixed(none, hand(none), SECOND)


def test_keys_outside_the_span_of_a_layer_above_are_those_of_the_layer_that_counts_there() -> None:
    document = swing()
    actor = document.actor("me")
    top = Layer(id="top", name="Top", span=Span(start=3 * SECOND, end=4 * SECOND, ease_in=SECOND // 2))
    above = document.with_actor(replace(actor, layers=(*actor.layers, top)))
    assert why_fixed(above, hand(above), SECOND) == ""
    assert why_fixed(above, hand(above), 3 * SECOND) == "it is no key of Pose, which a drag changes"
    assert pulled(above, SECOND, (0.03, 0.05, -0.02)).edit.name == "key_pose"
    assert told(above) is not None
    assert _keys(bent(above, near(above, (0.1, 0.0, 0.0)))) != _keys(above)


def test_keys_of_a_muted_track_are_neither_pulled_nor_bent() -> None:
    document = swing()
    actor = document.actor("me")
    tracks = tuple(replace(track, mute=True) for track in actor.layers[0].tracks)
    muted = document.with_actor(replace(actor, layers=(replace(actor.layers[0], tracks=tracks),)))
    assert why_fixed(muted, hand(muted), SECOND) == "it is no key of Pose, which a drag changes"
    assert told(muted) is None
    with pytest.raises(InvalidArguments, match="none: the layer has no keys"):
        bent(muted, (1.0, 0.0, 0.0))


def told(document: Document, time: int = SECOND) -> Tangents | None:
    return tangents_at(Evaluator(), document, hand(document), time)


def test_tangents_tell_velocities_and_reach_a_third_of_the_way_to_the_next_key() -> None:
    document = swing()
    tangents = told(document)
    assert tangents is not None
    assert tangents.reach == pytest.approx((1 / 3, 1 / 3))
    np.testing.assert_array_equal(tangents.velocities, passing(document))
    first, last = told(document, 0), told(document, 2 * SECOND)
    assert first is not None
    assert last is not None
    assert first.reach == pytest.approx((0.0, 1 / 3))
    assert last.reach == pytest.approx((1 / 3, 0.0))


def test_where_nothing_bends_there_are_no_tangents() -> None:
    assert told(swing(), 5) is None
    assert told(swing(interpolation="linear")) is None
    document = swing()
    actor = document.actor("me")
    muted = replace(actor, layers=(replace(actor.layers[0], mute=True),))
    masked = replace(actor, layers=(replace(actor.layers[0], mask=("knee_left.flex",)),))
    empty = replace(actor, layers=(*actor.layers, Layer(id="top", name="Top", mode="add")))
    for each in (muted, masked, empty, replace(actor, layers=())):
        assert told(document.with_actor(each)) is None


def test_a_trail_arrives_and_leaves_as_it_is_told() -> None:
    document = swing()
    velocity = near(document, (0.1, 0.2, -0.1))
    edited = bent(document, velocity)
    np.testing.assert_allclose(passing(edited), [velocity, velocity], atol=EXACT)
    for time in (0, SECOND, 2 * SECOND):
        np.testing.assert_allclose(place(edited, time), place(document, time), atol=1e-12)
    np.testing.assert_allclose(passing(edited, 0)[1], passing(document, 0)[1], atol=EXACT)


@pytest.mark.parametrize("side", ["in", "out"])
def test_one_side_is_bent_alone(side: Side) -> None:
    document = swing()
    velocity = near(document, (-0.1, 0.1, 0.15))
    before, after = passing(document), passing(bent(document, velocity, side=side))
    told, other = (0, 1) if side == "in" else (1, 0)
    np.testing.assert_allclose(after[told], velocity, atol=EXACT)
    np.testing.assert_allclose(after[other], before[other], atol=EXACT)


def test_what_passes_as_it_is_told_already_keeps_its_curves() -> None:
    document = bent(swing(), near(swing(), (0.1, 0.0, 0.0)))
    x, y, z = passing(document)[1].tolist()
    again = bent(document, (x, y, z))
    for old, new in zip(_keys(document), _keys(again), strict=True):
        assert new.slope_in == pytest.approx(old.slope_in, abs=EXACT)
        assert new.slope_out == pytest.approx(old.slope_out, abs=EXACT)


def _keys(document: Document) -> list[Key]:
    return [key for track in document.actor("me").layers[0].tracks for key in track.keys]


def test_a_layer_of_half_weight_gets_slopes_twice_as_steep() -> None:
    document = swing()
    actor = document.actor("me")
    half = document.with_actor(replace(actor, layers=(replace(actor.layers[0], weight=0.5),)))
    velocity = near(half, (0.0, 0.1, 0.1))
    np.testing.assert_allclose(passing(bent(half, velocity)), [velocity, velocity], atol=EXACT)


def test_drafts_and_locks_are_left_out() -> None:
    document = swing()
    actor = document.actor("me")
    velocity = near(document, (0.1, 0.1, 0.0))
    drafted = replace(actor.layers[0], drafts=(Draft(time=SECOND, values=(("pelvis.move_x", 1.0),)),))
    held = Lock(id="held", name="Held", joint=hand(document).joint, position=(0.4, 1.2, 0.1))
    other = document.with_actor(replace(actor, layers=(drafted,), locks=(held,)))
    slopes = [(key.slope_in, key.slope_out) for key in _keys(bent(other, velocity))]
    assert slopes == [(key.slope_in, key.slope_out) for key in _keys(bent(document, velocity))]


def test_after_a_stepped_key_there_is_nothing_to_bend() -> None:
    document = swing(interpolation="stepped")
    with pytest.raises(InvalidArguments, match="allowed: a cubic curve of a joint that moves it, with a key there"):
        bent(document, (1.0, 0.0, 0.0))


def test_a_place_without_a_key_is_no_tangent() -> None:
    with pytest.raises(InvalidArguments, match=f"the tick of a key of .* is 5; allowed: 0, {SECOND}, {2 * SECOND}"):
        bent(swing(), (1.0, 0.0, 0.0), time=5)
    with pytest.raises(InvalidArguments, match="none: the layer has no keys"):
        bent(person(), (1.0, 0.0, 0.0))


def test_a_tangent_at_infinity_is_refused() -> None:
    with pytest.raises(InvalidDocument, match="the velocity of a trail"):
        bent(swing(), (float("inf"), 0.0, 0.0))
