"""Finds out, before vispy is loaded and without risk, if this machine has an OpenGL that the viewport can use."""

from __future__ import annotations

import re

from PySide6.QtGui import QGuiApplication, QOffscreenSurface, QOpenGLContext

from engine.runtime.quick_dataclass import dataclass

LEAST = (2, 1)
_WITHOUT_OPENGL = ("offscreen", "minimal", "minimalegl", "vnc", "linuxfb")
_SOFTWARE = ("llvmpipe", "softpipe", "swrast", "swr", "software", "gdi generic", "basic render")
_VENDOR, _RENDERER, _VERSION = 0x1F00, 0x1F01, 0x1F02
REMEDY = (
    "Posing, files and all panels work; only the picture is missing. Sinew needs OpenGL 2.1 or newer: install or "
    "update the graphics driver, or draw with the processor: sinew --software (on Debian and Ubuntu that needs the "
    "package libgl1-mesa-dri)."
)


@dataclass(frozen=True)
class Graphics:
    """Vendor, renderer and version of this machine's OpenGL."""

    vendor: str
    renderer: str
    version: str

    @property
    def is_software(self) -> bool:
        """True if the processor does the drawing."""
        return any(word in self.renderer.lower() for word in _SOFTWARE)


def find_graphics() -> Graphics | str:
    """Return this machine's OpenGL, or a sentence that says why there is none."""
    platform = QGuiApplication.platformName()
    if platform in _WITHOUT_OPENGL:
        return f"The window system in use, “{platform}”, has no OpenGL."
    context = QOpenGLContext()
    if not context.create():
        return "The graphics driver gave no OpenGL context."
    surface = QOffscreenSurface()
    surface.setFormat(context.format())
    surface.create()
    if not surface.isValid() or not context.makeCurrent(surface):
        return "The graphics driver gave an OpenGL context that cannot be used."
    try:
        functions = context.functions()
        vendor, renderer, version = (str(functions.glGetString(name) or "") for name in (_VENDOR, _RENDERER, _VERSION))
    finally:
        context.doneCurrent()
    return judge(Graphics(vendor, renderer, version))


def judge(found: Graphics) -> Graphics | str:
    """Return the OpenGL that was found, or a sentence that says why it is not enough."""
    numbers = re.match(r"(\d+)\.(\d+)", found.version)
    if numbers is None:
        return f"The graphics driver names its OpenGL version “{found.version}”, which is not desktop OpenGL."
    if (int(numbers[1]), int(numbers[2])) < LEAST:
        return f"The graphics driver, {found.renderer}, has OpenGL {numbers[0]}; at least 2.1 is needed."
    return found
