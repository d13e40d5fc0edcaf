"""Checks that no single part can make alone: ids, parents, and coordinates that name something. What was found sound
is not looked at again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from functools import cache, wraps
from itertools import zip_longest
from typing import TypeVar

from engine.document.actor import Actor
from engine.document.conformance import CHECKED, Changes, Pairs, check_values
from engine.document.document import Document
from engine.document.figure import Figure
from engine.document.limit import ConeRange, PolygonRange
from engine.document.lock import Lock
from engine.document.motion import Layer
from engine.document.parts import Part, field_names
from engine.document.target import Target
from engine.document.values import unit_quaternion
from engine.runtime.errors import InvalidDocument

PartT = TypeVar("PartT")


def _once(check: Callable[[PartT], None]) -> Callable[[PartT], None]:
    """Note with a part that it has passed a check."""

    @wraps(check)
    def checked(part: PartT) -> None:
        if check.__name__ not in part.__dict__:
            check(part)
            part.__dict__[check.__name__] = True

    return checked


_SOUND, _SOUND_ACTOR = "is_sound_document", "is_sound_actor"  # the notes that these have passed


def validate(document: Document) -> None:
    """Raise `InvalidDocument` for the first thing that is wrong."""
    validate_edited(document, None)


def validate_edited(document: Document, before: Document | None) -> None:
    """Validate what has become of a document: of one that was sound, what was changed and what hangs on that."""
    if _SOUND not in document.__dict__:
        _validate_changed(document, before)
        document.__dict__[_SOUND] = True


def keep_notes(part: Part, before: Part, *, more: int = 0) -> None:
    """Note with a part what was found of the one that it was before, for a change that nothing of that depends on but
    that its lists have so many values more."""
    held, known = part.__dict__, before.__dict__
    for note in (_SOUND, _SOUND_ACTOR):
        if note in known:
            held[note] = True
    if CHECKED in known:
        held[CHECKED] = known[CHECKED] + more


def _validate_changed(document: Document, before: Document | None) -> None:
    changes = check_values(document, before)
    known = before if before is not None and _SOUND in before.__dict__ else None
    fields = _changed_in(document, changes, known)
    actors = fields.get("actors", _NO_PAIRS)
    linked = actors is not None and "parts" not in fields and _linked_alike(actors, changes)
    if not linked:
        _unique("actor ids", (actor.id for actor in document.actors))
    if actors is None:
        earlier: Iterable[Actor | None] = known.actors if known is not None else ()
        actors = [(actor, then) for actor, then in zip_longest(document.actors, earlier) if actor is not None]
    for actor, then in actors:
        if actor is not then:
            _validate_edited_actor(actor, then, changes)
    if not linked:
        validate_links(document)
    if not linked or "selection_sets" in fields:
        validate_sets(document)
    if "references" in fields:
        _unique("reference ids", (each.id for each in document.references))


def _changed_in(part: Part, changes: Changes, before: Part | None) -> Mapping[str, Pairs | None]:
    """The fields of a part that an edit has changed; all of them where nothing is known of the one before."""
    fields = changes.get(id(part)) if before is not None else None
    return _every_field(type(part)) if fields is None else fields


@cache
def _every_field(kind: Hashable) -> Mapping[str, Pairs | None]:
    return dict.fromkeys(field_names(kind))


def _linked_alike(actors: Pairs, changes: Changes) -> bool:
    """Tell whether changed actors hang on each other as they did before, or in other words nothing that links them or
    that they are linked by was touched."""
    for actor, _ in actors:
        fields = changes.get(id(actor))
        if fields is None or not _LINKS.isdisjoint(fields):
            return False
    return True


_NO_PAIRS: Pairs = []
_LINKS = frozenset(("id", "figure", "attachments", "locks", "parts"))


def validate_actor(actor: Actor) -> None:
    """An actor on its own: its figure, and layers that fit it."""
    _validate_edited_actor(actor, None, check_values(actor))


def _validate_edited_actor(actor: Actor, before: Actor | None, changes: Changes) -> None:
    if _SOUND_ACTOR in actor.__dict__:
        return
    known = before if before is not None and _SOUND_ACTOR in before.__dict__ else None
    fields = _changed_in(actor, changes, known)
    if not _LOOKED_AT.isdisjoint(fields):
        _validate_fields(actor, fields, changes)
    actor.__dict__[_SOUND_ACTOR] = True


_LOOKED_AT = frozenset(("figure", "layers", "locks", "secondary", "receiver"))


def _validate_fields(actor: Actor, fields: Mapping[str, Pairs | None], changes: Changes) -> None:
    if "figure" in fields:
        validate_figure(actor.figure)
        fields = _every_field(Actor)
    layers = fields.get("layers", _NO_PAIRS)
    alike = layers is not None and _named_alike(layers, changes)
    if not alike:
        _unique(f"layer ids of {actor.name}", (layer.id for layer in actor.layers))
    if "locks" in fields:
        _unique(f"lock ids of {actor.name}", (lock.id for lock in actor.locks))
        _validate_locks(actor)
    if "secondary" in fields:
        _validate_secondary(actor)
    if (not alike or "receiver" in fields) and actor.receiver not in (None, *(layer.id for layer in actor.layers)):
        what, allowed = f"the layer that {actor.name}'s keys go to", "the id of one of its layers, or none"
        raise InvalidDocument(what=what, value=actor.receiver, allowed=allowed)
    for layer in () if alike else actor.layers:
        _validate_layer(actor, layer)


def _named_alike(layers: Pairs, changes: Changes) -> bool:
    """Tell whether changed layers name the same coordinates as those that are valid, as after an edit of values or of
    keys."""
    for layer, _ in layers:
        fields = changes.get(id(layer))
        if fields is None or not _NAMINGS.isdisjoint(fields):
            return False
        values, tracks = fields.get("values", _NO_PAIRS), fields.get("tracks", _NO_PAIRS)
        if values is None or tracks is None:
            return False
        if values and any(new[0] != old[0] for new, old in values):
            return False
        if tracks and any(new.coordinate != old.coordinate for new, old in tracks):
            return False
    return True


_NAMINGS = frozenset(("id", "samples", "mask", "speed", "correction", "drafts"))


def _validate_layer(actor: Actor, layer: Layer) -> None:
    """The coordinates that it names are there, each once."""
    known = actor.figure.coordinate_index
    _unique(f"coordinates of layer {layer.name}", [name for name, _ in layer.values])
    for draft in layer.drafts:
        _unique(f"coordinates of a draft of layer {layer.name}", [name for name, _ in draft.values])
    for name in layer.correction.coordinates if layer.correction is not None else ():
        if name in known and name not in actor.figure.rate_index:
            allowed = "x, y and z of a ball: of its rotation vector"
            raise InvalidDocument(what=f"a number that layer {layer.name} corrects", value=name, allowed=allowed)
    _unique(f"tracks of layer {layer.name}", (track.coordinate for track in layer.tracks))
    for name in () if known.keys() >= set(_named(layer)) else _named(layer):
        if name not in known:
            raise InvalidDocument(
                what=f"a coordinate of layer {layer.name}", value=name, allowed=f"a coordinate of {actor.name}"
            )


def validate_links(document: Document) -> None:
    """Check that what actors hang on and hold on to is there, and that nobody waits for himself, however many are
    between."""
    for actor in document.actors:
        _unique(f"attachment ids of {actor.name}", (each.id for each in actor.attachments))
        for each in actor.attachments:
            if each.target not in document.actor_index:
                allowed = "the id of an actor of the scene"
                raise InvalidDocument(what=f"what {actor.name} hangs on", value=each.target, allowed=allowed)
            target = document.actor(each.target)
            for owner, joint in ((actor, each.joint), (target, each.target_joint)):
                if joint not in owner.figure.joint_index:
                    what = f"a joint of the attachment of {actor.name} to {target.name}"
                    raise InvalidDocument(what=what, value=joint, allowed=f"the id of a joint of {owner.name}")
        for lock in actor.locks:
            _validate_target(document, actor, lock)
        for id, joint in (each for part in actor.parts for each in part.holds_on_to()):
            what = f"what {actor.name} is pinned to"
            if id not in document.actor_index or id == actor.id:
                raise InvalidDocument(what=what, value=id, allowed="the id of another actor of the scene")
            if joint not in document.actor(id).figure.joint_index:
                allowed = f"the id of a joint of {document.actor(id).name}"
                raise InvalidDocument(what=what, value=joint, allowed=allowed)
    _ = document.groups  # refuses rings


def validate_sets(document: Document) -> None:
    """Selection sets name what is there."""
    _unique("selection set ids", (each.id for each in document.selection_sets))
    for each in document.selection_sets:
        for actor, joint in each.items:
            if actor not in document.actor_index:
                allowed = "the id of an actor of the scene"
                raise InvalidDocument(what=f"an item of {each.name}", value=actor, allowed=allowed)
            owner = document.actor(actor)
            if joint is not None and joint not in owner.figure.joint_index:
                allowed = f"the id of a joint of {owner.name}"
                raise InvalidDocument(what=f"an item of {each.name}", value=joint, allowed=allowed)


def _validate_target(document: Document, actor: Actor, lock: Lock) -> None:
    if lock.target is None:
        return
    what = f"what lock {lock.name} of {actor.name} holds on to"
    if lock.target not in document.actor_index:
        raise InvalidDocument(what=what, value=lock.target, allowed="the id of an actor of the scene")
    target = document.actor(lock.target)
    if lock.target_joint not in target.figure.joint_index:
        raise InvalidDocument(what=what, value=lock.target_joint, allowed=f"the id of a joint of {target.name}")
    if (target.id, lock.target_joint) == (actor.id, lock.joint):
        allowed = f"another part than {target.figure.joint(lock.joint).name} itself, another actor, or the world"
        raise InvalidDocument(what=what, value=lock.target_joint, allowed=allowed)
    if lock.shared and target.id == actor.id:
        raise InvalidDocument(what=f"whether lock {lock.name} is shared", value=True, allowed="only with another actor")


def _validate_locks(actor: Actor) -> None:
    for lock in actor.locks:
        for id in (lock.joint, *(lock.joints or ())):
            if id not in actor.figure.joint_index:
                what = f"a joint of lock {lock.name}"
                raise InvalidDocument(what=what, value=id, allowed=f"the id of a joint of {actor.name}")


def _validate_secondary(actor: Actor) -> None:
    """Gains and targets are of joints and coordinates of the actor, of a ball all four numbers."""
    if actor.secondary is None:
        return
    figure, known = actor.figure, actor.figure.joint_index
    named = [("a joint with gains of its own", each.joint) for each in actor.secondary.own]
    for target in actor.secondary.targets:
        joints = (target.joints or ()) if target.joint is None else (target.joint,)
        named += [(f"a joint of target {target.id}", id) for id in joints]
    for what, id in named:
        if id not in known:
            raise InvalidDocument(what=what, value=id, allowed=f"the id of a joint of {actor.name}")
    for target in actor.secondary.targets:
        _validate_wanted(figure, target)


def _validate_wanted(figure: Figure, target: Target) -> None:
    checks = (
        ("value", target.values, figure.coordinate_index),
        ("rate", target.rates, figure.rate_index),
        ("change", target.change, figure.rate_index),
    )
    for what, given, allowed in checks:
        for name, _ in given or ():
            if name not in allowed:
                raise InvalidDocument(
                    what=f"a {what} of target {target.id}", value=name, allowed=f"one of {figure.name}"
                )
    values = dict(target.values or ())
    for dof in figure.dofs:
        if dof.kind == "ball" and not values.keys().isdisjoint(dof.coordinates):
            if not values.keys() >= set(dof.coordinates):
                what = f"the values of target {target.id}"
                raise InvalidDocument(
                    what=what, value=tuple(values), allowed=f"all four numbers of {dof.name}, or none"
                )
            numbers = (values[name] for name in dof.coordinates)
            unit_quaternion(f"the {dof.name} of target {target.id}", numbers)


@_once
def validate_figure(figure: Figure) -> None:
    """A tree with unique ids, parents before children, balls in roots only, mirrors in pairs."""
    if not figure.joints:
        raise InvalidDocument(what=f"the joints of {figure.name}", value=0, allowed="one or more")
    _unique(f"joint ids of {figure.name}", (joint.id for joint in figure.joints))
    _unique(f"degrees of freedom of {figure.name}", (dof.id for dof in figure.dofs))
    _unique(f"coordinates of {figure.name}", figure.coordinates)
    seen: set[str] = set()
    for joint in figure.joints:
        if joint.parent is not None and joint.parent not in seen:
            raise InvalidDocument(
                what=f"the parent of joint {joint.id}", value=joint.parent, allowed="a joint listed before it"
            )
        if joint.parent is not None and any(dof.kind == "ball" for dof in joint.dofs):
            raise InvalidDocument(what=f"a ball in joint {joint.id}", value="ball", allowed="balls in a root only")
        seen.add(joint.id)
    _unique(f"handles of {figure.name}", (handle.id for handle in figure.handles))
    for handle in figure.handles:
        if handle.joint not in seen:
            raise InvalidDocument(what=f"the joint of handle {handle.id}", value=handle.joint, allowed="a joint's id")
    _unique(f"skins of {figure.name}", (skin.id for skin in figure.skins))
    for skin in figure.skins:
        for id in skin.joints:
            if id not in seen:
                raise InvalidDocument(what=f"a joint of skin {skin.name}", value=id, allowed="a joint's id")
    _validate_driven(figure)
    _validate_limits(figure)
    for joint in figure.joints:
        if joint.mirror is not None and (joint.mirror not in seen or figure.joint(joint.mirror).mirror != joint.id):
            allowed = "a joint that names this one as its own mirror"
            raise InvalidDocument(what=f"the mirror of {joint.id}", value=joint.mirror, allowed=allowed)


def _validate_driven(figure: Figure) -> None:
    """Drivers are hinges or slides of the figure that are not driven themselves."""
    for dof in figure.driven:
        for each in dof.driven:
            driver = figure.coordinate_dof.get(each.dof)
            if driver is None or driver.driven:
                found = "driven itself" if driver is not None else "not there"
                allowed = f"a hinge or a slide of {figure.name} that nothing drives"
                raise InvalidDocument(
                    what=f"a driver of {dof.id}", value=f"{each.dof}, which is {found}", allowed=allowed
                )


def _validate_limits(figure: Figure) -> None:
    """Limits are over hinges; of two that hold over the same hinge, one is over those of several joints."""
    _unique(f"limit ids of {figure.name}", (limit.id for limit in figure.limits))
    hinges = {dof.id: dof for dof in figure.dofs if dof.kind == "hinge" and not dof.driven}
    for limit in figure.limits:
        for id in limit.dofs:
            if id not in hinges:
                allowed = f"the id of a hinge of {figure.name} that nothing drives"
                raise InvalidDocument(what=f"a hinge of limit {limit.name}", value=id, allowed=allowed)
        if isinstance(limit.range, ConeRange | PolygonRange) and limit.dofs != figure.hinges_beside(limit.dofs[0]):
            allowed = "the three hinges of one joint in its order, about which a cone or a polygon is"
            raise InvalidDocument(what=f"the hinges of limit {limit.name}", value=limit.dofs, allowed=allowed)
    owner: dict[str, str] = {}
    for limit in figure.limits_on:
        for id in () if figure.depends(limit) else limit.dofs:
            if id in owner:
                what, allowed = f"the limits of {hinges[id].name}", "one that is on: turn the other off or remove it"
                raise InvalidDocument(what=what, value=(owner[id], limit.name), allowed=allowed)
            owner[id] = limit.name


def _named(layer: Layer) -> Iterator[str]:
    yield from [name for name, _ in layer.values]
    yield from (track.coordinate for track in layer.tracks)
    yield from layer.samples.coordinates if layer.samples is not None else ()
    yield from layer.mask or ()
    for speed in layer.speed:
        yield from speed.coordinates
    yield from layer.correction.coordinates if layer.correction is not None else ()
    for draft in layer.drafts:
        yield from (name for name, _ in draft.values)


def _unique(what: str, ids: Iterable[str]) -> None:
    all_ids = list(ids)
    if len(set(all_ids)) < len(all_ids):
        repeated = [id for id, count in Counter(all_ids).items() if count > 1]
        raise InvalidDocument(what=what, value=repeated, allowed="each id once")
