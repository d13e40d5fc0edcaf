"""Edits of the document as a whole."""

from __future__ import annotations

from dataclasses import replace

from engine.document import Document, Layer, Span, Track
from engine.document.key_times import nearest_frame
from engine.document.motion import Key, Rate


def set_rate(document: Document, *, frames: int, seconds: int = 1) -> Document:
    """Count time in so many frames in so many seconds. No motion changes."""
    rate = (frames, seconds)
    return document if rate == document.rate else replace(document, rate=rate)


def snap_keys(document: Document) -> Document:
    """Move each key of a layer that stands between frames to the nearest one. Of keys that come to stand on one frame
    the nearest stays, of two as near the earlier. Keys of locks, speed curves, spans and what is frozen stay as they
    are."""
    for actor in document.actors:
        layers = tuple(_on_frames(layer, document.rate) for layer in actor.layers)
        if not actor.frozen and any(new is not old for new, old in zip(layers, actor.layers, strict=True)):
            document = document.with_actor(replace(actor, layers=layers))
    return document


def set_play_range(document: Document, *, start: int | None = None, end: int | None = None) -> Document:
    """Play from a tick to another; without them, the scene's range, else from the first motion to the last."""
    play = None if start is None or end is None else Span(start=start, end=end)
    return document if play == document.play else replace(document, play=play)


def set_scene_range(document: Document, *, start: int | None = None, end: int | None = None) -> Document:
    """Let the scene last from a tick to another, whatever moves; without them, as long as its motion."""
    lasts = None if start is None or end is None else Span(start=start, end=end)
    return document if lasts == document.scene_range else replace(document, scene_range=lasts)


def _on_frames(layer: Layer, rate: Rate) -> Layer:
    tracks = tuple(_track_on_frames(track, rate) for track in layer.tracks)
    if all(new is old for new, old in zip(tracks, layer.tracks, strict=True)):
        return layer
    return replace(layer, tracks=tracks)


def _track_on_frames(track: Track, rate: Rate) -> Track:
    found: dict[int, Key] = {}
    for key in track.keys:
        frame = nearest_frame(key.time, rate)
        before = found.get(frame)
        if before is None or abs(key.time - frame) < abs(before.time - frame):
            found[frame] = key
    if all(frame == key.time for frame, key in found.items()):
        return track
    return replace(track, keys=tuple(replace(key, time=frame) for frame, key in found.items()))
