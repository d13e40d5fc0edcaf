"""Response of two overlapping splines over time: Engell-Norregard 2012, figure 31.

Two splines lie one behind the other and share cells in the middle, as on the left of figure 33. The first is contracted
in frames 20 to 40, the second in frames 60 to 80; what is plotted are displacements of points along the body, frame by
frame of 1/60 s. Splines are critically damped, tau = sqrt(m / k) (80). Of the body's damping and of the step the source
says nothing, so four are tried: a flat bar of springs under symplectic Euler, damped by 5% and by 50% of what is
critical for each spring, and a cylinder of tetrahedra under implicit Euler, a step each frame, with no damping of its
own and with 0.03 s of stiffness damping.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.contracting import DENSITY, SPACING, SPRING, flat_bar, moved_controls, play
from engine.experiments.result import Cell, Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass
from engine.soft.materials import SoftMaterial
from engine.soft.mesh import VolumeMesh
from engine.soft.meshing import cylinder
from engine.soft.regions import Region
from engine.soft.splines import BoundSplines, DrawnSpline, bind_splines
from engine.soft.springs import spring_body
from engine.soft.step import SoftOptions, SoftPiece, compile_soft, start, step
from engine.soft.virtual_springs import VirtualSprings

SPANS = ((20, 40), (60, 80))  # frames in which the first and the second are contracted
ALPHA = 0.6
FRAMES = 100
_DT = 1.0 / 60.0
_STIFF = 10.0 * SPRING  # so that a frame is a fourth of the slowest swing of the bar along itself
_YOUNG = 1e5  # [Pa]
_INSTANT = 4  # frames
_WATCHED = (-0.8, -0.4, 0.0, 0.4, 0.8)  # [m] along the body


@dataclass(frozen=True, kw_only=True)
class Watched:
    """Motion of one body, frame by frame."""

    moved: Array  # [m] of points along the body, shape [frame_count, point_count]
    lengths: Array  # of the splines beside those at rest, shape [frame_count, 2]

    def measured(self, spline: int) -> tuple[float, ...]:
        """Measure the contraction that is held, frames to 90% of it, overshoot, frames back to a tenth, what is left
        five frames after the release."""
        begin, end = SPANS[spline]
        held = float(1.0 - self.lengths[end - 3 : end, spline].mean())
        during, after = 1.0 - self.lengths[begin:end, spline], 1.0 - self.lengths[end : end + 20, spline]
        rise, fall = int(np.argmax(during >= 0.9 * held)) + 1, int(np.argmax(after <= 0.1 * held)) + 1
        return held, rise, float(during.max() / held - 1.0), fall, float(np.abs(after[5:]).max() / held)


def run(settings: Settings) -> Result:
    """Contract one, then the other, in four bodies."""
    found = {"springs, 5%": of_springs(settings, 0.05), "implicit, damped": implicit(settings, 0.03)}
    if not settings.quick:
        found |= {"springs, 50%": of_springs(settings, 0.5), "implicit": implicit(settings, 0.0)}
    columns = ("body", "frame", "first", "second", *(f"x_{each}_m" for each in range(len(_WATCHED))))
    rows = [
        (name, frame, *each.lengths[frame].tolist(), *each.moved[frame].tolist())
        for name, each in found.items()
        for frame in range(FRAMES)
    ]
    measured: list[tuple[Cell, ...]] = [
        (name, spline + 1, *each.measured(spline)) for name, each in found.items() for spline in range(2)
    ]
    heads = ("body", "spline", "contracted", "rise_frames", "overshoot", "fall_frames", "left_over")
    return Result(
        title="Response of two overlapping splines (Engell-Norregard 2012, figure 31)",
        tables=(
            Table(name="response", columns=columns, rows=tuple(rows)),
            Table(name="measured", columns=heads, rows=tuple(measured)),
        ),
        pictures=tuple(
            ResultPlot(name=name.replace(", ", "-").strip("%"), svg=_drawn(name, each)) for name, each in found.items()
        ),
        claims=_claims(found),
    )


def of_springs(settings: Settings, damping: float) -> Watched:
    """Step a flat bar of springs."""
    mesh = flat_bar(16, 3)
    masses = mesh.masses(DENSITY)
    bound = _bound(settings, mesh, masses, spring=_STIFF)
    body = spring_body(mesh, masses, stiffness=_STIFF, damping=damping, virtual=bound.springs)
    seen, note = _watch(mesh, bound.springs, axis=0)
    play(body, mesh.points.copy(), FRAMES, _DT, lambda frame: _alphas(bound, frame), lambda f, x, _: note(f, x))
    return seen


def implicit(settings: Settings, damping: float) -> Watched:
    """Step a cylinder of tetrahedra."""
    mesh = cylinder(0.15, 1.6, rings=2, layers=16, axis=0)
    material = SoftMaterial(young=_YOUNG, poisson=0.4, stiffness_damping=damping)
    bound = _bound(settings, mesh, mesh.masses(material.density), young=_YOUNG)
    options = SoftOptions(gravity=(0.0, 0.0, 0.0))
    model = compile_soft([SoftPiece(mesh=mesh, material=material, springs=bound.springs)], options)
    state = model.new_state()
    work = start(model, state)
    seen, note = _watch(mesh, bound.springs, axis=0)
    for frame in range(FRAMES):
        step(model, state, work, _DT, alphas=_alphas(bound, frame))
        note(frame, state.x)
    return seen


def lengths(springs: VirtualSprings, points: Array) -> Array:
    """Compute the length of each spline beside that at rest."""
    now = np.bincount(springs.spline, weights=springs.contractions(points) * springs.rest)
    return np.asarray(now / np.bincount(springs.spline, weights=springs.rest))


def _bound(settings: Settings, mesh: VolumeMesh, masses: Array, **stiffness: float) -> BoundSplines:
    along = [np.array([(-7.5, 0.0, 0.0), (1.5, 0.0, 0.0)]), np.array([(-1.5, 0.0, 0.0), (7.5, 0.0, 0.0)])]
    moved = [moved_controls(settings, SPACING * each, flat=mesh.planar) for each in along]
    region: Region = "cell" if mesh.planar else "nearest"
    splines = [DrawnSpline(controls=each, samples=10, region=region) for each in moved]
    return bind_splines(mesh, masses, splines, **stiffness)


def _alphas(bound: BoundSplines, frame: int) -> Array:
    active = [span[0] <= frame < span[1] for span in SPANS]
    return np.where(np.array(active)[bound.springs.spline], ALPHA, 1.0)


def _watch(mesh: VolumeMesh, springs: VirtualSprings, axis: int) -> tuple[Watched, Callable[[int, Array], None]]:
    """Make room for what is seen, and a way to note a frame."""
    places = np.zeros((len(_WATCHED), 3))
    places[:, axis] = _WATCHED
    watched = [int(np.argmin(np.linalg.norm(mesh.points - place, axis=1))) for place in places]
    seen = Watched(moved=np.empty((FRAMES, len(_WATCHED))), lengths=np.empty((FRAMES, 2)))

    def note(frame: int, points: Array) -> None:
        seen.moved[frame] = (points - mesh.points)[watched, axis]
        seen.lengths[frame] = lengths(springs, points)

    return seen, note


def _drawn(name: str, seen: Watched) -> str:
    frames = list(range(FRAMES))
    lines = [
        Line(name=f"at {place:g} m", x=frames, y=(100.0 * seen.moved[:, each]).tolist())
        for each, place in enumerate(_WATCHED)
    ]
    return line_chart(f"Displacement along the body: {name}", "frame", "[cm]", lines)


def _claims(found: dict[str, Watched]) -> tuple[Claim, ...]:
    def told(place: int, digits: str) -> str:
        worst = {name: max(each.measured(spline)[place] for spline in range(2)) for name, each in found.items()}
        return "; ".join(f"{name}: {value:{digits}}" for name, value in worst.items())

    stepped = [found["implicit, damped"].measured(spline) for spline in range(2)]
    return (
        Claim(
            source="the response to a contraction, and to its end, is close to instantaneous",
            ours=f"frames to 90%: {told(1, '.0f')}; to relax: {told(3, '.0f')}",
            agrees=all(
                max(each.measured(spline)[1], each.measured(spline)[3]) <= _INSTANT
                for each in found.values()
                for spline in range(2)
            ),
        ),
        Claim(
            source="it is nearly critically damped, oscillations are minimal",
            ours=f"overshoot: {told(2, '.0%')}; left after five frames: {told(4, '.0%')}; splines damp themselves, not "
            "the swings of the body, which need damping of its own",
            agrees=all(max(each[2], each[4]) <= 0.1 for each in stepped),
        ),
    )
