"""A capture put onto the human in the real window: from a file in one go, and by the card with its table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox

from app.features.keys.panel import KeysPanel
from app.session import Item
from app.session.actors import new_document
from engine.commands.retarget import Retargeted
from engine.formats.format import Contents, Options
from engine.formats.motion_toml import load_motion
from engine.formats.table import by_suffix
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """Our own wave as a BVH file holds it, half a second of it."""
    path, contents = tmp_path / "wave.bvh", load_motion("wave")
    format = by_suffix(path)
    assert format is not None
    assert format.write is not None
    layers = tuple(
        replace(layer, tracks=tuple(replace(each, keys=each.keys[:2]) for each in layer.tracks))
        for layer in contents.layers
    )
    format.write(path, Contents(figure=contents.figure, layers=layers, rate=(30, 1)), Options(rate=(30, 1)))
    return path


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(new_document()) as open_stage:
        open_stage.session.select([Item(open_stage.session.document.actors[0].id)])
        yield open_stage


def test_two_steps_lead_from_a_file_to_the_motion_on_the_human(
    opened: Stage, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened.session
    monkeypatch.setattr(opened.window.questions, "which_file", lambda folder, then: then(capture))
    before = session.document
    opened.window.menus.actions["keys.retarget_file"].trigger()
    opened.until(lambda: session.document is not before and session.at_rest)
    (human,) = session.document.actors
    layer = human.layers[-1]
    assert layer.name == "wave"
    assert layer.samples is not None
    assert np.ptp(layer.samples.values.array, axis=0).max() > 0.3
    session.undo()
    opened.until(lambda: session.document.actors == before.actors)


def test_the_card_shows_the_map_which_can_be_changed_and_kept(opened: Stage, capture: Path, tmp_path: Path) -> None:
    session = opened.session
    session.exchange.open(capture)
    opened.until(lambda: len(session.document.actors) == 2 and session.at_rest)
    human, wave = session.document.actors
    session.select([Item(wave.id)])
    opened.window.menus.actions["keys.retarget"].trigger()
    opened.settle()
    panel = opened.window.docks["keys"].widget()
    assert isinstance(panel, KeysPanel)
    card = panel.retargeting
    assert card is not None
    assert (card.source.currentText(), card.target.currentText()) == ("wave", human.name)
    assert ("Left_knee", "knee_left") in card.table.pairs
    card.save_map(tmp_path / "wave.joints")
    opened.until(lambda: card.look.isVisible())
    QTest.mouseClick(card.look, Qt.MouseButton.LeftButton)
    opened.until(lambda: isinstance(card.trial.report, Retargeted))
    assert session.document.actors[0].layers == human.layers  # shown, not kept
    items = [card.table.item(at, 1) for at in range(card.table.rowCount())]
    knee = next(each for each in items if each is not None and each.text() == "Left_knee")
    card.table.editItem(knee)
    box = card.table.findChild(QComboBox)
    assert box is not None
    box.setCurrentText("–")
    box.activated.emit(0)
    assert "knee_left" not in {b for _, b in card.table.pairs}
    card.load_map(tmp_path / "wave.joints")
    assert ("Left_knee", "knee_left") in card.table.pairs
    opened.until(lambda: isinstance(card.trial.report, Retargeted))
    QTest.mouseClick(card.keeping.apply, Qt.MouseButton.LeftButton)
    opened.until(lambda: not card.trial.open and session.at_rest)
    assert session.document.actors[0].layers[-1].name == "wave"
