"""The face that ships, and actors that are made of surfaces with blend shapes."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor, Layer, Placement, prop
from engine.document.shipped import face_arrays, face_shapes
from engine.document.values import IDENTITY, Quaternion, Vector3
from engine.shapes.parts import BlendShape, BlendShapes, ShapeMotion


def load_face(name: str = "face") -> BlendShapes:
    """One of the faces in `resources/faces`, its arrays not read yet."""
    arrays = face_arrays(name)
    shapes = tuple(
        BlendShape(id=id, name=called, vertices=arrays[f"{id}.vertices"], offsets=arrays[f"{id}.offsets"])
        for id, called in face_shapes(name)
    )
    return BlendShapes(positions=arrays["positions"], triangles=arrays["triangles"], shapes=shapes)


def shaped_actor(
    id: str,
    name: str,
    surface: BlendShapes,
    *,
    position: Vector3 = (0.0, 0.0, 0.0),
    rotation: Quaternion = IDENTITY,
    motion: ShapeMotion | None = None,
) -> Actor:
    """Make the actor that a surface is of: a prop without shapes, whose joint carries it."""
    return Actor(
        id=id,
        name=name,
        figure=prop(name, ()),
        placement=Placement(position=position, rotation=rotation),
        layers=(Layer(id="pose"),),
        parts=(surface if motion is None else replace(surface, motion=motion),),
    )
