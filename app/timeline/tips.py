"""Tips of the dope sheet: the tooltip under the pointer: value, time and kind of a key; a block and its span."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF

from app.style.units import ANGLE, LENGTH
from app.timeline.axis import frame_text
from app.timeline.clip import tracks_of
from app.timeline.keys import KINDS, Channel
from app.timeline.looks import WORDS
from app.timeline.rows import Row
from app.timeline.sheet_drags import grip_at
from engine.document import Actor, Key
from engine.document.motion import TICKS_PER_SECOND, ticks_per_frame

if TYPE_CHECKING:
    from app.timeline.sheet import DopeSheet

TANGENTS = {"auto": "tangents that follow the neighbours", "flat": "flat tangents", "free": "tangents of its own"}


def tip_at(sheet: DopeSheet, at: QPointF) -> str:
    """Return the tooltip at a place; empty where there is nothing."""
    number = sheet.row_at(at.y())
    if sheet.keys is None or number is None:
        return ""
    row = sheet.rows[number]
    if at.x() < sheet.names_width:
        return _block(sheet, row) if row.block is not None else row.label
    grip = grip_at(sheet, at)
    if grip.mark is not None:
        return _mark(sheet, grip.mark)
    if grip.row is None or grip.row.source is None:
        return ""
    return _block(sheet, grip.row) if grip.block is not None else grip.row.source.tip(sheet, grip.row, grip.time)


def _mark(sheet: DopeSheet, mark: int) -> str:
    keys = sheet.keys
    assert keys is not None, "a mark is of keys"
    numbers = np.flatnonzero(keys.of_mark(mark))
    time = int(keys.mark_time[mark])
    when = f"Frame {frame_text(time, sheet.axis.rate)}, {time / TICKS_PER_SECOND:.2f} s"
    if len(numbers) > 1:
        return f"{len(numbers)} keys\n{when}\n{_sentence(WORDS[KINDS[int(keys.mark_kind[mark])]])}"
    channel = keys.channels[int(np.searchsorted(keys.first, numbers[0], side="right")) - 1]
    document = sheet.session.document
    if channel.actor not in document.actor_index:
        return ""
    actor = document.actor(channel.actor)
    track = tracks_of(actor, channel.layer).get(channel.coordinate)
    key = next((each for each in track.keys if each.time == time), None) if track is not None else None
    if key is None:
        return ""
    row = keys.rows[int(keys.row[numbers[0]])]
    return f"{_named(actor, channel, row, key.value)}\n{when}\n{_sentence(_kind(key))}"


def _kind(key: Key) -> str:
    tangent = f", {TANGENTS[key.tangent]}" if key.interpolation == "cubic" else ""
    return WORDS[key.interpolation] + tangent + (", marked as a target" if key.mark else "")


def _named(actor: Actor, channel: Channel, row: Row, value: float) -> str:
    """Return a channel's name and value, in the unit that a person reads."""
    name = channel.coordinate
    if row.source is not None:
        return row.source.worded(row, name, value)
    dof = actor.figure.coordinate_dof[name]
    joint = next(each for each in actor.figure.joints if dof in each.dofs)
    text = f"{value:.3f}" if dof.kind == "ball" else (LENGTH if dof.kind == "slide" else ANGLE).text(value)
    layer = next(each.name for each in actor.layers if each.id == channel.layer)
    return f"{joint.name}, {dof.name}: {text} ({layer})"


def _block(sheet: DopeSheet, row: Row) -> str:
    block, own = row.block, "" if row.source is None else row.source.tip(sheet, row, 0)
    if block is None or own:
        return own
    kind, rate = block.kind.capitalize(), sheet.axis.rate
    muted = ", left out" if block.mute else ""
    if block.span is None:
        return f"{kind} {block.label}{muted}: always\nDrag an end to give it a span."
    span = block.span
    text = f"{kind} {block.label}{muted}: frames {frame_text(span.start, rate)} to {frame_text(span.end, rate)}"
    eases = (round(each / ticks_per_frame(rate), 2) for each in (span.ease_in, span.ease_out))
    return text + "\nEased in over {:g} and out over {:g} frames".format(*eases)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
