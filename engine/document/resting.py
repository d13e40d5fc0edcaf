"""An actor at rest: without anything that poses or moves it."""

from __future__ import annotations

from dataclasses import replace

from engine.document.document import Document


def at_rest(document: Document, actor: str | None) -> Document:
    """The document with one actor in its rest pose where it is placed; the same one for None or one that has gone."""
    if actor is None or actor not in document.actor_index:
        return document
    return document.with_actor(
        replace(document.actor(actor), layers=(), locks=(), attachments=(), secondary=None, parts=())
    )
