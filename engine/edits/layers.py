"""Edits of the list of layers, of what a layer lets through, and of its timing.

Ids of new layers come from the caller. Order in the list is order of application: the first layer is the lowest.
"""

from __future__ import annotations

from typing import Literal

from engine.document import Document, Joint, Layer, Samples, Span, SpeedRange, Track
from engine.document.drafts import put_draft
from engine.edits.find import check_coordinates, find_figure, find_layer, with_layer
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import quick_replace


def add_layer(document: Document, *, actor: str, layer: Layer, index: int | None = None) -> Document:
    """Add a layer at a place of the list, or on top of all."""
    owner, _ = find_figure(document, actor)
    if any(each.id == layer.id for each in owner.layers):
        raise InvalidDocument(what="the id of the new layer", value=layer.id, allowed="an id that is not yet in use")
    place = _place(index, len(owner.layers))
    return document.with_actor(quick_replace(owner, layers=(*owner.layers[:place], layer, *owner.layers[place:])))


def duplicate_layer(document: Document, *, actor: str, layer: str, id: str, name: str | None = None) -> Document:
    """Add a copy of a layer, of another id, right above it."""
    owner, _, old = find_layer(document, actor, layer)
    copy = quick_replace(old, id=id, name=old.name if name is None else _name(name))
    return add_layer(document, actor=actor, layer=copy, index=owner.layers.index(old) + 1)


def remove_layer(document: Document, *, actor: str, layer: str) -> Document:
    """Take a layer and all that it holds out of the list."""
    owner, _, old = find_layer(document, actor, layer)
    kept = tuple(each for each in owner.layers if each is not old)
    receiver = None if owner.receiver == layer else owner.receiver
    return document.with_actor(quick_replace(owner, layers=kept, receiver=receiver))


def choose_layer(document: Document, *, actor: str, layer: str | None = None) -> Document:
    """Let poses and keys go to a layer; None: to the uppermost that counts at their time."""
    owner, _ = find_figure(document, actor)
    if layer is not None:
        find_layer(document, actor, layer)
    return document if owner.receiver == layer else document.with_actor(quick_replace(owner, receiver=layer))


def move_layer(document: Document, *, actor: str, layer: str, index: int) -> Document:
    """Move a layer to a place of the list, counted without it."""
    owner, _, old = find_layer(document, actor, layer)
    others = [each for each in owner.layers if each is not old]
    others.insert(_place(index, len(others)), old)
    return (
        document if tuple(others) == owner.layers else document.with_actor(quick_replace(owner, layers=tuple(others)))
    )


def rename_layer(document: Document, *, actor: str, layer: str, name: str) -> Document:
    """Give a layer another name; names need not be unique."""
    owner, _, old = find_layer(document, actor, layer)
    return document if old.name == _name(name) else with_layer(document, owner, quick_replace(old, name=name))


def set_layer_mode(document: Document, *, actor: str, layer: str, mode: Literal["replace", "add"]) -> Document:
    """Let a layer take the place of what is below it, or add to it."""
    owner, _, old = find_layer(document, actor, layer)
    return document if old.mode == mode else with_layer(document, owner, quick_replace(old, mode=mode))


def set_layer_weight(document: Document, *, actor: str, layer: str, weight: float) -> Document:
    """Let a layer count by a share from 0 to 1."""
    owner, _, old = find_layer(document, actor, layer)
    return document if old.weight == weight else with_layer(document, owner, quick_replace(old, weight=weight))


def set_layer_span(
    document: Document,
    *,
    actor: str,
    layer: str,
    start: int | None = None,
    end: int | None = None,
    ease_in: int = 0,
    ease_out: int = 0,
) -> Document:
    """Let a layer count from a tick to another, eased in and out within them; always, where neither is given."""
    owner, _, old = find_layer(document, actor, layer)
    span = Span.between(start, end, ease_in, ease_out)
    return document if old.span == span else with_layer(document, owner, quick_replace(old, span=span))


def set_layer_mask(document: Document, *, actor: str, layer: str, mask: tuple[str, ...] | None) -> Document:
    """Let a layer touch the named coordinates only, kept in the order of the figure; None: all of them."""
    owner, figure, old = find_layer(document, actor, layer)
    check_coordinates(figure, mask or ())
    wanted = None if mask is None else tuple(name for name in figure.coordinates if name in set(mask))
    return document if old.mask == wanted else with_layer(document, owner, quick_replace(old, mask=wanted))


def mute_layer(document: Document, *, actor: str, layer: str, mute: bool) -> Document:
    """Leave a layer out, or let it count again."""
    owner, _, old = find_layer(document, actor, layer)
    return document if old.mute == mute else with_layer(document, owner, quick_replace(old, mute=mute))


def solo_layer(document: Document, *, actor: str, layer: str, solo: bool) -> Document:
    """Let a layer count alone, with the others that are soloed, or with all again."""
    owner, _, old = find_layer(document, actor, layer)
    return document if old.solo == solo else with_layer(document, owner, quick_replace(old, solo=solo))


def set_quaternions(
    document: Document,
    *,
    actor: str,
    layer: str,
    joints: tuple[str, ...],
    mode: Literal["slerp", "spline"] | None = None,
) -> Document:
    """Join the keys of these joints as rotations, of all others as angles; the mode stays where none is given.

    Each joint needs three hinges about main axes in one of the twelve orders.
    """
    owner, figure, old = find_layer(document, actor, layer)
    chosen = old.quaternion_mode if mode is None else mode
    for id in joints:
        if not turns_every_way(figure.joint(id)):
            allowed = "joints of three hinges about main axes, neighbours different"
            raise InvalidDocument(what="a joint whose keys are joined as rotations", value=id, allowed=allowed)
    wanted = tuple(joint.id for joint in figure.joints if joint.id in set(joints))
    if wanted == old.quaternions and chosen == old.quaternion_mode:
        return document
    return with_layer(document, owner, quick_replace(old, quaternions=wanted, quaternion_mode=chosen))


def set_speed(document: Document, *, actor: str, layer: str, speed: SpeedRange) -> Document:
    """Time a range of a layer along its path; speed curves that it overlaps give way."""
    owner, figure, old = find_layer(document, actor, layer)
    check_coordinates(figure, speed.coordinates)
    kept = [each for each in old.speed if each.end <= speed.start or each.start >= speed.end]
    ranges = tuple(sorted((*kept, speed), key=lambda each: each.start))
    return document if ranges == old.speed else with_layer(document, owner, quick_replace(old, speed=ranges))


def remove_speed(document: Document, *, actor: str, layer: str, start: int) -> Document:
    """Take away the speed curve that starts at a tick."""
    owner, _, old = find_layer(document, actor, layer)
    kept = tuple(each for each in old.speed if each.start != start)
    if len(kept) == len(old.speed):
        starts = ", ".join(str(each.start) for each in old.speed) or "none: there is no speed curve"
        raise InvalidDocument(what="the start of a speed curve", value=start, allowed=starts)
    return with_layer(document, owner, quick_replace(old, speed=kept))


def bake_layers(
    document: Document,
    *,
    actor: str,
    layers: tuple[str, ...],
    id: str,
    name: str = "Baked",
    samples: Samples | None = None,
    tracks: tuple[Track, ...] = (),
    values: tuple[tuple[str, float], ...] = (),
) -> Document:
    """Put one layer that holds what the caller found, as samples, keys or a pose, in the place of the highest of some
    layers.

    The named layers go. The new one replaces what is below it with full weight, keeps the drafts of those that do, and
    receives keys where one of them did.
    """
    owner, figure = find_figure(document, actor)
    if not layers:
        raise InvalidDocument(what="the layers to bake", value=layers, allowed="one or more")
    if samples is None and not tracks and not values:
        raise InvalidDocument(what="what was baked", value=None, allowed="samples, tracks or values")
    gone = {find_layer(document, actor, each)[2].id for each in layers}
    baked = Layer(id=id, name=_name(name), samples=samples, tracks=tracks, values=values)
    for each in owner.layers:
        for draft in each.drafts if each.id in gone and each.mode == "replace" else ():
            baked = put_draft(figure, baked, draft.time, dict(draft.values))
    top = max(place for place, each in enumerate(owner.layers) if each.id in gone)
    kept = [each for each in owner.layers if each.id not in gone]
    kept.insert(sum(each.id not in gone for each in owner.layers[:top]), baked)
    changed = quick_replace(owner, layers=tuple(kept), receiver=id if owner.receiver in gone else owner.receiver)
    return document if changed == owner else document.with_actor(changed)


def key_layer(document: Document, *, actor: str, layer: str, tracks: tuple[Track, ...]) -> Document:
    """Put keys in the place of a layer's samples, beside the keys that it has; whatever else it is, it stays.

    A track of the layer that is muted gives way to the new one of its coordinate.
    """
    owner, figure, old = find_layer(document, actor, layer)
    if old.samples is None:
        raise InvalidDocument(what=f"the samples of layer {old.name}", value="none", allowed="a layer with samples")
    check_coordinates(figure, (track.coordinate for track in tracks))
    found = old.track_of | {track.coordinate: track for track in tracks} | old.heard
    order = figure.coordinate_index
    made = tuple(found[name] for name in sorted(found, key=lambda name: order[name]))
    return with_layer(document, owner, quick_replace(old, samples=None, tracks=made))


def turns_every_way(joint: Joint) -> bool:
    """Three hinges about main axes, neighbours about different ones: any of the twelve orders, signs aside."""
    axes = [max(range(3), key=lambda n: abs(dof.axis[n])) for dof in joint.dofs if dof.kind == "hinge"]
    main = all(max(map(abs, dof.axis)) == 1.0 for dof in joint.dofs if dof.kind == "hinge")
    return main and len(axes) == 3 and axes[0] != axes[1] != axes[2]


def _name(name: str) -> str:
    if not name.strip():
        raise InvalidDocument(what="the name of a layer", value=name, allowed="some text")
    return name


def _place(index: int | None, count: int) -> int:
    if index is None:
        return count
    if not 0 <= index <= count:
        raise InvalidDocument(what="the place of a layer", value=index, allowed=f"0 to {count}")
    return index
