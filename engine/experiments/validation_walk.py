"""The walk of OpenSim's gait2354 examples, measured with markers and force plates: our numbers beside OpenSim's own.

OpenSim's coordinates (`reference_ik.mot`) and torques (`reference_inverse_dynamics.sto`) come with the trial. Its
coordinates, smoothed as it smooths them, are put on its subject's model with the measured forces; the residual is the
force at the root that nothing gives. Its inverse dynamics keeps below 6 Hz with each of two passes, which is 5.22 Hz of
both.
"""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np

from engine.cli.curves import document_in
from engine.cli.measured_trial import MeasuredTrial
from engine.cli.residuals import find_reduction
from engine.commands.bring_in import bring_in, read_contents
from engine.document import Document, Figure
from engine.document.ticks import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.experiments.chart_panels import ChartPanel, panel_chart
from engine.experiments.charts import Line
from engine.experiments.result import Claim, ResultPlot, Table
from engine.formats.captured import handle_places
from engine.formats.storage import of_figure, read_storage
from engine.markers.captured_markers import markers_of_actor
from engine.markers.fitting import fit_to_markers
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow
from engine.muscles.control import follow_motion
from engine.muscles.required import RequiredDynamics
from engine.muscles.stage import NAME, MusclesStage
from engine.muscles.static import MuscleShares, StaticOptimisation
from engine.muscles.uses import muscles_of
from engine.runtime.progress import finish
from engine.runtime.quick_dataclass import dataclass

EACH_PASS = 5.22  # [Hz]
START, END, RATE = 0.4, 1.6, 60  # [s], and frames a second, of OpenSim's results
SLIDES = ("pelvis_tx", "pelvis_ty", "pelvis_tz")
SUBTALARS = ("subtalar_angle_r", "subtalar_angle_l")
SHOWN = {"hip_flexion_r": "Hip flexion", "knee_angle_r": "Knee extension", "ankle_angle_r": "Dorsiflexion"}


@dataclass(frozen=True, eq=False)
class ComparedWalk:
    """Tables, a picture and claims of the walk."""

    tables: tuple[Table, ...]
    picture: ResultPlot
    claims: tuple[Claim, ...]


def compare_walk(folder: Path, *, control: bool) -> ComparedWalk:
    """Compare it; `control`: by computed muscle control, too, which takes minutes."""
    document = measured_walk(folder)
    torques, claim, picture, peak = _inverse_dynamics(document, folder)
    fitted, fit_claim = _markers(folder)
    reduced, changed, reduced_claim = _reduced(document, peak)
    tables, claims = [torques, fitted, changed], [claim, fit_claim, reduced_claim]
    if control:
        table, more = _control(reduced, peak)
        tables.append(table)
        claims += more
    return ComparedWalk(tuple(tables), picture, tuple(claims))


def measured_walk(folder: Path) -> Document:
    """Put OpenSim's coordinates, smoothed, and the measured forces on the subject's model."""
    document = document_in(folder / "subject01_scaled.osim")
    trial = MeasuredTrial(
        motion=folder / "reference_ik.mot", low_pass=EACH_PASS, forces=folder / "subject01_walk1_grf.mot"
    )
    return trial.put_on(document, document.actors[0].id)[0]


def _inverse_dynamics(document: Document, folder: Path) -> tuple[Table, Claim, ResultPlot, float]:
    owner = document.actors[0]
    theirs = read_storage(folder / "reference_inverse_dynamics.sto")
    count = len(theirs.values)
    seconds = START + np.arange(count) / RATE
    taken = RequiredDynamics(Evaluator(), document, owner.id).at([round(each * TICKS_PER_SECOND) for each in seconds])
    names = [label.rpartition("_")[0] for label in theirs.labels]
    ours = np.stack([taken.torques[:, owner.figure.rate_index[name]] for name in names], axis=1)
    rms = np.sqrt(((ours - theirs.values) ** 2).mean(axis=0))
    most = np.abs(theirs.values).max(axis=0)
    rows = tuple(zip(names, rms.tolist(), most.tolist(), strict=True))
    joints = {name: off for name, off, _ in rows if not name.startswith("pelvis")}
    worst = max(joints, key=lambda name: joints[name])
    peak = float(np.linalg.norm(taken.ground, axis=1).max())
    panels = [
        ChartPanel(
            title=f"{said} [N m]",
            lines=[
                Line(name="Sinew", x=seconds.tolist(), y=ours[:, names.index(name)].tolist()),
                Line(name="OpenSim", x=seconds.tolist(), y=theirs.values[:, names.index(name)].tolist(), dashed=True),
            ],
        )
        for name, said in SHOWN.items()
    ]
    picture = panel_chart("Torques of a measured walk over time [s]", panels, ("Sinew", "OpenSim"))
    root = [names.index(name) for name in SLIDES]
    left = {"ours": _residual(ours[:, root], peak), "OpenSim": _residual(theirs.values[:, root], peak)}
    told = "; ".join(f"{who} {100.0 * most:.0f}% at most, {100.0 * rms:.1f}% RMS" for who, (most, rms) in left.items())
    claim = Claim(
        source="OpenSim's inverse dynamics of the same motion: torques of 17 joint coordinates",
        ours=f"within {joints[worst]:.2f} N m RMS, most at {worst}; left at the root of {peak:.0f} N: {told}",
        agrees=joints[worst] < 0.5,
    )
    table = Table(name="torques", columns=("coordinate", "rms_apart", "most_of_theirs"), rows=rows)
    return table, claim, ResultPlot(name="walk_torques", svg=picture), peak


def _residual(forces: Array, peak: float) -> tuple[float, float]:
    """The most and the RMS of a force over time, as shares of the ground's greatest."""
    sizes = np.linalg.norm(forces, axis=1)
    return float(sizes.max()) / peak, float(np.sqrt((sizes**2).mean())) / peak


def _markers(folder: Path) -> tuple[Table, Claim]:
    """The walk's markers fitted, beside where OpenSim's own coordinates put them."""
    figure = read_contents(folder / "subject01_scaled.osim").figure
    walk = bring_in(folder / "subject01_walk1.trc").actor
    assert figure is not None, "a model has a figure"
    assert walk is not None, "a file of markers is a capture"
    between = (round(START * TICKS_PER_SECOND), round(END * TICKS_PER_SECOND))
    markers = markers_of_actor(walk).within(*between)
    fit = fit_to_markers(figure, markers)
    spots = [each.id for each in fit.match.handles]
    theirs = _placed_by(folder / "reference_ik.mot", figure, spots) - markers.points[:, list(fit.match.places)]
    each = np.sqrt(np.nanmean((theirs**2).sum(axis=2), axis=0))
    whole = float(np.sqrt(np.nanmean((theirs**2).sum(axis=2))))
    rows = tuple(
        (label, 100.0 * float(ours), 100.0 * float(other))
        for label, ours, other in zip(fit.match.labels, fit.marker_rms, each, strict=True)
    )
    claim = Claim(
        source="OpenSim's own fit of the walk's 31 markers, whose weights are not known, RMS",
        ours=f"{100.0 * fit.rms:.2f} cm, all weighed alike, limits held; OpenSim's {100.0 * whole:.2f} cm",
        agrees=fit.rms <= whole,
    )
    return Table(name="markers", columns=("marker", "ours_cm", "opensim_cm"), rows=rows), claim


def _placed_by(path: Path, figure: Figure, spots: list[str]) -> Array:
    """Where the coordinates of a file put handles [m], shape [frames, handles, 3]."""
    table = read_storage(path)
    places, names, _ = of_figure(table, figure)
    model = compile_model(figure)
    q = np.tile(model.rest, (len(table.values), 1))
    for place, name in zip(places, names, strict=True):
        turns = figure.coordinate_dof[name].kind == "hinge"
        q[:, figure.coordinate_index[name]] = table.values[:, place] * (np.pi / 180.0 if turns else 1.0)
    q = np.array([follow(model.driven, row) for row in q])
    return handle_places(figure, [next(each for each in figure.handles if each.id == spot) for spot in spots], q)


def _reduced(document: Document, peak: float) -> tuple[Document, Table, Claim]:
    """The walk with its residuals reduced, and by how much its coordinates change."""
    owner = document.actors[0]
    made = find_reduction(document, start=START, end=END)
    reduced, found = made.edit.apply(document), made.found
    count = round((END - START) * RATE) + 1
    ticks = [round((START + frame / RATE) * TICKS_PER_SECOND) for frame in range(count)]
    taken = RequiredDynamics(Evaluator(), reduced, owner.id).at(ticks)
    most, rms = _residual(taken.torques[:, [owner.figure.rate_index[name] for name in SLIDES]], peak)
    turns = {dof.id: dof.kind == "hinge" for dof in owner.figure.dofs}
    factors = [np.degrees(1.0) if turns[name] else 100.0 for name in found.coordinates]
    changed = found.changed * np.array(factors)
    rows = tuple(zip(found.coordinates, np.abs(changed).max(axis=0), np.sqrt((changed**2).mean(axis=0)), strict=True))
    worst = max((float(most), name) for name, most, _ in rows if turns[name])
    shift = float(np.linalg.norm(found.shift))
    slid = max(float(most) for name, most, _ in rows if not turns[name])
    claim = Claim(
        source="the root's residual is at most 5% of the greatest force of the ground, once it is reduced",
        ours=f"{100.0 * most:.1f}% at most, {100.0 * rms:.1f}% RMS; the motion changes by {worst[0]:.1f} degrees at "
        f"most, at {worst[1]}, and {slid:.1f} cm, the trunk's mass centre by {100.0 * shift:.1f} cm",
        agrees=most <= 0.05,
    )
    return reduced, Table(name="reduced", columns=("coordinate", "most_degrees_cm", "rms_degrees_cm"), rows=rows), claim


def _control(document: Document, peak: float) -> tuple[Table, list[Claim]]:
    """Computed muscle control of the walk: with motors for what muscles lack, for joints that it keeps still, and by
    muscles alone."""
    with_motors, held, alone = (_followed(document, motors=motors) for motors in ("all", "still", "none"))
    rows = list[tuple[str, float, float, float]]()
    for place, (name, turns) in enumerate(zip(with_motors.figure.rates, with_motors.turning, strict=True)):
        if turns:
            first, second, third = (_degrees_off(each, place) for each in (with_motors, held, alone))
            rows.append((name, first, second, third))
    moved = [row for row in rows if not row[0].startswith("pelvis")]
    worst, worst_held, worst_alone = (max(moved, key=lambda row: row[way]) for way in (1, 2, 3))
    root = [with_motors.figure.rate_index[name] for name in SLIDES]
    most, rms = _residual(with_motors.reserves[:, root], peak)
    ankles = [row[3] for row in rows if row[0].startswith("ankle")]
    free = max(row[2] for row in moved if not row[0].startswith(("mtp", "subtalar")))
    lacked = float(np.abs(held.reserves[:, [held.figure.rate_index[name] for name in SUBTALARS]]).max())
    claims = [
        Claim(
            source="computed muscle control follows the walk within 2 degrees RMS, with motors for what muscles lack",
            ours=f"{worst[1]:.1f} degrees at most, at {worst[0]}",
            agrees=worst[1] <= 2.0,
        ),
        Claim(
            source="the same by muscles, motors hold the subtalar joints alone, which OpenSim's coordinates keep still",
            ours=f"{worst_held[2]:.1f} degrees at {worst_held[0]}; joints that muscles move {free:.1f} at most; the "
            f"motors give up to {lacked:.0f} N m",
            agrees=worst_held[2] <= 2.0,
        ),
        Claim(
            source="the same by muscles alone",
            ours=f"{worst_alone[3]:.0f} degrees at {worst_alone[0]}; ankles {min(ankles):.0f} and {max(ankles):.0f}",
            agrees=worst_alone[3] <= 2.0,
        ),
        Claim(
            source="the root's residual in it is at most 5% of the greatest force of the ground",
            ours=f"{100.0 * most:.1f}% at most, {100.0 * rms:.1f}% RMS",
            agrees=most <= 0.05,
        ),
    ]
    columns = ("coordinate", "with_motors_degrees", "held_degrees", "muscles_alone_degrees")
    return Table(name="followed", columns=columns, rows=tuple(rows)), claims


def _followed(document: Document, *, motors: str) -> MuscleShares:
    owner, evaluator = document.actors[0], Evaluator()
    muscles = muscles_of(owner)
    assert muscles is not None, "the subject has muscles"
    figure = cast(MusclesStage, evaluator.stage(NAME)).compiled(owner, muscles)
    ticks = (round(START * TICKS_PER_SECOND), round(END * TICKS_PER_SECOND))
    wanted = StaticOptimisation(actor=owner.id, start=ticks[0], end=ticks[1], motors=motors)
    return finish(follow_motion(evaluator, document, figure, wanted))


def _degrees_off(shares: MuscleShares, place: int) -> float:
    assert shares.off is not None, "what is followed is compared"
    return float(np.degrees(np.sqrt((shares.off[:, place] ** 2).mean())))
