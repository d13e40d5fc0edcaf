"""Signed distances in colour: inside and outside in hues of their own, a line between them, in every theme."""

from __future__ import annotations

import numpy as np
import pytest

from app.style.distances import distance_colours
from app.style.theme import THEMES, Theme


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES.keys())
def test_inside_and_outside_are_told_apart_and_the_line_between_them_from_both(theme: Theme) -> None:
    values = np.tile(np.linspace(-0.8, 0.8, 81), (5, 1))
    colours = distance_colours(values, theme)[2, :, :3].astype(int)
    inside, line, outside = colours[5], colours[40], colours[75]
    for one, other in ((inside, outside), (inside, line), (line, outside)):
        assert np.abs(one - other).max() > 60


def test_what_is_far_outside_is_seen_through_if_wished() -> None:
    values = np.array([[-0.5, -0.4, 0.4, 2.0], [-0.5, -0.4, 0.4, 2.0]])
    opaque = distance_colours(values, THEMES["dark"])[0, :, 3]
    clear = distance_colours(values, THEMES["dark"], clear=True, lined=False)[0, :, 3].astype(int)
    assert (opaque == 255).all()
    assert clear[0] > clear[2] > clear[3] > 0


def test_colours_are_premultiplied() -> None:
    values = np.linspace(-1.0, 2.0, 64).reshape(8, 8)
    colours = distance_colours(values, THEMES["light"], clear=True)
    assert (colours[..., :3] <= colours[..., 3:]).all()
