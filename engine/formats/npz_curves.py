"""NPZ curves: the motion of a figure as numpy arrays in one file, for `numpy.load`.

`values` [rad, m or a quaternion's number], shape [frame_count, coordinate_count]; `coordinates`, `units` and `joints`,
one text for each column; `rate`, frames in so many seconds; `start`, the tick (1/705,600,000 s) of the first frame;
`times` [s], for convenience and not read. Nothing pickled is written or read, and sizes are checked before any array
is unpacked.
"""

from __future__ import annotations

import io
import math
import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from engine.document.motion import TICKS_LIMIT, TICKS_PER_SECOND, frame_time
from engine.formats.binary import write_bytes
from engine.formats.curves import UNITS, Curves, contents_of, curves_of, omits
from engine.formats.format import Contents, Format, Options
from engine.runtime.errors import UnreadableFile

MOST_BYTES = 2**31

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
    try:
        with zipfile.ZipFile(path) as archive:
            arrays = {name: _array(path, archive, name) for name in _NAMES}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        raise UnreadableFile(path=path, found=f"no sound NPZ file ({error})", remedy=_REMEDY) from error
    except OSError as error:
        found = error.strerror or str(error)
        raise UnreadableFile(path=path, found=found, remedy="Check that the file is there and may be read.") from error
    return contents_of(path, _curves(path, arrays), options, ())


def _array(path: Path, archive: zipfile.ZipFile, name: str) -> NDArray[np.generic]:
    """One array; its shape must agree with its size, and its size be sane."""
    try:
        member = archive.getinfo(f"{name}.npy")
        if member.file_size > MOST_BYTES:
            raise UnreadableFile(path=path, found=f"{name} of {member.file_size:,} bytes", remedy="Split the motion.")
        with archive.open(member) as file:
            version = npy.read_magic(file)
            shape, _, kind = npy.read_array_header_1_0(file) if version == (1, 0) else npy.read_array_header_2_0(file)
            if kind.hasobject or math.prod(shape) * kind.itemsize != member.file_size - file.tell():
                found = f"the array {name!r}, of shape {str(shape)[:40]}, in {member.file_size:,} bytes"
                raise UnreadableFile(path=path, found=found, remedy=_REMEDY)
        with archive.open(member) as file:
            return np.asarray(npy.read_array(file, allow_pickle=False))
    except KeyError as error:
        raise UnreadableFile(path=path, found=f"no array {name!r}", remedy=_REMEDY) from error
    except (ValueError, RuntimeError) as error:
        raise UnreadableFile(path=path, found=f"the array {name!r}: {str(error)[:80]}", remedy=_REMEDY) from error


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
    limits=f"{MOST_BYTES // 2**20:,} MB an array",
    read_options=("rate", "figure"),
    write_options=("rate",),
)
