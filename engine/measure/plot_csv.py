"""A plot as CSV: a row for each place of its axis, a column for each line, in the engine's units, every number in full.

    # Sinew plot; ball, velocity y: by differences at 12 of 300 times
    time [s],"Ball, velocity y [m/s]"
    0.0,4.0

Decimal points, commas between cells; a cell is empty where its line has ended. A name that a spreadsheet would take
for a formula is written with an apostrophe before it.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from engine.formats.text import write_text
from engine.measure.chart import Chart


def write_plot_csv(path: Path, chart: Chart) -> None:
    """Write a chart; what stood there before is kept if that fails."""
    output = io.StringIO()
    for line in chart.lines:
        if line.note:
            output.write(f"# Sinew plot; {line.label}: {line.note}\n")
    writer = csv.writer(output, lineterminator="\n")
    writer.writerow([chart.axis, *(_harmless(line.title) for line in chart.lines)])
    columns = [chart.places.tolist(), *(line.values.tolist() for line in chart.lines)]
    for row in zip(*columns, strict=True):
        output.write(",".join("" if np.isnan(each) else repr(each) for each in row) + "\n")
    write_text(path, output.getvalue())


def _harmless(title: str) -> str:
    return f"'{title}" if title[:1] in ("=", "+", "-", "@") else title
