"""Features on a session whose worker answers when told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.features.table import make_states
from app.session.actors import human
from app.style.apply import apply_theme
from app.style.chart import ChartView
from app.style.theme import dark
from engine.document import Actor, Box, Document, Dof, Figure, Joint, Layer, prop
from tests.app.session.held import Held, hold


def arm() -> Actor:
    """A ball root, an elbow of a hinge and a slide, and a fixed tip."""
    root = Joint(id="root", name="Root", dofs=(Dof(id="root.turn", name="Orientation", kind="ball"),))
    elbow = Joint(
        id="elbow",
        name="Elbow",
        parent="root",
        dofs=(
            Dof(id="elbow.flexion", name="Flexion", lower=-1.0, upper=2.0),
            Dof(id="elbow.reach", name="Reach", kind="slide"),
        ),
    )
    tip = Joint(id="tip", name="Tip", parent="elbow")
    figure = Figure(name="Arm", joints=(root, elbow, tip))
    return Actor(id="arm", name="Arm", figure=figure, layers=(Layer(id="pose"),))


def scene() -> Document:
    """An arm, a box and a human."""
    box = Actor(id="box", name="Box", figure=prop("Box", (Box(half=(0.1, 0.1, 0.1)),)))
    exact = replace(human(Document()), natural=0.0, floor=False)
    person = replace(exact, id="human", layers=(Layer(id="human_pose"),))
    return Document(actors=(arm(), box, person))


@pytest.fixture
def document() -> Document:
    return scene()


@pytest.fixture
def held(qapp: QApplication, document: Document) -> Iterator[Held]:
    apply_theme(qapp, dark)
    made = hold(document)
    make_states(made.session)
    yield made
    made.session.close()
    made.session.deleteLater()
    qapp.setStyleSheet("")


@pytest.fixture
def starting(qapp: QApplication, document: Document) -> Iterator[Held]:
    """A session whose engine has not been prepared yet."""
    made = hold(document, ready=False)
    make_states(made.session)
    yield made
    made.session.close()
    made.session.deleteLater()


def put_on_screen(panel: QWidget, qtbot: QtBot, *, width: int = 300, height: int = 600) -> None:
    panel.resize(width, height)
    qtbot.addWidget(panel)
    panel.show()
    panel.activateWindow()
    qtbot.waitUntil(panel.isActiveWindow)


def drawn(chart: ChartView, qtbot: QtBot) -> QImage:
    """A chart once pyqtgraph is loaded and has drawn it."""
    qtbot.waitUntil(lambda: bool(chart.grab()) and chart.is_drawn)
    return chart.grab().toImage()
