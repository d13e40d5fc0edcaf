"""Several receivers of typed keys: the first that wants a key takes it, and no other."""

from __future__ import annotations

from app.tools.typists import Typists


class Listens:
    """Takes some keys."""

    def __init__(self, *keys: int) -> None:
        self._keys = keys
        self.taken: list[int] = []

    def wants_key(self, key: int, text: str) -> bool:
        """True for its keys."""
        return key in self._keys

    def press_key(self, key: int, text: str) -> None:
        """Note it."""
        self.taken.append(key)


def test_the_first_that_wants_a_key_takes_it() -> None:
    first, second = Listens(1), Listens(1, 2)
    both = Typists(first, second)
    assert [both.wants_key(key, "") for key in (1, 2, 3)] == [True, True, False]
    for key in (1, 2, 3):
        both.press_key(key, "")
    assert (first.taken, second.taken) == ([1], [2])
