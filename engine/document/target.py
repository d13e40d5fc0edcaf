"""Target: what the secondary motion of an actor is to meet at a time, whatever its gains (Rahgoshay 2011, 4.1 to 4.4).

A pose (4.2), the place of a point of a body (4.1) or the turn of a body in the world, its velocity (4.4; of a turn the
angular velocity), or both together. A value is given, or None: as the keyed motion has it then, so that it is in step
when keys change.


One target may stand for many: at every key, at every key that a person marked, or at one each n frames. Its times are
worked out from the tracks and never copied (`engine.document.target_times`), so that they, too, are in step.

A null-space edit has no goal that is seen: it sets the correction at a time, f(t) = change, around which targets are
met. What targets leave free is so edited by hand: their null space (8.1).

Its widths are those of the bell that corrects the keyed motion (7.4): how long it is eased in and out.
"""

from __future__ import annotations

from collections import Counter
from math import hypot
from typing import Literal, get_args

from engine.document.correction import Amplitudes, Bell, BellKind
from engine.document.parts import Part
from engine.document.ticks import TICKS_PER_SECOND, some_ticks, ticks
from engine.document.values import Quaternion, Vector3, finite, unit_quaternion, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

TargetKind = Literal["pose", "point", "turn", "wish"]
Source = Literal["own", "keys", "marked", "every"]

TARGET_KINDS: tuple[TargetKind, ...] = get_args(TargetKind)
SOURCES: tuple[Source, ...] = get_args(Source)
WIDTH = 2 * TICKS_PER_SECOND // 5  # 0.4 s, from where corrections converge fast
FARTHEST = 1e9  # [m] as far as a goal of inverse kinematics may be

_WANTED: dict[TargetKind, tuple[str, ...]] = {
    "pose": ("values", "rates", "joints"),
    "point": ("position", "speed"),
    "turn": ("rotation", "speed"),
    "wish": ("change",),
}
_FAR = {"position": "within a million kilometres", "speed": f"at most {FARTHEST:g} m/s, or rad/s of a turn"}
_EVERY_WANTED = tuple(dict.fromkeys(name for names in _WANTED.values() for name in names))


@dataclass(frozen=True, kw_only=True)
class Target(Part):
    """A pose, point or orientation to be met, its time, and how the correction is eased."""

    id: str
    kind: TargetKind = "pose"
    source: Source = "own"
    time: int = 0  # of its own; of "every": that of one of them
    frames: int = 1  # of "every": from one to the next, in frames of the document
    on: bool = True
    place: bool = True  # whether the pose, point or turn itself is to be met
    velocity: bool = False  # whether its velocity is
    joint: str | None = None  # whose body has the point or the turn
    point: Vector3 = (0.0, 0.0, 0.0)  # [m] in the joint's frame
    joints: tuple[str, ...] | None = None  # that a pose is about; None: all
    values: Amplitudes | None = None  # of a pose [rad or m], of a ball all four numbers; coordinates not named are free
    rates: Amplitudes | None = None  # of a pose [rad/s or m/s], by the names of rates
    position: Vector3 | None = None  # [m] in the world
    rotation: Quaternion | None = None  # in the world
    carried: str | None = None  # id of another actor that the joint carries: the target is of a point of that
    spot: int | None = None  # which of what is drawn of it; `point` is where that is held while nothing of it gives way
    change: Amplitudes | None = None  # of a null-space edit: f at its time [rad or m], by coordinate; 0 where not named
    speed: Vector3 | None = None  # of a point [m/s], of a turn [rad/s], in the world
    width: int = WIDTH  # [ticks] that the correction takes to come
    after: int | None = None  # [ticks] that it takes to go; None: as long
    bell: BellKind = "gaussian"

    def __post_init__(self) -> None:
        if self.kind not in TARGET_KINDS:
            raise InvalidDocument(what="the kind of a target", value=self.kind, allowed=", ".join(TARGET_KINDS))
        if self.source not in SOURCES:
            raise InvalidDocument(what="where a target comes from", value=self.source, allowed=", ".join(SOURCES))
        if not self.place and not self.velocity:
            raise InvalidDocument(what="what a target asks for", value=None, allowed="the place, the velocity or both")
        if (self.joint is None) != (self.kind in ("pose", "wish")):
            allowed = "none for a pose or a null-space edit, one for a point or a turn"
            raise InvalidDocument(what="the joint of a target", value=self.joint, allowed=allowed)
        if self.kind == "wish" and (self.change is None or self.source != "own" or self.velocity):
            allowed = "a change at a time of its own, and no velocity"
            raise InvalidDocument(what="a null-space edit", value=(self.change, self.source), allowed=allowed)
        self._check_carried()
        self._check_wanted()
        self._check_times()

    def bell_at(self, time: int) -> Bell:
        """The bell of its correction, where it is to be met at a time."""
        after = self.width if self.after is None else self.after
        return Bell(time=time, before=self.width, after=after, kind=self.bell)

    def asks_like(self, other: Target) -> bool:
        """Tell whether both ask for the same thing, be it with other values."""
        about = (self.kind, self.joint, self.point, self.joints) == (other.kind, other.joint, other.point, other.joints)
        about = about and (self.carried, self.spot) == (other.carried, other.spot)
        return about and ((self.place and other.place) or (self.velocity and other.velocity))

    def _check_carried(self) -> None:
        """Refuse a point of another actor by halves."""
        if self.carried is None and self.spot is None:
            return
        if self.carried is None or self.spot is None or self.spot < 0 or self.kind != "point":
            allowed = "an actor and the number of a point of it, for a point alone"
            raise InvalidDocument(what="what a target is carried by", value=(self.carried, self.spot), allowed=allowed)

    def _check_wanted(self) -> None:
        for name in _EVERY_WANTED:
            value = getattr(self, name)
            if value is None:
                continue
            if name not in _WANTED[self.kind]:
                allowed = f"of a {self.kind}: {', '.join(_WANTED[self.kind])}"
                raise InvalidDocument(what="what is wanted of a target", value=name, allowed=allowed)
            if name == "rotation":
                object.__setattr__(self, name, unit_quaternion("the rotation of a target", value))
            elif name in ("position", "speed"):
                object.__setattr__(self, name, _near(f"the {name} of a target", value, _FAR[name]))
            elif name in ("values", "rates", "change"):
                object.__setattr__(self, name, _numbers(name, value))
            elif not value or len(set(value)) != len(value):
                raise InvalidDocument(what="the joints of a target", value=value, allowed="one or more, each once")
        object.__setattr__(self, "point", _near("the point of a target", self.point, _FAR["position"]))

    def _check_times(self) -> None:
        ticks("the time of a target", self.time)
        some_ticks("the width of a target", self.width)
        if self.after is not None:
            some_ticks("the width of a target after its time", self.after)
        if isinstance(self.frames, bool) or not isinstance(self.frames, int) or self.frames < 1:
            allowed = "a whole number of frames, 1 or more"
            raise InvalidDocument(what="from one target to the next", value=self.frames, allowed=allowed)
        self.bell_at(self.time)


def _near(what: str, value: Vector3, allowed: str) -> Vector3:
    place = vector3(what, value)
    if hypot(*place) > FARTHEST:
        raise InvalidDocument(what=what, value=value, allowed=allowed)
    return place


def _numbers(name: str, given: Amplitudes) -> Amplitudes:
    repeated = [coordinate for coordinate, count in Counter(each for each, _ in given).items() if count > 1]
    if repeated or not given:
        allowed = "one coordinate or more, each once"
        raise InvalidDocument(what=f"the {name} of a target", value=repeated, allowed=allowed)
    return tuple((coordinate, finite(f"a target's {coordinate}", number)) for coordinate, number in given)
