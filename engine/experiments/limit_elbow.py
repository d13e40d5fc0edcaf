"""The elbow's distance from the capture under boxes and fields: Engell-Norregard 2012, section 15.4, figures 20 and 22.

Hands, feet, head and pelvis are led along the captured motion, each frame from the answer to the one before; nothing
says where the elbows are but the limits. The skeleton is the capture's own, its boxes those of its ASF file. What the
source calls 1 is 0.2 m. Beside the source's limits stand boxes around the same clip, and a field of what shoulder and
elbow do together; beside its margin of 0.2 rad half and a quarter of it. Some rows are of motions that the limits have
not seen: they are of all other clips.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from engine.document import Figure
from engine.experiments.captured import Captured, load_captured
from engine.experiments.charts import Line, line_chart
from engine.experiments.following import METHODS, Followed, follow
from engine.experiments.limiting import MARGIN, MODELS, limited
from engine.experiments.result import Cell, Claim, Result, ResultPlot, Settings, Table
from engine.limits.dependent import dependent_limit
from engine.maths.arrays import Array

_SOURCE = 0.2  # [m], the error that the source tells of boxes
_HALF, _CLEARLY = 0.5, 0.9
_ITSELF, _OTHERS = "itself", "all other clips"
_MARGINS = (MARGIN, 0.5 * MARGIN, 0.25 * MARGIN)
_DEPENDENT = "dependent"
_NAMED = {**MODELS, _DEPENDENT: "fields, shoulder with elbow"}
_MEMORY = 16_000_000  # bytes
Case = tuple[str, str, str, str, float]  # solver, motion, what the limits are of, model, margin [rad]


def run(settings: Settings) -> Result:
    """All models and margins, and motions that were left out."""
    captured, margins = load_captured(settings), _MARGINS[: 1 if settings.quick else None]
    found: dict[Case, Followed] = {}
    for name, reference in captured.references.items():
        others = [poses for clip, poses in captured.clips.items() if clip != name]
        for of, clips in ((_ITSELF, [reference.poses]), (_OTHERS, others)):
            for margin in margins if of == _ITSELF else (MARGIN,):
                for model in _NAMED if clips else ():
                    if model == "boxes" and (of, margin) != (_ITSELF, MARGIN):
                        continue
                    figure = _limited(captured, model, clips, margin)
                    for solver in METHODS:
                        case = (solver, name, of, model, margin)
                        found[case] = follow(reference, figure, solver, captured.elbow)
    first = next(iter(captured.references))
    notes = [
        f"motion: {each.name}; {len(each.poses)} frames at {each.rate} Hz" for each in captured.references.values()
    ]
    if len(captured.references) == 1:
        notes.append("the captured walk is not here: no motion is left out")
    return Result(
        title="The elbow under boxes and fields (Engell-Norregard 2012, figures 20 and 22)",
        tables=_tables(found, first),
        pictures=_pictures(found, first, captured.references[first].rate),
        claims=tuple(
            claim for solver in METHODS for claim in _claims(found, list(captured.references), solver, margins)
        ),
        notes=tuple(notes),
    )


def _limited(captured: Captured, model: str, clips: list[Array], margin: float) -> Figure:
    """The figure under a model."""
    figure = captured.figure
    if model != _DEPENDENT:
        return limited(figure, model, clips, margin=margin)
    dofs = [dof.id for joint in (captured.shoulder, captured.elbow) for dof in figure.joint(joint).dofs]
    places = [figure.coordinate_index[each] for each in dofs]
    rows = [np.ascontiguousarray(clip[:, places]) for clip in clips]
    arm = dependent_limit("arm", "Shoulder with elbow", dofs, rows, margin=margin, most_bytes=_MEMORY)
    single = limited(figure, "sampled", clips, margin=margin)
    return replace(single, limits=(*single.limits, arm))


def _tables(found: dict[Case, Followed], first: str) -> tuple[Table, ...]:
    rows: list[tuple[Cell, ...]] = []
    for case, each in found.items():
        error = each.elbow_errors
        numbers = (error.mean(), np.median(error), error.max(), error.sum(), each.reached, each.acceleration)
        rows.append((*case, *(float(number) for number in numbers)))
    frames = [
        (case[0], case[3], frame, float(error), float(total))
        for case, each in found.items()
        if (case[1], case[2], case[4]) == (first, _ITSELF, MARGIN)
        for frame, (error, total) in enumerate(zip(each.elbow_errors, np.cumsum(each.elbow_errors), strict=True))
    ]
    columns = ("solver", "motion", "limits_of", "limits", "margin_rad", "mean_m", "median_m", "most_m", "sum_m")
    return (
        Table(name="elbow", columns=(*columns, "reached", "acceleration_rad_s2"), rows=tuple(rows)),
        Table(name="frames", columns=("solver", "limits", "frame", "error_m", "accumulated_m"), rows=tuple(frames)),
    )


def _pictures(found: dict[Case, Followed], first: str, rate: int) -> tuple[ResultPlot, ...]:
    pictures = []
    for solver, label in METHODS.items():
        errors = {model: found[solver, first, _ITSELF, model, MARGIN].elbow_errors for model in _NAMED}
        times = [frame / rate for frame in range(len(errors["boxes"]))]
        lines = [Line(name=_NAMED[model], x=times, y=(100.0 * error).tolist()) for model, error in errors.items()]
        sums = [Line(name=_NAMED[model], x=times, y=np.cumsum(error).tolist()) for model, error in errors.items()]
        title = f"Right elbow: how far from the capture ({label})"
        pictures += [
            ResultPlot(name=f"error-{solver}", svg=line_chart(title, "time [s]", "error [cm]", lines)),
            ResultPlot(
                name=f"accumulated-{solver}", svg=line_chart(f"{title}, accumulated", "time [s]", "sum [m]", sums)
            ),
        ]
    return tuple(pictures)


def _claims(found: dict[Case, Followed], names: list[str], solver: str, margins: tuple[float, ...]) -> list[Claim]:
    label, first = METHODS[solver], names[0]
    errors = {model: found[solver, first, _ITSELF, model, MARGIN].elbow_errors for model in _NAMED}
    mean = {model: float(error.mean()) for model, error in errors.items()}
    listed = ", ".join(
        f"{_NAMED[model]} {100.0 * mean[model]:.1f} (at most {100.0 * errors[model].max():.1f})" for model in _NAMED
    )
    claims = [
        Claim(
            source="more restrictive limits bring the elbow closer to the capture (figure 22)",
            ours=f"{label}: mean error [cm]: {listed}",
            agrees=max(mean["sampled"], mean["sculpted"]) < _CLEARLY * mean["boxes"],
        ),
        Claim(
            source="boxes give an error of 20 cm (section 15.4)",
            ours=f"{label}: at most {100.0 * errors['boxes'].max():.1f} cm, mean {100.0 * mean['boxes']:.1f} cm",
            agrees=float(errors["boxes"].max()) >= _HALF * _SOURCE,
        ),
        *(_halved(found, first, solver, margin, mean["boxes"]) for margin in margins),
    ]
    for name in names:
        if (solver, name, _OTHERS, "sampled", MARGIN) in found:
            boxes = float(found[solver, name, _ITSELF, "boxes", MARGIN].elbow_errors.mean())
            field = found[solver, name, _OTHERS, "sampled", MARGIN]
            claims.append(
                Claim(
                    source="(ours) ... and of a motion that the fields have not seen, too",
                    ours=f"{label}: {name} within fields of all other clips: mean "
                    f"{100.0 * field.elbow_errors.mean():.1f} cm, {100.0 * field.reached:.0f}% reached; within boxes "
                    f"{100.0 * boxes:.1f} cm",
                    agrees=float(field.elbow_errors.mean()) <= _HALF * boxes,
                )
            )
    return claims


def _halved(found: dict[Case, Followed], first: str, solver: str, margin: float, boxes: float) -> Claim:
    """Tell whether fields halve the error of boxes at a margin."""
    models = ("tight", "sampled", "sculpted", _DEPENDENT)
    cases = {model: found[solver, first, _ITSELF, model, margin] for model in models}
    shares = {model: float(each.elbow_errors.mean()) / boxes for model, each in cases.items()}
    listed = ", ".join(f"{_NAMED[model]} {100.0 * share:.0f}%" for model, share in shares.items())
    return Claim(
        source=f"(ours) the elbow's error falls by at least half against boxes, at {margin:g} rad",
        ours=f"{METHODS[solver]}: {listed}; {100.0 * cases['sampled'].reached:.0f}% reached",
        agrees=max(shares["sampled"], shares["sculpted"]) <= _HALF,
    )
