"""Edits of poses. Limited coordinates are clamped to their limits, hinges with a limit over several angles go to the
nearest angles that it allows, and the four numbers of a ball are normalised.

`pose_edit` is no edit: it chooses the one by which a pose is kept at a time, for sliders, drags, pasting and all else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from engine.document import Actor, Document, Draft, Figure, Layer
from engine.document.drafts import put_draft, take_from_draft
from engine.document.values import finite
from engine.edits import Edit, edit
from engine.edits.find import find_layer, free_values, with_layer, with_values
from engine.edits.keys import key_pose
from engine.edits.regions import concerns, layer_values, rest_of, within_regions
from engine.runtime.errors import InvalidDocument, NothingThere, UnknownPart

Values = tuple[tuple[str, float], ...]


def set_value(document: Document, *, actor: str, layer: str, coordinate: str, value: float) -> Document:
    """Set one coordinate [rad or m] of a pose layer."""
    return set_pose(document, actor=actor, layer=layer, values=((coordinate, value),))


def set_pose(document: Document, *, actor: str, layer: str, values: Values) -> Document:
    """Set several coordinates [rad or m] of a pose layer; the others stay."""
    owner, figure, old = find_layer(document, actor, layer)
    before = old.by_coordinate
    changed = {name: value for name, value in _within(owner, old, before, values).items() if before.get(name) != value}
    if not changed:
        return document
    return with_values(document, owner, old, _put(figure, old, changed))


def reset_pose(document: Document, *, actor: str, layer: str, coordinates: tuple[str, ...] | None = None) -> Document:
    """Back to rest, or as near to it as limits allow: the named coordinates, or all of them. The numbers of a ball go
    together."""
    owner, figure, old = find_layer(document, actor, layer)
    gone = set(figure.coordinates if coordinates is None else coordinates)
    for coordinate in tuple(gone):
        dof = figure.coordinate_dof.get(coordinate)
        if dof is None:
            raise UnknownPart(kind="coordinate", id=coordinate, known=figure.coordinates)
        gone.update(dof.coordinates)
    kept = tuple(item for item in old.values if item[0] not in gone)
    if len(kept) == len(old.values):
        return document
    new = replace(old, values=kept)
    if concerns(figure, old, dict.fromkeys(gone, 0.0)):
        at_rest = layer_values(owner, new)
        touched = {name: at_rest.get(name, rest_of(figure, name)) for name in figure.limited.intersection(gone)}
        moved = within_regions(figure, touched, at_rest)
        further = {name: value for name, value in moved.items() if value != touched.get(name)}
        new = replace(new, values=_in_order(figure, {**new.by_coordinate, **further}))
    return with_layer(document, owner, new)


def set_draft(document: Document, *, actor: str, layer: str, time: int, values: Values) -> Document:
    """Show these values at one tick without keying them, beside those that a draft there shows already."""
    owner, figure, old = find_layer(document, actor, layer)
    draft = old.draft_at(time)
    merged = _merged(owner, old, dict(draft.values) if draft is not None else {}, values, time)
    return with_layer(document, owner, put_draft(figure, old, time, merged)) if merged else document


def key_draft(document: Document, *, actor: str, layer: str, time: int) -> Document:
    """Set keys to what the draft of a tick shows; it is no draft any more."""
    draft = _find_draft(find_layer(document, actor, layer)[2], time)
    return key_pose(document, actor=actor, layer=layer, time=time, values=draft.values)


def drop_draft(document: Document, *, actor: str, layer: str, time: int) -> Document:
    """Throw the draft of a tick away: what is keyed shows there again."""
    owner, _, old = find_layer(document, actor, layer)
    _find_draft(old, time)
    return with_layer(document, owner, take_from_draft(old, time))


def pose_layer(actor: Actor, time: int | None = None) -> Layer:
    """The layer that a person's poses go to at a time: the one chosen for it, else the uppermost that counts then."""
    layer = actor.layer_for(time)
    if layer is None:
        remedy = "Unmute one, or add one in the Layers panel"
        raise NothingThere(f"{actor.name} has no layer that can hold a pose at this time", remedy=remedy)
    return layer


def as_keyed(actor: Actor) -> Actor:
    """An actor that swings as its keys have it: without secondary motion and the corrections that were found for it."""
    if not actor.swings:
        return actor
    layers = actor.layers
    if any(each.correction is not None for each in layers):
        layers = tuple(each if each.correction is None else replace(each, correction=None) for each in layers)
    return replace(actor, secondary=None, layers=layers)


def document_as_keyed(document: Document, actor: str) -> Document:
    """A document with one of its actors as its keys have it."""
    owner = document.actor(actor)
    return document.with_actor(as_keyed(owner)) if owner.swings else document


def pose_edit(document: Document, actor: str, time: int, values: Values, *, auto_key: bool = True) -> Edit:
    """The edit that keeps a pose at a time [ticks].

    On a layer without keys it is the constant pose, whatever the time. Where there are keys it is keys at that time,
    or, without `auto_key`, a draft. A draft that no keys can take over stays one.
    """
    layer = pose_layer(document.actor(actor), time)
    place = {"actor": actor, "layer": layer.id}
    if layer.tracks and auto_key:
        return edit("key_pose", **place, time=time, values=values)
    if layer.tracks or layer.draft_at(time) is not None:
        return edit("set_draft", **place, time=time, values=values)
    return edit("set_pose", **place, values=values)


def poses_edit(document: Document, time: int, poses: tuple[tuple[str, Values], ...], *, auto_key: bool = True) -> Edit:
    """The edit that keeps the poses of some actors at a time [ticks]: the first, and those of the others that move."""
    (actor, values), *others = poses
    changed = ((actor, values), *(each for each in others if each[1]))
    if len(changed) == 1:
        return pose_edit(document, actor, time, values, auto_key=auto_key)
    return edit("pose_actors", time=time, poses=changed, auto_key=auto_key)


def pose_actors(
    document: Document, *, time: int, poses: tuple[tuple[str, Values], ...], auto_key: bool = True
) -> Document:
    """Keep the poses of several actors at a time, each as `pose_edit` chooses."""
    for actor, values in poses:
        document = pose_edit(document, actor, time, values, auto_key=auto_key).apply(document)
    return document


def _find_draft(layer: Layer, time: int) -> Draft:
    draft = layer.draft_at(time)
    if draft is None:
        allowed = ", ".join(str(each.time) for each in layer.drafts) or "none: there is no draft"
        raise InvalidDocument(what=f"the tick of a draft of layer {layer.name}", value=time, allowed=allowed)
    return draft


def _put(figure: Figure, old: Layer, changed: Mapping[str, float]) -> Values:
    """The values that a layer comes to have. Pairs that stay are the same objects: they need not be checked again."""
    places, pairs = figure.coordinate_index, list(old.values)
    if len(pairs) < len(places):
        return _in_order(figure, {**old.by_coordinate, **changed})
    for name, value in changed.items():
        pairs[places[name]] = (name, value)
    return tuple(pairs)


def _in_order(figure: Figure, values: Mapping[str, float]) -> Values:
    return tuple(sorted(values.items(), key=lambda item: figure.coordinate_index[item[0]]))


def _merged(actor: Actor, layer: Layer, old: Mapping[str, float], values: Values, time: int = 0) -> dict[str, float]:
    """The old values with new ones over them, within limits."""
    return {**old, **_within(actor, layer, old, values, time)}


def _within(actor: Actor, layer: Layer, old: Mapping[str, float], values: Values, time: int = 0) -> dict[str, float]:
    """New values within limits, and what else of the old ones these move."""
    figure, limited = actor.figure, dict[str, float]()
    values = free_values(figure, values)
    dofs, together = figure.coordinate_dof, figure.limited
    has_ball = False
    for coordinate, value in values:
        dof = dofs.get(coordinate)
        if dof is None:
            raise UnknownPart(kind="coordinate", id=coordinate, known=figure.coordinates)
        given = finite(coordinate, value)
        limited[coordinate] = given if coordinate in together else dof.clamp(given)
        has_ball = has_ball or dof.kind == "ball"
    if concerns(figure, layer, limited):
        limited |= within_regions(figure, limited, layer_values(actor, layer, time))
    if has_ball:
        _normalise_balls(figure, old, limited)
    return limited


def _normalise_balls(figure: Figure, old: Mapping[str, float], limited: dict[str, float]) -> None:
    dofs = [figure.coordinate_dof[coordinate] for coordinate in limited]
    for dof in {dof.id: dof for dof in dofs if dof.kind == "ball"}.values():
        rest = (1.0, 0.0, 0.0, 0.0)
        pairs = zip(dof.coordinates, rest, strict=True)
        numbers = [limited.get(name, old.get(name, default)) for name, default in pairs]
        norm = math.hypot(*numbers)
        if norm < 1e-9:
            raise InvalidDocument(what=f"the quaternion of {dof.id}", value=numbers, allowed="one that is not zero")
        limited.update(zip(dof.coordinates, (number / norm for number in numbers), strict=True))
