"""Pins as a person makes and reads them: commands that hold a part, and what a pin holds in words and as an icon."""

from __future__ import annotations

from collections.abc import Sequence

from engine.document import Document, Lock, Span
from engine.document.extent import DEFAULT, play_extent
from engine.document.lock import Axis, Held
from engine.document.values import Vector3, new_id
from engine.locks.commands.lock_here import LockHere
from engine.locks.commands.move_lock import Keyed
from engine.runtime.quick_dataclass import dataclass

UP: Vector3 = (0.0, 1.0, 0.0)


@dataclass(frozen=True, kw_only=True)
class HoldingWay:
    """The way to hold a part: at its place, by its orientation, or the centre of mass of its figure."""

    held: Held = "point"
    axes: tuple[Axis, ...] = ()
    normal: Vector3 = UP
    target: str | None = None
    target_joint: str | None = None
    shared: bool = False
    name: str = ""  # of the lock; that of the part, if none is given

    @property
    def of_mass(self) -> bool:
        """True if it is the centre of mass."""
        return self.held in ("centre", "balance")

    def is_of(self, lock: Lock) -> bool:
        """True if a pin holds just this."""
        same = (lock.held, lock.axes, lock.target, lock.target_joint)
        same_way = self.held not in ("line", "plane") or lock.normal == self.normal
        return same == (self.held, self.axes, self.target, self.target_joint) and same_way


def lock_here(document: Document, actor: str, joint: str, what: HoldingWay, time: int, span: Span | None) -> LockHere:
    """Make the command that holds a part as it stands at a time [ticks], over a span or always."""
    return LockHere(
        id=new_id("lock"),
        name=what.name or document.actor(actor).figure.joint(joint).name,
        actor=actor,
        joint=joint,
        held=what.held,
        axes=what.axes,
        normal=what.normal,
        target=what.target,
        target_joint=what.target_joint,
        shared=what.shared,
        span=span,
        time=time,
    )


def span_between(document: Document, alike: Sequence[Lock], time: int) -> Span | None:
    """Find a span for another pin like these, so that it leaves what they hold as it is: from a time at which none of
    them does [ticks], or from the start where none was before, until the next. None, always, where there are none."""
    spans = [lock.span for lock in alike if lock.span is not None]
    if not spans:
        return None
    end = play_extent(document)[1]
    later = [each.start for each in spans if each.start > time]
    return Span(
        start=time if any(each.end <= time for each in spans) else min(0, time),
        end=min(later, default=end if end > time else time + DEFAULT),
    )


def words_of(lock: Lock) -> str:
    """Name what a pin holds."""
    if lock.held == "balance":
        return "balance"
    if lock.held == "centre":
        return "centre of mass"
    turn = "orientation" if len(lock.axes) > 1 else f"axis {lock.axes[0]}" if lock.axes else ""
    place = {"point": "position", "line": "on a line", "plane": "in a plane", "turn": ""}[lock.held]
    return " and ".join(filter(None, (place, turn)))


def icon_of(lock: Lock) -> str:
    """Return the name of the icon that tells what a pin holds, and whether it counts."""
    if lock.mute:
        return "lock-open"
    if lock.held == "point":
        return "axis-3d" if lock.axes else "lock"
    if lock.of_mass:
        return "circle-dot"
    return {"line": "slash", "plane": "square", "turn": "rotate-3d"}[lock.held]


def where_of(document: Document, lock: Lock) -> str:
    """Name what a pin holds on to, in a word or two."""
    if lock.target is None or lock.target_joint is None:
        return "the world"
    target = document.actor(lock.target)
    return target.name if target.figure.is_prop else f"{target.figure.joint(lock.target_joint).name} of {target.name}"


def keyed_of(lock: Lock) -> tuple[Keyed, ...]:
    """List what of a pin can be keyed beside its weight."""
    place: tuple[Keyed, ...] = ("place",) if lock.held in ("point", "line", "plane", "centre") else ()
    return (*place, "turn") if lock.axes else place
