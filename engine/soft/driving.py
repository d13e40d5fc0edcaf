"""DrivenFrames: where the joints are that soft bodies without a clock are driven by and touch, at any ticks, kept.

Frames of an actor are forgotten where an edit touches its times, and no others. Many ticks are worked out side by side.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence

from engine.document import Actor
from engine.maths.arrays import Array
from engine.runtime.bounded import Bounded
from engine.runtime.progress import finish
from engine.soft.surroundings import Keyed, ModelOf, joint_frames

_KEPT = 4096  # ticks
_TOGETHER = 16  # ticks between two slices

Frames = Mapping[str, Array]
Spans = Sequence[tuple[float, float]]  # [ticks], both ends included


class DrivenFrames:
    """Used by one thread. `keyed` gives where actors are at some times [ticks], `model_of` their figures."""

    def __init__(self, actors: Sequence[Actor], keyed: Keyed, model_of: ModelOf) -> None:
        self.actors, self._keyed, self._model_of = tuple(actors), keyed, model_of
        self._known: Bounded[int, Frames] = Bounded(_KEPT)

    def at(self, tick: int) -> Frames:
        """World transforms of the joints of each actor at a tick."""
        return finish(self.read((tick,)))[0]

    def read(self, ticks: Sequence[int]) -> Generator[float, None, list[Frames]]:
        """Find where the joints are at some ticks, in slices; yields the share that is done."""
        found = {tick: self._known.kept[tick] for tick in ticks if tick in self._known.kept}
        missing = [tick for tick in dict.fromkeys(ticks) if tick not in found]
        for first in range(0, len(missing), _TOGETHER):
            some = missing[first : first + _TOGETHER]
            for tick, rows in zip(some, self._keyed(some), strict=True):
                found[tick] = {each.id: joint_frames(self._model_of(each), rows[each.id]) for each in self.actors}
                self._known.keep(tick, found[tick])
            yield first / len(missing)
        return [found[tick] for tick in ticks]

    def untouched(self, actors: Sequence[Actor], keyed: Keyed, spans: Spans) -> DrivenFrames:
        """Follow another document, in which what is followed stands otherwise at some times; the others are kept."""
        made = DrivenFrames(actors, keyed, self._model_of)
        if [each.id for each in actors] == [each.id for each in self.actors]:
            for tick, frames in self._known.kept.items():
                if not any(start <= tick <= end for start, end in spans):
                    made._known.keep(tick, frames)
        return made
