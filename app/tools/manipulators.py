"""The manipulator tool: arrows that move the selection and rings that turn it, by mouse and by typed numbers.

A pull is one gesture of the session, named after what it moves: each move of the pointer is a preview, letting go keeps
the last one, Escape or the right button none. Ctrl counts a tenth of the pointer's way from where it was pressed; Shift
turns snapping on, or off where it is on. A number may be typed while a part is pulled, right after, or after the key of
the tool and the letter of an axis; Enter keeps it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.scene.manipulator import Finger, Manipulator, Part, Pixel, Pull, Shown, across, part_at, taken_at
from app.tools.movable import Finder, Kind, ManipulatorFrame, Movable, TransformDelta
from app.tools.movables import FINDERS
from app.tools.pulls import ManipulatorSettings, Pulled, as_drawn, by_number, dragged, words_of
from app.tools.typed_number import TypedNumber

if TYPE_CHECKING:
    from app.scene import Pointer, Viewport
    from app.session import Session
    from engine.document import Document
    from engine.model import Snapshot

KINDS: tuple[Kind, Kind] = ("move", "rotate")
_VERBS: dict[Kind, str] = {"move": "Move", "rotate": "Rotate"}
_AWAY = 60.0  # [logical px] from where a pull ended a typed number is no longer for it
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class ManipulatorTool(QObject):
    """Moves and turns the selection of one session in one viewport."""

    status_changed = Signal(str)  # what can be done now; empty: nothing to say

    def __init__(self, session: Session, viewport: Viewport) -> None:
        super().__init__(viewport)
        self._session, self._viewport = session, viewport
        self.settings = ManipulatorSettings()
        self.finders: list[Finder] = list(FINDERS)
        self.kind: Kind | None = None
        self._snapshot: Snapshot | None = None
        self._movable: Movable | None = None
        self._standing: ManipulatorFrame | None = None
        self._hot: Part | None = None
        self._pulled: Pulled | None = None
        self._last: Pulled | None = None
        self._typed: TypedNumber | None = None
        self._pointer: Pointer | None = None
        session.snapshot_ready.connect(self._take_snapshot)
        session.document_changed.connect(self._take_document)
        session.selection_changed.connect(self._start_afresh)
        session.engine_changed.connect(lambda _: self.refresh())
        session.reaching.changed.connect(self.refresh)

    # What the shell asks of it

    def take(self, name: str) -> None:
        """Switch to the tool of that name: one of `KINDS`, or another, which shows no manipulator."""
        kind = next((each for each in KINDS if each == name), None)
        if kind != self.kind:
            self.kind = kind
            self._start_afresh()

    def await_number(self) -> None:
        """Accept the letter of an axis and a number, after the tool's key was pressed."""
        if self.kind is not None and self._pulled is None and self._standing is not None:
            self._typed = TypedNumber(self.kind, takes_axes=True)
            self.status_changed.emit("Drag a part, or type X, Y or Z and a number, then Enter")

    def set(self, settings: ManipulatorSettings) -> None:
        """Set how manipulators work."""
        if settings != self.settings:
            self.settings = settings
            self.refresh()

    def refresh(self) -> None:
        """Show the manipulator where the selection is now."""
        if self._pulled is None:
            self._movable = self._standing = None
            if self.kind is not None and self._snapshot is not None and self._snapshot.state == "fresh":
                self._find(self._snapshot, self.kind)
        self._show()

    # The pointer

    def hover(self, at: Pointer | None) -> bool:
        """Light up the part under the pointer."""
        self._pointer = at
        part, last = self._part_at(at), self._last
        if last is not None and last.now is not None and at is not None and not self._typing:
            away = math.dist(at.pixel, last.now.pixel)
            if at.view != last.now.view or away > _AWAY:
                self._forget_last()
        if part != self._hot and self._pulled is None:
            self._hot = part
            self._show()
        return part is not None

    def press(self, at: Pointer) -> bool:
        """Take the part under the pointer; a number that is being typed is kept."""
        if self._pulled is not None:
            self._keep()
        self._forget_last()
        part = self._part_at(at)
        pulled = self._new_pull(part) if part is not None else None
        if part is None or pulled is None:
            return False
        pulled.start = pulled.now = at
        pulled.finger = Finger(at.pixel)
        self._pulled, self._typed = pulled, TypedNumber(pulled.kind, part)
        self._show()
        return True

    def move(self, at: Pointer) -> None:
        """Pull the part, once the pointer has left the range of a click."""
        pulled = self._pulled
        if pulled is None or pulled.start is None or pulled.finger is None:
            return
        if pulled.gesture is None and not at.has_left(pulled.start):
            return
        pulled.now = at
        if self._typing or not self._opened(pulled):
            return
        pixel = pulled.finger.at(at.pixel, fine=bool(at.modifiers & Qt.KeyboardModifier.ControlModifier))
        change = dragged(pulled, pulled.start, pixel, self.settings, snaps=self._snaps(at))
        if change is not None:
            self._send(pulled, change)

    def release(self, at: Pointer) -> None:
        """Commit the pull; a click on a part leaves it chosen for a number."""
        self.move(at)
        pulled = self._pulled
        if pulled is not None and pulled.gesture is None:
            self._pulled, self._hot = None, pulled.part
            self.status_changed.emit("Type a number, then Enter")
            self.refresh()
        elif pulled is not None:
            self._keep()

    def cancel(self) -> None:
        """Leave everything as it was before the pull."""
        pulled, self._pulled, self._typed = self._pulled, None, None
        self.status_changed.emit("")
        if pulled is not None and pulled.gesture is not None:
            pulled.gesture.cancel()
        if pulled is not None and pulled.again:
            self._session.redo()
        self.refresh()

    # The keys

    def wants_key(self, key: int, text: str) -> bool:
        """Return True if a key is part of a number."""
        typed = self._typed
        if typed is None or self.kind is None:
            return False
        if key in (*_ENTER, Qt.Key.Key_Backspace, Qt.Key.Key_Escape):
            return self._typing or (key == Qt.Key.Key_Escape and typed.takes_axes)
        return len(text) == 1 and typed.with_key(text) is not None

    def press_key(self, key: int, text: str) -> None:
        """Add a key to the number; Enter keeps it, Escape drops it."""
        typed = self._typed
        if key in _ENTER:
            self._keep()
        elif key == Qt.Key.Key_Escape:
            self.cancel()
        elif typed is not None:
            self._typed = typed.shortened() if key == Qt.Key.Key_Backspace else typed.with_key(text)
            self._try_typed()

    @property
    def _typing(self) -> bool:
        return self._typed is not None and bool(self._typed.text)

    def _try_typed(self) -> None:
        """Preview the number that was typed so far."""
        typed = self._typed
        if typed is None or typed.part is None:
            return
        self._hot = typed.part
        if self._pulled is None and typed.text:
            self._begin_typed(typed.part)
        pulled, value = self._pulled, typed.value
        if pulled is not None and value is not None and self._opened(pulled):
            self._send(pulled, by_number(pulled, typed.part, value))
        self._show()

    def _begin_typed(self, part: Part) -> None:
        """Begin a number for a part; it replaces the pull that was just made."""
        last, self._last = self._last, None
        if last is not None and last.after is self._session.document:
            self._pulled = replace(last, start=None, finger=None, gesture=None, again=True, after=None)
            self._session.undo()
        else:
            self._pulled = self._new_pull(part)
        if self._pulled is not None:
            self._pulled.now = self._pulled.now or self._pointer

    # A pull

    def _new_pull(self, part: Part) -> Pulled | None:
        if self._movable is None or self._standing is None or self._snapshot is None or self.kind is None:
            return None
        if part not in self._standing.parts:
            return None
        return Pulled(self._movable, self._standing, self._snapshot, part, TransformDelta(kind=self.kind))

    def _opened(self, pulled: Pulled) -> bool:
        """Begin the gesture if that was not done; return True if it goes on."""
        if pulled.gesture is None:
            pulled.gesture = self._session.begin_gesture(f"{_VERBS[pulled.kind]} {pulled.movable.name}")
        if pulled.is_over:
            self._pulled = self._typed = None
            self.refresh()
        return not pulled.is_over

    def _send(self, pulled: Pulled, change: TransformDelta) -> None:
        if change != pulled.change and pulled.gesture is not None:
            pulled.change = change
            pulled.gesture.preview(pulled.movable.command(change))
        self._show()

    def _keep(self) -> None:
        """Commit the pull or the typed number."""
        pulled, self._pulled = self._pulled, None
        self._typed = None
        if pulled is not None and pulled.gesture is not None:
            self._last, self._typed = pulled, TypedNumber(pulled.kind, pulled.part)
            pulled.gesture.finish()
        self.refresh()

    def _snaps(self, at: Pointer | None) -> bool:
        shift = at is not None and bool(at.modifiers & Qt.KeyboardModifier.ShiftModifier)
        return self.settings.snaps != shift

    # Signals of the session

    def _take_snapshot(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        if self._pulled is not None and self._pulled.is_over:
            self._pulled = self._typed = None
        self.refresh()
        if self._pulled is not None:
            QTimer.singleShot(0, self, self._show)  # once the session has given the gesture its answer

    def _take_document(self, old: Document, new: Document) -> None:
        last = self._last
        if last is not None and last.after is None and last.is_over:
            last.after = new
        elif self._pulled is None:
            self._forget_last()
        self.refresh()

    def _start_afresh(self, *_: object) -> None:
        if self._pulled is not None:
            self.cancel()
        self._forget_last()
        self._hot = None
        self.refresh()

    def _forget_last(self) -> None:
        if self._last is not None or self._typed is not None:
            self._last = self._typed = None
            self.status_changed.emit("")

    def _find(self, snapshot: Snapshot, kind: Kind) -> None:
        for finder in self.finders:
            movable = finder(self._session, snapshot, kind)
            if movable is not None:
                self._movable, self._standing = movable, movable.stands(snapshot, kind, self.settings.axes)
                return

    # What is shown

    def _part_at(self, at: Pointer | None) -> Part | None:
        manipulator = self._manipulator()
        return None if at is None or manipulator is None else part_at(manipulator, at.camera, at.pixel, at.size)

    def _manipulator(self) -> Manipulator | None:
        """Return the manipulator as it stands now; during a pull with the axes that it had, and turned about where it
        stood."""
        pulled, snapshot = self._pulled, self._snapshot
        if pulled is None:
            return None if self._standing is None or self.kind is None else as_drawn(self._standing, self.kind)
        now = pulled.movable.stands(snapshot, "move", "world") if snapshot and pulled.kind == "move" else None
        return pulled.manipulator if now is None else replace(pulled.manipulator, origin=now.place)

    def _show(self) -> None:
        manipulator, pull = self._manipulator(), None
        if manipulator is not None and self._pulled is not None:
            pull = self._shown_pull(self._pulled)
        shown = None if manipulator is None else Shown(manipulator=manipulator, hot=self._hot, pull=pull)
        self._viewport.show_manipulator(shown)

    def _shown_pull(self, pulled: Pulled) -> Pull:
        words, angle, warns = words_of(pulled, self._typed, self._snapshot)
        now, start, axis = pulled.now, pulled.start, pulled.change.axis
        pixel, view = (now.pixel, now.view) if now is not None else self._beside(pulled)
        pull = Pull(part=pulled.part, words=words, warns=warns, pixel=pixel, view=view)
        if pulled.kind == "move" or pulled.gesture is None:
            return pull
        first = across(axis)
        if start is not None:
            first = taken_at(pulled.manipulator, axis, start.camera, start.size, start.pixel)
        step = self.settings.angle_step if self._snaps(now) and pulled.part != "free" else 0.0
        return replace(pull, axis=axis, first=first, angle=angle, step=step)

    def _beside(self, pulled: Pulled) -> tuple[Pixel, int]:
        """Return the place of text while the pointer is over no view: at the manipulator, in the active one."""
        view = self._viewport.active
        camera, size = self._viewport.cameras[view], self._viewport.size_of(view)
        x, y, _ = camera.project(np.array(pulled.standing.place), size).tolist()
        return (x, y), view
