"""Picture: everything that is drawn with OpenGL. Knows no widget; the canvas's context must be current."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.camera import Array
from app.scene.extent import Part, bounds_of
from app.scene.gl import Indices, Target, clear, draw_into
from app.scene.look import Look, rgb
from app.scene.panes import Shot
from app.scene.visuals.backdrop import BackdropVisual
from app.scene.visuals.batch import Batch, signature
from app.scene.visuals.bodies import BodiesVisual
from app.scene.visuals.eye import Eye
from app.scene.visuals.grid import GridVisual
from app.scene.visuals.shadow import ShadowVisual
from engine.model import Bodies

_OPAQUE = ("result", "handle")
_GHOST_OPACITY = 0.22
_HOVER_SHARE = 0.55  # of the accent in a hovered body's outline, the rest is the backdrop


class Picture:
    """The visuals and what they show."""

    def __init__(self) -> None:
        self._bodies, self._backdrop, self._grid = BodiesVisual(), BackdropVisual(), GridVisual()
        self._shadow = ShadowVisual()
        self.solid: Batch | None = None
        self._ghosts: Batch | None = None
        self._items: Sequence[Bodies] = ()
        self.selected: frozenset[Part] = frozenset()
        self.hovered: Part | None = None
        self._outline: Indices | None = None
        self._hover_outline: Indices | None = None
        self._shadow_is_old = True

    def set_items(self, items: Sequence[Bodies]) -> None:
        """Take over a snapshot's items."""
        before = self.solid
        self._items = [item for item in items if item.role in _OPAQUE]
        self.solid = _renewed(self.solid, self._items, self.selected)
        self._ghosts = _renewed(self._ghosts, [item for item in items if item.role not in _OPAQUE], frozenset())
        self._shadow_is_old = True
        if self.solid is not before:
            self.set_selection(self.selected)
            self.set_hovered(self.hovered)

    def set_selection(self, parts: frozenset[Part]) -> None:
        """Outline these bodies."""
        self.selected = parts
        if self.solid is not None:
            self.solid.select(parts)
        self._outline = self._replaced(self._outline, parts)

    def set_hovered(self, part: Part | None) -> None:
        """Outline this body faintly."""
        self.hovered = part
        self._hover_outline = self._replaced(self._hover_outline, frozenset([part] if part else []))

    def draw(self, handle: int, shot: Shot, look: Look, jitter: tuple[float, float] = (0.0, 0.0)) -> None:
        """Draw all views into a framebuffer."""
        if self._shadow_is_old and look.show_shadow and self.solid is not None:
            self._shadow.cast(self.solid, bounds_of(self._items))
            self._shadow_is_old = False
        draw_into(handle, 0, 0, shot.width, shot.height)
        clear((*rgb(look.window), 1.0))
        for view, pane in shot.panes.items():
            draw_into(handle, pane.x, shot.height - pane.y - pane.height, pane.width, pane.height)
            self._draw_view(Eye(shot.cameras[view], pane.size, shot.pixel_ratio, jitter), look)

    def numbers(self, target: Target, clip_from_world: Array) -> NDArray[np.int64]:
        """Draw each solid body in its number (the first is 1) into a small picture and read it, row 0 the highest."""
        draw_into(target.handle, 0, 0, target.width, target.height)
        clear((0.0, 0.0, 0.0, 0.0))
        if self.solid is not None:
            self._bodies.draw_numbers(self.solid, clip_from_world, 1)
        numbers: NDArray[np.int64] = target.read()[..., :3].astype(np.int64) @ np.array([1, 256, 65536])
        return numbers

    def _draw_view(self, eye: Eye, look: Look) -> None:
        self._backdrop.draw(look)
        if look.show_grid:
            self._grid.draw(eye, look)
        if look.show_shadow and self.solid is not None:
            self._shadow.draw(eye, look)
        if self.solid is not None:
            self._bodies.draw(self.solid, eye, look)
            width = look.outline_width * eye.pixel_ratio
            if self._hover_outline is not None and self.hovered not in self.selected:
                self._bodies.draw_outline(self.solid, self._hover_outline, eye, _faint(look), width)
            if self._outline is not None:
                self._bodies.draw_outline(self.solid, self._outline, eye, look.accent, width)
        if self._ghosts is not None:
            self._bodies.draw(self._ghosts, eye, look, _GHOST_OPACITY)

    def _replaced(self, old: Indices | None, parts: frozenset[Part]) -> Indices | None:
        if old is not None:
            old.delete()
        numbers = self.solid.numbers(parts) if self.solid is not None else []
        return self.solid.indices_of(numbers) if self.solid is not None and numbers else None


def _renewed(batch: Batch | None, items: list[Bodies], selected: frozenset[Part]) -> Batch | None:
    """The batch in the pose of these items, made anew if their meshes are others."""
    items = [item for item in items if len(item.mesh.triangles)]
    if batch is not None and batch.signature != signature(items):
        batch.delete()
        batch = None
    if batch is None and items:
        batch = Batch(items)
    if batch is not None:
        batch.pose(items, selected)
    return batch


def _faint(look: Look) -> str:
    mixed = [
        _HOVER_SHARE * a + (1 - _HOVER_SHARE) * b for a, b in zip(rgb(look.accent), rgb(look.view_top), strict=True)
    ]
    return "#" + "".join(f"{round(channel * 255):02x}" for channel in mixed)
