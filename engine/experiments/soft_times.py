"""Time of steps and of activation by elements and by splines: Engell-Norregard 2012, figures 38 to 40.

A cylinder of tetrahedra held at one end is contracted and released by one spline, of 128 to 4011 elements in the source
and of as many as rings and layers come nearest to here; then one cylinder has 1 to 40 splines, each twice as stiff as
the body, and as many that are so together. A step is of 1/60 s, implicit, to a residual of 1e-4, without the drawing
that the source's times have; times are of the processor.

The activation part as the source counts it, the splines' forces and their transfer, is timed alone. Beside it stands
what splines cost within a step, where their stiffness is part of the matrix: the fastest tenth of the steps with
splines too weak to move anything, against those without.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.contracting import moved_controls
from engine.experiments.result import TIMES, Cell, Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.soft.materials import SoftMaterial
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import cylinder
from engine.soft.splines import USUAL_RATIO, DrawnSpline, bind_splines
from engine.soft.step import SoftModel, SoftOptions, SoftPiece, StepReport, compile_soft, start, step
from engine.soft.virtual_springs import VirtualSprings, add_virtual_forces

SIZES = ((1, 7), (1, 14), (2, 7), (2, 14), (3, 12), (3, 18), (3, 25))  # rings and layers: 126 to 4050 elements
COUNTS = (1, 5, 10, 20, 30, 40)  # splines
_DT, _YOUNG, _FRAMES = 1.0 / 60.0, 1e5, 120
_SOURCE_STEP, _SOURCE_PART = 60.0, 0.4  # [ms]
_MOST_PART = 0.02  # of a step


def run(settings: Settings) -> Result:
    """Sizes, then splines."""
    sizes, counts = (SIZES[:3:2], COUNTS[:2]) if settings.quick else (SIZES, COUNTS)
    frames = 12 if settings.quick else _FRAMES
    elements, splines, steps = list[tuple[float, ...]](), dict[str, list[tuple[float, ...]]](), list[tuple[Cell, ...]]()
    for rings, layers in sizes:
        mesh = cylinder(0.1, 1.0, rings=rings, layers=layers, axis=0)
        timed = _timed(settings, mesh, 1, frames)
        elements.append((len(mesh.cells), *timed.row))
        steps.append(("elements", len(mesh.cells), len(mesh.points), *timed.counts))
    mesh = cylinder(0.1, 1.0, rings=2, layers=14, axis=0)
    for name in ("each", "together"):
        splines[name] = []
        for count in counts:
            timed = _timed(settings, mesh, count, frames // 2, USUAL_RATIO / (count if name == "together" else 1))
            splines[name].append((count, *timed.row))
            steps.append((f"splines, {name}", count, len(mesh.points), *timed.counts))
    columns = ("median_ms", "first_quartile_ms", "third_quartile_ms", "activation_ms", "within_step_ms")
    heads = ("case", "number", "points", "newton_steps", "products", "shortest")
    return Result(
        title="Time of steps by elements and by splines (Engell-Norregard 2012, figures 38 to 40)",
        tables=(
            Table(name="steps", columns=heads, rows=tuple(steps)),
            Table(name=f"{TIMES}-elements", columns=("elements", *columns), rows=tuple(elements)),
            *(
                Table(name=f"{TIMES}-{name}", columns=("splines", *columns), rows=tuple(splines[name]))
                for name in splines
            ),
        ),
        pictures=(
            _drawn("elements", "Time of a step by elements", elements),
            *(_drawn(name, f"Time of a step by splines, twice as stiff {name}", splines[name]) for name in splines),
            ResultPlot(name="steps", svg=_counted(steps)),
        ),
        claims=(_same(steps), *_claims(elements, splines)),
    )


class _Timed:
    """Times [ms] and counts of one cylinder."""

    def __init__(
        self, seconds: Array, activation: float, within: float, reports: list[StepReport], shortest: float
    ) -> None:
        quartiles = 1e3 * np.percentile(seconds, (50.0, 25.0, 75.0))
        self.row = (*quartiles.tolist(), 1e3 * activation, 1e3 * within)
        newton, products = (
            float(np.mean([getattr(each, name) for each in reports])) for name in ("iterations", "products")
        )
        self.counts = (newton, products, shortest)


def _timed(settings: Settings, mesh: VolumeMesh, count: int, frames: int, ratio: float = USUAL_RATIO) -> _Timed:
    material = SoftMaterial(young=_YOUNG, poisson=0.4)
    masses = mesh.masses(material.density)
    springs = bind_splines(mesh, masses, _splines(settings, count, ratio), young=_YOUNG).springs
    alphas = [np.full(springs.segment_count, 0.7 if frame // 30 % 2 else 1.0) for frame in range(frames)]
    model = _model(mesh, material, springs)
    seconds, reports, points = _stepped(model, alphas)
    weak = springs._replace(stiffness=1e-9 * springs.stiffness, damping=1e-9 * springs.damping)
    with_weak, _, _ = _stepped(_model(mesh, material, weak), alphas[: frames // 2])
    without, _, _ = _stepped(_model(mesh, material, None), [None] * (frames // 2))
    shortest = float(springs.contractions(points).min())
    within = float(np.percentile(with_weak, 10.0) - np.percentile(without, 10.0))
    return _Timed(np.array(seconds), _activation(springs, mesh, alphas[-1]), within, reports, shortest)


def _splines(settings: Settings, count: int, ratio: float) -> list[DrawnSpline]:
    """Place splines around the axis, on rings of eight."""
    found = []
    for number in range(count):
        angle, radius = 2.0 * np.pi * number / 8.0, 0.0 if count == 1 else 0.02 + 0.012 * (number // 8)
        y, z = radius * np.cos(angle), radius * np.sin(angle)
        controls = moved_controls(settings, np.array([(-0.45, y, z), (0.45, y, z)]), flat=False)
        found.append(DrawnSpline(controls=controls, samples=8, ratio=ratio))
    return found


def _model(mesh: VolumeMesh, material: SoftMaterial, springs: VirtualSprings | None) -> SoftModel:
    held = np.flatnonzero(mesh.points[:, 0] < -0.5 + 1e-9).astype(np.int32)
    piece = SoftPiece(mesh=mesh, material=material, held=held, springs=springs)
    return compile_soft([piece], SoftOptions(tolerance=1e-4))


def _stepped(model: SoftModel, alphas: list[Array] | list[None]) -> tuple[list[float], list[StepReport], Array]:
    state = model.new_state()
    work = start(model, state)
    step(model, state, work, _DT, alphas=alphas[0])
    state = model.new_state()
    seconds, reports = [], []
    for each in alphas:
        begin = time.thread_time()
        reports.append(step(model, state, work, _DT, alphas=each))
        seconds.append(time.thread_time() - begin)
    return seconds, reports, state.x


def _activation(springs: VirtualSprings, mesh: VolumeMesh, alphas: Array) -> float:
    """Time the forces of splines and their transfer [s]."""
    still, forces, work = np.zeros_like(mesh.points), np.zeros_like(mesh.points), springs.new_work()
    call: Callable[[], None] = lambda: add_virtual_forces(springs, mesh.points, still, alphas, work, forces)  # noqa: E731
    found = []
    for _ in range(30):
        begin = time.thread_time()
        for _ in range(20):
            call()
        found.append((time.thread_time() - begin) / 20.0)
    return float(np.median(found))


def _drawn(name: str, title: str, rows: list[tuple[float, ...]]) -> ResultPlot:
    x = [row[0] for row in rows]
    lines = [
        Line(name=said, x=x, y=[max(row[column], 1e-6) for row in rows], dashed=column in (2, 3))
        for column, said in ((1, "step, median"), (2, "first quartile"), (3, "third quartile"), (4, "activation"))
    ]
    return ResultPlot(
        name=f"{TIMES}-{name}",
        svg=line_chart(title, "elements" if name == "elements" else "splines", "[ms]", lines, log="y"),
    )


def _counted(steps: list[tuple[Cell, ...]]) -> str:
    rows = [row for row in steps if row[0] == "elements"]
    lines = [
        Line(name=name, x=[float(row[1]) for row in rows], y=[float(row[column]) for row in rows])
        for column, name in ((3, "Newton's steps"), (4, "products with the matrix"))
    ]
    return line_chart("What a step takes", "elements", "number", lines)


def _same(steps: list[tuple[Cell, ...]]) -> Claim:
    shortest = [float(row[-1]) for row in steps if row[0] == "elements"]
    return Claim(
        source="the mesh's resolution changes the time, not what the spline does (21.1)",
        ours="its most contracted segment at the end: " + " / ".join(f"{each:.2f}" for each in shortest),
        agrees=max(shortest) < 1.05 * min(shortest),
    )


def _claims(elements: list[tuple[float, ...]], splines: dict[str, list[tuple[float, ...]]]) -> tuple[Claim, ...]:
    def told(rows: list[tuple[float, ...]], column: int, digits: str = ".2g") -> str:
        return " / ".join(format(row[column], digits) for row in rows)

    shares = [row[4] / row[1] for row in elements]
    within = [max(row[5], 0.0) / row[1] for row in elements]
    each, together = splines["each"], splines["together"]
    return (
        Claim(
            source="a step takes at most 60 ms up to 4011 elements, drawing included (figure 38)",
            ours=f"at {told(elements, 0, 'd')} elements {told(elements, 1)} ms",
            agrees=max(row[1] for row in elements) < _SOURCE_STEP,
            timed=True,
        ),
        Claim(
            source="the activation part takes at most 0.4 ms, 0.5 to 1% of a step (figure 39)",
            ours=f"{told(elements, 4)} ms, {min(shares):.1%} to {max(shares):.1%} of a step; all that a spline costs "
            f"within an implicit step: {min(within):.1%} to {max(within):.1%}",
            agrees=max(row[4] for row in elements) < _SOURCE_PART and max(shares) < _MOST_PART,
            timed=True,
        ),
        Claim(
            source="the number of splines has a negligible effect on the time (figure 40)",
            ours=f"with {told(each, 0, 'd')} splines {told(each, 1)} ms, their forces {told(each, 4)} ms; of the same "
            f"stiffness together {told(together, 1)} ms: within an implicit step stiffness costs iterations",
            agrees=max(row[1] for row in each) < 1.25 * each[0][1],
            timed=True,
        ),
        Claim(
            source="the activation part grows less than the splines (figure 40)",
            ours=f"from {each[0][0]:.0f} to {each[-1][0]:.0f} splines {each[-1][4] / each[0][4]:.1f} times",
            agrees=each[-1][4] / each[0][4] < each[-1][0] / each[0][0],
            timed=True,
        ),
    )
