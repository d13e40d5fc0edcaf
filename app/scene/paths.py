"""Path lines: paths of points that are compared with each other. No Qt, no OpenGL."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class PathStyle:
    """The look of one kind of path: a colour and a width of its own, so that kinds differ without colours, too."""

    label: str  # in the legend
    row: int  # there, from the top
    colour: str  # of the theme
    half_width: float = 1.0  # [logical px]
    dotted: bool = False  # whether dots stand at its frames
    level: int = 0  # those of a higher one are drawn over the others


@dataclass(frozen=True, eq=False)
class PathLine:
    """The path of one point."""

    style: PathStyle
    seconds: NDArray[np.float64]  # rising, shape [count]
    points: NDArray[np.float32]  # [m] in the world, shape [count, 3]


def styles_in(lines: tuple[PathLine, ...]) -> tuple[PathStyle, ...]:
    """Return the styles of some lines, in the order of the legend."""
    return tuple(sorted({line.style for line in lines}, key=lambda style: style.row))
