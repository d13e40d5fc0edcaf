"""CurrentForces: the nodal forces of the soft body that is meant: which are chosen, and what is done with them."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.features.soft.current_plan import CurrentPlan
from app.features.soft.current_soft import CurrentSoft
from app.session import Session
from engine.document.values import new_id
from engine.edits import Edit, edit
from engine.soft.commands.put_forces import PutForces
from engine.soft.parts import NodalForces

REACH = 0.1  # [m]


class CurrentForces(QObject):
    """The nodal forces that are seen."""

    changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._soft, self._current = session, session.of(CurrentSoft), session.of(CurrentPlan)
        self._chosen = ""
        self.reach = REACH  # [m] around a point that was clicked
        self._soft.changed.connect(self.changed)

    @property
    def all(self) -> tuple[NodalForces, ...]:
        """All that there are of the body that is meant."""
        body = self._soft.body
        return () if body is None else body.forces

    @property
    def forces(self) -> NodalForces | None:
        """Those that are chosen: else the last ones."""
        known = self.all
        return next((each for each in known if each.id == self._chosen), known[-1] if known else None)

    @property
    def used(self) -> tuple[str, ...]:
        """Those that a plan may use."""
        plan = self._current.plan
        return tuple(each.id for each in self.all if plan.forces is None or each.id in plan.forces)

    @property
    def spot(self) -> int | None:
        """The point of the body that was clicked last, as a vertex of what is drawn of it."""
        owner, spot = self._soft.owner, self._session.spot
        return spot[1] if owner is not None and spot is not None and spot[0] == owner.id else None

    def mean(self, actor: str, vertex: int) -> None:
        """Mean a point of a body that was clicked, as a vertex of what is drawn of it."""
        self._session.spot = (actor, vertex)
        self.changed.emit()

    def choose(self, id: str) -> None:
        """Mean these."""
        if id != self._chosen:
            self._chosen = id
            self.changed.emit()

    def set_reach(self, reach: float) -> None:
        """Take points that are so far [m] from the one that was clicked."""
        self.reach = reach
        self.changed.emit()

    def put(self, *, everywhere: bool) -> None:
        """Put forces on all points, or on those near the one that was clicked."""
        owner, spot = self._soft.owner, None if everywhere else self.spot
        if owner is not None and (everywhere or spot is not None):
            self._chosen = new_id("forces")
            self._session.work_out(PutForces(id=self._chosen, actor=owner.id, spot=spot, reach=self.reach))

    def remove(self) -> None:
        """Take the chosen ones off the body."""
        found = self.forces
        if found is not None:
            self._do("remove_nodal_forces", forces=(found.id,))

    def clear(self) -> None:
        """Let the chosen ones do nothing."""
        found = self.forces
        if found is not None:
            self._do("set_nodal_values", forces=found.id)

    def use(self, forces: str, used: bool) -> None:
        """Let a plan use forces, or not."""
        wanted = {*self.used, forces} if used else set(self.used) - {forces}
        ids = tuple(each.id for each in self.all if each.id in wanted)
        self._do("set_planned_forces", forces=None if len(ids) == len(self.all) else ids)

    def edit_forces(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets an option of the chosen ones."""
        owner, found = self._soft.owner, self.forces
        if owner is None or found is None:
            return None
        return edit("set_nodal_forces", actor=owner.id, forces=found.id, **{name: value})

    def _do(self, name: str, **arguments: object) -> None:
        owner = self._soft.owner
        if owner is not None:
            self._session.do(edit(name, actor=owner.id, **arguments))
