"""CSV and NPZ curves: exact to and fro, and refused where they are unsound."""

from __future__ import annotations

import io
import math
import zipfile
from pathlib import Path

import numpy as np
import pytest

from engine.document import Blob, Figure, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND, frame_time
from engine.formats import csv_curves, npz_curves
from engine.formats.curves import omits
from engine.formats.figure_toml import write as write_figure
from engine.formats.format import Contents, Format, Options
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.engine.figures import random_figure

BOTH = pytest.mark.parametrize("format", [csv_curves.FORMAT, npz_curves.FORMAT], ids=["csv", "npz"])


def sampled(figure: Figure, *, start: int = 0) -> Samples:
    values = np.random.default_rng(3).normal(size=(20, len(figure.coordinates)))
    values[3] *= 1e-17
    values[4, 0] = -0.0
    return Samples(coordinates=figure.coordinates, values=Blob(values), rate=(30000, 1001), start=start)


def there(folder: Path, format: Format, contents: Contents, options: Options | None = None) -> Path:
    path = folder / f"take{format.suffixes[0]}"
    assert format.write is not None
    format.write(path, contents, options or Options())
    return path


def back(format: Format, path: Path, options: Options | None = None) -> Contents:
    assert format.read is not None
    return format.read(path, options or Options())


@BOTH
def test_samples_come_back_exactly(tmp_path: Path, format: Format) -> None:
    figure = random_figure(1, ball_root=True)
    samples = sampled(figure, start=12345)
    path = there(tmp_path, format, Contents(figure=figure, layers=(Layer(id="a", samples=samples),)))
    found = back(format, path)
    assert found.layers[0].samples is not None
    assert found.layers[0].samples.digest == samples.digest
    assert found.rate == samples.rate


def test_the_times_of_a_csv_file_are_those_of_its_frames(tmp_path: Path) -> None:
    """Other programs read the column, not the first line."""
    figure = random_figure(1)
    samples = sampled(figure, start=3 * TICKS_PER_SECOND)
    path = there(tmp_path, csv_curves.FORMAT, Contents(figure=figure, layers=(Layer(id="a", samples=samples),)))
    rows = path.read_text(encoding="utf-8").splitlines()[2:]
    times = [float(row.partition(",")[0]) for row in rows]
    assert times == pytest.approx([3.0 + frame * 1001 / 30000 for frame in range(20)], abs=1e-8)


@BOTH
def test_a_part_of_the_coordinates_stays_a_part(tmp_path: Path, format: Format) -> None:
    figure = random_figure(1)
    samples = Samples(coordinates=figure.coordinates[2:4], values=Blob(np.ones((5, 2))), rate=(24, 1))
    path = there(tmp_path, format, Contents(figure=figure, layers=(Layer(id="a", samples=samples),)))
    assert back(format, path).layers[0].samples == samples


@BOTH
def test_keys_are_written_as_samples_and_that_is_said(tmp_path: Path, format: Format) -> None:
    figure = random_figure(1)
    keys = (Key(TICKS_PER_SECOND, 0.0, "linear"), Key(2 * TICKS_PER_SECOND, 1.0))
    layer = Layer(id="a", tracks=(Track(coordinate=figure.coordinates[0], keys=keys),))
    contents = Contents(figure=figure, layers=(layer,))
    assert "keys, written as samples" in omits(contents)
    samples = back(format, there(tmp_path, format, contents, Options(rate=(4, 1)))).layers[0].samples
    assert samples is not None
    assert samples.start == TICKS_PER_SECOND
    assert samples.values.array[:, 0] == pytest.approx([0.0, 0.25, 0.5, 0.75, 1.0])


@BOTH
def test_curves_meet_their_figure_again(tmp_path: Path, format: Format) -> None:
    figure, other = random_figure(1), random_figure(2)
    path = there(tmp_path, format, Contents(figure=figure, layers=(Layer(id="a", samples=sampled(figure)),)))
    write_figure(tmp_path / "f.figure.toml", figure)
    write_figure(tmp_path / "o.figure.toml", other)
    assert back(format, path, Options(figure=tmp_path / "f.figure.toml")).figure == figure
    with pytest.raises(UnreadableFile, match=r"does not have|in rad|in m"):
        back(format, path, Options(figure=tmp_path / "o.figure.toml"))


@BOTH
def test_without_a_figure_nothing_is_written(tmp_path: Path, format: Format) -> None:
    with pytest.raises(UnwritableFile, match="no figure"):
        there(tmp_path, format, Contents())
    assert list(tmp_path.iterdir()) == []


def test_the_header_names_coordinate_unit_and_joint(tmp_path: Path) -> None:
    figure = random_figure(1)
    path = there(tmp_path, csv_curves.FORMAT, Contents(figure=figure))
    first, header, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first == "# Sinew curves; rate 30/1; start 0"
    dof = figure.dofs[0]
    assert header.split(",")[1] == f"{dof.id} [{'rad' if dof.kind == 'hinge' else 'm'}] (Joint {dof.id[1]})"


def test_a_table_from_elsewhere_is_read_by_its_times(tmp_path: Path) -> None:
    rows = "\n".join(f"{frame / 60:.4f},{10 * frame},{frame}" for frame in range(5))
    (tmp_path / "a.csv").write_text(f"time [s],knee [deg],hip.x [cm] (Hip)\r\n{rows}", encoding="latin-1")
    found = back(csv_curves.FORMAT, tmp_path / "a.csv")
    assert found.rate == (60, 1)
    assert "states no rate" in found.notes[0]
    samples = found.layers[0].samples
    assert samples is not None
    assert samples.values.array[4] == pytest.approx([math.radians(40.0), 0.04])
    assert samples.time(2) == frame_time(2, (60, 1))


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", None, "empty file"),
        ("# only this\n", 1, "no header"),
        ("a,b\n0,1\n", 1, "begins with 'a'"),
        ("time [s]\n0\n", 1, "begins with"),
        ("time [s],knee\n0,1\n", 1, "the column 'knee'"),
        ("time [s],knee [mile]\n0,1\n", 1, "Units: rad, m, 1, deg"),
        ("time [s],k [m],k [m]\n0,1,2\n", 1, "second column of 'k'"),
        ('time [s],"k [m]\n0,1\n', 1, "no CSV"),
        ("time [s],k [m]\n", 1, "no frames"),
        ("time [s],k [m]\n0,nan\n", 2, "nan"),
        ("time [s],k [m]\n0,1\n1,2,3\n", 3, "3 numbers"),
        ("time [s],k [m]\n0,1\n1,2\n5,3\n", 3, "evenly"),
    ],
)
def test_unsound_tables_are_refused_with_their_line(tmp_path: Path, text: str, line: int | None, message: str) -> None:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    with pytest.raises(UnreadableFile, match=message) as caught:
        back(csv_curves.FORMAT, tmp_path / "a.csv")
    assert caught.value.line == line


def archive(folder: Path, **changed: object) -> Path:
    arrays: dict[str, object] = {
        "values": np.zeros((3, 2)),
        "coordinates": np.array(["a", "b"]),
        "units": np.array(["rad", "m"]),
        "joints": np.array(["A", "B"]),
        "rate": np.array([30, 1]),
        "start": np.array(0),
    } | changed
    np.savez(folder / "a.npz", **{name: array for name, array in arrays.items() if array is not None})  # type: ignore[arg-type]
    return folder / "a.npz"


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("values", None, "no array 'values'"),
        ("values", np.zeros(3), "do not fit"),
        ("values", np.full((3, 2), np.nan), "not finite"),
        ("values", np.zeros((3, 0)), "do not fit"),
        ("coordinates", np.array(["a", "a"]), "do not fit"),
        ("units", np.array(["rad", "inch"]), "do not fit"),
        ("joints", np.array([{}, {}]), "the array 'joints'"),
        ("rate", np.array([0, 1]), "rate of samples"),
        ("start", np.array(2**60), "do not fit"),
    ],
)
def test_unsound_archives_are_refused(tmp_path: Path, name: str, array: object, message: str) -> None:
    assert len(back(npz_curves.FORMAT, archive(tmp_path)).layers) == 1
    with pytest.raises(UnreadableFile, match=message):
        back(npz_curves.FORMAT, archive(tmp_path, **{name: array}))


def test_a_shape_that_lies_is_refused_before_memory_is_taken(tmp_path: Path) -> None:
    path = archive(tmp_path)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f8", "fortran_order": False, "shape": (10**12, 2)})
    with zipfile.ZipFile(path) as old:
        kept = {name: old.read(name) for name in old.namelist() if name != "values.npy"}
    with zipfile.ZipFile(path, "w") as new:
        for name, data in {**kept, "values.npy": header.getvalue() + bytes(64)}.items():
            new.writestr(name, data)
    with pytest.raises(UnreadableFile, match="of shape"):
        back(npz_curves.FORMAT, path)


@pytest.mark.parametrize("cut", [0, 10, 300, -30])
def test_broken_archives_are_refused(tmp_path: Path, cut: int) -> None:
    path = archive(tmp_path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(UnreadableFile, match="no sound NPZ"):
        back(npz_curves.FORMAT, path)


@BOTH
def test_curves_alone_keep_their_names_and_units(tmp_path: Path, format: Format) -> None:
    figure = random_figure(1, ball_root=True)
    path = there(tmp_path, format, Contents(figure=figure, layers=(Layer(id="a", samples=sampled(figure)),)))
    bare = back(format, path)
    assert bare.figure is not None
    assert [(dof.id, dof.kind) for dof in bare.figure.dofs] == [(dof.id, dof.kind) for dof in figure.dofs]
    assert "no figure was given" in bare.notes[-1]
    (tmp_path / "again").mkdir()
    assert there(tmp_path / "again", format, bare).read_bytes() == path.read_bytes()


def test_a_part_of_a_quaternion_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("time [s],root.turn.w [1],root.turn.x [1]\n0,1,0\n", encoding="utf-8")
    with pytest.raises(UnreadableFile, match="a quaternion in part"):
        back(csv_curves.FORMAT, tmp_path / "a.csv")
