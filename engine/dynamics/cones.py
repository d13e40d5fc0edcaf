"""Kernels: Coulomb's cones, |x_t| <= mu x_n: the nearest place in one, and how that answers.

x: what lies in the cone, normal first; mu: the coefficient of friction, 0 or above.
"""

from __future__ import annotations

import math

from engine.dynamics.contact_points import Triple
from engine.limits.inlined import inlined

Nine = tuple[float, float, float, float, float, float, float, float, float]
"""A 3 x 3 matrix, line by line."""


@inlined
def lay_in_cone(x: Triple, mu: float) -> Triple:
    """The place in the cone that is nearest to x."""
    n, s, t = x
    size = math.sqrt(s * s + t * t)
    if size <= mu * n:
        return n, s, t
    if mu * size <= -n:
        return 0.0, 0.0, 0.0
    p = (n + mu * size) / (1.0 + mu * mu)
    share = mu * p / size
    return p, share * s, share * t


@inlined
def answer_of_cone(x: Triple, mu: float) -> Nine:
    """Differentiate that place by x."""
    n, s, t = x
    size = math.sqrt(s * s + t * t)
    if size <= mu * n:
        return 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0
    if mu * size <= -n:
        return 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    c, d, own = s / size, t / size, 1.0 / (1.0 + mu * mu)
    across = mu * (n + mu * size) * own / size
    along = mu * mu * own
    return (
        own,
        mu * own * c,
        mu * own * d,
        mu * own * c,
        along * c * c + across * d * d,
        (along - across) * c * d,
        mu * own * d,
        (along - across) * c * d,
        along * d * d + across * c * c,
    )
