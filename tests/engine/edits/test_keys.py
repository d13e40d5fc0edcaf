"""Edits of keys: what they change, what they leave, and curves that keep their shape."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from engine.document import Actor, Blob, Document, Key, Layer, Samples, Track, validate
from engine.edits import edit
from engine.edits.split import key_on_curve
from engine.motion.curves import evaluate_track
from engine.motion.motion import compile_motion
from engine.runtime.errors import EngineError
from tests.engine.motion.motions import EXTRAPOLATIONS, SECOND, mixed_keys, walker

PLACE = {"actor": "walker", "layer": "walk"}
KEYS = (Key(0, 0.0), Key(SECOND, 1.0), Key(2 * SECOND, 0.5))


def _scene(*tracks: Track) -> Document:
    made = tracks or (Track(coordinate="knee", keys=KEYS), Track(coordinate="x", keys=KEYS[:2]))
    ordered = tuple(sorted(made, key=lambda track: walker().coordinate_index[track.coordinate]))
    layers = (Layer(id="pose"), Layer(id="walk", tracks=ordered))
    return Document(actors=(Actor(id="walker", name="Walker", figure=walker(), layers=layers),))


def _do(document: Document, name: str, /, **arguments: Any) -> Document:
    change = edit(name, **PLACE, **arguments)
    changed = change.apply(document)
    validate(changed)
    return changed


def _track(document: Document, name: str = "knee") -> Track:
    return document.actors[0].layers[1].track_of[name]


def test_a_key_is_set_changed_and_set_again_without_change() -> None:
    document = _do(_scene(), "set_key", coordinate="knee", time=SECOND // 2, value=0.25, interpolation="linear")
    assert [key.time for key in _track(document).keys] == [0, SECOND // 2, SECOND, 2 * SECOND]
    assert _track(document).keys[1] == Key(SECOND // 2, 0.25, interpolation="linear")
    changed = _do(document, "set_key", coordinate="knee", time=SECOND // 2, value=0.5, slope_out=2.0)
    assert _track(changed).keys[1] == Key(SECOND // 2, 0.5, interpolation="linear", tangent="free", slope_out=2.0)
    again = edit("set_key", **PLACE, coordinate="knee", time=SECOND // 2, value=0.5).apply(changed)
    assert again is changed


def test_a_new_key_goes_on_as_the_one_before_it() -> None:
    stepped = Track(coordinate="knee", keys=(Key(0, 0.0, interpolation="stepped"), Key(9, 1.0)))
    document = _do(_scene(stepped), "set_key", coordinate="knee", time=5, value=0.5)
    assert _track(document).keys[1].interpolation == "stepped"


def test_other_tracks_stay_the_identical_objects() -> None:
    document = _scene()
    changed = _do(document, "set_key", coordinate="knee", time=5, value=0.5)
    assert _track(changed, "x") is _track(document, "x")
    assert _track(changed).keys[0] is _track(document).keys[0]


def test_new_tracks_stand_in_the_order_of_the_figure() -> None:
    document = _do(_scene(), "key_pose", time=0, values=(("hip.1", 0.1), ("hip.0", 0.2)))
    assert [track.coordinate for track in document.actors[0].layers[1].tracks] == ["x", "hip.0", "hip.1", "knee"]


def test_removing_all_keys_removes_the_track() -> None:
    document = _do(_scene(), "remove_keys", keys=(("x", (0, SECOND)), ("knee", (SECOND,))))
    assert "x" not in document.actors[0].layers[1].track_of
    assert [key.time for key in _track(document).keys] == [0, 2 * SECOND]


def test_a_moved_key_takes_the_place_of_the_one_it_lands_on() -> None:
    document = _do(_scene(), "move_keys", keys=(("knee", (0,)),), ticks=SECOND, value=0.25)
    assert _track(document).keys == (Key(SECOND, 0.25), Key(2 * SECOND, 0.5))
    both = _do(_scene(), "move_keys", keys=(("knee", (0, SECOND)),), ticks=SECOND)
    assert _track(both).keys == (Key(SECOND, 0.0), Key(2 * SECOND, 1.0))


def test_scaling_keeps_the_shape_and_goes_with_slopes() -> None:
    rng = np.random.default_rng(5)
    track = Track(coordinate="knee", keys=mixed_keys(rng))
    times = tuple(key.time for key in track.keys)
    even = _do(_scene(track), "scale_keys", keys=(("knee", times),), pivot=0, factor=2.0)
    at = np.linspace(times[0], times[-1], 101)
    before, after = evaluate_track(track, at), evaluate_track(_track(even), 2.0 * at)
    np.testing.assert_allclose(after[:, 0], before[:, 0], atol=1e-12)
    np.testing.assert_allclose(after[1:-1, 1], 0.5 * before[1:-1, 1], atol=1e-11)
    tall = _do(_scene(track), "scale_keys", keys=(("knee", times),), pivot=0, value_factor=-3.0, value_pivot=1.0)
    np.testing.assert_allclose(evaluate_track(_track(tall), at)[:, 0], 4.0 - 3.0 * before[:, 0], atol=1e-11)


def test_free_tangents_keep_the_slopes_that_keys_had() -> None:
    document = _scene()
    free = _do(document, "set_tangent", keys=(("knee", (0, SECOND, 2 * SECOND)),), tangent="free")
    at = np.linspace(0, 2 * SECOND, 50)
    np.testing.assert_array_equal(evaluate_track(_track(free), at), evaluate_track(_track(document), at))
    steep = _do(free, "set_tangent", keys=(("knee", (SECOND,)),), tangent="free", slope_in=3.0, weight_in=0.5)
    assert (_track(steep).keys[1].slope_in, _track(steep).keys[1].weight_in) == (3.0, 0.5)
    assert _track(steep).keys[1].slope_out == _track(free).keys[1].slope_out


def test_catmull_rom_takes_the_chord_of_the_neighbours() -> None:
    document = _do(_scene(), "set_kochanek_bartels", keys=(("knee", (SECOND,)),))
    assert _track(document).keys[1].slope_out == pytest.approx(0.25)
    assert _track(document).keys[0] is _track(_scene()).keys[0]
    tense = _do(_scene(), "set_kochanek_bartels", keys=(("knee", (SECOND,)),), tension=1.0)
    assert _track(tense).keys[1].slope_in == 0.0


def test_interpolation_and_extrapolation_are_set() -> None:
    document = _do(_scene(), "set_interpolation", keys=(("knee", (0, SECOND)),), interpolation="linear")
    assert [key.interpolation for key in _track(document).keys] == ["linear", "linear", "cubic"]
    document = _do(document, "set_extrapolation", coordinates=("knee",), after="cycle_offset")
    assert (_track(document).before, _track(document).after) == ("hold", "cycle_offset")
    assert _track(document, "x").after == "hold"
    assert _track(_do(document, "set_extrapolation", before="linear"), "x").before == "linear"


@pytest.mark.parametrize("ends", EXTRAPOLATIONS)
@pytest.mark.parametrize("seed", range(6))
def test_a_key_inserted_on_a_curve_leaves_its_shape(seed: int, ends: Any) -> None:
    rng = np.random.default_rng(seed)
    track = Track(coordinate="x", keys=_within_weights(mixed_keys(rng)), before=ends, after=ends)
    first, last = track.keys[0].time, track.keys[-1].time
    at = np.linspace(first - 3 * SECOND, last + 3 * SECOND, 401)
    before = evaluate_track(track, at)
    for _ in range(8):
        track = key_on_curve(track, int(rng.integers(first, last)))
    after = evaluate_track(track, at)
    assert len(track.keys) >= 12
    np.testing.assert_allclose(after[:, 0], before[:, 0], atol=1e-12)
    np.testing.assert_allclose(after[:, 1], before[:, 1], atol=1e-9)


def _within_weights(keys: tuple[Key, ...]) -> tuple[Key, ...]:
    return tuple(
        Key(
            **{
                **{name: getattr(key, name) for name in Key.__slots__},
                "weight_in": min(key.weight_in, 0.5),
                "weight_out": min(key.weight_out, 0.5),
            }
        )
        for key in keys
    )


@pytest.mark.parametrize("ends", ["hold", "linear"])
@pytest.mark.parametrize("count", [1, 2, 5])
def test_a_key_beyond_the_ends_leaves_the_shape(ends: Any, count: int) -> None:
    rng = np.random.default_rng(count)
    track = Track(coordinate="x", keys=mixed_keys(rng, count), before=ends, after=ends)
    first, last = track.keys[0].time, track.keys[-1].time
    at = np.linspace(first - 3 * SECOND, last + 3 * SECOND, 201)
    longer = key_on_curve(key_on_curve(track, first - SECOND), last + SECOND)
    assert len(longer.keys) == count + 2
    np.testing.assert_allclose(evaluate_track(longer, at)[:, 0], evaluate_track(track, at)[:, 0], atol=1e-12)


def test_inserting_where_a_key_stands_changes_nothing() -> None:
    document = _scene()
    assert edit("insert_keys", **PLACE, time=0).apply(document) is document
    assert len(_track(_do(document, "insert_keys", time=SECOND // 3)).keys) == 4


def test_values_stop_at_their_limits() -> None:
    figure = walker()
    knee = figure.joints[2]
    limited = type(knee.dofs[0])(id="knee", name="Knee", lower=-1.0, upper=1.0)
    content = type(figure)(
        name="Walker", joints=(*figure.joints[:2], type(knee)(id="knee", name="Knee", parent="hip", dofs=(limited,)))
    )
    actor = Actor(id="walker", name="Walker", figure=content, layers=(Layer(id="pose"), Layer(id="walk")))
    document = _do(Document(actors=(actor,)), "set_key", coordinate="knee", time=0, value=3.0)
    assert _track(document).keys[0].value == 1.0
    assert _track(_do(document, "move_keys", keys=(("knee", (0,)),), value=-9.0)).keys[0].value == -1.0


def test_samples_are_set_and_taken_away() -> None:
    samples = Samples(coordinates=("knee",), values=Blob([[0.0], [1.0]]), rate=(30, 1))
    document = _do(_scene(), "set_samples", samples=samples)
    assert document.actors[0].layers[1].samples is samples
    assert _do(document, "set_extrapolation", after="cycle").actors[0].layers[1].samples != samples
    assert _do(document, "set_samples", samples=None).actors[0].layers[1].samples is None


def test_unwrapping_keeps_every_pose_at_keys() -> None:
    rng = np.random.default_rng(3)
    times = [SECOND * each for each in range(6)]
    smooth = np.cumsum(rng.uniform(-0.4, 0.6, size=(6, 3)), axis=0)
    jumpy = smooth + 2.0 * math.pi * rng.integers(-1, 2, size=(6, 3))
    jumpy[3] = [smooth[3, 0] + math.pi, math.pi - smooth[3, 1], smooth[3, 2] + math.pi]
    made = tuple(
        Track(coordinate=f"hip.{n}", keys=tuple(Key(t, float(v)) for t, v in zip(times, jumpy[:, n], strict=True)))
        for n in range(3)
    )
    document = _do(_scene(*made), "unwrap_angles")
    values = np.array([[key.value for key in _track(document, f"hip.{n}").keys] for n in range(3)]).T
    assert np.abs(np.diff(values, axis=0)).max() < 1.5
    assert edit("unwrap_angles", **PLACE).apply(document) is document
    motion = compile_motion(walker(), document.actors[0].layers)
    assert np.isfinite(motion.at(np.array(times, dtype=float))).all()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("set_key", {"coordinate": "wing", "time": 0, "value": 0.0}),
        ("set_key", {"coordinate": "knee", "time": 0, "value": math.nan}),
        ("set_key", {"coordinate": "knee", "time": 0.5, "value": 0.0}),
        ("set_key", {"coordinate": "knee", "time": 0, "value": 0.0, "interpolation": "smooth"}),
        ("set_key", {"coordinate": "knee", "time": 0, "value": 0.0, "tangent": "smooth"}),
        ("set_key", {"coordinate": "knee", "time": 0, "value": 0.0, "weight_in": 2.0}),
        ("set_keys", {"keys": (("wing", Key(0, 0.0)),)}),
        ("key_pose", {"time": 0, "values": (("wing", 0.0),)}),
        ("insert_keys", {"time": 0, "coordinates": ("hip.0",)}),
        ("remove_keys", {"keys": (("knee", (3,)),)}),
        ("remove_keys", {"keys": (("hip.0", (0,)),)}),
        ("move_keys", {"keys": (("knee", (0,)),), "ticks": 2**60}),
        ("scale_keys", {"keys": (("knee", (0,)),), "pivot": 0, "factor": 0.0}),
        ("set_tangent", {"keys": (("knee", (0,)),), "tangent": "smooth"}),
        ("set_tangent", {"keys": (("knee", (0,)),), "tangent": "flat", "slope_in": 1.0}),
        ("set_kochanek_bartels", {"keys": (("knee", (0,)),), "tension": math.inf}),
        ("set_interpolation", {"keys": (("knee", (0,)),), "interpolation": "smooth"}),
        ("set_extrapolation", {"coordinates": ("knee",), "after": "bounce"}),
        ("clear_tracks", {"coordinates": ("wing",)}),
        ("set_samples", {"samples": Samples(coordinates=("wing",), values=Blob([[0.0]]), rate=(30, 1))}),
    ],
)
def test_bad_arguments_are_refused(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        edit(name, **PLACE, **arguments).apply(_scene())


def test_a_key_beyond_a_cycle_is_refused() -> None:
    track = Track(coordinate="knee", keys=KEYS, after="cycle")
    with pytest.raises(EngineError, match="cycle"):
        edit("insert_keys", **PLACE, time=5 * SECOND).apply(_scene(track))
