"""Lighting and Finish: the lights of a scene, and the colour and gloss of an actor. Know documents alone.

A document without `Lighting` is lit as the views always were: by a key that goes with each view. Directions are angles
of where a light comes from: azimuth 0 is +Z and grows towards +X, elevation 0 is level.
"""

from __future__ import annotations

import math
import re

from engine.document.parts import Part
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass

STUDIO: dict[str, float | bool | str] = {
    "with_view": True, "fill": 0.4, "rim": 1.6, "background": "#34373c", "floor": "#45494f", "horizon": True,
}  # fmt: skip
"""Fields of a studio: lights beside the camera, over a floor that fades into grey."""
_COLOUR = re.compile(r"#[0-9a-f]{6}")


@dataclass(frozen=True, kw_only=True)
class Lighting(Part):
    """The lights of a scene, its background and its floor."""

    azimuth: float = option(
        math.radians(-40.0), label="Key from", unit="rad", least=-math.pi, most=math.pi,
        note="Where the key shines from, seen from above: 0 is before a figure, 90 at its left hand.",
    )  # fmt: skip
    elevation: float = option(
        math.radians(42.0), label="Height of the key", unit="rad", least=math.radians(5.0), most=math.radians(90.0),
        note="Above the horizon. The lower, the longer its shadows.",
    )  # fmt: skip
    with_view: bool = option(
        False,
        label="Lights go with the view",
        note="The key then stands beside the camera, as the figure of a turntable turns under fixed lights.",
    )
    key: float = option(1.0, label="Key", unit="share", least=0.0, most=3.0, note="Casts the shadows.")
    size: float = option(
        math.radians(2.6), label="Softness of shadows", unit="rad", least=0.0, most=math.radians(12.0),
        note="Half of the angle over which the key is seen. A shadow's edge is gap * tan(s) wide to each side.",
    )  # fmt: skip
    fill: float = option(
        0.35, label="Fill", unit="share", least=0.0, most=2.0, note="Softens the dark side, from beside the key."
    )
    rim: float = option(
        1.2, label="Rim", unit="share", least=0.0, most=4.0, note="Shines on edges, from behind, opposite the key."
    )
    sky: float = option(
        1.0, label="Sky", unit="share", least=0.0, most=3.0, note="Comes from everywhere; notches have less of it."
    )
    background: str = ""  # a colour '#rrggbb'; none: the theme's
    floor: str = ""  # likewise; none: there is no floor but the grid
    horizon: bool = option(
        True, label="Floor fades into the background", note="Else it ends at a horizon, as far as one sees."
    )

    def __post_init__(self) -> None:
        check_options(self)
        for name in ("background", "floor"):
            check_colour(f"the {name}", getattr(self, name))


@dataclass(frozen=True, kw_only=True)
class Finish(Part):
    """How an actor looks, where its surfaces bring no colours of their own."""

    colour: str = ""  # '#rrggbb'; none: as all figures
    roughness: float = option(
        1.0, label="Roughness", unit="share", least=0.05, most=1.0,
        note="1 is clay, as all figures are; the lower, the smaller and brighter the key's reflection.",
    )  # fmt: skip

    def __post_init__(self) -> None:
        check_options(self)
        check_colour("the colour of an actor", self.colour)


def check_colour(what: str, colour: str) -> None:
    """Refuse what is no colour, nor empty."""
    if colour and not _COLOUR.fullmatch(colour):
        raise InvalidDocument(what=what, value=colour, allowed="a colour such as '#5b6f86', or none")
