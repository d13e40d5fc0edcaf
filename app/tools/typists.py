"""Typists: several receivers of keys that are typed over the views; the first that wants a key takes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.scene.tool import Typist


class Typists:
    """Receivers in the order in which they are asked."""

    def __init__(self, *typists: Typist) -> None:
        self._typists = typists

    def wants_key(self, key: int, text: str) -> bool:
        """Return True to take a key."""
        return any(each.wants_key(key, text) for each in self._typists)

    def press_key(self, key: int, text: str) -> None:
        """Give a key to the first that wants it."""
        found = next((each for each in self._typists if each.wants_key(key, text)), None)
        if found is not None:
            found.press_key(key, text)
