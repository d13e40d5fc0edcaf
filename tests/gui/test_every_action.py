"""Random actions from the whole table, in the real window: undone, redone and replayed, the document is the same.

The short run does an action once, of those that are alike one: those that one method does, given another choice each
time, and those that open an example, all of which their own tests do; and of one subject's that need the same three.
Each is done in the state that another left which needs the same, or in one chosen at random. The deep run does 10,000
actions in random states, each at least 50 times, in stretches that each begin with a seed and a window of their own, so
that what fails can be done again in a minute.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from random import Random
from time import monotonic
from traceback import format_exception

import numpy as np
import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QDialog, QMenu

from app.features.activation.panel import ActivationPanel
from app.features.inspector.panel import InspectorPanel
from app.features.limits.current_limit import CurrentLimit
from app.features.secondary.current_targets import CurrentTargets
from app.features.water.baking import WaterBaking
from app.lanes.current_lanes import ALL, CurrentLanes
from app.session import Item, LogEntry
from app.shell.actions import ACTIONS, Action
from app.shell.imports import ImportChoice
from app.timeline.graph.panel import CurvesPanel
from app.timeline.panel import TimelinePanel
from engine.document import Actor, Blob, Document, Key, Target
from engine.document.limit import Stroke
from engine.document.values import new_id
from engine.edits import edit
from engine.edits.command_log import Start, replay
from engine.edits.layers import turns_every_way
from engine.formats import sinew
from engine.formats.sinew_log import log_text, write_log
from engine.shapes.uses import has_shapes
from engine.soft.parts import ActivationSpline, SoftAttachment
from engine.soft.pulls import SoftPull
from engine.soft.uses import is_soft, soft_body
from engine.water.parts import WaterTank
from engine.water.uses import is_water
from tests.app.shell.answers import Answers
from tests.beeps import beeping
from tests.engine.edits.physics_examples import torque_edit
from tests.gui import bringing_about
from tests.gui.alike import condition_of, some_of, unlike
from tests.gui.bringing_about import MEASURED, film, is_shoulder, muscle_up, pick_two, plan_motion, takes_poses
from tests.gui.wanting import NEEDS, want
from tests.stage import Stage, stage

pytestmark = pytest.mark.gui
OF_LAYERS = ("can_rise", "can_sink", "has_layer", "has_layer_and_joints", "has_layer_below", "has_counting")
WITH_KEYS = ("has_keys", "has_chosen", "has_copied", "is_limited", "has_picked")
# For an engine that did not start (test_shared_window.py); 823 muscles for all that comes after (test_muscle_parts.py).
APART = {"help.prepare", "add.skeleton"}
NEEDED = {"has_exports": "file.export_picture", "in_tour": "help.tour", "is_own": "view.workspace_save"}
NEEDED["has_own"] = "light.studio"
ELSEWHERE = {  # a child process works for them, for seconds each: their own tests wait for it, and the deep run does
    *(f"soft.{name}" for name in ("bake", "bake_here", "remove_bake", "plan", "stop_plan", "keep_plan", "drop_plan")),
    *(f"water.{name}" for name in ("bake", "cancel_bake", "remove_bake")),
    *(f"spacetime.{name}" for name in ("find", "compare", "stop", "keep")),
    *("time.bake", "time.remove_bakes", "muscles.find_activations"),
}
OF_THE_WINDOW = ("view.", "help.", "tool.")  # those of them that need nothing leave the document alone
MOST_ACTORS, MOST_IN_DEEP = 2, 4
STRETCHES, ACTIONS_EACH, TIMES_EACH = 20, 500, 3  # 10,000 actions, each of them 60 times
HUNG_AFTER = 600.0  # [s] for one action
REST_AFTER = 300.0  # [s]
SAID_EVERY = 50  # actions
SECOND = 705_600_000
LATEST, LED_IN = 12, SECOND // 12  # frame at which the playhead is put; how long what has a clock is stepped up to it
LATEST_IN_DEEP, LED_IN_IN_DEEP = 60, SECOND // 4
PARTS = "OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n"


class Wanderer:
    """Does one random thing after the other, and looks whether all of it can be taken back and done again."""

    def __init__(self, opened: Stage, answers: Answers, folder: Path, seed: int) -> None:
        self.opened, self.answers, self.folder, self.seed = opened, answers, folder, seed
        self.chance = Random(seed)
        self.done: Counter[str] = Counter()
        self.most_actors, self.latest, self.led_in = MOST_ACTORS, LATEST, LED_IN
        self.trail = folder / "actions.txt"  # written as they are done: a run that hangs leaves it, too
        self.wrong: list[str] = []
        self.say: Callable[[str], None] = lambda _: None
        self.allow: Callable[[float], None] = lambda _: None
        self.begin()
        (folder / "solid.off").write_text(PARTS)
        picture = QImage(32, 32, QImage.Format.Format_RGB32)
        picture.fill(0xFF2010)
        picture.save(str(folder / "picture.png"))
        sinew.write(folder / "scene.sinew", Document())
        answers.changes = "discard"
        opened.session.logged.connect(self.listen)

    def begin(self) -> None:
        """Remember the document that was begun or opened, and what it holds, in plain text."""
        self.start = self.opened.session.command_log[0]
        assert isinstance(self.start, Start)
        self.first_text = log_text([self.start])

    def listen(self, entry: LogEntry) -> None:
        """Keep what went wrong that nobody was meant to cause."""
        if "Error" in entry.text or "Traceback" in entry.text:
            self.wrong.append(entry.text)

    def go(self, actions: Sequence[Action], *, count: int, each: int) -> None:
        """So many actions, and every one of these so many times at least; at random, unless each is to be done once."""
        bag: list[Action] = []
        began = monotonic()
        self.say(f"seed {self.seed}: each action is written to {self.trail}")
        while self.done.total() < count:
            bag = bag or self.chance.sample(actions, len(actions))
            if each == 1:
                bag.sort(key=condition_of)
            before = self.done.total()
            self.try_out(bag.pop(), anywhere=each > 1)
            if self.done.total() // SAID_EVERY > before // SAID_EVERY:
                self.say(f"seed {self.seed}: {self.done.total()} actions, {monotonic() - began:.0f} s")
        for action in actions:
            for _ in range(20 * each):
                if self.done[action.id] < each and action.id not in APART:
                    self.try_out(action)
        seldom = [action.id for action in actions if self.done[action.id] < each and action.id not in APART]
        assert not seldom, f"could not be done {each} times: {', '.join(seldom)}"
        self.check()

    def try_out(self, action: Action, *, anywhere: bool = True) -> None:
        """Do an action in a random state, or in the present one; where it cannot be done, bring about what it needs."""
        self.allow(HUNG_AFTER)
        self.prepare(anywhere=anywhere or not self.is_possible(action))
        if not self.is_possible(action) or action.id.startswith("spacetime."):
            self.make_possible(action)
        self.act(action)

    def is_possible(self, action: Action) -> bool:
        """Whether its menu would offer it now."""
        return self.opened.window.menus.commands.can(action)

    def make_possible(self, action: Action) -> None:
        """What chance alone seldom brings about before an action; two parts of a figure are selected at least."""
        session, person, when = self.opened.session, self.person(), condition_of(action)
        joints = [joint.id for joint in person.figure.joints]
        session.select(Item(person.id, id) for id in self.chance.sample(joints, 2))
        if action.id == "edit.redo":
            session.undo()
        elif when in WITH_KEYS and action.id != "targets.remove":
            self.show_keys(when)
        elif action.id.startswith(("spacetime.", "muscles.")):
            (plan_motion if action.id.startswith("spacetime.") else muscle_up)(self, when)
        elif (subject := action.id.partition(".")[0]) in ("soft", "activation", "shapes", "water"):
            make = {"soft": self.soften, "activation": self.activate, "shapes": self.shape, "water": self.fill}
            make[subject](when)
        elif action.id.startswith("targets.") or when == "may_bake":
            self.aim_at(when)
        elif when in ("has_cameras", "can_pin", "can_focus", "is_pinned"):
            film(self, when, person)
        elif when in ("has_hidden", "has_frozen"):
            name, change = ("show_actor", "visible") if when == "has_hidden" else ("freeze_actor", "frozen")
            session.do(edit(name, actor=person.id, **{change: when == "has_frozen"}))
        elif when in ("has_locks", "can_bake"):
            self.press("lock.both")
        elif when == "can_lock_together":
            self.press("add.human")
            session.select(Item(actor.id, actor.figure.joints[-1].id) for actor in session.document.actors[-2:])
        elif when == "has_reference_camera":
            bringing_about.face_a_picture(self)
        elif when == "has_end":
            session.reaching.end_chain_at(person.id, joints[-1])
        elif when in ("has_draft", "has_drafts"):
            session.select([Item(person.id)])
            for id in ("pose.key", "time.end", "pose.reset"):
                session.posing.set_auto_key(id != "pose.reset")
                self.press(id)
        elif action.id.startswith("physics."):
            session.select([Item(person.id)])
            session.do(edit("set_physics", actor=person.id))
            session.do(torque_edit(self.chance, "put_torque_curves", person, session.document))
        elif action.id.startswith("limit."):
            self.limit(when)
        elif action.id.startswith("curves.") or when == "has_drawn_curves":
            self.show_curves(when)
        elif when == "can_mirror":
            lone = (each for each in person.figure.joints if each.parent is not None and each.mirror is None)
            session.select(Item(person.id, each.id) for each in islice(lone, 1))
        elif when == "has_solve":
            bringing_about.pull_a_hand(self)
        elif when == "has_bakes":
            session.do(edit("set_play_range", start=0, end=705600000 // 10))
            for id in ("lock.both", "time.bake"):
                self.press(id)
            self.opened.until(lambda: bool(session.baking.files) and not session.baking.running, patience=HUNG_AFTER)
        elif when == "has_set" or when in ("can_add", "can_take"):
            whole, root = Item(person.id), Item(person.id, joints[0])
            for _ in range(4):
                session.select([whole] if when == "can_add" else [whole, root])
                self.press("select.make_set")
            session.select([root])
        else:
            self.bring_about(when, person)
        self.rest()

    def aim_at(self, what: str) -> None:
        """Secondary motion with a target, which is chosen; with a draft beside it where that is wanted."""
        session, person = self.opened.session, self.person()
        session.select([Item(person.id)])
        session.do(edit("set_secondary", actor=person.id, on=True, window=SECOND // 20))
        aim = Target(id=f"{self.chance.getrandbits(64):x}", time=SECOND // 10, width=SECOND // 10)
        session.do(edit("add_targets", actor=person.id, targets=(aim,)))
        self.rest()
        session.of(CurrentTargets).choose(aim.id)
        if what == "may_keep":
            for id in ("pose.key", "time.end", "pose.reset"):
                session.posing.set_auto_key(id != "pose.reset")
                self.press(id)

    def soften(self, what: str) -> None:
        """A soft body that is selected; baked, or pulled by a hand, where that is wanted."""
        session = self.opened.session
        if not any(is_soft(each) and not each.frozen for each in session.document.actors):
            self.press("add.soft_box")
        soft = next(each for each in session.document.actors if is_soft(each) and not each.frozen)
        session.select([Item(soft.id)])
        self.begin_late(soft)
        body = soft_body(session.document.actor(soft.id))
        start = 0 if body is None else body.start
        session.do(edit("set_play_range", start=start, end=start + SECOND // 10))
        if what == "is_baked":
            self.press("soft.bake")
        elif what in NEEDS:
            want(self.opened, soft.id, what, HUNG_AFTER)
        elif what == "was_pulled":
            pull = SoftPull(id=new_id("pull"), point=(0.0, 0.0, 0.0), times=(0,), places=((0.0, 1.0, 0.0),), end=SECOND)
            session.do(edit("put_soft_pull", actor=soft.id, pull=pull))
        elif what == "may_suggest":
            person = self.person()
            held = SoftAttachment(
                id=new_id("attachment"), points=Blob(np.array([0], dtype=np.int32)), places=Blob(np.zeros((1, 3))),
                target=person.id, joint=person.figure.joints[-1].id, hold="spring", tension=1.0,
            )  # fmt: skip
            session.do(edit("attach_soft_body", actor=soft.id, attachment=held))
        else:
            session.do(edit("remove_soft_bake", actor=soft.id))

    def begin_late(self, actor: Actor) -> None:
        """Let a soft body or water begin at the playhead or later, so that it is not stepped through all that came
        before; and water be coarse, and by itself."""
        session, body, tank = self.opened.session, soft_body(actor), actor.part(WaterTank)
        early = session.playhead - self.led_in
        if body is not None and body.bake is None and body.start < early:
            session.do(edit("set_soft_body", actor=actor.id, start=session.playhead))
        if tank is not None and (tank.start < early or tank.resolution > 5.0):
            changed = {"start": session.playhead, "resolution": 5.0, "touches": False}
            session.do(edit("set_water_tank", actor=actor.id, **changed))

    def fill(self, what: str) -> None:
        """A coarse tank of water that is selected; baked or being baked where that is wanted."""
        session = self.opened.session
        if not any(is_water(each) and not each.frozen for each in session.document.actors):
            self.press("add.water_tank")
        tank = next(each for each in session.document.actors if is_water(each) and not each.frozen)
        session.select([Item(tank.id)])
        session.do(edit("set_water_tank", actor=tank.id, resolution=5.0, touches=False))
        session.do(edit("set_play_range", start=0, end=SECOND // 10))
        if what in ("is_baking", "is_baked"):
            self.press("water.bake")
            if what == "is_baked":
                self.opened.until(lambda: not session.of(WaterBaking).running, patience=HUNG_AFTER)

    def shape(self, what: str) -> None:
        """A face that is selected; with a target where that is wanted."""
        session = self.opened.session
        if not any(has_shapes(each) and not each.frozen for each in session.document.actors):
            self.press("add.face")
        face = next(each for each in session.document.actors if has_shapes(each) and not each.frozen)
        session.select([Item(face.id)])
        if what == "has_target":
            self.press("shapes.reach_here")
        elif what == "may_bake_shapes":
            session.do(edit("set_play_range", start=0, end=SECOND // 10))
            session.do(edit("set_shape_motion", actor=face.id, on=True))

    def activate(self, what: str) -> None:
        """A keyed spline of a soft body, which is selected; its keys chosen where that is wanted."""
        session = self.opened.session
        self.soften("")
        soft = next(each for each in session.document.actors if is_soft(each) and not each.frozen)
        body = soft_body(soft)
        assert body is not None
        low, high = (getattr(body.points.array, end)(axis=0) for end in ("min", "max"))
        ends = tuple((x, y, z) for x, y, z in (low + np.outer((0.25, 0.75), high - low)).tolist())
        spline = ActivationSpline(id=new_id("spline"), name="Spline", points=ends)
        session.do(edit("add_activation_spline", actor=soft.id, spline=spline))
        keys = tuple(Key(time, value) for time, value in ((0, 1.0), (SECOND // 20, 0.9)))
        session.do(edit("set_activation_keys", actor=soft.id, spline=spline.id, keys=keys))
        session.select([Item(soft.id, soft.figure.joints[0].id, spline.id)])
        lanes = session.of(CurrentLanes)
        lanes.choose_group(ALL)
        lanes.find("")
        self.rest()
        self.press("activation.show")
        panel = self.opened.window.docks["activation"].widget()
        assert isinstance(panel, ActivationPanel)
        panel.refresh()
        panel.lanes.choose_all()

    def bring_about(self, what: str, person: Actor) -> None:
        """The rarer of those things."""
        session = self.opened.session
        if what == "has_sound":
            session.do(edit("set_sound", sound=beeping()))
        elif what == "has_range":
            session.do(edit("set_play_range", start=0, end=705600000))
        elif what in ("has_keys_between", "can_keep"):
            session.set_playhead(7)
            session.posing.set_auto_key(True)
            self.press("pose.key")
        elif what in OF_LAYERS:
            self.press("layer.add")
            if what == "can_rise":
                self.press("layer.down")
        elif what == "has_samples":
            for layer in person.layers:
                session.do(edit("solo_layer", actor=person.id, layer=layer.id, solo=False))
            for id in ("layer.add", "pose.key", "layer.bake"):
                self.press(id)
        elif what == "is_masked":
            for id in ("layer.add", "layer.mask_selected"):
                self.press(id)
        elif what == "imports_unasked":
            self.opened.window.files.imports.remembered = {".bvh": ImportChoice()}
        elif what == "can_follow":
            pick_two(session, person)
        elif what == "can_breathe":
            known = len(session.document.actors)
            self.press("add.skeleton")
            self.opened.until(lambda: len(session.document.actors) > known, patience=HUNG_AFTER)
        elif what in MEASURED:
            MEASURED[what](self)
        elif what in NEEDED:
            self.press(NEEDED[what])
        elif what == "can_bind_skin":
            self.opened.until(lambda: not session.binding.running, patience=HUNG_AFTER)

    def person(self) -> Actor:
        """A figure of two sides, with a skin, that may be changed, and whose last layer takes keys."""
        found = self._person()
        if found is None:
            self.press("add.human")
            found = self._person()
        assert found is not None
        return found

    def _person(self) -> Actor | None:
        actors = self.opened.session.document.actors
        several = (each for each in actors if each.figure.skins and any(map(is_shoulder, each.figure.joints)))
        free = (each for each in several if not each.frozen and each.visible)
        return next((each for each in free if each.layers and takes_poses(each.layers[-1])), None)

    def show_curves(self, what: str) -> None:
        """A keyed joint in the graph editor; its keys chosen, or its path timed, where that is wanted."""
        session, person = self.opened.session, self.person()
        session.set_playhead(0)
        turning = (each for each in person.figure.joints if what == "can_turn" and turns_every_way(each))
        joint = next(turning, next(each for each in person.figure.joints[1:] if each.dofs))
        session.select([Item(person.id, joint.id)])
        place = {"actor": person.id, "layer": person.layers[-1].id}
        for dof in joint.dofs if what == "can_turn" else joint.dofs[:1]:
            for time, value in ((0, 0.1), (23520000, 0.2)):
                session.do(edit("set_key", **place, coordinate=dof.id, time=time, value=value))
        self.rest()
        self.press("curves.show")
        self.opened.settle()
        panel = self.opened.window.docks["curves"].widget()
        assert isinstance(panel, CurvesPanel)
        panel.graph.lock(panel.graph.locked, locked=False)
        panel.graph.activate(())
        panel.graph.choose_all()
        if what == "has_timing":
            self.press("curves.time_path")
            self.opened.settle()
            panel.graph.choose_all()  # the curve that says when it is travelled, too

    def show_keys(self, what: str) -> None:
        """Keys in the timeline, all chosen, and copied where that is wanted; or a bar that lasts for a time."""
        session, person = self.opened.session, self.person()
        session.select([Item(person.id)])
        session.posing.set_auto_key(True)
        self.press("pose.key")
        if what == "is_limited":
            session.do(edit("set_layer_span", actor=person.id, layer=person.layers[-1].id, start=0, end=705600000))
        self.opened.window.docks["timeline"].raise_()
        self.opened.settle()
        panel = self.opened.window.docks["timeline"].widget()
        assert isinstance(panel, TimelinePanel)
        panel.sheet.commands.choose_all()
        if what == "has_copied":
            self.press("timeline.copy")
        elif what == "is_limited":
            blocks = (row.block for row in panel.sheet.rows if row.block is not None)
            limited = (each.path for each in blocks if each.span is not None and "target" not in each.kind)
            panel.sheet.choose_block(next(limited, None))

    def limit(self, what: str) -> None:
        """A joint of three hinges on one side, with a limit where one is needed, brushed once."""
        session, person = self.opened.session, self.person()
        joint = next(filter(is_shoulder, person.figure.joints))
        session.select([Item(person.id, joint.id)])
        if what != "is_ball":
            self.press("limit.box")
        limit = session.of(CurrentLimit).limit
        if what == "has_strokes" and limit is not None:
            stroke = Stroke(kind="pull", points=((0.0, 0.0, 0.0),), radius=0.3)
            session.do(edit("add_stroke", actor=person.id, limit=limit.id, stroke=stroke))

    def press(self, id: str) -> None:
        """An action on the way to another."""
        self.act(next(action for action in ACTIONS if action.id == id))

    def prepare(self, *, anywhere: bool) -> None:
        """Clear a full scene; choose something at random, now and then turn a joint or go elsewhere in time."""
        session, chance = self.opened.session, self.chance
        actors = session.document.actors
        if len(actors) > self.most_actors:
            session.do(edit("remove_actor", actor=chance.choice(actors).id))
        self.rest()
        actors = session.document.actors
        if anywhere and chance.random() < 0.2:
            session.set_playhead(chance.randrange(0, self.latest) * 23520000)
        for each in actors:
            if not each.frozen:
                self.begin_late(each)
        if anywhere and actors and chance.random() < 0.3:
            self.turn(chance.choice(actors))
        if anywhere:
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
        session = self.opened.session
        if not self.is_possible(action):
            return
        if action.menu == "File" or action.id in ("add.mesh", "help.tour"):
            self.check()
        if action.id == "file.save_log":
            self.answers.place = self.folder / "kept.sinewlog"
        if action.id == "file.quit":
            session.do(edit("set_rate", frames=24 if session.document.rate == (25, 1) else 25))
            self.rest()
        self.answers.changes = "cancel" if action.id == "file.quit" else "discard"
        with self.trail.open("a") as trail:
            print(action.id, file=trail)
        entry = self.opened.window.menus._actions[action.id]
        entry.setEnabled(self.is_possible(action))  # as its menu does as it opens, which looks at all the others, too
        entry.trigger()
        self.rest()
        self.dismiss()
        self.rest()
        self.done[action.id] += 1
        assert not self.wrong, "\n".join(self.wrong)
        if session.command_log[0] is not self.start:
            self.begin()

    def rest(self) -> None:
        """Until nothing is under way."""
        session = self.opened.session
        self.opened.until(lambda: session.at_rest, patience=REST_AFTER)

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
        assert replay(session.command_log).digest == now.digest
        assert not self.wrong, "\n".join(self.wrong)

    def replay_elsewhere(self) -> None:
        """Another process makes the same document of the saved log."""
        path = self.folder / "all.sinewlog"
        self.opened.session.exchange.save_log(path)
        self.rest()
        command = [sys.executable, "-m", "engine", "replay", str(path)]
        told = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stdout
        assert told.strip() == self.opened.session.document.digest

    def story(self) -> str:
        """What happened until now, for whoever wants to see it again."""
        path = self.folder / "failed.sinewlog"
        write_log(path, self.opened.session.command_log)
        lines = (deed.how if isinstance(deed, Start) else deed.line for deed in self.opened.session.command_log)
        trail = self.trail.read_text().split() if self.trail.exists() else []
        return "\n".join(
            [
                f"seed {self.seed}, after {len(trail)} actions: {' '.join(trail)}",
                f"the document as it was then (whole in {path}):",
                *lines,
            ]
        )


@contextmanager
def wandering(folder: Path, seed: int) -> Iterator[Wanderer]:
    """A window of its own. What Qt's callbacks raise counts as going wrong, and what fails says how it came to it."""
    answers = Answers()
    with pytest.MonkeyPatch.context() as own:
        own.setenv("SINEW_DATA", str(folder))  # poses that are kept are kept there
        with stage(size=(1000, 700), questions=answers, copies=folder / "recovery", seen=False) as opened:
            wanderer = Wanderer(opened, answers, folder, seed)
            own.setattr(sys, "excepthook", lambda *raised: wanderer.wrong.append("".join(format_exception(*raised))))
            try:
                yield wanderer
            except BaseException as problem:
                problem.add_note(wanderer.story())
                wanderer.say(f"{problem!r}\n{wanderer.story()}")
                raise
    assert not wanderer.wrong, "\n".join(wanderer.wrong)


def is_done_elsewhere(action: Action) -> bool:
    """Whether a usual run leaves it to other tests: tests/app/shell/test_window.py calls all of the window's."""
    of_the_window = action.id.startswith(OF_THE_WINDOW) and not condition_of(action)
    return action.id in ELSEWHERE or of_the_window


def test_every_action_is_undone_and_replayed(
    qapp: object, tmp_path: Path, allow: Callable[[float], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is drawn, and no page is made of what is selected, which the deep run does: a third of the time."""
    monkeypatch.setattr(InspectorPanel, "_follow", lambda panel, document: None)
    with wandering(tmp_path, seed=3) as wanderer:
        wanderer.allow = allow
        wanderer.opened.window.setUpdatesEnabled(False)
        few = some_of([action for action in unlike(ACTIONS) if not is_done_elsewhere(action)])
        wanderer.go(few, count=len(few), each=1)
        wanderer.replay_elsewhere()


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(STRETCHES))
def test_ten_thousand_actions_are_undone_and_replayed(
    qapp: object, tmp_path: Path, capsys: pytest.CaptureFixture[str], allow: Callable[[float], None], seed: int
) -> None:
    def say(text: str) -> None:
        with capsys.disabled():
            print(f"\n{text}", end="", flush=True)

    with wandering(tmp_path, seed) as wanderer:
        wanderer.say, wanderer.allow, wanderer.most_actors = say, allow, MOST_IN_DEEP
        wanderer.latest, wanderer.led_in = LATEST_IN_DEEP, LED_IN_IN_DEEP
        wanderer.go(ACTIONS, count=ACTIONS_EACH, each=TIMES_EACH)
        wanderer.replay_elsewhere()
        assert STRETCHES * wanderer.done.total() >= 10_000
        assert STRETCHES * min(wanderer.done[action.id] for action in ACTIONS if action.id not in APART) >= 50
