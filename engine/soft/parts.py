"""Soft bodies of actors and of a scene, as parts of a document.

An actor with a `SoftBody` is a prop without shapes: its joint says where the body stands until its simulation begins.
Points, cells, splines and directions are in the frame of that joint, in the shape at rest.
"""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from engine.document.blobs import Blob, check_form, check_range
from engine.document.motion import Span, Track
from engine.document.parts import Part
from engine.document.ticks import Rate, check_rate, frame_time, ticks
from engine.document.values import Vector3, vector3
from engine.maths.expressions import parse_expression
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass
from engine.soft.nodal import NodalForces as NodalForces
from engine.soft.pulls import SoftPull as SoftPull

if TYPE_CHECKING:
    from numpy.typing import NDArray

CellShape = Literal["edges", "squares", "hexahedra", "tetrahedra"]
CORNERS: dict[str, int] = {"edges": 2, "squares": 4, "hexahedra": 8, "tetrahedra": 4}
MATERIALS: dict[str, tuple[str, ...]] = {
    "edges": ("springs",),
    "squares": ("springs", "corotational", "neo_hookean", "mooney_rivlin"),
    "hexahedra": ("springs", "corotational", "neo_hookean", "mooney_rivlin"),
    "tetrahedra": ("springs", "corotational", "neo_hookean", "mooney_rivlin"),
}
"""What each kind of cell may be made of."""
USUAL = {"edges": "springs", "squares": "springs", "hexahedra": "neo_hookean", "tetrahedra": "corotational"}
"""The material of each kind of cell, where nobody says another."""
ActivationKind = Literal["constant", "keys", "expression"]
ACTIVATIONS: tuple[ActivationKind, ...] = get_args(ActivationKind)
ALPHA = "alpha"  # what the track of a spline keys
LEAST_ALPHA, MOST_ALPHA = 0.1, 3.0

MOST_POINTS = 200_000
MOST_CELLS = 1_000_000
MOST_CONTROL_POINTS = 200
_FAR = 0.5  # of a body's size, as far as a spline may leave it
_SHORT = 1e-9  # [m] of a direction that says nothing


@dataclass(frozen=True, kw_only=True)
class SoftAttachment:
    """Points of a soft body that are held in the frame of a joint of another actor, always or over a span."""

    id: str
    points: Blob  # which of the mesh, int32, shape [count]
    places: Blob  # [m] where each is held, in the joint's frame, float64, shape [count, 3]
    target: str  # id of the other actor
    joint: str  # of it
    hold: str = option(
        "hard",
        label="Hold",
        choices=("hard", "spring"),
        note="Hard: the points go exactly where the joint does. Spring: they are drawn there.",
    )
    tension: float = option(
        8.0,
        label="Tension",
        unit="Hz",
        least=0.1,
        most=60.0,
        note="Natural frequency of the springs: k = m (2 pi f)^2 with m the mass of each point.",
    )
    ratio: float = option(
        1.0, label="Damping", least=0.0, most=10.0, note="Ratio of their damping to critical: c = 2 r m 2 pi f."
    )
    span: Span | None = None  # while it holds; None: always

    def __post_init__(self) -> None:
        check_options(self)
        count = self.points.shape[0] if len(self.points.shape) == 1 else 0
        check_form("the points of an attachment", self.points, "<i4", (max(count, 1),))
        check_form("the places of an attachment", self.places, "<f8", (count, 3))


@dataclass(frozen=True, kw_only=True)
class ActivationSpline(Part):
    """A curve inside a soft body that contracts and extends it along itself by its alpha, the length that its segments
    want, times their length at rest (77)."""

    id: str
    name: str
    points: tuple[Vector3, ...]  # [m] control points, in the shape at rest
    curve: str = option(
        "catmull_rom",
        label="Curve",
        choices=("catmull_rom", "b_spline"),
        labels=("Through its points (Catmull-Rom)", "Smooth (B-spline)"),
        note="How the curve goes from control point to control point. p(s) = sum N_k(s) g_k (75)",
    )
    samples: int = option(
        12, label="Points", least=2, most=256, note="Into how many points the curve is divided, evenly in s (74)."
    )
    response: str = option(
        "stiffness",
        label="Response",
        choices=("stiffness", "time"),
        labels=("By stiffness", "By time"),
        note="Whether its springs are so many times as stiff as the body, or respond within a time (80).",
    )
    stiffness: float = option(
        2.0,
        label="Stiffness",
        unit="times the body's",
        least=0.01,
        most=50.0,
        note="From twice the body's on a spline leads it well; below that it answers weakly.",
    )
    tau: float = option(
        1.0 / 60.0,
        label="Response time",
        unit="s",
        least=1e-3,
        most=1.0,
        note="Critically damped springs of this characteristic time: k = m / tau^2, c = 2 m / tau (80).",
    )
    region: str = option(
        "nearest",
        label="Region",
        choices=("nearest", "cell", "radius", "painted"),
        labels=("Nearest along the inside", "The cells that it crosses", "Within a radius", "Painted"),
        note="Which points of the body each point of the spline acts on (81 to 84).",
    )
    radius: float = option(
        0.1, label="Radius", unit="m", least=1e-4, most=100.0, note="Of the region around each point, inside the body."
    )
    weights: Blob | None = None  # of the painted region, 0 to 1 for each point of the mesh, float32
    transfer: str = option(
        "conserving",
        label="Transfer",
        choices=("conserving", "pseudo_inverse", "conjugate_gradients", "iterated", "one_step"),
        labels=("Conserving", "Pseudo-inverse (89)", "Conjugate gradients (88)", "Iterated (91)", "One step (93)"),
        note="How forces on the spline become forces on the mesh. The conserving form keeps sum and torque; printed "
        "forms drift, and want short steps and soft splines.",
    )
    activation: str = option(
        "constant",
        label="Activation",
        choices=ACTIVATIONS,
        labels=("Constant", "Keys", "Expression"),
        note="Where alpha comes from.",
    )
    alpha: float = option(
        1.0,
        label="Contraction alpha",
        least=LEAST_ALPHA,
        most=MOST_ALPHA,
        note="Below 1 the spline contracts, above it extends, at 1 it is passive.",
    )
    track: Track | None = None  # keys of alpha
    expression: str = ""  # of alpha in the time t [s] and the place s along the spline, 0 to 1
    mute: bool = False

    def __post_init__(self) -> None:
        check_options(self)
        what = f"the control points of {self.name}"
        object.__setattr__(self, "points", tuple(vector3(what, each) for each in self.points))
        if not 2 <= len(self.points) <= MOST_CONTROL_POINTS:
            raise InvalidDocument(what=what, value=len(self.points), allowed=f"2 to {MOST_CONTROL_POINTS}")
        if all(_length(one, self.points[0]) < _SHORT for one in self.points):
            raise InvalidDocument(what=what, value="all in one place", allowed="a curve of some length")
        if self.track is not None:
            _check_track(self.name, self.track)
        if self.expression:
            parse_expression(self.expression)
        if self.region == "painted" and self.weights is None:
            raise InvalidDocument(what=f"the painted region of {self.name}", value=None, allowed="weights of points")
        if self.weights is not None:
            check_form(f"the painted region of {self.name}", self.weights, "<f4", self.weights.shape[:1])
            self.weights.check(partial(check_range, f"the painted region of {self.name}", 0.0, 1.0))


@dataclass(frozen=True, kw_only=True)
class SoftBake(Part):
    """The points of a soft body frame by frame, as a simulation gave them: it follows them over their span, and is
    simulated on from their end."""

    start: int  # tick of the first frame
    rate: Rate  # frames in so many seconds
    positions: Blob  # [m] in the world, float32, shape [frame_count, point_count, 3]
    speeds: Blob  # [m/s] at the last frame, float32, shape [point_count, 3]

    def __post_init__(self) -> None:
        ticks("the start of a baked soft body", self.start)
        check_rate("the rate of a baked soft body", self.rate)
        shape = self.positions.shape
        if len(shape) != 3 or min(shape) < 1:
            allowed = "(frames, points, 3), one frame or more"
            raise InvalidDocument(what="the shape of a baked soft body", value=shape, allowed=allowed)
        check_form("the places of a baked soft body", self.positions, "<f4", (*shape[:2], 3))
        check_form("the speeds of a baked soft body", self.speeds, "<f4", (shape[1], 3))
        ticks("the end of a baked soft body", self.end)

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return self.positions.shape[0]

    @property
    def end(self) -> int:
        """The tick of the last frame."""
        return self.start + frame_time(self.frame_count - 1, self.rate)


@dataclass(frozen=True, kw_only=True)
class SoftBody(Part):
    """A mesh that gives way, the surface that is drawn of it, its material, its splines and what holds it."""

    points: Blob  # [m] float64, shape [point_count, 3]
    cells: Blob  # places of their corners in `points`, int32, shape [cell_count, 2, 4 or 8]
    shape: CellShape
    positions: Blob  # [m] of the surface, float32, shape [vertex_count, 3]
    triangles: Blob  # of the surface, counter-clockwise from outside, int32, shape [triangle_count, 3]
    factors: Blob | None = None  # times the stiffness, of each cell, float64, shape [cell_count]; None: 1
    planar: bool = False  # whether it moves in its x and y alone
    material: str = option(
        "springs",
        label="Material",
        choices=("springs", "corotational", "neo_hookean", "mooney_rivlin"),
        labels=("Springs", "Co-rotational", "Neo-Hookean", "Mooney-Rivlin"),
        note="What its cells are made of. Springs along edges; linear elasticity in turned frames; and two laws that "
        "stay exact far from rest.",
    )
    young: float = option(
        2e4,
        label="Stiffness",
        unit="Pa",
        least=100.0,
        most=1e8,
        note="Young's modulus: jelly 5 kPa, flesh 20 kPa, rubber 1 MPa.",
    )
    poisson: float = option(
        0.4,
        label="Poisson's ratio",
        least=0.0,
        most=0.49,
        note="How far it grows thinner where it is drawn longer; at 0.5 it would keep its volume exactly.",
    )
    share: float = option(
        0.5,
        label="Second share",
        unit="share",
        least=0.0,
        most=1.0,
        note="Of Mooney-Rivlin: how much of the shear stiffness its second term has.",
    )
    density: float = option(1000.0, label="Density", unit="kg/m3", least=1.0, most=20_000.0, note="Flesh is 1060.")
    thickness: float = option(
        0.1, label="Thickness", unit="m", least=1e-4, most=10.0, note="Of a planar body; of edges the section in m2."
    )
    mass_damping: float = option(
        0.1, label="Damping of mass", unit="1/s", least=0.0, most=50.0, note="Rayleigh: C = a M + b K, this is a."
    )
    stiffness_damping: float = option(
        0.01, label="Damping of stiffness", unit="s", least=0.0, most=0.5, note="Rayleigh: C = a M + b K, this is b."
    )
    touches: bool = option(True, label="Touches", note="Collides with the ground, with bodies and other soft bodies.")
    touches_by_surface: bool = option(
        False,
        label="By its surface",
        note="Touches with what is drawn of it, and feels edges and corners of boxes between its points. Else with the "
        "points on the outside of its cells alone.",
    )
    touches_itself: bool = option(
        False,
        label="Touches itself",
        note="Collides with other parts of itself: where it folds, coils up or closes on itself.",
    )
    friction: float = option(
        0.8, label="Friction", least=0.0, most=10.0, note="Coulomb's coefficient mu of its surface."
    )
    heading: Vector3 | None = None  # the body's own direction along which friction differs; None: it does not
    forward: float = option(
        1.0, label="Forward", unit="times", least=0.0, most=20.0, note="Of the friction, where it slides as it heads."
    )
    backward: float = option(
        1.0, label="Backward", unit="times", least=0.0, most=20.0, note="Of the friction, where it slides back."
    )
    sideways: float = option(
        1.0, label="Sideways", unit="times", least=0.0, most=20.0, note="Of the friction, across its heading."
    )
    touches_wearer: bool = option(
        False,
        label="Touches its wearer",
        note="Collides with what it is attached to, but for the parts that hold points of it. Else it goes through all "
        "of that, and through whatever other soft bodies are attached to.",
    )
    pushes: bool = option(
        False,
        label="Push back",
        note="Whether what it touches and what it is attached to feels it: figures and props that are simulated by "
        "physics, and the secondary motion of a figure that wears it.",
    )
    start: int = 0  # [ticks] from when on it is simulated; it stands in its rest shape before
    stepped: str = option(
        "from_start",
        label="Stepped",
        choices=("from_start", "over_window"),
        labels=("From its start", "Over a window before each time"),
        note="Over a window: secondary motion without history, for a body that is attached. At the window's begin it "
        "is carried rigidly; any frame alone is as it is in sequence, and an edit is felt no longer than the window.",
    )
    window: float = option(
        0.5,
        label="Window",
        unit="s",
        least=0.01,
        most=10.0,
        note="As long as its slowest vibrations are seen; Suggest works it out from the modes (5.7 to 5.12).",
    )
    splines: tuple[ActivationSpline, ...] = ()
    attachments: tuple[SoftAttachment, ...] = ()
    pulls: tuple[SoftPull, ...] = ()  # by hands, while it was simulated
    bake: SoftBake | None = None
    forces: tuple[NodalForces, ...] = ()  # on its points, as a plan has found them

    def __post_init__(self) -> None:
        check_options(self)
        ticks("the start of a soft body", self.start)
        self._check_mesh()
        if self.material not in MATERIALS[self.shape]:
            allowed = f"one for {self.shape}: {', '.join(MATERIALS[self.shape])}"
            raise InvalidDocument(what="the material of a soft body", value=self.material, allowed=allowed)
        if self.heading is not None:
            object.__setattr__(self, "heading", vector3("the heading of a soft body", self.heading))
            if _length(self.heading, (0.0, 0.0, 0.0)) < _SHORT:
                allowed = "a direction, not zero"
                raise InvalidDocument(what="the heading of a soft body", value=self.heading, allowed=allowed)
        for what, ids in (
            ("the ids of splines of a soft body", [each.id for each in self.splines]),
            ("the ids of attachments of a soft body", [each.id for each in self.attachments]),
            ("the ids of pulls of a soft body", [each.id for each in self.pulls]),
            ("the ids of nodal forces of a soft body", [each.id for each in self.forces]),
        ):
            repeated = [id for id, count in Counter(ids).items() if count > 1]
            if repeated:
                raise InvalidDocument(what=what, value=repeated, allowed="each id once")
        if self.stepped == "over_window" and not self.attachments:
            allowed = "one attachment or more, to what drives it"
            raise InvalidDocument(
                what="a soft body that is stepped over a window", value="held nowhere", allowed=allowed
            )
        self._check_within()

    def reads(self, document: Any) -> tuple[str, ...]:
        """Name all actors of the scene: any of them may be touched or attached to."""
        return tuple(actor.id for actor in document.actors)

    def moves(self, document: Any) -> tuple[str, ...]:
        """Name those whose secondary motion it pushes."""
        return tuple(sorted({each.target for each in self.attachments})) if self.swings_wearer else ()

    @property
    def swings_wearer(self) -> bool:
        """True if it pushes the secondary motion of what it is attached to."""
        return self.pushes and self.stepped == "over_window" and self.bake is None

    @property
    def point_count(self) -> int:
        """Number of points of the mesh."""
        return self.points.shape[0]

    @property
    def cell_count(self) -> int:
        """Number of cells."""
        return self.cells.shape[0]

    def holds(self, id: str) -> bool:
        """Tell whether it has a spline of that id."""
        return self.spline(id) is not None

    def spline(self, id: str) -> ActivationSpline | None:
        """The spline of that id."""
        return next((each for each in self.splines if each.id == id), None)

    def attachment(self, id: str) -> SoftAttachment | None:
        """The attachment of that id."""
        return next((each for each in self.attachments if each.id == id), None)

    def nodal(self, id: str) -> NodalForces | None:
        """The nodal forces of that id."""
        return next((each for each in self.forces if each.id == id), None)

    def _check_mesh(self) -> None:
        if self.shape not in CORNERS:
            raise InvalidDocument(what="the shape of cells", value=self.shape, allowed=", ".join(CORNERS))
        for what, count, most in (("points", self.point_count, MOST_POINTS), ("cells", self.cell_count, MOST_CELLS)):
            if not 1 <= count <= most:
                raise InvalidDocument(what=f"the {what} of a soft body", value=count, allowed=f"1 to {most:,}")
        check_form("the points of a soft body", self.points, "<f8", (self.point_count, 3))
        check_form("the cells of a soft body", self.cells, "<i4", (self.cell_count, CORNERS[self.shape]))
        vertices = self.positions.shape[0]
        check_form("the surface of a soft body", self.positions, "<f4", (vertices, 3))
        check_form("the triangles of a soft body", self.triangles, "<i4", (self.triangles.shape[0], 3))
        self.cells.check(partial(check_range, "the cells of a soft body", 0, self.point_count - 1))
        self.triangles.check(partial(check_range, "the triangles of a soft body", 0, vertices - 1))
        if self.factors is not None:
            check_form("the stiffness of the cells of a soft body", self.factors, "<f8", (self.cell_count,))
            self.factors.check(partial(check_range, "the stiffness of the cells of a soft body", 1e-3, 1e5))

    def _check_within(self) -> None:
        """Refuse what names points that are not there, and splines far outside."""
        for each in self.attachments:
            each.points.check(partial(check_range, "the points of an attachment", 0, self.point_count - 1))
        for forces in self.forces:
            what = f"the points of {forces.name}, which are chosen anew where a body has another mesh,"
            forces.points.check(partial(check_range, what, 0, self.point_count - 1))
        for spline in self.splines:
            if spline.weights is not None:
                what = f"the painted region of {spline.name}"
                check_form(what, spline.weights, "<f4", (self.point_count,))
            self.points.check(partial(_check_spline, spline.name, spline.points))
        if self.bake is not None and self.bake.positions.shape[1] != self.point_count:
            value, allowed = self.bake.positions.shape, f"(frames, {self.point_count}, 3)"
            raise InvalidDocument(what="the shape of a baked soft body", value=value, allowed=allowed)


@dataclass(frozen=True, kw_only=True)
class SoftWorld(Part):
    """Settings that all soft bodies of a scene share; gravity and the ground are those of its physics."""

    step: float = option(
        1.0 / 60.0,
        label="Time step",
        unit="s",
        least=5e-4,
        most=0.05,
        note="The longest step; a frame is divided into as many equal steps as that takes.",
    )
    tolerance: float = option(
        1e-4, label="Tolerance", least=1e-10, most=0.1, note="Of the residual of a step, relative to its first."
    )
    iterations: int = option(
        30, label="Newton's iterations", least=1, most=200, note="In one step at most; what is left then is said."
    )
    together: bool = option(True, label="Soft bodies touch", note="Whether soft bodies collide with each other.")

    def __post_init__(self) -> None:
        check_options(self)


def _check_track(name: str, track: Track) -> None:
    if track.coordinate != ALPHA:
        raise InvalidDocument(what=f"what the keys of {name} are of", value=track.coordinate, allowed=ALPHA)
    for key in track.keys:
        if not LEAST_ALPHA <= key.value <= MOST_ALPHA:
            allowed = f"{LEAST_ALPHA:g} to {MOST_ALPHA:g}"
            raise InvalidDocument(what=f"a key of the contraction of {name}", value=key.value, allowed=allowed)


def _check_spline(name: str, points: tuple[Vector3, ...], mesh: NDArray[Any]) -> None:
    """Refuse a control point that is far outside of the box around a mesh."""
    low, high = mesh.min(axis=0), mesh.max(axis=0)
    far = _FAR * float((high - low).max())
    for each in points:
        if any(not low[axis] - far <= each[axis] <= high[axis] + far for axis in range(3)):
            raise InvalidDocument(what=f"a control point of {name}", value=each, allowed="one inside the body")


def _length(one: Vector3, other: Vector3) -> float:
    return math.dist(one, other)
