"""Encoding: frames are put into a file as they come, as long as anything takes them; it is said how far that is."""

from __future__ import annotations

import contextlib
from collections.abc import Generator
from typing import TYPE_CHECKING

from engine.runtime.errors import EngineError

if TYPE_CHECKING:
    from app.export.drawing import Frame
    from app.export.plan import Plan


def export_frames(plan: Plan, frames: Generator[Frame, None, None]) -> None:
    """Encode frames as they come, and say how far it is."""
    from app.export.encoder import Encoder
    from engine.long.percent import Percent

    said, encoder = Percent("rendering"), Encoder(plan)
    try:
        with contextlib.closing(frames):
            for number, frame in enumerate(frames, 1):
                if not encoder.wait_for_room():
                    break
                encoder.put(frame)
                said(number / plan.count)
        encoder.finish()
        encoder.wait()
    finally:
        encoder.cancel()  # which does nothing to one that has ended
        encoder.wait()
    if encoder.state != "done":
        raise EngineError(encoder.problem)
