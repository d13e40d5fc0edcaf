"""SheetCommands: commands on the chosen keys of a dope sheet, by keyboard and actions: copy, fill, frame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.timeline.changes import TimeChange, parts_of
from app.timeline.clip import KeyClip, copied, pasted
from app.timeline.rows import TimeBlock
from engine.document import Document
from engine.document.extent import play_extent
from engine.document.motion import TICKS_PER_SECOND, ticks_per_frame
from engine.edits import edit

if TYPE_CHECKING:
    from app.timeline.sheet import DopeSheet
    from engine.edits.several import Filling

AROUND = 0.04  # of what is framed, shown before and after it
LEAST_AROUND = 2.0  # [frames]
MOST_NAMED = 6  # names of what did not fit
NOTHING_COPIED = "No keys are copied yet: choose keys in the timeline and copy them first."
NO_RANGE = "Choose keys that last longer than a moment, or set a play range: it says how much time is meant."


class SheetCommands:
    """Copies, fills and frames the chosen keys of one sheet."""

    def __init__(self, sheet: DopeSheet) -> None:
        self._sheet, self._session = sheet, sheet.session
        self._clip: KeyClip | None = None
        self._session.document_changed.connect(self._tell_time)

    # Keys

    @property
    def has_chosen(self) -> bool:
        """True if keys are chosen."""
        return bool(self._sheet.picked)

    @property
    def has_keys(self) -> bool:
        """True if there are keys."""
        return self._sheet.keys is not None and len(self._sheet.keys.time) > 0

    @property
    def has_copied(self) -> bool:
        """True if keys were copied."""
        return self._clip is not None

    def choose_all(self) -> None:
        """Choose every key."""
        if self._sheet.keys is not None:
            self._sheet.choose(self._sheet.keys.picked(self._sheet.flags | True))

    def choose_none(self) -> None:
        """Deselect all keys."""
        self._sheet.choose({})

    def remove(self) -> None:
        """Delete the chosen keys; where none are, what is chosen and can go."""
        if self.has_chosen:
            self._session.do(edit("remove_chosen", chosen=parts_of(self._sheet.picked)))
            return
        row = self._sheet.chosen_row
        removal = None if row is None or row.source is None else row.source.removal(row)
        if removal is not None:
            self._session.do(removal)

    def copy(self) -> None:
        """Copy the chosen keys."""
        if self.has_chosen:
            self._clip = copied(self._session.document, self._sheet.picked)
            count = sum(map(len, self._sheet.picked.values()))
            self._sheet.say(f"Copied {count} {'key' if count == 1 else 'keys'}; paste sets the first at the playhead.")

    def paste(self) -> None:
        """Paste the copied keys from the playhead on: on the selected actor, in the chosen layer or pin."""
        if self._clip is None:
            self._sheet.say(NOTHING_COPIED)
            return
        active, block = self._session.selection.active, self._sheet.block
        made, missing = pasted(
            self._session.document,
            self._clip,
            self._session.playhead,
            onto=None if active is None else active.actor,
            into=None if block is None else block.id,
        )
        if made:
            self._session.do(edit("paste_keys", chosen=made))
        if missing:
            more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
            self._sheet.say(f"Not pasted, for it has no place there: {', '.join(missing[:MOST_NAMED])}{more}.")

    def fill(self, kind: Filling) -> None:
        """Set the interpolation after the chosen keys."""
        if self.has_chosen:
            self._session.do(edit("fill_chosen", chosen=parts_of(self._sheet.picked), kind=kind))

    # Blocks

    @property
    def limited(self) -> TimeBlock | None:
        """The chosen block, if it has a span."""
        row = self._sheet.chosen_row
        can = row is not None and row.source is not None and row.source.may_last
        return row.block if row is not None and can and row.block is not None and row.block.span is not None else None

    def lift_span(self) -> None:
        """Remove the span of the chosen block, so that it lasts always."""
        row = self._sheet.chosen_row
        if self.limited is not None and row is not None and row.source is not None:
            self._session.do(row.source.span_edit(self.limited, None))

    # Time

    @property
    def actors(self) -> tuple[tuple[str, ...], bool]:
        """The actors whose time is edited: the selected ones, else all; and True if these are all."""
        everyone = tuple(actor.id for actor in self._session.document.actors)
        chosen = {item.actor for item in self._session.selection.items}
        meant = tuple(id for id in everyone if id in chosen) or everyone
        return meant, meant == everyone

    @property
    def range(self) -> tuple[int, int] | None:
        """The range of time that is inserted or removed: that of the chosen keys, else the play range."""
        sheet, play = self._sheet, self._session.document.play
        extent = None if sheet.keys is None else sheet.keys.extent(sheet.flags)
        if extent is not None and extent[0] < extent[1]:
            return extent
        return None if play is None else (play.start, play.end)

    @property
    def range_text(self) -> str:
        """The length and start of that range; empty where there is none."""
        if self.range is None:
            return ""
        start, end = self.range
        return f"{self.length_text(end - start)} at {self._session.clock.name(start, self._session.document.rate)}"

    def length_text(self, ticks: int) -> str:
        """Format a length of time in the unit of the clock."""
        if self._session.clock.seconds:
            return f"{ticks / TICKS_PER_SECOND:.2f} s"
        count = round(ticks / ticks_per_frame(self._session.document.rate), 2)
        return f"{count:g} {'frame' if count == 1.0 else 'frames'}"

    def insert_time(self) -> None:
        """Hold everything still from the start of the range, for as long as it lasts."""
        if self.range is None:
            self._sheet.say(NO_RANGE)
            return
        start, end = self.range
        self._change_time(start, end - start)

    def remove_time(self) -> None:
        """Remove the range; what comes after moves up."""
        if self.range is None:
            self._sheet.say(NO_RANGE)
            return
        start, end = self.range
        self._change_time(end, start - end)

    def _change_time(self, time: int, length: int) -> None:
        actors, everyone = self.actors
        if actors:
            self._session.do(TimeChange(actors=actors, time=time, length=length, play=everyone).edit)

    def _tell_time(self, old: Document, new: Document) -> None:
        """Report what moved along, where time has just been inserted or removed."""
        history = self._session.history
        if history.before is not old:  # the history went further than one step, or back
            return
        done = history.entries[history.position].edit
        change = None if done is None or history.redo_entry is not None else TimeChange.of(done)
        if change is not None:
            what = "Inserted" if change.length > 0 else "Removed"
            start = change.time + min(change.length, 0)
            when, length = self._session.clock.name(start, new.rate), self.length_text(abs(change.length))
            self._sheet.say(f"{what} {length} at {when}: {_moved_along(old, new, change.actors)}.")

    # What is shown

    def show_all(self) -> None:
        """Frame all that is played, with some margin."""
        self._show(*play_extent(self._session.document))

    def frame(self) -> None:
        """Frame the chosen keys with some margin; all that is played where none are chosen."""
        sheet = self._sheet
        extent = None if sheet.keys is None else sheet.keys.extent(sheet.flags)
        self._show(*(extent or play_extent(self._session.document)))

    def _show(self, start: int, end: int) -> None:
        around = max(AROUND * (end - start), LEAST_AROUND * ticks_per_frame(self._session.document.rate))
        self._sheet.show_times(start, end, around)


def _moved_along(old: Document, new: Document, actors: tuple[str, ...]) -> str:
    """List in words what else followed a change of time."""
    if len(actors) < len(new.actors):
        names = ", ".join(new.actor(id).name for id in actors)
        return f"all that {names} did after it moved along; sound and videos are where they were"
    moved = ["the sound"] if old.sound != new.sound else []
    videos = sum(one != other for one, other in zip(old.references, new.references, strict=True))
    moved += [f"{videos} {'video' if videos == 1 else 'videos'}"] if videos else []
    return "everything after it moved along" + (f", and so did {' and '.join(moved)}" if moved else "")
