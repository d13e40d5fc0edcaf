"""A toy system in a copy of the tree: one folder in `engine/` and one name in the table, and nothing else changed."""

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path

from tests.house.test_contracts import look
from tests.house.tree import ROOT, plant

TABLE = "engine/systems.py"

TOY = {
    "__init__": '"""A toy: a coordinate that drifts with a clock."""\n',
    "system": """
from engine.systems import System

SYSTEM = System(
    name="toy",
    uses="engine.toy.part:uses_toy",
    parts=("engine.toy.part:Drift",),
    edits=(("engine.toy.edits", "set_drift", "Let {actor} drift"),),
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
from engine.toy.part import Drift


def set_drift(document, *, actor, coordinate):
    return document.with_actor(document.actor(actor).with_part(Drift(coordinate=coordinate)))


def count(arguments):
    yield {"progress": 1.0, "text": "counted"}
    return 3
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


def test_a_system_is_one_folder_and_one_name_in_the_table(tree: Path, tmp_path: Path) -> None:
    table = (tree / TABLE).read_text()
    listed = table.replace('"kinodynamics")', '"kinodynamics", "toy")')
    assert listed != table
    with ExitStack() as planted:
        planted.enter_context(plant(tree, TABLE, listed))
        for name, text in TOY.items():
            planted.enter_context(plant(tree, f"engine/toy/{name}.py", text))
        environment = {**os.environ, "PYTHONPATH": str(tree)}
        command = [sys.executable, "-c", PROGRAM, str(tmp_path)]
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=240)
        assert done.stdout.strip() == "well", done.stderr
        assert "Contracts: 9 kept, 0 broken" in look(tree)
    assert (ROOT / TABLE).read_text() == table
