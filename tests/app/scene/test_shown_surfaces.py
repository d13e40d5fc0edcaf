"""Surfaces as the window lays quantities over them, whatever the picture says."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from app.scene.colour_map import NONE, hues_of, legend_field
from app.scene.shown_surfaces import NOTHING, ShownSurfaces
from engine.model.snapshot import SkinSurface, SurfaceField


def surface() -> SkinSurface:
    """A triangle with a strain of its own."""
    places = np.eye(3, dtype=np.float32)
    strain = SurfaceField(name="strain", label="Strain", unit="%", values=places[0], low=0.0, high=1.0)
    return SkinSurface(
        owner="jelly", role="result", skin="surface", topology="t", triangles=np.array([[0, 1, 2]], dtype=np.int32),
        body=np.zeros(3, dtype=np.int32), positions=places, normals=places, fields=(strain,),
    )  # fmt: skip


def region(*values: float) -> SurfaceField:
    return SurfaceField(
        name="region", label="Region", unit="", values=np.array(values, dtype=np.float32), low=0.0, high=1.0
    )


def test_what_is_laid_over_a_surface_is_shown_in_place_of_what_is_chosen() -> None:
    (shown,) = ShownSurfaces({"jelly": region(0.0, 0.5, 1.0)}).over((surface(),))
    assert hues_of(shown, "strain").tolist() == [0.0, 0.5, 1.0]
    assert hues_of(shown, "").tolist() == [0.0, 0.5, 1.0]
    legend = legend_field((shown,), "strain")
    assert legend is not None
    assert legend.label == "Region"


def test_what_is_of_another_actor_or_of_other_vertices_changes_nothing() -> None:
    (other,) = ShownSurfaces({"stool": region(0.0, 0.5, 1.0)}).over((surface(),))
    assert hues_of(other, "").tolist() == [NONE] * 3
    (fewer,) = ShownSurfaces({"jelly": region(0.0, 0.5)}).over((surface(),))
    assert hues_of(fewer, "strain").tolist() == [1.0, 0.0, 0.0]
    plain = surface()
    assert NOTHING.over((plain,))[0] is plain


def test_an_opened_surface_is_hollow() -> None:
    opened, closed = ShownSurfaces({}, frozenset(("jelly",))).over((surface(), replace(surface(), owner="stool")))
    assert opened.hollow
    assert not closed.hollow
