"""Skin: a surface that follows the joints of a figure.

The surface is given in a pose of its own, the bind pose, which `bind` tells; it need not be the figure's rest pose.
`engine.model.skinning` has the equations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.document.blobs import Blob
from engine.document.parts import Part
from engine.runtime.errors import InvalidDocument

Blending = Literal["linear", "dual"]

_SUM = 1e-4  # what the weights of a vertex may lack of 1
_RIGID = 1e-4  # what a bind may lack of a rotation


@dataclass(frozen=True, kw_only=True)
class Skin(Part):
    """Triangles, and for each vertex the joints that it follows, heaviest first."""

    id: str
    name: str
    positions: Blob  # [m] in the bind pose, float32, shape [vertex_count, 3]
    triangles: Blob  # counter-clockwise from outside, int32, shape [triangle_count, 3]
    joints: tuple[str, ...]  # ids of the joints that the influences are about
    bind: Blob  # joint from surface in the bind pose, float64, shape [len(joints), 3, 4]
    influences: Blob  # places in `joints`, int32, shape [vertex_count, influence_count]
    weights: Blob  # falling, rows sum to 1, float32, shape [vertex_count, influence_count]
    blending: Blending = "dual"

    def __post_init__(self) -> None:
        if self.blending not in ("linear", "dual"):
            raise InvalidDocument(what="the blending of a skin", value=self.blending, allowed="linear, dual")
        import numpy as np  # here, for the window is painted before it is loaded

        count, joint_count = len(self.positions.array), len(self.joints)
        self._check("positions", "<f4", (count, 3))
        self._check("triangles", "<i4", (len(self.triangles.array), 3), count)
        self._check("bind", "<f8", (joint_count, 3, 4))
        width = self.weights.array.shape[-1] if self.weights.array.ndim == 2 else 0
        self._check("influences", "<i4", (count, max(width, 1)), joint_count)
        self._check("weights", "<f4", (count, max(width, 1)))
        weights = self.weights.array
        if count and (weights.min() < 0.0 or np.abs(weights.sum(axis=1, dtype=float) - 1.0).max() > _SUM):
            raise InvalidDocument(what="the weights of a skin", value=self.name, allowed="0 and above, rows of sum 1")
        if (np.diff(weights, axis=1) > 0.0).any():
            raise InvalidDocument(what="the weights of a skin", value=self.name, allowed="the heaviest first")
        turns = self.bind.array[:, :, :3]
        off = np.abs(turns @ turns.transpose(0, 2, 1) - np.eye(3)).max(initial=0.0)
        if self.blending == "dual" and off > _RIGID:
            raise InvalidDocument(what="the bind of a dual quaternion skin", value=off, allowed="rotations and moves")

    def _check(self, name: str, type: str, shape: tuple[int, ...], below: int | None = None) -> None:
        blob: Blob = getattr(self, name)
        found = (blob.type, blob.array.shape)
        if found != (type, shape):
            raise InvalidDocument(what=f"the {name} of a skin", value=found, allowed=str((type, shape)))
        if below is not None and blob.array.size and not 0 <= blob.array.min() <= blob.array.max() < below:
            raise InvalidDocument(what=f"the {name} of a skin", value=self.name, allowed=f"0 to {below - 1}")
