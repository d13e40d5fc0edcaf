"""Drawings, axes and plots: well-formed, with what was given in them."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np

from engine.experiments.charts import Line, Sticks, box_chart, box_of, line_chart, stick_chart
from engine.experiments.scales import AxisScale, spread
from engine.experiments.svg import SvgDrawing

SVG = "{http://www.w3.org/2000/svg}"


def marks(text: str, kind: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(text).iter(SVG + kind))


def test_text_is_escaped() -> None:
    drawing = SvgDrawing(100.0, 50.0, 'a < b & "c"')
    drawing.text((1.0, 2.0), "<&>")
    assert marks(drawing.finish(), "text")[0].text == "<&>"
    assert marks(drawing.finish(), "title")[0].text == 'a < b & "c"'


def test_scale_is_straight_in_its_own_measure_and_holds_what_lies_outside_at_its_end() -> None:
    scale = AxisScale(low=1.0, high=100.0, first=0.0, last=200.0, log=True)
    assert [scale.at(each) for each in (1.0, 10.0, 100.0, 1000.0, 0.0)] == [0.0, 100.0, 200.0, 200.0, 0.0]
    assert scale.ticks() == [1.0, 10.0, 100.0]
    assert AxisScale(low=0.0, high=6.0, first=10.0, last=70.0).at(3.0) == 40.0


def test_spread_leaves_out_what_cannot_be_drawn() -> None:
    found = spread([0.0, -1.0, math.inf, math.nan, 0.02, 30.0], first=0.0, last=1.0, log=True)
    assert (found.low, found.high) == (0.01, 100.0)


def test_box_is_that_of_tukey() -> None:
    box = box_of([1.0, 2.0, 3.0, 4.0, 5.0, 100.0])
    assert (box.first, box.median, box.third) == (2.25, 3.5, 4.75)
    assert (box.low, box.high, box.outliers) == (1.0, 5.0, (100.0,))


def test_box_chart_names_every_group_and_shows_every_outlier() -> None:
    text = box_chart("T", "metres", {"near": {"a": [1.0, 1.1, 1.2, 1.3, 9.0], "b": [2.0, 3.0]}}, mark=0.5)
    assert {"T", "metres", "near", "a", "b"} <= {each.text for each in marks(text, "text")}
    assert len(marks(text, "circle")) == 1


def test_line_chart_leaves_a_gap_where_there_is_no_number() -> None:
    whole = Line(name="whole", x=[1.0, 2.0, 3.0, 4.0], y=[1.0, 2.0, 3.0, 4.0])
    gap = Line(name="gap", x=[1.0, 2.0, 3.0, 4.0], y=[1.0, math.inf, 3.0, 4.0])
    axes = len(marks(line_chart("T", "x", "y", [whole]), "polyline"))
    assert len(marks(line_chart("T", "x", "y", [whole, gap]), "polyline")) == axes + 3  # two pieces and the key


def test_sticks_are_drawn_to_one_scale() -> None:
    short = Sticks(name="short", lines=[(np.array([[0.0, 0.0], [0.0, 1.0]]), "red")], goals=np.array([[0.0, 1.0]]))
    long = Sticks(name="long", lines=[(np.array([[0.0, 0.0], [0.0, 2.0]]), "red")], goals=np.array([[0.0, 2.0]]))
    heights = []
    for line in marks(stick_chart("T", [short, long]), "polyline"):
        ys = [float(point.split(",")[1]) for point in line.attrib["points"].split()]
        heights.append(abs(ys[0] - ys[1]))
    assert math.isclose(heights[1], 2.0 * heights[0], abs_tol=0.2)
