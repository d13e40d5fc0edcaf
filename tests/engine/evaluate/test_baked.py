"""Pictures that are made of a bake are those that would be worked out, byte for byte, and stale ones are not taken."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.document import Blob, Document, Layer, Samples
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import Edit, edit
from engine.evaluate import baked
from engine.evaluate.baked import Baked, frame_from, frame_size, rows_from
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.picture_cache import FrameStretch, PictureCache
from engine.evaluation import Members
from engine.maths.arrays import Array
from engine.motion.changed import changed_span
from engine.project import bakes
from engine.queries.examples import example
from tests.engine.evaluate.locked import LEFT, RIGHT, SPAN, crouch, held
from tests.engine.evaluate.test_picture_cache import EDITS, FRAMES, assert_same, scene

TIMES = [round(time * SECOND) for time in (0.0, 1.2, 2.0, 3.4, 4.0)]


def locked() -> Document:
    """Two that crouch: of one a foot is held by a lock that is eased, of the other with less than all weight."""
    first, second = crouch("one"), crouch("two", x=1.0)
    feet = (held(first, LEFT, span=SPAN), held(first, RIGHT, mute=True))
    return Document(actors=(replace(first, locks=feet), replace(second, locks=(held(second, RIGHT, weight=0.7),))))


def bake(folder: Path, document: Document, times: Iterable[int]) -> Path:
    evaluator, inputs = Evaluator(), baked.inputs(document)
    with bakes.writing([folder], inputs.digest, inputs.text, frame_size(document)) as writer:
        for time in times:
            writer.append(time, frame_from(document, evaluator.rows(document, time)))
        return writer.file.path


def looked(document: Document, folder: Path) -> Baked:
    found = Baked()
    for _ in found.look(document, [folder]):
        pass
    return found


class NoLocks(Evaluator):
    """Says how often it worked out a picture from the document."""

    made = 0

    def rows(self, document: Document, time: int) -> dict[str, Array]:
        raise AssertionError("it reads")

    def __init__(self) -> None:
        super().__init__()
        stands = self._posing.stands

        def noted(*arguments: Any) -> list[Members]:
            self.made += 1
            return stands(*arguments)

        self._posing.stands = noted  # type: ignore[assignment, method-assign]


@pytest.fixture
def pictures() -> PictureCache:
    return PictureCache(NoLocks())


def follow(pictures: PictureCache, document: Document, folder: Path) -> None:
    pictures.follow(document, skins=True)
    for _ in pictures.baked.look(document, [folder]):
        pass


@pytest.mark.parametrize("name", ["ball", "hands", "lamp", "quadruped"])
def test_pictures_of_a_bake_are_byte_for_byte_those_of_the_document(tmp_path: Path, name: str) -> None:
    document = example(name).build()
    bake(tmp_path, document, TIMES)
    evaluator, pictures = Evaluator(), PictureCache(NoLocks())
    follow(pictures, document, tmp_path)
    for time in TIMES:
        live, read = evaluator.snapshot(document, time), pictures.snapshot(document, time, skins=True)
        assert_same(read, live)
        assert read.muted_locks == live.muted_locks
        for one, other in zip(read.skins, live.skins, strict=True):
            assert one.positions.tobytes() == other.positions.tobytes()
            assert one.normals.tobytes() == other.normals.tobytes()
    assert isinstance(pictures._evaluator, NoLocks)
    assert pictures._evaluator.made == 0


def test_locks_are_read_and_not_solved(tmp_path: Path, pictures: PictureCache) -> None:
    document = locked()
    bake(tmp_path, document, TIMES[:-1])
    follow(pictures, document, tmp_path)
    made, missing = FrameStretch(TIMES[0], TIMES[3], "fresh"), FrameStretch(TIMES[4], TIMES[4], "missing")
    assert pictures.stretches(TIMES) == (made, missing)
    for time in TIMES:
        assert_same(pictures.snapshot(document, time, skins=True), Evaluator().snapshot(document, time))
    assert isinstance(pictures._evaluator, NoLocks)
    assert pictures._evaluator.made > 0, "the last one alone"
    assert pictures.stretches(TIMES) == (FrameStretch(TIMES[0], TIMES[4], "fresh"),)


@pytest.mark.parametrize("change", EDITS, ids=lambda each: each.name)
def test_an_edit_makes_stale_exactly_what_it_touched(tmp_path: Path, change: Edit) -> None:
    old = scene()
    new = change.apply(old)
    bake(tmp_path, old, FRAMES)
    for found in (looked(old, tmp_path), looked(new, tmp_path)):  # as it is edited, and as it is opened again
        found.follow(new)
        spans = [] if new.actor_index != old.actor_index else changed_span(baked.inputs_of(old), baked.inputs_of(new))
        evaluator = Evaluator()
        for time in FRAMES:
            touched = any((start or 0) <= time and (end is None or time <= end) for _, start, end in spans)
            gone = new.actor_index != old.actor_index
            assert found.state(time) == ("stale" if touched or gone else "fresh")
            rows = found.rows(time)
            assert (rows is None) == (touched or gone)
            if rows is not None:
                assert frame_from(new, rows) == frame_from(new, evaluator.rows(new, time))


def test_an_edit_looks_at_no_frame_of_a_bake_but_those_that_are_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bake may have 200,000 frames, and the engine's thread a picture to give."""
    document = scene()
    bake(tmp_path, document, FRAMES)
    found, asked = looked(document, tmp_path), list[int]()
    real = baked._Source.is_stale

    def noted(self: baked._Source, time: int) -> bool:
        asked.append(time)
        return real(self, time)

    monkeypatch.setattr(baked._Source, "is_stale", noted)
    found.follow(EDITS[0].apply(document))
    assert found.files
    assert found.state(FRAMES[1]) == found.state(FRAMES[1])
    assert asked == [FRAMES[1]] * 2


def test_what_no_pose_depends_on_makes_nothing_stale(tmp_path: Path) -> None:
    document = scene()
    bake(tmp_path, document, FRAMES)
    changes = (
        edit("rename_actor", actor="one", name="Else"),
        edit("show_actor", actor="one", visible=False),
        edit("freeze_actor", actor="two", frozen=True),
        edit("set_play_range", start=0, end=SECOND),
        edit("set_rate", frames=24),
    )
    for change in changes:
        document = change.apply(document)
    found = looked(document, tmp_path)
    assert {found.state(time) for time in FRAMES} == {"fresh"}
    assert baked.inputs(document).digest == baked.inputs(scene()).digest


def test_undo_makes_them_fresh_again(tmp_path: Path) -> None:
    document = scene()
    bake(tmp_path, document, FRAMES)
    found = looked(document, tmp_path)
    found.follow(EDITS[0].apply(document))
    assert {found.state(time) for time in FRAMES} == {"fresh", "stale"}
    found.follow(document)
    assert {found.state(time) for time in FRAMES} == {"fresh"}


def test_captured_motion_is_told_apart_by_its_name_alone(tmp_path: Path) -> None:
    def captured(height: float) -> Document:
        numbers = Blob(np.linspace([0.0], [height], 121))
        samples = Samples(rate=(30, 1), coordinates=("knee",), values=numbers)
        document = scene()
        actor = document.actors[0]
        return document.with_actor(replace(actor, layers=(*actor.layers, Layer(id="capture", samples=samples))))

    bake(tmp_path, captured(0.1), FRAMES)
    assert {looked(captured(0.1), tmp_path).state(time) for time in FRAMES} == {"fresh"}
    assert {looked(captured(0.2), tmp_path).state(time) for time in FRAMES} == {"stale"}
    renamed = edit("rename_actor", actor="two", name="Else").apply(captured(0.1))
    key = edit("set_value", actor="two", layer="pose", coordinate="knee", value=0.4).apply(renamed)
    assert {looked(key, tmp_path).state(time) for time in FRAMES} == {"stale"}


def test_a_damaged_frame_is_worked_out_instead(tmp_path: Path, pictures: PictureCache) -> None:
    document = locked()
    path = bake(tmp_path, document, TIMES)
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    follow(pictures, document, tmp_path)
    assert_same(pictures.snapshot(document, TIMES[-1], skins=True), Evaluator().snapshot(document, TIMES[-1]))
    assert pictures.baked.state(TIMES[-1]) == "missing"


def test_a_bake_that_goes_while_it_is_read_leaves_frames_missing(tmp_path: Path) -> None:
    document = locked()
    path = bake(tmp_path, document, TIMES)
    found = looked(document, tmp_path)
    path.write_bytes(b"")
    assert found.rows(TIMES[0]) is None
    assert found.state(TIMES[0]) == "missing"
    path.unlink()
    for _ in found.look(document, [tmp_path, tmp_path / "gone"]):
        pass
    assert found.files == ()


def test_a_frame_of_numbers_that_are_none_is_refused() -> None:
    document = scene()
    good = frame_from(document, Evaluator().rows(document, 0))
    assert rows_from(document, good) is not None
    assert rows_from(document, good[:-8]) is None
    assert rows_from(document, good[:-8] + np.array([np.nan]).tobytes()) is None


def test_a_bake_of_another_version_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bake(tmp_path, scene(), FRAMES)
    with monkeypatch.context() as changed:
        changed.setattr(baked, "_version", lambda: "of tomorrow")
        found = looked(scene(), tmp_path)
    assert found.files == ()
    assert found.state(FRAMES[0]) == "missing"


def test_no_more_bakes_are_open_than_are_of_use(tmp_path: Path) -> None:
    for number in range(12):
        change = edit("set_value", actor="two", layer="pose", coordinate="knee", value=0.01 * number)
        bake(tmp_path, change.apply(scene()), FRAMES[:1])
    assert len(looked(scene(), tmp_path).files_with(tmp_path)) == baked.MOST_OPEN


def test_bakes_of_other_documents_in_the_same_folder_are_not_its_own(tmp_path: Path) -> None:
    document, other = scene(), locked()
    own, foreign = bake(tmp_path, document, FRAMES), bake(tmp_path, other, TIMES)
    assert looked(document, tmp_path).files == (own,)
    assert looked(other, tmp_path).files == (foreign,)
    assert looked(Document(), tmp_path).files == ()
    assert set(looked(document, tmp_path).files_with(tmp_path)) == {own, foreign}
    edited = looked(document, tmp_path)
    edited.follow(EDITS[0].apply(document))
    assert {edited.state(time) for time in FRAMES} == {"fresh", "stale"}
    assert edited.files == (own,), "of which some frames are as they were"
