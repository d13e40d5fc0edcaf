"""Renaming joints breaks nothing that refers to them: references are ids, names are for people."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.document import Actor, Attachment, Document, Key, Layer, Track, validate
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.shipped import load_skin
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.formats import sinew
from engine.formats.figure_toml import load_figure
from engine.motion.mirror import mirror_layer
from tests.conformance.test_formats import walking

FIGURE = replace(load_figure("human"), skins=(load_skin("human"),))
TIMES = (0, SECOND // 3, SECOND)


def scene() -> Document:
    """All that refers to joints: samples, keys, a mask, mirror partners, handles, a skin, an attachment."""
    keys = (Key(0, 0.1), Key(SECOND, 0.6))
    track = Track(coordinate="elbow_left.flexion", keys=keys)
    masked = Layer(id="masked", name="Masked", tracks=(track,), mask=("elbow_left.flexion",), mode="add")
    held = Attachment(id="held", joint="pelvis", target="one", target_joint="elbow_left", position=(0.1, 0.0, 0.0))
    first = Actor(id="one", name="One", figure=FIGURE, layers=(walking(FIGURE), masked))
    second = Actor(id="two", name="Two", figure=load_figure("stick"), layers=(Layer(id="pose"),))
    held = replace(held, joint=second.figure.joints[0].id)
    return Document(actors=(first, replace(second, attachments=(held,))))


def renamed(document: Document) -> Document:
    """Every joint under a name that another joint had."""
    for actor in document.actors:
        names = [joint.name for joint in actor.figure.joints]
        for joint, name in zip(actor.figure.joints, [*names[1:], "Ünlike any / other"], strict=True):
            document = edit("rename_joint", actor=actor.id, joint=joint.id, name=name).apply(document)
    return document


BEFORE = scene()
AFTER = renamed(BEFORE)


def test_the_scene_refers_to_joints_in_every_way() -> None:
    actor = BEFORE.actors[0]
    assert actor.layers[0].samples is not None
    assert actor.layers[1].tracks
    assert actor.layers[1].mask
    assert actor.figure.handles
    assert any(joint.mirror for joint in actor.figure.joints)
    assert BEFORE.actors[1].attachments
    assert all(
        old.name != new.name for old, new in zip(actor.figure.joints, AFTER.actors[0].figure.joints, strict=True)
    )


def test_the_document_is_still_valid() -> None:
    validate(AFTER)


def test_nothing_but_names_has_changed() -> None:
    for old, new in zip(BEFORE.actors, AFTER.actors, strict=True):
        assert new.layers == old.layers
        assert new.attachments == old.attachments
        assert new.figure.handles == old.figure.handles
        assert new.figure.skins == old.figure.skins
        assert [replace(joint, name="") for joint in new.figure.joints] == [
            replace(joint, name="") for joint in old.figure.joints
        ]


@pytest.mark.parametrize("time", TIMES)
def test_every_body_and_skin_is_where_it_was(time: int) -> None:
    old, new = Evaluator().snapshot(BEFORE, time), Evaluator().snapshot(AFTER, time)
    for before, after in zip(old.bodies, new.bodies, strict=True):
        assert after.parts == before.parts
        np.testing.assert_array_equal(after.transforms, before.transforms)
    assert len(new.skins) == len(old.skins)
    for was, now in zip(old.skins, new.skins, strict=True):
        np.testing.assert_array_equal(now.positions, was.positions)


def test_a_mirrored_layer_is_the_same() -> None:
    old, new = BEFORE.actors[0], AFTER.actors[0]
    for place in range(2):
        assert mirror_layer(new.figure, new.layers[place]) == mirror_layer(old.figure, old.layers[place])


def test_a_later_edit_finds_the_joint_by_its_id() -> None:
    turned = edit("set_value", actor="two", layer="pose", coordinate=AFTER.actors[1].figure.coordinates[0], value=0.1)
    assert turned.apply(AFTER).actors[1].layers[0].values


def test_a_file_keeps_what_refers_to_them(tmp_path: Path) -> None:
    sinew.write(tmp_path / "a.sinew", AFTER)
    assert sinew.read(tmp_path / "a.sinew") == AFTER


def test_a_name_taken_back_gives_the_same_digest() -> None:
    joint = AFTER.actors[0].figure.joints[3]
    back = edit("rename_joint", actor="one", joint=joint.id, name="Again").apply(AFTER)
    again = edit("rename_joint", actor="one", joint=joint.id, name=joint.name).apply(back)
    assert again == AFTER
    assert again.digest == AFTER.digest
