"""Lines of dots over a view, and the text beside symbols."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.scene.panes import Pane
from app.scene.symbols import Symbol, placed
from app.scene.visuals.sprites import MOST_DOTS, _between, _cut_short, _text


def test_a_line_to_far_outside_its_view_ends_near_it_and_has_not_too_many_dots() -> None:
    pane = Pane(0, 0, 400, 300)
    end = _cut_short((100.0, 100.0), (1e6, 1e6), pane)
    assert end == pytest.approx((600.0, 600.0))
    assert _cut_short((100.0, 100.0), (20.0, 300.0), pane) == (20.0, 300.0)
    assert len(_between((100.0, 100.0), end, 2.0)) < 400
    assert len(_between((0.0, 0.0), (1e6, 0.0), 2.0)) <= MOST_DOTS


def test_a_label_stands_beside_its_symbol_always_and_what_is_missed_in_its_place() -> None:
    symbol = Symbol(of="toy", owner="one", id="a", name="Toe", part="foot", shape="spot", place=(0.0, 0.0, 0.0))
    for label, missed, plain, hot in (
        ("", "", "", "Toe"),
        ("3 N s", "", "3 N s", "Toe: 3 N s"),
        ("3 N s", "missed by 2 N s", "missed by 2 N s", "Toe: missed by 2 N s"),
    ):
        (shown,) = placed((replace(symbol, label=label, missed=missed),))
        assert [_text(shown.marker, hot=each) for each in (False, True)] == [plain, hot]
