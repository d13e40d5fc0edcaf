"""Constraints that are redundant and at times nearly singular: what a step of a drag costs at most."""

from __future__ import annotations

import math

from engine.ik.maintain import Spring
from tests.benchmarks.maintain import HAND, RATE, rest_frames, start


def test_a_step_past_singular_poses_is_bounded_and_what_is_left_of_it_is_gone_on_with() -> None:
    """Ten redundant constraints, at times nearly singular: a step took up to 28 factors, and by that over 0.5 ms."""
    dragging, (x, y, z), before, most, off = start(), rest_frames()[0][HAND], 0, 0, 0.0
    for frame in range(900):
        angle = math.pi * frame / RATE
        target = (x + 0.2 * math.sin(angle), y + 0.3 * math.sin(0.37 * angle), z + 0.3 * math.sin(0.61 * angle))
        dragging.step((Spring(task=0, target=target),), 1.0 / RATE)
        report = dragging.report()
        most, before = max(most, report.counts.factored - before), report.counts.factored
        off = max(off, *(each.off for each in report.constraints))
    assert most <= 12
    assert off <= 1e-5
