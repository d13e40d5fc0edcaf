"""Secondary motion with three windows beside full dynamics: Rahgoshay 2011, figure 3-1.

A ball hangs from another that is led along by keys, which stops and goes back. The hanging one swings on springs that
hold it in place below (the figure's green ball on its red one). Its secondary motion with windows of 5, 15 and 45
steps is drawn beside full dynamics. The source says in words that windows of a wide range capture how the true motion
looks; here that is a number: how far each is from full dynamics, as a share of how far that is from the keys.
"""

from __future__ import annotations

import numpy as np

from engine.document import Body, Dof, Figure, Joint
from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.mechanics import compile_mechanics
from engine.experiments.charts import Line, line_chart
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table
from engine.kinodynamics.gains import JointGains, compile_gains
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.response import suggest_window
from engine.kinodynamics.tracking import compile_kinodynamics
from engine.maths.arrays import Array
from engine.model.compile import compile_model

STEPS = (5, 15, 45)
_STEP = 1.0 / 60.0  # [s]
_SPAN = 4.0  # [s]
_HANG, _TENSION, _DAMPING = 0.5, 1.6, 0.25  # [m], [Hz], ratio
_NAMES = {"full": "full dynamics"}
_SEEN = 0.05  # [rad], 2.5 cm at the ball


def run(settings: Settings) -> Result:
    """Three windows, full dynamics and the keys."""
    mechanics = compile_mechanics(compile_model(hanging_ball()))
    gains = compile_gains(mechanics, JointGains(tension=_TENSION, damping=_DAMPING))
    windows = {
        steps: compile_kinodynamics(mechanics, gains, window=steps * _STEP, dt=_STEP)
        for steps in (STEPS[::2] if settings.quick else STEPS)
    }
    longest, keyed = windows[max(windows)], led(settings.seed)
    times, full = longest.path(0.0, round(_SPAN / _STEP), keyed)
    found = {steps: kino.simulate(times, keyed)[0] for steps, kino in windows.items()}
    keys, seconds = keyed(times)[:, 0], times / TICKS_PER_SECOND
    swing = float(np.sqrt(np.mean((full - keys)[:, 1] ** 2)))
    apart = {steps: float(np.sqrt(np.mean((full - q)[:, 1] ** 2))) for steps, q in found.items()}
    suggested = suggest_window(longest, times, keyed, np.array([_SEEN]))
    rows = [(steps, steps * _STEP, each, each / swing) for steps, each in apart.items()]
    ways = {f"steps_{steps}": q for steps, q in found.items()} | {"full": full, "keys": keys}
    return Result(
        title="Secondary motion with three windows (Rahgoshay 2011, figure 3-1)",
        tables=(
            Table(name="windows", columns=("steps", "window_s", "rms_apart_rad", "share_of_swing"), rows=tuple(rows)),
            Table(name="ways", columns=("time_s", *(f"{name}_m" for name in ways)), rows=tuple(_rows(seconds, ways))),
        ),
        pictures=(ResultPlot(name="ways", svg=_chart(seconds, ways)),),
        claims=(
            Claim(
                source="history-free trajectories capture how the dynamics look over a wide range of windows",
                ours="apart from full dynamics by "
                + ", ".join(f"{100.0 * each / swing:.0f}% ({steps} steps)" for steps, each in apart.items())
                + f" of how far that is from the keys, {np.degrees(swing):.1f} degrees",
                agrees=max(apart.values()) < swing,
            ),
            Claim(
                source="a longer window comes closer to the true motion",
                ours=" > ".join(f"{each:.4f}" for each in apart.values()) + " rad",
                agrees=list(apart.values()) == sorted(apart.values(), reverse=True),
            ),
        ),
        notes=(f"a window after which less than {_SEEN} rad of the past is left: {suggested:.2f} s",),
    )


def hanging_ball() -> Figure:
    """A ball on rails, and one that hangs from it."""
    ball = Body(mass=0.4, centre=(0.0, -_HANG, 0.0), inertia=(1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0))
    rails = Dof(id="rails", name="Rails", kind="slide", axis=(1.0, 0.0, 0.0))
    red = Joint(id="red", name="Red ball", dofs=(rails,), body=Body(mass=1.0))
    swing = Dof(id="swing", name="Swing", axis=(0.0, 0.0, 1.0))
    return Figure(
        name="Hanging ball", joints=(red, Joint(id="green", name="Green ball", parent="red", dofs=(swing,), body=ball))
    )


def led(seed: int) -> Keyed:
    """Make keys that move to the right within 0.8 s from 0.4 s on, back from 2.2 s on, by cubic eases; how far is
    drawn: 0.5 to 0.7 m."""
    far = float(np.random.default_rng(seed).uniform(0.5, 0.7))

    def keyed(times: Array) -> Array:
        seconds = np.asarray(times, dtype=np.float64) / TICKS_PER_SECOND
        motion = np.zeros((len(seconds), 2, 2))
        for start, way in ((0.4, far), (2.2, -far)):
            share = np.clip((seconds - start) / 0.8, 0.0, 1.0)
            motion[:, 0, 0] += way * share * share * (3.0 - 2.0 * share)
            motion[:, 1, 0] += way * 6.0 * share * (1.0 - share) / 0.8
        return motion

    return keyed


def _rows(seconds: Array, ways: dict[str, Array]) -> list[tuple[float, ...]]:
    columns = [each[:, 0] + _HANG * np.sin(each[:, 1]) for each in ways.values()]
    return [tuple(float(number) for number in row) for row in np.column_stack((seconds, *columns))]


def _chart(seconds: Array, ways: dict[str, Array]) -> str:
    lines = [
        Line(
            name=_NAMES.get(name, name.replace("_", " ")),
            x=seconds.tolist(),
            y=(each[:, 0] + _HANG * np.sin(each[:, 1])).tolist(),
            dashed=name == "keys",
        )
        for name, each in ways.items()
    ]
    return line_chart("Where the hanging ball is", "time [s]", "[m]", lines)
