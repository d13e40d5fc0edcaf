"""Edits of one range of several actors at once: all that some of their layers do there, or some coordinates of it.

Each part names an actor, one of its layers and, where not all is meant, coordinates. Those are laid out by themselves:
keys and samples of the others stay, so do spans, drafts and speed curves that time others, too. Samples whose columns
come to differ in time are held at their ends. Where what comes after moves along and all moving layers of an actor are
laid out whole, its locks, attachments and targets follow; where that is so of every actor that moves, the sound and
the videos of references do. Where all motion of an actor is mirrored its targets are. Where `play` is, the play range
follows. Some run kernels, as `ranges` says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from engine.document import Blob, Document, Figure, Layer, Samples
from engine.document.correction import joined, restricted
from engine.document.motion import frame_time
from engine.document.pose import place_of
from engine.edits.everywhere import lay_out_holds, lay_out_play, lay_out_recordings
from engine.edits.find import check_coordinates, find_layer, with_layer
from engine.edits.follows import followers
from engine.edits.frames import frames_within, read_frames
from engine.edits.layouts import around, looping, reversing, sliding, stretching
from engine.edits.pieces import MOST_KEYS
from engine.edits.ranges import columns_of, copy_range, mirror_clip
from engine.edits.retime import lay_out
from engine.edits.stretches import Layout, Stretch, check_range, sample_extent
from engine.runtime.errors import InvalidDocument

RangeParts = tuple[tuple[str, str, tuple[str, ...] | None], ...]
GoesOn = Literal["none", "place", "all"]

GOES_ON: tuple[GoesOn, ...] = ("none", "place", "all")


def stretch_ranges(
    document: Document, *, parts: RangeParts, start: int, end: int, length: int, shifts: bool = True, play: bool = False
) -> Document:
    """Make a range last so many ticks, longer or shorter; with `shifts` what comes after moves along."""
    return _laid_out(document, parts, stretching(start, end, length, shifts=shifts), play=play and shifts)


def slide_ranges(document: Document, *, parts: RangeParts, start: int, end: int, ticks: int) -> Document:
    """Move what is done in a range by so many ticks; what it runs over is gone."""
    return _laid_out(document, parts, sliding(start, end, ticks))


def reverse_ranges(document: Document, *, parts: RangeParts, start: int, end: int) -> Document:
    """Run a range backwards."""
    return _laid_out(document, parts, reversing(start, end))


def mirror_ranges(document: Document, *, parts: RangeParts, start: int, end: int) -> Document:
    """Exchange left and right in a range: of all, or of the coordinates of some joints and their partners'. Of an actor
    that is mirrored whole the targets there are, too."""
    check_range(start, end)
    middle = Stretch(start=start, end=end, source=start, source_end=end, origin="clip")
    for actor, id, names in _given(document, parts):
        clip = copy_range(document, actor, id, start, end, names)
        if clip.coordinates:
            owner, figure, layer = find_layer(document, actor, id)
            stretches, mirrored = around(middle, end), mirror_clip(figure, clip, layer.mode)
            layout = Layout(stretches=stretches, clip=mirrored, shifts=False, holds_ends=True)
            if names is None:
                document = with_layer(document, owner, lay_out(figure, layer, layout))
                continue
            both = frozenset(names).union(mirrored.coordinates)
            own, others = taken_apart(figure, layer, both)
            changed = put_together(figure, others, lay_out(figure, own, layout))
            document = with_layer(document, owner, changed)
    for actor in _mirrored_whole(document, parts):
        old = new = document.actor(actor)
        for follower in followers():
            new = follower.mirrored(new, start, end)
        document = document if new is old else document.with_actor(new)
    return document


def fill_ranges(document: Document, *, parts: RangeParts, start: int, end: int) -> Document:
    """Fill a range anew from what comes before and after it: a gap of a capture, or keys that are not wanted."""
    check_range(start, end)
    middle = Stretch(start=start, end=end, source=start, source_end=end, origin="bridge")
    bridge = Layout(stretches=around(middle, end), shifts=False)

    def fill(figure: Figure, layer: Layer) -> Layer:
        samples = None if layer.samples is None else _filled(figure, layer.samples, start, end)
        return replace(lay_out(figure, replace(layer, samples=None), bridge), samples=samples)

    return _changed(document, parts, fill)


def loop_ranges(
    document: Document,
    *,
    parts: RangeParts,
    start: int,
    end: int,
    count: int,
    goes_on: GoesOn = "place",
    shifts: bool = True,
    play: bool = False,
) -> Document:
    """Run a range so many times; with `shifts` what comes after moves along.

    What `goes_on` begins each time where it ended: the place on the floor of what has no parent, all, or nothing.
    """
    if goes_on not in GOES_ON:
        raise InvalidDocument(what="what goes on as a range is looped", value=goes_on, allowed=", ".join(GOES_ON))
    plain = looping(start, end, count, shifts=shifts)
    further = looping(start, end, count, offset=True, shifts=shifts)
    if goes_on != "place" or plain is None or further is None:
        return _laid_out(document, parts, further if goes_on == "all" else plain, play=play and shifts)

    every, moved = replace(plain, holds_ends=True), replace(further, holds_ends=True)

    def loop(figure: Figure, layer: Layer) -> Layer:
        place = place_of(figure)
        return put_together(
            figure,
            taken_apart(figure, lay_out(figure, layer, every), place)[1],
            lay_out(figure, taken_apart(figure, layer, place)[0], moved),
        )

    return _followed(_changed(document, parts, loop), parts, every, play=play)


def _laid_out(document: Document, parts: RangeParts, layout: Layout | None, *, play: bool = False) -> Document:
    if layout is None:
        _given(document, parts)
        return document
    held = replace(layout, holds_ends=True)
    changed = _changed(document, parts, lambda figure, layer: lay_out(figure, layer, held))
    return _followed(changed, parts, held, play=play)


def _followed(document: Document, parts: RangeParts, layout: Layout, *, play: bool) -> Document:
    """The document whose locks, attachments, sound, videos and play range follow what comes after a range."""
    if not layout.shifts:
        return document
    whole = {(actor, layer) for actor, layer, names in parts if names is None}
    moving = {each.id: {(each.id, layer.id) for layer in each.layers if _moves(layer)} for each in document.actors}
    for id, layers in moving.items():
        if layers and layers <= whole:
            document = document.with_actor(lay_out_holds(document.actor(id), layout))
    if any(moving.values()) and set().union(*moving.values()) <= whole:
        document = lay_out_recordings(document, layout)
    return lay_out_play(document, layout) if play else document


def _mirrored_whole(document: Document, parts: RangeParts) -> list[str]:
    """Actors of whose layers all that hold motion are given whole; a correction is no motion of its own."""
    whole = {(actor, layer) for actor, layer, names in parts if names is None}
    found = []
    for actor in document.actors:
        motions = {layer.id for layer in actor.layers if not layer.mute and (layer.tracks or layer.samples is not None)}
        if motions and {(actor.id, id) for id in motions} <= whole:
            found.append(actor.id)
    return found


def _moves(layer: Layer) -> bool:
    return not layer.mute and bool(layer.tracks or layer.samples is not None or layer.correction is not None)


def _changed(document: Document, parts: RangeParts, change: Callable[[Figure, Layer], Layer]) -> Document:
    room = MOST_KEYS
    for actor, id, names in _given(document, parts):
        owner, figure, layer = find_layer(document, actor, id)
        if names is None:
            own, changed = layer, change(figure, layer)
            document = with_layer(document, owner, changed)
        else:
            own, others = taken_apart(figure, layer, frozenset(names))
            changed = change(figure, own)
            if changed is not own:
                document = with_layer(document, owner, put_together(figure, others, changed))
        room -= max(0, _key_count(changed) - _key_count(own))
        if room < 0:
            allowed = f"at most {MOST_KEYS} more than there were"
            raise InvalidDocument(what="the keys of ranges laid out anew", value=MOST_KEYS - room, allowed=allowed)
    return document


def _key_count(layer: Layer) -> int:
    return sum(len(track.keys) for track in layer.tracks)


def _filled(figure: Figure, samples: Samples, start: int, end: int) -> Samples:
    """The samples whose frames in a range are filled as a gap is; the identical ones where that is none or all."""
    from engine.motion.cleanup import fill_gaps
    from engine.motion.unwrap import normalise_balls, unwrap_values

    times = np.array([samples.time(frame) for frame in range(samples.frame_count)])
    missing = (start <= times) & (times < end)
    if not missing.any() or missing.all():
        return samples
    values = fill_gaps(unwrap_values(figure, samples.coordinates, samples.values.array), missing).values
    normalise_balls(figure, samples.coordinates, values)
    return replace(samples, values=Blob(values))


def _given(document: Document, parts: RangeParts) -> RangeParts:
    places = [(actor, layer) for actor, layer, _ in parts]
    if not parts or len(set(places)) != len(places):
        raise InvalidDocument(what="the layers of a range", value=places, allowed="one or more, each once")
    return tuple((actor, layer, _whole(document, actor, layer, names)) for actor, layer, names in parts)


def _whole(document: Document, actor: str, layer: str, names: tuple[str, ...] | None) -> tuple[str, ...] | None:
    """The coordinates of every degree of freedom that is named: the four of a ball go together."""
    figure = find_layer(document, actor, layer)[1]
    check_coordinates(figure, names or ())
    if names is None:
        return None
    return tuple(dict.fromkeys(each for name in names for each in figure.coordinate_dof[name].coordinates))


def taken_apart(figure: Figure, layer: Layer, names: frozenset[str]) -> tuple[Layer, Layer]:
    """Split a layer into its motion of some coordinates and the layer without it."""
    samples = layer.samples
    columns = () if samples is None else samples.coordinates
    own = replace(
        layer,
        tracks=tuple(track for track in layer.tracks if track.coordinate in names),
        samples=columns_of(samples, tuple(name for name in columns if name in names), figure),
        speed=tuple(each for each in layer.speed if names.issuperset(each.coordinates)),
        correction=restricted(layer.correction, names),
        span=None,
        drafts=(),
    )
    others = replace(
        layer,
        tracks=tuple(track for track in layer.tracks if track.coordinate not in names),
        samples=columns_of(samples, tuple(name for name in columns if name not in names), figure),
        speed=tuple(each for each in layer.speed if not names.issuperset(each.coordinates)),
        correction=restricted(layer.correction, set(figure.coordinates) - names),
    )
    return own, others


def put_together(figure: Figure, others: Layer, own: Layer) -> Layer:
    """The layer of both again."""
    order = figure.coordinate_index
    tracks = sorted((*others.tracks, *own.tracks), key=lambda track: order[track.coordinate])
    speed = sorted((*others.speed, *own.speed), key=lambda each: each.start)
    samples = _side_by_side(figure, others.samples, own.samples)
    correction = joined(order, others.correction, own.correction)
    return replace(others, tracks=tuple(tracks), speed=tuple(speed), samples=samples, correction=correction)


def _side_by_side(figure: Figure, first: Samples | None, second: Samples | None) -> Samples | None:
    """The columns of both in the figure's order, over the frames of both; each is held where it has none."""
    if first is None or second is None:
        return first if second is None else second
    start = min(first.start, second.start)
    end = max(sample_extent(first)[1], sample_extent(second)[1])
    count = frames_within(first, end - start)
    times = np.array([start + frame_time(frame, first.rate) for frame in range(count)], dtype=np.float64)
    values = np.hstack([read_frames(figure, each, times) for each in (first, second)])
    names = (*first.coordinates, *second.coordinates)
    order = sorted(range(len(names)), key=lambda place: figure.coordinate_index[names[place]])
    return replace(
        first, coordinates=tuple(names[place] for place in order), values=Blob(values[:, order]), start=start
    )
