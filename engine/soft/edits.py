"""Edits of soft bodies: what they are made of, their splines and activations, what holds them, and their bakes.

What is None stays as it is, unless an edit says otherwise. Points are in the frame of the body's joint, at rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine.document import Actor, Blob, Document, Key, Span, Track
from engine.document.conformance import given_fields
from engine.document.motion import Extrapolation
from engine.document.values import Vector3
from engine.edits.keyed_numbers import draw_keys, keys_of, move_keys, put_keys, remove_keys, with_keys
from engine.runtime.errors import InvalidDocument, UnknownPart
from engine.soft.mesh import volume_mesh
from engine.soft.parts import (
    ALPHA,
    LEAST_ALPHA,
    MOST_ALPHA,
    ActivationKind,
    ActivationSpline,
    SoftAttachment,
    SoftBake,
    SoftBody,
    SoftWorld,
)
from engine.soft.pulls import SoftPull
from engine.soft.uses import soft_body, soft_world

_OF = "a soft body"


def add_soft_body(document: Document, *, actor: Actor) -> Document:
    """Add an actor that is a soft body to the scene."""
    body = soft_body(actor)
    if body is None:
        raise InvalidDocument(what=f"the parts of {actor.name}", value=len(actor.parts), allowed="a soft body")
    _check_sound(body)
    return replace(document, actors=(*document.actors, actor))


def put_soft_body(document: Document, *, actor: str, body: SoftBody) -> Document:
    """Make an actor a soft body, or another one."""
    _check_sound(body)
    return document.with_actor(document.actor(actor).with_part(body))


def remove_soft_body(document: Document, *, actor: str) -> Document:
    """Take an actor's soft body away; its joint stays."""
    return document.with_actor(document.actor(actor).without_part(SoftBody))


def set_soft_body(
    document: Document,
    *,
    actor: str,
    material: str | None = None,
    young: float | None = None,
    poisson: float | None = None,
    share: float | None = None,
    density: float | None = None,
    thickness: float | None = None,
    mass_damping: float | None = None,
    stiffness_damping: float | None = None,
    touches: bool | None = None,
    touches_wearer: bool | None = None,
    touches_by_surface: bool | None = None,
    touches_itself: bool | None = None,
    pushes: bool | None = None,
    friction: float | None = None,
    forward: float | None = None,
    backward: float | None = None,
    sideways: float | None = None,
    start: int | None = None,
    stepped: str | None = None,
    window: float | None = None,
) -> Document:
    """Set what a soft body is made of, how it touches others, when it begins to move [ticks] and how it is stepped."""
    given = given_fields(
        SoftBody, of=_OF, material=material, young=young, poisson=poisson, share=share, density=density,
        thickness=thickness, mass_damping=mass_damping, stiffness_damping=stiffness_damping, touches=touches,
        touches_wearer=touches_wearer, touches_by_surface=touches_by_surface, touches_itself=touches_itself,
        pushes=pushes,
        friction=friction, forward=forward, backward=backward, sideways=sideways, start=start, stepped=stepped,
        window=window,
    )  # fmt: skip
    return _with_body(document, actor, **given)


def set_soft_heading(document: Document, *, actor: str, heading: Vector3 | None) -> Document:
    """Set the body's own direction along which its friction differs; None: it does not."""
    return _with_body(document, actor, heading=heading)


def set_soft_factors(document: Document, *, actor: str, factors: Blob | None) -> Document:
    """Make each cell so many times as stiff as the body is; None: as stiff."""
    return _with_body(document, actor, factors=factors)


def add_activation_spline(document: Document, *, actor: str, spline: ActivationSpline) -> Document:
    """Put a spline into a soft body, behind those that it has."""
    body = _body(document, actor)
    return _with_body(document, actor, splines=(*body.splines, spline))


def remove_activation_spline(document: Document, *, actor: str, spline: str) -> Document:
    """Take a spline out of a soft body."""
    gone = _spline(document, actor, spline)
    return _with_body(
        document, actor, splines=tuple(each for each in _body(document, actor).splines if each is not gone)
    )


def rename_activation_spline(document: Document, *, actor: str, spline: str, name: str) -> Document:
    """Give a spline another name."""
    if not name.strip():
        raise InvalidDocument(what="the name of a spline", value=name, allowed="some text")
    return _with_spline(document, actor, spline, name=name)


def set_activation_spline(
    document: Document,
    *,
    actor: str,
    spline: str,
    curve: str | None = None,
    samples: int | None = None,
    response: str | None = None,
    stiffness: float | None = None,
    tau: float | None = None,
    transfer: str | None = None,
    mute: bool | None = None,
) -> Document:
    """Set how a spline is divided, how stiff its springs are and how its forces reach the body."""
    given = given_fields(
        ActivationSpline, of=_OF, curve=curve, samples=samples, response=response, stiffness=stiffness, tau=tau,
        transfer=transfer, mute=mute,
    )  # fmt: skip
    return _with_spline(document, actor, spline, **given)


def set_activation_points(document: Document, *, actor: str, spline: str, points: tuple[Vector3, ...]) -> Document:
    """Give a spline other control points."""
    return _with_spline(document, actor, spline, points=points)


def move_activation_point(document: Document, *, actor: str, spline: str, point: int, position: Vector3) -> Document:
    """Put one control point of a spline elsewhere."""
    points = _spline(document, actor, spline).points
    if not 0 <= point < len(points):
        raise InvalidDocument(what="the place of a control point", value=point, allowed=f"0 to {len(points) - 1}")
    return _with_spline(document, actor, spline, points=(*points[:point], position, *points[point + 1 :]))


def set_activation_region(
    document: Document,
    *,
    actor: str,
    spline: str,
    region: str | None = None,
    radius: float | None = None,
    weights: Blob | None = None,
) -> Document:
    """Set the part of the body that a spline acts on; `weights` paint it, 0 to 1 for each point of the mesh."""
    given = given_fields(ActivationSpline, of=_OF, region=region, radius=radius, weights=weights)
    return _with_spline(document, actor, spline, **given)


def set_activation(
    document: Document,
    *,
    actor: str,
    spline: str,
    activation: ActivationKind | None = None,
    alpha: float | None = None,
    expression: str | None = None,
) -> Document:
    """Set where a spline's alpha comes from, its constant value, or its expression in t [s] and s, 0 to 1 along it."""
    given = given_fields(ActivationSpline, of=_OF, activation=activation, alpha=alpha, expression=expression)
    return _with_spline(document, actor, spline, **given)


def set_activation_keys(document: Document, *, actor: str, spline: str, keys: tuple[Key, ...]) -> Document:
    """Set keys of a spline's alpha, each as it is given and in place of one on its tick; alpha is keyed then."""
    found = put_keys(_keys(document, actor, spline), keys)
    return _with_keys(document, actor, spline, found, activation="keys")


def draw_activation(
    document: Document, *, actor: str, spline: str, start: int, end: int, keys: tuple[Key, ...]
) -> Document:
    """Put drawn or recorded keys of a spline's alpha in place of all that it has from one tick up to another; alpha is
    keyed then."""
    found = draw_keys(_keys(document, actor, spline), keys, start=start, end=end)
    return _with_keys(document, actor, spline, found, activation="keys")


def move_activation_keys(
    document: Document, *, actor: str, spline: str, times: tuple[int, ...], ticks: int = 0, value: float = 0.0
) -> Document:
    """Move keys of a spline's alpha in time and value together; alpha stops at what it may be, and a moved key takes
    the place of one that it lands on."""
    old = _keys(document, actor, spline)
    found = move_keys(old, times, ticks=ticks, value=value, least=LEAST_ALPHA, most=MOST_ALPHA)
    return _with_keys(document, actor, spline, found)


def remove_activation_keys(
    document: Document, *, actor: str, spline: str, times: tuple[int, ...] | None = None
) -> Document:
    """Take keys of a spline's alpha away, those of some ticks or (None) all; its constant counts where none is left."""
    return _with_keys(document, actor, spline, remove_keys(_keys(document, actor, spline), times))


def extend_activation(
    document: Document,
    *,
    actor: str,
    spline: str,
    before: Extrapolation | None = None,
    after: Extrapolation | None = None,
) -> Document:
    """Set how a spline's keyed alpha goes on before its first key and after its last."""
    track = _spline(document, actor, spline).track
    if track is None:
        return document
    given = given_fields(Track, of=_OF, before=before, after=after)
    return _with_spline(document, actor, spline, track=replace(track, **given))


def attach_soft_body(document: Document, *, actor: str, attachment: SoftAttachment) -> Document:
    """Hold points of a soft body in the frame of a joint of another actor."""
    if attachment.target == actor:
        allowed = "another actor"
        raise InvalidDocument(what="what a soft body is attached to", value=attachment.target, allowed=allowed)
    document.actor(attachment.target).figure.joint(attachment.joint)
    body = _body(document, actor)
    return _with_body(document, actor, attachments=(*body.attachments, attachment))


def detach_soft_body(document: Document, *, actor: str, attachment: str) -> Document:
    """Let points of a soft body go for good."""
    gone = _attachment(document, actor, attachment)
    kept = tuple(each for each in _body(document, actor).attachments if each is not gone)
    stepped = _body(document, actor).stepped if kept else "from_start"
    return _with_body(document, actor, attachments=kept, stepped=stepped)


def set_soft_attachment(
    document: Document,
    *,
    actor: str,
    attachment: str,
    hold: str | None = None,
    tension: float | None = None,
    ratio: float | None = None,
    points: Blob | None = None,
    places: Blob | None = None,
) -> Document:
    """Set whether points are held hard or by springs, how tense these are, and which points are held where."""
    given = given_fields(SoftAttachment, of=_OF, hold=hold, tension=tension, ratio=ratio, points=points, places=places)
    return _with_attachment(document, actor, attachment, **given)


def move_soft_attachment(
    document: Document, *, actor: str, attachment: str, start: int | None = None, end: int | None = None
) -> Document:
    """Hold points from a tick to another; always, where neither is given."""
    return _with_attachment(document, actor, attachment, span=Span.between(start, end))


def put_soft_pull(document: Document, *, actor: str, pull: SoftPull) -> Document:
    """Let a hand pull a soft body for a while, in place of a pull of that id."""
    kept = tuple(each for each in _body(document, actor).pulls if each.id != pull.id)
    return _with_body(document, actor, pulls=(*kept, pull))


def remove_soft_pulls(document: Document, *, actor: str, pulls: tuple[str, ...] | None = None) -> Document:
    """Take pulls by hands away from a soft body; None: all of them."""
    found = _body(document, actor).pulls
    known = tuple(each.id for each in found)
    for each in pulls or ():
        if each not in known:
            raise UnknownPart(kind="pull", id=each, known=known)
    return _with_body(
        document, actor, pulls=tuple(each for each in found if pulls is not None and each.id not in pulls)
    )


def set_soft_world(
    document: Document,
    *,
    step: float | None = None,
    tolerance: float | None = None,
    iterations: int | None = None,
    together: bool | None = None,
) -> Document:
    """Set what all soft bodies of the scene have in common."""
    given = given_fields(SoftWorld, of=_OF, step=step, tolerance=tolerance, iterations=iterations, together=together)
    return document.with_part(replace(soft_world(document), **given))


def bake_soft_body(document: Document, *, actor: str, bake: SoftBake) -> Document:
    """Let a soft body follow points that were simulated, frame by frame."""
    return _with_body(document, actor, bake=bake)


def remove_soft_bake(document: Document, *, actor: str) -> Document:
    """Let a soft body be simulated again from its start."""
    return _with_body(document, actor, bake=None)


def _check_sound(body: SoftBody) -> None:
    """Refuse a mesh that cannot be simulated: cells inside out or flat, points without mass."""
    volume_mesh(body.points.array, body.cells.array, body.shape, planar=body.planar, name="the soft body")


def _body(document: Document, actor: str) -> SoftBody:
    owner = document.actor(actor)
    body = soft_body(owner)
    if body is None:
        raise InvalidDocument(what="the actor to change", value=owner.name, allowed="a soft body")
    return body


def _with_body(document: Document, actor: str, **given: Any) -> Document:
    """The document with an actor's soft body changed; the identical one where it is the same."""
    old = _body(document, actor)
    new = replace(old, **given)
    return document if new == old else document.with_actor(document.actor(actor).with_part(new))


def _spline(document: Document, actor: str, spline: str) -> ActivationSpline:
    body = _body(document, actor)
    found = body.spline(spline)
    if found is None:
        raise UnknownPart(kind="spline", id=spline, known=tuple(each.id for each in body.splines))
    return found


def _with_spline(document: Document, actor: str, spline: str, **given: Any) -> Document:
    old = _spline(document, actor, spline)
    new = replace(old, **given)
    splines = tuple(new if each is old else each for each in _body(document, actor).splines)
    return _with_body(document, actor, splines=splines)


def _keys(document: Document, actor: str, spline: str) -> tuple[Key, ...]:
    return keys_of(_spline(document, actor, spline).track)


def _with_keys(document: Document, actor: str, spline: str, keys: Iterable[Key], **given: Any) -> Document:
    """The document with the keys of a spline, in their order; without any it is constant, where it was keyed."""
    old = _spline(document, actor, spline)
    track = with_keys(old.track, ALPHA, keys)
    if track is None:
        given["activation"] = "constant" if old.activation == "keys" else old.activation
    return _with_spline(document, actor, spline, track=track, **given)


def _attachment(document: Document, actor: str, attachment: str) -> SoftAttachment:
    body = _body(document, actor)
    found = body.attachment(attachment)
    if found is None:
        raise UnknownPart(kind="attachment", id=attachment, known=tuple(each.id for each in body.attachments))
    return found


def _with_attachment(document: Document, actor: str, attachment: str, **given: Any) -> Document:
    old = _attachment(document, actor, attachment)
    new = replace(old, **given)
    kept = tuple(new if each is old else each for each in _body(document, actor).attachments)
    return _with_body(document, actor, attachments=kept)
