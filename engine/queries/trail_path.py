"""TrailPath: a trail as far as it is worked out. It takes bodies over place by place, so that a trail that is not
whole yet costs what is new in it.

Brings numpy: for use on the engine's thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from engine.document import Document
from engine.evaluate.moments import Moments
from engine.ik.goals import Spot
from engine.model.snapshot import Bodies
from engine.model.trails import Tangents, Trail


class TrailPath:
    """The places of one trail at some ticks, and what is known of them."""

    def __init__(self, spot: Spot, times: Sequence[int], keys: Iterable[int]) -> None:
        """Begin with nothing known; `times` rise."""
        self.spot, self.times, self.keys = spot, times, tuple(keys)
        self._number = {time: number for number, time in enumerate(times)}
        keyed = frozenset(self.keys)
        self._times = np.array(times, dtype=np.int64)
        self._keyed = np.array([time in keyed for time in times], dtype=np.bool_)
        self._bodies: list[Bodies | None] = [None] * len(times)
        self._points = np.empty((len(times), 3), dtype=np.float32)
        self._known = np.zeros(len(times), dtype=np.bool_)
        self._fresh = np.zeros(len(times), dtype=np.bool_)
        self._news: list[int] = []
        self._document: Document | None = None  # that all its places were looked up in
        self._trail: Trail | None = None

    def tell(self, time: int) -> None:
        """Note that its actor was worked out at a time."""
        number = self._number.get(time)
        if number is not None:
            self._news.append(number)

    def look(self, moments: Moments) -> None:
        """Take over what is known: all of it in a document that is another, else the times that `tell` noted."""
        numbers: Iterable[int] = self._news
        if self._document is not moments.document:
            self._document, numbers = moments.document, range(len(self.times))
        moved = []
        for number in numbers:
            bodies, fresh = moments.find(self.spot.actor, self.times[number])
            if bodies is self._bodies[number] and fresh == self._fresh[number]:
                continue
            if bodies is not self._bodies[number]:
                moved.append(number)
            self._bodies[number], self._fresh[number], self._trail = bodies, fresh, None
        self._news = []
        if moved:
            self._move(moved)

    def trail(self, tangents: Tangents | None) -> Trail:
        """Return the trail as of the last look; the same object while nothing of it has changed."""
        made, known = self._trail, self._known
        if made is None:
            made = Trail(
                owner=self.spot.actor,
                part=self.spot.joint,
                point=self.spot.point,
                times=self._times[known],
                points=self._points[known],
                keyed=self._keyed[known],
                fresh=self._fresh[known],
                tangents=tangents,
            )
        elif made.tangents is not tangents:
            made = replace(made, tangents=tangents)
        self._trail = made
        return made

    def _move(self, numbers: list[int]) -> None:
        """Find the points of places whose bodies are others."""
        joint, found, frames = self.spot.joint, [], []
        for number in numbers:
            bodies = self._bodies[number]
            if bodies is not None and joint in bodies.parts:
                found.append(number)
                frames.append(bodies.transforms[bodies.parts.index(joint)])
        self._known[numbers] = False
        self._known[found] = True
        stacked = np.array(frames, dtype=np.float32).reshape(-1, 3, 4)
        self._points[found] = stacked[:, :, :3] @ np.array(self.spot.point) + stacked[:, :, 3]
