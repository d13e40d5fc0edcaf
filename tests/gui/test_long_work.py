"""What takes long on a capture of 100 s at 120 Hz, in the real window: told of, cancelled, nothing left half done."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QWidget

from app.features.keys.panel import KeysPanel
from app.session import Item, JobState
from app.session.session import PREVIEW
from engine.command import Underway
from engine.document import Actor, Blob, Document, Key, Layer, Samples, Track
from engine.document.motion import TICKS_PER_SECOND as SECOND
from tests.benchmarks.motion import capture_figure
from tests.gui.test_keys_panel import open_group, type_into
from tests.one_window import Arranged, OneWindow
from tests.stage import PATIENCE, Stage

pytestmark = [pytest.mark.gui, pytest.mark.pixels]
RATE, FRAMES = 120, 12_000
FEW = 800  # for work that tells of each curve that it fits
FIRST_SHARES = 4


@pytest.fixture
def captured(request: pytest.FixtureRequest) -> Document:
    """A hundred seconds, or as many frames as a test names."""
    return capture_of(getattr(request, "param", FRAMES))


@cache
def capture_of(frames: int) -> Document:
    """A capture of a figure of 31 joints, and a layer of keys upon it."""
    figure = capture_figure()
    time, names = np.arange(frames)[:, None] / RATE, figure.coordinates
    values = 0.3 * np.sin(time * np.linspace(0.3, 3.0, len(names)))
    values[:, :3] *= 0.1
    take = Samples(coordinates=names, values=Blob(values), rate=(RATE, 1))
    bend = Track(coordinate=names[7], keys=(Key(0, 0.0), Key(20 * SECOND, 0.4)))
    layers = (Layer(id="take", name="Take", samples=take), Layer(id="bend", name="Bend", mode="add", tracks=(bend,)))
    return Document(actors=(Actor(id="one", name="One", figure=figure, layers=layers),), rate=(30, 1))


@pytest.fixture(scope="module")
def window(the_window: OneWindow) -> Arranged:
    return the_window.arranged(size=(1400, 1000))


class InStep:
    """Lets the engine's thread tell the next of the first shares once the window has heard of the one before: `latest`
    is one slot, and a window that draws slowly would hear of the last one alone."""

    def __init__(self) -> None:
        self._heard, self._left = threading.Semaphore(1), FIRST_SHARES

    def tell(self, text: str, share: float) -> Underway:
        if self._left > 0:
            self._left -= 1
            self._heard.acquire(timeout=PATIENCE)
        return Underway(text, share)

    def hear(self, job: JobState) -> None:
        if job.name.startswith(PREVIEW):
            self._heard.release()


class Held:
    """Keeps work from going on after its first share, so that it cannot end before the window has shown it."""

    def __init__(self) -> None:
        self._begun: set[str] = set()
        self._let_go: dict[str, threading.Event] = {}

    def tell(self, text: str, share: float) -> Underway:
        if text in self._begun:
            self._event(text).wait(PATIENCE)
        self._begun.add(text)
        return Underway(text, share)

    def let_go(self, text: str) -> None:
        self._event(text).set()

    def _event(self, text: str) -> threading.Event:
        return self._let_go.setdefault(text, threading.Event())


@pytest.fixture
def held(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> Held:
    keeper = Held()
    monkeypatch.setattr("engine.command.Underway", keeper.tell)
    return keeper


@pytest.fixture
def opened(window: Arranged, captured: Document, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """Whatever takes more than a step is told of, however quick the machine is, and however slow the window."""
    monkeypatch.setattr("engine.command.SHOWN_AFTER", 0.0)
    monkeypatch.setattr("engine.command.SHOWN_EVERY", 0.0)
    with window.anew(captured) as begun:
        begun.session.select([Item("one")])
        yield begun


@pytest.fixture
def in_step(opened: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first shares are all heard; of work that is cancelled meanwhile, the engine's thread would wait for ever."""
    step = InStep()
    monkeypatch.setattr("engine.command.Underway", step.tell)
    opened.hear(opened.session.job_changed, step.hear)


@pytest.fixture
def jobs(opened: Stage) -> list[JobState]:
    """What is told of wishes; kernels may still be prepared meanwhile."""
    found: list[JobState] = []

    def take(job: JobState) -> None:
        if job.name.startswith(PREVIEW):
            found.append(job)

    opened.hear(opened.session.job_changed, take)
    return found


def do(opened: Stage, action: str) -> None:
    opened.window.menus.refresh()
    assert opened.window.menus.actions[action].isEnabled(), action
    opened.window.menus.actions[action].trigger()


def click(widget: QWidget) -> None:
    place = QPoint(10, widget.height() // 2) if isinstance(widget, QCheckBox) else widget.rect().center()
    QTest.mouseClick(widget, Qt.MouseButton.LeftButton, pos=place)


def contacts(opened: Stage) -> KeysPanel:
    panel = open_group(opened, "keys.clean_up")
    panel.turn_to("Contacts")
    opened.settle()
    return panel


def is_shown(opened: Stage, text: str) -> bool:
    area = opened.window.status.job
    return area.isVisible() and area.text.text() == text


def cancel(opened: Stage, held: Held, text: str) -> None:
    """With the button beside the bar, while the work is under way."""
    area = opened.window.status.job
    opened.until(lambda: is_shown(opened, text))
    assert not opened.session.at_rest
    click(area.cancel)
    held.let_go(text)
    opened.until(lambda: opened.session.at_rest)
    assert not is_shown(opened, text)


def nothing_was_done(opened: Stage, captured: Document) -> None:
    opened.settle()
    session = opened.session
    assert session.document is session.shown is captured
    assert session.history.undo_entry is None
    assert opened.snapshot is not None
    assert opened.snapshot.document is captured
    assert any("was cancelled" in entry.text for entry in session.log)
    assert not any(entry.kind == "error" for entry in session.log)


@pytest.mark.parametrize(
    ("action", "text"), [("layer.make_keys", "Make keys of layer Take"), ("layer.bake", "Bake layers of One")]
)
def test_a_layer_that_is_worked_on_for_long_is_left_as_it_was_by_cancel(
    opened: Stage, held: Held, captured: Document, action: str, text: str
) -> None:
    opened.session.layering.choose("take")
    do(opened, action)
    cancel(opened, held, text)
    nothing_was_done(opened, captured)
    do(opened, "layer.duplicate")
    opened.until(lambda: opened.session.document is not captured)
    assert len(opened.session.document.actors[0].layers) == 3, "whatever comes next is done at once"


def test_a_long_bake_says_how_far_it_is_and_ends_as_one_entry(
    opened: Stage, in_step: None, captured: Document, jobs: list[JobState]
) -> None:
    do(opened, "layer.bake")
    assert opened.session.document is captured, "the window has not waited"
    opened.until(lambda: opened.session.document is not captured)
    shares = [job.fraction for job in jobs if job.running]
    assert shares == sorted(shares)
    assert len(set(shares)) >= FIRST_SHARES
    assert {job.text for job in jobs if job.running} == {"Bake layers of One"}
    assert not jobs[-1].running
    assert not is_shown(opened, "Bake layers of One")
    assert [layer.name for layer in opened.session.document.actors[0].layers] == ["Baked"]
    opened.settle()
    opened.session.undo()
    assert opened.session.document is captured


def test_contacts_that_are_sought_for_long_are_left_by_cancel(opened: Stage, held: Held, captured: Document) -> None:
    planting = contacts(opened).planting
    opened.session.select([Item("one", "j5"), Item("one", "j10")])
    opened.settle()
    assert planting is not None
    click(planting.seek)
    cancel(opened, held, "Pin contacts")
    nothing_was_done(opened, captured)
    assert not planting.trial.open
    assert planting.found.text() == "–"
    assert planting.seek.isEnabled(), "they may be sought again"


@pytest.mark.parametrize("captured", [FEW], indirect=True)
def test_a_clean_up_that_another_one_supersedes_leaves_nothing_of_it(
    opened: Stage, held: Held, captured: Document, jobs: list[JobState]
) -> None:
    cleaning = open_group(opened, "keys.clean_up").cleaning
    assert cleaning is not None
    click(cleaning.few)
    opened.until(lambda: is_shown(opened, "Reduce keys to 0.5°"))
    type_into(cleaning.angle, "3")
    held.let_go("Reduce keys to 0.5°")
    opened.until(lambda: jobs[-1].text == "Reduce keys to 3°")
    texts = [job.text for job in jobs if job.running]
    assert texts == sorted(texts), "nothing is told of the first once the second is under way"
    cancel(opened, held, "Reduce keys to 3°")
    nothing_was_done(opened, captured)
    assert not cleaning.trial.open
    assert cleaning.numbers.text() == "–"
