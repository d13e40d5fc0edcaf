"""Random actions from the whole table, in the real window: undone, redone and replayed, the document is the same.

The short run does each action a few times; the deep one does 10,000, each at least 50 times.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from app.session import Item
from app.shell.actions import ACTIONS, Action
from engine.document import Actor, Document
from engine.edits import edit
from engine.edits.deeds import replay
from engine.formats import sinew
from tests.app.shell.answers import Answers
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui

MOST_ACTORS = 4
PARTS = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"


class Wanderer:
    """Does one random thing after the other, and looks whether all of it can be taken back and done again."""

    def __init__(self, opened: Stage, answers: Answers, folder: Path, seed: int) -> None:
        self.opened, self.answers, self.folder = opened, answers, folder
        self.chance = Random(seed)
        self.done: Counter[str] = Counter()
        self.first = opened.session.document
        self.first_digest = self.first.digest
        (folder / "solid.off").write_text(PARTS)
        sinew.write(folder / "scene.sinew", Document())
        answers.changes = "discard"

    def go(self, steps: int, each: int) -> None:
        """So many steps, and every action so many times at least."""
        bag: list[Action] = []
        taken = 0
        while taken < steps or any(self.done[action.id] < each for action in ACTIONS):
            assert taken < 20 * steps, [action.id for action in ACTIONS if self.done[action.id] < each]
            bag = bag or self.chance.sample(ACTIONS, len(ACTIONS))
            self.prepare()
            self.act(bag.pop())
            taken += 1
        self.check()

    def prepare(self) -> None:
        """Choose something at random; now and then turn a joint, go elsewhere in time, or clear the scene."""
        session, chance = self.opened.session, self.chance
        actors = session.document.actors
        if len(actors) > MOST_ACTORS:
            session.do(edit("remove_actor", actor=chance.choice(actors).id))
        self.rest()
        actors = session.document.actors
        if chance.random() < 0.2:
            session.set_playhead(chance.randrange(0, 60) * 23520000)
        if actors and chance.random() < 0.3:
            self.turn(chance.choice(actors))
        count = chance.choice((0, 1, 1, 2, 3)) if actors else 0
        session.select(self.item(chance.choice(session.document.actors)) for _ in range(count))
        self.answers.file = self.folder / chance.choice(("solid.off", "scene.sinew"))
        self.answers.place = self.folder / "kept.sinew"

    def turn(self, actor: Actor) -> None:
        """One coordinate of the last layer, as a slider would."""
        hinges = [dof.id for dof in actor.figure.dofs if dof.kind != "ball"]
        if hinges and actor.layers and actor.layers[-1].samples is None:
            place = {"actor": actor.id, "layer": actor.layers[-1].id, "coordinate": self.chance.choice(hinges)}
            self.opened.session.do(edit("set_value", **place, value=self.chance.uniform(-1.0, 1.0)))
            self.rest()

    def item(self, actor: Actor) -> Item:
        """The whole of an actor, a part of it, or a lock."""
        chance = self.chance
        if actor.locks and chance.random() < 0.3:
            lock = chance.choice(actor.locks)
            return Item(actor.id, lock.joint, lock.id)
        return Item(actor.id, None if chance.random() < 0.4 else chance.choice(actor.figure.joints).id)

    def act(self, action: Action) -> None:
        """Do one action if it can be done now; first see to it that what would be forgotten is sound."""
        window, session = self.opened.window, self.opened.session
        window.menus.refresh()
        trigger = window.menus.actions[action.id]
        if not trigger.isEnabled():
            return
        if action.id in ("file.new", "file.open"):
            self.check()
        if action.id == "file.save_log":
            self.answers.place = self.folder / "kept.sinewlog"
        if action.id == "file.quit":
            session.do(edit("set_rate", frames=24 if session.document.rate == (25, 1) else 25))
            self.rest()
        self.answers.changes = "cancel" if action.id == "file.quit" else "discard"
        before = session.document
        trigger.trigger()
        self.rest()
        self.dismiss()
        self.rest()
        self.done[action.id] += 1
        if action.id in ("file.new", "file.open") and session.history.position == 0 and session.document is not before:
            self.first, self.first_digest = session.document, session.document.digest

    def rest(self) -> None:
        """Until nothing is under way."""
        session = self.opened.session
        self.opened.until(lambda: session.at_rest)

    def dismiss(self) -> None:
        """Close whatever asks or tells something."""
        for widget in QApplication.topLevelWidgets():
            if isinstance(widget, QDialog | QMenu) and widget.isVisible():
                widget.close()

    def check(self) -> None:
        """Undone, the document is as it began; done again, the very same; replayed, of the same digest."""
        session = self.opened.session
        now, position = session.document, session.history.position
        session.go_to(0)
        self.rest()
        if len(session.deeds) and session.history.entries[0].edit is None:
            assert session.document is self.first
            assert session.document.digest == self.first_digest
        session.go_to(position)
        self.rest()
        assert session.document is now
        assert replay(session.deeds).digest == now.digest

    def errors(self) -> list[str]:
        """What went wrong that nobody was meant to cause."""
        return [entry.text for entry in self.opened.session.log if "Error" in entry.text or "Traceback" in entry.text]


@pytest.fixture
def wanderer(qapp: object, tmp_path: Path) -> Iterator[Wanderer]:
    answers = Answers()
    with stage(size=(1200, 800), questions=answers) as opened:
        yield Wanderer(opened, answers, tmp_path, seed=5)


def replayed_elsewhere(wanderer: Wanderer) -> str:
    """The digest that another process makes of the saved log."""
    path = wanderer.folder / "all.sinewlog"
    wanderer.opened.session.save_log(path)
    wanderer.rest()
    command = [sys.executable, "-m", "engine", "replay", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout.strip()


def test_every_action_is_undone_and_replayed(wanderer: Wanderer) -> None:
    wanderer.go(steps=2 * len(ACTIONS), each=1)
    assert wanderer.errors() == []
    assert replayed_elsewhere(wanderer) == wanderer.opened.session.document.digest


@pytest.mark.deep
def test_ten_thousand_actions_are_undone_and_replayed(wanderer: Wanderer) -> None:
    wanderer.go(steps=10_000, each=50)
    assert wanderer.errors() == []
    assert replayed_elsewhere(wanderer) == wanderer.opened.session.document.digest
