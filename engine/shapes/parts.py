"""Blend shapes of an actor, as parts of a document: a surface, offsets of its vertices, secondary motion, targets.

An actor with `BlendShapes` is a prop of one joint without shapes of its own: the surface stands in the frame of that
joint. Where a shape is not keyed its weight is constant.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from engine.document.blobs import Blob, check_form, check_range
from engine.document.correction import Bell, BellKind
from engine.document.material import Colouring
from engine.document.motion import Track
from engine.document.parts import Part
from engine.document.ticks import TICKS_PER_SECOND, some_ticks, ticks
from engine.document.values import IDENTITY, Quaternion, Vector3, finite, unit_quaternion, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from numpy.typing import NDArray

WEIGHT = "weight"  # what the track of a shape keys
LEAST_WEIGHT, MOST_WEIGHT = -5.0, 5.0  # of any shape; what its slider reaches is its own
MOST_VERTICES = 200_000
MOST_TRIANGLES = 400_000
MOST_SHAPES = 500
MOST_TARGETS = 200
MOST_STEPS = 5_000  # of one window

Pose = Literal["keyed", "given"]
POSES: tuple[Pose, ...] = get_args(Pose)
Velocity = Literal["free", "keyed", "still"]
VELOCITIES: tuple[Velocity, ...] = get_args(Velocity)


@dataclass(frozen=True, kw_only=True)
class BlendShape(Part):
    """A named shape: by how far some vertices move where its weight is 1."""

    id: str
    name: str
    vertices: Blob  # which they are, rising, int32, shape [count]
    offsets: Blob  # [m] in the frame of the joint, float32, shape [count, 3]
    weight: float = 0.0  # where it is not keyed
    track: Track | None = None  # keys of the weight
    least: float = 0.0  # what its slider reaches
    most: float = 1.0
    mute: bool = False

    def __post_init__(self) -> None:
        what = f"the vertices of {self.name}"
        count = self.vertices.shape[0] if len(self.vertices.shape) == 1 else -1
        check_form(what, self.vertices, "<i4", (count,))
        check_form(f"the offsets of {self.name}", self.offsets, "<f4", (count, 3))
        for name in ("weight", "least", "most"):
            number = check_weight(f"the {name} of {self.name}", getattr(self, name))
            object.__setattr__(self, name, number)
        if not self.least < self.most:
            found = (self.least, self.most)
            raise InvalidDocument(what=f"the range of {self.name}", value=found, allowed="a least below the most")
        if self.track is not None:
            if self.track.coordinate != WEIGHT:
                raise InvalidDocument(what=f"the track of {self.name}", value=self.track.coordinate, allowed=WEIGHT)
            for key in self.track.keys:
                check_weight(f"a key of {self.name}", key.value)


@dataclass(frozen=True, kw_only=True)
class ShapeTarget(Part):
    """A pose that the surface is to have exactly at a time, whatever its secondary motion makes of the keys."""

    id: str
    name: str
    time: int  # [ticks]
    pose: Pose = option(
        "keyed",
        label="Shapes",
        choices=POSES,
        labels=("As they are keyed", "As they are given"),
        note="Which weights the surface is to have.",
    )
    weights: tuple[tuple[str, float], ...] = ()  # of a given pose, by shape; of those not named as they are keyed
    place: Pose = option(
        "keyed",
        label="Place",
        choices=POSES,
        labels=("As it is keyed", "As it is given"),
        note="Where the joint that carries the surface is to be, and how it is to be turned.",
    )
    position: Vector3 = (0.0, 0.0, 0.0)  # [m] of the joint in the world, of a given place
    rotation: Quaternion = IDENTITY
    velocity: Velocity = option(
        "free",
        label="Velocity",
        choices=VELOCITIES,
        labels=("Any", "As it is keyed", "Standing still"),
        note="How fast each vertex is to move there: (x(t + h) - x(t - h)) / 2h of what is seen (after 4.9).",
    )
    before: int = option(
        TICKS_PER_SECOND // 2,
        label="Ease in",
        unit="ticks",
        least=TICKS_PER_SECOND // 50,
        most=5 * TICKS_PER_SECOND,
        note="How long before it the correction of the keys begins: the width of the bell phi(t).",
    )
    after: int = option(
        TICKS_PER_SECOND // 2,
        label="Ease out",
        unit="ticks",
        least=TICKS_PER_SECOND // 50,
        most=5 * TICKS_PER_SECOND,
        note="How long after it the correction of the keys ends.",
    )
    kind: BellKind = option(
        "gaussian",
        label="Curve",
        choices=get_args(BellKind),
        labels=("Gaussian", "Polynomial"),
        note="The form of the bell by which the keys are corrected.",
    )
    mute: bool = False

    def __post_init__(self) -> None:
        ticks(f"the time of {self.name}", self.time)
        for name in ("before", "after"):
            some_ticks(f"the ease of {self.name}", getattr(self, name))
        check_options(self)
        object.__setattr__(self, "position", vector3(f"the place of {self.name}", self.position))
        object.__setattr__(self, "rotation", unit_quaternion(f"the turn of {self.name}", self.rotation))
        given = tuple((id, check_weight(f"the weight of {id} in {self.name}", number)) for id, number in self.weights)
        object.__setattr__(self, "weights", given)
        _check_once(f"the shapes of {self.name}", (id for id, _ in given))

    @property
    def bell(self) -> Bell:
        """The curve by which the keys are corrected."""
        return Bell(time=self.time, before=self.before, after=self.after, kind=self.kind)


@dataclass(frozen=True, kw_only=True)
class ShapeMotion(Part):
    """How the surface follows its keyed shape: masses on springs and dampers at its control points."""

    on: bool = False
    tension: float = option(
        4.0,
        label="Tension",
        unit="Hz",
        least=0.2,
        most=20.0,
        note="How fast a control point would swing about its keyed place.\nk = m (2π f)²",
    )
    ratio: float = option(
        0.35, label="Damping", least=0.0, most=3.0, note="1 comes to rest without swinging past.\nc = 2 ζ m 2π f"
    )
    gravity: float = option(
        0.0,
        label="Gravity",
        unit="share",
        least=0.0,
        most=2.0,
        note="The share of its weight that the surface feels; shapes were mostly modelled with the weight in them.",
    )
    rigidity: float = option(
        3.0,
        label="Keeps its shape",
        unit="Hz",
        least=0.0,
        most=20.0,
        note="How stiffly a cluster of control points keeps its keyed form, wherever it has swung to; at 0 each point "
        "follows alone. Goals R q + c by shape matching (Müller 2005); a = (2π f)² (g − x)",
    )
    points: int = option(
        160,
        label="Control points",
        least=4,
        most=4000,
        note="Vertices that are simulated; the others are bound to them.",
    )
    clusters: int = option(
        1, label="Clusters", least=1, most=32, note="Of control points, each with a rotation of its own."
    )
    window: int = option(
        TICKS_PER_SECOND // 2,
        label="Window",
        unit="ticks",
        least=TICKS_PER_SECOND // 50,
        most=5 * TICKS_PER_SECOND,
        note="How long before each frame the simulation begins, on the keys.\nδ = ln(A / x) / ζω (5.6)",
    )
    step: int = option(
        TICKS_PER_SECOND // 120,
        label="Longest step",
        unit="ticks",
        least=TICKS_PER_SECOND // 2000,
        most=TICKS_PER_SECOND // 100,
        note="Of the simulation; steps divide a frame evenly.",
    )

    def __post_init__(self) -> None:
        for name in ("window", "step"):
            some_ticks(f"the {name} of a surface's motion", getattr(self, name))
        check_options(self)
        if self.window > MOST_STEPS * self.step:
            allowed = f"at most {MOST_STEPS} steps"
            raise InvalidDocument(what="the window of a surface's motion", value=self.window, allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class BlendShapes(Part):
    """The surface of an actor, its shapes, how it follows them and what it is to meet."""

    positions: Blob  # [m] in the frame of the joint, float32, shape [vertex_count, 3]
    triangles: Blob  # counter-clockwise from outside, int32, shape [triangle_count, 3]
    shapes: tuple[BlendShape, ...] = ()
    motion: ShapeMotion = ShapeMotion()
    targets: tuple[ShapeTarget, ...] = ()
    colouring: Colouring | None = None  # None: the actor's own colour

    def __post_init__(self) -> None:
        vertices, faces = self.positions.shape[0], self.triangles.shape[0]
        for what, count, most in (("vertices", vertices, MOST_VERTICES), ("triangles", faces, MOST_TRIANGLES)):
            if not 1 <= count <= most:
                raise InvalidDocument(what=f"the {what} of a surface", value=count, allowed=f"1 to {most:,}")
        check_form("the vertices of a surface", self.positions, "<f4", (vertices, 3))
        check_form("the triangles of a surface", self.triangles, "<i4", (faces, 3))
        self.triangles.check(partial(check_range, "the triangles of a surface", 0, vertices - 1))
        if self.colouring is not None:
            self.colouring.check("a surface", faces)
        for what, listed, most in (
            ("the shapes of a surface", self.shapes, MOST_SHAPES),
            ("the targets of a surface", self.targets, MOST_TARGETS),
        ):
            if len(listed) > most:
                raise InvalidDocument(what=what, value=len(listed), allowed=f"at most {most}")
        _check_once("the ids of shapes", (each.id for each in self.shapes))
        _check_once("the ids of targets", (each.id for each in self.targets))
        _check_once("the times of targets", (each.time for each in self.targets if not each.mute))
        for each in self.shapes:
            each.vertices.check(partial(_check_rising, f"the vertices of {each.name}", vertices))
        known = {each.id for each in self.shapes}
        for target in self.targets:
            missing = [id for id, _ in target.weights if id not in known]
            if missing:
                raise InvalidDocument(
                    what=f"the shapes of {target.name}", value=missing, allowed="shapes that are there"
                )

    def shape(self, id: str) -> BlendShape | None:
        """The shape of that id."""
        return next((each for each in self.shapes if each.id == id), None)

    def target(self, id: str) -> ShapeTarget | None:
        """The target of that id."""
        return next((each for each in self.targets if each.id == id), None)

    @property
    def swings(self) -> bool:
        """True if the surface is not always exactly as it is keyed."""
        return self.motion.on

    @property
    def met(self) -> tuple[ShapeTarget, ...]:
        """The targets that count, by time."""
        counting = (each for each in self.targets if not each.mute)
        return tuple(sorted(counting, key=lambda each: each.time)) if self.swings else ()

    def with_shape(self, old: BlendShape, new: BlendShape) -> BlendShapes:
        """The surface with one shape in the place of another."""
        return replace(self, shapes=tuple(new if each is old else each for each in self.shapes))


def check_weight(what: str, value: float) -> float:
    """Give a weight as a number; refuse one that no shape may have."""
    number = finite(what, value)
    if not LEAST_WEIGHT <= number <= MOST_WEIGHT:
        raise InvalidDocument(what=what, value=value, allowed=f"{LEAST_WEIGHT:g} to {MOST_WEIGHT:g}")
    return number


def _check_rising(what: str, count: int, array: NDArray[Any]) -> None:
    check_range(what, 0, count - 1, array)
    if (array[1:] <= array[:-1]).any():
        raise InvalidDocument(what=what, value="not rising", allowed="each vertex once, rising")


def _check_once(what: str, found: Any) -> None:
    repeated = [each for each, count in Counter(found).items() if count > 1]
    if repeated:
        raise InvalidDocument(what=what, value=repeated, allowed="each once")
