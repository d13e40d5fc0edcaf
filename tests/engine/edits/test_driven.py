"""Edits of what drives a degree of freedom, and of what is driven."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from anatomy_trunk import CARTILAGES

from engine.document import Actor, Document, Dof, DrivenBy, Figure, Joint, Key, Layer, Track, validate
from engine.document.freedoms import breathing_of
from engine.edits import edit
from engine.formats.figure_toml import load_figure
from engine.ik.joint_map import rest_places
from engine.runtime.errors import InvalidDocument

BY = DrivenBy(dof="hip.x", at=(0.0, 1.0), values=(0.0, 0.5))
WHO, LAYER = {"actor": "one"}, {"actor": "one", "layer": "keys"}


def scene(driven: tuple[DrivenBy, ...] = ()) -> Document:
    ends = (None, None) if driven else (0.0, 2.0)
    knee = Dof(id="knee.x", name="Flex", lower=ends[0], upper=ends[1], driven=driven)
    figure = Figure(
        name="Leg",
        joints=(
            Joint(id="hip", name="Hip", dofs=(Dof(id="hip.x", name="Swing"),)),
            Joint(id="knee", name="Knee", parent="hip", dofs=(knee,)),
            Joint(id="foot", name="Foot", parent="knee", dofs=(Dof(id="foot.x", name="Flex"),)),
        ),
    )
    tracks = tuple(Track(coordinate=name, keys=(Key(0, 0.3),)) for name in ("hip.x", "knee.x", "foot.x"))
    layer = Layer(id="keys", tracks=tracks if not driven else (tracks[0], tracks[2]))
    return Document(actors=(Actor(id="one", name="One", figure=figure, layers=(layer,)),))


def test_a_driver_takes_the_place_of_limits_and_keys_and_may_be_taken_away() -> None:
    document = scene()
    driven = edit("set_driven", **WHO, dof="knee.x", driven=(BY,)).apply(document)
    validate(driven)
    assert driven == scene((BY,))
    free = edit("set_driven", **WHO, dof="knee.x").apply(driven)
    assert free.actors[0].figure.coordinate_dof["knee.x"].driven == ()
    assert edit("set_driven", **WHO, dof="knee.x").apply(free) is free


@pytest.mark.parametrize(
    ("dof", "by", "says"),
    [
        ("knee.x", replace(BY, dof="elbow"), "elbow, which is not there"),
        ("knee.x", replace(BY, dof="knee.x"), "other degrees of freedom"),
        ("foot.x", replace(BY, dof="knee.x"), "driven itself"),
        ("hip.x", replace(BY, dof="foot.x"), "driven itself"),
    ],
)
def test_chains_and_strangers_are_refused(dof: str, by: DrivenBy, says: str) -> None:
    with pytest.raises(InvalidDocument, match=says):
        edit("set_driven", **WHO, dof=dof, driven=(by,)).apply(scene((BY,)))


def test_values_of_what_is_driven_are_refused_alone_and_left_out_among_others() -> None:
    document = scene((BY,))
    for change in (
        edit("set_value", **LAYER, coordinate="knee.x", value=0.1),
        edit("set_key", **LAYER, coordinate="knee.x", time=9, value=0.1),
        edit("key_pose", **LAYER, time=9, values=(("knee.x", 0.1),)),
        edit("set_keys", **LAYER, keys=(("knee.x", Key(9, 0.1)),)),
    ):
        with pytest.raises(InvalidDocument, match="it follows hip"):
            change.apply(document)
    keyed = edit("key_pose", **LAYER, time=9, values=(("hip.x", 0.2), ("knee.x", 0.1))).apply(document)
    assert set(keyed.actors[0].layers[0].track_of) == {"hip.x", "foot.x"}
    with pytest.raises(InvalidDocument, match="its drivers say"):
        edit("set_limits", **WHO, dof="knee.x", lower=0.0).apply(document)


def test_joints_follow_another_by_as_much_of_their_range() -> None:
    figure = load_figure("anatomy")
    ribs = tuple(joint.id for joint in figure.joints if joint.id.startswith("rib"))
    document = Document(actors=(Actor(id="one", name="One", figure=figure, layers=(Layer(id="keys"),)),))
    breathing = edit("follow_joint", **WHO, joints=ribs, leader="sternum").apply(document)
    validate(breathing)
    made = breathing.actors[0].figure
    assert len(made.driven) - len(figure.driven) == 24
    (by,) = made.coordinate_dof["rib3_left.raising"].driven
    assert (by.dof, by.value(0.1)) == ("sternum.raising", pytest.approx(0.0859, abs=1e-4))
    curled = edit("follow_joint", **WHO, joints=("index_left",), leader="thumb_left").apply(document)
    (by,) = curled.actors[0].figure.coordinate_dof["index_left.flexion"].driven
    assert by.value(0.84) == pytest.approx(0.84 * 110.0 / 84.0)
    with pytest.raises(InvalidDocument, match="joints that move as"):
        edit("follow_joint", **WHO, joints=ribs, leader="jaw").apply(document)
    with pytest.raises(InvalidDocument, match="joints that move as"):
        edit("follow_joint", **WHO, joints=ribs, leader="sternum").apply(breathing)


def test_ribs_breathe_each_by_the_share_at_which_its_cartilage_stays_with_the_breastbone() -> None:
    figure = load_figure("anatomy")
    found = breathing_of(figure)
    assert found is not None
    leader, ribs = found
    assert (leader, len(ribs)) == ("sternum", 24)
    document = Document(actors=(Actor(id="one", name="One", figure=figure, layers=(Layer(id="keys"),)),))
    made = edit("follow_joint", **WHO, joints=ribs, leader=leader).apply(document).actors[0].figure
    assert breathing_of(made) is None
    assert breathing_of(load_figure("human")) is None
    assert len(made.dofs) == len(figure.dofs)  # what follows is among those that are counted
    places = rest_places(figure)
    for number in range(1, 8):
        joint = made.joint(f"rib{number}_left")
        (by,) = joint.dofs[0].driven
        end = places["sacrum"] + CARTILAGES[number - 1][-1]
        bone, rib = (np.cross(made.joint(id).dofs[0].axis, end - places[id]) for id in (leader, joint.id))
        assert by.value(1.0) == pytest.approx(float(bone @ rib) / float(rib @ rib), abs=2e-3)  # nearest to first order


def test_what_a_joint_drove_is_free_when_it_goes() -> None:
    figure = scene().actors[0].figure
    foot = replace(figure.joints[2], dofs=(replace(figure.joints[2].dofs[0], driven=(replace(BY, dof="knee.x"),)),))
    actor = replace(scene().actors[0], figure=replace(figure, joints=(*figure.joints[:2], foot)), layers=())
    changed = edit("remove_joint", **WHO, joint="knee").apply(Document(actors=(actor,)))
    validate(changed)
    assert changed.actors[0].figure.coordinate_dof["foot.x"].driven == ()


def test_what_the_old_root_drove_is_free_in_a_figure_with_another_root() -> None:
    changed = edit("reroot_figure", **WHO, joint="foot", layer="path").apply(scene((BY,)))
    validate(changed)
    figure = changed.actors[0].figure
    assert "hip.x" not in figure.coordinate_index
    assert figure.coordinate_dof["knee.x"].driven == ()


def test_the_other_side_of_a_branch_is_driven_by_its_own() -> None:
    document = scene((replace(BY, dof="foot.x"),))
    names = {"knee": "knee_b", "foot": "foot_b"}
    dofs = {"knee.x": "knee_b.x", "foot.x": "foot_b.x"}
    made = edit("mirror_branch", **WHO, joint="knee", joints=tuple(names.items()), dofs=tuple(dofs.items()))
    figure = made.apply(document).actors[0].figure
    assert figure.coordinate_dof["knee_b.x"].driven == (replace(BY, dof="foot_b.x"),)
