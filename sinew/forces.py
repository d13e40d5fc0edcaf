"""Forces of the ground that were measured with a motion: put on a figure, and a motion that agrees with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from sinew.finding import actor_of, evaluator, free_id, prepare

if TYPE_CHECKING:
    from engine.document import Document
    from engine.maths.arrays import Array


def put_forces(
    document: Document,
    forces: str | Path,
    *,
    actor: str | None = None,
    on: Mapping[str, str] | None = None,
    motion: str | Path | None = None,
    low_pass: float | None = None,
    felt: bool = False,
) -> tuple[Document, tuple[str, ...]]:
    """Put the measured forces of a file (MOT, STO, C3D) on a figure, each on the foot that is nearest, or by `on` on
    the joint that it names; what is said of it. First move the figure as the coordinates of a file say (`motion`), and
    take what is faster than some hertz out of its motion (`low_pass`). Where they are `felt`, a simulation pushes the
    figure with them, in place of the ground below their bodies."""
    from engine.cli.measured_trial import MeasuredTrial

    owner = actor_of(document, actor)
    prepare(document, "motion")
    trial = MeasuredTrial(
        motion=None if motion is None else Path(motion),
        low_pass=low_pass,
        forces=Path(forces),
        on=tuple(f"{plate}={joint}" for plate, joint in (on or {}).items()),
        felt=felt,
    )
    return trial.put_on(document, owner.id)


@dataclass(frozen=True, eq=False)
class ReducedMotion:
    """A document with a motion that agrees better with its measured forces, and what is left at the root."""

    document: Document = field(repr=False)
    words: tuple[str, ...]  # what is left and by how much what changed
    times: Array = field(repr=False)  # [s]
    residuals_before: Array = field(repr=False)  # [N], [N m] at the root's rates, shape [len(times), rates]
    residuals: Array = field(repr=False)
    changes: dict[str, Array] = field(repr=False)  # [rad], [m] of each degree of freedom


def reduce_residuals(
    document: Document,
    *,
    actor: str | None = None,
    start: float | None = None,
    end: float | None = None,
    trunk: str | None = None,
    degrees: float = 3.0,
    centimetres: float = 3.0,
    knots: float = 0.05,
) -> ReducedMotion:
    """Change the motion of a figure with measured forces a little, from one time to another [s], so that little is left
    at its root that nobody gives: hinges and slides by so many degrees and centimetres at most, on splines with a knot
    every so many seconds; and the mass centre of a trunk, the heaviest body if it is not named, "none" to let it be."""
    from engine.cli.residuals import find_reduction
    from engine.document.ticks import TICKS_PER_SECOND

    owner = actor_of(document, actor)
    prepare(document, "motion", "dynamics")
    made = find_reduction(
        document,
        actor=owner.id,
        start=start,
        end=end,
        trunk=trunk,
        degrees=degrees,
        centimetres=centimetres,
        spacing=knots,
        layer=free_id("residual_reduction", {each.id for each in owner.layers}),
        evaluator=evaluator(),
    )
    found = made.found
    return ReducedMotion(
        made.edit.apply(document),
        made.words,
        found.times / TICKS_PER_SECOND,
        found.before,
        found.after,
        dict(zip(found.coordinates, found.changed.T, strict=True)),
    )
