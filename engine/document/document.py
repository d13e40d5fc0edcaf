"""Document: all that a person made, as one frozen value."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property

from engine.document.actor import Actor
from engine.document.motion import Rate, Span
from engine.document.order import Group, groups_of, targets_of
from engine.document.parts import Part, PartT, check_parts, find_part, with_part, without_part
from engine.document.references import Reference
from engine.document.selection_sets import SelectionSet
from engine.document.sound import Sound
from engine.document.ticks import check_rate
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.runtime.quick_dataclass import dataclass, quick_replace


@dataclass(frozen=True, kw_only=True)
class Document(Part):
    """The actors of one scene, and how its time is counted and played."""

    actors: tuple[Actor, ...] = ()
    rate: Rate = (30, 1)  # frames in so many seconds
    play: Span | None = None  # what is played; None: the scene's range, else from the first motion to the last
    lock_solver: str = "levenberg"  # what keeps the locks: a name of `engine.ik.solvers.SOLVERS`, or "multipliers"
    lock_iterations: int = 100  # that it is given in each stage, for each picture
    selection_sets: tuple[SelectionSet, ...] = ()
    references: tuple[Reference, ...] = ()  # pictures to pose after
    sound: Sound | None = None  # heard with the motion
    parts: tuple[Part, ...] = ()  # of systems, of the scene as a whole; at most one of each class
    scene_range: Span | None = None  # from when to when the scene lasts, whatever moves; None: as its motion does

    def __post_init__(self) -> None:
        check_rate("the rate", self.rate)
        if not 1 <= self.lock_iterations <= 1000:
            value = self.lock_iterations
            raise InvalidDocument(what="the iterations of locks", value=value, allowed="a whole number of 1 to 1000")
        if self.parts:
            check_parts("the parts of the scene", self.parts)

    def part(self, kind: type[PartT]) -> PartT | None:
        """The part of a system, by its class."""
        return find_part(self.parts, kind)

    def with_part(self, part: Part) -> Document:
        """The document with a part put in place of that of its class."""
        return replace(self, parts=with_part(self.parts, part))

    def without_part(self, kind: type[Part]) -> Document:
        """The document without the part of a class."""
        return replace(self, parts=without_part(self.parts, kind)) if self.part(kind) is not None else self

    @cached_property
    def actor_index(self) -> dict[str, int]:
        """Place of each actor."""
        return {actor.id: index for index, actor in enumerate(self.actors)}

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """The actors in the order in which they are posed, those together that move each other; refused for a ring."""
        return groups_of(self.actors)

    @cached_property
    def in_order(self) -> tuple[Actor, ...]:
        """The actors, each behind all that it hangs on or holds on to."""
        return tuple(actor for group in self.groups for actor in group)

    @cached_property
    def together(self) -> tuple[frozenset[str], ...]:
        """The actors that are stepped together, of each part of a system that steps any."""
        parts = (part for parts in (self.parts, *(actor.parts for actor in self.actors)) for part in parts)
        sets = (frozenset(id for id in part.coupled(self) if id in self.actor_index) for part in parts)
        return tuple(dict.fromkeys(ids for ids in sets if ids))

    @cached_property
    def reading(self) -> dict[str, frozenset[str]]:
        """The actors that parts of systems read, by the actor that has these."""
        found = {actor.id: {id for part in actor.parts for id in part.reads(self)} for actor in self.actors}
        return {id: frozenset(each for each in ids if each in self.actor_index) for id, ids in found.items() if ids}

    @cached_property
    def moved_by(self) -> dict[str, tuple[str, ...]]:
        """The actors whose parts of systems move another, by that other."""
        found: dict[str, list[str]] = {}
        for actor in self.actors:
            for moved in dict.fromkeys(id for part in actor.parts for id in part.moves(self)):
                found.setdefault(moved, []).append(actor.id)
        return {id: tuple(ids) for id, ids in found.items()}

    def actor(self, id: str) -> Actor:
        """The actor of that id."""
        index = self.actor_index.get(id)
        if index is None:
            raise UnknownPart(kind="actor", id=id, known=tuple(self.actor_index))
        return self.actors[index]

    def with_all_that_hold(self, id: str) -> Document:
        """The document with one actor, all that it hangs on, holds on to or reads, and all that move it or with it."""
        self.actor(id)
        if len(self.actors) == 1:
            return self
        group = {actor.id: members for members in self.groups for actor in members}
        kept: set[str] = set()
        waiting = [id]
        while waiting:
            for actor in group[waiting.pop()]:
                if actor.id not in kept:
                    kept.add(actor.id)
                    waiting += targets_of(actor)
                    waiting += self.reading.get(actor.id, ())
                    waiting += self.moved_by.get(actor.id, ())
                    waiting += (each for ids in self.together if actor.id in ids for each in ids)
        if len(kept) == len(self.actors):
            return self
        return replace(self, actors=tuple(actor for actor in self.actors if actor.id in kept))

    def with_actor(self, actor: Actor) -> Document:
        """The document with the actor of the same id replaced."""
        index = self.actor_index.get(actor.id)
        if index is None:
            raise UnknownPart(kind="actor", id=actor.id, known=tuple(self.actor_index))
        actors = list(self.actors)
        actors[index] = actor
        return quick_replace(self, actors=tuple(actors))
