"""CurrentTargets: the targets of the figure that a person looks at, and how near its secondary motion comes to them.

Targets are met when it is asked for or, if that is switched on, after each edit that touches them: the engine finds a
correction, which becomes a layer. While a target is dragged then, a coarse search follows it; letting go ends with a
whole one, and all of it is one entry of the history; so are an edit and the meeting that follows it. Undoing meets
nothing anew.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.features.secondary.current_secondary import CurrentSecondary
from app.features.secondary.target_marks import TargetMarks
from app.features.secondary.target_reports import TargetReports
from app.session import Item
from engine.document import Actor, Document, Layer, Target
from engine.document.ticks import ticks_per_frame
from engine.document.values import Vector3, new_id
from engine.edits import Edit, edit
from engine.targets.commands.aim_spot import AimSpot
from engine.targets.commands.meet_targets import MeetTargets, TargetMet, TargetsMet

if TYPE_CHECKING:
    from app.session.session import Session

RESULTS = ("set_correction", "place_targets")  # edits that come of meeting
NO_FIGURE = "Select a figure or a part of it: it is to be reached at this time."


class CurrentTargets(QObject):
    """The targets that are meant, the one that is chosen, and how they were met last."""

    changed = Signal()  # the actor, its targets, which is chosen, or how they are met
    hand_changed = Signal()  # whether Delete is for the chosen one

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.automatic = False  # whether they are met after each edit
        self._in_hand = False  # whether the chosen one was clicked in a view, and nothing was selected since
        self._hand_told = False
        self.leads_by_hand = True  # whether a body that swings and is dragged leads a target, not its keys
        self._reports = TargetReports(session)
        self._chosen: str | None = None
        self._due: dict[str, None] = {}  # actors whose targets are to be met soon
        self._history = session.history  # of whose document
        self._quiet = False  # that is not asked for by a person
        self._awaited: str | None = None  # the target of a point that something carries, until it is there
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._meet_due)
        session.document_changed.connect(self._follow_edit)
        session.preview_changed.connect(self._take)
        session.gesture_ended.connect(self._tell)
        session.selection_changed.connect(self._follow_selection)
        self.marks = TargetMarks(session, self)
        session.hands.append(self)

    @property
    def owner(self) -> Actor | None:
        """The figure whose targets are meant, as it is on screen: the one whose secondary motion is."""
        return self._session.of(CurrentSecondary).owner

    @property
    def targets(self) -> tuple[Target, ...]:
        """Its targets."""
        owner = self.owner
        return () if owner is None or owner.secondary is None else owner.secondary.targets

    @property
    def target(self) -> Target | None:
        """The one that is chosen."""
        return next((each for each in self.targets if each.id == self._chosen), None)

    @property
    def chosen(self) -> str | None:
        """The id of the one that is chosen, whether or not it is there."""
        return self._chosen

    @property
    def spot(self) -> tuple[str, int] | None:
        """The point of the selected actor's surface that was clicked, where that has no swinging body of its own."""
        active, spot, document = self._session.selection.active, self._session.spot, self._session.document
        if active is None or spot is None or active.actor != spot[0] or spot[0] not in document.actor_index:
            return None
        return None if document.actor(spot[0]).swings else spot

    @property
    def in_hand(self) -> bool:
        """True if Delete is for the chosen one: it was clicked in a view, is still there, and nothing was selected
        since."""
        return self._in_hand and self.target is not None

    @property
    def rule(self) -> Target | None:
        """The one that stands for many: at keys, at marked keys, at one frame of several."""
        return next((each for each in self.targets if each.source != "own" and each.kind == "pose"), None)

    @property
    def is_fresh(self) -> bool:
        """True if what was found last is of the figure as it is."""
        return self.found is not None

    @property
    def found(self) -> TargetsMet | None:
        """The last result, if it is of the figure as it is."""
        return self._reports.of(self.owner)

    @property
    def is_left_out(self) -> bool:
        """True if the figure has a correction that is muted."""
        return self.owner is not None and _left_out(self.owner)

    def reports_of(self, target: str) -> tuple[TargetMet, ...]:
        """List the results of a target; one that stands for many has one at each of its times. Empty after a change."""
        found = self.found
        targets = () if found is None else found.targets
        return tuple(each for each in targets if each.target.partition("@")[0] == target)

    def choose(self, target: str | None, *, in_hand: bool = False) -> None:
        """Choose a target, or none; one that is `in_hand` is what Delete takes away."""
        self._in_hand = in_hand
        if target != self._chosen:
            self._chosen = target
            self.changed.emit()
        self._tell_hand()

    def let_go(self) -> None:
        """Something else is what Delete is for now; the target stays chosen."""
        self._in_hand = False
        self._tell_hand()

    def _tell_hand(self) -> None:
        if self.in_hand != self._hand_told:
            self._hand_told = self.in_hand
            self.hand_changed.emit()

    # By hand

    def lead_by_hand(self, leads: bool) -> None:
        """Make dragging a body that swings lead a target from now on, or pose its keys."""
        if leads != self.leads_by_hand:
            self.leads_by_hand = leads
            self.changed.emit()

    def is_led(self, actor: str, *, other: bool = False) -> bool:
        """True if dragging the body of an actor at the playhead leads a target and not its keys; `other`: a person asks
        for the other of both. Where the correction is left out, or a draft is tried out, it is always its keys."""
        document, time = self._session.document, self._session.playhead
        if actor not in document.actor_index or self.leads_by_hand == other:
            return False
        owner = document.actor(actor)
        return owner.swings and not _left_out(owner) and not any(layer.draft_at(time) for layer in owner.layers)

    def seen_target(self, actor: str, target: str) -> Target | None:
        """Return a target of an actor as it is on screen, with what a drag before this one is about to keep."""
        return next((each for each in self._seen_of(actor) if each.id == target), None)

    def _seen_of(self, actor: str) -> tuple[Target, ...]:
        shown = self._session.shown
        secondary = shown.actor(actor).secondary if actor in shown.actor_index else None
        return () if secondary is None else secondary.targets

    def led_target(self, actor: str, joint: str, point: Vector3) -> tuple[Target, bool]:
        """Find the target that dragging a point of a body leads: that of the body within half a frame of the playhead,
        else a new one; and tell if it is new."""
        time, half = self._session.playhead, 0.5 * ticks_per_frame(self._session.document.rate)
        near = [
            each
            for each in self._seen_of(actor)
            if (each.kind, each.source, each.joint) == ("point", "own", joint) and each.on
            if abs(each.time - time) <= half
        ]
        if near:
            return min(near, key=lambda each: abs(each.time - time)), False
        return Target(id=new_id("target"), kind="point", joint=joint, point=point, time=time), True

    def words_of(self, actor: str, *, keyed: bool) -> str:
        """Say what a drag does to a figure that swings, for the status line; empty for others."""
        document, time = self._session.document, self._session.playhead
        if actor not in document.actor_index or not document.actor(actor).swings:
            return ""
        owner = document.actor(actor)
        if keyed:
            return "as keyed · drag to pose its keys"
        if _left_out(owner):
            return "the correction is muted · drag to pose its keys"
        if any(layer.draft_at(time) for layer in owner.layers):
            return "a working pose is tried out here · drag to pose it"
        if not self.leads_by_hand:
            return "drag to pose its keys, with Ctrl to set a target for it here"
        keys = "Ctrl or its ghost poses the keys" if self._session.with_ghosts else "Ctrl poses the keys"
        return f"drag to set a target for it here, {keys}"

    # What is done

    def meet(self) -> None:
        """Find the correction with which every target is met."""
        owner = self.owner
        if owner is not None:
            self._quiet = False
            self._session.work_out(MeetTargets(actor=owner.id, id=new_id("layer")))

    def meet_always(self, always: bool) -> None:
        """Do so after each edit that touches targets from now on, or when it is asked for alone."""
        if always != self.automatic:
            self.automatic = always
            self.changed.emit()
            if always and self.targets:
                self.meet()

    def add_here(self) -> None:
        """Add a target at the playhead: for what is selected to be where the keys have it then; of a figure, its
        pose; of a body that something carries, the point that was clicked, where it is seen."""
        session, active, owner = self._session, self._session.selection.active, self.owner
        if self.spot is not None:
            actor, spot = self.spot
            self._awaited = new_id("target")
            session.work_out(AimSpot(id=self._awaited, actor=actor, spot=spot, time=session.playhead))
            return
        if owner is None:
            session.note("note", NO_FIGURE)
            return
        joint = active.part if active is not None and active.part in owner.figure.joint_index else None
        made = Target(
            id=new_id("target"), kind="pose" if joint is None else "point", joint=joint, time=session.playhead
        )
        session.do(edit("add_targets", actor=owner.id, targets=(made,)))
        self.choose(made.id)

    def set_rule(self, source: str | None, frames: int = 10) -> None:
        """Let every key ("keys"), every marked key ("marked") or one each so many frames ("every") be a target; None:
        no longer."""
        owner = self.owner
        if owner is None:
            return
        rule = self.rule
        if source is None:
            if rule is not None:
                self._session.do(edit("remove_targets", actor=owner.id, targets=(rule.id,)))
        elif rule is None:
            made = Target(id=new_id("target"), source=source, frames=frames)  # type: ignore[arg-type]
            self._session.do(edit("add_targets", actor=owner.id, targets=(made,)))
        else:
            changes = (("source", source), ("frames", frames))
            self._session.do(edit("set_targets", actor=owner.id, targets=(rule.id,), changes=changes))

    def change(self, **fields: object) -> None:
        """Change the chosen target."""
        owner, target = self.owner, self.target
        if owner is not None and target is not None:
            changes = tuple(fields.items())
            self._session.do(edit("set_targets", actor=owner.id, targets=(target.id,), changes=changes))

    def remove(self) -> None:
        """Take the chosen target away."""
        owner, target = self.owner, self.target
        if owner is not None and target is not None:
            self._session.do(edit("remove_targets", actor=owner.id, targets=(target.id,)))
            self.choose(None)

    def dragged(
        self, actor: str, target: Target, *, ends: bool = False, meets: bool = False, layer: str = ""
    ) -> Edit | MeetTargets:
        """Make the command that puts a target into the place of the one of that id, or behind all others where it is
        new, while a person drags it or as the drag `ends`. With `meets` it is met whatever else is; `layer` is the id
        of a new layer. All other targets are those of the document that it comes to: what a gesture before this one
        keeps stays."""
        owner = self._session.document.actor(actor)
        if not (self.automatic or meets) or not owner.swings or _left_out(owner):
            return edit("place_target", actor=actor, target=target)
        self._quiet = True
        return MeetTargets(actor=actor, id=layer or new_id("layer"), moved=target, coarse=not ends)

    # What comes of it

    def _take(self, document: Document) -> None:
        self._reports.take(document)
        self.changed.emit()
        self._tell_hand()

    def _tell(self) -> None:
        self._reports.tell(quiet=self._quiet)

    def _follow_edit(self, old: Document, new: Document) -> None:
        history = self._session.history
        if history is not self._history:  # another document: its actors may have the same ids
            self._history, self._due = history, {}
        done = history.entries[history.position].edit if history.before is old else None
        if self.automatic and done is not None and history.redo_entry is None and not _comes_of_meeting(done):
            for actor in new.actors:
                if old.actor_index.get(actor.id) is None or not _is_aimed(actor) or _left_out(actor):
                    continue
                if _without_correction(old.actor(actor.id)) != _without_correction(actor):
                    self._due[actor.id] = None
        if self._due:
            self._soon.start()
        self._show_awaited(new)
        self._reports.follow(new)
        self.changed.emit()
        self._tell_hand()

    def _show_awaited(self, document: Document) -> None:
        """Show the target of a point that something carries, once it is there: it is one of its carrier's."""
        for actor in document.actors if self._awaited is not None else ():
            listed = () if actor.secondary is None else actor.secondary.targets
            made = next((each for each in listed if each.id == self._awaited), None)
            if made is not None:
                self._awaited = None
                self._session.select([Item(actor.id, made.joint)])
                self.choose(made.id)

    def _follow_selection(self, *_: object) -> None:
        self.let_go()
        self.changed.emit()

    def _meet_due(self) -> None:
        due, self._due = list(self._due), {}
        for actor in due:
            if actor in self._session.document.actor_index and self._session.engine_state.ready:
                self._quiet = True
                self._session.work_out(MeetTargets(actor=actor, id=new_id("layer")), goes_on=True)


def _comes_of_meeting(done: Edit) -> bool:
    """True if an edit is what meeting found, or holds it as one of two."""
    return done.name in RESULTS or any(_comes_of_meeting(each) for each in done.parts)


def _is_aimed(actor: Actor) -> bool:
    return actor.swings and actor.secondary is not None and (bool(actor.secondary.targets) or _held(actor) is not None)


def _held(actor: Actor) -> Layer | None:
    """Return the layer of the correction."""
    return next((each for each in reversed(actor.layers) if each.correction is not None), None)


def _left_out(actor: Actor) -> bool:
    """True if a person has left the correction out: nothing is met then unless it is asked for."""
    layer = _held(actor)
    return layer is not None and layer.mute


def _without_correction(actor: Actor) -> Actor:
    layers = tuple(replace(each, correction=None) if each.correction is not None else each for each in actor.layers)
    return replace(actor, layers=tuple(each for each in layers if each.tracks or each.values or each.samples))
