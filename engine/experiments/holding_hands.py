"""Two figures that hold hands (Welman 1993, section 5.2: constraints between handles of two figures).

Two humans stand beside each other, the left hand of the one to meet the right hand of the other. Reported are two
things.

In proportion to mobility: the arms of mirrored figures are 2 mm apart at the hands, the second's s times as stiff. One
pull p acts on both hands and moves each by A p, A = J K J^T its mobility, with (A_1 + A_2) p the way between them;
along the pull they then go as p.A_1 p : p.A_2 p, which is not s : 1, since an arm is not as mobile in all directions.
That holds to first order in the way, and is compared with what the solver does. K is given by the stiffness alone here:
the solver is not to feel limits before it meets them (`margin`).

While one leans: the first sways from side to side, feet planted; the feet of the second are planted as well. The hands
have to stay together in every frame.
"""

from __future__ import annotations

import math

import numpy as np

from engine.document import Figure
from engine.document.actor import Placement
from engine.experiments.charts import Line, line_chart
from engine.experiments.methods import unhurried
from engine.experiments.reference import place_spots
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.formats.figure_toml import load_figure
from engine.ik import layout as at
from engine.ik.goals import Goal, MeetGoal, PositionGoal, Spot
from engine.ik.levenberg import Levenberg
from engine.ik.problem import Participant, Problem, compile_problem
from engine.ik.rows import evaluate
from engine.ik.solver import solve
from engine.maths.arrays import Array
from engine.model.compile import ROW, compile_model

TOLERANCE = 1e-3  # [m]
# The figures' x points to their left, so the second stands to the left of the first.
_PLACES = {"first": 0.0, "second": 0.9}  # [m]
_LEANS = (1.0, 10.0)
_STIFFNESS = (1.0, 2.0, 4.0, 8.0, 16.0)
_SWAY, _PERIOD, _RATE = 0.25, 4.0, 30  # [m], [s], frames a second
_GAP, _LOOSE = 0.002, 0.15  # [m], [rad]
_ARM = ("collar", "shoulder", "elbow", "forearm", "wrist")
_RAISED = {"shoulder.abduction": 0.1, "shoulder.flexion": -0.2, "elbow.flexion": 1.7}  # [rad]
_HANDS = ("hand_left", "hand_right")
_ACTORS = ("first", "second")

ShareRow = tuple[
    float, int, float, float, float, float
]  # stiffness, start, ways of the hands, ratio, what it should be
LeanRow = tuple[float, float, float, float, float]  # time, sway, gap, RMS turns of both


def run(settings: Settings) -> Result:
    """Both parts."""
    rng = np.random.default_rng(settings.seed)
    starts = rng.uniform(-1.0, 1.0, (2 if settings.quick else 20, 3))
    shares = [_share(stiffness, number, start) for stiffness in _STIFFNESS for number, start in enumerate(starts)]
    lean = {stiffness: _lean(stiffness, 60 if settings.quick else 240) for stiffness in _LEANS}
    leaning = tuple((stiffness, *row) for stiffness, rows in lean.items() for row in rows)
    share_columns = ("stiffness", "start", "first_m", "second_m", "ratio", "mobilities")
    lean_columns = ("stiffness", "time_s", "sway_m", "gap_m", "first_rad", "second_rad")
    return Result(
        title="Two figures that hold hands (Welman 1993, section 5.2)",
        tables=(
            Table(name="shares", columns=share_columns, rows=tuple(shares)),
            Table(name="lean", columns=lean_columns, rows=leaning),
        ),
        pictures=(
            ResultPlot(name="shares", svg=_share_picture(shares)),
            ResultPlot(name="lean", svg=_lean_picture(lean)),
        ),
        claims=tuple(_claims(shares, lean)),
        notes=(f"{len(starts)} starts for each stiffness; hands meet to {1e3 * TOLERANCE:g} mm",),
    )


def _share(stiffness: float, number: int, start: Array) -> ShareRow:
    """Arms alone may move; the hands of mirrored figures meet. Ways along the pull, and what the mobilities say."""
    figure = load_figure("human")
    poses = [_arm_pose(figure, side, start) for side in ("left", "right")]
    hand = place_spots(figure, poses[0][None], [_spot("first", "hand_left")])[0, 0]
    away = {"first": 0.0, "second": 2.0 * float(hand[0]) + _GAP}
    participants = []
    for actor, side in zip(_ACTORS, ("left", "right"), strict=True):
        movable = frozenset(dof.id for part in _ARM for dof in figure.joint(f"{part}_{side}").dofs)
        soft = dict.fromkeys(movable, stiffness if actor == "second" else 1.0)
        place = Placement(position=(away[actor], 0.0, 0.0))
        participants.append(Participant(actor=actor, figure=figure, placement=place, movable=movable, stiffness=soft))
    problem = compile_problem(participants, [_meet()], tolerance=1e-6)
    pull, share = _mobilities(problem, poses, stiffness)
    after = solve(problem, poses, Levenberg(ease=0.0), budget=unhurried(200)).poses
    ways = []
    for actor, name, pose, end in zip(_ACTORS, _HANDS, poses, after, strict=True):
        before, now = place_spots(figure, np.array([pose, end]), [_spot(actor, name)])[:, 0]
        ways.append(abs(float((now - before) @ pull)))
    return stiffness, number, ways[0], ways[1], ways[0] / ways[1], share


def _arm_pose(figure: Figure, side: str, start: Array) -> Array:
    """An arm that hangs, its elbow bent, so that the hand is about as mobile in all directions."""
    pose = compile_model(figure).rest.copy()
    for (name, usual), part in zip(_RAISED.items(), start, strict=True):
        joint, _, dof = name.partition(".")
        pose[figure.coordinate_index[f"{joint}_{side}.{dof}"]] = usual + _LOOSE * part
    return pose


def _mobilities(problem: Problem, poses: list[Array], stiffness: float) -> tuple[Array, float]:
    """The direction of the pull, and p.A_1 p : p.A_2 p."""
    work = problem.new_work()
    evaluate(problem.packed, problem.gather(poses), True, work)
    first, rows = int(problem.ints[at.JACOBIAN]), problem.row_count
    columns = work[first : first + problem.column_count * rows].reshape(-1, rows)
    residual = work[int(problem.ints[at.RESIDUAL]) :][:rows]
    owner = np.array([each for each, _ in problem.columns])
    own, other = (columns[owner == each].T @ columns[owner == each] for each in (0, 1))
    pull = np.linalg.solve(own + other / stiffness, residual)
    pull = pull / np.linalg.norm(pull)
    # The rows of a meeting lie in the frame of the second hand.
    frame = int(problem.ints[at.HEADER + at.FRAME])
    turn = work[int(problem.ints[at.STATE]) + (frame + 1) * ROW :][:9].reshape(3, 3)
    return np.asarray(turn @ pull), float((pull @ own @ pull) / (pull @ other @ pull) * stiffness)


def _lean(stiffness: float, frames: int) -> list[LeanRow]:
    """The first sways; all of both figures may move, the second being `stiffness` times as stiff."""
    figure, problem = load_figure("human"), _leaning(stiffness)
    rest = compile_model(figure).rest
    hinges = [dof.kind == "hinge" for dof in figure.dofs]
    poses: tuple[Array, ...] = (rest, rest)
    rows: list[LeanRow] = []
    for frame in range(frames):
        sway = _SWAY * math.sin(2.0 * math.pi * frame / (_PERIOD * _RATE))
        problem.set_goal(0, _hold(rest, "first", "head", (sway, -0.05, 0.0)))
        poses = solve(problem, poses, Levenberg(ease=0.0), budget=unhurried(300)).poses
        own, other = (
            place_spots(figure, pose[None], [_spot(actor, name)])[0, 0] + (_PLACES[actor], 0.0, 0.0)
            for actor, name, pose in zip(_ACTORS, _HANDS, poses, strict=True)
        )
        first, second = (float(np.sqrt(np.mean((pose - rest)[hinges] ** 2))) for pose in poses)
        rows.append((frame / _RATE, sway, float(np.linalg.norm(own - other)), first, second))
    return rows


def _leaning(stiffness: float) -> Problem:
    """Head of the first, feet of both, and the hands."""
    figure = load_figure("human")
    participants = [
        Participant(
            actor=actor,
            figure=figure,
            placement=Placement(position=(_PLACES[actor], 0.0, 0.0)),
            stiffness={dof.id: dof.stiffness * (stiffness if actor == "second" else 1.0) for dof in figure.dofs},
        )
        for actor in _ACTORS
    ]
    rest = compile_model(figure).rest
    goals: list[Goal] = [_hold(rest, "first", "head", (0.0, 0.0, 0.0))]
    for actor in _ACTORS:
        for name in ("foot_left", "foot_right"):
            goals.append(_hold(rest, actor, name, (_PLACES[actor], 0.0, 0.0)))
    return compile_problem(participants, [*goals, _meet()], tolerance=TOLERANCE)


def _meet() -> MeetGoal:
    return MeetGoal(first=_spot("first", "hand_left"), second=_spot("second", "hand_right"))


def _spot(actor: str, handle: str) -> Spot:
    figure = load_figure("human")
    found = next(each for each in figure.handles if each.id == handle)
    return Spot(actor=actor, joint=found.joint, point=found.point)


def _hold(rest: Array, actor: str, handle: str, way: tuple[float, float, float]) -> PositionGoal:
    """A handle where it is at rest, moved by a way."""
    spot = _spot(actor, handle)
    x, y, z = (place_spots(load_figure("human"), rest[None], [spot])[0, 0] + way).tolist()
    return PositionGoal(spot=spot, target=(x, y, z))


def _share_picture(shares: list[ShareRow]) -> str:
    def medians(place: int) -> list[float]:
        return [float(np.median([row[place] for row in shares if row[0] == each])) for each in _STIFFNESS]

    lines = [
        Line(name="ways of the hands", x=_STIFFNESS, y=medians(4)),
        Line(name="mobilities along the pull", x=_STIFFNESS, y=medians(5), dashed=True),
    ]
    return line_chart("Who gives way", "stiffness of the second", "first : second", lines, log="xy")


def _lean_picture(lean: dict[float, list[LeanRow]]) -> str:
    lines = []
    for stiffness, rows in lean.items():
        for place, actor in ((3, "first"), (4, "second")):
            turned = [math.degrees(row[place]) for row in rows]
            name = f"{actor}, the second {stiffness:g}x as stiff"
            lines.append(Line(name=name, x=[row[0] for row in rows], y=turned, dashed=actor == "first"))
    return line_chart("Who gives way while the first leans", "time [s]", "RMS turn of the hinges [degrees]", lines)


def _claims(shares: list[ShareRow], lean: dict[float, list[LeanRow]]) -> list[Claim]:
    off = max(abs(row[4] / row[5] - 1.0) for row in shares)
    medians = ", ".join(
        f"{stiffness:g}: {np.median([row[4] for row in shares if row[0] == stiffness]):.2f}" for stiffness in _STIFFNESS
    )
    gap = max(row[2] for rows in lean.values() for row in rows)
    turned = [tuple(math.degrees(float(np.mean([row[each] for row in lean[s]]))) for each in (3, 4)) for s in _LEANS]
    (soft_first, soft), (stiff_first, stiff) = turned
    return [
        Claim(
            source="the hands are at one place in every frame",
            ours=f"at most {1e3 * gap:.2f} mm apart (tolerance {1e3 * TOLERANCE:g} mm)",
            agrees=gap <= TOLERANCE,
        ),
        Claim(
            source="both give way in proportion to their mobility",
            ours=f"ways along the pull, first : second, by stiffness of the second: {medians}; at most "
            f"{100.0 * off:.1f}% off what the mobilities say",
            agrees=off < 0.1,
        ),
        Claim(
            source="while one leans both move, and the second less the stiffer it is",
            ours=f"mean RMS turn of the hinges, first and second: {soft_first:.1f} and {soft:.1f} degrees as stiff as "
            f"each other, {stiff_first:.1f} and {stiff:.1f} degrees with the second ten times as stiff",
            agrees=min(soft, stiff) > 0.1 and stiff < soft and stiff_first > soft_first,
        ),
    ]
