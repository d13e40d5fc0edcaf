"""Conversion of a file's surfaces that hang on several joints to skins, and back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.document import Blob, Figure, Skin
from engine.document.values import new_id
from engine.formats.format import Contents, FileMesh
from engine.formats.mesh_shapes import with_body
from engine.model.skin_weights import pack_weights

MOST_INFLUENCES = 8  # of a vertex; the least weights beyond these are dropped


def with_skins(figure: Figure, surfaces: Sequence[FileMesh]) -> Figure:
    """The figure with those surfaces as skins that hang on more than one joint."""
    skins = tuple(skin_of(surface) for surface in surfaces if len(surface.joints) > 1)
    return replace(figure, skins=(*figure.skins, *skins)) if skins else figure


def skin_of(surface: FileMesh) -> Skin:
    """A skin in a file's usual blending: of the same vertices, but those of a texture's seams are one."""
    if surface.colouring is not None and surface.normals is not None:
        surface = _welded(surface)
    assert surface.weights is not None, "it hangs on joints"
    assert surface.bind is not None, "it hangs on joints"
    most = int((surface.weights > 0.0).sum(axis=1).max(initial=1))
    influences, weights = pack_weights(surface.weights, min(most, MOST_INFLUENCES))
    return Skin(
        id=new_id("skin"),
        name=surface.name,
        positions=Blob(surface.positions.astype("<f4")),
        triangles=Blob(surface.triangles.astype("<i4")),
        joints=surface.joints,
        bind=Blob(surface.bind.astype("<f8")),
        influences=Blob(influences),
        weights=Blob(weights),
        blending="linear",
        colouring=surface.colouring,
    )


def _welded(surface: FileMesh) -> FileMesh:
    """The surface with one vertex where seams of a texture have several: in one place, with one normal and the same
    weights. Else the seams would be seen in its light."""
    assert surface.weights is not None, "it hangs on joints"
    assert surface.normals is not None, "asked for"
    parts = (surface.positions, surface.weights, np.round(surface.normals, 3))
    rows = np.ascontiguousarray(np.concatenate(parts, axis=1) + 0.0)
    keys = rows.view(f"V{8 * rows.shape[1]}").ravel()
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")
    number = np.empty(len(first), np.int64)
    number[order] = np.arange(len(first))
    kept = first[order]
    return replace(
        surface,
        positions=surface.positions[kept],
        triangles=number[place.ravel()][surface.triangles].astype(np.int32),
        normals=surface.normals[kept],
        weights=surface.weights[kept],
    )


def skin_surface(skin: Skin) -> FileMesh:
    """The surface of a skin, in its bind pose."""
    weights = np.zeros((len(skin.positions.array), len(skin.joints)))
    np.add.at(weights, (np.arange(len(weights))[:, None], skin.influences.array), skin.weights.array)
    return FileMesh(
        name=skin.name,
        positions=skin.positions.array.astype(np.float64),
        triangles=skin.triangles.array,
        joints=skin.joints,
        weights=weights / weights.sum(axis=1, keepdims=True),
        bind=skin.bind.array,
        colouring=skin.colouring,
    )


def dressed(contents: Contents) -> tuple[FileMesh, ...]:
    """The surfaces to write: those that are given, the figure's skins, and where it has none the shapes of bodies."""
    figure = contents.figure
    if figure is None or not figure.skins or any(surface.joints for surface in contents.surfaces):
        return with_body(contents)
    return (*contents.surfaces, *map(skin_surface, figure.skins))
