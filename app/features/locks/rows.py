"""LockRows: pins as bars of the timeline; their numbers that have keys stand below them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from app.style.units import ANGLE, LENGTH
from app.timeline.bars import times_of
from app.timeline.rows import Row, RowSource, TimeBlock
from engine.document import Actor, Document, Span
from engine.document.extent import play_extent
from engine.document.lock import PLACE_TRACKS, TURN_TRACKS
from engine.edits import Edit, edit


class LockRows(RowSource):
    """Pins."""

    place = 20
    looks: ClassVar = {"lock": ("warning", "a pin holds")}

    def rows(self, document: Document, actor: Actor) -> Iterator[Row]:
        always = play_extent(document)
        for lock in actor.locks:
            block = TimeBlock(
                kind="lock", actor=actor.id, id=lock.id, label=lock.name, span=lock.span, covers=always, mute=lock.mute
            )
            yield replace(self.bar(block), joint=lock.joint, holder=lock.id)
            for track in lock.tracks:
                label = f"{lock.name}, {_label(track.coordinate)}"
                yield Row(
                    path=(*block.path, track.coordinate), kind="channel", label=_label(track.coordinate), depth=2,
                    joint=lock.joint, holder=lock.id, coordinate=track.coordinate, source=self, content=label,
                )  # fmt: skip

    def span_edit(self, block: TimeBlock, span: Span | None) -> Edit:
        return edit("set_lock_span", actor=block.actor, lock=block.id, **times_of(span))

    def number(self, name: str, value: float) -> str:
        unit = LENGTH if name in PLACE_TRACKS else ANGLE if name in TURN_TRACKS else None
        return f"{value:.2f}" if unit is None else unit.text(value)


def _label(number: str) -> str:
    return number.replace("_", " ").capitalize()
