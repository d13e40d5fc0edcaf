"""CurrentPlan: what is planned of the soft body that is meant, and what is done with it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.features.soft.current_soft import CurrentSoft
from app.session import Session
from engine.document.values import Vector3, new_id
from engine.edits import Edit, edit
from engine.soft.commands.keyframe_here import KeyframeHere
from engine.soft.goals import SoftKeyframe, SoftPlan, SoftPlanChoices

AXES = "xyz"


class CurrentPlan(QObject):
    """The plan that is seen, and which of its keyframes is chosen."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._soft = session, session.of(CurrentSoft)
        self._chosen = ""
        self._soft.changed.connect(self.changed)

    @property
    def plan(self) -> SoftPlan:
        """All that is planned of the body that is meant."""
        owner = self._soft.owner
        return (None if owner is None else owner.part(SoftPlan)) or SoftPlan()

    @property
    def choices(self) -> SoftPlanChoices:
        """The choices that all plans of the scene share."""
        return self._session.shown.part(SoftPlanChoices) or SoftPlanChoices()

    @property
    def keyframe(self) -> SoftKeyframe | None:
        """The keyframe that is chosen: else that at the playhead, else the last one."""
        keyframes, now = self.plan.keyframes, self._session.playhead
        here = next((each for each in keyframes if each.time == now), None)
        return self.plan.keyframe(self._chosen) or here or (keyframes[-1] if keyframes else None)

    @property
    def used(self) -> tuple[str, ...]:
        """The splines that a plan may use."""
        body, plan = self._soft.body, self.plan
        splines = () if body is None else body.splines
        return tuple(each.id for each in splines if plan.splines is None or each.id in plan.splines)

    def choose(self, id: str) -> None:
        """Mean this keyframe."""
        if id != self._chosen:
            self._chosen = id
            self.changed.emit()

    def want_here(self, *, whole: bool) -> None:
        """Want the body at the playhead where it is now, to be moved from there."""
        owner = self._soft.owner
        if owner is not None:
            self._chosen = new_id("keyframe")
            time = self._session.playhead
            self._session.work_out(KeyframeHere(id=self._chosen, actor=owner.id, time=time, whole=whole))

    def remove(self, *, every: bool = False) -> None:
        """Take the chosen keyframe away, or all of them."""
        found = self.keyframe
        if found is not None:
            self._do("remove_soft_keyframes", keyframes=None if every else (found.id,))

    def use(self, spline: str, used: bool) -> None:
        """Let a plan use a spline, or not."""
        body = self._soft.body
        if body is not None:
            wanted = {*self.used, spline} if used else set(self.used) - {spline}
            ids = tuple(each.id for each in body.splines if each.id in wanted)
            self._do("set_planned_splines", splines=None if len(ids) == len(body.splines) else ids)

    def edit_keyframe(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets a number of the chosen keyframe."""
        found = self.keyframe
        if found is None:
            return None
        if name == "weight":
            return self._edit("set_soft_keyframe", keyframe=found.id, weight=value)
        if name == "moves":
            still = (0.0, 0.0, 0.0) if value else None
            return self._edit("set_keyframe_velocity", keyframe=found.id, velocity=still)
        if name.startswith("v"):
            return self._edit(
                "set_keyframe_velocity",
                keyframe=found.id,
                velocity=_with(found.velocity or (0.0, 0.0, 0.0), name, value),
            )
        change = {"time": value} if name == "time" else {"position": _with(found.position, name, value)}
        return self._edit("move_soft_keyframe", keyframe=found.id, **change)

    def edit_choices(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets a choice of all plans."""
        return edit("set_plan_choices", **{name: value})

    def edit_start(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets until when the splines do what they do now."""
        return self._edit("set_plan_start", start=value)

    def _edit(self, name: str, **arguments: object) -> Edit | None:
        owner = self._soft.owner
        return None if owner is None else edit(name, actor=owner.id, **arguments)

    def _do(self, name: str, **arguments: object) -> None:
        change = self._edit(name, **arguments)
        if change is not None:
            self._session.do(change)


def _with(place: Vector3, name: str, value: object) -> Vector3:
    """Put a number in the place of one coordinate."""
    x, y, z = (float(str(value)) if axis == name[-1] else each for axis, each in zip(AXES, place, strict=True))
    return x, y, z
