"""Look: the colours and settings that the viewport draws with. Plain values; the shell fills them from its theme.

Colours are '#rrggbb'. The fields from `window` to `axis_z` bear the names of the theme's tokens.
"""

from __future__ import annotations

from typing import Literal

from engine.runtime.quick_dataclass import dataclass

AntiAliasing = Literal["auto", "on", "off"]
Shadows = Literal["auto", "off", "contact", "quick", "full"]
"""Which shadows a picture has. Quick: that of the key is equally soft everywhere, and no notch is darker than the rest;
auto: contact, unless `shadow_pace` knows more."""
Rgb = tuple[float, float, float]


@dataclass(frozen=True, kw_only=True)
class Look:
    """Colours and settings of the picture; the defaults are the dark theme's."""

    window: str = "#17181a"  # between the views
    text: str = "#e8e9eb"
    text_quiet: str = "#a9acb2"
    raised: str = "#34373c"  # faces of the view cube
    line: str = "#4a4e55"  # edges of the view cube
    accent: str = "#f0a04b"
    warning: str = "#e3b05b"  # of goals that are not met
    view_top: str = "#33363b"
    view_bottom: str = "#212326"
    grid: str = "#7d828b"
    axis_x: str = "#d9645f"
    axis_y: str = "#7fb069"
    axis_z: str = "#5f92d9"
    skin: str = "#c9bfb4"  # the mannequin's clay
    key_light: str = "#fff3e4"
    sky_light: str = "#aebccb"
    ground_light: str = "#6b5d52"
    shadow_strength: float = 0.6  # 0 none, 1 black
    pool_strength: float = 0.09  # of the light on the floor about the bodies, in shares of `sky_light`
    own_ground: bool = False  # whether its background stands, whatever a scene says of it
    show_backdrop: bool = True  # else nothing is behind the bodies, and the picture has alpha
    show_grid: bool = True
    shadows: Shadows = "contact"  # of the views; videos have all, or none
    show_balance: bool = False  # centres of mass and what they stand over
    show_contacts: bool = False  # where bodies touch the floor
    hidden: frozenset[str] = frozenset({"force"})  # roles of items that are not drawn
    field: str = ""  # the quantity that colours surfaces which have it; none: they are plain
    see_inside: bool = False  # whether hollow surfaces are translucent
    outline_width: float = 2.0  # [logical px]
    anti_aliasing: AntiAliasing = "auto"  # auto: on, but on a software renderer only once the picture rests

    @property
    def past(self) -> str:
        """Colour of trails and onion skins before the present."""
        return self.axis_z

    @property
    def future(self) -> str:
        """Colour of trails and onion skins after the present: a hue that people who take red for green can tell
        apart."""
        return self.warning

    @property
    def ways(self) -> tuple[str, ...]:
        """Colours of ways of moving beside the one that is looked at."""
        return self.axis_z, self.warning, self.axis_x, self.axis_y


def rgb(colour: str) -> Rgb:
    """Return the three channels of '#rrggbb', each 0 to 1."""
    if len(colour) != 7 or colour[0] != "#":
        raise ValueError(f"a colour is {colour!r}; allowed: '#rrggbb'")
    return (int(colour[1:3], 16) / 255, int(colour[3:5], 16) / 255, int(colour[5:7], 16) / 255)


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours as WCAG 2 defines it, 1 to 21."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def luminance(colour: str) -> float:
    """Return the luminance of a colour, 0 to 1, as WCAG 2 defines it."""
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in rgb(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
