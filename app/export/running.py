"""Running: the state of the running export: stills that wait to be drawn, and the frame that is being drawn."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from engine.queries.stills import Still, Stills
from engine.runtime.quick_dataclass import dataclass

if TYPE_CHECKING:
    from app.export.drawing import Drawing, Frame
    from app.export.encoder import Encoder
    from app.export.exports import Export


@dataclass(frozen=True, eq=False)
class Answered:
    """Stills from the engine's thread, all of one request so far; or why there are none."""

    source: Stills
    found: Sequence[Still]
    problem: str = ""


class Running:
    """The state of the running export."""

    def __init__(self, export: Export, encoder: Encoder, source: Stills) -> None:
        self.export, self.encoder, self.source = export, encoder, source
        self.stills: deque[Still] = deque()  # not drawn yet
        self.known = 0  # stills that have come
        self.expected = self.taken = 0  # of the present request; 0 while there is none
        self.ticket = 0  # of that request
        self.drawn = 0  # frames
        self.problem = ""  # why no more of it can be drawn
        self.drawing: Drawing | None = None
        self.steps: Generator[None, None, Frame] | None = None  # of the frame that is being drawn

    @property
    def can_begin(self) -> bool:
        """True if there is a frame to draw, and room for it."""
        return bool(self.stills) and self.encoder.has_room

    def take(self, found: Sequence[Still]) -> None:
        """Take over the stills that have come since the last time."""
        fresh = found[self.taken :]
        self.stills.extend(fresh)
        self.known += len(fresh)
        self.taken = len(found)
        if self.taken == self.expected:
            self.expected = 0

    def step(self, drawing: Drawing) -> Frame | None:
        """Draw one step; return the frame, once it is whole."""
        if self.steps is None:
            self.steps = drawing.frame(self.stills.popleft(), self.drawn)
        try:
            next(self.steps)
        except StopIteration as end:
            self.steps = None
            self.drawn += 1
            frame: Frame = end.value
            return frame
        return None
