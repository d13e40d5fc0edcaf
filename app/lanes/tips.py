"""Tooltips of lanes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF

from app.lanes.hand import BY_EXPRESSION

if TYPE_CHECKING:
    from app.lanes.places import LanePlaces


def tip_at(lanes: LanePlaces, at: QPointF) -> str:
    """Write what is under a place of the lanes."""
    place = lanes.lane_at(at.y())
    if place is None:
        return ""
    lane, key = lanes.table.lanes[place], lanes.key_at(at)
    clock, rate, source = lanes.session.clock, lanes.session.document.rate, lanes.current.source_of(lane)
    if key is not None:
        when = clock.name(int(lanes.table.time[key]), rate)
        return f"{lane.label}, {when}: {lane.kind.quantity} {lanes.table.value[key]:.2f}"
    if lane.kind.mute and lanes.eye_rect(place).contains(at):
        return f"Let this {lane.kind.part} count again" if lane.mute else f"Mute this {lane.kind.part} for now"
    if lanes.slider_rect(place).contains(at):
        if lane.told == "expression":
            return BY_EXPRESSION
        how = "a key at the playhead" if lane.is_keyed else f"the {lane.kind.quantity} at all times"
        return f"Drag to set {how}, with Ctrl finer."
    if at.x() < lanes.left:
        return f"{source.about(lane, lanes.session.playhead)}\nDouble-click to name it"
    time = lanes.axis.snapped(lanes.time_at(at.x()))
    there = f"{clock.name(time, rate)}: {lane.kind.quantity} {lane.value_at(time):.2f}"
    return f"{lane.label}, {there}\nDouble-click to set a key here"
