"""The crouch of Welman 1993, section 7.2.1: toes locked, pelvis pulled down.

Without more information about how the legs should move, the source says, one is just as likely to see the knees move
together as apart. The human figure stands with its knees a little bent and its legs a little off, at random; its toes
are held where they are and its pelvis goes down by 0.45 m in 30 steps, each solved from the last pose. Reported is the
angle between the thighs, from hip to knee, negative where the knees are closer together than the hips. With comfort,
the freedom that the goals leave is drawn to the middle of the limits, weighted by the inverse of half their range
squared.
"""

from __future__ import annotations

import math

import numpy as np

from engine.document import Figure
from engine.experiments.charts import Line, Sticks, line_chart, stick_chart
from engine.experiments.methods import unhurried
from engine.experiments.reference import place_spots
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.formats.figure_toml import load_figure
from engine.ik.goals import Goal, OrientationGoal, PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Preference, compile_problem
from engine.ik.solver import Solver, solve
from engine.ik.solvers import SOLVERS
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.runtime.quick_dataclass import dataclass

ACTOR = "human"
DEPTH, STEPS = 0.45, 30  # [m]
_LOOSE = 0.05  # [rad] by which the legs begin off the rest pose
_BENT = {"knee": 0.3, "hip": 0.16, "ankle": 0.14}  # [rad]; straight legs are singular
_CHAIN = ("toes_left", "ankle_left", "knee_left", "hip_left", "hip_right", "knee_right", "ankle_right", "toes_right")
_CASES = {
    "without comfort": (False, False),
    "with comfort": (True, False),
    "toes do not turn": (False, True),
    "toes do not turn, with comfort": (True, True),
}


@dataclass(frozen=True, eq=False)
class Crouch:
    """One way down."""

    case: str
    solver: str
    start: int
    angles: list[float]  # between the thighs [degrees], at each step
    legs: Array  # at the end, seen from ahead [m], shape [8, 2]
    reached: bool


def run(settings: Settings) -> Result:
    """All cases from several starts."""
    figure = load_figure("human")
    rng = np.random.default_rng(settings.seed)
    starts = [_start(figure, rng) for _ in range(3 if settings.quick else 30)]
    found = [
        _go_down(figure, case, name, number, start)
        for case in _CASES
        for name in (("levenberg", "ccd") if case == "without comfort" else ("levenberg",))
        for number, start in enumerate(starts)
    ]
    rows = tuple(
        (each.case, each.solver, each.start, DEPTH * step / STEPS, angle)
        for each in found
        for step, angle in enumerate(each.angles)
    )
    shown = [each for each in found if each.start < 3 and each.solver == "levenberg" and "turn" not in each.case]
    sticks = [
        Sticks(name=each.case, lines=[(each.legs, "#1f6fb4")], goals=each.legs[[0, -1]])
        for each in sorted(shown, key=lambda each: each.case, reverse=True)
    ]
    return Result(
        title="A crouch with and without comfort (Welman 1993, section 7.2.1)",
        tables=(Table(name="knees", columns=("case", "solver", "start", "down_m", "angle_degrees"), rows=rows),),
        pictures=(
            ResultPlot(name="knees", svg=_picture(found)),
            ResultPlot(name="legs", svg=stick_chart("Legs at the end, seen from ahead", sticks)),
        ),
        claims=tuple(_claims(found)),
        notes=tuple(_met(found)),
    )


def _met(found: list[Crouch]) -> list[str]:
    groups = dict.fromkeys((each.case, each.solver) for each in found)
    shares = {group: [each.reached for each in found if (each.case, each.solver) == group] for group in groups}
    return [
        f"{case}, {solver}: {len(met)} starts, all goals met all the way down in {sum(met)}"
        for (case, solver), met in shares.items()
    ]


def _start(figure: Figure, rng: np.random.Generator) -> Array:
    pose = compile_model(figure).rest.copy()
    for place, name in enumerate(figure.coordinates):
        joint, _, dof = name.partition(".")
        part = joint.removesuffix("_left").removesuffix("_right")
        if part in ("hip", "ankle"):
            pose[place] += rng.uniform(-_LOOSE, _LOOSE)
        if part in _BENT and dof in ("flexion", "dorsiflexion"):
            pose[place] += _BENT[part]
    return pose


def _go_down(figure: Figure, case: str, name: str, number: int, start: Array) -> Crouch:
    comfort, turns_held = _CASES[case]
    # Nothing but comfort may draw joints to their middle here.
    solver: Solver = Levenberg(ease=0.0) if name == "levenberg" else SOLVERS[name]()
    toes = [Spot(actor=ACTOR, joint=f"toes_{side}") for side in ("left", "right")]
    pelvis = Spot(actor=ACTOR, joint="pelvis")
    places = place_spots(figure, start[None], [*toes, pelvis])[0]
    x, y, z = places[2].tolist()
    goals: list[Goal] = [PositionGoal(spot=pelvis, target=(x, y, z))]
    for toe, (a, b, c) in zip(toes, places[:2].tolist(), strict=True):
        goals.append(PositionGoal(spot=toe, target=(a, b, c)))
        if turns_held:
            goals.append(OrientationGoal(spot=toe, target=(1.0, 0.0, 0.0, 0.0)))
    preference = Preference(comfort=1.0, gain=0.1) if comfort else Preference()
    problem = compile_problem([Participant(actor=ACTOR, figure=figure)], goals, preference=preference)
    pose, angles, reached = start, [], True
    for step in range(STEPS + 1):
        problem.set_goal(0, PositionGoal(spot=pelvis, target=(x, y - DEPTH * step / STEPS, z)))
        answer = solve(problem, [pose], solver, budget=unhurried(500))
        pose, reached = answer.poses[0], reached and answer.state == "reached"
        angles.append(knee_angle(figure, pose))
    legs = place_spots(figure, pose[None], [Spot(actor=ACTOR, joint=each) for each in _CHAIN])[0]
    return Crouch(case, name, number, angles, legs[:, :2], reached)


def knee_angle(figure: Figure, pose: Array) -> float:
    """Measure the angle between the thighs [degrees], negative where the knees are closer together than the hips."""
    names = ("hip_left", "knee_left", "hip_right", "knee_right")
    places = place_spots(figure, pose[None], [Spot(actor=ACTOR, joint=each) for each in names])[0]
    left, right = places[1] - places[0], places[3] - places[2]
    cosine = float(left @ right) / float(np.linalg.norm(left) * np.linalg.norm(right))
    apart = float(np.linalg.norm(places[1] - places[3]) - np.linalg.norm(places[0] - places[2]))
    return math.copysign(math.degrees(math.acos(min(max(cosine, -1.0), 1.0))), apart)


def ends(found: list[Crouch], case: str, solver: str = "levenberg") -> Array:
    """The angles at the end [degrees]."""
    return np.array([each.angles[-1] for each in found if (each.case, each.solver) == (case, solver)])


def _picture(found: list[Crouch]) -> str:
    lines = []
    for case in ("without comfort", "with comfort"):
        mine = [each.angles for each in found if (each.case, each.solver) == (case, "levenberg")]
        down = [DEPTH * step / STEPS for step in range(STEPS + 1)]
        for name, share in (("most", 100.0), ("median", 50.0), ("least", 0.0)):
            angles = np.percentile(np.array(mine), share, axis=0).tolist()
            lines.append(Line(name=f"{case}, {name}", x=down, y=angles, dashed=name != "median"))
    return line_chart("Angle between the thighs", "pelvis down [m]", "degrees; below 0 the knees are together", lines)


def _claims(found: list[Crouch]) -> list[Claim]:
    def text(angles: Array) -> str:
        return f"{angles.min():.0f} to {angles.max():.0f}, median {np.median(angles):.0f} degrees"

    free, comfort, descent = (
        ends(found, "without comfort"),
        ends(found, "with comfort"),
        ends(found, "without comfort", "ccd"),
    )
    held, held_comfort = ends(found, "toes do not turn"), ends(found, "toes do not turn, with comfort")
    together = float(np.mean(free < 0.0))
    return [
        Claim(
            source="without comfort the knees are as likely to move together as apart",
            ours=f"together in {100.0 * together:.0f}% of {len(free)} crouches ({text(free)}); with cyclic coordinate "
            f"descent in {100.0 * np.mean(descent < 0.0):.0f}% ({text(descent)})",
            agrees=0.2 <= together <= 0.8,
        ),
        Claim(
            source="with comfort the knees go apart",
            ours=f"{text(comfort)}",
            agrees=bool(comfort.min() > 0.0),
        ),
        Claim(
            source='... also if "locked in place" is to mean that the toes do not turn either',
            ours=f"{text(held_comfort)}, without comfort {text(held)}: feet that point straight ahead leave the knees "
            "no way outwards",
            agrees=bool(held_comfort.min() > 0.0),
        ),
    ]
