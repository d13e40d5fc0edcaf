"""Varied: what an argument of an edit may be in a study, and how its values are laid out or drawn."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Literal

from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass

Plain = bool | int | float | str
Draw = Literal["grid", "random"]
KEYS = ("values", "from", "to", "count", "spacing", "whole", "name")
SPACINGS = ("linear", "log")


@dataclass(frozen=True, kw_only=True)
class Varied:
    """One parameter: values that are listed, or a range that is divided or drawn from."""

    name: str  # of its column
    values: tuple[Plain, ...] = ()
    lower: float = 0.0
    upper: float = 0.0
    count: int = 0  # of values in the range; 0: it is drawn from
    spacing: str = "linear"
    whole: bool = False

    def __post_init__(self) -> None:
        if self.values:
            return
        what = f"the range of {self.name}"
        if not self.lower <= self.upper:
            allowed = "a range that rises: from at most to"
            raise InvalidArguments(what=what, value=[self.lower, self.upper], allowed=allowed)
        if self.spacing == "log" and self.lower <= 0.0:
            allowed = "above 0 where the spacing is log"
            raise InvalidArguments(what=f"the lower end of {what}", value=self.lower, allowed=allowed)
        if self.whole and not (self.lower.is_integer() and self.upper.is_integer()):
            allowed = "two whole numbers where whole = true"
            raise InvalidArguments(what=what, value=[self.lower, self.upper], allowed=allowed)

    def laid_out(self) -> tuple[Plain, ...]:
        """All values of a grid, evenly apart."""
        if self.values:
            return self.values
        if self.count == 1:
            return (self._at(0.0),)
        return tuple(dict.fromkeys(self._at(place / (self.count - 1)) for place in range(self.count)))

    def drawn(self, random: Random) -> Plain:
        """One value by chance: of listed ones each as likely as any other."""
        share = random.random()
        if self.values:
            return self.values[int(share * len(self.values))]
        if self.whole and self.spacing == "linear":
            return int(self.lower) + int(share * (self.upper - self.lower + 1.0))
        return self._at(share)

    def _at(self, share: float) -> Plain:
        if share in (0.0, 1.0):
            found = self.upper if share else self.lower
        elif self.spacing == "log":
            found = math.exp(math.log(self.lower) + share * (math.log(self.upper) - math.log(self.lower)))
        else:
            found = self.lower + share * (self.upper - self.lower)
        return round(found) if self.whole else found


def row_count(draw: Draw, varied: Sequence[Varied], count: int) -> int:
    """Count the rows."""
    return math.prod(len(each.laid_out()) for each in varied) if draw == "grid" else count


def choose(draw: Draw, varied: Sequence[Varied], count: int, seed: int) -> list[tuple[Plain, ...]]:
    """The values of each row. A grid's last parameter varies fastest; of a random draw the first rows stay where there
    are to be more."""
    if draw == "grid":
        rows: list[tuple[Plain, ...]] = [()]
        for each in varied:
            values = each.laid_out()
            rows = [(*row, value) for row in rows for value in values]
        return rows
    random = Random(seed)
    return [tuple(each.drawn(random) for each in varied) for _ in range(count)]
