"""Edits of what an actor hangs on. An attachment's place is a result: `engine.commands.hold` works it out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from engine.document import Actor, Attachment, Document, Span
from engine.document.values import Quaternion, Vector3
from engine.edits.follows import followers
from engine.runtime.errors import UnknownPart


def attach_actor(document: Document, *, actor: str, attachment: Attachment) -> Document:
    """Let an actor hang on a joint of another, over those attachments that it has."""
    owner = document.actor(actor)
    return document.with_actor(replace(owner, attachments=(*owner.attachments, attachment)))


def detach_actor(document: Document, *, actor: str, attachment: str) -> Document:
    """Take an attachment away; the actor stands where its own motion puts it."""
    owner, gone = _find(document, actor, attachment)
    kept = tuple(each for each in owner.attachments if each is not gone)
    return document.with_actor(replace(owner, attachments=kept))


def move_attachment(
    document: Document,
    *,
    actor: str,
    attachment: str,
    start: int | None = None,
    end: int | None = None,
    ease_in: int = 0,
    ease_out: int = 0,
) -> Document:
    """Let an attachment hold from a tick to another, eased in and out within them; always, where neither is given."""
    owner, old = _find(document, actor, attachment)
    span = Span.between(start, end, ease_in, ease_out)
    if span == old.span:
        return document
    moved = (replace(each, span=span) if each is old else each for each in owner.attachments)
    return document.with_actor(replace(owner, attachments=tuple(moved)))


def place_attachment(
    document: Document, *, actor: str, attachment: str, position: Vector3, rotation: Quaternion
) -> Document:
    """Put what is held at another position [m] and rotation in the frame of the target's joint."""
    owner, old = _find(document, actor, attachment)
    new = replace(old, position=position, rotation=rotation)
    if new == old:
        return document
    placed = (new if each is old else each for each in owner.attachments)
    return document.with_actor(replace(owner, attachments=tuple(placed)))


def let_go(document: Document, is_there: Callable[[str, str], bool]) -> Document:
    """The document whose actors neither hang on nor hold on to a joint of an actor that is not there."""
    for actor in document.actors:
        hanging = tuple(each for each in actor.attachments if is_there(each.target, each.target_joint))
        new = actor if len(hanging) == len(actor.attachments) else replace(actor, attachments=hanging)
        for each in followers():
            new = each.let_go(new, is_there)
        document = document if new is actor else document.with_actor(new)
    return document


def _find(document: Document, actor: str, attachment: str) -> tuple[Actor, Attachment]:
    owner = document.actor(actor)
    for each in owner.attachments:
        if each.id == attachment:
            return owner, each
    raise UnknownPart(kind="attachment", id=attachment, known=tuple(each.id for each in owner.attachments))
