"""Snapshot: what is drawn at one time, as plain arrays. The only thing of the engine that the drawing side knows."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from engine.document import Colouring, Document
from engine.document.lock import Axis, Held
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.model.meshes import Mesh
from engine.model.skeletons import NO_SKELETON, Skeleton
from engine.runtime.quick_dataclass import dataclass

MUSCLE = "muscle "  # before the id of a muscle, where joints stand beside it
MISS = 1e-4  # [m] or [rad] up to which a lock counts as kept

# "ghost": what another solver gave; "keyed": how what swings is keyed
Role = Literal[
    "result", "onion", "ghost", "keyed", "handle", "force", "constraint", "water", "flow", "tank", "pseudo", "muscle",
    "measured",
]  # fmt: skip


class SnapshotItem(Protocol):
    """One thing that is drawn: one class for each kind."""

    @property
    def owner(self) -> str:
        """The id of the actor, or of the part of the document, that it belongs to."""

    @property
    def role(self) -> Role:
        """Its purpose in the picture."""

    @property
    def size(self) -> int:
        """How many bytes it takes that no other picture shares."""


ItemT = TypeVar("ItemT", bound=SnapshotItem)


@dataclass(frozen=True, kw_only=True, eq=False)
class Bodies:
    """Rigid bodies that share one mesh: vertex i moves with body `mesh.body[i]`."""

    owner: str  # id of the actor
    role: Role
    mesh: Mesh  # uploaded once, found by its digest
    parts: tuple[str, ...]  # id of the joint that carries body i
    transforms: NDArray[np.float32]  # world from body: rotation and position [m], shape [body_count, 3, 4]
    visible: bool = True
    frozen: bool = False  # not picked
    skeleton: Skeleton = NO_SKELETON  # the same bodies as bones; none of a prop
    pose: NDArray[np.float64] | None = None  # coordinates as a person sets them, locks kept [rad or m]

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.transforms.nbytes + (0 if self.pose is None else self.pose.nbytes)


@dataclass(frozen=True, kw_only=True, eq=False)
class SurfaceField:
    """A quantity over a surface, which may be shown as its colour."""

    name: str  # by which it is chosen
    label: str  # for a person
    unit: str  # as it is written; "" for what has none
    values: NDArray[np.float32]  # of each vertex, shape [vertex_count]
    low: float  # values at the ends of the colours
    high: float
    parts: bool = False  # whether colours go apart from the middle of both ends, where nothing happens


@dataclass(frozen=True, kw_only=True, eq=False)
class SkinSurface:
    """A surface that bends: its triangles stay, its vertices move with every frame."""

    owner: str  # id of the actor
    role: Role
    skin: str  # id of the skin
    topology: str  # digest of `triangles` and `body`, uploaded once
    triangles: NDArray[np.int32]  # counter-clockwise seen from outside, shape [triangle_count, 3]
    body: NDArray[np.int32]  # which of the owner's bodies each vertex follows most, shape [vertex_count]
    positions: NDArray[np.float32]  # [m] in the world, shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit, shape [vertex_count, 3]
    visible: bool = True
    hollow: bool = False  # whether there is something to see inside of it, where a person wants to
    fields: tuple[SurfaceField, ...] = ()
    colouring: Colouring | None = None  # of its triangles; None: the actor's colour

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.positions.nbytes + self.normals.nbytes + sum(each.values.nbytes for each in self.fields)

    def field(self, name: str) -> SurfaceField | None:
        """The quantity of that name."""
        return next((each for each in self.fields if each.name == name), None)


@dataclass(frozen=True, kw_only=True, eq=False)
class Spindles:
    """Muscles of an actor as spindles: their triangles stay, their vertices move with every frame."""

    owner: str  # id of the actor
    muscles: tuple[str, ...]  # their ids
    topology: str  # digest of what stays from picture to picture, uploaded once
    triangles: NDArray[np.int32]  # counter-clockwise seen from outside, shape [triangle_count, 3]
    few: NDArray[np.int32]  # rings of each muscle that do from afar
    muscle: NDArray[np.int32]  # the number of each vertex's muscle, shape [vertex_count]
    sinew: NDArray[np.float32]  # how much each vertex is tendon, 0 to 1, shape [vertex_count]
    positions: NDArray[np.float32]  # [m] in the world, shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit, shape [vertex_count, 3]
    # Of each ring across a muscle its middle [m], radius [m], the unit direction along the muscle, and by how much the
    # radius grows along it, shape [ring_count, 8].
    spine: NDArray[np.float32]
    activation: NDArray[np.float32]  # of each muscle, 0 to 1, shape [muscle_count]
    visible: bool = True
    frozen: bool = False  # not picked
    role: Role = "muscle"

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.positions.nbytes + self.normals.nbytes + self.spine.nbytes + self.activation.nbytes

    @property
    def parts(self) -> tuple[str, ...]:
        """Names of the muscles among all that is picked, which no joint has."""
        return _named(self.muscles)


@lru_cache(maxsize=16)
def _named(muscles: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(f"{MUSCLE}{each}" for each in muscles)


@dataclass(frozen=True, kw_only=True)
class LockMark:
    """A part that is held, and how far it is from where it is to be."""

    owner: str  # id of the actor
    lock: str
    name: str
    part: str  # id of the joint
    at: Vector3  # [m] in the world, where the held spot stands
    target: Vector3  # [m] where it is to stand: the nearest place that meets the lock
    share: float  # by how much the lock counts, 0 to 1; 0: it is muted
    held: Held = "point"
    axes: tuple[tuple[Axis, Vector3], ...] = ()  # of the body that are held, and where in the world each is to point
    normal: Vector3 | None = None  # of the plane that it is held in, or along the line, in the world
    position: Vector3 = (0.0, 0.0, 0.0)  # [m] of the place at this time, keys and all, in its frame
    rotation: Quaternion = IDENTITY
    off: float = 0.0  # [m]; 0 while the lock is eased
    turned: float = 0.0  # [rad], the largest of the held axes
    role: Role = "handle"
    size: int = 0  # bytes; next to nothing

    @property
    def kept(self) -> bool:
        """True if the lock is met as closely as can be seen."""
        return self.off <= MISS and self.turned <= MISS

    @property
    def text(self) -> str:
        """A description for a person."""
        if self.share == 0.0:
            return "muted"
        if self.kept:
            return "held"
        parts = [f"{1e3 * self.off:.1f} mm"] if self.off > MISS else []
        parts += [f"{math.degrees(self.turned):.1f}\N{DEGREE SIGN}"] if self.turned > MISS else []
        return f"missed by {' and '.join(parts)}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Balance:
    """An actor's centre of mass, its contacts with the floor, and whether it stays up at rest."""

    owner: str  # id of the actor
    mass: float  # [kg]
    centre: Vector3  # [m] of mass, in the world
    contacts: NDArray[np.float32]  # [m] outermost points that touch the floor, shape [count, 3]
    support: NDArray[np.float32]  # [m] corners of their hull on the floor, counter-clockwise seen from above
    margin: float | None  # [m] by how far the centre is inside the support, below 0 outside; None: nothing touches
    role: Role = "result"

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.contacts.nbytes + self.support.nbytes

    @property
    def holds(self) -> bool:
        """True if the centre of mass is above the support."""
        return self.margin is not None and self.margin >= 0.0

    @property
    def text(self) -> str:
        """A description for a person."""
        if self.margin is None:
            return "in the air"
        how = f"{1e3 * abs(self.margin):.0f} mm"
        return f"balanced, {how} inside" if self.holds else f"off balance by {how}"


@dataclass(frozen=True, kw_only=True, eq=False)
class Points:
    """Spots in the world."""

    owner: str
    role: Role
    positions: NDArray[np.float32]  # [m] in the world, shape [point_count, 3]
    topology: str = ""  # digest of what stays from picture to picture, uploaded once; none: nothing does
    visible: bool = True

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.positions.nbytes


@dataclass(frozen=True, kw_only=True, eq=False)
class LineSet:
    """Straight pieces between spots in the world."""

    owner: str
    role: Role
    ends: NDArray[np.int32]  # numbers of the spots that each piece joins, shape [line_count, 2]
    positions: NDArray[np.float32]  # [m] in the world, shape [point_count, 3]
    topology: str  # digest of `ends`, uploaded once
    visible: bool = True

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.positions.nbytes


@dataclass(frozen=True, kw_only=True, eq=False)
class Arrows:
    """Vectors that begin at spots in the world, such as forces."""

    owner: str
    role: Role
    starts: NDArray[np.float32]  # [m] in the world, shape [arrow_count, 3]
    vectors: NDArray[np.float32]  # [m] as they are drawn, shape [arrow_count, 3]
    topology: str = ""
    visible: bool = True

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.starts.nbytes + self.vectors.nbytes


@dataclass(frozen=True, kw_only=True, eq=False)
class LiquidSurface:
    """The surface of a liquid, through which what is behind it is seen, and its drops. No triangle stays.

    It is drawn flat where it lies on the walls of a box, so that vertices stand there twice; those of the closed
    surface are the first.
    """

    owner: str  # id of the actor
    role: Role
    positions: NDArray[np.float32]  # [m] in the world, shape [vertex_count, 3]
    normals: NDArray[np.float32]  # unit, towards the air, shape [vertex_count, 3]
    triangles: NDArray[np.int32]  # counter-clockwise seen from the air, shape [triangle_count, 3]
    foam: NDArray[np.float32]  # share that foam covers, shape [vertex_count]
    shell: NDArray[np.int32]  # triangles of the closed surface, likewise
    drops: NDArray[np.float32]
    """Drops, shape [drop_count, 10]: middles [m], the symmetric matrix that makes the unit ball the drop (xx, xy, xz,
    yy, yz, zz) [m], and how white they are."""
    lower: Vector3  # [m] least corner of the box that holds it
    upper: Vector3  # its greatest
    visible: bool = True

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        parts = self.positions, self.normals, self.triangles, self.foam, self.shell, self.drops
        return sum(each.nbytes for each in parts)

    @property
    def closed(self) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.int32]]:
        """Vertices [m], normals and triangles of the closed surface."""
        count = int(self.shell.max()) + 1 if len(self.shell) else 0
        return self.positions[:count], self.normals[:count], self.shell


@dataclass(frozen=True, kw_only=True, eq=False)
class SliceSheet:
    """A rectangle across something, and a quantity on it: rows from its first corner to its last."""

    owner: str  # id of the actor
    role: Role
    corners: NDArray[np.float32]  # [m] first and last of the first row, last and first of the last, shape [4, 3]
    values: NDArray[np.float32]  # shape [rows, columns]; not a number where there is nothing
    low: float  # values at the ends of the colours
    high: float
    visible: bool = True

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.corners.nbytes + self.values.nbytes


@dataclass(frozen=True, kw_only=True, eq=False)
class CameraView:
    """View of a camera: it looks along the -Z of its frame, with +Y up; a picture is as wide as its film."""

    owner: str  # id of the actor
    frame: NDArray[np.float64]  # world from eye: rotation and position [m], shape [3, 4]
    focal: float  # [m]
    film_width: float  # [m]
    near: float  # [m]
    aperture: float = 0.0  # [m] width of the lens's opening; 0: all is sharp
    focus: float = 0.0  # [m] along the line of sight, where it is sharp
    pinned: bool = False  # whether it stands or looks otherwise than its own keys say
    visible: bool = True
    role: Role = "handle"

    @property
    def size(self) -> int:
        """Bytes of this picture alone."""
        return self.frame.nbytes


@dataclass(frozen=True, kw_only=True)
class SceneLight:
    """Lights of a scene and what they shine on, where it has its own. Strengths are shares of the usual ones."""

    azimuth: float  # [rad] of where the key comes from, from +Z towards +X
    elevation: float  # [rad] above the horizon
    with_view: bool  # whether the azimuth counts from where a view looks from
    key: float
    angle: float  # [rad] half of that over which the key is seen
    fill: float
    rim: float
    sky: float
    background: str  # '#rrggbb'; none: the theme's
    floor: str  # likewise; none: there is none
    horizon: bool  # whether the floor fades into the background
    owner: str = ""
    role: Role = "result"
    size: int = 0  # bytes; next to nothing


@dataclass(frozen=True, kw_only=True)
class ActorFinish:
    """Colour and gloss of an actor."""

    owner: str  # id of the actor
    colour: str  # '#rrggbb'; none: that of all figures
    roughness: float  # 0 to 1
    role: Role = "result"
    size: int = 0  # bytes; next to nothing


@dataclass(frozen=True, kw_only=True, eq=False)
class Snapshot:
    """The items on screen, and which document and time they show."""

    document: Document
    time: int  # ticks
    items: tuple[SnapshotItem, ...]  # bodies first, in the order of the actors
    state: Literal["rest", "fresh"] = "fresh"

    def of(self, kind: type[ItemT]) -> tuple[ItemT, ...]:
        """The items of one kind, in their order."""
        return tuple(each for each in self.items if isinstance(each, kind))

    @property
    def bodies(self) -> tuple[Bodies, ...]:
        """Actors as they stand, and what solvers gave that are compared."""
        return tuple(each for each in self.items if isinstance(each, Bodies) and each.role != "keyed")

    @property
    def ghosts(self) -> tuple[Bodies, ...]:
        """Keyed figures behind those that swing, where they were asked for."""
        return tuple(each for each in self.items if isinstance(each, Bodies) and each.role == "keyed")

    @property
    def skins(self) -> tuple[SkinSurface, ...]:
        """Surfaces that bend, to be drawn in place of the bodies of the same owner."""
        return self.of(SkinSurface)

    @property
    def spindles(self) -> tuple[Spindles, ...]:
        """Muscles."""
        return self.of(Spindles)

    def muscle_part(self, owner: str, muscle: str) -> str | None:
        """The name of a muscle among all that is picked; None where it is not drawn."""
        there = any(each.owner == owner and muscle in each.muscles for each in self.spindles)
        return f"{MUSCLE}{muscle}" if there else None

    @property
    def liquids(self) -> tuple[LiquidSurface, ...]:
        """Surfaces of liquids."""
        return self.of(LiquidSurface)

    @property
    def sheets(self) -> tuple[SliceSheet, ...]:
        """Slices."""
        return self.of(SliceSheet)

    @property
    def locks(self) -> tuple[LockMark, ...]:
        """Marks of the locks that count at this time."""
        return tuple(each for each in self.items if isinstance(each, LockMark) and each.share > 0.0)

    @property
    def muted_locks(self) -> tuple[LockMark, ...]:
        """Marks of those that would."""
        return tuple(each for each in self.items if isinstance(each, LockMark) and each.share == 0.0)

    @property
    def cameras(self) -> tuple[CameraView, ...]:
        """Views of cameras."""
        return self.of(CameraView)

    @property
    def light(self) -> SceneLight | None:
        """The lights of the scene; None: the usual ones."""
        return next(iter(self.of(SceneLight)), None)

    @property
    def finishes(self) -> tuple[ActorFinish, ...]:
        """Colour and gloss of the actors that have their own."""
        return self.of(ActorFinish)

    @property
    def balances(self) -> tuple[Balance, ...]:
        """Where they were asked for: see `engine.evaluate.balance`."""
        return self.of(Balance)
