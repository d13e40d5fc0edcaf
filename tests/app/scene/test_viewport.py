"""The viewport on a real screen: what it draws, what lies under the pointer, how it answers the mouse."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPointF, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.scene import Look, Viewport, viewport
from app.scene.camera import RIGHT_ANGLE
from app.scene.panes import FRONT, PERSPECTIVE, RIGHT, TOP, first_cameras
from app.scene.picture import Picture
from app.scene.settling import STEPS
from app.scene.visuals.clay import ClayVisual
from engine.document import Document
from engine.model.trails import Onion, Trail, TrailPicture
from tests.app.scene.conftest import Mouse, Show, pixel_of, pixels
from tests.app.scene.mannequins import snapshot, snowman

pytestmark = pytest.mark.gui
Hand = Callable[[Viewport], Mouse]

LOW, MIDDLE, HIGH = (0.0, 0.4, 0.0), (0.0, 1.05, 0.0), (0.0, 1.5, 0.0)
BESIDE = (0.6, 1.6, 0.35)


def brightness(view: Viewport, which: int, point: tuple[float, float, float]) -> int:
    x, y = pixel_of(view, which, point)
    return int(pixels(view.grab_image())[round(y), round(x)].sum())


def test_bodies_stand_before_the_background_in_every_view(show: Show) -> None:
    view = show()
    for which in (TOP, PERSPECTIVE, FRONT, RIGHT):
        body, ground = brightness(view, which, HIGH), brightness(view, which, BESIDE)
        assert body > ground + 100, which


def test_the_background_is_the_looks_gradient(show: Show) -> None:
    view = show(Look(anti_aliasing="off", show_grid=False, shadows="off", view_top="#405060", view_bottom="#102030"))
    pane = view.panes()[FRONT]
    image = pixels(view.grab_image())
    assert image[pane.y + 1, pane.x + pane.width // 4] == pytest.approx(np.array([0x40, 0x50, 0x60]), abs=2)
    assert image[pane.y + pane.height - 2, pane.x + pane.width // 4] == pytest.approx(
        np.array([0x10, 0x20, 0x30]), abs=2
    )


def test_an_actor_that_is_hidden_is_neither_drawn_nor_picked(show: Show) -> None:
    view = show()
    hidden = replace(snowman(), visible=False)
    before = brightness(view, FRONT, MIDDLE)
    view.show_snapshot(snapshot(hidden, snowman("other", 1.2)))
    assert brightness(view, FRONT, MIDDLE) < before - 100
    assert view.pick(QPointF(*pixel_of(view, FRONT, MIDDLE))) is None


def test_a_new_pose_is_drawn_without_a_new_buffer(show: Show) -> None:
    view = show()
    canvas = view._canvas
    assert canvas is not None
    assert canvas.picture is not None
    buffer = canvas.picture.bodies("mannequin")._meshes
    moved = snowman()
    moved.transforms[2, :, 3] = between = (0.6, 1.2, 0.0)
    before = brightness(view, FRONT, between)
    view.show_snapshot(snapshot(moved, snowman("other", 1.2)))
    assert brightness(view, FRONT, between) > before + 100
    assert canvas.picture.bodies("mannequin")._meshes is buffer
    view.show_snapshot(snapshot(moved))
    view.grab_image()
    assert canvas.picture.bodies("mannequin")._meshes is not buffer


def test_the_shadow_goes_with_the_bodies(show: Show) -> None:
    view, floor = show(Look(anti_aliasing="off", show_grid=False, pool_strength=0.0)), (0.0, 0.0, 0.0)
    view.grab_image()
    view.show_snapshot(snapshot(snowman(x=-1.2), snowman("other", 1.2)))
    left = brightness(view, TOP, floor)
    view.set_look(replace(view.look, shadows="off"))
    assert left == pytest.approx(brightness(view, TOP, floor), abs=6), "no shadow stays where nothing stands"


@pytest.mark.parametrize("which", [TOP, PERSPECTIVE, FRONT, RIGHT])
def test_a_pick_names_the_body_and_the_point_on_it(show: Show, which: int) -> None:
    view = show()
    pick = view.pick(QPointF(*pixel_of(view, which, HIGH)))
    assert pick is not None
    # From the right the other snowman stands in front.
    assert (pick.owner, pick.part) == ("other" if which == RIGHT else "snowman", "high")
    centre = np.array((1.2, 1.5, 0.0) if which == RIGHT else HIGH)
    assert np.linalg.norm(np.array(pick.point_world) - centre) == pytest.approx(0.2, abs=0.01)
    assert pick.view == which


def test_a_pick_reaches_a_few_pixels_beyond_a_body_and_no_farther(show: Show) -> None:
    view = show()
    x, y = pixel_of(view, FRONT, (-0.2, 1.5, 0.0))
    near, far = view.pick(QPointF(x - 4, y)), view.pick(QPointF(x - 12, y))
    assert near is not None
    assert near.part == "high"
    assert far is None
    assert view.pick(QPointF(*pixel_of(view, FRONT, BESIDE))) is None


def test_the_selection_is_outlined_in_the_accent(show: Show) -> None:
    view = show(Look(anti_aliasing="off", accent="#ff00ff"))

    def magenta() -> int:
        image = pixels(view.grab_image())
        return int(((image[..., 0] > 200) & (image[..., 1] < 80) & (image[..., 2] > 200)).sum())

    assert magenta() == 0
    view.set_selection(frozenset([("snowman", "middle")]))
    one = magenta()
    assert one > 100
    view.set_selection(frozenset([("snowman", "middle"), ("other", "low")]))
    assert magenta() > one * 1.5
    view.set_selection(frozenset())
    assert magenta() == 0


def test_what_changes_as_a_body_is_taken_is_painted_with_the_first_picture_of_the_drag(
    show: Show, qtbot: QtBot
) -> None:
    view = show()
    qtbot.waitUntil(lambda: not view.is_due)
    painted: list[float] = []
    view.drawn.connect(painted.append)
    view.show_taken(True)
    view.set_selection(frozenset([("snowman", "middle")]))
    QCoreApplication.processEvents()
    assert (painted, view.is_due) == ([], True)
    view.show_snapshot(snapshot(snowman(), snowman("other", 1.2)))
    qtbot.waitUntil(lambda: not view.is_due)
    assert len(painted) == 1
    view.show_taken(True)
    view.set_selection(frozenset())
    qtbot.waitUntil(lambda: len(painted) == 2)  # no picture comes: it does not wait for ever


def test_a_picture_that_is_due_waits_once_for_a_newer_one(show: Show, qtbot: QtBot) -> None:
    view = show()
    qtbot.waitUntil(lambda: not view.is_due)
    painted: list[float] = []
    view.drawn.connect(painted.append)
    view.await_newer()  # nothing is due: nothing is put off
    view.show_snapshot(snapshot(snowman()))
    qtbot.waitUntil(lambda: len(painted) == 1)
    view.show_snapshot(snapshot(snowman("other", 1.2)))
    view.await_newer()
    QCoreApplication.processEvents()
    assert (len(painted), view.is_due) == (1, True)
    view.show_snapshot(snapshot(snowman()))
    view.await_newer()  # once more without a picture in between: it is drawn
    QCoreApplication.processEvents()
    assert (len(painted), view.is_due) == (2, False)
    view.show_snapshot(snapshot(snowman("other", 1.2)))
    view.await_newer()
    qtbot.waitUntil(lambda: len(painted) == 3)  # no newer one comes: it does not wait for ever


def test_hovering_tells_what_lies_there_and_draws_it(show: Show, mouse: Hand, qtbot: QtBot) -> None:
    view = show()
    before = pixels(view.grab_image())
    with qtbot.waitSignal(view.hovered) as caught:
        mouse(view).move(pixel_of(view, FRONT, HIGH))
    assert caught.args[0].part == "high"
    assert (pixels(view.grab_image()) != before).any()
    with qtbot.waitSignal(view.hovered) as caught:
        mouse(view).move(pixel_of(view, FRONT, BESIDE))
    assert caught.args[0] is None


def test_dragging_with_the_middle_button_orbits_one_view(show: Show, mouse: Hand) -> None:
    view = show()
    before, cameras = pixels(view.grab_image()), list(view.cameras)
    at = pixel_of(view, PERSPECTIVE, BESIDE)
    mouse(view).drag(at, (at[0] + 60, at[1] + 20), Qt.MouseButton.MiddleButton)
    after, panes = pixels(view.grab_image()), view.panes()
    assert view.cameras[PERSPECTIVE].azimuth != cameras[PERSPECTIVE].azimuth
    assert [view.cameras[each] == cameras[each] for each in (TOP, FRONT, RIGHT)] == [True] * 3
    for which, pane in panes.items():
        # Names differ: the view under the pointer became the active one.
        part = np.s_[pane.y + 40 : pane.y + pane.height, pane.x : pane.x + pane.width]
        assert (before[part] != after[part]).any() == (which == PERSPECTIVE)


def test_the_wheel_zooms_to_the_pointer(show: Show, qtbot: QtBot) -> None:
    from PySide6.QtCore import QPoint
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    view = show()
    at, plain = pixel_of(view, FRONT, HIGH), Qt.MouseButton.NoButton
    event = QWheelEvent(
        QPointF(*at), QPointF(*at), QPoint(), QPoint(0, 240), plain, Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    distance = view.cameras[FRONT].distance
    target = view.childAt(round(at[0]), round(at[1]))
    assert target is not None
    QApplication.sendEvent(target, event)
    assert view.cameras[FRONT].distance < 0.8 * distance
    assert pixel_of(view, FRONT, HIGH) == pytest.approx(at, abs=1e-6)


def test_a_view_is_maximised_and_given_back(show: Show, mouse: Hand, qtbot: QtBot) -> None:
    view = show()
    with qtbot.waitSignal(view.views_changed):
        view.maximise(RIGHT)
    assert view.panes()[RIGHT].size == (800, 600)
    assert view.active == RIGHT
    assert (pixels(view.grab_image())[300] != pixels(view.grab_image())[300, :1]).any()
    mouse(view).click((8 + 14, 8 + 15))
    assert len(view.panes()) == 4
    view.toggle_maximised()
    assert list(view.panes()) == [RIGHT]


def test_the_cube_turns_its_view(show: Show, mouse: Hand) -> None:
    view = show()
    pane = view.panes()[FRONT]
    cube = (pane.x + pane.width - 8 - 46, pane.y + 8 + 46)
    view.look_from(FRONT, "Left")
    assert view.cameras[FRONT].azimuth == -RIGHT_ANGLE
    view.set_camera(FRONT, replace(view.cameras[FRONT], azimuth=0.3, elevation=0.2))
    mouse(view).click(cube)
    assert (view.cameras[FRONT].azimuth, view.cameras[FRONT].elevation) == (0.0, 0.0)


def test_flat_views_share_one_scale_after_framing(show: Show) -> None:
    view = show()
    assert view.cameras[TOP].distance == view.cameras[FRONT].distance == view.cameras[RIGHT].distance


def test_framing_a_part_brings_it_nearer(show: Show) -> None:
    view = show()
    before = view.cameras[PERSPECTIVE].distance
    view.frame(frozenset([("snowman", "high")]), views=[PERSPECTIVE])
    assert view.cameras[PERSPECTIVE].target == pytest.approx(HIGH, abs=1e-3)
    assert view.cameras[PERSPECTIVE].distance < before / 2


def test_views_are_saved_and_restored_and_damage_is_refused(show: Show) -> None:
    view = show(started=False)
    view.set_camera(FRONT, view.cameras[FRONT].zoom(0.5))
    view.maximise(TOP)
    saved = view.save_views()
    other = show(started=False)
    assert other.restore_views(saved)
    assert (other.cameras, other.maximised, other.active) == (view.cameras, TOP, TOP)
    kept = other.save_views()
    broken = {**saved, "cameras": saved["cameras"][:3]}
    worse = {**saved, "cameras": [{**saved["cameras"][0], "distance": -1.0}, *saved["cameras"][1:]]}
    for damaged in ({}, broken, worse, {**saved, "maximised": 9}, {**saved, "cameras": None}):
        assert not other.restore_views(damaged)
        assert other.save_views() == kept


def test_nothing_is_drawn_unless_something_changed_and_then_once(show: Show, qtbot: QtBot) -> None:
    view = show()
    view.grab_image()
    paints: list[float] = []
    view.drawn.connect(paints.append)
    for _ in range(20):  # the screen may ask late for the first ones
        paints.clear()
        qtbot.wait(400)
        if not paints:
            break
    assert paints == []
    for _ in range(20):
        view.set_camera(PERSPECTIVE, view.cameras[PERSPECTIVE].orbit(0.01, 0.0))
        view.show_snapshot(snapshot(snowman()))
    qtbot.waitUntil(lambda: bool(paints))
    qtbot.wait(200)
    assert len(paints) == 1


def test_edges_are_smooth_once_the_picture_rests(show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.scene.canvas.SETTLE_AFTER", 3_600_000)  # not before it is looked at
    view = show(Look(anti_aliasing="auto", show_grid=False, shadows="off", skin="#ffffff"))
    if not view.is_software:
        pytest.skip("a graphics card smooths every picture")
    paints: list[float] = []
    view.drawn.connect(paints.append)
    view.set_camera(FRONT, view.cameras[FRONT].zoom(0.9))
    qtbot.waitUntil(lambda: bool(paints))
    pane = view.panes()[FRONT]
    part = np.s_[pane.y + 60 : pane.y + pane.height, pane.x : pane.x + pane.width, 0]

    def steepest() -> float:
        """How much the steepest tenth of all edges rises from pixel to pixel."""
        rise = np.abs(np.diff(pixels(view.grab_image())[part], axis=1))
        return float(np.sort(rise[rise > 20])[-len(rise[rise > 20]) // 10])

    rough = steepest()
    canvas = view._canvas
    assert canvas is not None
    canvas._rest.start(0)
    qtbot.waitUntil(lambda: canvas._settling is not None and canvas._settling.finished)
    assert len(paints) > STEPS
    assert steepest() < 0.8 * rough
    count = len(paints)
    qtbot.wait(300)
    assert len(paints) == count


def test_a_picture_of_any_size_is_rendered_without_the_screen(show: Show) -> None:
    view = show()
    image = view.render_image(1000, 300, samples=4, view=FRONT)
    assert (image.width(), image.height()) == (1000, 300)
    shown = pixels(image)
    camera = view.cameras[FRONT]
    x, y, _ = camera.project(np.array(MIDDLE), (1000, 300))
    assert shown[round(y), round(x)].sum() > shown[20, 20].sum() + 100
    with_symbols = pixels(view.render_image(1000, 300, samples=1, view=FRONT, with_symbols=True))
    without = pixels(view.render_image(1000, 300, samples=1, view=FRONT))
    changed = np.argwhere((with_symbols != without).any(axis=2))
    assert len(changed) > 200
    assert changed[:, 0].min() < 40, "the name stands at the top"


def test_a_viewport_without_size_and_without_bodies_goes_on(show: Show, qtbot: QtBot) -> None:
    view = show()
    view.setMinimumSize(0, 0)
    for size in ((1, 1), (0, 0), (3, 700), (800, 600)):
        view.resize(*size)
        view.grab_image()
    view.show_snapshot(snapshot())
    view.frame()
    view.grab_image()
    assert view.pick(QPointF(400, 300)) is None
    assert view.bounds() is None


def test_before_the_start_a_calm_page_is_shown_and_nothing_fails(show: Show) -> None:
    view = show(started=False)
    view.set_selection(frozenset([("snowman", "low")]))
    view.set_look(Look(view_top="#203040"))
    assert view.pick(QPointF(10, 10)) is None
    assert not view.is_software
    image = view.grab_image()
    assert QColor(image.pixel(5, 0)).name() == "#203040"
    assert len(np.unique(pixels(image)[250:350].reshape(-1, 3), axis=0)) > 20, "words are written"
    with pytest.raises(RuntimeError, match="start"):
        view.render_image(10, 10)


def test_without_opengl_a_page_says_why_and_what_to_do(
    show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewport, "find_graphics", lambda: "The graphics driver gave no OpenGL context.")
    view = show(started=False)
    with qtbot.waitSignal(view.failed) as caught:
        view.start()
    assert caught.args == ["The graphics driver gave no OpenGL context."]
    page = view._page
    assert page.isVisible()
    assert "no OpenGL context" in page.accessibleName()
    assert "libgl1-mesa-dri" in page.accessibleName()
    view.show_snapshot(snapshot(snowman()))
    view.frame()
    view.maximise(FRONT)


def test_a_driver_that_refuses_the_shaders_ends_on_the_same_page(
    show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from app.scene.gl import Unusable

    def refuse(*_: object) -> None:
        raise Unusable("a shader does not compile: no")

    monkeypatch.setattr(Picture, "__init__", refuse)
    view = show(started=False)
    with qtbot.waitSignal(view.failed) as caught:
        view.start()
    assert "does not compile" in caught.args[0]
    qtbot.waitUntil(view._page.isVisible)


def test_what_is_raised_while_drawing_is_not_swallowed(
    show: Show, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = show()

    def fall(*_: object, **__: object) -> None:
        raise ZeroDivisionError("planted")

    with qtbot.captureExceptions() as caught:
        monkeypatch.setattr(ClayVisual, "draw", fall)
        view.set_camera(FRONT, view.cameras[FRONT].zoom(0.9))
        qtbot.waitUntil(lambda: bool(caught))
        monkeypatch.undo()
    assert any(kind is ZeroDivisionError for kind, _, _ in caught)


def test_importing_the_room_loads_no_opengl() -> None:
    import subprocess
    import sys

    code = "import sys, app.scene; print([m for m in sys.modules if m.split('.')[0] in ('vispy', 'OpenGL', 'numba')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300.0)
    assert done.stdout.strip() == "[]"


def test_a_plain_picture_holds_no_trails_and_they_are_seen_again_after_it(show: Show) -> None:
    view = show()
    without = pixels(view.render_image(160, 120, samples=1, plain=True))
    points = np.array([(-0.6, 0.6, 0.6), (0.0, 1.6, 0.6), (0.6, 0.6, 0.6)], np.float32)
    trail = Trail(
        owner="snowman", part="body", point=(0.0, 0.0, 0.0), times=np.arange(3), points=points,
        keyed=np.ones(3, bool), fresh=np.ones(3, bool),
    )  # fmt: skip
    view.set_trails(TrailPicture(document=Document(), time=1, trails=(trail,), onions=()))
    seen = pixels(view.render_image(160, 120, samples=1))
    assert (pixels(view.render_image(160, 120, samples=1, plain=True)) == without).all()
    assert (pixels(view.render_image(160, 120, samples=1)) == seen).all()
    view.set_trails(TrailPicture(document=Document(), time=2, trails=(trail,), onions=()))
    assert (pixels(view.render_image(160, 120, samples=1)) != seen).any(), "the dot of the present has gone on"
    view.set_trails(None)
    assert (pixels(view.render_image(160, 120, samples=1)) != seen).any()


def test_skins_of_a_planned_motion_are_drawn_beside_others_in_a_hue_of_their_own(show: Show) -> None:
    view = show()
    without = pixels(view.render_image(160, 120, samples=1))
    body = snowman()
    aside = body.transforms.copy()
    aside[:, 0, 3] += 1.0
    onion = Onion(time=5, number=1, bodies=replace(body, role="onion", transforms=aside), fresh=True)
    seen = []
    for shown in ({"": onion}, {"plan": replace(onion, planned=True)}, {"": onion, "plan": replace(onion, number=0)}):
        for of in ("", "plan"):
            given = shown.get(of)
            picture = None if given is None else TrailPicture(document=Document(), time=0, onions=(given,))
            view.set_trails(picture, of=of)
        seen.append(pixels(view.render_image(160, 120, samples=1)))
    assert all((one != without).any() for one in seen)
    assert (seen[0] != seen[1]).any(), "in the accent"
    assert (seen[2] != seen[0]).any(), "both are drawn"
    for of in ("", "plan"):
        view.set_trails(None, of=of)
    assert (pixels(view.render_image(160, 120, samples=1)) == without).all()


def test_views_look_again_from_where_a_new_scene_is_seen(show: Show) -> None:
    view = show()
    view.move_camera(PERSPECTIVE, replace(view.cameras[PERSPECTIVE], azimuth=2.0, distance=40.0))
    view.set_display("bones")
    view.look_as_at_first()
    assert tuple(view.cameras) == first_cameras()
    assert set(view.displays) == {"bones"}
