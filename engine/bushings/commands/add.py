"""Bushings that are proposed where a person adds one: between the bodies of two joints, or of one and the ground, at
rest as the figure is."""

from __future__ import annotations

from engine.bushings.parts import Bushing, held_at
from engine.document import Figure
from engine.document.frames import Frame, rest_frames

TURNING, SLIDING = 10.0, 1e4  # [N m/rad], [N/m] about as stiff as the cartilage of a rib, estimated
LAG = 0.01  # [s] of damping over stiffness


def new_bushing(figure: Figure, id: str, first: str | None, second: str) -> Bushing:
    """Make a bushing in the middle between two joints, or where a joint is on the ground (`first` None), along the axes
    of the figure at rest."""
    frames = rest_frames(figure)
    ends = Frame() if first is None else frames[first], frames[second]
    x, y, z = (
        0.5 * (one + other) for one, other in zip(frames[first or second].position, ends[1].position, strict=True)
    )
    here, there = (each.seeing(Frame((x, y, z))) for each in ends)
    return Bushing(
        id=id,
        name=f"{'Ground' if first is None else figure.joint(first).name} to {figure.joint(second).name}",
        **held_at((first, here), (second, there)),
        turning=(TURNING,) * 3,
        sliding=(SLIDING,) * 3,
        turning_damping=(LAG * TURNING,) * 3,
        sliding_damping=(LAG * SLIDING,) * 3,
    )
