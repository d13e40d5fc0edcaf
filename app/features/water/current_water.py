"""CurrentWater: the tank that a person looks at, what the engine tells of it, and what is done with it.

It is that of the actor that was selected last; where none of these is a tank, the only one that there is.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from app.features.water.baking import WaterBaking
from app.session import Session
from app.session.following import follow_parts
from app.session.live_report import LiveReport
from engine.document import Actor
from engine.edits import Edit, edit
from engine.water.parts import WaterTank
from engine.water.queries.report import TankReport, report_tank

REPORT = "water report"  # key of the worker
EDITS = {
    **dict.fromkeys(("size", "planar", "resolution", "step", "start", "touches", "coupling"), "set_water_tank"),
    **dict.fromkeys(
        (
            "begins", "level", "block_length", "block_height", "drop_radius", "drop_height", "wave_height",
            "wave_length",
        ),
        "shape_water",
    ),
    **dict.fromkeys(("stroke", "period", "current", "ends"), "move_water"),
    **dict.fromkeys(("density", "viscosity", "advection", "surface", "spray", "keep_volume"), "set_water"),
    **dict.fromkeys(("shown", "slice", "slice_place", "arrows"), "show_water"),
}  # fmt: skip
"""Which edit sets which field of a tank."""


class CurrentWater(QObject):
    """The tank that is seen."""

    changed = Signal()
    reported = Signal()  # what the engine says of it is another

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session = session
        self._report = LiveReport(session, REPORT, "water", lambda: self.owner, report_tank)
        self._report.changed.connect(self.reported)
        self.watch = self._report.watch
        follow_parts(session, WaterTank, self._follow)
        session.snapshot_ready.connect(lambda _: self._report.ask(again=True))
        session.of(WaterBaking).told.connect(self._look_again)

    @property
    def report(self) -> TankReport | None:
        """The report of the engine on it."""
        return self._report.value

    @property
    def owner(self) -> Actor | None:
        """The actor that is meant, as it is on screen."""
        document = self._session.shown
        for item in reversed(self._session.selection.items):
            if item.actor in document.actor_index and document.actor(item.actor).part(WaterTank) is not None:
                return document.actor(item.actor)
        tanks = self._tanks
        return tanks[0] if len(tanks) == 1 else None

    @property
    def tank(self) -> WaterTank | None:
        """The tank that is meant."""
        owner = self.owner
        return None if owner is None else owner.part(WaterTank)

    @property
    def any(self) -> bool:
        """True if the scene has a tank."""
        return bool(self._tanks)

    @property
    def _tanks(self) -> list[Actor]:
        return [each for each in self._session.shown.actors if each.part(WaterTank) is not None]

    @property
    def may_change(self) -> bool:
        """True if there is one, not frozen."""
        owner = self.owner
        return owner is not None and not owner.frozen

    @property
    def is_baked(self) -> bool:
        """True if frames of it are on the disk."""
        return self.report is not None and self.report.baked > 0

    @property
    def baking(self) -> WaterBaking:
        """Its bakes."""
        return self._session.of(WaterBaking)

    def edit_tank(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets a field of the tank that is meant."""
        owner, tank = self.owner, self.tank
        if owner is None or tank is None:
            return None
        fitting = tank.fitting(value) if name == "begins" and isinstance(value, str) else {}
        return edit(EDITS[name], actor=owner.id, **{name: value}, **fitting)

    def begin_here(self) -> None:
        """Let the water stand still up to the playhead, and move from there."""
        owner = self.owner
        if owner is not None:
            self._session.do(edit("set_water_tank", actor=owner.id, start=self._session.playhead))

    def bake(self) -> None:
        """Keep the water of the frames that are played on the disk."""
        owner = self.owner
        if owner is not None:
            self.baking.bake(owner)

    def remove_bake(self) -> None:
        """Take them off the disk."""
        owner = self.owner
        if owner is not None:
            self.baking.remove(owner)

    # What the engine says

    def _follow(self) -> None:
        self.changed.emit()
        self._report.ask()

    def _look_again(self) -> None:
        """Show frames that a bake has made meanwhile."""
        self._report.ask(again=True)
        if not self.baking.running:
            self._session.request_picture()
        self.reported.emit()
