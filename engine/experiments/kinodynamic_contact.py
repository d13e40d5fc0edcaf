"""Contact within the window: where the way from corrections to the state jumps, and what becomes of inverse
kinodynamics (Rahgoshay 2011, chapters 8 and 9, which leave contact and its discontinuities to later work).

An arm of two hinges swings a hand from one side to the other within a window. It swings freely; over a floor, which it
brushes; or from where a peg is, through which the keys go: by a hair's breadth the hand begins on this side of it or on
that. A correction of the elbow moves the path of the hand up or down, and where it begins, too.

The map: the correction is swept over a range, and where the hand moves most from one value to the next, the steps are
made finer, again and again: the greatest slope. The contacts of our steps answer without jumps of their own (a body
that is not quite reached feels nothing yet), so that what is said to jump is a slope, as steep as it may be.

The targets: places of the hand that corrections drawn at random lead to, with contact where the arm has it, so each of
them can be met. Counted is whether inverse kinodynamics, from no correction at all, meets them within 30 iterations.

Symbols: q angles of shoulder and elbow [rad]; corrections [rad] at the target's time; times [ticks].
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from engine.document import Body, Capsule, Dof, Figure, Joint
from engine.document.correction import Bell
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import compile_mechanics, placed
from engine.experiments.charts import Line, line_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel, compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.motion.bells import bell_motion
from engine.runtime.quick_dataclass import dataclass
from engine.targets.equations import PointEquation, TimedGoal
from engine.targets.inverse import solve
from engine.targets.options import Effort
from engine.targets.problem import TargetProblem
from engine.targets.solution import Solution

WORLDS = ("free", "floor", "peg")
_UPPER, _LOWER, _HAND, _PEG = 0.35, 0.35, 0.05, 0.02  # [m] lengths and radii
_HEIGHTS = {"free": 3.0, "floor": 0.71, "peg": 3.0}  # [m] of the shoulder
_ASIDE = 0.001  # [m] that the peg is to the side of where the hand is as the window begins
_BENT = 0.15  # [rad] of the keyed elbow
_AT, _WINDOW = TICKS_PER_SECOND, 0.5  # [ticks], [s]
_RANGE, _DRAWN = 0.6, 0.45  # [rad] of corrections that are swept, and drawn for targets
_FINER, _ROUNDS = 11, 8
_STEEP = 100.0  # times as steep as without contact, that is a jump to who looks at it
_ALLOWED = Effort().tolerance
BELL = Bell(time=_AT, before=8 * TICKS_PER_SECOND // 10, after=TICKS_PER_SECOND // 2)


@dataclass(frozen=True)
class _MetWithContact:
    """Results of the targets of one arm."""

    world: str
    met: int
    iterations: tuple[int, ...]
    residuals: tuple[float, ...]  # [m]
    curve: Array  # the median error after each iteration [m]


def run(settings: Settings) -> Result:
    """Both parts, for the three arms."""
    keyed = swung(settings.seed)
    arms = {world: (arm(world, keyed), keyed) for world in WORLDS}
    sweep = np.linspace(-_RANGE, _RANGE, 25 if settings.quick else 121)
    ways = {world: np.array([hand(*each, by) for by in sweep]) for world, each in arms.items()}
    steepest = {world: _steepest(*each, sweep, ways[world]) for world, each in arms.items()}
    count, rng = 3 if settings.quick else 60, np.random.default_rng(settings.seed)
    drawn = rng.uniform(-_DRAWN, _DRAWN, (count, 2))
    met = {world: _meet(world, *each, drawn) for world, each in arms.items()}
    rows = [
        (*numbers, *(float(x) for world in WORLDS for x in ways[world][at]))
        for at, numbers in enumerate(zip(sweep.tolist(), strict=True))
    ]
    columns = tuple(f"{world}_{axis}_m" for world in WORLDS for axis in "xy")
    return Result(
        title="Contact within the window (Rahgoshay 2011, chapter 9: left to later work)",
        tables=(
            Table(name="map", columns=("correction_rad", *columns), rows=tuple(rows)),
            Table(
                name="slopes",
                columns=("world", "correction_rad", "steepest_m_per_rad", "greatest_step_m"),
                rows=tuple((world, *found) for world, found in steepest.items()),
            ),
            Table(
                name="targets",
                columns=("world", "targets", "met", "median_iterations", "median_miss_m", "most_missed_m"),
                rows=tuple(_row(each) for each in met.values()),
            ),
        ),
        pictures=(
            ResultPlot(name="map", svg=_map_chart(sweep, ways)),
            ResultPlot(name="convergence", svg=_curve_chart(met)),
        ),
        claims=tuple(_claims(steepest, met)),
    )


def arm(world: str, keyed: Keyed) -> KinoModel:
    """Two hinges that hang from a shoulder which stands still, with a hand; the peg belongs to the shoulder."""
    turn = [Dof(id=name, name=name, axis=(0.0, 0.0, 1.0)) for name in ("shoulder", "elbow")]
    x, y = _tip(keyed(np.array([_AT - _WINDOW * TICKS_PER_SECOND]))[0, 0]).tolist()
    peg = Capsule(start=(x + _ASIDE, y, -0.1), end=(x + _ASIDE, y, 0.1), radius=_PEG)
    upper = Body(mass=1.5, centre=(0.0, -0.5 * _UPPER, 0.0), inertia=(0.01, 0.01, 0.01, 0.0, 0.0, 0.0))
    lower = Body(mass=1.2, centre=(0.0, -0.7 * _LOWER, 0.0), inertia=(0.01, 0.01, 0.01, 0.0, 0.0, 0.0))
    bone = Capsule(start=(0.0, 0.0, 0.0), end=(0.0, -_UPPER, 0.0), radius=0.03)
    tip = Capsule(start=(0.0, -_LOWER, 0.0), end=(0.0, -_LOWER, 0.0), radius=_HAND)
    joints = (
        Joint(id="stand", name="Stand", shapes=(peg,) if world == "peg" else ()),
        Joint(id="upper", name="Upper arm", parent="stand", dofs=(turn[0],), body=upper, shapes=(bone,)),
        Joint(
            id="lower",
            name="Forearm",
            parent="upper",
            offset=(0.0, -_UPPER, 0.0),
            dofs=(turn[1],),
            body=lower,
            shapes=(tip,),
        ),
    )
    mechanics = compile_mechanics(compile_model(Figure(name="Arm", joints=joints)))
    standing = placed(mechanics, (0.0, _HEIGHTS[world], 0.0), (1.0, 0.0, 0.0, 0.0))
    gains = compile_gains(standing, JointGains(tension=2.5, damping=0.5))
    return compile_kinodynamics(standing, gains, window=_WINDOW, contact=world != "free")


def swung(seed: int) -> Keyed:
    """Make keys that swing from the left to the right within 0.4 s, which end 0.1 s before the target's time; how far
    is drawn: 0.8 to 0.9 rad to each side."""
    far = float(np.random.default_rng(seed).uniform(0.8, 0.9))

    def keyed(times: Array) -> Array:
        seconds = np.asarray(times, dtype=np.float64) / TICKS_PER_SECOND
        share = np.clip((seconds - 0.5) / 0.4, 0.0, 1.0)
        motion = np.zeros((len(seconds), 2, 2))
        motion[:, 0, 0] = far * (2.0 * share * share * (3.0 - 2.0 * share) - 1.0)
        motion[:, 1, 0] = far * 12.0 * share * (1.0 - share) / 0.4
        motion[:, 0, 1] = _BENT
        return motion

    return keyed


def corrected(keyed: Keyed, shoulder: float, elbow: float) -> Keyed:
    """The keyed motion with a correction by the target's bell."""

    def moved(times: Array) -> Array:
        bell = bell_motion(BELL, times)[:, :2]
        return np.asarray(keyed(times)[:, :2] + bell[:, :, None] * np.array((shoulder, elbow)))

    return moved


def hand(kino: KinoModel, keyed: Keyed, elbow: float, shoulder: float = 0.0) -> Array:
    """Simulate a correction; return the position of the hand, from the shoulder [m]."""
    return _tip(kino.simulate(np.array([float(_AT)]), corrected(keyed, shoulder, elbow))[0][0])


def _tip(q: Array) -> Array:
    angles = np.array((q[0], q[0] + q[1]))
    return np.asarray(np.array((_UPPER, _LOWER)) @ np.stack((np.sin(angles), -np.cos(angles)), axis=1))


def _steepest(kino: KinoModel, keyed: Keyed, sweep: Array, way: Array) -> tuple[float, float, float]:
    """Find where the hand moves most, looked at ever more closely: the correction, the slope, the first step there."""
    first = float(np.linalg.norm(np.diff(way, axis=0), axis=1).max())
    for _ in range(_ROUNDS):
        most = int(np.linalg.norm(np.diff(way, axis=0), axis=1).argmax())
        sweep = np.linspace(sweep[most], sweep[most + 1], _FINER)
        way = np.array([hand(kino, keyed, each) for each in sweep])
    steps = np.linalg.norm(np.diff(way, axis=0), axis=1)
    return float(sweep[int(steps.argmax())]), float(steps.max() / (sweep[1] - sweep[0])), first


def _meet(world: str, kino: KinoModel, keyed: Keyed, drawn: Array) -> _MetWithContact:
    """Targets that these corrections lead to, solved for."""
    found: list[Solution] = []
    for shoulder, elbow in drawn.tolist():
        x, y = hand(kino, keyed, elbow, shoulder).tolist()
        equation = PointEquation(joint=2, local=(0.0, -_LOWER, 0.0), position=(x, _HEIGHTS[world] + y, 0.0))
        goal = TimedGoal(id="hand", bell=BELL, equations=(equation,))
        found.append(solve(TargetProblem(kino=kino, keyed=keyed, goals=(goal,))))
    curves = [np.asarray(each.groups[0].curve) * _ALLOWED for each in found]
    length = max(len(each) for each in curves)
    same = np.array([np.concatenate((each, np.full(length - len(each), each[-1]))) for each in curves])
    return _MetWithContact(
        world,
        sum(each.met for each in found),
        tuple(each.groups[0].iterations for each in found),
        tuple(each.reports[0].residuals[0].size for each in found),
        np.quantile(same, 0.9, axis=0),
    )


def _row(met: _MetWithContact) -> tuple[str | int | float, ...]:
    return (
        met.world,
        len(met.residuals),
        met.met,
        float(np.median(met.iterations)),
        float(np.median(met.residuals)),
        max(met.residuals),
    )


def _claims(steepest: Mapping[str, tuple[float, float, float]], met: Mapping[str, _MetWithContact]) -> list[Claim]:
    slopes = {world: slope for world, (_, slope, _) in steepest.items()}
    met_share = {world: 100.0 * each.met / len(each.residuals) for world, each in met.items()}
    listed = (
        f"{world}: {each:.0f}% met, {np.median(met[world].iterations):.0f} iterations"
        for world, each in met_share.items()
    )
    return [
        Claim(
            source="contact makes the map from corrections to the state discontinuous",
            ours="steepest: " + ", ".join(f"{world} {slope:.2g} m/rad" for world, slope in slopes.items()),
            agrees=slopes["peg"] > _STEEP * slopes["free"],
        ),
        Claim(
            source="so targets that can be met are missed more often with contact in the window",
            ours=", ".join(listed),
            agrees=max(met_share["floor"], met_share["peg"]) < met_share["free"],
        ),
    ]


def _map_chart(sweep: Array, ways: Mapping[str, Array]) -> str:
    lines = [
        Line(name=world, x=sweep.tolist(), y=way[:, 1].tolist(), dashed=world == "free") for world, way in ways.items()
    ]
    return line_chart("Where the hand comes to", "correction of the elbow [rad]", "height from the shoulder [m]", lines)


def _curve_chart(met: Mapping[str, _MetWithContact]) -> str:
    lines = [
        Line(name=each.world, x=list(range(len(each.curve))), y=np.maximum(each.curve, 1e-9).tolist())
        for each in met.values()
    ]
    return line_chart("Nine of ten targets are nearer than this", "iteration", "error [m]", lines, log="y")
