"""CurrentSurface: whose blend shapes a person looks at, which target is chosen, and what the engine tells of both.

It is the surface of the actor that was selected last; where that has none, the first of the scene. Weights at the
playhead and what targets miss are worked out on the engine's thread, only while somebody watches.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from app.session.following import follow_parts
from app.session.live_report import LiveReport
from engine.document import Actor, Key
from engine.document.ticks import ticks_per_frame
from engine.document.values import new_id
from engine.edits import Edit, edit
from engine.shapes.commands.bake_shapes import BakeShapes
from engine.shapes.commands.take_pose import KeyShapes, SuggestShapeWindow, TakeShapePose
from engine.shapes.parts import BlendShape, BlendShapes, ShapeMotion, ShapeTarget
from engine.shapes.queries.tell_surface import SurfaceTold, tell_surface

if TYPE_CHECKING:
    from app.session.session import Session

KEY = "blend shapes"  # of the worker
TAKEN = "There is a target at this frame: choose it in the list, or go to another frame."


class CurrentSurface(QObject):
    """The surface that is seen."""

    changed = Signal()  # the surface, or which target is chosen
    told_changed = Signal()  # weights at the playhead, what is missed

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._chosen = ""
        self._report = LiveReport(session, KEY, "shapes", lambda: self.owner, tell_surface)
        self._report.changed.connect(self.told_changed)
        self.watch = self._report.watch
        follow_parts(session, BlendShapes, self._follow)
        for signal in (session.playhead_moved, session.engine_changed):
            signal.connect(lambda *_: self._report.ask())

    # What there is

    @property
    def told(self) -> SurfaceTold | None:
        """The report of the engine on it."""
        return self._report.value

    @property
    def owner(self) -> Actor | None:
        """The actor that is meant, as it is on screen."""
        document, active = self._session.shown, self._session.selection.active
        if active is not None and active.actor in document.actor_index:
            found = document.actor(active.actor)
            if found.part(BlendShapes) is not None:
                return found
        return next((each for each in document.actors if each.part(BlendShapes) is not None), None)

    @property
    def surface(self) -> BlendShapes | None:
        """Its blend shapes."""
        owner = self.owner
        return None if owner is None else owner.part(BlendShapes)

    @property
    def motion(self) -> ShapeMotion:
        """How it follows its keys."""
        surface = self.surface
        return ShapeMotion() if surface is None else surface.motion

    @property
    def may_change(self) -> bool:
        """True if there is a surface that is not frozen."""
        return self.owner is not None and not self.owner.frozen

    @property
    def target(self) -> ShapeTarget | None:
        """The target that is chosen, else its first."""
        surface = self.surface
        if surface is None:
            return None
        return surface.target(self._chosen) or (surface.targets[0] if surface.targets else None)

    def shape(self, id: str) -> BlendShape | None:
        """The shape of that id."""
        surface = self.surface
        return None if surface is None else surface.shape(id)

    def weight(self, shape: BlendShape) -> float:
        """The weight of a shape as it was reported last; its constant before that."""
        owner, told = self.owner, self.told
        if shape.track is None or owner is None or told is None or told.actor != owner.id:
            return shape.weight
        found = told.weight(shape.id)
        return shape.weight if found is None else found

    def key_at_playhead(self, shape: BlendShape) -> Key | None:
        """The key of a shape at the playhead."""
        keys = () if shape.track is None else shape.track.keys
        return next((each for each in keys if each.time == self._session.playhead), None)

    # What is done

    def do(self, name: str, /, **arguments: Any) -> None:
        """Change the surface that is meant."""
        owner = self.owner
        if owner is not None:
            self._session.do(edit(name, actor=owner.id, **arguments))

    def weight_edit(self, id: str, value: float) -> Edit:
        """Make the edit of a slider: a key at the playhead where the shape is keyed, else its constant."""
        owner, shape = self.owner, self.shape(id)
        assert owner is not None, "a slider of a surface"
        assert shape is not None, "a slider of a shape"
        if shape.track is None:
            return edit("set_blend_shape", actor=owner.id, shape=id, weight=value)
        old = self.key_at_playhead(shape)
        key = Key(self._session.playhead, value) if old is None else replace(old, value=value)
        return edit("set_shape_keys", actor=owner.id, shape=id, keys=(key,))

    def toggle_key(self, id: str) -> None:
        """Key a shape at the playhead as it is there, or take that key away."""
        shape, owner = self.shape(id), self.owner
        if shape is None or owner is None:
            return
        if self.key_at_playhead(shape) is not None:
            self.do("remove_shape_keys", shape=id, times=(self._session.playhead,))
        else:
            self._session.work_out(KeyShapes(actor=owner.id, time=self._session.playhead, shapes=(id,)))

    def key_all(self) -> None:
        """Key all shapes at the playhead, as they are there."""
        owner = self.owner
        if owner is not None:
            self._session.work_out(KeyShapes(actor=owner.id, time=self._session.playhead))

    def motion_edit(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets a number of the secondary motion."""
        owner = self.owner
        return None if owner is None else edit("set_shape_motion", actor=owner.id, **{name: value})

    def suggest_window(self) -> None:
        """Set the window that forgets what cannot be seen."""
        owner = self.owner
        if owner is not None:
            self._session.work_out(SuggestShapeWindow(actor=owner.id))

    def bake(self) -> None:
        """Turn what is played of the surface into keys of its shapes."""
        owner = self.owner
        if owner is not None:
            self._session.work_out(BakeShapes(actor=owner.id))

    # Targets

    def choose(self, id: str) -> None:
        """Choose a target."""
        if id != self._chosen:
            self._chosen = id
            self.changed.emit()

    def reach_here(self) -> None:
        """Set a target at the playhead: the surface as it is keyed there. Secondary motion is switched on by it."""
        owner, surface, time = self.owner, self.surface, self._session.playhead
        if owner is None or surface is None:
            return
        if any(each.time == time and not each.mute for each in surface.targets):
            self._session.note("note", TAKEN)
            return
        frame = round(time / ticks_per_frame(self._session.document.rate))
        target = ShapeTarget(id=new_id("target"), name=f"Frame {frame}", time=time)
        self.do("add_shape_target", target=target)
        if not surface.motion.on:
            self.do("set_shape_motion", on=True)
        self.choose(target.id)

    def remove_target(self) -> None:
        """Take the chosen target away."""
        target = self.target
        if target is not None:
            self.do("remove_shape_target", target=target.id)

    def target_edit(self, name: str, value: object) -> Edit | None:
        """Make the edit of a field of the chosen target; what is to be given is taken from the keys first."""
        owner, target = self.owner, self.target
        if owner is None or target is None:
            return None
        if name in ("pose", "place") and value == "given":
            both = {"pose": name == "pose", "place": name == "place"}
            self._session.work_out(TakeShapePose(actor=owner.id, target=target.id, **both))
            return None
        return edit("set_shape_target", actor=owner.id, target=target.id, **{name: value})

    def take_pose(self) -> None:
        """Give the chosen target the weights, and where it asks for a place that, as they are keyed at the playhead."""
        owner, target = self.owner, self.target
        if owner is not None and target is not None:
            given, time = target.place == "given", self._session.playhead
            self._session.work_out(TakeShapePose(actor=owner.id, target=target.id, time=time, place=given))

    def target_weight_edit(self, id: str, value: float) -> Edit | None:
        """Make the edit of a weight that the chosen target asks for."""
        owner, target = self.owner, self.target
        if owner is None or target is None:
            return None
        weights = tuple((shape, value if shape == id else weight) for shape, weight in target.weights)
        weights = weights if any(shape == id for shape, _ in weights) else (*weights, (id, value))
        return edit("set_shape_target", actor=owner.id, target=target.id, weights=weights)

    def _follow(self, *_: object) -> None:
        self.changed.emit()
        self._report.ask()
