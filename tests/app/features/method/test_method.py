"""The method panel: solvers and options from what they tell of themselves, what is asked, and the last answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QCheckBox, QComboBox
from pytestqt.qtbot import QtBot

from app.features.form import FieldForm, unit_of
from app.features.method.answer import NONE_YET
from app.features.method.curve import CurvePlot, ResidualLine
from app.features.method.panel import MethodFields, MethodPanel
from app.scene.look import rgb
from app.session import Grip
from app.session.history import Entry, History
from app.style.icon_button import IconButton
from app.style.theme import dark
from app.style.units import ANGLE
from app.style.value_slider import ValueSlider
from engine.commands.reach import Reach
from engine.evaluate.evaluator import Evaluator
from engine.ik.methods import Card, Method, Terms, card_of, describe_methods
from engine.runtime.options import About
from tests.app.features.conftest import drawn, put_on_screen, scene
from tests.app.scene.conftest import pixels
from tests.app.session.held import Held, hold

HAND, FOOT = Grip("human", "hand_left"), Grip("human", "foot_left")


@pytest.fixture(scope="module")
def cards() -> tuple[Card, ...]:
    *_, found = describe_methods()
    assert found is not None
    return found


@pytest.fixture
def held(qapp: QApplication) -> Iterator[Held]:
    """With the engine's real evaluator, so that requests are solved."""
    made = hold(scene())
    made.session.engine.evaluator = evaluator = Evaluator()
    made.session.engine.reach = Reach(evaluator)
    yield made
    made.session.close()
    made.session.deleteLater()


@pytest.fixture
def panel(held: Held, unhurried: None, cards: tuple[Card, ...], qtbot: QtBot) -> MethodPanel:
    held.session.reaching.take_cards(cards)
    made = MethodPanel(held.session)
    put_on_screen(made, qtbot, height=900)
    return made


def pull(held: Held, goal: tuple[float, float, float], grip: Grip = HAND) -> None:
    reaching = held.session.reaching
    assert reaching.pull(grip)
    reaching.move(goal)
    held.worker.answer("preview")
    reaching.let_go()
    while held.worker.waiting("preview"):  # one answer's time did not suffice: it goes on, and the last one is kept
        held.worker.answer("preview")


def unfold_method(panel: MethodPanel, name: str) -> MethodFields:
    {"solver": panel.solver, "compared": panel.compared}[name].header.set_unfolded(True)
    fields = panel.fields[name]
    assert isinstance(fields, MethodFields)
    return fields


def choose(box: QComboBox, text: str) -> None:
    """With the keys, as a person would."""
    box.setFocus()
    place = box.findText(text)
    assert place >= 0
    while box.currentIndex() != place:
        QTest.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < place else Qt.Key.Key_Up)


def test_the_folded_sections_say_what_is_chosen(panel: MethodPanel) -> None:
    said = [section.header.accessibleDescription() for section in panel.sections]
    assert "Levenberg-Marquardt" in said[0]
    assert "Usual, 1 mm" in said[1]
    assert "nothing" in said[2]
    assert panel.fields == {}, "nothing is made before it is unfolded"


def test_another_solver_is_chosen_and_shows_its_own_options(panel: MethodPanel, held: Held) -> None:
    fields = unfold_method(panel, "solver")
    choose(fields.choice, "Jacobian transpose, fixed step")
    assert held.session.reaching.method == Method(solver="transpose")
    assert fields.options is not None
    names = [slider.accessibleName() for slider in fields.options.findChildren(ValueSlider)]
    assert names == ["Step"]
    assert "Jacobian transpose" in panel.solver.header.accessibleDescription()


def test_an_option_that_is_moved_counts_at_once_and_is_reset(panel: MethodPanel, held: Held) -> None:
    fields = unfold_method(panel, "solver")
    assert fields.options is not None
    slider = next(each for each in fields.options.findChildren(ValueSlider) if each.accessibleName() == "Damping")
    slider.setFocus()
    QTest.keyClick(slider, Qt.Key.Key_Right)
    QTest.keyRelease(slider, Qt.Key.Key_Right)
    moved = dict(held.session.reaching.method.options)["damping"]
    assert isinstance(moved, float)
    assert moved > 0.05
    reset = next(each for each in fields.options.findChildren(IconButton) if each.toolTip() == "Reset: Damping")
    QTest.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert held.session.reaching.method.options == (("damping", 0.05),)
    assert not reset.isEnabled()


def test_every_option_has_a_field_with_its_note_and_range(cards: tuple[Card, ...], qtbot: QtBot) -> None:
    for card in (*cards, card_of("terms", Terms())):
        fields = FieldForm(card.options, lambda name, value: None)
        qtbot.addWidget(fields)
        fields.show_values({name: value for name, (_, value) in card.options.items()})
        for about, _ in card.options.values():
            shown = [widget for kind in (ValueSlider, QComboBox, QCheckBox) for widget in fields.findChildren(kind)]
            found = [each for each in shown if each.accessibleName() == about.label]
            assert len(found) == 1, (card.name, about.label)
            assert about.note in found[0].toolTip()
            assert "Usually" in found[0].toolTip()


def asked(held: Held) -> str:
    return held.session.reaching.terms.extent


def test_a_choice_among_words_is_taken_and_reset(panel: MethodPanel, held: Held) -> None:
    panel.terms.header.set_unfolded(True)
    fields = panel.fields["terms"]
    assert isinstance(fields, FieldForm)
    box = next(each for each in fields.findChildren(QComboBox) if each.accessibleName() == "What may move")
    choose(box, "Whole")
    assert asked(held) == "whole"
    reset = next(each for each in fields.findChildren(IconButton) if each.toolTip() == "Reset: What may move")
    QTest.mouseClick(reset, Qt.MouseButton.LeftButton)
    assert asked(held) == "usual"


def test_units_are_those_that_a_person_reads() -> None:
    assert unit_of(About(label="", note="", unit="rad"), 0.5) is ANGLE
    assert unit_of(About(label="", note="", unit="m", least=1e-6, most=0.1), 1e-3).text(1e-3) == "1 mm"
    assert unit_of(About(label="", note="", unit="m2", least=1e-12, most=1.0), 1e-6).text(1e-6).endswith("6 m²")
    assert not unit_of(About(label="", note="", least=0.0, most=1.0), 0.2).logarithmic
    assert unit_of(About(label="", note="", least=0.0, most=1.0), 1e-10).logarithmic
    assert unit_of(About(label="", note="", least=1.0, most=1000.0), 100, whole=True).text(100.0) == "100"


def test_the_answer_is_told_in_numbers(panel: MethodPanel, held: Held) -> None:
    held.session.reaching.toggle_held(FOOT)
    assert panel.answer.hint.isVisible()
    pull(held, (2.5, 1.2, 0.2))
    answer, reached = panel.answer, held.session.reaching.reached
    assert reached is not None
    assert not answer.hint.isVisible()
    assert answer.text_of("Answer") == "Nearest pose"
    assert answer.text_of("Time").endswith("µs")
    assert answer.text_of("Left hand").startswith("off by ")
    assert answer.text_of("Left foot") == "reached"
    assert int(answer.text_of("Iterations")) == reached.outcome.report.iterations
    assert reached.outcome.active
    assert all(name in answer.limits.text() for name in reached.outcome.active)


def test_constrained_motion_shows_the_forces_that_hold(panel: MethodPanel, held: Held) -> None:
    reaching = held.session.reaching
    choose(unfold_method(panel, "solver").choice, "Lagrange multipliers")
    assert reaching.method == Method(solver="multipliers")
    reaching.toggle_held(FOOT)
    pull(held, (2.5, 1.2, 0.2))
    assert panel.answer.text_of("Left foot") == "reached"
    assert re.fullmatch(r"Left ankle is held by \d[\d.]* N", panel.answer.forces.text())
    reaching.set_method(Method())
    pull(held, (2.5, 1.2, 0.2))
    assert not panel.answer.forces.isVisible()


def test_terms_that_no_method_heeds_are_not_shown(panel: MethodPanel, held: Held) -> None:
    panel.terms.header.set_unfolded(True)
    terms = panel.fields["terms"]
    assert isinstance(terms, FieldForm)

    def shown() -> set[str]:
        return {name for name, row in terms.rows.items() if not row.isHidden()}

    assert shown() == {each.name for each in fields(Terms)}
    held.session.reaching.set_method(Method(solver="multipliers"))
    assert shown() == {each.name for each in fields(Terms)} - {"preference", "gain"}
    held.session.reaching.compare_with(Method())
    assert shown() == {each.name for each in fields(Terms)}


def test_of_another_document_nothing_is_held_and_no_answer_told(panel: MethodPanel, held: Held) -> None:
    reaching, session = held.session.reaching, held.session
    reaching.toggle_held(HAND)
    pull(held, (0.4, 1.2, 0.3))
    assert panel.answer.plot.lines
    assert panel.answer.export.isEnabled()
    session.begin_with(History(scene(), Entry("Another")), None)
    assert not reaching.held
    assert reaching.reached is None
    assert panel.answer.hint.text() == NONE_YET
    assert not panel.answer.plot.lines
    assert not panel.answer.export.isEnabled()


def test_a_second_method_stands_beside_the_first(panel: MethodPanel, held: Held) -> None:
    choose(unfold_method(panel, "compared").choice, "Cyclic coordinate descent")
    pull(held, (0.4, 1.2, 0.3))
    assert panel.answer.text_of("Solver") == "Levenberg-Marquardt"
    assert panel.answer.text_of("Solver", 2) == "Cyclic coordinate descent"
    assert [line.second for line in panel.answer.plot.lines] == [False, True]
    choose(unfold_method(panel, "compared").choice, "Nothing")
    assert held.session.reaching.compared is None


def test_before_the_solvers_are_known_it_says_what_is_waited_for(held: Held, qtbot: QtBot) -> None:
    panel = MethodPanel(held.session)
    put_on_screen(panel, qtbot)
    assert "being prepared" in panel.waiting.text()
    assert not panel.solver.isEnabled()


def test_the_curve_is_logarithmic_and_ends_in_a_dot(styled_plot: CurvePlot, qtbot: QtBot) -> None:
    plot = styled_plot
    plot.show_lines([ResidualLine("one", (1.0, 1e-2, 1e-4)), ResidualLine("other", (0.5, 0.5), second=True)])
    assert (plot.powers, plot.longest) == ((-4, 0), 3)
    picture = pixels(drawn(plot, qtbot)).astype(int)
    rows, columns = np.nonzero(np.abs(picture - [round(255 * each) for each in rgb(dark.accent)]).max(axis=2) < 12)
    assert len(rows) > 100
    assert rows[np.argmax(columns)] > 0.7 * picture.shape[0], "the last residual stands at the bottom"
    plot.show_lines([ResidualLine("none", (0.0,))])
    assert plot.powers == (-12, -11)
    drawn(plot, qtbot)


@pytest.fixture
def styled_plot(qapp: QApplication, qtbot: QtBot) -> Iterator[CurvePlot]:
    from app.style.apply import apply_theme

    apply_theme(qapp, dark)
    plot = CurvePlot()
    qtbot.addWidget(plot)
    plot.resize(260, 132)
    yield plot
    qapp.setStyleSheet("")


def test_clicks_unfold_a_section(panel: MethodPanel) -> None:
    header = panel.solver.header
    QTest.mouseClick(header, Qt.MouseButton.LeftButton, pos=QPoint(30, header.height() // 2))
    assert "solver" in panel.fields


def test_what_is_only_tried_is_told_to_be_so(held: Held, panel: MethodPanel) -> None:
    pull(held, (0.4, 1.2, 0.3))
    assert not panel.answer.hint.isVisible()
    choose(unfold_method(panel, "solver").choice, "Jacobian transpose, fixed step")
    held.worker.answer("trial", newest=True)
    assert panel.answer.hint.isVisible()
    assert "stays as it was dragged" in panel.answer.hint.text()
    assert panel.answer.plot.lines[0].name == "Jacobian transpose, fixed step"
    choose(unfold_method(panel, "solver").choice, "Levenberg-Marquardt")
    held.worker.answer("trial", newest=True)
    assert not panel.answer.hint.isVisible()
