"""Edits of the sound that is heard with the motion."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document
from engine.document.sound import Sound
from engine.runtime.errors import InvalidDocument


def set_sound(document: Document, *, sound: Sound) -> Document:
    """Let a sound be heard, in place of another if there is one."""
    return document if sound == document.sound else replace(document, sound=sound)


def change_sound(
    document: Document, *, start: int | None = None, gain: float | None = None, mute: bool | None = None
) -> Document:
    """Let the sound begin at another tick, be louder or quieter, or not be heard."""
    old = _find(document)
    new = replace(
        old,
        start=old.start if start is None else start,
        gain=old.gain if gain is None else gain,
        mute=old.mute if mute is None else mute,
    )
    return document if new == old else replace(document, sound=new)


def remove_sound(document: Document) -> Document:
    """Take the sound away."""
    _find(document)
    return replace(document, sound=None)


def _find(document: Document) -> Sound:
    if document.sound is None:
        raise InvalidDocument(what="the sound of the document", value=None, allowed="a sound that was added before")
    return document.sound
