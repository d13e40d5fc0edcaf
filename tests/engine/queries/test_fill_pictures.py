"""Frames are worked out ahead in short steps, in the order in which they will be played."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.motion import frame_time
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.picture_cache import PictureCache
from engine.model.snapshot import Snapshot
from engine.queries.fill_pictures import SLICE, Kept, fill_pictures, played_frames
from engine.runtime.errors import Diverged
from tests.engine.evaluate.test_picture_cache import EDITS, scene

RATE = (30, 1)


class Slow(Evaluator):
    """Takes a while of a clock of its own for each picture, and remembers the times."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.times: list[int] = []
        self.fails_at: int | None = None

    def snapshot(self, document: Document, time: int = 0, *, skins: bool = True, bare: bool = True) -> Snapshot:
        if time == self.fails_at:
            raise Diverged(what="the pose", value="nothing")
        self.now += 0.6 * SLICE
        self.times.append(time)
        return super().snapshot(document, time, skins=skins, bare=bare)


def fill(
    pictures: PictureCache, slow: Slow, document: Document, time: int = 0, *, everything: bool = True
) -> list[Kept | None]:
    made = fill_pictures(pictures, document, time, skins=True, everything=everything, clock=lambda: slow.now)
    return list(made)


def short(frames: int) -> Document:
    return replace(scene(), play=Span(start=0, end=frame_time(frames, RATE)))


def test_what_is_played_is_worked_out_from_the_playhead_on_and_round() -> None:
    slow, document = Slow(), short(9)
    told = fill(PictureCache(slow), slow, document, frame_time(7, RATE))
    assert slow.times == [frame_time(frame, RATE) for frame in (7, 8, 9, 0, 1, 2, 3, 4, 5, 6)]
    assert told[0] is not None
    assert [each.state for each in told[0].stretches] == ["missing"], "it tells at once what there is"
    assert told.count(None) == 5, "two pictures a step"
    last = told[-1]
    assert last is not None
    assert last.done
    assert [each.state for each in last.stretches] == ["fresh"]
    assert last.document is document


def test_it_tells_how_far_it_is() -> None:
    slow = Slow()
    told = [each for each in fill(PictureCache(slow), slow, short(90)) if each is not None]
    assert len(told) > 2
    assert [each.done for each in told] == [False] * (len(told) - 1) + [True]
    assert [each.state for each in told[1].stretches] == ["fresh", "missing"]


def test_after_an_edit_only_what_was_there_is_worked_out_again() -> None:
    slow, document = Slow(), scene()
    pictures = PictureCache(slow)
    for frame in (3, 30, 80):
        pictures.snapshot(document, frame_time(frame, RATE), skins=True)
    slow.times.clear()
    fill(pictures, slow, EDITS[0].apply(document), everything=False)
    assert slow.times == [frame_time(frame, RATE) for frame in (3, 30)], "80 was not touched, others never seen"


def test_it_stops_where_memory_ends_where_a_picture_fails_and_when_the_document_goes() -> None:
    slow = Slow()
    small = PictureCache(slow, limit=3 * 8192)
    last = fill(small, slow, short(90))[-1]
    assert last is not None
    assert last.done
    assert [each.state for each in last.stretches] == ["fresh", "missing"]
    slow, document = Slow(), short(9)
    slow.fails_at = frame_time(2, RATE)
    last = fill(PictureCache(slow), slow, document)[-1]
    assert last is not None
    assert [each.state for each in last.stretches] == ["fresh", "missing"]
    slow = Slow()
    pictures = PictureCache(slow)
    steps = fill_pictures(pictures, document, 0, skins=True, everything=True, clock=lambda: slow.now)
    assert [next(steps) is None for _ in range(2)] == [False, True]
    pictures.follow(EDITS[0].apply(document), skins=True)
    assert list(steps) == []
    steps = fill_pictures(pictures, document, 0, skins=True, everything=True, clock=lambda: slow.now)
    next(steps)
    pictures.follow(EDITS[0].apply(document), skins=True)
    slow.times.clear()
    assert list(steps) == []
    assert slow.times == [], "it goes before anything is worked out, too"


def test_the_frames_that_are_played() -> None:
    assert played_frames(short(3)) == [frame_time(frame, RATE) for frame in range(4)]
    assert played_frames(replace(scene(), play=Span(start=7, end=SECOND // 10))) == [
        frame_time(frame, RATE) for frame in (1, 2, 3)
    ]
    assert len(played_frames(replace(scene(), play=Span(start=0, end=10**6 * SECOND)))) == 20_000
