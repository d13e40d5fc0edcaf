"""What views ask of splines: their lines, their regions, their alphas by expression, and how long they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine.document import Blob
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.soft.commands.seed_spline import SeedSpline
from engine.soft.parts import ActivationSpline
from engine.soft.queries.contractions import ContractionsQuery
from engine.soft.queries.expressed import ExpressedAlpha
from engine.soft.queries.painted import stroke_places, touched
from engine.soft.queries.region_shares import region_shares
from engine.soft.queries.spline_lines import spline_line
from engine.soft.uses import soft_body
from tests.engine.soft.worms import along, worm_body, worm_scene

POINTS = ((0.0, 0.0, 0.0), (1.0, 1.0, 0.0), (2.0, 0.0, 0.0))


def test_a_line_goes_through_the_control_points_of_catmull_rom_and_begins_in_those_of_a_b_spline() -> None:
    line = spline_line(POINTS, "catmull_rom")
    assert all(np.abs(line - np.array(each)).max(axis=1).min() < 1e-9 for each in POINTS)
    smooth = spline_line(POINTS, "b_spline")
    assert np.allclose(smooth[[0, -1]], [POINTS[0], POINTS[-1]])
    assert smooth[:, 1].max() < 1.0
    assert spline_line(POINTS[:1], "catmull_rom").tolist() == [[0.0, 0.0, 0.0]]


def test_an_expression_is_shown_at_both_ends_only_where_it_differs_there() -> None:
    wave, pulse = ExpressedAlpha.of("1 + 0.2*cos(2*pi*(t - s))"), ExpressedAlpha.of("1 - 0.5*pulse(t, 1, 1)")
    assert wave is not None
    assert pulse is not None
    assert (wave.places, pulse.places) == ((0.5, 0.0, 1.0), (0.5,))
    times = np.array([0.5, 1.5]) * SECOND
    assert pulse.alphas(times, 0.5) == pytest.approx([1.0, 0.5])
    assert wave.alphas(times, 0.0) == pytest.approx([0.8, 0.8])
    assert ExpressedAlpha.of("1 +") is None


def test_a_touch_paints_what_is_near_and_erasing_takes_it_out() -> None:
    points = np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [2.0, 0.0, 0.0]])
    nothing = np.zeros(3, dtype=np.float32)
    painted = touched(points, nothing, (0.0, 0.0, 0.0), radius=1.0, strength=1.0, erases=False)
    assert painted[0] == 1.0
    assert 0.0 < painted[1] < 1.0
    assert painted[2] == 0.0
    erased = touched(points, painted, (0.0, 0.0, 0.0), radius=1.0, strength=1.0, erases=True)
    assert erased[0] == 0.0
    assert touched(points, nothing, (9.0, 0.0, 0.0), radius=1.0, strength=1.0, erases=False) is nothing


def test_places_of_a_stroke_are_near_each_other_and_end_where_it_does() -> None:
    places = stroke_places((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.25)
    assert len(places) == 10
    assert places[-1] == (1.0, 0.0, 0.0)


def test_the_region_of_a_radius_is_seen_on_the_surface_near_its_spline() -> None:
    points = ((-0.36, 0.0, 0.0), (-0.3, 0.0, 0.0))
    near = ActivationSpline(id="near", name="Near", points=points, samples=3, region="radius", radius=0.15)
    body = worm_body(near)
    found = [each for each in region_shares(body, near) if each is not None][-1]
    assert found.spline == "near"
    left = body.positions.array[:, 0] < -0.3
    assert found.values[left].max() == pytest.approx(1.0)
    assert found.values[body.positions.array[:, 0] > 0.0].max() == 0.0
    painted = replace(near, region="painted", weights=Blob(np.ones(body.point_count, dtype=np.float32)))
    whole = [each for each in region_shares(body, painted) if each is not None][-1]
    assert whole.values == pytest.approx(np.ones(len(left)))


def test_a_seeded_spline_lies_along_the_long_axis() -> None:
    document = worm_scene()
    made = SeedSpline(id="new", actor="worm", name="Spline 1").work_out(Evaluator(), document)
    body = soft_body(made.apply(document).actor("worm"))
    assert body is not None
    seeded = body.spline("new")
    assert seeded is not None
    places = np.array(seeded.points)
    assert (np.diff(places[:, 0]) > 0.05).all()
    assert np.abs(places[:, 1:]).max() < 0.03


def test_lengths_are_told_of_what_is_simulated_and_follow_alpha() -> None:
    document, evaluator, query = worm_scene(along("short", alpha=0.6, stiffness=10.0)), Evaluator(), ContractionsQuery()
    for _ in evaluator.step(document, SECOND // 5):
        pass
    first = [each for each in query.answer(evaluator, document) if each is not None][-1].by_spline["short"]
    assert first[0].tolist() == pytest.approx([0.0, 1.0], abs=0.05)
    assert first[-1, 0] >= SECOND // 5
    assert first[-1, 1] < 0.9
    again = [each for each in query.answer(evaluator, document) if each is not None][-1].by_spline["short"]
    assert np.array_equal(first, again)
    longer = edit("set_activation", actor="worm", spline="short", alpha=1.2).apply(document)
    for _ in evaluator.step(longer, SECOND // 10):
        pass
    other = [each for each in query.answer(evaluator, longer) if each is not None][-1].by_spline["short"]
    assert other[-1, 1] > 1.05
