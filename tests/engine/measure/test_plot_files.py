"""Plots as files: the numbers come back exactly, with their units, and nothing half worked out is written."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.measure import Quantity, ticks_between
from engine.measure.chart import Chart, ChartLine, chart_of
from engine.measure.plot_csv import write_plot_csv
from engine.measure.plot_npz import write_plot_npz
from engine.measure.plot_svg import range_of, write_plot_svg
from engine.measure.series import Series
from engine.runtime.errors import InvalidArguments, UnwritableFile
from tests.engine.measure.motions import all_of, pendulum

WRITERS = (write_plot_csv, write_plot_npz, write_plot_svg)
SVG = "{http://www.w3.org/2000/svg}"
WANTED = (
    Quantity(kind="energy", actor="a"),
    Quantity(kind="kinetic", actor="a"),
    Quantity(kind="value", actor="a", part="rod.z"),
)


def swinging() -> tuple[Series, ...]:
    return all_of(pendulum(), WANTED, tuple(SECOND * place // 24 for place in range(37)))


def test_a_table_gives_every_number_back_exactly_under_its_unit(tmp_path: Path) -> None:
    series = swinging()
    write_plot_csv(tmp_path / "plot.csv", chart_of(series))
    header, *rows = csv.reader((tmp_path / "plot.csv").read_text(encoding="utf-8").splitlines())
    assert header == ["time [s]", "A, mechanical energy [J]", "A, kinetic energy [J]", "Rod, Swing [rad]"]
    numbers = np.array(rows, dtype=np.float64)
    np.testing.assert_array_equal(numbers[:, 0], series[0].times / SECOND)
    for column, each in enumerate(series, start=1):
        np.testing.assert_array_equal(numbers[:, column], each.values)


def test_a_table_says_where_rates_are_differences(tmp_path: Path) -> None:
    rough = np.zeros(37, dtype=bool)
    rough[3:8] = True
    write_plot_csv(tmp_path / "plot.csv", chart_of([replace(swinging()[0], by_differences=rough)]))
    first = (tmp_path / "plot.csv").read_text(encoding="utf-8").splitlines()[0]
    assert first == "# Sinew plot; A, mechanical energy: by differences at 5 of 37 times"


def test_an_archive_gives_every_number_and_unit_back_with_nothing_pickled(tmp_path: Path) -> None:
    series = swinging()
    write_plot_npz(tmp_path / "plot.npz", chart_of(series))
    with np.load(tmp_path / "plot.npz", allow_pickle=False) as found:
        assert str(found["axis"]) == "time [s]"
        assert found["labels"].tolist() == ["A, mechanical energy", "A, kinetic energy", "Rod, Swing"]
        assert found["units"].tolist() == ["J", "J", "rad"]
        np.testing.assert_array_equal(found["places"], series[0].times / SECOND)
        np.testing.assert_array_equal(found["values"], np.stack([each.values for each in series], axis=1))


@pytest.mark.parametrize("name", ["=1+1", "+A", "-A", "@SUM(A1)"])
def test_no_name_becomes_a_formula_in_a_spreadsheet(name: str, tmp_path: Path) -> None:
    write_plot_csv(tmp_path / "plot.csv", chart_of([replace(swinging()[0], label=name)]))
    header = next(csv.reader((tmp_path / "plot.csv").read_text(encoding="utf-8").splitlines()))
    assert header[1] == f"'{name} [J]"


def test_lines_that_end_early_leave_cells_empty_and_are_drawn_on_a_logarithmic_scale(tmp_path: Path) -> None:
    long, short = np.array([1.0, 0.1, 0.01]), np.array([0.5, 0.0, np.nan])
    lines = (ChartLine(label="A", unit="", values=long), ChartLine(label="B", unit="", values=short))
    chart = Chart(axis="iteration", places=np.arange(1.0, 4.0), lines=lines, steep=True)
    for write, name in zip(WRITERS, ("a.csv", "a.npz", "a.svg"), strict=True):
        write(tmp_path / name, chart)
    rows = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert rows == ["iteration,A,B", "1.0,1.0,0.5", "2.0,0.1,0.0", "3.0,0.01,"]
    with np.load(tmp_path / "a.npz", allow_pickle=False) as found:
        np.testing.assert_array_equal(found["values"], np.stack((long, short), axis=1))
    groups = ElementTree.parse(tmp_path / "a.svg").getroot().findall(f"{SVG}g")
    drawn = [[float(pair.split(",")[1]) for pair in group[0].attrib["d"][1:].split(" ")] for group in groups]
    np.testing.assert_allclose(drawn[0], np.log10(long), rtol=0.0, atol=1e-15)
    np.testing.assert_allclose(drawn[1], [np.log10(0.5), -12.0], rtol=0.0, atol=1e-15)


def test_a_drawing_holds_the_exact_numbers_in_one_frame_for_each_unit(tmp_path: Path) -> None:
    series = swinging()
    write_plot_svg(tmp_path / "plot.svg", chart_of(series))
    root = ElementTree.parse(tmp_path / "plot.svg").getroot()
    groups = root.findall(f"{SVG}g")
    assert len(groups) == len(series)
    by_unit = [series[0], series[1], series[2]]
    height = float(root.attrib["height"])
    for group, each in zip(groups, by_unit, strict=True):
        path = group[0].attrib["d"]
        points = np.array([pair.split(",") for pair in path[1:].split(" ")], dtype=np.float64)
        np.testing.assert_array_equal(points[:, 0], each.times / SECOND)
        np.testing.assert_array_equal(points[:, 1], each.values)
        a, b, c, d, e, f = map(float, re.findall(r"[-+.\de]+", group.attrib["transform"].removeprefix("matrix")))
        assert (b, c) == (0.0, 0.0)
        x, y = a * points[:, 0] + e, d * points[:, 1] + f
        assert ((x >= 0.0) & (x <= 720.0) & (y >= 0.0) & (y <= height)).all()
    told = [text.text for text in root.iter(f"{SVG}text")]
    assert "A, kinetic energy [J]" in told
    assert {"[J]", "[rad]", "time [s]"} <= set(told)


def test_names_with_signs_of_xml_and_flat_lines_are_drawn(tmp_path: Path) -> None:
    flat = replace(swinging()[0], label='<A> & "B"', values=np.full(37, 2.0))
    write_plot_svg(tmp_path / "plot.svg", chart_of([flat]))
    told = [text.text for text in ElementTree.parse(tmp_path / "plot.svg").getroot().iter(f"{SVG}text")]
    assert '<A> & "B" [J]' in told
    alone = replace(
        flat, times=flat.times[:1], values=flat.values[:1], fresh=flat.fresh[:1], by_differences=flat.by_differences[:1]
    )
    write_plot_svg(tmp_path / "one.svg", chart_of([alone]))
    assert "inf" not in (tmp_path / "one.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("write", WRITERS)
def test_what_is_not_worked_out_or_has_other_times_is_refused_and_leaves_the_file(
    tmp_path: Path, write: Callable[[Path, Chart], None]
) -> None:
    path, (one, other, _) = tmp_path / "plot", swinging()
    path.write_text("before", encoding="utf-8")
    half = one.fresh.copy()
    half[5:] = False
    for bad, told in (
        ([], "none"),
        ([replace(one, fresh=half)], "32"),
        ([one, replace(other, times=other.times + 1)], "times"),
    ):
        with pytest.raises(InvalidArguments, match=told):
            write(path, chart_of(bad))
    assert path.read_text(encoding="utf-8") == "before"
    with pytest.raises(UnwritableFile):
        write(tmp_path / "nowhere" / "plot", chart_of([one]))


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.2, 4.1), (1e-9, 3e-9), (1e6, 1.00001e6), (0.0, 600.0)])
def test_ticks_are_few_round_numbers_inside(low: float, high: float) -> None:
    found = ticks_between(low, high)
    assert 2 <= len(found) <= 7
    assert all(low - 1e-9 * abs(high) <= each <= high + 1e-9 * abs(high) for each in found)


def test_the_range_holds_every_number() -> None:
    series = swinging()[:2]
    low, high = range_of([each.values for each in series])
    assert low < min(each.values.min() for each in series)
    assert high > max(each.values.max() for each in series)
