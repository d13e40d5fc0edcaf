"""Poses."""

from __future__ import annotations

from app.shell.actions.action import Action, Topic
from engine.document import Actor
from engine.edits import edit

ACTIONS: tuple[Action, ...] = (
    Action(
        id="pose.reset", label="Reset pose", menu="Pose", call="reset_pose", keys=("Alt+R",), icon="rotate-ccw",
        when="has_pose", begins_group=True,
    ),
)  # fmt: skip


class PoseCommands(Topic):
    """Poses."""

    def reset_pose(self) -> None:
        """Back to rest: the figures that are selected, or all if nothing is."""
        for actor in self._posed():
            for layer in actor.layers:
                if layer.values:
                    self._session.do(edit("reset_pose", actor=actor.id, layer=layer.id))

    @property
    def has_pose(self) -> bool:
        """Whether there is a pose to reset."""
        return any(layer.values for actor in self._posed() for layer in actor.layers)

    def _posed(self) -> list[Actor]:
        chosen = {item.actor for item in self._session.selection.items}
        return [each for each in self._session.document.actors if not chosen or each.id in chosen]
