"""The first scene in the real window: gone through with mouse and keys, step by step, as its card asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.export.choices import Choices
from app.features.films.films import Films
from app.features.films.view.sheet import FilmSheet
from app.scene.panes import PERSPECTIVE
from app.session import Item
from app.shell.help_sheet import HelpSheet
from app.shell.start_page import StartPage
from app.shell.tour import Tour
from app.shell.tour_card import TourCard
from app.shell.tour_steps import STEPS
from app.style.apply import current_theme
from app.style.theme import THEMES
from engine.document.motion import TICKS_PER_SECOND
from engine.edits import edit
from tests.app.shell.answers import Answers
from tests.gui.test_grabbing import at, drag_body, is_over
from tests.gui.test_window import canvas_of, press
from tests.one_window import OneWindow
from tests.stage import Stage, drag

pytestmark = pytest.mark.gui

LEFT = Qt.MouseButton.LeftButton
HAND, FOOT, PELVIS = "wrist_left", "ankle_left", "pelvis"


@pytest.fixture
def opened(the_window: OneWindow, unhurried: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """A step that was done is not looked at for as long as a person is given."""
    monkeypatch.setattr("app.shell.tour.PAUSE", 50)  # [ms]
    with the_window.begun(questions=Answers()) as open_stage:
        reaching = open_stage.session.reaching
        open_stage.until(lambda: reaching.ready)
        yield open_stage
        open_stage.window.of(Films).exports.clear()
        for sheet in open_stage.window.findChildren(FilmSheet):
            sheet.close()


def click(widget: QWidget) -> None:
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center())


def start_page(opened: Stage) -> StartPage:
    """By the menu, as a person would."""
    opened.window.menus.actions["help.start_page"].trigger()
    opened.until(lambda: any(page.isVisible() for page in opened.window.findChildren(StartPage)))
    return next(page for page in opened.window.findChildren(StartPage) if page.isVisible())


def begin(opened: Stage) -> Tour:
    """From the menu."""
    opened.window.menus.actions["help.tour"].trigger()
    opened.until(lambda: opened.window.tour is not None)
    opened.settle()
    return tour_of(opened)


def tour_of(opened: Stage) -> Tour:
    assert opened.window.tour is not None
    return opened.window.tour


def me(opened: Stage) -> str:
    return opened.session.document.actors[0].id


def turn_view(opened: Stage) -> None:
    """Alt and the left button, over empty ground."""
    canvas = canvas_of(opened)
    points = [opened.widget_at(canvas, share, 0.12) for share in (0.5, 0.53, 0.56, 0.6)]
    drag(canvas, points, modifiers=Qt.KeyboardModifier.AltModifier)


def drag_joint(opened: Stage, joint: str, right: int, down: int) -> None:
    drag_body(opened, joint, right, down, PERSPECTIVE, me(opened))


def beside_mark(opened: Stage, joint: str, view: int) -> QPoint:
    """A point of the canvas over a body, where no round mark is."""
    middle_of = at(opened, joint, view, me(opened))
    ways = ((1, 0), (-1, 0), (0, 1), (0, -1))
    around = (middle_of + QPoint(far * x, far * y) for far in range(0, 40, 2) for x, y in ways)
    return next(each for each in around if is_over(opened, each, me(opened), joint) and not marked(opened, each))


def marked(opened: Stage, point: QPoint) -> bool:
    return opened.view.marker_at(point.toPointF()) is not None


def lock_foot(opened: Stage) -> None:
    """A click on the foot, then the key."""
    QTest.mouseClick(canvas_of(opened), LEFT, pos=beside_mark(opened, FOOT, PERSPECTIVE))
    opened.until(lambda: opened.session.selection.active == Item(me(opened), FOOT))
    press(opened, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    opened.until(lambda: bool(opened.session.document.actors[0].locks))
    opened.settle()


def set_key(opened: Stage) -> None:
    before = opened.session.document
    press(opened, Qt.Key.Key_S)
    opened.until(lambda: opened.session.document is not before)


def go_on(opened: Stage) -> None:
    """A second to the right along the ruler."""
    ruler = opened.window.transport.ruler
    y = ruler.height() // 2
    drag(ruler, [QPoint(round(ruler.x_of(round(share * TICKS_PER_SECOND))), y) for share in (0.0, 0.3, 0.6, 1.0)])
    opened.settle()


def play(opened: Stage) -> None:
    press(opened, Qt.Key.Key_Space)
    opened.until(lambda: opened.session.player.playing)


def export(opened: Stage) -> None:
    """A small video, of three frames."""
    opened.session.player.pause()
    opened.window.prefer(film=Choices(width=64, height=48, samples=1))
    opened.session.do(edit("set_play_range", start=0, end=TICKS_PER_SECOND // 15))
    opened.settle()
    with TemporaryDirectory() as folder:
        assert isinstance(opened.asked.whom, Answers)
        opened.asked.whom.place = Path(folder) / "mine.mp4"
        press(opened, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
        opened.until(lambda: bool(opened.window.findChildren(FilmSheet)))
        (sheet,) = opened.window.findChildren(FilmSheet)
        opened.until(sheet.choose.isEnabled)
        click(sheet.choose)
        exports = opened.window.of(Films).exports
        opened.until(lambda: bool(exports.exports) and not exports.busy)


DEEDS: tuple[Callable[[Stage], None], ...] = (
    turn_view,
    partial(drag_joint, joint=HAND, right=24, down=-60),
    lock_foot,
    partial(drag_joint, joint=PELVIS, right=0, down=24),
    set_key,
    go_on,
    partial(drag_joint, joint=PELVIS, right=0, down=-24),
    play,
    export,
)


def test_the_first_scene_is_gone_through_by_doing_what_it_says_and_remembered(opened: Stage) -> None:
    page = start_page(opened)
    assert page.tour.isDefault(), "a newcomer's eye is led to it"
    click(page.tour)
    opened.until(lambda: opened.window.tour is not None)
    opened.settle()
    tour = tour_of(opened)
    places: list[int] = []
    opened.hear(tour.moved, places.append)
    assert len(DEEDS) == len(STEPS)
    for number, deed in enumerate(DEEDS, 1):
        assert tour.card.progress.text() == f"First scene · {number} of {len(STEPS)}"
        assert tour.card.title.text() == STEPS[number - 1].title
        deed(opened)
        assert not tour.card.tick.isHidden() or tour.at == number
        opened.until(lambda number=number: tour.at == number)  # type: ignore[misc]
    assert places == list(range(1, len(STEPS) + 1)), "no step was left out"
    assert opened.window.preferences.tour_done
    foot = opened.session.document.actors[0].locks[0]
    assert (foot.joint, foot.held) == (FOOT, "point")
    assert len({key.time for track in opened.session.document.actors[0].layers[0].tracks for key in track.keys}) == 2
    click(tour.card.end_button)
    opened.until(lambda: opened.window.tour is None)
    assert len(opened.view.panes()) == 4, "the views are as they were"
    assert not start_page(opened).tour.isDefault()


def test_doing_something_else_is_told_and_the_step_stays(opened: Stage) -> None:
    tour = begin(opened)
    opened.window.menus.actions["help.tour_skip"].trigger()
    drag_joint(opened, "head", 8, 12)
    assert "Now take a hand" in tour.card.aside.text()
    assert tour.at == 1
    drag_joint(opened, HAND, 20, -40)
    assert tour.card.aside.isHidden()
    opened.until(lambda: tour.at == 2)


def test_steps_are_gone_back_over_skipped_and_ended_without_the_mouse(opened: Stage) -> None:
    tour, menus = begin(opened), opened.window.menus
    assert not tour.card.back_button.isEnabled()
    tour.card.skip_button.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.keyClick(tour.card.skip_button, Qt.Key.Key_Return)
    assert tour.at == 1
    QTest.keyClick(tour.card.skip_button, Qt.Key.Key_Tab, Qt.KeyboardModifier.ShiftModifier)
    opened.until(tour.card.back_button.hasFocus)
    QTest.keyClick(tour.card.back_button, Qt.Key.Key_Return)
    assert tour.at == 0
    for name, place in (("tour_skip", 1), ("tour_skip", 2), ("tour_back", 1)):
        menus.actions[f"help.{name}"].trigger()
        assert tour.at == place
    QTest.keyClick(tour.card.skip_button, Qt.Key.Key_Escape)
    opened.until(lambda: opened.window.tour is None)
    assert not opened.window.preferences.tour_done
    assert not menus.actions["help.tour_end"].isEnabled()
    begin(opened)
    menus.actions["help.tour_end"].trigger()
    opened.until(lambda: opened.window.tour is None)


def test_the_first_scene_waits_for_its_new_document_behind_what_is_done_before(opened: Stage) -> None:
    session = opened.session
    gesture = session.begin_gesture("Drag")
    session.do(edit("remove_actor", actor=me(opened)))
    opened.window.menus.actions["help.tour"].trigger()
    assert opened.window.tour is None
    gesture.cancel()
    opened.until(lambda: opened.window.tour is not None)
    assert (len(session.history.entries), len(session.document.actors)) == (1, 1)
    opened.settle()
    session.do(edit("rename_actor", actor=me(opened), name="Ann"))
    assert len(opened.window.findChildren(Tour)) == 1


def test_opening_something_else_ends_the_first_scene(opened: Stage) -> None:
    begin(opened)
    opened.session.exchange.open_example("lamp")
    opened.until(lambda: opened.window.tour is None)
    assert not [card for card in opened.window.findChildren(TourCard) if card.isVisible()]


@pytest.mark.parametrize(
    "theme", ["contrast", *(pytest.param(each, marks=pytest.mark.deep) for each in ("light", "dark"))]
)
def test_the_card_is_whole_and_lies_over_no_body_in_any_theme_and_large_text(opened: Stage, theme: str) -> None:
    """Each theme that is put on or taken off is worked out for every widget, for more than a second."""
    opened.window.prefer(theme=theme, text_scale=1.25)
    assert current_theme() is THEMES[theme]
    tour = begin(opened)
    check_card(opened, tour)
    tour.end()


def check_card(opened: Stage, tour: Tour) -> None:
    """Its texts and buttons are whole, and it lies over no joint that a step is about, at each step."""
    card = tour.card
    for _ in STEPS:
        for label in (card.progress, card.title, card.text):
            assert label.height() >= label.heightForWidth(label.width()) > 0 or not label.wordWrap()
            assert card.rect().contains(label.geometry())
        for button in (card.back_button, card.skip_button):
            assert card.rect().contains(button.geometry())
            assert button.width() >= button.sizeHint().width()
        corner = opened.view.mapTo(opened.window, QPoint(0, 0))
        assert opened.view.rect().translated(corner).contains(card.geometry())
        for joint in (HAND, FOOT, PELVIS, "head"):
            place = canvas_of(opened).mapTo(opened.window, at(opened, joint, PERSPECTIVE, me(opened)))
            assert not card.geometry().contains(place), joint
        tour.skip()
    assert not card.end_button.isHidden()


def test_f1_over_the_card_tells_of_the_first_scene(opened: Stage) -> None:
    tour = begin(opened)
    QCursor.setPos(tour.card.mapToGlobal(tour.card.text.geometry().center()))
    press(opened, Qt.Key.Key_F1)
    opened.until(lambda: any(each.isVisible() for each in opened.window.findChildren(HelpSheet)))
    sheet = next(each for each in opened.window.findChildren(HelpSheet) if each.isVisible())
    assert sheet.text.toPlainText().startswith("First scene")
    sheet.close()
