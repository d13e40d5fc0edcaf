"""What a whole document must satisfy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.document import Actor, Document, Dof, Figure, Joint, Layer, validate
from engine.runtime.errors import InvalidDocument, UnknownPart
from tests.engine.figures import scene


def _document(*joints: Joint, layers: tuple[Layer, ...] = ()) -> Document:
    return Document(actors=(Actor(id="a", name="A", figure=Figure(name="F", joints=joints), layers=layers),))


ROOT = Joint(id="root", name="Root", dofs=(Dof(id="turn", name="Turn"),))


def test_a_sound_scene_passes() -> None:
    validate(scene())


@pytest.mark.parametrize(
    ("document", "message"),
    [
        (_document(), "one or more"),
        (_document(ROOT, ROOT), "joint ids"),
        (_document(replace(ROOT, parent="root")), "a joint listed before it"),
        (_document(ROOT, Joint(id="j", name="J", parent="nobody")), "a joint listed before it"),
        (_document(ROOT, Joint(id="j", name="J", parent="root", dofs=ROOT.dofs)), "degrees of freedom"),
        (
            _document(ROOT, Joint(id="j", name="J", parent="root", dofs=(Dof(id="b", name="B", kind="ball"),))),
            "balls in a root only",
        ),
        (_document(ROOT, layers=(Layer(id="p", values=(("knee", 1.0),)),)), "a coordinate of A"),
        (_document(ROOT, layers=(Layer(id="p", values=(("turn", float("nan")),)),)), "finite"),
        (_document(ROOT, layers=(Layer(id="p"), Layer(id="p"))), "layer ids"),
        (_document(ROOT, layers=(Layer(id="p", values=(("turn", 0.0), ("turn", 1.0))),)), "coordinates of layer"),
        (Document(actors=_document(ROOT).actors * 2), "actor ids"),
    ],
)
def test_unsound_documents_are_named(document: Document, message: str) -> None:
    with pytest.raises(InvalidDocument, match=message):
        validate(document)


def test_a_quaternion_must_have_norm_one() -> None:
    with pytest.raises(InvalidDocument, match="norm 1"):
        Joint(id="j", name="J", rest=(1.0, 1.0, 0.0, 0.0))
    nearly = Joint(id="j", name="J", rest=(1.0 + 1e-8, 0.0, 0.0, 0.0))
    assert nearly.rest == (1.0, 0.0, 0.0, 0.0)


def test_unknown_ids_are_answered_with_a_hint() -> None:
    with pytest.raises(UnknownPart, match="'three'"):
        scene().actor("thre")
    figure = scene().actors[0].figure
    assert figure is not None
    with pytest.raises(UnknownPart, match="joint"):
        figure.joint("elbow")
