"""`python -m engine fit` and `scale` over files; the shared walk beside OpenSim's own result."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest

from engine.__main__ import main
from engine.commands.bring_in import bring_in, read_contents
from engine.document import Blob, Figure, Layer, Samples
from engine.document.capture import MarkerGaps
from engine.document.ticks import TICKS_PER_SECOND
from engine.formats import storage, trc
from engine.formats.captured import handle_places
from engine.formats.figure_toml import read as read_figure
from engine.formats.figure_toml import write as write_figure
from engine.formats.format import Contents, Options
from engine.markers.captured_markers import markers_of_actor
from engine.markers.fitting import fit_to_markers
from engine.model.compile import compile_model
from engine.model.driven_kernels import follow
from tests.engine.formats.worlds import values
from tests.engine.markers.worn import RATE, swaying, wearing
from tests.engine.shared_data import shared

WALK = ("mocap", "opensim_gait2354_walk")


@pytest.fixture
def trial(tmp_path: Path) -> tuple[Path, Path]:
    """A figure and its markers as files."""
    figure = wearing()
    samples = Samples(coordinates=figure.coordinates, values=Blob(swaying(figure, 8)), rate=RATE)
    write_figure(tmp_path / "worn.figure.toml", figure)
    contents = Contents(figure=figure, layers=(Layer(id="motion", samples=samples),), rate=RATE)
    trc.write(tmp_path / "trial.trc", contents, Options())
    return tmp_path / "worn.figure.toml", tmp_path / "trial.trc"


def test_a_motion_is_found_and_written_with_its_errors(
    trial: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure, markers = trial
    out, errors = tmp_path / "out.mot", tmp_path / "errors.csv"
    assert main(["fit", str(figure), str(markers), str(out), "--errors", str(errors), "--weight", "HEAD.0=2"]) == 0
    assert "RMS 0.00 cm" in capsys.readouterr().out
    back = storage.read(out, Options(figure=read_figure(figure)))
    np.testing.assert_allclose(values(back), swaying(wearing(), 8), atol=1e-6)
    with errors.open() as file:
        rows = list(csv.reader(file))
    assert len(rows) == 9
    assert rows[0][:3] == ["time [s]", "RMS [m]", "PELVIS.0 [m]"]


def test_a_range_becomes_a_scene_with_the_capture(trial: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out.sinew"
    assert main(["fit", *map(str, trial), str(out), "--start", "0.02", "--end", "0.04"]) == 0
    document = bring_in(out).document
    assert document is not None
    owner, capture = document.actors
    samples = owner.layers[-1].samples
    assert samples is not None
    assert (samples.frame_count, samples.start) == (3, round(0.02 * TICKS_PER_SECOND))
    assert capture.part(MarkerGaps) is not None


def test_a_figure_is_scaled_by_pairs(trial: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "out.figure.toml"
    pair = "hip_left=HIP_LEFT.0,HIP_LEFT.1"
    assert main(["scale", *map(str, trial), str(out), "--pair", pair, "--mass", "50"]) == 0
    assert read_figure(out).joint("hip_left").offset == pytest.approx(wearing().joint("hip_left").offset)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--weight", "HEAD.0"], "a marker, = and a number"),
        (["--weight", "NOSE=1"], "NOSE"),
        (["--start", "9"], "no frame of the capture"),
    ],
)
def test_what_is_wrong_is_said(
    trial: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], more: list[str], words: str
) -> None:
    assert main(["fit", *map(str, trial), str(tmp_path / "out.mot"), *more]) == 1
    assert words in capsys.readouterr().err
    assert not (tmp_path / "out.mot").exists()


def test_a_file_without_markers_and_a_format_without_motion_are_refused(
    trial: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure, markers = map(str, trial)
    assert main(["fit", figure, figure, str(tmp_path / "out.mot")]) == 1
    assert "no captured markers" in capsys.readouterr().err
    assert main(["fit", figure, markers, str(tmp_path / "out.stl")]) == 1
    assert main(["scale", figure, markers, str(tmp_path / "out.mot")]) == 1
    assert "no format of figures" in capsys.readouterr().err
    assert main(["scale", figure, markers, str(tmp_path / "x.figure.toml"), "--pair", "hip_left"]) == 1
    assert "two markers" in capsys.readouterr().err


def reference_rms(folder: Path, figure: Figure, handles: tuple[str, ...], points: np.ndarray) -> float:
    """RMS error of OpenSim's own result [m]."""
    table = storage.read_storage(folder / "reference_ik.mot")
    places, names, _ = storage.of_figure(table, figure)
    model = compile_model(figure)
    q = np.tile(model.rest, (len(table.values), 1))
    for place, name in zip(places, names, strict=True):
        turns = figure.coordinate_dof[name].kind == "hinge"
        q[:, figure.coordinate_index[name]] = table.values[:, place] * (np.pi / 180.0 if turns else 1.0)
    q = np.array([follow(model.driven, row) for row in q])
    spots = [next(each for each in figure.handles if each.id == id) for id in handles]
    return float(np.sqrt(np.nanmean(((handle_places(figure, spots, q) - points) ** 2).sum(axis=2))))


@pytest.mark.parametrize(
    ("folder", "model", "trial", "span"),
    [
        ("opensim_gait2354_walk", "subject01_scaled.osim", "subject01_walk1.trc", (0.4, 1.6)),
        ("opensim_arm26_elbow_flex", "arm26.osim", "arm26_elbow_flex.trc", (None, None)),
    ],
)
def test_the_fit_is_no_worse_than_opensims_own(
    folder: str, model: str, trial: str, span: tuple[float | None, float | None]
) -> None:
    """The same markers, all of weight 1. OpenSim leaves the range of the elbow by 0.05 degrees, Sinew does not."""
    where = shared("mocap", folder)
    figure, actor = read_contents(where / model).figure, bring_in(where / trial).actor
    assert figure is not None
    assert actor is not None
    start, end = (None if each is None else round(each * TICKS_PER_SECOND) for each in span)
    markers = markers_of_actor(actor).within(start, end)
    fit = fit_to_markers(figure, markers)
    handles = tuple(each.id for each in fit.match.handles)
    theirs = reference_rms(where, figure, handles, markers.points[:, list(fit.match.places)])
    assert fit.rms <= theirs + 1e-7
