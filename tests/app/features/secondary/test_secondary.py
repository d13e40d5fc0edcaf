"""The dock of secondary motion: whose it is, what is said where nothing can swing, and edits that its fields make."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.features.secondary.convergence import ConvergencePlot
from app.features.secondary.current_secondary import KEY, CurrentSecondary
from app.features.secondary.current_targets import CurrentTargets
from app.features.secondary.panel import SecondaryPanel
from app.features.secondary.response import UNITS
from app.features.secondary.targets import TargetsSection
from app.features.secondary.touching import KEY as TOUCHING
from app.session.selection import Item
from app.style.apply import current_theme
from app.style.chart import TOP
from app.style.fonts import SMALL, number_font
from engine.document import Attachment, Secondary, Target
from engine.document.correction import Bell, Term, correction_of
from engine.document.presets import PRESETS
from engine.document.ticks import TICKS_PER_SECOND
from engine.edits import edit
from engine.kinodynamics.queries.find_touching import TouchingFound, TouchingWanted
from engine.kinodynamics.queries.suggest_window import WindowFound, WindowWanted
from tests.app.features.conftest import drawn, put_on_screen
from tests.app.session.held import Held, deliver


@pytest.fixture
def panel(held: Held, qtbot: QtBot) -> SecondaryPanel:
    made = SecondaryPanel(held.session)
    put_on_screen(made, qtbot, width=320, height=800)
    return made


def click(widget: QWidget) -> None:
    place = QPoint(8, widget.height() // 2) if isinstance(widget, QCheckBox) else widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


def switched_on(held: Held) -> Secondary:
    held.session.select([Item("human")])
    held.session.do(edit("set_secondary", actor="human", on=True))
    return secondary(held)


def secondary(held: Held) -> Secondary:
    found = held.session.document.actor("human").secondary
    assert found is not None
    return found


def test_it_says_that_what_weighs_nothing_goes_where_its_keys_are(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    assert not panel.about.text()
    document = held.session.document
    human = document.actor("human")
    bare = tuple(replace(joint, shapes=(), body=None) for joint in human.figure.joints)
    weightless = replace(human, id="light", name="Captured", figure=replace(human.figure, joints=bare))
    held.session.do(edit("add_actor", actor=weightless))
    held.session.select([Item("light")])
    assert "Captured weighs nothing" in panel.about.text()
    assert panel.on.isEnabled()


def test_it_says_what_is_missing(held: Held, panel: SecondaryPanel) -> None:
    assert "Select a figure" in panel.about.text()
    assert not panel.on.isEnabled()
    held.session.select([Item("box")])
    assert "of one piece" in panel.about.text()
    assert not panel.on.isEnabled()
    hung = Attachment(id="hung", joint="body", target="arm", target_joint="elbow")
    held.session.do(edit("attach_actor", actor="box", attachment=hung))
    assert "of one piece" in panel.about.text(), "it is where it hangs, whatever its gains"
    assert not panel.on.isEnabled()
    held.session.select([Item("human")])
    assert panel.on.isEnabled()
    assert "weighs nothing" not in panel.about.text()
    assert "exactly where its keys are" in panel.about.text()
    assert not any(section.isVisible() for section in panel.sections.values())
    held.session.do(edit("set_secondary", actor="human", on=True))
    held.session.do(edit("freeze_actor", actor="human", frozen=True))
    assert "frozen" in panel.about.text()
    assert not panel.on.isEnabled()
    assert not panel.sections["all"].isEnabled()


def test_it_is_switched_on_and_off_each_as_one_entry(held: Held, panel: SecondaryPanel) -> None:
    held.session.select([Item("human")])
    before = held.session.document
    click(panel.on)
    assert secondary(held) == Secondary(on=True)
    assert panel.sections["all"].isVisible()
    assert not panel.sections["chosen"].isVisible()
    click(panel.on)
    assert not secondary(held).on
    held.session.undo()
    held.session.undo()
    assert held.session.document is before


def test_a_gain_is_dragged_as_one_gesture_and_reset(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    slider, reset = panel.gains[False].numbers.fields["tension"], panel.gains[False].numbers.resets["tension"]
    assert not reset.isEnabled()
    said = panel.gains[False].about.text()
    slider.setFocus()
    QTest.keyPress(slider, Qt.Key.Key_Right)
    held.worker.answer("preview", newest=True)
    assert held.session.shown is not held.session.document
    assert panel.gains[False].about.text() != said
    QTest.keyRelease(slider, Qt.Key.Key_Right)
    assert secondary(held).gains.tension > 4.0
    assert held.session.history.entries[-1].label == "Tension of all joints"
    assert reset.isEnabled()
    click(reset)
    held.worker.answer("preview", newest=True)
    assert secondary(held).gains.tension == 4.0


def test_selected_joints_have_gains_of_their_own_until_they_are_reset(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    held.session.select([Item("human", "elbow_left"), Item("human", "elbow_right")])
    fields = panel.gains[True]
    assert panel.sections["chosen"].isVisible()
    assert not fields.as_all.isEnabled()
    click(fields.exact)
    assert {each.joint for each in secondary(held).own} == {"elbow_left", "elbow_right"}
    assert not fields.numbers.fields["tension"].isEnabled()
    click(fields.exact)
    for name, key in (("damping", Qt.Key.Key_Right), ("gravity", Qt.Key.Key_Left)):
        fields.numbers.fields[name].setFocus()
        QTest.keyClick(fields.numbers.fields[name], key)
        held.worker.answer("preview", newest=True)
    own = secondary(held).own_of["elbow_left"]
    assert own.damping is not None
    assert own.damping > 0.5
    assert own.gravity is not None
    click(fields.numbers.resets["damping"])
    assert secondary(held).own_of["elbow_right"].damping is None
    assert secondary(held).own_of["elbow_right"].gravity == own.gravity
    click(fields.as_all)
    assert secondary(held).own == ()


def test_presets_are_of_all_or_of_the_selected_joints(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    held.session.select([Item("human", "elbow_left")])
    assert tuple(panel.gains[True].presets) == PRESETS
    click(panel.gains[True].presets["tired"])
    assert [each.joint for each in secondary(held).own] == ["elbow_left"]
    click(panel.gains[False].presets["tense"])
    count = len(secondary(held).own)
    assert count > 10
    assert f"{count} joints have gains of their own" in panel.gains[False].about.text()
    assert "Tense" not in panel.sections["chosen"].header.accessibleDescription()


def test_a_root_follows_exactly_and_says_so(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    held.session.select([Item("human", held.session.document.actor("human").figure.joints[0].id)])
    assert panel.gains[True].exact.isChecked()
    assert panel.gains[True].about.text() == "Follows its keys exactly."


def test_every_field_tells_its_range_its_unit_and_its_equation(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    assert panel.window_fields is not None
    sliders = [
        *panel.gains[False].numbers.fields.values(),
        panel.window_fields.form.fields["window"],
        panel.window_fields.form.fields["step"],
    ]
    for slider in sliders:
        tip = slider.toolTip()
        assert "From " in tip
        assert " to " in tip
        assert any(sign in tip for sign in ("=", "δ", "dt")), tip


def answered(held: Held, panel: SecondaryPanel, *, settled: float, bound: float | None) -> None:
    """As if the engine had found that."""
    request = next(each for each in reversed(held.worker.requests) if each.key == KEY)
    times = np.arange(301) / 100.0
    sizes = 0.1 * np.exp(-3.0 * times)
    wanted = WindowWanted(actor="human", bound=bound is not None)
    held.worker.publish(KEY, request.ticket, WindowFound(wanted, times, sizes, settled, "head", bound))
    deliver()


def test_a_window_that_is_found_is_shown_before_it_is_taken(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    fields = panel.window_fields
    assert fields is not None
    assert held.worker.waiting(KEY) == 1  # what becomes of a jolt
    click(fields.suggest)
    answered(held, panel, settled=0.62, bound=1.1)
    before = held.session.document
    assert fields.jolt.value.text() == "0.62 s"
    assert "the longest swings head" in fields.about.text()
    assert fields.bound.value.text() == "1.10 s"
    assert fields.plot.found is not None
    assert held.session.document is before
    click(fields.jolt.take)
    assert secondary(held).window == math.ceil(0.62 * TICKS_PER_SECOND)
    assert len(held.session.history.entries) == 3


@pytest.mark.parametrize(
    ("unit", "least", "largest"), [("angle", 0.01, 2.5), ("pixels", 1.0, 9876.0), ("length", 0.01, 0.2247)]
)
def test_the_number_at_the_axis_of_a_jolt_is_painted_whole(
    held: Held,
    panel: SecondaryPanel,
    qtbot: QtBot,
    unit: Literal["angle", "pixels", "length"],
    least: float,
    largest: float,
) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    assert panel.window_fields is not None
    plot, times = panel.window_fields.plot, np.arange(301) / 100.0
    wanted = WindowWanted(actor="human", unit=unit, least=least)
    plot.show_response(WindowFound(wanted, times, largest * np.exp(-3.0 * times), 0.6, "head", None))
    image, theme = drawn(plot, qtbot), current_theme()
    back, upper = image.pixelColor(0, image.height() - 1), range(TOP - 5, TOP + 9)
    frame = next(x for x in range(image.width()) if image.pixelColor(x, 70) == QColor(theme.field))
    inked = [x for x in range(frame) if any(image.pixelColor(x, y) != back for y in upper)]
    assert inked[-1] - inked[0] > 0.8 * QFontMetricsF(number_font(SMALL - 1)).horizontalAdvance(
        UNITS[unit].text(1.1 * largest)
    )
    assert inked[0] > 0


def test_what_never_rests_cannot_be_taken(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    fields = panel.window_fields
    assert fields is not None
    click(fields.suggest)
    answered(held, panel, settled=math.inf, bound=math.inf)
    assert "longer" in fields.jolt.value.text()
    assert fields.bound.value.text() == "never at rest"
    assert not fields.jolt.take.isEnabled()
    assert not fields.bound.take.isEnabled()


def test_a_jolt_is_worked_out_only_while_its_plot_is_seen(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    assert held.worker.waiting(KEY) == 0
    panel.sections["window"].header.set_unfolded(True)
    assert held.worker.waiting(KEY) == 1
    panel.sections["window"].header.set_unfolded(False)
    assert held.worker.waiting(KEY) == 0


def test_what_comes_before_the_first_key_is_chosen(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    assert panel.window_fields is not None
    lead = panel.window_fields.form.fields["lead"]
    lead.setFocus()
    QTest.keyClick(lead, Qt.Key.Key_Down)
    assert secondary(held).lead == "run_in"


def test_values_beyond_a_slider_are_shown_as_they_are(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    person = held.session.document.actor("human")
    assert person.secondary is not None
    held.session.do(edit("set_gains", actor="human", tension=900.0))
    assert panel.gains[False].numbers.fields["tension"].value == 900.0
    assert replace(secondary(held).gains, tension=4.0) == person.secondary.gains


def test_contact_is_switched_on_as_one_entry_and_off_again(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    assert panel.window_fields is not None
    box = panel.window_fields.form.fields["contact"]
    assert "jumps" in box.toolTip()
    before = held.session.document
    click(box)
    assert secondary(held).contact
    assert held.session.history.entries[-1].edit == edit("set_secondary", actor="human", contact=True)
    held.session.undo()
    assert held.session.document is before
    assert not box.isChecked()


def test_it_is_said_what_touches_as_the_window_of_the_frame_begins(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    fields = panel.window_fields
    assert fields is not None
    assert held.worker.waiting(TOUCHING) == 0
    assert not fields.held.isVisible()
    click(fields.form.fields["contact"])
    assert held.worker.waiting(TOUCHING) == 1
    wanted = TouchingWanted(actor="human", time=held.session.playhead)
    for names, said in ((("Left toes",), "Left toes touches"), (("A", "B", "C", "D"), "A, b, c and 1 more touch")):
        request = next(each for each in reversed(held.worker.requests) if each.key == TOUCHING)
        held.worker.publish(TOUCHING, request.ticket, TouchingFound(wanted, names))
        deliver()
        assert fields.held.isVisible()
        assert said in fields.held.text()
        held.session.set_playhead(held.session.playhead + TICKS_PER_SECOND)
    click(fields.form.fields["contact"])
    assert not fields.held.isVisible()
    assert held.worker.waiting(TOUCHING) == 0


def test_nothing_is_said_of_what_touches_while_the_motion_plays(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    fields = panel.window_fields
    assert fields is not None
    click(fields.form.fields["contact"])
    request = next(each for each in reversed(held.worker.requests) if each.key == TOUCHING)
    wanted = TouchingWanted(actor="human", time=held.session.playhead)
    held.worker.publish(TOUCHING, request.ticket, TouchingFound(wanted, ("Left toes",)))
    deliver()
    assert fields.held.isVisible()
    held.session.player.play(0, TICKS_PER_SECOND, held.session.document.rate, 0)
    assert not fields.held.isVisible()
    held.session.player.pause()
    assert held.worker.waiting(TOUCHING) == 1


def test_every_button_of_targets_is_read_whole_at_the_docks_width(
    held: Held, panel: SecondaryPanel, qtbot: QtBot
) -> None:
    switched_on(held)
    panel.resize(300, 800)
    panel.sections["targets"].header.set_unfolded(True)
    section = panel.findChild(TargetsSection)
    assert section is not None
    panel.grab()
    buttons = section.findChildren(QPushButton)
    assert buttons
    qtbot.waitUntil(lambda: all(each.width() >= each.sizeHint().width() for each in buttons))


@pytest.mark.parametrize("width", [300, 340])
def test_all_of_the_dock_is_read_whole_at_its_usual_width_beside_a_scroll_bar(
    held: Held, panel: SecondaryPanel, qtbot: QtBot, width: int
) -> None:
    switched_on(held)
    held.session.select([Item("human", "elbow_left")])
    held.session.do(edit("add_targets", actor="human", targets=(Target(id="pose"),)))
    held.session.of(CurrentTargets).choose("pose")
    panel.resize(width, 500)
    for section in panel.sections.values():
        section.header.set_unfolded(True)
    qtbot.waitUntil(panel.area.verticalScrollBar().isVisible)
    panel.grab()
    ground, window = panel.area.widget(), panel.area.viewport()
    assert ground is not None
    qtbot.waitUntil(lambda: ground.width() == window.width())
    assert ground.minimumSizeHint().width() <= window.width()
    words = [each for each in panel.findChildren(QLabel) if each.wordWrap() and each.isVisible()]
    assert len(words) >= 3
    qtbot.waitUntil(lambda: all(each.height() >= each.heightForWidth(each.width()) for each in words))
    for box in panel.findChildren(QCheckBox):
        if box.isVisible():
            assert box.width() >= box.sizeHint().width(), box.text()
    fields = panel.window_fields
    assert fields is not None
    assert fields.leasts["angle"].width() >= fields.form.fields["window"].width() - 1, "its name is as whole as others'"


def test_a_window_is_reset_only_where_it_is_another_than_the_usual(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["window"].header.set_unfolded(True)
    fields = panel.window_fields
    assert fields is not None
    assert not any(each.isEnabled() for each in fields.form.resets.values())
    held.session.do(edit("set_secondary", actor="human", window=TICKS_PER_SECOND))
    assert {name for name, each in fields.form.resets.items() if each.isEnabled()} == {"window"}
    click(fields.form.resets["window"])
    held.worker.answer("preview", newest=True)
    assert secondary(held).window == Secondary().window
    assert not fields.form.resets["window"].isEnabled()
    assert not fields.least_reset.isEnabled()
    fields.leasts["angle"].setFocus()
    QTest.keyClick(fields.leasts["angle"], Qt.Key.Key_Right)
    assert held.session.of(CurrentSecondary).least > math.radians(1.01)
    assert fields.least_reset.isEnabled()
    click(fields.least_reset)
    assert held.session.of(CurrentSecondary).least == pytest.approx(math.radians(1.0))
    assert not fields.least_reset.isEnabled()


def test_where_nothing_is_selected_it_is_about_the_first_that_has_any(held: Held, panel: SecondaryPanel) -> None:
    assert held.session.of(CurrentSecondary).owner is None
    held.session.do(edit("set_secondary", actor="human", on=True))
    assert panel.name.text == "Human"
    assert panel.on.isChecked()
    held.session.do(edit("add_targets", actor="human", targets=(Target(id="pose"),)))
    assert held.session.of(CurrentTargets).targets == secondary(held).targets
    click(panel.on)
    assert (panel.name.text, panel.on.isChecked()) == ("Human", False), "where it is switched off it can be switched on"
    held.session.select([Item("arm")])
    assert panel.name.text == "Arm"
    assert held.session.of(CurrentTargets).targets == ()


def test_the_list_is_as_high_as_its_targets_up_to_five(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["targets"].header.set_unfolded(True)
    section = panel.findChild(TargetsSection)
    assert section is not None
    heights = []
    for number in range(7):
        made = Target(id=f"pose {number}", time=number * TICKS_PER_SECOND)
        held.session.do(edit("add_targets", actor="human", targets=(made,)))
        panel.grab()
        heights.append(section.list.viewport().height())
    row = section.list.sizeHintForRow(0)
    assert heights == [row, 2 * row, 3 * row, 4 * row, 5 * row, 5 * row, 5 * row]


def test_it_is_said_where_the_correction_is_muted(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["targets"].header.set_unfolded(True)
    section = panel.findChild(TargetsSection)
    assert section is not None
    bell = Bell(time=TICKS_PER_SECOND, before=TICKS_PER_SECOND // 2, after=TICKS_PER_SECOND // 2)
    found = correction_of((Term(bell=bell, amplitudes=(("elbow_left.flexion", 0.3),)),))
    held.session.do(edit("add_targets", actor="human", targets=(Target(id="pose"),)))
    held.session.do(edit("set_correction", actor="human", layer="found", correction=found))
    assert "muted" not in section.told.text()
    held.session.do(edit("mute_layer", actor="human", layer="found", mute=True))
    assert "The correction is muted" in section.told.text()


def test_targets_are_met_only_where_one_is_on(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["targets"].header.set_unfolded(True)
    section = panel.findChild(TargetsSection)
    assert section is not None
    held.session.do(edit("add_targets", actor="human", targets=(Target(id="pose"),)))
    assert section.meet.isEnabled()
    held.session.do(edit("set_targets", actor="human", targets=("pose",), changes=(("on", False),)))
    assert not section.meet.isEnabled()


def test_a_pose_that_was_taken_stays_where_all_joints_are_chosen_again(held: Held, panel: SecondaryPanel) -> None:
    switched_on(held)
    panel.sections["targets"].header.set_unfolded(True)
    section = panel.findChild(TargetsSection)
    assert section is not None
    taken = Target(id="pose", values=(("elbow_left.flexion", 0.5),))
    held.session.do(edit("add_targets", actor="human", targets=(taken,)))
    held.session.of(CurrentTargets).choose("pose")
    before = held.session.document
    section.wanted.joints.activated.emit(0)
    assert held.session.document is before


@pytest.mark.parametrize(
    ("curve", "text"), [((3.0,), "no iteration"), ((3.0, 0.5), "1 iteration"), ((9.0, 3.0, 0.5), "2 iterations")]
)
def test_iterations_are_counted_in_words_that_fit(qtbot: QtBot, curve: tuple[float, ...], text: str) -> None:
    plot = ConvergencePlot()
    qtbot.addWidget(plot)
    plot.show_curve(curve)
    assert plot.count_text == text
    drawn(plot, qtbot)


@pytest.mark.parametrize(
    ("curve", "decades"),
    [
        ((3.0e5, 20.0, 0.5), (6, -1)),
        ((2.0, 0.02), (1, -2)),
        ((math.inf, math.nan, 4.0), (12, -1)),
        ((), (1, -1)),
    ],
)
def test_the_axis_of_a_search_ends_at_whole_powers_of_ten(
    qtbot: QtBot, curve: tuple[float, ...], decades: tuple[int, int]
) -> None:
    plot = ConvergencePlot()
    qtbot.addWidget(plot)
    plot.show_curve(curve)
    assert plot.decades == decades
    drawn(plot, qtbot)
