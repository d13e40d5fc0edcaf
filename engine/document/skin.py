"""Skin: a surface that follows the joints of a figure.

The surface is given in a pose of its own, the bind pose, which `bind` tells; it need not be the figure's rest pose.
`engine.model.skinning` has the equations.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, Literal

from engine.document.blobs import Blob
from engine.document.material import Colouring
from engine.document.parts import Part
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

Blending = Literal["linear", "dual"]
SKIN_ARRAYS = ("positions", "triangles", "bind", "influences", "weights")

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
    colouring: Colouring | None = None  # None: the actor's own colour

    def __post_init__(self) -> None:
        if self.blending not in ("linear", "dual"):
            raise InvalidDocument(what="the blending of a skin", value=self.blending, allowed="linear, dual")
        count, joint_count = self.positions.shape[0], len(self.joints)
        width = self.weights.shape[-1] if len(self.weights.shape) == 2 else 0
        self._check_form("positions", "<f4", (count, 3))
        self._check_form("triangles", "<i4", (self.triangles.shape[0], 3))
        self._check_form("bind", "<f8", (joint_count, 3, 4))
        self._check_form("influences", "<i4", (count, max(width, 1)))
        self._check_form("weights", "<f4", (count, max(width, 1)))
        if self.colouring is not None:
            self.colouring.check(f"the skin {self.name}", self.triangles.shape[0])
        self.triangles.check(partial(_check_places, "triangles", count))
        self.influences.check(partial(_check_places, "influences", joint_count))
        self.weights.check(partial(_check_weights, self.name))
        if self.blending == "dual":
            self.bind.check(_check_bind)

    def _check_form(self, name: str, type: str, shape: tuple[int, ...]) -> None:
        blob: Blob = getattr(self, name)
        found = (blob.type, blob.shape)
        if found != (type, shape):
            raise InvalidDocument(what=f"the {name} of a skin", value=found, allowed=str((type, shape)))


def _check_places(name: str, below: int, places: NDArray[Any]) -> None:
    if places.size and not 0 <= places.min() <= places.max() < below:
        ends = (int(places.min()), int(places.max()))
        raise InvalidDocument(what=f"the {name} of a skin", value=ends, allowed=f"0 to {below - 1}")


def _check_weights(name: str, weights: NDArray[Any]) -> None:
    import numpy as np  # here, for the window is painted before it is loaded

    if weights.size and (weights.min() < 0.0 or np.abs(weights.sum(axis=1, dtype=float) - 1.0).max() > _SUM):
        raise InvalidDocument(what="the weights of a skin", value=name, allowed="0 and above, rows of sum 1")
    if (np.diff(weights, axis=1) > 0.0).any():
        raise InvalidDocument(what="the weights of a skin", value=name, allowed="the heaviest first")


def _check_bind(bind: NDArray[Any]) -> None:
    import numpy as np

    turns = bind[:, :, :3]
    off = np.abs(turns @ turns.transpose(0, 2, 1) - np.eye(3)).max(initial=0.0)
    if off > _RIGID:
        raise InvalidDocument(what="the bind of a dual quaternion skin", value=off, allowed="rotations and moves")
