"""MOT and STO files of OpenSim: columns by their names, degrees, paths of states, forces, and what is refused."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from engine.document import Dof, Figure, Joint
from engine.formats import storage
from engine.formats.figure_toml import write as write_figure
from engine.formats.format import Options
from engine.runtime.errors import UnreadableFile
from tests.engine.formats.worlds import values

MOT = """Coordinates
version=1
nRows=3
nColumns=3
inDegrees=yes

Units are S.I. units (second, meters, Newtons, ...)
Angles are in degrees.

endheader
time\tpelvis_tx\tknee_angle_r
 0.40000000\t 0.5\t -90.0
 0.41666667\t 0.6\t -45.0
 0.43333333\t 0.7\t 0.0
"""


def leg() -> Figure:
    pelvis = Joint(id="pelvis", name="pelvis", dofs=(Dof(id="pelvis_tx", name="x", kind="slide"),))
    knee = Joint(id="shank_r", name="shank", parent="pelvis", dofs=(Dof(id="knee_angle_r", name="knee"),))
    return Figure(name="leg", joints=(pelvis, knee))


def put(folder: Path, text: str, name: str = "walk.mot") -> Path:
    path = folder / name
    path.write_text(text)
    return path


def figure_file(folder: Path) -> Path:
    path = folder / "leg.figure.toml"
    write_figure(path, leg())
    return path


@pytest.mark.parametrize("with_figure", [True, False])
def test_columns_move_coordinates_of_their_names(tmp_path: Path, with_figure: bool) -> None:
    options = Options(figure=figure_file(tmp_path) if with_figure else None)
    found = storage.read(put(tmp_path, MOT), options)
    (layer,) = found.layers
    assert layer.samples is not None
    assert layer.samples.coordinates == ("pelvis_tx", "knee_angle_r")
    assert (layer.samples.rate, layer.samples.start) == ((60, 1), round(0.4 * 705_600_000))
    np.testing.assert_allclose(values(found), [[0.5, -math.pi / 2], [0.6, -math.pi / 4], [0.7, 0.0]], atol=1e-12)


def test_radians_and_paths_of_states_are_read_and_others_left_out_with_words(tmp_path: Path) -> None:
    text = MOT.replace("inDegrees=yes", "inDegrees=no").replace("knee_angle_r", "/jointset/knee/knee_angle_r/value")
    text = text.replace("pelvis_tx", "/forceset/soleus_r/activation")
    found = storage.read(put(tmp_path, text, "walk.sto"), Options(figure=figure_file(tmp_path)))
    np.testing.assert_allclose(values(found)[:, 0], [-90.0, -45.0, 0.0])
    assert any("/forceset/soleus_r/activation" in note for note in found.notes)


def test_forces_are_no_coordinates(tmp_path: Path) -> None:
    text = MOT.replace("pelvis_tx", "ground_force_vy").replace("knee_angle_r", "ground_torque_x")
    found = storage.read(put(tmp_path, text), Options())
    np.testing.assert_allclose(values(found)[0], [0.5, -90.0])
    assert any("forces" in note for note in found.notes)
    with pytest.raises(UnreadableFile, match="no column of a coordinate"):
        storage.read(put(tmp_path, text), Options(figure=figure_file(tmp_path)))


def test_the_head_of_older_files_is_read(tmp_path: Path) -> None:
    body = MOT.partition("endheader")[2]
    found = storage.read(
        put(tmp_path, "name old.mot\ndatacolumns 3\ndatarows 3\nrange 0.4 0.5\nendheader" + body), Options()
    )
    np.testing.assert_allclose(values(found)[1], [0.6, -math.pi / 4], atol=1e-12)


def test_uneven_times_are_taken_at_even_ones_with_words(tmp_path: Path) -> None:
    rows = "".join(f"{time}\t{2.0 * time}\t0\n" for time in (0.0, 0.001, 0.002, 0.05, 0.1))
    found = storage.read(put(tmp_path, MOT.partition(" 0.4000")[0] + rows), Options())
    assert any("uneven" in note for note in found.notes)
    assert any("speaks of 3 rows" in note for note in found.notes)
    np.testing.assert_allclose(values(found)[:, 0], np.linspace(0.0, 0.2, 5), atol=1e-9)


def test_a_motion_is_written_in_degrees_and_comes_back(tmp_path: Path) -> None:
    first = storage.read(put(tmp_path, MOT), Options(figure=figure_file(tmp_path)))
    storage.write(tmp_path / "out.mot", first, Options())
    assert "-90.0" in (tmp_path / "out.mot").read_text()
    back = storage.read(tmp_path / "out.mot", Options(figure=figure_file(tmp_path)))
    np.testing.assert_allclose(values(back), values(first), rtol=0, atol=1e-14)
    assert back.layers[0].samples is not None
    assert first.layers[0].samples is not None
    assert back.layers[0].samples.start == first.layers[0].samples.start


@pytest.mark.parametrize(
    ("old", "new", "words", "line"),
    [
        ("endheader", "end", "no endheader", 14),
        ("time\t", "frame\t", "labels that begin with", 11),
        ("knee_angle_r", "pelvis_tx", "a second column", 11),
        ("-45.0", "-45.o", "number 3 is '-45.o'", 13),
        ("-45.0", "-45.0\t1", "4 numbers", 13),
        ("0.41666667", "0.3", "times that do not rise", 13),
        ("version=1", "DataType=Vec3", "columns of the kind 'Vec3'", 10),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path: Path, old: str, new: str, words: str, line: int) -> None:
    with pytest.raises(UnreadableFile) as caught:
        storage.read(put(tmp_path, MOT.replace(old, new, 1)), Options())
    assert words in caught.value.found
    assert caught.value.line == line
