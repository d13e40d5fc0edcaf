"""MeantTargets: what the timeline asks of whatever meets targets of motion. Of a session without one, nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from engine.edits import Edit, edit

if TYPE_CHECKING:
    from engine.document import Target
    from engine.targets.commands.meet_targets import MeetTargets, TargetMet


class MeantTargets(QObject):
    """The targets of the figure that a person looks at, and how they were met last."""

    changed = Signal()  # the actor, its targets, which is chosen, or how they are met
    automatic = False  # whether they are met after each edit

    @property
    def targets(self) -> tuple[Target, ...]:
        """The figure's targets."""
        return ()

    @property
    def target(self) -> Target | None:
        """The one that is chosen."""
        return None

    @property
    def chosen(self) -> str | None:
        """The id of the one that is chosen, whether or not it is there."""
        return None

    def reports_of(self, target: str) -> tuple[TargetMet, ...]:
        """List the results of a target; one that stands for many has one at each of its times. Empty after a change."""
        return ()

    def choose(self, target: str | None, *, in_hand: bool = False) -> None:
        """Choose a target, or none; one that is `in_hand` is what Delete takes away."""

    def seen_target(self, actor: str, target: str) -> Target | None:
        """Return a target of an actor as it is on screen, with what a drag before this one is about to keep."""
        return None

    def dragged(
        self, actor: str, target: Target, *, ends: bool = False, meets: bool = False, layer: str = ""
    ) -> Edit | MeetTargets:
        """Make the command that puts a target into the place of the one of that id while a person drags it."""
        return edit("place_target", actor=actor, target=target)
