"""Edits of targets, and of the correction that meets them.

The first target gives an actor secondary motion where it has none. A correction is a result: whoever solves for it sets
it as a layer, which takes the place of the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

from engine.document import Correction, Document, Layer, Secondary, Target
from engine.document.conformance import check_fields
from engine.document.target_times import target_times
from engine.document.ticks import ticks as checked_ticks
from engine.document.validation import validate_actor
from engine.edits.find import find_figure, with_layer
from engine.edits.keys import Chosen, mark_keys
from engine.kinodynamics.edits import changed_secondary, with_checked
from engine.runtime.errors import InvalidDocument, UnknownPart

Parts = tuple[tuple[str, str, Chosen], ...]


def add_targets(document: Document, *, actor: str, targets: tuple[Target, ...]) -> Document:
    """Add targets at the end of an actor's list."""
    _check_times(document, actor, targets)
    return changed_secondary(document, actor, lambda old: replace(old, targets=(*old.targets, *targets)))


def set_targets(
    document: Document, *, actor: str, targets: tuple[str, ...], changes: tuple[tuple[str, object], ...]
) -> Document:
    """Change fields of some targets, all but their ids, each with its value."""
    known = [each.name for each in fields(Target) if each.name != "id"]
    for name, _ in changes:
        if name not in known:
            raise InvalidDocument(what="what is to change of a target", value=name, allowed=", ".join(known))
    check_fields(Target, changes, of="secondary motion")
    given: dict[str, Any] = dict(changes)
    _check_times(document, actor, (replace(old, **given) for old in find_targets(document, actor, targets)))
    return _on_targets(document, actor, targets, lambda old: replace(old, **given))


def move_targets(document: Document, *, actor: str, targets: tuple[str, ...], ticks: int) -> Document:
    """Move targets in time. One that stands for many at keys goes where the keys are, and stays."""
    checked_ticks("how far targets move", ticks)

    def moved(old: Target) -> Target:
        return replace(old, time=old.time + ticks) if old.source in ("own", "every") else old

    return _on_targets(document, actor, targets, moved)


def place_target(document: Document, *, actor: str, target: Target) -> Document:
    """Put a target in the place of the one of that id, or behind all others where there is none; the others stay as
    they are, whatever became of them meanwhile."""

    def with_it(old: Secondary) -> Secondary:
        if target.id not in {each.id for each in old.targets}:
            return replace(old, targets=(*old.targets, target))
        return replace(old, targets=tuple(target if each.id == target.id else each for each in old.targets))

    return changed_secondary(document, actor, with_it)


def place_targets(
    document: Document,
    *,
    actor: str,
    targets: tuple[Target, ...],
    layer: str | None = None,
    correction: Correction | None = None,
) -> Document:
    """Give an actor these targets in the place of all that it has and, in a layer, the correction that meets them: what
    comes of a target that is dragged. Where no layer is named, or no correction and no such layer, that stays."""
    document = changed_secondary(document, actor, lambda old: replace(old, targets=targets))
    if layer is None or (correction is None and layer not in {each.id for each in document.actor(actor).layers}):
        return document
    return set_correction(document, actor=actor, layer=layer, correction=correction)


def remove_targets(document: Document, *, actor: str, targets: tuple[str, ...]) -> Document:
    """Take targets away."""
    find_targets(document, actor, targets)
    gone = set(targets)

    def without(old: Secondary) -> Secondary:
        return replace(old, targets=tuple(each for each in old.targets if each.id not in gone))

    return changed_secondary(document, actor, without)


def mark_chosen(document: Document, *, chosen: Parts, mark: bool) -> Document:
    """Mark keys, of layers of some actors, for targets that are at marked keys; or let them be as any other."""
    for actor, layer, keys in chosen:
        document = mark_keys(document, actor=actor, layer=layer, keys=keys, mark=mark)
    return document


def set_correction(
    document: Document, *, actor: str, layer: str, correction: Correction | None, name: str = "Correction"
) -> Document:
    """Put what a solve found in the layer of that id: a new one on top of all, or in the place of the correction that
    it holds, its weight, mask and mute as they are. None: take it away, and the layer if nothing else is in it."""
    owner, _ = find_figure(document, actor)
    old = next((each for each in owner.layers if each.id == layer), None)
    if old is None:
        if correction is None:
            raise UnknownPart(kind="layer", id=layer, known=tuple(each.id for each in owner.layers))
        solo = any(each.solo for each in owner.layers)
        made = Layer(id=layer, name=name, mode="add", correction=correction, solo=solo)
        return with_checked(document, replace(owner, layers=(*owner.layers, made)))
    if old.correction is None:
        allowed = "a layer that holds a correction, or a new id"
        raise InvalidDocument(what="the layer of a correction", value=old.name, allowed=allowed)
    if correction is None and not (old.values or old.tracks or old.drafts) and old.samples is None:
        receiver = None if owner.receiver == layer else owner.receiver
        kept = tuple(each for each in owner.layers if each is not old)
        return document.with_actor(replace(owner, layers=kept, receiver=receiver))
    if correction == old.correction:
        return document
    changed = with_layer(document, owner, replace(old, correction=correction))
    validate_actor(changed.actor(actor))
    return changed


def find_targets(document: Document, actor: str, targets: Iterable[str]) -> tuple[Target, ...]:
    """Some targets of an actor."""
    owner = document.actor(actor)
    known = {each.id: each for each in owner.secondary.targets} if owner.secondary is not None else {}
    for id in targets:
        if id not in known:
            raise UnknownPart(kind="target", id=id, known=tuple(known))
    return tuple(known[id] for id in targets)


def _on_targets(
    document: Document, actor: str, targets: tuple[str, ...], change: Callable[[Target], Target]
) -> Document:
    new = {each.id: change(each) for each in find_targets(document, actor, targets)}

    def changed(old: Secondary) -> Secondary:
        return replace(old, targets=tuple(new.get(each.id, each) for each in old.targets))

    return changed_secondary(document, actor, changed)


def _check_times(document: Document, actor: str, targets: Iterable[Target]) -> None:
    """Refuse what stands for more times than can be met."""
    owner = document.actor(actor)
    for each in targets:
        if each.source == "every":
            target_times(owner, each, document.rate)
