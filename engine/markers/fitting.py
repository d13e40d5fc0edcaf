"""A figure fitted to captured markers, frame by frame: inverse kinematics of a whole capture.

The first frame to be fitted is that in which most markers are seen. There the root is tried at quarter turns about all
of its hinges, and the best of them is taken on; from it, frames follow forward to the end and backward to the start,
each from the pose beside it. Joint limits hold in every frame. A frame without any marker keeps the pose before it.
"""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Generator, Mapping
from itertools import product
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from engine.document import Blob, Figure, Layer, Samples
from engine.document.actor import Placement
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.ik.goals import PositionGoal, Spot
from engine.ik.problem import Participant, compile_problem
from engine.markers.captured_markers import CapturedMarkers, MarkerMatch, match_markers
from engine.markers.fit_kernels import aim_at, fit_frames, fit_pose, space_of
from engine.markers.names import plain
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.errors import NothingThere
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass

MOST_STEPS = 60  # of one frame
_ACTOR = "figure"
_STANDING = Placement()
_FIRST_STEPS, _BEST = 12, 6  # steps of each start, starts that are taken on
_ALIKE = 1.05  # times r^T r: starts that differ by less stand for the same turns
_SETTLED, _AT_ONCE = 40, 8  # rounds of steps until these have settled, steps of a round
_SAME = 1e-6  # of r^T r: poses that miss it by as little are as good; with weights, of a square of 1 mm
_POOR = 4.0  # times the median of r^T r
_DRAWN, _MOST_DRAWN, _SEED = 20, 40, 2354  # poses that are drawn for a poor frame, of so many frames
_SLICE = 0.006  # [s]


@dataclass(frozen=True, eq=False)
class MarkerFit:
    """The motion that was found, and how far each marker is from its handle."""

    figure: Figure
    coordinates: tuple[str, ...]  # that markers move
    values: Array  # [rad] or [m], shape [frame_count, len(coordinates)]
    errors: Array  # [m], nan where a marker was not seen, shape [frame_count, markers]
    match: MarkerMatch
    rate: Rate
    start: int  # tick of the first frame

    @property
    def rms(self) -> float:
        """The root of the mean square of all errors [m]."""
        return _rms(self.errors)

    @property
    def marker_rms(self) -> tuple[float, ...]:
        """That of each marker."""
        return tuple(_rms(column) for column in self.errors.T)

    @property
    def frame_rms(self) -> Array:
        """That of each frame, nan where no marker was seen, shape [frame_count]."""
        return np.array([_rms(row) for row in self.errors])

    @property
    def marker_worst(self) -> tuple[tuple[float, float], ...]:
        """The largest error of each marker [m], and when [s]."""
        found = []
        for column in self.errors.T:
            frame = int(np.nan_to_num(column, nan=-1.0).argmax())
            found.append((float(column[frame]), self.seconds(frame)))
        return tuple(found)

    @property
    def worst(self) -> tuple[str, float, float]:
        """The marker with the largest error, that error [m], and when [s]."""
        each = self.marker_worst
        place = int(np.nan_to_num([error for error, _ in each], nan=-1.0).argmax())
        return self.match.labels[place], *each[place]

    def seconds(self, frame: int) -> float:
        """When a frame is [s]."""
        return self.start / TICKS_PER_SECOND + frame * self.rate[1] / self.rate[0]

    def layer(self, *, id: str, name: str) -> Layer:
        """The motion as a layer of samples."""
        samples = Samples(coordinates=self.coordinates, values=Blob(self.values), rate=self.rate, start=self.start)
        return Layer(id=id, name=name, samples=samples)

    def table(self) -> str:
        """The errors as CSV [m], a row a frame: its time, the RMS, each marker; empty where it was not seen."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["time [s]", "RMS [m]", *(f"{label} [m]" for label in self.match.labels)])
        for frame, (rms, row) in enumerate(zip(self.frame_rms.tolist(), self.errors.tolist(), strict=True)):
            writer.writerow([self.seconds(frame), *("" if math.isnan(each) else each for each in (rms, *row))])
        return text.getvalue()

    def lines(self) -> list[str]:
        """The errors in words, the worst marker first, and who was left over."""
        who, most, when = self.worst
        counts = f"{len(self.errors)} frames, {len(self.match.labels)} markers"
        out = [f"{counts}: RMS {100 * self.rms:.2f} cm, at most {100 * most:.2f} cm ({who} at {when:.3f} s)"]
        order = np.argsort([-each for each in np.nan_to_num(self.marker_rms)], kind="stable").tolist()
        width = max(map(len, self.match.labels))
        for place in order:
            error, moment = self.marker_worst[place]
            gone = int(np.isnan(self.errors[:, place]).sum())
            said = f", not seen in {gone} frames" if gone else ""
            out.append(
                f"  {self.match.labels[place]:<{width}}  RMS {100 * self.marker_rms[place]:6.2f} cm  "
                f"at most {100 * error:6.2f} cm at {moment:.3f} s{said}"
            )
        for words, names in (
            ("markers without an end-effector of their name", self.match.unmatched_markers),
            ("end-effectors without a marker", self.match.unmatched_handles),
        ):
            if names:
                out.append(f"{words}: {', '.join(names)}")
        return out


def fit_to_markers(
    figure: Figure,
    markers: CapturedMarkers,
    *,
    weights: Mapping[str, float] | None = None,
    placement: Placement = _STANDING,
) -> MarkerFit:
    """Fit a figure to markers; `weights` by the names of markers, 1 where none is given."""
    return finish(fitting_steps(figure, markers, weights=weights, placement=placement))


def fitting_steps(
    figure: Figure,
    markers: CapturedMarkers,
    *,
    weights: Mapping[str, float] | None = None,
    placement: Placement = _STANDING,
) -> Generator[float, None, MarkerFit]:
    """Fit a figure in slices; yields the share that is done."""
    match = match_markers(markers.labels, figure, weights)
    fitting = _Fitting(figure, placement, match, markers, weights or {})
    yield from fitting.begin()
    yield from fitting.frames()
    yield from fitting.again()
    return fitting.result()


class _Fitting:
    def __init__(
        self,
        figure: Figure,
        placement: Placement,
        match: MarkerMatch,
        markers: CapturedMarkers,
        weights: Mapping[str, float],
    ) -> None:
        self._figure, self._match, self._markers = figure, match, markers
        named = {plain(name): value for name, value in weights.items()}
        self._roots = np.sqrt([named.get(plain(label), 1.0) for label in match.labels])
        self._targets = np.ascontiguousarray(markers.points[:, list(match.places)])
        seen = np.isfinite(self._targets).all(axis=2).sum(axis=1)
        if not seen.any():
            raise NothingThere("none of the matched markers is seen", remedy="Choose another range")
        self._first = int(seen.argmax())
        spots = [Spot(actor=_ACTOR, joint=each.joint, point=each.point) for each in match.handles]
        goals = [PositionGoal(spot=spot, target=(0.0, 0.0, 0.0)) for spot in spots]
        participant = Participant(actor=_ACTOR, figure=figure, placement=placement)
        self._problem = compile_problem([participant], goals)
        self._rest = compile_model(figure).rest.copy()
        columns, coordinates = self._problem.column_count, len(self._problem.model.rest)
        self._work = self._problem.new_work(space_of(columns, coordinates))
        self._movable = np.ones(columns)
        self._q = self._problem.gather([self._rest])
        self._below = {f"0/{dof.id}" for joint in figure.joints if joint.parent is not None for dof in joint.dofs}
        count = len(self._targets)
        self._poses, self._errors = np.empty((count, coordinates)), np.full((count, len(spots)), np.nan)

    def begin(self) -> Generator[float, None, None]:
        """Find the pose of the first frame."""
        problem, starts = self._problem, self._starts()
        aim_at(problem.ints, problem.floats, self._targets[self._first], self._roots)
        roots = self._root_columns()
        found: list[tuple[float, int, Array]] = []
        for place, start in enumerate(starts):
            q = start.copy()
            left = fit_pose(problem.packed, q, self._work, roots, _FIRST_STEPS)
            found.append((left, place, q))
            yield 0.02
        taken: list[tuple[float, float, Array]] = []
        for q in self._distinct(found):
            left = math.inf
            for _ in range(_SETTLED):
                before, left = left, fit_pose(problem.packed, q, self._work, self._movable, _AT_ONCE)
                yield 0.04
                if left >= before * (1.0 - 1e-9) or left <= 1e-30:
                    break
            taken.append((left, float((q - self._q) @ (q - self._q)), q))
        # Angles that stand for the same turns are apart in their limits: those nearest to rest leave most room.
        most = (1.0 + _SAME) * min(left for left, _, _ in taken) + _SAME * self._roots @ self._roots * 1e-6
        self._q = min((each for each in taken if each[0] <= most), key=lambda each: each[1])[2]

    def _distinct(self, found: list[tuple[float, int, Array]]) -> list[Array]:
        """Of the starts those to be taken on: the best, the nearest to rest of those that are as good, and others."""
        ranked = sorted(found, key=lambda each: each[:2])
        alike = [each for each in ranked if each[0] <= _ALIKE * ranked[0][0]]
        alike.sort(key=lambda each: float((each[2] - self._q) @ (each[2] - self._q)))
        chosen = [ranked[0], *alike[: _BEST // 2]]
        chosen += [each for each in ranked if each[0] > _ALIKE * ranked[0][0]][: _BEST // 2]
        return [q for _, _, q in {each[1]: each for each in chosen}.values()]

    def frames(self) -> Generator[float, None, None]:
        """Fit all frames, forward from the first and then backward."""
        count, done, size = len(self._targets), 0, 4
        start = self._q.copy()
        forward = list(range(self._first, count))
        backward = list(range(self._first - 1, -1, -1))
        for way in (forward, backward):
            q = start.copy()
            while way:
                part, way = way[:size], way[size:]
                began = perf_counter()
                self._fit(np.array(part), q)
                if perf_counter() - began < 0.5 * _SLICE:
                    size *= 2
                elif perf_counter() - began > _SLICE:
                    size = max(1, size // 2)
                done += len(part)
                yield 0.05 + 0.95 * done / count

    def again(self) -> Generator[float, None, None]:
        """Try frames that ended far worse than most from the pose of a neighbour that did not, then from poses that
        are drawn."""
        squares = self._squares()
        poor = squares > _POOR * np.median(squares) + _SAME * self._roots @ self._roots * 1e-6
        if not poor.any():
            return
        yield from self._from_neighbours(squares, poor)
        left = np.flatnonzero(poor & (squares > _POOR * np.median(squares)))[:_MOST_DRAWN]
        random = np.random.default_rng(_SEED)
        better = False
        for frame in left.tolist():
            for _ in range(_DRAWN):
                better |= self._improve(frame, self._drawn(random, frame), squares)
                yield 0.99
        if better:
            yield from self._from_neighbours(squares, poor)

    def _from_neighbours(self, squares: Array, poor: NDArray[np.bool_]) -> Generator[float, None, None]:
        for way, beside in ((range(len(squares) - 2, -1, -1), 1), (range(1, len(squares)), -1)):
            for frame in way:
                if poor[frame] and squares[frame + beside] < squares[frame]:
                    self._improve(frame, self._poses[frame + beside], squares)
                    yield 0.99

    def _improve(self, frame: int, start: Array, squares: Array) -> bool:
        """Fit a frame from another pose; keep what it was where that is no better."""
        kept = self._poses[frame].copy(), self._errors[frame].copy()
        self._fit(np.array([frame]), start.copy())
        found = float(np.nansum((self._errors[frame] * self._roots) ** 2))
        if found < squares[frame]:
            squares[frame] = found
            return True
        self._poses[frame], self._errors[frame] = kept
        return False

    def _drawn(self, random: np.random.Generator, frame: int) -> Array:
        """The pose of a frame with hinges below the roots drawn within their limits."""
        problem, q = self._problem, np.array(self._poses[frame], dtype=np.float64)
        lower = np.where(np.isfinite(problem.lower), problem.lower, -0.5 * math.pi)
        upper = np.where(np.isfinite(problem.upper), problem.upper, 0.5 * math.pi)
        turned = problem.model.figure.coordinate_index
        for joint in problem.model.figure.joints:
            for dof in joint.dofs:
                if dof.kind == "hinge" and dof.id in self._below:
                    place = turned[dof.id]
                    q[place] = random.uniform(lower[place], upper[place])
        return q

    def _squares(self) -> Array:
        """The weighted sum of squares of each frame's errors."""
        return np.asarray(np.nansum((self._errors * self._roots) ** 2, axis=1), dtype=np.float64)

    def _fit(self, frames: Array, q: Array) -> None:
        poses, errors = np.empty((len(frames), len(q))), np.empty((len(frames), len(self._roots)))
        targets = np.ascontiguousarray(self._targets[frames])
        fit_frames(self._problem.packed, targets, self._roots, self._movable, MOST_STEPS, q, self._work, poses, errors)
        self._poses[frames], self._errors[frames] = poses, errors

    def result(self) -> MarkerFit:
        """The motion of the coordinates that markers move."""
        moved = {dof for _, dof in self._problem.columns}
        names = tuple(name for name in self._figure.coordinates if self._figure.coordinate_dof[name].id in moved)
        places = [self._figure.coordinate_index[name] for name in names]
        values = np.array([self._problem.scatter(q, [self._rest])[0][places] for q in self._poses])
        return MarkerFit(
            figure=self._figure,
            coordinates=names,
            values=values,
            errors=self._errors,
            match=self._match,
            rate=self._markers.rate,
            start=self._markers.start,
        )

    def _root_columns(self) -> Array:
        """1 for each column of a root, 0 for the others."""
        own = {dof.id for joint in self._figure.joints if joint.parent is None for dof in joint.dofs}
        return np.array([float(dof in own) for _, dof in self._problem.columns])

    def _starts(self) -> list[Array]:
        """The rest pose with its roots at all quarter turns within the limits."""
        figure, places = self._figure, list[list[dict[int, float]]]()
        for joint in figure.joints:
            if joint.parent is None:
                places += [_quarters(figure, dof.id) for dof in joint.dofs if dof.kind != "slide"]
        poses = []
        for chosen in product(*places[:3]):
            pose = self._rest.copy()
            for each in chosen:
                for place, value in each.items():
                    pose[place] = value
            poses.append(self._problem.gather([pose]))
        return poses


def _quarters(figure: Figure, id: str) -> list[dict[int, float]]:
    """Values of a root's degree of freedom to begin from, by their places in q."""
    dof = next(each for each in figure.dofs if each.id == id)
    first = figure.coordinate_index[dof.coordinates[0]]
    if dof.kind == "hinge":
        turns = (0.0, 0.5 * math.pi, math.pi, -0.5 * math.pi)
        return [{first: turn} for turn in dict.fromkeys(dof.clamp(turn) for turn in turns)]
    half = math.sqrt(0.5)
    about = [(1.0, 0.0, 0.0, 0.0)]
    for axis in range(3):
        for w, sine in ((half, half), (0.0, 1.0), (half, -half)):
            numbers = [w, 0.0, 0.0, 0.0]
            numbers[1 + axis] = sine
            about.append((numbers[0], numbers[1], numbers[2], numbers[3]))
    return [{first + place: value for place, value in enumerate(each)} for each in about]


def _rms(errors: Array) -> float:
    known = errors[np.isfinite(errors)]
    return float(np.sqrt(np.mean(known**2))) if len(known) else math.nan
