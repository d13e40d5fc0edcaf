"""Edits of water: tanks, the water in them, and how it is computed. What is None stays as it is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.document import Actor, Document
from engine.document.conformance import check_fields
from engine.document.values import Vector3, vector3
from engine.runtime.errors import InvalidDocument
from engine.water.parts import WaterTank
from engine.water.uses import water_tank


def add_water_tank(document: Document, *, actor: Actor) -> Document:
    """Add an actor that is a tank of water to the scene."""
    if water_tank(actor) is None:
        raise InvalidDocument(what=f"the parts of {actor.name}", value=len(actor.parts), allowed="a tank of water")
    return replace(document, actors=(*document.actors, actor))


def put_water_tank(document: Document, *, actor: str, tank: WaterTank) -> Document:
    """Make an actor a tank of water, or another one."""
    return document.with_actor(document.actor(actor).with_part(tank))


def remove_water_tank(document: Document, *, actor: str) -> Document:
    """Take an actor's tank of water away; its joint stays."""
    return document.with_actor(document.actor(actor).without_part(WaterTank))


def set_water_tank(
    document: Document,
    *,
    actor: str,
    size: Vector3 | None = None,
    planar: bool | None = None,
    resolution: float | None = None,
    step: float | None = None,
    start: int | None = None,
    touches: bool | None = None,
    coupling: str | None = None,
) -> Document:
    """Set how large a tank is [m], whether it is planar, how fine its grid [cells/m], when its water begins to move
    [ticks], and how bodies and water push each other."""
    return _with_tank(
        document, actor, size=size, planar=planar, resolution=resolution, step=step, start=start, touches=touches,
        coupling=coupling
    )  # fmt: skip


def stretch_water_tank(document: Document, *, actor: str, size: Vector3, move: Vector3 = (0.0, 0.0, 0.0)) -> Document:
    """Give a tank another size [m] and move the middle of its floor by so much [m], as a drag of one of its sides
    does."""
    changed = _with_tank(document, actor, size=size)
    owner, by = changed.actor(actor), vector3("how far a tank is moved", move)
    if by == (0.0, 0.0, 0.0):
        return changed
    x, y, z = (own + way for own, way in zip(owner.placement.position, by, strict=True))
    return changed.with_actor(replace(owner, placement=replace(owner.placement, position=(x, y, z))))


def shape_water(
    document: Document,
    *,
    actor: str,
    begins: str | None = None,
    level: float | None = None,
    block_length: float | None = None,
    block_height: float | None = None,
    drop_radius: float | None = None,
    drop_height: float | None = None,
    wave_height: float | None = None,
    wave_length: float | None = None,
) -> Document:
    """Set the shape with which water begins [m]."""
    return _with_tank(
        document, actor, begins=begins, level=level, block_length=block_length, block_height=block_height,
        drop_radius=drop_radius, drop_height=drop_height, wave_height=wave_height, wave_length=wave_length,
    )  # fmt: skip


def move_water(
    document: Document,
    *,
    actor: str,
    stroke: float | None = None,
    period: float | None = None,
    current: float | None = None,
    ends: str | None = None,
) -> Document:
    """Set a tank's wave maker, the current with which its water begins, and whether it comes and goes by the ends."""
    return _with_tank(document, actor, stroke=stroke, period=period, current=current, ends=ends)


def set_water(
    document: Document,
    *,
    actor: str,
    density: float | None = None,
    viscosity: float | None = None,
    advection: str | None = None,
    surface: str | None = None,
    spray: bool | None = None,
    keep_volume: bool | None = None,
) -> Document:
    """Set what the fluid of a tank is and how it is computed."""
    return _with_tank(
        document, actor, density=density, viscosity=viscosity, advection=advection, surface=surface, spray=spray,
        keep_volume=keep_volume,
    )  # fmt: skip


def show_water(
    document: Document,
    *,
    actor: str,
    slice: str | None = None,
    slice_place: float | None = None,
    arrows: bool | None = None,
    shown: str | None = None,
) -> Document:
    """Set what is seen of a tank's surface, and of the flow inside it."""
    return _with_tank(document, actor, slice=slice, slice_place=slice_place, arrows=arrows, shown=shown)


def _with_tank(document: Document, actor: str, **values: Any) -> Document:
    """The document with an actor's tank changed; the identical one where it is the same."""
    owner = document.actor(actor)
    old = water_tank(owner)
    if old is None:
        raise InvalidDocument(what="the actor to change", value=owner.name, allowed="a tank of water")
    given = {name: value for name, value in values.items() if value is not None}
    usual = WaterTank()
    plain: dict[str, Any] = {
        name: float(value) if isinstance(getattr(usual, name), float) else value for name, value in given.items()
    }
    check_fields(WaterTank, plain.items(), of="a tank of water")
    new = replace(old, **plain)
    return document if new == old else document.with_actor(owner.with_part(new))
