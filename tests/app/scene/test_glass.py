"""Translucent shapes on bodies: drawn before them, faintly through them, in the accent where chosen; met by rays."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scene import Look
from app.scene.glass import GlassShape, glass_at
from app.scene.panes import FRONT
from engine.document import Document
from engine.model import Snapshot
from engine.muscles.parts import MuscleWrap
from engine.muscles.queries.wrap_forms import wrap_form
from tests.app.scene.conftest import Show, pixel_of, pixels
from tests.app.scene.mannequins import snowman

pytestmark = pytest.mark.gui


def ball(centre: tuple[float, float, float], **more: object) -> GlassShape:
    """A ball of 20 cm on the snowman's lower body."""
    wrap = MuscleWrap(id="ball", name="Ball", joint="low", shape="sphere", radii=(0.2,), centre=centre)
    form = wrap_form(wrap)
    shape = GlassShape(
        owner="snowman",
        id="ball",
        positions=form.positions,
        normals=form.normals,
        triangles=form.triangles,
        joint="low",
    )
    return replace(shape, **more)  # type: ignore[arg-type]


def test_glass_is_seen_before_bodies_faintly_behind_them_and_in_the_accent_where_it_is_chosen(show: Show) -> None:
    view = show(Look(anti_aliasing="off", accent="#ff00ff"))
    item = snowman()
    view.show_snapshot(Snapshot(document=Document(), time=0, items=(item,)))
    view.frame()
    frame = item.transforms[item.parts.index("low")]
    plain = pixels(view.grab_image()).astype(int)

    def differs(shape: GlassShape) -> float:
        view.set_glass((shape,))
        seen = pixels(view.grab_image()).astype(int)
        right, down = pixel_of(view, FRONT, tuple((frame[:, 3] + frame[:, :3] @ np.array((0.0, 0.0, 0.0))).tolist()))
        around = np.abs(seen - plain)[round(down) - 4 : round(down) + 5, round(right) - 4 : round(right) + 5]
        return float(around.max(axis=2).mean())

    before, behind = differs(ball((0.0, 0.0, 1.0))), differs(ball((0.0, 0.0, -1.0)))
    assert before > 1.3 * behind > 5.0
    assert differs(ball((0.0, 0.0, 1.0), chosen=True)) > before
    view.set_glass(())
    assert (np.abs(pixels(view.grab_image()).astype(int) - plain) <= 2).all()


def test_a_ray_meets_the_first_shape_on_a_body_that_is_seen() -> None:
    item = snowman()
    origin, direction = np.array((0.003, 0.002, 5.0)), np.array((0.0, 0.0, -1.0))
    frame = item.transforms[item.parts.index("low")].astype(np.float64)
    near, far = ball((0.0, 0.0, 1.0)), ball((0.0, 0.0, 0.2), id="far")
    start = origin + frame[:, 3]
    found = glass_at((far, near), (item,), start, direction)
    assert found is not None
    assert found[0] is near
    assert found[1] == pytest.approx(5.0 - 1.0 - 0.2, abs=2e-3)
    assert glass_at((near,), (replace(item, visible=False),), start, direction) is None
    assert glass_at((near,), (item,), start + np.array((0.5, 0.0, 0.0)), direction) is None
    still = replace(near, joint=None, frame=np.eye(3, 4))
    on_ground = glass_at((still,), (), origin, direction)
    assert on_ground is not None
    assert on_ground[1] == pytest.approx(3.8, abs=2e-3)
