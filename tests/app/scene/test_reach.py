"""Where the patch that a bone can reach stands: about its joint, turned as the body that the joint hangs on."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.scene.patch import Patch
from app.scene.visuals.reach import frame_of
from engine.model.snapshot import Bodies
from tests.app.scene import mannequins

NOTHING = np.empty((0, 3), dtype=np.float32)
TURN = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])


def patch(joint: str, part: str | None) -> Patch:
    faces = np.empty((0, 3), dtype=np.int32)
    return Patch("one", joint, part, NOTHING, NOTHING, np.empty(0, dtype=np.float32), faces)


def bodies() -> Bodies:
    """A turned chest, and an arm that has slid away from where it hung."""
    mesh = mannequins.ellipsoids([(0.1, 0.1, 0.1)] * 2)
    plain = mannequins.bodies("one", mesh, ("chest", "arm"), [(0.0, 1.0, 0.0), (0.5, 1.5, 0.0)])
    transforms = plain.transforms.copy()
    transforms[0, :, :3] = TURN
    return replace(plain, transforms=transforms)


def test_it_stands_where_its_joint_is_and_turns_with_what_that_hangs_on() -> None:
    found = frame_of(patch("arm", "chest"), [bodies()])
    assert found is not None
    assert np.allclose(found[:3, :3], TURN)
    assert np.allclose(found[:3, 3], (0.5, 1.5, 0.0))


def test_that_of_a_root_stands_where_the_root_is() -> None:
    found = frame_of(patch("chest", None), [bodies()])
    assert found is not None
    assert np.allclose(found[:3, :3], np.eye(3))
    assert np.allclose(found[:3, 3], (0.0, 1.0, 0.0))


def test_there_is_none_of_what_is_not_seen() -> None:
    assert frame_of(patch("arm", "chest"), [replace(bodies(), visible=False)]) is None
    assert frame_of(patch("leg", "chest"), [bodies()]) is None
