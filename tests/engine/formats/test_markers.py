"""Captured markers of TRC and C3D files: places, gaps, units and axes, and what is refused."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.commands.bring_in import bring_in
from engine.document import Figure, Handle, Joint
from engine.document.capture import MarkerGap, MarkerGaps
from engine.formats import c3d, trc
from engine.formats.captured import handle_places, unseen
from engine.formats.format import Contents, Options
from engine.runtime.errors import UnreadableFile
from tests.engine.formats.c3d_files import PROCESSORS, c3d_bytes
from tests.engine.formats.worlds import values

TRC = """PathFileType\t4\t(X/Y/Z)\twalk.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
100.00\t100.00\t4\t2\tmm\t100.00\t1\t4
Frame#\tTime\tR.ASIS\t\t\tL.ASIS\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2

1\t0.50\t100\t1000\t50\t110\t1000\t-50
2\t0.51\t110\t1000\t50\t\t\t
3\t0.52\t120\t1000\t50\t\t\t
4\t0.53\t130\t1000\t50\t140\t1000\t-50
"""


def read_trc(folder: Path, text: str = TRC, options: Options | None = None) -> Contents:
    path = folder / "walk.trc"
    path.write_text(text)
    return trc.read(path, options or Options())


def gaps(contents: Contents) -> tuple[MarkerGap, ...]:
    (part,) = contents.parts
    assert isinstance(part, MarkerGaps)
    return part.gaps


def test_a_marker_walks_along_z_and_a_gap_is_filled_and_said(tmp_path: Path) -> None:
    found = read_trc(tmp_path)
    figure = found.figure
    assert figure is not None
    assert [each.name for each in figure.handles] == ["R.ASIS", "L.ASIS"]
    assert found.rate == (100, 1)
    rows = values(found)
    np.testing.assert_allclose(rows[:, :3], [[-0.05, 1.0, 0.1 + 0.01 * each] for each in range(4)], atol=1e-12)
    np.testing.assert_allclose(rows[:, 3:], [[0.05, 1.0, 0.11 + 0.01 * each] for each in range(4)], atol=1e-12)
    (gap,) = gaps(found)
    tick = 705_600_000
    assert (gap.joint, gap.start, gap.end) == ("L.ASIS", round(0.51 * tick), round(0.52 * tick))
    assert any("L.ASIS in 2 frames" in note for note in found.notes)


def test_a_gap_is_written_as_blanks_and_comes_back(tmp_path: Path) -> None:
    found = read_trc(tmp_path)
    trc.write(tmp_path / "again.trc", found, Options(unit=0.001))
    text = (tmp_path / "again.trc").read_text().splitlines()
    assert text[2].split("\t")[4] == "mm"
    assert [line.endswith("\t\t\t") for line in text[6:]] == [False, True, True, False]
    back = trc.read(tmp_path / "again.trc", Options())
    assert gaps(back) == gaps(found)
    np.testing.assert_allclose(values(back), values(found), atol=1e-12)


def test_zeros_among_other_places_and_short_lines_were_not_seen(tmp_path: Path) -> None:
    text = TRC.replace("140\t1000\t-50", "0\t0\t0").replace("110\t1000\t50\t\t\t", "110\t1000\t50")
    found = read_trc(tmp_path, text)
    assert len(gaps(found)) == 1
    assert any("taken as not seen" in note for note in found.notes)
    np.testing.assert_allclose(values(found)[:, 3:], [[0.05, 1.0, 0.11]] * 4, atol=1e-12)


def test_the_axis_and_unit_of_the_options_count(tmp_path: Path) -> None:
    found = values(read_trc(tmp_path, options=Options(up="z", unit=0.01)))
    np.testing.assert_allclose(found[0, :3], [10.0, 0.5, 1.0], atol=1e-12)


def test_a_person_that_stands_along_z_is_stood_upright_and_the_import_may_ask(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    labels = [f"M{place}" for place in range(12)]
    points = random.uniform((-200.0, -300.0, 0.0), (200.0, 300.0, 1800.0), (1, 12, 3))
    path = tmp_path / "tall.c3d"
    path.write_bytes(c3d_bytes(labels, points, up=" "))
    found = bring_in(path)
    assert found.taken is not None
    assert (found.taken.up, found.taken.unit) == ("z", 0.001)
    assert found.taken.height(0.001, "z") == pytest.approx(np.ptp(points[0, :, 2]) / 1000.0, abs=0.02)
    said = bring_in(path, Options(up="y"))
    assert said.taken is not None
    assert said.taken.all_said


def test_a_figure_is_written_by_its_handles(tmp_path: Path) -> None:
    figure = Figure(
        name="stick",
        joints=(Joint(id="a", name="a", offset=(0.0, 1.0, 0.0)),),
        handles=(Handle(id="a.end", name="the end", joint="a", point=(0.1, 0.0, 0.3)),),
    )
    trc.write(tmp_path / "stick.trc", Contents(figure=figure), Options())
    back = trc.read(tmp_path / "stick.trc", Options(up="y"))
    assert back.figure is not None
    assert [each.name for each in back.figure.handles] == ["the end"]
    np.testing.assert_allclose(values(back), [[0.1, 1.0, 0.3]], atol=1e-12)
    np.testing.assert_allclose(handle_places(figure, figure.handles, np.empty((1, 0))), [[[0.1, 1.0, 0.3]]])


@pytest.mark.parametrize(
    ("old", "new", "words", "line"),
    [
        ("PathFileType", "PathFile", "begins with", 1),
        ("DataRate\tCamera", "Rate\tCamera", "Rate", None),
        ("\tmm\t", "\tfurlongs\t", "the unit 'furlongs'", 3),
        ("100.00\t100.00\t4\t2", "0\t100.00\t4\t2", "frames in a second", 3),
        ("Frame#", "Frame", "labels that begin with", 4),
        ("\tR.ASIS\t\t\tL.ASIS\t\t", "", "no labels", 4),
        ("3\t0.52", "3\t0.50", "times that do not rise", 9),
        ("3\t0.52", "3\t", "a line without its time", 9),
        ("130\t1000", "130\tx1000", "cell 4 is 'x1000'", 10),
        ("130\t1000", "130\t1000\t1\t1", "10 cells where the labels want 8", 10),
    ],
)
def test_a_bad_trc_is_named_with_its_line(tmp_path: Path, old: str, new: str, words: str, line: int | None) -> None:
    text = TRC.replace(old, new, 1)
    if words == "Rate":
        text = text.replace("CameraRate", "Camera")
        words, line = "no DataRate", 2
    with pytest.raises(UnreadableFile) as caught:
        read_trc(tmp_path, text)
    assert words in caught.value.found
    assert caught.value.line == line


def some_points(frames: int = 5, markers: int = 3) -> NDArray[np.float64]:
    points = np.round(np.random.default_rng(5).uniform(-1000.0, 1000.0, (frames, markers, 3)) * 20.0) / 20.0
    points[1:3, 1] = np.nan
    return points


@pytest.mark.parametrize("processor", PROCESSORS)
@pytest.mark.parametrize("whole", [False, True])
def test_c3d_of_every_processor_gives_the_same_points(tmp_path: Path, processor: str, whole: bool) -> None:
    points = some_points()
    path = tmp_path / "clip.c3d"
    path.write_bytes(c3d_bytes(["LASI", "RASI", "SACR"], points, processor=processor, whole=whole, analog=7, first=11))
    found = c3d.read(path, Options())
    assert found.figure is not None
    assert [each.name for each in found.figure.joints] == ["LASI", "RASI", "SACR"]
    assert found.rate == (100, 1)
    assert any("analog samples" in note for note in found.notes)
    (layer,) = found.layers
    assert layer.samples is not None
    assert layer.samples.start == round(0.1 * 705_600_000)
    (part,) = found.parts
    assert isinstance(part, MarkerGaps)
    gone = unseen(part, "RASI", 5, (100, 1), layer.samples.start)
    assert gone.tolist() == [False, True, True, False, False]
    x, y, z = np.moveaxis(points, 2, 0) * 0.001
    wanted = np.stack((y, z, x), axis=2)  # z is up, x ahead
    ours = values(found).reshape(5, 3, 3)
    seen = np.isfinite(wanted)
    np.testing.assert_allclose(ours[seen], wanted[seen], rtol=0, atol=1e-6)


def test_c3d_labels_go_beyond_255(tmp_path: Path) -> None:
    labels = [f"M{place}" for place in range(300)]
    path = tmp_path / "many.c3d"
    path.write_bytes(c3d_bytes(labels, some_points(2, 300)[:1]))
    found = c3d.read(path, Options())
    assert found.figure is not None
    assert [each.name for each in found.figure.joints] == labels


def test_a_c3d_that_is_cut_off_keeps_its_whole_frames(tmp_path: Path) -> None:
    content = c3d_bytes(["LASI", "RASI", "SACR"], some_points())
    path = tmp_path / "cut.c3d"
    path.write_bytes(content[:-20])
    found = c3d.read(path, Options())
    assert len(values(found)) == 4
    assert any("4 frames of 5" in note for note in found.notes)
    path.write_bytes(content[: len(content) - 5 * 48])
    with pytest.raises(UnreadableFile, match="byte"):
        c3d.read(path, Options())


@pytest.mark.parametrize(
    ("at", "byte", "words"),
    [(0, 9, "parameters in block 9"), (515, 83, "unknown processor"), (16, 200, "frames"), (2, 0, "")],
)
def test_a_bad_c3d_is_named_with_its_byte(tmp_path: Path, at: int, byte: int, words: str) -> None:
    content = bytearray(c3d_bytes(["LASI"], some_points(2, 2)[:, :1]))
    content[at] = byte
    path = tmp_path / "bad.c3d"
    path.write_bytes(bytes(content))
    if not words:
        c3d.read(path, Options())  # the parameters say how many points there are, too
        return
    with pytest.raises(UnreadableFile) as caught:
        c3d.read(path, Options())
    assert words in caught.value.found
    assert "byte" in caught.value.found


def test_damaged_c3d_files_are_read_or_refused(tmp_path: Path) -> None:
    content = c3d_bytes(["LASI", "RASI"], some_points(3, 2), whole=True)
    path, random = tmp_path / "clip.c3d", np.random.default_rng(3)
    for _ in range(150):
        damaged = bytearray(content)
        for place in random.integers(0, len(content), 3).tolist():
            damaged[place] = int(random.integers(0, 256))
        path.write_bytes(bytes(damaged[: int(random.integers(400, len(content) + 1))]))
        with suppress(UnreadableFile):
            assert np.isfinite(values(c3d.read(path, Options()))).all()


@pytest.mark.parametrize(("processor", "word"), [("intel", b"\x00\x00\x81\x7f"), ("mips", b"\x7f\x81\x00\x00")])
def test_a_signalling_nan_in_a_c3d_was_not_seen(tmp_path: Path, processor: str, word: bytes) -> None:
    content = c3d_bytes(["LASI", "RASI"], np.ones((3, 2, 3)), processor=processor)
    path = tmp_path / "clip.c3d"
    path.write_bytes(content[:-32] + word + content[-28:])  # of the last frame
    found = c3d.read(path, Options())
    assert any("1 place that are no numbers" in note for note in found.notes)
    assert np.isfinite(values(found)).all()
    (part,) = found.parts
    assert isinstance(part, MarkerGaps)
    assert unseen(part, "LASI", 3, (100, 1), 0).tolist() == [False, False, True]
