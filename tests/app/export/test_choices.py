"""Choices of films: kept as JSON, and refused where they make no sense."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import pytest

from app.export.choices import Choices, choices_in
from app.export.plan import KINDS, SAMPLES
from engine.measure import Quantity
from engine.runtime.options import about


def test_what_is_kept_is_read_again() -> None:
    chosen = Choices(
        codec="png",
        view=2,
        camera="round",
        turn_seconds=2.5,
        width=33,
        as_view=True,
        range="own",
        start=-5,
        end=10,
        rate="29.97",
        samples=1,
        background="#102030",
        trails=False,
        onions=True,
        title="Grüße",
        numbers=(Quantity(kind="velocity", actor="a", part="hand", handle=True, component="x"),),
        folder="/films",
        unfolded=("Turntable",),
    )
    assert choices_in(json.loads(json.dumps(asdict(chosen)))) == chosen


def test_what_a_newer_version_keeps_is_left_out() -> None:
    assert choices_in({"samples": 4, "holograms": True}) == Choices(samples=4)


@pytest.mark.parametrize(
    "plain",
    [
        3,
        [],
        {"codec": "mpeg2"},
        {"view": 4},
        {"view": True},
        {"camera": "flies"},
        {"range": None},
        {"width": 0},
        {"width": 640.0},
        {"height": 10**9},
        {"samples": 3},
        {"start": 2**60},
        {"turn_seconds": "6"},
        {"turn_seconds": float("nan")},
        {"sound": 1},
        {"trails": 0},
        {"title": 3},
        {"title": "x" * 1000},
        {"numbers": [{"kind": "beauty", "actor": "a"}]},
        {"numbers": [3]},
        {"numbers": 3},
        {"unfolded": "all"},
    ],
)
def test_what_makes_no_sense_is_refused(plain: Any) -> None:
    assert choices_in(plain) is None


def test_they_allow_what_plans_allow() -> None:
    assert set(about(Choices)["codec"].choices) == set(KINDS)
    assert about(Choices)["samples"].choices == SAMPLES
