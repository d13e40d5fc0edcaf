"""The numbers of a limit's range: two hinges may have one name, and a reset goes back to what the limit was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.features.limits.numbers import RangeFields
from app.session.selection import Item
from engine.commands.shape_limit import ShapeLimit
from engine.document import Actor, Document, Dof, Figure, Joint, Limit
from engine.document.limit import BoxRange, Grid
from tests.app.features.conftest import put_on_screen
from tests.app.session.held import Held, hold

AXES = {"Y": (0.0, 1.0, 0.0), "Z": (0.0, 0.0, 1.0)}


def actor(id: str, size: float) -> Actor:
    """A ball joint about z, y and z in a box; the limits of all have the same id."""
    dofs = tuple(Dof(id=f"hip.{at}", name=name, axis=AXES[name]) for at, name in enumerate("ZYZ"))
    grid = Grid(counts=(8,) * 3, lower=(-1.5,) * 3, spacing=(0.4,) * 3, periodic=(False,) * 3)
    content = BoxRange(lower=(-size,) * 3, upper=(size, 2.0 * size, 3.0 * size))
    limit = Limit(id="limit", name="Hip", dofs=tuple(dof.id for dof in dofs), range=content, grid=grid)
    return Actor(
        id=id, name=id, figure=Figure(name="Hip", joints=(Joint(id="hip", name="Hip", dofs=dofs),), limits=(limit,))
    )


@pytest.fixture
def balls(qapp: QApplication) -> Iterator[Held]:
    made = hold(Document(actors=(actor("one", 0.2), actor("two", 0.4))))
    yield made
    made.session.close()
    made.session.deleteLater()


def show(held: Held, fields: RangeFields, id: str) -> None:
    held.session.select([Item(id, "hip")])
    figure = held.session.document.actor(id).figure
    fields.show_limit(figure, figure.limits[0])


def test_hinges_of_one_name_have_a_slider_each_and_each_moves_its_own(
    balls: Held, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = RangeFields(balls.session)
    show(balls, fields, "one")
    put_on_screen(fields, qtbot)
    assert [each.face.label for each in fields.sliders] == [
        f"{name}, {end}" for name in "ZYZ" for end in ("from", "to")
    ]
    assert [each.value for each in fields.sliders] == pytest.approx([-0.2, 0.2, -0.2, 0.4, -0.2, 0.6])
    wishes: list[object] = []
    monkeypatch.setattr("app.session.gesture.Gesture.preview", lambda gesture, command: wishes.append(command))
    fields.sliders[5].setFocus()
    QTest.keyClick(fields.sliders[5], Qt.Key.Key_End)
    (command,) = wishes
    assert isinstance(command, ShapeLimit)
    assert isinstance(command.range, BoxRange)
    assert command.range.upper[:2] == (0.2, 0.4)
    assert command.range.upper[2] > 6.0


def test_a_reset_goes_to_what_the_limit_was_that_is_seen(balls: Held, qtbot: QtBot) -> None:
    fields = RangeFields(balls.session)
    put_on_screen(fields, qtbot)
    for id, size in (("one", 0.2), ("two", 0.4)):
        show(balls, fields, id)
        first = fields.sliders[1]
        first.reset()
        assert first.value == pytest.approx(size)
