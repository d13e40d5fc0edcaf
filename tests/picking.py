"""Where a body is in the picture: points are tried from its joint outwards, as each costs a picture of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF

if TYPE_CHECKING:
    from app.scene import Pick
    from app.scene.viewport import Viewport
    from engine.document import Actor

APART = 6  # [px] between points that are tried
ORIGIN = (0.0, 0.0, 0.0)


def find_body(
    view: Viewport, actor: Actor, part: str | None = None, *, pane: int, apart: int = APART
) -> tuple[QPointF, Pick] | None:
    """A point of a view under which that body lies, or any of the actor; none if it is nowhere to be seen."""
    place = view.panes()[pane]
    found = view.place_of(actor.id, part or actor.figure.joints[0].id, ORIGIN)
    middle = ORIGIN if found is None else found
    x, y, _ = view.cameras[pane].project(np.array(middle), view.size_of(pane)).tolist()
    columns, rows = np.meshgrid(np.arange(4, place.width - 4, apart), np.arange(4, place.height - 4, apart))
    for number in np.argsort(np.hypot(columns - x, rows - y), axis=None, kind="stable"):
        point = QPointF(round(place.x + columns.flat[number]), round(place.y + rows.flat[number]))
        pick = view.pick(point)
        if pick is not None and pick.owner == actor.id and part in (None, pick.part):
            return point, pick
    return None
