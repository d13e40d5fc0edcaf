"""Sequences (Welman 1993, 6.1.3): motions kept apart from any document, put on figures, and kept.

A sequence is a `.motion.toml` file: keys of a figure's motion. `read_sequence` gives it as a `Clip`, `PutSequence`
works out the edit that puts it on a figure, `keep_sequence` writes in slices what a figure does in a range of time,
and `flipbook` gives the pictures of its key poses. Run on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from engine.command import AtOnce
from engine.document import Actor, Blob, Clip, Document, Figure, Key, Layer, Span, Track
from engine.document.extent import layer_extent
from engine.document.pose import coordinates_of, names_of, place_of
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere, printable
from engine.runtime.progress import Pace, finish, within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.model.snapshot import Snapshot

Into = Literal["layer", "receiver"]  # a new layer, or the one that keys go to
MOST_PICTURES = 12
FLIPPED = "sequence"  # the actor of a flipbook
_SAMPLED = 0.5  # share of reading what is seen after which keys are made
_READ, _CUT = 0.85, 0.9  # shares of keeping after which keys are read, and cut to their span


@dataclass(frozen=True, kw_only=True)
class PutSequence(AtOnce):
    """The command to lay a sequence on an actor from a time on."""

    uses = ("motion",)

    actor: str
    clip: Clip  # of whatever figure; what finds no coordinate of the same names is left out
    name: str
    id: str  # of the layer, where it becomes one
    time: int
    into: Into = "layer"
    joints: frozenset[str] | None = None  # that it is put on; None: all
    mirrored: bool = False
    runs: int = 1
    ease_in: int = 0  # [ticks]; longer ones than there is time are shortened
    ease_out: int = 0

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        return f"Apply {self.name}{' mirrored' if self.mirrored else ''}"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it."""
        from engine.edits.clips import from_here
        from engine.edits.poses import pose_layer

        owner = document.actor(self.actor)
        clip = self._ready(owner.figure)
        row = evaluator.coordinates(document, owner.id, [self.time])[0].tolist()
        clip = from_here(owner.figure, clip, dict(zip(owner.figure.coordinates, row, strict=True)))
        ease_in, ease_out = self._eases(clip.length)
        if self.into == "receiver":
            layer = pose_layer(owner, self.time)
            clip = _faded(owner.figure, layer, clip, self.time, ease_in, ease_out)
            return edit("paste_range", actor=owner.id, layer=layer.id, clip=clip, time=self.time)
        tracks = tuple(
            Track(
                coordinate=track.coordinate,
                keys=tuple(replace(key, time=key.time + self.time) for key in track.keys),
            )
            for track in clip.tracks
        )
        span = Span(start=self.time, end=self.time + clip.length, ease_in=ease_in, ease_out=ease_out)
        layer = Layer(id=self.id, name=self.name, tracks=tracks, span=span)
        return edit("add_layer", actor=owner.id, layer=layer)

    def _ready(self, figure: Figure) -> Clip:
        """The clip in the figure's coordinates, mirrored, on the joints that are meant, as often as it is wanted."""
        from engine.edits.clips import only, repeated
        from engine.edits.ranges import fit_clip, mirror_clip

        clip = fit_clip(figure, self.clip)
        if self.mirrored:
            clip = mirror_clip(figure, clip)
        if self.joints is not None:
            clip = only(clip, coordinates_of(figure, self.joints))
        if not clip.tracks:
            where = figure.name if self.joints is None else f"the joints chosen of {figure.name}"
            remedy = "Select joints that it names, or the whole figure"
            raise NothingThere(f"{self.name} moves nothing of {where}", remedy=remedy)
        return repeated(figure, clip, self.runs)

    def _eases(self, length: int) -> tuple[int, int]:
        both = max(self.ease_in, 0) + max(self.ease_out, 0)
        share = 1.0 if both <= length else length / both
        return int(share * max(self.ease_in, 0)), int(share * max(self.ease_out, 0))


def read_sequence(path: Path) -> Clip:
    """The motion of a file; its constant values are keys at both ends."""
    from engine.formats import motion_toml
    from engine.formats.format import Options

    contents = motion_toml.read(path, Options())
    assert contents.figure is not None, "a motion names its figure"
    return clip_of(contents.figure, contents.layers[0])


def clip_of(figure: Figure, layer: Layer) -> Clip:
    """Cut all that a layer of keys does, from its first key on."""
    return finish(clip_gradually(figure, layer))


def clip_gradually(figure: Figure, layer: Layer) -> Generator[float, None, Clip]:
    """Cut a layer into a clip, in slices."""
    from engine.edits.pieces import between

    extent = layer_extent(layer)
    if extent is None or extent[1] <= extent[0]:
        raise NothingThere(f"{layer.name} is a pose, no motion", remedy="Set keys at two times or more first")
    start, end = extent
    constants = (
        Track(coordinate=name, keys=(Key(start, value), Key(end, value)))
        for name, value in layer.values
        if name not in layer.track_of
    )
    every, tracks, pace = (*layer.tracks, *constants), [], Pace()
    for place, track in enumerate(every):
        keys = []
        for key in between(track, start, end):
            keys.append(replace(key, time=key.time - start))
            if pace.due():
                yield place / len(every)
        tracks.append(replace(track, keys=tuple(keys)))
    named = {track.coordinate for track in tracks}
    names = tuple(each for each in names_of(figure) if each[0] in named)
    return Clip(length=end - start, names=names, tracks=tuple(tracks))


def keep_sequence(
    evaluator: Evaluation, document: Document, actor: str, joints: frozenset[str] | None, span: Span, path: Path
) -> Generator[float, None, Clip]:
    """Write what an actor, or some joints of it, does from a tick to another: its own keys where one layer of keys is
    all that moves it, else few keys near what is seen. In slices; nothing is written before the last."""
    from engine.formats import motion_toml
    from engine.formats.format import Contents

    owner = document.actor(actor)
    figure = replace(owner.figure, skins=())
    names = figure.coordinates if joints is None else coordinates_of(figure, joints)
    if not names:
        raise NothingThere("None of the joints chosen can move", remedy="Select joints that can be turned")
    own = yield from within(_own_keys(document, owner, names, span), 0.0, _READ)
    tracks = own or (yield from within(_seen_keys(evaluator, document, owner, names, span), 0.0, _READ))
    layer = Layer(id="motion", name=printable(path.name).removesuffix(motion_toml.SUFFIX), tracks=tracks)
    clip = yield from within(clip_gradually(figure, layer), _READ, _CUT)  # refuses a pose before anything is written
    path.parent.mkdir(parents=True, exist_ok=True)
    yield from within(motion_toml.write_gradually(path, Contents(figure=figure, layers=(layer,))), _CUT, 1.0)
    return clip


def flipbook(evaluator: Evaluation, figure: Figure, clip: Clip) -> Generator[Snapshot, None, None]:
    """The key poses of a clip on a figure, as pictures of one actor named `FLIPPED` that stays where it is."""
    from engine.edits.clips import only
    from engine.edits.ranges import fit_clip

    fitted = fit_clip(figure, clip)
    onward = place_of(figure)
    fitted = only(fitted, [track.coordinate for track in fitted.tracks if track.coordinate not in onward])
    actor = Actor(id=FLIPPED, name=FLIPPED, figure=figure, layers=(Layer(id="motion", tracks=fitted.tracks),))
    document = Document(actors=(actor,))
    for time in key_poses(fitted):
        yield evaluator.snapshot(document, time)


def key_poses(clip: Clip) -> tuple[int, ...]:
    """The times of keys, of many those nearest to even steps; of a cycle not the last, which is the first again."""
    times = sorted({key.time for track in clip.tracks for key in track.keys}) or [0]
    if len(times) > 2 and any(track.after in ("cycle", "cycle_offset") for track in clip.tracks):
        times = times[:-1]
    if len(times) <= MOST_PICTURES:
        return tuple(times)
    step = (times[-1] - times[0]) / (MOST_PICTURES - 1)
    wanted = (times[0] + number * step for number in range(MOST_PICTURES))
    return tuple(dict.fromkeys(min(times, key=lambda time: abs(time - each)) for each in wanted))


def _own_keys(
    document: Document, owner: Actor, names: tuple[str, ...], span: Span
) -> Generator[float, None, tuple[Track, ...]]:
    """The keys of the one layer that moves an actor; none where anything else has a part in it."""
    from engine.commands.bake_layers import moves
    from engine.edits.ranges import copy_range
    from engine.motion.motion import active_layers
    from engine.queries.seen import is_more_than_layers

    counting = active_layers(owner.layers)
    moving = [layer for layer in counting if moves(layer)]
    if len(moving) != 1 or is_more_than_layers(document, owner.id):
        return ()
    layer = moving[0]
    plain = layer.mode == "replace" and layer.weight == 1.0 and layer.span is None and layer.mask is None
    plain = plain and layer.correction is None
    if not plain or layer.samples is not None or layer.speed or layer.quaternions or counting[-1] is not layer:
        return ()
    found: list[Track] = []
    for place, name in enumerate(names):
        found += copy_range(document, owner.id, layer.id, span.start, span.end, (name,)).tracks
        yield place / len(names)
    return tuple(found)


def _seen_keys(
    evaluator: Evaluation, document: Document, owner: Actor, names: tuple[str, ...], span: Span
) -> Generator[float, None, tuple[Track, ...]]:
    """Few keys within half a degree and a millimetre of what is seen, its ends within 5 mm."""
    from engine.motion.reduce import Tolerance, reduce_gradually
    from engine.sampling import sample_gradually

    sampling = sample_gradually(evaluator, document, owner.id, document.rate, span.start, span.end)
    samples = yield from within(sampling, 0.0, _SAMPLED)
    samples = replace(samples, start=0)
    handles = tuple(each.id for each in owner.figure.handles)
    if set(names) != set(owner.figure.coordinates):
        columns = [samples.coordinates.index(name) for name in names]
        samples = replace(samples, coordinates=tuple(names), values=Blob(samples.values.array[:, columns]))
        handles = ()
    reducing = reduce_gradually(owner.figure, samples, Tolerance(handles=handles))
    reduced = yield from within(reducing, _SAMPLED, 1.0)
    return reduced.tracks


def _faded(figure: Figure, layer: Layer, clip: Clip, time: int, ease_in: int, ease_out: int) -> Clip:
    """The clip led over from what a layer does at its start, and back to what it does at its end."""
    from engine.edits.clips import faded
    from engine.edits.pieces import between
    from engine.motion.motion import compile_motion

    alone = Layer(id=layer.id, values=layer.values, samples=layer.samples, tracks=layer.tracks)
    rows = compile_motion(figure, (alone,)).at([float(time), float(time + clip.length)])[:, 0].tolist()
    starts, ends = (dict(zip(figure.coordinates, row, strict=True)) for row in rows)
    for name, track in layer.track_of.items():  # to the last bit as they are joined
        starts[name] = between(track, time, time + 1)[0].value
        ends[name] = between(track, time + clip.length, time + clip.length + 1)[0].value
    return faded(figure, clip, starts, ends, ease_in, ease_out)
