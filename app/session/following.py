"""Following: what is on screen, as features hear of it that show one kind of part.

A drag brings a preview for each of its moves. Those of a scene without such a part are nothing to such a feature.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.session.session import Session
    from engine.document import Document


def follow_parts(session: Session, kind: type, follow: Callable[[], object]) -> None:
    """Call `follow` after each change of the document and of the selection, and after previews of actors that have a
    part of that kind, or had one before."""
    had = False

    def take(document: Document) -> None:
        nonlocal had
        before, had = had, any(actor.part(kind) is not None for actor in document.actors)
        if before or had:
            follow()

    def take_change(_: Document, document: Document) -> None:
        nonlocal had
        had = any(actor.part(kind) is not None for actor in document.actors)
        follow()

    session.document_changed.connect(take_change)
    session.preview_changed.connect(take)
    session.selection_changed.connect(lambda _: follow())
