"""Arrangement: where panels stand and how views are laid out, as it is kept; and the four that Sinew begins with.

A plan says which panels are put away, which are raised, and how far each side reaches; an arrangement is what became of
it under a person's hands.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from PySide6.QtCore import QRect

from app.features.feature import Side
from app.shell.docks import SIZES
from engine.runtime.quick_dataclass import dataclass

NAME_LENGTH = 40  # letters of a workspace's name
PERSPECTIVE = 1  # a number of `app.scene.panes`, which is not loaded before the first paint


@dataclass(frozen=True, kw_only=True)
class Arrangement:
    """Docks as Qt packs them, in base 64, and the view that fills the picture, if one does."""

    docks: str
    maximised: int | None = None


@dataclass(frozen=True, kw_only=True)
class WorkspaceLayout:
    """A workspace as Sinew lays it out; panels that it does not name stand where they stand at first."""

    label: str
    raised: tuple[str, ...]
    away: frozenset[str] = frozenset()
    sizes: Mapping[Side, int] = field(default_factory=lambda: SIZES)  # [logical px] across
    maximised: int | None = None


_LIBRARIES = ("poses", "sequences")
_OF_TIME = ("timeline", "curves", "plot", "study", "layers", "history", "keys", "activation")

PLANS: Mapping[str, WorkspaceLayout] = {
    "pose": WorkspaceLayout(label="Pose", raised=("outliner", "inspector", "log")),
    "figure": WorkspaceLayout(
        label="Figure",
        raised=("outliner", "figure"),
        away=frozenset((*_LIBRARIES, "method", "log", *_OF_TIME)),
        sizes={**SIZES, "right": 340},
    ),
    "animate": WorkspaceLayout(
        label="Animate",
        raised=("poses", "inspector", "timeline"),
        away=frozenset(("figure", "method", "log")),
        sizes={**SIZES, "bottom": 250},
        maximised=PERSPECTIVE,
    ),
    "inspect": WorkspaceLayout(
        label="Inspect",
        raised=("outliner", "method", "plot"),
        away=frozenset(("poses", "figure", "keys", "layers")),
        sizes={**SIZES, "right": 340, "bottom": 250},
    ),
}


def label_of(name: str) -> str:
    """Name a workspace; one's own are kept by that."""
    return PLANS[name].label if name in PLANS else name


def arrangements(plain: object) -> dict[str, Arrangement] | None:
    """Arrangements by name as they were kept; None if they are damaged."""
    if not isinstance(plain, dict):
        return None
    found = {}
    for name, row in plain.items():
        if not isinstance(row, dict) or not 0 < len(name) <= NAME_LENGTH:
            return None
        docks, maximised = row.get("docks"), row.get("maximised")
        if not isinstance(docks, str) or not docks.isascii() or isinstance(maximised, bool):
            return None
        if maximised not in (None, 0, 1, 2, 3):
            return None
        found[name] = Arrangement(docks=docks, maximised=maximised)
    return found


def on_screen(place: QRect, screens: list[QRect]) -> QRect:
    """Return a floating panel's place, moved and made smaller so that a screen holds it: the one that shows most of
    it."""
    screen = max(screens, key=lambda each: _area(each.intersected(place)))
    kept = QRect(place.topLeft(), place.size().boundedTo(screen.size()))
    kept.moveLeft(min(max(kept.left(), screen.left()), screen.right() + 1 - kept.width()))
    kept.moveTop(min(max(kept.top(), screen.top()), screen.bottom() + 1 - kept.height()))
    return kept


def _area(part: QRect) -> int:
    return part.width() * part.height() if part.isValid() else 0
