"""Soft bodies of a scene, compiled to one model: the points of all stand one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.soft.assembly import SoftBodies
from engine.soft.cells import PlacedBody, pack_samples, pack_springs, pack_tetrahedra, stiffness_of_pairs
from engine.soft.contact import GRIP, GRIPS
from engine.soft.damped import HALVES
from engine.soft.frames import PointFrames, find_frames
from engine.soft.lanes import L
from engine.soft.layers import Order, order_points
from engine.soft.linear import METHODS
from engine.soft.materials import SoftMaterial
from engine.soft.mesh import VolumeMesh
from engine.soft.outsides import Outside, join_outsides
from engine.soft.pattern import join_points
from engine.soft.strings import Strings
from engine.soft.virtual_springs import VirtualSprings, join_springs

_NOTHING = np.zeros(0, dtype=np.int32)


@dataclass(frozen=True, kw_only=True, eq=False)
class SoftPiece:
    """One soft body as the solver takes it."""

    mesh: VolumeMesh
    material: SoftMaterial
    held: IntArray = field(default_factory=lambda: _NOTHING)  # points whose place is given in each step
    pulled: IntArray = field(default_factory=lambda: _NOTHING)  # points on springs to targets given in each step
    pull_stiffness: float | Array = 0.0  # [N/m], of each
    pull_damping: float | Array = 0.0  # [N s/m]
    springs: VirtualSprings | None = None  # of activation splines, points counted from the body's first
    thickness: float = 0.0  # [m] of the skin in contact
    contact_stiffness: float = 10.0  # times Young's modulus and the size of a cell
    contact_damping: float = 0.005  # [s]
    touches: bool = True
    touches_itself: bool = False
    outside: Outside | None = None  # what it touches with; None: the points on the outside of its cells


@dataclass(frozen=True, kw_only=True)
class SoftOptions:
    """How steps are solved."""

    gravity: tuple[float, float, float] = (0.0, -9.81, 0.0)  # [m/s2]
    tolerance: float = 1e-4  # of the residual at the ballistic guess
    iterations: int = 30
    products: int = 400  # in one linear system
    method: str = "conjugate gradients"
    together: bool = True  # whether bodies touch each other


@dataclass(eq=False)
class SoftState:
    """Where all points are, and how fast."""

    x: Array  # [m], shape [point_count, 3]
    v: Array  # [m/s]
    a: Array  # [m/s2] of the step before, from which the next one guesses
    grips: Array  # what points of the skin hold on to by friction
    time: float = 0.0  # [s]


@dataclass(frozen=True, eq=False)
class SoftModel:
    """Soft bodies, compiled."""

    pieces: tuple[SoftPiece, ...]
    options: SoftOptions
    starts: IntArray  # first point of each body, and the end
    rest: Array  # [m], shape [point_count, 3]
    bodies: SoftBodies
    frames: PointFrames
    order: Order
    held: IntArray
    pulled: IntArray
    pulls: Array  # stiffness, damping; shape [pulled_count, 2]
    floor: float  # [N] of the residual, below which it counts as nothing: a millionth of the weight

    @property
    def point_count(self) -> int:
        """Number of points of all bodies."""
        return len(self.rest)

    @property
    def masses(self) -> Array:
        """Lumped masses [kg]."""
        return self.bodies.masses

    def points_of(self, piece: int) -> slice:
        """Give the points of one body."""
        return slice(int(self.starts[piece]), int(self.starts[piece + 1]))

    def new_state(self) -> SoftState:
        """Give all at rest."""
        return SoftState(
            self.rest.copy(),
            np.zeros_like(self.rest),
            np.zeros_like(self.rest),
            np.zeros((len(self.bodies.skin.points), GRIPS, GRIP)),
        )


def compile_soft(pieces: Sequence[SoftPiece], options: SoftOptions | None = None) -> SoftModel:
    """Put bodies together as one model."""
    options = SoftOptions() if options is None else options
    _check(pieces, options)
    members, first = [], 0
    for piece in pieces:
        members.append(PlacedBody(piece.mesh, piece.material, first))
        first += len(piece.mesh.points)
    count = first
    rest = np.concatenate([each.mesh.points for each in members]).copy()
    pattern = join_points(count, np.concatenate([each.mesh.edges + each.first for each in members]))
    weights = [_masses(each) for each in members]
    masses = np.concatenate(weights)
    drags = masses * np.concatenate([np.full(len(each.mesh.points), each.material.mass_damping) for each in members])
    planar = np.concatenate([np.full(len(each.mesh.points), each.mesh.planar) for each in members])
    tetrahedra = pack_tetrahedra(members, pattern)
    samples, bricks = pack_samples(members, pattern, 4), pack_samples(members, pattern, 8)
    memories = (6 * L * len(samples.kinds), 48 * L * len(bricks.kinds), HALVES * L * len(tetrahedra.kinds))
    bodies = SoftBodies(
        masses,
        drags,
        pattern,
        tetrahedra,
        samples,
        bricks,
        (np.zeros(memories[0]), np.zeros(memories[1]), np.zeros(memories[2])),
        pack_springs(members, pattern),
        _strings(pieces, members),
        *join_outsides(pieces, members, weights, together=options.together),
    )
    held = np.concatenate([piece.held + each.first for piece, each in zip(pieces, members, strict=True)])
    pulled = np.concatenate([piece.pulled + each.first for piece, each in zip(pieces, members, strict=True)])
    pulls = np.concatenate(
        [
            np.stack(
                [np.broadcast_to(value, len(piece.pulled)) for value in (piece.pull_stiffness, piece.pull_damping)], 1
            )
            for piece in pieces
        ]
    )
    return SoftModel(
        tuple(pieces),
        options,
        np.array([each.first for each in members] + [count], dtype=np.int32),
        rest,
        bodies,
        find_frames(rest, pattern, planar, stiffness_of_pairs(members, pattern)),
        order_points(pattern),
        held.astype(np.int32),
        pulled.astype(np.int32),
        pulls.astype(np.float64),
        1e-6 * 9.81 * float(np.linalg.norm(masses)),
    )


def _check(pieces: Sequence[SoftPiece], options: SoftOptions) -> None:
    if not pieces:
        raise InvalidArguments(what="the soft bodies", value="none", allowed="one or more")
    if options.method not in METHODS:
        raise InvalidArguments(what="the linear solver", value=options.method, allowed=", ".join(METHODS))
    if not (0.0 < options.tolerance < 1.0 and options.iterations > 0 and options.products > 0):
        raise InvalidArguments(what="the options of soft bodies", value=options, allowed="numbers above zero")
    if not np.isfinite(options.gravity).all():
        raise InvalidArguments(what="gravity", value=options.gravity, allowed="three finite numbers")
    for piece in pieces:
        count = len(piece.mesh.points)
        for what, points in (("held points", piece.held), ("pulled points", piece.pulled)):
            if len(points) and not (min(points) >= 0 and max(points) < count):
                raise InvalidArguments(what=f"the {what}", value=list(points), allowed=f"points from 0 to {count - 1}")
        for what, value in (
            ("the stiffness of springs to targets", piece.pull_stiffness),
            ("the damping of springs to targets", piece.pull_damping),
            ("the thickness of a skin", piece.thickness),
            ("the stiffness of contact", piece.contact_stiffness),
            ("the damping of contact", piece.contact_damping),
        ):
            if not (np.isfinite(value).all() and (np.asarray(value) >= 0.0).all()):
                raise InvalidArguments(what=what, value=value, allowed="a finite number, not below zero")


def _masses(member: PlacedBody) -> Array:
    flat = member.mesh.shape in ("edges", "squares")
    return member.mesh.masses(member.material.density) * (member.material.thickness if flat else 1.0)


def _strings(pieces: Sequence[SoftPiece], members: Sequence[PlacedBody]) -> Strings:
    given = [
        (piece.springs, each.first) for piece, each in zip(pieces, members, strict=True) if piece.springs is not None
    ]
    found = join_springs([springs for springs, _ in given], [first for _, first in given])
    count, rows = found.segment_count, found.weights.row_count
    ones = np.ones(count)
    return Strings(
        *found.weights,
        found.segments,
        np.stack((found.rest, found.stiffness, found.damping, ones, found.rest), axis=1),
        np.zeros(9 * count),
        np.zeros((rows, 3)),
        np.zeros((rows, 3)),
    )
