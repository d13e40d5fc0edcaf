"""Joint limits in a project file: every kind comes back, its arrays by digest, and a stroke writes a little text."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path

from engine.document import Document, Limit, validate
from engine.document.limit import Stroke
from engine.edits import edit
from engine.project.save import open_project, save_project
from engine.project.store import Store
from tests.engine.edits.limit_examples import limit_over
from tests.engine.figures import scene
from tests.engine.formats.test_limit_tables import AXES, KINDS, ball


def limited() -> Document:
    """A figure with a limit of every kind, of which one is on."""
    dofs = tuple(f"ball.{name}" for name in "zyx")
    assert len(dofs) == len(AXES)
    made = (limit_over(random.Random(each), dofs, on=each == 0, kind=kind) for each, kind in enumerate(KINDS))
    actor = replace(scene().actors[0], figure=ball(*made), layers=())
    return Document(actors=(actor,))


def test_limits_of_every_kind_travel_in_the_project_file(tmp_path: Path) -> None:
    document, path = limited(), tmp_path / "limits.sinew"
    save_project(path, document)
    found = open_project(path).document
    validate(found)
    assert found == document
    assert found.digest == document.digest
    assert [type(limit.range) for limit in found.actors[0].figure.limits] == [
        type(limit.range) for limit in document.actors[0].figure.limits
    ]


def test_a_hundred_strokes_on_a_fine_grid_take_little_in_the_undo_list(tmp_path: Path) -> None:
    """At most 20 MB are allowed; the field itself is worked out again and never kept."""
    document, path = limited(), tmp_path / "strokes.sinew"
    (actor,) = document.actors
    limit: Limit = actor.figure.limits[1]
    document = edit("set_limit_grid", actor=actor.id, limit=limit.id, counts=(64, 64, 64)).apply(document)
    chance = random.Random(3)
    with Store.create(path) as store:
        store.append("Open", None, document)
        for _ in range(100):
            points = tuple(tuple(chance.uniform(-1.0, 1.0) for _ in range(3)) for _ in range(40))
            stroke = Stroke(kind="pull", points=points, radius=0.2)
            change = edit("add_stroke", actor=actor.id, limit=limit.id, stroke=stroke)
            document = change.apply(document)
            store.append("Brush", change, document)
        assert len(document.actors[0].figure.limit(limit.id).strokes) == 100 + len(limit.strokes)
    assert path.stat().st_size < 3e6
