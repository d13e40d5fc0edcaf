"""Requests of a drag, without a kernel."""

from __future__ import annotations

from dataclasses import field

from engine.ik.goals import Goal, Spot
from engine.ik.methods import Method, Terms
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True)
class Request:
    """A pull at parts of an actor, and how it is to be solved."""

    drag: str  # requests with the same one go on from each other
    actor: str
    goals: tuple[Goal, ...]
    held: tuple[Spot, ...] = ()  # stay where they stand
    movable: frozenset[str] | None = None  # ids of degrees of freedom, in place of the chains of the terms
    chain_end: str | None = None  # the joint that chains reach up to, where the extent of the terms is a joint
    stiffness: tuple[tuple[str, float], ...] = ()  # by degree of freedom, in place of the figure's own
    method: Method = field(default_factory=Method)
    compared: Method | None = None  # a second one, on the same goals
    terms: Terms = field(default_factory=Terms)
    auto_key: bool = True  # else a pose of a layer that has keys is kept as a draft
    at: int | None = None  # [ticks] pulled at another time than the one that is shown: at a key, which it changes
