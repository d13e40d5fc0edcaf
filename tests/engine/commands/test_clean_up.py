"""Captures cleaned and reduced: what is told is what is so, what is not meant stays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.commands.clean_up import Cleaned, CleanUp
from engine.document import Actor, Blob, Document, Key, Layer, Samples, Track
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.motion.motion import compile_motion
from engine.runtime.errors import EngineError

HUMAN = load_figure("human")
NAMES = ("pelvis.move_x", "elbow_left.flexion", "knee_left.flexion")
RATE = (60, 1)
FRAMES = 121


def _samples() -> Samples:
    time = np.arange(FRAMES) / 60.0
    values = np.stack((0.3 * time, 0.8 + 0.5 * np.sin(3.0 * time), 0.6 + 0.4 * np.cos(4.0 * time)), axis=1)
    return Samples(coordinates=NAMES, values=Blob(values), rate=RATE)


def _scene(samples: Samples | None = None, *tracks: Track) -> Document:
    layer = Layer(id="capture", samples=_samples() if samples is None else samples, tracks=tracks)
    return Document(actors=(Actor(id="one", name="One", figure=HUMAN, layers=(layer, Layer(id="pose"))),))


def _cleaned(document: Document, joints: frozenset[str] | None = None, **wish: Any) -> Cleaned:
    steps = CleanUp(parts=(("one", joints),), **wish).work_through(Evaluator(), document)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def _values(document: Document) -> Any:
    times = [float(frame_time(frame, RATE)) for frame in range(FRAMES)]
    motion = compile_motion(HUMAN, document.actors[0].layers).at(times)[:, 0]
    return motion[:, [HUMAN.coordinate_index[name] for name in NAMES]]


def test_few_keys_keep_the_tolerance_and_what_is_told_is_measured() -> None:
    document = _scene()
    told = _cleaned(document, degrees=0.5, millimetres=2.0)
    after = told.edit.apply(document)
    layer = after.actors[0].layers[0]
    assert layer.samples is None
    assert (told.before, told.after) == (3 * FRAMES, sum(len(track.keys) for track in layer.tracks))
    assert told.after < 40
    away = np.abs(_values(after) - _values(document)).max(axis=0)
    assert told.turn_error == pytest.approx(max(away[1:]), abs=1e-9)
    assert told.turn_error <= np.radians(0.5)
    assert away[0] <= 0.002
    assert told.place_error >= away[0]
    assert told.joint in {joint.name for joint in HUMAN.joints}


def test_a_wider_tolerance_needs_fewer_keys() -> None:
    counts = [_cleaned(_scene(), degrees=degrees, millimetres=5.0).after for degrees in (0.05, 0.5, 5.0)]
    assert counts[0] > counts[1] > counts[2]


def test_only_what_is_meant_is_reduced() -> None:
    document = _scene()
    told = _cleaned(document, joints=frozenset(("elbow_left",)), degrees=0.5)
    layer = told.edit.apply(document).actors[0].layers[0]
    assert layer.samples is not None
    assert layer.samples.coordinates == (NAMES[0], NAMES[2])
    assert [track.coordinate for track in layer.tracks] == [NAMES[1]]
    assert told.before == FRAMES


def test_samples_are_heard_before_a_muted_track_and_muted_keys_stay() -> None:
    keys = (Key(0, 0.0), Key(frame_time(60, RATE), 0.0), Key(frame_time(90, RATE), 0.0))
    muted = tuple(Track(coordinate=name, keys=keys, mute=True) for name in (NAMES[1], "elbow_right.flexion"))
    document = _scene(None, *muted)
    before = _values(document)
    after = _cleaned(document, degrees=0.5).edit.apply(document)
    assert np.abs(_values(after) - before).max() <= np.radians(0.5)
    assert after.actors[0].layers[0].track_of["elbow_right.flexion"] == muted[1]


def test_spikes_are_counted_and_taken_out() -> None:
    values = np.array(_samples().values.array)
    values[50, 1] += 0.8
    document = _scene(replace(_samples(), values=Blob(values)))
    told = _cleaned(document, spikes=True)
    found = told.edit.apply(document).actors[0].layers[0].samples
    assert found is not None
    assert told.spikes >= 1
    assert abs(found.values.array[50, 1] - _samples().values.array[50, 1]) < 0.01
    assert told.turn_error == pytest.approx(0.8, abs=0.01)


def test_smoothing_takes_out_what_is_fast_and_keeps_the_frames() -> None:
    shake = 0.05 * np.sin(2.0 * np.pi * 25.0 * np.arange(FRAMES) / 60.0)[:, None] * np.array([[0.0, 1.0, 0.0]])
    document = _scene(replace(_samples(), values=Blob(_samples().values.array + shake)))
    told = _cleaned(document, cutoff=6.0)
    found = told.edit.apply(document).actors[0].layers[0].samples
    assert found is not None
    assert (told.before, told.after) == (3 * FRAMES, 3 * FRAMES)
    inner = slice(20, -20)
    assert np.abs(found.values.array[inner] - _samples().values.array[inner]).max() < 0.01


def test_dense_keys_become_few() -> None:
    keys = tuple(Key(frame_time(frame, RATE), float(np.sin(frame / 20.0))) for frame in range(FRAMES))
    layer = Layer(id="keys", tracks=(Track(coordinate=NAMES[1], keys=keys),))
    document = Document(actors=(Actor(id="one", name="One", figure=HUMAN, layers=(layer,)),), rate=RATE)
    told = _cleaned(document, degrees=0.5)
    assert told.after < 15 < told.before
    assert told.turn_error <= np.radians(0.5)


@pytest.mark.parametrize(
    ("joints", "wish", "said"),
    [
        (None, {}, "spikes, a cut-off or a tolerance"),
        (frozenset(("head",)), {"spikes": True}, "no motion to clean up"),
        (None, {"degrees": 0.0}, "above 0"),
        (None, {"cutoff": 40.0}, "below 30 Hz"),
    ],
)
def test_nothing_to_do_and_bad_numbers_are_refused_in_words(
    joints: frozenset[str] | None, wish: dict[str, Any], said: str
) -> None:
    with pytest.raises(EngineError, match=said):
        _cleaned(_scene(), joints, **wish)


def test_the_history_says_what_was_done() -> None:
    wish = CleanUp(parts=(("one", None),), spikes=True, cutoff=6.0, degrees=0.5)
    assert wish.label(_scene()) == "Take out spikes, smooth below 6 Hz, reduce keys to 0.5°"
