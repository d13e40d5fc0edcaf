"""Problem: goals and figures compiled into packed buffers that every solver reads.

All figures of a problem become one model: each hangs on a joint without freedom that holds its placement, and only
joints that some goal depends on are kept. A pose of the problem is one vector q; `gather` makes it from the poses of
the figures, `scatter` writes it back, and coordinates that no goal depends on stay as they were.

The rows that a goal becomes are those of `engine.ik.rows`; tasks are goals too, followed only as far as the others
leave freedom (Welman 1993, equation 3.8). A column is a rate that may move: its limits, its mobility (the inverse of
the degree of freedom's stiffness), and the value that it is drawn to in the null space, with how strongly.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from engine.document import Dof, Figure, Joint
from engine.ik import layout as at
from engine.ik.blocks import Block, blocks_of, independent_blocks_of
from engine.ik.goals import BodyFrame, Goal
from engine.ik.merging import Participant, kept_joints, merged, with_drivers, with_needed
from engine.ik.regions import Region, Regions, ends_of, pack_regions, regions_of
from engine.maths.arrays import Array, IntArray
from engine.model.compile import (
    BALL,
    DOF_END,
    DOF_INTS,
    DOF_START,
    DOF_STRIDE,
    HAS_REST,
    HEADER,
    JOINT_FLOATS,
    JOINT_STRIDE,
    MOTION,
    MOTION_START,
    PARENT,
    SLIDE_X,
    Model,
    compile_model,
)
from engine.model.compile import ROW as STATE_ROW
from engine.model.driven import DrivenCoordinates, compile_driven
from engine.model.driven_kernels import follow
from engine.model.inertia import masses_of
from engine.runtime.errors import InvalidArguments, UnknownPart
from engine.runtime.quick_dataclass import dataclass

_STIFFEST = 1e-6  # what a stiffness of 0 counts as, so that mobility stays finite


@dataclass(frozen=True, kw_only=True)
class Preference:
    """A null-space task: a pull of each coordinate towards a value.

    `rest` draws to the rest pose, `comfort` to the middle of the limits, weighted by the inverse of their half range
    squared; the larger of all pulls takes `gain` of the way in each iteration.
    """

    rest: float = 0.0
    comfort: float = 0.0
    gain: float = 0.2
    comfort_weights: Mapping[str, float] = field(default_factory=dict)  # by degree of freedom; 1 where none is given
    rest_pose: Mapping[str, float] = field(default_factory=dict)  # by coordinate, where it is not the figure's own

    def __post_init__(self) -> None:
        numbers = (self.rest, self.comfort, self.gain, *self.comfort_weights.values())
        if not all(0.0 <= each < math.inf for each in numbers):
            raise InvalidArguments(
                what="the pulls of a preference", value=numbers, allowed="finite numbers, 0 and above"
            )
        if not all(map(math.isfinite, self.rest_pose.values())):
            raise InvalidArguments(what="the rest pose", value="not a number", allowed="finite numbers")


@dataclass(frozen=True, eq=False)
class Problem:
    """Packed goals and figures. Targets, placements and what poses are drawn to may be changed between solves
    (`set_targets`, `set_goal`, `place`, `draw_to`); nothing else changes."""

    participants: tuple[Participant, ...]
    goals: tuple[Goal, ...]
    tasks: tuple[Goal, ...]
    model: Model
    ints: IntArray
    floats: Array
    owners: tuple[int, ...]  # goal of each block; tasks count on
    columns: tuple[tuple[int, str], ...]  # participant and degree of freedom of each column
    lower: Array  # limits of the coordinates, infinite where nothing may move, shape [coordinate_count]
    upper: Array
    hinges: NDArray[np.bool_]  # whether a column is a hinge, shape [column_count]
    joints_hinges: NDArray[np.bool_]  # the hinges of joints that do not also slide: those that other starts may turn
    independent: bool  # whether orientations lie in rows that do not depend on each other
    regions: Regions  # limits over several angles together
    _own: tuple[tuple[IntArray, IntArray], ...]  # for each participant: coordinates here, coordinates there
    _bases: tuple[int, ...]  # the joint that each participant hangs on
    _driven: tuple[DrivenCoordinates | None, ...]  # of each participant

    @property
    def column_count(self) -> int:
        """Number of rates that may move."""
        return len(self.columns)

    @property
    def row_count(self) -> int:
        """Number of rows of the goals, without the tasks."""
        return int(self.ints[at.MAIN_ROWS])

    @property
    def packed(self) -> at.Packed:
        """All buffers, as kernels take them."""
        return self.model.ints, self.model.floats, self.ints, self.floats, self.regions.buffers

    def gather(self, poses: Sequence[Array]) -> Array:
        """The problem's q from the poses of the participants."""
        q = self.model.rest.copy()
        for pose, (here, there), each in zip(poses, self._own, self.participants, strict=True):
            if len(pose) != len(each.figure.coordinates):
                allowed = f"{len(each.figure.coordinates)} numbers, as {each.figure.name} has coordinates"
                raise InvalidArguments(what=f"the pose of {each.actor}", value=f"{len(pose)} numbers", allowed=allowed)
            q[here] = pose[there]
        return q

    def scatter(self, q: Array, poses: Sequence[Array]) -> tuple[Array, ...]:
        """New poses of the participants: copies of the given ones with the problem's coordinates in them, and what
        these drive where it belongs."""
        out = tuple(np.array(pose, dtype=float) for pose in poses)
        for pose, (here, there) in zip(out, self._own, strict=True):
            pose[there] = q[here]
        return tuple(follow(driven, pose) for driven, pose in zip(self._driven, out, strict=True))

    def new_work(self, space: int = 0) -> Array:
        """State, residual and Jacobian, and a solver's workspace of that size."""
        work = np.zeros(int(self.ints[at.SOLVER]) + space)
        work[:STATE_ROW] = self.model.new_state()[:STATE_ROW]
        return work

    def set_targets(self, targets: Array) -> None:
        """Move the targets of all blocks at once, shape [block_count, 3]."""
        count = int(self.ints[at.BLOCKS])
        self.floats[: count * at.BLOCK_FLOATS].reshape(count, -1)[:, at.TARGET : at.TARGET + 3] = targets

    def place(self, participant: int, transform: Array) -> None:
        """Stand a participant elsewhere in the world: rotation and position [m], shape [3, 4]."""
        row = self._bases[participant] * JOINT_FLOATS
        self.model.floats[row : row + 3] = transform[:, 3]
        self.model.floats[row + 3 : row + JOINT_FLOATS] = transform[:, :3].ravel()

    def stand_as(self, other: Problem) -> None:
        """Stand the participants where those of another problem, of as many, stand in the world."""
        for own, base in zip(self._bases, other._bases, strict=True):
            row, place = own * JOINT_FLOATS, base * JOINT_FLOATS
            self.model.floats[row : row + JOINT_FLOATS] = other.model.floats[place : place + JOINT_FLOATS]

    def draw_to(self, poses: Sequence[Array]) -> None:
        """Draw what is drawn at all to these poses of the participants."""
        q, count = self.gather(poses), self.column_count
        places = self.ints[int(self.ints[at.COLUMNS_AT]) :][: count * at.COLUMN_INTS].reshape(count, at.COLUMN_INTS)
        numbers = self.floats[int(self.ints[at.COLUMN_FLOATS]) :][: count * at.COLUMN_WIDTH]
        numbers.reshape(count, at.COLUMN_WIDTH)[:, at.PREFERRED] = q[places[:, at.COORDINATE]]

    def set_goal(self, goal: int, value: Goal) -> None:
        """Replace a goal by one of the same kind on the same spot: another target or weight."""
        fresh = (independent_blocks_of if self.independent else blocks_of)(value)
        places = [block for block, owner in enumerate(self.owners) if owner == goal]
        if [block.kind for block in fresh] != [int(self.ints[at.HEADER + each * at.BLOCK]) for each in places]:
            raise InvalidArguments(what="the new goal", value=type(value).__name__, allowed="one of the same kind")
        for place, block in zip(places, fresh, strict=True):
            row = self.floats[place * at.BLOCK_FLOATS : (place + 1) * at.BLOCK_FLOATS]
            row[at.LOCAL : at.SHAPE] = (*block.local, *block.direction, *block.target)
            row[at.SHAPE : at.SCALE] = block.shape.ravel()
            row[at.SCALE] = block.scale


def compile_problem(
    participants: Sequence[Participant],
    goals: Sequence[Goal],
    *,
    tasks: Sequence[Goal] = (),
    preference: Preference = Preference(),
    matrix: Array | None = None,
    tolerance: float = 1e-3,
    turn_tolerance: float = 0.01,
    independent: bool = False,
) -> Problem:
    """Pack a problem. Tolerances: [m], and [rad] for axes; `matrix` is the W over all rows of all goals, if there is
    one beyond the goals' own; `independent` packs orientations as rows that do not depend on each other. A goal that
    names what is not there, or a number that is not finite, is refused."""
    pack = independent_blocks_of if independent else blocks_of
    blocks = [(index, block) for index, goal in enumerate((*goals, *tasks)) for block in pack(goal)]
    if len({each.actor for each in participants}) != len(participants):
        raise InvalidArguments(what="the actors", value=[each.actor for each in participants], allowed="each once")
    if not (0.0 < tolerance < math.inf and 0.0 < turn_tolerance < math.inf):
        value = (tolerance, turn_tolerance)
        raise InvalidArguments(what="the tolerances", value=value, allowed="finite numbers above 0 [m, rad]")
    for each in participants:
        _check_freedom(each)
    known = {each.actor: each.figure for each in participants}
    for _, block in blocks:
        for frame in (block.body, block.frame):
            if frame is not None:
                _check(known, frame)
    kept = with_drivers(participants, kept_joints(participants, [block for _, block in blocks]))
    regions = regions_of(participants, kept)
    figure, origins = merged(participants, with_needed(participants, kept, regions), ends_of(regions))
    model = compile_model(figure)
    packed = _Packing(participants, model, origins, preference, kept, regions)
    main = sum(block.height for index, block in blocks if index < len(goals))
    packed.add_blocks([block for _, block in blocks], main, (tolerance, turn_tolerance))
    packed.add_matrix(matrix, main)
    ints, floats = packed.finish()
    lower, upper = packed.limits()
    return Problem(
        participants=tuple(participants),
        goals=tuple(goals),
        tasks=tuple(tasks),
        model=model,
        ints=ints,
        floats=floats,
        owners=tuple(index for index, _ in blocks),
        columns=tuple(packed.columns),
        lower=lower,
        upper=upper,
        hinges=np.array(packed.hinges, dtype=np.bool_),
        joints_hinges=np.array(packed.joints_hinges, dtype=np.bool_),
        independent=independent,
        regions=packed.regions,
        _own=packed.own(),
        _bases=_free_bases(model, origins),
        _driven=tuple(compile_driven(each.figure) for each in participants),
    )


def _free_bases(model: Model, origins: Sequence[tuple[int, Joint | None]]) -> tuple[int, ...]:
    """The joints that hold the placements, which may now be changed in the model, since it is the problem's own."""
    bases = tuple(place for place, (_, joint) in enumerate(origins) if joint is None)
    model.ints.flags.writeable = model.floats.flags.writeable = True
    for base in bases:
        model.ints[HEADER + base * JOINT_STRIDE + HAS_REST] = 1
    model.ints.flags.writeable = False
    return bases


def _check_freedom(participant: Participant) -> None:
    known = tuple(dof.id for dof in participant.figure.dofs)
    for id in sorted({*participant.stiffness, *(participant.movable or ())} - set(known)):
        raise UnknownPart(kind="degree of freedom", id=id, known=known)
    for id, value in participant.stiffness.items():
        if not 0.0 <= value < math.inf:
            raise InvalidArguments(what=f"the stiffness of {id}", value=value, allowed="a finite number, 0 and above")


def _check(known: Mapping[str, Figure], body: BodyFrame) -> None:
    if body.actor not in known:
        raise UnknownPart(kind="actor", id=body.actor, known=tuple(known))
    if body.joint and body.joint not in known[body.actor].joint_index:
        raise UnknownPart(kind="joint", id=body.joint, known=tuple(known[body.actor].joint_index))


@dataclass
class _Packing:
    """Builds the two buffers."""

    participants: Sequence[Participant]
    model: Model
    origins: list[tuple[int, Joint | None]]
    preference: Preference
    kept: Sequence[set[str]]  # joints whose degrees of freedom may move
    listed: Sequence[Region]

    def __post_init__(self) -> None:
        self.columns: list[tuple[int, str]] = []
        self.hinges: list[bool] = []
        self.joints_hinges: list[bool] = []
        self._column_of: dict[int, int] = {}  # by rate
        self._column_ints: list[tuple[int, int, int]] = []
        self._column_floats: list[tuple[float, ...]] = []
        self._rates: list[list[tuple[int, bool]]] = [[] for _ in self.origins]  # of each joint: rate, slides
        self._led: list[list[tuple[int, int, bool, int]]] = [[] for _ in self.origins]  # column, rate, slides, number
        place = {joint.id: index for index, joint in enumerate(self.model.figure.joints)}
        self._place = {
            (index, "" if joint is None else joint.id): place[f"{index}" if joint is None else f"{index}/{joint.id}"]
            for index, joint in self.origins
        }
        self._actors = {each.actor: index for index, each in enumerate(self.participants)}
        self._add_columns()
        self._add_led()

    def _add_columns(self) -> None:
        ints = self.model.ints
        for number, (index, joint) in enumerate(self.origins):
            participant = self.participants[index]
            entry = HEADER + number * JOINT_STRIDE
            own = () if joint is None or joint.id not in self.kept[index] else joint.dofs
            for place, dof in zip(range(ints[entry + DOF_START], ints[entry + DOF_END]), own, strict=bool(own)):
                if dof.driven or (participant.movable is not None and dof.id not in participant.movable):
                    continue
                code, coordinate, rate = ints[ints[DOF_INTS] + place * DOF_STRIDE :][:3].tolist()
                for part in range(3) if code == BALL else (-1,):
                    at_rate = rate + max(part, 0)
                    self._rates[number].append((at_rate, SLIDE_X <= code < BALL))
                    self._column_of[at_rate] = len(self.columns)
                    self.columns.append((index, dof.id))
                    self.hinges.append(dof.kind == "hinge")
                    self.joints_hinges.append(dof.kind == "hinge" and all(each.kind == "hinge" for each in own))
                    self._column_ints.append((coordinate, part + 1, int(not SLIDE_X <= code < BALL)))
                    self._column_floats.append(self._numbers(participant, dof, coordinate))

    def _add_led(self) -> None:
        """Find for each joint what of it the columns of others drive, and the number of its f' from 1."""
        figure, number = self.model.figure, 0
        for dof in figure.driven:
            joint, rate = figure.joint_index[figure.dof_joint[dof.id].id], figure.rate_index[dof.id]
            for each in dof.driven:
                number += 1
                column = self._column_of.get(figure.rate_index[each.dof])
                if column is not None:
                    self._led[joint].append((column, rate, dof.kind == "slide", number))

    def _numbers(self, participant: Participant, dof: Dof, coordinate: int) -> tuple[float, ...]:
        """Limits, mobility, preferred value and pull of one column; the pull is scaled to the largest later."""
        lower, upper = float(self.model.lower[coordinate]), float(self.model.upper[coordinate])
        stiffness = participant.stiffness.get(dof.id, dof.stiffness)
        like = self.preference
        rest, comfort = (0.0, 0.0) if dof.kind == "ball" else (like.rest, like.comfort)
        own = float(self.model.rest[coordinate]) if dof.kind == "ball" else dof.clamp(0.0)
        target = like.rest_pose.get(dof.id, own)
        if comfort > 0.0 and np.isfinite(upper - lower) and upper > lower:
            comfort *= like.comfort_weights.get(dof.id, 1.0) / (0.5 * (upper - lower)) ** 2
            middle = 0.5 * (lower + upper)
        else:
            comfort, middle = 0.0, 0.0
        pull = rest + comfort
        task = (rest * target + comfort * middle) / pull if pull > 0.0 else 0.0
        return lower, upper, 1.0 / max(stiffness, _STIFFEST), task, pull

    def add_blocks(self, blocks: Sequence[Block], main: int, tolerances: tuple[float, float]) -> None:
        """Rows, entries and floats of all blocks."""
        self._heads: list[list[int]] = []
        self._entries: list[tuple[int, int, int, int, int]] = []
        self._floats: list[float] = []
        self._spans: list[set[tuple[int, int]]] = [set() for _ in self.columns]
        self._main, self._rows = main, 0
        for block in blocks:
            joint = self._joint(block.body)
            frame = -1 if block.frame is None else self._joint(block.frame)
            began = len(self._entries)
            moved = self._below(joint) if block.kind == at.CENTRE else self._between(joint, frame)
            self._entries += self._entries_of(moved)
            for column, *_ in self._entries[began:]:
                self._spans[column].add((self._rows, self._rows + block.height))
            self._heads.append([block.kind, joint, frame, self._rows, block.height, began, len(self._entries)])
            allowed = tolerances[1 if block.kind in (at.AXIS, at.LOOK) else 0]
            self._floats += [*block.local, *block.direction, *block.target, *block.shape.ravel(), block.scale, allowed]
            self._rows += block.height

    def _joint(self, frame: BodyFrame) -> int:
        return self._place[self._actors[frame.actor], frame.joint]

    def _above(self, joint: int) -> list[int]:
        found = []
        while joint >= 0:
            found.append(joint)
            joint = int(self.model.ints[HEADER + joint * JOINT_STRIDE + PARENT])
        return found

    def _between(self, joint: int, frame: int) -> list[tuple[int, int]]:
        """List the joints that move a body in a frame, each with the sign of what it does."""
        mine, other = self._above(joint), self._above(frame) if frame >= 0 else []
        chains = ((mine, set(other), 1), (other, set(mine), -1))
        return [(each, sign) for chain, shared, sign in chains for each in chain if each not in shared]

    def _below(self, base: int) -> list[tuple[int, int]]:
        """List the joints that move a centre of mass, each with itself."""
        return [(joint, joint) for joint in range(len(self._rates)) if base in self._above(joint)]

    def _entries_of(self, moved: Sequence[tuple[int, int]]) -> list[tuple[int, int, int, int, int]]:
        """List the entries of a block by the joints that move it; those of what is driven behind the others."""
        start = int(self.model.ints[MOTION_START])
        entries = [
            (self._column_of[rate], start + rate * MOTION, int(slides), last, 0)
            for joint, last in moved
            for rate, slides in self._rates[joint]
        ]
        written = {column for column, *_ in entries}
        for joint, last in moved:
            for column, rate, slides, number in self._led[joint]:
                led = -number if column in written else number
                entries.append((column, start + rate * MOTION, int(slides), last, led))
                written.add(column)
        return entries

    def add_matrix(self, matrix: Array | None, main: int) -> None:
        """The Cholesky factor of W over all goals; it makes every column move every row."""
        self._matrix = np.zeros(0)
        if matrix is None:
            return
        given = np.asarray(matrix, dtype=float)
        if given.shape != (main, main) or not np.isfinite(given).all() or np.abs(given - given.T).max() > 1e-12:
            raise InvalidArguments(what="the weight matrix", value=given.shape, allowed=f"symmetric, {main} x {main}")
        try:
            self._matrix = np.linalg.cholesky(given).T.ravel()
        except np.linalg.LinAlgError:
            raise InvalidArguments(
                what="the weight matrix", value="not positive", allowed="positive definite"
            ) from None
        for spans in self._spans:
            if any(start < main for start, _ in spans):
                spans.difference_update([each for each in spans if each[0] < main])
                spans.add((0, main))

    def finish(self) -> tuple[IntArray, Array]:
        """Both buffers, with the header filled in."""
        blocks, columns, rows = len(self._heads), len(self.columns), self._rows
        ints = np.zeros(at.HEADER, dtype=np.int32).tolist()
        entries_at = at.HEADER + blocks * at.BLOCK
        for head in self._heads:
            ints += [*head[:5], entries_at + head[5] * at.ENTRY, entries_at + head[6] * at.ENTRY]
        ints += [number for entry in self._entries for number in entry]
        columns_at, spans_at = len(ints), len(ints) + columns * at.COLUMN_INTS
        spans: list[int] = []
        for (coordinate, part, turns), touched in zip(self._column_ints, self._spans, strict=True):
            began = spans_at + len(spans)
            spans += [number for span in _joined(touched) for number in span]
            ints += [coordinate, part, began, spans_at + len(spans), turns]
        ints += spans
        self.regions = self._pack_regions()
        fields_at, fields = len(ints), len(self.regions.listed)
        ints += self.regions.columns.ravel().tolist()
        pulls = [numbers[at.PULL] for numbers in self._column_floats]
        largest = max(pulls, default=0.0)
        factor = self.preference.gain / largest if largest > 0.0 else 0.0
        column_floats = [x for numbers in self._column_floats for x in (*numbers[: at.PULL], numbers[at.PULL] * factor)]
        masses = self._masses() if any(head[0] == at.CENTRE for head in self._heads) else np.zeros(0)
        floats = np.concatenate((self._floats, column_floats, masses, self._matrix)).astype(float)
        state, joints = len(self.model.new_state()), self.model.joint_count
        ints[at.BLOCKS], ints[at.BLOCKS_AT], ints[at.ROWS], ints[at.MAIN_ROWS] = blocks, at.HEADER, rows, self._main
        ints[at.COLUMNS], ints[at.COLUMNS_AT], ints[at.COLUMN_FLOATS] = columns, columns_at, len(self._floats)
        ints[at.MASSES_FLOATS] = len(self._floats) + len(column_floats)
        ints[at.MIX_AT] = ints[at.MASSES_FLOATS] + len(masses) if len(self._matrix) else -1
        ints[at.BODIES], ints[at.CENTRES] = joints, int(len(masses) > 0)
        driven, led = self.model.driven, 0
        if driven is not None:
            ints[at.DRIVEN_AT], ints[at.DRIVEN_FLOATS], led = len(ints), len(floats), driven.entry_count
            ints += driven.ints.tolist()
            floats = np.concatenate((floats, driven.floats))
        ints[at.FIELDS], ints[at.FIELDS_END], ints[at.FIELDS_AT] = self.regions.whole.field_count, fields, fields_at
        stops = fields * (at.SEEN + rows) + 2 * columns if fields else 0
        sizes = (state, rows, rows * columns, blocks, 4 * joints, at.COUNT, at.CURVE_KEPT, 24 + rows + led, stops)
        ints[at.STATE : at.SOLVER + 1] = np.concatenate(([0], np.cumsum(sizes))).tolist()
        ints[at.SLOPES] = ints[at.SPACE] + 24 + rows
        return np.array(ints, dtype=np.int32), floats

    def _pack_regions(self) -> Regions:
        index = self.model.figure.coordinate_index
        places = {
            (each.participant, dof): index[f"{each.participant}/{dof}"]
            for each in self.listed
            for dof in each.limit.dofs
        }
        return pack_regions(self.listed, places, {hinge: column for column, hinge in enumerate(self.columns)})

    def limits(self) -> tuple[Array, Array]:
        """Lower and upper limits of the coordinates that may move."""
        lower, upper = np.full(len(self.model.rest), -np.inf), np.full(len(self.model.rest), np.inf)
        moved = [coordinate for coordinate, part, _ in self._column_ints if part == 0]
        lower[moved], upper[moved] = self.model.lower[moved], self.model.upper[moved]
        return lower, upper

    def _masses(self) -> Array:
        """Mass and centre of each body, rows of 4."""
        out = np.zeros((len(self.origins), 4))
        found = [masses_of(each.figure) for each in self.participants]
        for row, (index, joint) in zip(out, self.origins, strict=True):
            if joint is not None:
                row[:] = found[index][self.participants[index].figure.joint_index[joint.id]]
        return out.ravel()

    def own(self) -> tuple[tuple[IntArray, IntArray], ...]:
        """Coordinates of each participant."""
        here: list[list[int]] = [[] for _ in self.participants]
        there: list[list[int]] = [[] for _ in self.participants]
        for name, place in self.model.figure.coordinate_index.items():
            head, _, own = name.partition("/")
            here[int(head)].append(place)
            there[int(head)].append(self.participants[int(head)].figure.coordinate_index[own])
        return tuple(
            (np.array(a, dtype=np.int32), np.array(b, dtype=np.int32)) for a, b in zip(here, there, strict=True)
        )


def _joined(spans: set[tuple[int, int]]) -> list[tuple[int, int]]:
    """Neighbouring spans as one."""
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if out and out[-1][1] == start:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return out
