"""The scene with every figure in its rest pose, without kernels; and the meshes, kept by content."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.document import Actor, Document, Figure, Prop
from engine.model.compile import rotation_matrix
from engine.model.meshes import Mesh, build_mesh
from engine.model.snapshot import Bodies, Snapshot

_MESHES: dict[str, Mesh] = {}
_MESHES_KEPT = 64


def mesh_of(content: Figure | Prop) -> Mesh:
    """The mesh of an actor's content; the same object for the same shapes."""
    mesh = _MESHES.get(content.digest)
    if mesh is None:
        bodies = [content.shapes] if isinstance(content, Prop) else [joint.shapes for joint in content.joints]
        mesh = build_mesh(bodies)
        while len(_MESHES) >= _MESHES_KEPT:
            _MESHES.pop(next(iter(_MESHES)))
        _MESHES[content.digest] = mesh
    return mesh


def body_parts(actor: Actor) -> tuple[str, ...]:
    """Whom each body of the actor's mesh belongs to."""
    return (actor.id,) if actor.figure is None else tuple(actor.figure.joint_index)


def rest_snapshot(document: Document) -> Snapshot:
    """Every actor where it is placed, all coordinates zero."""
    items = tuple(
        Bodies(
            owner=actor.id,
            role="result",
            mesh=mesh_of(actor.content),
            parts=body_parts(actor),
            transforms=_rest_transforms(actor),
            visible=actor.visible,
        )
        for actor in document.actors
    )
    return Snapshot(document=document, time=0, items=items, state="rest")


def placement_transform(actor: Actor) -> NDArray[np.float64]:
    """World from actor, shape [3, 4]."""
    position = np.array(actor.placement.position)[:, None]
    return np.hstack((rotation_matrix(actor.placement.rotation), position))


def _rest_transforms(actor: Actor) -> NDArray[np.float32]:
    base = placement_transform(actor)
    if actor.figure is None:
        return base[None].astype(np.float32)
    worlds: dict[str, NDArray[np.float64]] = {}
    for joint in actor.figure.joints:
        parent = base if joint.parent is None else worlds[joint.parent]
        rotation = parent[:, :3] @ rotation_matrix(joint.rest)
        position = parent[:, 3] + parent[:, :3] @ np.array(joint.offset)
        worlds[joint.id] = np.hstack((rotation, position[:, None]))
    return np.array(list(worlds.values()), dtype=np.float32)
