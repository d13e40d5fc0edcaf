"""Targets of a surface met: the corrections of its keys with which its secondary motion comes to them exactly.

The keys are corrected in the order in which a person would do it. What the weights of shapes and the joint's place and
turn miss at the times of targets is taken up by terms of their own, sized by how a spring answers a bell (the boost of
3.4, here a linear system over all targets that feel each other: 4.4, 4.8). What is left are places of control points:

    lambda <- lambda + G^-1 e,    e = x* - x    (3.2)

e at all targets together, G[i, j] the answer of one spring at target i to term j. Without rigidity x answers to lambda
by G exactly, so one iteration is the solution; with it clusters answer a little otherwise, and what earlier iterations
have shown is mixed in (Anderson 1965, J. ACM 12:547; as Walker and Ni 2011, SIAM J. Numer. Anal. 49:1715, write it).
Last, what control points cannot see of the difference is added to the other vertices, which follow their keys.

Against the printed text: (3.4) scales e by e.d / ||d||; for d = s e, s the answer to a bell, that is ||e||, which grows
with the error, whatever s is. The projection that the text means is e.d / d.d, which is 1 / s. Its Gauss-Seidel order,
one target after the other, is not needed where G of all of them is known.

Targets whose windows read each other's bells are one group; groups are solved apart, so that an edit touches its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix, rotation_vectors
from engine.runtime.quick_dataclass import dataclass
from engine.shapes.corrections import BellTerm, Corrected, ShapeCorrection, term_values
from engine.shapes.parts import ShapeTarget
from engine.shapes.tracking import KeyedSurface, ShapeModel, placed

CLOSE = 1e-11  # [m] by which control points may miss
SLOW = 1e-8  # [m/s]
MET = 1e-9  # [m] within which a target counts as met
_SMALLEST = 1e-7  # singular values below this part of the largest are left out
_MOST_ITERATIONS = 40
_REMEMBERED = 6
_VIOLENT = 25.0  # times what is missed, from which a correction is said to be violent


@dataclass(frozen=True)
class ShapeMiss:
    """By how much a target is missed, and what it took."""

    target: str
    distance: float  # [m], of the vertex that is farthest off
    speed: float | None  # [m/s]; None where no velocity is asked for
    iterations: int
    note: str = ""  # what a person should know of it


@dataclass(frozen=True, eq=False)
class _Asked:
    """A place (order 0) or velocity (1) that is asked for of all vertices."""

    target: ShapeTarget
    order: int
    wanted: Array  # [m] or [m/s], shape [vertex_count, 3]


def groups_of(model: ShapeModel, targets: Sequence[ShapeTarget]) -> list[tuple[ShapeTarget, ...]]:
    """Divide targets into those that feel each other, in the order of time."""
    back, ahead = (model.steps + 2) * model.step, model.step
    groups: list[list[ShapeTarget]] = []
    for each in targets:
        read = (each.time - back, each.time + ahead)
        joined = [each]
        rest = []
        for group in groups:
            feels = any(
                (one.bell.start < read[1] and one.bell.end > read[0])
                or (each.bell.start < one.time + ahead and each.bell.end > one.time - back)
                for one in group
            )
            if feels:
                joined = [*group, *joined]
            else:
                rest.append(group)
        groups = [*rest, joined]
    ordered = [tuple(sorted(group, key=lambda one: one.time)) for group in groups]
    return sorted(ordered, key=lambda group: group[0].time)


def meet(
    model: ShapeModel, keyed: KeyedSurface, targets: Sequence[ShapeTarget]
) -> tuple[ShapeCorrection, tuple[ShapeMiss, ...]]:
    """Find the correction with which a group of targets is met, and by how much each is missed."""
    rows = _rows(model, keyed, targets)
    terms = tuple(BellTerm(row.target.bell, row.order) for row in rows)
    answers = _matrix(model, rows, lambda time: model.answer(term_values(terms, model.window(time))))
    direct = _matrix(model, rows, lambda time: term_values(terms, np.array([float(time)]))[0])
    back, weak = _inverse(answers)
    count = len(rows)
    weights, turns, shifts = _of_keys(model, keyed, rows)
    points = np.zeros((count, len(model.control_base), 3))
    found = ShapeCorrection(
        terms, back @ weights, back @ turns, back @ shifts, points, np.zeros((count, len(model.base), 3))
    )
    found, iterations, first = _move_points(model, keyed, rows, found, back)
    found = _move_vertices(model, keyed, rows, found, _inverse(direct)[0])
    return found, _misses(model, keyed, rows, found, iterations, first, weak)


def _rows(model: ShapeModel, keyed: KeyedSurface, targets: Sequence[ShapeTarget]) -> list[_Asked]:
    rows = []
    for target in targets:
        weights, frame = wanted_pose(model, keyed, target)
        rows.append(_Asked(target, 0, placed(model.local(weights)[None], frame[None])[0]))
        if target.velocity == "keyed":
            after, before = (model.keyed_vertices(keyed, target.time + side * model.step) for side in (1, -1))
            rows.append(_Asked(target, 1, (after - before) / (2.0 * model.dt)))
        elif target.velocity == "still":
            rows.append(_Asked(target, 1, np.zeros_like(model.base)))
    return rows


def wanted_pose(model: ShapeModel, keyed: KeyedSurface, target: ShapeTarget) -> tuple[Array, Array]:
    """The weights that a target asks for, and the frame of the joint, shape [3, 4]."""
    times = np.array([float(target.time)])
    weights, frame = keyed.weights(times)[0].copy(), keyed.frames(times)[0].copy()
    if target.pose == "given":
        place = {each.id: number for number, each in enumerate(model.surface.shapes)}
        for id, number in target.weights:
            weights[place[id]] = number
    if target.place == "given":
        frame[:, :3], frame[:, 3] = rotation_matrix(target.rotation), target.position
    return weights, frame


def _of_keys(model: ShapeModel, keyed: KeyedSurface, rows: Sequence[_Asked]) -> tuple[Array, Array, Array]:
    """Find what keys miss of weights, turns and places; of velocities nothing is asked here, but for those of weights
    that are to stand still."""
    weights = np.zeros((len(rows), len(model.offsets)))
    turns, shifts = np.zeros((len(rows), 3)), np.zeros((len(rows), 3))
    for place, row in enumerate(rows):
        time = float(row.target.time)
        if row.order == 0:
            wanted, frame = wanted_pose(model, keyed, row.target)
            weights[place] = wanted - keyed.weights(np.array([time]))[0]
            if row.target.place == "given":
                own = keyed.frames(np.array([time]))[0]
                turns[place] = rotation_vectors((own[:, :3].T @ frame[:, :3])[None])[0]
                shifts[place] = frame[:, 3] - own[:, 3]
        elif row.target.velocity == "still":
            sides = keyed.weights(np.array([time - model.step, time + model.step]))
            weights[place] = -(sides[1] - sides[0]) / (2.0 * model.dt)
    return weights, turns, shifts


def _matrix(model: ShapeModel, rows: Sequence[_Asked], value: Callable[[float], Array]) -> Array:
    """A row for each thing that is asked for, of a function of times that gives a number for each term."""
    found = []
    for row in rows:
        time = row.target.time
        if row.order == 0:
            found.append(value(time))
        else:
            found.append((value(time + model.step) - value(time - model.step)) / (2.0 * model.dt))
    return np.array(found)


def _inverse(matrix: Array) -> tuple[Array, bool]:
    """The inverse, rows and columns made alike before small singular values are left out; and whether any is."""
    rows = 1.0 / np.maximum(np.abs(matrix).max(axis=1), 1e-300)
    columns = 1.0 / np.maximum(np.abs(matrix * rows[:, None]).max(axis=0), 1e-300)
    scaled = matrix * rows[:, None] * columns
    sizes = np.linalg.svd(scaled, compute_uv=False)
    if not sizes[-1] > _SMALLEST * sizes[0]:
        return np.asarray(columns[:, None] * np.linalg.pinv(scaled, rcond=_SMALLEST) * rows), True
    return np.asarray(columns[:, None] * np.linalg.inv(scaled) * rows), False


def _missing(model: ShapeModel, keyed: KeyedSurface, rows: Sequence[_Asked], *, controls: bool) -> Array:
    """Find what is missed of all that is asked for, at control points or at all vertices."""
    chosen = model.controls.vertices

    def seen(time: float) -> Array:
        return model.simulate(keyed, time)[0] if controls else model.vertices(keyed, time)

    found = []
    for row in rows:
        time, wanted = row.target.time, row.wanted[chosen] if controls else row.wanted
        if row.order == 0:
            found.append(wanted - seen(time))
        else:
            found.append(wanted - (seen(time + model.step) - seen(time - model.step)) / (2.0 * model.dt))
    return np.array(found)


def _move_points(
    model: ShapeModel, keyed: KeyedSurface, rows: Sequence[_Asked], found: ShapeCorrection, back: Array
) -> tuple[ShapeCorrection, int, Array]:
    """Correct control points until they miss nothing, or no more is gained."""
    bounds = np.array([SLOW if row.order else CLOSE for row in rows])
    moved, best, nearest = found.points, found, np.inf
    points: list[Array] = []
    steps: list[Array] = []
    first, iteration = np.zeros(len(rows)), 0
    for iteration in range(_MOST_ITERATIONS + 1):
        now = replace(found, points=moved)
        missing = _missing(model, Corrected(keyed, (now,)), rows, controls=True)
        sizes = np.abs(missing).max(axis=(1, 2))
        first = sizes if iteration == 0 else first
        share = float((sizes / bounds).max())
        if share < nearest:
            best, nearest = now, share
        if share <= 1.0 or not np.isfinite(share) or iteration == _MOST_ITERATIONS:
            break
        step = np.einsum("ij,jpk->ipk", back, missing)
        points.append(moved.ravel())
        steps.append(step.ravel())
        moved = _mixed(points, steps).reshape(moved.shape)
        del points[:-_REMEMBERED], steps[:-_REMEMBERED]
    return best, iteration, first


def _mixed(points: Sequence[Array], steps: Sequence[Array]) -> Array:
    """Where to go from the last point: its step, and what the steps before have shown of how steps change."""
    if len(points) == 1:
        return points[0] + steps[0]
    differences = np.stack([later - earlier for earlier, later in pairwise(steps)], axis=1)
    went = np.stack([later - earlier for earlier, later in pairwise(points)], axis=1)
    shares = np.linalg.lstsq(differences, steps[-1], rcond=1e-10)[0]
    return np.asarray(points[-1] + steps[-1] - (went + differences) @ shares)


def _move_vertices(
    model: ShapeModel, keyed: KeyedSurface, rows: Sequence[_Asked], found: ShapeCorrection, back: Array
) -> ShapeCorrection:
    """Spread the corrections of control points, and add what they do not see."""
    spread = np.array([model.controls.carried(each) for each in found.points])
    now = replace(found, vertices=spread)
    rest = np.einsum("ij,jpk->ipk", back, _missing(model, Corrected(keyed, (now,)), rows, controls=False))
    rest[:, model.controls.vertices] = 0.0
    return replace(now, vertices=spread + rest)


def _misses(
    model: ShapeModel,
    keyed: KeyedSurface,
    rows: Sequence[_Asked],
    found: ShapeCorrection,
    iterations: int,
    first: Array,
    weak: bool,
) -> tuple[ShapeMiss, ...]:
    missing = _missing(model, Corrected(keyed, (found,)), rows, controls=False)
    sizes = np.linalg.norm(missing, axis=2).max(axis=1)
    asked = np.abs(_of_keys(model, keyed, rows)[0]).max(axis=1, initial=0.0)
    misses = []
    for place, row in enumerate(rows):
        if row.order:
            continue
        own = [other for other, each in enumerate(rows) if each.target is row.target and each.order]
        effort = max(_effort(found.points[place], first, CLOSE), _effort(found.weights[place], asked, 1e-9))
        note = ""
        if not sizes[place] <= MET:
            near = "its curve hardly moves the surface" if weak else "the surface keeps its shape too stiffly"
            note = f"{row.target.name} is not met: {near}; ease it in for longer, or leave out one close to it."
        elif effort > _VIOLENT:
            note = f"{row.target.name} asks for {effort:.0f} times what is missed; ease it in for longer."
        speed = float(sizes[own[0]]) if own else None
        misses.append(ShapeMiss(row.target.id, float(sizes[place]), speed, iterations, note))
    return tuple(misses)


def _effort(given: Array, missed: Array, least: float) -> float:
    """How many times what was missed a correction is."""
    return float(np.abs(given).max(initial=0.0)) / max(float(missed.max()), least)
