"""Breakdown: the edit that keys figures at a time between what their neighbouring keys say, or beyond.

Of each coordinate that has a key before the time and one after it, with a share s:

    between   a + s (b - a)                  a, b: values of the two keys; s = 0 the earlier, 1 the later
    even      x + s ((1 - r) a + r b - x)    x: what the layer gives now; r: how far the time lies between the keys
    rest      x + s (o - x)                  o: the rest pose; of all coordinates with keys, neighbours or not

s outside 0 to 1 goes on beyond (overshoot), up to the limits. The four numbers of a ball go along the arc, and so do
the three angles of a joint whose keys are joined as rotations: their neighbours are the keys of any of the three.
What is even is what a straight line would give. Where a whole figure goes to rest it stays where it stands on the
floor. Where a speed curve says when the layer travels its path, the time is that at which the path is read: the key
stands on the path where it is at the playhead, and the speed curve goes on saying when.

Keys go to the layer that receives poses and are filled after as the ones before them. Runs on the engine's thread;
importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from engine.command import AtOnce
from engine.document import Actor, Document, Dof, Figure, Key, Layer
from engine.document.pose import coordinates_of, place_of
from engine.edits import Edit, edit
from engine.edits.layers import turns_every_way
from engine.edits.poses import pose_layer
from engine.maths.quaternions import slerp
from engine.runtime.errors import InvalidArguments, NothingThere
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from engine.evaluation import Evaluation
    from engine.maths.arrays import Array
    from engine.motion.motion import Motion

Towards = Literal["between", "even", "rest"]
LEAST, MOST = -0.5, 1.5
NO_NEIGHBOURS = "Set some on both sides of the playhead first, by Pose > Key pose"


@dataclass(frozen=True, kw_only=True)
class Breakdown(AtOnce):
    """The command to set a breakdown of some joints of some actors at a time, by a share."""

    uses = ("motion",)

    parts: tuple[tuple[str, frozenset[str] | None], ...]  # actors, each with some of its joints or all
    time: int
    share: float
    towards: Towards = "between"

    @property
    def changes(self) -> tuple[str, ...]:
        """The ids of the actors that it changes."""
        return tuple(actor for actor, _ in self.parts)

    def label(self, document: Document) -> str:
        """Compose the line of the history."""
        words = {"between": "Breakdown", "even": "Breakdown towards even", "rest": "Breakdown towards rest"}
        return f"{words[self.towards]} {100.0 * self.share:.0f} %"

    def work_out(self, evaluator: Evaluation, document: Document) -> Edit:
        """The edit that does it: keys for each actor that has neighbours there."""
        if not LEAST <= self.share <= MOST:
            raise InvalidArguments(what="the share of a breakdown", value=self.share, allowed=f"{LEAST} to {MOST}")
        chosen = []
        for id, joints in self.parts:
            owner = document.actor(id)
            layer = pose_layer(owner, self.time)
            keys = tuple(self._keys(evaluator, owner, layer, joints))
            if keys:
                chosen.append((id, layer.id, keys))
        if not chosen:
            names = ", ".join(document.actor(id).name for id, _ in self.parts) or "the selection"
            if self.towards == "rest":
                raise NothingThere(f"{names} has no keys", remedy="Set some first, by Pose > Key pose")
            raise NothingThere(f"No key of {names} stands before and after this time", remedy=NO_NEIGHBOURS)
        return edit("paste_keys", chosen=tuple(chosen))

    def _keys(
        self, evaluator: Evaluation, owner: Actor, layer: Layer, joints: frozenset[str] | None
    ) -> Iterator[tuple[str, Key]]:
        figure = owner.figure
        names = set(figure.coordinates if joints is None else coordinates_of(figure, joints))
        if joints is None and self.towards == "rest":
            names -= place_of(figure)
        heard = [
            dof for dof in figure.dofs if names.issuperset(dof.coordinates) and layer.heard.keys() >= {*dof.coordinates}
        ]
        if not heard:
            return
        course = _Course(figure, layer, self.time, evaluator.motion(owner))
        for parts in _turning_as_one(figure, layer, heard):
            values = self._values(course, parts)
            if values is not None:
                coordinates = [name for dof in parts for name in dof.coordinates]
                for name, value in zip(coordinates, values, strict=True):
                    yield name, _key(layer, name, course.time, value)

    def _values(self, course: _Course, parts: tuple[Dof, ...]) -> list[float] | None:
        """The numbers of what moves as one; None where it lacks a neighbour."""
        layer, mixed = course.layer, partial(_mixed, course.figure, parts)
        now = course.values(parts, course.time)
        if self.towards == "rest":
            return mixed(now, [value for dof in parts for value in _rest(layer, dof)], self.share)
        times = {key.time for dof in parts for name in dof.coordinates for key in layer.track_of[name].keys}
        first = max((time for time in times if time < course.time), default=None)
        last = min((time for time in times if time > course.time), default=None)
        if first is None or last is None:
            return None
        ends = course.values(parts, first), course.values(parts, last)
        if self.towards == "between":
            return mixed(*ends, self.share)
        return mixed(now, mixed(*ends, (course.time - first) / (last - first)), self.share)


class _Course:
    """The values of a layer by itself, along its path; `known` is the motion of the actor, whose tracks are packed."""

    def __init__(self, figure: Figure, layer: Layer, time: int, known: Motion) -> None:
        from engine.motion.motion import compile_motion
        from engine.motion.speed import read_time

        self.figure, self.layer = figure, layer
        alone = replace(layer, mode="replace", weight=1.0, span=None, mask=None, mute=False, solo=False, drafts=())
        alone = replace(alone, correction=None)
        timed = compile_motion(figure, (alone,), known)
        self.time = round(read_time(timed.layers[0].ints, timed.layers[0].floats, float(time)))
        self._motion = compile_motion(figure, (replace(alone, speed=()),), timed) if layer.speed else timed
        draft = layer.draft_at(time)
        self._drafted = {} if draft is None else dict(draft.values)
        self._found: dict[int, Array] = {}

    def values(self, parts: tuple[Dof, ...], time: int) -> list[float]:
        """Evaluate some degrees of freedom at a tick of the path, by the layer's curves or by a working pose of it."""
        if time not in self._found:
            self._found[time] = self._motion.at(float(time))[0]
        shown, index = self._drafted if time == self.time else {}, self.figure.coordinate_index
        names = (name for dof in parts for name in dof.coordinates)
        return [shown[name] if name in shown else float(self._found[time][index[name]]) for name in names]


def _turning_as_one(figure: Figure, layer: Layer, dofs: list[Dof]) -> Iterator[tuple[Dof, ...]]:
    """Degrees of freedom by what moves as one: the hinges of a joint whose keys are joined as rotations, or one."""
    joined: set[str] = set()
    for joint in figure.joints:
        hinges = tuple(dof for dof in joint.dofs if dof.kind == "hinge")
        if joint.id in layer.quaternions and turns_every_way(joint) and all(dof in dofs for dof in hinges):
            joined.update(dof.id for dof in hinges)
            yield hinges
    yield from ((dof,) for dof in dofs if dof.id not in joined)


def _rest(layer: Layer, dof: Dof) -> list[float]:
    """The rest pose, which an added layer says by nothing."""
    if dof.kind == "ball":
        return [1.0, 0.0, 0.0, 0.0]
    return [dof.clamp(0.0) if layer.mode == "replace" else 0.0]


def _mixed(figure: Figure, parts: tuple[Dof, ...], start: list[float], end: list[float], share: float) -> list[float]:
    if parts[0].kind == "ball":
        return slerp(start, end, share)
    straight = [a + share * (b - a) for a, b in zip(start, end, strict=True)]
    if len(parts) == 1:
        return straight
    import numpy as np

    from engine.maths.rotation_arrays import nearest_angles, quaternions_of_angles
    from engine.queries.turning import hinges_of

    joint = next(joint for joint in figure.joints if parts[0] in joint.dofs)
    _, order, signs = hinges_of(joint)
    first, last = quaternions_of_angles(signs * np.array([start, end]), order).tolist()
    turn = np.array([slerp(first, last, share)])
    return (signs * nearest_angles(turn, order, signs * np.array([straight])))[0].tolist()  # type: ignore[no-any-return]


def _key(layer: Layer, name: str, time: int, value: float) -> Key:
    """The key there with another value, or a new one filled after as the one before it."""
    made = Key(time, value)
    for key in layer.track_of[name].keys:
        if key.time == time:
            return replace(key, value=value)
        if key.time < time:
            made = replace(made, interpolation=key.interpolation)
    return made
