"""Hues: the colours of several curves, on dark and on light grounds."""

from __future__ import annotations

DARK = ("#5ab4f0", "#f0913f", "#3fc79a", "#e08fc0", "#e6d04a", "#a99cf5", "#d0d3d8")
LIGHT = ("#0072b2", "#c24e00", "#00805e", "#a23b7a", "#7d6400", "#5b4fc4", "#3a3a3a")


def hue(place: int, *, on_dark: bool) -> str:
    """Return the colour of the curve at a place of the legend."""
    colours = DARK if on_dark else LIGHT
    return colours[place % len(colours)]
