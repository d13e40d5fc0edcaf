"""Lock: a part of an actor that is held while the rest moves (Welman 1993, 6.3 and 7.3).

What is held is a point of a body, at a place, on a line or in a plane, and axes of the body (i, j, k; all of them
where two are held); or the figure's centre of mass, over a place or over the mean of what else is held. The place
stands in the world, or in the frame of a joint: of another actor, of a prop, of the actor itself. A lock of two actors
moves the one that has it, unless it is shared: then it moves both.

How much a lock counts is a share from 0 to 1: its weight times the ease of its span. At 1 the solver keeps it; below,
the pose lies by that share between those without it and with it. Importance only says who gives way how far where
locks contradict each other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from functools import cached_property
from typing import Literal

from engine.document.motion import Span, Track
from engine.document.parts import Part
from engine.document.values import IDENTITY, Quaternion, Vector3, finite, unit_quaternion, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

Held = Literal["point", "line", "plane", "turn", "centre", "balance"]
Axis = Literal["i", "j", "k"]

HELD: tuple[Held, ...] = ("point", "line", "plane", "turn", "centre", "balance")
AXES: tuple[Axis, ...] = ("i", "j", "k")
FARTHEST = 1e9  # [m] as far as a goal of inverse kinematics may be
PLACE_TRACKS, TURN_TRACKS = ("x", "y", "z"), ("turn_x", "turn_y", "turn_z")
TRACKS = (*PLACE_TRACKS, *TURN_TRACKS, "weight")


@dataclass(frozen=True, kw_only=True)
class Lock(Part):
    """A point, axes or the centre of mass of an actor, held at a place over a span, with its firmness."""

    id: str
    name: str
    joint: str  # of the actor itself; where a centre of mass is held, the joint that a person sees it at
    point: Vector3 = (0.0, 0.0, 0.0)  # [m] in the joint's frame
    held: Held = "point"  # turn: axes alone; centre: that of mass, on a vertical line; balance: over what else is held
    axes: tuple[Axis, ...] = ()  # of the body, that keep their direction
    position: Vector3 = (0.0, 0.0, 0.0)  # [m] where the point is to be
    rotation: Quaternion = IDENTITY  # how the body is to be turned
    normal: Vector3 = (0.0, 1.0, 0.0)  # of the plane through `position`; the direction of a line through it
    target: str | None = None  # the actor in whose frame these are; None: the world
    target_joint: str | None = None
    shared: bool = False  # whether the target's actor moves, too
    importance: float = 1.0  # of the point, where locks contradict each other
    turn_importance: float = 0.1  # [m2] of the axes
    joints: tuple[str, ...] | None = None  # that may move for it and for locks beside it; None: all, root last
    weight: float = 1.0  # 0 to 1
    span: Span | None = None  # eased in and out; None: always
    tracks: tuple[Track, ...] = ()  # keys in place of the numbers above: x, y, z [m], turn_x to turn_z [rad], weight
    mute: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", vector3(f"the point of lock {self.name}", self.point))
        object.__setattr__(self, "position", vector3(f"the position of lock {self.name}", self.position))
        object.__setattr__(self, "rotation", unit_quaternion(f"the rotation of lock {self.name}", self.rotation))
        object.__setattr__(self, "normal", vector3(f"the normal of lock {self.name}", self.normal))
        for field in ("importance", "turn_importance", "weight"):
            object.__setattr__(self, field, finite(f"the {field} of lock {self.name}", getattr(self, field)))
        self._check_kind()
        self._check_numbers()

    @cached_property
    def track_of(self) -> dict[str, Track]:
        """The keyed tracks by what they key."""
        return {track.coordinate: track for track in self.tracks}

    def with_tracks(self, tracks: Iterable[Track]) -> Lock:
        """The lock with these tracks alone, in their order."""
        given = {track.coordinate: track for track in tracks}
        for name in given:
            if name not in TRACKS:
                raise InvalidDocument(what="a number of a lock", value=name, allowed=", ".join(TRACKS))
        return replace(self, tracks=tuple(given[name] for name in TRACKS if name in given))

    @property
    def of_mass(self) -> bool:
        """True if it holds the figure's centre of mass."""
        return self.held in ("centre", "balance")

    def _check_kind(self) -> None:
        what = f"lock {self.name}"
        if self.held not in HELD:
            raise InvalidDocument(what=f"what {what} holds", value=self.held, allowed=", ".join(HELD))
        if len(set(self.axes)) != len(self.axes) or not set(self.axes) <= set(AXES):
            raise InvalidDocument(what=f"the axes of {what}", value=self.axes, allowed="i, j, k, each at most once")
        if (self.held == "turn" and not self.axes) or (self.of_mass and self.axes):
            allowed = "at least one where axes alone are held, none of a centre of mass"
            raise InvalidDocument(what=f"the axes of {what}", value=self.axes, allowed=allowed)
        if (self.target is None) != (self.target_joint is None):
            value = (self.target, self.target_joint)
            raise InvalidDocument(what=f"the target of {what}", value=value, allowed="an actor and its joint, or none")
        if self.target is not None and self.of_mass:
            allowed = "none: a centre of mass is held in the world"
            raise InvalidDocument(what=f"the target of {what}", value=self.target, allowed=allowed)
        if self.shared and self.target is None:
            raise InvalidDocument(what=f"whether {what} is shared", value=True, allowed="only with another actor")

    def _check_numbers(self) -> None:
        what = f"lock {self.name}"
        keyed = [key.value for each in self.tracks if each.coordinate in PLACE_TRACKS for key in each.keys]
        far = max(map(abs, (*self.position, *self.point, *keyed)))
        if far > FARTHEST:
            raise InvalidDocument(what=f"a place of {what}", value=far, allowed="within a million kilometres [m]")
        if max(map(abs, self.normal)) < 1e-9:
            raise InvalidDocument(what=f"the normal of {what}", value=self.normal, allowed="a direction, not zero")
        if min(self.importance, self.turn_importance) <= 0.0:
            value = (self.importance, self.turn_importance)
            raise InvalidDocument(what=f"the importance of {what}", value=value, allowed="numbers above 0")
        if not 0.0 <= self.weight <= 1.0:
            raise InvalidDocument(what=f"the weight of {what}", value=self.weight, allowed="0 to 1")
        repeated = [name for name, count in Counter(each.coordinate for each in self.tracks).items() if count > 1]
        unknown = [each.coordinate for each in self.tracks if each.coordinate not in TRACKS]
        if repeated or unknown:
            allowed = f"each at most once of {', '.join(TRACKS)}"
            raise InvalidDocument(what=f"the keyed numbers of {what}", value=repeated + unknown, allowed=allowed)
