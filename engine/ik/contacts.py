"""Contacts of a motion: when a point stands still near its lowest height, with hysteresis, and how they fade.

Speed [m/s] by central differences, height [m] above the floor that is given. A contact begins where both are below the
first threshold and ends where one is above the second; what is lifted at its ends is taken off. One that lasts less
than the shortest is none.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.options import CheckedOptions, option
from engine.runtime.quick_dataclass import dataclass

LIFTED = 0.008  # [m] above where it mostly stands, of legs of 0.85 m


@dataclass(frozen=True, kw_only=True)
class Stillness(CheckedOptions):
    """Thresholds of a contact for a figure with legs of 0.85 m; lengths and speeds grow with the legs."""

    speed: float = option(0.25, label="Speed", unit="m/s", least=0.0, most=5.0, note="Below it a contact may begin.")
    height: float = option(0.035, label="Height", unit="m", least=0.0, most=1.0, note="Below it a contact may begin.")
    slack: float = option(
        1.6, label="Hysteresis", least=1.0, most=5.0, note="A contact ends at so many times speed or height."
    )
    shortest: float = option(0.08, label="Shortest", unit="s", least=0.0, most=2.0, note="Contacts last this long.")
    ease: float = option(
        0.12, label="Ease", unit="s", least=0.0, most=2.0, note="Time in which a contact takes hold, and lets go."
    )


def find_contacts(
    points: Array, floor: float | Array, rate: float, scale: float, still: Stillness
) -> list[tuple[int, int]]:
    """First and last frames of the contacts of a point, shape [frame_count, 3]."""
    rates = np.gradient(points, axis=0) * rate if len(points) > 1 else np.zeros_like(points)
    speed, height = np.linalg.norm(rates, axis=1) / scale, (points[:, 1] - floor) / scale
    begins = ((speed <= still.speed) & (height <= still.height)).tolist()
    ends = ((speed > still.slack * still.speed) | (height > still.slack * still.height)).tolist()
    spans: list[tuple[int, int]] = []
    first: int | None = None
    for frame in range(len(points)):
        if first is None and begins[frame]:
            first = frame
        elif first is not None and ends[frame]:
            spans.append((first, frame - 1))
            first = None
    if first is not None:
        spans.append((first, len(points) - 1))
    trimmed = (_without_lifts(points[:, 1], span, LIFTED * scale) for span in spans)
    return [span for span in trimmed if (span[1] - span[0] + 1) / rate >= still.shortest]


def _without_lifts(heights: Array, span: tuple[int, int], most: float) -> tuple[int, int]:
    """A span without what is lifted by more than so much at its ends, as a heel is as its foot rolls over the ball."""
    first, last = span
    level = float(np.median(heights[first : last + 1])) + most
    while first < last and heights[first] > level:
        first += 1
    while last > first and heights[last] > level:
        last -= 1
    return first, last


def ease_contact(span: tuple[int, int], frames: int, rate: float, ease: float) -> Array:
    """Compute the weight of a contact in each frame: 1 within its span, fading to 0 on both sides of it."""
    away = np.maximum(span[0] - np.arange(frames), np.arange(frames) - span[1]) / rate
    share = np.clip(1.0 - away / ease, 0.0, 1.0) if ease > 0.0 else (away <= 0.0).astype(float)
    return np.asarray(share * share * (3.0 - 2.0 * share))
