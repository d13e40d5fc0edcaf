"""Tanks made from numbers: the actor that a tank is of."""

from __future__ import annotations

from engine.document import Actor, Layer, Placement, prop
from engine.document.values import Vector3
from engine.water.parts import WaterTank


def tank_actor(id: str, name: str, tank: WaterTank, *, position: Vector3 = (0.0, 0.0, 0.0)) -> Actor:
    """Make the actor that a tank is of: a prop without shapes, whose joint is the middle of the tank's floor [m]."""
    return Actor(
        id=id,
        name=name,
        figure=prop(name, ()),
        placement=Placement(position=position),
        layers=(Layer(id="pose"),),
        parts=(tank,),
    )
