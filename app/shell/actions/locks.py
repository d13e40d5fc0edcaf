"""Locks: parts that are held while the rest moves."""

from __future__ import annotations

from app.session import actors
from app.shell.actions.action import Action, Topic
from engine.edits import edit

ACTIONS: tuple[Action, ...] = (
    *(
        Action(
            id=f"lock.{name}", label=f"Lock {name}", menu="Pose", call=f"lock_{name}", when="can_lock",
            icon="lock", submenu="Lock",
        )
        for name in ("position", "orientation", "both")
    ),
    Action(
        id="lock.off", label="Unlock", menu="Pose", call="unlock", when="has_locks", icon="lock-open",
        submenu="Lock",
    ),
)  # fmt: skip


class LocksCommands(Topic):
    """Locks: parts that are held while the rest moves."""

    def lock_position(self) -> None:
        """Hold the selected parts at the places where they stand."""
        self._lock("position")

    def lock_orientation(self) -> None:
        """Hold the selected parts turned as they are."""
        self._lock("orientation")

    def lock_both(self) -> None:
        """Hold the selected parts where they stand and turned as they are."""
        self._lock("both")

    def unlock(self) -> None:
        """Let the selected parts go."""
        for actor, joint in self._lockable():
            for lock in self._session.document.actor(actor).locks:
                if lock.joint == joint:
                    self._session.do(edit("remove_lock", actor=actor, lock=lock.id))

    def _lock(self, held: str) -> None:
        for actor, joint in self._lockable():
            self._session.work_out(actors.lock_here(self._session.document, actor, joint, held, self._session.playhead))

    @property
    def can_lock(self) -> bool:
        """Whether a part is selected."""
        return bool(self._lockable())

    @property
    def has_locks(self) -> bool:
        """Whether a selected part is held."""
        document = self._session.document
        return any(lock.joint == joint for actor, joint in self._lockable() for lock in document.actor(actor).locks)

    def _lockable(self) -> list[tuple[str, str]]:
        """The selected joints, each once; the one joint of a prop."""
        found = []
        for item in self._session.selection.items:
            figure = self._session.document.actor(item.actor).figure
            joint = item.part or (figure.joints[0].id if figure.is_prop else None)
            found += [(item.actor, joint)] if joint is not None else []
        return list(dict.fromkeys(found))
