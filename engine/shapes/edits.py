"""Edits of blend shapes: surfaces, shapes and their keyed weights, secondary motion, targets.

What is None stays as it is, unless an edit says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.document import Actor, Document, Key, Track
from engine.document.conformance import given_fields
from engine.document.correction import BellKind
from engine.document.motion import Extrapolation
from engine.document.values import Quaternion, Vector3
from engine.edits.keyed_numbers import keys_of, move_keys, put_keys, remove_keys, with_keys
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.shapes.parts import (
    LEAST_WEIGHT,
    MOST_WEIGHT,
    WEIGHT,
    BlendShape,
    BlendShapes,
    Pose,
    ShapeMotion,
    ShapeTarget,
    Velocity,
)
from engine.shapes.uses import blend_shapes

_OF = "blend shapes"


def add_shaped_actor(document: Document, *, actor: Actor) -> Document:
    """Add an actor that is a surface with blend shapes to the scene."""
    if blend_shapes(actor) is None:
        raise InvalidDocument(what=f"the parts of {actor.name}", value=len(actor.parts), allowed="blend shapes")
    return replace(document, actors=(*document.actors, actor))


def put_blend_shapes(document: Document, *, actor: str, shapes: BlendShapes) -> Document:
    """Give an actor a surface with blend shapes, or another one."""
    return document.with_actor(document.actor(actor).with_part(shapes))


def remove_blend_shapes(document: Document, *, actor: str) -> Document:
    """Take an actor's surface away with all its shapes; its joint stays."""
    return document.with_actor(document.actor(actor).without_part(BlendShapes))


def add_blend_shape(document: Document, *, actor: str, shape: BlendShape) -> Document:
    """Add a shape to a surface, behind those that it has."""
    return _with_surface(document, actor, shapes=(*_surface(document, actor).shapes, shape))


def remove_blend_shape(document: Document, *, actor: str, shape: str) -> Document:
    """Take a shape away from a surface, out of its targets, too."""
    found, gone = _surface(document, actor), _shape(document, actor, shape)
    targets = tuple(
        replace(each, weights=tuple(pair for pair in each.weights if pair[0] != shape)) for each in found.targets
    )
    return _with_surface(
        document, actor, shapes=tuple(each for each in found.shapes if each is not gone), targets=targets
    )


def rename_blend_shape(document: Document, *, actor: str, shape: str, name: str) -> Document:
    """Give a shape another name."""
    if not name.strip():
        raise InvalidDocument(what="the name of a shape", value=name, allowed="some text")
    return _with_shape(document, actor, shape, name=name)


def set_blend_shape(
    document: Document,
    *,
    actor: str,
    shape: str,
    weight: float | None = None,
    least: float | None = None,
    most: float | None = None,
    mute: bool | None = None,
) -> Document:
    """Set the weight of a shape where it is not keyed, what its slider reaches, and whether it counts."""
    return _with_shape(
        document, actor, shape, **given_fields(BlendShape, of=_OF, weight=weight, least=least, most=most, mute=mute)
    )


def set_shape_keys(document: Document, *, actor: str, shape: str, keys: tuple[Key, ...]) -> Document:
    """Set keys of a shape's weight, each as it is given and in place of one on its tick."""
    return _with_keys(document, actor, shape, put_keys(_keys(document, actor, shape), keys))


def key_shapes(document: Document, *, actor: str, keys: tuple[tuple[str, Key], ...]) -> Document:
    """Set a key of each of some shapes, in place of one on its tick."""
    for shape, key in keys:
        document = set_shape_keys(document, actor=actor, shape=shape, keys=(key,))
    return document


def move_shape_keys(
    document: Document, *, actor: str, shape: str, times: tuple[int, ...], ticks: int = 0, value: float = 0.0
) -> Document:
    """Move keys of a shape's weight in time and value together; a moved key takes the place of one that it lands on,
    and no weight leaves what a shape may have."""
    old = _keys(document, actor, shape)
    found = move_keys(old, times, ticks=ticks, value=value, least=LEAST_WEIGHT, most=MOST_WEIGHT)
    return _with_keys(document, actor, shape, found)


def remove_shape_keys(document: Document, *, actor: str, shape: str, times: tuple[int, ...] | None = None) -> Document:
    """Take keys of a shape's weight away, those of some ticks or (None) all; its constant counts where none is left."""
    return _with_keys(document, actor, shape, remove_keys(_keys(document, actor, shape), times))


def extend_shape(
    document: Document,
    *,
    actor: str,
    shape: str,
    before: Extrapolation | None = None,
    after: Extrapolation | None = None,
) -> Document:
    """Set how a shape's keyed weight goes on before its first key and after its last."""
    track = _shape(document, actor, shape).track
    if track is None:
        return document
    return _with_shape(
        document, actor, shape, track=replace(track, **given_fields(Track, of=_OF, before=before, after=after))
    )


def set_shape_motion(
    document: Document,
    *,
    actor: str,
    on: bool | None = None,
    tension: float | None = None,
    ratio: float | None = None,
    gravity: float | None = None,
    rigidity: float | None = None,
    points: int | None = None,
    clusters: int | None = None,
    window: int | None = None,
    step: int | None = None,
) -> Document:
    """Set how a surface follows its keyed shape."""
    given = given_fields(
        ShapeMotion, of=_OF, on=on, tension=tension, ratio=ratio, gravity=gravity, rigidity=rigidity, points=points,
        clusters=clusters, window=window, step=step,
    )  # fmt: skip
    return _with_surface(document, actor, motion=replace(_surface(document, actor).motion, **given))


def add_shape_target(document: Document, *, actor: str, target: ShapeTarget) -> Document:
    """Have a surface meet a target."""
    return _with_surface(document, actor, targets=(*_surface(document, actor).targets, target))


def remove_shape_target(document: Document, *, actor: str, target: str) -> Document:
    """Take a target of a surface away."""
    gone = _target(document, actor, target)
    targets = tuple(each for each in _surface(document, actor).targets if each is not gone)
    return _with_surface(document, actor, targets=targets)


def set_shape_target(
    document: Document,
    *,
    actor: str,
    target: str,
    name: str | None = None,
    time: int | None = None,
    pose: Pose | None = None,
    weights: tuple[tuple[str, float], ...] | None = None,
    place: Pose | None = None,
    position: Vector3 | None = None,
    rotation: Quaternion | None = None,
    velocity: Velocity | None = None,
    before: int | None = None,
    after: int | None = None,
    kind: BellKind | None = None,
    mute: bool | None = None,
) -> Document:
    """Set what a surface is to be at a target's time, when that is, and how its correction is eased."""
    given = given_fields(
        ShapeTarget, of=_OF, name=name, time=time, pose=pose, weights=weights, place=place, position=position,
        rotation=rotation, velocity=velocity, before=before, after=after, kind=kind, mute=mute,
    )  # fmt: skip
    if name is not None and not name.strip():
        raise InvalidDocument(what="the name of a target", value=name, allowed="some text")
    old = _target(document, actor, target)
    new = replace(old, **given)
    targets = tuple(new if each is old else each for each in _surface(document, actor).targets)
    return _with_surface(document, actor, targets=targets)


def _surface(document: Document, actor: str) -> BlendShapes:
    owner = document.actor(actor)
    found = blend_shapes(owner)
    if found is None:
        raise InvalidDocument(what="the actor to change", value=owner.name, allowed="one with blend shapes")
    return found


def _with_surface(document: Document, actor: str, **given: Any) -> Document:
    """The document with an actor's surface changed; the identical one where it is the same."""
    old = _surface(document, actor)
    new = replace(old, **given)
    return document if new == old else document.with_actor(document.actor(actor).with_part(new))


def _shape(document: Document, actor: str, shape: str) -> BlendShape:
    found = _surface(document, actor)
    own = found.shape(shape)
    if own is None:
        raise UnknownPart(kind="shape", id=shape, known=tuple(each.id for each in found.shapes))
    return own


def _target(document: Document, actor: str, target: str) -> ShapeTarget:
    found = _surface(document, actor)
    own = found.target(target)
    if own is None:
        raise UnknownPart(kind="target", id=target, known=tuple(each.id for each in found.targets))
    return own


def _with_shape(document: Document, actor: str, shape: str, **given: Any) -> Document:
    old = _shape(document, actor, shape)
    shapes = _surface(document, actor).with_shape(old, replace(old, **given)).shapes
    return _with_surface(document, actor, shapes=shapes)


def _keys(document: Document, actor: str, shape: str) -> tuple[Key, ...]:
    return keys_of(_shape(document, actor, shape).track)


def _with_keys(document: Document, actor: str, shape: str, keys: Iterable[Key]) -> Document:
    track = with_keys(_shape(document, actor, shape).track, WEIGHT, keys)
    return _with_shape(document, actor, shape, track=track)
