"""What the hand may not do: change an actor that is frozen. Scripts, which apply edits themselves, may."""

from __future__ import annotations

from app.session.gesture import Worked
from engine.document import Actor, Document
from engine.edits import Edit

ALLOWED = ("freeze_actor", "show_actor", "rename_actor")


def refusal(document: Document, wish: Edit | Worked) -> str:
    """Why a change is not made, and what helps; empty where nothing stands against it."""
    if isinstance(wish, Edit):
        id = None if wish.name in ALLOWED else dict(wish.arguments).get("actor")
    else:
        id = getattr(wish, "actor", None)
    if not isinstance(id, str) or id not in document.actor_index or not document.actor(id).frozen:
        return ""
    return why_frozen(document.actor(id))


def why_frozen(actor: Actor) -> str:
    """Why an actor is not changed by hand; empty where it may be."""
    return f"{actor.name} is frozen: thaw it in the outliner, then change it." if actor.frozen else ""
