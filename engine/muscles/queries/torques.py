"""muscle_torques: the live job that works out the torque of a muscle about each degree of freedom that it crosses.

With the moment arm r = −dl/dq and the force F along the tendon, τ = r F. Runs on the engine's thread; importing this
module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING, cast

from engine.document import Document
from engine.document.values import Vector3
from engine.muscles.crossing import dofs_crossed
from engine.muscles.uses import muscles_of
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation


@dataclass(frozen=True, kw_only=True)
class MuscleTorque:
    """The torque about a hinge, or the force along a slide."""

    dof: str
    turns: bool
    torque: float  # [N m], or [N] along a slide
    place: Vector3  # [m] in the world, of the joint
    axis: Vector3  # of length 1, in the world


@dataclass(frozen=True, kw_only=True)
class MuscleTorques:
    """All of one muscle at a time."""

    actor: str
    time: int
    muscle: str
    length: float  # [m] of the muscle with its tendon
    torques: tuple[MuscleTorque, ...]


def muscle_torques(
    evaluator: Evaluation, document: Document, actor: str, time: int, muscle: str
) -> Generator[MuscleTorques | None, None, None]:
    """Answers once."""
    yield None
    owner = document.actor(actor) if actor in document.actor_index else None
    found = None if owner is None else muscles_of(owner)
    own = None if found is None else found.muscle(muscle)
    if owner is None or own is None:
        return
    from engine.muscles.stage import NAME, MusclesStage

    measured = cast(MusclesStage, evaluator.stage(NAME)).measured(document, actor, [time])
    row, number = evaluator.rows_at(document, [time], of=(actor,))[0][actor], measured.figure.numbers[muscle]
    arms, axes, places = measured.figure.arms(row, number)
    force, figure = float(measured.forces[0, number]), owner.figure
    yield MuscleTorques(
        actor=actor,
        time=time,
        muscle=muscle,
        length=float(measured.lengths[0, number]),
        torques=tuple(
            MuscleTorque(
                dof=dof.id,
                turns=dof.kind == "hinge",
                torque=float(arms[figure.rate_index[dof.id]]) * force,
                place=_vector(places[figure.joint_index[figure.dof_joint[dof.id].id]].tolist()),
                axis=_vector(axes[figure.rate_index[dof.id]].tolist()),
            )
            for dof in dofs_crossed(figure, own)
        ),
    )


def _vector(numbers: list[float]) -> Vector3:
    x, y, z = numbers
    return x, y, z
