"""Finding what an edit names, refused by name where it is not there, and putting the changed part back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from engine.document import Actor, Document, Figure, Layer, Samples, Span, Track
from engine.document.validation import keep_notes
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.runtime.quick_dataclass import quick_replace

ValueT = TypeVar("ValueT")


def find_figure(document: Document, actor: str) -> tuple[Actor, Figure]:
    """An actor and its figure."""
    owner = document.actor(actor)
    return owner, owner.figure


def find_layer(document: Document, actor: str, layer: str) -> tuple[Actor, Figure, Layer]:
    """An actor, its figure and one of its layers."""
    owner, figure = find_figure(document, actor)
    for each in owner.layers:
        if each.id == layer:
            return owner, figure, each
    raise UnknownPart(kind="layer", id=layer, known=tuple(each.id for each in owner.layers))


def with_baked(owner: Actor, samples: Samples, *, id: str, name: str) -> Actor:
    """The actor with samples in a layer on top, over their span; where some layers are soloed, so is it."""
    if any(each.id == id for each in owner.layers):
        raise InvalidDocument(what="the id of the new layer", value=id, allowed="an id that is not yet in use")
    start, end = samples.start, samples.time(samples.frame_count - 1)
    solo = any(each.solo for each in owner.layers)
    layer = Layer(id=id, name=name, samples=samples, span=Span(start=start, end=max(end, start + 1)), solo=solo)
    return replace(owner, layers=(*owner.layers, layer))


def with_layer(document: Document, owner: Actor, layer: Layer) -> Document:
    """The document with the actor's layer of the same id replaced; the identical one where it is that layer."""
    layers = list(owner.layers)
    for place, each in enumerate(owner.layers):
        if each is layer:
            return document
        if each.id == layer.id:
            layers[place] = layer
    return document.with_actor(quick_replace(owner, layers=tuple(layers)))


def with_values(document: Document, owner: Actor, old: Layer, values: tuple[tuple[str, float], ...]) -> Document:
    """The document with other constant values in an actor's layer: numbers that were checked, each of another
    coordinate of its figure. So all that was found sound is so still, and is not looked at again."""
    layer = quick_replace(old, values=values)
    changed = with_layer(document, owner, layer)
    keep_notes(layer, old, more=len(values) - len(old.values))
    keep_notes(changed.actor(owner.id), owner)
    keep_notes(changed, document)
    return changed


def check_coordinates(figure: Figure, names: Iterable[str]) -> None:
    """Refuse a name that is no coordinate of the figure."""
    for name in names:
        if name not in figure.coordinate_index:
            raise UnknownPart(kind="coordinate", id=name, known=figure.coordinates)


def free_values(figure: Figure, values: tuple[tuple[str, ValueT], ...]) -> tuple[tuple[str, ValueT], ...]:
    """Leave out what is given of driven coordinates, which follow others; refuse them where nothing else is given."""
    if not figure.driven:
        return values
    driven = {dof.id: dof for dof in figure.driven}
    kept = tuple(item for item in values if item[0] not in driven)
    if values and not kept:
        name, drivers = values[0][0], ", ".join(each.dof for each in driven[values[0][0]].driven)
        allowed = f"none, for it follows {drivers}: set that, or take its drivers away"
        raise InvalidDocument(what=f"a value of {name} of {figure.name}", value=values[0][1], allowed=allowed)
    return kept


def with_tracks(figure: Figure, layer: Layer, changed: Mapping[str, Track | None]) -> Layer:
    """The layer with some tracks replaced, added in the order of the figure, or (None) taken away.

    The identical layer where none of them differs.
    """
    if all(changed[name] == layer.track_of.get(name) for name in changed):
        return layer
    tracks = {track.coordinate: track for track in layer.tracks}
    for name, track in changed.items():
        if track is None:
            tracks.pop(name, None)
        elif track != tracks.get(name):
            tracks[name] = track
    kept = tuple(tracks.values())
    if tracks.keys() - layer.track_of.keys():
        order = figure.coordinate_index
        kept = tuple(sorted(kept, key=lambda track: order[track.coordinate]))
    return quick_replace(layer, tracks=kept)
