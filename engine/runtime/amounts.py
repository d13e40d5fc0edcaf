"""Amounts: by how much something is missed, as a person reads it: three figures, no exponent, metres from one metre on.

A body may be off by thousands of what is written where it is near, and nobody reads `2.26e+03 mm`. Angles are in
degrees whatever their size.
"""

from __future__ import annotations

import math

# What of an SI unit is written: from what size on [SI], times what, and with which sign; the last that counts.
_SIGNS: dict[str, tuple[tuple[float, float, str], ...]] = {
    "m": ((0.0, 1e3, " mm"), (1.0, 1.0, " m")),
    "m/s": ((0.0, 1e2, " cm/s"), (1.0, 1.0, " m/s")),
    "rad": ((0.0, math.degrees(1.0), "\N{DEGREE SIGN}"),),
    "rad/s": ((0.0, math.degrees(1.0), "\N{DEGREE SIGN}/s"),),
}


def amount_text(size: float, unit: str) -> str:
    """A size, 0 or more, in m, rad, m/s or rad/s, in words; what rounds to one of the next sign is written so."""
    factor, sign = next((by, sign) for least, by, sign in reversed(_SIGNS[unit]) if size >= 0.9995 * least)
    return f"{_plain(factor * size)}{sign}"


def _plain(number: float) -> str:
    """Three significant figures, whole digits all, without an exponent and without zeros that say nothing."""
    if not math.isfinite(number) or number == 0.0:
        return f"{number:g}"
    places = max(0, 2 - math.floor(math.log10(abs(number))))
    text = f"{number:.{places}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
