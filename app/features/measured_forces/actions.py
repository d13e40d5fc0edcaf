"""Measured forces: put on a figure from a file, taken off it, seen."""

from __future__ import annotations

from pathlib import Path

from app.features.action import Action, Topic
from engine.document.capture import MarkerGaps
from engine.document.measured_forces import MeasuredForces
from engine.edits import edit
from engine.measured_forces.commands.reduce import usual_time
from engine.measured_forces.commands.take import TakeForces


class MeasuredForceCommands(Topic):
    """Of the selected figure; of the first one, where none is. Captured markers are none."""

    def take(self) -> None:
        """Put the forces of the ground in a file (MOT, STO, C3D) on the figure, each on the foot that is nearest."""
        owner = self._figure()
        if owner is not None:
            self._window.asking.choose_motion(lambda path: self._take(path, owner))

    def remove(self) -> None:
        """Take all measured forces off the figure."""
        owner = self._figure()
        if owner is not None:
            self._session.do(edit("remove_measured_forces", actor=owner))

    def reduce(self) -> None:
        """Change the motion of the figure a little, so that less is left at its root than measured forces give."""
        from app.features.measured_forces.reducing import ReductionSheet

        owner = self._figure()
        if owner is not None:
            ReductionSheet(self._window, self._session, self._session.document.actor(owner)).show()

    def may_reduce(self) -> bool:
        """True if forces were measured on the figure while it moves, and the engine is ready."""
        owner = self._figure()
        moving = owner is not None and usual_time(self._session.document.actor(owner)) is not None
        return moving and self._session.engine_state.ready

    def has_figure(self) -> bool:
        """True if there is a figure to put forces on."""
        return self._figure() is not None

    def has_forces(self) -> bool:
        """True if forces were measured on the figure."""
        owner = self._figure()
        return owner is not None and self._session.document.actor(owner).part(MeasuredForces) is not None

    def _take(self, path: Path, owner: str) -> None:
        if owner in self._session.document.actor_index:
            self._session.work_out(TakeForces(actor=owner, path=path))

    def _figure(self) -> str | None:
        actors = self._session.document.actors
        moving = [each for each in actors if not (each.figure.is_prop or each.frozen)]
        bodies = [each.id for each in moving if each.part(MarkerGaps) is None]
        chosen = [item.actor for item in self._session.selection.items]
        return next((id for id in (*chosen, *bodies) if id in bodies), None)


class ShowingMeasured(Topic):
    """The measured forces in the views."""

    def toggle(self) -> None:
        """Show measured forces as arrows where they act, 1 mm for each newton, or hide them."""
        self._window.prefer(show_measured=not self.is_shown())

    def is_shown(self) -> bool:
        """True if measured forces are drawn."""
        return self._window.switch("show_measured")


Do = MeasuredForceCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="measured_forces.take", label="Put measured forces on the figure…", menu="Animate", submenu="Muscles",
        call=Do.take, when=Do.has_figure, begins_group=True,
    ),
    Action(
        id="measured_forces.reduce", label="Reduce residuals…", menu="Animate", submenu="Muscles", call=Do.reduce,
        when=Do.may_reduce, contexts=("actor",),
    ),
    Action(
        id="measured_forces.remove", label="Remove measured forces", menu="Animate", submenu="Muscles", call=Do.remove,
        when=Do.has_forces, contexts=("actor",),
    ),
)  # fmt: skip

SHOWING: tuple[Action, ...] = (
    Action(
        id="view.show_measured", label="Measured forces", menu="View", submenu="Show", call=ShowingMeasured.toggle,
        checked=ShowingMeasured.is_shown,
    ),
)  # fmt: skip
