"""CamerasFollow: what becomes of a camera's pins where what they hold on to goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from engine.cameras.parts import film_camera
from engine.document import Actor, Document
from engine.edits.follows import Follows


class CamerasFollow(Follows):
    """A pin goes with what it holds on to."""

    def let_go(self, actor: Actor, is_there: Callable[[str, str], bool]) -> Actor:
        """The actor without pins to what is not there."""
        part = film_camera(actor)
        if part is None:
            return actor
        aim = part.aim if part.aim is not None and is_there(part.aim.actor, part.aim.joint) else None
        follow = part.follow if part.follow is not None and is_there(part.follow.actor, part.follow.joint) else None
        focus = part.focus
        if focus is not None and focus.on is not None and not is_there(focus.on.actor, focus.on.joint):
            focus = replace(focus, on=None)
        new = replace(part, aim=aim, follow=follow, focus=focus)
        return actor if new == part else actor.with_part(new)

    def named(self, document: Document, actor: str) -> Iterable[str]:
        """The joints of an actor that cameras are pinned to."""
        for other in document.actors:
            part = film_camera(other)
            yield from (joint for id, joint in (part.holds_on_to() if part is not None else ()) if id == actor)
