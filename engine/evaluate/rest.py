"""The scene with every figure in its rest pose, without kernels; and the meshes, kept by content."""

from __future__ import annotations

import numpy as np

from engine.document import Actor, Document, Figure
from engine.evaluate.holds import held_base, joints_held_on, placement_transform
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.meshes import Mesh, build_mesh
from engine.model.skeletons import Skeleton, skeleton_of
from engine.model.snapshot import Bodies, Snapshot
from engine.runtime.bounded import Bounded

_BODIES: Bounded[str, tuple[Mesh, Skeleton]] = Bounded(64)


def bodies_of(figure: Figure) -> tuple[Mesh, Skeleton]:
    """The mesh of a figure's shapes and its bones; the same objects for the same figure."""
    found = _BODIES.get(figure.digest)
    if found is None:
        mesh = build_mesh([joint.shapes for joint in figure.joints])
        found = mesh, skeleton_of(figure, mesh)
        _BODIES.keep(figure.digest, found)
    return found


def mesh_of(figure: Figure) -> Mesh:
    """The mesh of a figure's shapes; the same object for the same shapes."""
    return bodies_of(figure)[0]


def rest_snapshot(document: Document) -> Snapshot:
    """Every actor where it is placed or held at tick 0, all coordinates zero."""
    wanted, items = joints_held_on(document.actors), {}
    frames: dict[tuple[str, str], Array] = {}
    for actor in document.in_order:
        worlds = _rest_worlds(actor, placement_transform(actor))
        if actor.attachments:
            worlds = _rest_worlds(actor, held_base(actor, placement_transform(actor), worlds.__getitem__, frames, 0))
        for joint in wanted.get(actor.id, ()):
            frames[actor.id, joint] = worlds[joint]
        mesh, skeleton = bodies_of(actor.figure)
        items[actor.id] = Bodies(
            owner=actor.id,
            role="result",
            mesh=mesh,
            skeleton=skeleton,
            parts=tuple(worlds),
            transforms=np.array(list(worlds.values()), dtype=np.float32),
            visible=actor.visible,
            frozen=actor.frozen,
        )
    return Snapshot(document=document, time=0, items=tuple(items[actor.id] for actor in document.actors), state="rest")


def _rest_worlds(actor: Actor, base: Array) -> dict[str, Array]:
    """World transforms of the joints, shape [3, 4] each."""
    worlds: dict[str, Array] = {}
    for joint in actor.figure.joints:
        parent = base if joint.parent is None else worlds[joint.parent]
        rotation = parent[:, :3] @ rotation_matrix(joint.rest)
        position = parent[:, 3] + parent[:, :3] @ np.array(joint.offset)
        worlds[joint.id] = np.hstack((rotation, position[:, None]))
    return worlds
