"""A plot as an archive of numpy arrays: `numpy.load(path)`, nothing pickled.

axis    what the places are, with the unit: time [s]
places  shape [place_count]
values  shape [place_count, line_count], in the engine's units; not a number where a line has ended
labels, units, notes  of each line, shape [line_count]
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from engine.formats.binary import write_bytes
from engine.measure.chart import Chart


def write_plot_npz(path: Path, chart: Chart) -> None:
    """Write a chart; what stood there before is kept if that fails."""
    output = io.BytesIO()
    np.savez(
        output,
        axis=np.array(chart.axis, dtype=np.str_),
        places=chart.places,
        values=np.stack([line.values for line in chart.lines], axis=1),
        labels=np.array([line.label for line in chart.lines], dtype=np.str_),
        units=np.array([line.unit for line in chart.lines], dtype=np.str_),
        notes=np.array([line.note for line in chart.lines], dtype=np.str_),
    )
    write_bytes(path, output.getvalue())
