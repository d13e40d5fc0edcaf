"""Onions: draws bodies at other times, translucent, in one hue before the present and another after it.

The skins of one number are drawn together, the farther the fainter. Each number stands a little farther back in depth
than the one before it, all behind the present: where a foot rests, nothing flickers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from app.scene.displays import Display
from app.scene.drawn_bodies import DrawnBodies
from app.scene.look import Look
from app.scene.visuals.eye import Eye
from engine.model import Onion

NEAREST, FARTHEST = 0.46, 0.16  # opacity
_BEHIND = 1e-4  # in the depth buffer, for each number


class Onions:
    """The drawn bodies of onion skins. The canvas's context must be current."""

    def __init__(self, make: Callable[[Display], DrawnBodies]) -> None:
        self._make = make
        self._items: dict[int, list[Onion]] = {}
        self._drawn: dict[tuple[Display, int], DrawnBodies] = {}

    def show(self, onions: Sequence[Onion]) -> None:
        """Take over the onion skins."""
        self._items = {}
        for each in onions:
            self._items.setdefault(each.number, []).append(each)
        self._keep(lambda display, number: number in self._items)
        for (_, number), drawn in self._drawn.items():
            self._fill(drawn, number)

    def keep(self, displays: Sequence[Display]) -> None:
        """Free what only other displays need."""
        self._keep(lambda display, number: display in displays)

    def draw(self, display: Display, eye: Eye, look: Look) -> None:
        """Draw all onion skins, the farthest in time first."""
        most = max(map(abs, self._items), default=1)
        for number in sorted(self._items, key=lambda each: (-abs(each), each)):
            share = (abs(number) - 1) / max(most - 1, 1)
            tinted = replace(look, skin=look.past if number < 0 else look.future)
            back = replace(eye, behind=_BEHIND * (1 + abs(number)))
            self._bodies(display, number).draw(back, tinted, NEAREST + share * (FARTHEST - NEAREST))

    def _bodies(self, display: Display, number: int) -> DrawnBodies:
        found = self._drawn.get((display, number))
        if found is None:
            found = self._drawn[display, number] = self._make(display)
            self._fill(found, number)
        return found

    def _fill(self, drawn: DrawnBodies, number: int) -> None:
        shown = self._items[number]
        drawn.show([each.bodies for each in shown], [skin for each in shown for skin in each.skins])

    def _keep(self, wanted: Callable[[Display, int], bool]) -> None:
        for key in [key for key in self._drawn if not wanted(*key)]:
            del self._drawn[key]
