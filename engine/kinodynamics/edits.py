"""Edits of secondary motion: how an actor's body follows its keys.

The first edit gives an actor secondary motion where it has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from engine.document import Actor, Document, OwnGains, Samples, Secondary
from engine.document.conformance import check_fields
from engine.document.presets import preset_gains
from engine.document.secondary import NUMBERS, Lead
from engine.edits.find import find_figure, with_baked
from engine.runtime.errors import InvalidDocument

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
    return changed_secondary(document, actor, lambda old: replace(old, **given))


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

        return changed_secondary(document, actor, all_set)

    def some_set(old: Secondary) -> Secondary:
        new = (replace(old.own_of.get(id, OwnGains(joint=id)), **given) for id in joints)
        return replace(old, own=_in_order(owner, (*old.own, *new)))

    _check_joints(owner, joints)
    return changed_secondary(document, actor, some_set)


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

    return changed_secondary(document, actor, reset)


def apply_preset(document: Document, *, actor: str, preset: str, joints: tuple[str, ...] | None = None) -> Document:
    """Give the joints of an actor that move, or some of them, the gains of a preset by the region they are in."""
    owner, figure = find_figure(document, actor)
    own = preset_gains(preset, figure, joints)
    return changed_secondary(document, actor, lambda old: replace(old, own=_in_order(owner, (*old.own, *own))))


def bake_secondary(
    document: Document, *, actor: str, id: str, samples: Samples, name: str = "Secondary motion"
) -> Document:
    """Put the motion that was seen, as the caller found it, in a layer on top, over its span; secondary motion is off
    then, and goes on as before where it is switched on and the layer taken away."""
    owner, _ = find_figure(document, actor)
    secondary = None if owner.secondary is None else replace(owner.secondary, on=False)
    return document.with_actor(replace(with_baked(owner, samples, id=id, name=name), secondary=secondary))


def _in_order(owner: Actor, own: Iterable[OwnGains]) -> tuple[OwnGains, ...]:
    """Gains of joints in the order of the figure, the last of each joint, without those that tell nothing."""
    found = {each.joint: each for each in own}
    return tuple(found[id] for id in owner.figure.joint_index if id in found and found[id].given)


def _check_joints(owner: Actor, joints: Iterable[str]) -> None:
    for id in joints:
        owner.figure.joint(id)


def changed_secondary(document: Document, actor: str, change: Callable[[Secondary], Secondary]) -> Document:
    """The document with an actor's secondary motion changed; the identical one where it is the same."""
    owner = document.actor(actor)
    new = change(owner.secondary or Secondary())
    return document if new == owner.secondary else document.with_actor(replace(owner, secondary=new))
