"""weigh: what a joint's body and a whole figure weigh, for panels. Plain numpy and no kernel; kept by content."""

from __future__ import annotations

import math

from engine.document import Figure, Joint
from engine.runtime.bounded import Bounded

_MASSES: Bounded[str, float] = Bounded(4096)


def mass_of(joint: Joint) -> float:
    """The mass of a joint's body [kg]."""
    found = _MASSES.get(joint.digest)
    if found is None:
        from engine.model.inertia import body_of  # here, for the window is painted before numpy is loaded

        found = body_of(joint).mass
        _MASSES.keep(joint.digest, found)
    return found


def mass_of_all(figure: Figure) -> float:
    """The mass of a figure [kg]."""
    return math.fsum(mass_of(joint) for joint in figure.joints)
