"""Range edits against what they mean: the new motion at a time is the old one at the time that it came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pytest

from engine.document import (
    Actor,
    Blob,
    Clip,
    Document,
    Dof,
    Figure,
    Joint,
    Key,
    Layer,
    Samples,
    Span,
    SpeedRange,
    Track,
    validate,
)
from engine.document.motion import Extrapolation
from engine.document.part_reader import decode
from engine.document.parts import encode
from engine.edits import edit
from engine.edits.ranges import copy_range
from engine.maths.arrays import Array
from engine.motion.mirror import mirror_layer
from engine.motion.motion import compile_motion
from engine.runtime.errors import EngineError
from tests.engine.motion.motions import BALL, SECOND, mixed_keys, walker

PLACE = {"actor": "walker", "layer": "walk"}
FRAME = SECOND // 10
A, B = 12 * FRAME + 12345, 25 * FRAME - 54321
ENDS: tuple[Extrapolation, ...] = ("hold", "linear")


def _weighted(keys: tuple[Key, ...]) -> tuple[Key, ...]:
    return tuple(replace(key, weight_in=min(key.weight_in, 0.5), weight_out=min(key.weight_out, 0.5)) for key in keys)


def _keyed(seed: int, ends: Extrapolation = "hold") -> Layer:
    rng = np.random.default_rng(seed)
    names = ("x", "hip.0", "knee")
    tracks = tuple(
        Track(coordinate=name, keys=_weighted(mixed_keys(rng, 8)), before=ends, after=ends) for name in names
    )
    return Layer(id="walk", tracks=tracks)


def _sampled(seed: int, count: int = 41) -> Layer:
    rng = np.random.default_rng(seed)
    names = ("x", *BALL, "knee")
    values = np.cumsum(0.1 * rng.normal(size=(count, 6)), axis=0)
    values[:, 1] += 1.0
    values[:, 1:5] /= np.linalg.norm(values[:, 1:5], axis=1)[:, None]
    return Layer(id="walk", samples=Samples(coordinates=names, values=Blob(values), rate=(10, 1), start=0))


def _scene(layer: Layer) -> Document:
    return Document(actors=(Actor(id="walker", name="Walker", figure=walker(), layers=(Layer(id="pose"), layer)),))


def _do(layer: Layer, name: str, /, **arguments: Any) -> Layer:
    document = edit(name, **PLACE, **arguments).apply(_scene(layer))
    validate(document)
    return document.actors[0].layers[1]


def _at(layer: Layer, times: Array) -> Array:
    return compile_motion(walker(), (layer,)).at(times)[:, 0]


def _agree(old: Layer, new: Layer, source: Callable[[float], float | None], times: Array) -> None:
    """The new layer at each time is the old one at the source of that time; None: not asked."""
    pairs = [(time, source(time)) for time in times.tolist()]
    asked = [(time, each) for time, each in pairs if each is not None]
    assert len(asked) > 20
    found = _at(new, np.array([time for time, _ in asked]))
    wanted = _at(old, np.array([each for _, each in asked]))
    np.testing.assert_allclose(found, wanted, atol=1e-12)


TIMES = np.linspace(-SECOND, 7 * SECOND, 331)


def test_what_is_muted_is_not_copied() -> None:
    muted = Track(coordinate="knee", keys=(Key(0, 9.0),), mute=True)
    layer = _sampled(3)
    clip = copy_range(_scene(replace(layer, tracks=(muted,))), "walker", "walk", 0, SECOND)
    assert clip == copy_range(_scene(layer), "walker", "walk", 0, SECOND)


def _delete(time: float) -> float:
    return time if time < A else time + (B - A)


def _insert(time: float) -> float:
    return time if time < A else A if time < A + SECOND else time - SECOND


def _stretch(time: float) -> float:
    return time if time < A else A + (time - A) / 2.0 if time < A + 2 * (B - A) else time - (B - A)


def _reverse(time: float) -> float:
    return A + B - time if A <= time < B else time


def _loop(time: float) -> float:
    length = B - A
    return time if time < A else A + (time - A) % length if time < A + 3 * length else time - 2 * length


CASES: dict[str, tuple[str, dict[str, Any], Callable[[float], float | None]]] = {
    "delete": ("delete_time", {"start": A, "end": B}, _delete),
    "insert": ("insert_time", {"time": A, "length": SECOND}, _insert),
    "longer": ("stretch_range", {"start": A, "end": B, "length": 2 * (B - A)}, _stretch),
    "reverse": ("reverse_range", {"start": A, "end": B}, _reverse),
    "loop": ("loop_range", {"start": A, "end": B, "count": 3}, _loop),
    "cut": ("cut_range", {"start": A, "end": B}, lambda time: None if A < time < B else time),
}


@pytest.mark.parametrize("ends", ENDS)
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("case", CASES)
def test_keyed_curves_keep_their_shape(case: str, seed: int, ends: Extrapolation) -> None:
    name, arguments, source = CASES[case]
    old = _keyed(seed, ends)
    _agree(old, _do(old, name, **arguments), source, TIMES)


def test_what_a_range_does_not_touch_stays_the_identical_object() -> None:
    layer = _keyed(0)
    early = replace(layer.tracks[0], keys=(Key(0, 0.0), Key(9, 1.0)))
    layer = replace(layer, tracks=(early, *layer.tracks[1:]))
    for name, arguments, _ in CASES.values():
        assert _do(layer, name, **arguments).tracks[0] is early
    document = _scene(layer)
    assert edit("delete_time", **PLACE, start=90 * SECOND, end=91 * SECOND).apply(document) is document


def test_a_loop_with_offset_goes_on_from_where_it_ended() -> None:
    layer = _keyed(1)
    smooth = replace(
        layer, tracks=tuple(replace(t, keys=tuple(Key(k.time, k.value) for k in t.keys)) for t in layer.tracks)
    )
    new = _do(smooth, "loop_range", start=A, end=B, count=3, offset=True)
    length = B - A
    ends = _at(smooth, np.array([A, B], dtype=float))
    for run in range(3):
        inside = np.linspace(A, B, 40)[:-1]
        found, wanted = _at(new, inside + run * length), _at(smooth, inside)
        np.testing.assert_allclose(found, wanted + run * (ends[1] - ends[0]), atol=1e-12)


def test_reversing_twice_gives_the_same_motion() -> None:
    old = _keyed(3)
    plain = replace(
        old,
        tracks=tuple(replace(t, keys=tuple(replace(k, interpolation="cubic") for k in t.keys)) for t in old.tracks),
    )
    start, end = plain.tracks[0].keys[0].time - SECOND, plain.tracks[0].keys[-1].time + SECOND
    twice = _do(_do(plain, "reverse_range", start=start, end=end), "reverse_range", start=start, end=end)
    _agree(plain, twice, lambda time: time if start + 4 < time < end - 4 else None, TIMES)


def test_a_slide_moves_what_is_in_the_range() -> None:
    old = _keyed(2)
    for ticks in (SECOND // 3, -SECOND // 2):
        new = _do(old, "slide_range", start=A, end=B, ticks=ticks)

        def source(time: float, ticks: int = ticks) -> float | None:
            if A + ticks <= time < B + ticks:
                return time - ticks
            return time if time <= min(A, A + ticks) - 2 or time >= max(B, B + ticks) else None

        _agree(old, new, source, TIMES)
    assert _do(old, "slide_range", start=A, end=B, ticks=0) is not None


@pytest.mark.parametrize("mode", ["replace", "insert"])
def test_a_clip_is_pasted_over_or_between(mode: Literal["replace", "insert"]) -> None:
    old = _keyed(5)
    clip = copy_range(_scene(old), "walker", "walk", A, B)
    assert decode(encode(clip)) == clip
    time, length = 3 * SECOND, B - A
    new = _do(old, "paste_range", clip=clip, time=time, mode=mode)

    def source(each: float) -> float:
        if each < time:
            return each
        if each < time + length:
            return each - time + A
        return each if mode == "replace" else each - length

    _agree(old, new, source, TIMES)


def test_pasting_some_coordinates_leaves_the_others() -> None:
    old = _keyed(5)
    clip = copy_range(_scene(old), "walker", "walk", A, B, coordinates=("knee",))
    assert clip.coordinates == ("knee",)
    new = _do(old, "paste_range", clip=clip, time=0)
    assert new.tracks[:2] == old.tracks[:2]
    assert new.tracks[0] is old.tracks[0]
    inserted = _do(old, "paste_range", clip=clip, time=A, mode="insert")
    length = B - A
    held = _at(inserted, np.linspace(A, A + length, 9)[:-1])
    assert np.ptp(held[:, 0]) < 1e-12


def test_a_cycle_is_copied_as_it_repeats() -> None:
    keys = (Key(0, 0.0), Key(SECOND // 2, 1.0), Key(SECOND, 0.5))
    layer = Layer(id="walk", tracks=(Track(coordinate="x", keys=keys, after="cycle_offset"),))
    clip = copy_range(_scene(layer), "walker", "walk", SECOND // 4, 5 * SECOND)
    pasted = _do(Layer(id="walk"), "paste_range", clip=clip, time=SECOND // 4)
    _agree(layer, pasted, lambda time: time if SECOND // 4 <= time <= 5 * SECOND else None, TIMES)


def test_a_cycle_of_too_many_repetitions_is_refused() -> None:
    track = Track(coordinate="x", keys=(Key(0, 0.0), Key(1, 1.0)), after="cycle")
    with pytest.raises(EngineError, match="repetitions"):
        copy_range(_scene(Layer(id="walk", tracks=(track,))), "walker", "walk", 0, 100 * SECOND)


WHOLE: dict[str, tuple[str, dict[str, Any], Callable[[int], int | None]]] = {
    "delete": ("delete_time", {"start": 10 * FRAME, "end": 15 * FRAME}, lambda f: f if f < 10 else f + 5),
    "insert": (
        "insert_time",
        {"time": 10 * FRAME, "length": 5 * FRAME},
        lambda f: f if f < 10 else 10 if f < 15 else f - 5,
    ),
    "reverse": (
        "reverse_range",
        {"start": 10 * FRAME, "end": 20 * FRAME},
        lambda f: 30 - f if 10 <= f < 20 else f,
    ),
    "loop": (
        "loop_range",
        {"start": 10 * FRAME, "end": 15 * FRAME, "count": 3},
        lambda f: f if f < 10 else 10 + (f - 10) % 5 if f < 25 else f - 10,
    ),
    "cut": ("cut_range", {"start": 10 * FRAME, "end": 15 * FRAME}, lambda f: f if not 10 < f < 15 else None),
    "slide": (
        "slide_range",
        {"start": 10 * FRAME, "end": 15 * FRAME, "ticks": 3 * FRAME},
        lambda f: None if 10 < f < 13 else f - 3 if 13 <= f < 18 else f,
    ),
}


@pytest.mark.parametrize("case", WHOLE)
def test_whole_frames_are_copied_row_by_row(case: str) -> None:
    name, arguments, source = WHOLE[case]
    old = _sampled(1)
    new = _do(old, name, **arguments)
    assert old.samples is not None
    assert new.samples is not None
    assert new.samples.start == 0
    rows = [(frame, source(frame)) for frame in range(new.samples.frame_count)]
    for frame, wanted in rows:
        if wanted is not None:
            np.testing.assert_array_equal(new.samples.values.array[frame], old.samples.values.array[wanted])
    norms = np.linalg.norm(new.samples.values.array[:, 1:5], axis=1)
    np.testing.assert_allclose(norms, 1.0, atol=1e-12)
    expected = {"delete": 36, "insert": 46, "reverse": 41, "loop": 51, "cut": 41, "slide": 41}[case]
    assert new.samples.frame_count == expected


def test_samples_are_read_anew_where_a_range_ends_between_frames() -> None:
    old = _sampled(2)
    new = _do(old, "stretch_range", start=10 * FRAME, end=20 * FRAME, length=20 * FRAME)
    assert new.samples is not None
    found = new.samples.values.array
    wanted = _at(old, np.array([10.5 * FRAME, 15 * FRAME]))
    columns = [walker().coordinate_index[name] for name in new.samples.coordinates]
    np.testing.assert_allclose(found[[11, 20]], wanted[:, columns], atol=1e-12)
    assert new.samples.frame_count == 51


def test_samples_are_copied_and_pasted() -> None:
    old = _sampled(3)
    clip = copy_range(_scene(old), "walker", "walk", 5 * FRAME, 10 * FRAME)
    assert clip.samples is not None
    assert clip.samples.frame_count == 6
    new = _do(old, "paste_range", clip=clip, time=20 * FRAME)
    assert old.samples is not None
    assert new.samples is not None
    expected = old.samples.values.array.copy()
    expected[20:25] = expected[5:10]
    np.testing.assert_array_equal(new.samples.values.array, expected)
    bare = _do(Layer(id="walk"), "paste_range", clip=clip, time=20 * FRAME)
    assert bare.samples is not None
    assert bare.samples.start == 20 * FRAME
    late = _do(old, "paste_range", clip=clip, time=50 * FRAME)
    assert late.samples is not None
    np.testing.assert_array_equal(late.samples.values.array[50:55], expected[5:10])
    np.testing.assert_array_equal(late.samples.values.array[45], old.samples.values.array[40])


def test_keys_are_pasted_into_samples_and_samples_onto_keys() -> None:
    keyed, sampled = _keyed(4), _sampled(4)
    clip = copy_range(_scene(keyed), "walker", "walk", 10 * FRAME, 20 * FRAME, coordinates=("knee",))
    new = _do(sampled, "paste_range", clip=clip, time=0)
    assert "knee" not in new.track_of
    at = np.arange(10.0) * FRAME
    knee = walker().coordinate_index["knee"]
    np.testing.assert_allclose(_at(new, at)[:, knee], _at(keyed, at + 10.0 * FRAME)[:, knee], atol=1e-12)
    clip = copy_range(_scene(sampled), "walker", "walk", 10 * FRAME, 20 * FRAME, coordinates=("knee",))
    new = _do(keyed, "paste_range", clip=clip, time=0)
    np.testing.assert_allclose(_at(new, at)[:, knee], _at(sampled, at + 10.0 * FRAME)[:, knee], atol=1e-12)


def _speed(start: int, end: int) -> SpeedRange:
    return SpeedRange(start=start, end=end, coordinates=("knee",), keys=(Key(start, 0.0), Key(end, 1.0)))


def test_spans_and_speed_curves_follow() -> None:
    layer = replace(
        _keyed(0),
        span=Span(start=0, end=4 * SECOND, ease_in=SECOND, ease_out=SECOND),
        speed=(_speed(0, SECOND // 2), _speed(2 * SECOND, 3 * SECOND)),
    )
    new = _do(layer, "delete_time", start=SECOND, end=2 * SECOND)
    assert (new.span, [(each.start, each.end) for each in new.speed]) == (
        Span(start=0, end=3 * SECOND, ease_in=SECOND, ease_out=SECOND),
        [(0, SECOND // 2), (SECOND, 2 * SECOND)],
    )
    assert new.speed[0] is layer.speed[0]
    gone = _do(layer, "delete_time", start=SECOND, end=4 * SECOND)
    assert [each.start for each in gone.speed] == [0]
    wide = _do(layer, "stretch_range", start=2 * SECOND, end=3 * SECOND, length=3 * SECOND)
    assert [(each.start, each.end) for each in wide.speed][1] == (2 * SECOND, 5 * SECOND)
    held = _do(layer, "insert_time", time=5 * SECOND // 2, length=SECOND)
    assert [(each.start, each.end) for each in held.speed][1] == (2 * SECOND, 4 * SECOND)
    cut = _do(layer, "cut_range", start=SECOND, end=4 * SECOND)
    assert (cut.span, [each.start for each in cut.speed]) == (layer.span, [0])
    turned = _do(layer, "reverse_range", start=SECOND, end=4 * SECOND)
    assert [(each.start, each.end) for each in turned.speed][1] == (2 * SECOND, 3 * SECOND)
    clip = copy_range(_scene(layer), "walker", "walk", 2 * SECOND, 3 * SECOND)
    pasted = _do(layer, "paste_range", clip=clip, time=SECOND // 4)
    assert [each.start for each in pasted.speed] == [SECOND // 4, 2 * SECOND]


@pytest.mark.parametrize(
    ("name", "arguments", "wanted"),
    [
        ("slide_range", {"ticks": SECOND}, (2.0, 4.0, 0.5, 0.25)),
        ("slide_range", {"ticks": -SECOND}, (0.0, 2.0, 0.5, 0.25)),
        ("reverse_range", {}, (1.5, 3.5, 0.25, 0.5)),
    ],
)
def test_a_span_inside_a_range_goes_with_it_where_what_comes_after_stays(
    name: str, arguments: dict[str, Any], wanted: tuple[float, ...]
) -> None:
    span = Span(start=SECOND, end=3 * SECOND, ease_in=SECOND // 2, ease_out=SECOND // 4)
    layer = replace(_keyed(0), span=span)
    moved = _do(layer, name, start=SECOND // 2, end=4 * SECOND, **arguments).span
    assert moved is not None
    assert tuple(each / SECOND for each in (moved.start, moved.end, moved.ease_in, moved.ease_out)) == wanted
    assert _do(layer, name, start=2 * SECOND, end=11 * SECOND // 2, **arguments).span == span, "it is not inside"


def _other() -> Figure:
    hip = Joint(id="h", name="hip", dofs=(Dof(id="h0", name="x"), Dof(id="h1", name="Y")))
    return Figure(name="Other", joints=(hip, Joint(id="k", name="Knee", parent="h", dofs=(Dof(id="k0", name="Knee"),))))


def test_a_clip_goes_onto_another_figure_by_names_and_says_what_has_no_partner() -> None:
    old = replace(walker("XYZ"), name="Walker")
    track = Track(coordinate="hip.0", keys=(Key(0, 0.0), Key(SECOND, 1.0)))
    tracks = (track, *(replace(track, coordinate=name) for name in ("hip.2", "knee")))
    actors = (
        Actor(id="walker", name="Walker", figure=old, layers=(Layer(id="walk", tracks=tracks),)),
        Actor(id="other", name="Other", figure=_other(), layers=(Layer(id="walk"),)),
    )
    document = Document(actors=actors)
    clip = copy_range(document, "walker", "walk", 0, SECOND)
    pasted = edit("paste_range", actor="other", layer="walk", clip=clip, time=5).apply(document)
    validate(pasted)
    assert [each.coordinate for each in pasted.actor("other").layers[0].tracks] == ["h0", "k0"]
    assert pasted.actor("other").layers[0].tracks[0].keys[-1].time == SECOND + 5


def test_a_clip_is_pasted_mirrored() -> None:
    old = _keyed(6)
    clip = copy_range(_scene(old), "walker", "walk", A, B)
    new = _do(Layer(id="walk"), "paste_range", clip=clip, time=A, mirrored=True)
    _agree(mirror_layer(walker(), old), new, lambda time: time if A <= time <= B else None, TIMES)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("cut_range", {"start": 5, "end": 5}),
        ("delete_time", {"start": 5, "end": 4}),
        ("insert_time", {"time": 5, "length": 0}),
        ("insert_time", {"time": 0.5, "length": 1}),
        ("stretch_range", {"start": 0, "end": 9, "length": 0}),
        ("slide_range", {"start": 0, "end": 2**60, "ticks": 1}),
        ("reverse_range", {"start": 9, "end": 0}),
        ("loop_range", {"start": 0, "end": 9, "count": 0}),
        ("loop_range", {"start": 0, "end": 9, "count": 10**9}),
        ("paste_range", {"clip": Clip(length=9, names=()), "time": 0, "mode": "over"}),
    ],
)
def test_bad_arguments_are_refused(name: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(EngineError):
        edit(name, **PLACE, **arguments).apply(_scene(_keyed(0)))


def test_a_copy_of_what_is_not_there_is_refused() -> None:
    document = _scene(_keyed(0))
    with pytest.raises(EngineError, match="wing"):
        copy_range(document, "walker", "walk", 0, 9, coordinates=("wing",))
    with pytest.raises(EngineError, match="wander"):
        copy_range(document, "walker", "wander", 0, 9)
