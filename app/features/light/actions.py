"""Light: shown in its panel, set up as a studio, or as the views have it."""

from __future__ import annotations

from functools import partial

from app.features.action import Action, Topic
from app.features.light.state import LightState

_Light = partial(Action, menu="View", submenu="Light")


class LightCommands(Topic):
    """Of the scene."""

    @property
    def _state(self) -> LightState:
        return self._session.of(LightState)

    def show(self) -> None:
        """Show the lights of the scene, its background and floor, and the colour of what is selected."""
        self._window.show_panel("light")

    def set_studio(self) -> None:
        """Light the scene from beside the camera, over a grey floor that fades into the background."""
        self._state.set_studio()

    def remove(self) -> None:
        """Take the scene's own lights away: the key goes with each view, the background is the theme's."""
        self._state.switch(on=False)

    def has_own(self) -> bool:
        """True if the scene has lights of its own."""
        return self._state.own is not None


Do = LightCommands
ACTIONS: tuple[Action, ...] = (
    _Light(id="light.show", label="Show light", call=Do.show, icon="sun"),
    _Light(id="light.studio", label="Studio", call=Do.set_studio),
    _Light(id="light.remove", label="As the views have it", call=Do.remove, when=Do.has_own),
)
