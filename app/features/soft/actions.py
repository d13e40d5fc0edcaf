"""Soft bodies: where they begin, what is kept of them, and how they are drawn."""

from __future__ import annotations

from functools import partial

from app.features.action import PART, Action, Topic
from app.features.soft.current_soft import CurrentSoft
from app.features.soft.shown import COLOURS, ShownSoft

_Soft = partial(Action, menu="Animate", submenu="Soft body")
_Colour = partial(Action, menu="View", submenu="Colour of soft bodies")


class SoftCommands(Topic):
    """Of the selected soft body."""

    @property
    def _state(self) -> CurrentSoft:
        return self._session.of(CurrentSoft)

    def show(self) -> None:
        """Show what the selected soft body is made of."""
        self._window.show_panel("soft")

    def begin_here(self) -> None:
        """Let the soft body stand as it is placed up to the playhead, and be simulated from there."""
        self._state.begin_here()

    def suggest_window(self) -> None:
        """Step the soft body over a window before each time, as long as what went before can be seen."""
        self._state.suggest_window()

    def may_suggest(self) -> bool:
        """True if the selected soft body is attached, and the engine is ready."""
        return self._state.may_suggest and self._session.engine_state.ready

    def bake(self) -> None:
        """Keep the frames that are played, as they are simulated."""
        self._state.bake()

    def bake_up_to_here(self) -> None:
        """Keep the frames up to the playhead, and simulate the soft body on from there."""
        self._state.bake_up_to_here()

    def remove_bake(self) -> None:
        """Simulate the soft body again from its start."""
        self._state.remove_bake()

    def remove_pulls(self) -> None:
        """Let the soft body move as if no hand had pulled it."""
        self._state.remove_pulls()

    def may_change(self) -> bool:
        """True if a soft body is selected that is not frozen."""
        return self._state.may_change

    def may_bake(self) -> bool:
        """True if a soft body is selected that is neither baked nor frozen, and the engine is ready."""
        return self._state.may_change and not self._state.is_baked and self._session.engine_state.ready

    def is_baked(self) -> bool:
        """True if the selected soft body is baked, and not frozen."""
        return self._state.may_change and self._state.is_baked

    def was_pulled(self) -> bool:
        """True if hands pulled the selected soft body, and it is not frozen."""
        body = self._state.body
        return self._state.may_change and body is not None and bool(body.pulls)


class ShowingSoftCommands(Topic):
    """How soft bodies are drawn."""

    @property
    def _shown(self) -> ShownSoft:
        return self._session.of(ShownSoft)

    def colour_by(self, *, colour: str) -> None:
        """Colour soft bodies by a quantity."""
        self._shown.choose(colour)

    def is_coloured_by(self, *, colour: str) -> bool:
        """True if that is their colour."""
        return self._shown.colour == colour

    def toggle_inside(self) -> None:
        """Draw soft bodies translucent, so that splines and bones inside are seen, or solid."""
        self._shown.open_up(not self._shown.see_inside)

    def sees_inside(self) -> bool:
        """True if they are translucent."""
        return self._shown.see_inside


Do = SoftCommands
Show = ShowingSoftCommands

ACTIONS: tuple[Action, ...] = (
    _Soft(id="soft.show", label="Show soft body", call=Do.show, icon="waves", contexts=PART, begins_group=True),
    _Soft(
        id="soft.begin_here", label="Start at the playhead", call=Do.begin_here, when=Do.may_change, begins_group=True,
    ),
    _Soft(
        id="soft.suggest_window", label="Step over the suggested window", call=Do.suggest_window, when=Do.may_suggest,
    ),
    _Soft(id="soft.remove_pulls", label="Remove pulls by hand", call=Do.remove_pulls, when=Do.was_pulled),
    _Soft(id="soft.bake", label="Bake soft body", call=Do.bake, when=Do.may_bake, begins_group=True),
    _Soft(id="soft.bake_here", label="Bake up to the playhead", call=Do.bake_up_to_here, when=Do.may_bake),
    _Soft(id="soft.remove_bake", label="Remove bake of soft body", call=Do.remove_bake, when=Do.is_baked),
)  # fmt: skip

SHOWING: tuple[Action, ...] = (
    Action(
        id="view.see_inside", label="Inside of soft bodies", menu="View", submenu="Show", call=Show.toggle_inside,
        checked=Show.sees_inside,
    ),
    *(
        _Colour(
            id=f"view.colour_{name or 'plain'}", label=label, call=partial(Show.colour_by, colour=name),
            checked=partial(Show.is_coloured_by, colour=name), about=about,
        )
        for name, label, about in COLOURS
    ),
)  # fmt: skip
