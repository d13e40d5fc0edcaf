"""What text formats of motion lose, in words for a person."""

from __future__ import annotations

from collections.abc import Sequence

from engine.document import Figure, Layer
from engine.formats.format import Surface


def listed(names: Sequence[str]) -> str:
    """The first few names and how many more there are."""
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def figure_losses(figure: Figure, surfaces: Sequence[Surface]) -> list[str]:
    """What no text format of motion holds."""
    lost = []
    if any(joint.shapes for joint in figure.joints):
        lost.append("shapes of bodies")
    if surfaces:
        lost.append("surfaces")
    if any(dof.stiffness != 1.0 or dof.damping != 0.0 for dof in figure.dofs):
        lost.append("stiffness and damping")
    if any(joint.side != "middle" or joint.mirror is not None or joint.group for joint in figure.joints):
        lost.append("sides, mirror partners and groups")
    spaced = [joint.name for joint in figure.joints if len(joint.name.split()) != 1]
    if spaced:
        lost.append(f"spaces in names: {listed(spaced)}")
    return lost


def motion_losses(layers: Sequence[Layer]) -> list[str]:
    """What becomes of layers that are written as frames."""
    lost = []
    if sum(not layer.mute for layer in layers) > 1:
        lost.append("layers, written as their result")
    if any(layer.tracks for layer in layers):
        lost.append("keys, written as samples")
    samples = [layer.samples for layer in layers if layer.samples is not None]
    if any(each.before != "hold" or each.after != "hold" for each in samples):
        lost.append("what goes on before the first and after the last frame")
    if any(each.start != 0 for each in samples):
        lost.append("the time at which the motion begins")
    return lost
