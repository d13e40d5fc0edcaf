"""Views: where they look from and what they show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from app.features.action import Action
from app.shell.actions.topic import ShellTopic
from app.style.theme import THEME_LABELS

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.scene.displays import Display

SIDES = {
    "at the front": ("Front", "1"), "at the back": ("Back", "Ctrl+1"), "from the right": ("Right", "3"),
    "from the left": ("Left", "Ctrl+3"), "from above": ("Top", "7"), "from below": ("Bottom", "Ctrl+7"),
}  # fmt: skip
FORMS: dict[str, tuple[Display, str]] = {
    "as their shapes": ("mannequin", "Alt+1"), "in their skins": ("skin", "Alt+2"),
    "as bones between their joints": ("bones", "Alt+3"), "as lines between their joints": ("lines", "Alt+4"),
    "in translucent skins over their shapes and muscles": ("translucent", "Alt+5"),
}  # fmt: skip
_SEEN = {
    "dark": "Light text on dark grounds.",
    "light": "Dark text on light grounds.",
    "contrast": "White on black, with lines that are seen.",
}


class ViewCommands(ShellTopic):
    """Views: where they look from and what they show."""

    @property
    def _view(self) -> Viewport:
        return self._window.view

    def has_view(self) -> bool:
        """True if the viewport is there yet."""
        return self._window.viewport is not None

    def toggle_maximised(self) -> None:
        """Show the view under the pointer over the whole picture, or all four."""
        self._view.toggle_maximised(self._view.view_under_pointer())

    def is_maximised(self) -> bool:
        """True if one view fills the picture."""
        return self.has_view() and self._view.maximised is not None

    def frame_selected(self) -> None:
        """Bring what is selected into view; everything if nothing is."""
        self._view.frame(self._window.selected_bodies() or None)

    def frame_all(self) -> None:
        """Bring everything into view."""
        self._view.frame()

    def look(self, *, side: str) -> None:
        """Look {side}."""
        self._view.look_from(self._view.view_under_pointer(), SIDES[side][0])

    def look_from_reference(self) -> None:
        """Look with perspective from the camera that the chosen reference stands behind."""
        self._session.references.look_from_camera()

    def has_reference_camera(self) -> bool:
        """True if a reference that stands behind a camera is chosen."""
        references = self._session.references
        found = references.find(references.chosen, self._session.document)
        return self.has_view() and found is not None and found.facing == "camera"

    def look_perspective(self) -> None:
        """Look from the front and a little aside, with perspective, as a new scene does."""
        from app.scene.panes import PERSPECTIVE, first_cameras

        view, first = self._view.view_under_pointer(), first_cameras()[PERSPECTIVE]
        self._view.move_camera(
            view,
            replace(self._view.cameras[view], azimuth=first.azimuth, elevation=first.elevation, orthographic=False),
        )

    def toggle_orthographic(self) -> None:
        """With or without perspective, in the view under the pointer."""
        view = self._view.view_under_pointer()
        self._view.set_orthographic(view, not self._view.cameras[view].orthographic)

    def is_orthographic(self) -> bool:
        """True if the active view is without perspective."""
        return self.has_view() and self._view.cameras[self._view.active].orthographic

    def show(self, *, form: str) -> None:
        """Figures {form}, in all views."""
        self._view.set_display(FORMS[form][0])

    def shows(self, *, form: str) -> bool:
        """True if the active view shows figures so."""
        return self.has_view() and self._view.displays[self._view.active] == FORMS[form][0]

    def use(self, *, theme: str) -> None:
        """Show the window in other colours."""
        self._window.prefer(theme=theme)

    def uses(self, *, theme: str) -> bool:
        """True if that theme is on."""
        return self._window.preferences.theme == theme

    def smooth(self, *, choice: str) -> None:
        """Smooth edges so from the next start on."""
        if choice != self._window.preferences.anti_aliasing:
            self._window.prefer(anti_aliasing=choice)
            self._session.note("note", "Smooth edges change with the next start.")

    def smooths(self, *, choice: str) -> bool:
        """True if that anti-aliasing is chosen."""
        return self._window.preferences.anti_aliasing == choice


Do = ViewCommands

ACTIONS: tuple[Action, ...] = (
    Action(
        id="view.maximise", label="Maximise view", menu="View", call=Do.toggle_maximised, keys=("M", "Ctrl+Space"),
        when=Do.has_view, icon="maximize-2", checked=Do.is_maximised, begins_group=True,
    ),
    Action(
        id="view.frame_selected", label="Frame selected", menu="View", call=Do.frame_selected, keys=("F",),
        when=Do.has_view, icon="scan",
    ),
    Action(
        id="view.frame_all", label="Frame all", menu="View", call=Do.frame_all, keys=("A", "Home"), when=Do.has_view,
        icon="globe",
    ),
    *(
        Action(
            id=f"view.{name.lower()}", label=name, menu="View", call=partial(Do.look, side=side), keys=(key,),
            when=Do.has_view, submenu="Look from",
        )
        for side, (name, key) in SIDES.items()
    ),
    Action(
        id="view.perspective", label="Perspective", menu="View", call=Do.look_perspective, keys=("0",),
        when=Do.has_view, submenu="Look from",
    ),
    Action(
        id="view.look_from_reference", label="Reference camera", menu="View", call=Do.look_from_reference,
        when=Do.has_reference_camera, submenu="Look from",
    ),
    Action(
        id="view.orthographic", label="Orthographic", menu="View", call=Do.toggle_orthographic, keys=("5",),
        when=Do.has_view, submenu="Look from", checked=Do.is_orthographic, begins_group=True,
    ),
    *(
        Action(
            id=f"view.{name}", label=name.capitalize(), menu="View", call=partial(Do.show, form=form), keys=(key,),
            when=Do.has_view, submenu="Show figures as", checked=partial(Do.shows, form=form),
        )
        for form, (name, key) in FORMS.items()
    ),
    *(
        Action(
            id=f"view.theme_{name}", label=label, menu="View", call=partial(Do.use, theme=name),
            checked=partial(Do.uses, theme=name), submenu="Theme", begins_group=name == "dark",
            about=_SEEN[name],
        )
        for name, label in THEME_LABELS.items()
    ),
    *(
        Action(
            id=f"view.smooth_{name}", label=label, menu="View", call=partial(Do.smooth, choice=name),
            checked=partial(Do.smooths, choice=name), submenu="Smooth edges", about=about,
        )
        for name, label, about in (
            ("auto", "Automatic", "Smooth edges where the drawing is quick enough."),
            ("on", "On", "Smooth edges always."),
            ("off", "Off", "Plain edges always."),
        )
    ),
)  # fmt: skip
