"""Documents and held sessions for the tests of the session."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication

from engine.document import Actor, Box, Document, Dof, Figure, Joint, Layer, prop
from tests.app.session.held import Held, hold


def small_document() -> Document:
    """An arm of two hinges, and a box."""
    shapes = (Box(half=(0.05, 0.2, 0.05)),)
    upper = Joint(
        id="upper", name="Upper", dofs=(Dof(id="upper.turn", name="Turn", lower=-1.0, upper=1.0),), shapes=shapes
    )
    lower = Joint(id="lower", name="Lower", parent="upper", dofs=(Dof(id="lower.turn", name="Turn"),), shapes=shapes)
    figure = Figure(name="Arm", joints=(upper, lower))
    arm = Actor(id="arm", name="Arm", figure=figure, layers=(Layer(id="pose"),))
    box = Actor(id="box", name="Box", figure=prop("Box", shapes))
    return Document(actors=(arm, box))


@pytest.fixture
def document() -> Document:
    return small_document()


@pytest.fixture
def held(qapp: QCoreApplication, document: Document) -> Iterator[Held]:
    made = hold(document)
    yield made
    made.session.close()
    made.session.deleteLater()


@pytest.fixture
def starting(qapp: QCoreApplication, document: Document) -> Iterator[Held]:
    """A session whose engine has not been prepared yet."""
    made = hold(document, ready=False)
    yield made
    made.session.close()
    made.session.deleteLater()
