"""Refusals of planned motions: bounds that cross, directions and distances of no length, times outside a stage, names
twice.

Each check makes the numbers of a field floats in place, so that equal problems have equal digests.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from typing import Any

from engine.document.values import finite, vector3
from engine.runtime.errors import InvalidDocument


def check_bounds(what: str, owner: Any) -> None:
    """Refuse a `least` above the `most`."""
    for name in ("least", "most"):
        value = getattr(owner, name)
        if value is not None:
            object.__setattr__(owner, name, finite(f"the {name} of {what}", value))
    if owner.least is not None and owner.most is not None and owner.least > owner.most:
        value, allowed = (owner.least, owner.most), "a least that is not above the most"
        raise InvalidDocument(what=f"the bounds of {what}", value=value, allowed=allowed)


def check_distance(what: str, owner: Any) -> None:
    """Refuse a distance below 0, and one of 0 at most: that is one place."""
    least, most = owner.least, owner.most
    if (least is not None and least < 0.0) or (most is not None and most <= 0.0):
        allowed = "0 m or more at least, more than 0 m at most; where points are in one place that is no distance"
        raise InvalidDocument(what=f"the distance of {what}", value=(least, most), allowed=allowed)


def check_direction(what: str, owner: Any) -> None:
    """Refuse a `direction` of no length; one of another length than 1 is made so long."""
    found = vector3(what, owner.direction)
    size = math.hypot(*found)
    if size < 1e-9:
        raise InvalidDocument(what=what, value=found, allowed="a direction that is not zero")
    if abs(size - 1.0) > 4e-16:
        found = (found[0] / size, found[1] / size, found[2] / size)
    object.__setattr__(owner, "direction", found)


def check_share(what: str, owner: Any) -> None:
    """Refuse `at` and `until` outside a stage, or in the wrong order."""
    object.__setattr__(owner, "at", finite(what, owner.at))
    if owner.until is not None:
        object.__setattr__(owner, "until", finite(what, owner.until))
    end = owner.at if owner.until is None else owner.until
    if not 0.0 <= owner.at <= end <= 1.0:
        raise InvalidDocument(what=what, value=(owner.at, owner.until), allowed="shares of its stage, 0 to 1, in order")


def check_names(what: str, names: Iterable[Hashable]) -> None:
    """Refuse what is named twice."""
    listed = list(names)
    twice = next((each for at, each in enumerate(listed) if each in listed[:at]), None)
    if twice is not None:
        raise InvalidDocument(what=what, value=twice, allowed="each once")
