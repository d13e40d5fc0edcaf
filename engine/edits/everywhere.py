"""Time inserted into, and taken out of, all that actors do: layers, locks, attachments, targets, as one change.

A lock or an attachment whose span lies wholly in what is taken out goes with it; other spans follow with their ends.
Where a range is looped one that begins within it is of a single run: of the first, which it outlasts by its ease out at
most, or, where more of it lies behind the range, of the last. It is not repeated: it holds a place that goes on.
Of the scene its range and the play range follow, and so do the starts of the sound and of the videos of references:
each of these lasts as it did, and one that has begun before the change stays.
"""

from __future__ import annotations

from dataclasses import replace

from engine.document import Actor, Document, Reference, Span
from engine.edits.follows import followers
from engine.edits.layouts import deletion, insertion
from engine.edits.retime import lay_out, lay_out_span
from engine.edits.stretches import Layout
from engine.runtime.errors import InvalidDocument


def insert_everywhere(
    document: Document, *, actors: tuple[str, ...], time: int, length: int, play: bool = False
) -> Document:
    """Hold actors still from a tick on for so many ticks; what comes after moves on, with `play` all of the scene."""
    return _laid_out(document, actors, insertion(time, length), play=play)


def delete_everywhere(
    document: Document, *, actors: tuple[str, ...], start: int, end: int, play: bool = False
) -> Document:
    """Take a range out of the time of actors; what comes after moves up, with `play` all of the scene."""
    return _laid_out(document, actors, deletion(start, end), play=play)


def _laid_out(document: Document, actors: tuple[str, ...], layout: Layout, *, play: bool) -> Document:
    if not actors or len(set(actors)) != len(actors):
        raise InvalidDocument(what="the actors", value=actors, allowed="one or more, each once")
    for id in actors:
        old = document.actor(id)
        new = _actor(old, layout)
        if new != old:
            document = document.with_actor(new)
    return lay_out_recordings(lay_out_play(document, layout), layout) if play else document


def lay_out_play(document: Document, layout: Layout) -> Document:
    """The play range in new time, None where all of it is gone; and the scene's range, which stays where all of it
    would go."""
    play, lasts = _span(document.play, layout), _span(document.scene_range, layout) or document.scene_range
    same = (play, lasts) == (document.play, document.scene_range)
    return document if same else replace(document, play=play, scene_range=lasts)


def lay_out_recordings(document: Document, layout: Layout) -> Document:
    """The starts of the sound and of videos in new time."""
    sound = document.sound
    if sound is not None and layout.image(sound.start) != sound.start:
        document = replace(document, sound=replace(sound, start=layout.image(sound.start)))
    references = tuple(_reference(each, layout) for each in document.references)
    return document if references == document.references else replace(document, references=references)


def lay_out_holds(actor: Actor, layout: Layout) -> Actor:
    """Attachments of an actor, and the parts of systems, in new time; the identical actor where nothing changes."""
    hanging = tuple(
        replace(each, span=held_span(each.span, layout)) for each in actor.attachments if not goes(each.span, layout)
    )
    new = replace(actor, attachments=hanging)
    for each in followers():
        new = each.laid_out(new, layout)
    return actor if new == actor else new


def _reference(reference: Reference, layout: Layout) -> Reference:
    video = reference.video
    if video is None or layout.image(video.start) == video.start:
        return reference
    return replace(reference, video=replace(video, start=layout.image(video.start)))


def _actor(actor: Actor, layout: Layout) -> Actor:
    layers = tuple(lay_out(actor.figure, each, layout) for each in actor.layers)
    return lay_out_holds(replace(actor, layers=layers), layout)


def held_span(span: Span | None, layout: Layout) -> Span | None:
    """The span of a hold."""
    runs = [each for each in layout.stretches[1:-1] if each.source == layout.stretches[1].source]
    if span is None or len(runs) < 2 or not runs[0].source < span.start < runs[0].source_end:
        return _span(span, layout)
    end = runs[0].source_end
    if span.end - end > end - span.start:
        return replace(span, start=span.start + layout.shift, end=span.end + layout.shift)
    last = min(span.end, end + span.ease_out)
    return replace(span, end=last, ease_in=min(span.ease_in, last - span.start - span.ease_out))


def _span(span: Span | None, layout: Layout) -> Span | None:
    return None if goes(span, layout) else lay_out_span(span, layout)


def goes(span: Span | None, layout: Layout) -> bool:
    """Tell whether nothing of a span is there any more."""
    own = (each for each in layout.stretches if each.origin == "layer")
    return span is not None and not any(each.source < span.end and span.start < each.source_end for each in own)
