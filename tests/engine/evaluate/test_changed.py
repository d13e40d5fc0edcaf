"""Which times an edit touched: by brute force on random edits, and tight where an edit is local."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import (
    Actor,
    Bell,
    Blob,
    Correction,
    Document,
    Gains,
    Key,
    Layer,
    Lock,
    Placement,
    Samples,
    Secondary,
    Span,
    Target,
    Term,
    Track,
)
from engine.document.correction import correction_of
from engine.document.motion import Extrapolation
from engine.motion.changed import Change, changed_span
from engine.motion.motion import compile_motion
from tests.engine.motion.motions import (
    BALL,
    EXTRAPOLATIONS,
    HIP,
    INTERPOLATIONS,
    SECOND,
    TANGENTS,
    keys,
    random_layer,
    samples,
    walker,
)

FIGURE = walker()
Generator = np.random.Generator


def document(*layers: Layer) -> Document:
    return Document(actors=(Actor(id="a", name="A", figure=FIGURE, layers=layers),))


def spans(*pair: Document) -> list[tuple[int | None, int | None]]:
    return [change[1:] for change in changed_span(*pair)]


def touched(changes: tuple[Change, ...], time: float) -> bool:
    return any((start is None or start <= time) and (end is None or time <= end) for _, start, end in changes)


def assert_same_outside(old: Document, new: Document, rng: Generator) -> int:
    """Outside of the named spans both give the same bytes; returns how many times were compared."""
    changes = changed_span(old, new)
    edges = [edge for _, *ends in changes for edge in ends if edge is not None]
    times = np.concatenate(
        [
            rng.uniform(-4 * SECOND, 9 * SECOND, size=40).round(),
            [key.time for layer in _layers(new) for track in layer.tracks for key in track.keys],
            np.array([[edge - 1, edge + 1, edge - 999, edge + 999] for edge in edges]).ravel(),
        ]
    )
    outside = [float(time) for time in times if not touched(changes, time)]
    before, after = (compile_motion(FIGURE, _layers(each)).at(outside) for each in (old, new))
    for place, time in enumerate(outside):
        assert before[place].tobytes() == after[place].tobytes(), f"at {time}, outside {changes}"
    return len(outside)


def _layers(each: Document) -> tuple[Layer, ...]:
    return each.actors[0].layers if each.actors else ()


def change_key(rng: Generator, track: Track) -> Track:
    place = int(rng.integers(len(track.keys)))
    key = track.keys[place]
    changes: tuple[Callable[[], Key], ...] = (
        lambda: replace(key, value=key.value + 0.1),
        lambda: replace(key, time=key.time + 7),
        lambda: replace(key, tangent=TANGENTS[int(rng.integers(3))]),
        lambda: replace(key, interpolation=INTERPOLATIONS[int(rng.integers(3))]),
        lambda: replace(key, weight_out=0.7),
        lambda: replace(key, slope_in=key.slope_in + 1.0),
    )
    made = list(track.keys)
    made[place] = changes[int(rng.integers(len(changes)))]()
    return replace(track, keys=tuple(made))


def change_track(rng: Generator, track: Track) -> Track:
    kind = rng.random()
    if kind < 0.6:
        return change_key(rng, track)
    if kind < 0.75 and len(track.keys) > 1:
        gone = int(rng.integers(len(track.keys)))
        return replace(track, keys=tuple(key for place, key in enumerate(track.keys) if place != gone))
    if kind < 0.9:
        time = int(rng.integers(-SECOND, 6 * SECOND))
        made = {key.time: key for key in track.keys} | {time: Key(time, 0.3)}
        return replace(track, keys=tuple(made[each] for each in sorted(made)))
    return replace(track, after=EXTRAPOLATIONS[int(rng.integers(4))])


def change_samples(rng: Generator, take: Samples) -> Samples:
    values = take.values.array.copy()
    values[int(rng.integers(len(values))), int(rng.integers(values.shape[1]))] += 0.05
    return replace(take, values=Blob(values))


def change_correction(rng: Generator, correction: Correction | None) -> Correction | None:
    """A bell more, one less, or another size of one; balls and numbers."""
    terms = list(correction.terms) if correction is not None else []
    if terms and rng.random() < 0.6:
        place = int(rng.integers(len(terms)))
        terms[place : place + 1] = [] if rng.random() < 0.4 else [replace(terms[place], amplitudes=(("knee", 0.7),))]
    else:
        bell = Bell(time=int(rng.integers(0, 5 * SECOND)), before=SECOND // 2, after=int(rng.integers(1, SECOND)))
        terms.append(
            Term(bell=bell, amplitudes=(("x", 0.2), ("turn.y", float(rng.normal()))), wiggles=(("knee", 0.1),))
        )
    return correction_of(terms)


def change_layer(rng: Generator, layer: Layer) -> Layer:
    kind = rng.random()
    if kind < 0.6 and layer.tracks:
        place = int(rng.integers(len(layer.tracks)))
        made = list(layer.tracks)
        made[place] = change_track(rng, made[place])
        return replace(layer, tracks=tuple(made))
    if kind < 0.75 and layer.samples is not None:
        return replace(layer, samples=change_samples(rng, layer.samples))
    if kind < 0.8:
        return replace(layer, correction=change_correction(rng, layer.correction))
    others: tuple[Callable[[], Layer], ...] = (
        lambda: replace(layer, weight=0.3),
        lambda: replace(layer, mute=not layer.mute),
        lambda: replace(layer, solo=not layer.solo),
        lambda: replace(layer, quaternions=() if layer.quaternions else ("hip",)),
        lambda: replace(layer, span=Span(start=0, end=SECOND)),
        lambda: replace(layer, speed=()),
        lambda: replace(layer, mask=HIP),
        lambda: replace(layer, name="Renamed"),
        lambda: replace(layer, values=(("x", 0.77),)),
    )
    return others[int(rng.integers(len(others)))]()


def change_layers(rng: Generator, layers: tuple[Layer, ...]) -> tuple[Layer, ...]:
    kind = rng.random()
    if kind < 0.8:
        place = int(rng.integers(len(layers)))
        return (*layers[:place], change_layer(rng, layers[place]), *layers[place + 1 :])
    if kind < 0.9:
        return tuple(layers[place] for place in rng.permutation(len(layers)))
    return layers[1:]


@pytest.mark.parametrize("seed", [*range(20), *(pytest.param(each, marks=pytest.mark.deep) for each in range(20, 40))])
def test_outside_the_changed_spans_every_byte_is_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layers = tuple(random_layer(rng, str(each), FIGURE) for each in range(3))
    for _ in range(6):
        edited = change_layers(rng, layers)
        assert_same_outside(document(*layers), document(*edited), rng)
        layers = edited if edited else layers


@pytest.mark.parametrize("seed", range(12))
def test_local_edits_of_keys_and_frames_leave_times_outside(seed: int) -> None:
    rng = np.random.default_rng(1000 + seed)
    names = (*HIP, "x", *BALL)
    made = tuple(Track(coordinate=name, keys=keys(rng, 12)) for name in names)
    take = samples(rng, ("knee",), count=30)
    layer = Layer(id="l", tracks=made, samples=take, quaternions=("hip",))
    place = int(rng.integers(len(names)))
    edited = replace(layer, tracks=(*made[:place], change_key(rng, made[place]), *made[place + 1 :]))
    assert assert_same_outside(document(layer), document(edited), rng) > 5
    edited = replace(layer, samples=change_samples(rng, take))
    assert assert_same_outside(document(layer), document(edited), rng) > 5


def row(count: int = 9, before: Extrapolation = "hold", after: Extrapolation = "hold") -> Track:
    values = (0.0, 0.3, 0.5, 0.9, 1.6, 1.7, 2.5, 2.6, 3.0)
    keys = tuple(Key(each * SECOND, values[each]) for each in range(count))
    return Track(coordinate="x", keys=keys, before=before, after=after)


def moved(track: Track, place: int, by: float = 0.01) -> Track:
    key = track.keys[place]
    made = (*track.keys[:place], replace(key, value=key.value + by), *track.keys[place + 1 :])
    return replace(track, keys=made)


def track_spans(old: Track, new: Track) -> list[tuple[int | None, int | None]]:
    return spans(document(Layer(id="l", tracks=(old,))), document(Layer(id="l", tracks=(new,))))


def test_a_key_reaches_two_keys_to_each_side_where_slopes_are_automatic() -> None:
    assert track_spans(row(), moved(row(), 4)) == [(2 * SECOND, 6 * SECOND)]


def test_a_key_reaches_its_neighbours_where_spans_are_linear() -> None:
    track = replace(row(), keys=tuple(replace(key, interpolation="linear") for key in row().keys))
    assert track_spans(track, moved(track, 4)) == [(3 * SECOND, 5 * SECOND)]


def test_end_keys_reach_as_far_as_their_extrapolation() -> None:
    assert track_spans(row(), moved(row(), 0, -0.01)) == [(None, 2 * SECOND)]
    assert track_spans(row(), moved(row(), 8)) == [(6 * SECOND, None)]
    assert track_spans(row(), moved(row(), 4)) == track_spans(row(before="linear"), moved(row(before="linear"), 4))
    cyclic = row(after="cycle_offset")
    assert track_spans(cyclic, moved(cyclic, 4)) == [(2 * SECOND, 6 * SECOND), (8 * SECOND, None)]
    assert track_spans(row(), row(after="linear")) == [(7 * SECOND, None)]


def test_a_span_bounds_what_its_layer_touches() -> None:
    layer = Layer(id="l", tracks=(row(),), span=Span(start=3 * SECOND, end=5 * SECOND))
    assert spans(document(layer), document(replace(layer, tracks=(moved(row(), 4),)))) == [(3 * SECOND, 5 * SECOND)]
    assert spans(document(layer), document(replace(layer, weight=0.5))) == [(3 * SECOND, 5 * SECOND)]
    assert spans(document(layer), document()) == [(3 * SECOND, 5 * SECOND)]
    assert spans(document(layer), document(replace(layer, tracks=(moved(row(), 0),)))) == []


def test_a_frame_reaches_two_frames_to_each_side() -> None:
    values = np.linspace(0.0, 1.0, 20)[:, None]
    take = Samples(coordinates=("x",), values=Blob(values), rate=(1, 1))
    values[9] += 0.1
    edited = replace(take, values=Blob(values))
    pair = (document(Layer(id="l", samples=take)), document(Layer(id="l", samples=edited)))
    assert spans(*pair) == [(7 * SECOND, 11 * SECOND)]


def test_names_touch_nothing_and_places_everything() -> None:
    old = document(Layer(id="l", tracks=(row(),)))
    actor = old.actors[0]
    assert spans(old, old) == []
    assert spans(old, old.with_actor(replace(actor, name="B"))) == []
    assert spans(old, document(replace(actor.layers[0], name="Other"))) == []
    placed = old.with_actor(replace(actor, placement=Placement(position=(1.0, 0.0, 0.0))))
    assert changed_span(old, placed) == (("a", None, None),)
    assert changed_span(old, Document()) == changed_span(Document(), old) == (("a", None, None),)


def test_muted_layers_do_not_count() -> None:
    layer = Layer(id="l", tracks=(row(),), mute=True)
    assert spans(document(layer), document(replace(layer, weight=0.5))) == []


def fixed(*times: int, size: float = 0.1) -> Layer:
    """A layer of nothing but bells about some seconds, from half a second before to a quarter after."""
    bells = (Bell(time=time * SECOND, before=SECOND // 2, after=SECOND // 4) for time in times)
    terms = tuple(Term(bell=each, amplitudes=(("x", size),)) for each in bells)
    return Layer(id="fix", correction=Correction(terms=terms))


def around(time: int) -> tuple[int, int]:
    return time * SECOND - SECOND // 2, time * SECOND + SECOND // 4


def test_a_correction_touches_what_its_bells_reach() -> None:
    base = Layer(id="l", tracks=(row(),))
    old = document(base, fixed(2, 5))
    assert spans(document(base), old) == [(around(2)[0], around(5)[1])]
    assert spans(old, document(base, replace(fixed(2, 5), mute=True))) == [(around(2)[0], around(5)[1])]
    assert spans(old, document(base, fixed(2, 5, 8))) == [around(8)]
    assert spans(old, document(base, fixed(2))) == [around(5)]
    assert spans(old, document(base, fixed(2, 6))) == [(around(5)[0], around(5)[1]), around(6)]
    assert spans(old, document(base, fixed(2, 5))) == []
    spanned = replace(fixed(2, 5), span=Span(start=0, end=3 * SECOND))
    assert spans(document(base), document(base, spanned)) == [(around(2)[0], 3 * SECOND)]
    inside = replace(fixed(5), span=Span(start=0, end=SECOND))
    assert spans(document(base), document(base, inside)) == [(around(5)[0], around(5)[0])]


def straight() -> Track:
    return replace(row(), keys=tuple(replace(key, interpolation="linear") for key in row().keys))


def follower(*layers: Layer, **given: Any) -> Document:
    made = document(*layers).actors[0]
    usual: dict[str, Any] = {"lead": "run_in"}
    return Document(actors=(replace(made, secondary=Secondary(**(usual | given))),))


def test_secondary_motion_remembers_a_window_and_a_step() -> None:
    old, new = (Layer(id="l", tracks=(track,)) for track in (straight(), moved(straight(), 4)))
    memory = Secondary().memory
    assert Secondary().window < memory < Secondary().window + 2 * Secondary().step
    assert spans(follower(old), follower(new)) == [(3 * SECOND, 5 * SECOND + memory)]
    assert spans(follower(old, on=False), follower(new, on=False)) == [(3 * SECOND, 5 * SECOND)]
    long: dict[str, Any] = {"window": SECOND, "step": SECOND // 10}
    assert spans(follower(old, **long), follower(new, **long))[0][1] == 5 * SECOND + Secondary(**long).memory


def test_what_changes_the_first_key_changes_all_that_is_held_before_it() -> None:
    layers = (Layer(id="l", tracks=(row(before="linear"),)), Layer(id="top", mode="add"))
    term = Term(bell=Bell(time=0, before=9, after=9), amplitudes=(("x", 1.0),))
    bump = Layer(id="bump", correction=Correction(terms=(term,)))
    held = (follower(*layers, lead="hold"), follower(*layers, bump, lead="hold"))
    assert spans(*held) == [(None, 9 + Secondary().memory)]
    run_in = (follower(*layers), follower(*layers, bump))
    assert spans(*run_in) == [(-9, 9 + Secondary().memory)]
    sooner = Layer(id="top", mode="add", tracks=(Track(coordinate="knee", keys=(Key(-SECOND, 0.0), Key(0, 0.0))),))
    assert spans(held[0], follower(layers[0], sooner, lead="hold"))[0][0] is None


def test_gains_touch_everything_and_targets_nothing_while_secondary_motion_is_on() -> None:
    layer = Layer(id="l", tracks=(row(),))
    old = follower(layer)
    assert spans(old, follower(layer, gains=Gains(tension=1.0))) == [(None, None)]
    assert spans(old, follower(layer, on=False)) == [(None, None)]
    assert spans(document(layer), old) == [(None, None)]
    assert spans(old, follower(layer, targets=(Target(id="t"),))) == []
    assert spans(document(layer), follower(layer, on=False)) == []
    assert spans(follower(layer, on=False), follower(layer, on=False, window=SECOND)) == []


def test_locks_widen_by_a_step_on_both_sides_and_hand_on_what_follows() -> None:
    lock = Lock(id="foot", name="Foot", joint="knee", target="a", target_joint="knee", shared=True)
    old, new = (Layer(id="l", tracks=(track,)) for track in (straight(), moved(straight(), 4)))

    def pair(layer: Layer) -> Document:
        first = follower(layer).actors[0]
        return Document(actors=(first, Actor(id="b", name="B", figure=FIGURE, layers=(old,), locks=(lock,))))

    secondary = Secondary()
    wide = (3 * SECOND - secondary.step - 1, 5 * SECOND + secondary.memory + secondary.step + 1)
    assert changed_span(pair(old), pair(new)) == (("a", *wide), ("b", *wide))


def test_a_first_lock_touches_all_of_secondary_motion_since_its_rates_become_differences() -> None:
    layer = Layer(id="l", tracks=(row(),))
    lock = Lock(id="foot", name="Foot", joint="knee", span=Span(start=0, end=SECOND))
    old = follower(layer)
    actor = old.actors[0]
    one, other = (old.with_actor(replace(actor, locks=locks)) for locks in ((lock,), (lock, replace(lock, id="other"))))
    assert spans(old, one) == [(None, None)]
    assert spans(one, other)[0][1] == SECOND + Secondary().memory + Secondary().step + 1
    assert spans(old, old.with_actor(replace(actor, locks=(replace(lock, mute=True),)))) == []


def test_the_brute_force_check_sees_a_span_that_is_too_short(monkeypatch: pytest.MonkeyPatch) -> None:
    def short(old: Document, new: Document) -> tuple[Change, ...]:
        return (("a", 3 * SECOND, 5 * SECOND),)

    monkeypatch.setitem(globals(), "changed_span", short)
    pair = (document(Layer(id="l", tracks=(row(),))), document(Layer(id="l", tracks=(moved(row(), 4),))))
    with pytest.raises(AssertionError, match="outside"):
        assert_same_outside(*pair, np.random.default_rng(1))
