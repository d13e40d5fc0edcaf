"""Skins, bones and lines in a real viewport: drawn, picked, marked, and taken for one another where one is missing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from pytestqt.qtbot import QtBot

from app.scene import Look, Viewport
from app.scene.displays import DISPLAYS, Display, fills, form_of
from app.scene.panes import FRONT, PERSPECTIVE
from engine.document import Document, Figure
from engine.evaluate import mesh_of
from engine.evaluate.rest import bodies_of
from engine.formats.figure_toml import load_figure
from engine.model import Bodies, SkinSurface, Snapshot
from tests.app.scene.conftest import Mouse, Show, pixel_of, pixels
from tests.app.scene.mannequins import moved, snowman

pytestmark = pytest.mark.gui


def stick(*, shaped: bool) -> Bodies:
    """Two bones: from the floor to 1 m, then to the side; all joints unturned."""
    figure = load_figure("chain3")
    figure = Figure(
        name="Stick", joints=tuple(replace(each, shapes=each.shapes if shaped else ()) for each in figure.joints)
    )
    mesh, skeleton = bodies_of(figure)
    places: list[tuple[float, float, float]] = []
    worlds: dict[str, np.ndarray] = {}
    for joint in figure.joints:
        above = worlds[joint.parent] if joint.parent else np.zeros(3)
        worlds[joint.id] = above + np.array(joint.offset)
        x, y, z = worlds[joint.id].tolist()
        places.append((x, y, z))
    return Bodies(
        owner="stick", role="result", mesh=mesh, parts=tuple(figure.joint_index), transforms=moved(places),
        skeleton=skeleton,
    )  # fmt: skip


def dress() -> tuple[Bodies, SkinSurface]:
    """The snowman and a square before it: its left half follows "low", its right half "high"."""
    item = snowman()
    corners = [(-0.6, 0.2, 0.6), (0.0, 0.2, 0.6), (0.0, 1.4, 0.6), (-0.6, 1.4, 0.6)]
    right = [(x + 0.6, y, z) for x, y, z in corners]
    return item, SkinSurface(
        owner=item.owner, role="result", skin="cloth", topology="two squares",
        triangles=np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]], dtype=np.int32),
        body=np.array([0] * 4 + [2] * 4, dtype=np.int32),
        positions=np.array(corners + right, dtype=np.float32),
        normals=np.tile(np.array([0.0, 0.0, 1.0], dtype=np.float32), (8, 1)),
    )  # fmt: skip


def shown(view: Viewport, *items: Bodies, skins: tuple[SkinSurface, ...] = ()) -> None:
    view.show_snapshot(Snapshot(document=Document(), time=0, items=(*items, *skins)))


def at(view: Viewport, point: tuple[float, float, float]) -> QPointF:
    return QPointF(*pixel_of(view, FRONT, point))


def test_a_skin_stands_for_the_bodies_of_its_owner_and_is_picked_by_the_joint_that_weighs_most(show: Show) -> None:
    view = show()
    item, skin = dress()
    shown(view, item, snowman("other", 1.6), skins=(skin,))
    view.frame()
    middle = at(view, (-0.5, 1.3, 0.6))
    assert view.pick(middle) is None, "a mannequin does not reach so far"
    view.set_display("skin")
    left, right = view.pick(middle), view.pick(at(view, (0.5, 1.3, 0.6)))
    assert left is not None
    assert right is not None
    assert (left.owner, left.part) == ("snowman", "low")
    assert (right.owner, right.part) == ("snowman", "high")
    assert left.point_world == pytest.approx((-0.5, 1.3, 0.6), abs=0.01)
    other = view.pick(at(view, (1.6, 1.5, 0.0)))
    assert other is not None
    assert (other.owner, other.part) == ("other", "high"), "without a skin it stays a mannequin"
    before = pixels(view.grab_image())
    shown(view, item, snowman("other", 1.6), skins=(replace(skin, positions=skin.positions + np.float32(0.2)),))
    assert (pixels(view.grab_image()) != before).any(), "a new frame moves the surface"


def test_shapes_fill_a_skin_that_has_less_than_twice_their_volume() -> None:
    item, skin = dress()
    for factor, filled in ((1.05, True), (1.25, True), (1.3, False), (3.0, False)):
        positions = (factor * item.mesh.positions).astype(np.float32)
        over = replace(skin, positions=positions, triangles=item.mesh.triangles.astype(np.int32))
        assert fills(item, over) == filled, factor


def test_bodies_are_seen_and_picked_through_a_translucent_skin_which_is_blended_once(
    show: Show, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.scene.drawn_bodies.fills", lambda item, skin: False)  # these squares have no volume
    view = show(Look(anti_aliasing="off"))
    item, skin = dress()
    twice = replace(  # the same squares once more, farther away
        skin, topology="four squares", triangles=np.concatenate((skin.triangles, skin.triangles + 8)),
        body=np.tile(skin.body, 2), positions=np.concatenate((skin.positions, skin.positions - np.float32(0.1))),
        normals=np.tile(skin.normals, (2, 1)),
    )  # fmt: skip
    seen = {}
    looks: tuple[tuple[Display, SkinSurface | None], ...] = (
        ("mannequin", None), ("skin", skin), ("translucent", skin), ("translucent", twice),
    )  # fmt: skip
    shown(view, item, skins=(skin,))
    view.frame()
    for display, over in looks:
        view.set_display(display)
        shown(view, item, skins=() if over is None else (over,))
        image, count = pixels(view.grab_image()).astype(int), 0 if over is None else len(over.positions)
        spots = [pixel_of(view, FRONT, spot) for spot in ((0.1, 1.15, 0.6), (-0.45, 1.27, 0.6))]
        seen[display, count] = np.array([image[round(y), round(x)] for x, y in spots])  # before a body, beside it
    through, twice_there = seen["translucent", 8], seen["translucent", 16]
    assert (through[0] > through[1] + 20).all(), "the body is seen through it"
    assert (seen["mannequin", 0][1] + 10 < through[1]).all(), "the skin is there"
    assert (through[1] < seen["skin", 8][1] - 20).all(), "the ground is seen through it"
    assert (np.abs(twice_there - through) <= 1).all(), "what is behind the nearest layer is not blended"
    shown(view, item, skins=(skin,))
    inside, beside = view.pick(at(view, (0.1, 1.15, 0.2))), view.pick(at(view, (-0.5, 1.3, 0.6)))
    assert inside is not None
    assert beside is not None
    assert inside.point_world[2] < 0.55, "the body below it"
    assert beside.point_world[2] == pytest.approx(0.6, abs=0.01), "the skin, where nothing is below"


def test_part_of_a_skin_is_outlined(show: Show) -> None:
    view = show(Look(anti_aliasing="off", accent="#ff00ff"))
    item, skin = dress()
    shown(view, item, skins=(skin,))
    view.set_display("skin")
    view.frame()

    def magenta() -> np.ndarray:
        image = pixels(view.grab_image())
        return np.asarray((image[..., 0] > 200) & (image[..., 1] < 80) & (image[..., 2] > 200))

    assert not magenta().any()
    view.set_selection(frozenset([("snowman", "low")]))
    x = at(view, (0.3, 1.3, 0.6)).x()
    marked = magenta()[:, : round(x)]
    assert marked.sum() > 50


def test_what_is_selected_stays_outlined_when_a_skin_or_another_body_comes_later(show: Show) -> None:
    view = show(Look(anti_aliasing="off", accent="#ff00ff"))
    item, skin = dress()
    shown(view, item)
    view.frame()
    view.set_display("skin")
    view.set_selection(frozenset([("snowman", "low")]))
    for skins in ((), (skin,)):
        for others in ((), (snowman("other", 1.6),)):
            shown(view, item, *others, skins=skins)
            image = pixels(view.grab_image())
            magenta = (image[..., 0] > 200) & (image[..., 1] < 80) & (image[..., 2] > 200)
            assert magenta.sum() > 50, f"{len(skins)} skins, {len(others)} others"


def test_a_frozen_body_takes_no_click_in_any_display(show: Show) -> None:
    view = show()
    item, skin = dress()
    behind = stick(shaped=True)
    for display in DISPLAYS:
        view.set_display(display)
        shown(view, item, behind, skins=(skin,))
        view.frame()
        spots = [at(view, (0.0, y, 0.0)) for y in np.linspace(0.1, 0.9, 9)]
        assert any(pick is not None and pick.owner == "snowman" for pick in map(view.pick, spots))
        shown(view, replace(item, frozen=True), behind, skins=(skin,))
        through = [pick for pick in map(view.pick, spots) if pick is not None]
        assert through, "what stands behind is picked"
        assert {pick.owner for pick in through} == {"stick"}


@pytest.mark.parametrize("display", ["bones", "lines"])
@pytest.mark.parametrize("shaped", [True, False])
def test_bones_and_lines_are_drawn_and_picked_for_any_figure(show: Show, display: Display, shaped: bool) -> None:
    view = show()
    item = stick(shaped=shaped)
    shown(view, item)
    view.set_display(display)
    view.frame()
    joint, bone = item.transforms[1][:, 3], item.skeleton
    index = int(np.flatnonzero(bone.start == 1)[0])
    end = item.transforms[bone.end[index]] @ np.array([*bone.point[index], 1.0])
    middle = 0.5 * (joint + end[:3])
    place = at(view, (float(middle[0]), float(middle[1]), float(middle[2])))
    picked = view.pick(place)
    assert picked is not None
    assert picked.part == item.parts[1]
    assert picked.point_world == pytest.approx(middle.tolist(), abs=0.05)
    with_it = pixels(view.grab_image())
    shown(view, replace(item, visible=False))
    assert (pixels(view.grab_image()) != with_it).any()
    assert view.pick(place) is None


def test_each_display_falls_back_on_what_there_is() -> None:
    shaped, bare, ball = stick(shaped=True), stick(shaped=False), replace(snowman(), parts=("all",))
    none: frozenset[str] = frozenset()
    assert [form_of(each, shaped, frozenset(["stick"])) for each in DISPLAYS] == [
        "mannequin", "skin", "bones", "lines", "mannequin",
    ]  # fmt: skip
    assert form_of("skin", shaped, none) == "mannequin"
    assert [form_of(each, bare, none) for each in DISPLAYS] == ["bones", "bones", "bones", "lines", "bones"]
    assert [form_of(each, bare, frozenset(["stick"])) for each in DISPLAYS] == [
        "skin", "skin", "bones", "lines", "bones",
    ]  # fmt: skip
    assert {form_of(each, ball, none) for each in DISPLAYS} == {"mannequin"}


def test_views_show_their_own_and_remember_it(show: Show) -> None:
    view = show()
    shown(view, stick(shaped=True))
    view.set_display("lines", (PERSPECTIVE,))
    assert view.displays == ["mannequin", "lines", "mannequin", "mannequin"]
    view.grab_image()
    saved = view.save_views()
    other = show(started=False)
    assert other.restore_views(saved)
    assert other.displays == view.displays
    older = {name: value for name, value in saved.items() if name != "displays"}
    assert other.restore_views(older), "preferences of an older version name none"
    assert other.displays == view.displays
    assert not other.restore_views({**saved, "displays": ["ghosts"] * 4})


def test_the_corner_of_a_view_offers_the_displays(show: Show, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QMenu

    from app.scene.ornaments import SIZES, places

    view = show()
    view.maximise(FRONT)
    x, y = places(view.title_of(FRONT), *view.size_of(FRONT))["display"]
    Mouse(view).click((x + 20, y + SIZES["display"][1] / 2))
    menu = view.findChild(QMenu, "display")
    assert isinstance(menu, QMenu)
    assert [(each.text(), each.isChecked()) for each in menu.actions()] == [
        ("Mannequin", True), ("Skin", False), ("Bones", False), ("Lines", False), ("Translucent", False)
    ]  # fmt: skip
    menu.actions()[2].trigger()
    assert view.displays[FRONT] == "bones"
    menu.close()


def test_meshes_and_bones_are_kept_by_figure() -> None:
    figure = load_figure("human")
    assert mesh_of(figure) is mesh_of(figure)
    assert len(bodies_of(figure)[1].start) >= len(figure.joints) - 1


def test_a_ghost_is_seen_where_it_stands_apart_and_nowhere_else(show: Show) -> None:
    view, body = show(), snowman()
    view.show_snapshot(Snapshot(document=Document(), time=0, items=(body,)))
    alone = pixels(view.grab_image())
    view.show_snapshot(Snapshot(document=Document(), time=0, items=(body, replace(body, role="ghost"))))
    same = np.abs(pixels(view.grab_image()) - alone).max(axis=2)
    assert (same > 12).mean() < 1e-3, "behind the body that it equals"
    apart = replace(body, role="ghost", transforms=moved([(0.9, y, 0.0) for y in (0.4, 1.05, 1.5)]))
    view.show_snapshot(Snapshot(document=Document(), time=0, items=(body, apart)))
    assert (np.abs(pixels(view.grab_image()) - alone).max(axis=2) > 12).mean() > 5e-3
