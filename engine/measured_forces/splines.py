"""Corrections of a motion: cubic B-splines of evenly spaced knots, which begin and end at 0 with their slopes.

Between two knots four basis functions count, whose coefficients x follow each other; with u from 0 to 1 there,

    B = ((1 - u)^3, 3 u^3 - 6 u^2 + 4, -3 u^3 + 3 u^2 + 3 u + 1, u^3) / 6

The first three and the last three coefficients are 0. At a knot the value is (x[i-1] + 4 x[i] + x[i+1]) / 6, the slope
(x[i+1] - x[i-1]) / 2h: keys with these slopes are the same curve, since it is a cubic between two.
"""

from __future__ import annotations

import numpy as np

from engine.document import Key, Track
from engine.document.ticks import TICKS_PER_SECOND
from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass

HELD = 3  # coefficients at either end that are 0


@dataclass(frozen=True, kw_only=True)
class CorrectionSplines:
    """The knots of corrections over a time."""

    start: int  # [ticks] of the first knot
    spacing: int  # [ticks]
    spans: int

    @classmethod
    def over(cls, start: int, end: int, spacing: int) -> CorrectionSplines:
        """Lay knots over a time [ticks] and so far around it that what is changed at its ends comes back to 0."""
        around = 2 * HELD * spacing
        spans = -(-(end - start + 2 * around) // spacing)
        return cls(start=start - around, spacing=spacing, spans=spans)

    @property
    def count(self) -> int:
        """Number of coefficients of a coordinate that are free."""
        return self.spans + 3 - 2 * HELD

    @property
    def end(self) -> int:
        """The tick of the last knot."""
        return self.start + self.spans * self.spacing

    def spans_of(self, times: Array) -> IntArray:
        """The number of the span in which each of some times [ticks] lies."""
        return np.clip((times - self.start) // self.spacing, 0, self.spans - 1).astype(np.int32)

    def basis(self, times: Array) -> Array:
        """The four functions that count at some times [ticks], their rates and their accelerations, shape [3, n, 4]."""
        u = (times - self.start) / self.spacing - self.spans_of(times)
        h = self.spacing / TICKS_PER_SECOND
        values = ((1 - u) ** 3, 3 * u**3 - 6 * u**2 + 4, -3 * u**3 + 3 * u**2 + 3 * u + 1, u**3)
        rates = (-((1 - u) ** 2), 3 * u**2 - 4 * u, -3 * u**2 + 2 * u + 1, u**2)
        bends = (1 - u, 3 * u - 2, 1 - 3 * u, u)
        return np.stack(
            [np.stack(values, axis=1) / 6.0, np.stack(rates, axis=1) / (2.0 * h), np.stack(bends, axis=1) / h**2]
        )

    def at(self, times: Array, coefficients: Array) -> Array:
        """Corrections with their rates and accelerations, shape [n, 3, coordinates]; `coefficients` of shape [count,
        coordinates]."""
        whole = np.pad(coefficients, ((HELD, HELD), (0, 0)))
        near = whole[self.spans_of(times)[:, None] + np.arange(4)]
        found: Array = np.einsum("ont,ntc->noc", self.basis(times), near)
        return found

    def tracks(self, names: tuple[str, ...], coefficients: Array) -> tuple[Track, ...]:
        """Keys at the knots, which are the same curves."""
        x = np.pad(coefficients, ((HELD, HELD), (0, 0)))
        values = (x[:-2] + 4.0 * x[1:-1] + x[2:]) / 6.0
        slopes = (x[2:] - x[:-2]) * (0.5 * TICKS_PER_SECOND / self.spacing)
        return tuple(
            Track(
                coordinate=name,
                keys=tuple(
                    Key(self.start + knot * self.spacing, value, tangent="free", slope_in=slope, slope_out=slope)
                    for knot, (value, slope) in enumerate(
                        zip(values[:, place].tolist(), slopes[:, place].tolist(), strict=True)
                    )
                ),
            )
            for place, name in enumerate(names)
        )
