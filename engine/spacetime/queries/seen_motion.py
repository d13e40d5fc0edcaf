"""SeenMotion: one motion that a search has come to, an iterate or a result, as views show it.

What it is at each time is worked out when it is first asked for, without a kernel. Importing this module loads none.
"""

from __future__ import annotations

from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from engine.document.ticks import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.maths.arrays import Array
    from engine.spacetime.motions import PlannedMotion
    from engine.spacetime.planned import CompiledMotion

MotionState = Literal["searching", "solved", "no way", "tired", "stopped"]
APART = 1 / 60  # [s] between the times at which it is sampled, at most


@dataclass(frozen=True, kw_only=True)
class MotionMiss:
    """A demand that is missed: whose it is, when, by how much, and where in the world where it is of a place."""

    constraint: str  # id of the document's constraint; empty: of the laws of motion, a bound or a contact
    seconds: float  # from the beginning of the motion
    words: str
    place: Vector3 | None = None
    actor: str = ""  # id of the actor of whose plan it is


@dataclass(frozen=True, kw_only=True)
class StageSpan:
    """A stage as long as it is in a motion [s from its beginning]."""

    stage: str  # id
    begins: float
    length: float

    @property
    def ends(self) -> float:
        """Its end."""
        return self.begins + self.length


@dataclass(frozen=True, eq=False)
class SeenMotion:
    """A motion and what the search says of it."""

    actor: str
    start: int  # [ticks] of the document at which it begins
    iteration: int
    objective: float
    violation: float  # the worst one
    state: MotionState
    planned: PlannedMotion
    compiled: CompiledMotion  # the problem that it is a motion of
    misses: tuple[MotionMiss, ...] = ()  # the worst first
    together: dict[str, SeenMotion] = field(default_factory=dict)
    """By id, where actors meet: those of all, found in one search, this one among them."""

    @property
    def others(self) -> tuple[SeenMotion, ...]:
        """Those of the actors that it meets, and that they meet in turn."""
        return tuple(each for each in self.together.values() if each is not self)

    @cached_property
    def stages(self) -> tuple[StageSpan, ...]:
        """Its stages, as long as they are."""
        begins, found = 0.0, []
        for stage, length in zip(self.compiled.plan.stages, self.planned.lengths.tolist(), strict=True):
            found.append(StageSpan(stage=stage.id, begins=begins, length=length))
            begins += length
        return tuple(found)

    @property
    def duration(self) -> float:
        """Its length [s]."""
        return self.stages[-1].ends

    @property
    def end(self) -> int:
        """The tick of the document at which it ends."""
        return self.tick(self.duration)

    def tick(self, seconds: float) -> int:
        """The tick of the document at a time of the motion."""
        return self.start + round(seconds * TICKS_PER_SECOND)

    def seconds(self, tick: int) -> float:
        """The time of the motion at a tick of the document, within it."""
        return min(max((tick - self.start) / TICKS_PER_SECOND, 0.0), self.duration)

    def values(self, seconds: float) -> dict[str, float]:
        """Values of the figure's degrees of freedom at a time, by id."""
        return dict(self.compiled.pose(self.planned, seconds))

    @cached_property
    def times(self) -> Array:
        """Times at which torques are sampled [s]."""
        import numpy as np

        found: Array = np.linspace(0.0, self.duration, max(2, round(self.duration / APART) + 1))
        return found

    @cached_property
    def torques(self) -> dict[str, Array]:
        """Torques of the muscles at those times [N m], by degree of freedom. For the engine's thread: where they are
        computed from the motion that takes kernels."""
        return self.compiled.torque_samples(self.planned, self.times.tolist())

    @property
    def known_torques(self) -> dict[str, Array] | None:
        """Those torques, once the engine's thread has worked them out."""
        return self.__dict__.get("torques")
