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
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from app.session import Item
from app.shell.actions import ACTIONS, Action
from app.shell.imports import Choice
from engine.document import Actor, Document
from engine.edits import edit
from engine.edits.deeds import Start, replay
from engine.formats import sinew
from engine.formats.sinew_log import log_text
from tests.app.shell.answers import Answers
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui

APART = {"help.prepare"}  # for an engine that did not start; test_shared_window.py does it
MOST_ACTORS = 4
PARTS = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"


class Wanderer:
    """Does one random thing after the other, and looks whether all of it can be taken back and done again."""

    def __init__(self, opened: Stage, answers: Answers, folder: Path, seed: int) -> None:
        self.opened, self.answers, self.folder = opened, answers, folder
        self.chance = Random(seed)
        self.done: Counter[str] = Counter()
        self.begin()
        (folder / "solid.off").write_text(PARTS)
        picture = QImage(32, 32, QImage.Format.Format_RGB32)
        picture.fill(0xFF2010)
        picture.save(str(folder / "picture.png"))
        sinew.write(folder / "scene.sinew", Document())
        answers.changes = "discard"

    def begin(self) -> None:
        """Remember the document that was begun or opened, and what it holds, in plain text."""
        self.start = self.opened.session.deeds[0]
        assert isinstance(self.start, Start)
        self.first_text = log_text([self.start])

    def go(self, steps: int, each: int) -> None:
        """So many steps, and every action so many times at least."""
        bag: list[Action] = []
        taken = 0
        while taken < steps:
            bag = bag or self.chance.sample(ACTIONS, len(ACTIONS))
            self.prepare()
            self.act(bag.pop())
            taken += 1
        for action in ACTIONS:
            for _ in range(20 * each):
                if self.done[action.id] < each and action.id not in APART:
                    self.prepare()
                    self.make_possible(action)
                    self.act(action)
        assert [action.id for action in ACTIONS if self.done[action.id] < each and action.id not in APART] == []
        self.check()

    def make_possible(self, action: Action) -> None:
        """What chance alone seldom brings about before an action."""
        session = self.opened.session
        if not session.document.actors:
            self.press("add.human")
        if action.id == "edit.redo":
            session.undo()
        elif action.id == "view.show_all":
            session.do(edit("show_actor", actor=session.document.actors[0].id, visible=False))
        elif action.id == "view.thaw_all":
            session.do(edit("freeze_actor", actor=session.document.actors[0].id, frozen=True))
        elif action.id == "lock.together":
            for _ in range(2):
                self.press("add.human")
            session.select(Item(actor.id, actor.figure.joints[-1].id) for actor in session.document.actors[-2:])
        elif action.id == "view.look_from_reference":
            session.references.add(self.folder / "picture.png")
            self.opened.until(lambda: session.references.chosen is not None)
            found = session.references.find(session.references.chosen, session.document)
            assert found is not None
            changes = session.references.changes_to_face(found, "camera")
            session.do(edit("set_reference", reference=found.id, changes=changes))
        elif action.id == "edit.delete":
            session.select([Item(session.document.actors[0].id)])
        elif action.when == "has_end":
            session.reaching.end_chain_at(
                session.document.actors[0].id, session.document.actors[0].figure.joints[-1].id
            )
        elif action.id.startswith("pose.") and action.when in ("has_draft", "has_drafts"):
            session.select([Item(session.document.actors[0].id)])
            for id in ("pose.key", "time.end", "pose.reset"):
                session.posing.set_auto_key(id != "pose.reset")
                self.press(id)
        elif action.id.startswith("select.") and action.menu == "Select":
            owner = session.document.actors[0]
            whole, root = Item(owner.id), Item(owner.id, owner.figure.joints[0].id)
            for _ in range(4 if "set" in action.id else 0):
                session.select([whole] if action.id == "select.add_to_set" else [whole, root])
                self.press("select.make_set")
            session.select([root])
        elif action.id == "file.ask_again":
            self.opened.window.files.imports.remembered = {".bvh": Choice()}
        elif action.id == "view.workspace_remove":
            self.press("view.workspace_save")

    def press(self, id: str) -> None:
        """An action on the way to another."""
        self.act(next(action for action in ACTIONS if action.id == id))
        self.opened.settle()

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
        self.answers.file = self.folder / chance.choice(("solid.off", "scene.sinew", "picture.png"))
        self.answers.place = self.folder / "kept.sinew"
        self.answers.name = "Mine"

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
        if action.menu == "File" or action.call == "open":
            self.check()
        if action.id == "file.save_log":
            self.answers.place = self.folder / "kept.sinewlog"
        if action.id == "file.quit":
            session.do(edit("set_rate", frames=24 if session.document.rate == (25, 1) else 25))
            self.rest()
        self.answers.changes = "cancel" if action.id == "file.quit" else "discard"
        trigger.trigger()
        self.rest()
        self.dismiss()
        self.rest()
        self.done[action.id] += 1
        if session.deeds[0] is not self.start:
            self.begin()

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
        assert isinstance(self.start, Start)
        assert session.document is self.start.document
        assert log_text([Start(session.document, self.start.how)]) == self.first_text
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
    wanderer.go(steps=len(ACTIONS), each=1)
    assert wanderer.errors() == []
    assert replayed_elsewhere(wanderer) == wanderer.opened.session.document.digest


@pytest.mark.deep
def test_ten_thousand_actions_are_undone_and_replayed(wanderer: Wanderer) -> None:
    wanderer.go(steps=10_000, each=50)
    assert wanderer.errors() == []
    assert replayed_elsewhere(wanderer) == wanderer.opened.session.document.digest
