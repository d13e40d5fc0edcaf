"""Icons: the bundled drawings in the colours of a theme, sharp at every scale factor."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from zlib import crc32

from PySide6.QtCore import QFile, QSize
from PySide6.QtGui import QIcon

from app.style.resources import FOLDER, register_tree
from app.style.theme import Theme, mix

COLOURS = ("text", "text_quiet", "text_faint", "accent", "accent_text", "warning", "danger", "good", "disabled")
STROKE_WIDTH = "1.75"  # thinner than the drawings' own 2: thin type asks for thin icons
SIZE = QSize(16, 16)


class UnknownIcon(LookupError):
    """An icon that is not among the bundled ones."""

    def __init__(self, name: str) -> None:
        near = get_close_matches(name, icon_names(), n=3)
        offer = "did you mean " + " or ".join(map(repr, near)) + "?" if near else "see resources/icons"
        super().__init__(f"there is no icon {name!r}; {offer}")
        self.name = name


@cache
def icon_names() -> tuple[str, ...]:
    """Return the names of all bundled icons."""
    return tuple(_drawings())


@cache
def icon(name: str, theme: Theme, colour: str = "text_quiet", on: str | None = None) -> QIcon:
    """Return an icon in a theme's colour, or `on` while switched on; brighter under the pointer, faded when
    disabled."""
    picture, on = QIcon(), on or colour
    lit = "text" if colour in ("text_quiet", "text_faint") else colour
    looks = (
        (QIcon.Mode.Normal, colour, on),
        (QIcon.Mode.Active, lit, on),
        (QIcon.Mode.Selected, lit, on),
        (QIcon.Mode.Disabled, "disabled", "disabled"),
    )
    for mode, off_colour, on_colour in looks:
        picture.addFile(icon_path(name, theme, off_colour), SIZE, mode, QIcon.State.Off)
        picture.addFile(icon_path(name, theme, on_colour), SIZE, mode, QIcon.State.On)
    return picture


def icon_path(name: str, theme: Theme, colour: str) -> str:
    """Return the path of a recoloured drawing in Qt's resource tree, for style sheets."""
    if name not in _drawings():
        raise UnknownIcon(name)
    root = serve_icons(theme)
    return f":/{root}/{colour}/{name}.svg"


@cache
def serve_icons(theme: Theme) -> str:
    """Put a theme's icons into Qt's resource tree, once; return their folder."""
    root = f"sinew/{theme.name}-{crc32(repr(theme).encode()):08x}"
    if not QFile.exists(f":/{root}"):
        shades = {colour: _shade(theme, colour) for colour in COLOURS}
        register_tree(
            {
                f"{root}/{colour}/{name}.svg": _recolour(drawing, shade).encode()
                for name, drawing in _drawings().items()
                for colour, shade in shades.items()
            }
        )
    return root


def _shade(theme: Theme, colour: str) -> str:
    return mix(theme.panel, theme.text_faint, 0.5) if colour == "disabled" else theme.token(colour)


def _recolour(drawing: str, shade: str) -> str:
    return drawing.replace("currentColor", shade).replace('stroke-width="2"', f'stroke-width="{STROKE_WIDTH}"')


@cache
def _drawings() -> Mapping[str, str]:
    return {path.stem: path.read_text(encoding="utf-8") for path in sorted((FOLDER / "icons").glob("*.svg"))}
