"""Edits of poses. Limited coordinates are clamped to their limits, and the four numbers of a ball are normalised."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from engine.document import Document, Figure
from engine.document.values import finite
from engine.edits.find import find_layer, with_layer
from engine.runtime.errors import InvalidDocument, UnknownPart

Values = tuple[tuple[str, float], ...]


def set_value(document: Document, *, actor: str, layer: str, coordinate: str, value: float) -> Document:
    """Set one coordinate [rad or m] of a pose layer."""
    return set_pose(document, actor=actor, layer=layer, values=((coordinate, value),))


def set_pose(document: Document, *, actor: str, layer: str, values: Values) -> Document:
    """Set several coordinates [rad or m] of a pose layer; the others stay."""
    owner, figure, old = find_layer(document, actor, layer)
    merged = dict(old.by_coordinate)
    for coordinate, value in values:
        dof = figure.coordinate_dof.get(coordinate)
        if dof is None:
            raise UnknownPart(kind="coordinate", id=coordinate, known=figure.coordinates)
        merged[coordinate] = dof.clamp(finite(coordinate, value))
    _normalise_balls(figure, merged, (coordinate for coordinate, _ in values))
    if merged == old.by_coordinate:
        return document
    order = figure.coordinate_index
    changed = tuple(merged.items())
    if len(merged) != len(old.values):
        changed = tuple(sorted(changed, key=lambda item: order[item[0]]))
    return with_layer(document, owner, replace(old, values=changed))


def reset_pose(document: Document, *, actor: str, layer: str, coordinates: tuple[str, ...] | None = None) -> Document:
    """Back to rest: the named coordinates, or all of them. The numbers of a ball go together."""
    owner, figure, old = find_layer(document, actor, layer)
    gone = set(figure.coordinates if coordinates is None else coordinates)
    for coordinate in tuple(gone):
        dof = figure.coordinate_dof.get(coordinate)
        if dof is None:
            raise UnknownPart(kind="coordinate", id=coordinate, known=figure.coordinates)
        gone.update(dof.coordinates)
    kept = tuple(item for item in old.values if item[0] not in gone)
    return document if len(kept) == len(old.values) else with_layer(document, owner, replace(old, values=kept))


def _normalise_balls(figure: Figure, merged: dict[str, float], touched: Iterable[str]) -> None:
    for dof in {figure.coordinate_dof[coordinate] for coordinate in touched}:
        if dof.kind != "ball":
            continue
        rest = (1.0, 0.0, 0.0, 0.0)
        numbers = [merged.get(name, default) for name, default in zip(dof.coordinates, rest, strict=True)]
        norm = math.hypot(*numbers)
        if norm < 1e-9:
            raise InvalidDocument(what=f"the quaternion of {dof.id}", value=numbers, allowed="one that is not zero")
        merged.update(zip(dof.coordinates, (number / norm for number in numbers), strict=True))
