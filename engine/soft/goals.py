"""Where soft bodies are to be at some times, and how what brings them there is searched for, as parts of a
document (Engell-Norregard 2012, 104 to 106, 28).

All bodies of a scene that have keyframes are planned together, by the same choices.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Literal, get_args

from engine.document.blobs import Blob, check_form
from engine.document.parts import Part
from engine.document.ticks import ticks
from engine.document.values import Vector3, vector3
from engine.runtime.errors import InvalidDocument
from engine.runtime.options import check_options, option
from engine.runtime.quick_dataclass import dataclass
from engine.soft.parts import LEAST_ALPHA, MOST_ALPHA

Effort = Literal["squares", "sparse"]
EFFORTS: tuple[Effort, ...] = get_args(Effort)


@dataclass(frozen=True, kw_only=True)
class SoftKeyframe:
    """A time at which a soft body is to be somewhere: with its centre of mass, or with all of its points."""

    id: str
    time: int  # [ticks]
    position: Vector3  # [m] of its centre of mass, in the world
    shape: Blob | None = None  # [m] of all points of its mesh about that, float64, shape [point_count, 3]; None: any
    velocity: Vector3 | None = None  # [m/s] of its centre, or of all points alike; None: any
    weight: float = option(1.0, label="Weight", least=0.0, most=1e3, note="w_i, beside those of the other keyframes.")

    def __post_init__(self) -> None:
        check_options(self)
        ticks("the time of a keyframe", self.time)
        object.__setattr__(self, "position", vector3("the place of a keyframe", self.position))
        if self.velocity is not None:
            object.__setattr__(self, "velocity", vector3("the velocity of a keyframe", self.velocity))
        if self.shape is not None:
            count = self.shape.shape[0] if self.shape.shape else 0
            check_form("the shape of a keyframe", self.shape, "<f8", (max(count, 1), 3))


@dataclass(frozen=True, kw_only=True)
class SoftPlan(Part):
    """All that is planned of a soft body: where it is to be, by which of its splines and forces, and from when on."""

    keyframes: tuple[SoftKeyframe, ...] = ()  # in the order of time
    splines: tuple[str, ...] | None = None  # ids of those that may be used; None: all that are not muted
    forces: tuple[str, ...] | None = None  # ids of nodal forces that may be used; None: all that are not muted
    start: int | None = None  # [ticks] until when its splines do what they do now; None: the start of the body

    def __post_init__(self) -> None:
        if self.start is not None:
            ticks("the start of a plan", self.start)
        ordered = tuple(sorted(self.keyframes, key=lambda each: each.time))
        object.__setattr__(self, "keyframes", ordered)
        for what, found in (
            ("the ids of keyframes", [each.id for each in ordered]),
            ("the times of keyframes", [each.time for each in ordered]),
            ("the splines of a plan", list(self.splines or ())),
            ("the forces of a plan", list(self.forces or ())),
        ):
            repeated = [each for each, count in Counter(found).items() if count > 1]
            if repeated:
                raise InvalidDocument(what=what, value=repeated, allowed="each once")

    def keyframe(self, id: str) -> SoftKeyframe | None:
        """The keyframe of that id."""
        return next((each for each in self.keyframes if each.id == id), None)

    def with_keyframe(self, keyframe: SoftKeyframe) -> SoftPlan:
        """The plan with a keyframe in the place of the one of its id, and of one at its time."""
        kept = (each for each in self.keyframes if each.id != keyframe.id and each.time != keyframe.time)
        return replace(self, keyframes=(*kept, keyframe))


@dataclass(frozen=True, kw_only=True)
class SoftPlanChoices(Part):
    """Choices of a plan, which all bodies share."""

    effort: str = option(
        "squares",
        label="Effort",
        choices=EFFORTS,
        labels=("Squares", "Sparse (1-norm)"),
        note="How contraction is counted: |a|^2 / 2, or (|a|_1)^2, which leaves most at rest (104, 106).",
    )
    dear: float = option(1.0, label="Effort counts", least=0.0, most=1e9, note="Weight of effort; a = alpha - 1.")
    calm: float = option(
        0.0, label="Calm counts", least=0.0, most=1e9, note="beta, weight of how alpha changes from knot to knot (106)."
    )
    reach: float = option(
        1e4, label="Keyframes count", unit="1/m2", least=0.0, most=1e12, note="mu, of the mean square miss (105)."
    )
    velocity_time: float = option(
        0.1, label="Velocity counts as", unit="s", least=0.0, most=100.0, note="How long a wrong velocity goes on."
    )
    spacing: float = option(
        0.1, label="Knots every", unit="s", least=1e-3, most=100.0, note="Alpha goes straight between its knots."
    )
    least: float = option(0.5, label="Least alpha", least=LEAST_ALPHA, most=1.0, note="As far as splines contract.")
    most: float = option(1.6, label="Most alpha", least=1.0, most=MOST_ALPHA, note="As far as splines extend.")
    tolerance: float = option(
        1e-7, label="Tolerance", least=1e-10, most=0.1, note="Of steps; finer ones have truer gradients."
    )
    iterations: int = option(
        60, label="Iterations", least=1, most=10_000, note="Of L-BFGS, at most; for each keyframe where these follow."
    )
    staged: bool = option(
        True,
        label="One after the other",
        note="Searches for the first keyframe, then for the first two, and so on: a landing follows from a leap. Else "
        "for all at once, to go on from what was found.",
    )

    def __post_init__(self) -> None:
        check_options(self)
