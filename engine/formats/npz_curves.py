"""NPZ curves: the motion of a figure as numpy arrays in one file, for `numpy.load`.

`values` [rad, m or a quaternion's number], shape [frame_count, coordinate_count]; `coordinates`, `units` and `joints`,
one text for each column; `rate`, frames in so many seconds; `start`, the tick (1/705,600,000 s) of the first frame;
`times` [s], for convenience and not read. Nothing pickled is written or read, and sizes are checked before any array
is unpacked.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, frame_time
from engine.formats.binary import write_bytes
from engine.formats.curves import UNITS, Curves, contents_of, curves_of, omits
from engine.formats.format import Contents, Format, Options
from engine.formats.npz import MOST_BYTES, read_arrays
from engine.runtime.errors import UnreadableFile

_TEXTS = ("coordinates", "units", "joints")
_NAMES = ("values", *_TEXTS, "rate", "start")
_REMEDY = "Choose curves that Sinew wrote, or write the arrays " + ", ".join(_NAMES) + "."


def write(path: Path, contents: Contents, options: Options) -> None:
    """Write the motion of the figure."""
    curves = curves_of(path, contents, options)
    ticks = [curves.start + frame_time(frame, curves.rate) for frame in range(len(curves.values))]
    output = io.BytesIO()
    np.savez(
        output,
        values=curves.values,
        coordinates=np.array(curves.coordinates, dtype=np.str_),
        units=np.array(curves.units, dtype=np.str_),
        joints=np.array(curves.joints, dtype=np.str_),
        rate=np.array(curves.rate, dtype=np.int64),
        start=np.array(curves.start, dtype=np.int64),
        times=np.array(ticks) / TICKS_PER_SECOND,
    )
    write_bytes(path, output.getvalue())


def read(path: Path, options: Options) -> Contents:
    """One layer of samples."""
    arrays = read_arrays(path, _NAMES, _REMEDY)
    return contents_of(path, _curves(path, arrays), options, ())


def _curves(path: Path, arrays: dict[str, NDArray[np.generic]]) -> Curves:
    values, rate, start = arrays["values"], arrays["rate"], arrays["start"]
    columns = values.shape[1] if values.ndim == 2 else -1
    sound = (
        values.dtype.kind == "f"
        and columns > 0
        and all(arrays[name].dtype.kind == "U" and arrays[name].shape == (columns,) for name in _TEXTS)
        and (rate.dtype.kind, rate.shape) == ("i", (2,))
        and (start.dtype.kind, start.shape) == ("i", ())
        and abs(int(start.item())) <= TICKS_LIMIT
    )
    texts = {name: tuple(str(each) for each in arrays[name].ravel()) for name in _TEXTS} if sound else {}
    if not sound or len(set(texts["coordinates"])) < columns or not set(texts["units"]) <= set(UNITS.values()):
        shapes = ", ".join(f"{name} {array.dtype}{list(array.shape)}" for name, array in arrays.items())
        raise UnreadableFile(path=path, found=f"arrays that do not fit: {shapes}", remedy=_REMEDY)
    frames, seconds = (int(each) for each in rate)
    return Curves(values=values.astype(np.float64), rate=(frames, seconds), start=int(start.item()), **texts)


FORMAT = Format(
    name="NPZ curves",
    suffixes=(".npz",),
    kind="curves",
    read=read,
    write=write,
    omits=omits,
    about="Motion as numpy arrays with coordinates, units and joints; exact; the figure is given apart.",
    limits=f"{MOST_BYTES // 2**20:,} MB unpacked",
    read_options=("rate", "figure"),
    write_options=("rate", "start", "end"),
)
