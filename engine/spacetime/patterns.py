"""Which derivatives of a problem can be other than zero: what each constraint and each pair of variables reads.

Kernels write derivatives by all coefficients of a piece. Where a solver takes a zero for a tie between two unknowns it
does no harm to the answer, but much to the time: a blow at the end of a stage would be tied to all of it.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import BoolArray
from engine.spacetime.layout import PackedProblem
from engine.spacetime.probes import BLOW, RATE, VALUE, PackedProbes


def _widen(functions: BoolArray, length: BoolArray) -> BoolArray:
    """From functions to local coefficients: each has four; the length comes last."""
    found: BoolArray = np.concatenate([np.repeat(functions, 4, axis=-1), length[..., None]], axis=-1)
    return found


def equation_reads(packed: PackedProblem) -> BoolArray:
    """Tell what the trial functions of coordinates read: [4 coordinates, 4 functions + 1]."""
    functions, n = packed.kinds.shape[1], packed.rows.shape[1]
    reads = np.zeros((n, functions), bool)
    reads[:, :n] = True
    reads[packed.muscles, n + np.arange(len(packed.muscles))] = True
    forces = n + len(packed.muscles)
    reads[:, forces : forces + len(packed.forces)] = True
    return np.repeat(_widen(reads, np.ones(n, bool)), 4, axis=0)


def probe_reads(packed: PackedProblem, probes: PackedProbes) -> BoolArray:
    """Tell what probes read: [probes, 4 functions + 1]."""
    functions, n = packed.kinds.shape[1], packed.rows.shape[1]
    reads = np.zeros((len(probes.kinds), functions), bool)
    own = (probes.kinds == VALUE) | (probes.kinds == RATE) | (probes.kinds == BLOW)
    reads[np.flatnonzero(own), probes.subjects[own]] = True
    reads[probes.kinds > RATE, :n] = True
    return _widen(reads, (probes.kinds != VALUE) & (probes.kinds != BLOW))


def pair_reads(packed: PackedProblem, probes: PackedProbes) -> BoolArray:
    """Which pairs of coefficients of a piece have a second derivative: [pieces, 4 functions + 1, 4 functions + 1]."""
    functions, n = packed.kinds.shape[1], packed.rows.shape[1]
    muscles, forces = len(packed.muscles), len(packed.forces)
    pairs = np.zeros((functions + 1, functions + 1), bool)
    pairs[:n, :n] = True
    at = n + np.arange(muscles)
    pairs[at, at] = pairs[at, packed.muscles] = pairs[packed.muscles, at] = True
    pairs[n + muscles : n + muscles + forces, :n] = True
    pairs[-1, : n + muscles + forces] = pairs[-1, -1] = True
    found = np.repeat(pairs[None], len(packed.pieces), axis=0)
    blown = probes.kinds == BLOW
    found[probes.pieces[blown], probes.subjects[blown], :n] = True
    wide = np.r_[np.repeat(np.arange(functions), 4), functions]
    return np.asarray(found[:, wide[:, None], wide])


__all__ = ["equation_reads", "pair_reads", "probe_reads"]
