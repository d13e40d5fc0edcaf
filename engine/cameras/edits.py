"""Edits of cameras: their film, what they are pinned to, and on what they are focused. They are moved, turned and
keyed as any actor is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal, get_args

from engine.cameras.parts import CameraAim, CameraFocus, CameraFollow, FilmCamera, film_camera
from engine.document import Document
from engine.document.conformance import given_fields
from engine.runtime.errors import InvalidArguments

Pin = Literal["aim", "follow"]


def set_camera(
    document: Document, *, actor: str, film_width: float | None = None, near: float | None = None
) -> Document:
    """Set the width of a camera's film, and from where on it sees [m]; what is None stays."""
    return _with(document, actor, **given_fields(FilmCamera, of="a camera", film_width=film_width, near=near))


def aim_camera(document: Document, *, actor: str, aim: CameraAim) -> Document:
    """Let a camera look at a joint of another actor."""
    _check_other(document, actor, aim.actor, aim.joint)
    return _with(document, actor, aim=aim)


def follow_with_camera(document: Document, *, actor: str, follow: CameraFollow) -> Document:
    """Let a camera go along with a joint of another actor."""
    _check_other(document, actor, follow.actor, follow.joint)
    return _with(document, actor, follow=follow)


def unpin_camera(document: Document, *, actor: str, pin: Pin | None = None) -> Document:
    """Let a camera stand, or be turned, as its own keys say; both where no pin is named."""
    return _with(document, actor, **dict.fromkeys(get_args(Pin) if pin is None else (pin,)))


def set_camera_focus(
    document: Document, *, actor: str, f_number: float | None = None, distance: float | None = None
) -> Document:
    """Set the f-number of a camera's lens, or let it see sharply at a distance [m] and hold on to no joint with its
    focus; what is None stays. A camera of which all is sharp is focused from now on."""
    old = _part(document, actor).focus or CameraFocus()
    given = given_fields(CameraFocus, of="the focus", f_number=f_number, distance=distance)
    return _with(document, actor, focus=replace(old, on=old.on if distance is None else None, **given))


def focus_camera(document: Document, *, actor: str, on: CameraAim) -> Document:
    """Let a camera see sharply at a joint of another actor, wherever that goes."""
    _check_other(document, actor, on.actor, on.joint)
    return _with(document, actor, focus=replace(_part(document, actor).focus or CameraFocus(), on=on))


def unfocus_camera(document: Document, *, actor: str) -> Document:
    """Let a camera see sharply at all distances."""
    return _with(document, actor, focus=None)


def _with(document: Document, actor: str, **changes: Any) -> Document:
    part = _part(document, actor)
    new = replace(part, **changes)
    return document if new == part else document.with_actor(document.actor(actor).with_part(new))


def _part(document: Document, actor: str) -> FilmCamera:
    owner = document.actor(actor)
    part = film_camera(owner)
    if part is None:
        raise InvalidArguments(what="the camera", value=owner.name, allowed="an actor that is a camera")
    return part


def _check_other(document: Document, actor: str, target: str, joint: str) -> None:
    document.actor(target).figure.joint(joint)
    if target == actor:
        name = document.actor(actor).name
        raise InvalidArguments(what=f"what {name} is pinned to or focused on", value=name, allowed="another actor")
