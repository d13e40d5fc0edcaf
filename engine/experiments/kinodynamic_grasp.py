"""A hand that comes to a cup: as it is keyed, loose, with a target of place, and of place and velocity.

Source: Rahgoshay 2011, section 4.4: a grasp needs the hand at the thing with the thing's velocity, here none, and a
target of both is that; the velocity is that of the secondary motion, not of any one simulation. Our own reach,
the example "A grasp". Distance [m] and speed [m/s] are of the middle of the grip, from the middle of the cup
where it stands. The seed draws how tense the arm is.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.document.values import Vector3
from engine.evaluate.evaluator import Evaluator
from engine.experiments.charts import Line, line_chart
from engine.experiments.meeting import (
    EvaluatedActor,
    as_keyed,
    change_targets,
    drawn,
    frames,
    keyed_example,
    with_targets,
)
from engine.experiments.result import Claim, Result, ResultPlot, Settings, Table

PERSON, HAND = "person", "wrist_right"
GRIP: Vector3 = (0.052, -0.086, 0.004)  # [m] the middle of what is held, in the frame of the hand
CUP_AT: Vector3 = (-0.1132, 1.0290, 0.5557)  # [m] the middle of the cup
TOUCH = 1.8  # [s] when the hand is at the cup
_TOUCH = round(TOUCH * TICKS_PER_SECOND)
_FIRST, _LAST = 1.0, 2.6  # [s]
_WITHIN, _STILL = 1e-6, 1e-4  # [m], [m/s]
_NAMES = {"keyed": "as it is keyed", "loose": "without targets", "place": "place", "both": "place and velocity"}


def run(settings: Settings) -> Result:
    """Four ways of reaching."""
    document, evaluator = drawn(keyed_example("grasp"), PERSON, settings.seed), Evaluator()
    by_place = change_targets(document, PERSON, lambda each: replace(each, velocity=False, speed=None))
    place, place_met = with_targets(by_place, PERSON, evaluator)
    both, both_met = with_targets(document, PERSON, evaluator)
    ways = {
        "keyed": as_keyed(document, PERSON, evaluator),
        "loose": EvaluatedActor(document, PERSON, evaluator),
        "place": place,
        "both": both,
    }
    touch = {name: _of(seen, _TOUCH) for name, seen in ways.items()}
    searches = {"place": place_met, "both": both_met}
    rows = [
        (name, *touch[name], *((searches[name].iterations, searches[name].simulations) if name in searches else (0, 0)))
        for name in ways
    ]
    times = frames(_FIRST, _LAST, quick=settings.quick)
    course = [
        (time / TICKS_PER_SECOND, *(each for seen in ways.values() for each in _of(seen, time))) for time in times
    ]
    return Result(
        title="A grasp (Rahgoshay 2011, section 4.4)",
        tables=(
            Table(
                name="touch",
                columns=("way", "distance_m", "speed_m_s", "iterations", "simulations"),
                rows=tuple(rows),
            ),
            Table(
                name="hand",
                columns=("time_s", *(f"{name}_{unit}" for name in ways for unit in ("m", "m_s"))),
                rows=tuple(course),
            ),
        ),
        pictures=(
            ResultPlot(name="distance", svg=_chart(course, 1, "How far the hand is from the cup", "[m]")),
            ResultPlot(name="speed", svg=_chart(course, 2, "How fast the hand is", "[m/s]")),
        ),
        claims=_claims(touch),
        notes=(f"the hand is to touch the cup at {TOUCH:g} s; it is lifted from there, so that the distance grows",),
    )


def _claims(touch: dict[str, tuple[float, float]]) -> tuple[Claim, ...]:
    loose, place, both = touch["loose"], touch["place"], touch["both"]
    return (
        Claim(
            source="without targets the secondary motion does not come to where it is wanted",
            ours=f"{1e3 * loose[0]:.0f} mm off",
            agrees=loose[0] > 0.005,
        ),
        Claim(
            source="a target of place alone leaves the hand a velocity",
            ours=f"{place[1]:.2f} m/s, {place[0]:.1g} m off",
            agrees=place[0] <= _WITHIN and place[1] > 100.0 * _STILL,
        ),
        Claim(
            source="a target of place and velocity has it there at rest",
            ours=f"{both[1]:.1g} m/s, {both[0]:.1g} m off",
            agrees=both[0] <= _WITHIN and both[1] <= _STILL,
        ),
    )


def _of(seen: EvaluatedActor, time: int) -> tuple[float, float]:
    """Distance and speed of the grip."""
    away = seen.point(HAND, GRIP, time) - np.array(CUP_AT)
    return float(np.linalg.norm(away)), seen.speed(HAND, GRIP, time)


def _chart(course: list[tuple[float, ...]], which: int, title: str, unit: str) -> str:
    seconds = [row[0] for row in course]
    lines = [
        Line(name=label, x=seconds, y=[row[2 * place + which] for row in course], dashed=name == "keyed")
        for place, (name, label) in enumerate(_NAMES.items())
    ]
    return line_chart(title, "time [s]", unit, lines, marks={"touch": TOUCH})
