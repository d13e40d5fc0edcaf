"""Edits of the list of actors."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor, Document, Placement
from engine.document.validation import validate_actor, validate_links
from engine.document.values import Quaternion, Vector3
from engine.edits.attachments import let_go
from engine.runtime.errors import InvalidDocument


def add_actor(document: Document, *, actor: Actor) -> Document:
    """Add an actor at the end of the list."""
    if actor.id in document.actor_index:
        raise InvalidDocument(what="the id of the new actor", value=actor.id, allowed="an id that is not yet in use")
    validate_actor(actor)
    changed = replace(document, actors=(*document.actors, actor))
    validate_links(changed)
    return changed


def remove_actor(document: Document, *, actor: str) -> Document:
    """Take an actor out of the scene. What hung on it or held on to it goes where its own motion puts it."""
    gone = document.actor(actor)
    return let_go(replace(document, actors=tuple(each for each in document.actors if each is not gone)))


def rename_actor(document: Document, *, actor: str, name: str) -> Document:
    """Give an actor another name; names need not be unique."""
    if not name.strip():
        raise InvalidDocument(what="the name of an actor", value=name, allowed="some text")
    old = document.actor(actor)
    return document if old.name == name else document.with_actor(replace(old, name=name))


def place_actor(document: Document, *, actor: str, position: Vector3, rotation: Quaternion) -> Document:
    """Stand an actor at a position [m] and rotation in the world."""
    old, placement = document.actor(actor), Placement(position=position, rotation=rotation)
    return document if old.placement == placement else document.with_actor(replace(old, placement=placement))


def show_actor(document: Document, *, actor: str, visible: bool) -> Document:
    """Show or hide an actor."""
    old = document.actor(actor)
    return document if old.visible == visible else document.with_actor(replace(old, visible=visible))
