"""Gains in a sentence for a person: how far a joint comes after its keys, swings past them, and sags.

With w = 2 pi tension sqrt(1 - relaxation) and z the damping ratio (`engine.kinodynamics.gains`), of a joint that swings
alone: it is late by about 1 / w, passes a key where the motion stops by exp(-pi z / sqrt(1 - z^2)) of the way that it
was late, and comes within a hundredth of it at about 4.6 over its slowest decay. A limb of length l that is level sags
by g gravity / (l w^2). Small motions only.
"""

from __future__ import annotations

import math

from engine.document.secondary import Gains

LIMB = 0.3  # [m]
_GRAVITY = 9.81  # [m/s2]
_REST = math.log(100.0)


def tell_gains(gains: Gains) -> str:
    """A sentence or two for a newcomer."""
    if gains.exact:
        return "Follows its keys exactly."
    w = 2.0 * math.pi * gains.tension * math.sqrt(1.0 - gains.relaxation)
    if w == 0.0:
        return "Limp: nothing draws it to its keys."
    lines = [f"Comes about {_seconds(1.0 / w)} after its keys, {_overshoot(gains.damping)}{_rest(gains.damping, w)}."]
    sag = math.degrees(_GRAVITY * gains.gravity / (LIMB * w * w))
    if sag >= 60.0:
        lines.append("Weight pulls a limb down almost as if nothing held it.")
    elif sag >= 0.5:
        lines.append(f"A limb of {100.0 * LIMB:.0f} cm sags by about {sag:.0f}\N{DEGREE SIGN} under its weight.")
    return " ".join(lines)


def _overshoot(z: float) -> str:
    share = 100.0 * math.exp(-math.pi * z / math.sqrt(1.0 - z * z)) if z < 1.0 else 0.0
    return f"swings past them by {share:.0f} % of that" if share >= 1.0 else "does not swing past them"


def _rest(z: float, w: float) -> str:
    decay = z * w if z <= 1.0 else w * (z - math.sqrt(z * z - 1.0))
    return f" and rests after {_seconds(_REST / decay)}" if decay > 0.0 else " and never comes to rest"


def _seconds(time: float) -> str:
    return f"{time:.2f} s" if time < 9.995 else f"{time:.0f} s"
