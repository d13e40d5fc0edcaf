"""Locks worked out from poses, baked and exported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Actor, Document, Key, Layer, Placement, Track, decode_document, encode_document
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import bvh, sinew
from engine.formats.figure_toml import load_figure
from engine.formats.format import Contents, Options
from engine.formats.table import by_suffix
from engine.locks.commands.end_lock import EndLock
from engine.locks.commands.lock_here import BakeLocks, LockHere
from engine.long.export import export, left_out
from engine.runtime.errors import InvalidArguments, NothingThere

FOOT = "ankle_left"


def sinking() -> Document:
    keys = (Key(0, 0.0), Key(SECOND, -0.1))
    layer = Layer(id="pose", tracks=(Track(coordinate="pelvis.move_y", keys=keys),))
    placement = Placement(position=(0.3, 0.0, 0.1), rotation=(0.6, 0.0, 0.8, 0.0))
    actor = Actor(id="one", name="One", figure=load_figure("human"), layers=(layer,), placement=placement)
    return Document(actors=(actor,))


def locked(**fields: object) -> Document:
    wish = LockHere(id="foot", name="Foot", actor="one", joint=FOOT, axes=("i", "j"), time=0)
    document = sinking()
    return replace(wish, **fields).work_out(Evaluator(), document).apply(document)  # type: ignore[arg-type]


def foot(document: Document, time: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    place = Evaluator().joint_transforms(document, "one", time)
    return np.asarray(place[document.actor("one").figure.joint_index[FOOT]])


def test_a_part_is_locked_where_it_stands_and_stays_there() -> None:
    free, document = sinking(), locked()
    assert np.abs(foot(document, 0) - foot(free, 0)).max() < 1e-8
    assert np.abs(foot(document, SECOND) - foot(free, 0)).max() < 1e-8
    assert np.abs(foot(free, SECOND) - foot(free, 0)).max() > 0.05


def test_a_place_on_another_joint_is_taken_in_its_frame() -> None:
    document = locked(joint="wrist_left", target="one", target_joint="pelvis", axes=())
    lock = document.actor("one").locks[0]
    assert (lock.target, lock.target_joint) == ("one", "pelvis")
    assert Evaluator().snapshot(document, 0, skins=False).locks[0].off < 1e-8


@pytest.mark.parametrize("solo", [False, True])
def test_baked_locks_give_the_same_frames_without_them(solo: bool) -> None:
    document = locked()
    layer = document.actor("one").layers[0].id
    document = edit("solo_layer", actor="one", layer=layer, solo=solo).apply(document)
    change = BakeLocks(id="baked", actor="one", start=0, end=SECOND).work_out(Evaluator(), document)
    baked = change.apply(document)
    assert baked.actor("one").locks == ()
    for frame in (0, 7, 30):
        time = frame * SECOND // 30
        assert np.abs(foot(baked, time) - foot(document, time)).max() < 1e-12
    assert np.abs(foot(baked, 2 * SECOND) - foot(sinking(), 2 * SECOND)).max() == 0.0, "its span ends with the samples"


def test_there_must_be_locks_to_bake() -> None:
    with pytest.raises(InvalidArguments, match="no pin to bake"):
        BakeLocks(id="baked", actor="one", start=0, end=SECOND).work_out(Evaluator(), sinking())


def test_an_exported_motion_keeps_the_locks_and_says_that_they_are_written_so(tmp_path: Path) -> None:
    document, path = locked(), tmp_path / "held.bvh"
    export(path, document, ["one"], Options())
    format = by_suffix(path)
    assert format is not None
    assert any(
        "pins, written as the motion that meets them: One" in line for line in left_out(format, document, ["one"])
    )
    contents: Contents = bvh.read(path, Options())
    assert contents.figure is not None
    again = Document(actors=(Actor(id="one", name="One", figure=contents.figure, layers=contents.layers),))
    names = [joint.name.replace("_", " ") for joint in contents.figure.joints]
    index = names.index("Left ankle") if "Left ankle" in names else names.index("Left_ankle")
    last = contents.layers[0].samples
    assert last is not None
    places = [
        Evaluator().joint_transforms(again, "one", time)[index, :, 3] for time in (0, last.time(last.frame_count - 1))
    ]
    assert np.abs(places[1] - places[0]).max() < 1e-5
    assert not any("locks" in line for line in left_out(format, sinking(), ["one"]))


def test_a_document_with_locks_comes_back_from_its_file(tmp_path: Path) -> None:
    document = replace(locked(), lock_solver="dogleg")
    path = tmp_path / "held.sinew"
    sinew.write(path, document)
    read = sinew.read(path)
    assert read.digest == document.digest
    assert read.actor("one").locks == document.actor("one").locks
    encoded = encode_document(document)
    assert decode_document(document.digest, encoded.texts, encoded.blobs.__getitem__) == document


def test_a_pin_that_ends_leaves_the_part_where_it_was_and_free_from_then_on() -> None:
    document, half = locked(), SECOND // 2
    there = foot(document, half)
    ended = EndLock(actor="one", lock="foot", time=half).work_out(Evaluator(), document).apply(document)
    assert foot(ended, half) == pytest.approx(there, abs=1e-6)
    assert foot(ended, half + SECOND // 240) == pytest.approx(there, abs=1e-2), "no leap"
    assert np.linalg.norm(foot(ended, SECOND) - there) > 0.04, "it is free"
    for time in (0, SECOND):
        with pytest.raises(NothingThere, match="not pinned before and after"):
            EndLock(actor="one", lock="foot", time=time).work_out(Evaluator(), ended)
