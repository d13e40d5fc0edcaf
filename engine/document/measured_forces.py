"""Measured forces on a figure: what force plates, a treadmill or a handle measured while a motion was captured.

OpenSim calls them external loads. Each is on the body of one joint: a force, the point where it acts, and a torque
about that point beside what the force does there, at a steady rate.
"""

from __future__ import annotations

from functools import partial

from engine.document.blobs import Blob, check_form, check_range
from engine.document.conformance import check_fields
from engine.document.figure import Figure
from engine.document.parts import Part
from engine.document.ticks import Rate, check_rate, frame_time, ticks
from engine.runtime.errors import InvalidDocument
from engine.runtime.quick_dataclass import dataclass

FORCE, POINT, TORQUE = slice(0, 3), slice(3, 6), slice(6, 9)  # columns of the values
CHANNELS = 9
LARGEST = 1e9  # [N], [m], [N m]


@dataclass(frozen=True, kw_only=True)
class MeasuredForce(Part):
    """The force on one body over time; before and after it nothing is known."""

    id: str
    name: str
    joint: str  # on whose body it acts
    values: Blob  # force [N], point [m] and free torque [N m], float64, shape [frame_count, 9]
    rate: Rate  # frames in so many seconds
    start: int = 0  # tick of the first frame
    frame: str | None = None  # the joint in whose axes, and from whose origin, they are given; None: the world
    mute: bool = False  # left out for now

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InvalidDocument(what="the name of a measured force", value=self.name, allowed="some text")
        ticks(f"the start of {self.name}", self.start)
        shape = self.values.shape
        if len(shape) != 2 or shape[0] < 1 or shape[1] != CHANNELS:
            allowed = f"(frames, {CHANNELS}): force, point and torque, one frame or more"
            raise InvalidDocument(what=f"the shape of {self.name}", value=shape, allowed=allowed)
        check_form(f"the numbers of {self.name}", self.values, "<f8", shape)
        self.values.check(partial(check_range, f"the numbers of {self.name}", -LARGEST, LARGEST))
        check_rate(f"the rate of {self.name}", self.rate)
        ticks(f"the end of {self.name}", self.end)

    @property
    def frame_count(self) -> int:
        """Number of frames."""
        return self.values.shape[0]

    @property
    def end(self) -> int:
        """The tick of the last frame."""
        return self.start + frame_time(self.frame_count - 1, self.rate)


@dataclass(frozen=True, kw_only=True)
class MeasuredForces(Part):
    """All that was measured on a figure. From the first to the last frame of any of them they are all that acts on it
    from outside, beside gravity."""

    forces: tuple[MeasuredForce, ...] = ()
    felt: bool = False  # whether physics pushes the figure with them while it is simulated, in place of the ground

    def __post_init__(self) -> None:
        check_fields(MeasuredForces, (("felt", self.felt),), of="measured forces")
        ids = [each.id for each in self.forces]
        if len(set(ids)) < len(ids):
            twice = next(id for id in ids if ids.count(id) > 1)
            raise InvalidDocument(what="the ids of measured forces", value=twice, allowed="each once")

    def holds(self, id: str) -> bool:
        """Tell whether it has a force of that id."""
        return self.of(id) is not None

    def of(self, id: str) -> MeasuredForce | None:
        """The force of that id."""
        return next((each for each in self.forces if each.id == id), None)

    def on(self, figure: Figure) -> tuple[MeasuredForce, ...]:
        """The forces on bodies of a figure, given in the world or in the frame of one of its joints."""
        known = figure.joint_index
        return tuple(
            each for each in self.forces if each.joint in known and (each.frame is None or each.frame in known)
        )
