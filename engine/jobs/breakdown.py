"""Breakdown: the edit that keys figures at a time between what their neighbouring keys say, or beyond.

Of each coordinate that has a key before the time and one after it, with a share s:

    between   a + s (b - a)                  a, b: values of the two keys; s = 0 the earlier, 1 the later
    even      x + s ((1 - r) a + r b - x)    x: what the layer gives now; r: how far the time lies between the keys
    rest      x + s (o - x)                  o: the rest pose; of all coordinates with keys, neighbours or not

s outside 0 to 1 goes on beyond (overshoot), up to the limits. The four numbers of a ball go along the arc. What is
even is what a straight line would give. Where a whole figure goes to rest it stays where it stands on the floor.

Keys go to the layer that receives poses and are filled after as the ones before them. Runs on the engine's thread;
importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from engine.document import Actor, Document, Dof, Figure, Key, Layer
from engine.document.pose import coordinates_of, place_of
from engine.edits import Edit, edit
from engine.edits.poses import pose_layer
from engine.jobs.poses import turned
from engine.runtime.errors import InvalidArguments

if TYPE_CHECKING:
    from engine.evaluate.evaluator import Evaluator

Towards = Literal["between", "even", "rest"]
LEAST, MOST = -0.5, 1.5
NO_NEIGHBOURS = "keys before and after the playhead; set them first (Key pose)"


@dataclass(frozen=True, kw_only=True)
class Breakdown:
    """What a person wishes: a share, of some joints of some actors, at a time."""

    parts: tuple[tuple[str, frozenset[str] | None], ...]  # actors, each with some of its joints or all
    time: int
    share: float
    towards: Towards = "between"

    @property
    def actors(self) -> tuple[str, ...]:
        """Whom it changes."""
        return tuple(actor for actor, _ in self.parts)

    def label(self, document: Document) -> str:
        """What a person reads in the history."""
        words = {"between": "Breakdown", "even": "Breakdown towards even", "rest": "Breakdown towards rest"}
        return f"{words[self.towards]} {100.0 * self.share:.0f} %"

    def work_out(self, evaluator: Evaluator, document: Document) -> Edit:
        """The edit that does it: keys for each actor that has neighbours there."""
        if not LEAST <= self.share <= MOST:
            raise InvalidArguments(what="the share of a breakdown", value=self.share, allowed=f"{LEAST} to {MOST}")
        chosen = []
        for id, joints in self.parts:
            owner = document.actor(id)
            layer = pose_layer(owner, self.time)
            keys = tuple(self._keys(owner, layer, joints))
            if keys:
                chosen.append((id, layer.id, keys))
        if not chosen:
            names = ", ".join(document.actor(id).name for id, _ in self.parts) or "nothing"
            allowed = "keys; set some first (Key pose)" if self.towards == "rest" else NO_NEIGHBOURS
            raise InvalidArguments(what=f"what there is to break down of {names}", value="nothing", allowed=allowed)
        return edit("paste_keys", chosen=tuple(chosen))

    def _keys(self, owner: Actor, layer: Layer, joints: frozenset[str] | None) -> Iterator[tuple[str, Key]]:
        figure = owner.figure
        names = set(figure.coordinates if joints is None else coordinates_of(figure, joints))
        if joints is None and self.towards == "rest":
            names -= place_of(figure)
        for dof in figure.dofs:
            tracks = [layer.heard.get(name) for name in dof.coordinates]
            if not names.issuperset(dof.coordinates) or any(track is None for track in tracks):
                continue
            values = self._values(figure, layer, dof)
            if values is not None:
                for name, value in zip(dof.coordinates, values, strict=True):
                    yield name, _key(layer, name, self.time, value)

    def _values(self, figure: Figure, layer: Layer, dof: Dof) -> list[float] | None:
        """The numbers of a degree of freedom; None where it lacks a neighbour."""
        times = {key.time for name in dof.coordinates for key in layer.track_of[name].keys}
        if self.towards == "rest":
            return _mixed(dof, _values_at(layer, dof, self.time), _rest(layer, dof), self.share)
        before, after = (time for time in times if time < self.time), (time for time in times if time > self.time)
        first, last = max(before, default=None), min(after, default=None)
        if first is None or last is None:
            return None
        ends = _values_at(layer, dof, first), _values_at(layer, dof, last)
        if self.towards == "between":
            return _mixed(dof, *ends, self.share)
        even = _mixed(dof, *ends, (self.time - first) / (last - first))
        return _mixed(dof, _values_at(layer, dof, self.time), even, self.share)


def _values_at(layer: Layer, dof: Dof, time: int) -> list[float]:
    """What the layer's curves, or a draft of it, give a degree of freedom."""
    import numpy as np

    from engine.motion.curves import evaluate_track

    draft = layer.draft_at(time)
    shown = {} if draft is None else dict(draft.values)
    wanted = np.array([float(time)])
    own = [shown.get(name) for name in dof.coordinates]
    return [
        float(evaluate_track(layer.track_of[name], wanted)[0, 0]) if value is None else value
        for name, value in zip(dof.coordinates, own, strict=True)
    ]


def _rest(layer: Layer, dof: Dof) -> list[float]:
    """The rest pose, which an added layer says by nothing."""
    if dof.kind == "ball":
        return [1.0, 0.0, 0.0, 0.0]
    return [dof.clamp(0.0) if layer.mode == "replace" else 0.0]


def _mixed(dof: Dof, start: list[float], end: list[float], share: float) -> list[float]:
    if dof.kind == "ball":
        return turned(start, end, share)
    return [start[0] + share * (end[0] - start[0])]


def _key(layer: Layer, name: str, time: int, value: float) -> Key:
    """The key there with another value, or a new one filled after as the one before it."""
    made = Key(time, value)
    for key in layer.track_of[name].keys:
        if key.time == time:
            return replace(key, value=value)
        if key.time < time:
            made = replace(made, interpolation=key.interpolation)
    return made
