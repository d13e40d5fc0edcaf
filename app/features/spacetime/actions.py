"""Spacetime: motions planned, searched for, kept and compared; physical in-betweens."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.action import PART, Action, Topic
from app.features.spacetime import planning
from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.meeting_plans import meet_here, picked_two

if TYPE_CHECKING:
    from app.timeline.panel import TimelinePanel

_Spacetime = partial(Action, menu="Animate", submenu="Spacetime")
NO_KEYS = "Choose two keys of the figure in the timeline, or put the playhead between two."


class SpacetimeCommands(Topic):
    """Of the figure that was selected last."""

    @property
    def _current(self) -> CurrentSpacetime:
        return self._session.of(CurrentSpacetime)

    def show(self) -> None:
        """Show the planned motion: stages, constraints, muscles, effort, and the search for it."""
        self._window.show_panel("spacetime")

    def plan_here(self) -> None:
        """Plan a motion that begins with the pose at the playhead."""
        planning.plan_here(self._session)
        self._window.show_panel("spacetime")

    def plan_between(self) -> None:
        """Plan a motion from the first to the last of the chosen keys; where none is chosen, between the keys around
        the playhead."""
        ends = self._ends()
        if ends is not None:
            planning.plan_between(self._session, *ends)
            self._window.show_panel("spacetime")

    def fill_between(self) -> None:
        """Fill the time from the first to the last of the chosen keys, or between those around the playhead, with the
        motion of least effort that physics allows, as a layer."""
        ends = self._ends()
        if ends is not None:
            planning.fill_between(self._session, *ends)

    def be_here(self) -> None:
        """Have the figure, at the playhead, as it is posed there."""
        planning.be_here(self._session)

    def point_here(self) -> None:
        """Have the point of the selected joint, at the playhead, where it is seen there."""
        planning.point_here(self._session)

    def velocity_here(self) -> None:
        """Have the point of the selected joint, at the playhead, as fast as it is seen there."""
        planning.point_here(self._session, velocity=True)

    def meet_here(self) -> None:
        """Have the selected points of two figures, at the playhead, in one place."""
        meet_here(self._session)

    def strike_here(self) -> None:
        """Have the selected points of two figures meet at the playhead, where stages of both end, and push each
        other."""
        meet_here(self._session, blow=True)

    def add_stage(self) -> None:
        """Add a stage behind the one that is chosen."""
        planning.add_stage(self._session)

    def find(self) -> None:
        """Find the motion of least effort that physics allows."""
        self._current.run()

    def stop(self) -> None:
        """End the search; the last step stays, and can be kept."""
        self._current.stop()

    def compare(self) -> None:
        """Search from several guesses, and list the ways of moving that they end in, best first."""
        self._current.run(compare=True)

    def keep(self) -> None:
        """Make the motion that is shown a layer of the figure."""
        self._current.keep()

    def toggle_live(self) -> None:
        """Find the motion anew after each change of the problem, or only when it is asked for."""
        self._current.set_live(not self._current.live)

    def remove_chosen(self) -> None:
        """Take the chosen constraint, meeting, force or stage away."""
        planning.remove_chosen(self._session)

    def remove(self) -> None:
        """Take the planned motion away; a layer that was kept stays."""
        planning.remove_plan(self._session)

    def may_plan(self) -> bool:
        """True if there is a figure that is not frozen, and the engine is ready."""
        actor = self._current.actor
        return actor is not None and not actor.frozen and self._session.engine_state.ready

    def is_planned(self) -> bool:
        """True if a motion is planned for that figure."""
        return self._current.may_change and self._session.engine_state.ready

    def may_point(self) -> bool:
        """True if a joint of it is selected, too."""
        return self.is_planned() and planning.picked_point(self._session) is not None

    def may_meet(self) -> bool:
        """True if a joint of another figure is selected besides."""
        return self.is_planned() and picked_two(self._session) is not None

    def may_find(self) -> bool:
        """True if no search goes on."""
        return self.is_planned() and not self._current.running

    def is_searching(self) -> bool:
        """True if one does."""
        return self._current.running

    def has_motion(self) -> bool:
        """True if a motion was found or come to."""
        return self.is_planned() and self._current.motion is not None

    def is_live(self) -> bool:
        """True if it is found anew after each change."""
        return self._current.live

    def has_chosen_part(self) -> bool:
        """True if a constraint, a meeting or a stage is chosen."""
        return self._current.may_change and self._current.chosen is not None

    def _ends(self) -> tuple[int, int] | None:
        actor = self._current.actor
        panel: TimelinePanel = self._window.docks["timeline"].widget()  # type: ignore[assignment]
        panel.refresh()
        times = sorted(
            {
                time
                for channel, times in panel.sheet.picked.items()
                if actor is not None and channel.actor == actor.id
                for time in times
            }
        )
        if len(times) >= 2:
            return times[0], times[-1]
        around = planning.keys_around(self._session)
        if around is None:
            self._session.note("note", NO_KEYS)
        return around


Do = SpacetimeCommands

ACTIONS: tuple[Action, ...] = (
    _Spacetime(id="spacetime.show", label="Show planned motion", call=Do.show, icon="leap"),
    _Spacetime(
        id="spacetime.plan_here", label="Plan motion from this pose", call=Do.plan_here, when=Do.may_plan,
        begins_group=True,
    ),
    _Spacetime(
        id="spacetime.plan_between", label="Plan motion between two keys", call=Do.plan_between, when=Do.may_plan,
        contexts=("key",),
    ),
    _Spacetime(
        id="spacetime.fill_between", label="Physical in-between of two keys", call=Do.fill_between, when=Do.may_plan,
        contexts=("key",),
    ),
    _Spacetime(
        id="spacetime.be_here", label="Be here then", call=Do.be_here, when=Do.is_planned, begins_group=True,
    ),
    _Spacetime(
        id="spacetime.point_here", label="This point here then", call=Do.point_here, when=Do.may_point, contexts=PART,
    ),
    _Spacetime(
        id="spacetime.velocity_here", label="This point so fast then", call=Do.velocity_here, when=Do.may_point,
    ),
    _Spacetime(
        id="spacetime.meet", label="These points meet then", call=Do.meet_here, when=Do.may_meet, contexts=PART,
    ),
    _Spacetime(
        id="spacetime.strike", label="These points push each other then", call=Do.strike_here, when=Do.may_meet,
        contexts=PART,
    ),
    _Spacetime(id="spacetime.add_stage", label="Add stage", call=Do.add_stage, when=Do.is_planned),
    _Spacetime(
        id="spacetime.find", label="Find motion", call=Do.find, icon="play", when=Do.may_find, begins_group=True,
    ),
    _Spacetime(id="spacetime.stop", label="Stop finding motion", call=Do.stop, when=Do.is_searching),
    _Spacetime(id="spacetime.compare", label="Compare minima", call=Do.compare, when=Do.may_find),
    _Spacetime(id="spacetime.keep", label="Keep this motion", call=Do.keep, when=Do.has_motion),
    _Spacetime(
        id="spacetime.live", label="Find motion after each change", call=Do.toggle_live, checked=Do.is_live,
    ),
    _Spacetime(
        id="spacetime.remove_chosen", label="Remove constraint, meeting, force or stage", call=Do.remove_chosen,
        when=Do.has_chosen_part, begins_group=True,
    ),
    _Spacetime(
        id="spacetime.remove", label="Remove planned motion", call=Do.remove, when=Do.is_planned,
    ),
)  # fmt: skip
