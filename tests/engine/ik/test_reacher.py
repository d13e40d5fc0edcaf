"""The benchmark's figure and motion are those that its peers were measured on."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from tests.benchmarks.reacher import SPOTS, move, reacher
from tests.engine.shared_data import shared_folder

SOURCE = shared_folder() / "bench" / "human.py"


@pytest.mark.skipif(not SOURCE.exists(), reason="the shared data bench/human.py is not here")
def test_figure_and_motion_are_those_of_the_shared_file() -> None:
    found = importlib.util.spec_from_file_location("human", SOURCE)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    theirs, figure = module.human(71), reacher()
    assert [(joint.id, joint.parent) for joint in figure.joints] == [
        (body["name"], body["parent"]) for body in theirs["B"]
    ]
    for joint, body in zip(figure.joints, theirs["B"], strict=True):
        assert joint.offset == pytest.approx(tuple(body["off"]), abs=1e-15)
        for dof, (kind, axis, lower, upper) in zip(joint.dofs, body["dofs"], strict=True):
            assert (dof.kind, dof.axis) == (kind, axis)
            assert (dof.lower, dof.upper) == pytest.approx((lower, upper))
    places = [(spot.joint, spot.point) for spot in SPOTS.values()]
    assert sorted(places) == sorted((joint, tuple(map(float, point))) for joint, point in theirs["sites"].values())
    times = np.linspace(0.0, 3.0, 7)
    assert move(figure, times, 7) == pytest.approx(module.motion(theirs, times, seed=7), abs=1e-12)
