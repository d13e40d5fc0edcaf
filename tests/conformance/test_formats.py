"""Every format of the table: states what it is, refuses what is no such file, and reads back what it wrote."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.document import Actor, Blob, Document, Dof, Figure, Handle, Joint, Layer, Samples
from engine.document.figure import DofKind
from engine.formats.format import Contents, FileMesh, Format, Kind, Options
from engine.formats.table import FORMATS, by_suffix, readers, writers
from engine.runtime.errors import UnreadableFile, UnwritableFile
from tests.engine.formats.worlds import figure_in, poses, transforms

EXACT = 1e-9  # [m] or [rad]
SINGLE = {"glTF": 1e-6, "FBX": 1e-6, "C3D": 1e-6, "STL": 1e-6, "PLY": 1e-6}
"""Formats that hold numbers in single precision, by how their name begins."""

BOTH = tuple(each for each in FORMATS if each.read is not None and each.write is not None)


def tolerance(format: Format) -> float:
    return next((value for name, value in SINGLE.items() if format.name.startswith(name)), EXACT)


def names(formats: tuple[Format, ...]) -> list[str]:
    return [each.name for each in formats]


def biped() -> Figure:
    """A root that moves freely, a trunk and two legs, ball joints in different orders, and handles at the ends."""
    joints = [_joint("root", None, (0.0, 0.9, 0.0), "XYZ", free=True)]
    joints.append(_joint("trunk", "root", (0.0, 0.1, 0.0), "ZXY"))
    for side, sign in (("left", 1.0), ("right", -1.0)):
        joints.append(_joint(f"hip_{side}", "root", (0.1 * sign, 0.0, 0.0), "YXZ"))
        joints.append(_joint(f"knee_{side}", f"hip_{side}", (0.0, -0.45, 0.0), "X"))
    ends = {"trunk": (0.0, 0.6, 0.0), "knee_left": (0.0, -0.4, 0.0), "knee_right": (0.0, -0.4, 0.0)}
    handles = tuple(Handle(id=f"{id}.end", name=f"{id} end", joint=id, point=point) for id, point in ends.items())
    return Figure(name="biped", joints=tuple(joints), handles=handles)


def _joint(id: str, parent: str | None, offset: tuple[float, float, float], order: str, *, free: bool = False) -> Joint:
    dofs = [_dof(f"{id}.t{letter}", "slide", letter) for letter in "xyz"] if free else []
    dofs += [_dof(f"{id}.r{letter.lower()}", "hinge", letter.lower()) for letter in order]
    return Joint(id=id, name=id, parent=parent, offset=offset, dofs=tuple(dofs))


def _dof(id: str, kind: DofKind, letter: str) -> Dof:
    x, y, z = (float(each == letter) for each in "xyz")
    return Dof(id=id, name=id.rsplit(".", 1)[1], kind=kind, axis=(x, y, z))


def walking(figure: Figure) -> Layer:
    """Smooth samples of every coordinate."""
    phase = np.linspace(0.0, 2.0 * math.pi, 25)[:, None] + np.arange(len(figure.coordinates))
    samples = Samples(coordinates=figure.coordinates, values=Blob(0.4 * np.sin(phase)), rate=(24, 1))
    return Layer(id="motion", name="walk", samples=samples)


def tetrahedron() -> FileMesh:
    positions = np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.2, 0], [0, 0, 0.3]], dtype=np.float64)
    triangles = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype=np.int32)
    return FileMesh(name="tetrahedron", positions=positions, triangles=triangles)


def document_of(figure: Figure) -> Contents:
    actor = Actor(id="one", name="One", figure=figure, layers=(walking(figure),))
    return Contents(document=Document(actors=(actor,)))


SAMPLES: dict[Kind, Callable[[], Contents]] = {
    "document": lambda: document_of(biped()),
    "figure": lambda: Contents(figure=biped()),
    "motion": lambda: Contents(figure=biped(), layers=(walking(biped()),), rate=(24, 1)),
    "mesh": lambda: Contents(surfaces=(tetrahedron(),)),
    "curves": lambda: Contents(figure=biped(), layers=(walking(biped()),), rate=(24, 1)),
}


def to_and_fro(format: Format, path: Path, contents: Contents, options: Options | None = None) -> Contents:
    assert format.write is not None
    assert format.read is not None
    format.write(path, contents, options or Options())
    return format.read(path, options or Options())


@pytest.mark.parametrize("format", FORMATS, ids=names(FORMATS))
def test_a_format_states_what_it_is(format: Format) -> None:
    assert format.name
    assert format.about, "a format says its limits for the help page"
    assert format.read is not None or format.write is not None
    assert format.suffixes
    for suffix in format.suffixes:
        assert suffix.startswith(".")
        assert suffix == suffix.lower()
        assert by_suffix(f"folder.bvh/Some Clip{suffix}") is format
        assert by_suffix(f"CLIP{suffix.upper()}") is format
    assert sum(each.name == format.name for each in FORMATS) == 1


def test_files_of_no_format_have_none() -> None:
    assert by_suffix("bvh") is None
    assert by_suffix("clip.bvh.exe") is None
    assert set(readers()) | set(writers()) == set(FORMATS)


@pytest.mark.parametrize("format", readers(), ids=names(readers()))
def test_what_is_no_such_file_is_refused_by_name(format: Format, tmp_path: Path) -> None:
    assert format.read is not None
    path = tmp_path / f"bad{format.suffixes[0]}"
    with pytest.raises(UnreadableFile):
        format.read(path, Options())
    for content in (b"", b"\n", b"\x00" * 4096, bytes(range(256)) * 64, b"{" * 4096, b"<" * 4096, b"\xff" * 4096):
        path.write_bytes(content)
        with pytest.raises(UnreadableFile) as caught:
            format.read(path, Options())
        assert caught.value.path == path
        assert caught.value.remedy
    path.unlink()
    path.mkdir()
    with pytest.raises(UnreadableFile):
        format.read(path, Options())


@pytest.mark.parametrize("format", writers(), ids=names(writers()))
def test_nothing_is_written_of_nothing(format: Format, tmp_path: Path) -> None:
    assert format.write is not None
    path = tmp_path / f"none{format.suffixes[0]}"
    with pytest.raises(UnwritableFile):
        format.write(path, Contents(), Options())
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("format", BOTH, ids=names(BOTH))
def test_what_is_written_reads_back(format: Format, tmp_path: Path) -> None:
    contents = SAMPLES[format.kind]()
    if format.omits is not None:
        assert all(isinstance(lost, str) and lost for lost in format.omits(contents))
    back = to_and_fro(format, tmp_path / f"clip{format.suffixes[0]}", contents)
    if contents.document is not None:
        assert back.document == contents.document
        return
    assert len(back.surfaces) == len(contents.surfaces)
    for ours, theirs in zip(contents.surfaces, back.surfaces, strict=True):
        corners = ours.positions[ours.triangles]
        np.testing.assert_allclose(theirs.positions[theirs.triangles], corners, rtol=0, atol=tolerance(format))
    if contents.layers and format.kind != "curves":
        assert_same_places(contents, back, tolerance(format))


@pytest.mark.parametrize("format", BOTH, ids=names(BOTH))
def test_a_second_time_changes_nothing_more(format: Format, tmp_path: Path) -> None:
    """Ids, coordinates, axes and samples are stable once a file has been through the format."""
    if format.kind == "mesh":
        pytest.skip("a mesh has no joints")
    first = to_and_fro(format, tmp_path / f"one{format.suffixes[0]}", SAMPLES[format.kind]())
    second = to_and_fro(format, tmp_path / f"two{format.suffixes[0]}", first)
    assert second.document == first.document
    if first.figure is not None:
        assert figure_in(second).coordinates == first.figure.coordinates
        assert [dof.kind for dof in figure_in(second).dofs] == [dof.kind for dof in first.figure.dofs]
        ours, theirs = ([joint.offset for joint in each.joints] for each in (first.figure, figure_in(second)))
        np.testing.assert_allclose(theirs, ours, rtol=0, atol=tolerance(format))
    assert [replace(layer, samples=None, name="") for layer in second.layers] == [
        replace(layer, samples=None, name="") for layer in first.layers
    ]
    for before, after in zip(first.layers, second.layers, strict=True):
        if before.samples is not None:
            assert after.samples is not None
            assert after.samples.coordinates == before.samples.coordinates
            assert after.samples.rate == before.samples.rate
            wanted = before.samples.values.array
            np.testing.assert_allclose(after.samples.values.array, wanted, rtol=0, atol=tolerance(format))


STATED = {"FBX scene"}  # files that say their unit and axes: options of reading are for those that say it wrongly
CANCELLING = tuple(each for each in BOTH if each.kind == "motion" and each.name not in STATED)


@pytest.mark.parametrize("format", CANCELLING, ids=names(CANCELLING))
@pytest.mark.parametrize("options", [Options(unit=1.0), Options(unit=0.0254, up="z"), Options(unit=0.1, up="x")])
def test_units_and_upward_axes_cancel_out(format: Format, options: Options, tmp_path: Path) -> None:
    contents = SAMPLES["motion"]()
    back = to_and_fro(format, tmp_path / f"clip{format.suffixes[0]}", contents, options)
    assert_same_places(contents, back, tolerance(format))


def assert_same_places(contents: Contents, back: Contents, close: float) -> None:
    """Every joint stands where one stood before, in every frame; a format may rename joints and add some."""
    ours, theirs = poses(contents), poses(back)
    assert len(theirs) == len(ours)
    for frame in range(0, len(ours), 6):
        before, after = _places(figure_in(contents), ours[frame]), _places(figure_in(back), theirs[frame])
        nearest = np.linalg.norm(before[:, None] - after[None], axis=2).min(axis=1)
        assert nearest.max() <= close


def _places(figure: Figure, q: NDArray[np.float64]) -> NDArray[np.float64]:
    return transforms(figure, q)[:, :, 3]
