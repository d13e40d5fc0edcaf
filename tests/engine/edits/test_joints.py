"""Edits of a figure's tree keep what they promise in the world at rest, and clean what named what has gone."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from engine.document import (
    Actor,
    Attachment,
    Blob,
    Body,
    Box,
    Capsule,
    Document,
    Dof,
    Ellipsoid,
    Figure,
    Handle,
    Joint,
    Key,
    Layer,
    Lock,
    Samples,
    SelectionSet,
    Skin,
    Span,
    SpeedRange,
    Track,
    TriangleMesh,
    validate,
)
from engine.document.frames import Frame, rest_frames
from engine.document.freedoms import freedoms
from engine.edits import edit
from engine.formats.figure_toml import load_figure
from engine.maths.rotation_arrays import rotation_matrix
from engine.model.inertia import body_of, total_mass
from engine.runtime.errors import EngineError
from tests.engine.figures import random_figure

SECOND = 705_600_000


def scene(figure: Figure, **fields: Any) -> Document:
    return Document(actors=(Actor(id="one", name="One", figure=figure, **fields),))


def figure_of(document: Document) -> Figure:
    return document.actors[0].figure


def assert_same(one: Frame, two: Frame, within: float = 1e-12) -> None:
    assert math.dist(one.position, two.position) < within
    np.testing.assert_allclose(rotation_matrix(one.rotation), rotation_matrix(two.rotation), rtol=0, atol=within)


def arm() -> Figure:
    """A base, an upper and a lower arm and two fingers; the lower arm's hinge cannot stand at 0."""
    return Figure(
        name="Arm",
        joints=(
            Joint(id="base", name="Base", offset=(0.0, 0.1, 0.0), rest=(0.8, 0.0, 0.6, 0.0)),
            Joint(id="upper", name="Upper arm", parent="base", offset=(0.0, 0.2, 0.0), dofs=freedoms("ball", "upper")),
            Joint(
                id="lower",
                name="Lower arm",
                parent="upper",
                offset=(0.0, 0.4, 0.1),
                rest=(0.6, 0.8, 0.0, 0.0),
                dofs=(Dof(id="lower.x", name="Bend", lower=0.3, upper=2.0),),
                shapes=(Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 0.3, 0.0), radius=0.03),),
            ),
            Joint(id="thumb", name="Thumb", parent="lower", offset=(0.02, 0.3, 0.0)),
            Joint(
                id="finger", name="Finger", parent="lower", offset=(-0.02, 0.32, 0.0), dofs=freedoms("hinge", "finger")
            ),
        ),
        handles=(Handle(id="tip", name="Tip", joint="finger", point=(0.0, 0.05, 0.0)),),
    )


def busy() -> Document:
    """The arm with one of everything that can name a joint or a coordinate, and a prop that hangs on it."""
    skin = Skin(
        id="skin",
        name="Skin",
        positions=Blob(np.eye(3, dtype="<f4")),
        triangles=Blob(np.array([[0, 1, 2]], dtype="<i4")),
        joints=("upper", "lower"),
        bind=Blob(
            [[[1.0, 0, 0, 0.1], [0, 1.0, 0, 0], [0, 0, 1.0, 0]], [[0, 0, 1.0, 0], [0, 1.0, 0, 0.2], [-1.0, 0, 0, 0]]]
        ),
        influences=Blob(np.array([[0], [1], [1]], dtype="<i4")),
        weights=Blob(np.ones((3, 1), dtype="<f4")),
    )
    names = ("upper.y", "lower.x")
    layer = Layer(
        id="pose",
        values=(("upper.x", 0.1), ("lower.x", 0.5)),
        samples=Samples(coordinates=names, values=Blob([[0.1, 0.2], [0.3, 0.4]]), rate=(1, 1)),
        tracks=tuple(Track(coordinate=name, keys=(Key(0, 0.4), Key(SECOND, 0.6))) for name in names),
        quaternions=("upper",),
        mask=("upper.y", "upper.x", "lower.x"),
        speed=(SpeedRange(start=0, end=SECOND, coordinates=("lower.x",), keys=(Key(0, 0.0), Key(SECOND, 1.0))),),
    )
    locks = (
        Lock(id="held", name="Held", joint="lower"),
        Lock(id="moved", name="Moved", joint="base", joints=("upper", "lower")),
        Lock(id="mass", name="Mass", joint="lower", held="centre"),
    )
    figure = replace(arm(), skins=(skin,))
    one = Actor(id="one", name="One", figure=figure, layers=(layer,), locks=locks)
    ball = Figure(name="Ball", joints=(Joint(id="body", name="Ball", shapes=(Ellipsoid(radii=(0.1, 0.1, 0.1)),)),))
    hangs = Attachment(id="hangs", joint="body", target="one", target_joint="lower")
    clings = Lock(id="clings", name="Clings", joint="body", target="one", target_joint="lower")
    two = Actor(id="two", name="Two", figure=ball, attachments=(hangs,), locks=(clings,))
    sets = (
        SelectionSet(id="both", name="Both", items=(("one", "lower"), ("two", None))),
        SelectionSet(id="only", name="Only", items=(("one", "lower"),)),
    )
    document = Document(actors=(one, two), selection_sets=sets)
    validate(document)
    return document


def surface(figure: Figure) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The vertices of the first skin at rest."""
    frames, skin = rest_frames(figure), figure.skins[0]
    places = []
    for vertex, joint in zip(skin.positions.array, skin.influences.array[:, 0], strict=True):
        frame, bind = frames[skin.joints[joint]], skin.bind.array[joint]
        x, y, z = (bind[:, :3] @ vertex + bind[:, 3]).tolist()
        places.append(frame.at((x, y, z)))
    return np.array(places)


def test_a_joint_is_added_behind_its_parents_children() -> None:
    new = Joint(id="wrist", name="Wrist", parent="upper", dofs=freedoms("hinge", "wrist"))
    change = edit("add_joint", actor="one", joint=new)
    document = change.apply(scene(arm()))
    assert change.label(document) == "Add Wrist"
    assert figure_of(document).joint("wrist") == new
    assert [each.id for each in figure_of(document).joints] == ["base", "upper", "lower", "thumb", "finger", "wrist"]


def test_children_of_a_removed_joint_stay_where_they_are_at_rest() -> None:
    before = rest_frames(arm())
    document = edit("remove_joint", actor="one", joint="lower").apply(scene(arm()))
    after = rest_frames(figure_of(document))
    assert set(after) == {"base", "upper", "thumb", "finger"}
    assert figure_of(document).joint("finger").parent == "upper"
    for id, frame in after.items():
        assert_same(frame, before[id])


def test_a_branch_goes_with_all_that_hangs_on_it() -> None:
    document = edit("remove_joint", actor="one", joint="lower", branch=True).apply(scene(arm()))
    assert [each.id for each in figure_of(document).joints] == ["base", "upper"]
    assert figure_of(document).handles == ()


def test_a_root_with_one_child_hands_over() -> None:
    before = rest_frames(arm())
    figure = figure_of(edit("remove_joint", actor="one", joint="base").apply(scene(arm())))
    assert figure.joints[0].id == "upper"
    assert figure.joints[0].parent is None
    assert_same(rest_frames(figure)["finger"], before["finger"])


def test_nothing_names_a_joint_that_has_gone() -> None:
    old = busy()
    document = edit("remove_joint", actor="one", joint="lower").apply(old)
    validate(document)
    one, two = document.actors
    layer = one.layers[0]
    assert layer.values == (("upper.x", 0.1),)
    assert layer.samples is not None
    assert layer.samples.coordinates == ("upper.y",)
    assert layer.samples.values.array.ravel().tolist() == [0.1, 0.3]
    assert [track.coordinate for track in layer.tracks] == ["upper.y"]
    assert layer.quaternions == ("upper",)
    assert layer.mask == ("upper.y", "upper.x")
    assert layer.speed == ()
    assert [(lock.id, lock.joint, lock.joints) for lock in one.locks] == [
        ("moved", "base", ("upper",)),
        ("mass", "upper", None),
    ]
    assert (two.attachments, two.locks) == ((), ())
    assert [(each.id, each.items) for each in document.selection_sets] == [("both", (("two", None),))]
    assert one.figure.skins[0].joints == ("upper", "upper")
    np.testing.assert_allclose(surface(one.figure), surface(old.actors[0].figure), rtol=0, atol=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_reparenting_keeps_every_place_at_rest(seed: int) -> None:
    figure = random_figure(seed)
    before = rest_frames(figure)
    rng = np.random.default_rng(seed)
    joint = figure.joints[int(rng.integers(1, 12))].id
    hanging = {joint}
    for each in figure.joints:
        if each.parent in hanging:
            hanging.add(each.id)
    others = [each.id for each in figure.joints if each.id not in hanging]
    document = edit("reparent_joint", actor="one", joint=joint, parent=others[-1]).apply(scene(figure))
    validate(document)
    after = rest_frames(figure_of(document))
    for id, frame in before.items():
        assert_same(after[id], frame)


def test_keys_and_values_follow_the_order_of_a_reparented_figure() -> None:
    document = edit("reparent_joint", actor="one", joint="upper", parent="base").apply(busy())
    assert document.actors == busy().actors
    moved = edit("reparent_joint", actor="one", joint="thumb", parent="base").apply(busy())
    validate(moved)
    assert moved.actors[0].layers[0] is not None
    np.testing.assert_allclose(surface(moved.actors[0].figure), surface(busy().actors[0].figure), rtol=0, atol=1e-12)


def test_children_stay_or_follow_when_a_joint_is_moved() -> None:
    before = rest_frames(arm())
    place: dict[str, Any] = {"actor": "one", "joint": "lower", "offset": (0.1, 0.3, 0.0), "rest": (0.6, 0.0, 0.0, 0.8)}
    stays = rest_frames(figure_of(edit("set_joint_frame", **place, keep_children=True).apply(scene(arm()))))
    follows = rest_frames(figure_of(edit("set_joint_frame", **place).apply(scene(arm()))))
    assert_same(stays["finger"], before["finger"])
    assert math.dist(stays["lower"].position, before["lower"].position) > 0.05
    assert_same(stays["lower"], follows["lower"])
    assert_same(before["lower"].seeing(before["finger"]), follows["lower"].seeing(follows["finger"]))


def test_a_surface_stays_at_rest_when_its_joint_is_moved() -> None:
    old = busy()
    moved = edit("set_joint_frame", actor="one", joint="lower", offset=(0.1, 0.3, 0.0), rest=(0.6, 0.0, 0.0, 0.8))
    figure = moved.apply(old).actors[0].figure
    np.testing.assert_allclose(surface(figure), surface(old.actors[0].figure), rtol=0, atol=1e-12)


def test_freedoms_that_stay_keep_their_keys() -> None:
    dofs = freedoms("ball", "upper", order="YZY", kept=arm().joint("upper").dofs)
    assert [dof.id for dof in dofs] == ["upper.y", "upper.z", "upper.y2"]
    document = edit("set_dofs", actor="one", joint="upper", dofs=dofs).apply(busy())
    validate(document)
    layer = document.actors[0].layers[0]
    assert [track.coordinate for track in layer.tracks] == ["upper.y", "lower.x"]
    assert layer.values == (("lower.x", 0.5),)
    assert layer.mask == ("upper.y", "lower.x")
    assert layer.quaternions == ("upper",)
    fixed = edit("set_dofs", actor="one", joint="upper", dofs=()).apply(document)
    assert fixed.actors[0].layers[0].quaternions == ()


def halves(figure: Figure, joint: str, share: float) -> Figure:
    change = edit("split_joint", actor="one", joint=joint, share=share, id="half", name="Half")
    document = change.apply(scene(figure))
    validate(document)
    return figure_of(document)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.83])
def test_nothing_moves_at_rest_when_a_bone_is_split(share: float) -> None:
    before, figure = rest_frames(arm()), halves(arm(), "lower", share)
    after = rest_frames(figure)
    for id, frame in before.items():
        assert_same(after[id], frame)
    assert figure.joint("finger").parent == "half"
    assert total_mass(figure) == pytest.approx(total_mass(arm()), rel=1e-12)
    assert len(figure.joint("lower").shapes) == len(figure.joint("half").shapes) == 1
    height = after["lower"].seeing(after["half"]).position[1]
    assert height == pytest.approx(share * 0.31, abs=1e-12)


def test_every_bone_of_the_human_splits_without_a_change_of_mass() -> None:
    human = load_figure("human")
    mass = total_mass(human)
    for joint in human.joints:
        if joint.parent is not None and joint.shapes:
            parts = halves(human, joint.id, 0.4)
            assert total_mass(parts) == pytest.approx(mass, rel=1e-9), joint.id


def test_a_given_body_is_divided_with_its_mass_centre_and_inertia() -> None:
    body = Body(mass=2.0, centre=(0.01, 0.15, 0.0), inertia=(0.02, 0.001, 0.02, 0.0, 0.0, 0.0))
    joints = tuple(replace(each, body=body) if each.id == "lower" else each for each in arm().joints)
    figure = halves(replace(arm(), joints=joints), "lower", 0.3)
    parts = [body_of(figure.joint("lower")), body_of(figure.joint("half"))]
    place = np.array(figure.joint("half").offset)
    centres = [np.array(parts[0].centre), np.array(parts[1].centre) + place]
    masses = [each.mass for each in parts]
    assert sum(masses) == pytest.approx(2.0, rel=1e-12)
    middle = sum(mass * centre for mass, centre in zip(masses, centres, strict=True)) / 2.0
    np.testing.assert_allclose(middle, body.centre, rtol=0, atol=1e-12)
    total = np.zeros((3, 3))
    for part, centre in zip(parts, centres, strict=True):
        xx, yy, zz, xy, xz, yz = part.inertia
        way = centre - middle
        total += np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        total += part.mass * (way @ way * np.eye(3) - np.outer(way, way))
    np.testing.assert_allclose(total, np.diag(body.inertia[:3]), rtol=0, atol=1e-12)


def test_shapes_are_cut_or_go_to_the_half_that_they_are_in() -> None:
    mesh = TriangleMesh(
        positions=Blob(np.array([[0, 0.3, 0], [0.1, 0.3, 0], [0, 0.4, 0], [0, 0.3, 0.1]], dtype="<f4")),
        normals=Blob(np.array([[0, 1, 0]] * 4, dtype="<f4")),
        triangles=Blob(np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], dtype="<i4")),
    )
    shapes = (
        Box(half=(0.05, 0.2, 0.05), centre=(0.0, 0.2, 0.0)),
        Ellipsoid(radii=(0.02, 0.02, 0.02), centre=(0.0, 0.05, 0.0)),
        mesh,
    )
    end = Handle(id="end", name="End", joint="bone", point=(0.0, 0.4, 0.0))
    joints = (Joint(id="root", name="Root"), Joint(id="bone", name="Bone", parent="root", shapes=shapes))
    figure = halves(Figure(name="Bone", joints=joints, handles=(end,)), "bone", 0.5)
    near, far = figure.joint("bone").shapes, figure.joint("half").shapes
    assert near == (Box(half=(0.05, 0.1, 0.05), centre=(0.0, 0.1, 0.0)), shapes[1])
    assert isinstance(far[0], Box)
    np.testing.assert_allclose((far[0].half, far[0].centre), ((0.05, 0.1, 0.05), (0.0, 0.1, 0.0)), rtol=0, atol=1e-15)
    assert isinstance(far[1], TriangleMesh)
    np.testing.assert_allclose(far[1].positions.array[:, 1].min(), 0.1, atol=1e-6)
    assert (figure.handles[0].joint, figure.handles[0].point) == ("half", (0.0, 0.2, 0.0))


def mirrored(figure: Figure, joint: str) -> Document:
    branch = {joint}
    for each in figure.joints:
        if each.parent in branch:
            branch.add(each.id)
    mine = [each for each in figure.joints if each.id in branch]
    change = edit(
        "mirror_branch",
        actor="one",
        joint=joint,
        joints=tuple((each.id, f"{each.id}_other") for each in mine),
        dofs=tuple((dof.id, f"{dof.id}_other") for each in mine for dof in each.dofs),
        handles=tuple((each.id, f"{each.id}_other") for each in figure.handles if each.joint in branch),
    )
    document = change.apply(scene(figure))
    validate(document)
    return document


@pytest.mark.parametrize("seed", range(8))
def test_a_mirrored_branch_reflects(seed: int) -> None:
    figure = random_figure(seed)
    root = replace(figure.joints[0], offset=(0.0, 1.0, 0.3), rest=(0.8, 0.6, 0.0, 0.0), dofs=())
    figure = replace(figure, joints=(root, *figure.joints[1:]))
    top = next(each.id for each in figure.joints if each.parent == root.id)
    made = figure_of(mirrored(figure, top))
    frames, flip = rest_frames(made), np.diag((-1.0, 1.0, 1.0))
    images = [each for each in made.joints if each.id.endswith("_other")]
    assert images
    for image in images:
        assert image.mirror is not None
        source = frames[image.mirror]
        np.testing.assert_allclose(frames[image.id].position, flip @ source.position, rtol=0, atol=1e-9)
        wanted = flip @ rotation_matrix(source.rotation) @ flip
        np.testing.assert_allclose(rotation_matrix(frames[image.id].rotation), wanted, rtol=0, atol=1e-9)
        assert {made.joint(image.mirror).side, image.side} == {"left", "right"}


def test_a_mirrored_human_arm_is_the_arm_that_the_human_has() -> None:
    human = load_figure("human")
    bare = edit("remove_joint", actor="one", joint="shoulder_right", branch=True).apply(scene(human))
    made = figure_of(mirrored(figure_of(bare), "shoulder_left"))
    images = [joint for joint in made.joints if joint.id.endswith("_other")]
    assert len(images) > 3
    for image in images:
        real = human.joint(image.id.removesuffix("_other").replace("left", "right"))
        assert (image.name, image.shapes, image.side, image.group) == (real.name, real.shapes, "right", real.group)
        assert [(dof.axis, dof.lower) for dof in image.dofs] == [(dof.axis, dof.lower) for dof in real.dofs]
        assert math.dist(image.offset, real.offset) < 1e-12


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        ("add_joint", {"joint": Joint(id="lower", name="Again", parent="base")}, "not yet in use"),
        ("add_joint", {"joint": Joint(id="new", name="New", parent="nowhere")}, "nowhere"),
        ("add_joint", {"joint": Joint(id="new", name="New")}, "one root"),
        ("remove_joint", {"joint": "nowhere"}, "nowhere"),
        ("remove_joint", {"joint": "base", "branch": True}, "remove the whole actor"),
        ("reparent_joint", {"joint": "upper", "parent": "finger"}, "does not hang on Upper arm"),
        ("reparent_joint", {"joint": "upper", "parent": "upper"}, "does not hang on Upper arm"),
        ("reparent_joint", {"joint": "base", "parent": "finger"}, "does not hang on Base"),
        ("set_joint_frame", {"joint": "upper", "offset": (0.0, math.nan, 0.0), "rest": (1.0, 0, 0, 0)}, "finite"),
        ("set_joint_frame", {"joint": "upper", "offset": (0.0, 0.0, 0.0), "rest": (0.0, 0, 0, 0)}, "norm 1"),
        ("set_dofs", {"joint": "upper", "dofs": (Dof(id="lower.x", name="Again"),)}, "lower.x"),
        ("set_dofs", {"joint": "upper", "dofs": (Dof(id="turn", name="Turn", kind="ball"),)}, "root only"),
        ("split_joint", {"joint": "thumb", "share": 0.5, "id": "new", "name": "New"}, "the length of Thumb"),
        ("split_joint", {"joint": "lower", "share": 1.0, "id": "new", "name": "New"}, "0 to 1"),
        ("split_joint", {"joint": "lower", "share": 0.5, "id": "thumb", "name": "New"}, "not yet in use"),
        ("mirror_branch", {"joint": "base", "joints": (), "dofs": ()}, "hangs on another"),
        ("mirror_branch", {"joint": "thumb", "joints": (), "dofs": ()}, "thumb"),
        ("mirror_branch", {"joint": "thumb", "joints": (("thumb", "lower"),), "dofs": ()}, "not yet in use"),
        ("move_handle", {"handle": "toe", "point": (0.0, 0.0, 0.0)}, "toe"),
        ("move_handle", {"handle": "tip", "point": (0.0, 0.0, 0.0), "joint": "toe"}, "toe"),
        ("rename_handle", {"handle": "tip", "name": " "}, "some text"),
    ],
)
def test_what_cannot_be_is_refused_in_words(name: str, arguments: dict[str, Any], words: str) -> None:
    document = scene(arm())
    with pytest.raises(EngineError, match=words):
        edit(name, actor="one", **arguments).apply(document)
    assert document == scene(arm())


def test_the_only_joint_stays() -> None:
    document = scene(Figure(name="Ball", joints=(Joint(id="body", name="Ball"),)))
    with pytest.raises(EngineError, match="remove the whole actor"):
        edit("remove_joint", actor="one", joint="body").apply(document)


def test_a_second_mirror_image_is_refused() -> None:
    document = mirrored(arm(), "thumb")
    again = edit("mirror_branch", actor="one", joint="thumb", joints=(("thumb", "third"),), dofs=())
    with pytest.raises(EngineError, match="without another side"):
        again.apply(document)


def test_handles_move_and_are_renamed() -> None:
    document = edit("move_handle", actor="one", handle="tip", point=(0.0, 1.0, 0.0), joint="thumb").apply(scene(arm()))
    document = edit("rename_handle", actor="one", handle="tip", name="Nail").apply(document)
    assert figure_of(document).handles == (Handle(id="tip", name="Nail", joint="thumb", point=(0.0, 1.0, 0.0)),)


def test_spans_survive_a_change_that_does_not_touch_them() -> None:
    layer = Layer(id="pose", span=Span(start=0, end=SECOND), tracks=(Track(coordinate="lower.x", keys=(Key(0, 0.4),)),))
    document = scene(arm(), layers=(layer,))
    changed = edit("add_joint", actor="one", joint=Joint(id="new", name="New", parent="base")).apply(document)
    assert changed.actors[0].layers[0] is layer


def test_sides_are_guessed_from_names() -> None:
    names = ("Body", "Left arm", "Right arm", "Foot (left)", "Right wing")
    joints = tuple(Joint(id=f"j{at}", name=name, parent="j0" if at else None) for at, name in enumerate(names))
    document = edit("guess_sides", actor="one").apply(scene(Figure(name="Bird", joints=joints)))
    validate(document)
    found = [(each.side, each.mirror) for each in figure_of(document).joints]
    assert found == [("middle", None), ("left", "j2"), ("right", "j1"), ("left", None), ("right", None)]
    assert edit("guess_sides", actor="one").apply(document) is document


def test_bones_stretch_to_joints_and_end_effectors_that_move() -> None:
    joints = (
        Joint(id="root", name="Root", shapes=(Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 0.2, 0.0), radius=0.02),)),
        Joint(
            id="bone",
            name="Bone",
            parent="root",
            offset=(0.0, 0.2, 0.0),
            shapes=(Capsule(start=(0.0, 0.0, 0.0), end=(0.0, 0.3, 0.0), radius=0.02),),
        ),
        Joint(id="tip", name="Tip", parent="bone", offset=(0.0, 0.3, 0.0)),
    )
    end = Handle(id="end", name="End", joint="root", point=(0.0, 0.2, 0.0))
    document = scene(Figure(name="Bones", joints=joints, handles=(end,)))
    place: dict[str, Any] = {"actor": "one", "joint": "bone", "offset": (0.1, 0.2, 0.0), "rest": (1.0, 0, 0, 0)}
    moved = figure_of(edit("set_joint_frame", **place, keep_children=True, stretch=True).apply(document))
    assert [each.end for joint in moved.joints for each in joint.shapes if isinstance(each, Capsule)] == [
        (0.1, 0.2, 0.0),
        (-0.1, 0.3, 0.0),
    ]
    plain = figure_of(edit("set_joint_frame", **place).apply(document))
    assert plain.joint("root").shapes == joints[0].shapes
    dragged = edit("move_handle", actor="one", handle="end", point=(0.0, 0.5, 0.0), stretch=True).apply(document)
    (bone,) = figure_of(dragged).joint("root").shapes
    assert isinstance(bone, Capsule)
    assert bone.end == figure_of(dragged).handles[0].point == (0.0, 0.5, 0.0)
