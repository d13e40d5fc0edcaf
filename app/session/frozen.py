"""What the hand may not do: change an actor that is frozen. Scripts, which apply edits themselves, may."""

from __future__ import annotations

from app.session.gesture import Wish
from engine.document import Actor, Document
from engine.edits import Edit
from engine.jobs.breakdown import Breakdown
from engine.jobs.clean_up import CleanUp
from engine.jobs.plant_contacts import PlantContacts

ALLOWED = ("freeze_actor", "show_actor", "rename_actor", "isolate_actors")


def refusal(document: Document, wish: Wish) -> str:
    """Why a change is not made, and what helps; empty where nothing stands against it."""
    changed = (document.actor(id) for id in _changed_by(wish) if id in document.actor_index)
    return next((why for actor in changed if (why := why_frozen(actor))), "")


def why_frozen(actor: Actor) -> str:
    """Why an actor is not changed by hand; empty where it may be."""
    return f"{actor.name} is frozen: thaw it in the outliner, then change it." if actor.frozen else ""


def _changed_by(wish: Wish) -> list[object]:
    """The ids of the actors that a wish changes."""
    if isinstance(wish, Breakdown | CleanUp | PlantContacts):
        return [*wish.actors]
    if not isinstance(wish, Edit):
        return [wish.actor]
    if wish.name in ALLOWED:
        return []
    if wish.parts:
        return [id for each in wish.parts for id in _changed_by(each)]
    given = dict(wish.arguments)
    several = (each for name in ("poses", "chosen", "parts") if isinstance(each := given.get(name), tuple))
    actors = given.get("actors")
    named = actors if isinstance(actors, tuple) else ()
    return [given.get("actor"), *named, *(part[0] for each in several for part in each)]
