"""Cameras: views that follow a figure."""

from __future__ import annotations

from app.features.action import Action, Topic
from app.features.cameras.following import FollowingViews


class FollowingCommands(Topic):
    """Views that go along with a figure."""

    def toggle_following(self) -> None:
        """Keep the selected figure's root in the middle of the active view while it moves, or let the view stand."""
        self._window.of(FollowingViews).toggle(self._window.view.active)

    def is_following(self) -> bool:
        """True if the active view follows a figure."""
        return self.has_view() and self._window.of(FollowingViews).follows(self._window.view.active)

    def can_follow(self) -> bool:
        """True if something is selected that the view can follow, or it does."""
        return self.has_view() and (bool(self._session.selection) or self.is_following())

    def has_view(self) -> bool:
        """True if there is a 3D picture."""
        return self._window.viewport is not None


Do = FollowingCommands

FOLLOWING: tuple[Action, ...] = (
    Action(
        id="view.follow", label="Follow selected figure", menu="View", call=Do.toggle_following, when=Do.can_follow,
        checked=Do.is_following, icon="crosshair", begins_group=True,
    ),
)  # fmt: skip
