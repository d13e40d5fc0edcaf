"""Planned motion of soft bodies: where they are to be and when, the search for it, and what is kept of it."""

from __future__ import annotations

from functools import partial

from app.features.action import Action, Topic
from app.features.soft.current_forces import CurrentForces
from app.features.soft.current_plan import CurrentPlan
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.plan_run import PlanRun

_Plan = partial(Action, menu="Animate", submenu="Soft body")


class PlanCommands(Topic):
    """Of the plan of the selected soft body."""

    @property
    def _current(self) -> CurrentPlan:
        return self._session.of(CurrentPlan)

    @property
    def _forces(self) -> CurrentForces:
        return self._session.of(CurrentForces)

    @property
    def _run(self) -> PlanRun:
        return self._session.of(PlanRun)

    def want_here(self) -> None:
        """Want the soft body's centre at the playhead where it is now; its mark can be dragged from there."""
        self._current.want_here(whole=False)

    def want_shape(self) -> None:
        """Want all of the soft body at the playhead where it is now, standing still."""
        self._current.want_here(whole=True)

    def remove_keyframe(self) -> None:
        """Want the soft body nowhere at the time of the chosen mark."""
        self._current.remove()

    def push_all(self) -> None:
        """Put forces on all points of the soft body, by which a plan may move it."""
        self._forces.put(everywhere=True)

    def push_near(self) -> None:
        """Put forces on the points near the one of the soft body that was clicked."""
        self._forces.put(everywhere=False)

    def remove_forces(self) -> None:
        """Take the chosen forces off the points of the soft body."""
        self._forces.remove()

    def plan(self) -> None:
        """Search for what splines and forces of soft bodies must do for these to be where they are wanted."""
        self._run.plan()

    def stop(self) -> None:
        """End the search for a motion; the last one that was found stays."""
        self._run.cancel()

    def keep(self) -> None:
        """Let splines and forces do what was found last."""
        self._run.keep()

    def drop(self) -> None:
        """Forget the motion that was found."""
        self._run.drop()

    def may_want(self) -> bool:
        """True if a soft body is selected that is not frozen, and the engine is ready."""
        return self._session.of(CurrentSoft).may_change and self._session.engine_state.ready

    def may_push_near(self) -> bool:
        """True if a point of the selected soft body was clicked, and it is not frozen."""
        return self.may_want() and self._forces.spot is not None

    def is_pushed(self) -> bool:
        """True if there are forces on points of the selected soft body, and it is not frozen."""
        return self._session.of(CurrentSoft).may_change and bool(self._forces.all)

    def has_keyframe(self) -> bool:
        """True if the selected soft body is wanted somewhere, and is not frozen."""
        return self._session.of(CurrentSoft).may_change and self._current.keyframe is not None

    def may_plan(self) -> bool:
        """True if a soft body is wanted somewhere, and no search is at work."""
        return self._run.may_plan

    def is_planning(self) -> bool:
        """True if a search is at work."""
        return self._run.running

    def has_found(self) -> bool:
        """True if a motion was found that is not kept yet."""
        return self._run.may_keep


Do = PlanCommands

PLANNING: tuple[Action, ...] = (
    _Plan(
        id="soft.keyframe_here", label="Be here at this time", call=Do.want_here, when=Do.may_want, begins_group=True,
    ),
    _Plan(id="soft.keyframe_shape", label="Be in this shape at this time", call=Do.want_shape, when=Do.may_want),
    _Plan(
        id="soft.remove_keyframe", label="Remove chosen mark", call=Do.remove_keyframe, when=Do.has_keyframe,
    ),
    _Plan(id="soft.push_all", label="Put forces on all points", call=Do.push_all, when=Do.may_want),
    _Plan(id="soft.push_near", label="Put forces near clicked point", call=Do.push_near, when=Do.may_push_near),
    _Plan(id="soft.remove_forces", label="Remove chosen forces", call=Do.remove_forces, when=Do.is_pushed),
    _Plan(id="soft.plan", label="Plan motion", call=Do.plan, when=Do.may_plan),
    _Plan(id="soft.stop_plan", label="Stop planning", call=Do.stop, when=Do.is_planning),
    _Plan(id="soft.keep_plan", label="Keep planned motion", call=Do.keep, when=Do.has_found),
    _Plan(id="soft.drop_plan", label="Drop planned motion", call=Do.drop, when=Do.has_found),
)  # fmt: skip
