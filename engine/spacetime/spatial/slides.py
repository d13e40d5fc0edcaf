"""Points that slide on the ground: friction opposed to their velocity, along both directions of it. Kernels.

Of a point with the velocity v along the ground, pressed by N, friction is f = -mu N v / |v|. So that this has
derivatives where a slide begins and ends, |v| is taken for s = sqrt(v . v + SLOW^2): friction is whole from a few SLOW
on, and nothing at rest. Asked for where pieces meet, as two equations

    f_d + mu N v_d / s = 0.

Velocities are those of `probes`, with exact second derivatives.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from engine.maths.arrays import Array, BoolArray, IntArray
from engine.runtime.jit import kernel
from engine.spacetime.constraints import ProbeConstraint
from engine.spacetime.problem import ConstraintOrigin
from engine.spacetime.spatial.constraints import SpatialProbeList, first_spatial_piece
from engine.spacetime.spatial.layout import PackedSpatial, SpatialLayout
from engine.spacetime.spatial.points import PointWork, read_point
from engine.spacetime.spatial.probes import (
    POINT_RATE,
    PackedSpatialProbes,
    ProbeWork,
    add_probe_curvature,
    evaluate_probe,
    new_probe_work,
    write_probe_slopes,
)
from engine.spacetime.spatial.problem import SpatialCone, SpatialProblem

SLOW = 0.01  # [m/s]


class PackedSlides(NamedTuple):
    """Each is two probes: the velocities of a point along the ground at a time."""

    probes: PackedSpatialProbes
    forces: IntArray  # [slides, 3], that which presses, and those along the ground
    frictions: Array  # [slides]
    slopes: Array  # [2, width], of the velocities by local numbers
    speeds: Array  # [2]
    ways: Array  # [2, 2], derivatives of v / s
    shares: Array  # [2], what the whole changes with each velocity
    bends: Array  # [2, 2], and the second derivatives


@kernel
def read_slide(problem: PackedSpatial, slides: PackedSlides, k: int, x: Array, work: ProbeWork) -> float:
    """Read velocities and forces of a slide; return 1 / s."""
    probes, square = slides.probes, SLOW * SLOW
    for e in range(2):
        p = 2 * k + e
        read_point(problem, probes.pieces[p], probes.bases[p], probes.hats[p], x, work.point)
        slides.speeds[e] = evaluate_probe(problem, probes, p, work)
        square += slides.speeds[e] ** 2
    return 1.0 / float(np.sqrt(square))


@kernel
def evaluate_slides(
    problem: PackedSpatial, slides: PackedSlides, x: Array, work: ProbeWork, out_constraints: Array
) -> None:
    """Set the equations."""
    for k in range(slides.frictions.size):
        inverse = read_slide(problem, slides, k, x, work)
        press = slides.frictions[k] * work.point.sizes[slides.forces[k, 0]]
        for d in range(2):
            out_constraints[2 * k + d] = work.point.sizes[slides.forces[k, 1 + d]] + press * slides.speeds[d] * inverse


@kernel
def differentiate_slides(
    problem: PackedSpatial,
    slides: PackedSlides,
    x: Array,
    multipliers: Array,
    work: ProbeWork,
    out_constraints: Array,
    out_jacobian: Array,
    out_hessian: Array,
) -> None:
    """Do so with derivatives; the Hessian is added to that of pieces."""
    n, probes, v = work.by_q.size, slides.probes, slides.speeds
    out_jacobian[:] = 0.0
    for k in range(slides.frictions.size):
        piece = probes.pieces[2 * k]
        stage = problem.pieces[piece, 0]
        free = problem.free_lengths[stage] == 1
        inverse = read_slide(problem, slides, k, x, work)
        friction = slides.frictions[k]
        press = friction * work.point.sizes[slides.forces[k, 0]]
        _set_parts(slides, multipliers[2 * k], multipliers[2 * k + 1], press, inverse)
        for e in range(2):
            p = 2 * k + e
            h = read_point(problem, piece, probes.bases[p], probes.hats[p], x, work.point)
            evaluate_probe(problem, probes, p, work)
            slides.slopes[e, :] = 0.0
            write_probe_slopes(problem, stage, h, free, 1.0, work, slides.slopes[e])
            add_probe_curvature(problem, probes, p, h, free, slides.shares[e], work, out_hessian[piece])
        for d in range(2):
            row, out = 2 * k + d, out_jacobian[2 * k + d]
            out_constraints[row] = work.point.sizes[slides.forces[k, 1 + d]] + press * v[d] * inverse
            for local in range(out.size):
                along = slides.ways[d, 0] * slides.slopes[0, local] + slides.ways[d, 1] * slides.slopes[1, local]
                out[local] = press * along
            for c in range(2):
                pressing = _force_place(problem, slides, k, 0, c, stage, n)
                own = _force_place(problem, slides, k, 1 + d, c, stage, n)
                if pressing >= 0:
                    out[pressing] += friction * v[d] * inverse * _share(problem, slides, k, 0, c, stage)
                if own >= 0:
                    out[own] += _share(problem, slides, k, 1 + d, c, stage)
        _add_products(problem, slides, k, stage, multipliers, n, out_hessian[piece])


@kernel
def _set_parts(slides: PackedSlides, first: float, second: float, press: float, inverse: float) -> None:
    """Set the derivatives of the equations by velocities, and of their sum by multipliers."""
    v, cube, fifth = slides.speeds, inverse**3, inverse**5
    slides.bends[:], slides.shares[:] = 0.0, 0.0
    for d in range(2):
        multiplier = first if d == 0 else second
        for e in range(2):
            slides.ways[d, e] = (inverse if d == e else 0.0) - v[d] * v[e] * cube
            slides.shares[e] += multiplier * press * slides.ways[d, e]
            for g in range(2):
                bend = 3.0 * v[d] * v[e] * v[g] * fifth
                bend -= (v[g] if d == e else 0.0) * cube
                bend -= (v[e] if d == g else 0.0) * cube
                bend -= (v[d] if e == g else 0.0) * cube
                slides.bends[e, g] += multiplier * press * bend


@kernel
def _add_products(
    problem: PackedSpatial, slides: PackedSlides, k: int, stage: int, multipliers: Array, n: int, out_local: Array
) -> None:
    """Add second derivatives by velocities, and by these and what presses."""
    slopes, width, friction = slides.slopes, out_local.shape[0], slides.frictions[k]
    for row in range(width):
        own = (
            slides.bends[0, 0] * slopes[0, row] + slides.bends[0, 1] * slopes[1, row],
            slides.bends[1, 0] * slopes[0, row] + slides.bends[1, 1] * slopes[1, row],
        )
        if own[0] != 0.0 or own[1] != 0.0:
            for column in range(row + 1):
                out_local[row, column] += own[0] * slopes[0, column] + own[1] * slopes[1, column]
    for c in range(2):
        place = _force_place(problem, slides, k, 0, c, stage, n)
        if place < 0:
            continue
        share = _share(problem, slides, k, 0, c, stage)
        for local in range(width):
            for e in range(2):
                for d in range(2):
                    found = multipliers[2 * k + d] * friction * slides.ways[d, e] * slopes[e, local]
                    out_local[max(place, local), min(place, local)] += share * found


@kernel
def _force_place(problem: PackedSpatial, slides: PackedSlides, k: int, which: int, c: int, stage: int, n: int) -> int:
    """Local number of a coefficient of a force, or -1."""
    f = slides.forces[k, which]
    return int(4 * n + 2 * f + c) if c < problem.hat_counts[stage, f] else -1


@kernel
def _share(problem: PackedSpatial, slides: PackedSlides, k: int, which: int, c: int, stage: int) -> float:
    """How a coefficient of a force counts at the time of a slide."""
    hat = problem.hat_counts[stage, slides.forces[k, which]] == 2
    return float(slides.probes.hats[2 * k, c]) if hat else 1.0


class SlideRows:
    """All slides of a problem: their constraints, and where derivatives stand."""

    def __init__(self, problem: SpatialProblem, layout: SpatialLayout, first: int, work: PointWork) -> None:
        self.constraints: list[ProbeConstraint] = []
        self._list, self._forces, self._frictions = SpatialProbeList(), list[tuple[int, int, int]](), list[float]()
        self._first = first
        for cone in problem.cones:
            if cone.slides:
                self._add(problem, cone)
        packed = layout.packed
        width, probes = packed.columns.shape[1], self._list.pack()
        self.packed = PackedSlides(
            probes=probes,
            forces=np.array(self._forces, np.int32).reshape(-1, 3),
            frictions=np.array(self._frictions, np.float64),
            slopes=np.zeros((2, width)),
            speeds=np.zeros(2),
            ways=np.zeros((2, 2)),
            shares=np.zeros(2),
            bends=np.zeros((2, 2)),
        )
        self._reads = self._find_reads(packed)
        self._work = new_probe_work(work, len(probes.kinds))
        self.pieces = probes.pieces[::2]
        self.rows = np.repeat(first + np.arange(len(self.constraints), dtype=np.int32), width)
        self.jacobian = np.zeros((len(self.constraints), width))

    def columns(self, used: IntArray) -> IntArray:
        """Variables of the numbers of the Jacobian, of those that pieces use."""
        return np.where(self._reads, used[np.repeat(self.pieces, 2)], -1).reshape(-1).astype(np.int32)

    def _find_reads(self, packed: PackedSpatial) -> BoolArray:
        """Find which local numbers each constraint depends on."""
        n, probes = packed.moving.shape[1], self.packed.probes
        found = np.zeros((len(self.constraints), packed.columns.shape[1]), bool)
        found[:, -1] = True
        for row in range(len(found)):
            seen, rate = np.any(probes.bases[row, :2] != 0.0, axis=0), int(probes.subjects[row])
            while rate >= 0:
                found[row, 4 * rate : 4 * rate + 4] = seen
                rate = int(packed.tree.parents[rate])
            for f in (self._forces[row // 2][0], self._forces[row // 2][1 + row % 2]):
                found[row, 4 * n + 2 * f : 4 * n + 2 * f + 2] = True
        return found

    def evaluate(self, packed: PackedSpatial, x: Array, out_constraints: Array) -> None:
        """Set the constraints."""
        evaluate_slides(packed, self.packed, x, self._work, self._own(out_constraints))

    def differentiate(
        self, packed: PackedSpatial, x: Array, multipliers: Array, out_constraints: Array, out_hessian: Array
    ) -> None:
        """Do so with derivatives."""
        made, of = self._own(out_constraints), self._own(multipliers)
        differentiate_slides(packed, self.packed, x, of, self._work, made, self.jacobian, out_hessian)

    def _own(self, constraints: Array) -> Array:
        return constraints[self._first : self._first + len(self.constraints)]

    def _add(self, problem: SpatialProblem, cone: SpatialCone) -> None:
        """Ask for the friction of a contact where pieces meet."""
        names = [each.name for each in problem.forces]
        stage, figure = problem.stage(cone.stage), problem.figure
        pieces, first = problem.stages[stage].pieces, first_spatial_piece(problem, stage)
        for normal in cone.normals:
            point = problem.forces[names.index(normal)].point
            joint = figure.joint(point.joint)
            forces = [names.index(each) for each in (normal, *cone.tangents)]
            for node in range(pieces + 1):
                piece = min(node, pieces - 1)
                self._forces.append((forces[0], forces[1], forces[2]))
                self._frictions.append(cone.friction)
                for f in forces[1:]:
                    words, origin = f"{names[f]} against the slide", ConstraintOrigin("cone", names[f])
                    scale, share = figure.mass * 9.81, node / pieces
                    made = ProbeConstraint(0.0, 0.0, scale, words, stage, share, origin)
                    self.constraints.append(made)
                    self._list.constraints.append(made)
                    self._list.look(
                        POINT_RATE, pieces, (first + piece, piece, float(node - piece)),
                        int(figure.packed.carriers[joint]), joint=joint, spot=point.place,
                        direction=problem.forces[f].direction,
                    )  # fmt: skip
