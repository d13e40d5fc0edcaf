"""WaterBaking: the water of a tank worked out by a process of its own, and kept on the disk, where pictures read it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal

from app.session.live_query import LiveQuery, Question
from app.session.long_job import NOT_STARTED
from app.session.scene_job import SceneJob
from engine.document import Actor
from engine.document.extent import play_extent
from engine.runtime.time_left import ToldTimeLeft, in_words
from engine.water.queries.report import remove_tank_bake

if TYPE_CHECKING:
    from app.session import Session
    from engine.runtime.child import Json, Message

KEY, REMOVING = "water-bake", "water bake removal"
LOOK_EVERY = 700  # [ms] while frames come


class WaterBaking(SceneJob):
    """At most one bake of water at work."""

    told = Signal()  # how far it is, or that it has ended

    def __init__(self, session: Session) -> None:
        super().__init__(session, session.engine, "bake_stage", KEY)
        self._session = session
        self.share = 0.0  # that is done
        self._is_dropped = False
        self.left = self._left = ToldTimeLeft()
        self._look = QTimer(self, interval=LOOK_EVERY)
        self._look.timeout.connect(self.told)
        self._removal = LiveQuery(self, session.engine, REMOVING, self._take_removed, late=False)
        self.job_changed.connect(session.job_changed)
        self.heard.connect(self._take_message)
        self.ended.connect(self._take_end)

    @property
    def may_start(self) -> bool:
        """True if the engine is ready and none is at work."""
        return self._session.engine_state.ready and not self.running

    @property
    def left_text(self) -> str:
        """How long it still takes, in words."""
        left = self._left.left()
        return "" if left is None or not self.running else in_words(left)

    def bake(self, owner: Actor) -> None:
        """Bake the water of a tank up to the end of what is played."""
        if not self.may_start:
            return
        end = play_extent(self._session.document)[1]
        arguments: dict[str, Json] = {"system": "water", "actor": owner.id, "end": end}
        self.share = 0.0
        self._left.tell(None)
        self._is_dropped = False
        self._look.start()
        self.begin(f"Baking {owner.name}", self._session.document, lambda folder: arguments)
        self.told.emit()

    def cancel(self) -> None:
        """End it; before its process has begun, as soon as it has."""
        self._is_dropped = self.running and self._child is None
        if not self._is_dropped:
            super().cancel()

    def start(self, arguments: dict[str, Json]) -> None:
        """Start the process."""
        super().start(arguments)
        if self._is_dropped:
            super().cancel()

    def remove(self, owner: Actor) -> None:
        """Take the bake of a tank off the disk."""
        document, actor = self._session.document, owner.id
        if not self.running:
            self._removal.ask(Question(work=lambda: remove_tank_bake(document, actor)))

    def close(self) -> bool:
        """End the process; False if it did not end in time."""
        self._look.stop()
        return super().close()

    def _take_removed(self, gone: bool | None) -> None:
        if gone is False:
            self._session.note("warning", "The baked water is being written just now, and stays.")
        self.told.emit()

    def _take_message(self, message: Message) -> None:
        share, result = message.get("progress"), message.get("result")
        if isinstance(share, int | float):
            self.share = float(share)
            self.told.emit()
        if isinstance(result, dict):
            frames, made = result.get("frames"), result.get("made")
            self._session.note("note", f"Baked {frames} frames of water, {made} of them worked out now")

    def _take_end(self, how: str, error: str) -> None:
        self._look.stop()
        self.share = 0.0
        self.leave()
        if how == NOT_STARTED:
            self._session.note("error", f"Baking could not be started: {error}")
        elif how == "failed":
            error = error or "baking stopped without a message; what is baked is kept, and Bake goes on from there"
            self._session.note("error", error[:1].upper() + error[1:])
        elif how == "cancelled":
            self._session.note("note", "Baking was cancelled; it goes on from there the next time.")
        self.told.emit()
