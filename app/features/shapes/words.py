"""Words of surfaces and their targets for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.shapes.parts import ShapeTarget

if TYPE_CHECKING:
    from engine.shapes.queries.tell_surface import SurfaceTold, TargetTold

COLOUR = "good"  # of the theme
OFF = "Secondary motion is off: the surface is exactly as it is keyed, and nothing has to be met."


def missed_text(told: TargetTold | None, target: ShapeTarget, *, swings: bool) -> str:
    """Say by how much a target is missed."""
    if not swings:
        return OFF
    if target.mute:
        return "Left out: it is not met."
    if told is None:
        return "Not solved yet."
    tries = f"{told.iterations} iteration{'' if told.iterations == 1 else 's'}"
    far = "Met exactly" if told.met else f"Missed by {_length(told.distance)}"
    speed = "" if told.speed is None else f", its velocity to {1e3 * told.speed:.1g} mm/s"
    return f"{far}{speed}, in {tries}. {told.note}".strip()


def motion_text(told: SurfaceTold | None) -> str:
    """Say how far the surface is from its keys."""
    if told is None or not told.points:
        return ""
    return f"{_length(told.lag)} from its keys here; {told.points} control points are simulated."


def _length(metres: float) -> str:
    return f"{1e3 * metres:.2f} mm" if metres >= 1e-5 else f"{1e9 * metres:.2g} nm"
