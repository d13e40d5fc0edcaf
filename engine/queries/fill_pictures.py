"""fill_pictures: the live job that works out frames ahead of the playhead while a motion plays, or again after an edit.

It takes a few milliseconds a step, so that pictures which are waited for come first, and reports which frames are done.
Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter
from typing import TYPE_CHECKING

from engine.document import Document
from engine.document.extent import play_extent
from engine.document.motion import frame_time, ticks_per_frame
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluate.picture_cache import FrameStretch, PictureCache

SLICE, TOLD_EVERY = 0.004, 0.1  # [s] of a step, and between reports
MOST = 20_000  # frames that are looked at
Clock = Callable[[], float]


@dataclass(frozen=True, eq=False)
class Kept:
    """The frames of what is played that are there, as stretches in one state each."""

    document: Document
    stretches: tuple[FrameStretch, ...]
    done: bool  # nothing more will be worked out


def played_frames(document: Document) -> list[int]:
    """The ticks of the frames that are played; of very many the first."""
    (start, end), length = play_extent(document), ticks_per_frame(document.rate)
    first = int(-(-start // length))
    last = min(int(end // length), first + MOST - 1)
    return [frame_time(frame, document.rate) for frame in range(first, last + 1)]


def fill_pictures(
    pictures: PictureCache,
    document: Document,
    time: int,
    *,
    skins: bool,
    everything: bool,
    clock: Clock = perf_counter,
) -> Generator[Kept | None, None, None]:
    """Work out the missing pictures from a time to the end and then from the start, or only what was there before an
    edit, while there is memory for it."""
    times = played_frames(document)
    pictures.follow(document, skins=skins)
    yield Kept(document, pictures.stretches(times), done=False)
    if pictures.document is not document:
        return
    began, reported = clock(), clock()
    ahead = sorted(times, key=lambda each: (each < time, each))
    for each in ahead:
        if pictures.is_fresh(each) or not (everything or pictures.is_stale(each)):
            continue
        if pictures.is_full:
            break
        try:
            pictures.snapshot(document, each, skins=skins)
        except EngineError:
            break  # reported to whoever goes there
        now = clock()
        if now - began >= SLICE:
            due = now - reported >= TOLD_EVERY
            yield Kept(document, pictures.stretches(times), done=False) if due else None
            if pictures.document is not document:
                return
            began, reported = clock(), now if due else reported
    yield Kept(document, pictures.stretches(times), done=True)
