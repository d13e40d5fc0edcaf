"""Edits of secondary motion: how an actor's body follows its keys, targets, and the correction that meets them.

The first edit gives an actor secondary motion where it has none. A correction is a result: whoever solves for it sets
it as a layer, which takes the place of the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Any

from engine.document import Actor, Correction, Document, Layer, OwnGains, Samples, Secondary, Span, Target
from engine.document.conformance import check_fields
from engine.document.presets import preset_gains
from engine.document.secondary import NUMBERS, Lead
from engine.document.target_times import target_times
from engine.document.ticks import ticks as checked_ticks
from engine.edits.find import find_figure, with_layer
from engine.edits.keys import Chosen, mark_keys
from engine.runtime.errors import InvalidDocument, UnknownPart

Parts = tuple[tuple[str, str, Chosen], ...]
_GAINS = (*NUMBERS, "exact")
_OF = "secondary motion"


def set_secondary(
    document: Document,
    *,
    actor: str,
    on: bool | None = None,
    window: int | None = None,
    step: int | None = None,
    lead: Lead | None = None,
    contact: bool | None = None,
) -> Document:
    """Turn secondary motion on or off, or set its window and step [ticks], what comes before the first key and whether
    it touches the ground and itself; what is None stays."""
    numbers = {"on": on, "window": window, "step": step, "lead": lead, "contact": contact}
    given: dict[str, Any] = {name: value for name, value in numbers.items() if value is not None}
    check_fields(Secondary, given.items(), of=_OF)
    return _changed(document, actor, lambda old: replace(old, **given))


def remove_secondary(document: Document, *, actor: str) -> Document:
    """Let an actor follow its keys exactly, and forget its gains and targets. A correction stays a layer."""
    owner = document.actor(actor)
    return document if owner.secondary is None else document.with_actor(replace(owner, secondary=None))


def set_gains(
    document: Document,
    *,
    actor: str,
    joints: tuple[str, ...] | None = None,
    tension: float | None = None,
    relaxation: float | None = None,
    damping: float | None = None,
    gravity: float | None = None,
    exact: bool | None = None,
) -> Document:
    """Set gains of some joints, or (None) of all, those that had their own included; what is None stays."""
    numbers = {"tension": tension, "relaxation": relaxation, "damping": damping, "gravity": gravity}
    given: dict[str, Any] = {name: value for name, value in {**numbers, "exact": exact}.items() if value is not None}
    check_fields(OwnGains, given.items(), of=_OF)
    owner, _ = find_figure(document, actor)
    if joints is None:
        cleared: dict[str, Any] = dict.fromkeys(given)

        def all_set(old: Secondary) -> Secondary:
            own = (replace(each, **cleared) for each in old.own)
            return replace(old, gains=replace(old.gains, **given), own=_in_order(owner, own))

        return _changed(document, actor, all_set)

    def some_set(old: Secondary) -> Secondary:
        new = (replace(old.own_of.get(id, OwnGains(joint=id)), **given) for id in joints)
        return replace(old, own=_in_order(owner, (*old.own, *new)))

    _check_joints(owner, joints)
    return _changed(document, actor, some_set)


def clear_gains(
    document: Document, *, actor: str, joints: tuple[str, ...] | None = None, names: tuple[str, ...] | None = None
) -> Document:
    """Let some joints, or (None) all, have the gains of all again; or (`names`) some of these."""
    owner, _ = find_figure(document, actor)
    _check_joints(owner, joints or ())
    if owner.secondary is None:
        return document
    for name in names or ():
        if name not in _GAINS:
            raise InvalidDocument(what="a gain to reset", value=name, allowed=", ".join(_GAINS))
    gone, cleared = None if joints is None else set(joints), dict.fromkeys(_GAINS if names is None else names)

    def reset(old: Secondary) -> Secondary:
        own = (replace(each, **cleared) if gone is None or each.joint in gone else each for each in old.own)  # type: ignore[arg-type]
        return replace(old, own=_in_order(owner, own))

    return _changed(document, actor, reset)


def apply_preset(document: Document, *, actor: str, preset: str, joints: tuple[str, ...] | None = None) -> Document:
    """Give the joints of an actor that move, or some of them, the gains of a preset by the region they are in."""
    owner, figure = find_figure(document, actor)
    own = preset_gains(preset, figure, joints)
    return _changed(document, actor, lambda old: replace(old, own=_in_order(owner, (*old.own, *own))))


def add_targets(document: Document, *, actor: str, targets: tuple[Target, ...]) -> Document:
    """Add targets at the end of an actor's list."""
    _check_times(document, actor, targets)
    return _changed(document, actor, lambda old: replace(old, targets=(*old.targets, *targets)))


def set_targets(
    document: Document, *, actor: str, targets: tuple[str, ...], changes: tuple[tuple[str, object], ...]
) -> Document:
    """Change fields of some targets, all but their ids, each with its value."""
    known = [each.name for each in fields(Target) if each.name != "id"]
    for name, _ in changes:
        if name not in known:
            raise InvalidDocument(what="what is to change of a target", value=name, allowed=", ".join(known))
    check_fields(Target, changes, of=_OF)
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

    return _changed(document, actor, with_it)


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
    document = _changed(document, actor, lambda old: replace(old, targets=targets))
    if layer is None or (correction is None and layer not in {each.id for each in document.actor(actor).layers}):
        return document
    return set_correction(document, actor=actor, layer=layer, correction=correction)


def remove_targets(document: Document, *, actor: str, targets: tuple[str, ...]) -> Document:
    """Take targets away."""
    find_targets(document, actor, targets)
    gone = set(targets)

    def without(old: Secondary) -> Secondary:
        return replace(old, targets=tuple(each for each in old.targets if each.id not in gone))

    return _changed(document, actor, without)


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
        return document.with_actor(replace(owner, layers=(*owner.layers, made)))
    if old.correction is None:
        allowed = "a layer that holds a correction, or a new id"
        raise InvalidDocument(what="the layer of a correction", value=old.name, allowed=allowed)
    if correction is None and not (old.values or old.tracks or old.drafts) and old.samples is None:
        receiver = None if owner.receiver == layer else owner.receiver
        kept = tuple(each for each in owner.layers if each is not old)
        return document.with_actor(replace(owner, layers=kept, receiver=receiver))
    if correction == old.correction:
        return document
    return with_layer(document, owner, replace(old, correction=correction))


def bake_secondary(
    document: Document, *, actor: str, id: str, samples: Samples, name: str = "Secondary motion"
) -> Document:
    """Put the motion that was seen, as the caller found it, in a layer on top, over its span; secondary motion is off
    then, and goes on as before where it is switched on and the layer taken away."""
    owner, _ = find_figure(document, actor)
    if any(each.id == id for each in owner.layers):
        raise InvalidDocument(what="the id of the new layer", value=id, allowed="an id that is not yet in use")
    start, end = samples.start, samples.time(samples.frame_count - 1)
    solo = any(each.solo for each in owner.layers)
    layer = Layer(id=id, name=name, samples=samples, span=Span(start=start, end=max(end, start + 1)), solo=solo)
    secondary = None if owner.secondary is None else replace(owner.secondary, on=False)
    return document.with_actor(replace(owner, layers=(*owner.layers, layer), secondary=secondary))


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

    return _changed(document, actor, changed)


def _in_order(owner: Actor, own: Iterable[OwnGains]) -> tuple[OwnGains, ...]:
    """Gains of joints in the order of the figure, the last of each joint, without those that tell nothing."""
    found = {each.joint: each for each in own}
    return tuple(found[id] for id in owner.figure.joint_index if id in found and found[id].given)


def _check_joints(owner: Actor, joints: Iterable[str]) -> None:
    for id in joints:
        owner.figure.joint(id)


def _check_times(document: Document, actor: str, targets: Iterable[Target]) -> None:
    """Refuse what stands for more times than can be met."""
    owner = document.actor(actor)
    for each in targets:
        if each.source == "every":
            target_times(owner, each, document.rate)


def _changed(document: Document, actor: str, change: Callable[[Secondary], Secondary]) -> Document:
    """The document with an actor's secondary motion changed; the identical one where it is the same."""
    owner = document.actor(actor)
    new = change(owner.secondary or Secondary())
    return document if new == owner.secondary else document.with_actor(replace(owner, secondary=new))
