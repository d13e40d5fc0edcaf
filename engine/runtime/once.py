"""`once`: an attribute that is worked out when it is first read, and kept with the object.

`functools.cached_property` does so too, but up to Python 3.11 with one lock for all objects of a class: while a thread
works out the digest of a large array, any other that reads any digest waits, the window's among them. Here two
threads that read at once may both work it out, which gives the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Value = TypeVar("Value")


class once(Generic[Value]):
    """A cached attribute, computed by a method without arguments."""

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self._work, self.__doc__ = work, work.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> Value: ...

    def __get__(self, instance: object | None, owner: type) -> Self | Value:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._work(instance)
        return value
