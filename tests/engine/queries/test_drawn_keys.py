"""Keys of a curve that was drawn by hand."""

from __future__ import annotations

import math

import numpy as np

from engine.document import Track
from engine.queries.drawn_keys import MOST_KEYS, drawn_keys
from engine.queries.outline import Outline

SECOND = 705_600_000


def test_a_wave_becomes_few_keys_that_stay_within_the_tolerance() -> None:
    line = [(round(t * SECOND), 1.0 - 0.3 * math.sin(4.0 * t)) for t in np.linspace(0.0, 2.0, 300)]
    keys = drawn_keys(line, 0.01)
    assert 4 <= len(keys) <= 16
    assert (keys[0].time, keys[-1].time) == (line[0][0], line[-1][0])
    found = Outline.of(Track(coordinate="alpha", keys=keys)).values_at(np.array([float(time) for time, _ in line]))
    assert np.abs(found - [value for _, value in line]).max() <= 0.01


def test_of_places_on_one_tick_the_last_counts_and_order_does_not() -> None:
    keys = drawn_keys([(20, 0.5), (0, 1.0), (20, 0.7)], 1.0)
    assert [(key.time, key.value) for key in keys] == [(0, 1.0), (20, 0.7)]


def test_a_single_place_is_one_key_and_none_is_none() -> None:
    assert [key.value for key in drawn_keys([(5, 0.8)], 0.1)] == [0.8]
    assert drawn_keys([], 0.1) == ()


def test_noise_gives_no_more_keys_than_are_allowed() -> None:
    values = np.random.default_rng(1).random(1000).tolist()
    assert len(drawn_keys([(1000 * place, value) for place, value in enumerate(values)], 1e-6)) == MOST_KEYS
