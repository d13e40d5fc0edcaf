"""Edits of the skins of an actor's figure."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Blob, Document, Skin
from engine.document.skin import Blending
from engine.document.validation import validate_figure
from engine.edits.find import find_figure
from engine.runtime.errors import UnknownPart


def add_skin(document: Document, *, actor: str, skin: Skin) -> Document:
    """Give a figure another skin, behind those that it has."""
    _, figure = find_figure(document, actor)
    return _with_skins(document, actor, (*figure.skins, skin))


def remove_skin(document: Document, *, actor: str, skin: str) -> Document:
    """Take a skin off a figure."""
    _, figure = find_figure(document, actor)
    gone = _find(document, actor, skin)
    return _with_skins(document, actor, tuple(each for each in figure.skins if each is not gone))


def set_blending(document: Document, *, actor: str, skin: str, blending: Blending) -> Document:
    """Blend transforms linearly or as dual quaternions, which keep the volume of a twisted limb."""
    old = _find(document, actor, skin)
    return _change(document, actor, old, replace(old, blending=blending))


def set_weights(document: Document, *, actor: str, skin: str, influences: Blob, weights: Blob) -> Document:
    """Let every vertex follow other joints: their places among the skin's joints, and rows of weights of sum 1."""
    old = _find(document, actor, skin)
    return _change(document, actor, old, replace(old, influences=influences, weights=weights))


def _find(document: Document, actor: str, skin: str) -> Skin:
    _, figure = find_figure(document, actor)
    for each in figure.skins:
        if each.id == skin:
            return each
    raise UnknownPart(kind="skin", id=skin, known=tuple(each.id for each in figure.skins))


def _change(document: Document, actor: str, old: Skin, new: Skin) -> Document:
    if new == old:
        return document
    _, figure = find_figure(document, actor)
    return _with_skins(document, actor, tuple(new if each is old else each for each in figure.skins))


def _with_skins(document: Document, actor: str, skins: tuple[Skin, ...]) -> Document:
    owner, figure = find_figure(document, actor)
    changed = replace(figure, skins=skins)
    validate_figure(changed)
    return document.with_actor(replace(owner, figure=changed))
