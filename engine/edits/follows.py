"""Follows: what a system does with its parts where an edit changes the time, the figure or the sides that they name.

General edits ask every system of the table and know none by name; what one does not override stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from engine.document import Actor, Document, Figure
from engine.edits.stretches import Layout
from engine.systems import load, systems


class Follows:
    """One system's answers."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with the system's parts in new time."""
        return actor

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        """The actor without what names a joint or coordinate that another figure lacks; `heirs` says which joint takes
        over from each that has gone."""
        return actor

    def rerooted(self, actor: Actor, content: Figure) -> Actor:
        """The actor with what names joints of its figure, hung up at another joint."""
        return actor

    def scaled(self, actor: Actor, figure: Figure, factors: Mapping[str, float]) -> Actor:
        """The actor, whose bodies are larger than those of a figure by factors, with what stands on them; 1 where none
        is given."""
        return actor

    def let_go(self, actor: Actor, is_there: Callable[[str, str], bool]) -> Actor:
        """The actor without what holds on to a joint of an actor that is not there."""
        return actor

    def named(self, document: Document, actor: str) -> Iterable[str]:
        """The joints of an actor that are held or led, by whichever actor."""
        return ()

    def mirrored(self, actor: Actor, start: int, end: int) -> Actor:
        """The actor with left and right exchanged from one tick on to before another."""
        return actor


@cache
def followers() -> tuple[Follows, ...]:
    """Those of all systems, in the order of the table."""
    return tuple(load(each.follows)() for each in systems() if each.follows is not None)
