"""CurrentSplines: the splines that a person looks at, the one that is chosen, and what the mouse does in the views.

A spline is chosen by selecting its item, so that outliner, lanes, inspector and views agree. Its actor is the soft body
that was selected last; where none is, the first of the scene.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

from app.session.following import follow_parts
from app.session.selection import Item
from engine.document import Actor
from engine.document.values import Vector3, new_id
from engine.edits import edit
from engine.runtime.errors import EngineError
from engine.runtime.quick_dataclass import dataclass
from engine.soft.commands.seed_spline import SeedSpline
from engine.soft.parts import ActivationSpline, SoftBody

if TYPE_CHECKING:
    from app.session.session import Session

Hold = Literal["", "draw", "paint", "erase"]
"""What the left button does over a body: nothing of splines, sets control points, paints or erases a region."""
LEAST_BRUSH, MOST_BRUSH = 0.002, 2.0  # [m]
BRUSH = 0.1  # of a body's size, the brush at first
NO_BODY = "Add a soft body first: splines move soft bodies (Add > Soft body)."
TOO_FEW = "A spline needs two points at least: click twice inside the body."


@dataclass(frozen=True, kw_only=True)
class RegionBrush:
    """The brush that paints regions."""

    radius: float = 0.0  # [m] across the surface; 0: as suits the body
    strength: float = 1.0  # that one touch adds or takes, 0 to 1


@dataclass(frozen=True)
class SplineDraft:
    """A spline that is being drawn: control points in the frame of its body."""

    actor: str
    points: tuple[Vector3, ...] = ()


class CurrentSplines(QObject):
    """The splines of one session."""

    changed = Signal()  # splines, their bodies, or which is chosen
    held_changed = Signal()  # what the mouse does, the brush, the draft, the point that is chosen
    hand_changed = Signal()  # what Delete is for

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._chosen: dict[str, str] = {}  # by actor, the spline that was chosen last
        self._point: tuple[str, str, int] | None = None
        self._sized: tuple[object, float] = (None, 0.0)  # points, and how large a brush suits them
        self._before: int | None = None  # the playhead before a body was shown at rest
        self.hold: Hold = ""
        self.brush = RegionBrush()
        self.draft: SplineDraft | None = None
        session.hands.append(self)
        follow_parts(session, SoftBody, self._follow)
        session.playhead_moved.connect(self._follow_time)

    # What there is

    @property
    def bodies(self) -> list[tuple[Actor, SoftBody]]:
        """The soft bodies of the scene as it is on screen."""
        pairs = ((actor, actor.part(SoftBody)) for actor in self._session.shown.actors if actor.parts)
        return [(actor, body) for actor, body in pairs if body is not None]

    @property
    def any_pulls(self) -> bool:
        """True if a spline of any body counts."""
        return any(not each.mute for _, body in self.bodies for each in body.splines)

    @property
    def owner(self) -> Actor | None:
        """The soft body that is meant, as it is on screen."""
        bodies, active = self.bodies, self._session.selection.active
        chosen = None if active is None else active.actor
        first = bodies[0][0] if bodies else None
        return next((actor for actor, _ in bodies if actor.id == chosen), first)

    @property
    def is_selected(self) -> bool:
        """True if the soft body that is meant is selected."""
        owner, active = self.owner, self._session.selection.active
        return owner is not None and active is not None and active.actor == owner.id

    @property
    def body(self) -> SoftBody | None:
        """Its part."""
        owner = self.owner
        return None if owner is None else owner.part(SoftBody)

    @property
    def spline(self) -> ActivationSpline | None:
        """The spline that is chosen: it is selected, or was the last of its body that was, or is its first."""
        owner, body = self.owner, self.body
        if owner is None or body is None:
            return None
        found = body.spline(self._chosen.get(owner.id, ""))
        return found or (body.splines[0] if body.splines else None)

    @property
    def may_change(self) -> bool:
        """True if there is a soft body that is not frozen."""
        return self.owner is not None and not self.owner.frozen

    @property
    def point(self) -> int | None:
        """The control point that is chosen, of the spline that is."""
        owner, spline = self.owner, self.spline
        if owner is None or spline is None or self._point is None:
            return None
        actor, id, place = self._point
        return place if (actor, id) == (owner.id, spline.id) and place < len(spline.points) else None

    def found(self, actor: str, spline: str) -> ActivationSpline | None:
        """Return a spline as it is on screen."""
        shown = self._session.shown
        body = shown.actor(actor).part(SoftBody) if actor in shown.actor_index else None
        return None if body is None else body.spline(spline)

    # What is chosen

    def choose(self, actor: str, spline: str) -> None:
        """Choose a spline, for all that show it."""
        joint = self._session.document.actor(actor).figure.joints[0].id
        self._session.select([Item(actor, joint, spline)])

    def choose_point(self, place: int | None) -> None:
        """Choose a control point of the chosen spline, which Delete is then for; None: no point."""
        owner, spline = self.owner, self.spline
        point = None if place is None or owner is None or spline is None else (owner.id, spline.id, place)
        if point != self._point:
            self._point = point
            self.held_changed.emit()
            self.hand_changed.emit()

    @property
    def in_hand(self) -> bool:
        """True if Delete is for a control point."""
        return self.point is not None

    def remove(self) -> None:
        """Take the chosen control point away; of two, the whole spline."""
        owner, spline, place = self.owner, self.spline, self.point
        if owner is None or spline is None or place is None:
            return
        self.choose_point(None)
        if len(spline.points) <= 2:
            self.do("remove_activation_spline")
        else:
            points = spline.points[:place] + spline.points[place + 1 :]
            self.do("set_activation_points", points=points)

    def let_go(self) -> None:
        """Something else is what Delete is for now."""
        self.choose_point(None)

    # What the mouse does

    def take(self, hold: Hold) -> None:
        """Let the left button do that over bodies; what was being drawn is given up."""
        if hold == self.hold:
            return
        if hold and self.owner is None:
            self._session.note("note", NO_BODY)
            return
        was, self.hold, self.draft = self.hold, hold, None
        if hold and not was:
            self._show_at_rest()
        elif not hold:
            self._go_back()
        self.held_changed.emit()

    @property
    def brush_radius(self) -> float:
        """The radius of the brush [m]: what a person chose, or what suits the body."""
        body = self.body
        if self.brush.radius > 0.0 or body is None:
            return self.brush.radius or LEAST_BRUSH
        if body.points is not self._sized[0]:
            places = body.points.array
            size = float((places.max(axis=0) - places.min(axis=0)).max())
            self._sized = (body.points, min(max(BRUSH * size, LEAST_BRUSH), MOST_BRUSH))
        return self._sized[1]

    def set_brush(self, **changes: float) -> None:
        """Set radius or strength of the brush."""
        brush = replace(self.brush, **changes)
        if brush != self.brush:
            self.brush = brush
            self.held_changed.emit()

    def add_point(self, actor: str, place: Vector3) -> None:
        """Put one more control point behind those of the draft [m], in the frame of the body that it began in."""
        if self.draft is None or self.draft.actor != actor:
            self.draft = SplineDraft(actor)
        self.draft = replace(self.draft, points=(*self.draft.points, place))
        self.held_changed.emit()

    def move_point(self, number: int, place: Vector3) -> None:
        """Put a control point of the draft elsewhere [m]."""
        if self.draft is not None and number < len(self.draft.points):
            points = self.draft.points
            self.draft = replace(self.draft, points=(*points[:number], place, *points[number + 1 :]))
            self.held_changed.emit()

    def take_back(self) -> None:
        """Take the last point of the draft back."""
        if self.draft is not None:
            points = self.draft.points[:-1]
            self.draft = replace(self.draft, points=points) if points else None
            self.held_changed.emit()

    def drop(self) -> None:
        """Give the draft up; without one, put the tool away."""
        if self.draft is None:
            self.take("")
        else:
            self.draft = None
            self.held_changed.emit()

    def finish(self) -> None:
        """Make the draft a spline of its body."""
        draft, self.draft = self.draft, None
        if draft is None:
            return
        if len(draft.points) < 2:
            self.draft = draft
            self._session.note("note", TOO_FEW)
            return
        spline = ActivationSpline(id=new_id("spline"), name=self.free_name(draft.actor), points=draft.points)
        self._add(draft.actor, spline)
        self.held_changed.emit()

    # What is done

    def do(self, name: str, /, **arguments: object) -> None:
        """Change the spline that is chosen."""
        owner, spline = self.owner, self.spline
        if owner is not None and spline is not None:
            self._session.do(edit(name, actor=owner.id, spline=spline.id, **arguments))

    def refusal(self, actor: str, spline: str, expression: str) -> str:
        """Say why a text is no expression of an activation; nothing of one that is."""
        change = edit("set_activation", actor=actor, spline=spline, expression=expression)
        try:
            change.apply(self._session.document)
        except EngineError as problem:
            return str(problem)
        return ""

    def seed(self) -> None:
        """Give the body a spline along its own axis."""
        owner = self.owner
        if owner is not None:
            id = new_id("spline")
            self._session.work_out(SeedSpline(id=id, actor=owner.id, name=self.free_name(owner.id)))
            self._session.when_free(lambda: self.choose(owner.id, id))

    def duplicate(self) -> None:
        """Add a copy of the spline that is chosen, which is chosen then."""
        owner, spline = self.owner, self.spline
        if owner is not None and spline is not None:
            self._add(owner.id, replace(spline, id=new_id("spline"), name=self.free_name(owner.id, spline.name)))

    def free_name(self, actor: str, like: str = "Spline") -> str:
        """Return a name that no spline of a body has."""
        body = self._session.document.actor(actor).part(SoftBody)
        taken = set() if body is None else {each.name for each in body.splines}
        stem = like.rstrip("0123456789 ") or like
        return next(name for number in range(1, len(taken) + 2) if (name := f"{stem} {number}") not in taken)

    def _add(self, actor: str, spline: ActivationSpline) -> None:
        joint = self._session.document.actor(actor).figure.joints[0].id
        change = edit("add_activation_spline", actor=actor, spline=spline)
        self._session.do(change, choose=Item(actor, joint, spline.id))

    # How it follows

    def _follow(self, *_: object) -> None:
        active, was = self._session.selection.active, self.in_hand
        if active is not None and active.added is not None and self.found(active.actor, active.added) is not None:
            if self._chosen.get(active.actor) != active.added:
                self._point = None
            self._chosen[active.actor] = active.added
        if self.hold and self.owner is None:
            self.take("")
        if self.draft is not None and self.draft.actor not in self._session.shown.actor_index:
            self.draft = None
        self.changed.emit()
        if was != self.in_hand:
            self.hand_changed.emit()

    def _show_at_rest(self) -> None:
        """Go to where bodies stand in their rest shape: points are set and regions painted on that."""
        body = self.body
        if body is not None and self._session.playhead > body.start:
            self._before = self._session.playhead
            self._session.player.pause()
            self._session.set_playhead(body.start)

    def _follow_time(self, time: int) -> None:
        """Put the tool away where time goes on: bodies are no longer in their rest shape."""
        body = self.body
        if self.hold and body is not None and time > body.start:
            self._before = None
            self.take("")

    def _go_back(self) -> None:
        before, self._before = self._before, None
        if before is not None:
            self._session.set_playhead(before)
