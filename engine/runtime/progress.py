"""Progress of long work: who does it reports a share, who waits listens, and neither knows of the other.

Where nobody listens a report costs next to nothing. A listener may raise, `Cancelled` for one: the work then unwinds
like after any error, so whatever it would have written stays unwritten.

Work in slices is a generator that yields the share that is done between them and returns what it made; `Pace` says when
a slice has lasted long enough. Whoever steps it may close it there, and nothing is left of it.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import TypeVar

from engine.runtime.errors import EngineError

Listener = Callable[[float], None]
T = TypeVar("T")
ReportT = TypeVar("ReportT")
SaidT = TypeVar("SaidT")

SLICE = 0.003  # [s] of work after which a slice ends, well below the 8 ms that a step of the engine's thread may last
QUIET = "SINEW_QUIET"  # the variable of the environment by which nothing is said on standard error of how far work is
_STEPS = 200  # reports over one run through a collection


class Cancelled(EngineError):
    """Work that a person ended; nothing of it remains."""

    def __init__(self, *, what: str) -> None:
        super().__init__(f"{what} was cancelled")
        self.what = what


class _Heard(threading.local):
    listener: Listener | None = None


_heard = _Heard()


@contextmanager
def listening(listener: Listener | None) -> Iterator[None]:
    """Within it, reports of this thread, shares from 0 to 1, go to the listener."""
    before, _heard.listener = _heard.listener, listener
    try:
        yield
    finally:
        _heard.listener = before


@contextmanager
def part(start: float, end: float) -> Iterator[None]:
    """Within it, 0 to 1 means this part of the whole."""
    listener = _heard.listener
    with listening(None if listener is None else lambda share: listener(start + (end - start) * share)):
        yield


def report(share: float) -> None:
    """Say how far the work is."""
    if _heard.listener is not None:
        _heard.listener(share)


def each(items: Collection[T]) -> Iterator[T]:
    """The items one after the other, reporting how many are done."""
    every = max(1, len(items) // _STEPS)
    for place, item in enumerate(items):
        if place % every == 0:
            report(place / len(items))
        yield item


def is_quiet() -> bool:
    """Tell whether a person has turned off reports of how far work is."""
    return os.environ.get(QUIET, "0") not in ("", "0")


class Pace:
    """A clock that says when the present slice of work has lasted long enough."""

    def __init__(self, seconds: float = SLICE) -> None:
        self._seconds = seconds
        self._ends = perf_counter() + seconds

    def due(self) -> bool:
        """Return True once the slice has lasted long enough; the next one begins then."""
        now = perf_counter()
        if now < self._ends:
            return False
        self._ends = now + self._seconds
        return True


def telling(steps: Generator[SaidT, None, T], tell: Callable[[SaidT], ReportT]) -> Generator[ReportT, None, T]:
    """Work in slices that yield `tell` of each share, or of what else they yield, in its place."""
    while True:
        try:
            share = next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
        yield tell(share)


def within(steps: Generator[float, None, T], start: float, end: float) -> Generator[float, None, T]:
    """Work in slices as this part of a larger whole."""
    return telling(steps, lambda share: min(end, start + (end - start) * share))


def unpaused(steps: Generator[T | None, None, ReportT]) -> Generator[T, None, ReportT]:
    """Work in slices of which some yield None: those are done at one go with what comes after them."""
    while True:
        try:
            found = next(steps)
        except StopIteration as stop:
            result: ReportT = stop.value
            return result
        if found is not None:
            yield found


def finish(steps: Generator[object, None, T]) -> T:
    """Work in slices done at one go."""
    while True:
        try:
            next(steps)
        except StopIteration as stop:
            result: T = stop.value
            return result
