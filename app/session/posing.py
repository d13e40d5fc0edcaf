"""Posing: whole poses copied, pasted, mirrored, blended, keyed and drafted; and whether poses are keyed by themselves.

What is seen is the pose of the last picture, so that a copy is what a person looked at. Everything else is a command
that the engine works out (`engine.commands.poses`), one entry of the history for each figure.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from app.session.frozen import refusal
from engine.commands.poses import PutPose
from engine.document import Actor
from engine.document.drafts import draft_times
from engine.document.pose import Pose, pose_of, read_pose, rest_of
from engine.edits import edit
from engine.runtime.errors import EngineError

if TYPE_CHECKING:
    from app.session.gesture import Gesture
    from app.session.session import Session
    from engine.model.snapshot import Snapshot

Joints = frozenset[str]
CommandT = TypeVar("CommandT")
NO_FIGURE = "There is no figure to pose: add one from the Add menu."
NO_JOINT = "Choose the joints that are meant: click a body part, Shift adds others."


class SessionPosing(QObject):
    """The session's side of posing by whole poses."""

    changed = Signal()  # whether poses are keyed, or whether a draft is shown

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self.auto_key = True
        self.drafted = False  # whether a draft is on screen
        self._seen: Snapshot | None = None
        self._when_seen: Callable[[], None] | None = None
        session.snapshot_ready.connect(self._see)
        session.document_changed.connect(lambda old, new: self._look())
        session.preview_changed.connect(lambda document: self._look())
        session.playhead_moved.connect(lambda time: self._look())

    # Whether poses are keyed

    def set_auto_key(self, on: bool) -> None:
        """Make keys of a pose at a time of a figure that has keys; else it stays a draft."""
        if on != self.auto_key:
            self.auto_key = on
            self.changed.emit()

    def as_chosen(self, command: CommandT) -> CommandT:
        """Return the command as it is to be kept."""
        if getattr(command, "auto_key", self.auto_key) == self.auto_key:
            return command
        return replace(command, auto_key=self.auto_key)  # type: ignore[type-var]

    # What is meant and seen

    def targets(self) -> list[tuple[Actor, Joints | None]]:
        """Return the figures that are selected, each with its selected joints or None for all of it; the last is the
        active one. With nothing selected, the first figure."""
        document, found = self._session.document, dict[str, set[str] | None]()
        for item in self._session.selection.items:
            before = found.pop(item.actor, set())
            whole = item.part is None or before is None
            found[item.actor] = None if whole else {*(before or ()), item.part or ""}
        if not found:
            figures = [actor for actor in document.actors if not actor.figure.is_prop]
            return [(actor, None) for actor in figures[:1]]
        return [(document.actor(id), None if joints is None else frozenset(joints)) for id, joints in found.items()]

    @property
    def has_joints(self) -> bool:
        """True if some of what is meant are single joints."""
        return any(joints is not None for _, joints in self.targets())

    def seen(self, actor: str) -> dict[str, float]:
        """Return the coordinates of an actor in the last picture; empty before the engine's first."""
        items = () if self._seen is None else self._seen.bodies
        shown = next((each for each in items if each.owner == actor and each.role == "result"), None)
        if shown is None or shown.pose is None or self._seen is None or actor not in self._seen.document.actor_index:
            return {}
        figure = self._seen.document.actor(actor).figure
        return dict(zip(figure.coordinates, shown.pose.tolist(), strict=True))

    def moving(self, actor: Actor) -> Mapping[str, float]:
        """Return the coordinates seen of an actor that moves in time; empty for one that keeps still, whose layers say
        all."""
        moves = any(layer.tracks or layer.samples is not None or layer.drafts for layer in actor.layers)
        return self.seen(actor.id) if moves else {}

    def when_seen(self, then: Callable[[], None]) -> None:
        """Go on once the picture shows the document at the playhead; at once while it plays."""
        if self._is_current() or (self._session.player.playing and self._seen is not None):
            then()
        else:
            self._when_seen = then

    # Copy and paste

    def copy(self, take: Callable[[str], None]) -> None:
        """Give the pose of the active figure, or of its selected joints, as text."""
        targets = self.targets()
        if not targets:
            self._session.note("warning", NO_FIGURE)
            return
        owner, joints = targets[-1]

        def taken() -> None:
            pose = pose_of(owner.figure, self.seen(owner.id), name=owner.name, joints=joints)
            if not pose.names:
                self._session.note("warning", f"What is selected of {owner.name} has no degree of freedom to copy.")
                return
            take(pose.to_json())
            self._session.note("note", f"Copied the pose of {_named(owner, joints)}")

        self.when_seen(taken)

    def paste(self, text: str, *, mirrored: bool = False, on_selected: bool = False) -> None:
        """Put the pose of a text on the selected figures, or on their selected joints alone."""
        try:
            pose = read_pose(text, "what is to be pasted")
        except EngineError as problem:
            said = str(problem)
            self._session.note("warning", f"{said[:1].upper()}{said[1:]}. Copy a pose first (Pose menu).")
            return
        self.put(pose, "Paste pose", mirrored=mirrored, on_selected=on_selected)

    def put(self, pose: Pose, title: str, *, mirrored: bool = False, on_selected: bool = False) -> None:
        """Put a pose on the selected figures."""
        for command in self.wishes(pose, title, mirrored=mirrored, on_selected=on_selected):
            self._session.work_out(command)

    def wishes(self, pose: Pose, title: str, *, mirrored: bool, on_selected: bool) -> list[PutPose]:
        """Make a command for each selected figure; a note says what it has no place for."""
        targets, made = self.targets(), []
        if not targets:
            self._session.note("warning", NO_FIGURE)
        elif on_selected and all(joints is None for _, joints in targets):
            self._session.note("warning", NO_JOINT)
            return []
        for owner, joints in targets:
            values, missing = pose.fit(owner.figure)
            if not values:
                why = f"none of the joints of {pose.name} is found by name"
                self._session.note("warning", f"{owner.name} cannot take this pose: {why}.")
                continue
            if missing:
                self._session.note("warning", f"{owner.name} has no {_listed(missing)}: left out.")
            full = f"{title} mirrored" if mirrored else title
            made.append(
                self._command(owner, full, values=values, mirrored=mirrored, written=joints if on_selected else None)
            )
        return made

    # On what is seen

    def flip(self) -> None:
        """Exchange left and right: of the figures, or of the selected joints with their partners."""
        for owner, joints in self.targets():
            both = None if joints is None else joints | _partners(owner, joints)
            title = f"Flip pose of {_named(owner, joints)}"
            if joints is not None:
                said = "alone were flipped. Select nothing, or the whole figure, to flip all of it."
                self._session.note("note", f"{_named(owner, joints)} and what is opposite {said}")
            self._session.work_out(self._command(owner, title, read=both, written=both, mirrored=True))

    def mirror_across(self) -> None:
        """Give the joints on the other side the pose of those that are selected."""
        for owner, joints in self.targets():
            others = _partners(owner, joints or frozenset()) - (joints or frozenset())
            if joints is None or not others:
                self._session.note("warning", f"{NO_JOINT} They need a partner on the other side.")
                continue
            title = f"Mirror {_named(owner, joints)} across"
            self._session.work_out(self._command(owner, title, read=joints, written=others, mirrored=True))

    def reset(self, *, on_selected: bool = False) -> None:
        """Back to rest: the selected joints, or the selected figures as a whole."""
        targets = self.targets()
        if on_selected and all(joints is None for _, joints in targets):
            self._session.note("warning", NO_JOINT)
            return
        for owner, joints in targets:
            self.put_back(owner, joints if on_selected else None)

    def put_back(self, owner: Actor, joints: Joints | None) -> None:
        """Back to rest: some joints of a figure, or all. Constant poses go; where there are keys, rest is a pose."""
        time = self._session.playhead
        receiver = owner.layer_for(time)
        if receiver is not None and (receiver.tracks or receiver.draft_at(time)):
            command = self._command(owner, f"Reset {_named(owner, joints)}", values=rest_of(owner.figure, joints))
            self._session.work_out(command)
            return
        names = None if joints is None else tuple(name for name, _ in rest_of(owner.figure, joints))
        for layer in owner.layers:
            if layer.values:
                self._session.do(edit("reset_pose", actor=owner.id, layer=layer.id, coordinates=names))

    def key(self, *, on_selected: bool = False) -> None:
        """Set keys to what is seen: on all joints of the selected figures, or on the selected joints."""
        targets = self.targets()
        if on_selected and all(joints is None for _, joints in targets):
            self._session.note("warning", NO_JOINT)
            return
        for owner, joints in targets:
            chosen = joints if on_selected else None
            self._session.work_out(self._command(owner, f"Key pose of {_named(owner, chosen)}", read=chosen, key=True))

    # Drafts

    def key_draft(self) -> None:
        """Make keys of the drafts that are shown."""
        self._on_drafts("key_draft")

    def drop_draft(self) -> None:
        """Throw the drafts that are shown away."""
        self._on_drafts("drop_draft")

    def to_next_draft(self) -> None:
        """Go to the next draft, from the last one to the first."""
        times = draft_times(self._session.document)
        if times:
            later = [time for time in times if time > self._session.playhead]
            self._session.player.pause()
            self._session.set_playhead(later[0] if later else times[0])

    # Blending

    def begin_blend(self, pose: Pose, *, mirrored: bool, on_selected: bool) -> Blend | None:
        """Begin to blend the active figure towards a pose; None if that cannot be done now."""
        commands = self.wishes(pose, f"Blend {pose.name}", mirrored=mirrored, on_selected=on_selected)
        if not commands:
            return None
        why = refusal(self._session.document, commands[-1])
        if why:
            self._session.note("warning", why)
            return None
        gesture = self._session.begin_gesture(commands[-1].title)
        return None if gesture.is_over else Blend(gesture, commands[-1])

    # Within

    def _command(self, owner: Actor, title: str, **how: object) -> PutPose:
        return PutPose(actor=owner.id, time=self._session.playhead, title=title, **how)  # type: ignore[arg-type]

    def _on_drafts(self, name: str) -> None:
        time = self._session.playhead
        for actor in self._session.document.actors:
            for layer in actor.layers:
                if layer.draft_at(time) is not None:
                    self._session.do(edit(name, actor=actor.id, layer=layer.id, time=time))

    def _see(self, snapshot: Snapshot) -> None:
        self._seen = snapshot
        if self._when_seen is not None and self._is_current():
            then, self._when_seen = self._when_seen, None
            then()

    def _is_current(self) -> bool:
        seen, session = self._seen, self._session
        fresh = seen is not None and seen.state == "fresh" and seen.document is session.shown
        return seen is not None and fresh and seen.time == session.playhead

    def _look(self) -> None:
        document, time = self._session.shown, self._session.playhead
        drafted = any(layer.draft_at(time) is not None for actor in document.actors for layer in actor.layers)
        if drafted != self.drafted:
            self.drafted = drafted
            self.changed.emit()


class Blend:
    """One gesture from the pose that is seen towards another."""

    def __init__(self, gesture: Gesture, command: PutPose) -> None:
        self._gesture, self._command = gesture, command

    @property
    def ended(self) -> bool:
        """True if it is over, however that came."""
        return self._gesture.is_over

    def to(self, share: float) -> None:
        """Show the pose by a share, 0 to 1.2."""
        self._gesture.label = f"{self._command.title} {100.0 * share:.0f} %"
        self._gesture.preview(replace(self._command, share=share))

    def finish(self) -> None:
        """Keep what was shown last."""
        self._gesture.finish()

    def cancel(self) -> None:
        """Leave the figure as it was."""
        self._gesture.cancel()


def _partners(owner: Actor, joints: Joints) -> Joints:
    """Return the joints on the other side; those in the middle are their own."""
    return frozenset(owner.figure.joint(id).mirror or id for id in joints)


def _named(owner: Actor, joints: Joints | None) -> str:
    """Name what is meant, for a person."""
    if joints is None:
        return owner.name
    names = [joint.name for joint in owner.figure.joints if joint.id in joints]
    return f"{owner.name}'s {names[0].lower()}" if len(names) == 1 else f"{len(names)} joints of {owner.name}"


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:4])
    return shown if len(names) <= 4 else f"{shown} and {len(names) - 4} more joints of the pose"
