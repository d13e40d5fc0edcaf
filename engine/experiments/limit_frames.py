"""Time per frame within boxes and within fields: Engell-Norregard 2012, section 15.3 and figure 21.

The same motion is followed under each; frames stand in the order of what they cost. Beside processor time stands the
number of evaluations, which is the same on every machine.
"""

from __future__ import annotations

import numpy as np

from engine.experiments.charts import Line, line_chart
from engine.experiments.following import METHODS, Followed, follow
from engine.experiments.limiting import MODELS, limited
from engine.experiments.reference import load_reference
from engine.experiments.result import TIMES, Claim, Result, ResultPlot, Settings, Table
from engine.maths.arrays import Array

_SHARES = (50.0, 95.0, 99.0, 100.0)
_ASKED, _MUCH = 1.5, 0.75  # what is "much better" takes at most this part


def run(settings: Settings) -> Result:
    """Both solvers, every model."""
    reference = load_reference(settings)
    figures = {model: limited(reference.figure, model, [reference.poses]) for model in MODELS}
    found = {(solver, model): follow(reference, figures[model], solver) for solver in METHODS for model in MODELS}
    rows = [
        (*case, each.reached, *np.percentile(each.evaluations, _SHARES).tolist(), float(each.evaluations.sum()))
        for case, each in found.items()
    ]
    times = [(*case, *(1e3 * np.percentile(each.seconds, _SHARES)).tolist()) for case, each in found.items()]
    head, ends = ("solver", "limits"), ("median", "p95", "p99", "most")
    return Result(
        title="Time per frame within boxes and fields (Engell-Norregard 2012, figure 21)",
        tables=(
            Table(name="evaluations", columns=(*head, "reached", *ends, "sum"), rows=tuple(rows)),
            Table(name=TIMES, columns=(*head, *(f"{end}_ms" for end in ends)), rows=tuple(times)),
        ),
        pictures=tuple(picture for solver in METHODS for picture in _pictures(found, solver)),
        claims=tuple(claim for solver in METHODS for claim in _claims(found, solver)),
        notes=(f"motion: {reference.name}; {len(reference.poses)} frames at {reference.rate} Hz",),
    )


def _pictures(found: dict[tuple[str, str], Followed], solver: str) -> tuple[ResultPlot, ResultPlot]:
    def lines(values: dict[str, list[float]]) -> list[Line]:
        return [Line(name=MODELS[model], x=np.arange(len(y)).tolist(), y=y) for model, y in values.items()]

    label = METHODS[solver]
    counts = {model: np.sort(found[solver, model].evaluations.astype(float)).tolist() for model in MODELS}
    times = {model: np.sort(1e3 * found[solver, model].seconds).tolist() for model in MODELS}
    across = "frames in the order of what they cost"
    return (
        ResultPlot(
            name=f"evaluations-{solver}",
            svg=line_chart(f"Evaluations per frame, {label}", across, "evaluations", lines(counts), log="y"),
        ),
        ResultPlot(
            name=f"{TIMES}-{solver}",
            svg=line_chart(f"Processor time per frame, {label}", across, "[ms]", lines(times), log="y"),
        ),
    )


def _claims(found: dict[tuple[str, str], Followed], solver: str) -> list[Claim]:
    box, field = found[solver, "boxes"], found[solver, "sampled"]
    time = _ratios(field.seconds, box.seconds)
    effort = _ratios(field.evaluations, box.evaluations)
    label = METHODS[solver]
    return [
        Claim(
            source="the worst case of fields is much better than that of boxes (figure 21)",
            ours=f"{label}: evaluations at the 99th percentile {effort[1]:.2f}, at most {effort[2]:.2f} times",
            agrees=effort[2] < _MUCH,
        ),
        Claim(
            source="(ours) within fields no fewer frames reach their goals than within boxes",
            ours=f"{label}: {100.0 * field.reached:.1f}% against {100.0 * box.reached:.1f}%",
            agrees=field.reached >= box.reached,
        ),
        Claim(
            source="fields are slower in general, by little (figure 21)",
            ours=f"{label}: {time[0]:.2f} times the time at the median (required: at most {_ASKED})",
            agrees=1.0 < time[0] <= _ASKED,
            timed=True,
        ),
        Claim(
            source="... and the worst case is half that of boxes (20 against 10 frames a second)",
            ours=f"{label}: {time[1]:.2f} times the time at the 99th percentile, {time[2]:.2f} at most",
            agrees=time[2] < _MUCH,
            timed=True,
        ),
    ]


def _ratios(mine: Array, theirs: Array) -> tuple[float, float, float]:
    """Median, 99th percentile and most."""
    shares = (50.0, 99.0, 100.0)
    a, b, c = (np.percentile(mine, shares) / np.percentile(theirs, shares)).tolist()
    return a, b, c
