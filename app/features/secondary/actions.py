"""Secondary motion: how the body of the selected actor follows its keys."""

from __future__ import annotations

from functools import partial

from app.features.action import PART, Action, Topic
from app.features.secondary.current_secondary import CurrentSecondary
from app.features.secondary.target_commands import bake

_Secondary = partial(Action, menu="Pose", submenu="Secondary motion")


class SecondaryCommands(Topic):
    """Of the selected actor; a preset of its selected joints, or of all."""

    @property
    def _current(self) -> CurrentSecondary:
        return self._session.of(CurrentSecondary)

    def show(self) -> None:
        """Show how the selected actor's body follows its keys."""
        self._window.show_panel("secondary")

    def toggle(self) -> None:
        """Let the body follow its keys as one with weight does, or exactly."""
        self._current.switch()

    def relax(self) -> None:
        """Let limbs trail and swing a little."""
        self._current.take_preset("relaxed")

    def tense(self) -> None:
        """Let everything follow at once."""
        self._current.take_preset("tense")

    def tire(self) -> None:
        """Let all give way to its weight."""
        self._current.take_preset("tired")

    def bake(self) -> None:
        """Make what is seen a layer of the figure's own, frame by frame, and switch secondary motion off."""
        bake(self._session)

    def may_bake(self) -> bool:
        """True if a body follows its keys otherwise than exactly."""
        return self.may_swing() and self.is_on()

    def is_on(self) -> bool:
        """True if the body follows otherwise than exactly."""
        return self._current.secondary.on

    def may_swing(self) -> bool:
        """True if something of the actor could trail behind."""
        owner = self._current.owner
        return owner is not None and not owner.frozen and self._current.may_swing


Do = SecondaryCommands

ACTIONS: tuple[Action, ...] = (
    _Secondary(
        id="secondary.show", label="Show secondary motion", call=Do.show, icon="waves", keys=("Ctrl+Alt+W",),
        contexts=PART, begins_group=True,
    ),
    _Secondary(
        id="secondary.toggle", label="Enable secondary motion", call=Do.toggle, when=Do.may_swing,
        checked=Do.is_on, begins_group=True,
    ),
    _Secondary(id="secondary.relaxed", label="Relaxed", call=Do.relax, when=Do.may_swing, begins_group=True),
    _Secondary(id="secondary.tense", label="Tense", call=Do.tense, when=Do.may_swing),
    _Secondary(id="secondary.tired", label="Tired", call=Do.tire, when=Do.may_swing),
    _Secondary(id="secondary.bake", label="Bake secondary motion", call=Do.bake, when=Do.may_bake, begins_group=True),
)  # fmt: skip
