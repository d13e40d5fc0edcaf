"""Tension, continuity and bias of chosen keys, by three sliders over the graph."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.timeline.graph.spline_card import SplineCard
from engine.motion.tangents import kochanek_bartels
from tests.gui import test_curves as curves
from tests.gui.test_curves import ELBOW, END, SECOND, START, TOP, act, at, click, keyed, keys_of, labels, panel_of
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(keyed()) as begun:
        curves.show_graph(begun)
        yield begun


def test_tension_continuity_and_bias_are_set_by_three_sliders(opened: Stage) -> None:
    curves.select(opened, ELBOW)
    graph = panel_of(opened).graph
    opened.until(lambda: bool(graph.curves.curves))
    graph.fit_all()
    click(graph, at(graph, SECOND, 1.5))
    act(opened, "curves.tension")
    card = panel_of(opened).findChild(SplineCard)
    assert card is not None
    for name, share in (("Tension", 0.75), ("Bias", 0.9)):
        slider = card.sliders[name]
        places = [QPoint(round(slider.width() * each), slider.height() // 2) for each in (0.5, 0.6, share)]
        drag(slider, places)
        curves.settled(opened, graph)
    numbers = {name.casefold(): card.sliders[name].value for name in card.sliders}
    assert numbers["tension"] > 0.2, "the drag moved it"
    assert numbers["bias"] > numbers["tension"]
    assert keys_of(opened)[1] == kochanek_bartels((START, TOP, END), **numbers, chosen=(1,))[1]
    assert labels(opened)[-2:] == ["Tension, continuity and bias"] * 2, "each drag is one entry"
    QTest.keyClick(card, Qt.Key.Key_Escape)
    opened.settle()
    assert panel_of(opened).findChild(SplineCard) is None
