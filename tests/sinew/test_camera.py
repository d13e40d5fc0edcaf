"""A camera in the library: it looks where it is told to, wherever that goes, and goes out as a camera."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sinew
from engine.evaluate.evaluator import Evaluator
from engine.model import CameraView


def view(document: object) -> CameraView:
    return Evaluator().snapshot(document, 0, skins=False).cameras[0]  # type: ignore[arg-type]


def test_a_camera_looks_at_a_place_and_at_a_part(tmp_path: Path) -> None:
    stick = sinew.figure("stick")
    part = list(stick.actors[0].figure.joint_index)[-1]
    still = sinew.camera(stick, (0.0, 1.0, 3.0), (0.0, 1.0, 0.0), focal=0.05)
    assert np.allclose(view(still).frame, np.column_stack((np.eye(3), (0.0, 1.0, 3.0))))
    assert view(still).focal == pytest.approx(0.05)
    pinned = sinew.camera(stick, (1.0, 1.2, 3.0), part, follow=f"{stick.actors[0].id}.{part}", name="Second")
    place = sinew.evaluate(stick).points[part]
    back = view(pinned).frame[:, 3] - place
    assert np.allclose(view(pinned).frame[:, 2], back / np.linalg.norm(back), atol=1e-9)
    assert view(pinned).pinned
    lost = sinew.save(pinned, tmp_path / "camera.glb", actors=["second"])
    assert lost == ()
    assert np.allclose(view(sinew.load(tmp_path / "camera.glb")).frame, view(pinned).frame, atol=1e-6)


def test_a_camera_is_focused_where_it_looks_at_a_distance_or_on_a_part() -> None:
    stick = sinew.figure("stick")
    part = list(stick.actors[0].figure.joint_index)[-1]
    stands, aims = (0.0, 1.0, 3.0), (0.0, 1.0, 0.0)
    assert view(sinew.camera(stick, stands, aims)).aperture == 0.0, "all is sharp"
    looks = view(sinew.camera(stick, stands, aims, focal=0.05, f_number=2.0))
    assert (looks.aperture, looks.focus) == pytest.approx((0.025, 3.0))
    assert view(sinew.camera(stick, stands, aims, focus=1.2)).focus == pytest.approx(1.2)
    ahead = 3.0 - float(sinew.evaluate(stick).points[part][2])
    assert view(sinew.camera(stick, stands, aims, focus=part, f_number=4.0)).focus == pytest.approx(ahead)


def test_a_camera_that_looks_at_nothing_is_refused() -> None:
    stick = sinew.figure("stick")
    with pytest.raises(sinew.EngineError, match="where a camera looks"):
        sinew.camera(stick, (0.0, 1.0, 3.0), (0.0, 1.0, 3.0))
    with pytest.raises(sinew.EngineError, match="end-effector or joint"):
        sinew.camera(stick, (0.0, 1.0, 3.0), "nose")
