"""C3D, the binary file of captured points, after "The C3D File Format: A Technical User Guide" (Motion Lab Systems).

Points are 16-bit whole numbers times `POINT:SCALE`, or floating where that is negative. The fourth word of a point
holds its residual; below 0 it was not seen. Labels beyond 255 stand in `POINT:LABELS2` and on. Forces of plates among
the analog samples are read apart (`c3d_plates.py`); other samples and events are left out. Written are the handles of
a figure, as TRC has them, and measured forces as plates (`c3d_write.py`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from engine.formats.binary import MOST_BYTES
from engine.formats.c3d_frame import (
    C3dFile,
    C3dHead,
    C3dParameter,
    head_of,
    open_c3d,
    rate_of_frames,
    rows_of,
    start_of,
    texts_of,
    unit_said,
    up_said,
)
from engine.formats.c3d_write import omits, write
from engine.formats.captured import MOST_MARKERS, SeenMarkers, check_size, contents_of
from engine.formats.format import Contents, Format, Options
from engine.formats.text import LARGEST, counted
from engine.maths.arrays import Array


def read(path: Path, options: Options) -> Contents:
    """The points as a figure that moves."""
    file, known = open_c3d(path)
    head = head_of(file, known)
    check_size(path, head.markers)
    points, notes = _points(file, head)
    rate = rate_of_frames(file, known)
    (unit, unsaid), (up, said) = unit_said(known), up_said(known)
    capture = SeenMarkers(
        labels=_labels(known, head.markers),
        points=points,
        rate=rate,
        start=start_of(head, rate),
        unit=unit,
        up=up,
        usual_up="z",
        notes=(*notes, *unsaid, *said),
    )
    return contents_of(path, capture, options)


def _points(file: C3dFile, head: C3dHead) -> tuple[Array, list[str]]:
    """Places in the file's unit, nan where a residual is below 0."""
    rows, size = rows_of(file, head)
    frames, notes = len(rows), []
    if frames < head.frames:
        notes.append(f"the file ends after {counted(frames, 'frame')} of {head.frames}")
    if head.analog:
        notes.append(f"analog samples, {head.analog} in each frame, are left out: put forces of plates on a figure")
    data = np.ascontiguousarray(rows[:, : size * 4 * head.markers]).tobytes()
    if size == 4:
        words = file.floats(data).reshape(frames, head.markers, 4)
        points: Array = words[:, :, :3].copy()
        unseen = words[:, :, 3] < 0.0
    else:
        whole = file.integers(data).reshape(frames, head.markers, 4)
        points, unseen = np.asarray(whole[:, :, :3] * head.scale, dtype=np.float64), whole[:, :, 3] < 0
    bad = ~np.isfinite(points).all(axis=2) | (np.abs(np.nan_to_num(points)) > LARGEST).any(axis=2)
    if (bad & ~unseen).any():
        notes.append(f"{counted(int((bad & ~unseen).sum()), 'place')} that are no numbers, taken as not seen")
    points[unseen | bad] = np.nan
    return points, notes


def _labels(known: Mapping[str, C3dParameter], markers: int) -> tuple[str, ...]:
    found = texts_of(known, "POINT:LABELS")
    more = sorted(
        (int(match[1]), name) for name in known if (match := re.fullmatch(r"POINT:LABELS(\d{1,4})", name)) is not None
    )
    for _, name in more:
        found += texts_of(known, name)
    return tuple(
        found[place] if place < len(found) and found[place] else f"point {place + 1}" for place in range(markers)
    )


FORMAT = Format(
    name="C3D markers",
    suffixes=(".c3d",),
    kind="curves",
    read=read,
    write=write,
    omits=omits,
    about="Places of captured points against time, gaps by their residuals, and forces of plates, which are put on a "
    "figure apart; of a figure, its handles and measured forces are written. Single precision; no events.",
    limits=f"{MOST_BYTES // 2**20} MB, {MOST_MARKERS:,} markers",
    read_options=("unit", "up"),
    write_options=("unit", "up", "rate", "start", "end"),
)
