"""Poses kept within the limits over several angles of a figure: the nearest allowed angles of the joints concerned.

What a pose sets may move other hinges of the same limit, as it is the hinges together that are in or out. Only a layer
that says where the figure is, and not by how much it is off, can be kept in them. Curves between keys may leave them.
Runs kernels, where the figure has limits: on the engine's thread.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import TYPE_CHECKING

from engine.document import Actor, Figure, Joint, Layer, Limit

if TYPE_CHECKING:
    from engine.maths.arrays import Array

_SAME = 1e-12  # [rad] by which nothing was moved


def concerns(figure: Figure, layer: Layer, touched: Mapping[str, float]) -> bool:
    """Tell whether a limit has a say in what a pose of a layer sets."""
    return layer.mode == "replace" and not figure.limited.isdisjoint(touched)


def limit_value(figure: Figure, name: str, value: float) -> float:
    """A value within the limits of its own degree of freedom; as it is where a limit over several holds instead."""
    return value if name in figure.limited else figure.coordinate_dof[name].clamp(value)


def rest_of(figure: Figure, hinge: str) -> float:
    """Return the value of a hinge at rest."""
    return figure.coordinate_dof[hinge].clamp(0.0)


def layer_values(actor: Actor, layer: Layer, time: int = 0) -> Mapping[str, float]:
    """Return the values of limited hinges at a time that the layers of an actor up to one give; mask, span
    and weight of that one do not count."""
    return layer_rows(actor, layer, (time,))[0]


def layer_rows(actor: Actor, layer: Layer, times: Sequence[int]) -> list[Mapping[str, float]]:
    """Return such values at several times; where a draft shows something else on a tick, its values."""
    drafts = [{} if (draft := layer.draft_at(time)) is None else dict(draft.values) for time in times]
    beneath = tuple(takewhile(lambda each: each.id != layer.id, actor.layers))
    if not (beneath or layer.tracks or layer.samples is not None):
        return [{**layer.by_coordinate, **draft} for draft in drafts]
    from engine.motion.motion import active_layers, compile_motion

    figure = actor.figure
    whole = replace(layer, weight=1.0, span=None, mask=None, mute=False, solo=False)
    layers = (*(replace(each, solo=False) for each in active_layers(beneath)), whole)
    rows = compile_motion(figure, layers).at([float(time) for time in times])[:, 0]
    limited = [(name, figure.coordinate_index[name]) for name in figure.limited]
    pairs = zip(rows.tolist(), drafts, strict=True)
    return [{name: row[place] for name, place in limited} | draft for row, draft in pairs]


def within_regions(figure: Figure, touched: Mapping[str, float], others: Mapping[str, float]) -> dict[str, float]:
    """Project a pose into its limits by moving their hinges as little as may be; `others`: what it leaves as it is."""
    import numpy as np

    limits = _concerned(figure, touched)
    names = tuple(dict.fromkeys(dof for limit in limits for dof in limit.dofs))
    before = np.array([touched.get(name, others.get(name, rest_of(figure, name))) for name in names])
    after = _projected(figure, limits, names, before)
    moved = {name: float(now) for name, was, now in zip(names, before, after, strict=True) if abs(now - was) > _SAME}
    return {**touched, **moved}


def beyond_regions(figure: Figure, joint: Joint, values: Mapping[str, float]) -> Callable[[Array], float]:
    """Return a function that measures how far coordinates of a joint lie outside of its limits over several angles
    [rad]; `values`: of the whole figure. Below 0 inside, and where there are none."""
    own = [name for dof in joint.dofs for name in dof.coordinates]
    limits = [limit for limit in figure.limits_on if not set(own).isdisjoint(limit.dofs)]
    if not limits:
        return lambda coordinates: -math.inf
    from engine.ik.regions import pack_over
    from engine.limits.query import measure_pose

    names = tuple(dict.fromkeys(dof for limit in limits for dof in limit.dofs))
    pack = pack_over(figure, limits, names)
    start = [values[name] for name in names]
    places = {names.index(name): column for column, name in enumerate(own) if name in names}

    def beyond(coordinates: Array) -> float:
        import numpy as np

        angles = np.array(start)
        for place, column in places.items():
            angles[place] = coordinates[column]
        return float(measure_pose(pack.ints, pack.floats, angles))

    return beyond


def _concerned(figure: Figure, touched: Mapping[str, float]) -> list[Limit]:
    """The limits over what is touched, and those that share a hinge with one of them."""
    found: list[Limit] = []
    reached = set(touched)
    while True:
        more = [each for each in figure.limits_on if each not in found and not reached.isdisjoint(each.dofs)]
        if not more:
            return found
        found += more
        reached.update(dof for each in more for dof in each.dofs)


def _projected(figure: Figure, limits: list[Limit], names: tuple[str, ...], angles: Array) -> Array:
    from engine.ik.regions import pack_over
    from engine.limits.query import project_pose

    pack, out = pack_over(figure, limits, names), angles.copy()
    project_pose(pack.ints, pack.floats, angles, out)
    return out
