"""The times from which to which something moves."""

from __future__ import annotations

from collections.abc import Iterator

from engine.document.document import Document
from engine.document.motion import TICKS_PER_SECOND, Layer

DEFAULT = 4 * TICKS_PER_SECOND  # what is played where nothing moves yet


def layer_extent(layer: Layer) -> tuple[int, int] | None:
    """First and last tick of a layer's keys and samples; None for a pose."""
    times = list(_times(layer))
    return (min(times), max(times)) if times else None


def acting_extent(layer: Layer) -> tuple[int, int] | None:
    """First and last tick at which a layer changes what is seen: keys, samples, span, speeds, correction; None if at
    none or muted."""
    times = [] if layer.mute else list(_times(layer))
    if not layer.mute and layer.span is not None:
        times += [layer.span.start, layer.span.end]
    for each in () if layer.mute else layer.speed:
        times += [each.start, each.end]
    if not layer.mute and layer.correction is not None:
        times += layer.correction.extent
    return (min(times), max(times)) if times else None


def play_extent(document: Document) -> tuple[int, int]:
    """Return the span that is played [ticks]: the document's own, else from 0 or the first motion to the last."""
    return motion_extent(document) if document.play is None else (document.play.start, document.play.end)


def motion_extent(document: Document) -> tuple[int, int]:
    """Return the span from 0 or the first motion to the last [ticks]."""
    extents = [layer_extent(layer) for actor in document.actors for layer in actor.layers]
    known = [extent for extent in extents if extent is not None]
    end = max((extent[1] for extent in known), default=0)
    start = min((extent[0] for extent in known), default=0)
    return min(start, 0), end if end > 0 else DEFAULT


def whole_extent(document: Document) -> tuple[int, int]:
    """All that moves and all that is played."""
    (start, end), (first, last) = motion_extent(document), play_extent(document)
    return min(start, first), max(end, last)


def _times(layer: Layer) -> Iterator[int]:
    if layer.samples is not None:
        yield layer.samples.start
        yield layer.samples.time(layer.samples.frame_count - 1)
    for track in layer.tracks:
        yield track.keys[0].time
        yield track.keys[-1].time
