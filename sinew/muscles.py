"""Muscles of a scene: what they measure at a time, over a joint's range, and activated for a motion."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sinew.finding import evaluator, prepare

if TYPE_CHECKING:
    from engine.document import Document
    from engine.maths.arrays import Array


@dataclass(frozen=True, eq=False)
class MeasuredArms:
    """Lengths and moment arms of muscles over a range, by their ids; arrays of shape [step_count]."""

    values: Array  # of the degree of freedom [rad or m]
    lengths: dict[str, Array]  # [m]
    arms: dict[str, Array]  # [m] about a hinge


def muscle_forces(
    document: Document, time: float = 0.0, *, actor: str | None = None
) -> dict[str, tuple[float, float, float]]:
    """Give the length [m], the rate [m/s] and the force [N] of each muscle at a time [s], by its id, along the motion
    as it is seen and with its activation there."""
    from engine.cli.muscles import muscled
    from engine.muscles.stage import NAME
    from engine.queries.naming import ticks_of

    owner, muscles = muscled(document, actor)
    prepare(document, "muscles")
    found = evaluator().stage(NAME).measured(document, owner.id, [ticks_of(time, "the time")])  # type: ignore[attr-defined]
    numbers = zip(found.lengths[0].tolist(), found.rates[0].tolist(), found.forces[0].tolist(), strict=True)
    return dict(zip((each.id for each in muscles.muscles), numbers, strict=True))


def moment_arms(
    document: Document,
    dof: str,
    *,
    actor: str | None = None,
    time: float = 0.0,
    span: tuple[float, float] | None = None,
    steps: int = 61,
) -> MeasuredArms:
    """Measure all muscles of an actor while one degree of freedom goes through its range, or a span [rad or m], all
    others as they are at a time [s]."""
    from engine.cli.muscles import muscled, over_range

    owner, muscles = muscled(document, actor)
    prepare(document, "muscles")
    found = over_range(document, owner, muscles, dof, time=time, span=span, steps=steps)
    ids = [each.id for each in muscles.muscles]
    return MeasuredArms(
        found.values, dict(zip(ids, found.lengths.T, strict=True)), dict(zip(ids, found.arms.T, strict=True))
    )


@dataclass(frozen=True, eq=False)
class Activated:
    """A document whose muscles are activated for their figure's motion, and what they lack."""

    document: Document = field(repr=False)
    lacking: tuple[str, ...]  # in words, the most first
    times: Array = field(repr=False)  # [s]
    activations: dict[str, Array] = field(repr=False)  # by the ids of muscles, before keys are made of them
    required: dict[str, Array] = field(repr=False)  # [N m], of slides [N], by degrees of freedom
    reserves: dict[str, Array] = field(repr=False)  # of these what muscles do not give


def activate(
    document: Document,
    *,
    actor: str | None = None,
    start: float | None = None,
    end: float | None = None,
    rate: tuple[int, int] | None = None,
    cost: str = "squares",
    method: str = "static",
) -> Activated:
    """Activate the muscles of an actor for its motion from one time to another [s], all that is played if left out, so
    that the squares or cubes of activations are least: by static optimisation, or by computed muscle control
    ("control"; "assisted" by motors that give what muscles lack, "held" by them alone where the motion keeps joints
    still), so that physics plays them forward."""
    import numpy as np

    from engine.cli.muscle_activations import find_activations
    from engine.document.ticks import TICKS_PER_SECOND

    prepare(document, "muscles", "dynamics")
    found = find_activations(document, actor=actor, start=start, end=end, rate=rate, cost=cost, method=method)
    shares = found.shares
    return Activated(
        found.edit.apply(document),
        found.lacking,
        np.array(shares.times) / TICKS_PER_SECOND,
        dict(zip(shares.muscles, shares.activations.T, strict=True)),
        dict(zip(shares.figure.rates, shares.required.T, strict=True)),
        dict(zip(shares.figure.rates, shares.reserves.T, strict=True)),
    )


def put_activations(
    document: Document, path: str | Path, *, actor: str | None = None, tolerance: float | None = None
) -> tuple[Document, tuple[str, ...]]:
    """Key the muscles of a figure as the columns of a file (STO, MOT) say that have their names, with few keys that are
    off by a tolerance at most, 0.01 if not said; what was taken, what is missing and what was left out, in words."""
    from engine.cli.muscle_activations import take_activations

    prepare(document, "muscles")
    found = take_activations(document, Path(path), actor=actor, tolerance=tolerance)
    return found.edit.apply(document), found.words
