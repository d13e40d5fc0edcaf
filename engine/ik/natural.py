"""Limbs of a problem laid as bodies lay them, where its goals leave them free.

Elbows: Soechting and Flanders (1989, J. Neurophysiol. 62:582 and 595) found that where a hand is says nearly all about
how the arm comes there. Their regressions speak of a trunk that stands still and hold within its own reach; what they
come to there, an elbow below, behind and a little outside of the line from shoulder to hand, is what `POLE` says for
every place. Knees look where pelvis and foot do.

Collars: of an arm's elevation the shoulder blade makes a third, in the proportion 1:2, once it has settled in the first
30 degrees (Inman, Saunders and Abbott 1944, J. Bone Joint Surg. 26:1); the collar bone gives 40 degrees of the whole
180. Forwards it goes with the arm.

Limbs are known by the names of joints (`engine.ik.joint_map`). One is laid whose three hinges stand at right angles,
with one hinge below, all as stiff and free to move, whose end a goal holds while nothing between is held.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from time import perf_counter

import numpy as np

from engine.document import Dof, Figure
from engine.document.values import Vector3
from engine.ik import layout as at
from engine.ik.anatomy import UP, anatomy_of
from engine.ik.blocks import blocks_of
from engine.ik.joint_map import ARM
from engine.ik.levenberg import Levenberg
from engine.ik.natural_limbs import (
    LIMB_FLOATS,
    LIMB_INTS,
    ROOT_FLOATS,
    ROOT_GOAL,
    ROOT_INTS,
    TARGET,
    WAYS,
    lay_limbs,
)
from engine.ik.problem import Problem
from engine.ik.region_kernels import keep_regions
from engine.ik.solver import Answer, Budget, Solver, new_work, solve
from engine.maths.arrays import Array, IntArray
from engine.runtime.quick_dataclass import dataclass

ELBOW = (0.4, -1.0, -0.5)  # outwards, up, forwards
_SPINE, _PELVIS = 3.0, 30.0  # how much stiffer than a limb
_STIFFER = {"collar": 8.0, "wrist": 3.0, "ankle": 3.0, "neck": 2.0, "head": 2.0}
_SQUARE = 1e-9
_LEG = (None, "thigh", "knee", "ankle")
_SIDES = ("left", "right")
_LAST = Levenberg(ease=0.0)
_AS_NEAR = 1.0 + 1e-6


class Natural:
    """The limbs of one problem that may be laid, and its roots."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        limbs: list[tuple[list[int], list[float]]] = []
        roots: list[tuple[list[int], list[float]]] = []
        for number, wanted in enumerate(_wanted_of(problem)):
            limbs += _LimbPacking(problem, number, wanted).limbs()
            roots += _roots_of(problem, number, wanted)
        self._limbs: IntArray = np.array([ints for ints, _ in limbs], dtype=np.int32).reshape(-1, LIMB_INTS)
        self._numbers: Array = np.array([floats for _, floats in limbs]).reshape(-1, LIMB_FLOATS)
        self._roots: IntArray = np.array([ints for ints, _ in roots], dtype=np.int32).reshape(-1, ROOT_INTS)
        self._root_numbers: Array = np.array([floats for _, floats in roots]).reshape(-1, ROOT_FLOATS)
        self._state = problem.model.new_state()
        self.work = new_work(problem, _LAST)

    def __bool__(self) -> bool:
        """True if there is a limb to lay or a root to place."""
        return len(self._limbs) + len(self._roots) > 0

    @property
    def is_anchored(self) -> bool:
        """True if no root moves, or goals say where those are that do."""
        return bool((self._roots[:, ROOT_GOAL] >= 0).all())

    def begin(self, q: Array, share: float) -> Array:
        """Return a pose to start from, by a share of the way from one in which goals stood elsewhere: the root where
        its goal is, turned with hands and feet, and limbs laid to their goals."""
        return self._laid(q, share, True)

    def settle(self, q: Array, share: float) -> Array:
        """Return the pose with its limbs laid by a share of the way; their ends stay about where they are."""
        return self._laid(q, share, False)

    def _laid(self, q: Array, share: float, reaches: bool) -> Array:
        """The pose with its limbs laid, within the limits."""
        problem, found, roots, limbs = self.problem, q.copy(), self._roots, self._limbs
        lay_limbs(problem.packed, roots, self._root_numbers, limbs, self._numbers, share, reaches, self._state, found)
        np.minimum(np.maximum(found, problem.lower), problem.upper, out=found)
        if problem.regions.listed:
            keep_regions(problem.ints, problem.regions.buffers, q, found)
        return found


def solve_naturally(
    natural: Natural,
    poses: Sequence[Array],
    solver: Solver,
    share: float,
    *,
    budget: Budget,
    near: float | None = None,
) -> Answer:
    """Lead the figures from poses in which goals stood elsewhere to where they are, as bodies go there, by a share
    between 0 and 1. Other starts are looked for, and `near` is kept, as by `solve`."""
    began, problem = perf_counter(), natural.problem
    q, told = natural.begin(problem.gather(poses), share), _Descents(natural)
    answer = None
    if near is not None or not isinstance(solver, Levenberg) or told.descend(q, solver) > 1.0:
        start = problem.scatter(natural.begin(problem.gather(poses), share), poses)
        answer = solve(problem, start, solver, budget=budget, near=near)
        q = answer.q
    led = natural.settle(q, share)
    worst = told.descend(led, _LAST)
    if answer is not None:
        told.iterations, told.evaluations = answer.iterations + told.iterations, answer.evaluations + told.evaluations
        if worst > 1.0 and told.squares > _AS_NEAR * answer.squares:
            return answer
    return Answer(
        poses=problem.scatter(led, poses),
        state="reached" if worst <= 1.0 or answer is None else answer.state,
        problem=problem,
        q=led,
        errors=told.errors,
        squares=told.squares,
        iterations=told.iterations,
        evaluations=told.evaluations,
        starts=0 if answer is None else answer.starts,
        seconds=perf_counter() - began,
        branch_changed=answer is not None and answer.branch_changed,
        curve=(told.curve if len(told.curve) else np.array([told.squares])) if answer is None else answer.curve,
    )


class _Descents:
    """Counts and errors of the descents of one answer."""

    def __init__(self, natural: Natural) -> None:
        self._problem, self._work = natural.problem, natural.work
        self.iterations = self.evaluations = 0
        self.squares = math.inf
        self.curve, self.errors = np.zeros(0), np.zeros(0)

    def descend(self, q: Array, solver: Levenberg) -> float:
        """Lead a pose to the goals, in place; return the largest error as a part of what is allowed."""
        ints, work = self._problem.ints, self._work
        counts, curve, errors = int(ints[at.COUNTS]), int(ints[at.CURVE]), int(ints[at.ERRORS])
        work[counts : counts + at.COUNT] = 0.0
        worst = solver.advance(self._problem, q, work, solver.patience)
        done = int(work[counts + at.ITERATIONS])
        self.iterations, self.squares = self.iterations + done, float(work[counts + at.SQUARES])
        self.evaluations += int(work[counts + at.EVALUATIONS])
        self.curve = np.append(self.curve, work[curve + 1 : curve + 1 + done])
        self.errors = work[errors : errors + int(ints[at.BLOCKS])].copy()
        return worst


def natural_stiffness(figure: Figure, share: float) -> dict[str, float]:
    """Weigh degrees of freedom by what people rather keep still: the trunk before the limbs, a pelvis upright before
    all."""
    anatomy = anatomy_of(figure)
    factors = dict.fromkeys(anatomy.spine, _SPINE)
    for role, id in anatomy.roles.items():
        factors[id] = _STIFFER.get(role.removesuffix(" left").removesuffix(" right"), 1.0)
    found = {}
    for joint in figure.joints:
        for dof in joint.dofs:
            turns = joint.parent is None and dof.kind != "slide"
            factor = _PELVIS if turns else 1.0 if joint.parent is None else factors.get(joint.id, 1.0)
            if factor != 1.0:
                found[dof.id] = dof.stiffness * factor**share
    return found


@dataclass(frozen=True, eq=False)
class BodyGoals:
    """The goals of one participant, by its joints."""

    held: frozenset[str]  # that some goal speaks of
    axes: Mapping[str, int]  # the first block that wants an axis of it along a direction of the world
    points: Mapping[str, int]  # the block that wants a point of it at a point of the world
    locals: Mapping[str, Vector3]  # that point in its frame [m]


def _wanted_of(problem: Problem) -> list[BodyGoals]:
    """Gather what the goals of a problem say, by participant."""
    blocks = [block for goal in problem.goals for block in blocks_of(goal)]
    found = []
    for participant in problem.participants:
        mine = [(place, each) for place, each in enumerate(blocks) if each.body.actor == participant.actor]
        others = [each.frame.joint for each in blocks if each.frame and each.frame.actor == participant.actor]
        free = [(place, each) for place, each in mine if each.kind == at.POINT and each.height == 3 and not each.frame]
        count = Counter(each.body.joint for _, each in free)
        lone = [(place, each) for place, each in free if count[each.body.joint] == 1]  # two say how it is turned
        wanted = BodyGoals(
            held=frozenset((*(each.body.joint for _, each in mine), *others)),
            axes={each.body.joint: place for place, each in reversed(mine) if each.kind == at.AXIS and not each.frame},
            points={each.body.joint: place for place, each in lone},
            locals={each.body.joint: each.local for _, each in lone},
        )
        found.append(wanted)
    return found


def _roots_of(problem: Problem, number: int, wanted: BodyGoals) -> Iterator[tuple[list[int], list[float]]]:
    """Ints and floats of a root of three slides that may move, then a hinge about the vertical."""
    figure = problem.participants[number].figure
    joint, index = figure.joints[0], problem.model.figure.coordinate_index
    slides = [dof for dof in joint.dofs if dof.kind == "slide"]
    hinges = [dof for dof in joint.dofs if dof.kind == "hinge"]
    movable = {dof for owner, dof in problem.columns if owner == number}
    if len(slides) != 3 or not hinges or not {dof.id for dof in slides} <= movable:
        return
    anatomy = anatomy_of(figure)
    zero, roles = anatomy.zero[joint.id], anatomy.roles
    up = float((zero @ np.array(hinges[0].axis)) @ UP)
    ends = [wanted.points.get(roles.get(f"{role} {side}", ""), -1) for role in ("wrist", "ankle") for side in _SIDES]
    axis = wanted.axes.get(joint.id, -1)
    turns = abs(abs(up) - 1.0) <= _SQUARE and {dof.id for dof in hinges} <= movable
    if not turns or min(ends) < 0 or axis >= 0:
        ends = [-1] * 4
    place = wanted.points.get(joint.id, -1)
    coordinates = [index[f"{number}/{dof.id}"] for dof in (*slides, hinges[0])]
    axes = zero @ np.array([dof.axis for dof in slides]).T
    ints = [*coordinates, place, *ends, axis if turns else -1]
    yield ints, [*axes.ravel().tolist(), math.copysign(1.0, up)]


class _LimbPacking:
    """Packs the limbs of one participant. `held`: what goals say of its joints."""

    def __init__(self, problem: Problem, number: int, wanted: BodyGoals) -> None:
        self._model, self._number, self._wanted = problem.model, number, wanted
        self._figure = problem.participants[number].figure
        self._stiffness = problem.participants[number].stiffness
        self._movable = {dof for index, dof in problem.columns if index == number}
        anatomy = anatomy_of(self._figure)
        self._zero, self._places, self._roles = anatomy.zero, anatomy.places, anatomy.roles
        self._facing = anatomy.facing
        self._dofs = {dof.id: place for place, dof in enumerate(self._model.figure.dofs)}

    def limbs(self) -> Iterator[tuple[list[int], list[float]]]:
        """Ints and floats of each limb that may be laid."""
        for limb in (ARM, _LEG):
            for side in _SIDES:
                found = self._pack(*(self._roles.get(f"{role} {side}") for role in limb), is_leg=limb is _LEG)
                if found is not None:
                    yield found

    def _pack(
        self, collar: str | None, upper: str | None, lower: str | None, end: str | None, *, is_leg: bool
    ) -> tuple[list[int], list[float]] | None:
        """Ints and floats of a limb, None if it is not to be laid."""
        figure = self._figure
        if upper is None or lower is None or end is None or figure.joint(lower).parent != upper:
            return None
        trunk = figure.joint(upper if collar is None else collar).parent
        hinges, bends = figure.joint(upper).dofs, figure.joint(lower).dofs
        way = figure.above(end)
        if trunk is None or upper not in way or not self._is_free(upper, way[1 : way.index(upper) + 1], end):
            return None
        given = self._stiffness
        if len({given.get(dof.id, dof.stiffness) for dof in (*hinges, *bends)}) != 1:
            return None  # a person has said which of them is to give way
        axes = np.array([dof.axis for dof in hinges])
        if not self._turns(hinges, 3) or not self._turns(bends, 1) or np.abs(axes @ axes.T - np.eye(3)).max() > _SQUARE:
            return None
        ankle = self._ankle(end) if is_leg else ()
        raising = [] if collar is None or collar in self._wanted.held else self._raising(collar, upper)
        dofs = (*hinges, *bends, *(dof for dof, _ in raising), *ankle)
        coordinates = [self._model.figure.coordinate_index[f"{self._number}/{dof.id}"] for dof in dofs]
        joints = [self._model.figure.joint_index[f"{self._number}/{each}"] for each in (trunk, upper, lower, end)]
        axes_at = [self._dofs[f"{self._number}/{dof.id}"] for dof in (*hinges, *bends)]
        ankles = [*(self._dofs[f"{self._number}/{dof.id}"] for dof in ankle), *coordinates[4:]] if ankle else [-1] * 4
        collars = coordinates[4:] if raising else [-1, -1]
        ints = [*joints, *axes_at, *coordinates[:4], *collars, int(is_leg), *ankles, self._wanted.points.get(end, -1)]
        ways = [sign for _, sign in raising]
        return ints, self._floats(coordinates, self._vectors(trunk, upper, end, is_leg), ways)

    def _is_free(self, upper: str, way: Sequence[str], end: str) -> bool:
        """Tell whether goals hold the end, or what hangs on it, and nothing from the upper bone to there."""
        held = self._wanted.held
        return held.isdisjoint((upper, *way)) and not held.isdisjoint((end, *self._figure.below(end)))

    def _turns(self, dofs: Sequence[Dof], count: int) -> bool:
        """Tell whether these are as many hinges, all of which may move."""
        return len(dofs) == count and all(dof.kind == "hinge" and dof.id in self._movable for dof in dofs)

    def _ankle(self, end: str) -> tuple[Dof, ...]:
        """The two hinges of an ankle whose foot may turn as it likes; none if it has no such two."""
        dofs = self._figure.joint(end).dofs
        if end not in self._wanted.points or end in self._wanted.axes or not self._turns(dofs, 2):
            return ()
        return dofs if abs(np.dot(dofs[0].axis, dofs[1].axis)) < _SQUARE else ()

    def _raising(self, collar: str, upper: str) -> list[tuple[Dof, float]]:
        """The hinges of a collar that raise and advance the shoulder, with their ways; none if it has no such two."""
        dofs = self._figure.joint(collar).dofs
        if not self._turns(dofs, 2):
            return []
        arm = self._places[upper] - self._places[collar]
        moves = [np.cross(self._zero[collar] @ np.array(dof.axis), arm) for dof in dofs]
        raises = max((0, 1), key=lambda each: abs(moves[each] @ UP))
        ways = float(moves[raises] @ UP), float(moves[1 - raises] @ self._facing)
        return [(dofs[raises], math.copysign(1.0, ways[0])), (dofs[1 - raises], math.copysign(1.0, ways[1]))]

    def _vectors(self, trunk: str, upper: str, end: str, is_leg: bool) -> Array:
        """All directions and points of a limb, as `engine.ik.natural_limbs` orders them, but for its ways."""
        left = np.cross(UP, self._facing)
        outwards = left if self._places[upper] @ left > 0.0 else -left
        pole = self._facing if is_leg else np.array(ELBOW) @ (outwards, UP, self._facing)
        own, foot = self._zero[trunk].T, self._zero[end].T
        held = np.array(self._wanted.locals.get(end, (0.0, 0.0, 0.0)))
        vectors = [own @ pole / np.linalg.norm(pole), own @ UP, own @ self._facing, foot @ self._facing, foot @ UP]
        return np.concatenate((*vectors, held, np.zeros(3) if is_leg else held, own @ outwards))

    def _floats(self, coordinates: Sequence[int], vectors: Array, ways: Sequence[float]) -> list[float]:
        lowest, highest = np.zeros(6), np.zeros(6)
        lowest[: len(coordinates)] = self._model.lower[list(coordinates)]
        highest[: len(coordinates)] = self._model.upper[list(coordinates)]
        found = np.concatenate((lowest, highest, vectors, np.zeros(LIMB_FLOATS - TARGET)))
        found[WAYS : WAYS + len(ways)] = ways
        return list(map(float, found))
