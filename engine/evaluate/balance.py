"""Balance: where the mass of each actor of a picture is, and what it stands on.

The centre of mass is sum(m c) / sum(m) over the bodies. What of an actor's shapes lies on the floor (the plane y = 0),
within `TOUCH` of it or below, touches it; the convex hull of those points, laid on the floor, is the support polygon.
An actor at rest stays up while the point of the floor below its centre of mass lies inside. A function of the picture
alone, so that nobody pays for it who does not ask: numbers are as exact as the picture's float32 (about 1e-7 m).

The corners of the polygon run counter-clockwise seen from above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.document import Figure
from engine.maths.arrays import Array
from engine.maths.hulls import hull, margin_of
from engine.model.inertia import masses_of
from engine.model.meshes import Mesh
from engine.model.snapshot import Balance, Bodies, SkinSurface, Snapshot, SnapshotItem
from engine.runtime.bounded import Bounded

TOUCH = 4e-3  # [m]
_MASSES: Bounded[str, Array] = Bounded(64)


def with_balance(snapshot: Snapshot) -> Snapshot:
    """The picture with the balance of every visible actor that has a mass."""
    found: list[SnapshotItem] = []
    for item in snapshot.bodies:
        if item.visible and item.role == "result" and item.owner in snapshot.document.actor_index:
            skins = [each for each in snapshot.skins if each.owner == item.owner]
            balance = _balance_of(item, snapshot.document.actor(item.owner).figure, skins)
            found += [balance] if balance is not None else []
    return replace(snapshot, items=(*snapshot.items, *found))


def centre_of_mass(masses: Array, rotations: Array, positions: Array) -> Array | None:
    """[m] in the world, shape [3]; None without a mass. `masses` as `engine.model.inertia.masses_of` gives them."""
    total = float(masses[:, 0].sum())
    if total <= 0.0:
        return None
    places = np.einsum("jab,jb->ja", rotations, masses[:, 1:4]) + positions
    return np.asarray(masses[:, 0] @ places / total)


def _balance_of(item: Bodies, figure: Figure, skins: Sequence[SkinSurface]) -> Balance | None:
    transforms = item.transforms.astype(np.float64)
    masses = _masses(figure)
    centre = centre_of_mass(masses, transforms[:, :, :3], transforms[:, :, 3])
    if centre is None:
        return None
    touching = _touching(item.mesh, transforms) if len(item.mesh.positions) else _of_skins(skins, len(transforms))
    contacts = np.concatenate([np.empty((0, 3)), *touching])
    corners = hull(contacts[:, [2, 0]])  # z before x: that is counter-clockwise about y
    x, y, z = centre.tolist()
    return Balance(
        owner=item.owner,
        mass=float(masses[:, 0].sum()),
        centre=(x, y, z),
        contacts=contacts.astype(np.float32),
        support=np.insert(corners[:, ::-1], 1, 0.0, axis=1).astype(np.float32),
        margin=margin_of(centre[[2, 0]], corners) if len(corners) else None,
    )


def _touching(mesh: Mesh, transforms: Array) -> list[Array]:
    """Find the outermost points of each body that touches the floor, shapes [count, 3]."""
    starts, middle, half = _boxes(mesh, len(transforms))
    down = transforms[:, 1, :3]
    lowest = np.einsum("nj,nj->n", down, middle) - np.einsum("nj,nj->n", abs(down), half) + transforms[:, 1, 3]
    found = []
    for body in np.flatnonzero(lowest <= TOUCH):
        points = mesh.positions[starts[body] : starts[body + 1]].astype(np.float64)
        found.append(_outermost(points @ transforms[body, :, :3].T + transforms[body, :, 3]))
    return found


def _of_skins(skins: Sequence[SkinSurface], bodies: int) -> list[Array]:
    """Find the floor points of a figure that has only skins, by the body that each vertex follows most."""
    found = []
    for skin in skins:
        low = skin.positions[:, 1] <= TOUCH
        for body in range(bodies) if low.any() else ():
            found.append(_outermost(skin.positions[low & (skin.body == body)].astype(np.float64)))
    return found


def _outermost(points: Array) -> Array:
    """Select the points on the floor that are corners of their convex hull."""
    low = points[points[:, 1] <= TOUCH]
    corners = {tuple(each) for each in hull(low[:, [2, 0]]).tolist()}
    chosen = {(z, x): (x, y, z) for x, y, z in low.tolist() if (z, x) in corners}
    return np.array(sorted(chosen.values())).reshape(-1, 3)


@lru_cache(maxsize=64)
def _boxes(mesh: Mesh, bodies: int) -> tuple[NDArray[np.intp], Array, Array]:
    """Find the first vertex of each body, and the centre and half lengths of its bounding box; infinitely high if
    none."""
    starts = np.searchsorted(mesh.body, np.arange(bodies + 1))
    middle, half = np.full((bodies, 3), np.inf), np.zeros((bodies, 3))
    for body in np.flatnonzero(np.diff(starts)):
        points = mesh.positions[starts[body] : starts[body + 1]].astype(np.float64)
        low, high = points.min(axis=0), points.max(axis=0)
        middle[body], half[body] = 0.5 * (low + high), 0.5 * (high - low)
    return starts, middle, half


def _masses(figure: Figure) -> Array:
    return _MASSES.find(figure.digest, lambda: masses_of(figure))
