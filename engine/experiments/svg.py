"""A drawing as SVG text: the few marks that plots need, with numbers rounded so that equal data give equal bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape, quoteattr

Point = tuple[float, float]

_STYLE = 'font-family="Inter, Helvetica, Arial, sans-serif" font-size="11"'
_ANCHORS = {"left": "start", "middle": "middle", "right": "end"}


class SvgDrawing:
    """Marks on a white page, in pixels from its upper left corner."""

    def __init__(self, width: float, height: float, title: str) -> None:
        self.width, self.height, self.title = width, height, title
        self._marks: list[str] = []

    def line(self, points: Iterable[Point], colour: str, *, width: float = 1.0, dashed: bool = False) -> None:
        """A line through points."""
        places = " ".join(f"{number(x)},{number(y)}" for x, y in points)
        dashes = ' stroke-dasharray="4 3"' if dashed else ""
        self._marks.append(
            f'<polyline points="{places}" fill="none" stroke={quoteattr(colour)} '
            f'stroke-width="{number(width)}" stroke-linejoin="round"{dashes}/>'
        )

    def box(self, corner: Point, size: Point, fill: str, edge: str = "none") -> None:
        """A rectangle by its upper left corner."""
        place = f'x="{number(corner[0])}" y="{number(corner[1])}"'
        extent = f'width="{number(size[0])}" height="{number(size[1])}"'
        self._marks.append(f"<rect {place} {extent} fill={quoteattr(fill)} stroke={quoteattr(edge)}/>")

    def dots(self, points: Sequence[Point], radius: float, fill: str) -> None:
        """Small discs; those that fall on the same tenth of a pixel are one."""
        for x, y in sorted({(number(x), number(y)) for x, y in points}):
            self._marks.append(f'<circle cx="{x}" cy="{y}" r="{number(radius)}" fill={quoteattr(fill)}/>')

    def image(self, corner: Point, size: Point, link: str) -> None:
        """A picture by its upper left corner."""
        place = f'x="{number(corner[0])}" y="{number(corner[1])}"'
        extent = f'width="{number(size[0])}" height="{number(size[1])}"'
        self._marks.append(f"<image {place} {extent} href={quoteattr(link)}/>")

    def text(self, place: Point, text: str, *, anchor: str = "left", colour: str = "#333", bold: bool = False) -> None:
        """A line of text on its base line."""
        weight = ' font-weight="600"' if bold else ""
        self._marks.append(
            f'<text x="{number(place[0])}" y="{number(place[1])}" text-anchor="{_ANCHORS[anchor]}" '
            f"fill={quoteattr(colour)}{weight}>{escape(text)}</text>"
        )

    def finish(self) -> str:
        """The whole file."""
        size = f'width="{number(self.width)}" height="{number(self.height)}"'
        view = f'viewBox="0 0 {number(self.width)} {number(self.height)}"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} {view} {_STYLE}>'
        page = f'<rect width="{number(self.width)}" height="{number(self.height)}" fill="white"/>'
        return "\n".join([head, f"<title>{escape(self.title)}</title>", page, *self._marks, "</svg>", ""])


def number(value: float) -> str:
    """A length, to a tenth of a pixel."""
    text = f"{value:.1f}"
    return text[:-2] if text.endswith(".0") else text
