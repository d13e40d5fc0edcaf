"""Targets: what secondary motion is to meet, and when."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from app.features.action import PART, Action, Topic
from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.target_commands import draft_of, keep_change, may_meet
from app.timeline.changes import parts_of
from app.timeline.clip import tracks_of
from engine.edits import edit

if TYPE_CHECKING:
    from app.timeline.keys import Channel
    from app.timeline.panel import TimelinePanel

_Target = partial(Action, menu="Pose", submenu="Targets")


class TargetsCommands(Topic):
    """Of the figure that was selected last."""

    @property
    def _current_targets(self) -> CurrentTargets:
        return self._session.of(CurrentTargets)

    def reach_here(self) -> None:
        """Let what is selected be, at this time, where the keys have it; of a whole figure, its pose; the point of a
        carried body that was clicked, where it is."""
        self._current_targets.add_here()

    def meet(self) -> None:
        """Find the correction of the keys with which every target is met."""
        self._current_targets.meet()

    def meet_always(self) -> None:
        """Do so after each edit that touches targets."""
        self._current_targets.meet_always(not self._current_targets.automatic)

    def lead_by_hand(self) -> None:
        """Let a drag of a body that swings set a target at the playhead, or pose its keys; Ctrl does the other."""
        self._window.prefer(lead_by_hand=not self.leads_by_hand())

    def leads_by_hand(self) -> bool:
        """True if such a drag sets a target."""
        return self._window.switch("lead_by_hand")

    def aim_at_keys(self) -> None:
        """Let the figure be at every key where that has it."""
        self._current_targets.set_rule(None if self.at_keys() else "keys")

    def mark_keys(self) -> None:
        """Mark the keys that are chosen in the timeline, so that they are targets where marked keys are; or no more."""
        picked = self._picked
        if picked:
            self._session.do(edit("mark_chosen", chosen=parts_of(picked), mark=not self.are_marked()))

    def has_picked(self) -> bool:
        """True if keys of layers are chosen in the timeline."""
        return bool(self._picked)

    def are_marked(self) -> bool:
        """True if all keys that are chosen in the timeline are marked."""
        found = [
            key.mark
            for channel, times in self._picked.items()
            for key in tracks_of(self._session.document.actor(channel.actor), channel.layer)[channel.coordinate].keys
            if key.time in times
        ]
        return bool(found) and all(found)

    def keep(self) -> None:
        """Keep the working pose here as a null-space edit, around which the targets are met again."""
        keep_change(self._session)

    def remove(self) -> None:
        """Take the chosen target away."""
        self._current_targets.remove()

    def may_aim(self) -> bool:
        """True if there is a figure whose body follows its keys otherwise than exactly."""
        owner = self._current_targets.owner
        return owner is not None and owner.swings and not owner.frozen

    def may_reach(self) -> bool:
        """True if there is such a figure, or a point of what another one carries."""
        return self.may_aim() or (self._current_targets.spot is not None and self._session.engine_state.ready)

    def may_meet(self) -> bool:
        """True if the figure has targets that are to be met."""
        return self.may_aim() and may_meet(self._session)

    def has_chosen(self) -> bool:
        """True if a target is chosen."""
        return self.may_aim() and self._current_targets.target is not None

    def may_keep(self) -> bool:
        """True if there is a working pose here, of a figure with targets."""
        return draft_of(self._session) is not None

    def at_keys(self) -> bool:
        """True if every key is a target."""
        rule = self._current_targets.rule
        return rule is not None and rule.source == "keys"

    def meets_always(self) -> bool:
        """True if targets are met after each edit."""
        return self._current_targets.automatic

    @property
    def _picked(self) -> dict[Channel, frozenset[int]]:
        """The keys of layers that are chosen in the timeline, once it knows the document of now."""
        panel: TimelinePanel = self._window.docks["timeline"].widget()  # type: ignore[assignment]
        if not panel.sheet.picked:
            return {}  # menus ask after each change, and to read all keys anew takes milliseconds
        panel.refresh()
        layers = {(actor.id, layer.id) for actor in self._session.document.actors for layer in actor.layers}
        return {each: times for each, times in panel.sheet.picked.items() if times and each[:2] in layers}


Do = TargetsCommands

ACTIONS: tuple[Action, ...] = (
    _Target(
        id="targets.here", label="Reach this here", call=Do.reach_here, icon="crosshair", when=Do.may_reach,
        contexts=PART,
        begins_group=True,
    ),
    _Target(id="targets.meet", label="Meet targets", call=Do.meet, when=Do.may_meet),
    _Target(
        id="targets.always", label="Meet targets after each edit", call=Do.meet_always, checked=Do.meets_always,
        begins_group=True,
    ),
    _Target(
        id="targets.by_hand", label="Dragging a swinging body sets a target", call=Do.lead_by_hand,
        checked=Do.leads_by_hand,
    ),
    _Target(id="targets.keys", label="Every key is a target", call=Do.aim_at_keys, when=Do.may_aim, checked=Do.at_keys),
    _Target(
        id="targets.mark_keys", label="Mark keys as targets", call=Do.mark_keys, when=Do.has_picked,
        checked=Do.are_marked, contexts=("key",),
    ),
    _Target(id="targets.keep", label="Keep this change", call=Do.keep, when=Do.may_keep, begins_group=True),
    _Target(id="targets.remove", label="Remove target", call=Do.remove, when=Do.has_chosen, begins_group=True),
)  # fmt: skip
