"""ExcitedQuery: a live job that tells a panel how activations follow keyed excitations, as lines over time.

Runs on the engine's thread; importing this module loads no kernel.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.document import Track
from engine.document.ticks import TICKS_PER_SECOND
from engine.muscles.parts import MuscleActivations
from engine.runtime.bounded import Bounded

if TYPE_CHECKING:
    from engine.maths.arrays import Array

PITCH = TICKS_PER_SECOND // 200  # [ticks] between points of a line
MOST = 4000  # of them


class ExcitedQuery:
    """Keeps the lines of tracks that stay as they are; used by one thread."""

    def __init__(self) -> None:
        self._lines: Bounded[tuple[int, tuple[int, int]], tuple[Track, Array]] = Bounded(2048)  # by identity

    def answer(
        self, actor: str, activations: MuscleActivations, span: tuple[int, int]
    ) -> Generator[dict[tuple[str, str], Array] | None, None, None]:
        """Answer once: by actor and muscle, of those that are keyed, ticks and activations from one time to another,
        shape [count, 2]."""
        found = {}
        for each in activations.activations:
            if each.track is not None and not each.expression:
                found[actor, each.muscle] = self._line(each.track, span)
                yield None
        yield found

    def _line(self, track: Track, span: tuple[int, int]) -> Array:
        import numpy as np

        from engine.muscles.keyed import followed

        known = self._lines.get((id(track), span))
        if known is None or known[0] is not track:
            count = min((span[1] - span[0]) // PITCH + 2, MOST)
            times = np.linspace(span[0], span[1], count)
            known = self._lines.keep((id(track), span), (track, np.stack((times, followed(track, times)), axis=1)))
        return known[1]
