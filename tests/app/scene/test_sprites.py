"""Lines of dots over a view."""

from __future__ import annotations

import pytest

from app.scene.panes import Pane
from app.scene.visuals.sprites import MOST_DOTS, _between, _cut_short


def test_a_line_to_far_outside_its_view_ends_near_it_and_has_not_too_many_dots() -> None:
    pane = Pane(0, 0, 400, 300)
    end = _cut_short((100.0, 100.0), (1e6, 1e6), pane)
    assert end == pytest.approx((600.0, 600.0))
    assert _cut_short((100.0, 100.0), (20.0, 300.0), pane) == (20.0, 300.0)
    assert len(_between((100.0, 100.0), end, 2.0)) < 400
    assert len(_between((0.0, 0.0), (1e6, 0.0), 2.0)) <= MOST_DOTS
