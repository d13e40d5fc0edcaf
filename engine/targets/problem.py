"""Problems of the inverse search: a figure that follows its keyed motion, and targets.

Times [ticks]; corrections [rad, m].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

import numpy as np

from engine.document.correction import Bell
from engine.kinodynamics.keyed import Keyed, KeyedMotion, known_of
from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array
from engine.runtime.errors import InvalidArguments
from engine.runtime.quick_dataclass import dataclass
from engine.targets.corrections import Corrections, add_to_motion
from engine.targets.equations import TimedGoal
from engine.targets.nodes import read_terms
from engine.targets.options import Effort, Secant, Update


@dataclass(frozen=True, kw_only=True, eq=False)
class NullSpaceEdit:
    """A null-space edit: a change of the corrections at a time; targets stay met (section 8.1)."""

    bell: Bell
    change: Array  # of f at that time [rad or m], by rates


@dataclass(frozen=True, kw_only=True, eq=False)
class TargetProblem:
    """A secondary motion and the targets that it is to meet."""

    kino: KinoModel
    keyed: Keyed
    goals: tuple[TimedGoal, ...]
    update: Update = field(default_factory=Secant)
    effort: Effort = field(default_factory=Effort)
    mobility: Array | None = None  # per rate, see `mobility_of`, which gives it if it is None
    start: Corrections | None = None  # what is known already, taken at the times where there are targets
    null_space_edits: tuple[NullSpaceEdit, ...] = ()
    limited: bool = False  # whether corrections may not make joints much faster than they are without (`speeds.py`)
    hasty: bool = False  # whether poses at every frame are met one after the other or not at all


def check_null_space_edits(problem: TargetProblem) -> None:
    """Refuse null-space edits that are no numbers for each rate."""
    for change in problem.null_space_edits:
        count = problem.kino.mechanics.rate_count
        if change.change.shape != (count,) or not np.isfinite(change.change).all():
            raise InvalidArguments(what="a null-space edit", value=change.change, allowed=f"{count} finite numbers")


def corrected(kino: KinoModel, keyed: Keyed, corrections: Sequence[Corrections]) -> Keyed:
    """The keyed motion with corrections, as a keyed motion: just as windows read it in the search and on screen."""
    ints, known = kino.mechanics.ints, known_of(keyed)

    def moved(times: Array) -> Array:
        motion = keyed(times)
        for each in corrections:
            f = read_terms(kino, each.basis, times)[: motion.shape[1]] @ each.coefficients
            motion = add_to_motion(ints, motion, f)
        return motion

    return KeyedMotion(moved, keyed if known.meant is None else known.meant, known.jumps)
