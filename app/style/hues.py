"""Hues: the colours of several curves, on dark and on light grounds."""

from __future__ import annotations

from collections.abc import Sequence

DARK = ("#5ab4f0", "#f0913f", "#3fc79a", "#e08fc0", "#e6d04a", "#a99cf5", "#d0d3d8")
MUSCLE = ("#8d5a52", "#e5261a")  # of a muscle that is relaxed, and of one that is as active as can be
LIGHT = ("#0072b2", "#c24e00", "#00805e", "#a23b7a", "#7d6400", "#5b4fc4", "#3a3a3a")


def hue(place: int, *, on_dark: bool) -> str:
    """Return the colour of the curve at a place of the legend."""
    colours = DARK if on_dark else LIGHT
    return colours[place % len(colours)]


def hues(count: int, *, on_dark: bool) -> Sequence[str]:
    """Return the colours of so many curves that follow one another: a way from the first hue to the second where there
    are more of them than hues, so that no two are alike."""
    if count <= len(DARK):
        return [hue(place, on_dark=on_dark) for place in range(count)]
    ends = [
        [int(colour[at : at + 2], 16) for at in (1, 3, 5)]
        for colour in (hue(0, on_dark=on_dark), hue(1, on_dark=on_dark))
    ]
    shares = [place / (count - 1) for place in range(count)]
    return ["#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*ends, strict=True)) for share in shares]
