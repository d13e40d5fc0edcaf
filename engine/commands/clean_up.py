"""CleanUp: captures and dense keys cleaned and made few keys, and how far what is seen is then off.

In this order, each where it is wanted: spikes are taken out of samples and filled, what is faster than a cut-off is
taken out, and samples or keys become as few keys as keep a tolerance (`engine.motion.cleanup`, `engine.motion.reduce`).
The report compares all layers before and after, at every sample and frame: joints by their own angles, and by where
they stand in the figure's frame without locks. Worked through in slices on the engine's thread; importing this module
loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.command import Gradual
from engine.document import Actor, Document, Figure, Layer, Track
from engine.document.extent import layer_extent
from engine.document.motion import frame_time, ticks_per_frame
from engine.document.pose import coordinates_of
from engine.edits import Edit, edit
from engine.runtime.errors import NothingThere
from engine.runtime.progress import within
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.evaluation import Evaluation

    Array = NDArray[np.float64]

_SLICE = 64  # times that are compared at once
_CLEANED = 0.8  # share of the work after which what came of it is compared


@dataclass(frozen=True, eq=False)
class Cleaned:
    """The edit, and what it comes to."""

    edit: Edit
    before: int  # numbers that say the motion: samples and keys
    after: int
    spikes: int
    turn_error: float  # [rad] the largest of a joint's angles
    place_error: float  # [m] the largest of a joint's places
    joint: str  # name of that joint


@dataclass(frozen=True, kw_only=True)
class CleanUp(Gradual):
    """The command to clean up the motion of some joints of some actors."""

    uses = ("motion",)

    parts: tuple[tuple[str, frozenset[str] | None], ...]
    spikes: bool = False
    cutoff: float | None = None  # [Hz]
    order: int = 2  # of the low-pass
    finer: int = 1  # times as many frames as there were have those that are smoothed
    degrees: float | None = None  # tolerance of few keys; None: as many as there are
    millimetres: float = 1.0

    @property
    def changes(self) -> tuple[str, ...]:
        """The ids of the actors that it changes."""
        return tuple(actor for actor, _ in self.parts)

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        done = [
            "Take out spikes" if self.spikes else "",
            f"smooth below {self.cutoff:g} Hz" if self.cutoff is not None else "",
            f"reduce keys to {self.degrees:g}°" if self.degrees is not None else "",
        ]
        text = ", ".join(each for each in done if each)
        return text[:1].upper() + text[1:]

    def work_through(self, evaluator: Evaluation, document: Document) -> Generator[float, None, Cleaned]:
        """The edit and what it comes to; yields the share that is done."""
        if not (self.spikes or self.cutoff is not None or self.degrees is not None):
            raise NothingThere("Nothing is to be cleaned", remedy="Choose spikes, a cut-off or a tolerance")
        put, before, after, spikes = [], 0, 0, 0
        chosen = list(self._chosen(document))
        for place, (owner, layer, names) in enumerate(chosen):
            own = _own(owner.figure, layer, names)
            ends = (_CLEANED * each / len(chosen) for each in (place, place + 1))
            cleaned, found = yield from within(self._clean(document, owner.figure, own), *ends)
            put.append((owner.id, layer.id, names, cleaned.tracks, cleaned.samples))
            before, after, spikes = before + _numbers(own), after + _numbers(cleaned), spikes + found
        if not put:
            who = ", ".join(document.actor(actor).name for actor in self.changes) or "The selection"
            raise NothingThere(f"{who} has no motion to clean up", remedy="Set keys, or import a capture, first")
        change = edit("put_motions", parts=tuple(put))
        new = change.apply(document)
        worst = (0.0, 0.0, "")
        for actor in dict.fromkeys(self.changes):
            steps = _errors(document, document.actor(actor), new.actor(actor))
            found_here = yield from within(steps, _CLEANED, 1.0)
            worst = (max(worst[0], found_here[0]), *max(worst[1:], found_here[1:]))
        return Cleaned(change, before, after, spikes, *worst)

    def _chosen(self, document: Document) -> Iterator[tuple[Actor, Layer, tuple[str, ...]]]:
        """Each layer that counts and moves some of what is meant, with the coordinates that it moves."""
        for id, joints in self.parts:
            owner = document.actor(id)
            meant = set(owner.figure.coordinates if joints is None else coordinates_of(owner.figure, joints))
            for layer in owner.layers:
                sampled = () if layer.samples is None else layer.samples.coordinates
                moved = meant & {*sampled, *layer.heard}
                if moved and not layer.mute:
                    yield owner, layer, tuple(name for name in owner.figure.coordinates if name in moved)

    def _clean(self, document: Document, figure: Figure, layer: Layer) -> Generator[float, None, tuple[Layer, int]]:
        """The layer cleaned, and how many spikes it had."""
        from engine.motion.cleanup import despike_gradually, smooth_gradually
        from engine.motion.reduce import Tolerance, reduce_gradually, reduce_track

        samples, spikes = layer.samples, 0
        if samples is not None and self.spikes:
            samples, despiked = yield from within(despike_gradually(figure, samples), 0.0, 0.2)
            spikes = int(despiked.spikes.sum())
        if samples is not None and self.cutoff is not None:
            steps = smooth_gradually(figure, samples, cutoff=self.cutoff, order=self.order, finer=self.finer)
            samples = yield from within(steps, 0.2, 0.3)
        if self.degrees is None:
            return replace(layer, samples=samples), spikes
        tolerance = Tolerance(degrees=self.degrees, millimetres=self.millimetres)
        found: dict[str, Track] = {}
        if samples is not None:
            reduced = yield from within(reduce_gradually(figure, samples, tolerance), 0.3, 0.9)
            found = {track.coordinate: track for track in reduced.tracks}
        for track in layer.heard.values():
            found[track.coordinate] = reduce_track(figure, track, tolerance, rate=document.rate)
            yield 0.9
        found = layer.track_of | found  # what is muted stays as it is, but where samples are heard
        order = figure.coordinate_index
        tracks = tuple(found[name] for name in sorted(found, key=lambda name: order[name]))
        return replace(layer, samples=None, tracks=tracks), spikes


def _own(figure: Figure, layer: Layer, names: tuple[str, ...]) -> Layer:
    from engine.edits.spans import taken_apart

    return taken_apart(figure, layer, frozenset(names))[0]


def _numbers(layer: Layer) -> int:
    """Count the numbers that make up a motion: those of samples, and one for each key."""
    sampled = 0 if layer.samples is None else layer.samples.frame_count * len(layer.samples.coordinates)
    return sampled + sum(len(track.keys) for track in layer.tracks)


def _errors(document: Document, old: Actor, new: Actor) -> Generator[float, None, tuple[float, float, str]]:
    """The largest distance of an angle [rad], of a joint's place [m], and the name of that joint."""
    import numpy as np

    from engine.model.batch import solve_transforms
    from engine.model.compile import compile_model
    from engine.motion.motion import compile_gradually

    figure = old.figure
    model, motions = compile_model(figure), []
    for each in (old, new):
        motions.append((yield from within(compile_gradually(figure, each.layers), 0.0, 0.0)))
    times = np.array(_times(document, old), dtype=np.float64)
    turn, places = 0.0, np.zeros(len(figure.joints))
    for first in range(0, len(times), _SLICE):
        poses = [np.ascontiguousarray(each.at(times[first : first + _SLICE])[:, 0]) for each in motions]
        turn = max(turn, _largest_turn(figure, *poses))
        was, now = (solve_transforms(model, each)[:, :, 9:] for each in poses)
        places = np.maximum(places, np.linalg.norm(now - was, axis=2).max(axis=0))
        yield first / len(times)
    worst = int(places.argmax())
    return turn, float(places[worst]), figure.joints[worst].name


def _times(document: Document, actor: Actor) -> list[int]:
    """Every sample, and every frame of the document while a layer moves."""
    found: set[int] = set()
    for layer in actor.layers:
        extent = layer_extent(layer)
        if layer.samples is not None:
            found.update(layer.samples.time(frame) for frame in range(layer.samples.frame_count))
        if extent is not None:
            first, last = (round(each / ticks_per_frame(document.rate)) for each in extent)
            found.update(frame_time(frame, document.rate) for frame in range(first, last + 1))
    return sorted(found)


def _largest_turn(figure: Figure, was: Array, now: Array) -> float:
    """[rad] of hinges and balls, whole turns aside."""
    import numpy as np

    largest = 0.0
    for dof in figure.dofs:
        columns = [figure.coordinate_index[name] for name in dof.coordinates]
        if dof.kind == "hinge":
            away = np.abs((now[:, columns] - was[:, columns] + np.pi) % (2.0 * np.pi) - np.pi)
            largest = max(largest, float(away.max()))
        elif dof.kind == "ball":
            dots = np.abs((was[:, columns] * now[:, columns]).sum(axis=1))
            largest = max(largest, float(2.0 * np.arccos(np.minimum(dots, 1.0)).max()))
    return largest
