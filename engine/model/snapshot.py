"""Snapshot: what is drawn at one time, as plain arrays. The only thing of the engine that the drawing side knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from engine.document import Document
from engine.model.meshes import Mesh
from engine.model.skeletons import NO_SKELETON, Skeleton

Role = Literal["result", "onion", "ghost", "handle"]


@dataclass(frozen=True, kw_only=True, eq=False)
class Bodies:
    """Rigid bodies that share one mesh: vertex i moves with body `mesh.body[i]`."""

    owner: str  # id of the actor
    role: Role
    mesh: Mesh  # uploaded once, found by its digest
    parts: tuple[str, ...]  # id of the joint that carries body i
    transforms: NDArray[np.float32]  # world from body: rotation and position [m], shape [body_count, 3, 4]
    visible: bool = True
    skeleton: Skeleton = NO_SKELETON  # the same bodies as bones; none of a prop


@dataclass(frozen=True, kw_only=True, eq=False)
class SkinSurface:
    """A surface that bends: its triangles stay, its vertices move with every frame."""

    owner: str  # id of the actor
    role: Role
    skin: str  # id of the skin
    topology: str  # digest of `triangles` and `body`, uploaded once
    triangles: NDArray[np.int32]  # counter-clockwise seen from outside, shape [triangle_count, 3]
    body: NDArray[np.int32]  # which of the owner's bodies each vertex follows most, shape [vertex_count]
    positions: NDArray[np.float32]  # [m] in the world, shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit, shape [vertex_count, 3]
    visible: bool = True


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot:
    """The items on screen, and which document and time they show."""

    document: Document
    time: int  # ticks
    items: tuple[Bodies, ...]
    state: Literal["rest", "fresh"] = "fresh"
    skins: tuple[SkinSurface, ...] = ()  # to be drawn in place of the bodies of the same owner
