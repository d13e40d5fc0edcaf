"""Figures whose hinges are limited by fields: their boxes with a bite taken out, and regions of samples."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.document import Blob, Figure, Joint, Limit
from engine.document.limit import Grid, GridRange, Range, SampledRange
from engine.ik.problem import Problem
from engine.ik.region_kernels import measure_regions
from engine.ik.solver import Answer
from engine.maths.arrays import Array

KINDS = ("bitten", "sampled")
WIDEST = 2.8  # [rad] either way, of a hinge without limits
_NODES = {1: 33, 2: 17, 3: 13}


def with_fields(figure: Figure, kind: str, kept: Sequence[Array] = ()) -> Figure:
    """The figure with a field over the hinges of each joint, in which these poses are allowed."""
    chance = np.random.default_rng(len(figure.joints))
    limits = [limit for joint in figure.joints if (limit := _limit(figure, joint, kind, kept, chance)) is not None]
    return replace(figure, limits=tuple(limits))


def keeps_regions(problem: Problem, answer: Answer) -> bool:
    """Whether an answer is in every region, to the 1e-9 that limits hold to."""
    return bool(measure_regions(problem.regions.buffers, answer.q) <= 1e-9)


def _limit(figure: Figure, joint: Joint, kind: str, kept: Sequence[Array], chance: np.random.Generator) -> Limit | None:
    hinges = [dof for dof in joint.dofs if dof.kind == "hinge"][:3]
    if not hinges:
        return None
    lower = np.array([-WIDEST if dof.lower is None else dof.lower for dof in hinges])
    upper = np.array([WIDEST if dof.upper is None else dof.upper for dof in hinges])
    size, count = len(hinges), _NODES[len(hinges)]
    span = upper - lower + 0.4
    spacing = tuple((span / (count - 1)).tolist())
    first = tuple((lower - 0.2).tolist())
    grid = Grid(counts=(count,) * size, lower=first, spacing=spacing, periodic=(False,) * size)
    places = [figure.coordinate_index[dof.id] for dof in hinges]
    own = np.array([pose[places] for pose in kept]).reshape(-1, size)
    content = _samples(lower, upper, own, chance) if kind == "sampled" else _bitten(grid, lower, upper, own, chance)
    margin = 0.35 if kind == "sampled" else 0.0
    dofs = tuple(dof.id for dof in hinges)
    return Limit(id=joint.id, name=joint.name, dofs=dofs, range=content, grid=grid, margin=margin)


def _samples(lower: Array, upper: Array, own: Array, chance: np.random.Generator) -> Range:
    inner = 0.15 * (upper - lower)
    angles = np.vstack((own, chance.uniform(lower + inner, upper - inner, (12, len(lower)))))
    return SampledRange(angles=Blob(angles), clips=(len(angles),))


def _bitten(grid: Grid, lower: Array, upper: Array, own: Array, chance: np.random.Generator) -> Range:
    """The signed distance of the box, and of a ball out of one of its faces that leaves the kept poses alone."""
    axes = [
        first + step * np.arange(count)
        for count, first, step in zip(grid.counts, grid.lower, grid.spacing, strict=True)
    ]
    nodes = np.stack(np.meshgrid(*axes, indexing="ij"), axis=-1)
    beyond = np.maximum(lower - nodes, nodes - upper)
    box = np.linalg.norm(np.maximum(beyond, 0.0), axis=-1) + np.minimum(beyond.max(axis=-1), 0.0)
    centre = chance.uniform(lower, upper)
    centre[0] = upper[0] if not len(own) or np.mean(own[:, 0]) < 0.5 * (lower[0] + upper[0]) else lower[0]
    free = np.linalg.norm(own - centre, axis=1).min(initial=np.inf)
    radius = min(0.4 * float((upper - lower).min()), 0.8 * float(free))
    bite = radius - np.linalg.norm(nodes - centre, axis=-1)
    return GridRange(distances=Blob(np.maximum(box, bite)))
