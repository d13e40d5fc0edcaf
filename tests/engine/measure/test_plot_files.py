"""Plots as files: the numbers come back exactly, with their units, and nothing half worked out is written."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.measure import Quantity, ticks_between
from engine.measure.plot_csv import write_plot_csv
from engine.measure.plot_svg import range_of, write_plot_svg
from engine.measure.series import Series
from engine.runtime.errors import InvalidArguments, UnwritableFile
from tests.engine.measure.motions import all_of, pendulum

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
    write_plot_csv(tmp_path / "plot.csv", series)
    header, *rows = csv.reader((tmp_path / "plot.csv").read_text(encoding="utf-8").splitlines())
    assert header == ["time [s]", "A, mechanical energy [J]", "A, kinetic energy [J]", "Rod, Swing [rad]"]
    numbers = np.array(rows, dtype=np.float64)
    np.testing.assert_array_equal(numbers[:, 0], series[0].times / SECOND)
    for column, each in enumerate(series, start=1):
        np.testing.assert_array_equal(numbers[:, column], each.values)


def test_a_table_says_where_rates_are_differences(tmp_path: Path) -> None:
    rough = np.zeros(37, dtype=bool)
    rough[3:8] = True
    write_plot_csv(tmp_path / "plot.csv", [replace(swinging()[0], by_differences=rough)])
    first = (tmp_path / "plot.csv").read_text(encoding="utf-8").splitlines()[0]
    assert first == "# Sinew plot; A, mechanical energy: by differences over 1 ms at 5 of 37 times"


def test_a_drawing_holds_the_exact_numbers_in_one_frame_for_each_unit(tmp_path: Path) -> None:
    series = swinging()
    write_plot_svg(tmp_path / "plot.svg", series)
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
    write_plot_svg(tmp_path / "plot.svg", [flat])
    told = [text.text for text in ElementTree.parse(tmp_path / "plot.svg").getroot().iter(f"{SVG}text")]
    assert '<A> & "B" [J]' in told
    alone = replace(
        flat, times=flat.times[:1], values=flat.values[:1], fresh=flat.fresh[:1], by_differences=flat.by_differences[:1]
    )
    write_plot_svg(tmp_path / "one.svg", [alone])
    assert "inf" not in (tmp_path / "one.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize("write", [write_plot_csv, write_plot_svg])
def test_what_is_not_worked_out_or_has_other_times_is_refused_and_leaves_the_file(
    tmp_path: Path, write: Callable[[Path, Sequence[Series]], None]
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
            write(path, bad)
    assert path.read_text(encoding="utf-8") == "before"
    with pytest.raises(UnwritableFile):
        write(tmp_path / "nowhere" / "plot", [one])


@pytest.mark.parametrize(("low", "high"), [(0.0, 1.0), (-3.2, 4.1), (1e-9, 3e-9), (1e6, 1.00001e6), (0.0, 600.0)])
def test_ticks_are_few_round_numbers_inside(low: float, high: float) -> None:
    found = ticks_between(low, high)
    assert 2 <= len(found) <= 7
    assert all(low - 1e-9 * abs(high) <= each <= high + 1e-9 * abs(high) for each in found)


def test_the_range_holds_every_number() -> None:
    series = swinging()[:2]
    low, high = range_of(series)
    assert low < min(each.values.min() for each in series)
    assert high > max(each.values.max() for each in series)
