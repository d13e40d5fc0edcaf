"""Edits of the list of actors."""

from __future__ import annotations

from engine.document import Actor, Document, Placement
from engine.document.values import Quaternion, Vector3
from engine.edits.attachments import let_go
from engine.edits.selection_sets import drop_missing
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import quick_replace


def add_actor(document: Document, *, actor: Actor) -> Document:
    """Add an actor at the end of the list."""
    if actor.id in document.actor_index:
        raise InvalidDocument(what="the id of the new actor", value=actor.id, allowed="an id that is not yet in use")
    return quick_replace(document, actors=(*document.actors, actor))


def remove_actor(document: Document, *, actor: str) -> Document:
    """Take an actor out of the scene. What hung on it or held on to it goes where its own motion puts it."""
    gone = document.actor(actor)
    left = quick_replace(document, actors=tuple(each for each in document.actors if each is not gone))
    return drop_missing(let_go(left, lambda other, _: other != actor))


def rename_actor(document: Document, *, actor: str, name: str) -> Document:
    """Give an actor another name; names need not be unique."""
    if not name.strip():
        raise InvalidDocument(what="the name of an actor", value=name, allowed="some text")
    old = document.actor(actor)
    return document if old.name == name else document.with_actor(quick_replace(old, name=name))


def place_actor(document: Document, *, actor: str, position: Vector3, rotation: Quaternion) -> Document:
    """Stand an actor at a position [m] and rotation in the world."""
    old, placement = document.actor(actor), Placement(position=position, rotation=rotation)
    return document if old.placement == placement else document.with_actor(quick_replace(old, placement=placement))


def show_actor(document: Document, *, actor: str, visible: bool) -> Document:
    """Show or hide an actor."""
    old = document.actor(actor)
    return document if old.visible == visible else document.with_actor(quick_replace(old, visible=visible))


def freeze_actor(document: Document, *, actor: str, frozen: bool) -> Document:
    """Keep an actor from being picked, dragged or changed by hand, or let it be; edits by name go through."""
    old = document.actor(actor)
    return document if old.frozen == frozen else document.with_actor(quick_replace(old, frozen=frozen))


def isolate_actors(document: Document, *, actors: tuple[str, ...]) -> Document:
    """Show these actors and hide all others."""
    if not actors:
        raise InvalidDocument(what="the actors to isolate", value=actors, allowed="one or more")
    wanted = {document.actor(each).id for each in actors}
    return _shown(document, wanted)


def show_all_actors(document: Document) -> Document:
    """Show every actor."""
    return _shown(document, set(document.actor_index))


def _shown(document: Document, wanted: set[str]) -> Document:
    for actor in document.actors:
        if actor.visible != (actor.id in wanted):
            document = document.with_actor(quick_replace(actor, visible=actor.id in wanted))
    return document
