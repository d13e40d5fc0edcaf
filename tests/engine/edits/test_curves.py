"""Edits of several curves at once: keys reshaped, ends, muting, unwrapping."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Document, Draft, Key, Layer, SpeedRange, Track, validate
from engine.edits import edit
from engine.motion.changed import changed_span
from engine.motion.motion import compile_motion
from engine.runtime.errors import EngineError
from tests.engine.motion.motions import SECOND, walker

KEYS = (Key(0, 0.0), Key(SECOND, 1.0), Key(2 * SECOND, 0.5))
WALK, HIGH = ("one", "low"), ("two", "high")


def _scene() -> Document:
    tracks = (
        Track(coordinate="x", keys=KEYS, before="cycle", after="linear"),
        Track(coordinate="knee", keys=KEYS, after="cycle_offset"),
    )
    layers = (Layer(id="low", tracks=tracks, values=(("knee", 0.25),)), Layer(id="high", tracks=tracks))
    return Document(actors=tuple(Actor(id=id, name=id, figure=walker(), layers=layers) for id in ("one", "two")))


def _do(name: str, document: Document | None = None, **arguments: Any) -> Document:
    changed = edit(name, **arguments).apply(document or _scene())
    validate(changed)
    return changed


def _track(document: Document, actor: str, layer: int, name: str) -> Track:
    return document.actor(actor).layers[layer].track_of[name]


def test_keys_of_two_actors_are_reshaped_and_no_others() -> None:
    chosen = ((*WALK, (("knee", (0, SECOND)),)), (*HIGH, (("x", (SECOND,)),)))
    made = ((*WALK, (("knee", Key(7, 0.5)), ("knee", Key(SECOND + 7, 0.75)))), (*HIGH, (("x", Key(SECOND, 9.0)),)))
    changed = _do("reshape_chosen", chosen=chosen, made=made)
    knee = _track(changed, "one", 0, "knee")
    assert [(key.time, key.value) for key in knee.keys] == [(7, 0.5), (SECOND + 7, 0.75), (2 * SECOND, 0.5)]
    assert _track(changed, "two", 1, "x").keys[1].value == 9.0
    assert _track(changed, "one", 1, "knee") is not None
    assert changed.actor("two").layers[0] == _scene().actor("two").layers[0]


def test_a_track_whose_keys_are_all_replaced_keeps_how_it_goes_on() -> None:
    times = tuple(key.time for key in KEYS)
    made = ((*WALK, (("x", Key(5 * SECOND, 2.0)),)),)
    track = _track(_do("reshape_chosen", chosen=((*WALK, (("x", times),)),), made=made), "one", 0, "x")
    assert (track.before, track.after, [key.time for key in track.keys]) == ("cycle", "linear", [5 * SECOND])


def test_without_new_keys_the_chosen_are_taken_away_and_an_empty_track_goes() -> None:
    times = tuple(key.time for key in KEYS)
    changed = _do("reshape_chosen", chosen=((*WALK, (("x", times), ("knee", (0,)))),))
    assert set(changed.actor("one").layers[0].track_of) == {"knee"}
    assert [key.time for key in _track(changed, "one", 0, "knee").keys] == [SECOND, 2 * SECOND]


def test_a_new_key_takes_the_place_of_the_one_it_lands_on() -> None:
    made = ((*WALK, (("knee", Key(2 * SECOND, 0.75)),)),)
    track = _track(_do("reshape_chosen", chosen=((*WALK, (("knee", (SECOND,)),)),), made=made), "one", 0, "knee")
    assert [(key.time, key.value) for key in track.keys] == [(0, 0.0), (2 * SECOND, 0.75)]


def test_values_stop_at_their_limits_and_a_key_takes_the_place_of_a_draft() -> None:
    scene = _scene()
    joints = tuple(
        replace(joint, dofs=tuple(replace(dof, upper=2.0) if dof.id == "knee" else dof for dof in joint.dofs))
        for joint in walker().joints
    )
    actor = scene.actor("one")
    drafted = replace(actor.layers[0], drafts=(Draft(time=3 * SECOND, values=(("knee", 0.1),)),))
    figure = replace(actor.figure, joints=joints)
    scene = scene.with_actor(replace(actor, figure=figure, layers=(drafted, actor.layers[1])))
    made = ((*WALK, (("knee", Key(3 * SECOND, 99.0)),)),)
    changed = _do("reshape_chosen", scene, chosen=((*WALK, (("knee", (2 * SECOND,)),)),), made=made)
    assert _track(changed, "one", 0, "knee").keys[-1].value == 2.0
    assert changed.actor("one").layers[0].drafts == ()


def test_a_speed_curve_is_put_in_the_place_of_those_it_overlaps() -> None:
    speeds = [
        SpeedRange(start=0, end=end * SECOND, coordinates=("x",), keys=(Key(0, 0.0), Key(end * SECOND, 1.0)))
        for end in (1, 2)
    ]
    changed = _do("reshape_chosen", chosen=(), speeds=((*WALK, speeds[0]),))
    assert changed.actor("one").layers[0].speed == (speeds[0],)
    changed = _do("reshape_chosen", changed, chosen=(), speeds=((*WALK, speeds[1]),))
    assert changed.actor("one").layers[0].speed == (speeds[1],)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"chosen": ((*WALK, (("knee", (5,)),)),)}, "a key of knee"),
        ({"chosen": ((*WALK, (("hip.0", (0,)),)),)}, "hip.0"),
        ({"chosen": ((*WALK, ()), (*WALK, ()))}, "each at most once"),
        ({"chosen": (), "made": ((*WALK, ()),)}, "the layers of new keys"),
        ({"chosen": ((*WALK, (("x", (0,)),)),), "made": ((*WALK, (("knee", Key(0, 0.0)),)),)}, "knee"),
        ({"chosen": (("nobody", "low", ()),)}, "nobody"),
    ],
)
def test_what_cannot_be_reshaped_is_refused_whole(arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(EngineError, match=said):
        edit("reshape_chosen", **arguments).apply(_scene())


def test_keys_are_inserted_on_several_curves_without_changing_them() -> None:
    changed = _do("insert_chosen", chosen=((*WALK, ("x", "knee")), (*HIGH, ("x",))), time=SECOND // 2)
    before, after = (compile_motion(walker(), each.actor("one").layers) for each in (_scene(), changed))
    times = np.linspace(0.0, 3.0 * SECOND, 50)
    assert np.allclose(before.at(times)[:, 0], after.at(times)[:, 0], atol=1e-12)
    assert len(_track(changed, "two", 1, "x").keys) == 4
    assert len(_track(changed, "two", 1, "knee").keys) == 3


def test_others_are_set_with_them_as_they_are_given() -> None:
    key = Key(SECOND // 2, 0.25, tangent="flat")
    made = ((*WALK, (("knee", key),)),)
    changed = _do("insert_chosen", chosen=((*WALK, ("x",)),), time=SECOND // 2, made=made)
    assert key in _track(changed, "one", 0, "knee").keys
    assert len(_track(changed, "one", 0, "x").keys) == 4


def test_how_several_curves_go_on_is_set_at_once() -> None:
    changed = _do("extend_chosen", chosen=((*WALK, ("x",)), (*HIGH, ("knee",))), after="cycle")
    assert (_track(changed, "one", 0, "x").before, _track(changed, "one", 0, "x").after) == ("cycle", "cycle")
    assert (_track(changed, "two", 1, "knee").before, _track(changed, "two", 1, "knee").after) == ("hold", "cycle")
    with pytest.raises(EngineError, match="bounce"):
        edit("extend_chosen", chosen=((*WALK, ("x",)),), after="bounce").apply(_scene())


def test_a_layer_with_a_muted_track_is_as_one_without_it_and_keeps_its_keys() -> None:
    muted = _do("mute_chosen", chosen=((*WALK, ("knee",)), ("one", "high", ("knee",))), mute=True)
    layer = muted.actor("one").layers[0]
    assert layer.track_of["knee"].keys == KEYS
    figure = walker()
    q = compile_motion(figure, muted.actor("one").layers).at(float(SECOND))[0]
    assert q[figure.coordinate_index["knee"]] == 0.25  # the layer's constant
    assert changed_span(_scene(), muted)
    heard = _do("mute_chosen", muted, chosen=((*WALK, ("knee",)), ("one", "high", ("knee",))), mute=False)
    assert heard.digest == _scene().digest


def test_muting_what_has_no_keys_is_refused() -> None:
    with pytest.raises(EngineError, match=r"hip\.0"):
        edit("mute_chosen", chosen=((*WALK, ("hip.0",)),), mute=True).apply(_scene())


def test_only_the_joints_of_the_named_curves_are_unwrapped() -> None:
    jump = (Key(0, 0.0), Key(SECOND, 2.0 * math.pi + 0.1))
    layers = (Layer(id="low", tracks=(Track(coordinate="hip.0", keys=jump), Track(coordinate="knee", keys=jump))),)
    scene = Document(actors=(Actor(id="one", name="one", figure=walker(), layers=layers),))
    changed = _do("unwrap_chosen", scene, chosen=((*WALK, ("knee",)),))
    assert _track(changed, "one", 0, "knee").keys[1].value == pytest.approx(0.1)
    assert _track(changed, "one", 0, "hip.0").keys == jump
    assert edit("unwrap_chosen", chosen=()).may_run_kernels
