"""Shadows of the views follow what a person chose, and on a processor how long pictures take."""

from __future__ import annotations

import pytest

from app.scene.look import Shadows
from app.scene.shadow_pace import LONGEST, TRIED, ShadowPace


@pytest.mark.parametrize(
    ("wanted", "software", "settles", "moving", "resting"),
    [
        ("auto", False, False, "full", "full"),
        ("full", False, False, "full", "full"),
        ("contact", False, False, "contact", "contact"),
        ("off", True, True, "off", "off"),
        ("auto", True, True, "quick", "full"),
        ("full", True, True, "quick", "full"),
        ("full", True, False, "full", "full"),
        ("contact", True, True, "contact", "contact"),
    ],
)
def test_shadows_are_those_chosen_and_automatically_what_the_machine_can(
    wanted: Shadows, software: bool, settles: bool, moving: Shadows, resting: Shadows
) -> None:
    pace = ShadowPace(software=software, settles=settles)
    assert (pace.choose(wanted, resting=False), pace.choose(wanted, resting=True)) == (moving, resting)


def test_slow_pictures_lose_the_keys_shadow_while_something_moves_until_the_scene_is_another() -> None:
    pace = ShadowPace(software=True, settles=True)
    for _ in range(TRIED):
        assert pace.choose("auto", resting=False) == "quick"
        pace.took(LONGEST + 1.0, "large")
    assert pace.choose("auto", resting=False) == "contact"
    assert pace.choose("full", resting=False) == "quick"
    assert pace.choose("auto", resting=True) == "full"
    assert pace.choose("auto", resting=False) == "contact"
    pace.took(1.0, "large")
    assert pace.choose("auto", resting=False) == "contact"
    pace.took(1.0, "small")
    assert pace.choose("auto", resting=False) == "quick"


def test_one_picture_in_time_keeps_the_keys_shadow() -> None:
    pace = ShadowPace(software=True, settles=True)
    for took in (90.0, 50.0, LONGEST - 1.0, 80.0, 70.0):
        assert pace.choose("auto", resting=False) == "quick"
        pace.took(took, "scene")
    assert not pace.is_slow
