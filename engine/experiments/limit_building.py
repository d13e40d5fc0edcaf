"""The cost of building fields: Engell-Norregard 2012, table 2, for 30 joints and 200 samples of a jump.

Beside the seconds of ours stand those of brute force on the same samples, which is what the source did: every node
against every sample. Ours fills in samples between samples first, brute force does not; its distances
are what ours are compared with.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from time import perf_counter

import numpy as np

from engine.document import Joint, Limit
from engine.experiments.charts import Line, line_chart
from engine.experiments.clips import load_clips
from engine.experiments.limiting import limit_of
from engine.experiments.result import TIMES, Claim, Result, ResultPlot, Settings, Table
from engine.limits.distance import find_nearest, wrap_samples
from engine.limits.field import compile_fields
from engine.limits.ranges import nodes_of
from engine.maths.arrays import Array

_SOURCE = {8: 0.21, 16: 1.34, 32: 8.30}  # [s]
_STORED = {8: 4.0, 16: 32.7, 32: 262.0}  # [kB]
_COLUMNS = ("nodes", "samples", "samples_in_all", "values_kB", "first_field_kB", "mean_volume_rad3", "worst_error_rad")
Row = tuple[int, int, int, float, float, float, float]
Time = tuple[int, float, float, float]
_JOINTS, _SAMPLES, _EXACT = 30, 200, 1e-12


def run(settings: Settings) -> Result:
    """Every grid, with the clip that comes first."""
    clips = load_clips(settings)
    name = next(iter(clips.poses))
    joints = clips.balls(6 if settings.quick else _JOINTS, resting=True)
    grids = (8, 16) if settings.quick else (8, 16, 32, 64)
    phase = settings.seed % 7 / 7.0
    angles = [clips.angles(joint, name) for joint in joints]
    chosen = [each[((np.arange(_SAMPLES) + phase) * (len(each) - 1) / _SAMPLES).astype(int)] for each in angles]
    built = [_built(count, joints, chosen) for count in grids]
    rows, times = [row for row, _ in built], [time for _, time in built]
    return Result(
        title="Building fields (Engell-Norregard 2012, table 2)",
        tables=(
            Table(name="fields", columns=_COLUMNS, rows=tuple(rows)),
            Table(name=TIMES, columns=("nodes", "ours_s", "brute_force_s", "source_s"), rows=tuple(times)),
        ),
        pictures=(_size_picture(rows), _time_picture(times, len(joints))),
        claims=_claims(rows, times, len(joints)),
        notes=(clips.note, f"{len(joints)} joints of {name}, {_SAMPLES} samples of each, around the whole turn"),
    )


def _built(count: int, joints: list[Joint], chosen: list[Array]) -> tuple[Row, Time]:
    """Build the fields of one grid; return their size and the time that it takes."""
    axes = [np.array([dof.axis for dof in joint.dofs]) for joint in joints]
    limits = [
        limit_of(joint, [dof.id for dof in joint.dofs], [mine], nodes=count, whole=True)
        for joint, mine in zip(joints, chosen, strict=True)
    ]
    compile_fields([replace(each, margin=each.margin + 1e-6) for each in limits], axes)  # untimed: kernels, memory
    began = perf_counter()
    fields = compile_fields(limits, axes)
    took = perf_counter() - began
    began = perf_counter()
    brute = _brute_force(limits[0], chosen[0])
    time = (count, took, (perf_counter() - began) * len(joints), _SOURCE.get(count, math.nan))
    samples = sum(len(field.anchors) for field in fields)
    volume = float(np.mean([field.volume for field in fields]))
    sizes = (fields[0].values.nbytes / 1e3, fields[0].bytes / 1e3)
    return (count, _SAMPLES, samples, *sizes, volume, round(_error(limits[0], chosen[0], brute), 12)), time


def _brute_force(limit: Limit, samples: Array) -> Array:
    """Every node against every sample, the short way round."""
    best = np.full(math.prod(limit.grid.counts), math.inf)
    nodes = nodes_of(limit.grid)
    for sample in samples:
        apart = np.abs(np.remainder(nodes - sample + math.pi, math.tau) - math.pi)
        best = np.minimum(best, np.einsum("ij,ij->i", apart, apart))
    return np.asarray(np.sqrt(best))


def _error(limit: Limit, samples: Array, brute: Array) -> float:
    """The greatest difference of our distances to the same samples from brute force [rad]."""
    ours, _ = find_nearest([limit.grid], [wrap_samples(limit.grid, samples)])[0]
    return float(np.abs(ours.ravel() - brute).max())


def _size_picture(rows: list[Row]) -> ResultPlot:
    across = [float(row[0]) for row in rows]
    lines = [
        Line(name="values", x=across, y=[row[3] for row in rows]),
        Line(name="with samples, nearest", x=across, y=[row[4] for row in rows]),
        Line(name="the source", x=list(map(float, _STORED)), y=list(_STORED.values()), dashed=True),
    ]
    chart = line_chart("Memory of a field", "nodes along an axis", "[kB]", lines, log="xy")
    return ResultPlot(name="memory", svg=chart)


def _time_picture(times: list[Time], joints: int) -> ResultPlot:
    across = [float(row[0]) for row in times]
    names = ("Sinew", "brute force in numpy", "the source, 30 joints")
    lines = [
        Line(name=name, x=across, y=[row[each + 1] for row in times], dashed=each == 2)
        for each, name in enumerate(names)
    ]
    title = f"Building the fields of {joints} joints"
    return ResultPlot(name=f"{TIMES}-building", svg=line_chart(title, "nodes along an axis", "[s]", lines, log="xy"))


def _claims(
    rows: list[Row],
    times: list[Time],
    joints: int,
) -> tuple[Claim, ...]:
    stored = {row[0]: row[3] for row in rows}
    worst = max(row[6] for row in rows)
    listed = ", ".join(f"{stored[count]:.1f} kB" for count in _STORED if count in stored)
    growth = [(b[1] / a[1], b[2] / a[2]) for a, b in pairwise(times)]
    last = next(row for row in reversed(times) if row[0] in _SOURCE)
    return (
        Claim(
            source="a field of 8, 16, 32 nodes along each axis takes 4, 32.7, 262 kB (table 2)",
            ours=f"{listed}; with samples and which is nearest {rows[-1][4]:.0f} kB at {rows[-1][0]}",
            agrees=all(
                abs(stored[count] - _STORED[count]) < 0.05 * _STORED[count] for count in _STORED if count in stored
            ),
        ),
        Claim(
            source="(ours) distances are exact to 1e-12 rad",
            ours="within 1e-12 rad of brute force" if worst <= _EXACT else f"{worst:.0e} rad from brute force",
            agrees=worst <= _EXACT,
        ),
        Claim(
            source="twice the nodes take 6.3 times as long (table 2, brute force)",
            ours="ours "
            + ", ".join(f"{mine:.1f}" for mine, _ in growth)
            + "; brute force "
            + ", ".join(f"{brute:.1f}" for _, brute in growth)
            + " times",
            agrees=all(mine < 8.0 for mine, _ in growth),
            timed=True,
        ),
        Claim(
            source=f"{_JOINTS} joints of 200 samples take {_SOURCE[last[0]]} s at {last[0]}: acceptable (table 2)",
            ours=f"{joints} joints in {100.0 * last[1] / last[2]:.1f}% of the time of brute force in numpy, "
            f"{100.0 * last[1] / last[3]:.1f}% of the source's",
            agrees=last[1] < last[2],
            timed=True,
        ),
    )
