"""Trails and onion skins: what is drawn of times other than the present, as plain arrays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from engine.document import Document
from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.model.snapshot import Bodies, SkinSurface
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, kw_only=True, eq=False)
class Tangents:
    """The tangents of a point's path at one of its keys. A handle tells how far it would come within its reach."""

    time: int  # of the key [ticks]
    velocities: NDArray[np.float64]  # with which it arrives and leaves [m/s], shape [2, 3]
    reach: tuple[float, float]  # [s] before and after the key: a third of the way to the next one; 0: nothing bends


@dataclass(frozen=True, kw_only=True, eq=False)
class Trail:
    """The path of a point of a body: one place for each frame, and for each key between frames."""

    owner: str  # id of the actor
    part: str  # id of the joint
    point: Vector3  # [m] in the joint's frame
    times: NDArray[np.int64]  # [ticks] rising, shape [count]
    points: NDArray[np.float32]  # [m] in the world, shape [count, 3]
    keyed: NDArray[np.bool_]  # where a key stands that moves the point, shape [count]
    fresh: NDArray[np.bool_]  # else from before the last edit, shape [count]
    tangents: Tangents | None = None  # at the present, where a key stands there that can be bent

    @property
    def seconds(self) -> NDArray[np.float64]:
        """The times in seconds."""
        return self.times / TICKS_PER_SECOND


@dataclass(frozen=True, kw_only=True, eq=False)
class Onion:
    """An actor at another time."""

    time: int  # ticks
    number: int  # -1 is the last one before the present, 1 the first after it; 0: at the present, of what is planned
    bodies: Bodies  # of the role "onion"
    fresh: bool
    skins: tuple[SkinSurface, ...] = ()  # of a figure that has no other form
    planned: bool = False  # whether it is of a motion that is searched, and not of the document's
    way: int = 0  # the number of another way of moving that was found; 0: of the one that is looked at


@dataclass(frozen=True, kw_only=True, eq=False)
class TrailPicture:
    """All trails and onion skins on screen, and which document and time they belong to."""

    document: Document
    time: int  # the present [ticks]
    trails: tuple[Trail, ...] = ()
    onions: tuple[Onion, ...] = ()  # the farthest first
    whole: bool = True  # else more of it is being worked out

    @property
    def seconds(self) -> float:
        """The present in seconds."""
        return self.time / TICKS_PER_SECOND


def join_trails(pictures: Iterable[TrailPicture | None]) -> TrailPicture | None:
    """Join what several features show into one picture, at the present of the first; None where none shows anything."""
    shown = [each for each in pictures if each is not None]
    if len(shown) < 2:
        return shown[0] if shown else None
    trails, onions = (tuple(each for one in shown for each in getattr(one, name)) for name in ("trails", "onions"))
    return replace(shown[0], trails=trails, onions=onions, whole=all(each.whole for each in shown))
