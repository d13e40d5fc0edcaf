"""The panel of studies: beside each other or one below the other, and colours that can be told apart."""

from __future__ import annotations

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.features.study.panel import StudyPanel
from app.features.study.running import StudyRun
from tests.app.session.held import Held

NARROW, WIDE = 276, 900


def test_a_narrow_panel_has_its_chart_below_and_shows_all_of_its_legend(held: Held, qtbot: QtBot) -> None:
    study, panel = held.session.of(StudyRun), StudyPanel(held.session)
    study.parameters, study.results, study.count = ("tension", "damping"), ("speed [m/s]",), 20
    study.rows = {each: ((each % 2, 0.125 * (each // 2)), (float(each),)) for each in range(study.count)}
    panel.refresh()
    qtbot.addWidget(panel)
    panel.show()
    for width in (NARROW, WIDE, NARROW):
        panel.resize(width, 420)
        QApplication.processEvents()
        chart, run = (each.mapTo(panel, QPoint(0, 0)) for each in (panel.chart, panel.run))
        assert (panel.width(), chart.x() > run.x() + panel.run.width()) == (width, width == WIDE)
        assert panel.legend.height() >= panel.legend.heightForWidth(panel.legend.width())
        assert panel.chart.height() > 100
    assert panel.legend.text().count("●") == 10
    assert len({colour for colour, _ in panel.chart.legend}) == 10, "more lines than hues"
