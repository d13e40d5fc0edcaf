"""Edits of torque curves: the part, when and how it counts, and its keys; what is None stays as it is.

Keys are moved, copied, reshaped and taken away in the timeline and the graph by the edits of chosen keys, too
(`engine.edits.several`, `engine.edits.curves`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.document import Document, Key, Span, Track
from engine.document.conformance import given_fields
from engine.edits.find import find_figure
from engine.edits.keyed_numbers import keys_of, put_keys, with_keys
from engine.physics.parts import KEYED, TorqueCurves
from engine.runtime.errors import InvalidDocument, UnknownPart


def put_torque_curves(document: Document, *, actor: str, curves: TorqueCurves) -> Document:
    """Give an actor torque curves, in place of those that it has; they drive it while it is simulated."""
    owner, _ = find_figure(document, actor)
    _check_dofs(document, actor, (track.coordinate for track in curves.tracks))
    return document if owner.part(TorqueCurves) == curves else document.with_actor(owner.with_part(curves))


def remove_torque_curves(document: Document, *, actor: str) -> Document:
    """Take an actor's torque curves away."""
    owner = document.actor(actor)
    return document if owner.part(TorqueCurves) is None else document.with_actor(owner.without_part(TorqueCurves))


def set_torque_curves(
    document: Document, *, actor: str, mute: bool | None = None, tissue: bool | None = None
) -> Document:
    """Let torque curves drive an actor or not, and its joints resist as tissue does meanwhile or not."""
    given = given_fields(TorqueCurves, of="torque curves", mute=mute, tissue=tissue)
    return _with_curves(document, actor, replace(_curves(document, actor), **given))


def span_torque_curves(
    document: Document,
    *,
    actor: str,
    start: int | None = None,
    end: int | None = None,
    ease_in: int = 0,
    ease_out: int = 0,
) -> Document:
    """Let torque curves act from a tick to another; always, where neither is given."""
    span = Span.between(start, end, ease_in, ease_out)
    return _with_curves(document, actor, replace(_curves(document, actor), span=span))


def set_torque_keys(document: Document, *, actor: str, keys: tuple[tuple[str, Key], ...]) -> Document:
    """Set keys of torques, each as it is given, by the degree of freedom, and in place of one on its tick."""
    _check_dofs(document, actor, (dof for dof, _ in keys))
    found: dict[str, list[Key]] = {}
    for dof, key in keys:
        found.setdefault(dof, []).append(key)
    return _with_keys(document, actor, {dof: put_keys(_keys(document, actor, dof), new) for dof, new in found.items()})


def _curves(document: Document, actor: str) -> TorqueCurves:
    owner = document.actor(actor)
    found = owner.part(TorqueCurves)
    if found is None:
        raise InvalidDocument(what="the actor to change", value=owner.name, allowed="one with torque curves")
    return found


def _with_curves(document: Document, actor: str, curves: TorqueCurves) -> Document:
    old = _curves(document, actor)
    return document if curves == old else document.with_actor(document.actor(actor).with_part(curves))


def _keys(document: Document, actor: str, dof: str) -> tuple[Key, ...]:
    return keys_of(_curves(document, actor).track_of.get(dof))


def _with_keys(document: Document, actor: str, keys: dict[str, list[Key]]) -> Document:
    """The document with the keys of some degrees of freedom replaced, curves in the figure's order."""
    old = _curves(document, actor)
    tracks: dict[str, Track | None] = dict(old.track_of)
    tracks.update({dof: with_keys(tracks.get(dof), dof, each) for dof, each in keys.items()})
    order = [*(dof.id for dof in document.actor(actor).figure.dofs), *old.track_of]
    kept = sorted((each for each in tracks.values() if each is not None), key=lambda each: order.index(each.coordinate))
    return _with_curves(document, actor, old.with_tracks(kept))


def _check_dofs(document: Document, actor: str, names: Iterable[str]) -> None:
    """Refuse what is no hinge or slide of the figure."""
    kinds = {dof.id: dof.kind for dof in document.actor(actor).figure.dofs}
    for name in names:
        if kinds.get(name) not in KEYED:
            known = tuple(id for id, kind in kinds.items() if kind in KEYED)
            raise UnknownPart(kind="hinge or slide", id=name, known=known)
