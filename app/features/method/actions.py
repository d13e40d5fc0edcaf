"""Dragging: how far up a figure a drag may bend it (Welman 1993, 6.2)."""

from __future__ import annotations

from functools import partial

from app.features.action import PART, Action, Topic
from app.session import Item

_Chain = partial(Action, menu="Pose", submenu="A drag moves")


class DraggingCommands(Topic):
    """The commands of IK drags: the chain that a drag may bend."""

    def usual(self) -> None:
        """Move the limb, and the whole figure once a part of it is pinned."""
        self._window.prefer(extent="usual")

    def part(self) -> None:
        """Move the part alone that is dragged."""
        self._window.prefer(extent="part")

    def branch(self) -> None:
        """Move the limb up to where it branches off."""
        self._window.prefer(extent="branch")

    def joint(self) -> None:
        """Move all up to the joint at which the chain ends."""
        self._window.prefer(extent="joint")

    def whole(self) -> None:
        """Move the whole figure with its root."""
        self._window.prefer(extent="whole")

    def end_here(self) -> None:
        """Let a drag move all from the selected part to what is dragged."""
        for item in self._parts():
            self._session.reaching.end_chain_at(item.actor, item.part)
        self._window.prefer(extent="joint")

    def clear_end(self) -> None:
        """Let drags move what they usually do."""
        for actor in tuple(self._session.reaching.chain_ends):
            self._session.reaching.end_chain_at(actor, None)
        self._window.prefer(extent="usual")

    def is_usual(self) -> bool:
        """True if a drag bends the usual chain."""
        return self._extent == "usual"

    def is_part(self) -> bool:
        """True if a drag moves the part alone."""
        return self._extent == "part"

    def is_branch(self) -> bool:
        """True if a drag bends the branch."""
        return self._extent == "branch"

    def is_joint(self) -> bool:
        """True if a drag bends the figure up to a joint."""
        return self._extent == "joint"

    def is_whole(self) -> bool:
        """True if a drag bends the whole figure."""
        return self._extent == "whole"

    def has_end(self) -> bool:
        """True if an end is set for a chain."""
        reaching = self._session.reaching
        return any(reaching.chain_end(actor) is not None for actor in reaching.chain_ends)

    def has_part(self) -> bool:
        """True if a part of a figure is selected."""
        return bool(self._parts())

    @property
    def _extent(self) -> str:
        return self._session.reaching.terms.extent

    def _parts(self) -> list[Item]:
        return [item for item in self._session.selection.items if item.part is not None and item.added is None]


Do = DraggingCommands

ACTIONS: tuple[Action, ...] = (
    _Chain(
        id="pose.chain_usual", label="Automatic: the limb, or all once something is pinned", call=Do.usual,
        checked=Do.is_usual, begins_group=True,
    ),
    _Chain(id="pose.chain_part", label="The part alone", call=Do.part, checked=Do.is_part),
    _Chain(id="pose.chain_branch", label="The limb, up to its branch", call=Do.branch, checked=Do.is_branch),
    _Chain(
        id="pose.chain_joint", label="Up to where the chain ends", call=Do.joint, checked=Do.is_joint, when=Do.has_end,
    ),
    _Chain(id="pose.chain_whole", label="The whole figure", call=Do.whole, checked=Do.is_whole),
    _Chain(
        id="pose.chain_end", label="Chain ends here", call=Do.end_here, when=Do.has_part, contexts=PART,
        begins_group=True,
    ),
    _Chain(id="pose.chain_clear", label="Chain ends as usual", call=Do.clear_end, when=Do.has_end),
)  # fmt: skip
