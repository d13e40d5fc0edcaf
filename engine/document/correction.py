"""Correction: what is added to a motion so that its secondary motion meets targets, a sum of bells (Rahgoshay 2011).

    f(t) = sum_i  lambda_i phi_i(t) + beta_i psi_i(t),    psi_i = d phi_i / dt    (equations 4.3, 4.5 and 4.6)

phi_i: a bell, 1 at its own time and 0 outside its widths, which are how long it takes to come and to go (the source's
bells have one width for both). lambda_i [rad or m]: its amplitudes, by coordinate; beta_i [rad s or m s]: those of its
wiggle psi_i, which is 0 at the bell's time and changes the velocity there. Both are of rates: of a ball, the names of
its coordinates x, y and z stand for the rotation vector about the axes of the turned body, and w is refused.
`engine.motion.bells` has the shapes of bells; f with its rate and acceleration is evaluated there in closed form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Literal, get_args

from engine.document.parts import Part
from engine.document.ticks import some_ticks, ticks
from engine.document.values import finite
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

BellKind = Literal["gaussian", "polynomial"]
BELL_KINDS: tuple[BellKind, ...] = get_args(BellKind)
Amplitudes = tuple[tuple[str, float], ...]


@dataclass(frozen=True, kw_only=True)
class Bell:
    """A smooth curve in time that is 1 with slope 0 at one tick, and exactly 0 from its ends on."""

    time: int
    before: int  # [ticks] from where it begins to its time
    after: int  # [ticks] from its time to where it ends
    kind: BellKind = "gaussian"

    def __post_init__(self) -> None:
        ticks("the time of a bell", self.time)
        for name in ("before", "after"):
            some_ticks(f"the width of a bell {name} its time", getattr(self, name))
        for end in (self.start, self.end):
            ticks("an end of a bell", end)
        if self.kind not in BELL_KINDS:
            raise InvalidDocument(what="the kind of a bell", value=self.kind, allowed=", ".join(BELL_KINDS))

    @property
    def start(self) -> int:
        """The last tick at which it is still 0."""
        return self.time - self.before

    @property
    def end(self) -> int:
        """The first tick at which it is 0 again."""
        return self.time + self.after


@dataclass(frozen=True, kw_only=True)
class Term:
    """One bell of a correction, with what it adds to each coordinate."""

    bell: Bell
    amplitudes: Amplitudes = ()  # of the bell [rad or m]
    wiggles: Amplitudes = ()  # of its derivative [rad s or m s]

    def __post_init__(self) -> None:
        if not self.amplitudes and not self.wiggles:
            raise InvalidDocument(what="the amplitudes of a bell", value=(), allowed="one or more")
        for field in ("amplitudes", "wiggles"):
            given = getattr(self, field)
            repeated = [name for name, count in Counter(name for name, _ in given).items() if count > 1]
            if repeated:
                raise InvalidDocument(what=f"the {field} of a bell", value=repeated, allowed="each coordinate once")
            numbers = tuple((name, finite(f"the correction of {name}", number)) for name, number in given)
            object.__setattr__(self, field, numbers)

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Coordinates that it adds to, each once."""
        return tuple(dict.fromkeys(name for name, _ in (*self.amplitudes, *self.wiggles)))


@dataclass(frozen=True, kw_only=True)
class Correction(Part):
    """An addition of a layer, whatever its mode, to what it and the layers below give, in the time of the scene."""

    terms: tuple[Term, ...]  # none earlier than the one before it

    def __post_init__(self) -> None:
        if not self.terms:
            raise InvalidDocument(what="the bells of a correction", value=(), allowed="one or more")
        times = [term.bell.time for term in self.terms]
        if any(second < first for first, second in pairwise(times)):
            raise InvalidDocument(what="the times of a correction's bells", value=times, allowed="none falling")

    @cached_property
    def coordinates(self) -> tuple[str, ...]:
        """Coordinates that it adds to, each once."""
        return tuple(dict.fromkeys(name for term in self.terms for name in term.coordinates))

    @property
    def extent(self) -> tuple[int, int]:
        """The first and the last tick of its bells."""
        return min(term.bell.start for term in self.terms), max(term.bell.end for term in self.terms)


def correction_of(terms: Iterable[Term]) -> Correction | None:
    """The correction of these terms, those of one time as they come; None without any."""
    made = tuple(sorted(terms, key=lambda term: term.bell.time))
    return Correction(terms=made) if made else None


def restricted(correction: Correction | None, names: Collection[str]) -> Correction | None:
    """Keep the terms of a correction that are about some coordinates; return the identical one where that is all."""
    if correction is None or all(name in names for name in correction.coordinates):
        return correction
    return correction_of(made for term in correction.terms if (made := _of(term, names)) is not None)


def joined(order: Mapping[str, int], first: Correction | None, second: Correction | None) -> Correction | None:
    """The sum of two corrections of different coordinates, which may share bells; `order`: that of coordinates."""
    if first is None or second is None:
        return first if second is None else second
    made = list(first.terms)
    for term in second.terms:
        same = (n for n, each in enumerate(made) if each.bell == term.bell)
        place = next((n for n in same if set(made[n].coordinates).isdisjoint(term.coordinates)), None)
        if place is None:
            made.append(term)
            continue
        both = made[place]
        amplitudes, wiggles = (*both.amplitudes, *term.amplitudes), (*both.wiggles, *term.wiggles)
        made[place] = replace(both, amplitudes=_in_order(order, amplitudes), wiggles=_in_order(order, wiggles))
    return correction_of(made)


def _of(term: Term, names: Collection[str]) -> Term | None:
    amplitudes, wiggles = (
        tuple(item for item in given if item[0] in names) for given in (term.amplitudes, term.wiggles)
    )
    return replace(term, amplitudes=amplitudes, wiggles=wiggles) if amplitudes or wiggles else None


def _in_order(order: Mapping[str, int], given: Amplitudes) -> Amplitudes:
    return tuple(sorted(given, key=lambda item: order[item[0]]))
