"""Edits of figures that markers are the reason of."""

from __future__ import annotations

import math
from dataclasses import replace

from engine.document import Document
from engine.document.validation import validate_actor
from engine.document.values import Vector3
from engine.edits.find import find_figure
from engine.edits.follows import followers
from engine.markers.scaled import scaled_figure, with_points
from engine.runtime.errors import InvalidDocument, UnknownPart

LEAST, MOST = 0.05, 20.0  # of a factor


def scale_figure(
    document: Document,
    *,
    actor: str,
    factors: tuple[tuple[str, float], ...],
    heavier: float = 1.0,
    points: tuple[tuple[str, Vector3], ...] = (),
) -> Document:
    """Make bodies larger or smaller by factors, by the ids of their joints, and all masses `heavier` by one; then put
    handles at other points of their bodies [m]. Muscles grow with the bones that they go over."""
    owner, figure = find_figure(document, actor)
    for joint, factor in (*factors, ("all masses", heavier)):
        if not (isinstance(factor, (int, float)) and math.isfinite(factor) and LEAST <= factor <= MOST):
            allowed = f"{LEAST:g} to {MOST:g}"
            raise InvalidDocument(what=f"the factor of {joint}", value=factor, allowed=allowed)
    by = {figure.joint(joint).id: float(factor) for joint, factor in factors}
    handles = {each.id for each in figure.handles}
    for handle, _ in points:
        if handle not in handles:
            raise UnknownPart(kind="handle", id=handle, known=tuple(sorted(handles)))
    content = with_points(scaled_figure(figure, by, float(heavier)), dict(points))
    if content == figure:
        return document
    changed = replace(owner, figure=content)
    for each in followers():
        changed = each.scaled(changed, figure, by)
    validate_actor(changed)
    return document.with_actor(changed)
