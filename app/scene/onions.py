"""Onions: draws bodies at other times, translucent, in one hue before the present and another after it; those of a
motion that is planned in the accent, wherever they stand in time, and each other way of moving in a hue of its own.

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
PLANNED, PLANNED_FARTHEST = 0.24, 0.12  # of what is planned, but for the one at the present
_BEHIND = 1e-4  # in the depth buffer, for each number
OTHER_WAY = 0.36  # of other ways of moving
Group = tuple[int, bool, int]  # what is drawn together: the number, whether it is planned, and the way


class Onions:
    """The drawn bodies of onion skins. The canvas's context must be current."""

    def __init__(self, make: Callable[[Display], DrawnBodies]) -> None:
        self._make = make
        self._items: dict[Group, list[Onion]] = {}
        self._drawn: dict[tuple[Display, Group], DrawnBodies] = {}

    def show(self, onions: Sequence[Onion]) -> None:
        """Take over the onion skins."""
        self._items = {}
        for each in onions:
            self._items.setdefault((each.number, each.planned, each.way), []).append(each)
        self._keep(lambda display, group: group in self._items)
        for (_, group), drawn in self._drawn.items():
            self._fill(drawn, group)

    def keep(self, displays: Sequence[Display]) -> None:
        """Free what only other displays need."""
        self._keep(lambda display, number: display in displays)

    def draw(self, display: Display, eye: Eye, look: Look) -> None:
        """Draw all onion skins, the farthest in time first."""
        most = max((abs(number) for number, *_ in self._items), default=1)
        for number, planned, way in sorted(self._items, key=lambda each: (-abs(each[0]), -each[2], each)):
            share = max(abs(number) - 1, 0) / max(most - 1, 1)
            hue = look.accent if planned else look.past if number < 0 else look.future
            nearest, farthest = (PLANNED, PLANNED_FARTHEST) if planned and number else (NEAREST, FARTHEST)
            opacity = nearest + share * (farthest - nearest)
            if way:
                hue, opacity = look.ways[(way - 1) % len(look.ways)], OTHER_WAY
            back = replace(eye, behind=_BEHIND * (1 + abs(number) + way))
            self._bodies(display, (number, planned, way)).draw(back, replace(look, skin=hue), opacity)

    def _bodies(self, display: Display, group: Group) -> DrawnBodies:
        found = self._drawn.get((display, group))
        if found is None:
            found = self._drawn[display, group] = self._make(display)
            self._fill(found, group)
        return found

    def _fill(self, drawn: DrawnBodies, group: Group) -> None:
        shown = self._items[group]
        drawn.show([each.bodies for each in shown], [skin for each in shown for skin in each.skins])

    def _keep(self, wanted: Callable[[Display, Group], bool]) -> None:
        for key in [key for key in self._drawn if not wanted(*key)]:
            del self._drawn[key]
