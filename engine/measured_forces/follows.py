"""MeasuredForcesFollow: what becomes of measured forces where general edits change the time or the figure.

Where time is cut, each piece goes on as a force of its own. Mirrored, a force goes to the partner of its joint, its
numbers across x = 0 of the frame that they are given in, or of the figure's own where that is the world: force and
point are vectors, the torque is axial. Of a force that lasts beyond the range its own frames there are 0, and its
image, or the one measured beside it on the partner, has them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from engine.document import Actor, Blob, Document, Figure
from engine.document.measured_forces import FORCE, POINT, TORQUE, MeasuredForce
from engine.document.ticks import frame_time, ticks_per_frame
from engine.dynamics.measured import channels_at
from engine.edits.follows import Follows
from engine.edits.stretches import Layout, Stretch
from engine.maths.arrays import BoolArray
from engine.maths.rotation_arrays import rotation_matrix
from engine.measured_forces.uses import forces_of, with_forces


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
        return with_forces(actor, old, found)

    def fitted(self, actor: Actor, content: Figure, heirs: Mapping[str, str]) -> Actor:
        """The actor without the forces on bodies that another figure lacks, or given in their frames."""
        old = forces_of(actor)
        if old is None:
            return actor
        kept = old.on(content)
        if kept == old.forces:
            return actor
        return with_forces(actor, old, kept)

    def mirrored(self, actor: Actor, start: int, end: int) -> Actor:
        """The actor with its forces of left and right exchanged."""
        old = forces_of(actor)
        if old is None:
            return actor
        kept, images = list[MeasuredForce](), list[MeasuredForce]()
        for each in old.forces:
            ticks = each.start + np.array([frame_time(frame, each.rate) for frame in range(each.frame_count)])
            inside = (ticks >= start) & (ticks < end)
            if not inside.all():
                kept.append(replace(each, values=_only(each.values, ~inside)) if inside.any() else each)
            if inside.any():
                images.append(_image(actor, each, inside))
        found = _joined(kept, images)
        return actor if found == old.forces else with_forces(actor, old, found)

    def named(self, document: Document, actor: str) -> Iterable[str]:
        """The joints in whose frames they are given: rerooting leaves these where they are."""
        found = forces_of(document.actor(actor))
        if found is not None:
            yield from (each.frame for each in found.forces if each.frame is not None)


def _image(actor: Actor, force: MeasuredForce, inside: BoolArray) -> MeasuredForce:
    """The mirror image of a force, of the frames that are meant; the others are 0."""
    values, turn, away = _only(force.values, inside).array.copy(), np.eye(3), np.zeros(3)
    if force.frame is None:
        turn, away = rotation_matrix(actor.placement.rotation), np.array(actor.placement.position)
    image = turn @ np.diag((-1.0, 1.0, 1.0)) @ turn.T
    values[:, FORCE] = values[:, FORCE] @ image.T + 0.0
    values[:, TORQUE] = 0.0 - values[:, TORQUE] @ image.T
    values[inside, POINT] = (values[inside, POINT] - away) @ image.T + away
    partners = {joint.id: joint.mirror or joint.id for joint in actor.figure.joints}
    frame = None if force.frame is None else partners.get(force.frame, force.frame)
    return replace(force, joint=partners.get(force.joint, force.joint), frame=frame, values=Blob(values))


def _only(values: Blob, rows: BoolArray) -> Blob:
    """The numbers with force and torque of all other frames 0."""
    found = values.array.copy()
    found[~rows, FORCE] = found[~rows, TORQUE] = 0.0
    return Blob(found)


def _joined(kept: list[MeasuredForce], images: list[MeasuredForce]) -> tuple[MeasuredForce, ...]:
    """Forces and images, each image in the frames of the force that was measured beside it, where there is one."""
    found, taken = {each.id: each for each in kept}, set[str]()
    for image in images:
        beside = next((each for each in kept if each.id not in taken and _beside(each) == _beside(image)), None)
        if beside is not None:
            taken.add(beside.id)
            values, own = beside.values.array.copy(), image.values.array
            filled = np.abs(own[:, FORCE]).max(axis=1) + np.abs(own[:, TORQUE]).max(axis=1) > 0.0
            values[filled] = own[filled]
            found[beside.id] = replace(beside, values=Blob(values))
        else:
            free = (
                image.id if number == 1 else f"{image.id}.{number}" for number in range(1, len(kept) + len(images) + 2)
            )
            id = next(each for each in free if each not in found)
            found[id] = replace(image, id=id)
    return tuple(found.values())


def _beside(force: MeasuredForce) -> tuple[object, ...]:
    return force.joint, force.frame, force.rate, force.start, force.frame_count, force.mute


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
