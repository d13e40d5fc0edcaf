"""naming: the actors, times and figures that somebody names on the command line or in a call of the library.

Loads neither numpy nor numba.
"""

from __future__ import annotations

from engine.document import Actor, Document, Figure, Layer
from engine.document.feet import handle_of, rolls_of
from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND
from engine.ik.goals import Spot
from engine.runtime.errors import InvalidArguments, UnknownPart


def document_of(id: str, figure: Figure) -> Document:
    """A document in which a figure stands alone, at rest."""
    return Document(actors=(Actor(id=id, name=figure.name, figure=figure, layers=(Layer(id="pose"),)),))


def actor_named(document: Document, name: str) -> Actor:
    """The actor of that id, else of that name as it is written on the command line."""
    found = [actor for actor in document.actors if actor.id == name]
    found = found or [actor for actor in document.actors if slug(actor.name) == name]
    if len(found) > 1:
        ids = ", ".join(actor.id for actor in found)
        raise InvalidArguments(
            what="the name of an actor", value=name, allowed=f"one that is not shared, or an id: {ids}"
        )
    if not found:
        raise UnknownPart(kind="actor", id=name, known=[slug(actor.name) for actor in document.actors])
    return found[0]


def spot_named(actor: Actor, name: str) -> Spot:
    """The end-effector of that id, the heel or the toes of a foot, else the origin of the joint."""
    handle = handle_of(actor.figure, name)
    if handle is not None:
        return Spot(actor=actor.id, joint=handle.joint, point=handle.point)
    if name not in actor.figure.joint_index:
        handles = (*actor.figure.handles, *rolls_of(actor.figure))
        known = dict.fromkeys((*(each.id for each in handles), *actor.figure.joint_index))
        raise UnknownPart(kind="end-effector or joint", id=name, known=tuple(known))
    return Spot(actor=actor.id, joint=name)


def part_named(document: Document, name: str) -> Spot:
    """The spot of a part such as "human.head", or "head" of the first actor that is no prop."""
    owner, _, part = name.rpartition(".")
    if owner in {text for each in document.actors for text in (each.id, slug(each.name))}:
        return spot_named(actor_named(document, owner), part)
    if not document.actors:
        raise InvalidArguments(what="the actors of the scene", value=(), allowed="at least one")
    return spot_named(min(document.actors, key=lambda actor: actor.figure.is_prop), name)


def ticks_of(seconds: float, what: str) -> int:
    """A time that somebody has typed [s], in ticks."""
    if not abs(seconds) * TICKS_PER_SECOND <= TICKS_LIMIT:
        allowed = f"seconds, at most {TICKS_LIMIT // TICKS_PER_SECOND}"
        raise InvalidArguments(what=what, value=seconds, allowed=allowed)
    return round(seconds * TICKS_PER_SECOND)


def slug(name: str) -> str:
    """Write a name as it stands on the command line."""
    return name.casefold().replace(" ", "_")
