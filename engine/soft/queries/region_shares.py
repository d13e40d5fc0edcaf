"""The region of a spline as a quantity over the surface of its body: 0 outside, 1 where it acts wholly.

Importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import ActivationSpline, SoftBody

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class RegionShares:
    """How far a spline acts on each vertex of the surface."""

    spline: str
    values: NDArray[np.float32]  # shape [vertex_count]


def region_shares(body: SoftBody, spline: ActivationSpline) -> Generator[RegionShares | None, None, None]:
    """Work out a region."""
    import numpy as np

    from engine.soft.embedding import embed
    from engine.soft.members import mesh_of

    mesh = mesh_of(body)
    yield None
    shares = _shares(body, spline)
    yield None
    held = embed(mesh, body.positions.array.astype(np.float64)).weights
    yield None
    values = held.carried(np.ascontiguousarray(shares[:, None]))[:, 0]
    yield RegionShares(spline.id, np.clip(values, 0.0, 1.0).astype(np.float32))


def _shares(body: SoftBody, spline: ActivationSpline) -> Array:
    """Find how far a spline acts on each point of the mesh: by its nearest points, however many have it."""
    import numpy as np

    from engine.soft.curves import sample_curve
    from engine.soft.embedding import embed
    from engine.soft.members import mesh_of
    from engine.soft.regions import find_regions

    if spline.region == "painted" and spline.weights is not None:
        return np.asarray(spline.weights.array, dtype=np.float64)
    mesh = mesh_of(body)
    kind = "catmull-rom" if spline.curve == "catmull_rom" else "b-spline"
    places = sample_curve(np.array(spline.points), kind, spline.samples)  # type: ignore[arg-type]
    rows = find_regions(mesh, places, embed(mesh, places), spline.region, radius=spline.radius)  # type: ignore[arg-type]
    found = np.zeros(body.point_count)
    np.maximum.at(found, rows.points, rows.values)
    return found
