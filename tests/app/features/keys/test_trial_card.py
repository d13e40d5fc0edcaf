"""A change that is shown before it is kept: as it is being kept nothing alters it, and Esc on a slider gives back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.features.keys.trial_card import SHOWN, WORKED_OUT, TrialCard
from app.session import Item, Session
from app.session.gesture import EditOrCommand
from app.style.units import ANGLE
from engine.edits import edit
from tests.app.features.conftest import put_on_screen
from tests.app.session.held import Held

PREVIEW = "preview"


class Turning(TrialCard):
    """The elbow of what is selected."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.turn = self._slider("Turn", ANGLE, (0.0, 1.0), 0.5, "How far")
        self._lay_out(self.turn)
        self._show_state()

    def command(self) -> tuple[str, EditOrCommand] | str:
        if not self._session.selection.items:
            return "Nothing is selected."
        value = self.turn.value
        made = edit("set_value", actor="arm", layer="pose", coordinate="elbow.flexion", value=value)
        return f"Turn by {value:.2f}", made


@pytest.fixture
def card(held: Held, qtbot: QtBot) -> Turning:
    held.session.select([Item("arm")])
    made = Turning(held.session)
    put_on_screen(made, qtbot)
    return made


def show(card: Turning) -> None:
    command = card.command()
    assert not isinstance(command, str)
    card.trial.show(*command)


def drag(card: Turning, *, escape: bool) -> None:
    """The slider to the left, and Esc pressed before it is let go."""
    middle = card.turn.rect().center()
    QTest.mousePress(card.turn, Qt.MouseButton.LeftButton, pos=middle)
    for step in (10, 30):
        QTest.mouseMove(card.turn, middle - QPoint(step, 0))
    assert card.turn.is_open
    assert card.turn.value < 0.5
    if escape:
        card.turn.setFocus()
        QTest.keyClick(card.turn, Qt.Key.Key_Escape)
    QTest.mouseRelease(card.turn, Qt.MouseButton.LeftButton, pos=middle - QPoint(30, 0))


def flexion(held: Held) -> float | None:
    return dict(held.session.shown.actor("arm").layers[0].values).get("elbow.flexion")


def test_what_is_being_kept_is_kept_whatever_is_chosen_or_moved(held: Held, card: Turning) -> None:
    show(card)
    card.keeping.apply.click()
    assert card.trial.keeping
    assert card.keeping.said.text() == WORKED_OUT
    assert not card.keeping.apply.isEnabled()
    held.session.select([])
    card.refresh()
    drag(card, escape=False)
    drag_value = card.turn.value
    held.worker.answer(PREVIEW, newest=True)
    assert drag_value != 0.5
    assert flexion(held) == 0.5
    assert held.session.history.entries[-1].label == "Turn by 0.50"
    assert not card.trial.keeping


def test_esc_while_a_slider_is_dragged_gives_back_what_was_shown(held: Held, card: Turning) -> None:
    show(card)
    held.worker.answer(PREVIEW)
    drag(card, escape=True)
    held.worker.answer(PREVIEW, newest=True)
    assert card.turn.value == 0.5
    assert card.trial.open
    assert flexion(held) == 0.5
    assert card.keeping.said.text() == SHOWN


def test_esc_takes_away_what_the_drag_itself_began_to_show(held: Held, card: Turning) -> None:
    drag(card, escape=True)
    assert not card.trial.open
    assert flexion(held) is None
    assert not card.keeping.cancel.isEnabled()
