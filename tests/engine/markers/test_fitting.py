"""A figure fitted to markers: motions come back, limits hold, gaps and weights count, and errors are said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Dof, Figure, Handle, Joint
from engine.document.actor import Placement
from engine.formats.captured import handle_places
from engine.markers.captured_markers import CapturedMarkers, match_markers
from engine.markers.fitting import MarkerFit, fit_to_markers
from engine.maths.quaternions import turn_about
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.compile import compile_model
from engine.runtime.errors import InvalidArguments, NothingThere, UnknownPart
from tests.engine.markers.worn import RATE, seen, swaying, wearing


def coordinates(fit: MarkerFit, q: np.ndarray) -> np.ndarray:
    return q[:, [fit.figure.coordinate_index[name] for name in fit.coordinates]]


@pytest.mark.parametrize("name", ["stick", "human"])
def test_a_known_motion_comes_back(name: str) -> None:
    figure = wearing(name)
    q = swaying(figure, 24)
    fit = fit_to_markers(figure, seen(figure, q))
    np.testing.assert_allclose(fit.values, coordinates(fit, q), rtol=0, atol=1e-6)
    assert fit.rms < 1e-9
    assert len(fit.coordinates) == len(figure.coordinates)


def test_a_figure_that_lies_and_faces_away_is_found() -> None:
    figure = wearing("stick")
    q = swaying(figure, 3, part=0.2)
    markers = seen(figure, q)
    turn = rotation_matrix(turn_about((0.6, 0.0, 0.8), 2.8))
    fit = fit_to_markers(figure, replace(markers, points=markers.points @ turn.T))
    assert fit.rms < 1e-6


def test_a_placed_figure_is_fitted_where_it_stands() -> None:
    figure = wearing("stick")
    q = swaying(figure, 3)
    markers = seen(figure, q)
    placement = Placement(position=(3.0, 0.0, -1.0), rotation=turn_about((0.0, 1.0, 0.0), 0.7))
    moved = markers.points @ rotation_matrix(placement.rotation).T + np.array(placement.position)
    fit = fit_to_markers(figure, replace(markers, points=moved), placement=placement)
    np.testing.assert_allclose(fit.values, coordinates(fit, q), rtol=0, atol=1e-6)


def elbow(lower: float | None = None, upper: float | None = None) -> Figure:
    """An arm in a plane with two markers on its forearm."""
    arm = Joint(id="arm", name="arm", dofs=(Dof(id="shoulder", name="s", axis=(0.0, 0.0, 1.0)),))
    bend = Dof(id="elbow", name="e", axis=(0.0, 0.0, 1.0), lower=lower, upper=upper)
    fore = Joint(id="fore", name="fore", parent="arm", offset=(1.0, 0.0, 0.0), dofs=(bend,))
    handles = (
        Handle(id="a", name="A", joint="fore", point=(0.0, 0.0, 0.0)),
        Handle(id="b", name="B", joint="fore", point=(1.0, 0.0, 0.0)),
    )
    return Figure(name="elbow", joints=(arm, fore), handles=handles)


def test_limits_hold_exactly_and_the_pose_is_the_nearest_within_them() -> None:
    free = elbow()
    markers = seen(free, np.array([[0.2, 1.2], [0.2, 0.4]]))
    figure = elbow(0.0, 0.9)
    fit = fit_to_markers(figure, markers)
    assert fit.values[0, 1] == 0.9
    np.testing.assert_allclose(fit.values[1], [0.2, 0.4], atol=1e-9)

    # At the limit the shoulder alone is left: no nearby angle of it is better.
    def squares(shoulder: float) -> float:
        places = handle_places(figure, figure.handles, np.array([[shoulder, 0.9]]))[0]
        return float(((places - markers.points[0]) ** 2).sum())

    own = float(fit.values[0, 0])
    assert squares(own) < min(squares(own - 1e-4), squares(own + 1e-4))
    assert fit.errors[0].max() > 0.05


def test_no_frame_leaves_the_limits_however_the_markers_lie() -> None:
    figure = wearing("human", 1)
    markers = seen(figure, swaying(figure, 12))
    noise = np.random.default_rng(2).normal(0.0, 0.15, markers.points.shape)
    fit = fit_to_markers(figure, replace(markers, points=markers.points + noise))
    model = compile_model(figure)
    lower, upper = coordinates(fit, model.lower[None]), coordinates(fit, model.upper[None])
    assert (fit.values >= lower).all()
    assert (fit.values <= upper).all()


def test_a_marker_that_was_not_seen_does_not_count() -> None:
    figure = wearing("stick")
    q = swaying(figure, 20)
    markers = seen(figure, q)
    markers.points[5:12, 3] = np.nan
    markers.points[8] = np.nan  # nobody is seen: the pose stays
    fit = fit_to_markers(figure, markers)
    there = np.arange(20) != 8
    np.testing.assert_allclose(fit.values[there], coordinates(fit, q)[there], rtol=0, atol=1e-6)
    assert np.isnan(fit.errors[5:12, 3]).all()
    assert np.isnan(fit.errors[8]).all()
    assert np.isnan(fit.frame_rms[8])
    np.testing.assert_array_equal(fit.values[8], fit.values[7])


def test_a_heavier_marker_is_met_more_nearly_and_one_of_weight_0_not_at_all() -> None:
    figure = elbow(0.0, 0.9)
    markers = seen(elbow(), np.array([[0.2, 1.2]]))
    even, heavy = (fit_to_markers(figure, markers, weights=each).errors[0] for each in ({}, {"b": 100.0}))
    assert heavy[1] < even[1] - 0.01
    assert heavy[0] > even[0] + 0.01
    alone = fit_to_markers(elbow(), markers, weights={"A": 0.0})
    assert alone.match.labels == ("B",)
    assert alone.rms < 1e-6


def test_errors_are_given_by_marker_and_time() -> None:
    figure = elbow()
    markers = seen(figure, np.array([[0.2, 0.5]] * 4))
    markers.points[2, 1, 2] += 0.03  # out of the plane, where the arm cannot follow
    fit = fit_to_markers(figure, markers)
    who, error, seconds = fit.worst
    assert (who, seconds) == ("B", 0.02)
    assert error == pytest.approx(0.03)
    assert fit.rms == pytest.approx(0.03 / np.sqrt(8.0))
    assert fit.marker_rms == pytest.approx((0.0, 0.015), abs=1e-9)
    np.testing.assert_allclose(fit.frame_rms, [0.0, 0.0, 0.03 / np.sqrt(2.0), 0.0], atol=1e-9)
    assert "3.00 cm (B at 0.020 s)" in fit.lines()[0]


def test_names_are_matched_and_those_left_over_are_said() -> None:
    figure = replace(elbow(), handles=(*elbow().handles, Handle(id="c", name="Top Head", joint="arm")))
    match = match_markers(["Subject:a", "top_head", "clavicle"], figure)
    assert [each.id for each in match.handles] == ["a", "c"]
    assert match.unmatched_markers == ("clavicle",)
    assert match.unmatched_handles == ("B",)
    with pytest.raises(NothingThere, match="clavicle"):
        match_markers(["clavicle"], figure)
    with pytest.raises(UnknownPart, match="knee"):
        match_markers(["a"], figure, {"knee": 1.0})
    with pytest.raises(InvalidArguments, match="weight of a"):
        match_markers(["a"], figure, {"a": -1.0})


def test_a_range_of_a_capture_is_fitted_alone() -> None:
    figure = elbow()
    markers = seen(figure, np.array([[0.1 * each, 0.5] for each in range(6)]))
    tick = 705_600_000 // 100
    part = fit_to_markers(figure, markers.within(2 * tick, 4 * tick))
    assert (len(part.values), part.start) == (3, 2 * tick)
    np.testing.assert_allclose(part.values[:, 0], [0.2, 0.3, 0.4], atol=1e-9)
    with pytest.raises(NothingThere):
        markers.within(9 * tick, None)


def test_where_nobody_is_seen_nothing_is_fitted() -> None:
    points = np.full((2, 2, 3), np.nan)
    with pytest.raises(NothingThere, match="seen"):
        fit_to_markers(elbow(), CapturedMarkers(("A", "B"), points, RATE, 0))
