"""A cantilever that bends under its weight, of tetrahedra and of hexahedra, against the beam of Timoshenko.

A bar five times as long as it is thick, clamped at one end, sags by so little that theory holds; Poisson's ratio is 0,
since a clamp would hinder what theory leaves free. Linear tetrahedra are stiff in bending: within one the strain is the
same everywhere, so that a bent bar has to shear. What they miss falls with the square of the side of a brick; trilinear
hexahedra miss less at any size.
"""

from __future__ import annotations

import math

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.soft.materials import SoftMaterial
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import box, cube_grid
from engine.soft.step import SoftOptions, SoftPiece, compile_soft, start, step

THICK, LONG, YOUNG, DENSITY, GRAVITY = 0.2, 1.0, 1e6, 1000.0, 1e-3
COUNTS = {"tetrahedra": (2, 4, 8, 12), "hexahedra": (2, 4, 8)}  # bricks across
WITHIN = 0.02
_LONG_STEP = 1e4  # [s] in which inertia counts for nothing


def run(settings: Settings) -> Result:
    """Both kinds of cells at several sizes."""
    counts = {kind: each[:2] if settings.quick else each for kind, each in COUNTS.items()}
    rows: list[tuple[str, int, int, float, float]] = []
    for kind, sizes in counts.items():
        before: tuple[int, float] | None = None
        for count in sizes:
            mesh = bar(kind, count)
            off = missed(mesh)
            order = math.nan if before is None else math.log(before[1] / off) / math.log(count / before[0])
            rows.append((kind, count, len(mesh.cells), off, order))
            before = count, off
    lines = [
        Line(name=kind, x=[row[1] for row in rows if row[0] == kind], y=[row[3] for row in rows if row[0] == kind])
        for kind in counts
    ]
    return Result(
        title="A cantilever against the theory of beams",
        tables=(
            Table(
                name="missed",
                columns=("cells", "across", "count", "missed", "order"),
                rows=tuple((*row[:4], "" if math.isnan(row[4]) else row[4]) for row in rows),
            ),
        ),
        pictures=(
            ResultPlot(
                name="missed",
                svg=line_chart("What is missing of the deflection", "bricks across", "share", lines, log="y"),
            ),
        ),
        claims=_claims(rows),
    )


def bar(kind: str, count: int) -> VolumeMesh:
    """Make the bar of so many bricks across."""
    if kind == "tetrahedra":
        return box((LONG, THICK, THICK), (5 * count, count, count))
    return cube_grid((5 * count, count, count), THICK / count).mesh


def missed(mesh: VolumeMesh) -> float:
    """Find by how much the end sags less than theory says, as a share of that."""
    load, inertia, area = DENSITY * GRAVITY * THICK**2, THICK**4 / 12.0, THICK**2
    wanted = load * LONG**4 / (8.0 * YOUNG * inertia) + load * LONG**2 / (2.0 * 5.0 / 6.0 * 0.5 * YOUNG * area)
    law = "corotational" if mesh.shape == "tetrahedra" else "mooney-rivlin"
    material = SoftMaterial(law=law, young=YOUNG, poisson=0.0, density=DENSITY)  # type: ignore[arg-type]
    along = mesh.points[:, 0]
    held = np.flatnonzero(along < along.min() + 1e-9).astype(np.int32)
    piece = SoftPiece(mesh=mesh, material=material, held=held, touches=False)
    model = compile_soft([piece], SoftOptions(gravity=(0.0, -GRAVITY, 0.0), tolerance=1e-6))
    state = model.new_state()
    step(model, state, start(model, state), _LONG_STEP)
    found = (model.rest - state.x)[along > along.max() - 1e-9, 1].mean()
    return 1.0 - float(found) / wanted


def _claims(rows: list[tuple[str, int, int, float, float]]) -> tuple[Claim, ...]:
    finest = {row[0]: row for row in rows}
    told = "; ".join(f"{row[1]} {row[0]} across, {row[2]:,}: {row[3]:.2%}" for row in finest.values())
    orders = [row[4] for row in finest.values()]
    by_size = {(row[0], row[1]): row[3] for row in rows}
    counts = [count for kind, count in by_size if kind == "hexahedra"]
    beside = {count: (by_size["tetrahedra", count], by_size["hexahedra", count]) for count in counts}
    return (
        Claim(
            source="a cantilever of a fine mesh bends within 2% of the theory of beams",
            ours=told,
            agrees=all(abs(row[3]) <= WITHIN for row in finest.values()),
        ),
        Claim(
            source="linear cells converge with the square of their size",
            ours="order at the finest: " + "; ".join(f"{kind} {row[4]:.2f}" for kind, row in finest.items()),
            agrees=all(1.6 < order < 2.2 for order in orders),
        ),
        Claim(
            source="bricks of hexahedra are less stiff in bending than the same bricks of tetrahedra",
            ours="; ".join(f"{count} across: {at[1]:.1%}, {at[0]:.1%}" for count, at in beside.items()),
            agrees=all(0.0 < hexahedra < tetrahedra for tetrahedra, hexahedra in beside.values()),
        ),
    )
