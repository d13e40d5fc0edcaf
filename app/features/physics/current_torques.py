"""CurrentTorques: the torque curves of the actor whose physics a person looks at, and what is done with them."""

from __future__ import annotations

from PySide6.QtCore import QObject

from app.features.physics.state import PhysicsState
from app.session import Session
from engine.document import Dof, Key
from engine.document.values import new_id
from engine.edits import Edit, both, edit
from engine.physics.parts import KEYED, TorqueCurves

SELECT = "Select the joints whose torques are to be keyed: those with a hinge or a slide of their own."
NONE = TorqueCurves(id="none")


class CurrentTorques(QObject):
    """The torque curves that are seen."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self._session, self._state = session, session.of(PhysicsState)

    @property
    def curves(self) -> TorqueCurves | None:
        """Those of the actor that is meant, as they are on screen."""
        owner = self._state.owner
        return None if owner is None else owner.part(TorqueCurves)

    @property
    def is_on(self) -> bool:
        """True if they drive it."""
        return self.curves is not None and not self.curves.mute

    @property
    def may_key(self) -> bool:
        """True if joints of the actor that is meant are selected, or it has curves."""
        return self._state.may_change and bool(self._chosen)

    def drive(self, *, on: bool) -> None:
        """Let torque curves drive the actor that is meant, or not; its first ones are without keys."""
        owner = self._state.owner
        if owner is None:
            return
        if self.curves is None:
            self._session.do(self._first(owner.id))
        else:
            self._session.do(edit("set_torque_curves", actor=owner.id, mute=not on))

    def key_here(self) -> None:
        """Key the torques of the selected joints, or of all with a curve, at the playhead with what they are there."""
        owner, time = self._state.owner, self._session.playhead
        if owner is None or not self._chosen:
            self._session.note("note", SELECT)
            return
        from engine.queries.outline import Outline  # brings numpy

        tracks = {} if self.curves is None else self.curves.track_of
        values = {
            dof.id: Outline.of(tracks[dof.id]).value_at(time) if dof.id in tracks else 0.0 for dof in self._chosen
        }
        keyed = edit(
            "set_torque_keys", actor=owner.id, keys=tuple((dof, Key(time, each)) for dof, each in values.items())
        )
        self._session.do(keyed if self.curves is not None else both(self._first(owner.id), keyed))

    def remove(self) -> None:
        """Remove the curves."""
        owner = self._state.owner
        if owner is not None:
            self._session.do(edit("remove_torque_curves", actor=owner.id))

    def edit_curves(self, name: str, value: object) -> Edit | None:
        """Make the edit that sets something of the curves."""
        owner = self._state.owner
        return (
            None if owner is None or self.curves is None else edit("set_torque_curves", actor=owner.id, **{name: value})
        )

    @property
    def summary(self) -> str:
        """How many curves there are, in a word."""
        curves = self.curves
        if curves is None:
            return "none"
        count = len(curves.tracks)
        return "muted" if curves.mute else "1 curve" if count == 1 else f"{count} curves"

    def _first(self, actor: str) -> Edit:
        return edit("put_torque_curves", actor=actor, curves=TorqueCurves(id=new_id("torques")))

    @property
    def _chosen(self) -> list[Dof]:
        """The hinges and slides of the selected joints of the actor that is meant; of none selected, those with a
        curve."""
        owner, curves = self._state.owner, self.curves
        if owner is None:
            return []
        parts = {
            item.part for item in self._session.selection.items if item.actor == owner.id and item.part is not None
        }
        keyed = {} if curves is None else curves.track_of
        return [
            dof
            for joint in owner.figure.joints
            for dof in joint.dofs
            if dof.kind in KEYED and (joint.id in parts or (not parts and dof.id in keyed))
        ]
