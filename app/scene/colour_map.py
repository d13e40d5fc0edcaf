"""Colour map: how the numbers of a quantity over a surface become colours, and the legend that says which is which.

Where nothing happens a surface keeps the colour of clay. A quantity that grows goes from there to one dark end, darker
all the way; one that parts goes to blue below and to red above, which people who take red for green can tell apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from app.scene.look import rgb
from app.scene.shown_surfaces import OVER
from engine.model.snapshot import SkinSurface, SurfaceField

GROWING = ("#c9bfb4", "#e6b450", "#dd7230", "#b52f3f", "#76154e")
PARTING = ("#24508f", "#7ba3d0", "#c9bfb4", "#e0884c", "#a92b2e")
STEPS = 256
NONE = -1.0  # of a vertex without a quantity
_APART = 2.0  # between the numbers of both maps


def colour_rows() -> NDArray[np.uint8]:
    """Return both maps as pictures of one row, shape [2, STEPS, 4]: the growing one, then the parting one."""
    rows = np.full((2, STEPS, 4), 255, dtype=np.uint8)
    for row, stops in enumerate((GROWING, PARTING)):
        colours = np.array([rgb(each) for each in stops])
        at = np.linspace(0.0, len(stops) - 1.0, STEPS)
        for channel in range(3):
            rows[row, :, channel] = np.round(255.0 * np.interp(at, range(len(stops)), colours[:, channel]))
    return rows


def hues_of(surfaces: Sequence[SkinSurface], name: str) -> NDArray[np.float32]:
    """Return the number of each vertex of some surfaces that shaders find its colour by: of what is laid over one, else
    of the quantity of that name, which has one scale for all of them; `NONE` without either."""
    scale, parts = _widest(surfaces, name), []
    for each in surfaces:
        over = each.field(OVER)
        found, span = (each.field(name) if name else None, scale) if over is None else (over, over)
        if found is None or span is None:
            parts.append(np.full(len(each.positions), NONE, dtype=np.float32))
            continue
        wide = span.high - span.low
        shares = np.clip((found.values - span.low) / (wide if wide > 0.0 else 1.0), 0.0, 1.0)
        parts.append((shares + (_APART if span.parts else 0.0)).astype(np.float32))
    return np.concatenate(parts)


def legend_field(surfaces: Iterable[SkinSurface], name: str) -> SurfaceField | None:
    """Return the quantity that a legend is about: the first of that name, over the widest range of any surface."""
    seen = [each for each in surfaces if each.visible]
    return _widest(seen, OVER) or _widest(seen, name)


def _widest(surfaces: Iterable[SkinSurface], name: str) -> SurfaceField | None:
    found = [field for each in surfaces if each.visible and name and (field := each.field(name)) is not None]
    return max(found, key=lambda field: field.high - field.low, default=None)


def number_text(value: float, unit: str) -> str:
    """Write an end of a map: three digits, thousands of a unit by its prefix."""
    if unit == "%":
        return f"{100.0 * value:.3g} %".replace("-", "\N{MINUS SIGN}")
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if unit else ():
        if abs(value) >= factor:
            return f"{value / factor:.3g} {prefix}{unit}"
    return f"{value:.3g} {unit}".strip()
