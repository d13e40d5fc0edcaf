"""FoundTorques: torques of motions that are found and not kept, as curves beside those of the document: other ones as a
search goes on, none once the motion is kept or gone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.features.spacetime.plan_rows import LaneChanges
from app.session.found_curves import FoundCurve, FoundCurves
from engine.document.ticks import TICKS_PER_SECOND

if TYPE_CHECKING:
    from app.session import Session
    from engine.spacetime.queries.seen_motion import SeenMotion

NAME = "found, not kept"
WHY = "{actor}: these torques are found and not kept. Keep, in the Spacetime panel, makes curves of them to be changed."


class FoundTorques(QObject):
    """Between the searches of one session and what shows curves."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._current = session, session.of(CurrentSpacetime)
        self._shown: tuple[SeenMotion, ...] = ()
        session.of(LaneChanges).changed.connect(self._follow)
        session.document_changed.connect(self._follow)

    def _follow(self, *_: object) -> None:
        motions = tuple(each for each in self._current.found if each.known_torques is not None)
        if motions != self._shown:
            self._shown = motions
            self._session.of(FoundCurves).show(tuple(curve for each in motions for curve in self._curves(each)))

    def _curves(self, motion: SeenMotion) -> Iterator[FoundCurve]:
        why = WHY.format(actor=self._session.shown.actor(motion.actor).name)
        for dof, torque in (motion.known_torques or {}).items():
            times = motion.start + motion.times * TICKS_PER_SECOND
            yield FoundCurve(actor=motion.actor, part=dof, name=NAME, why=why, times=times, values=torque)
