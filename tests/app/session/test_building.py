"""Building: names and ids are free, sizes follow the bone that is built on, and every edit can be applied."""

from __future__ import annotations

from app.session.building import empty_figure, end_of, new_child, new_handle, other_branch, slug, split_bone
from engine.document import Actor, Capsule, Document, Figure, validate
from engine.formats.figure_toml import load_figure


def scene(figure: Figure) -> Document:
    return Document(actors=(Actor(id="one", name="One", figure=figure),))


def grown(count: int) -> Document:
    document, joint = scene(empty_figure("Lamp")), "base"
    for _ in range(count):
        change, joint = new_child("one", document.actors[0].figure, joint)
        document = change.apply(document)
    return document


def test_an_empty_figure_is_one_fixed_joint_on_the_floor() -> None:
    figure = empty_figure("Lamp")
    validate(scene(figure))
    assert [joint.dofs for joint in figure.joints] == [()]
    assert figure.joints[0].shapes


def test_bones_stand_one_on_the_other_with_names_of_their_own() -> None:
    figure = grown(3).actors[0].figure
    assert [joint.id for joint in figure.joints] == ["base", "bone", "bone_2", "bone_3"]
    assert [joint.name for joint in figure.joints] == ["Base", "Bone", "Bone 2", "Bone 3"]
    bone = figure.joint("bone_2").shapes[0]
    assert isinstance(bone, Capsule)
    assert figure.joint("bone_3").offset == end_of(figure, "bone_2") == bone.end


def test_a_name_that_was_given_up_is_taken_again() -> None:
    figure = grown(1).actors[0].figure
    _, id = split_bone("one", figure, "bone")
    assert id == "bone_2"


def test_an_end_effector_stands_at_the_end_of_its_bone() -> None:
    document = grown(1)
    for _ in range(2):
        document = new_handle("one", document.actors[0].figure, "bone").apply(document)
    figure = document.actors[0].figure
    assert [handle.id for handle in figure.handles] == ["bone_end", "bone_end_2"]
    assert figure.handles[0].point == figure.handles[1].point


def test_the_other_side_has_the_ids_that_its_side_asks_for() -> None:
    human = load_figure("human")
    document = scene(human)
    from engine.edits import edit

    bare = edit("remove_joint", actor="one", joint="shoulder_right", branch=True).apply(document)
    change, made = other_branch("one", bare.actors[0].figure, "shoulder_left")
    figure = change.apply(bare).actors[0].figure
    assert made == "shoulder_right"
    assert set(figure.joint_index) == set(human.joint_index)
    assert {dof.id for dof in figure.dofs} == {dof.id for dof in human.dofs}
    assert {handle.id for handle in figure.handles} == {handle.id for handle in human.handles}


def test_an_id_is_made_of_letters_and_figures() -> None:
    assert slug("Desk lamp (2)") == "desk_lamp_2"
    assert slug("?") == "part"
