"""Curves of the graph editor and of the last solve become files, from the menu and by the disk."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.features.method.panel import MethodPanel
from app.session import Item
from app.style.export_button import ExportButton
from app.timeline.graph.panel import CurvesPanel
from engine.document import Span
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.edits import edit
from tests.app.shell.answers import Answers
from tests.gui.test_curves import keyed
from tests.gui.test_reaching import pull, ready
from tests.gui.test_scenery import choose
from tests.one_window import OneWindow
from tests.stage import Stage

pytestmark = [pytest.mark.gui, pytest.mark.usefixtures("unhurried")]
SUFFIXES = (".csv", ".npz", ".svg")
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def answers() -> Answers:
    return Answers()


@pytest.fixture
def opened(the_window: OneWindow, answers: Answers) -> Iterator[Stage]:
    with the_window.begun(keyed(), questions=answers) as begun:
        yield begun


def graph_of(opened: Stage) -> CurvesPanel:
    """The Curves panel with the left elbow."""
    panel = opened.window.docks["curves"].widget()
    assert isinstance(panel, CurvesPanel)
    opened.window.show_panel("curves")
    opened.session.select([Item(opened.session.document.actors[0].id, "elbow_left")])
    opened.until(lambda: panel.is_current and bool(panel.graph.seen))
    return panel


def exported(opened: Stage, answers: Answers, path: Path, action: str) -> Path:
    """What an action of the menu writes."""
    answers.place = path
    choose(opened, action)
    opened.until(lambda: opened.session.at_rest and path.exists())
    assert answers.asked[-1].endswith(path.suffix)
    return path


def numbers(path: Path) -> tuple[list[str], np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    """Titles and columns of any of the three, the axis first."""
    if path.suffix == ".csv":
        head, *rows = csv.reader(path.read_text(encoding="utf-8").splitlines())
        return head, np.array([[float(cell or "nan") for cell in row] for row in rows]).T
    if path.suffix == ".npz":
        with np.load(path, allow_pickle=False) as found:
            pairs = zip(found["labels"].tolist(), found["units"].tolist(), strict=True)
            titles = [str(found["axis"]), *(f"{label} [{unit}]" if unit else label for label, unit in pairs)]
            return titles, np.vstack((found["places"], found["values"].T))
    root = ElementTree.parse(path).getroot()
    points = [[pair.split(",") for pair in each[0].attrib["d"][1:].split()] for each in root.findall(f"{SVG}g")]
    told = [text.text or "" for text in root.iter(f"{SVG}text")]
    columns = [np.array([float(y) for _, y in line]) for line in points]
    longest = max(len(column) for column in columns)
    padded = [np.append(column, np.full(longest - len(column), np.nan)) for column in columns]
    axis = next(np.array([float(x) for x, _ in line]) for line in points if len(line) == longest)
    return told, np.vstack((axis, *padded))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_curves_of_keys_are_written_as_they_are_drawn(
    opened: Stage, answers: Answers, tmp_path: Path, suffix: str
) -> None:
    graph = graph_of(opened).graph
    path = exported(opened, answers, tmp_path / f"keys{suffix}", f"file.keys_{suffix[1:]}")
    titles, columns = numbers(path)
    assert "time [s]" in titles
    assert any("flexion [rad]" in each.casefold() for each in titles), "units stand in the header"
    curve = next(each for each in graph.curves.curves if each.channel.coordinate == "elbow_left.flexion")
    row = 1 + list(graph.seen).index(graph.curves.place_of[curve.channel])
    assert columns.shape[1] == 4 * 30 + 1, "every frame of what is played"
    drawn = [curve.value_at(round(time * SECOND)) for time in columns[0].tolist()]
    np.testing.assert_allclose(columns[row], drawn, rtol=0.0, atol=1e-12)
    assert columns[row, 30] == pytest.approx(1.5)


def solved(opened: Stage) -> MethodPanel:
    """The Method panel once a hand was pulled."""
    panel = opened.window.docks["method"].widget()
    assert isinstance(panel, MethodPanel)
    opened.window.show_panel("method")
    if not panel.answer.plot.lines:
        opened.window.menus.refresh()
        assert not opened.window.menus.actions["file.solve_csv"].isEnabled(), "nothing was solved yet"
        opened.until(lambda: opened.session.reaching.ready, patience=300.0)  # kernels may have to be compiled
        ready(opened)
        pull(opened, "hand_left", 20, -50)
    return panel


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_residuals_of_a_solve_are_written_against_its_iterations(
    opened: Stage, answers: Answers, tmp_path: Path, suffix: str
) -> None:
    panel = solved(opened)
    line = panel.answer.plot.lines[0]
    path = exported(opened, answers, tmp_path / f"solve{suffix}", f"file.solve_{suffix[1:]}")
    titles, columns = numbers(path)
    assert "iteration" in titles
    assert any(line.name in each for each in titles)
    assert columns[0].tolist() == list(range(1, len(line.values) + 1))
    expected = np.log10(np.maximum(line.values, 1e-12)) if suffix == ".svg" else np.array(line.values)
    np.testing.assert_allclose(columns[1], expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["curves", "method"])
def test_the_disk_of_a_panel_exports_what_it_shows(opened: Stage, answers: Answers, tmp_path: Path, name: str) -> None:
    solved(opened)
    graph_of(opened)
    opened.window.show_panel(name)
    panel = opened.window.docks[name].widget()
    button = panel.findChild(ExportButton)
    assert isinstance(button, ExportButton)
    assert button.isEnabled()
    answers.place = tmp_path / "shown.npz"
    menu = button.menu()
    menu.popup(opened.window.mapToGlobal(QPoint(300, 300)))
    opened.until(menu.isVisible)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(menu.actions()[1]).center())
    menu.close()
    opened.until(lambda: opened.session.at_rest and (tmp_path / "shown.npz").exists())


def test_a_folder_in_the_way_is_named_and_nothing_is_written(opened: Stage, answers: Answers, tmp_path: Path) -> None:
    graph_of(opened)
    (tmp_path / "keys.csv").mkdir()
    answers.place = tmp_path / "keys.csv"
    choose(opened, "file.keys_csv")
    opened.until_told("", kind="error")
    assert "it is a folder" in opened.session.log[-1].text
    assert [each.name for each in tmp_path.iterdir()] == ["keys.csv"]
    assert list((tmp_path / "keys.csv").iterdir()) == []


def test_what_is_played_is_what_is_written(opened: Stage, answers: Answers, tmp_path: Path) -> None:
    graph_of(opened)
    opened.session.do(edit("set_play_range", start=SECOND, end=2 * SECOND))
    opened.settle()
    try:
        assert opened.session.document.play == Span(start=SECOND, end=2 * SECOND)
        _, columns = numbers(exported(opened, answers, tmp_path / "some.csv", "file.keys_csv"))
        assert (columns[0, 0], columns[0, -1], columns.shape[1]) == (1.0, 2.0, 31)
    finally:
        opened.session.undo()
        opened.settle()
