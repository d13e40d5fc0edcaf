"""Fonts: the bundled Inter for everything, JetBrains Mono for lines of Python; sizes in logical pixels.

A person may have all text larger; `scaled` is for what has to hold it.
"""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QFont, QFontDatabase, QGuiApplication

from app.style.resources import FOLDER

FAMILY = "Inter"
MONO_FAMILY = "JetBrains Mono"
BASE = 12
SMALL = 11
TITLE = 15
SCALES = (1.0, 1.1, 1.25, 1.5, 1.75, 2.0)

_scale = 1.0


class MissingFont(RuntimeError):
    """A bundled font file that Qt could not load."""


def set_text_scale(scale: float) -> float:
    """Scale every font from now on; return the ratio to the scale before."""
    global _scale
    grown, _scale = scale / _scale, scale
    for each in (text_font, number_font, mono_font):
        each.cache_clear()
    return grown


def scaled(length: int) -> int:
    """Scale a height that holds text by the present text scale."""
    return round(length * _scale)


@cache
def load_fonts() -> None:
    """Make the bundled fonts known to Qt; needs a QGuiApplication."""
    if QGuiApplication.instance() is None:
        raise MissingFont("fonts can be loaded only after the application object is made")
    for path in sorted((FOLDER / "fonts").glob("*.ttf")):
        if QFontDatabase.addApplicationFont(str(path)) < 0:
            raise MissingFont(f"the font file {path.name} in the resources cannot be read")


@cache
def text_font(size: int = BASE, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return the font of labels and buttons."""
    font = QFont(FAMILY)
    font.setPixelSize(scaled(size))
    font.setWeight(weight)
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    return font


@cache
def number_font(size: int = BASE) -> QFont:
    """Return the text font with figures of equal width, so that live numbers do not jitter."""
    font = QFont(text_font(size))
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@cache
def mono_font(size: int = SMALL) -> QFont:
    """Return the font of code."""
    font = QFont(MONO_FAMILY)
    font.setPixelSize(scaled(size))
    font.setStyleHint(QFont.StyleHint.Monospace)
    font.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    font.setFeature(QFont.Tag("calt"), 0)  # no ligatures: code is shown as it is typed
    return font
