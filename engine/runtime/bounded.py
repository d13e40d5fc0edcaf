"""Bounded: a cache that keeps what was used last, up to a number of values or of bytes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from typing import Generic, TypeVar

KeyT = TypeVar("KeyT", bound=Hashable)
ValueT = TypeVar("ValueT")


class Bounded(Generic[KeyT, ValueT]):
    """Values by key, the one that was used least recently first to go. The newest stays, however large it is.

    Several threads may use one; two that miss the same value at once make it twice.
    """

    def __init__(
        self,
        count: int | None = None,
        *,
        size: int | None = None,
        size_of: Callable[[ValueT], int] = lambda value: 0,
        begins: Iterable[tuple[KeyT, ValueT]] = (),
    ) -> None:
        """Keep at most `count` values, and at most `size` bytes of them, each of which takes `size_of`; `begins` are
        there already, within these bounds."""
        self.most, self.most_bytes, self.size_of = count, size, size_of
        self.kept = OrderedDict(begins)  # to be looked at: none is used by that
        self.bytes = sum(map(size_of, self.kept.values()))
        self._changes = threading.Lock()

    def __len__(self) -> int:
        return len(self.kept)

    def get(self, key: KeyT) -> ValueT | None:
        """Use the value of a key; None if none is kept."""
        try:
            self.kept.move_to_end(key)
        except KeyError:
            return None
        return self.kept.get(key)  # unless another thread has sent it away just now

    def find(self, key: KeyT, make: Callable[[], ValueT]) -> ValueT:
        """Use the value of a key, which is made if none is kept."""
        found = self.get(key)
        return self.keep(key, make()) if found is None else found

    def keep(self, key: KeyT, value: ValueT) -> ValueT:
        """Keep a value as the one used last, in place of the key's former one; the value."""
        with self._changes:
            self._drop(key)
            self.kept[key] = value
            self.bytes += self.size_of(value)
            while len(self.kept) > 1 and self._is_too_much:
                self.bytes -= self.size_of(self.kept.popitem(last=False)[1])
        return value

    def drop(self, key: KeyT) -> None:
        """Keep the value of a key no longer, if there is one."""
        with self._changes:
            self._drop(key)

    def clear(self) -> None:
        """Keep nothing."""
        with self._changes:
            self.kept.clear()
            self.bytes = 0

    @property
    def _is_too_much(self) -> bool:
        return (self.most is not None and len(self.kept) > self.most) or (
            self.most_bytes is not None and self.bytes > self.most_bytes
        )

    def _drop(self, key: KeyT) -> None:
        if key in self.kept:
            self.bytes -= self.size_of(self.kept.pop(key))
