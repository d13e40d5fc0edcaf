"""Actor: one thing in the scene, with its place, the layers of its motion, what it hangs on, what of it is held, and
how its body follows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.document.figure import Figure
from engine.document.keyed_part import KeyedPart
from engine.document.lock import Lock
from engine.document.motion import Layer, Span, Track
from engine.document.parts import Part, PartT, check_parts, find_part, with_part, without_part
from engine.document.secondary import Secondary
from engine.document.values import IDENTITY, Quaternion, Vector3, finite, unit_quaternion, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

Holder = Layer | Lock | KeyedPart  # what has tracks of keys


@dataclass(frozen=True, kw_only=True)
class Placement:
    """Position and rotation of an actor's own frame in the world."""

    position: Vector3 = (0.0, 0.0, 0.0)  # [m]
    rotation: Quaternion = IDENTITY

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", vector3("a placement's position", self.position))
        object.__setattr__(self, "rotation", unit_quaternion("a placement's rotation", self.rotation))


@dataclass(frozen=True, kw_only=True)
class Attachment:
    """One joint of the actor held at a fixed place of a joint of another actor, always or over a span.

    The whole actor moves rigidly with the joint that is held, and goes on posing about it as its layers say.
    """

    id: str
    joint: str  # of the actor itself
    target: str  # id of the other actor
    target_joint: str
    position: Vector3 = (0.0, 0.0, 0.0)  # [m], of the joint in the frame of the target's joint
    rotation: Quaternion = IDENTITY
    span: Span | None = None  # eased in and out; None: always

    def __post_init__(self) -> None:
        object.__setattr__(self, "position", vector3("an attachment's position", self.position))
        object.__setattr__(self, "rotation", unit_quaternion("an attachment's rotation", self.rotation))


@dataclass(frozen=True, kw_only=True)
class Actor(Part):
    """A figure in the scene; a prop is a figure of one joint."""

    id: str
    name: str
    figure: Figure
    placement: Placement = Placement()
    layers: tuple[Layer, ...] = ()
    visible: bool = True
    frozen: bool = False  # cannot be picked or changed by hand; edits by name go through
    attachments: tuple[Attachment, ...] = ()  # each takes over from those before it
    locks: tuple[Lock, ...] = ()
    comfort: float = 0.0  # 0 to 1: how far joints that locks move go to the middle of their limits first
    secondary: Secondary | None = None  # how the body follows its motion; None: exactly
    receiver: str | None = None  # id of the layer that poses and keys go to; None: the uppermost that counts then
    natural: float = 0.0  # 0 to 1: how far a drag poses it as bodies move, and not only as near as may be
    floor: bool = False  # whether drags keep its bodies above the plane y = 0 of the world
    parts: tuple[Part, ...] = ()  # of systems that have no field of their own, at most one of each class

    def __post_init__(self) -> None:
        comfort, natural = self.comfort, self.natural
        if type(comfort) is not float or not 0.0 <= comfort <= 1.0:
            self._keep_share("comfort", "the comfort")
        if type(natural) is not float or not 0.0 <= natural <= 1.0:
            self._keep_share("natural", "the natural posing")
        if self.parts:
            check_parts(f"the parts of {self.name}", self.parts)

    def _keep_share(self, field: str, words: str) -> None:
        share = finite(f"{words} of {self.name}", getattr(self, field))
        if not 0.0 <= share <= 1.0:
            raise InvalidDocument(what=f"{words} of {self.name}", value=share, allowed="0 to 1")
        object.__setattr__(self, field, share)

    def part(self, kind: type[PartT]) -> PartT | None:
        """The part of a system, by its class."""
        return find_part(self.parts, kind)

    def with_part(self, part: Part) -> Actor:
        """The actor with a part put in place of that of its class."""
        return replace(self, parts=with_part(self.parts, part))

    def without_part(self, kind: type[Part]) -> Actor:
        """The actor without the part of a class."""
        return replace(self, parts=without_part(self.parts, kind)) if self.part(kind) is not None else self

    def layer_for(self, time: int | None = None) -> Layer | None:
        """The layer that poses and keys go to at a time: the one that was chosen for it, else the uppermost that counts
        then; where none does, the uppermost of all. None without layers. One with a correction is for no poses, unless
        it was chosen."""
        alone = any(each.solo for each in self.layers)
        heard = (
            each for each in reversed(self.layers) if not each.mute and each.weight > 0.0 and each.correction is None
        )
        counting = (each for each in heard if (each.solo or not alone) and _weighs(each.span, time))
        chosen = next((each for each in self.layers if each.id == self.receiver), None)
        posed = [each for each in self.layers if each.correction is None] or self.layers
        return chosen or next(counting, posed[-1] if posed else None)

    @property
    def holders(self) -> tuple[Holder, ...]:
        """All that has tracks of keys: layers, then locks, then parts of systems."""
        return (*self.layers, *self.locks, *(each for each in self.parts if isinstance(each, KeyedPart)))

    def holder(self, id: str) -> Holder | None:
        """The layer, lock or part of an id; a layer goes first."""
        return next((each for each in self.holders if each.id == id), None)

    def with_keys(self, id: str, tracks: Iterable[Track]) -> Actor:
        """The actor with all keys of a lock or part replaced; the identical one where they are the same."""
        old = next(each for each in self.holders if each.id == id and not isinstance(each, Layer))
        if isinstance(old, KeyedPart):
            made = old.with_tracks(tracks)
            return self if made == old else self.with_part(made)
        new = old.with_tracks(tracks)
        return self if new == old else replace(self, locks=tuple(new if each is old else each for each in self.locks))

    def joint_of(self, id: str) -> str | None:
        """The joint that a lock stands on, or what a part holds, the first one where that says none; None where there
        is no such thing."""
        found = next((each.joint for each in self.locks if each.id == id), None)
        holder = None if found is not None else next((part for part in self.parts if part.holds(id)), None)
        return found if holder is None else holder.stands_on(id) or self.figure.joints[0].id

    @property
    def is_constrained(self) -> bool:
        """True if locks hold something of it, now or at another time."""
        return any(not lock.mute for lock in self.locks)

    @property
    def swings(self) -> bool:
        """True if its body follows its motion otherwise than exactly."""
        return self.secondary is not None and self.secondary.on

    @property
    def held_always(self) -> Attachment | None:
        """The first attachment without an end: while there is one, the placement moves nothing."""
        return next((each for each in self.attachments if each.span is None), None)

    def is_held_at(self, joint: str) -> bool:
        """Tell whether a joint's own coordinates move nothing: it is the only root, and held always."""
        roots = [each.id for each in self.figure.joints if each.parent is None]
        return roots == [joint] and any(each.span is None and each.joint == joint for each in self.attachments)


def _weighs(span: Span | None, time: int | None) -> bool:
    """Tell whether a layer of this span has any weight at a time [ticks]: at the far end of an ease it has none."""
    if span is None or time is None:
        return True
    return span.start + (span.ease_in > 0) <= time <= span.end - (span.ease_out > 0)
