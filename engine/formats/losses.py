"""Lists of what text formats of motion lose, in words for a person."""

from __future__ import annotations

from collections.abc import Sequence

from engine.document import Colouring, Figure, TriangleMesh
from engine.formats.format import Contents, FileMesh
from engine.formats.frames import motion_extent


def listed(names: Sequence[str]) -> str:
    """The first few names and how many more there are."""
    return ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def colourings_of(contents: Contents) -> list[Colouring]:
    """List what colours the surfaces, skins and shapes of some contents."""
    found: list[Colouring | None] = [each.colouring for each in contents.surfaces]
    if contents.figure is not None:
        found += [each.colouring for each in contents.figure.skins]
        shapes = (shape for joint in contents.figure.joints for shape in joint.shapes)
        found += [shape.colouring for shape in shapes if isinstance(shape, TriangleMesh)]
    return [each for each in found if each is not None]


def figure_losses(figure: Figure, surfaces: Sequence[FileMesh], *, keeps_names: bool = False) -> list[str]:
    """List what no text format of motion holds of a figure and its surfaces; `keeps_names`: it holds names with spaces,
    mirror partners and groups."""
    lost = []
    if any(joint.shapes for joint in figure.joints):
        lost.append("shapes of bodies")
    if surfaces or figure.skins:
        lost.append("surfaces" if surfaces else f"skins: {listed([each.name for each in figure.skins])}")
    if any(dof.stiffness != 1.0 or dof.damping != 0.0 for dof in figure.dofs):
        lost.append("stiffness and damping")
    if any(dof.spring != 0.0 for dof in figure.dofs):
        lost.append("springs of joints")
    if keeps_names:
        return lost
    if any(joint.side != "middle" or joint.mirror is not None or joint.group for joint in figure.joints):
        lost.append("sides, mirror partners and groups")
    spaced = [joint.name for joint in figure.joints if len(joint.name.split()) != 1]
    if spaced:
        lost.append(f"spaces in names: {listed(spaced)}")
    return lost


def motion_losses(contents: Contents, *, keeps_start: bool = False) -> list[str]:
    """List what layers lose when they are written as frames; `keeps_start`: the file says when the first frame is."""
    lost, layers = [], contents.layers
    if sum(not layer.mute for layer in layers) > 1:
        lost.append("layers, written as their result")
    silent = [layer.name for layer in layers if layer.mute]
    if silent:
        lost.append(f"muted layers: {listed(silent)}")
    if any(layer.tracks for layer in layers):
        lost.append("keys, written as samples")
    heard = [layer for layer in layers if not layer.mute]
    moving = [each for layer in heard for each in (*layer.tracks, layer.samples) if each is not None]
    if any(each.before != "hold" or each.after != "hold" for each in moving):
        lost.append("what goes on before the first and after the last frame")
    first, last = extent = motion_extent(heard)
    span = contents.span or extent
    if first < span[0] or last > span[1]:
        lost.append("what moves before and after the range that is written")
    if span[0] != 0 and not keeps_start:
        lost.append("the time at which the motion begins")
    return lost
