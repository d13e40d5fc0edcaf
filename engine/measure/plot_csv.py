"""A plot as CSV: one row a time, one column a series, in the engine's units, every number with all its digits.

    # Sinew plot; ball, velocity y: by differences over 1 ms at 12 of 300 times
    time [s],"Ball, velocity y [m/s]"
    0.0,4.0

Times are seconds; decimal points, commas between cells. Series of other times than the first one's are refused.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.formats.text import write_text
from engine.measure.series import Series
from engine.runtime.errors import InvalidArguments


def write_plot_csv(path: Path, series: Sequence[Series]) -> None:
    """Write series that are whole; what stood there before is kept if that fails."""
    check_whole(series)
    output = io.StringIO()
    for each in series:
        rough = int(each.by_differences.sum())
        if rough:
            label = " ".join(each.label.split())
            output.write(f"# Sinew plot; {label}: by differences over 1 ms at {rough} of {len(each.times)} times\n")
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow(["time [s]", *(f"{each.label} [{each.unit}]" for each in series)])
    columns = [(series[0].times / TICKS_PER_SECOND).tolist(), *(each.values.tolist() for each in series)]
    for row in zip(*columns, strict=True):
        output.write(",".join(map(repr, row)) + "\n")
    write_text(path, output.getvalue())


def check_whole(series: Sequence[Series]) -> None:
    """Refuse series without numbers, of different times, or with times that are not worked out."""
    if not series or not len(series[0].times):
        raise InvalidArguments(what="the series of a plot", value="none", allowed="one or more, with a time each")
    for each in series:
        if not np.array_equal(each.times, series[0].times):
            raise InvalidArguments(what=f"the times of {each.label}", value="others", allowed="those of all series")
        if not each.fresh.all() or not np.isfinite(each.values).all():
            missing = int((~each.fresh | ~np.isfinite(each.values)).sum())
            allowed = "a plot that is worked out: wait until it is whole"
            raise InvalidArguments(what=f"times of {each.label} without a number", value=missing, allowed=allowed)
