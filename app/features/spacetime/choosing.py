"""Choose what is under the pointer in the timeline or in a view: its actor becomes the one that is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.features.spacetime.current_spacetime import CurrentSpacetime
from app.session import Item

if TYPE_CHECKING:
    from app.session import Session


def choose_of(session: Session, actor: str, id: str) -> None:
    """Choose a stage, a constraint or a meeting of an actor."""
    current = session.of(CurrentSpacetime)
    if actor in session.document.actor_index and (current.actor is None or current.actor.id != actor):
        session.select([Item(actor)])
    current.choose(id)
