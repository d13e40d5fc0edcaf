"""Edits of light: the lights of the scene, and the finish of actors. The first edit gives either its part."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document
from engine.document.conformance import given_fields
from engine.lighting.parts import Finish, Lighting


def set_lighting(
    document: Document,
    *,
    azimuth: float | None = None,
    elevation: float | None = None,
    with_view: bool | None = None,
    key: float | None = None,
    size: float | None = None,
    fill: float | None = None,
    rim: float | None = None,
    sky: float | None = None,
    background: str | None = None,
    floor: str | None = None,
    horizon: bool | None = None,
) -> Document:
    """Set lights, background and floor of the scene; what is None stays, angles are in radians."""
    given = given_fields(
        Lighting, of="the light", azimuth=azimuth, elevation=elevation, with_view=with_view, key=key, size=size,
        fill=fill, rim=rim, sky=sky, background=background, floor=floor, horizon=horizon,
    )  # fmt: skip
    old = document.part(Lighting)
    new = replace(old or Lighting(), **given)
    return document if new == old else document.with_part(new)


def remove_lighting(document: Document) -> Document:
    """Light the scene as the views do by themselves."""
    return document.without_part(Lighting)


def set_finish(
    document: Document, *, actor: str, colour: str | None = None, roughness: float | None = None
) -> Document:
    """Set the colour and the roughness of an actor; what is None stays, an empty colour is that of all figures."""
    owner = document.actor(actor)
    old = owner.part(Finish)
    new = replace(old or Finish(), **given_fields(Finish, of="the finish", colour=colour, roughness=roughness))
    if new == Finish():
        return document if old is None else document.with_actor(owner.without_part(Finish))
    return document if new == old else document.with_actor(owner.with_part(new))
