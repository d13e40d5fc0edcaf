"""Theme: the named colours of the application: dark, light, and of high contrast.

Each token is '#rrggbb'. `text` and `text_quiet` are readable (contrast at least 4.5, WCAG 2.1) on every ground that
carries text, the other texts on the four plain grounds; 7 and more where contrast is high. The tests compute that.
"""

from __future__ import annotations

from dataclasses import fields

from engine.runtime.quick_dataclass import dataclass

GROUNDS = ("window", "panel", "raised", "field")
TEXTS = ("text", "text_quiet", "text_faint", "warning", "danger", "good")


@dataclass(frozen=True, kw_only=True)
class Theme:
    """The colours of one look, each '#rrggbb'."""

    name: str
    window: str  # bars and gaps
    panel: str  # docks, dialogs, menus
    raised: str  # buttons, section headers
    field: str  # wells that hold something to edit or to read
    line: str  # hairlines between things
    text: str
    text_quiet: str
    text_faint: str
    accent: str
    accent_text: str  # text on the accent
    warning: str
    danger: str
    good: str
    view_top: str  # the viewport's ground, top and bottom of its gradient
    view_bottom: str
    grid: str
    axis_x: str
    axis_y: str
    axis_z: str

    @property
    def selection(self) -> str:
        """Background of a selected row."""
        return mix(self.panel, self.accent, 0.26 if self.is_dark else 0.20)

    @property
    def hover(self) -> str:
        """Background of what lies under the pointer."""
        return mix(self.panel, self.text, 0.07)

    @property
    def fill(self) -> str:
        """The filled part of a value's field."""
        return mix(self.field, self.accent, 0.34 if self.is_dark else 0.26)

    @property
    def is_dark(self) -> bool:
        """True if the theme has light text on dark backgrounds."""
        return luminance(self.panel) < luminance(self.text)

    def token(self, name: str) -> str:
        """Return a colour by its token's name."""
        return str(getattr(self, name))


dark = Theme(
    name="dark",
    window="#18191b",
    panel="#202124",
    raised="#2a2c2f",
    field="#17181a",
    line="#34363a",
    text="#e8e9eb",
    text_quiet="#b3b6bc",
    text_faint="#93979e",
    accent="#45b5a9",
    accent_text="#05201d",
    warning="#e3b05b",
    danger="#f08b80",
    good="#7fc48a",
    view_top="#3a3d42",
    view_bottom="#1d1e21",
    grid="#55585e",
    axis_x="#d9626b",
    axis_y="#7fb85c",
    axis_z="#5a8fe0",
)

light = Theme(
    name="light",
    window="#dedfe1",
    panel="#f1f1f2",
    raised="#e4e5e7",
    field="#fbfbfb",
    line="#cbcdd1",
    text="#1c1d1f",
    text_quiet="#45484d",
    text_faint="#5a5d63",
    accent="#0f7d73",
    accent_text="#ffffff",
    warning="#7c5200",
    danger="#ab2a22",
    good="#27662f",
    view_top="#f4f5f6",
    view_bottom="#c3c6cb",
    grid="#9a9da3",
    axis_x="#c23b45",
    axis_y="#4c8a2b",
    axis_z="#2f66c4",
)

high_contrast = Theme(
    name="contrast",
    window="#000000",
    panel="#000000",
    raised="#161616",
    field="#000000",
    line="#8c8c8c",
    text="#ffffff",
    text_quiet="#f0f0f0",
    text_faint="#e6e6e6",
    accent="#ffd23f",
    accent_text="#000000",
    warning="#ffb454",
    danger="#ff9a90",
    good="#7ee08a",
    view_top="#101010",
    view_bottom="#000000",
    grid="#8c8c8c",
    axis_x="#ff6b74",
    axis_y="#8fe05a",
    axis_z="#6fa8ff",
)

THEMES = {theme.name: theme for theme in (dark, light, high_contrast)}
THEME_LABELS = {"dark": "Dark", "light": "Light", "contrast": "High contrast"}


def token_names() -> tuple[str, ...]:
    """Return the names of all colours of a theme."""
    return tuple(each.name for each in fields(Theme) if each.name != "name")


def mix(ground: str, over: str, share: float) -> str:
    """Blend `over` onto `ground` with an opacity of `share`."""
    pairs = zip(_channels(ground), _channels(over), strict=True)
    return "#" + "".join(f"{round(255 * (under * (1.0 - share) + top * share)):02x}" for under, top in pairs)


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour (WCAG 2.1), 0 black to 1 white."""
    linear = [each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in _channels(colour)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """Return the contrast ratio of two colours (WCAG 2.1), 1 to 21."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _channels(colour: str) -> tuple[float, float, float]:
    return int(colour[1:3], 16) / 255.0, int(colour[3:5], 16) / 255.0, int(colour[5:7], 16) / 255.0
