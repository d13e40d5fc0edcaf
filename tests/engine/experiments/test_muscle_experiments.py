"""Experiments with the skeleton's muscles, and the page that sets them beside OpenSim: what follows from the tables."""

from __future__ import annotations

import csv
import re
import struct
import zlib
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.experiments.anatomy import anatomy
from engine.experiments.chart_panels import ChartPanel, panel_chart
from engine.experiments.charts import Line
from engine.experiments.result import Settings
from engine.experiments.shaded import ShadedPart, png_link, shaded
from engine.experiments.shared_data import shared_data
from engine.experiments.table import run_experiment
from engine.experiments.validation_arms import ARMS, curves_of
from tests.engine.experiments.test_experiments import quick, rows
from tests.engine.shared_data import shared
from tests.house.tree import ROOT

PAGE = ROOT / "docs" / "validation.md"
KEPT = ROOT / "docs" / "experiments" / "validation"
_NUMBERS = (
    *(r"(\d+ of 21) pairs; farthest", r"(\d+ of 22) within", r"within (\d\.\d\d) N m RMS", r"ours (\d+)% at most"),
    *(r"ours .* (\d\.\d)% RMS;", r"OpenSim (\d+)% at most", r"(\d\.\d\d cm), all weighed", r"OpenSim's (\d\.\d\d cm)"),
    *(r"(\d\.\d) degrees at most", r"muscles move (\d\.\d) at most", r"ankles (\d+)", r"ankles \d+ and (\d+)"),
    *(r"changes by (\d\.\d) degrees", r"and (\d\.\d cm), the trunk", r"mass centre by (\d\.\d cm)"),
    *(r"ours: (\d\.\d)% at most", r"ours: \d\.\d% at most, (\d\.\d)% RMS", r"motors give up to (\d+) N m"),
)
SIDE = np.array([[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.0, 2.0, 0.0]]])


def test_the_page_has_the_numbers_of_its_report() -> None:
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    report = (KEPT / "report.txt").read_text(encoding="utf-8")
    assert "note:" not in report, "OpenSim's models and trials were there"
    for words in _NUMBERS:
        found = re.findall(words, report)
        assert found, words
        assert all(number in page for number in found), (words, found)


@pytest.mark.parametrize("name", ["strengths", "segments", "arms"])
def test_the_page_has_the_numbers_of_its_tables(name: str) -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = list(csv.DictReader((KEPT / f"{name}.csv").read_text(encoding="utf-8").splitlines()))
    if name == "strengths":
        for row in table:
            wanted = f"{row['torque']} | {float(row['ours_Nm']):.0f} | {row['least_Nm']} to {row['most_Nm']}"
            assert wanted in page or row["torque"] not in page, wanted
            assert float(row["least_Nm"]) < float(row["ours_Nm"]) < float(row["most_Nm"])
    elif name == "segments":
        off = [abs(float(row["ours"]) / float(row["de_leva"]) - 1.0) for row in table if row["quantity"][:4] == "mass"]
        assert max(off) < 0.0155
        assert "within 1.5% of each" in page
    else:
        near = sum(float(row["rms_cm"]) <= 1.0 for row in table)
        assert f"{near} within 1 cm RMS" in page
        assert all(float(row["ours_cm"]) * float(row["theirs_cm"]) > 0.0 for row in table)


def test_moment_arms_of_the_hip_and_ankle_are_those_that_they_were_taken_from() -> None:
    shared("musculoskeletal", "osim", "Rajagopal2016.osim")
    soleus = next(each for each in ARMS if each.muscle == "soleus")
    ours, theirs, other = curves_of(soleus, 3)
    assert [each.model for each in (theirs, other)] == ["Rajagopal2016", "gait2392"]
    np.testing.assert_allclose(ours.arms, theirs.arms, rtol=0, atol=1e-4)
    np.testing.assert_allclose(ours.arms, other.arms, rtol=0, atol=6e-3)
    knee = next(each for each in ARMS if each.muscle == "biceps_femoris_long")
    ours, _, other = curves_of(knee, 3)
    assert (ours.arms > 0.02).all(), "it bends the knee"
    assert (other.arms > 0.01).all(), "and in a model that counts extension"


def test_activations_are_scipys_and_what_is_not_there_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SINEW_SHARED", str(tmp_path))
    assert shared_data("musculoskeletal", "osim") is None
    (row,) = rows("validation", "static_optimisation")
    assert (row["muscles"], float(row["most_apart"]) < 1e-6) == ("823", True)
    assert list(rows("validation", "arms")) == []
    assert any("walk of gait2354 is not here" in note for note in quick("validation").notes)


def test_layers_have_the_counts_of_the_source() -> None:
    found = {row["what"]: float(row["number"]) for row in rows("muscle_layers", "layers")}
    assert (found["bones"], found["articular degrees of freedom"], found["muscles"]) == (103, 163, 823)
    assert found["volume of the cubes [l]"] > found["volume of the skin [l]"] > 40.0
    assert found["mass of all segments [kg]"] == pytest.approx(75.0, abs=0.1)


def test_signals_are_between_halves_and_their_rates_are_differences() -> None:
    table = [
        {key: float(value) for key, value in row.items() if key != "stroke"}
        for row in rows("muscle_signals", "signals")
    ]
    y, rate = np.array([row["y"] for row in table]), np.array([row["y_rate"] for row in table])
    assert (y.min(), y.max()) == (pytest.approx(-0.5), pytest.approx(0.5))
    step = 1.0 / len(table)
    around = (np.roll(y, -1) - np.roll(y, 1)) / (2.0 * step)
    np.testing.assert_allclose(rate, around, rtol=0, atol=0.02 * np.abs(rate).max())
    wanted = [
        row["y_acceleration"] / (2.0 * np.pi) ** 2 + 8.0 * (2.0 * row["y"] + row["y_rate"] / (2.0 * np.pi))
        for row in table
    ]
    np.testing.assert_allclose([row["f"] for row in table], wanted, rtol=0, atol=1e-6)
    sides = {row["group"]: row["most_change_mm"] for row in rows("muscle_signals", "groups")}
    assert float(sides["Left arm"]) > 50.0 > float(sides["Left leg"])
    assert sum(int(row["muscles"]) for row in rows("muscle_signals", "groups")) == len(anatomy().muscles.muscles)


def test_what_is_nearer_hides_what_is_behind_and_white_stays() -> None:
    far, near = ShadedPart(SIDE, (1.0, 0.0, 0.0)), ShadedPart(0.5 * SIDE + (0.0, 0.0, 1.0), (0.0, 1.0, 0.0))
    for parts in ([far, near], [near, far]):
        pixels = shaded(parts, (0.0, 0.0), (2.0, 2.0), 20)
        assert pixels.shape == (20, 20, 3)
        red, green = pixels[10, 5], pixels[17, 2]
        assert red[0] > 100 > red[1]
        assert green[1] > 100 > green[0]
        assert pixels[2, 17].tolist() == [255, 255, 255]


def test_a_picture_in_a_drawing_is_a_png() -> None:
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    data = b64decode(png_link(pixels).partition("base64,")[2])
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (3, 2)
    at = data.index(b"IDAT")
    length = int.from_bytes(data[at - 4 : at], "big")
    lines = zlib.decompress(data[at + 4 : at + 4 + length])
    assert lines == b"".join(b"\0" + row.tobytes() for row in pixels)


@pytest.mark.parametrize(("count", "columns"), [(4, 2), (3, 3), (6, 3)])
def test_panels_stand_in_rows_with_one_key(count: int, columns: int) -> None:
    line = Line(name="ours", x=[0.0, 1.0], y=[1.0, 2.0])
    svg = panel_chart(
        "All", [ChartPanel(title=f"no. {each}", lines=[line]) for each in range(count)], ["ours", "theirs"]
    )
    texts = {each.text: each.attrib for each in ElementTree.fromstring(svg).iter() if each.tag.endswith("text")}
    assert "ours" in texts
    assert "theirs" not in texts
    tops = [texts[f"no. {each}"]["y"] for each in range(count)]
    assert tops.count(tops[0]) == columns


@pytest.mark.deep
def test_the_walk_is_as_near_to_opensim_as_the_page_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SINEW_SHARED", str(shared("mocap", "opensim_gait2354_walk").parents[2]))
    result = run_experiment("validation", Settings())
    differing = sorted(claim.source[:30] for claim in result.claims if not claim.agrees)
    assert len(differing) == 4, differing
