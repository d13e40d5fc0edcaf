"""CurrentSoft: the soft body that a person looks at, what the engine tells of it, and what is done with it.

It is that of the actor that was selected last; where none of these is soft, the only soft body that there is.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.session import Item, Session
from app.session.following import follow_parts
from app.session.live_report import LiveReport
from engine.document import Actor
from engine.document.values import Vector3, new_id
from engine.edits import Edit, edit
from engine.runtime.options import described
from engine.soft.commands.attach_soft import AttachSoft
from engine.soft.commands.bake_soft import BakeSoft
from engine.soft.commands.set_soft_window import SetSoftWindow
from engine.soft.parts import SoftBody, SoftPull, SoftWorld
from engine.soft.queries.report import SoftReport, report_soft

REPORT = "soft report"  # key of the worker


class CurrentSoft(QObject):
    """The soft body that is seen."""

    changed = Signal()
    reported = Signal()  # what the engine says of it is another

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.hand = {name: float(usual) for name, (_, usual) in described(SoftPull).items()}
        """How hands pull from now on: options of `SoftPull`, by name."""
        self._report = LiveReport(session, REPORT, "soft", lambda: self.owner, report_soft)
        self._report.changed.connect(self.reported)
        self.watch = self._report.watch
        follow_parts(session, SoftBody, self._follow)
        session.snapshot_ready.connect(lambda _: self._report.ask(again=True))

    @property
    def report(self) -> SoftReport | None:
        """The report of the engine on it."""
        return self._report.value

    @property
    def owner(self) -> Actor | None:
        """The actor that is meant, as it is on screen."""
        document = self._session.shown
        for item in reversed(self._session.selection.items):
            if item.actor in document.actor_index and document.actor(item.actor).part(SoftBody) is not None:
                return document.actor(item.actor)
        soft = self._soft
        return soft[0] if len(soft) == 1 and not self._session.selection else None

    @property
    def body(self) -> SoftBody | None:
        """The soft body that is meant."""
        owner = self.owner
        return None if owner is None else owner.part(SoftBody)

    @property
    def world(self) -> SoftWorld:
        """The settings that all soft bodies have in common."""
        return self._session.shown.part(SoftWorld) or SoftWorld()

    @property
    def any(self) -> bool:
        """True if the scene has a soft body."""
        return bool(self._soft)

    @property
    def _soft(self) -> list[Actor]:
        return [each for each in self._session.shown.actors if each.part(SoftBody) is not None]

    @property
    def may_change(self) -> bool:
        """True if there is one, not frozen."""
        owner = self.owner
        return owner is not None and not owner.frozen

    @property
    def is_baked(self) -> bool:
        """True if it follows frames that were kept."""
        body = self.body
        return body is not None and body.bake is not None

    @property
    def other(self) -> Item | None:
        """The part of another actor that is selected beside it: what it may be attached to."""
        owner, document = self.owner, self._session.shown
        for item in reversed(self._session.selection.items):
            if owner is not None and item.actor in document.actor_index and item.actor != owner.id:
                figure = document.actor(item.actor).figure
                return Item(item.actor, item.part or figure.joints[0].id)
        return None

    @property
    def may_suggest(self) -> bool:
        """True if something drives it."""
        body = self.body
        return self.may_change and body is not None and bool(body.attachments)

    # What is done

    def set_hand(self, name: str, value: float) -> None:
        """Set how hands pull from now on."""
        self.hand[name] = value
        self.changed.emit()

    def suggest_window(self) -> None:
        """Step it over a window, as long as what went before can be seen."""
        owner = self.owner
        if owner is not None:
            self._session.work_out(SetSoftWindow(actor=owner.id, time=self._session.playhead))

    def edit_body(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets a number of the body that is meant."""
        owner = self.owner
        if owner is None:
            return None
        if name == "heading":
            return edit("set_soft_heading", actor=owner.id, heading=value)
        return edit("set_soft_body", actor=owner.id, **{name: value})

    def edit_world(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets what all have in common."""
        return edit("set_soft_world", **{name: value})

    def begin_here(self) -> None:
        """Let it stand as it is placed up to the playhead, and be simulated from there."""
        self._do("set_soft_body", start=self._session.playhead)

    def attach(self, place: Vector3 | None, reach: float, hold: str) -> None:
        """Hold the points of the body near the part that is selected beside it."""
        owner, other = self.owner, self.other
        if owner is not None and other is not None and other.part is not None:
            self._session.work_out(
                AttachSoft(
                    id=new_id("attachment"), actor=owner.id, target=other.actor, joint=other.part,
                    time=self._session.playhead, place=place, reach=reach, hold=hold,
                )
            )  # fmt: skip

    def bake(self) -> None:
        """Keep the frames that are played, as they are simulated."""
        owner = self.owner
        if owner is not None:
            self._session.work_out(BakeSoft(actor=owner.id))

    def bake_up_to_here(self) -> None:
        """Keep the frames up to the playhead; it is simulated on from there."""
        owner = self.owner
        if owner is not None:
            self._session.work_out(BakeSoft(actor=owner.id, end=self._session.playhead))

    def remove_bake(self) -> None:
        """Let it be simulated again from its start."""
        self._do("remove_soft_bake")

    def remove_pulls(self) -> None:
        """Forget where hands pulled it."""
        self._do("remove_soft_pulls")

    def stiffen(self) -> None:
        """Make all of its cells as stiff as the body is."""
        self._do("set_soft_factors", factors=None)

    def words_of(self, actor: str, keyed: bool) -> str:
        """Say what a drag of a soft body does; nothing of others."""
        document = self._session.shown
        body = document.actor(actor).part(SoftBody) if actor in document.actor_index else None
        if body is None or keyed:
            return ""
        if is_moving(body, self._session.playhead):
            return "drag to pull it while time goes on; with Ctrl drag to place where it starts"
        return "drag to place where it starts"

    def _do(self, name: str, **arguments: object) -> None:
        owner = self.owner
        if owner is not None:
            self._session.do(edit(name, actor=owner.id, **arguments))

    # What the engine says

    def _follow(self) -> None:
        self.changed.emit()
        self._report.ask()


def is_moving(body: SoftBody, time: int) -> bool:
    """Tell whether a body is simulated at a time [ticks]: a bake has ended, or there is none."""
    if body.stepped == "over_window" and body.bake is None:
        return True
    return time >= (body.start if body.bake is None else max(body.start, body.bake.end))
