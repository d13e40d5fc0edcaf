"""A plot as STO, the table that OpenSim reads: in the engine's units, which the labels end with.

Lines that have ended before the last row are refused: an STO file has a number in every place.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from engine.formats.sto_table import write_sto
from engine.measure.chart import Chart
from engine.runtime.errors import UnwritableFile


def write_plot_sto(path: Path, chart: Chart) -> None:
    """Write a chart; what stood there before is kept if that fails."""
    ended = next((line.label for line in chart.lines if np.isnan(line.values).any()), None)
    if ended is not None:
        raise UnwritableFile(path=path, found=f"{ended} ends earlier than others", remedy="Write it as CSV.")
    if not chart.axis.startswith("time"):
        raise UnwritableFile(path=path, found=f"a plot over {chart.axis}, not time", remedy="Write it as CSV.")
    columns = [chart.places, *(line.values for line in chart.lines)]
    write_sto(path, path.stem, [line.title for line in chart.lines], np.stack(columns, axis=1).tolist())
