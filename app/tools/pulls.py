"""Pulls: the change that a pull of a manipulator's part or a typed number makes, and its amount as text."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal

import numpy as np

from app.scene.manipulator import AXES, Finger, Manipulator, Part, Pixel, shift, snapped, turn
from app.style.units import ANGLE, LENGTH
from app.tools.movable import AxesOf, Kind, ManipulatorFrame, Movable, Owner, TransformDelta
from app.tools.typed_number import UNITS, TypedNumber
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.scene import Pointer
    from app.scene.camera import Vector
    from app.session import Gesture
    from engine.document import Document
    from engine.model import Snapshot

_SHORT_OF: dict[Kind, float] = {"move": 1e-3, "rotate": math.radians(0.05)}  # [m], [rad] from which it is reported
Grid = Literal["steps", "lines"]
Words = tuple[str, float, bool]  # what is said, by how much it has turned [rad], whether that is a warning


@dataclass(frozen=True, kw_only=True)
class ManipulatorSettings:
    """Settings of manipulators; kept with the preferences."""

    axes: AxesOf = "local"
    snaps: bool = False
    grid: Grid = "steps"  # along the world's axes: by steps from where it was, or to lines of a grid of such steps
    angle_step: float = math.radians(5.0)  # [rad]
    length_step: float = 0.01  # [m]


@dataclass
class Pulled:
    """A pull or a typed number, and the state before it."""

    movable: Movable
    standing: ManipulatorFrame
    before: Snapshot
    part: Part
    change: TransformDelta
    start: Pointer | None = None  # None: typed
    finger: Finger | None = None
    now: Pointer | None = None
    gesture: Gesture | None = None  # None: not far enough for a pull yet
    again: bool = False  # a number that takes the place of a pull that was kept
    after: Document | None = None  # what it led to, once it was kept

    @property
    def kind(self) -> Kind:
        """The kind of the change: move or rotate."""
        return self.change.kind

    @property
    def manipulator(self) -> Manipulator:
        """The manipulator as it was before."""
        return as_drawn(self.standing, self.kind)

    @property
    def is_over(self) -> bool:
        """True if the session has ended the gesture."""
        return self.gesture is not None and self.gesture.is_over


def as_drawn(standing: ManipulatorFrame, kind: Kind) -> Manipulator:
    """Return the manipulator that is drawn at a frame."""
    return Manipulator(kind=kind, origin=standing.place, axes=standing.axes, parts=standing.parts)


def dragged(
    pulled: Pulled, start: Pointer, pixel: Pixel, settings: ManipulatorSettings, *, snaps: bool
) -> TransformDelta | None:
    """Return the change that brings the taken part under the pointer; None where no change does."""
    part, manipulator = pulled.part, pulled.manipulator
    if pulled.kind == "move":
        way = shift(manipulator, part, start.camera, start.size, start.pixel, pixel)
        return None if way is None else _moved(pulled.standing, way, settings, snaps=snaps)
    found = turn(manipulator, part, start.camera, start.size, start.pixel, pixel, pulled.change.angle)
    if found is None:
        return None
    axis, angle = found
    return _turned(pulled.standing, part, axis, snapped(angle, settings.angle_step if snaps else 0.0))


def by_number(pulled: Pulled, part: Part, value: float) -> TransformDelta:
    """Return the change of a typed number: along or about the part's axis; without one along or about that of the pull
    so far."""
    standing = pulled.standing
    if pulled.kind == "rotate":
        axis = standing.axes[AXES.index(part)] if part in AXES else pulled.change.axis
        return _turned(standing, part, axis, value)
    way = np.array(standing.axes[AXES.index(part)] if part in AXES else pulled.change.shift)
    x, y, z = (value * way / max(float(np.linalg.norm(way)), 1e-12)).tolist()
    return TransformDelta(kind="move", shift=(x, y, z))


def words_of(pulled: Pulled, typed: TypedNumber | None, snapshot: Snapshot | None) -> Words:
    """Return the text beside the pointer."""
    change, letter = pulled.change, f"{pulled.part.upper()} " if pulled.part in AXES else ""
    if typed is not None and typed.text:
        unit, (angle, short) = UNITS[pulled.kind].suffix.strip(), _done(pulled, snapshot)
        words = f"{letter}{typed.text}\N{THIN SPACE}|\N{THIN SPACE}{unit}{short}"
        return words, angle, bool(short) or typed.value is None
    if pulled.gesture is None:
        return "", 0.0, False
    angle, short = _done(pulled, snapshot)
    if pulled.kind == "rotate":
        return f"{letter}{_signed(ANGLE.number(angle))}°{short}", angle, bool(short)
    amounts = np.array(pulled.standing.axes) @ change.shift
    letters = "XYZ" if pulled.part == "view" else "".join(sorted(pulled.part.upper()))
    parts = [f"{each} {_signed(LENGTH.number(float(amounts['XYZ'.index(each)])))}" for each in letters]
    return f"{'  '.join(parts)}{LENGTH.suffix}{short}", 0.0, bool(short)


def _moved(standing: ManipulatorFrame, way: Vector, settings: ManipulatorSettings, *, snaps: bool) -> TransformDelta:
    """Return a move along the manipulator's axes, snapped to steps or to a grid."""
    axes, step = np.array(standing.axes), settings.length_step if snaps else 0.0
    to_lines = settings.grid == "lines" and settings.axes == "world"
    amounts = [
        snapped(amount, step, float(axis @ standing.place) if to_lines else 0.0) if amount != 0.0 else 0.0
        for axis, amount in zip(axes, way, strict=True)
    ]
    x, y, z = (np.array(amounts) @ axes).tolist()
    return TransformDelta(kind="move", shift=(x, y, z))


def _turned(standing: ManipulatorFrame, part: Part, axis: Vector, angle: float) -> TransformDelta:
    own: tuple[Owner, Vector] = standing.own[AXES.index(part)] if part in AXES else ("world", axis)
    return TransformDelta(kind="rotate", axis=axis, own=own, angle=angle)


def _done(pulled: Pulled, snapshot: Snapshot | None) -> tuple[float, str]:
    """Return the angle that was reached, and what keeps it from what was asked for, once the newest answer is in."""
    change = pulled.change
    if snapshot is None or pulled.gesture is None or not pulled.gesture.caught_up:
        return change.angle, ""
    if change.kind == "rotate":
        turned = pulled.movable.turned_by(snapshot, pulled.before, change.axis)
        if turned is None:
            return change.angle, ""
        reached = turned + math.tau * round((change.angle - turned) / math.tau)
        missing = abs(reached - change.angle) > _SHORT_OF["rotate"]
        return (reached, " · at its limit") if missing else (change.angle, "")
    now = pulled.movable.stands(snapshot, "move", "world")
    if now is None:
        return 0.0, ""
    by = math.dist(now.place, np.add(pulled.standing.place, change.shift))
    return 0.0, f" · missed by {1000 * by:.0f} mm" if by > _SHORT_OF["move"] else ""


def _signed(number: str) -> str:
    """Format a number with its sign, also above zero."""
    return number if number.startswith("\N{MINUS SIGN}") else f"+{number}"
