"""Captured markers as arrays, and which of them is which handle of a figure.

A marker answers to the handle of its name; capitals, white space and what stands before a colon (`Subject:LASI`) do not
matter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from engine.document import Actor, Figure, Handle
from engine.document.capture import MarkerGaps
from engine.document.motion import TICKS_PER_SECOND, Rate
from engine.markers.names import handles_by_name, plain
from engine.markers.uses import capture_samples
from engine.maths.arrays import Array
from engine.maths.rotation_arrays import rotation_matrix
from engine.runtime.errors import InvalidArguments, NothingThere, UnknownPart
from engine.runtime.quick_dataclass import dataclass


@dataclass(frozen=True, eq=False)
class CapturedMarkers:
    """Where markers are in the world, frame by frame."""

    labels: tuple[str, ...]
    points: Array  # [m], nan where a marker was not seen, shape [frame_count, markers, 3]
    rate: Rate
    start: int  # tick of the first frame

    @property
    def times(self) -> Array:
        """When each frame is [ticks]."""
        step = TICKS_PER_SECOND * self.rate[1] / self.rate[0]
        return np.asarray(self.start + np.arange(len(self.points)) * step, dtype=np.float64)

    def within(self, start: int | None, end: int | None) -> CapturedMarkers:
        """The frames of a range of ticks, both ends with it; None: to the end on that side."""
        times = self.times
        kept = (times > (-np.inf if start is None else start - 1.0)) & (times < (np.inf if end is None else end + 1.0))
        if not kept.any():
            raise NothingThere("there is no frame of the capture in the range", remedy="Choose a range that it covers")
        first = int(kept.argmax())
        return CapturedMarkers(self.labels, self.points[kept], self.rate, round(float(times[first])))


@dataclass(frozen=True, eq=False)
class MarkerMatch:
    """Pairs of markers and handles, and who is left over."""

    places: tuple[int, ...]  # of the markers
    handles: tuple[Handle, ...]
    labels: tuple[str, ...]  # as the capture has them
    unmatched_markers: tuple[str, ...]
    unmatched_handles: tuple[str, ...]


def markers_of_actor(actor: Actor) -> CapturedMarkers:
    """The markers of a capture as it stands in its scene."""
    samples, part = capture_samples(actor), actor.part(MarkerGaps)
    if samples is None or part is None:
        raise NothingThere(f"{actor.name} is no capture of markers", remedy="Import a file of markers, such as TRC")
    place = {name: column for column, name in enumerate(samples.coordinates)}
    joints = [each for each in actor.figure.joints if all(f"{each.id}.{letter}" in place for letter in "xyz")]
    columns = [place[f"{each.id}.{letter}"] for each in joints for letter in "xyz"]
    points = samples.values.array[:, columns].reshape(samples.frame_count, -1, 3).copy()
    points = points @ rotation_matrix(actor.placement.rotation).T + np.array(actor.placement.position)
    found = CapturedMarkers(tuple(each.name for each in joints), points, samples.rate, samples.start)
    for marker, joint in enumerate(joints):
        for gap in part.of(joint.id):
            points[(found.times > gap.start - 1.0) & (found.times < gap.end + 1.0), marker] = np.nan
    return found


def match_markers(labels: Sequence[str], figure: Figure, weights: Mapping[str, float] | None = None) -> MarkerMatch:
    """Pair markers with handles by their names; those of weight 0 are left out."""
    handles = handles_by_name(figure)
    weighed = {plain(name): value for name, value in (weights or {}).items()}
    strange = [name for name in weights or {} if plain(name) not in {plain(label) for label in labels}]
    if strange:
        raise UnknownPart(kind="marker", id=strange[0], known=tuple(labels))
    for name, value in (weights or {}).items():
        if not 0.0 <= value < np.inf:
            raise InvalidArguments(what=f"the weight of {name}", value=value, allowed="a finite number, 0 and above")
    pairs: dict[str, tuple[int, str]] = {}
    for place, label in enumerate(labels):
        found = handles.get(plain(label))
        if found is not None and found.id not in pairs and weighed.get(plain(label), 1.0) > 0.0:
            pairs[found.id] = (place, label)
    if not pairs:
        found_names = ", ".join(labels[:6])
        raise NothingThere(
            f"no marker has the name of an end-effector of {figure.name}: {found_names}",
            remedy="Name its end-effectors as the markers",
        )
    matched = {place for place, _ in pairs.values()}
    own = tuple(handle for handle in figure.handles if handle.id in pairs)
    return MarkerMatch(
        places=tuple(pairs[handle.id][0] for handle in own),
        handles=own,
        labels=tuple(pairs[handle.id][1] for handle in own),
        unmatched_markers=tuple(label for place, label in enumerate(labels) if place not in matched),
        unmatched_handles=tuple(handle.name for handle in figure.handles if handle.id not in pairs),
    )
