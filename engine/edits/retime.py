"""A layer's time laid out anew, in stretches. Keyed curves keep their shape inside each stretch (`pieces`). Samples
keep their rate: where whole frames come to stand on frames their rows are copied, elsewhere they are read off the curve
through the samples (`frames`). Speed curves inside a stretch go with it, those across its ends and the layer's span
follow the ends; where what comes after stays, a span inside goes with it, too. The bells of a correction go with their
own time and keep their shape about it. Drafts go with their tick; where that is taken out, they go, and where it stays
and is laid over they stay. A stretch holds its start and not its end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engine.document import Correction, Draft, Figure, Key, Layer, Span, SpeedRange, Term, Track
from engine.document.correction import correction_of
from engine.edits.find import with_tracks
from engine.edits.frames import frames_of_clip, lay_out_samples, sampled_tracks
from engine.edits.pieces import MOST_KEYS, Keys, between, joined, shifted, since, stretched, turned_about, until
from engine.edits.stretches import BEGIN, END, Layout, Stretch
from engine.runtime.errors import InvalidDocument


def lay_out(figure: Figure, layer: Layer, layout: Layout) -> Layer:
    """The layer with its time laid out anew; the identical layer where nothing changes."""
    clip = layout.clip
    given = {track.coordinate: track for track in clip.tracks} if clip is not None else {}
    samples = layer.samples
    held = set(layer.track_of) | (set(samples.coordinates) if samples is not None else set())
    if clip is not None and clip.samples is not None:
        needed = [name for name in clip.samples.coordinates if name in layer.track_of or (samples and name not in held)]
        given = {**sampled_tracks(clip.samples, needed, clip.length), **given}
    changed: dict[str, Track | None] = {}
    room = MOST_KEYS
    for name, track in layer.track_of.items():
        if clip is not None and not layout.shifts and name not in given:
            continue
        changed[name] = laid = lay_out_track(track, layout, given.get(name), room)
        room -= max(0, (0 if laid is None else len(laid.keys)) - len(track.keys))
    for name, track in given.items():
        if name not in held:
            changed[name] = _placed(track, layout)
    new = with_tracks(figure, layer, changed)
    frames = frames_of_clip(layout) if samples is None else lay_out_samples(figure, samples, layout)
    new = new if frames is samples or frames == samples else replace(new, samples=frames)
    speed = _lay_out_speed(layer.speed, layout)
    new = new if speed == layer.speed else replace(new, speed=speed)
    span = lay_out_span(layer.span, layout)
    new = new if span == layer.span else replace(new, span=span)
    correction = _lay_out_correction(layer.correction, layout)
    new = new if correction == layer.correction else replace(new, correction=correction)
    drafts = _lay_out_drafts(layer.drafts, layout)
    return new if drafts == layer.drafts else replace(new, drafts=drafts)


def lay_out_track(track: Track, layout: Layout, clip: Track | None = None, room: int = MOST_KEYS) -> Track | None:
    """The track in new time; the identical one where it has no part in the change; None where no key is left. Refused
    where it would have so many keys more than `room`."""
    first, last = track.keys[0].time, track.keys[-1].time
    if clip is None:
        if last <= layout.start and track.after != "linear":
            return track
        if first >= layout.source_end and track.before != "linear":
            return replace(track, keys=shifted(track.keys, layout.shift)) if layout.shift else track
    begins = layout.holds_ends and track.before == "hold" and first >= layout.start
    ends = layout.holds_ends and track.after == "hold" and last <= layout.source_end
    stretches = layout.stretches[1 if begins else 0 : -1 if ends else None]
    keys = joined(track, _pieces(track, stretches, clip, len(track.keys) + room))
    return replace(track, keys=keys) if keys else None


def _pieces(track: Track, stretches: Sequence[Stretch], clip: Track | None, most: int) -> Iterator[Keys]:
    cut: dict[tuple[int, int], Keys] = {}  # by its ends: a range that is looped is cut out once
    count = 0
    for each in stretches:
        piece = _stretch_keys(track, each, clip, cut)
        count += len(piece)
        if count > most + 2 * len(stretches):  # keys at the ends of stretches fall together, or are one more
            allowed = f"at most {MOST_KEYS} more in a layer than it had"
            raise InvalidDocument(what=f"the keys of {track.coordinate} laid out anew", value=count, allowed=allowed)
        yield piece


def _stretch_keys(track: Track, each: Stretch, clip: Track | None, cut: dict[tuple[int, int], Keys]) -> Keys:
    if each.origin == "bridge":
        return ()
    if each.origin == "clip":
        if clip is not None:
            return shifted(clip.keys, each.start)
        # A clip that says nothing of this coordinate: its own curve, or its value where time was inserted.
        return _held(track, each) if each.inserted else between(track, each.source, each.source_end)
    if each.origin == "hold":
        return _held(track, each)
    if each.start == BEGIN:
        return until(track, each.source_end)
    if each.end == END:
        return shifted(since(track, each.source), each.start - each.source)
    ends = each.source, each.source_end
    if ends not in cut:
        cut[ends] = between(track, *ends)
    keys = cut[ends]
    if not keys:
        return ()
    if each.backward:
        return shifted(turned_about(keys, each.source, each.source_end), each.start - each.source)
    jump = each.repeat * (keys[-1].value - keys[0].value)
    if each.factor != 1.0:
        keys = stretched(keys, each.source, each.factor)
    return shifted(keys, each.start - each.source, jump)


def _held(track: Track, each: Stretch) -> Keys:
    keys = between(track, each.source, each.source + 1)
    value = keys[0].value
    return (
        Key(each.start, value, interpolation="linear", tangent="free"),
        Key(each.end, value, interpolation="linear", tangent="free"),
    )


def _placed(track: Track, layout: Layout) -> Track:
    start = next(each.start for each in layout.stretches if each.origin == "clip")
    return replace(track, keys=shifted(track.keys, start), before="hold", after="hold")


def _lay_out_drafts(drafts: tuple[Draft, ...], layout: Layout) -> tuple[Draft, ...]:
    made: dict[int, Draft] = {}
    moving: dict[int, Draft] = {}
    for draft in drafts:
        own = (each for each in layout.stretches if each.origin == "layer")
        home = next((each for each in own if each.source <= draft.time < each.source_end), None)
        if home is not None:
            time = home.new_time(draft.time)
            (made if time == draft.time else moving)[time] = replace(draft, time=time)
        elif not layout.shifts:
            made[draft.time] = draft
    made.update(moving)
    return tuple(made[time] for time in sorted(made))


def _lay_out_correction(correction: Correction | None, layout: Layout) -> Correction | None:
    """Bells go with their own time, as wide as time is there; what is pasted over them says nothing of corrections."""
    if correction is None:
        return None
    made: list[Term] = []
    for term in correction.terms:
        own = (each for each in layout.stretches if each.origin == "layer")
        homes = [each for each in own if each.source <= term.bell.time < each.source_end]
        made += [_moved_term(term, each) for each in homes]
        if not homes and layout.clip is not None and not layout.shifts:
            made.append(term)
    return correction_of(made)


def _moved_term(term: Term, home: Stretch) -> Term:
    time, bell = home.new_time(term.bell.time), term.bell
    if time == bell.time and home.factor == 1.0 and not home.backward:
        return term
    widths = [max(round(width * home.factor), 1) for width in (bell.before, bell.after)]
    before, after = reversed(widths) if home.backward else widths
    # A wiggle is a derivative by time, so that as much of it counts less where time is longer.
    more = -home.factor if home.backward else home.factor
    wiggles = tuple((name, 0.0 + more * number) for name, number in term.wiggles)
    return replace(term, bell=replace(bell, time=time, before=before, after=after), wiggles=wiggles)


def lay_out_span(span: Span | None, layout: Layout) -> Span | None:
    """A span whose ends follow new time; one that is taken out as a whole lasts a tick. Where what comes after stays,
    it goes with the stretch that holds it whole, or stays."""
    if span is None:
        return None
    if not layout.shifts:
        return _moved_span(span, layout)
    start, end = layout.image(span.start), _end_of_span(span, layout)
    end = max(end, start + 1)
    ease_in = min(span.ease_in, end - start)
    return Span(start=start, end=end, ease_in=ease_in, ease_out=min(span.ease_out, end - start - ease_in))


def _end_of_span(span: Span, layout: Layout) -> int:
    """One that is eased out has ended on its last tick and goes with what is before it, another lasts through that."""
    own = [each for each in layout.stretches if each.origin == "layer" and each.source < span.end <= each.source_end]
    if not own or not span.ease_out:
        return layout.image(span.end)
    return own[-1 if span.end == own[0].source_end else 0].new_time(span.end)


def _moved_span(span: Span, layout: Layout) -> Span:
    own = (each for each in layout.stretches if each.origin == "layer")
    homes = [each for each in own if each.source <= span.start and span.end <= each.source_end]
    if not homes:
        return span
    first, last = homes[0], homes[-1 if span.end == homes[0].source_end else 0]
    start, end = sorted((first.new_time(span.start), last.new_time(span.end)))
    end = max(end, start + 1)
    eases = [round(ease * first.factor) for ease in (span.ease_in, span.ease_out)]
    ease_in, ease_out = reversed(eases) if first.backward else eases
    ease_in = min(ease_in, end - start)
    return Span(start=start, end=end, ease_in=ease_in, ease_out=min(ease_out, end - start - ease_in))


def _lay_out_speed(ranges: tuple[SpeedRange, ...], layout: Layout) -> tuple[SpeedRange, ...]:
    made: list[SpeedRange] = []
    for each in ranges:
        homes = [
            stretch
            for stretch in layout.stretches
            if stretch.origin == "layer" and stretch.source <= each.start and each.end <= stretch.source_end
        ]
        if homes:
            made += [_moved_speed(each, home) for home in homes]
        elif layout.shifts:
            made += _followed_speed(each, layout)
        elif not (layout.start <= each.start and each.end <= layout.source_end):
            made.append(each)
    if layout.clip is not None:
        start = next(each.start for each in layout.stretches if each.origin == "clip")
        pasted = [_shifted_speed(each, start) for each in layout.clip.speed]
        made = [each for each in made if all(each.end <= new.start or each.start >= new.end for new in pasted)]
        made += pasted
    return tuple(sorted(made, key=lambda each: each.start))


def _moved_speed(speed: SpeedRange, home: Stretch) -> SpeedRange:
    if home.backward:
        turned = turned_about(speed.keys, speed.start, speed.end)
        keys = tuple(
            replace(key, value=1.0 - key.value, slope_in=-key.slope_in, slope_out=-key.slope_out) for key in turned
        )
        keys = shifted(keys, home.new_time(speed.end) - speed.start)
    elif home.factor != 1.0:
        keys = shifted(stretched(speed.keys, home.source, home.factor), home.start - home.source)
    else:
        return _shifted_speed(speed, home.new_time(speed.start) - speed.start)
    return replace(speed, start=keys[0].time, end=keys[-1].time, keys=keys)


def _shifted_speed(speed: SpeedRange, ticks: int) -> SpeedRange:
    if not ticks:
        return speed
    return replace(speed, start=speed.start + ticks, end=speed.end + ticks, keys=shifted(speed.keys, ticks))


def _followed_speed(speed: SpeedRange, layout: Layout) -> list[SpeedRange]:
    start, end = layout.image(speed.start), layout.image(speed.end)
    if end <= start:
        return []
    factor = (speed.end - speed.start) / (end - start)
    made = {start: speed.keys[0], end: speed.keys[-1]}
    for key in speed.keys[1:-1]:
        if start < layout.image(key.time) < end:
            made[layout.image(key.time)] = key
    keys = tuple(
        replace(made[time], time=time, slope_in=factor * made[time].slope_in, slope_out=factor * made[time].slope_out)
        for time in sorted(made)
    )
    return [replace(speed, start=start, end=end, keys=keys)]
