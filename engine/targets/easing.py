"""Eases of poses that follow each other closely: second bells, and bells just wide enough to separate poses.

Source: Rahgoshay 2011, sections 4.3 and 7.4: the width of a bell is an animator's ease. Poses at every frame are 33 ms
apart, where ten and more bells of 0.4 s lie over each other: what they can do together has singular values of 3e-6, and
no correction is found. A Gaussian bell of half-width b passes what swings at w by exp(-(b w / 3)^2 / 2); of poses a gap
apart w goes up to pi / gap, so with b = 2 gap a tenth is left of the fastest and all of the rest.

Only poses nearer than `CLOSE` to another that wants one of the same rates are narrowed, on the side where it is; before
the first and after the last of them the ease is as a person set it. Why poses have second bells stands in `dense.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.targets.corrections import Basis, Bump
from engine.targets.equations import BodyVelocityEquation, PoseEquation
from engine.targets.nodes import Node

CLOSE = round(0.08 * TICKS_PER_SECOND)  # [ticks] between poses; further apart bells are left as they are
_WIDTH = 2  # of a bell, in parts of what lies between the poses
_MOST_LAG = 0.15  # [s] of the second bell
_LEAST = TICKS_PER_SECOND // 50  # [ticks] of the bell of a null-space edit
_SHARES = (0.2, 0.4, 0.6, 0.8)  # of an ease: how much earlier the further bells of a velocity have their middles
_STEPS = 2  # of the simulation, that a bell takes to come or go at least


def narrowed(nodes: Sequence[Node], rate_count: int, step_ticks: int) -> tuple[Node, ...]:
    """Narrow the bells of nodes, given in order of time, where poses are close together."""
    rates_of = [active_rates(node, rate_count) for node in nodes]
    found = list(nodes)
    for one, node in enumerate(nodes):
        bell = node.bump.bell
        before = _gap(one, -1, nodes, rates_of)
        after = _gap(one, 1, nodes, rates_of)
        sides = [_width(width, gap, step_ticks) for width, gap in ((bell.before, before), (bell.after, after))]
        if sides != [bell.before, bell.after]:
            found[one] = replace(node, bump=replace(node.bump, bell=replace(bell, before=sides[0], after=sides[1])))
    return tuple(found)


def narrowed_ease(nodes: Sequence[Node]) -> tuple[int, int]:
    """Count the nodes whose bell was narrowed, and find the widest of what is left of those [ticks]."""
    own = [node.bump.bell for node in nodes if node.bump.bell != node.asked]
    return len(own), max((min(bell.before, bell.after) for bell in own), default=0)


def active_rates(node: Node, rate_count: int) -> NDArray[np.bool_]:
    """The rates whose values the poses of a node ask for."""
    found = np.zeros(rate_count, dtype=bool)
    for equation in (equation for goal in node.goals for equation in goal.equations):
        if isinstance(equation, PoseEquation):
            found[slice(None) if equation.rates is None else list(equation.rates)] = True
    return found


def _gap(one: int, way: int, nodes: Sequence[Node], rates_of: list[NDArray[np.bool_]]) -> int | None:
    """Find the gap to the next node on one side that asks for one of the same rates; None if it is not close."""
    other = one + way
    while 0 <= other < len(nodes):
        gap = abs(nodes[other].time - nodes[one].time)
        if gap > CLOSE:
            return None
        if (rates_of[one] & rates_of[other]).any():
            return gap
        other += way
    return None


def _width(width: int, gap: int | None, step_ticks: int) -> int:
    return width if gap is None else min(width, max(_WIDTH * gap, _STEPS * step_ticks))


def is_dense(nodes: tuple[Node, ...]) -> bool:
    """Tell whether two of these nodes or more, which are tied together, ask for poses, or one beside a null-space edit,
    which would hold the corrections of all rates that it does not name."""
    return sum(is_posed(node) for node in nodes) > (0 if any(not node.goals for node in nodes) else 1)


def is_posed(node: Node) -> bool:
    """Tell whether a node asks for a pose."""
    return any(isinstance(equation, PoseEquation) for goal in node.goals for equation in goal.equations)


def dense_basis(nodes: tuple[Node, ...]) -> Basis:
    """Build the basis of the bells of the nodes, then the second ones of poses, with free coefficients; null-space
    edits are held, by bells that hardly reach the poses beside them, since what these would do is else taken away
    again."""
    times = [node.time for node in nodes if is_posed(node)]
    seconds = [_second(node.bump.bell, times) for node in nodes if is_posed(node)]
    held = frozenset(index for index, node in enumerate(nodes) if not node.goals)
    owners = tuple(index for index, node in enumerate(nodes) if is_posed(node))
    first = (node.bump if node.goals else Bump(bell=_between(node.bump.bell, times)) for node in nodes)
    return Basis((*first, *(Bump(bell=bell) for bell in seconds)), free=True, held=held, owners=owners)


def is_in_order(nodes: tuple[Node, ...], step_ticks: int) -> bool:
    """Tell whether poses may be met one after the other: they are all that is asked for, some at every frame, and the
    simulation takes half a step at least from one to the next."""
    equations = [equation for node in nodes for goal in node.goals for equation in goal.equations]
    if not all(node.goals for node in nodes) or not all(isinstance(each, PoseEquation) for each in equations):
        return False
    steps = (later.time - node.time for node, later in pairwise(nodes))
    return narrowed_ease(nodes)[0] > 0 and all(2 * each >= step_ticks for each in steps)


def in_order(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Narrow the bells of nodes, so that each begins at the node before it at the earliest."""
    bells = [node.bump.bell for node in nodes]
    for index, (node, later) in enumerate(pairwise(nodes)):
        gap = later.time - node.time
        bells[index] = replace(bells[index], after=min(bells[index].after, gap))
        bells[index + 1] = replace(bells[index + 1], before=min(bells[index + 1].before, gap))
    return tuple(replace(node, bump=replace(node.bump, bell=bell)) for node, bell in zip(nodes, bells, strict=True))


def ordered_basis(nodes: tuple[Node, ...]) -> Basis:
    """Build the basis of the bells of nodes that are met one after the other, then second ones that come and go before
    the node, with free coefficients."""
    times = [node.time for node in nodes]
    seconds = [_second(node.bump.bell, times) if node is nodes[0] else _half(node.bump.bell) for node in nodes]
    bumps = (*(node.bump for node in nodes), *(Bump(bell=bell) for bell in seconds))
    return Basis(bumps, free=True, owners=tuple(range(len(nodes))))


def _half(bell: Bell) -> Bell:
    """A bell that comes and goes while the other one comes."""
    half = bell.before // 2
    return replace(bell, time=bell.time - half, before=bell.before - half, after=half)


def is_aimed(node: Node) -> bool:
    """Tell whether a node asks for the velocity of a body."""
    return any(isinstance(equation, BodyVelocityEquation) for goal in node.goals for equation in goal.equations)


def aimed_basis(nodes: tuple[Node, ...], still: float | None) -> Basis:
    """Build the basis of the bells of the nodes, then further ones of those that ask for velocities of bodies, with
    free coefficients, where f has no slope at the time at which a motion ceases to be held."""
    pairs = [
        (index, _earlier(node.bump.bell, share))
        for index, node in enumerate(nodes)
        if is_aimed(node)
        for share in _SHARES
    ]
    bumps = (*(node.bump for node in nodes), *(Bump(bell=bell) for _, bell in pairs))
    return Basis(bumps, free=True, owners=tuple(index for index, _ in pairs), still=still)


def _earlier(bell: Bell, share: float) -> Bell:
    """A bell of the same ends whose middle is earlier by a share of its ease."""
    lag = round(share * bell.before)
    return replace(bell, time=bell.time - lag, before=bell.before - lag, after=bell.after + lag)


def _between(bell: Bell, times: list[int]) -> Bell:
    """A bell that ends where the times beside it are."""
    before = [max(bell.time - time, _LEAST) for time in times if time < bell.time]
    after = [max(time - bell.time, _LEAST) for time in times if time > bell.time]
    return replace(bell, before=min([bell.before, *before]), after=min([bell.after, *after]))


def _second(bell: Bell, times: list[int]) -> Bell:
    """Half as long before a bell as the nearest other time is away from it, or half of its own ease."""
    away = min((abs(bell.time - time) for time in times if time != bell.time), default=bell.before)
    lag = max(1, min(away // 2, bell.before // 2, round(_MOST_LAG * TICKS_PER_SECOND)))
    if bell.before <= lag:
        return replace(bell, time=bell.time - 1, after=bell.after + 1)
    return replace(bell, time=bell.time - lag, before=bell.before - lag, after=bell.after + lag)
