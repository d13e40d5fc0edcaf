"""What a whole document must satisfy."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.document import Actor, Attachment, Document, Dof, Draft, Figure, Joint, Key, Layer, Lock, Track, validate
from engine.document.secondary import OwnGains, Secondary
from engine.document.selection_sets import SelectionSet
from engine.document.validation import validate_edited
from engine.edits import edit
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


SOUND = _document(ROOT, layers=(Layer(id="p", values=(("turn", 0.5),)), Layer(id="q")))
ACTOR, LAYER = SOUND.actors[0], SOUND.actors[0].layers[0]
HELD = Lock(id="l", name="L", joint="root")
HUNG = Attachment(id="h", joint="root", target="a", target_joint="root")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (replace(LAYER, values=(("knee", 0.5),)), "a coordinate of A"),
        (replace(LAYER, values=(("turn", 1e300),)), "the values of Layer"),
        (replace(LAYER, values=(("turn", 0.5), ("turn", 0.5))), "coordinates of layer"),
        (replace(LAYER, tracks=(Track(coordinate="knee", keys=(Key(0, 0.0),)),)), "a coordinate of A"),
        (replace(LAYER, mask=("knee",)), "a coordinate of A"),
        (replace(LAYER, drafts=(Draft(time=0, values=(("knee", 0.0),)),)), "a coordinate of A"),
        (replace(LAYER, id="q"), "layer ids"),
        (replace(ACTOR, receiver="r"), "keys go to"),
        (replace(ACTOR, locks=(HELD, HELD)), "lock ids"),
        (replace(ACTOR, locks=(replace(HELD, joint="knee"),)), "a joint of lock"),
        (replace(ACTOR, locks=(replace(HELD, target="b", target_joint="root"),)), "holds on to"),
        (replace(ACTOR, attachments=(HUNG,)), "attach|ring|itself"),
        (replace(ACTOR, secondary=Secondary(own=(OwnGains(joint="knee"),))), "gains of its own"),
        (replace(ACTOR, figure=_document(replace(ROOT, dofs=())).actors[0].figure), "a coordinate of A"),
    ],
)
def test_of_an_edit_what_it_changed_is_refused_as_in_the_whole(changed: Layer | Actor, message: str) -> None:
    actor = changed if isinstance(changed, Actor) else replace(ACTOR, layers=(changed, ACTOR.layers[1]))
    sound, unsound = replace(SOUND), [replace(SOUND, actors=(actor,)) for _ in range(2)]
    validate(sound)
    with pytest.raises(InvalidDocument, match=message) as whole:
        validate(unsound[0])
    with pytest.raises(InvalidDocument) as part:
        validate_edited(unsound[1], sound)
    assert str(part.value) == str(whole.value)


def test_of_an_edit_what_hangs_on_the_changed_is_looked_at_again() -> None:
    other = replace(ACTOR, id="b", locks=(replace(HELD, target="a", target_joint="root"),))
    sound = replace(SOUND, actors=(ACTOR, other))
    validate(sound)
    gone = replace(ACTOR, figure=_document(replace(ROOT, id="hip")).actors[0].figure)
    with pytest.raises(InvalidDocument, match="holds on to"):
        validate_edited(replace(sound, actors=(gone, other)), sound)
    with pytest.raises(InvalidDocument, match="actor ids"):
        validate_edited(replace(sound, actors=(ACTOR, other, replace(other, name="C"))), sound)
    chosen = SelectionSet(id="s", name="S", items=(("a", "root"),))
    with_set = replace(sound, selection_sets=(chosen,))
    validate(with_set)
    with pytest.raises(InvalidDocument, match="an item of S"):
        validate_edited(replace(with_set, actors=(gone,)), with_set)


def test_a_pose_of_what_was_never_looked_at_is_looked_at() -> None:
    turned = edit("set_value", actor="a", layer="p", coordinate="turn", value=0.25)
    unsound = replace(SOUND, actors=(replace(ACTOR, locks=(replace(HELD, joint="knee"),)),))
    with pytest.raises(InvalidDocument, match="a joint of lock"):
        turned.apply(unsound)
    validate(SOUND)
    posed = turned.apply(SOUND)
    with pytest.raises(InvalidDocument, match="a coordinate of A"):
        edit("add_layer", actor="a", layer=Layer(id="r", mask=("knee",))).apply(posed)


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
