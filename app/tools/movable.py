"""Movable: the protocol of everything that manipulators can move or turn. Each kind says where it stands, and which
edit a change of it makes.

A kind is found for what is selected by one of a tool's `finders`; other modes of the window add theirs in front.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol

from app.scene import extent
from app.scene.manipulator import MOVES, TURNS, WORLD, Part, Triple
from app.session.gesture import EditOrCommand
from engine.document.values import Vector3
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene.camera import Array
    from app.session import Session
    from engine.document import Actor
    from engine.model import Snapshot

Kind = Literal["move", "rotate"]
AxesOf = Literal["local", "parent", "world"]
Owner = Literal["joint", "parent", "world"]
NO_SHIFT: Vector3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class ManipulatorFrame:
    """The position of a manipulator, and the axes along or about which it moves or turns."""

    place: Vector3  # [m] in the world
    axes: Triple = WORLD  # in the world
    own: tuple[tuple[Owner, Vector3], ...] = (("world", WORLD[0]), ("world", WORLD[1]), ("world", WORLD[2]))
    parts: frozenset[Part] = MOVES | TURNS


@dataclass(frozen=True, kw_only=True)
class TransformDelta:
    """A translation, or an axis and an angle to turn by, from the state before."""

    kind: Kind
    shift: Vector3 = NO_SHIFT  # [m] in the world
    axis: Vector3 = WORLD[1]  # in the world
    own: tuple[Owner, Vector3] = ("world", WORLD[1])  # the same axis, exactly, in the frame that it belongs to
    angle: float = 0.0  # [rad]


class Movable(Protocol):
    """One thing that can be moved or turned."""

    @property
    def name(self) -> str:
        """The name in the history."""

    def stands(self, snapshot: Snapshot, kind: Kind, axes: AxesOf) -> ManipulatorFrame | None:
        """Return the manipulator's frame in a picture; None where it cannot be moved, or turned, now."""

    def command(self, change: TransformDelta) -> EditOrCommand:
        """Return the edit or command of a change, from the document as it was before."""

    def turned_by(self, snapshot: Snapshot, before: Snapshot, axis: Vector3) -> float | None:
        """Return the angle [rad] by which it has turned about an axis of the world from one picture to another, less
        whole turns; None where it turns exactly as asked."""


Finder = Callable[["Session", "Snapshot", Kind], Movable | None]


def can_be_moved(session: Session, actor: Actor) -> bool:
    """True of an actor that is seen, not frozen, and whose figure is not edited."""
    return actor.visible and not actor.frozen and actor.id != session.editing


def body_frame(snapshot: Snapshot, actor: str, joint: str, *, keyed: bool = False) -> Array | None:
    """Return the frame of a body in a picture: rotation and position [m], shape [3, 4]; None where it is not shown.
    With secondary motion, that of the `keyed` ghost where it is shown."""
    ghosts = snapshot.ghosts if keyed else ()
    return extent.body_frame((*ghosts, *(each for each in snapshot.bodies if each.role == "result")), actor, joint)


def triple(rotation: Array) -> Triple:
    """Return the axes of a frame in the world."""
    x, y, z = (tuple(axis) for axis in rotation.T.tolist())
    return (x, y, z)
