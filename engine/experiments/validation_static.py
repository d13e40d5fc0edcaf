"""Static optimisation beside scipy's non-negative least squares: the same activations for the same torques.

Both make sum a^2/2 + sum (r/rho)^2/2 least with A a + r = tau, a >= 0; scipy's `nnls` gets it as one system of rows
(a; A a / rho) and (0; tau / rho). Torques are such as weak activations give, so that no activation comes to 1, which
scipy's solver does not know of. Nothing moves meanwhile: where muscles shorten, Thelen's forces bend with the
activation, and the programme is no quadratic one. Packages of Sinew leave scipy's solver out, so it is looked for.
"""

from __future__ import annotations

from importlib import import_module

import numpy as np

from engine.experiments.anatomy import anatomy
from engine.experiments.result import Claim, Table
from engine.experiments.validation_arms import model_of
from engine.maths.arrays import Array
from engine.muscles.compiled import MuscledFigure
from engine.muscles.static import RESERVE, FrameSharing

LIKE = 1e-4  # of activations
_STRONG = 0.3  # of the activations whose torques are asked for, at most


def compare_static(seed: int, frames: int) -> tuple[Table, Claim]:
    """Compare activations of drawn poses and torques on the skeleton and the models that are at hand."""
    figures = {"Sinew's skeleton": anatomy()} | {
        name: found for name in ("gait2392", "arm26") if (found := model_of(name)) is not None
    }
    rows = []
    for name, muscled in figures.items():
        random = np.random.default_rng(seed)
        off = [_apart(muscled, random) for _ in range(frames)]
        sharing = FrameSharing(muscled, (), "squares")
        rows.append((name, muscled.paths.count, len(sharing.moved), frames, float(max(off))))
    claim = Claim(
        source="scipy's least squares finds the same activations, to 1e-4",
        ours="; ".join(f"{name} {off:.0e}" for name, _, _, _, off in rows),
        agrees=all(row[-1] <= LIKE for row in rows),
    )
    columns = ("figure", "muscles", "torques", "frames", "most_apart")
    return Table(name="static_optimisation", columns=columns, rows=tuple(rows)), claim


def _apart(muscled: MuscledFigure, random: np.random.Generator) -> float:
    """How far activations of one drawn pose are apart, at most."""
    figure, sharing = muscled.model.figure, FrameSharing(muscled, (), "squares")
    q = muscled.model.rest.copy()
    for dof in figure.dofs:
        if dof.kind == "hinge" and not dof.driven and dof.lower is not None and dof.upper is not None:
            low, high = max(dof.lower, -1.5), min(dof.upper, 1.5)
            q[figure.coordinate_index[dof.id]] = low + (high - low) * random.uniform(0.3, 0.7)
    qd = np.zeros(muscled.model.rate_count)
    slope, passive = _torques(muscled, q)
    wanted = passive + slope @ (_STRONG * random.random(muscled.paths.count) ** 3)
    ours, _, _ = sharing.share(q, qd, wanted)
    moved = sharing.moved
    matrix = np.concatenate([np.eye(muscled.paths.count), slope[moved] / RESERVE])
    right = np.concatenate([np.zeros(muscled.paths.count), (wanted - passive)[moved] / RESERVE])
    theirs, _ = import_module("scipy.optimize").nnls(matrix, right, maxiter=10 * muscled.paths.count)
    return float(np.abs(ours - theirs).max())


def _torques(muscled: MuscledFigure, q: Array) -> tuple[Array, Array]:
    """Torques of each muscle in full less those at rest, shape [rates, muscles], and of all at rest."""
    lengths, gradient = muscled.measure(q)
    still = np.zeros(len(lengths))
    none, full = (muscled.forces(lengths, still, np.full(len(lengths), active)) for active in (0.0, 1.0))
    return -gradient.T * (full - none), -gradient.T @ none
