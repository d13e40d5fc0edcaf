"""Range edits of several actors and of some joints, against what they mean; what is not meant stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from time import process_time
from typing import Any

import numpy as np
import pytest

from engine.document import (
    Actor,
    Attachment,
    Blob,
    Document,
    Key,
    Layer,
    Lock,
    Samples,
    Span,
    SpeedRange,
    Track,
    validate,
)
from engine.edits import edit, retime, spans
from engine.maths.arrays import Array
from engine.motion.mirror import mirror_layer
from engine.motion.motion import compile_motion
from engine.runtime.errors import EngineError, InvalidDocument
from tests.beeps import beeping
from tests.engine.motion.motions import SECOND, mixed_keys, walker
from tests.engine.motion.test_mirror import symmetric_figure

KNEE = ("knee",)
A, B = 2 * SECOND, 3 * SECOND
TIMES = np.linspace(0, 8 * SECOND, 321)


def _keyed(seed: int = 1) -> Layer:
    rng = np.random.default_rng(seed)
    tracks = (Track(coordinate=name, keys=mixed_keys(rng, 8)) for name in ("x", "hip.0", "knee"))
    plain = (
        replace(each, keys=tuple(replace(key, weight_in=1 / 3, weight_out=1 / 3) for key in each.keys))
        for each in tracks
    )
    return Layer(id="walk", tracks=tuple(plain))


def _sampled(seed: int = 2, count: int = 61) -> Layer:
    values = np.cumsum(0.1 * np.random.default_rng(seed).normal(size=(count, 3)), axis=0)
    samples = Samples(coordinates=("x", "hip.0", "knee"), values=Blob(values), rate=(10, 1))
    return Layer(id="walk", samples=samples)


def _scene(layer: Layer) -> Document:
    actors = (Actor(id=id, name=id.title(), figure=walker(), layers=(layer,)) for id in ("one", "two", "three"))
    return Document(actors=tuple(actors), play=Span(start=0, end=5 * SECOND))


def _do(layer: Layer, name: str, names: tuple[str, ...] | None = None, /, **arguments: Any) -> Document:
    parts = (("one", "walk", names), ("two", "walk", names))
    document = edit(name, parts=parts, **{"start": A, "end": B, **arguments}).apply(_scene(layer))
    validate(document)
    assert document.actors[0].layers[0] == document.actors[1].layers[0]
    assert document.actors[2].layers[0] is layer
    return document


def _values(layer: Layer, coordinate: str, times: Array = TIMES) -> Array:
    place = walker().coordinate_index[coordinate]
    return np.asarray(compile_motion(walker(), (layer,)).at(times)[:, 0, place])


def _stretched(time: float) -> float:
    return time if time < A else A + (time - A) / 2.0 if time < A + 2 * SECOND else time - SECOND


def _reversed(time: float) -> float:
    return A + B - time if A <= time < B else time


def _slid(time: float) -> float | None:
    if A + SECOND / 2 <= time < B + SECOND / 2:
        return time - SECOND / 2
    return None if A <= time < A + SECOND / 2 else time


def _looped(time: float) -> float:
    return time if time < A else A + (time - A) % SECOND if time < A + 3 * SECOND else time - 2 * SECOND


MEANT: dict[str, tuple[str, dict[str, Any], Callable[[float], float | None]]] = {
    "stretch": ("stretch_ranges", {"length": 2 * SECOND}, _stretched),
    "slide": ("slide_ranges", {"ticks": SECOND // 2}, _slid),
    "reverse": ("reverse_ranges", {}, _reversed),
    "loop": ("loop_ranges", {"count": 3, "goes_on": "none"}, _looped),
}


@pytest.mark.parametrize("made", [_keyed, _sampled])
@pytest.mark.parametrize("case", MEANT)
def test_some_joints_are_changed_and_all_others_do_what_they_did(case: str, made: Callable[[], Layer]) -> None:
    name, arguments, source = MEANT[case]
    old = made()
    new = _do(old, name, KNEE, **arguments).actors[0].layers[0]
    # On frames: between them samples that were laid out anew, or are held for longer, have a curve of their own.
    late = 0.0 if old.samples else 321.0
    times = np.array([frame * (SECOND // 10) + late for frame in range(60)], dtype=np.float64)
    for other in ("x", "hip.0"):
        np.testing.assert_allclose(_values(new, other, times), _values(old, other, times), atol=1e-12)
    asked = [(time, came) for time in times.tolist() if (came := source(time)) is not None]
    found = _values(new, "knee", np.array([time for time, _ in asked]))
    wanted = _values(old, "knee", np.array([came for _, came in asked]))
    np.testing.assert_allclose(found, wanted, atol=1e-9)


@pytest.mark.parametrize("made", [_keyed, _sampled])
def test_all_of_a_layer_is_changed_as_its_parts_are(made: Callable[[], Layer]) -> None:
    old = made()
    whole = _do(old, "reverse_ranges").actors[0].layers[0]
    assert whole == _do(old, "reverse_ranges", ("x", "hip.0", "knee")).actors[0].layers[0]
    assert not np.allclose(_values(whole, "hip.0"), _values(old, "hip.0"))


def test_what_comes_after_stays_where_told_and_a_longer_range_runs_over_it() -> None:
    old = _keyed()
    new = _do(old, "stretch_ranges", length=2 * SECOND, shifts=False).actors[0].layers[0]
    after = TIMES[TIMES > A + 2 * SECOND]
    np.testing.assert_allclose(_values(new, "knee", after), _values(old, "knee", after), atol=1e-12)
    inside = np.linspace(A, A + 2 * SECOND, 41)[:-1]
    np.testing.assert_allclose(_values(new, "knee", inside), _values(old, "knee", (inside + A) / 2), atol=1e-12)


def test_a_span_inside_is_stretched_with_its_range_and_stays_where_joints_are_chosen() -> None:
    span = Span(start=A, end=B - SECOND // 2, ease_in=SECOND // 4)
    old = replace(_keyed(), span=span)
    new = _do(old, "stretch_ranges", length=2 * SECOND, shifts=False).actors[0].layers[0]
    assert new.span == Span(start=A, end=B, ease_in=SECOND // 2)
    new = _do(old, "slide_ranges", KNEE, ticks=SECOND).actors[0].layers[0]
    assert new.span == span
    new = _do(replace(old, span=Span(start=A, end=B)), "loop_ranges", count=3, shifts=False).actors[0].layers[0]
    assert new.span == Span(start=A, end=A + 3 * SECOND), "every run is seen"


def test_a_range_that_shrinks_leads_to_what_stays_after_it() -> None:
    old = _keyed()
    new = _do(old, "stretch_ranges", length=SECOND // 2, shifts=False).actors[0].layers[0]
    ends = np.array([A + SECOND // 2, B + 1.0])
    np.testing.assert_allclose(_values(new, "knee", ends), _values(old, "knee", np.array([float(B), B])), atol=1e-6)


def _walk() -> Layer:
    """On by 0.5 a second and swinging; nothing comes after."""
    x = Track(coordinate="x", keys=(Key(0, 0.1, "linear"), Key(SECOND, 0.6, "linear")))
    knee = Track(coordinate="knee", keys=(Key(0, 0.2), Key(SECOND // 2, 0.9), Key(SECOND, 0.2)))
    return Layer(id="walk", tracks=(x, knee))


def test_a_loop_goes_on_from_where_it_ended_and_holds_its_end_where_nothing_follows() -> None:
    document = _do(_walk(), "loop_ranges", start=0, end=SECOND, count=4, play=True)
    new = document.actors[0].layers[0]
    times = np.linspace(0, 4 * SECOND, 97)
    np.testing.assert_allclose(_values(new, "x", times), 0.1 + 0.5 * times / SECOND, atol=1e-12)
    knee = _values(new, "knee", times)
    np.testing.assert_allclose(knee[:25], knee[-25:], atol=1e-9)
    assert _values(new, "x", np.array([9.0 * SECOND]))[0] == pytest.approx(2.1, abs=1e-12)
    assert document.play == Span(start=0, end=8 * SECOND)


def test_nothing_or_all_goes_on_where_told() -> None:
    still = _do(_walk(), "loop_ranges", start=0, end=SECOND, count=2, goes_on="none").actors[0].layers[0]
    assert _values(still, "x", np.array([1.5 * SECOND]))[0] == pytest.approx(0.35, abs=1e-12)
    layer = Layer(id="walk", tracks=(Track(coordinate="knee", keys=(Key(0, 0.0, "linear"), Key(SECOND, 0.1))),))
    every = _do(layer, "loop_ranges", start=0, end=SECOND, count=3, goes_on="all").actors[0].layers[0]
    assert _values(every, "knee", np.array([3.0 * SECOND]))[0] == pytest.approx(0.3, abs=1e-12)


@pytest.mark.parametrize("made", [_walk, _sampled])
def test_a_whole_motion_reversed_ends_as_it_began(made: Callable[[], Layer]) -> None:
    old = made()
    last = SECOND if old.samples is None else 6 * SECOND
    new = _do(old, "reverse_ranges", start=0, end=last).actors[0].layers[0]
    ends = np.array([0.0, last, last + SECOND])
    np.testing.assert_allclose(_values(new, "knee", ends), _values(old, "knee", np.array([last, 0.0, 0.0])), atol=1e-12)


def test_a_whole_track_reversed_has_the_keys_that_it_had() -> None:
    new = _do(_walk(), "reverse_ranges", start=0, end=SECOND).actors[0].layers[0]
    assert [(key.time, key.value) for key in new.track_of["x"].keys] == [(0, 0.6), (SECOND, 0.1)]


@pytest.mark.parametrize("made", [_keyed, _sampled])
def test_left_and_right_are_exchanged_in_the_range_alone(made: Callable[[], Layer]) -> None:
    old = made()
    new = _do(old, "mirror_ranges").actors[0].layers[0]
    inside = np.array([frame * SECOND / 10 for frame in range(21, 30)], dtype=np.float64)
    outside = np.array([0.0, 1.9 * SECOND, 3.1 * SECOND, 5.0 * SECOND])
    mirrored = mirror_layer(walker(), old)
    for name in walker().coordinates:
        np.testing.assert_allclose(_values(new, name, inside), _values(mirrored, name, inside), atol=1e-9)
        np.testing.assert_allclose(_values(new, name, outside), _values(old, name, outside), atol=1e-12)


def test_left_and_right_of_some_joints_leave_the_timing_of_others() -> None:
    speeds = tuple(
        SpeedRange(start=at, end=at + SECOND // 4, coordinates=(name,), keys=(Key(at, 0.0), Key(at + SECOND // 4, 1.0)))
        for at, name in ((A + SECOND // 8, "x"), (A + SECOND // 2, "knee"))
    )
    new = _do(replace(_keyed(), speed=speeds), "mirror_ranges", KNEE).actors[0].layers[0]
    assert new.speed == speeds


def test_changes_of_an_added_layer_take_the_sign_and_no_shift() -> None:
    figure = symmetric_figure(5, "ZYX")
    track = Track(coordinate="root.X", keys=(Key(0, 0.0), Key(A, 0.1), Key(2 * B, 0.2)))
    old = Layer(id="walk", mode="add", tracks=(track,))
    document = Document(actors=(Actor(id="one", name="One", figure=figure, layers=(old,)),))
    whole = edit("mirror_ranges", parts=(("one", "walk", None),), start=0, end=B).apply(document)
    found = {key.time: key.value for key in whole.actors[0].layers[0].track_of["root.X"].keys}
    assert found[A] == pytest.approx(-0.1)


def test_a_range_is_filled_smoothly_from_both_sides_and_stays_outside() -> None:
    time = np.arange(61) / 10.0
    smooth = np.stack((time, np.sin(time), np.cos(time)), axis=1)
    torn = smooth.copy()
    torn[22:27] += 3.0
    samples = Samples(coordinates=("x", "hip.0", "knee"), values=Blob(torn), rate=(10, 1))
    new = _do(Layer(id="walk", samples=samples), "fill_ranges", KNEE, start=int(2.2 * SECOND), end=int(2.7 * SECOND))
    found = new.actors[0].layers[0].samples
    assert found is not None
    assert np.abs(found.values.array[:, 2] - smooth[:, 2]).max() < 0.02
    np.testing.assert_array_equal(found.values.array[:, :2], torn[:, :2])


def test_keys_in_a_range_that_is_filled_go_and_the_curve_leads_across() -> None:
    keys = tuple(Key(each * SECOND // 2, float(each % 2)) for each in range(12))
    old = Layer(id="walk", tracks=(Track(coordinate="knee", keys=keys),))
    new = _do(old, "fill_ranges").actors[0].layers[0]
    assert [key.time for key in new.track_of["knee"].keys if A <= key.time <= B] == [A, B]
    outside = TIMES[(TIMES <= A) | (TIMES >= B)]
    np.testing.assert_allclose(_values(new, "knee", outside), _values(old, "knee", outside), atol=1e-12)


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("reverse_ranges", {"end": A}, "an end after its start"),
        ("stretch_ranges", {"length": 0}, "an end after its start"),
        ("loop_ranges", {"count": 0}, "1 to 10000 times"),
        ("loop_ranges", {"count": 2, "goes_on": "head"}, "none, place, all"),
        ("mirror_ranges", {"end": A - 1}, "an end after its start"),
    ],
)
def test_bad_ranges_are_refused_in_words(name: str, arguments: dict[str, Any], said: str) -> None:
    with pytest.raises(EngineError, match=said):
        _do(_keyed(), name, **arguments)


@pytest.mark.parametrize("goes_on", ["none", "place", "all"])
def test_samples_are_not_looped_beyond_a_million_frames(goes_on: str) -> None:
    with pytest.raises(EngineError, match="the frames of samples laid out anew is 5999461; allowed: up to 1000000"):
        _do(_sampled(), "loop_ranges", start=0, end=60 * SECOND, count=10_000, goes_on=goes_on)


def test_parts_that_are_missing_double_or_unknown_are_refused() -> None:
    twice = (("one", "walk", None), ("one", "walk", KNEE))
    for parts in ((), twice, (("one", "walk", ("wing",)),), (("one", "run", None),), (("nobody", "walk", None),)):
        with pytest.raises(EngineError):
            edit("reverse_ranges", parts=parts, start=A, end=B).apply(_scene(_keyed()))


def _held(layer: Layer) -> Document:
    """Two actors of a layer, both held for two seconds from the range's end on, and a sound from then on."""
    span = Span(start=B, end=B + 2 * SECOND)
    lock = Lock(id="foot", name="Foot", joint="knee", span=span, tracks=(Track(coordinate="y", keys=(Key(B, 0.1),)),))
    actors = (Actor(id=id, name=id, figure=walker(), layers=(layer,), locks=(lock,)) for id in ("one", "two"))
    return Document(actors=tuple(actors), sound=beeping(start=B))


@pytest.mark.parametrize(
    ("name", "arguments", "shift"),
    [("stretch_ranges", {"length": 3 * SECOND}, 3 * SECOND - (B - A)), ("loop_ranges", {"count": 3}, 2 * (B - A))],
)
def test_locks_and_the_sound_move_along_where_all_that_moves_does(
    name: str, arguments: dict[str, Any], shift: int
) -> None:
    document, place = _held(_keyed()), {"start": A, "end": B, **arguments}

    def done(actors: tuple[str, ...], names: tuple[str, ...] | None = None, **more: Any) -> Document:
        parts = tuple((actor, "walk", names) for actor in actors)
        return edit(name, parts=parts, **{**place, **more}).apply(document)

    every = done(("one", "two"))
    validate(every)
    for actor in every.actors:
        assert actor.locks[0].span == Span(start=B + shift, end=B + 2 * SECOND + shift)
        assert actor.locks[0].tracks[0].keys[0].time == B + shift
    assert every.sound is not None
    assert every.sound.start == B + shift
    one = done(("one",))
    assert one.actors[0].locks == every.actors[0].locks
    assert one.actors[1] is document.actors[1]
    assert one.sound == document.sound, "the other actor goes on with it"
    for other in (done(("one", "two"), ("knee",)), done(("one", "two"), shifts=False)):
        assert [actor.locks for actor in other.actors] == [actor.locks for actor in document.actors]
        assert other.sound == document.sound


def test_a_lock_inside_a_range_that_is_stretched_is_stretched_with_it() -> None:
    document = _held(_keyed())
    held = replace(document.actors[0].locks[0], span=Span(start=A, end=B), tracks=())
    document = document.with_actor(replace(document.actors[0], locks=(held,)))
    new = edit("stretch_ranges", parts=(("one", "walk", None),), start=A, end=B, length=2 * (B - A)).apply(document)
    assert new.actors[0].locks[0].span == Span(start=A, end=A + 2 * (B - A))


EASE = SECOND // 10
HALF = SECOND // 2


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (Span(start=B - HALF, end=B), Span(start=B - HALF, end=B)),
        (Span(start=B - HALF, end=B, ease_out=EASE), Span(start=B - HALF, end=B, ease_out=EASE)),
        (Span(start=B - HALF, end=B + EASE, ease_out=EASE), Span(start=B - HALF, end=B + EASE, ease_out=EASE)),
        (Span(start=B - HALF, end=B + EASE), Span(start=B - HALF, end=B)),
        (Span(start=B - EASE, end=B + EASE, ease_in=2 * EASE), Span(start=B - EASE, end=B, ease_in=EASE)),
        (Span(start=B - EASE, end=B + HALF), Span(start=B - EASE + 4 * SECOND, end=B + HALF + 4 * SECOND)),
        (Span(start=A, end=B), Span(start=A, end=B + 4 * SECOND)),
        (Span(start=A - HALF, end=B + HALF), Span(start=A - HALF, end=B + HALF + 4 * SECOND)),
    ],
)
@pytest.mark.parametrize("goes_on", ["place", "none", "all"])
def test_a_hold_that_begins_in_a_range_that_is_looped_is_of_one_run(old: Span, new: Span, goes_on: str) -> None:
    document = _held(_walk())
    hanging = Attachment(id="hung", joint="root", target="two", target_joint="knee", span=old)
    lock = replace(document.actors[0].locks[0], span=old)
    document = document.with_actor(replace(document.actors[0], locks=(lock,), attachments=(hanging,)))
    parts = (("one", "walk", None),)
    after = edit("loop_ranges", parts=parts, start=A, end=B, count=5, goes_on=goes_on).apply(document)
    validate(after)
    assert after.actors[0].locks[0].span == new
    assert after.actors[0].attachments[0].span == new


JUMPY = (Key(0, 0.0), Key(SECOND // 100, 0.5), Key(SECOND // 50, 0.1))


@pytest.mark.parametrize("cyclic", [False, True])
def test_thousands_of_runs_are_joined_in_a_time_that_grows_with_them(cyclic: bool) -> None:
    how: Any = "cycle" if cyclic else "hold"
    document = _scene(Layer(id="walk", tracks=(Track(coordinate="knee", keys=JUMPY, before=how, after=how),)))
    place = {"parts": (("one", "walk", None),), "start": 0}
    loops = edit("loop_ranges", **place, end=SECOND // 50, count=3000)
    started = process_time()
    for change in (loops, edit("reverse_ranges", **place, end=60 * SECOND)) if cyclic else (loops,):
        (track,) = change.apply(document).actors[0].layers[0].tracks
        assert len(track.keys) >= 3 * 3000
    assert process_time() - started < 12.0, "what was joined before was gone through again with each run"


def test_keys_that_repetition_adds_are_counted_over_tracks_and_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    names = ("x", "hip.0", "knee")
    document = _scene(Layer(id="walk", tracks=tuple(Track(coordinate=name, keys=JUMPY) for name in names)))
    every = tuple((id, "walk", None) for id in ("one", "two", "three"))
    length = {"start": 0, "end": SECOND // 50, "count": 100}
    one, all = edit("loop_ranges", parts=every[:1], **length), edit("loop_ranges", parts=every, **length)
    all.apply(document)
    for most, change in ((400, one), (2000, all)):
        monkeypatch.setattr(retime, "MOST_KEYS", most)
        monkeypatch.setattr(spans, "MOST_KEYS", most)
        with pytest.raises(InvalidDocument, match=f"laid out anew is .*at most {most} more"):
            change.apply(document)
    one.apply(document)
