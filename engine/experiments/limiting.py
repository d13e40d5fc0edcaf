"""Figures limited by what clips went through, as the experiments on joint limits compare them.

Own boxes: the limits that the figure has. Tight boxes: each angle between its ends in the clips, and the margin.
Sampled: fields of the clips' poses. Sculpted: what a shrink-wrap of those holds (Engell-Norregard 2012, sections
14.1 and 14.4). The root is left as it is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.document import Blob, Dof, Figure, Joint, Limit
from engine.document.limit import Grid, MeshRange, SampledRange
from engine.limits.field import Field, compile_field, compile_fields
from engine.limits.ranges import grid_for
from engine.limits.signs import interpolate
from engine.limits.surface import Boundary
from engine.limits.wrapping import wrap_holding
from engine.maths.arrays import Array

MARGIN, NODES = 0.2, 32  # the source's epsilon [rad]; along each axis
MODELS = {"boxes": "own boxes", "tight": "boxes of the clip", "sampled": "sampled field", "sculpted": "sculpted field"}


def limited(
    figure: Figure,
    model: str,
    clips: Sequence[Array],
    *,
    margin: float = MARGIN,
    nodes: int = NODES,
    whole: bool = False,
) -> Figure:
    """The figure under one of `MODELS`; `whole`: grids around the whole turn, as the source's."""
    if model == "boxes":
        return figure
    limits = sampled_limits(figure, clips, margin=margin, nodes=nodes, whole=whole)
    if model == "tight":
        ends = {dof: mine for limit in limits for dof, *mine in zip(limit.dofs, *_ends(limit), strict=True)}
        joints = tuple(replace(joint, dofs=tuple(_boxed(dof, ends) for dof in joint.dofs)) for joint in figure.joints)
        return replace(figure, joints=joints)
    if model == "sculpted":
        axes = [axes_of(figure, each) for each in limits]
        limits = [wrapped(*each) for each in zip(limits, compile_fields(limits, axes), axes, strict=True)]
    return replace(figure, limits=tuple(limits))


def sampled_limits(
    figure: Figure, clips: Sequence[Array], *, margin: float = MARGIN, nodes: int = NODES, whole: bool = False
) -> list[Limit]:
    """Fields of poses over the hinges of each joint."""
    found = []
    for joint in figure.joints[1:]:
        hinges = [dof.id for dof in joint.dofs if dof.kind == "hinge"]
        if hinges:
            places = [figure.coordinate_index[each] for each in hinges]
            parts = [np.ascontiguousarray(clip[:, places]) for clip in clips]
            found.append(limit_of(joint, hinges, parts, margin=margin, nodes=nodes, whole=whole))
    return found


def limit_of(
    joint: Joint,
    hinges: Sequence[str],
    clips: Sequence[Array],
    *,
    margin: float = MARGIN,
    nodes: int = NODES,
    whole: bool = False,
) -> Limit:
    """The field that clips [rad] show of a joint."""
    content = SampledRange(angles=Blob(np.concatenate(list(clips))), clips=tuple(map(len, clips)))
    counts = (nodes,) * len(hinges)
    axes = np.array([dof.axis for dof in joint.dofs if dof.id in hinges])
    grid = turning(nodes, len(hinges)) if whole else grid_for(content, counts, margin, axes)
    return Limit(id=joint.id, name=joint.name, dofs=tuple(hinges), range=content, grid=grid, margin=margin)


def turning(nodes: int, angles: int = 3) -> Grid:
    """Make a grid of so many nodes around the whole turn of each angle."""
    return Grid(
        counts=(nodes,) * angles,
        lower=(-math.pi,) * angles,
        spacing=(math.tau / nodes,) * angles,
        periodic=(True,) * angles,
    )


def wrapped(limit: Limit, field: Field, axes: Array) -> Limit:
    """Fit a shrink-wrapped sphere or circle to a field; of one angle, the field itself."""
    if len(limit.dofs) == 1:
        return limit
    assert isinstance(limit.range, SampledRange)
    samples = limit.range.angles.array

    def around(boundary: Boundary) -> Limit:
        mesh = MeshRange(positions=Blob(boundary.positions), faces=Blob(boundary.faces))
        return replace(limit, range=mesh, margin=0.0)

    def values_of(boundary: Boundary) -> Array:
        return interpolate(limit.grid, compile_field(around(boundary), axes).values, samples)

    return around(wrap_holding(limit.grid, field.values, samples, values_of))


def field_of(figure: Figure, limit: Limit) -> Field:
    """A limit worked out."""
    return compile_field(limit, axes_of(figure, limit))


def axes_of(figure: Figure, limit: Limit) -> Array:
    """List the axes of a limit's hinges, in order."""
    return np.array([figure.coordinate_dof[each].axis for each in limit.dofs])


def _ends(limit: Limit) -> tuple[tuple[float, ...], tuple[float, ...]]:
    assert isinstance(limit.range, SampledRange)
    angles = limit.range.angles.array
    return tuple((angles.min(axis=0) - limit.margin).tolist()), tuple((angles.max(axis=0) + limit.margin).tolist())


def _boxed(dof: Dof, ends: dict[str, list[float]]) -> Dof:
    return replace(dof, lower=ends[dof.id][0], upper=ends[dof.id][1]) if dof.id in ends else dof
