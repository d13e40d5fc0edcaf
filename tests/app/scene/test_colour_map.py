"""Surfaces coloured by a quantity, with a legend, and hollow ones that let their inside be seen."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from app.scene import Look, Viewport
from app.scene.colour_map import GROWING, NONE, PARTING, STEPS, colour_rows, hues_of, legend_field, number_text
from app.scene.look import luminance, rgb
from app.scene.panes import PERSPECTIVE
from app.scene.shown_surfaces import ShownSurfaces
from engine.document import Document
from engine.document.props import prop
from engine.evaluate.rest import bodies_of
from engine.model import Bodies, SkinSurface, Snapshot
from engine.model.snapshot import SurfaceField
from tests.app.scene.conftest import Show, pixel_of, pixels
from tests.app.scene.mannequins import bodies, ellipsoids, moved

STRAIN = ("strain", "Strain", "%")


def field(values: object, *, parts: bool = False, low: float = 0.0, high: float = 0.5) -> SurfaceField:
    name, label, unit = STRAIN
    array = np.asarray(values, dtype=np.float32)
    return SurfaceField(name=name, label=label, unit=unit, values=array, low=low, high=high, parts=parts)


def jelly(**given: object) -> tuple[Bodies, SkinSurface]:
    """A prop without shapes and its surface: a ball of half a metre, whose strain grows upwards."""
    mesh, skeleton = bodies_of(prop("Jelly", ()))
    item = Bodies(
        owner="jelly", role="result", mesh=mesh, parts=("body",), transforms=moved([(0.0, 0.5, 0.0)]), skeleton=skeleton
    )
    ball = ellipsoids([(0.5, 0.5, 0.5)], rings=24)
    surface = SkinSurface(
        owner="jelly", role="result", skin="jelly", topology="ball", triangles=ball.triangles.astype(np.int32),
        body=np.zeros(len(ball.positions), dtype=np.int32), normals=ball.normals,
        positions=ball.positions + np.array((0.0, 0.5, 0.0), dtype=np.float32),
        fields=(field(0.5 * (ball.positions[:, 1] + 0.5)),),
    )  # fmt: skip
    return item, replace(surface, **given)  # type: ignore[arg-type]


@pytest.fixture
def view(show: Show) -> Viewport:
    found = show()
    found.maximise(PERSPECTIVE)
    return found


def shown(view: Viewport, look: Look, *items: Bodies | SkinSurface) -> np.ndarray:
    view.show_snapshot(Snapshot(document=Document(), time=0, items=items))
    view.set_look(replace(look, anti_aliasing="off"))
    view.frame()
    return pixels(view.grab_image())


def colour_at(picture: np.ndarray, view: Viewport, point: tuple[float, float, float]) -> np.ndarray:
    x, y = pixel_of(view, PERSPECTIVE, point)
    found: np.ndarray = picture[round(y), round(x)]
    return found


def test_both_maps_begin_at_clay_where_nothing_happens_and_the_growing_one_only_grows_darker() -> None:
    assert GROWING[0] == PARTING[2]
    shades = [luminance(each) for each in GROWING]
    assert shades == sorted(shades, reverse=True)
    rows = colour_rows()
    assert rows.shape == (2, STEPS, 4)
    assert rows[0, 0, :3].tolist() == [round(255 * each) for each in rgb(GROWING[0])]
    assert rows[1, -1, :3].tolist() == [round(255 * each) for each in rgb(PARTING[-1])]


def test_numbers_are_clipped_to_their_range_and_what_has_none_stays_plain() -> None:
    _, surface = jelly()
    few = replace(surface, positions=surface.positions[:3], fields=(field([-1.0, 0.25, 9.0]),))
    assert hues_of((few,), "strain").tolist() == [0.0, 0.5, 1.0]
    assert hues_of((few,), "stress").tolist() == hues_of((few,), "").tolist() == [NONE] * 3
    parting = replace(few, fields=(field([0.0, 0.25, 0.5], parts=True),))
    assert hues_of((parting,), "strain").tolist() == [2.0, 2.5, 3.0]


def test_all_surfaces_have_one_scale_the_widest_as_the_legend_says() -> None:
    _, surface = jelly()
    one, other = (
        replace(surface, positions=surface.positions[:1], fields=(field([0.5], high=high),)) for high in (0.5, 1.0)
    )
    assert hues_of((one, other), "strain").tolist() == [0.5, 0.5]


def test_the_legend_is_about_the_widest_range_that_is_seen() -> None:
    _, surface = jelly()
    wide = replace(surface, fields=(field([0.0], high=0.9),))
    assert legend_field((surface, wide), "strain") is wide.fields[0]
    assert legend_field((surface, replace(wide, visible=False)), "strain") is surface.fields[0]
    assert legend_field((surface,), "") is None


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [(0.5, "%", "50 %"), (0.0, "Pa", "0 Pa"), (12_500.0, "Pa", "12.5 kPa"), (2e6, "Pa", "2 MPa"), (1.5, "", "1.5")],
)
def test_the_ends_are_written_in_a_few_digits(value: float, unit: str, text: str) -> None:
    assert number_text(value, unit) == text


@pytest.mark.gui
def test_a_surface_is_coloured_by_the_quantity_that_is_chosen_and_the_view_has_a_legend(view: Viewport) -> None:
    item, surface = jelly()
    plain, coloured = (shown(view, Look(field=each), item, surface) for each in ("", "strain"))
    low, high = (colour_at(coloured, view, place) for place in ((0.0, 0.12, 0.42), (0.0, 0.9, 0.25)))
    assert abs(colour_at(plain, view, (0.0, 0.12, 0.42)) - low).max() < 40, "little happens below"
    assert high[0] > 2 * high[1], "a dark red above"
    corner = (slice(-60, -14), slice(-190, -20))
    assert (plain[corner] != coloured[corner]).any(), "the legend"
    place = (0.0, 0.9, 0.25)
    view.set_surfaces(ShownSurfaces({"jelly": replace(surface.fields[0], values=0.0 * surface.fields[0].values)}))
    assert abs(colour_at(pixels(view.grab_image()), view, place) - colour_at(plain, view, place)).max() < 40, "at once"


@pytest.mark.gui
def test_a_hollow_surface_lets_what_is_inside_be_seen_and_other_surfaces_stay_solid(view: Viewport) -> None:
    inside = bodies("bone", ellipsoids([(0.12, 0.12, 0.12)]), ["bone"], [(0.0, 0.5, 0.0)])
    item, surface = jelly()
    hollow = replace(surface, hollow=True)
    middle = (0.0, 0.5, 0.0)
    covered = colour_at(shown(view, Look(), item, inside, hollow), view, middle)
    solid = colour_at(shown(view, Look(see_inside=True), item, inside, surface), view, middle)
    seen = shown(view, Look(see_inside=True), item, inside, hollow)
    assert abs(covered - solid).max() < 4
    assert (colour_at(seen, view, middle) != covered).any()
    without = shown(view, Look(see_inside=True), item, hollow)
    assert (colour_at(seen, view, middle) != colour_at(without, view, middle)).any(), "the bone is seen through it"
    view.set_selection(frozenset([("jelly", "body")]))
    outlined = pixels(view.grab_image())
    assert abs(colour_at(outlined, view, (0.2, 0.5, 0.3)) - colour_at(without, view, (0.2, 0.5, 0.3))).max() < 60
