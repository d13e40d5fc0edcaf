"""Soft bodies in documents: what may stand there, what is refused by name, and that files give them back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.document import Blob, Document, Key, Track
from engine.edits import edit
from engine.formats import sinew
from engine.runtime.errors import EngineError
from engine.soft.mesh import UnsoundBody
from engine.soft.parts import ALPHA, SoftBody, SoftWorld
from engine.soft.uses import soft_body
from tests.engine.figures import scene
from tests.engine.soft.bodies import soft_actor, soft_cube, spline

SECOND = 705_600_000


def changed(document: Document, name: str, **given: Any) -> Document:
    return edit(name, actor="jelly", **given).apply(document)


def body_in(document: Document) -> SoftBody:
    found = soft_body(document.actor("jelly"))
    assert found is not None
    return found


@pytest.fixture
def document() -> Document:
    return Document(actors=(*scene().actors[:1], soft_actor(body=soft_cube(spline()))))


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"density": 0.0}, "Density is 0.0"),
        ({"young": float("nan")}, "finite"),
        ({"material": "wood"}, "Material is 'wood'"),
        ({"poisson": 0.5}, "Poisson"),
    ],
)
def test_what_a_body_cannot_be_made_of_is_refused_by_name(document: Document, bad: dict[str, Any], told: str) -> None:
    with pytest.raises(EngineError, match=told):
        changed(document, "set_soft_body", **bad)


def test_a_heading_of_no_length_is_refused(document: Document) -> None:
    with pytest.raises(EngineError, match="heading of a soft body"):
        changed(document, "set_soft_heading", heading=(0.0, 0.0, 0.0))
    assert body_in(changed(document, "set_soft_heading", heading=(0.0, 0.0, 2.0))).heading == (0.0, 0.0, 2.0)


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ({"alpha": 100.0}, "Contraction alpha is 100.0"),
        ({"alpha": 0.0}, "Contraction alpha is 0.0"),
        ({"alpha": -1.0}, "Contraction alpha is -1.0"),
        ({"expression": "1 + cso(t)"}, "did you mean cos"),
        ({"expression": "__import__('os')"}, "__import__"),
    ],
)
def test_what_a_spline_cannot_be_told_is_refused_by_name(document: Document, bad: dict[str, Any], told: str) -> None:
    with pytest.raises(EngineError, match=told):
        changed(document, "set_activation", spline="spline", **bad)
    with pytest.raises(EngineError, match="a key of the contraction of Spline"):
        changed(document, "set_activation_keys", spline="spline", keys=(Key(0, 100.0),))


def test_a_spline_far_outside_the_body_is_refused(document: Document) -> None:
    with pytest.raises(EngineError, match="a control point of Spline"):
        changed(document, "move_activation_point", spline="spline", point=1, position=(9.0, 0.0, 0.0))
    with pytest.raises(EngineError, match="all in one place"):
        spline(id="short").__class__(id="short", name="Short", points=((0.0, 0.0, 0.0),) * 3)


def test_a_mesh_that_names_points_that_are_not_there_is_refused() -> None:
    cube = soft_cube()
    with pytest.raises(EngineError, match="the cells of a soft body"):
        replace(cube, cells=Blob(cube.cells.array + 1))
    with pytest.raises(EngineError, match="the triangles of a soft body"):
        replace(cube, triangles=Blob(cube.triangles.array + 1))
    with pytest.raises(EngineError, match="the stiffness of the cells"):
        replace(cube, factors=Blob(np.zeros(1)))
    with pytest.raises(EngineError, match="the material of a soft body"):
        replace(cube, shape="edges", cells=Blob(np.array([[0, 1]], dtype=np.int32)), material="corotational")


def test_an_attachment_names_what_is_there(document: Document) -> None:
    from engine.soft.parts import SoftAttachment

    def held(**given: Any) -> SoftAttachment:
        usual: dict[str, Any] = {"id": "held", "target": "one", "joint": document.actors[0].figure.joints[0].id}
        one: dict[str, Any] = {"points": Blob(np.array([0], dtype=np.int32)), "places": Blob(np.zeros((1, 3)))}
        return SoftAttachment(**(usual | one | given))

    for bad, told in (
        ({"target": "nobody"}, "nobody"),
        ({"joint": "wing"}, "wing"),
        ({"target": "jelly"}, "attached to"),
        ({"points": Blob(np.array([99], dtype=np.int32))}, "the points of an attachment"),
    ):
        with pytest.raises(EngineError, match=told):
            changed(document, "attach_soft_body", attachment=held(**bad))
    attached = changed(document, "attach_soft_body", attachment=held())
    assert [each.id for each in body_in(attached).attachments] == ["held"]
    left = edit("remove_actor", actor="one").apply(attached)
    assert body_in(left).attachments == ()


def test_keys_are_set_moved_drawn_over_and_taken_away(document: Document) -> None:
    keyed = changed(document, "set_activation_keys", spline="spline", keys=(Key(0, 1.0), Key(SECOND, 0.5)))
    one = body_in(keyed).splines[0]
    assert one.activation == "keys"
    assert one.track == Track(coordinate=ALPHA, keys=(Key(0, 1.0), Key(SECOND, 0.5)))
    moved = changed(keyed, "move_activation_keys", spline="spline", times=(SECOND,), ticks=SECOND, value=-9.0)
    track = body_in(moved).splines[0].track
    assert track is not None
    assert [(key.time, key.value) for key in track.keys] == [(0, 1.0), (2 * SECOND, 0.1)]
    drawn = (Key(5, 0.7), Key(9, 0.8))
    drawn_over = changed(keyed, "draw_activation", spline="spline", start=1, end=2 * SECOND, keys=drawn)
    track = body_in(drawn_over).splines[0].track
    assert track is not None
    assert [key.time for key in track.keys] == [0, 5, 9]
    bare = changed(keyed, "remove_activation_keys", spline="spline")
    assert body_in(bare).splines[0].track is None
    assert body_in(bare).splines[0].activation == "constant"


def test_inserted_time_moves_keys_and_starts(document: Document) -> None:
    keyed = changed(document, "set_activation_keys", spline="spline", keys=(Key(0, 1.0), Key(2 * SECOND, 0.5)))
    keyed = changed(keyed, "set_soft_body", start=SECOND)
    later = edit("insert_everywhere", actors=("jelly",), time=SECOND // 2, length=SECOND).apply(keyed)
    found = body_in(later)
    assert found.start == 2 * SECOND
    assert found.splines[0].track is not None
    assert found.splines[0].track.keys[-1].time == 3 * SECOND


def test_a_document_with_a_soft_body_is_saved_and_read(tmp_path: Path, document: Document) -> None:
    keyed = changed(document, "set_activation_keys", spline="spline", keys=(Key(0, 1.0), Key(SECOND, 0.5)))
    keyed = edit("set_soft_world", step=0.01).apply(keyed)
    path = tmp_path / "jelly.sinew"
    sinew.write(path, keyed)
    again = sinew.read(path)
    assert again.digest == keyed.digest
    assert again.part(SoftWorld) == SoftWorld(step=0.01)
    assert np.array_equal(body_in(again).points.array, body_in(keyed).points.array)


def test_a_mesh_that_cannot_be_simulated_is_refused_by_the_edit() -> None:
    body = soft_cube()
    turned = replace(body, cells=Blob(np.roll(body.cells.array, 4, axis=1)))
    document = Document(actors=(soft_actor(),))
    with pytest.raises(UnsoundBody, match="inside out"):
        edit("put_soft_body", actor="jelly", body=turned).apply(document)
