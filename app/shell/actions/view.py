"""Views: where they look from and what they show."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from app.shell.actions.action import Action, Topic
from app.style.theme import THEME_LABELS

if TYPE_CHECKING:
    from app.scene import Viewport

ACTIONS: tuple[Action, ...] = (
    Action(
        id="view.maximise", label="Maximise view", menu="View", call="toggle_maximised", keys=("M", "Ctrl+Space"),
        when="has_view", icon="maximize-2", checked="is_maximised", begins_group=True,
    ),
    Action(
        id="view.frame_selected", label="Frame selected", menu="View", call="frame_selected", keys=("F",),
        when="has_view", icon="scan",
    ),
    Action(
        id="view.frame_all", label="Frame all", menu="View", call="frame_all", keys=("A", "Home"), when="has_view",
        icon="globe",
    ),
    *(
        Action(
            id=f"view.{name.lower()}", label=name, menu="View", call=f"look_{name.lower()}", keys=(key,),
            when="has_view", submenu="Look from",
        )
        for name, key in (
            ("Front", "1"), ("Back", "Ctrl+1"), ("Right", "3"), ("Left", "Ctrl+3"), ("Top", "7"), ("Bottom", "Ctrl+7")
        )
    ),
    Action(
        id="view.perspective", label="Perspective", menu="View", call="look_perspective", keys=("0",),
        when="has_view", submenu="Look from",
    ),
    Action(
        id="view.look_from_reference", label="The picture's camera", menu="View", call="look_from_reference",
        when="has_reference_camera", submenu="Look from",
    ),
    Action(
        id="view.orthographic", label="Without perspective", menu="View", call="toggle_orthographic", keys=("5",),
        when="has_view", submenu="Look from", checked="is_orthographic", begins_group=True,
    ),
    *(
        Action(
            id=f"view.{name.lower()}", label=name, menu="View", call=f"show_{name.lower()}", keys=(key,),
            when="has_view", submenu="Show figures as", checked=f"is_{name.lower()}",
        )
        for name, key in (("Mannequin", "Alt+1"), ("Skin", "Alt+2"), ("Bones", "Alt+3"), ("Lines", "Alt+4"))
    ),
    *(
        Action(
            id=f"view.theme_{name}", label=label, menu="View", call=f"use_{name}", checked=f"uses_{name}",
            submenu="Theme", begins_group=name == "dark",
        )
        for name, label in THEME_LABELS.items()
    ),
    Action(
        id="view.smooth_auto", label="Automatic", menu="View", call="smooth_automatically",
        submenu="Smooth edges", checked="is_smooth_auto",
    ),
    Action(
        id="view.smooth_on", label="On", menu="View", call="smooth_always", submenu="Smooth edges",
        checked="is_smooth_on",
    ),
    Action(
        id="view.smooth_off", label="Off", menu="View", call="smooth_never", submenu="Smooth edges",
        checked="is_smooth_off",
    ),
)  # fmt: skip


class ViewCommands(Topic):
    """Views: where they look from and what they show."""

    @property
    def _view(self) -> Viewport:
        return self._window.view

    @property
    def has_view(self) -> bool:
        """Whether the viewport is there yet."""
        return self._window.viewport is not None

    def toggle_maximised(self) -> None:
        """The view under the pointer over the whole picture, or all four."""
        self._view.toggle_maximised(self._view.view_under_pointer())

    @property
    def is_maximised(self) -> bool:
        """Whether one view fills the picture."""
        return self.has_view and self._view.maximised is not None

    def frame_selected(self) -> None:
        """Bring what is selected into view; everything if nothing is."""
        self._view.frame(self._window.selected_bodies() or None)

    def frame_all(self) -> None:
        """Bring everything into view."""
        self._view.frame()

    def look_front(self) -> None:
        """Look at the front."""
        self._look("Front")

    def look_back(self) -> None:
        """Look at the back."""
        self._look("Back")

    def look_right(self) -> None:
        """Look from the right."""
        self._look("Right")

    def look_left(self) -> None:
        """Look from the left."""
        self._look("Left")

    def look_top(self) -> None:
        """Look from above."""
        self._look("Top")

    def look_bottom(self) -> None:
        """Look from below."""
        self._look("Bottom")

    def look_from_reference(self) -> None:
        """Look with perspective from the camera that the chosen reference stands behind."""
        self._session.references.look_from_camera()

    @property
    def has_reference_camera(self) -> bool:
        """Whether a reference that stands behind a camera is chosen."""
        references = self._session.references
        found = references.find(references.chosen, self._session.document)
        return self.has_view and found is not None and found.facing == "camera"

    def look_perspective(self) -> None:
        """Look from the front and a little aside, with perspective, as a new scene does."""
        from app.scene.panes import PERSPECTIVE, first_cameras

        view, first = self._view.view_under_pointer(), first_cameras()[PERSPECTIVE]
        self._view.move_camera(
            view,
            replace(self._view.cameras[view], azimuth=first.azimuth, elevation=first.elevation, orthographic=False),
        )

    def _look(self, direction: str) -> None:
        self._view.look_from(self._view.view_under_pointer(), direction)

    def toggle_orthographic(self) -> None:
        """With or without perspective, in the view under the pointer."""
        view = self._view.view_under_pointer()
        self._view.set_orthographic(view, not self._view.cameras[view].orthographic)

    @property
    def is_orthographic(self) -> bool:
        """Whether the active view is without perspective."""
        return self.has_view and self._view.cameras[self._view.active].orthographic

    def show_mannequin(self) -> None:
        """Figures as their shapes, in all views."""
        self._view.set_display("mannequin")

    def show_skin(self) -> None:
        """Figures in their skins, in all views."""
        self._view.set_display("skin")

    def show_bones(self) -> None:
        """Figures as bones between their joints, in all views."""
        self._view.set_display("bones")

    def show_lines(self) -> None:
        """Figures as lines between their joints, in all views."""
        self._view.set_display("lines")

    @property
    def is_mannequin(self) -> bool:
        """Whether the active view shows shapes."""
        return self._displays("mannequin")

    @property
    def is_skin(self) -> bool:
        """Whether the active view shows skins."""
        return self._displays("skin")

    @property
    def is_bones(self) -> bool:
        """Whether the active view shows bones."""
        return self._displays("bones")

    @property
    def is_lines(self) -> bool:
        """Whether the active view shows lines."""
        return self._displays("lines")

    def _displays(self, display: str) -> bool:
        return self.has_view and self._view.displays[self._view.active] == display

    def use_dark(self) -> None:
        """Light text on dark grounds."""
        self._window.prefer(theme="dark")

    def use_light(self) -> None:
        """Dark text on light grounds."""
        self._window.prefer(theme="light")

    def use_contrast(self) -> None:
        """White on black, with lines that are seen."""
        self._window.prefer(theme="contrast")

    @property
    def uses_dark(self) -> bool:
        """Whether the dark theme is on."""
        return self._window.preferences.theme == "dark"

    @property
    def uses_light(self) -> bool:
        """Whether the light theme is on."""
        return self._window.preferences.theme == "light"

    @property
    def uses_contrast(self) -> bool:
        """Whether the theme of high contrast is on."""
        return self._window.preferences.theme == "contrast"

    def smooth_automatically(self) -> None:
        """Smooth edges where the drawing is quick enough."""
        self._smooth("auto")

    def smooth_always(self) -> None:
        """Smooth edges always."""
        self._smooth("on")

    def smooth_never(self) -> None:
        """Plain edges always."""
        self._smooth("off")

    def _smooth(self, choice: str) -> None:
        if choice != self._window.preferences.anti_aliasing:
            self._window.prefer(anti_aliasing=choice)
            self._session.note("note", "Smooth edges change with the next start.")

    @property
    def is_smooth_auto(self) -> bool:
        """Whether the program chooses."""
        return self._window.preferences.anti_aliasing == "auto"

    @property
    def is_smooth_on(self) -> bool:
        """Whether edges are always smooth."""
        return self._window.preferences.anti_aliasing == "on"

    @property
    def is_smooth_off(self) -> bool:
        """Whether edges are never smooth."""
        return self._window.preferences.anti_aliasing == "off"
