"""A toy system in a copy of the tree: one folder in `engine/`, one in `app/features`, and their lines in two tables."""

import re
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from start import virtual_screen
from tests.house.tree import ROOT, own_bytecode, plant

TABLE, FEATURES = "engine/systems.py", "app/features/table.py"

TOY = {
    "__init__": '"""A toy: a coordinate that drifts with a clock."""\n',
    "system": """
from engine.systems import System

SYSTEM = System(
    name="toy",
    uses="engine.toy.part:uses_toy",
    parts=("engine.toy.part:Drift",),
    edits=(("engine.toy.edits", "set_drift", "Let {actor} drift"),),
    follows="engine.toy.follows:DriftFollows",
    stage="engine.toy.stage:Drifting",
    order=40,
    changes="engine.toy.stage:DriftChanges",
    long={"toy": "engine.toy.edits:count"},
)
""",
    "part": """
from dataclasses import dataclass

from engine.document import Part


@dataclass(frozen=True, kw_only=True)
class Drift(Part):
    coordinate: str
    step: float = 0.25

    def coupled(self, document):
        return tuple(actor.id for actor in document.actors if actor.part(Drift) is not None)


def uses_toy(document, actors):
    return any(actor.parts and actor.part(Drift) is not None for actor in actors)
""",
    "edits": """
from engine.document import Document
from engine.toy.part import Drift


def set_drift(document: Document, *, actor: str, coordinate: str) -> Document:
    return document.with_actor(document.actor(actor).with_part(Drift(coordinate=coordinate)))


def count(arguments):
    yield {"progress": 1.0, "text": "counted"}
    return 3
""",
    "follows": """
from engine.edits.follows import Follows
from engine.toy.part import Drift


class DriftFollows(Follows):
    def fitted(self, actor, content, heirs):
        drift = actor.part(Drift)
        return actor if drift is None or drift.coordinate in content.coordinate_index else actor.without_part(Drift)
""",
    "stage": """
import math

import numpy as np

from engine.document.motion import TICKS_PER_SECOND
from engine.evaluation import Stage
from engine.model.compile import ROW
from engine.model.snapshot import Points
from engine.motion.changed import Changes
from engine.motion.changes import ALWAYS, merge
from engine.toy.part import Drift, uses_toy

STEP = TICKS_PER_SECOND // 10


class Drifting(Stage):
    def __init__(self, evaluation):
        self._evaluation, self._key, self._states = evaluation, None, []

    def replaced(self, instants, below):
        out = [{} for _ in instants.times]
        for place, time in enumerate(instants.times):
            for _ in self.prepare(instants.document, round(time)):
                pass
            (members,) = below((place,))
            for actor in instants.group:
                drift = actor.part(Drift)
                if drift is not None:
                    q = members[actor.id].q.copy()
                    q[actor.figure.coordinate_index[drift.coordinate]] = self._states[round(time) // STEP][actor.id]
                    out[place][actor.id] = self._evaluation.member(actor, time, instants.frames[place], q)
        return out

    def has_clock(self, document):
        return uses_toy(document, document.actors)

    def prepare(self, document, time):
        drifting = [actor for actor in document.actors if actor.part(Drift) is not None]
        key = tuple(actor.digest for actor in drifting)
        if key != self._key:
            self._key, self._states = key, []
        while len(self._states) <= time // STEP:
            now = len(self._states)
            (rows,) = self._evaluation.rows_at(document, (now * STEP,), below="toy")
            if now == 0:
                index = {each.id: each.figure.coordinate_index[each.part(Drift).coordinate] for each in drifting}
                state = {each.id: float(rows[each.id][ROW + index[each.id]]) for each in drifting}
            else:
                state = {each.id: self._states[-1][each.id] + each.part(Drift).step for each in drifting}
            self._states.append(state)
            yield now * STEP / max(time, 1)

    def items(self, document, time, scene):
        for actor in document.actors:
            if actor.part(Drift) is not None:
                yield Points(owner=actor.id, role="result", positions=scene.member(actor.id).base[None, :, 3])


class DriftChanges(Changes):
    def actor(self, old, new):
        return [] if old.part(Drift) == new.part(Drift) else [ALWAYS]

    def widens(self, group):
        return any(actor.part(Drift) is not None for actor in group)

    def widened(self, old, group, actor, found):
        return merge((start, math.inf) for start, _ in found)
""",
}

PROGRAM = """
from dataclasses import replace
from pathlib import Path
import sys

from engine.document import Document, Layer, Attachment
from engine.document.motion import TICKS_PER_SECOND, Key, Track
from engine.document.values import vector3
from engine.edits import EDITS, edit, from_record
from engine.evaluate.evaluator import Evaluator
from engine.evaluate.picture_cache import PictureCache
from engine.formats import sinew
from engine.long import JOBS
from engine.long.bake import bake_frames
from engine.model.snapshot import Points
from engine.motion.changed import changed_span
from tests.engine.figures import scene

document = scene()
actor = document.actors[0]
name = actor.figure.coordinates[0]
change = edit("set_drift", actor=actor.id, coordinate=name)
assert change.label(document) == f"Let {actor.name} drift"
drifting = from_record(change.record()).apply(document)
assert drifting.digest == change.apply(document).digest != document.digest

SECOND = TICKS_PER_SECOND
evaluator = Evaluator()
slices = list(evaluator.prepare(drifting, SECOND))
assert len(slices) >= 10, slices
assert not list(evaluator.step(drifting, SECOND)), "it is there"
was = evaluator.coordinates(document, actor.id, [SECOND])[0]
now = evaluator.coordinates(drifting, actor.id, [SECOND])[0]
assert abs(now[0] - was[0] - 2.5) < 1e-12 and (now[1:] == was[1:]).all()
assert Evaluator().coordinates(drifting, actor.id, [SECOND])[0].tobytes() == now.tobytes()

picture = evaluator.snapshot(drifting, SECOND)
assert [each.owner for each in picture.of(Points)] == [actor.id]
assert not evaluator.snapshot(document, SECOND).of(Points)
pictures = PictureCache(evaluator)
assert pictures.snapshot(drifting, SECOND, skins=True).of(Points)
assert {each for each, _, _ in changed_span(document, drifting)} == {actor.id}
assert changed_span(drifting, replace(drifting, rate=(24, 1))) == ()

from engine.edits.fitting import with_figure
left = with_figure(drifting, actor.id, replace(actor.figure, name="Other"))
assert left.actor(actor.id).parts
bare = replace(actor.figure, joints=(replace(actor.figure.joints[0], dofs=()), *actor.figure.joints[1:]))
assert not with_figure(drifting, actor.id, bare).actor(actor.id).parts

path = Path(sys.argv[1]) / "toy.sinew"
sinew.write(path, drifting)
assert sinew.read(path).digest == drifting.digest and sinew.read(path) == drifting
list(bake_frames(drifting, (Path(sys.argv[1]),), [0, SECOND]))
from engine.commands.reach import Reach
from engine.command import Desk, as_command
desk = Desk(Evaluator(), object(), SECOND)
steps = as_command(change).show(desk, document)
count = 0
while True:
    try:
        next(steps)
        count += 1
    except StopIteration as stop:
        assert stop.value.snapshot.of(Points)
        break
assert count >= 10, "stepped in slices before the picture is made"
assert list(JOBS["toy"]({})) and "set_drift" in EDITS
print("well")
"""


SHOWN = {
    "__init__": """
from app.features.feature import Actions, Dock, Feature
from app.features.toy.actions import ACTIONS, ToyCommands
from app.features.toy.page import ToyPage
from app.features.toy.panel import ToyPanel
from app.features.toy.rows import DriftRows
from app.features.toy.state import Toy


def _draw(window, viewport):
    from app.features.toy.view import show_guide

    show_guide(window.session, viewport)


FEATURE = Feature(
    name="toy",
    docks=(Dock("toy", ToyPanel.title, "right", ToyPanel, "box"),),
    actions=(Actions(ACTIONS, ToyCommands),),
    states=(Toy,),
    draw=_draw,
    pages=(ToyPage.of,),
    rows=(lambda _: DriftRows(),),
)
""",
    "page": """
from PySide6.QtWidgets import QLabel

from app.features.inspecting import InspectorPage


class ToyPage(InspectorPage):
    @classmethod
    def of(cls, session, document, unfolded, shown):
        active = session.selection.active
        if active is None or active.part is not None or not document.actor(active.actor).parts:
            return None
        return shown if isinstance(shown, ToyPage) else cls(session, unfolded)

    def __init__(self, session, unfolded):
        super().__init__(session, unfolded)
        self._add_section("drift", "Drift", lambda: QLabel("It drifts"), unfold=True)
""",
    "rows": """
from app.timeline.rows import RowSource, TimeBlock


class DriftRows(RowSource):
    place = 50
    looks = {"drift": ("good", "something drifts")}

    def rows(self, document, actor):
        if actor.parts:
            yield self.bar(TimeBlock(kind="drift", actor=actor.id, id="drift", label="Drift", span=None))
""",
    "state": """
from PySide6.QtCore import QObject, Signal

from engine.edits import edit


class Toy(QObject):
    changed = Signal()

    def __init__(self, session):
        super().__init__(session)
        self._session = session
        session.document_changed.connect(lambda *_: self.changed.emit())

    def drift(self):
        actor = self._session.document.actors[0]
        self._session.do(edit("set_drift", actor=actor.id, coordinate=actor.figure.coordinates[0]))

    @property
    def count(self):
        return sum(bool(actor.parts) for actor in self._session.document.actors)
""",
    "panel": """
from PySide6.QtWidgets import QLabel, QVBoxLayout

from app.features.toy.state import Toy
from app.style.following import Following


class ToyPanel(Following):
    title = "Toy"
    help_text = "<p>Lets an actor drift.</p>"

    def __init__(self, session):
        super().__init__()
        self._toy = session.of(Toy)
        self.text = QLabel()
        QVBoxLayout(self).addWidget(self.text)
        self._toy.changed.connect(self.follow)
        self.refresh()

    def refresh(self):
        self.text.setText(f"{self._toy.count} drifting")
""",
    "actions": """
from app.features.action import Action, Topic
from app.features.toy.state import Toy


class ToyCommands(Topic):
    def drift(self):
        'Let the first actor drift.'
        self._session.of(Toy).drift()


ACTIONS = (Action(id="toy.drift", label="Drift", menu="Animate", call=ToyCommands.drift),)
""",
    "view": """
from app.scene.guides import Guide
from app.scene.symbols import Symbol


def show_guide(session, viewport):
    def show(snapshot):
        drifting = any(actor.parts for actor in snapshot.document.actors)
        guide = Guide(points=((0.0, 0.0, 0.0), (0.0, 2.0, 0.0)), colour="accent")
        viewport.set_guides((guide,) if drifting else (), of="toy")
        actor = snapshot.document.actors[0]
        symbol = Symbol(
            of="toy", owner=actor.id, id="drift", name="Drift", part=actor.figure.joints[0].id, shape="pose",
            place=(0.0, 2.0, 0.0),
        )
        viewport.set_symbols((symbol,) if drifting else (), "toy")

    session.snapshot_ready.connect(show)
""",
}

WINDOW = """
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QPointF

from app.session import Item

from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.model.snapshot import Points
from tests.engine.figures import scene
from tests.stage import stage

document = replace(scene(), actors=scene().actors[:1])
with stage(document) as opened:
    window, session = opened.window, opened.session
    panel = window.docks["toy"].widget()
    window.show_panel("toy")
    opened.until(panel.isVisible)
    session.set_playhead(SECOND)
    opened.settle()
    assert panel.text.text() == "0 drifting" and not opened.snapshot.of(Points)
    opened.draw()
    plain = opened.grab()
    window.menus.actions["toy.drift"].trigger()
    opened.until(lambda: session.document is not document and session.at_rest)
    opened.settle()
    opened.draw()
    assert panel.text.text() == "1 drifting"
    assert opened.snapshot.of(Points)
    assert opened.grab() != plain
    assert "toy" in [name for name in window.docks]
    window.show_panel("timeline")
    timeline = window.docks["timeline"].widget()
    opened.until(lambda: [row.label for row in timeline.sheet.rows if row.kind == "block"] == ["Drift"])
    x, y, _ = opened.view.cameras[0].project(np.array((0.0, 2.0, 0.0)), opened.view.size_of(0)).tolist()
    pane = opened.view.panes()[0]
    assert opened.view.symbol_at(QPointF(pane.x + x, pane.y + y), "toy").marker.id == "drift"
    session.select([Item(session.document.actors[0].id)])
    assert list(window.docks["inspector"].widget().page.sections) == ["drift"]
    window.menus.actions["edit.undo"].trigger()
    opened.until(lambda: session.document is document)
    opened.settle()
    assert panel.text.text() == "0 drifting" and not opened.snapshot.of(Points)
print("well")
"""


def toy_in(tree: Path) -> dict[str, str]:
    """The files that the toy makes or changes in a tree."""
    systems, features = (tree / TABLE).read_text(), (tree / FEATURES).read_text()
    changed = {
        TABLE: re.sub(r'(?m)^(SYSTEMS = \(\n(?:    "\w+".*\n)+)\)', r'\1    "toy",\n)', systems),
        FEATURES: re.sub(r"(?m)(\.FEATURE,\n)\)$", r"\1    toy.FEATURE,\n)", features).replace(
            "    timeline,\n", "    timeline,\n    toy,\n"
        ),
    }
    assert changed[TABLE] != systems
    assert changed[FEATURES].count("toy") == 2
    made = {f"engine/toy/{name}.py": text for name, text in TOY.items()}
    return changed | made | {f"app/features/toy/{name}.py": text for name, text in SHOWN.items()}


def test_a_system_is_a_folder_of_the_engine_one_of_the_window_and_a_line_in_each_table(
    tree: Path, tmp_path: Path
) -> None:
    """That it needs no line among the contracts, test_contracts.py sees: one look at all imports takes seconds."""
    systems, files = (tree / TABLE).read_text(), toy_in(tree)
    assert len([name for name in files if "/toy/" not in name]) == 2
    with ExitStack() as planted:
        for name, text in files.items():
            planted.enter_context(plant(tree, name, text))
        environment = {**own_bytecode(), "PYTHONPATH": str(tree)}
        assert ended_well([sys.executable, "-c", PROGRAM, str(tmp_path)], tree, environment)
        with virtual_screen() as screen:
            assert ended_well([sys.executable, "-c", WINDOW], tree, environment | screen)
    assert (tree / TABLE).read_text() == (ROOT / TABLE).read_text() == systems


def ended_well(command: list[str], folder: Path, environment: dict[str, str]) -> bool:
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=240)
    assert done.stdout.strip().endswith("well"), done.stderr
    return True
