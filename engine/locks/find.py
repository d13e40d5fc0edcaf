"""A lock of an actor by its id, or a refusal that names those that there are."""

from __future__ import annotations

from engine.document import Actor, Document, Lock
from engine.runtime.errors import UnknownPart


def find_lock(document: Document, actor: str, lock: str) -> tuple[Actor, Lock]:
    """An actor and one of its locks."""
    owner = document.actor(actor)
    for each in owner.locks:
        if each.id == lock:
            return owner, each
    raise UnknownPart(kind="lock", id=lock, known=tuple(each.id for each in owner.locks))
