"""GlWidget: a widget that OpenGL draws.

Where a card draws, Qt lays the picture into the window on the card (`QOpenGLWidget`), which composes the whole window
anew with each change of any widget in it. Where the processor draws, that takes nearly as long as a picture: there it
is drawn off the screen, read, and painted into the window as any image is. Figures: docs/decisions/drawing.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QImage,
    QOffscreenSurface,
    QOpenGLContext,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QSurfaceFormat,
)
from PySide6.QtOpenGL import QOpenGLFramebufferObject, QOpenGLFramebufferObjectFormat
from PySide6.QtOpenGLWidgets import QOpenGLWidget
from PySide6.QtWidgets import QWidget

DEPTH_BITS = 24


class GlWidget(QWidget):
    """Draws with `paint_gl` when it was asked for a picture; `make_gl` comes before the first."""

    broken = Signal(str)  # why there is no picture

    def __init__(self, parent: QWidget | None, *, software: bool, samples: int) -> None:
        super().__init__(parent)
        wanted = QSurfaceFormat()
        wanted.setDepthBufferSize(DEPTH_BITS)
        wanted.setSamples(samples)
        self._card = None if software else _OnCard(self, wanted)
        self._apart = _Apart(wanted) if software else None
        self._image = QImage()  # what was drawn apart
        self._is_old, self._is_held = True, False  # it
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)

    def make_gl(self) -> None:
        """Make the OpenGL objects; it comes again where the widget gets a new context."""
        raise NotImplementedError

    def paint_gl(self, handle: int) -> None:
        """Draw all into a framebuffer."""
        raise NotImplementedError

    def draw_soon(self) -> None:
        """Ask for one more picture."""
        self._is_old = True
        (self._card or self).update()

    def hold(self, *, held: bool) -> None:
        """Put what was asked for off, or no longer."""
        self._is_held = held
        if self._card is not None:
            self._card.setUpdatesEnabled(not held)
        elif self._is_old and not held:
            self.update()

    @property
    def has_gl(self) -> bool:
        """True once there is a context to draw with."""
        return self._card.isValid() if self._card is not None else self._apart is not None and self._apart.is_made

    @contextmanager
    def gl_current(self) -> Iterator[None]:
        """Make the widget's context the current one within the block."""
        holder = self._card or self._apart
        assert holder is not None, "it has one or the other"
        holder.makeCurrent()
        try:
            yield
        finally:
            holder.doneCurrent()

    def grab_gl(self) -> QImage:
        """Draw it, and return the picture."""
        if self._card is not None:
            return self._card.grabFramebuffer()
        if self._apart is not None:
            self._draw_apart()
        return self._image.copy()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint what is drawn apart, anew if it is old."""
        if self._apart is None:
            return
        if (self._is_old and not self._is_held) or self._image.size() != self._pixels:
            self._draw_apart()
        painter, place, ratio = QPainter(self), QRectF(event.rect()), self.devicePixelRatioF()
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        source = QRectF(place.x() * ratio, place.y() * ratio, place.width() * ratio, place.height() * ratio)
        painter.drawImage(place, self._image, source)
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fill the widget with the card's picture."""
        super().resizeEvent(event)
        if self._card is not None:
            self._card.setGeometry(self.rect())

    @property
    def _pixels(self) -> QSize:
        ratio = self.devicePixelRatioF()
        return QSize(max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1))

    def _draw_apart(self) -> None:
        assert self._apart is not None, "nobody asks otherwise"
        self._is_old = False
        is_new = not self._apart.is_made
        if is_new and not self._apart.make():
            self._apart = None  # said once
            self.broken.emit("The graphics driver gave no OpenGL context.")
            return
        self._apart.makeCurrent()
        try:
            if is_new:
                self.make_gl()
            self._image = self._apart.picture(self._pixels, self.paint_gl)
            self._image.setDevicePixelRatio(self.devicePixelRatioF())
        finally:
            self._apart.doneCurrent()


class _OnCard(QOpenGLWidget):
    """Fills a widget with what it draws; all that is done with the mouse is for the widget itself."""

    def __init__(self, drawn: GlWidget, wanted: QSurfaceFormat) -> None:
        super().__init__(drawn)
        self._drawn = drawn
        self.setFormat(wanted)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def initializeGL(self) -> None:
        """Make the OpenGL objects; Qt calls this again when it moves the widget to another window with a new
        context."""
        self._drawn.make_gl()

    def paintGL(self) -> None:
        """Draw."""
        self._drawn.paint_gl(self.defaultFramebufferObject())


class _Apart:
    """A context and a framebuffer off the screen."""

    def __init__(self, wanted: QSurfaceFormat) -> None:
        self._wanted = wanted
        self._context, self._surface = QOpenGLContext(), QOffscreenSurface()
        self._target: QOpenGLFramebufferObject | None = None
        self.is_made = False

    def make(self) -> bool:
        """Make the context; False if there is none."""
        self._context.setFormat(self._wanted)
        self._surface.setFormat(self._wanted)
        self._surface.create()
        self.is_made = self._surface.isValid() and self._context.create()
        return self.is_made

    def picture(self, size: QSize, draw: Callable[[int], None]) -> QImage:
        """Let something be drawn, and read it; the context must be current."""
        if self._target is None or self._target.size() != size:
            made = QOpenGLFramebufferObjectFormat()
            made.setAttachment(QOpenGLFramebufferObject.Attachment.CombinedDepthStencil)
            made.setSamples(self._wanted.samples())
            self._target = QOpenGLFramebufferObject(size, made)
        draw(self._target.handle())
        image = self._target.toImage()
        if image.format() == QImage.Format.Format_ARGB32_Premultiplied:
            image.reinterpretAsFormat(QImage.Format.Format_RGB32)  # it is opaque, and painted faster so
        return image

    def makeCurrent(self) -> None:
        """Make the context the current one."""
        self._context.makeCurrent(self._surface)

    def doneCurrent(self) -> None:
        """Let no context be the current one."""
        self._context.doneCurrent()
