"""Compiling the muscles of a figure into packed arrays."""

from __future__ import annotations

import math

import numpy as np

from engine.document import Figure
from engine.maths.arrays import Array, IntArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.maths.splines import spline_pieces
from engine.model.compile import MOTION, MOTION_START, ROW, Model
from engine.muscles import layout
from engine.muscles.layout import ANEW
from engine.muscles.parts import WRAP_SHAPES, Muscle, Muscles, MuscleWrap, PathPoint, PointCurve
from engine.muscles.paths import MOST_WRAPS, SUMS
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class MusclePaths:
    """The paths of a figure's muscles as packed arrays, read-only."""

    muscles: Muscles
    ints: IntArray
    floats: Array
    rows: IntArray  # the muscle of each entry, shape [entry_count]
    columns: IntArray  # the rate of each entry
    folds: IntArray  # entries of driven rates, each with its driver's and the number of its f', shape [n, 3]

    @property
    def count(self) -> int:
        """Number of muscles."""
        return int(self.ints[layout.MUSCLE_COUNT])

    @property
    def entry_count(self) -> int:
        """Number of entries that the gradient of all lengths has."""
        return int(self.ints[layout.ENTRY_COUNT])

    def new_work(self) -> Array:
        """The work memory of `measure_paths`."""
        return np.zeros(int(self.ints[layout.MOTIONS]) + 6 * int(self.ints[layout.MOTION_COUNT]))

    def dense(self, gradient: Array, rate_count: int) -> Array:
        """A gradient by entries as a matrix, shape [count, rate_count]."""
        matrix = np.zeros((self.count, rate_count))
        matrix[self.rows, self.columns] = gradient
        return matrix


def compile_paths(model: Model, muscles: Muscles, *, whole: bool = False) -> MusclePaths:
    """Pack the muscles of a figure; refuse what its joints and degrees of freedom do not have. `whole`: with all points
    of all paths, for `engine.muscles.traces`."""
    packing = _PathPacking(model, muscles, whole=whole)
    for muscle in muscles.muscles:
        packing.add(muscle)
    return packing.packed()


def _drivers(figure: Figure) -> dict[int, list[tuple[int, int]]]:
    """By the rate of each driven coordinate: those of its drivers, with the numbers of their f'."""
    found: dict[int, list[tuple[int, int]]] = {}
    number = 0
    for dof in figure.driven:
        for each in dof.driven:
            found.setdefault(figure.rate_index[dof.id], []).append((figure.rate_index[each.dof], number))
            number += 1
    return found


class _PathPacking:
    """Tables that grow by a muscle at a time."""

    def __init__(self, model: Model, muscles: Muscles, *, whole: bool) -> None:
        self._figure: Figure = model.figure
        self._whole = whole
        self._motion_start, self._muscles = int(model.ints[MOTION_START]), muscles
        self._wraps = {each.id: each for each in muscles.wraps}
        self._tables: dict[str, list[tuple[int, ...]]] = {
            name: [] for name in ("muscle", "point", "wrap", "group", "entry", "curve", "motion")
        }
        self._floats: list[float] = []
        self._rows: list[int] = []
        self._folds: list[tuple[int, int, int]] = []
        self._drivers = _drivers(self._figure)
        self._wrap_at: dict[str, int] = {}
        self._motion_of_rate: dict[int, int] = {}

    def add(self, muscle: Muscle) -> None:
        """Add a muscle's points, wraps, groups, entries and curves."""
        tables = self._tables
        if len(muscle.wraps) > MOST_WRAPS:
            allowed = f"{MOST_WRAPS} at most"
            raise InvalidDocument(what=f"the wraps of muscle {muscle.id}", value=len(muscle.wraps), allowed=allowed)
        wraps = [self._wraps[each.wrap] for each in muscle.wraps]
        holders = [each.joint for each in muscle.points] + [each.joint for each in wraps]
        joints = [self._joint(muscle, each) for each in holders]
        groups, entries = self._add_groups(muscle, joints)
        starts = len(tables["point"]), len(tables["wrap"])
        length = -1
        if self._whole or wraps or any(each.curves or each.dof is not None for each in muscle.points):
            for point, joint in zip(muscle.points, joints, strict=False):
                self._add_point(muscle, point, joint, groups, entries)
        else:
            length = self._add_fixed(muscle, joints, groups)
        for each, wrap, joint in zip(muscle.wraps, wraps, joints[len(muscle.points) :], strict=True):
            last = range(len(muscle.points))[each.last]
            shape = WRAP_SHAPES.index(wrap.shape)
            row = (joint + 1) * ROW
            tables["wrap"].append((shape, row, groups.get(joint, -1), each.first, last, self._place_wrap(wrap)))
        first_group = len(tables["group"]) - len(groups)
        ends = len(tables["point"]), len(tables["wrap"])
        tables["muscle"].append((starts[0], ends[0], starts[1], ends[1], first_group, len(tables["group"]), length))

    def packed(self) -> MusclePaths:
        """Put the tables together."""
        tables, counts = self._tables, {name: len(rows) for name, rows in self._tables.items()}
        most = max((row[layout.GROUP_END] - row[layout.GROUP_START] for row in tables["muscle"]), default=0)
        motions = SUMS + 6 * most
        tables["entry"] = [(rate, motions + 6 * motion) for rate, motion in tables["entry"]]
        starts, at = {}, layout.HEADER
        for name, rows in tables.items():
            starts[name] = at
            at += sum(map(len, rows))
        header = (
            counts["muscle"], counts["entry"],
            starts["point"], starts["wrap"], starts["group"], starts["entry"], starts["curve"],
            starts["motion"], counts["motion"], motions,
        )  # fmt: skip
        flat = [number for rows in tables.values() for row in rows for number in row]
        arrays = (
            np.array([*header, *flat], dtype=np.int32),
            np.array(self._floats),
            np.array(self._rows, dtype=np.int32),
            np.array([row[layout.ENTRY_RATE] for row in tables["entry"]], dtype=np.int32),
            np.array(self._folds, dtype=np.int32).reshape(-1, 3),
        )
        for array in arrays:
            array.flags.writeable = False
        return MusclePaths(self._muscles, *arrays)

    def _joint(self, muscle: Muscle, id: str | None) -> int:
        if id is None:
            return -1
        index = self._figure.joint_index.get(id)
        if index is None:
            raise UnknownPart(kind=f"joint of muscle {muscle.id}", id=id, known=tuple(self._figure.joint_index))
        return index

    def _add_groups(self, muscle: Muscle, joints: list[int]) -> tuple[dict[int, int], dict[int, int]]:
        """Add a group for each joint whose freedoms change the path; return the groups by joints, and by rates where
        their entries stand. The joints above all of the path move it as a whole."""
        figure, tables = self._figure, self._tables
        above = [self._above(joint) for joint in set(joints)]
        shared = set.intersection(*map(set, above))
        moving = sorted({joint for chain in above for joint in chain if joint not in shared}, reverse=True)
        groups = {joint: place for place, joint in enumerate(moving)}
        entries: dict[int, int] = {}
        for joint in moving:
            start = len(tables["entry"])
            for dof in figure.joints[joint].dofs:
                for name in dof.rates:
                    self._add_entry(figure.rate_index[name], dof.kind == "slide", entries)
            parent = figure.joints[joint].parent
            holder = -1 if parent is None else groups.get(figure.joint_index[parent], -1)
            tables["group"].append((holder, start, len(tables["entry"])))
        for curve in (curve for point in muscle.points for curve in point.curves):
            rate = self._coordinate(muscle, curve.dof)[1]
            if rate not in entries:
                self._add_entry(rate, False, entries)
        for rate in [each for each in entries if each in self._drivers]:
            for driver, number in self._drivers[rate]:
                if driver not in entries:
                    self._add_entry(driver, False, entries)
                self._folds.append((entries[rate], entries[driver], number))
        self._rows.extend([len(tables["muscle"])] * len(entries))
        return groups, entries

    def _add_entry(self, rate: int, slides: bool, entries: dict[int, int]) -> None:
        entries[rate] = len(self._tables["entry"])
        if rate not in self._motion_of_rate:
            self._motion_of_rate[rate] = len(self._tables["motion"])
            self._tables["motion"].append((self._motion_start + rate * MOTION, int(slides)))
        self._tables["entry"].append((rate, self._motion_of_rate[rate]))

    def _above(self, joint: int) -> list[int]:
        """A joint and all above it, -1 for the ground last."""
        chain = [joint]
        while chain[-1] >= 0:
            parent = self._figure.joints[chain[-1]].parent
            chain.append(-1 if parent is None else self._figure.joint_index[parent])
        return chain

    def _coordinate(self, muscle: Muscle, id: str) -> tuple[int, int]:
        """The places of a degree of freedom in `q` and in `qd`."""
        place = self._figure.coordinate_index.get(id)
        if place is None:
            known = tuple(self._figure.coordinate_index)
            raise UnknownPart(kind=f"degree of freedom of muscle {muscle.id}", id=id, known=known)
        if self._figure.coordinate_dof[id].kind == "ball":
            allowed = "a hinge or a slide"
            raise InvalidDocument(what=f"a degree of freedom of muscle {muscle.id}", value=id, allowed=allowed)
        return place, self._figure.rate_index[id]

    def _add_point(
        self, muscle: Muscle, point: PathPoint, joint: int, groups: dict[int, int], entries: dict[int, int]
    ) -> None:
        tables, start = self._tables, len(self._tables["curve"])
        ranged = -1 if point.dof is None else self._coordinate(muscle, point.dof)[0]
        for curve in point.curves:
            self._add_curve(muscle, curve, entries)
        row = (joint + 1) * ROW
        tables["point"].append((row, groups.get(joint, -1), ranged, len(self._floats), start, len(tables["curve"])))
        lower, upper = (-math.inf, math.inf) if point.dof is None else (point.lower, point.upper)
        self._floats.extend((*point.point, -math.inf if lower is None else lower, math.inf if upper is None else upper))

    def _add_fixed(self, muscle: Muscle, joints: list[int], groups: dict[int, int]) -> int:
        """Add the points where a path of fixed ones leaves a body or comes to one; return where the length of what lies
        within bodies stands."""
        points, within = muscle.points, 0.0
        for place, (point, joint) in enumerate(zip(points, joints, strict=True)):
            same_before = place > 0 and joints[place - 1] == joint
            same_after = place + 1 < len(points) and joints[place + 1] == joint
            if same_before:
                within += math.dist(points[place - 1].point, point.point)
            comes, goes = place > 0 and not same_before, place + 1 < len(points) and not same_after
            if not comes and not goes:
                continue
            mark = ANEW if same_before else -1
            curves = len(self._tables["curve"])
            self._tables["point"].append(
                ((joint + 1) * ROW, groups.get(joint, -1), mark, len(self._floats), curves, curves)
            )
            self._floats.extend(point.point)
        self._floats.append(within)
        return len(self._floats) - 1

    def _add_curve(self, muscle: Muscle, curve: PointCurve, entries: dict[int, int]) -> None:
        place, rate = self._coordinate(muscle, curve.dof)
        self._tables["curve"].append((curve.axis, place, entries[rate], len(curve.knots), len(self._floats)))
        self._floats.extend(at for at, _ in curve.knots)
        self._floats.extend(spline_pieces(curve.knots).ravel())

    def _place_wrap(self, wrap: MuscleWrap) -> int:
        """Where the floats of a wrap begin; muscles share them."""
        if wrap.id not in self._wrap_at:
            self._wrap_at[wrap.id] = len(self._floats)
            radii = (*wrap.radii, 0.0, 0.0)[:3]
            if wrap.shape == "cylinder":
                radii = (wrap.radii[0], math.inf if wrap.length is None else 0.5 * wrap.length, 0.0)
            side = wrap.side or (0.0, 0.0, 0.0)
            rotation = rotation_matrix(wrap.rotation).ravel()
            self._floats.extend((*radii, *side, *wrap.centre, *rotation))
        return self._wrap_at[wrap.id]
