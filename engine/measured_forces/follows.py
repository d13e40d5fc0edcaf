"""MeasuredForcesFollow: what becomes of measured forces where general edits change the time or the figure.

Where time is cut, each piece goes on as a force of its own. Mirroring leaves them: what was measured is of one side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from engine.document import Actor, Blob, Document, Figure
from engine.document.measured_forces import MeasuredForce, MeasuredForces
from engine.document.ticks import frame_time, ticks_per_frame
from engine.dynamics.measured import channels_at
from engine.edits.follows import Follows
from engine.edits.stretches import Layout, Stretch
from engine.measured_forces.uses import forces_of


class MeasuredForcesFollow(Follows):
    """A force goes with its time and with the joints that it names."""

    def laid_out(self, actor: Actor, layout: Layout) -> Actor:
        """The actor with its forces in new time."""
        old = forces_of(actor)
        if old is None:
            return actor
        found = tuple(piece for each in old.forces for piece in _pieces(each, layout))
        if found == old.forces:
            return actor
        return actor.with_part(MeasuredForces(forces=found)) if found else actor.without_part(MeasuredForces)

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        """The actor without the forces on bodies that another figure lacks, or given in their frames."""
        old = forces_of(actor)
        if old is None:
            return actor
        known = content.joint_index
        kept = tuple(each for each in old.forces if each.joint in known and (each.frame is None or each.frame in known))
        if kept == old.forces:
            return actor
        return actor.with_part(MeasuredForces(forces=kept)) if kept else actor.without_part(MeasuredForces)

    def named(self, document: Document, actor: str) -> Iterable[str]:
        """The joints in whose frames they are given: rerooting leaves these where they are."""
        found = forces_of(document.actor(actor))
        if found is not None:
            yield from (each.frame for each in found.forces if each.frame is not None)


def _pieces(force: MeasuredForce, layout: Layout) -> Iterator[MeasuredForce]:
    """The force wherever its time is shown, the first piece by its own id."""
    count = 0
    for each in layout.stretches:
        first, last = max(force.start, each.source), min(force.end, each.source_end)
        if each.origin == "layer" and (first < last or force.start == first == last < each.source_end):
            count += 1
            id = force.id if count == 1 else f"{force.id}.{count}"
            yield replace(_piece(force, each, first, last), id=id)


def _piece(force: MeasuredForce, stretch: Stretch, first: int, last: int) -> MeasuredForce:
    if first == force.start and last == force.end and stretch.factor == 1.0 and not stretch.backward:
        return replace(force, start=stretch.new_time(first))
    start, end = sorted((stretch.new_time(first), stretch.new_time(last)))
    frames = range(int((end - start) / ticks_per_frame(force.rate) + 1e-9) + 1)
    times = [start + frame_time(frame, force.rate) for frame in frames]
    sources = np.array([stretch.source_time(time) for time in times])
    return replace(force, start=start, values=Blob(channels_at(force, sources)))
