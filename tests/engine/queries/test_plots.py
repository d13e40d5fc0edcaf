"""Plots: they show what is measured, the nearest first, and only what an edit touched is worked out again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

import numpy as np
import pytest

from engine.document import Document, Lock, Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.measure import Quantity, measuring
from engine.measure.series import Plot
from engine.queries import plots
from engine.queries.plots import Plots, PlotWanted, plot_times, write_plot
from engine.runtime.errors import Diverged, InvalidArguments, UnwritableFile
from tests.engine.measure.motions import all_of, pendulum

ENERGY, ANGLE = Quantity(kind="energy", actor="a"), Quantity(kind="value", actor="a", part="rod.z")
WORK, POWER = (Quantity(kind=kind, actor="a", part="rod.z") for kind in ("work", "power"))
WANTED = PlotWanted(quantities=(ENERGY, ANGLE), first=0, last=2 * SECOND)
SLOW, FAST = 1.0, 0.0


def ticking(step: float) -> Iterator[float]:
    return (step * each for each in count())


def plotter(step: float = FAST) -> Plots:
    clock = ticking(step)
    return Plots(Evaluator(), clock=lambda: next(clock))


def answers(plotter: Plots, document: Document, wanted: PlotWanted = WANTED, time: int = 0) -> list[Plot]:
    return [each for each in plotter.answer(document, time, wanted) if each is not None]


def with_last_key(document: Document, value: float) -> Document:
    actor = document.actors[0]
    (track,) = actor.layers[0].tracks
    moved = replace(track, keys=(*track.keys[:-1], replace(track.keys[-1], value=value)))
    return document.with_actor(replace(actor, layers=(replace(actor.layers[0], tracks=(moved,)),)))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """The times that are worked out, step by step."""
    found: list[list[int]] = []
    plain = measuring.values_at

    def noted(
        evaluator: Evaluator, document: Document, actor: str, wanted: Sequence[Quantity], times: Sequence[int]
    ) -> object:
        found.append(list(times))
        return plain(evaluator, document, actor, wanted, times)

    monkeypatch.setattr(measuring, "values_at", noted)
    return found


def test_a_whole_plot_is_what_is_measured_at_every_frame() -> None:
    document = pendulum()
    (plot,) = answers(plotter(), document)
    assert plot.whole
    assert plot.document is document
    times = plot.series[0].times.tolist()
    assert times == plot_times(document.rate, 0, 2 * SECOND).tolist()
    assert (times[0], times[-1]) == (0, 2 * SECOND)
    for found, expected in zip(plot.series, all_of(document, WANTED.quantities, times), strict=True):
        np.testing.assert_allclose(found.values, expected.values, rtol=1e-13, atol=1e-13)
        assert found.fresh.all()
        assert (found.label, found.unit) == (expected.label, expected.unit)


def test_the_present_comes_first_and_what_is_not_known_yet_is_no_number(asked: list[list[int]]) -> None:
    first, *_, last = answers(plotter(SLOW), pendulum(), time=SECOND)
    assert SECOND in asked[0]
    assert not first.whole
    known = first.series[0].fresh
    assert 0 < known.sum() < len(known)
    assert np.isfinite(first.series[0].values[known]).all()
    assert np.isnan(first.series[0].values[~known]).all()
    assert last.whole
    assert last.series[0].fresh.all()


def test_an_edit_makes_anew_only_what_it_touched(asked: list[list[int]]) -> None:
    plotting, document = plotter(SLOW), pendulum()
    (*_, before) = answers(plotting, document)
    asked.clear()
    edited = with_last_key(document, -0.8)
    first, *_, after = answers(plotting, edited, time=2 * SECOND)
    times = [each for step in asked for each in step]
    assert times
    assert min(times) >= SECOND // 2 - SECOND // 100, "tangents before the second key do not depend on the last one"
    stale = ~first.series[0].fresh
    assert stale.any()
    np.testing.assert_array_equal(first.series[0].values[stale], before.series[0].values[stale])
    expected = all_of(edited, WANTED.quantities, after.series[0].times.tolist())
    np.testing.assert_allclose(after.series[0].values, expected[0].values, rtol=1e-13)
    asked.clear()
    answers(plotting, edited)
    assert asked == []


def test_another_quantity_and_another_span_keep_what_is_known(asked: list[list[int]]) -> None:
    plotting, document = plotter(), pendulum()
    answers(plotting, document)
    asked.clear()
    answers(plotting, document, replace(WANTED, last=3 * SECOND))
    assert min(min(step) for step in asked) > 2 * SECOND
    asked.clear()
    (plot,) = answers(plotting, document, replace(WANTED, quantities=(ANGLE,)))
    assert asked == []
    assert [each.quantity for each in plot.series] == [ANGLE]


def test_a_sum_is_known_as_far_as_all_before_it_and_comes_after_what_is_of_a_moment() -> None:
    document, wanted = pendulum(), replace(WANTED, quantities=(WORK, POWER))
    *parts, last = answers(plotter(SLOW), document, wanted)
    expected = all_of(document, wanted.quantities, last.series[0].times.tolist())
    for found, whole in zip(last.series, expected, strict=True):
        np.testing.assert_allclose(found.values, whole.values, rtol=1e-12, atol=1e-12)
        assert found.fresh.all()
    assert any(each.series[0].fresh.any() and not each.series[0].fresh.all() for each in parts)
    for plot in parts:
        work, power = plot.series
        count = int(work.fresh.sum())
        assert work.fresh[:count].all()
        assert not count or power.fresh.all()
        np.testing.assert_allclose(work.values[:count], expected[0].values[:count], rtol=1e-12, atol=1e-12)
        assert np.isnan(work.values[count:]).any() or count == len(work.values)


def test_an_edit_and_another_span_make_anew_only_what_they_add_to_a_sum(asked: list[list[int]]) -> None:
    plotting, document, wanted = plotter(SLOW), pendulum(), replace(WANTED, quantities=(WORK,))
    answers(plotting, document, wanted)
    edited = with_last_key(document, -0.8)
    asked.clear()
    first, *_, after = answers(plotting, edited, wanted, time=2 * SECOND)
    assert min(each for step in asked for each in step) >= SECOND // 2 - SECOND // 30
    stale = ~first.series[0].fresh
    assert stale.any()
    assert not stale[: np.argmax(stale)].any()
    assert stale[np.argmax(stale) :].all(), "what comes after a sum that is stale is stale"
    times = after.series[0].times.tolist()
    np.testing.assert_allclose(after.series[0].values, all_of(edited, (WORK,), times)[0].values, rtol=1e-12, atol=1e-12)
    asked.clear()
    *_, later = answers(plotting, edited, replace(wanted, first=SECOND, last=3 * SECOND))
    assert min(each for step in asked for each in step) >= SECOND
    assert len([each for step in asked for each in step if each < 2 * SECOND]) <= 2, "the first one adds to none now"
    times = later.series[0].times.tolist()
    np.testing.assert_allclose(later.series[0].values, all_of(edited, (WORK,), times)[0].values, rtol=1e-12, atol=1e-12)


def test_what_is_not_there_is_told_and_the_rest_is_plotted() -> None:
    missing = Quantity(kind="value", actor="a", part="knee")
    (plot,) = answers(plotter(), pendulum(), replace(WANTED, quantities=(missing, ANGLE)))
    assert [each.quantity for each in plot.series] == [ANGLE]
    assert "knee" in plot.problems[0]
    (empty,) = answers(plotter(), Document(), WANTED)
    assert empty.series == ()
    assert len(empty.problems) == 1


def test_times_that_diverge_have_no_number_and_are_told_until_an_edit(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = measuring.values_at

    def diverging(
        evaluator: Evaluator, document: Document, actor: str, wanted: Sequence[Quantity], times: Sequence[int]
    ) -> object:
        if max(times) > SECOND:
            raise Diverged(what="the rod", value=1e9, allowed="less")
        return plain(evaluator, document, actor, wanted, times)

    monkeypatch.setattr(measuring, "values_at", diverging)
    plotting, document = plotter(), pendulum()
    (*_, plot) = answers(plotting, document)
    assert plot.whole
    assert plot.problems == (str(Diverged(what="the rod", value=1e9, allowed="less")),)
    known = np.isfinite(plot.series[0].values)
    assert known[0]
    assert not known[plot.series[0].times > SECOND].any()
    monkeypatch.setattr(measuring, "values_at", plain)
    (*_, again) = answers(plotting, document)
    assert again.problems == plot.problems, "nothing changed: it is not tried again"
    (*_, after) = answers(plotting, with_last_key(document, -0.8))
    assert after.problems == ()
    assert np.isfinite(after.series[0].values).all()


def test_an_actor_that_has_gone_takes_its_numbers_with_it(asked: list[list[int]]) -> None:
    plotting, document = plotter(), pendulum()
    answers(plotting, document)
    answers(plotting, Document())
    asked.clear()
    answers(plotting, document)
    assert asked


def test_where_something_is_held_each_step_is_one_time(asked: list[list[int]]) -> None:
    document = pendulum()
    span = Span(start=SECOND, end=SECOND + SECOND // 4)
    lock = Lock(id="l", name="L", joint="rod", point=(0.0, -1.0, 0.0), position=(0.5, 1.1, 0.0), span=span)
    locked = document.with_actor(replace(document.actors[0], locks=(lock,)))
    (plot,) = answers(plotter(), locked)
    inside = (plot.series[0].times >= span.start) & (plot.series[0].times <= span.end)
    assert plot.series[0].by_differences[inside].all()
    assert not plot.series[0].by_differences[0]
    assert not plot.series[1].by_differences.any(), "an angle is seen, not differenced"
    held = set(plot.series[0].times[inside].tolist())
    assert all(len(step) == 1 for step in asked if held.intersection(step))


def test_a_plot_of_hours_leaves_frames_out_evenly() -> None:
    times = plot_times((120, 1), 0, 3600 * SECOND)
    assert len(times) <= plots.MOST_TIMES + 2
    assert len(set(np.diff(times)[:-1].tolist())) == 1
    assert times[-1] == 3600 * SECOND


def test_a_span_that_ends_before_it_begins_is_refused() -> None:
    with pytest.raises(InvalidArguments, match=r"plot is 4\.5; allowed: at or after 5 seconds"):
        PlotWanted(quantities=(), first=5 * SECOND, last=9 * SECOND // 2)
    with pytest.raises(InvalidArguments, match="64 or fewer"):
        PlotWanted(quantities=(ENERGY,) * 65, first=0, last=1)
    assert plot_times((24, 1), 7, 7).tolist() == [7]


def test_the_times_of_a_file_are_not_kept(tmp_path: Path) -> None:
    plot_times.cache_clear()
    wanted = PlotWanted(quantities=(ENERGY,), first=0, last=SECOND)
    assert list(write_plot(Evaluator(), tmp_path / "plot.csv", pendulum(), wanted))
    assert plot_times.cache_info().currsize == 0


@pytest.mark.parametrize(("start", "each"), [(0.0005, 0.0003), (0.003, 0.0001), (0.0, 0.00001), (0.0, 0.02)])
def test_a_step_is_as_many_times_as_a_slice_has_room_for(
    monkeypatch: pytest.MonkeyPatch, start: float, each: float
) -> None:
    now, costs = 0.0, list[float]()
    plain = measuring.values_at

    def costly(
        evaluator: Evaluator, document: Document, actor: str, wanted: Sequence[Quantity], times: Sequence[int]
    ) -> object:
        nonlocal now
        costs.append(start + each * len(times))
        now += costs[-1]
        return plain(evaluator, document, actor, wanted, times)

    monkeypatch.setattr(measuring, "values_at", costly)
    plotting = Plots(Evaluator(), clock=lambda: now)
    answers(plotting, pendulum(), replace(WANTED, last=10 * SECOND))
    assert max(costs) <= max(0.008, start + each * plots.LEAST_TOGETHER)
    assert max(costs) >= min(0.001, sum(costs) / 4), "and no smaller than it need be"


def test_a_plot_is_written_with_every_frame_and_says_how_far_it_is(tmp_path: Path) -> None:
    document, path = pendulum(), tmp_path / "plot.CSV"
    shares = list(write_plot(Evaluator(), path, document, WANTED))
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    head, *rows = path.read_text(encoding="utf-8").splitlines()
    assert head == 'time [s],"A, mechanical energy [J]","Rod, Swing [rad]"'
    times = plot_times(document.rate, 0, 2 * SECOND)
    assert [float(row.partition(",")[0]) for row in rows] == (times / SECOND).tolist()
    list(write_plot(Evaluator(), tmp_path / "plot.svg", document, WANTED))
    assert (tmp_path / "plot.svg").read_text(encoding="utf-8").count("<g transform") == 2


def test_a_plot_with_another_ending_or_without_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UnwritableFile, match=r"no plot ends in '\.png'\. Name it plot\.csv, plot\.npz, plot\.svg or plot\.sto"
    ):
        next(write_plot(Evaluator(), tmp_path / "plot.png", pendulum(), WANTED))
    with pytest.raises(UnwritableFile, match="there is no such folder"):
        next(write_plot(Evaluator(), tmp_path / "gone" / "plot.csv", pendulum(), WANTED))
    with pytest.raises(InvalidArguments, match="one or more"):
        list(write_plot(Evaluator(), tmp_path / "plot.csv", pendulum(), replace(WANTED, quantities=())))
    assert list(tmp_path.iterdir()) == []
