"""Edits of ranges of time: what a layer does from one tick to another, its start included and its end not.

`copy_range` is no edit: it gives a `Clip`, which an edit then carries. Keyed curves keep their shape inside a range
and outside it, keys being set at its ends; where values do not meet they jump within a tick. Samples are edited in
place where the ticks are whole frames, and read anew from the curve through them where not (`frames`), which runs
kernels: so does everything on samples between frames, on keys that are pasted into samples, and mirroring. Values are
not clamped to limits: captures exceed them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from engine.document import Blob, Clip, Document, Figure, Layer, Samples, Track
from engine.document.pose import names_of, partners
from engine.edits.find import check_coordinates, find_layer, with_layer
from engine.edits.frames import crop
from engine.edits.layouts import around, deletion, insertion, looping, reversing, sliding, stretching
from engine.edits.pieces import between, shifted
from engine.edits.retime import lay_out
from engine.edits.stretches import Layout, Stretch, check_range
from engine.runtime.errors import InvalidDocument


def copy_range(
    document: Document,
    actor: str,
    layer: str,
    start: int,
    end: int,
    coordinates: tuple[str, ...] | None = None,
) -> Clip:
    """Copy the motion of a layer in a range, for all of its coordinates or some; constants, muted tracks too, stay
    behind."""
    _, figure, old = find_layer(document, actor, layer)
    check_range(start, end)
    check_coordinates(figure, coordinates or ())
    chosen = set(figure.coordinates if coordinates is None else coordinates)
    tracks = tuple(
        Track(coordinate=track.coordinate, keys=shifted(between(track, start, end), -start))
        for track in old.heard.values()
        if track.coordinate in chosen
    )
    samples = columns_of(old.samples, tuple(name for name in chosen if name not in old.heard), figure)
    inside = [each for each in old.speed if start <= each.start and each.end <= end]
    speed = tuple(
        replace(each, start=each.start - start, end=each.end - start, keys=shifted(each.keys, -start))
        for each in inside
        if set(each.coordinates) <= chosen
    )
    cropped = None if samples is None else crop(figure, samples, start, end)
    sampled = () if cropped is None else cropped.coordinates
    named = {track.coordinate for track in tracks}.union(sampled, *(each.coordinates for each in speed))
    names = tuple(each for each in names_of(figure) if each[0] in named)
    return Clip(length=end - start, names=names, tracks=tracks, samples=cropped, speed=speed)


def cut_range(document: Document, *, actor: str, layer: str, start: int, end: int) -> Document:
    """Take out what a layer does in a range; time stays, and curves lead from one end to the other."""
    check_range(start, end)
    middle = Stretch(start=start, end=end, source=start, source_end=end, origin="bridge")
    return _lay_out(document, actor, layer, Layout(stretches=around(middle, end), shifts=False))


def insert_time(document: Document, *, actor: str, layer: str, time: int, length: int) -> Document:
    """Hold a layer still from a tick on for so many ticks; what comes after moves along."""
    return _lay_out(document, actor, layer, insertion(time, length))


def delete_time(document: Document, *, actor: str, layer: str, start: int, end: int) -> Document:
    """Take a range out of a layer's time; what comes after moves up."""
    return _lay_out(document, actor, layer, deletion(start, end))


def stretch_range(document: Document, *, actor: str, layer: str, start: int, end: int, length: int) -> Document:
    """Make a range last so many ticks, longer or shorter; what comes after moves along."""
    return _lay_out(document, actor, layer, stretching(start, end, length))


def slide_range(document: Document, *, actor: str, layer: str, start: int, end: int, ticks: int) -> Document:
    """Move what a layer does in a range by so many ticks.

    What it runs over is gone; over what it leaves, curves lead from one end to the other.
    """
    return _lay_out(document, actor, layer, sliding(start, end, ticks))


def reverse_range(document: Document, *, actor: str, layer: str, start: int, end: int) -> Document:
    """Run a range backwards: exactly, slopes and weights changing sides."""
    return _lay_out(document, actor, layer, reversing(start, end))


def loop_range(
    document: Document, *, actor: str, layer: str, start: int, end: int, count: int, offset: bool = False
) -> Document:
    """Run a range so many times, `offset` adding its change each time; what comes after moves along."""
    return _lay_out(document, actor, layer, looping(start, end, count, offset=offset))


def paste_range(
    document: Document,
    *,
    actor: str,
    layer: str,
    clip: Clip,
    time: int,
    mode: Literal["replace", "insert"] = "replace",
    mirrored: bool = False,
) -> Document:
    """Put a clip into a layer at a tick: over what is there, for the clip's coordinates, or between.

    Coordinates find their partners as in `fit_clip`; what has none is left out. Mirrored by `engine.motion`.
    """
    owner, figure, old = find_layer(document, actor, layer)
    if mode not in ("replace", "insert"):
        raise InvalidDocument(what="the mode of pasting", value=mode, allowed="replace, insert")
    check_range(time, time + clip.length)
    fitted = fit_clip(figure, clip)
    if mirrored:
        fitted = mirror_clip(figure, fitted, old.mode)
    end = time + clip.length
    follows = end if mode == "replace" else time
    middle = Stretch(start=time, end=end, source=time, source_end=follows, origin="clip")
    layout = Layout(stretches=around(middle, follows), clip=fitted, shifts=mode == "insert")
    return with_layer(document, owner, lay_out(figure, old, layout))


def fit_clip(figure: Figure, clip: Clip) -> Clip:
    """The clip in a figure's own coordinates, found by the names of joint and degree of freedom."""
    partner = partners(figure, clip.names)
    if all(partner.get(name) == name for name, _, _ in clip.names):
        return clip
    tracks = tuple(
        replace(track, coordinate=partner[track.coordinate]) for track in clip.tracks if track.coordinate in partner
    )
    samples = clip.samples
    if samples is not None:
        samples = columns_of(samples, tuple(name for name in samples.coordinates if name in partner), None)
    if samples is not None:
        samples = replace(samples, coordinates=tuple(partner[name] for name in samples.coordinates))
    speed = tuple(
        replace(each, coordinates=tuple(partner[name] for name in each.coordinates))
        for each in clip.speed
        if all(name in partner for name in each.coordinates)
    )
    named = set(partner.values())
    names = tuple(each for each in names_of(figure) if each[0] in named)
    return replace(clip, names=names, tracks=tracks, samples=samples, speed=speed)


def mirror_clip(figure: Figure, clip: Clip, mode: Literal["replace", "add"] = "replace") -> Clip:
    """The clip across the figure's plane x = 0, for a layer of this mode. Runs kernels: on the engine's thread."""
    from engine.motion.mirror import mirror_layer

    layer = Layer(id="clip", mode=mode, tracks=clip.tracks, samples=clip.samples, speed=clip.speed)
    layer = mirror_layer(figure, layer)
    return replace(clip, names=names_of(figure), tracks=layer.tracks, samples=layer.samples, speed=layer.speed)


def columns_of(samples: Samples | None, names: tuple[str, ...], figure: Figure | None) -> Samples | None:
    """The samples of some coordinates only."""
    if samples is None:
        return None
    wanted = set(names)
    kept = [place for place, name in enumerate(samples.coordinates) if name in wanted]
    if len(kept) == len(samples.coordinates):
        return samples
    if not kept:
        return None
    coordinates = tuple(samples.coordinates[place] for place in kept)
    return replace(samples, coordinates=coordinates, values=Blob(samples.values.array[:, kept]))


def _lay_out(document: Document, actor: str, layer: str, layout: Layout | None) -> Document:
    owner, figure, old = find_layer(document, actor, layer)
    if layout is None:
        return document
    return with_layer(document, owner, lay_out(figure, old, layout))
