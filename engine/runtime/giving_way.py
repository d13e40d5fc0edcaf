"""Giving way: before a kernel is compiled for Python, whoever compiles ahead may be asked for another purpose first.

What has been compiled by then stays, so that the work which gave way is begun anew later and compiles nothing twice.
Loads no numba.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

_asked: list[Callable[[], bool]] = []  # the present one last


class GaveWay(BaseException):
    """The work ended before its next kernel, since another is wanted first; no failure, so nothing that handles
    failures catches it."""


@contextmanager
def giving_way(is_wanted: Callable[[], bool]) -> Iterator[None]:
    """Raise GaveWay before the next kernel once that says True."""
    _asked.append(is_wanted)
    try:
        yield
    finally:
        _asked.pop()


def give_way() -> None:
    """Raise GaveWay if something else is wanted first."""
    if _asked and _asked[-1]():
        raise GaveWay
