"""Moment arms of named muscles of the skeleton over a joint's range, beside those of OpenSim's models.

The models Rajagopal2016, gait2392 and arm26 are read as any file is, and measured by the same kernel; that the reader
gives what their XML says is tested apart. The skeleton's legs begin from the attachment points of Rajagopal2016, so
that one is no independent witness there; gait2392 is (Delp 1990), and arm26 is for the arm. Angles are those of the
coordinates, flexion and dorsiflexion positive; all other coordinates are 0.
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np

from engine.commands.bring_in import read_contents
from engine.experiments.anatomy import anatomy, posed
from engine.experiments.chart_panels import ChartPanel, panel_chart
from engine.experiments.charts import Line
from engine.experiments.result import Claim, ResultPlot, Table
from engine.experiments.shared_data import shared_data
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.muscles.compiled import MuscledFigure
from engine.muscles.parts import Muscles
from engine.muscles.ranges import arms_over
from engine.runtime.quick_dataclass import dataclass

STEPS = 41
MODELS = {"Rajagopal2016": "Rajagopal2016.osim", "gait2392": "gait2392_millard2012muscle.osim", "arm26": "arm26.osim"}


@dataclass(frozen=True, kw_only=True)
class ComparedArm:
    """A muscle of the left side, about a hinge over some degrees, and its counterparts in the models."""

    name: str
    muscle: str  # of the skeleton, without its side
    dof: str  # likewise
    span: tuple[float, float]  # [degrees]
    theirs: tuple[tuple[str, str, str, float], ...]  # model, muscle, coordinate, and its sign where that is ours


def _leg(name: str, muscle: str, dof: str, span: tuple[float, float], theirs: tuple[str, str]) -> ComparedArm:
    coordinate = {"femur": "hip_flexion_r", "tibia": "knee_angle_r", "talus": "ankle_angle_r"}[dof.partition(".")[0]]
    extends = -1.0 if coordinate == "knee_angle_r" else 1.0  # gait2392 counts the knee's extension
    return ComparedArm(
        name=name,
        muscle=muscle,
        dof=dof,
        span=span,
        theirs=(("Rajagopal2016", theirs[0], coordinate, 1.0), ("gait2392", theirs[1], coordinate, extends)),
    )


def _arm(name: str, muscle: str, theirs: str) -> ComparedArm:
    at = (("arm26", theirs, "r_elbow_flex", 1.0),)
    return ComparedArm(name=name, muscle=muscle, dof="ulna.flexion", span=(0.0, 125.0), theirs=at)


HIP, KNEE, ANKLE = (-25.0, 100.0), (0.0, 100.0), (-35.0, 25.0)
ARMS = (
    _leg("Iliacus, hip flexion", "iliacus", "femur.flexion", HIP, ("iliacus_r", "iliacus_r")),
    _leg("Gluteus maximus, hip flexion", "gluteus_maximus_middle", "femur.flexion", HIP, ("glmax2_r", "glut_max2_r")),
    _leg("Semimembranosus, hip flexion", "semimembranosus", "femur.flexion", HIP, ("semimem_r", "semimem_r")),
    _leg("Rectus femoris, knee flexion", "rectus_femoris", "tibia.flexion", KNEE, ("recfem_r", "rect_fem_r")),
    _leg("Vastus lateralis, knee flexion", "vastus_lateralis", "tibia.flexion", KNEE, ("vaslat_r", "vas_lat_r")),
    _leg("Biceps femoris, knee flexion", "biceps_femoris_long", "tibia.flexion", KNEE, ("bflh_r", "bifemlh_r")),
    _leg("Gastrocnemius, dorsiflexion", "gastrocnemius_medial", "talus.dorsiflexion", ANKLE, ("gasmed_r", "med_gas_r")),
    _leg("Soleus, dorsiflexion", "soleus", "talus.dorsiflexion", ANKLE, ("soleus_r", "soleus_r")),
    _leg(
        "Tibialis anterior, dorsiflexion", "tibialis_anterior", "talus.dorsiflexion", ANKLE, ("tibant_r", "tib_ant_r")
    ),
    _arm("Biceps, long head, elbow flexion", "biceps_long", "BIClong"),
    _arm("Brachialis, elbow flexion", "brachialis_inner", "BRA"),
    _arm("Triceps, long head, elbow flexion", "triceps_long", "TRIlong"),
)


@dataclass(frozen=True, eq=False)
class ComparedCurve:
    """Moment arms of one muscle in one model."""

    model: str
    angles: Array  # [degrees]
    arms: Array  # [m]


def curves_of(wanted: ComparedArm, steps: int) -> list[ComparedCurve]:
    """Measure a muscle of the skeleton, then its counterparts, where their models are at hand."""
    low, high = (math.radians(each) for each in wanted.span)
    bone, _, hinge = wanted.dof.partition(".")
    ours = arms_over(anatomy(), posed({}), f"{bone}_left.{hinge}", span=(low, high), steps=steps)
    angles = np.degrees(ours.values)
    found = [ComparedCurve("Sinew's skeleton", angles, ours.arms[:, anatomy().numbers[f"{wanted.muscle}_left"]])]
    for model, muscle, coordinate, sign in wanted.theirs:
        muscled = model_of(model)
        if muscled is None:
            continue
        pose = np.zeros(len(muscled.model.rest))
        span = (low, high) if sign > 0.0 else (-high, -low)
        over = arms_over(muscled, pose, coordinate, span=span, steps=steps)
        arms = sign * over.arms[:, muscled.numbers[muscle]]
        found.append(ComparedCurve(model, angles, arms if sign > 0.0 else arms[::-1]))
    return found


def model_of(name: str) -> MuscledFigure | None:
    """Compile a model with its muscles; None where its file is missing."""
    path = shared_data("musculoskeletal", "osim", MODELS[name])
    return None if path is None else _compiled(path)


@cache
def _compiled(path: Path) -> MuscledFigure:
    contents = read_contents(path)
    assert contents.figure is not None, "a model has a figure"
    muscles = next(each for each in contents.parts if isinstance(each, Muscles))
    return MuscledFigure(compile_model(contents.figure), muscles)


def compare_arms(steps: int = STEPS) -> tuple[tuple[Table, ...], ResultPlot, list[Claim]]:
    """Lay out all curves, how far they are apart, a picture of them, and what is said of them."""
    measured = {each.name: curves_of(each, steps) for each in ARMS}
    rows: list[tuple[str, str, float, float, float, float]] = []
    for name, (ours, *others) in measured.items():
        for each in others:
            off = 100.0 * (ours.arms - each.arms)
            rms = float(np.sqrt((off**2).mean()))
            means = (100.0 * float(ours.arms.mean()), 100.0 * float(each.arms.mean()))
            rows.append((name, each.model, *means, rms, float(np.abs(off).max())))
    curves = [
        (name, each.model, float(angle), 100.0 * float(arm))
        for name, found in measured.items()
        for each in found
        for angle, arm in zip(each.angles, each.arms, strict=True)
    ]
    panels = [
        ChartPanel(
            title=name,
            lines=[
                Line(name=each.model, x=each.angles.tolist(), y=(100.0 * each.arms).tolist(), dashed=at > 0)
                for at, each in enumerate(found)
            ],
        )
        for name, found in measured.items()
    ]
    order = ["Sinew's skeleton", *MODELS]
    svg = panel_chart("Moment arms [cm] over a joint's angle [degrees]", panels, order)
    tables = (
        Table(name="arms", columns=("muscle", "model", "ours_cm", "theirs_cm", "rms_cm", "most_cm"), rows=tuple(rows)),
        Table(name="arm_curves", columns=("muscle", "model", "angle_degrees", "arm_cm"), rows=tuple(curves)),
    )
    return tables, ResultPlot(name="moment_arms", svg=svg), _claims(rows)


def _claims(rows: list[tuple[str, str, float, float, float, float]]) -> list[Claim]:
    if not rows:
        return []
    signs = [row for row in rows if row[2] * row[3] > 0.0]
    near = [row for row in rows if row[4] <= 1.0]
    worst = max(rows, key=lambda row: row[4])
    return [
        Claim(
            source="muscles of OpenSim's models turn joints the same way on average over the range",
            ours=f"{len(signs)} of {len(rows)} pairs",
            agrees=len(signs) == len(rows),
        ),
        Claim(
            source="their moment arms are those of the skeleton within 1 cm RMS",
            ours=f"{len(near)} of {len(rows)} pairs; farthest apart: {worst[0]}, {worst[1]}, {worst[4]:.1f} cm",
            agrees=len(near) == len(rows),
        ),
    ]
