"""Shown surfaces: quantities that the window lays over surfaces, and surfaces that it lets a person look into, whatever
the picture says of them. No Qt, no OpenGL."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.model.snapshot import SkinSurface, SurfaceField
from engine.runtime.quick_dataclass import dataclass

OVER = "over"  # the name of a quantity that is shown in place of the one that is chosen


@dataclass(frozen=True, eq=False)
class ShownSurfaces:
    """Quantities over the surfaces of some actors, by their ids, and the actors whose inside is seen."""

    fields: Mapping[str, SurfaceField]
    opened: frozenset[str] = frozenset()

    def over(self, surfaces: Iterable[SkinSurface]) -> tuple[SkinSurface, ...]:
        """Return the surfaces of a picture as they are to be drawn; a quantity of another surface is left out."""
        return tuple(self._one(each) for each in surfaces)

    def _one(self, surface: SkinSurface) -> SkinSurface:
        field = self.fields.get(surface.owner) if surface.role == "result" else None
        if field is not None and len(field.values) == len(surface.positions):
            surface = replace(surface, fields=(*surface.fields, replace(field, name=OVER)))
        return replace(surface, hollow=True) if surface.owner in self.opened else surface


NOTHING = ShownSurfaces({})
