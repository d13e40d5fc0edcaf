"""Changes: the parts and arrays that a value has and another has not, each with the part that it replaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import NamedTuple

from engine.document import Blob, Part
from engine.document.parts import children


class Change(NamedTuple):
    """A part or an array, and the part that stood in its place."""

    new: Part | Blob
    old: Part | None


def changes(new: object, old: object, known: Callable[[Part | Blob], bool]) -> list[Change]:
    """List the parts and arrays of `new` that are not `known`, each once, and behind all that it refers to."""
    found: list[Change] = []
    _walk(new, old, known, set(), found)
    return found


def _walk(new: object, old: object, known: Callable[[Part | Blob], bool], seen: set[str], found: list[Change]) -> None:
    if new is old:
        return
    if isinstance(new, Part | Blob):
        if new.digest in seen or known(new):
            return
        seen.add(new.digest)
    partners = _partners(new, old)
    for child in children(new):
        _walk(child, partners.get(id(child)), known, seen, found)
    if isinstance(new, Part):
        found.append(Change(new, old if type(old) is type(new) and isinstance(old, Part) else None))
    elif isinstance(new, Blob):
        found.append(Change(new, None))


def _partners(new: object, old: object) -> dict[int, object]:
    """Pair the children of `new` with those of `old` in their place, by their addresses in memory.

    Of two tuples, what both begin and end with is paired with itself, and what is left in its order.
    """
    if isinstance(new, tuple) and isinstance(old, tuple):
        head, least = 0, min(len(new), len(old))
        while head < least and new[head] is old[head]:
            head += 1
        tail = 0
        while tail < least - head and new[-1 - tail] is old[-1 - tail]:
            tail += 1
        partners = {id(each): each for each in (*new[:head], *new[len(new) - tail :])}
        pairs = zip(new[head : len(new) - tail], old[head : len(old) - tail], strict=False)
        return partners | {id(each): was for each, was in pairs}
    if is_dataclass(new) and type(old) is type(new):
        return {id(getattr(new, each.name)): getattr(old, each.name) for each in fields(new)}
    return {}
