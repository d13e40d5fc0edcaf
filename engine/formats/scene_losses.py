"""Lists of what files of whole scenes lose, in words for a person."""

from __future__ import annotations

from collections.abc import Sequence

from engine.document import Actor, TriangleMesh
from engine.formats.losses import listed
from engine.systems import load, systems


def skeleton_losses(actors: Sequence[Actor]) -> list[str]:
    """List what no file of a scene holds of its figures."""
    lost = []
    dofs = [dof for actor in actors for dof in actor.figure.dofs]
    joints = [joint for actor in actors for joint in actor.figure.joints]
    if any(dof.lower is not None or dof.upper is not None for dof in dofs):
        lost.append("limits of degrees of freedom")
    if any(dof.stiffness != 1.0 or dof.damping != 0.0 for dof in dofs):
        lost.append("stiffness and damping")
    if any(dof.spring != 0.0 for dof in dofs):
        lost.append("springs of joints")
    if any(joint.body is not None for joint in joints):
        lost.append("masses")
    if any(joint.side != "middle" or joint.mirror is not None or joint.group for joint in joints):
        lost.append("sides, mirror partners and groups")
    if any(actor.figure.handles for actor in actors):
        lost.append("handles")
    if any(actor.frozen for actor in actors):
        lost.append("which actors are frozen")
    return lost


def shape_losses(actors: Sequence[Actor]) -> list[str]:
    """Say how the shapes of bodies are changed."""
    covered = [actor.name for actor in actors if actor.figure.skins and _shaped(actor)]
    joined = [actor.name for actor in actors if not actor.figure.skins and _shaped(actor)]
    lost = [f"shapes of bodies, since a skin covers them: {listed(covered)}"] if covered else []
    shapes = [shape for actor in actors for joint in actor.figure.joints for shape in joint.shapes]
    coloured = any(isinstance(shape, TriangleMesh) and shape.colouring for shape in shapes)
    coloured = coloured or any(skin.colouring for actor in actors for skin in actor.figure.skins)
    lost += ["materials and base colours"] if coloured else []
    lost += ["brightness of shapes"] if any(shape.tone != 1.0 for shape in shapes) else []
    return [*lost, *([f"shapes of bodies, written as triangles of one mesh: {listed(joined)}"] if joined else [])]


def motion_losses(actors: Sequence[Actor]) -> list[str]:
    """List what layers lose when they are written as frames."""
    layers = [layer for actor in actors for layer in actor.layers]
    if any(layer.tracks for layer in layers):
        return ["keys and layers, written as frames of what is seen"]
    if any(sum(not layer.mute for layer in actor.layers) > 1 for actor in actors):
        return ["layers, written as frames of what is seen"]
    return []


def has_mesh(actor: Actor) -> bool:
    """Tell whether there is something of it to be seen."""
    return bool(actor.figure.skins) or _shaped(actor) or has_surface(actor)


def has_surface(actor: Actor) -> bool:
    """Tell whether a system draws surfaces of it that are not its figure's."""
    return any(load(each.surfaced)(actor) for each in systems() if each.surfaced is not None)


def is_remeshed(actor: Actor) -> bool:
    """Tell whether these surfaces have other triangles at each time."""
    return any(load(each.remeshed)(actor) for each in systems() if each.remeshed is not None)


def _shaped(actor: Actor) -> bool:
    return any(joint.shapes for joint in actor.figure.joints)
