"""Sequences on figures: begun where they stand, repeated, mirrored, faded, on some joints, on other figures."""

from __future__ import annotations

import math
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.commands.sequences import PutSequence, clip_of, flipbook, keep_sequence, key_poses, read_sequence
from engine.document import Actor, Blob, Clip, Document, Dof, Figure, Key, Layer, Samples, Span, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.formats.figure_toml import load_figure
from engine.formats.motion_toml import load_motion
from engine.locks.commands.lock_here import LockHere
from engine.runtime.errors import EngineError, InvalidArguments, InvalidDocument
from engine.runtime.progress import Pace, finish

HUMAN = load_figure("human")
KNEE, ELBOW, ELBOW_RIGHT = "knee_left.flexion", "elbow_left.flexion", "elbow_right.flexion"
X, Z, TURN = "pelvis.move_x", "pelvis.move_z", "pelvis.turn"
RATE = (30, 1)


def clip(**tracks: tuple[tuple[float, float], ...]) -> Clip:
    """Keys (seconds, value) by short names."""
    names = {"knee": KNEE, "elbow": ELBOW, "x": X, "z": Z, "turn": TURN}
    made = tuple(
        Track(coordinate=names[name], keys=tuple(Key(round(time * SECOND), value) for time, value in keys))
        for name, keys in tracks.items()
    )
    return clip_of(HUMAN, Layer(id="clip", tracks=made))


def scene(*layers: Layer, figure: Figure = HUMAN) -> Document:
    given = layers or (Layer(id="pose"),)
    return Document(actors=(Actor(id="one", name="One", figure=figure, layers=given),), rate=RATE)


def put(document: Document, given: Clip, **how: Any) -> Document:
    wish = PutSequence(actor="one", clip=given, name="Move", id="new", time=how.pop("time", 0), **how)
    return wish.work_out(Evaluator(), document).apply(document)


def at(document: Document, seconds: float, *names: str) -> list[float]:
    row = Evaluator().coordinates(document, "one", [round(seconds * SECOND)])[0]
    return [float(row[document.actors[0].figure.coordinate_index[name]]) for name in names]


BEND = clip(knee=((0.0, 0.2), (1.0, 1.0)), elbow=((0.0, 0.0), (1.0, 0.5)))


def test_as_a_layer_of_its_own_it_counts_for_its_time_and_eases() -> None:
    document = scene(Layer(id="pose", values=((KNEE, 0.1),)))
    after = put(document, BEND, time=SECOND, ease_in=SECOND // 2)
    layer = after.actors[0].layers[-1]
    assert (layer.id, layer.name) == ("new", "Move")
    assert layer.span == Span(start=SECOND, end=2 * SECOND, ease_in=SECOND // 2)
    assert at(after, 2.0, KNEE, ELBOW) == pytest.approx([1.0, 0.5])
    assert at(after, 2.1, KNEE) == at(after, 0.5, KNEE) == at(after, 1.0, KNEE) == pytest.approx([0.1])


def test_into_the_layer_that_receives_keys_it_replaces_its_time_alone() -> None:
    track = Track(coordinate=KNEE, keys=(Key(0, 0.3), Key(4 * SECOND, 0.3)))
    document = scene(Layer(id="pose"), Layer(id="keys", tracks=(track,)))
    after = put(document, BEND, time=SECOND, into="receiver")
    assert [layer.id for layer in after.actors[0].layers] == ["pose", "keys"]
    assert at(after, 0.9, KNEE) == at(after, 3.0, KNEE) == pytest.approx([0.3])
    assert at(after, 1.0, KNEE) == pytest.approx([0.2])
    assert at(after, 2.0 - 1 / 30, KNEE)[0] > 0.9


def test_eases_in_the_receiving_layer_lead_over_without_a_jump() -> None:
    track = Track(coordinate=KNEE, keys=(Key(0, 0.3), Key(4 * SECOND, 0.3)))
    document = scene(Layer(id="keys", tracks=(track,), values=((ELBOW, 0.7),)))
    after = put(document, BEND, time=SECOND, into="receiver", ease_in=SECOND // 4, ease_out=SECOND // 4)
    assert at(after, 1.5, KNEE) == pytest.approx(at(put(scene(), BEND), 0.5, KNEE))
    for name, value in ((KNEE, 0.3), (ELBOW, 0.7)):
        assert at(after, 1.0, name) == at(after, 2.0, name) == pytest.approx([value])
        values = np.array([at(after, seconds, name)[0] for seconds in np.arange(0.5, 2.5, 1 / 120)])
        assert np.abs(np.diff(values)).max() < 0.06


def test_eases_longer_than_the_motion_are_shortened() -> None:
    span = put(scene(), BEND, ease_in=3 * SECOND, ease_out=SECOND).actors[0].layers[-1].span
    assert span is not None
    assert (span.ease_in, span.ease_out) == (SECOND * 3 // 4, SECOND // 4)


def test_it_begins_where_the_figure_stands_and_each_run_goes_on_from_the_last() -> None:
    travel = clip(z=((0.0, 0.5), (1.0, 1.5)), x=((0.0, 0.1), (1.0, 0.1)), knee=((0.0, 0.0), (0.5, 1.0), (1.0, 0.0)))
    after = put(scene(Layer(id="pose", values=((X, 2.0), (Z, -1.0)))), travel, runs=3)
    assert at(after, 0.0, X, Z) == pytest.approx([2.0, -1.0])
    assert at(after, 3.0, X, Z) == pytest.approx([2.0, 2.0])
    assert at(after, 2.5, KNEE) == at(after, 0.5, KNEE) == pytest.approx([1.0])


@pytest.mark.parametrize("angle", [math.pi / 2, -2.5])
def test_a_path_goes_the_way_that_the_figure_faces(angle: float) -> None:
    travel = clip(z=((0.0, 0.0), (0.4, 0.7), (1.0, 1.0)), x=((0.0, 0.0), (1.0, 0.3)), turn=((0.0, 0.0), (1.0, 0.1)))
    after = put(scene(Layer(id="pose", values=((TURN, angle),))), travel)
    c, s = math.cos(angle), math.sin(angle)
    for seconds in (0.2, 0.4, 0.77, 1.0):
        x, z, turn = at(put(scene(), travel), seconds, X, Z, TURN)
        assert at(after, seconds, X, Z, TURN) == pytest.approx([c * x + s * z, c * z - s * x, turn + angle], abs=1e-9)


def test_a_pelvis_that_sways_a_little_turns_no_path() -> None:
    travel = clip(z=((0.0, 0.0), (1.0, 1.0)), turn=((0.0, -0.1), (1.0, 0.1)))
    assert at(put(scene(), travel), 1.0, X, Z) == pytest.approx([0.0, 1.0])


@pytest.mark.parametrize("sway", [0.0, 0.1])
def test_a_figure_that_has_turned_round_does_not_turn_back_in_the_ease(sway: float) -> None:
    travel = clip(z=((0.0, 0.0), (1.0, 1.0)), turn=((0.0, 0.0), (1.0, 0.05)))
    after = put(scene(Layer(id="pose", values=((TURN, math.tau + sway),))), travel, ease_in=SECOND // 2)
    assert at(after, 1.0, X, Z, TURN) == pytest.approx([0.0, 1.0, math.tau + 0.05])
    turns = [at(after, seconds, TURN)[0] for seconds in (0.0, 0.1, 0.25, 0.4, 0.5)]
    assert max(abs(turn - math.tau) for turn in turns) < 0.11


def test_mirrored_left_is_right_and_on_some_joints_others_stay() -> None:
    after = put(scene(), BEND, mirrored=True, joints=frozenset(("elbow_right",)))
    assert at(after, 1.0, KNEE, ELBOW, ELBOW_RIGHT) == pytest.approx([0.0, 0.0, 0.5])
    assert [track.coordinate for track in after.actors[0].layers[-1].tracks] == [ELBOW_RIGHT]


def test_a_walk_runs_on_and_on() -> None:
    walk = clip_of(HUMAN, load_motion("walk").layers[0])
    after = put(scene(), walk, runs=4)
    length = walk.length / SECOND
    first, last = at(after, 0.3, KNEE, Z), at(after, 0.3 + 3 * length, KNEE, Z)
    assert last[0] == pytest.approx(first[0])
    assert last[1] - first[1] == pytest.approx(3 * 1.24, abs=1e-3)
    cycled = scene(load_motion("walk").layers[0])
    for seconds in np.arange(0.0, 4.0, 0.0793):
        assert at(after, seconds, KNEE) == pytest.approx(at(cycled, seconds, KNEE), abs=1e-9)


def renamed() -> Figure:
    """The human with another left knee, and without a right elbow's name."""

    def other(joint: Any) -> Any:
        dofs = tuple(replace(dof, id=f"my_{dof.id}") for dof in joint.dofs)
        return replace(joint, name="Spring", dofs=dofs) if joint.id == "elbow_left" else replace(joint, dofs=dofs)

    return replace(HUMAN, joints=tuple(map(other, HUMAN.joints)), skins=())


def test_a_figure_of_other_joints_gets_what_fits_by_name() -> None:
    after = put(scene(figure=renamed()), BEND)
    assert [track.coordinate for track in after.actors[0].layers[-1].tracks] == [f"my_{KNEE}"]
    lamp = scene(figure=load_figure("lamp"))
    with pytest.raises(InvalidArguments, match="moves nothing of"):
        put(lamp, BEND)


@pytest.mark.parametrize("runs", [0, -1, 1001, True, 1.5])
def test_runs_that_make_no_sense_are_refused(runs: Any) -> None:
    with pytest.raises(InvalidDocument, match="1 to 1000"):
        put(scene(), BEND, runs=runs)


def test_a_pose_is_no_sequence() -> None:
    with pytest.raises(EngineError, match="two times"):
        clip_of(HUMAN, Layer(id="pose", name="Still", values=((KNEE, 1.0),)))


def test_the_own_keys_of_one_layer_are_kept_as_they_are(tmp_path: Path) -> None:
    track = Track(coordinate=KNEE, keys=(Key(0, 0.0), Key(SECOND, 0.75), Key(3 * SECOND, 0.0)))
    document = scene(Layer(id="keys", tracks=(track,)))
    path = tmp_path / "Kept.motion.toml"
    kept = finish(keep_sequence(Evaluator(), document, "one", None, Span(start=0, end=3 * SECOND), path))
    again = read_sequence(path)
    assert again.length == kept.length == 3 * SECOND
    assert [key.time for key in again.tracks[0].keys] == [0, SECOND, 3 * SECOND]
    assert [key.value for key in again.tracks[0].keys] == pytest.approx([0.0, 0.75, 0.0], abs=1e-12)


def test_keys_that_are_joined_as_rotations_are_kept_as_what_is_seen(tmp_path: Path) -> None:
    names = tuple(dof.id for dof in HUMAN.joint("hip_left").dofs)
    ends = ((0.0, 1.2), (0.0, 0.6), (0.0, -0.9))
    tracks = (
        Track(coordinate=name, keys=(Key(0, first), Key(SECOND, last)))
        for name, (first, last) in zip(names, ends, strict=True)
    )
    document = scene(Layer(id="keys", tracks=tuple(tracks), quaternions=("hip_left",)))
    path = tmp_path / "Turned.motion.toml"
    finish(keep_sequence(Evaluator(), document, "one", frozenset(("hip_left",)), Span(start=0, end=SECOND), path))
    again = put(scene(), read_sequence(path))
    for seconds in (0.25, 0.5, 0.75):
        assert at(again, seconds, *names) == pytest.approx(at(document, seconds, *names), abs=math.radians(0.5))


def test_layers_that_do_not_count_leave_the_own_keys_of_the_one_that_does(tmp_path: Path) -> None:
    track = Track(coordinate=KNEE, keys=(Key(0, 0.0), Key(SECOND, 0.75), Key(3 * SECOND, 0.0)))
    other = Track(coordinate=KNEE, keys=(Key(0, 0.3), Key(SECOND, 0.1)))
    document = scene(Layer(id="keys", tracks=(track,), solo=True), Layer(id="more", tracks=(other,)))
    path = tmp_path / "Alone.motion.toml"
    finish(keep_sequence(Evaluator(), document, "one", None, Span(start=0, end=3 * SECOND), path))
    assert [key.time for key in read_sequence(path).tracks[0].keys] == [0, SECOND, 3 * SECOND]


def test_what_layers_and_locks_make_together_is_kept_as_few_keys(tmp_path: Path) -> None:
    keys = (Key(0, 0.0), Key(SECOND, -0.1))
    document = scene(Layer(id="keys", tracks=(Track(coordinate="pelvis.move_y", keys=keys),)))
    wish = LockHere(id="foot", name="Foot", actor="one", joint="ankle_left", axes=("i", "j"), time=0)
    document = wish.work_out(Evaluator(), document).apply(document)
    path = tmp_path / "Sink.motion.toml"
    finish(keep_sequence(Evaluator(), document, "one", frozenset(("knee_left",)), Span(start=0, end=SECOND), path))
    again = put(scene(), read_sequence(path))
    for frame in range(31):
        seconds = frame_time(frame, RATE) / SECOND
        assert at(again, seconds, KNEE) == pytest.approx(at(document, seconds, KNEE), abs=math.radians(0.5))
    assert len(read_sequence(path).tracks[0].keys) < 15


def test_what_stands_still_or_cannot_move_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "Nothing.motion.toml"
    with pytest.raises(EngineError):
        finish(keep_sequence(Evaluator(), scene(), "one", None, Span(start=0, end=SECOND), path))
    assert not path.exists()


def test_it_is_kept_in_slices_and_one_that_is_ended_before_the_last_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Pace, "due", lambda _: True)  # as short as slices get, however fast this machine is
    keys = (Key(0, 0.0), Key(SECOND, -0.1))
    document = scene(Layer(id="keys", tracks=(Track(coordinate="pelvis.move_y", keys=keys),)))
    wish = LockHere(id="foot", name="Foot", actor="one", joint="ankle_left", axes=("i", "j"), time=0)
    document = wish.work_out(Evaluator(), document).apply(document)
    path = tmp_path / "kept" / "Sink.motion.toml"

    def keep() -> Generator[float, None, Clip]:
        return keep_sequence(Evaluator(), document, "one", None, Span(start=0, end=SECOND), path)

    shares = list(keep())
    assert len(shares) > 10
    assert shares == sorted(shares)
    assert (shares[0] < 0.1, shares[-1] > 0.8) == (True, True)
    path.unlink()
    steps = keep()
    while next(steps) < 0.5:
        pass
    steps.close()
    assert not path.exists()


def test_a_flipbook_shows_key_poses_and_stays_in_its_place() -> None:
    travel = clip(z=((0.0, 0.0), (1.0, 5.0)), knee=((0.0, 0.0), (0.5, 1.0), (1.0, 0.0)))
    pictures = list(flipbook(Evaluator(), HUMAN, travel))
    assert len(pictures) == 3
    places = [each.bodies[0].transforms[0][:, 3] for each in pictures]
    assert max(float(np.abs(place - places[0]).max()) for place in places) < 1e-6


def test_of_many_keys_some_are_shown_and_a_cycle_ends_before_it_begins_anew() -> None:
    walk = clip_of(HUMAN, load_motion("walk").layers[0])
    times = key_poses(walk)
    assert len(times) == 12
    assert times[-1] < walk.length
    ball = Figure(name="Ball", joints=(replace(HUMAN.joints[0], dofs=(Dof(id="a", name="A"),)),), handles=())
    samples = Samples(coordinates=("a",), values=Blob([[0.0], [1.0]]), rate=(1, 1))
    with pytest.raises(EngineError):
        clip_of(ball, Layer(id="empty", samples=replace(samples, values=Blob([[0.0]]))))
