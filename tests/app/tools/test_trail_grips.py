"""What of a trail can be taken: keys under the pointer, and tangents with the velocities that their handles tell."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scene.panes import FRONT, first_cameras
from app.tools.trail_grips import key_at, tangents_in
from engine.document import Document
from engine.model import Tangents, Trail, TrailPicture

SIZE, CAMERA = (640.0, 480.0), first_cameras()[FRONT]
POINTS = np.array([(0.1 * step, 1.0 + 0.05 * step**2, 0.0) for step in range(5)], dtype=np.float32)


def trail(tangents: Tangents | None = None) -> Trail:
    """Five places, keys at the first, the middle and the last."""
    return Trail(
        owner="one",
        part="hand",
        point=(0.0, 0.1, 0.0),
        times=np.arange(5) * 10,
        points=POINTS,
        keyed=np.array([True, False, True, False, True]),
        fresh=np.ones(5, dtype=bool),
        tangents=tangents,
    )


def picture(tangents: Tangents | None = None) -> TrailPicture:
    return TrailPicture(document=Document(), time=20, trails=(trail(tangents),))


def told(arriving: tuple[float, ...], leaving: tuple[float, ...], *reach: float) -> Tangents:
    return Tangents(time=20, velocities=np.array([arriving, leaving]), reach=(reach[0], reach[1]))


def pixel(number: int) -> tuple[float, float]:
    x, y, _ = CAMERA.project(POINTS[number].astype(float), SIZE).tolist()
    return (x, y)


def test_the_key_under_the_pointer_is_found_and_a_frame_is_none() -> None:
    found = key_at(picture(), CAMERA, (pixel(2)[0] + 4.0, pixel(2)[1]), SIZE)
    assert found is not None
    assert (found.spot.actor, found.spot.joint, found.spot.point, found.time) == ("one", "hand", (0.0, 0.1, 0.0), 20)
    assert found.place == pytest.approx(tuple(POINTS[2].tolist()))
    assert key_at(picture(), CAMERA, pixel(3), SIZE) is None
    assert key_at(None, CAMERA, pixel(2), SIZE) is None


def test_of_two_keys_the_nearer_one_is_found_whichever_trail_it_is_of() -> None:
    other = replace(trail(), owner="two", points=POINTS + np.float32(0.01))
    both = replace(picture(), trails=(other, trail()))
    found = key_at(both, CAMERA, pixel(4), SIZE)
    assert found is not None
    assert found.spot.actor == "one"


def test_handles_stand_where_the_point_would_come_within_their_reach() -> None:
    before, after = tangents_in(picture(told((0.3, 0.0, 0.6), (0.3, 0.0, 0.6), 0.5, 0.25)))
    assert (before.side, after.side) == ("in", "out")
    assert before.handle.place == pytest.approx((0.2 - 0.15, 1.2, -0.3))
    assert after.handle.place == pytest.approx((0.2 + 0.075, 1.2, 0.15))
    assert before.handle.way == pytest.approx(tuple(POINTS[1].tolist()))
    assert after.handle.way == pytest.approx(tuple(POINTS[3].tolist()))
    assert before.smooth
    for each in (before, after):
        assert each.pulled_to(each.handle.place) == pytest.approx(each.velocity)
    assert before.pulled_to((0.2, 1.3, 0.0)) == pytest.approx((0.0, -0.2, 0.0), abs=1e-6)


def test_a_side_without_a_curve_has_no_handle_and_sides_that_differ_are_not_smooth() -> None:
    (after,) = tangents_in(picture(told((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.0, 0.5)))
    assert (after.side, after.smooth) == ("out", False)
    kinked = tangents_in(picture(told((1.0, 0.0, 0.0), (1.0, 0.1, 0.0), 0.5, 0.5)))
    assert [each.smooth for each in kinked] == [False, False]
    assert tangents_in(picture()) == ()
    assert tangents_in(None) == ()


def test_tangents_of_a_key_that_is_not_on_the_trail_are_left_out() -> None:
    gone = replace(told((1.0, 0.0, 0.0), (1.0, 0.0, 0.0), 0.5, 0.5), time=25)
    assert tangents_in(picture(gone)) == ()
