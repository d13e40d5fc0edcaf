"""The picture of a pose for the library: one actor, framed in the view that is active, without marks and outlines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.scene import Viewport
    from app.session import Session

SIZE = 192  # [px] across and down: twice what the library shows, for screens of double density


def photograph(viewport: Viewport, session: Session, actor: str, path: Path) -> None:
    """Write it as PNG; `OSError` where it cannot be written."""
    parts = frozenset((actor, joint) for joint in session.shown.actor(actor).figure.joint_index)
    bounds = viewport.bounds(parts)
    if bounds is None:
        return
    camera = viewport.cameras[viewport.active].frame(bounds, (SIZE, SIZE), 1.05)
    if not viewport.render_image(SIZE, SIZE, camera=camera, plain=True).save(str(path)):
        raise OSError(None, "no picture could be written", str(path))
