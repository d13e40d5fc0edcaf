"""The drafts of a layer, put, taken and keyed: poses that are shown at one tick each and are no keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from engine.document.actor import Actor
from engine.document.document import Document
from engine.document.figure import Figure
from engine.document.motion import Draft, Layer


def put_draft(figure: Figure, layer: Layer, time: int, values: Mapping[str, float]) -> Layer:
    """The layer with these values in the draft of a tick, beside those that it has there."""
    old = layer.draft_at(time)
    merged = {**dict(old.values if old is not None else ()), **values}
    order = figure.coordinate_index
    new = Draft(time=time, values=tuple(sorted(merged.items(), key=lambda item: order[item[0]])))
    return layer if new == old else _with(layer, time, new)


def take_from_draft(layer: Layer, time: int, names: Collection[str] | None = None) -> Layer:
    """The layer without a draft's values of some coordinates, or (None) without the draft; the identical one without
    such a draft."""
    old = layer.draft_at(time)
    if old is None:
        return layer
    kept = () if names is None else tuple(item for item in old.values if item[0] not in names)
    if len(kept) == len(old.values):
        return layer
    return _with(layer, time, Draft(time=time, values=kept) if kept else None)


def without_drafts(document: Document) -> Document:
    """The document as its keys have it; the identical one where there is no draft."""
    for actor in document.actors:
        kept = keyed_only(actor)
        document = document if kept is actor else document.with_actor(kept)
    return document


def keyed_only(actor: Actor) -> Actor:
    """The actor as its keys have it; the identical one where there is no draft."""
    if not any(layer.drafts for layer in actor.layers):
        return actor
    return replace(actor, layers=tuple(replace(each, drafts=()) if each.drafts else each for each in actor.layers))


def draft_times(document: Document) -> tuple[int, ...]:
    """Every tick on which a draft stands."""
    layers = (layer for actor in document.actors for layer in actor.layers)
    return tuple(sorted({draft.time for layer in layers for draft in layer.drafts}))


def _with(layer: Layer, time: int, draft: Draft | None) -> Layer:
    others = [each for each in layer.drafts if each.time != time]
    made = sorted((*others, *(() if draft is None else (draft,))), key=lambda each: each.time)
    return replace(layer, drafts=tuple(made))
