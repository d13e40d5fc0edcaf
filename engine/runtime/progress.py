"""How far long work is: who does it reports a share, who waits listens, and neither knows of the other.

Where nobody listens a report costs next to nothing. A listener may raise, `Cancelled` for one: the work then unwinds
like after any error, so whatever it would have written stays unwritten.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TypeVar

from engine.runtime.errors import EngineError

Listener = Callable[[float], None]
T = TypeVar("T")

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
