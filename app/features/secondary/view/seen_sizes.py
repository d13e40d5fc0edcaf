"""Sizes of a motion of each joint of a figure on the screen or in the world, for who asks what can be seen of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.scene.arcs import Arc, arcs_of

if TYPE_CHECKING:
    from app.scene.viewport import Viewport
    from app.session import Session


def seen_sizes(viewport: Viewport, session: Session, actor: str, pixels: bool) -> tuple[Arc, ...]:
    """Of each joint, in pixels of the view that is active as its camera is, or in metres; none before a picture."""
    snapshot = session.snapshot
    items = () if snapshot is None else snapshot.bodies
    item = next((each for each in items if each.owner == actor and each.role == "result"), None)
    if item is None or actor not in session.document.actor_index:
        return ()
    parents = {joint.id: joint.parent for joint in session.document.actor(actor).figure.joints}
    view = viewport.active
    camera = viewport.cameras[view] if pixels else None
    return arcs_of(item, parents, camera, viewport.size_of(view))
