"""RegionView: a region of Euler space in a view of its own: turned, panned and zoomed, and brushed on its surface.

It is given plain arrays of angles [rad]. A drag of the left button turns the view; while the brush is on one that
begins on the surface is a stroke, emitted as the places that it goes through. Other buttons move the camera as in the
views of the scene.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QHideEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.scene import gl
from app.scene.camera import Array, Bounds, Camera, vector
from app.scene.gl_widget import GlWidget
from app.scene.navigation import INDUSTRY, CameraDrag, Mouse, motion_for, wheel_zoom
from app.scene.picks import Facets
from app.scene.region_overlay import RegionOverlay, as_places, paint_axes, paint_overlay
from app.scene.visuals.eye import Eye
from app.scene.visuals.overlay import OverlayVisual
from app.scene.visuals.region import Floats, RegionVisual, SliceQuad
from app.style.apply import current_theme
from app.style.distances import distance_colours
from app.style.theme import Theme

START = Camera(target=(0.0, 0.0, 0.0), azimuth=0.65, elevation=0.42)
ROOM = 52.0, 48.0  # [logical px] for numbers and names, on each side and above and below
_FITTED = 4  # times that the camera comes nearer to where the box fills the rest
_SAME = 1e-9  # [rad]
_APART = 0.25  # of a brush's radius, between two places of a stroke
Places = tuple[tuple[float, float, float], ...]
Surface = tuple[Floats, Floats, NDArray[np.int32]]
Paint = Callable[[QPainter, RegionOverlay, Camera, tuple[float, float], Theme], None]


class RegionView(GlWidget):
    """Draws a region when something has changed."""

    stroke_moved = Signal(object)  # Places, from the first to the newest
    stroke_ended = Signal(bool)  # whether it is to be kept
    painted = Signal()

    def __init__(
        self,
        parent: QWidget | None = None,
        *,
        software: bool = False,
        mouse: Callable[[], Mouse] = lambda: INDUSTRY,
    ) -> None:
        super().__init__(parent, software=software, samples=0 if software else 4)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(160, 160)
        self.setAccessibleName("Joint limit in Euler space")
        self.camera, self._mouse = START, mouse
        self.radius: float | None = None  # [rad] of the brush; None: the brush is off
        self._context = gl.Context()
        self._visual: RegionVisual | None = None
        self._overlay: OverlayVisual | None = None
        self._shown = RegionOverlay(Bounds((-1.0,) * 3, (1.0,) * 3), ("", "", ""))
        self._surface: Surface = (np.empty((0, 3)), np.empty((0, 3)), _NO_FACES)
        self._samples: Floats = np.empty((0, 3))
        self._slices: Sequence[tuple[Floats, Array]] = ()
        self._axes: tuple[object, QImage] | None = None  # as they were painted last, and of what
        self._old: set[str] = set()
        self._drag: CameraDrag | None = None
        self._stroke: list[tuple[float, float, float]] = []
        self._struck: Surface | None = None  # the surface as it was when the stroke began
        self._facets: tuple[Surface, Facets] | None = None  # of the surface that was pointed at last
        self._framed = True  # nobody has moved it since it was seen as a whole

    def sizeHint(self) -> QSize:
        return QSize(300, 300)

    def as_widget(self) -> QWidget:
        """Return the view itself, for those who know it by its protocol."""
        return self

    # What is shown

    def show_axes(self, names: Sequence[str], lower: Sequence[float], upper: Sequence[float]) -> None:
        """Set the angles, each with its name and range [rad]; a new range is framed as a whole."""
        bounds = Bounds(vector(np.array(lower)), vector(np.array(upper)))
        named = (names[0], names[1], names[2])
        seen = self._shown.bounds
        if named != self._shown.names or not np.allclose(
            (*bounds.lower, *bounds.upper), (*seen.lower, *seen.upper), atol=_SAME
        ):
            self._shown = replace(self._shown, bounds=bounds, names=named)
            self._change("box")
            self.frame()

    def show_surface(self, places: Floats, normals: Floats, faces: NDArray[np.int32]) -> None:
        """Show the boundary."""
        self._surface = (places, normals, faces)
        self._change("surface")

    def show_samples(self, places: Floats) -> None:
        """Show the poses that it was built from."""
        if places is not self._samples:
            self._samples = places
            self._change("samples")

    def show_slices(self, slices: Sequence[tuple[Floats, Array]]) -> None:
        """Show signed distances [rad] over rectangles: corners, shape [4, 3], of the first column of the first row, its
        last column, the last column of the last row, the first; and values, shape [rows, columns]."""
        self._slices = tuple(slices)
        self._change("slices")

    def show_pose(
        self,
        pose: Sequence[float] | None,
        target: Sequence[float] | None = None,
        trail: Sequence[Sequence[float]] = (),
    ) -> None:
        """Show the pose, its projection if it is not allowed, and where it was."""
        self._shown = replace(
            self._shown,
            pose=None if pose is None else np.array(pose),
            target=None if target is None else np.array(target),
            trail=as_places(trail),
        )
        self.draw_soon()

    def set_brush(self, radius: float | None) -> None:
        """Turn on a brush of that radius [rad], or turn it off."""
        self.radius = radius
        self._shown = replace(self._shown, brush=None if radius is None else self._shown.brush, radius=radius or 0.0)
        self.draw_soon()

    def frame(self) -> None:
        """Frame the whole box."""
        self.camera = self.camera.frame(self._shown.bounds, self._size)
        room = np.maximum(np.array(self._size) - 2.0 * np.array(ROOM), 40.0)
        for _ in range(_FITTED):
            seen = self.camera.project(self._shown.bounds.corners, self._size)[:, :2]
            middle = 0.5 * (seen.min(axis=0) + seen.max(axis=0)) - 0.5 * np.array(self._size)
            camera = self.camera.pan((-float(middle[0]), -float(middle[1])), self._size)
            self.camera = camera.zoom(float((np.ptp(seen, axis=0) / room).max()))
        self._framed = True
        self.draw_soon()

    def place_of(self, place: Sequence[float]) -> QPointF:
        """Return the pixel of the widget at which angles [rad] are seen."""
        x, y, _ = self.camera.project(np.array(place), self._size)
        return QPointF(float(x), float(y))

    def place_at(self, at: QPointF) -> Array | None:
        """Return the point of the surface under a pixel of the widget."""
        surface = self._struck or self._surface
        places, _, faces = surface
        if not len(faces):
            return None
        if self._facets is None or self._facets[0] is not surface:
            self._facets = surface, Facets(places[faces].astype(np.float64, copy=False))
        origin, direction = self.camera.ray((at.x(), at.y()), self._size)
        along = self._facets[1].meet(origin, direction)
        return None if along is None else np.asarray(origin + along * direction)

    # OpenGL

    def make_gl(self) -> None:
        """Make the OpenGL objects; what was made in a context before is gone."""
        self._context = gl.Context()
        try:
            with self._context.entered():
                self._visual, self._overlay = RegionVisual(), None
        except gl.Unusable as problem:
            self._visual = None
            self.broken.emit(str(problem))
        self._old = {"box", "surface", "samples", "slices"}

    def paint_gl(self, handle: int) -> None:
        """Draw all."""
        if self._visual is None:
            return
        ratio = self.devicePixelRatioF()
        size = max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1)
        with self._context.entered():
            self._bring_up_to_date(self._visual)
            self._visual.draw(handle, Eye(self.camera, size, ratio), current_theme())
            self._draw_overlay(handle, size, ratio)
            gl.check()
        self.painted.emit()

    def _draw_overlay(self, handle: int, size: tuple[int, int], ratio: float) -> None:
        theme, shown = current_theme(), self._shown
        of = (shown.bounds, shown.names, self.camera, size, ratio, theme)
        if self._axes is None or self._axes[0] != of:
            blank = QImage(*size, QImage.Format.Format_RGBA8888_Premultiplied)
            blank.fill(Qt.GlobalColor.transparent)
            self._axes = of, self._painted(blank, ratio, paint_axes)
        image = self._painted(self._axes[1].copy(), ratio, paint_overlay)
        if self._overlay is None or not self._overlay.holds("size", size):
            self._overlay = OverlayVisual(*size)
            self._overlay.holds("size", size)
        self._overlay.write(image, 0, 0)
        self._overlay.draw(handle, size, ((0, 0, *size, 0, 0),))

    def _painted(self, image: QImage, ratio: float, paint: Paint) -> QImage:
        painter = QPainter(image)
        painter.scale(ratio, ratio)
        paint(painter, self._shown, self.camera, self._size, current_theme())
        painter.end()
        return image

    def _bring_up_to_date(self, visual: RegionVisual) -> None:
        old, self._old = self._old, set()
        if "box" in old:
            visual.show_box(self._shown.bounds)
        if "surface" in old:
            visual.show_surface(*self._surface)
        if "samples" in old:
            visual.show_samples(self._samples)
        if "slices" in old:
            theme = current_theme()
            visual.show_sheets([SliceQuad(c, distance_colours(v, theme, clear=True)) for c, v in self._slices])

    def _change(self, what: str) -> None:
        self._old.add(what)
        self.draw_soon()

    @property
    def _size(self) -> tuple[float, float]:
        return float(max(self.width(), 1)), float(max(self.height(), 1))

    # Qt's events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        at, button = event.position(), event.button()
        self.setFocus()
        motion = motion_for(button, event.modifiers(), self.camera, self._mouse())
        if button == Qt.MouseButton.LeftButton and motion is None:
            place = self.place_at(at) if self.radius is not None else None
            if place is not None:
                self._stroke, self._struck = [vector(place)], self._surface
                self.stroke_moved.emit(tuple(self._stroke))
                return
            motion = "orbit"
        if motion is not None:
            self._drag = CameraDrag(motion, self.camera, (at.x(), at.y()), self._size)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        at = event.position()
        if self._drag is not None:
            self.camera = self._drag.at(at.x(), at.y())
            self._framed = self._framed and self._drag.motion == "orbit"
            self.draw_soon()
            return
        if self.radius is None:
            return
        place = self.place_at(at)
        self._shown = replace(self._shown, brush=place)
        self.draw_soon()
        near = _APART * self.radius
        if self._stroke and place is not None and float(np.linalg.norm(place - np.array(self._stroke[-1]))) >= near:
            self._stroke.append(vector(place))
            self.stroke_moved.emit(tuple(self._stroke))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self._drag = None
        if event.button() == Qt.MouseButton.LeftButton:
            self._end_stroke(keep=True)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.radius is None:
            self.frame()

    def wheelEvent(self, event: QWheelEvent) -> None:
        at = event.position()
        self._framed = False
        self.camera = wheel_zoom(self.camera, float(event.angleDelta().y()), (at.x(), at.y()), self._size)
        self.draw_soon()
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self._shown = replace(self._shown, brush=None)
        self.draw_soon()
        super().leaveEvent(event)

    def event(self, event: QEvent) -> bool:
        """Let Escape drop a stroke before it does anything else."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._drops(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._drops(event):
            self._end_stroke(keep=False)
        else:
            super().keyPressEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._change("slices")

    def hideEvent(self, event: QHideEvent) -> None:
        self._end_stroke(keep=False)
        super().hideEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._framed:
            self.frame()

    def _drops(self, event: QKeyEvent) -> bool:
        return bool(self._stroke) and event.key() == Qt.Key.Key_Escape

    def _end_stroke(self, *, keep: bool) -> None:
        if self._stroke:
            self._stroke, self._struck = [], None
            self.stroke_ended.emit(keep)


_NO_FACES = np.empty((0, 3), dtype=np.int32)
