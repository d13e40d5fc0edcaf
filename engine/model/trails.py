"""Trails and onion skins: what is drawn of times other than the present, as plain arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.document import Document
from engine.document.values import Vector3
from engine.model.snapshot import Bodies


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


@dataclass(frozen=True, kw_only=True, eq=False)
class Onion:
    """An actor at another time."""

    time: int  # ticks
    number: int  # -1 is the last one before the present, 1 the first after it
    bodies: Bodies  # of the role "onion"
    fresh: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class Passage:
    """All trails and onion skins on screen, and which document and time they belong to."""

    document: Document
    time: int  # the present [ticks]
    trails: tuple[Trail, ...] = ()
    onions: tuple[Onion, ...] = ()  # the farthest first
    whole: bool = True  # else more of it is being worked out
