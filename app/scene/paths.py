"""Path lines: paths of points that are compared with each other, and their legend. No Qt, no OpenGL.

Each kind has a colour of the theme and a width of its own, so that they differ without colours, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from app.scene.look import Look

PathKind = Literal["keyed", "secondary", "dynamics"]
LABELS: dict[PathKind, str] = {
    "keyed": "As keyed",
    "secondary": "Secondary motion",
    "dynamics": "Full dynamics from the start",
}
HALF_WIDTHS: dict[PathKind, float] = {"keyed": 1.0, "secondary": 1.3, "dynamics": 1.0}  # [logical px]


@dataclass(frozen=True, eq=False)
class PathLine:
    """The path of one point."""

    kind: PathKind
    seconds: NDArray[np.float64]  # rising, shape [count]
    points: NDArray[np.float32]  # [m] in the world, shape [count, 3]


def colour_of(kind: PathKind, look: Look) -> str:
    """Return the colour of a kind of path: grey for the keyed one, the accent for secondary motion."""
    return {"keyed": look.text_quiet, "secondary": look.accent, "dynamics": look.axis_z}[kind]


def kinds_in(lines: tuple[PathLine, ...]) -> tuple[PathKind, ...]:
    """Return the kinds of some lines, in the order of the legend."""
    there = {line.kind for line in lines}
    return tuple(kind for kind in LABELS if kind in there)
