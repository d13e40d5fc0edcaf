"""Actions of times other than the present: motion trails and onion skins."""

from __future__ import annotations

from typing import Any

from app.features.action import Action
from app.shell.actions.topic import ShellTopic
from engine.queries.trails import MOST_ONIONS

TIMES = "Trails and onion skins"


class OtherTimesCommands(ShellTopic):
    """The commands of times other than the present."""

    def toggle_trails(self) -> None:
        """Show the paths of what is selected: a dot for each frame, larger ones at keys, which can be dragged."""
        self._prefer(show_trails=not self.shows_trails())

    def shows_trails(self) -> bool:
        """True if motion trails are shown."""
        return self._window.preferences.show_trails

    def toggle_onions(self) -> None:
        """Show what is selected at frames or keys before and after the playhead."""
        self._prefer(show_onions=not self.shows_onions())

    def shows_onions(self) -> bool:
        """True if onion skins are shown."""
        return self._window.preferences.show_onions

    def toggle_all(self) -> None:
        """Show trails and onion skins of everything, or of what is selected alone."""
        self._prefer(times_of_all=not self.are_of_all())

    def are_of_all(self) -> bool:
        """True if they are of everything."""
        return self._window.preferences.times_of_all

    def toggle_short(self) -> None:
        """Let trails reach some frames to both sides of the playhead, or over all that is played."""
        self._prefer(trail_short=not self.are_short())

    def are_short(self) -> bool:
        """True if trails go with the playhead."""
        return self._window.preferences.trail_short

    def toggle_keys(self) -> None:
        """Let onion skins stand at keys, or at frames."""
        self._prefer(onions_by="frames" if self.are_at_keys() else "keys")

    def are_at_keys(self) -> bool:
        """True if onion skins stand at keys."""
        return self._window.preferences.onions_by == "keys"

    def show_more(self) -> None:
        """Show one onion skin more, before and after the playhead."""
        self._change_count(1)

    def show_fewer(self) -> None:
        """Show one onion skin fewer, before and after the playhead."""
        self._change_count(-1)

    def can_be_more(self) -> bool:
        """True if fewer onion skins are shown than there may be."""
        return min(self._counts) < MOST_ONIONS

    def can_be_fewer(self) -> bool:
        """True if onion skins are set."""
        return max(self._counts) > 0

    def set_up(self) -> None:
        """Set how many onion skins there are, how long trails are, and of what."""
        self._window.sheets.show_preferences("Trails and skins")

    @property
    def _counts(self) -> tuple[int, int]:
        kept = self._window.preferences
        return kept.onions_before, kept.onions_after

    def _change_count(self, by: int) -> None:
        before, after = (min(max(count + by, 0), MOST_ONIONS) for count in self._counts)
        self._prefer(onions_before=before, onions_after=after)

    def _prefer(self, **choices: Any) -> None:
        self._window.prefer(**choices)
        self._window.menus.refresh_soon()


Do = OtherTimesCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="view.show_trails", label="Motion trails", menu="View", call=Do.toggle_trails, submenu=TIMES,
        checked=Do.shows_trails,
    ),
    Action(
        id="view.show_onions", label="Onion skins", menu="View", call=Do.toggle_onions, submenu=TIMES,
        checked=Do.shows_onions,
    ),
    Action(
        id="view.times_of_all", label="Of everything, not only what is selected", menu="View", call=Do.toggle_all,
        submenu=TIMES, checked=Do.are_of_all, begins_group=True,
    ),
    Action(
        id="view.trails_short", label="Short trails, around the playhead", menu="View", call=Do.toggle_short,
        submenu=TIMES, checked=Do.are_short, begins_group=True,
    ),
    Action(
        id="view.onions_at_keys", label="Onion skins at keys", menu="View", call=Do.toggle_keys, submenu=TIMES,
        checked=Do.are_at_keys,
    ),
    Action(
        id="view.onions_more", label="More onion skins", menu="View", call=Do.show_more, submenu=TIMES,
        when=Do.can_be_more,
    ),
    Action(
        id="view.onions_fewer", label="Fewer onion skins", menu="View", call=Do.show_fewer, submenu=TIMES,
        when=Do.can_be_fewer,
    ),
    Action(
        id="view.times_settings", label="Settings…", menu="View", call=Do.set_up, submenu=TIMES, begins_group=True,
    ),
)  # fmt: skip
