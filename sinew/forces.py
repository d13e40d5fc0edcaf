"""Forces of the ground that were measured with a motion, put on a figure."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from sinew.finding import actor_of, prepare

if TYPE_CHECKING:
    from engine.document import Document


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
