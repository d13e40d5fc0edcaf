"""Films that cameras of the scene see: the view of each frame, which bodies it shows, and the command line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.export.drawing import Drawing
from app.export.plan import Plan, Turntable
from app.export.surface import OffscreenSurface, QtSurface
from app.scene.camera import Array, Camera
from app.scene.filming import camera_of, frame_of, gate_of
from app.scene.look import Look
from app.scene.picture import Picture
from app.shell.render import RenderRequest, focused_as_asked, plan_of
from engine.cameras.parts import CameraFocus, FilmCamera, angle_of, circle_of
from engine.cameras.queries.making import FOCAL, camera_actor
from engine.document import Actor, Document, Ellipsoid, Key, Layer, Placement, Track, prop
from engine.document.motion import TICKS_PER_SECOND as SECOND
from engine.evaluate.evaluator import Evaluator
from engine.model import CameraView
from engine.queries.stills import Still
from engine.runtime.errors import EngineError
from engine.runtime.progress import finish

ASPECT = 1.5


@pytest.fixture
def surface(qapp: object) -> Iterator[OffscreenSurface]:
    made = QtSurface()
    yield made
    made.close()


def scene() -> Document:
    """A ball at the origin; a camera goes 0.8 m to the right before it while its lens becomes twice as long."""
    camera = camera_actor("camera", "Left", position=(0.0, 0.0, 4.0))
    tracks = tuple(
        Track(coordinate=name, keys=(Key(0, 0.0, interpolation="linear"), Key(SECOND, value)))
        for name, value in (("body.move_x", 0.8), (FOCAL, 0.035))
    )
    camera = replace(camera, layers=(replace(camera.layers[0], tracks=tracks),))
    figure = prop("Ball", (Ellipsoid(radii=(0.2, 0.2, 0.2)),))
    return Document(actors=(Actor(id="ball", name="Ball", figure=figure, layers=(Layer(id="pose"),)), camera))


def plan(**changes: object) -> Plan:
    usual = {"codec": "png", "size": (90, 60), "samples": 1, "rate": (1, 1), "look": Look(show_grid=False)}
    given = {"out": Path("film.png"), "camera": Camera(), "start": 0, "end": SECOND, "seen_by": "camera", **usual}
    return Plan(document=scene(), **{**given, **changes})  # type: ignore[arg-type]


def view(frame: Array, focal: float = 0.035) -> CameraView:
    return CameraView(owner="camera", frame=frame, focal=focal, film_width=0.036, near=0.05)


def test_the_camera_of_a_view_stands_and_looks_as_that_of_the_scene() -> None:
    chance = np.random.default_rng(2)
    for _ in range(20):
        rotation, _ = np.linalg.qr(chance.normal(size=(3, 3)))
        rotation *= np.sign(np.linalg.det(rotation))
        seen = view(np.column_stack((rotation, chance.normal(size=3))))
        camera = camera_of(seen, ASPECT)
        assert np.abs(frame_of(camera) - seen.frame).max() < 1e-12
        across = 2.0 * math.atan(ASPECT * math.tan(0.5 * camera.fov))
        assert across == pytest.approx(angle_of(0.036, 0.035), abs=1e-12), "the film's width is the picture's"
    for size in ((400.0, 300.0), (300.0, 700.0)):
        gate, wider = gate_of(size, ASPECT), camera_of(seen, ASPECT, size)
        assert gate.width == pytest.approx(ASPECT * gate.height)
        assert gate.width <= size[0]
        assert gate.height <= size[1]
        corner = camera.eye + sum(c * axis for c, axis in zip((1.0, 0.7, -3.0), camera.axes, strict=True))
        whole = camera.project(corner, (gate.width, gate.height))[:2] + np.array((gate.x, gate.y))
        assert np.abs(wider.project(corner, size)[:2] - whole).max() < 1e-9, "the gate shows the picture itself"


def test_a_film_is_seen_by_the_keyed_camera_of_the_scene(surface: OffscreenSurface) -> None:
    film = plan()
    with surface.current():
        drawing, evaluator = Drawing(film, Picture()), Evaluator()
        found = []
        for number in range(film.count):
            still = Still(snapshot=evaluator.snapshot(film.document, film.time(number)))
            pixels = np.frombuffer(finish(drawing.frame(still, number)), np.uint8).reshape(60, 90, 4)
            found.append(np.argwhere(pixels[:, :, 0].astype(int) - pixels[:, :, 2] > 10))
    first, last = found
    assert abs(first[:, 1].mean() - 44.5) < 1.5, "[px]: the ball is in the middle"
    assert last[:, 1].mean() < 20.0, "the camera has gone to the right of it, so it is at the left"
    assert np.ptp(last[:, 0]) > 1.5 * np.ptp(first[:, 0]), "twice as large by the lens"


def test_the_command_names_a_camera_and_refuses_one_that_is_not_there() -> None:
    request = RenderRequest(out=Path("a.png"), camera="Left", size=(90, 60))
    assert plan_of(request, scene()).seen_by == "camera"
    with pytest.raises(EngineError, match="Left"):
        plan_of(replace(request, camera="Right hand"), scene())
    for focus, wanted in (("2.5", 2.5), ("ball.body", 4.0), ("", 3.0)):
        asked = focused_as_asked(scene(), replace(request, focus=focus, f_number=1.4))
        (seen,) = Evaluator().snapshot(asked, 0).cameras
        assert (seen.aperture, seen.focus) == pytest.approx((0.025, wanted)), "[m]"
    assert focused_as_asked(asked, replace(request, focus="everywhere")).digest == scene().digest
    with pytest.raises(EngineError, match="which has a lens"):
        focused_as_asked(scene(), replace(request, camera="front", focus="2"))
    with pytest.raises(EngineError, match="go round"):
        plan(turntable=Turntable())
    assert Placement() == scene().actors[1].placement, "a camera's coordinates are those of the world"


@pytest.mark.parametrize(("distance", "focused"), [(4.0, 1.5), (1.5, 4.0), (3.0, 3.0)])
def test_a_point_out_of_focus_is_as_wide_as_by_a_thin_lens(
    surface: OffscreenSurface, distance: float, focused: float
) -> None:
    """What a disc of width D adds to the variance of a picture of a small ball, along each side, is D^2 / 16."""
    width, focal, number = 240, 0.05, 0.8
    ball = Actor(id="ball", name="Ball", figure=prop("Ball", (Ellipsoid(radii=(0.012,) * 3),)), layers=())
    found = []
    for focus in (None, CameraFocus(f_number=number, distance=focused)):
        eye = camera_actor("camera", "Eye", position=(0.0, 0.0, distance), focal=focal, part=FilmCamera(focus=focus))
        document = Document(actors=(ball, eye))
        film = replace(
            plan(size=(width, 160), samples=8, end=0, shadows=False, background="#000000"), document=document
        )
        with surface.current():
            still = Still(snapshot=Evaluator().snapshot(document, 0))
            drawn = np.frombuffer(finish(Drawing(film, Picture()).frame(still, 0)), np.uint8).reshape(160, width, 4)
        bright = drawn[:, :, :3].astype(float).sum(axis=2)
        along = np.arange(width)
        middle = (bright @ along).sum() / bright.sum()
        found.append(float((bright @ (along - middle) ** 2).sum() / bright.sum()))
    disc = 4.0 * math.sqrt(max(found[1] - found[0], 0.0))
    wanted = circle_of(focal, number, focused, distance) / 0.036 * width
    assert disc == pytest.approx(wanted, rel=0.03, abs=0.6), "[px]"
    assert (wanted > 5.0) == (distance != focused), "one of them is sharp"
