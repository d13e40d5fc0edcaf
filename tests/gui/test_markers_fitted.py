"""Captured markers in the real window: a figure fitted and scaled to them by the cards, and moved by files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.features.keys.panel import KeysPanel
from app.features.muscles.activating import usual_times
from app.session import Item
from app.shell.import_sheet import found_in_words
from engine.commands.bring_in import bring_in
from engine.commands.fit_markers import FittedMarkers, ScaledToMarkers
from engine.document import Blob, Document, Figure, Layer, Samples, Span
from engine.document.ticks import TICKS_PER_SECOND
from engine.formats import storage, trc
from engine.formats.format import Contents, Options
from engine.markers.scaled import scaled_figure
from engine.model.compile import compile_model
from tests.engine.markers.worn import RATE, actor_of, swaying, wearing
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = pytest.mark.gui
FRAMES = 12


def contents_of(figure: Figure) -> Contents:
    samples = Samples(coordinates=figure.coordinates, values=Blob(swaying(figure, FRAMES, part=0.3)), rate=RATE)
    return Contents(figure=figure, layers=(Layer(id="motion", samples=samples),), rate=RATE)


@pytest.fixture
def capture(tmp_path: Path) -> Path:
    """A motion of the worn stick figure as its markers were seen, with a gap."""
    path = tmp_path / "swaying.trc"
    trc.write(path, contents_of(wearing()), Options())
    lines = path.read_text().split("\n")
    lines[8] = "\t".join([*lines[8].split("\t")[:2], *("" for _ in range(3)), *lines[8].split("\t")[5:]])
    path.write_text("\n".join(lines))
    return path


@pytest.fixture
def opened(the_window: OneWindow) -> Iterator[Stage]:
    with the_window.begun(Document(actors=(actor_of(wearing()),))) as open_stage:
        open_stage.session.select([Item("worn")])
        yield open_stage


def panel_of(opened: Stage, action: str) -> KeysPanel:
    opened.window.menus.actions[action].trigger()
    opened.settle()
    panel = opened.window.docks["keys"].widget()
    assert isinstance(panel, KeysPanel)
    return panel


def imported(opened: Stage, path: Path) -> None:
    opened.session.exchange.open(path)
    opened.until(lambda: len(opened.session.document.actors) == 2 and opened.session.at_rest)


def test_the_card_fits_a_figure_to_imported_markers_by_weights(
    opened: Stage, capture: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = opened.session
    assert not opened.window.menus.actions["keys.fit_markers"].isEnabled()
    imported(opened, capture)
    card = panel_of(opened, "keys.fit_markers").fitting
    assert card is not None
    assert (card.source.currentText(), card.target.currentText()) == ("swaying", "Worn")
    weight = card.table.item(1, 1)
    assert weight is not None
    weight.setText("heavy")
    assert not card.keeping.apply.isEnabled()
    weight.setText("2.5")
    opened.until(lambda: card.look.isVisible() and card.look.isEnabled())
    QTest.mouseClick(card.look, Qt.MouseButton.LeftButton)
    opened.until(lambda: isinstance(card.trial.report, FittedMarkers))
    assert len(session.document.actor("worn").layers) == 1, "shown, not kept"
    assert card.found.text().startswith(f"{FRAMES} frames, {3 * len(wearing().joints)} markers: RMS 0.00 cm")
    error = card.table.item(1, 2)
    assert error is not None
    assert error.text() == "0.00 cm"
    errors = capture.with_suffix(".csv")
    monkeypatch.setattr(opened.window.questions, "where_to_save", lambda kind, suggested, then: then(errors))
    QTest.mouseClick(card.keep_errors, Qt.MouseButton.LeftButton)
    assert len(errors.read_text().splitlines()) == FRAMES + 1
    QTest.mouseClick(card.keeping.apply, Qt.MouseButton.LeftButton)
    opened.until(lambda: not card.trial.open and session.at_rest)
    layer = session.document.actor("worn").layers[-1]
    assert layer.samples is not None
    wanted = swaying(wearing(), FRAMES, part=0.3)
    places = [wearing().coordinate_index[name] for name in layer.samples.coordinates]
    np.testing.assert_allclose(layer.samples.values.array, wanted[:, places], atol=1e-6)
    session.undo()
    opened.until(lambda: len(session.document.actor("worn").layers) == 1)


def test_the_import_counts_markers_and_activations_are_asked_for_while_the_capture_lasts(capture: Path) -> None:
    document = Document(actors=(actor_of(wearing()),), play=Span(start=0, end=100 * TICKS_PER_SECOND))
    found = bring_in(capture)
    assert found_in_words(found).startswith(f"{3 * len(wearing().joints)} markers, {FRAMES} frames, ")
    assert found.actor is not None
    last = round((FRAMES - 1) * TICKS_PER_SECOND * RATE[1] / RATE[0])
    assert usual_times(document, found.actor) == (0, last)
    assert usual_times(document, document.actors[0]) == (0, 100 * TICKS_PER_SECOND)


def test_the_card_scales_a_figure_to_imported_markers(opened: Stage, tmp_path: Path) -> None:
    session, larger = opened.session, scaled_figure(wearing(), {each.id: 1.1 for each in wearing().joints})
    trc.write(tmp_path / "larger.trc", contents_of(larger), Options())
    imported(opened, tmp_path / "larger.trc")
    card = panel_of(opened, "keys.scale_markers").scaling
    assert card is not None
    opened.until(lambda: card.look.isVisible() and card.look.isEnabled())
    QTest.mouseClick(card.weighs, Qt.MouseButton.LeftButton)
    QTest.mouseClick(card.look, Qt.MouseButton.LeftButton)
    opened.until(lambda: isinstance(card.trial.report, ScaledToMarkers))
    assert "70.0 kg" in card.found.text()
    QTest.mouseClick(card.keeping.apply, Qt.MouseButton.LeftButton)
    opened.until(lambda: not card.trial.open and session.at_rest)
    found = session.document.actor("worn").figure
    assert found.joints[2].offset == pytest.approx(larger.joints[2].offset, abs=1e-3)


def test_a_file_of_markers_or_coordinates_moves_the_figure_at_once(
    opened: Stage, capture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session, figure = opened.session, wearing()
    table = tmp_path / "swaying.mot"
    storage.write(table, contents_of(figure), Options())
    for count, path in enumerate((capture, table), 2):
        monkeypatch.setattr(opened.window.questions, "which_file", lambda folder, then, path=path: then(path))
        opened.window.menus.actions["keys.retarget_file"].trigger()
        opened.until(lambda count=count: len(session.document.actor("worn").layers) == count and session.at_rest)
        layer = session.document.actor("worn").layers[-1]
        assert layer.samples is not None
        found = compile_model(figure).rest + np.zeros((FRAMES, 1))
        found[:, [figure.coordinate_index[name] for name in layer.samples.coordinates]] = layer.samples.values.array
        np.testing.assert_allclose(found, swaying(figure, FRAMES, part=0.3), atol=1e-6)
