"""The parts of the Plot panel that need no window: lines, units, the list of quantities, the legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, Qt

from app.features.plot.choices import HEADINGS, QuantityModel, lines_for
from app.features.plot.legend import Legend, NumberRole
from app.features.plot.lines import FRESH, ROUGH, STALE, extent, lines, thinned, value_at
from app.features.plot.look import mark
from app.features.plot.plotting import SORTS
from app.style.hues import DARK, LIGHT, hue
from app.style.scales import scale_of
from app.style.theme import THEMES, contrast
from engine.measure import KINDS, Quantity
from engine.measure.series import Series


def series_of(values: Sequence[float], *, rough: Sequence[int] = (), stale: Sequence[int] = ()) -> Series:
    """A number each 10 ticks."""
    count = len(values)
    return Series(
        quantity=Quantity(kind="energy", actor="a"),
        label="A, mechanical energy",
        unit="J",
        times=np.arange(count) * 10,
        values=np.array(values, dtype=np.float64),
        by_differences=np.isin(np.arange(count), rough),
        fresh=~np.isin(np.arange(count), stale),
    )


def test_a_line_runs_from_edge_to_edge_and_on_beyond_what_is_seen() -> None:
    ((points, kind),) = lines(series_of([0.0, 1.0, 4.0, 9.0, 16.0]), 10, 30, 200.0)
    assert kind == FRESH
    np.testing.assert_array_equal(points, [(-100.0, 0.0), (0.0, 1.0), (100.0, 4.0), (200.0, 9.0)])
    ((points, _),) = lines(series_of([0.0, 1.0, 4.0, 9.0]), 12, 18, 60.0)
    np.testing.assert_array_equal(points[:, 1], [1.0, 4.0])


def test_what_is_not_known_leaves_a_gap_and_what_is_known_otherwise_joins_on() -> None:
    series = series_of([0.0, 1.0, np.nan, 3.0, 4.0, 5.0, 6.0], rough=(4,), stale=(5, 6))
    found = lines(series, 0, 60, 60.0)
    assert [(kind, points[:, 1].tolist()) for points, kind in found] == [
        (FRESH, [0.0, 1.0]),
        (FRESH, [3.0, 4.0]),
        (ROUGH, [4.0, 5.0]),
        (STALE, [5.0, 6.0]),
    ]


def test_nothing_is_drawn_where_nothing_is_known_or_seen() -> None:
    assert lines(series_of([np.nan, np.nan]), 0, 10, 100.0) == []
    assert sum(len(points) for points, _ in lines(series_of([1.0, 2.0]), 500, 600, 100.0)) <= 1
    assert extent([series_of([np.nan, np.nan])], 0, 10) is None


def test_a_thinned_line_keeps_every_peak_in_its_column() -> None:
    rng = np.random.default_rng(2)
    x, values = np.linspace(0.0, 99.9, 50_000), rng.normal(size=50_000)
    values[31_234] = 40.0
    found = thinned(x, values)
    assert len(found) == 200
    for column in range(100):
        own, shown = values[np.floor(x) == column], found[np.floor(found[:, 0]) == column][:, 1]
        assert (shown.min(), shown.max()) == (own.min(), own.max())
    np.testing.assert_array_equal(thinned(x[:5], values[:5]).shape, (5, 2) if x[4] - x[0] > 2 else (2, 2))


def test_the_extent_is_of_what_is_seen_and_never_empty() -> None:
    low, high = extent([series_of([0.0, 1.0, 100.0, 1.0, 0.0, 0.0, 0.0])], 40, 60) or (0.0, 0.0)
    assert (low, high) == (-0.06, 1.06)
    low, high = extent([series_of([3.0, 3.0])], 0, 10) or (0.0, 0.0)
    assert low < 3.0 < high
    low, high = extent([series_of([0.0, 0.0])], 0, 10) or (0.0, 0.0)
    assert low < 0.0 < high


def test_the_number_at_the_playhead_is_exact_on_frames_and_straight_between() -> None:
    series = series_of([0.1, 0.3, np.nan, 0.7])
    assert value_at(series, 10) == 0.3
    assert value_at(series, 5) == pytest.approx(0.2)
    assert np.isnan(value_at(series, 15))
    assert np.isnan(value_at(series, -1))
    assert np.isnan(value_at(series, 31))


def test_turns_are_in_degrees_lengths_in_centimetres_and_the_rest_in_si_units() -> None:
    shown = {unit: scale_of(unit).text for unit in ("rad", "rad/s", "rad/s2", "m", "m/s", "m/s2", "kg m2/s", "J", "1")}
    assert list(shown.values()) == ["°", "°/s", "°/s²", "cm", "m/s", "m/s²", "kg m²/s", "J", ""]
    assert scale_of("rad").number(-np.pi / 6) == "\N{MINUS SIGN}30.0"
    assert scale_of("m").number(0.125) == "12.5"
    assert scale_of("J").number(1234.56) == "1235"
    assert scale_of("rad").number(-1e-9) == "0.0"
    assert scale_of("J").number(float("nan")) == "–"


@pytest.mark.parametrize(
    ("value", "step", "text"), [(0.30000000000000004, 0.1, "0.3"), (-20.0, 10.0, "\N{MINUS SIGN}20"), (0.0, 0.5, "0.0")]
)
def test_numbers_along_an_axis_have_the_digits_of_their_step(value: float, step: float, text: str) -> None:
    assert mark(value, step) == text


def test_curves_are_told_from_their_ground_in_every_theme() -> None:
    for theme in THEMES.values():
        for place in range(len(DARK)):
            assert contrast(hue(place, on_dark=theme.is_dark), theme.field) >= 3.0, (theme.name, place)
    assert len(set(DARK)) == len(set(LIGHT)) == len(DARK)


def test_the_list_holds_every_sort_once_below_its_heading_and_is_searched() -> None:
    everything = list(lines_for(""))
    assert sorted(each.sort.name for each in everything if each.sort) == sorted(SORTS)
    assert tuple(each.text for each in everything if each.sort is None) == HEADINGS
    found = [each.text for each in lines_for("handle VELOCITY y")]
    assert found == ["Point: its handle", "Velocity y"]
    assert list(lines_for("dance")) == []


def test_what_is_by_forces_stands_below_one_heading() -> None:
    found = list(lines_for("inverse"))
    assert found[0].text == "Inverse dynamics"
    kinds = list(dict.fromkeys(each.sort.kind for each in found if each.sort))
    assert kinds == ["torque", "power", "work", "residual_force", "residual_torque"]


def test_headings_are_not_ticked_and_sorts_say_how_they_are_found(qapp: QCoreApplication) -> None:
    choices, toggled = QuantityModel(), list[str]()
    choices.toggled.connect(toggled.append)
    choices.toggle(0)
    choices.toggle(1)
    choices.toggle(-1)
    choices.toggle(10_000)
    assert toggled == ["value"]
    choices.show_chosen(frozenset({"value"}), frozenset())
    index = choices.index(1)
    assert index.data(Qt.ItemDataRole.CheckStateRole) == Qt.CheckState.Checked
    assert index.data(Qt.ItemDataRole.ToolTipRole) == KINDS["value"].note
    assert choices.index(0).data(Qt.ItemDataRole.CheckStateRole) is None
    assert choices.is_pale(choices.lines[1])


def test_the_legend_tells_numbers_at_a_time_and_mutes(qapp: QCoreApplication) -> None:
    legend, told = Legend(), list[bool]()
    legend.muted_changed.connect(lambda: told.append(True))
    legend.show_series([series_of([1.0, 2.0])], ["Energy"], 0)
    assert legend.index(0).data(NumberRole) == "1 J"
    legend.show_time(10)
    assert legend.index(0).data(NumberRole) == "2 J"
    legend.show_time(99)
    assert legend.index(0).data(NumberRole) == "– J"
    legend.toggle(0)
    assert legend.is_muted(0)
    legend.show_series([series_of([5.0, 6.0])], ["Energy"], 0)
    assert legend.is_muted(0), "new numbers of the same curve"
    legend.toggle(0)
    assert not legend.is_muted(0)
    legend.toggle(7)
    assert len(told) == 2


def test_the_legend_tells_what_is_to_be_known_of_a_curve(qapp: QCoreApplication) -> None:
    legend, tip = Legend(), Qt.ItemDataRole.ToolTipRole
    plain = series_of([1.0, 2.0])
    legend.show_series([plain, replace(series_of([1.0, 2.0], rough=(1,)), caution="No ground.")], ["Plain", "Rough"], 0)
    assert legend.index(0).data(tip) == "Plain"
    assert legend.index(1).data(tip).splitlines() == [
        "Rough",
        "Dashed: by differences of what is seen, at 1 frames",
        "No ground.",
    ]
