"""Cameras: what they see at a time, aim and follow pins against closed forms, and what becomes of pins."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from engine.cameras.parts import CameraAim, CameraFollow, FilmCamera, angle_of, film_camera, focal_of
from engine.cameras.queries.making import FOCAL, REST_FOCAL, camera_actor
from engine.document import Actor, Document, Ellipsoid, Key, Layer, Placement, Track, prop, validate
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.document.part_reader import decode_document
from engine.document.parts import encode_document
from engine.edits import edit
from engine.evaluate.evaluator import Evaluator
from engine.model import CameraView
from engine.motion.changed import changed_span
from engine.runtime.errors import EngineError, InvalidDocument

HALF_TURN = (0.0, 0.0, 1.0, 0.0)


def ball(id: str = "ball", *, actor_at: tuple[float, float, float] = (0.5, 1.0, 0.0)) -> Actor:
    """A ball that goes 2 m along X and 1 m up within a second."""
    tracks = (
        Track(coordinate="body.move_x", keys=(Key(0, 0.0, interpolation="linear"), Key(SECOND, 2.0))),
        Track(coordinate="body.move_y", keys=(Key(0, 0.0, interpolation="linear"), Key(SECOND, 1.0))),
    )
    figure = prop("Ball", (Ellipsoid(radii=(0.1, 0.1, 0.1)),))
    layers = (Layer(id="pose", tracks=tracks),)
    return Actor(id=id, name="Ball", figure=figure, placement=Placement(position=actor_at), layers=layers)


def scene(**camera: object) -> Document:
    # the camera stands first: it waits for what it is pinned to
    return Document(actors=(camera_actor("camera", "Camera", position=(0.0, 1.0, 4.0), **camera), ball()))  # type: ignore[arg-type]


def seen(document: Document, time: int = 0) -> CameraView:
    (found,) = Evaluator().snapshot(document, time).cameras
    return found


def aimed(document: Document) -> Document:
    return edit("aim_camera", actor="camera", aim=CameraAim(actor="ball", joint="body")).apply(document)


def test_a_camera_sees_from_its_eye_with_its_keyed_lens() -> None:
    track = Track(coordinate=FOCAL, keys=(Key(0, 0.0, interpolation="linear"), Key(SECOND, 0.05)))
    document = scene(rotation=HALF_TURN)
    camera = document.actor("camera")
    document = document.with_actor(replace(camera, layers=(replace(camera.layers[0], tracks=(track,)),)))
    for time, focal in ((0, REST_FOCAL), (SECOND // 2, REST_FOCAL + 0.025), (SECOND, REST_FOCAL + 0.05)):
        view = seen(document, time)
        assert view.focal == pytest.approx(focal, abs=1e-12)
        assert np.abs(view.frame[:, 3] - (0.0, 1.0, 4.0)).max() < 1e-12
        assert np.abs(view.frame[:, 2] - (0.0, 0.0, -1.0)).max() < 1e-12, "turned by half a turn it looks along +Z"
    assert angle_of(0.036, 0.018) == pytest.approx(math.pi / 2, abs=1e-12)
    assert focal_of(0.036, angle_of(0.036, 0.05)) == pytest.approx(0.05, abs=1e-12)


def test_an_aimed_camera_has_its_target_in_the_middle_and_stays_level() -> None:
    document = aimed(scene())
    for time in (0, SECOND // 3, SECOND):
        view = seen(document, time)
        target = np.array((0.5 + 2.0 * time / SECOND, 1.0 + time / SECOND, 0.0))
        inside = view.frame[:, :3].T @ (target - view.frame[:, 3])
        assert np.abs(inside[:2]).max() < 1e-9
        assert inside[2] < 0.0, "in front of it"
        assert abs(view.frame[1, 0]) < 1e-12, "X is level"
        assert np.linalg.det(view.frame[:, :3]) == pytest.approx(1.0, abs=1e-12)
        assert view.frame[:, 3] == pytest.approx((0.0, 1.0, 4.0), abs=1e-12), "the eye stays where it is keyed"
    rows = Evaluator().rows_at(document, (0, SECOND))
    assert np.array_equal(rows[0]["camera"][12:], rows[1]["camera"][12:]), "its coordinates are as keyed"


@pytest.mark.parametrize("level", [False, True])
def test_a_camera_that_follows_keeps_its_offset(level: bool) -> None:
    follow = CameraFollow(actor="ball", joint="body", anchor=(0.5, 1.0, 0.0), level=level)
    document = edit("follow_with_camera", actor="camera", follow=follow).apply(scene())
    assert seen(document, 0).frame[:, 3] == pytest.approx((0.0, 1.0, 4.0), abs=1e-12)
    assert seen(document, SECOND).frame[:, 3] == pytest.approx((2.0, 1.0 if level else 2.0, 4.0), abs=1e-9)
    both = aimed(document)
    view = seen(both, SECOND)
    inside = view.frame[:, :3].T @ (np.array((2.5, 2.0, 0.0)) - view.frame[:, 3])
    assert np.abs(inside[:2]).max() < 1e-9, "it follows first, then it looks"


def test_straight_up_and_through_the_target_are_no_trouble() -> None:
    above = ball(actor_at=(0.0, 5.0, 4.0))
    document = aimed(replace(scene(), actors=(scene().actors[0], replace(above, layers=()))))
    assert seen(document).frame[:, 2] == pytest.approx((0.0, -1.0, 0.0), abs=1e-12)
    inside = aimed(replace(scene(), actors=(scene().actors[0], replace(ball(actor_at=(0.0, 1.0, 4.0)), layers=()))))
    assert np.array_equal(seen(inside).frame[:, :3], np.eye(3)), "in the target it looks as it is keyed"


def test_pins_go_with_what_they_hold_on_to_and_are_refused_where_it_is_not() -> None:
    document = aimed(scene())
    left = edit("remove_actor", actor="ball").apply(document)
    assert film_camera(left.actor("camera")) == FilmCamera()
    assert film_camera(edit("unpin_camera", actor="camera", pin="aim").apply(document).actor("camera")) == FilmCamera()
    follow = CameraFollow(actor="ball", joint="body")
    both = edit("follow_with_camera", actor="camera", follow=follow).apply(document)
    assert film_camera(edit("unpin_camera", actor="camera", pin="aim").apply(both).actor("camera")) == FilmCamera(
        follow=follow
    )
    assert film_camera(edit("unpin_camera", actor="camera").apply(both).actor("camera")) == FilmCamera()
    for wrong in (CameraAim(actor="nobody", joint="body"), CameraAim(actor="ball", joint="tail"),
                  CameraAim(actor="camera", joint="body")):  # fmt: skip
        with pytest.raises(EngineError):
            edit("aim_camera", actor="camera", aim=wrong).apply(scene())
    with pytest.raises(InvalidDocument):
        FilmCamera(near=-1.0)
    part = FilmCamera(aim=CameraAim(actor="camera", joint="body"))
    one, other = camera_actor("one", "One", part=part), camera_actor("camera", "Two")
    pinned = replace(other, parts=(FilmCamera(aim=CameraAim(actor="one", joint="body")),))
    with pytest.raises(InvalidDocument, match="ring"):
        validate(Document(actors=(one, pinned)))


def test_a_camera_is_saved_and_moves_when_its_target_is_edited() -> None:
    document = aimed(scene())
    encoded = encode_document(document)
    assert decode_document(document.digest, encoded.texts, encoded.blobs.__getitem__) == document
    moved = edit("place_actor", actor="ball", position=(0.0, 1.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0)).apply(document)
    assert ("camera", None, None) in changed_span(document, moved)
    wider = edit("set_camera", actor="camera", film_width=0.024).apply(document)
    assert seen(wider).film_width == 0.024


def test_a_focused_camera_is_sharp_at_a_distance_or_where_a_joint_goes() -> None:
    assert (seen(scene()).aperture, seen(scene()).focus) == (0.0, 0.0), "all is sharp"
    typed = edit("set_camera_focus", actor="camera", f_number=2.0, distance=2.5).apply(scene())
    assert seen(typed).aperture == pytest.approx(REST_FOCAL / 2.0)
    assert seen(typed).focus == pytest.approx(2.5)
    on = CameraAim(actor="ball", joint="body", point=(0.0, 0.0, 0.1))
    held = edit("focus_camera", actor="camera", on=on).apply(typed)
    assert not seen(held).pinned, "it stands and looks as keyed"
    for time in (0, SECOND):
        assert seen(held, time).focus == pytest.approx(3.9), "[m] along its line of sight, however far aside"
    encoded = encode_document(held)
    assert decode_document(held.digest, encoded.texts, encoded.blobs.__getitem__) == held
    again = edit("set_camera_focus", actor="camera", distance=1.0).apply(held)
    assert seen(again).focus == pytest.approx(1.0)
    assert seen(again).aperture == seen(typed).aperture
    gone = edit("remove_actor", actor="ball").apply(held)
    assert seen(gone).focus == pytest.approx(2.5), "the distance that it had"
    assert edit("unfocus_camera", actor="camera").apply(held).digest == scene().digest, "as if it never was"
    near = edit("set_camera_focus", actor="camera", distance=0.05).apply(scene(focal=0.2))
    assert seen(near).focus == pytest.approx(0.25), "no lens is focused within its own length"
    with pytest.raises(EngineError, match="f-number"):
        edit("set_camera_focus", actor="camera", f_number=0.0).apply(scene())
    with pytest.raises(EngineError, match="another actor"):
        edit("focus_camera", actor="camera", on=CameraAim(actor="camera", joint="body")).apply(scene())
