"""A soft body that jumps to a mark: a planar table of the examples, by its three splines alone.

It stands at rest, passive. Wanted are a height of its centre of mass in the air, and later its pose at rest on the
mark, standing still. L-BFGS goes down from splines that do nothing: first for the height, then for both. The document
with what was found is then played. All numbers are ours; the source proposes splines as controls (section 25.4), and
has no result of it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Document, Span
from engine.document.ticks import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.experiments.charts import COLOURS, Line, Sticks, line_chart, stick_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array
from engine.queries.examples import example
from engine.runtime.quick_dataclass import dataclass
from engine.soft.control.descent import DescentIterate
from engine.soft.control.objective import KeyMiss
from engine.soft.control.planning import MotionKey, MotionPlan, plan_motion
from engine.soft.control.problem import ControlledRun
from engine.soft.goals import SoftPlanChoices
from engine.soft.mesh import VolumeMesh
from engine.soft.parts import SoftWorld
from engine.soft.stage import SoftStage
from engine.soft.uses import soft_actors

BODY = "table"
FAR, HIGH = 0.4, 0.25  # [m] of the mark, and of the centre above where it stands
START, APEX, END = 0.5, 1.05, 1.5  # [s]
ITERATIONS = 40  # of each stage
SHOWN = (0.5, 0.7, 0.8, 0.9, 1.05, 1.2, 1.3, 1.5)  # [s] in the picture
_INK, _MARK = "#555555", "#c23b22"


@dataclass(frozen=True, eq=False)
class Jump:
    """A jump that was found, and how."""

    document: Document  # still
    played: Document
    plan: MotionPlan
    last: DescentIterate[ControlledRun]
    found: tuple[
        tuple[str, int, float, tuple[KeyMiss, ...]], ...
    ]  # stage, iteration, objective, by how much each key is missed
    runs: int


def run(settings: Settings) -> Result:
    """Search, play, and look."""
    jump = find_jump(*((1, 60.0) if settings.quick else (ITERATIONS, 120.0)), seed=settings.seed)
    shapes = {time: played_points(jump.played, time) for time in SHOWN}
    masses = jump.plan.scene.members[0].masses
    centres = {time: masses @ points / masses.sum() for time, points in shapes.items()}
    rows = [(time, *(centres[time] - centres[START])[:2].tolist(), float(shapes[time][:, 1].min())) for time in SHOWN]
    alphas = [
        (spline, tick / TICKS_PER_SECOND, float(alpha))
        for (_, spline), values in zip(jump.plan.splines, jump.last.values, strict=True)
        for tick, alpha in zip(jump.plan.knots, values, strict=True)
    ]
    search = [(stage, number, value, missed[0].place, *missed[1]) for stage, number, value, missed in jump.found]
    return Result(
        title="A soft body jumps to a mark by its splines",
        tables=(
            Table(name="centres", columns=("time_s", "ahead_m", "up_m", "lowest_m"), rows=tuple(rows)),
            Table(name="alphas", columns=("spline", "time_s", "alpha"), rows=tuple(alphas)),
            Table(
                name="search",
                columns=("stage", "iteration", "objective", "height_missed_m", "pose_missed_m", "pose_missed_m_s"),
                rows=tuple(search),
            ),
        ),
        pictures=(
            ResultPlot(name="jump", svg=_strip(jump, shapes)),
            ResultPlot(name="alphas", svg=_curves(jump)),
        ),
        claims=_claims(jump, shapes, centres),
    )


def find_jump(iterations: int, rate: float, *, seed: int = 1) -> Jump:
    """Search so many iterations for the height, and for height and landing, in steps of 1 / rate [s]."""
    document = _still(rate)
    plan = _plan(document, played_points(document, START), iterations)
    values = plan.problem.controls.passive()
    if seed != 1:
        values = values + 0.05 * np.random.default_rng(seed).uniform(-1.0, 1.0, values.shape)
    found, runs = [], dict[int, int]()
    last = None
    for until, last in plan.search_in_stages(values):
        stage = "height" if until < _ticks(END) else "landing"
        found.append((stage, last.number, last.run.value, tuple(last.run.missed)))
        runs[until] = last.runs
    assert last is not None, "a search yields where it begins"
    played = plan.edit(last.values).apply(document)
    return Jump(document, played, plan, last, tuple(found), sum(runs.values()))


def _still(rate: float) -> Document:
    """Give the example with splines that do nothing, in fine steps."""
    document = example(BODY).build()
    ((actor, body),) = soft_actors(document)
    splines = tuple(replace(each, activation="constant", alpha=1.0) for each in body.splines)
    return document.with_actor(actor.with_part(replace(body, splines=splines))).with_part(
        SoftWorld(step=1.0 / rate, tolerance=1e-6)
    )


def _plan(document: Document, rest: Array, iterations: int) -> MotionPlan:
    ((actor, body),) = soft_actors(document)
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    masses = stage.stepped(document, actor.id).scene.member(actor.id).masses
    x, y, z = (masses @ rest / masses.sum() + np.array((0.5 * FAR, HIGH, 0.0))).tolist()
    keys = [MotionKey(actor=actor.id, time=_ticks(APEX), centre=(x, y, z))]
    moved = rest + np.array((FAR, 0.0, 0.0))
    keys.append(MotionKey(actor=actor.id, time=_ticks(END), points=moved, velocity=(0.0, 0.0, 0.0)))
    return plan_motion(
        Evaluator(),
        document,
        splines={actor.id: [each.id for each in body.splines]},
        keys=keys,
        span=Span(start=_ticks(START), end=_ticks(END)),
        choices=SoftPlanChoices(iterations=iterations, tolerance=1e-6),
    )


def played_points(document: Document, time: float) -> Array:
    """Give the points of the body at a time [s], as the document plays."""
    stage = Evaluator().stage("soft")
    assert isinstance(stage, SoftStage)
    simulation = stage.simulation(document)
    assert simulation is not None
    return simulation.points(_ticks(time))


def _ticks(time: float) -> int:
    return round(time * TICKS_PER_SECOND)


def outline(mesh: VolumeMesh, points: Array) -> Array:
    """Give the closed outline of a planar body, shape [count, 2]."""
    sides = np.concatenate([np.stack((mesh.cells[:, i], mesh.cells[:, (i + 1) % 4]), axis=1) for i in range(4)])
    directed = {tuple(each) for each in sides.tolist()}
    follows = {first: second for first, second in directed if (second, first) not in directed}
    way = [min(follows)]
    while follows[way[-1]] != way[0]:
        way.append(follows[way[-1]])
    return np.asarray(points[[*way, way[0]], :2])


def _strip(jump: Jump, shapes: dict[float, Array]) -> str:
    member = jump.plan.scene.members[0]
    rest, springs = shapes[START], member.springs
    low, high = rest[:, 0].min() - 0.15, rest[:, 0].max() + FAR + 0.15
    ground = np.array(((low, 0.0), (high, 0.0)))
    mark = outline(member.mesh, rest + np.array((FAR, 0.0, 0.0)))
    goals = np.array(((rest[:, 0].mean() + FAR, 0.0),))
    panels = []
    for time, points in shapes.items():
        places = springs.places(np.ascontiguousarray(points))
        lines = [(ground, "#999999"), (mark, "#e0b8b0"), (outline(member.mesh, points), _INK)]
        for number in range(int(springs.spline.max()) + 1):
            rows = np.unique(springs.segments[springs.spline == number])
            lines.append((places[rows, :2], COLOURS[number]))
        panels.append(Sticks(name=f"{time:g} s", lines=lines, goals=goals))
    return stick_chart("A soft table jumps to a mark by its three splines", panels)


def _curves(jump: Jump) -> str:
    times = [tick / TICKS_PER_SECOND for tick in jump.plan.knots]
    lines = [
        Line(name=spline, x=times, y=values.tolist())
        for (_, spline), values in zip(jump.plan.splines, jump.last.values, strict=True)
    ]
    return line_chart("Activations of the splines", "time [s]", "alpha", lines, marks={"in the air": APEX})


def _claims(jump: Jump, shapes: dict[float, Array], centres: dict[float, Array]) -> tuple[Claim, ...]:
    _, pose = jump.last.run.missed
    (planned,) = jump.plan.shapes(jump.last.run, jump.plan.splines[0][0], [_ticks(END)])
    apart = float(np.abs(shapes[END] - planned.astype(np.float32)).max())
    up, ahead = float(shapes[APEX][:, 1].min()), float((centres[END] - centres[START])[0])
    return (
        Claim(
            source="ours: a soft body jumps to a mark by its splines alone",
            ours=f"its lowest point is {100 * up:.1f} cm above the ground in the air, it lands {100 * ahead:.1f} cm "
            f"ahead where {100 * FAR:g} are wanted; {'; '.join(jump.plan.said(jump.last.run))}; {jump.runs} runs",
            agrees=up > 0.05 and pose.place < 0.02,
        ),
        Claim(
            source="ours: the document plays as planned",
            ours=f"points at the end are at most {1000 * apart:.2g} mm from the plan",
            agrees=apart == 0.0,
        ),
    )
