"""Blend shapes: weights of a surface's shapes, its secondary motion, and the targets that it meets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Actions, Dock, Feature
from app.features.shapes.actions import ACTIONS, ADDING, AddSurfaceCommands, ShapesCommands
from app.features.shapes.current_surface import CurrentSurface
from app.features.shapes.panel import ShapesPanel
from app.features.shapes.rows import ShapeRows

if TYPE_CHECKING:
    from app.features.window import Window


def _begin(window: Window) -> None:
    window.session.of(CurrentSurface).changed.connect(window.refresh_actions)


FEATURE = Feature(
    name="shapes",
    docks=(Dock("shapes", ShapesPanel.title, "right", ShapesPanel, "smile"),),
    actions=(Actions(ACTIONS, ShapesCommands, 178), Actions(ADDING, AddSurfaceCommands, 42)),
    states=(CurrentSurface,),
    begin=_begin,
    rows=(ShapeRows,),
)
