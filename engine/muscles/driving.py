"""MuscleDrive: muscles that pull at the bones while physics simulates them (Si 2013, 3.2.1).

A path of length l pulls with the torque  -dl/dq F  on each rate. F is taken where the path will be at the end of the
step, l + dt l', as backward Euler has it, and falls with the rate by  c = dF/dl' + dt dF/dl. The matrix  dt sum c g g',
g = dl/dq, that the mass matrix would grow by is bounded by its diagonal  dt sum c |g_j| sum_k |g_k|,  so that the step
stays one of O(n) and stable; it delays a change of speed and nothing else: what rests, rests where forces balance.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.limits.inlined import plain
from engine.maths.arrays import Array, IntArray
from engine.muscles.compiled import MuscledFigure
from engine.muscles.elastic import write_force
from engine.muscles.hill import BY_LENGTH, BY_RATE, FORCES, PULL, STRENGTH
from engine.muscles.keyed import activations_at
from engine.muscles.parts import MuscleActivations
from engine.runtime.borrowing import borrowing
from engine.runtime.errors import Diverged
from engine.runtime.jit import kernel

TEARS = 100.0  # times the greatest force: what stretches a muscle so far is a fault of its lengths


class MuscleDrive:
    """The muscles of one actor, activated as it says (`engine.evaluation.Drive`); used by one thread."""

    def __init__(self, figure: MuscledFigure, activations: MuscleActivations) -> None:
        self._figure = figure
        keyed = tuple(each for each in activations.activations if each.track is not None or each.expression)
        still = tuple(each for each in activations.activations if each.track is None and not each.expression)
        self._keyed = replace(activations, activations=keyed)
        self._constant: Array = activations_at(MuscleActivations(activations=still), figure.numbers, np.zeros(1))[0]
        self._model = figure.force_model
        self._strengths = figure.strengths.ravel()
        self._forces = np.zeros(FORCES * figure.paths.count)
        self._lengths, self._gradient = np.zeros(figure.paths.count), np.zeros(figure.paths.entry_count)

    def torques(self, time: float, q: Array, qd: Array, dt: float) -> tuple[Array, Array]:
        """Give what the muscles pull with on all rates, and by how much that falls as each rises, times dt."""
        figure, paths = self._figure, self._figure.paths
        active = self.active(time, q, qd, dt)
        figure.write_entries(np.ascontiguousarray(q), self._lengths, self._gradient)
        torque, giving = np.zeros(figure.model.rate_count), np.zeros(figure.model.rate_count)
        torn = pull_joints(
            self._model, self._strengths, paths.rows, paths.columns, self._lengths, self._gradient,
            np.ascontiguousarray(qd), active, dt, self._forces, torque, giving,
        )  # fmt: skip
        if torn >= 0:
            muscle, value = figure.muscles.muscles[torn], float(self._forces[FORCES * torn])
            allowed = f"at most {TEARS:g} times its greatest force; give it longer fibres or a longer tendon"
            raise Diverged(what=f"the pull of {muscle.name} [N]", value=value, allowed=allowed)
        return torque, giving

    def active(self, time: float, q: Array, qd: Array, dt: float) -> Array:
        """How activated the muscles are in the middle of a step, at whose beginning the figure stands and moves so."""
        if not self._keyed.activations:
            return self._constant
        found: Array = self._constant + activations_at(self._keyed, self._figure.numbers, np.array([time]))[0]
        return found


@borrowing
@kernel
def pull_joints(
    model: int, strengths: Array, rows: IntArray, columns: IntArray, lengths: Array, gradient: Array, qd: Array,
    activations: Array, dt: float, out_forces: Array, out_torque: Array, out_giving: Array,
) -> int:  # fmt: skip
    """Add the torques of muscles, and by how much they fall; entries of a muscle follow each other. Return the first
    muscle that tears, since passive fibres grow stiffer without bound, or -1."""
    first, count, torn = 0, rows.shape[0], -1
    for muscle in range(lengths.shape[0]):
        last, rate, reach = first, 0.0, 0.0
        while last < count and rows[plain(last)] == muscle:
            rate += gradient[plain(last)] * qd[plain(columns[plain(last)])]
            reach += abs(gradient[plain(last)])
            last += 1
        at = FORCES * muscle
        write_force(
            model, strengths, STRENGTH * muscle, lengths[muscle] + dt * rate, rate, activations[muscle], out_forces, at
        )
        pull = out_forces[at + PULL]
        if torn < 0 and not abs(pull) <= TEARS * strengths[STRENGTH * muscle]:
            torn = muscle
        falls = dt * max(out_forces[at + BY_RATE] + dt * out_forces[at + BY_LENGTH], 0.0) * reach
        for each in range(first, last):
            arm, column = gradient[plain(each)], plain(columns[plain(each)])
            out_torque[column] -= arm * pull
            out_giving[column] += falls * abs(arm)
        first = last
    return torn
