"""Refusal of changes by hand to an actor that is frozen. Scripts, which apply edits themselves, may change it."""

from __future__ import annotations

from app.session.gesture import EditOrCommand
from engine.command import as_command
from engine.document import Actor, Document


def refusal(document: Document, command: EditOrCommand) -> str:
    """Say why a change is not made, and what helps; empty where nothing stands against it."""
    changed = (document.actor(id) for id in as_command(command).changes if id in document.actor_index)
    return next((why for actor in changed if (why := why_frozen(actor))), "")


def why_frozen(actor: Actor) -> str:
    """Say why an actor is not changed by hand; empty where it may be."""
    return f"{actor.name} is frozen: thaw it in the outliner, then change it." if actor.frozen else ""
