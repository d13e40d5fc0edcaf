"""The static part of the graph during a drag: painted once, so that among many keys only the moving curves are painted
again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QSizeF
from PySide6.QtGui import QPainter, QPixmap

from app.style.apply import current_theme

if TYPE_CHECKING:
    from app.timeline.graph.view import CurveGraph


def still_picture(graph: CurveGraph, moving: frozenset[int], paint: Callable[[QPainter], bool]) -> QPixmap:
    """Return the graph without the curves that are moving, as `paint` paints it."""
    curves, axis, scale = graph.curves.curves, graph.axis, graph.scale
    still = [curve for place, curve in enumerate(curves) if place not in moving]
    parts = [part for curve in still for part in (curve.outline, curve.samples)]
    picked = tuple((curve.channel, curve.gain, curve.offset, graph.picked.get(curve.channel)) for curve in still)
    places = (axis.start, axis.ticks_per_pixel, axis.seconds, scale.low, scale.per_pixel)
    looks = (graph.active, graph.locked, graph.isolated, graph.normalised, graph.weighted, frozenset(graph.loose))
    return graph.kept["still"].of(
        QSizeF(graph.viewport().size()),
        graph.devicePixelRatioF(),
        paint,
        things=(current_theme(), graph.drag, graph.dragging is None, graph.session.document, *parts),
        numbers=(moving, picked, places, looks),
    )
