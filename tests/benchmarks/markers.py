"""A figure fitted to the shared walk: processor time beside the time of the motion, errors beside OpenSim's own."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from time import process_time

from engine.commands.bring_in import bring_in, read_contents
from engine.document.ticks import TICKS_PER_SECOND
from engine.markers.captured_markers import markers_of_actor
from engine.markers.fitting import fit_to_markers
from engine.markers.scaling import ScaleBy, scaling_steps
from engine.runtime.progress import finish
from tests.benchmarks.harness import Row
from tests.engine.cli.test_markers import reference_rms
from tests.engine.shared_data import shared_folder

NAME = "markers"

ROUNDS = 9
START, END = 0.4, 1.6  # [s] of OpenSim's own result


def measure() -> Iterator[Row]:
    """The rows; none without the shared data."""
    folder = shared_folder() / "data" / "mocap" / "opensim_gait2354_walk"
    if not folder.exists():
        return
    figure = read_contents(folder / "subject01_scaled.osim").figure
    walk, static = (bring_in(folder / f"subject01_{name}.trc").actor for name in ("walk1", "static"))
    assert figure is not None
    assert walk is not None
    assert static is not None
    markers = markers_of_actor(walk).within(round(START * TICKS_PER_SECOND), round(END * TICKS_PER_SECOND))
    fit, times = fit_to_markers(figure, markers), []
    for _ in range(ROUNDS):
        began = process_time()
        fit_to_markers(figure, markers)
        times.append(process_time() - began)
    seconds = len(markers.points) * markers.rate[1] / markers.rate[0]
    yield Row(
        what="gait2354, walk of 31 markers fitted: processor time",
        measured=statistics.median(times),
        unit="s",
        asked="10x real time",
        peer="the time of the motion",
        peer_measured=seconds,
        allowed=0.1,
        note=f"{1e3 * statistics.median(times) / len(markers.points):.2f} ms a frame",
    )
    handles = tuple(each.id for each in fit.match.handles)
    theirs = reference_rms(folder, figure, handles, markers.points[:, list(fit.match.places)])
    yield Row(
        what="the same: RMS of all markers",
        measured=100.0 * fit.rms,
        unit="cm",
        asked="no worse than OpenSim",
        peer="OpenSim's own result, whose weights are not known",
        peer_measured=100.0 * theirs,
        allowed=1.0,
        note="limits held in every frame",
    )
    began = process_time()
    found = finish(scaling_steps(figure, markers_of_actor(static), ScaleBy()))
    factors = [factor for _, factor in found.factors]
    after = 0.0 if found.after is None else 100.0 * found.after
    note = f"bodies by {min(factors):.3f} to {max(factors):.3f}: OpenSim has scaled it; RMS {after:.2f} cm"
    yield Row(
        what="the same scaled to its static trial: processor time", measured=process_time() - began, unit="s", note=note
    )
