"""The human that ships, of 71 degrees of freedom, by spacetime constraints in space; and an arm that throws.

From two keys each: in the air from a stand to a tuck, with feet that stand down to a squat, and over a bar. What it has
in its hands is effort, the sum of squared torques, each as a share of what holds its part of the body stretched out.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np

from engine.document.values import Vector3
from engine.experiments.charts import Sticks, stick_chart
from engine.experiments.result import Cell, Claim, Result, ResultPlot, Settings, Table
from engine.formats.figure_toml import load_figure
from engine.maths.arrays import Array
from engine.optimise.options import SolverEffort
from engine.spacetime.spatial.between import spatial_between
from engine.spacetime.spatial.contacts import FloorContact, with_contacts
from engine.spacetime.spatial.examples import arm_throw, leap_over
from engine.spacetime.spatial.playback import played_off
from engine.spacetime.spatial.problem import SpatialProblem
from engine.spacetime.spatial.search import FoundSpatialMotion, SpatialSearch
from engine.spacetime.spatial.tree import BodyPoint, SpatialFigure, spatial_figure

SECONDS = 0.6
SHORT = 4  # pieces, where a quick look is enough
_SOLES = ((0.0, 0.0, -0.046), (-0.023, 0.0, 0.129), (0.052, 0.0, 0.114))  # from the ankle, on the ground; left side
_LEGS = tuple(f"{name}.{way}" for name, ways in (
    ("hip", ("flexion", "abduction", "rotation")), ("knee", ("flexion",)), ("ankle", ("dorsiflexion", "inversion"))
) for way in ways)  # fmt: skip
_LINES = (
    ("pelvis", "lower_spine", "middle_spine", "upper_spine", "neck", "head"),
    *(
        ("upper_spine", f"shoulder_{side}", f"elbow_{side}", f"wrist_{side}", f"middle_{side}")
        for side in ("left", "right")
    ),
    *(("pelvis", f"hip_{side}", f"knee_{side}", f"ankle_{side}", f"toes_{side}") for side in ("left", "right")),
)
_TITLES = {"tuck": "A tuck in the air", "squat": "Down to a squat", "bar": "Over a bar"}
_SHADES = ("#1b4f72", "#17a589", "#d68910", "#2e86c1", "#a93226")


@cache
def human() -> SpatialFigure:
    """Return the figure, which stands at rest."""
    return spatial_figure(load_figure("human"))


def tuck() -> dict[str, float]:
    """Pull up knees and arms in the air, half a metre on."""
    found = {"pelvis.move_y": 0.3, "pelvis.move_z": 0.4, "lower_spine.flexion": 0.35, "upper_spine.rotation": 0.2}
    for side in ("left", "right"):
        found |= {f"hip_{side}.flexion": 1.6, f"knee_{side}.flexion": 1.9, f"elbow_{side}.flexion": 0.9}
    return found | {"shoulder_left.flexion": 2.2, "shoulder_right.flexion": 1.0}


def in_the_air(pieces: int | None = None) -> SpatialProblem:
    """From a stand to a tuck, while flying."""
    return spatial_between(human(), {}, tuck(), SECONDS, pieces=pieces)


def soles() -> list[tuple[BodyPoint, Vector3]]:
    """Points of both feet that stand, and where."""
    figure, found = human(), []
    for side, sign in (("left", 1.0), ("right", -1.0)):
        ankle = figure.point_at(figure.at({}), BodyPoint(f"ankle_{side}"))
        for x, _, z in _SOLES:
            place = (ankle[0] + sign * x, 0.0, ankle[2] + z)
            found.append((figure.point_of(figure.at({}), f"ankle_{side}", place), place))
    return found


def down_to_a_squat(pieces: int | None = None) -> SpatialProblem:
    """From a stand to a squat, on feet that are held."""
    contacts = [
        FloorContact(name=f"sole {number}", point=point, place=place) for number, (point, place) in enumerate(soles())
    ]
    problem = spatial_between(human(), {}, squat(), SECONDS, pieces=pieces)
    pressing = 1e-3 / (human().mass * 9.81) ** 2
    return replace(with_contacts(problem, [("between", contacts)]), pressing=pressing)


def over_a_bar(distance: float = 0.6, height: float = 0.25) -> SpatialProblem:
    """From one stand to another, over a bar between them."""
    points = [(point, place, (place[0], place[1], place[2] + distance)) for point, place in soles()]
    return leap_over(human(), {}, {"pelvis.move_z": distance}, [points], height)


def squat() -> dict[str, float]:
    """Crouch with arms forward; legs so that the soles are where they stand."""
    figure = human()
    given = {"lower_spine.flexion": 0.4, "middle_spine.flexion": 0.1, "pelvis.tilt": 0.42, "pelvis.move_y": -0.44}
    given["pelvis.move_z"] = -0.26
    for side in ("left", "right"):
        given |= {f"hip_{side}.flexion": 1.95, f"knee_{side}.flexion": 1.88, f"ankle_{side}.dorsiflexion": 0.35}
        given[f"shoulder_{side}.flexion"] = 2.0
    q = figure.at(given)
    names = [name.replace(".", f"_{side}.") for side in ("left", "right") for name in _LEGS]
    moved = [figure.coordinate(name) for name in (*names, "pelvis.move_y", "pelvis.move_z")]
    for _ in range(40):
        off = _off(figure, q)
        slopes = np.stack([(_off(figure, q + 1e-6 * np.eye(len(q))[i]) - off) / 1e-6 for i in moved], axis=1)
        q[moved] -= np.linalg.solve(slopes.T @ slopes + 1e-4 * np.eye(len(moved)), slopes.T @ off)
    return figure.values(q)


def film_strip(title: str, found: FoundSpatialMotion, count: int = 12) -> str:
    """Draw a motion as sticks seen from the side."""
    motion, panels = found.motion, []
    poses = [motion.coordinates(time) for time in np.linspace(0.0, motion.duration, count)]
    lines = [[_line(q, names) for names in _LINES] for q in poses]
    flat = np.concatenate([line for pose in lines for line in pose])
    ground = np.array([[flat[:, 0].min(), 0.0], [flat[:, 0].max(), 0.0]])
    for number, pose in enumerate(lines):
        drawn = [(ground, "#bbbbbb"), *zip(pose, _SHADES, strict=True)]
        name = f"{motion.duration * number / (count - 1):.2f} s"
        panels.append(Sticks(name=name, lines=drawn, goals=np.zeros((0, 2))))
    return stick_chart(title, panels)


def run(settings: Settings) -> Result:
    """Throw, tuck, squat, leap; each found motion as a strip."""
    rows: list[tuple[Cell, ...]] = []
    pictures: list[ResultPlot] = []
    throw = _found("throw of an arm", arm_throw(pieces=6 if settings.quick else 10), rows)
    off = played_off(throw.motion, 0, 240)
    effort = SolverEffort(barrier=1e-2, iterations=4) if settings.quick else None
    cases = {"tuck": in_the_air(SHORT if settings.quick else None)}
    if not settings.quick:
        cases |= {"squat": down_to_a_squat(), "bar": over_a_bar()}
    found = {name: _found(name, problem, rows, effort) for name, problem in cases.items()}
    for name, each in found.items():
        pictures.append(ResultPlot(name=name, svg=film_strip(_TITLES[name], each)))
    columns = ("case", "variables", "constraints", "iterations", "effort", "violation", "ending")
    return Result(
        title="A human of 71 degrees of freedom moves between keys",
        tables=(Table(name="motions", columns=columns, rows=tuple(rows)),),
        pictures=tuple(pictures),
        claims=(
            Claim(
                source="an in-between of two keys, and a jump, are physically valid (2004, sections 7.1 and 7.2)",
                ours=", ".join(f"{name}: {each.report}" for name, each in found.items()),
                agrees=settings.quick or all(each.report.solved for each in found.values()),
            ),
            Claim(
                source="its torques make the motion",
                ours=f"the arm's throw, played back, stays within {off:.1%} of its widest movement",
                agrees=settings.quick or off < 0.01,
            ),
        ),
    )


def _found(
    name: str, problem: SpatialProblem, rows: list[tuple[Cell, ...]], effort: SolverEffort | None = None
) -> FoundSpatialMotion:
    search = SpatialSearch(problem)
    found = search.find(effort=effort)
    last, system = found.report.last, search.system
    numbers = (system.variables, system.constraints, last.iteration, last.objective, last.violation)
    rows.append((name, *numbers, "settled" if found.report.settled else found.report.ending))
    return found


def _line(q: Array, names: tuple[str, ...]) -> Array:
    """Joints of a limb, seen from the side."""
    return np.array([human().point_at(q, BodyPoint(name))[:0:-1] for name in names])


def _off(figure: SpatialFigure, q: Array) -> Array:
    """By how much soles are not where they stand."""
    off = [np.array(figure.point_at(q, point)) - place for point, place in soles()]
    return np.concatenate(off)
