"""Actors that a person can add, as values with fresh ids (the human, simple props), and the first document."""

from __future__ import annotations

from collections.abc import Generator

from app.session.building import empty_figure
from engine.document import (
    Actor,
    Attachment,
    Box,
    Capsule,
    Document,
    Ellipsoid,
    Figure,
    Layer,
    Placement,
    Shape,
    prop,
)
from engine.document.parts import Part
from engine.document.values import new_id

SPACING = 1.2  # [m] between actors that are added one after the other
BALL_RADIUS = 0.15  # [m]
BOX_HALF = 0.2  # [m]
STICK_LENGTH, STICK_RADIUS = 0.9, 0.014  # [m]


def new_document() -> Document:
    """Make a document with one human, at rest in the middle, which says nothing else."""
    return Document(actors=(human(Document()),))


def human(document: Document) -> Actor:
    """Make a human for the next free place of the document."""
    from engine.formats.figure_toml import load_skinned_figure

    return Actor(
        id=new_id("human"),
        name=free_name(document, "Human"),
        figure=load_skinned_figure("human"),
        placement=free_place(document, 0.0),
        layers=(Layer(id="pose"),),
        natural=1.0,
        floor=True,
    )


def read_skeleton() -> Generator[tuple[Figure, tuple[Part, ...]], None, None]:
    """Read the file of the skeleton: the figure with its skin, and its muscles."""
    from engine.formats.figure_toml import load_parts, load_skinned_figure

    yield load_skinned_figure("anatomy"), load_parts("anatomy")


def skeleton(document: Document, figure: Figure, parts: tuple[Part, ...]) -> Actor:
    """Make a skeleton with its muscles for the next free place of the document, of what its file holds."""
    return Actor(
        id=new_id("skeleton"),
        name=free_name(document, "Skeleton"),
        figure=figure,
        placement=free_place(document, 0.0),
        layers=(Layer(id="pose"),),
        parts=parts,
    )


def empty(document: Document) -> Actor:
    """Make a figure of one joint on the floor, to which bones are added."""
    name, placement = free_name(document, "Figure"), free_place(document, 0.0)
    return Actor(
        id=new_id("figure"), name=name, figure=empty_figure(name), placement=placement, layers=(Layer(id="pose"),)
    )


def ball(document: Document) -> Actor:
    """Make a ball on the floor."""
    shape = Ellipsoid(radii=(BALL_RADIUS, BALL_RADIUS, BALL_RADIUS))
    return _prop(document, "Ball", shape, BALL_RADIUS)


def box(document: Document) -> Actor:
    """Make a box on the floor."""
    return _prop(document, "Box", Box(half=(BOX_HALF, BOX_HALF, BOX_HALF), rounding=0.02), BOX_HALF)


def _prop(document: Document, kind: str, shape: Shape, height: float) -> Actor:
    name, placement = free_name(document, kind), free_place(document, height)
    figure, layers = prop(kind, (shape,)), (Layer(id="pose"),)
    return Actor(id=new_id(kind.lower()), name=name, figure=figure, placement=placement, layers=layers)


def stick(document: Document) -> Actor:
    """Make a stick that stands on the floor."""
    half = 0.5 * STICK_LENGTH - STICK_RADIUS
    shape = Capsule(start=(0.0, -half, 0.0), end=(0.0, half, 0.0), radius=STICK_RADIUS)
    return _prop(document, "Stick", shape, 0.5 * STICK_LENGTH)


def hangs_on(document: Document, attachment: Attachment) -> str:
    """Name what an attachment hangs on, in a word or two."""
    target = document.actor(attachment.target)
    return target.name if target.figure.is_prop else target.figure.joint(attachment.target_joint).name


def fallen(old: Document, new: Document) -> list[str]:
    """List what no longer hangs on or holds on to something since that has gone, and limits without hinges, in
    words."""
    gone = {actor.id: actor.name for actor in old.actors if actor.id not in new.actor_index}
    held = [actor for actor in old.actors if actor.id in new.actor_index] if gone else []
    hanging = [
        f"{actor.name} no longer hangs on {gone[each.target]}"
        for actor in held
        for each in actor.attachments
        if each.target in gone
    ]
    locks = [(actor, lock) for actor in held for lock in actor.locks if lock.target in gone]
    hanging += [f"{actor.name}'s pin {lock.name} has gone with {gone[str(lock.target)]}" for actor, lock in locks]
    return hanging + [line for actor in old.actors if actor.id in new.actor_index for line in _limits_lost(actor, new)]


def _limits_lost(actor: Actor, document: Document) -> list[str]:
    """Return the limits of an actor that have gone with a hinge of theirs."""
    figure = document.actor(actor.id).figure
    if figure is actor.figure or not actor.figure.limits:
        return []
    left, hinges = {each.id for each in figure.limits}, {dof.id for dof in figure.dofs if dof.kind == "hinge"}
    lost = (each for each in actor.figure.limits if each.id not in left and not hinges.issuperset(each.dofs))
    return [f"{actor.name}'s joint limit {each.name} has gone with a hinge of it" for each in lost]


def free_name(document: Document, name: str) -> str:
    """Return a name that no actor has: "Box", "Box 2"."""
    taken = {actor.name for actor in document.actors}
    numbered = (name if number == 1 else f"{name} {number}" for number in range(1, len(taken) + 2))
    return next(each for each in numbered if each not in taken)


def free_place(document: Document, height: float) -> Placement:
    """Return a place beside the others: first the middle, then to the left and right in turn, `height` [m] above the
    floor."""
    taken = {round(actor.placement.position[0] / SPACING, 3) for actor in document.actors}
    places = (0.0, *(sign * step for step in range(1, len(taken) + 2) for sign in (1.0, -1.0)))
    free = next(place for place in places if place not in taken)
    return Placement(position=(free * SPACING, height, 0.0))
