"""Tooltips of lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from app.features.activation.alpha_hand import BY_EXPRESSION

if TYPE_CHECKING:
    from app.features.activation.lanes.view import ActivationLanes


def tip_at(lanes: ActivationLanes, at: QPointF) -> str:
    """Write what is under a place of the lanes."""
    place = lanes.lane_at(at.y())
    if place is None:
        return ""
    lane, key = lanes.table.lanes[place], lanes.key_at(at)
    clock, rate = lanes.session.clock, lanes.session.document.rate
    if key is not None:
        return f"{lane.label}, {clock.name(int(lanes.table.time[key]), rate)}: alpha {lanes.table.value[key]:.3f}"
    if lanes.eye_rect(place).contains(at):
        return "Let this spline count again" if lane.spline.mute else "Mute this spline: leave it out for now"
    if lanes.slider_rect(place).contains(at):
        how = BY_EXPRESSION if lane.spline.activation == "expression" else "Drag to set alpha, with Ctrl finer."
        return f"{how}\nBelow 1 the spline contracts, above it extends."
    if at.x() < lanes.left:
        return f"{lane.label}\nDouble-click to name it"
    time, measured = lanes.axis.snapped(lanes.time_at(at.x())), lanes.measured.get(lane.spline.id)
    if measured is None or not len(measured):
        return ""
    import numpy as np

    length = float(np.interp(time, measured[:, 0], measured[:, 1]))
    return f"{clock.name(time, rate)}: {length:.3f} of its length at rest"
