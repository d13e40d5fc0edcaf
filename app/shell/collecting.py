"""Garbage collection: none until the engine is ready, and what was loaded by then is never looked through again.

Loading makes some 300,000 objects that stay. The collector would walk them a dozen times on the way (0.1 s of a start),
and for as long as the window is open with each of its full rounds, which stop a drag for tens of milliseconds.
"""

from __future__ import annotations

import gc

from app.session import EngineState, Session


def hold_collection(session: Session) -> None:
    """Collect nothing until the engine is ready, or nothing more is done about it."""

    def take(state: EngineState) -> None:
        if state.ready or session.engine.idle:
            session.engine_changed.disconnect(take)
            gc.freeze()
            gc.enable()

    gc.disable()
    session.engine_changed.connect(take)
