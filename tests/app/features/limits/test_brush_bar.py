"""The bar of the brush: each of its controls sets what it says, and shows it."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from app.features.limits.brushing import BrushBar
from app.features.limits.current_limit import CurrentLimit
from tests.app.features.conftest import put_on_screen
from tests.app.session.held import Held

pytestmark = pytest.mark.gui


def test_each_control_sets_its_own_part_of_the_brush_and_follows_it(held: Held, qtbot: QtBot) -> None:
    current = held.session.of(CurrentLimit)
    bar = BrushBar(current)
    bar.show_hinges(("Flexion", "Twist"))
    put_on_screen(bar, qtbot)
    bar.buttons["push"].click()
    bar.radius.moved.emit(0.25)
    bar.strength.moved.emit(0.75)
    bar.mirror.activated.emit(2)
    brush = current.brush
    assert (brush.kind, brush.radius, brush.strength, brush.mirror) == ("push", 0.25, 0.75, 1)
    current.set_brush(kind="pull", radius=0.5, strength=0.1, mirror=None)
    assert bar.buttons["pull"].isChecked()
    assert (bar.radius.value, bar.strength.value, bar.mirror.currentIndex()) == (0.5, 0.1, 0)
    bar.buttons[None].click()
    assert current.brush.kind is None
    assert not any(each.isEnabled() for each in (bar.radius, bar.strength, bar.mirror))
