"""Choosing by how joints hang together: parents, children, limbs, mirror partners, and all that is not chosen.

Items keep the order of what they come from; what is found stands in the figure's order.
"""

from __future__ import annotations

from collections.abc import Iterable

from app.session.selection import Item
from engine.document import Actor, Document, Joint
from engine.document.selection_sets import Chosen


def parents(document: Document, items: Iterable[Item]) -> list[Item]:
    """Return the joint above each; above a root, the whole actor; above that, itself."""
    found = []
    for item in items:
        joint = _joint(document, item)
        found.append(Item(item.actor, joint.parent if joint is not None else None))
    return list(dict.fromkeys(found))


def children(document: Document, items: Iterable[Item]) -> list[Item]:
    """Return the joints that hang on each; on a whole actor, its roots; what has none stays chosen itself."""
    found: list[Item] = []
    for item in items:
        figure = document.actor(item.actor).figure
        below = [joint.id for joint in figure.joints if joint.parent == item.part] if not figure.is_prop else []
        found += [Item(item.actor, id) for id in below] or [item]
    return list(dict.fromkeys(found))


def partners(document: Document, items: Iterable[Item]) -> list[Item]:
    """Return the mirror image of each; what is its own stays."""
    found = []
    for item in items:
        joint = _joint(document, item)
        found.append(item if joint is None or joint.mirror is None else Item(item.actor, joint.mirror))
    return list(dict.fromkeys(found))


def limbs(document: Document, items: Iterable[Item]) -> list[Item]:
    """Return the chain that each is part of: up to the joint below a branch, and down to the next branch or the end."""
    found: list[Item] = []
    for item in items:
        joint = _joint(document, item)
        if joint is None:
            found.append(item)
        else:
            found += [Item(item.actor, id) for id in _limb(document.actor(item.actor), joint)]
    return list(dict.fromkeys(found))


def others(document: Document, items: Iterable[Item]) -> list[Item]:
    """Return all that is not chosen of the actors that something is chosen of; other actors, where they are chosen
    whole."""
    chosen = list(items)
    in_part = list(dict.fromkeys(item.actor for item in chosen if item.part is not None))
    if in_part:
        taken = {(item.actor, item.part) for item in chosen}
        return [
            Item(actor, joint)
            for actor in in_part
            for joint in document.actor(actor).figure.joint_index
            if (actor, joint) not in taken
        ]
    whole = {item.actor for item in chosen}
    return [Item(actor.id) for actor in document.actors if actor.id not in whole]


def _joint(document: Document, item: Item) -> Joint | None:
    return None if item.part is None else document.actor(item.actor).figure.joint(item.part)


def _limb(actor: Actor, joint: Joint) -> list[str]:
    """Ids from the top of the chain to its end."""
    figure = actor.figure
    below: dict[str | None, list[str]] = {}
    for each in figure.joints:
        below.setdefault(each.parent, []).append(each.id)
    first = joint
    while first.parent is not None and len(below[first.parent]) == 1:
        first = figure.joint(first.parent)
    chain = [first.id]
    while len(below.get(chain[-1], ())) == 1:
        chain += below[chain[-1]]
    return chain


def chosen(items: Iterable[Item]) -> tuple[Chosen, ...]:
    """Return the actors and joints among the items, as a selection set holds them."""
    return tuple(dict.fromkeys((item.actor, item.part) for item in items if item.added is None))
