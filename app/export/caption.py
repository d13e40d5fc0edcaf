"""Caption: title, time and numbers in the lower left corner of a frame."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter

from app.scene.look import Look, luminance
from app.style.fonts import FAMILY, load_fonts
from app.style.hues import hue
from app.style.scales import scale_of
from engine.document.motion import TICKS_PER_SECOND

if TYPE_CHECKING:
    from app.export.plan import Plan
    from engine.queries.stills import Number

DARK_BELOW = 0.2  # luminance of a ground
SHARE, LEAST = 1 / 45, 11  # of the frame's height; [px]
AT_ONCE = 4 << 20  # [bytes] of a frame: some milliseconds of work
PLATE, ROUND = 0.55, 4.0  # opacity of the ground that the text stands on; radius of its corners [px]


def caption_lines(plan: Plan, number: int, numbers: Sequence[Number]) -> tuple[str, ...]:
    """Return the lines of text on a frame."""
    caption = plan.caption
    if caption is None:
        return ()
    found = [caption.title] if caption.title else []
    if caption.time:
        found.append(f"{plan.time(number) / TICKS_PER_SECOND:.2f} s")
    for each in numbers:
        scale = scale_of(each.unit)
        apart = "" if scale.text.startswith("°") else " "
        found.append(f"{each.label}  {scale.number(each.value)}{apart}{scale.text}")
    return tuple(found)


def write(pixels: bytearray, size: tuple[int, int], lines: Sequence[str], look: Look, curves: int = 0) -> None:
    """Write lines onto a frame, premultiplied and row 0 the lowest, as OpenGL gives it; the last ones, which name
    curves, in the colours of those."""
    if not lines:
        return
    text = _drawn(size, lines, look, curves)
    margin = text.height() // (2 * len(lines) + 1)
    lay(pixels, size, text, margin, margin)


def lay(pixels: bytearray, size: tuple[int, int], image: QImage, x: int, y: int) -> None:
    """Draw a picture onto a frame, some pixels from its left and its lower edge."""
    width, height = size
    frame = QImage(memoryview(pixels), width, height, 4 * width, QImage.Format.Format_RGBA8888_Premultiplied)
    painter = QPainter(frame)
    painter.drawImage(QPointF(x, y), image.flipped(Qt.Orientation.Vertical))
    painter.end()


def plate(size: tuple[int, int], look: Look) -> tuple[QImage, QPainter]:
    """Return a translucent background for text and curves, and the painter onto it until its `end`."""
    image = QImage(*size, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ground = QColor(look.window)
    ground.setAlphaF(PLATE)
    painter.setBrush(ground)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.drawRoundedRect(QRectF(image.rect()), ROUND, ROUND)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    return image, painter


def is_dark(look: Look) -> bool:
    """Return True if text and curves stand on a dark ground."""
    return luminance(look.window) < DARK_BELOW


def straighten(pixels: bytearray, size: tuple[int, int]) -> Generator[None, None, None]:
    """Divide the colours of a frame by their alpha, as files want them; some rows a step."""
    (width, height), kinds = size, QImage.Format
    line, rows = 4 * width, max(AT_ONCE // (4 * width), 1)
    for first in range(0, height, rows):
        if first:
            yield
        count = min(rows, height - first)
        band = memoryview(pixels)[first * line : (first + count) * line]
        found = QImage(band, width, count, line, kinds.Format_RGBA8888_Premultiplied)
        found = found.convertToFormat(kinds.Format_RGBA8888)  # named, for its bits go with it
        band[:] = found.constBits()


def _drawn(size: tuple[int, int], lines: Sequence[str], look: Look, curves: int) -> QImage:
    """Draw the lines on their background; what does not fit across ends in an ellipsis."""
    load_fonts()
    font = QFont(FAMILY)
    font.setPixelSize(max(round(size[1] * SHARE), LEAST))
    font.setFeature(QFont.Tag("tnum"), 1)
    metrics = QFontMetricsF(font)
    pad = metrics.height() / 2
    room = max(size[0] - 4.0 * pad, pad)
    shown = [metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines]
    width = max(metrics.horizontalAdvance(line) for line in shown) + 2 * pad
    image, painter = plate((round(width), round(metrics.lineSpacing() * len(shown) + pad)), look)
    painter.setFont(font)
    for place, line in enumerate(shown):
        number = place - len(shown) + curves
        painter.setPen(QColor(look.text if number < 0 else hue(number, on_dark=is_dark(look))))
        painter.drawText(QPointF(pad, pad / 2 + metrics.ascent() + place * metrics.lineSpacing()), line)
    painter.end()
    return image
