"""SpacetimeMeeting: what a point of an actor has to do with a point of another, as a part of the plan of one of them.

The moment is a share of a stage of the actor whose plan it stands in; for the other it is what its plan has at the same
time, with lengths as they are first guessed. Lengths that are free are found so that it comes for both at once. Knows
documents alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from engine.document.values import Vector3, finite, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass
from engine.spacetime.part_checks import check_bounds, check_direction, check_share

if TYPE_CHECKING:
    from engine.spacetime.parts import Spacetime

MeetingQuantity = Literal["point", "velocity", "time"]
BORDER = 4
"""Ticks beside an end of a stage within which a time is that end: lengths are rounded to ticks."""


@dataclass(frozen=True, kw_only=True)
class SpacetimeMeeting:
    """Says how a point of the actor shall be beside a point of another actor, or how fast; or (`time`) that the moment
    comes for both at once.

    Where it is `offset` from the other's point, in the world; or, where that is None, by a size along `direction` from
    `least` to `most`. With a `blow` they push each other there, at an end of their stages: in any direction; or, where
    there is no offset, along the direction, this actor its way.
    """

    id: str
    name: str
    stage: str
    joint: str
    point: Vector3 = (0.0, 0.0, 0.0)
    other: str  # id of the other actor
    other_joint: str
    other_point: Vector3 = (0.0, 0.0, 0.0)
    quantity: MeetingQuantity = "point"
    offset: Vector3 | None = (0.0, 0.0, 0.0)  # [m] or [m/s]
    direction: Vector3 = (0.0, 1.0, 0.0)
    least: float | None = None
    most: float | None = None
    at: float = 0.0
    until: float | None = None
    blow: bool = False
    hardest: float | None = None  # [N s] of the blow along each direction; None: as hard as it takes
    on: bool = True

    def __post_init__(self) -> None:
        name = self.name
        check_share(f"the time of {name}", self)
        for each in ("point", "other_point"):
            object.__setattr__(self, each, vector3(f"a point of {name}", getattr(self, each)))
        if self.offset is not None:
            object.__setattr__(self, "offset", vector3(f"the offset of {name}", self.offset))
        check_direction(f"the direction of {name}", self)
        check_bounds(name, self)
        if self.blow and (self.quantity != "point" or self.until is not None or self.at not in (0.0, 1.0)):
            allowed = "one of points that meet, where a stage begins or ends"
            raise InvalidDocument(what=f"the blow of {name}", value=(self.quantity, self.at), allowed=allowed)
        if self.hardest is not None:
            hardest = finite(f"the hardest blow of {name}", self.hardest)
            if hardest < 0.0:
                raise InvalidDocument(what=f"the hardest blow of {name}", value=hardest, allowed="0 N s or more")
            object.__setattr__(self, "hardest", hardest)


def moment_of(plan: Spacetime, tick: int, *, later: bool = False) -> tuple[str, float] | None:
    """The stage of a plan at a tick, and which share of it has passed; None outside of the plan. Where two stages meet
    it is the end of the earlier one, or the begin of the `later` one."""
    borders = plan.borders
    if not borders[0] - BORDER <= tick <= borders[-1] + BORDER:
        return None
    last = len(plan.stages) - 1
    for at, end in enumerate(borders[1:]):
        if tick < end - BORDER or at == last or (tick <= end + BORDER and not later):
            begin = borders[at]
            share = (tick - begin) / (end - begin)
            near = 0.0 if abs(tick - begin) <= BORDER else 1.0 if abs(tick - end) <= BORDER else share
            return plan.stages[at].id, near
    raise AssertionError("the last stage has the rest")
