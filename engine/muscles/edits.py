"""Edits of muscles: the muscles of a figure, their paths, what they wrap around, sets of them.

What is None stays as it is, unless an edit says otherwise. Every edit refuses what the figure does not have.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.document import Document
from engine.document.conformance import given_fields
from engine.muscles.checks import check_muscles
from engine.muscles.parts import (
    ForceModel,
    Muscle,
    MuscleActivations,
    Muscles,
    MuscleSet,
    MuscleWrap,
    PathPoint,
    PathWrap,
)
from engine.muscles.uses import activations_of, muscles_of, with_activations
from engine.runtime.errors import InvalidDocument, UnknownPart

_OF = "a muscle"


def put_muscles(document: Document, *, actor: str, muscles: Muscles) -> Document:
    """Give a figure muscles, in place of those that it has."""
    owner = document.actor(actor)
    if muscles_of(owner) == muscles:
        return document
    known = {each.id for each in muscles.muscles}
    new = owner.with_part(check_muscles(owner.figure, muscles))
    return _pruned(document.with_actor(new), actor, known.__contains__)


def remove_muscles(document: Document, *, actor: str) -> Document:
    """Take all muscles of a figure away with their activations."""
    owner = document.actor(actor)
    return document.with_actor(owner.without_part(Muscles).without_part(MuscleActivations))


def set_muscle_model(
    document: Document, *, actor: str, model: ForceModel | None = None, pulling: bool | None = None
) -> Document:
    """Choose the model by which the muscles of a figure pull, and whether they do while it is simulated."""
    return _with(document, actor, **given_fields(Muscles, of="muscles", model=model, pulling=pulling))


def add_muscle(document: Document, *, actor: str, muscle: Muscle) -> Document:
    """Add a muscle to a figure, behind those that it has; the first one too."""
    if muscles_of(document.actor(actor)) is None:
        return put_muscles(document, actor=actor, muscles=Muscles(muscles=(muscle,)))
    return _with(document, actor, muscles=(*of_actor(document, actor).muscles, muscle))


def remove_muscle(document: Document, *, actor: str, muscle: str) -> Document:
    """Take a muscle away, out of its sets and with its activation; its mirror image is its own then. A figure without
    muscles and wraps has no such part any more."""
    gone, found = muscle_of(document, actor, muscle), of_actor(document, actor)
    kept = tuple(
        replace(each, mirror=None) if each.mirror == muscle else each for each in found.muscles if each is not gone
    )
    sets = tuple(replace(each, muscles=tuple(id for id in each.muscles if id != muscle)) for each in found.sets)
    new = _with(document, actor, muscles=kept, sets=tuple(each for each in sets if each.muscles))
    return _pruned(_with_none(new, actor), actor, lambda id: id != muscle)


def set_muscle(
    document: Document,
    *,
    actor: str,
    muscle: str,
    name: str | None = None,
    force: float | None = None,
    fibre: float | None = None,
    tendon: float | None = None,
    pennation: float | None = None,
    fastest: float | None = None,
    region: str | None = None,
) -> Document:
    """Set how strong a muscle is, how long its fibres and its tendon are, its name and its region."""
    if name is not None and not name.strip():
        raise InvalidDocument(what="the name of a muscle", value=name, allowed="some text")
    given = given_fields(
        Muscle, of=_OF, name=name, force=force, fibre=fibre, tendon=tendon, pennation=pennation, fastest=fastest,
        region=region,
    )  # fmt: skip
    return _with_muscle(document, actor, muscle, **given)


def add_path_point(document: Document, *, actor: str, muscle: str, place: int, point: PathPoint) -> Document:
    """Put a point into a muscle's path before the one of that number; one more than the last: behind it. A wrap that
    was minded between two points is minded between them still."""
    old = muscle_of(document, actor, muscle)
    _check_place(place, len(old.points) + 1)
    points = (*old.points[:place], point, *old.points[place:])
    wraps = (_moved(each, len(old.points), lambda at: at + (at >= place)) for each in old.wraps)
    return _with_muscle(document, actor, muscle, points=points, wraps=tuple(wraps))


def set_path_point(document: Document, *, actor: str, muscle: str, place: int, point: PathPoint) -> Document:
    """Put another point in place of one of a muscle's path."""
    points = list(muscle_of(document, actor, muscle).points)
    _check_place(place, len(points))
    points[place] = point
    return _with_muscle(document, actor, muscle, points=tuple(points))


def remove_path_point(document: Document, *, actor: str, muscle: str, place: int) -> Document:
    """Take a point out of a muscle's path; a wrap between whose points nothing is left goes with it."""
    old = muscle_of(document, actor, muscle)
    _check_place(place, len(old.points))
    points = old.points[:place] + old.points[place + 1 :]
    moved = (_moved(each, len(old.points), lambda at: at - (at >= place), first=place) for each in old.wraps)
    wraps = tuple(each for each in moved if each.first < (each.last if each.last >= 0 else len(points) + each.last))
    return _with_muscle(document, actor, muscle, points=points, wraps=wraps)


def set_path_wraps(document: Document, *, actor: str, muscle: str, wraps: tuple[PathWrap, ...]) -> Document:
    """Set around which wraps a muscle's path bends, in the order in which it meets them."""
    return _with_muscle(document, actor, muscle, wraps=wraps)


def add_muscle_wrap(document: Document, *, actor: str, wrap: MuscleWrap) -> Document:
    """Add a body around which paths of muscles may bend."""
    return _with(document, actor, wraps=(*of_actor(document, actor).wraps, wrap))


def set_muscle_wrap(document: Document, *, actor: str, wrap: MuscleWrap) -> Document:
    """Put another wrap in place of that of its id."""
    found = of_actor(document, actor)
    old = _wrap(found, wrap.id)
    return _with(document, actor, wraps=tuple(wrap if each is old else each for each in found.wraps))


def remove_muscle_wrap(document: Document, *, actor: str, wrap: str) -> Document:
    """Take a wrap away; paths that bent around it go past it straight."""
    found = of_actor(document, actor)
    gone = _wrap(found, wrap)
    muscles = tuple(
        replace(each, wraps=tuple(one for one in each.wraps if one.wrap != wrap))
        if any(one.wrap == wrap for one in each.wraps)
        else each
        for each in found.muscles
    )
    new = _with(document, actor, muscles=muscles, wraps=tuple(each for each in found.wraps if each is not gone))
    return _with_none(new, actor)


def put_muscle_set(document: Document, *, actor: str, set: MuscleSet) -> Document:
    """Keep some muscles as a set, in place of that of its id where there is one."""
    old = of_actor(document, actor).sets
    if any(each.id == set.id for each in old):
        return _with(document, actor, sets=tuple(set if each.id == set.id else each for each in old))
    return _with(document, actor, sets=(*old, set))


def remove_muscle_set(document: Document, *, actor: str, set: str) -> Document:
    """Take a set of muscles away; the muscles stay."""
    old = of_actor(document, actor).sets
    if all(each.id != set for each in old):
        raise UnknownPart(kind="set of muscles", id=set, known=tuple(each.id for each in old))
    return _with(document, actor, sets=tuple(each for each in old if each.id != set))


def of_actor(document: Document, actor: str) -> Muscles:
    """Give the muscles of an actor; refuse one without."""
    owner = document.actor(actor)
    found = muscles_of(owner)
    if found is None:
        raise InvalidDocument(what="the actor to change", value=owner.name, allowed="one with muscles")
    return found


def muscle_of(document: Document, actor: str, muscle: str) -> Muscle:
    """Give a muscle of an actor; refuse an unknown one."""
    found = of_actor(document, actor)
    own = found.muscle(muscle)
    if own is None:
        raise UnknownPart(kind="muscle", id=muscle, known=tuple(each.id for each in found.muscles))
    return own


def _wrap(found: Muscles, wrap: str) -> MuscleWrap:
    own = found.wrap(wrap)
    if own is None:
        raise UnknownPart(kind="wrap", id=wrap, known=tuple(each.id for each in found.wraps))
    return own


def _with(document: Document, actor: str, **given: Any) -> Document:
    """The document with an actor's muscles changed; the identical one where they are the same."""
    old, owner = of_actor(document, actor), document.actor(actor)
    new = replace(old, **given)
    return document if new == old else document.with_actor(owner.with_part(check_muscles(owner.figure, new)))


def _with_none(document: Document, actor: str) -> Document:
    """The document without an actor's muscles, where nothing is left of them."""
    found = of_actor(document, actor)
    if found.muscles or found.wraps:
        return document
    return document.with_actor(document.actor(actor).without_part(Muscles))


def _with_muscle(document: Document, actor: str, muscle: str, **given: Any) -> Document:
    old, found = muscle_of(document, actor, muscle), of_actor(document, actor)
    return _with(document, actor, muscles=found.with_muscle(old, replace(old, **given)).muscles)


def _pruned(document: Document, actor: str, stays: Callable[[str], bool]) -> Document:
    """The document without activations of muscles that are not there."""
    owner = document.actor(actor)
    old = activations_of(owner)
    new = replace(old, activations=tuple(each for each in old.activations if stays(each.muscle)))
    return document if new == old else document.with_actor(with_activations(owner, new))


def _moved(wrap: PathWrap, count: int, image: Callable[[int], int], first: int = -1) -> PathWrap:
    """A wrap whose points have other numbers; the last point of all stays that. `first`: a point that goes."""
    start = wrap.first if wrap.first == first else image(wrap.first)
    if wrap.last == -1:
        return replace(wrap, first=start)
    return replace(wrap, first=start, last=image(wrap.last + count if wrap.last < 0 else wrap.last))


def _check_place(place: int, count: int) -> None:
    if not 0 <= place < count:
        raise InvalidDocument(what="the number of a point", value=place, allowed=f"0 to {count - 1}")
