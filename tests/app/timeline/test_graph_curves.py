"""Curves of the graph editor and what is done to their keys, without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.session import Item
from app.session.selection import Selection
from app.style.units import ANGLE, LENGTH
from app.timeline.graph.changes import Shift, removed, reshaped, shifted, tracks_of, typed
from app.timeline.graph.curves import SPEED, GraphCurves, curves_of
from app.timeline.graph.scale import ValueScale
from app.timeline.keys import Channel
from engine.document import Actor, Blob, Document, Key, Layer, Samples, SpeedRange, Track
from engine.queries.outline import Outline
from tests.engine.motion.motions import SECOND, walker

KEYS = (Key(0, 0.0), Key(SECOND, 1.0), Key(2 * SECOND, 0.5))
SPEED_KEYS = (Key(0, 0.0), Key(SECOND, 0.3), Key(2 * SECOND, 0.6), Key(3 * SECOND, 1.0))
KNEE, X = Channel("one", "low", "knee"), Channel("one", "low", "x")
TIMING = Channel("one", "low", f"{SPEED}0")
ALL, JOINT = Selection((Item("one"),)), Selection((Item("one", "knee"),))


def scene(**more: object) -> Document:
    layer = Layer(id="low", tracks=(Track(coordinate="x", keys=KEYS), Track(coordinate="knee", keys=KEYS)))
    return Document(actors=(Actor(id="one", name="one", figure=walker(), layers=(replace(layer, **more),)),))  # type: ignore[arg-type]


def timed() -> Document:
    return scene(speed=(SpeedRange(start=0, end=3 * SECOND, coordinates=("knee",), keys=SPEED_KEYS),))


def test_a_whole_actor_shows_what_is_keyed_and_a_joint_also_what_is_not() -> None:
    assert [curve.channel for curve in curves_of(scene(), ALL).curves] == [X, KNEE]
    hip = curves_of(scene(values=(("hip.1", 0.5),)), Selection((Item("one", "hip"),))).curves
    assert [(curve.channel.coordinate, curve.outline, curve.value_at(7.0)) for curve in hip] == [
        ("hip.0", None, 0.0), ("hip.1", None, 0.5), ("hip.2", None, 0.0),
    ]  # fmt: skip
    assert curves_of(scene(), Selection()).curves == ()


def test_outlines_of_tracks_that_stay_are_used_again() -> None:
    document = scene()
    before = curves_of(document, ALL)
    changed = typed(before, {KNEE: frozenset((0,))}, 0.25).apply(document)
    after = curves_of(changed, ALL, before)
    assert after.curves[0].outline is before.curves[0].outline
    assert after.curves[1].outline is not before.curves[1].outline


def test_lines_of_samples_that_stay_are_used_again() -> None:
    samples = Samples(coordinates=("knee",), values=Blob([[0.0], [0.5], [1.0]]), rate=(10, 1))
    document = scene(tracks=(Track(coordinate="x", keys=KEYS),), samples=samples)
    before = curves_of(document, ALL)
    line = next(curve for curve in before.curves if curve.samples).sampled
    assert line is not None
    changed = typed(before, {X: frozenset((0,))}, 25.0).apply(document)
    after = curves_of(changed, JOINT, curves_of(changed, ALL, before), normalised=True)
    assert next(curve for curve in after.curves if curve.samples).sampled is line
    other = scene(samples=replace(samples, start=SECOND), tracks=())
    line = curves_of(other, ALL, after).curves[0].sampled
    assert line is not None
    assert line[0, 0] == SECOND


def test_values_are_shown_in_degrees_and_centimetres_or_at_full_height() -> None:
    x, knee = curves_of(scene(), ALL).curves
    assert (x.unit, knee.unit) == (LENGTH, ANGLE)
    assert x.shown(1.0) == 100.0
    assert knee.shown(np.pi) == pytest.approx(180.0)
    for curve in curves_of(scene(), ALL, normalised=True).curves:
        assert [curve.shown(0.0), curve.shown(1.0)] == pytest.approx([-1.0, 1.0])
        assert curve.meant(curve.shown(0.3)) == pytest.approx(0.3)


def test_keys_of_channels_with_different_units_move_by_what_is_seen() -> None:
    curves = curves_of(scene(), ALL)
    picked = {KNEE: frozenset((SECOND,)), X: frozenset((SECOND,))}
    shift = Shift(ticks=5, up=10.0)
    layer = shifted(curves, picked, shift).apply(scene()).actors[0].layers[0]
    assert layer.track_of["x"].keys[1] == Key(SECOND + 5, 1.1)
    assert layer.track_of["knee"].keys[1].value == pytest.approx(1.0 + np.radians(10.0))
    assert shift.picked(curves, picked) == {KNEE: frozenset((SECOND + 5,)), X: frozenset((SECOND + 5,))}


@pytest.mark.parametrize("ticks", [-9 * SECOND, -SECOND // 2, 0, 7, SECOND, 99 * SECOND])
@pytest.mark.parametrize("up", [-500.0, -20.0, 0.0, 5.0, 500.0])
def test_keys_of_a_speed_curve_keep_their_order_and_never_fall(ticks: int, up: float) -> None:
    document = timed()
    curves = curves_of(document, JOINT)
    for chosen in (frozenset((SECOND,)), frozenset((SECOND, 2 * SECOND)), frozenset(key.time for key in SPEED_KEYS)):
        shift = Shift(ticks=ticks, up=up)
        changed = shifted(curves, {TIMING: chosen}, shift).apply(document)
        keys = changed.actors[0].layers[0].speed[0].keys
        assert len(keys) == 4
        assert (keys[0], keys[-1]) == (SPEED_KEYS[0], SPEED_KEYS[-1])
        landed = shift.picked(curves, {TIMING: chosen})[TIMING]
        assert landed <= {key.time for key in keys}
        assert len(landed) == len(chosen)


def test_the_ends_of_a_speed_curve_are_not_removed_and_typed_values_leave_it_alone() -> None:
    document = timed()
    curves = curves_of(document, JOINT)
    every = {TIMING: frozenset(key.time for key in SPEED_KEYS), KNEE: frozenset((0,))}
    changed = removed(curves, every).apply(document).actors[0].layers[0]
    assert changed.speed[0].keys == (SPEED_KEYS[0], SPEED_KEYS[-1])
    assert [key.time for key in changed.track_of["knee"].keys] == [SECOND, 2 * SECOND]
    valued = typed(curves, every, 0.75).apply(document).actors[0].layers[0]
    assert valued.speed == document.actors[0].layers[0].speed
    assert valued.track_of["knee"].keys[0].value == 0.75


def test_reshaped_keys_of_a_speed_curve_stay_in_place() -> None:
    document = timed()

    def flat(outline: Outline, place: int) -> Key:
        return replace(outline.track.keys[place], tangent="flat")

    changed = reshaped(curves_of(document, JOINT), {TIMING: frozenset((SECOND,))}, flat).apply(document)
    keys = changed.actors[0].layers[0].speed[0].keys
    assert [key.tangent for key in keys] == ["auto", "flat", "auto", "auto"]


def test_samples_are_shown_thinned_where_a_pixel_holds_many_and_keep_their_peaks() -> None:
    values = np.zeros((10_000, 1))
    values[5_000] = 2.0
    samples = Samples(coordinates=("knee",), values=Blob(values), rate=(100, 1))
    curve = curves_of(scene(tracks=(), samples=samples), JOINT).curves[0]
    (line,) = curve.lines(0.0, 100.0 * SECOND, 0.1 * SECOND, 1.0)
    assert len(line) < 3_000
    assert line[:, 1].max() == 2.0
    (near,) = curve.lines(49.9 * SECOND, 50.1 * SECOND, 0.001 * SECOND, 1.0)
    assert near[:, 0].tolist() == [SECOND // 100 * frame for frame in range(4989, 5011)]
    assert curve.value_at(50.005 * SECOND) == pytest.approx(1.0)


def test_flags_and_boxes_know_the_keys_by_channel() -> None:
    curves = curves_of(scene(), ALL)
    picked = {KNEE: frozenset((0, 2 * SECOND)), Channel("gone", "low", "x"): frozenset((0,))}
    assert curves.picked(curves.flags(picked)) == {KNEE: frozenset((0, 2 * SECOND))}
    assert curves.seen([1]).tolist() == [False] * 3 + [True] * 3
    assert len(GraphCurves().time) == 0
    assert tracks_of([KNEE, X, KNEE]) == (("one", "low", ("knee", "x")),)


def test_the_scale_zooms_about_a_place_fits_and_snaps() -> None:
    scale = ValueScale()
    scale.set_height(200.0)
    scale.fit(-10.0, 30.0)
    assert scale.y_of(30.0) > 0.0
    assert scale.y_of(-10.0) < 200.0
    held = scale.value_at(40.0)
    scale.zoom(0.5, 40.0)
    assert scale.value_at(40.0) == pytest.approx(held)
    assert [value for value in scale.lines() if scale.y_of(value) < 0.0 or scale.y_of(value) > 200.0] == []
    assert scale.snapped(3.4) == 3.4
    scale.snapping = True
    assert scale.snapped(3.4) == 3.0
    scale.fit(5.0, 5.0)
    assert 0.0 < scale.y_of(5.0) < 200.0
    scale.zoom(1e30, 10.0)
    scale.zoom(1e-60, 10.0)
    assert np.isfinite([scale.low, scale.per_pixel]).all()
