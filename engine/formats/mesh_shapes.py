"""Conversion of a file's surfaces to shapes of a body, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from engine.document import Blob, Figure, TriangleMesh
from engine.formats.format import Contents, FileMesh
from engine.formats.meshes import check_counts
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.colourings import merged
from engine.model.creases import USUAL_CREASE, creased
from engine.model.meshes import build_mesh
from engine.runtime import progress

_LARGE = 50_000  # triangles of a surface that takes long by itself


def shapes_of(path: Path, surfaces: Sequence[FileMesh], crease: float = USUAL_CREASE) -> tuple[TriangleMesh, ...]:
    """A shape for each surface; where the file gives no normals, edges that bend by more than `crease` are sharp."""
    check_counts(path, 0, sum(len(surface.triangles) for surface in surfaces))
    found = []
    for number, surface in enumerate(progress.each(surfaces)):
        large = len(surface.triangles) > _LARGE
        with progress.part(number / len(surfaces), (number + 1) / len(surfaces)) if large else progress.listening(None):
            found.append(_shape(surface, crease))
    return tuple(found)


def with_body(contents: Contents) -> tuple[FileMesh, ...]:
    """The surfaces to write: the shapes of all bodies are one that hangs on the joints, unless another hangs there."""
    if contents.figure is None or any(surface.joints for surface in contents.surfaces):
        return contents.surfaces
    body = body_surface(contents.figure)
    return contents.surfaces if body is None else (*contents.surfaces, body)


def shape_losses(contents: Contents) -> str:
    """Say how a file that holds surfaces changes the shapes of bodies."""
    skinned = contents.figure is not None and contents.figure.skins
    hidden = skinned or any(surface.joints for surface in contents.surfaces)
    return (
        "shapes of bodies, since a surface hangs on the joints" if hidden else "shapes of bodies, written as one mesh"
    )


def body_surface(figure: Figure) -> FileMesh | None:
    """The shapes of a figure's bodies as one surface in the rest pose, each vertex on one joint."""
    shaped = [joint for joint in figure.joints if joint.shapes]
    if not shaped:
        return None
    mesh, worlds = build_mesh([joint.shapes for joint in shaped]), _worlds(figure)
    frames = np.stack([worlds[joint.id] for joint in shaped])
    turned = frames[mesh.body, :3, :3]
    return FileMesh(
        name=figure.name,
        positions=np.einsum("vij,vj->vi", turned, mesh.positions) + frames[mesh.body, :3, 3],
        triangles=mesh.triangles.astype(np.int32),
        normals=np.einsum("vij,vj->vi", turned, mesh.normals),
        joints=tuple(joint.id for joint in shaped),
        weights=np.eye(len(shaped))[mesh.body],
        bind=np.asarray(np.linalg.inv(frames)[:, :3]),
        colouring=merged(mesh.colourings) if mesh.colourings else None,
    )


def _shape(surface: FileMesh, crease: float) -> TriangleMesh:
    if surface.normals is None:
        positions, normals, triangles = creased(surface.positions, surface.triangles, crease)
    else:
        positions, normals, triangles = surface.positions, surface.normals, surface.triangles.astype(np.uint32)
    return TriangleMesh(
        positions=Blob(positions.astype("<f4")),
        normals=Blob(normals.astype("<f4")),
        triangles=Blob(triangles.astype("<i4")),
        colouring=surface.colouring,
    )


def _worlds(figure: Figure) -> dict[str, Array]:
    """World transforms of the joints at rest, shape [4, 4] each."""
    worlds: dict[str, Array] = {}
    for joint in figure.joints:
        local = np.eye(4)
        local[:3, :3], local[:3, 3] = rotation_matrix(joint.rest), joint.offset
        worlds[joint.id] = local if joint.parent is None else worlds[joint.parent] @ local
    return worlds


def with_rigid(path: Path, figure: Figure, surfaces: Sequence[FileMesh]) -> Figure:
    """The figure with those surfaces as shapes that hang on one joint alone."""
    rigid: dict[str, list[FileMesh]] = {}
    for surface in surfaces:
        if len(surface.joints) == 1 and surface.bind is not None:
            turn, move = surface.bind[0, :, :3], surface.bind[0, :, 3]
            normals = None if surface.normals is None else surface.normals @ np.linalg.inv(turn)
            local = replace(surface, positions=surface.positions @ turn.T + move, normals=normals)
            rigid.setdefault(surface.joints[0], []).append(local)
    if not rigid:
        return figure
    joints = tuple(
        replace(joint, shapes=(*joint.shapes, *shapes_of(path, rigid.get(joint.id, ())))) for joint in figure.joints
    )
    return replace(figure, joints=joints)
