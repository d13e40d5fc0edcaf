"""arm_curves: the live job that works out a muscle's moment arm over the range of a degree of freedom.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, cast

from engine.document import Document
from engine.muscles.uses import muscles_of
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class ArmCurve:
    """A moment arm over a range, all other degrees of freedom as they are at a time."""

    actor: str
    muscle: str
    dof: str
    values: tuple[float, ...]  # [rad] or [m]
    arms: tuple[float, ...]  # [m] about a hinge; along a slide a share
    now: float  # [rad] or [m] at the time

    @property
    def now_arm(self) -> float:
        """The moment arm there [m], between the nearest two."""
        before = [place for place, value in enumerate(self.values) if value <= self.now]
        place = min(max(before[-1] if before else 0, 0), len(self.values) - 2)
        low, high = self.values[place], self.values[place + 1]
        share = min(max((self.now - low) / (high - low), 0.0), 1.0)
        return self.arms[place] + share * (self.arms[place + 1] - self.arms[place])


def arm_curves(
    evaluator: Evaluation, document: Document, actor: str, time: int, muscle: str, dof: str
) -> Generator[ArmCurve | None, None, None]:
    """Answers once."""
    yield None
    owner = document.actor(actor) if actor in document.actor_index else None
    found = None if owner is None else muscles_of(owner)
    if owner is None or found is None or found.muscle(muscle) is None or dof not in owner.figure.coordinate_index:
        return
    from engine.muscles.ranges import arms_over
    from engine.muscles.stage import NAME, MusclesStage

    muscled = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, found)
    q = evaluator.coordinates(document, actor, [time])[0]
    over, column = arms_over(muscled, q, dof), muscled.numbers[muscle]
    yield ArmCurve(
        actor=actor,
        muscle=muscle,
        dof=dof,
        values=tuple(over.values.tolist()),
        arms=tuple(over.arms[:, column].tolist()),
        now=float(q[owner.figure.coordinate_index[dof]]),
    )
