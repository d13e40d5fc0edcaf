"""Breakdowns: keys between neighbours and beyond, towards what is even, towards rest."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import cos, sin
from typing import Any

import pytest

from engine.commands.breakdown import Breakdown, Towards
from engine.document import Actor, Document, Figure, Joint, Key, Layer, SpeedRange, Track
from engine.document.figure import Dof
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits.poses import set_draft
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.motion.motion import compile_motion
from engine.runtime.errors import EngineError
from tests.engine.motion.motions import HIP, walker

HUMAN = load_figure("human")
ELBOW, KNEE, SIDEWAYS = "elbow_left.flexion", "knee_left.flexion", "pelvis.move_x"


def _scene(tracks: Mapping[str, tuple[Key, ...]], figure: Figure = HUMAN, **changed: Any) -> Document:
    order = figure.coordinate_index
    made = tuple(Track(coordinate=name, keys=tracks[name]) for name in sorted(tracks, key=order.__getitem__))
    return Document(
        actors=(Actor(id="one", name="One", figure=figure, layers=(Layer(id="pose", tracks=made, **changed),)),)
    )


def _broken(
    document: Document, share: float, towards: Towards = "between", joints: frozenset[str] | None = None, time: int = 1
) -> dict[str, dict[int, Key]]:
    wish = Breakdown(parts=(("one", joints),), time=time * SECOND, share=share, towards=towards)
    after = wish.work_out(Evaluator(), document).apply(document)
    return {
        track.coordinate: {key.time // SECOND: key for key in track.keys} for track in after.actors[0].layers[0].tracks
    }


ARM = {ELBOW: (Key(0, 0.4), Key(4 * SECOND, 1.2)), KNEE: (Key(0, 0.1), Key(2 * SECOND, 0.9))}


@pytest.mark.parametrize(("share", "value"), [(0.0, 0.4), (0.5, 0.8), (1.0, 1.2), (1.5, 1.6), (-0.5, 0.0)])
def test_a_share_goes_from_the_key_before_to_the_key_after_and_beyond(share: float, value: float) -> None:
    assert _broken(_scene(ARM), share)[ELBOW][1].value == pytest.approx(value, abs=1e-12)


def test_tracks_that_the_evaluator_has_packed_are_not_packed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    evaluator, document = Evaluator(), _scene(ARM)
    evaluator.motion(document.actors[0])
    packed: list[Track] = []
    monkeypatch.setattr("engine.motion.layers.pack_track", packed.append)
    wish = Breakdown(parts=(("one", None),), time=SECOND, share=0.5, towards="even")
    assert wish.work_out(evaluator, document).apply(document) is not document
    assert packed == []


def test_what_goes_beyond_stops_at_its_limit() -> None:
    flexed = {ELBOW: (Key(0, 0.0), Key(2 * SECOND, 2.4))}
    upper = HUMAN.coordinate_dof[ELBOW].upper
    assert upper is not None
    assert _broken(_scene(flexed), 1.5)[ELBOW][1].value == upper


def test_only_the_joints_that_are_meant_get_keys() -> None:
    found = _broken(_scene(ARM), 0.5, joints=frozenset(("knee_left",)))
    assert sorted(found[ELBOW]) == [0, 4]
    assert sorted(found[KNEE]) == [0, 1, 2]


def test_a_muted_track_gets_no_key() -> None:
    document = _scene(ARM)
    actor = document.actors[0]
    tracks = tuple(replace(each, mute=each.coordinate == ELBOW) for each in actor.layers[0].tracks)
    muted = document.with_actor(replace(actor, layers=(replace(actor.layers[0], tracks=tracks),)))
    found = _broken(muted, 0.5)
    assert sorted(found[ELBOW]) == [0, 4]
    assert sorted(found[KNEE]) == [0, 1, 2]


def test_a_key_that_stands_there_keeps_how_it_goes_on_and_a_new_one_goes_on_as_the_one_before() -> None:
    keys = (Key(0, 0.4, interpolation="linear"), Key(SECOND, 0.0, interpolation="stepped"), Key(2 * SECOND, 1.2))
    assert _broken(_scene({ELBOW: keys}), 0.5)[ELBOW][1] == Key(SECOND, 0.8, interpolation="stepped")
    assert _broken(_scene({ELBOW: (keys[0], keys[2])}), 0.5)[ELBOW][1].interpolation == "linear"


def test_towards_even_goes_to_the_straight_line_by_where_the_time_lies_and_away_from_it() -> None:
    keys = (Key(0, 0.4), Key(SECOND, 2.0), Key(4 * SECOND, 1.2))
    assert _broken(_scene({ELBOW: keys}), 1.0, "even")[ELBOW][1].value == pytest.approx(0.6, abs=1e-12)
    assert _broken(_scene({ELBOW: keys}), -0.1, "even")[ELBOW][1].value == pytest.approx(2.14, abs=1e-12)


def test_towards_rest_needs_no_neighbours_and_leaves_a_whole_figure_where_it_stands() -> None:
    scene = _scene({ELBOW: (Key(SECOND, 1.0),), SIDEWAYS: (Key(SECOND, 0.3),)})
    found = _broken(scene, 0.25, "rest")
    assert found[ELBOW][1].value == pytest.approx(0.75, abs=1e-12)
    assert found[SIDEWAYS][1].value == 0.3
    pelvis = frozenset(("pelvis",))
    assert _broken(scene, 1.0, "rest", joints=pelvis)[SIDEWAYS][1].value == 0.0


def test_a_ball_goes_along_the_arc_and_beyond() -> None:
    ball = Joint(id="ball", name="Ball", dofs=(Dof(id="ball.turn", name="Turn", kind="ball"),))
    figure = Figure(name="Ball", joints=(ball,))

    def turn(angle: float) -> dict[str, float]:
        return {"w": cos(angle / 2), "x": sin(angle / 2), "y": 0.0, "z": 0.0}

    tracks = {
        f"ball.turn.{axis}": (Key(0, turn(0.0)[axis]), Key(2 * SECOND, turn(1.0)[axis]))
        for axis in ("w", "x", "y", "z")
    }
    found = _broken(_scene(tracks, figure), 1.5)
    for axis, value in turn(1.5).items():
        assert found[f"ball.turn.{axis}"][1].value == pytest.approx(value, abs=1e-12)


def test_a_draft_counts_as_what_is_there_and_gives_way_to_the_key() -> None:
    scene = set_draft(_scene(ARM), actor="one", layer="pose", time=SECOND, values=((ELBOW, 2.0),))
    wish = Breakdown(parts=(("one", None),), time=SECOND, share=0.5, towards="even")
    layer = wish.work_out(Evaluator(), scene).apply(scene).actors[0].layers[0]
    assert not layer.drafts
    assert layer.track_of[ELBOW].keys[1].value == pytest.approx(2.0 + 0.5 * (0.6 - 2.0), abs=1e-12)


@pytest.mark.parametrize(
    ("time", "share", "said"),
    [(0, 0.5, "before and after this time"), (9, 0.5, "before and after this time"), (1, 1.6, "1.6")],
)
def test_without_neighbours_or_too_far_it_is_refused_in_words(time: int, share: float, said: str) -> None:
    with pytest.raises(EngineError, match=said):
        _broken(_scene(ARM), share, time=time)


def test_a_joint_that_turns_as_one_rotation_goes_along_the_arc_between_keys_of_any_of_its_angles() -> None:
    first, last = (0.3, 0.5, -0.4), (-0.9, 1.2, 0.8)
    tracks = tuple(
        Track(coordinate=name, keys=(Key(0, a), Key(2 * SECOND, b)))
        for name, a, b in zip(HIP, first, last, strict=True)
    )
    layer = Layer(id="pose", tracks=tracks, quaternions=("hip",), quaternion_mode="slerp")
    document = Document(actors=(Actor(id="one", name="One", figure=walker(), layers=(layer,)),))
    for share in (0.25, 0.5, 1.0):
        found = [_broken(document, share)[name][1].value for name in HIP]
        expected = compile_motion(walker(), (layer,)).at(share * 2 * SECOND)[0, 5:8]
        assert found == pytest.approx(expected.tolist(), abs=1e-9), "a slerp is where the arc is"
    even = [_broken(document, 1.0, "even")[name][1].value for name in HIP]
    assert even == pytest.approx(compile_motion(walker(), (layer,)).at(SECOND)[0, 5:8].tolist(), abs=1e-9)
    more = replace(tracks[0], keys=(*tracks[0].keys[:1], Key(SECOND // 2, 0.1), *tracks[0].keys[1:]))
    nearer = document.with_actor(replace(document.actors[0], layers=(replace(layer, tracks=(more, *tracks[1:])),)))
    begun = compile_motion(walker(), nearer.actors[0].layers).at(SECOND // 2)[0, 5:8]
    assert [_broken(nearer, 0.0)[name][1].value for name in HIP] == pytest.approx(begun.tolist(), abs=1e-9)


def test_under_a_speed_curve_the_key_stands_on_the_path_where_it_is_at_the_playhead() -> None:
    keys = (Key(0, 0.0, "linear"), Key(2 * SECOND, 1.0, "linear"), Key(4 * SECOND, 0.0, "linear"))
    timing = (Key(0, 0.0, "linear"), Key(SECOND, 0.75, "linear"), Key(4 * SECOND, 1.0, "linear"))
    speed = SpeedRange(start=0, end=4 * SECOND, coordinates=(KNEE,), keys=timing)
    document = _scene({KNEE: keys}, speed=(speed,))
    wish = Breakdown(parts=(("one", None),), time=SECOND, share=0.5)
    layer = wish.work_out(Evaluator(), document).apply(document).actors[0].layers[0]
    made = next(key for key in layer.track_of[KNEE].keys if key not in keys)
    assert made.time == pytest.approx(3 * SECOND, abs=2), "three quarters of the way are over"
    assert made.value == pytest.approx(0.5, abs=1e-9)
    assert layer.speed == (speed,)
