"""HandPull: a pull that is recorded while time goes on: one gesture, one entry of the history.

The hand is where it is moved to from the time that is shown on; letting go ends the pull there. Meanwhile each frame is
waited for, so that a body that is slow to work out is pulled in slow motion, never past what is seen.
"""

from __future__ import annotations

from app.features.soft.current_soft import CurrentSoft
from app.session import Session
from app.session.gesture import GIVEN_UP
from engine.document.extent import play_extent
from engine.document.values import Vector3, new_id
from engine.edits import edit
from engine.soft.parts import SoftPull

NO_TIME = "No time is left to pull in: put the playhead before the end of what is played."


class HandPull:
    """One pull of a soft body."""

    def __init__(self, session: Session, actor: str, point: Vector3, place: Vector3) -> None:
        """Take a point of the body [m, at rest], where it stands now; time begins to run if it does not."""
        self._session, self._actor = session, actor
        self._end, self._place, self._asked = play_extent(session.document)[1], place, False
        now = session.playhead
        self._pull = SoftPull(
            id=new_id("pull"), point=point, times=(now,), places=(place,), end=max(self._end, now + 1),
            **session.of(CurrentSoft).hand,
        )  # fmt: skip
        player = session.player
        self._waited, self._ran = player.every_frame, player.playing
        player.set_every_frame(True)
        if not player.playing or player.pace < 0.0:
            player.pause()
            session.play()
        self._gesture = session.begin_gesture(f"Pull {session.document.actor(actor).name}", plays_on=True)

    @property
    def is_over(self) -> bool:
        """True if it has ended, kept or not."""
        return self._gesture.is_over

    @property
    def place(self) -> Vector3:
        """Where the hand is [m]."""
        return self._place

    def move(self, place: Vector3) -> None:
        """Put the hand elsewhere; the engine is asked once it has answered what it was asked before."""
        self._place = place
        if self._gesture.caught_up or not self._asked:
            self.go_on()

    def go_on(self) -> None:
        """Record where the hand is by now, unless it has been recorded."""
        if self._place != self._pull.places[-1] and not self._has_wrapped:
            self._pull = self._pull.moved_to(self._session.playhead, self._place, self._pull.end)
            self._show()

    def follow_time(self) -> bool:
        """Let go where what is played begins anew; True if that ended it."""
        if self._has_wrapped:
            self.finish()
            return True
        return False

    def finish(self) -> None:
        """Let go; the body goes on from there."""
        end = self._end if self._has_wrapped else self._session.playhead
        self.go_on()
        self._pull = self._pull.let_go_at(end)
        self._show()
        self._gesture.finish()
        self._session.player.set_every_frame(self._waited)

    def give_up(self) -> None:
        """Leave everything as it was, and say so."""
        if not self._gesture.is_over:
            self._session.note("note", GIVEN_UP)
            self._gesture.cancel()
        self._session.player.set_every_frame(self._waited)
        if not self._ran:
            self._session.player.pause()

    @property
    def _has_wrapped(self) -> bool:
        return self._session.playhead < self._pull.times[-1]

    def _show(self) -> None:
        self._asked = True
        self._gesture.preview(edit("put_soft_pull", actor=self._actor, pull=self._pull))


def may_pull(session: Session) -> bool:
    """Return True if time is left to pull in."""
    return session.playhead < play_extent(session.document)[1]
