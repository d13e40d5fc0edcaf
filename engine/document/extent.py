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


def stated_extent(document: Document) -> tuple[int, int] | None:
    """Return the span that a document says is shown [ticks]: what is played, else the scene's range; None: it says
    nothing."""
    span = document.play or document.scene_range
    return None if span is None else (span.start, span.end)


def play_extent(document: Document) -> tuple[int, int]:
    """Return the span that is played [ticks]: the document's own, else the scene's range, else from 0 or the first
    motion to the last."""
    return stated_extent(document) or motion_extent(document)


def scene_extent(document: Document) -> tuple[int, int]:
    """Return the span that the scene lasts [ticks]: its range, else from 0 or the first motion to the last."""
    span = document.scene_range
    return motion_extent(document) if span is None else (span.start, span.end)


def keyed_extent(document: Document) -> tuple[int, int] | None:
    """Return the span from the first key or sample of all layers to the last [ticks]; None where there are none."""
    extents = [layer_extent(layer) for actor in document.actors for layer in actor.layers]
    known = [extent for extent in extents if extent is not None]
    return (min(each[0] for each in known), max(each[1] for each in known)) if known else None


def motion_extent(document: Document) -> tuple[int, int]:
    """Return the span from 0 or the first motion to the last [ticks]."""
    start, end = keyed_extent(document) or (0, 0)
    return min(start, 0), end if end > 0 else DEFAULT


def whole_extent(document: Document) -> tuple[int, int]:
    """Return the span of all that moves, of the scene's range and of all that is played [ticks]; where a range is
    stated and nothing moves, of that."""
    extents = [scene_extent(document), play_extent(document), keyed_extent(document) or scene_extent(document)]
    return min(each[0] for each in extents), max(each[1] for each in extents)


def _times(layer: Layer) -> Iterator[int]:
    if layer.samples is not None:
        yield layer.samples.start
        yield layer.samples.time(layer.samples.frame_count - 1)
    for track in layer.tracks:
        yield track.keys[0].time
        yield track.keys[-1].time
