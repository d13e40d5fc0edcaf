"""References: pictures and videos that hang in the views to pose after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.feature import Feature
from app.features.references.page import ReferencePage

if TYPE_CHECKING:
    from app.features.window import Window
    from app.scene import Viewport


def _begin(window: Window) -> None:
    window.session.references.chosen_changed.connect(window.refresh_actions)


def _draw(window: Window, viewport: Viewport) -> None:
    from app.features.references.view import Backplanes

    Backplanes(window.session, viewport)


FEATURE = Feature(
    name="references",
    begin=_begin,
    pages=(ReferencePage.of,),
    draw=_draw,
)
