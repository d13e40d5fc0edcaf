"""Colourings of surfaces put together, and taken apart into vertices as files have them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.document import Blob, Colouring, Material

BARE = Material(name="no material", two_sided=True)  # of triangles that are of the actor's own colour


def merged(parts: Sequence[tuple[Colouring | None, int]]) -> Colouring | None:
    """One colouring for surfaces put one behind the other, each with its number of triangles; None where none has
    one."""
    if not any(each is not None for each, _ in parts):
        return None
    materials: list[Material] = []
    places = []
    for each, count in parts:
        own = (BARE,) if each is None else each.materials
        numbers = np.array([_place(materials, material) for material in own], "<i4")
        chosen = each.of_triangles if each is not None else None
        places.append(np.full(count, numbers[0], "<i4") if chosen is None else numbers[chosen.array])
    laid = [np.zeros((n, 3, 2), "<f4") if c is None or c.coordinates is None else c.coordinates.array for c, n in parts]
    paint = [np.full((n, 3, 4), 255, "|u1") if c is None or c.colours is None else c.colours.array for c, n in parts]
    return Colouring(
        materials=tuple(materials),
        of_triangles=Blob(np.concatenate(places)) if len(materials) > 1 else None,
        coordinates=Blob(np.concatenate(laid)) if any(c is not None and c.coordinates for c, _ in parts) else None,
        colours=Blob(np.concatenate(paint)) if any(c is not None and c.colours for c, _ in parts) else None,
    )


class SplitVertices(NamedTuple):
    """Vertices that stand there once for each place on a texture and each colour."""

    source: NDArray[np.int64]  # which vertex each was, shape [count]
    triangles: NDArray[np.int64]  # shape [triangle_count, 3]
    coordinates: NDArray[np.float32] | None  # shape [count, 2]
    colours: NDArray[np.uint8] | None  # shape [count, 4]


def split(triangles: NDArray[np.integer[Any]], colouring: Colouring, *, by_material: bool = False) -> SplitVertices:
    """Split the vertices of a surface where its corners are coloured differently, and where they are of triangles of
    several materials if that is wanted; those that no triangle has go."""
    corners = np.ascontiguousarray(triangles).reshape(-1).astype(np.int64)
    keys = [corners[:, None].view(np.uint8)]
    laid = None if colouring.coordinates is None else colouring.coordinates.array.reshape(-1, 2) + np.float32(0.0)
    paint = None if colouring.colours is None else colouring.colours.array.reshape(-1, 4)
    keys += [np.ascontiguousarray(each).view(np.uint8) for each in (laid, paint) if each is not None]
    if by_material and colouring.of_triangles is not None:
        keys.append(np.repeat(colouring.of_triangles.array, 3)[:, None].view(np.uint8))
    rows = np.ascontiguousarray(np.concatenate(keys, axis=1))
    _, first, place = np.unique(rows.view(f"V{rows.shape[1]}").ravel(), return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # vertices in the order in which triangles come to them
    number = np.empty(len(first), np.int64)
    number[order] = np.arange(len(first))
    first = first[order]
    return SplitVertices(
        source=corners[first],
        triangles=number[place.ravel()].reshape(-1, 3),
        coordinates=None if laid is None else laid[first],
        colours=None if paint is None else paint[first],
    )


def triangles_by_material(colouring: Colouring, count: int) -> list[tuple[Material, NDArray[np.int64]]]:
    """The numbers of the triangles that each material paints, of those that paint some."""
    if colouring.of_triangles is None:
        return [(colouring.materials[0], np.arange(count))]
    chosen = colouring.of_triangles.array
    found = [(material, np.flatnonzero(chosen == place)) for place, material in enumerate(colouring.materials)]
    return [(material, numbers) for material, numbers in found if len(numbers)]


def _place(materials: list[Material], material: Material) -> int:
    for place, each in enumerate(materials):
        if each.digest == material.digest:
            return place
    materials.append(material)
    return len(materials) - 1
