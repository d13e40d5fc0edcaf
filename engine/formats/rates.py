"""Frame rates as exact fractions, from the rounded seconds that files print.

`.0083333` is meant as 120 frames a second and `0.008342` as 120000/1001: of the usual rates whose frame time agrees
with the printed digits, a whole one is preferred and then the nearest. Any other frame time is taken as it is written.
"""

from __future__ import annotations

from fractions import Fraction

from engine.document.ticks import LONGEST as LONGEST
from engine.document.ticks import SHORTEST as SHORTEST
from engine.document.ticks import Rate

WHOLE = (24, 25, 30, 48, 50, 60, 72, 90, 100, 120, 144, 150, 180, 200, 240, 250, 300, 360, 480, 500, 960, 1000)
NTSC = (24, 30, 48, 60, 120, 240)

_FARTHEST = 0.012  # of the frame time: 0.033 s is still 30 frames a second
_DENOMINATORS = (10**3, 10**6, 10**9)


def rate_of(seconds: float, printed: str) -> Rate:
    """Frames in so many seconds, from a frame time and the word that stands for it in the file."""
    digit = max(_last_digit(printed), 2e-9 * seconds)
    for rates in (tuple((rate, 1) for rate in WHOLE), tuple((1000 * rate, 1001) for rate in NTSC)):
        distance, rate = min((abs(seconds - rate[1] / rate[0]), rate) for rate in rates)
        rounded = distance <= 0.5 * digit * (1.0 + 1e-6)
        cut_off = rate[1] == 1 and 0.0 <= rate[1] / rate[0] - seconds < digit  # 0.0166 for 60
        if distance <= _FARTHEST * seconds and (rounded or cut_off):
            return rate
    for most in _DENOMINATORS:
        fraction = Fraction(seconds).limit_denominator(most)
        if float(fraction) == seconds:
            break
    return (fraction.denominator, fraction.numerator)


def rate_of_frequency(frequency: float) -> Rate:
    """Frames in so many seconds, from frames a second."""
    for rate in NTSC:
        if abs(frequency * 1001 / (1000 * rate) - 1.0) < 1e-6:
            return (1000 * rate, 1001)
    fraction = Fraction(frequency).limit_denominator(10**6)
    return (fraction.numerator, fraction.denominator)


def _last_digit(printed: str) -> float:
    """The worth of a number's last digit: 1e-4 for 0.0083."""
    digits, _, exponent = printed.lower().partition("e")
    decimals = len(digits.partition(".")[2])
    return 10.0 ** (max(-300, min(300, int(exponent or 0))) - decimals)
