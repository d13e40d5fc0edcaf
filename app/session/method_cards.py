"""MethodCards: what there is to be told of all methods, asked of the engine as soon as it is ready."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QObject

from app.session.engine_link import EngineLink
from app.session.engine_steps import MethodsTold, tell_methods
from app.session.reaching import Reaching
from app.session.states import EngineState
from engine.runtime.worker import Frame

METHODS = "methods"  # key of the worker


class MethodCards(QObject):
    """Asks, and hands the answer to what reaches for things."""

    def __init__(self, engine: EngineLink, reaching: Reaching, parent: QObject) -> None:
        super().__init__(parent)
        self._engine, self._reaching = engine, reaching
        engine.state_changed.connect(self._take_state)
        engine.answered.connect(self._take_answer)

    def _take_state(self, state: EngineState) -> None:
        if state.ready and not self._reaching.ready:
            self._engine.submit(METHODS, tell_methods, document=None)

    def _take_answer(self, key: Hashable, frame: Frame) -> None:
        if isinstance(frame.value, MethodsTold):
            self._reaching.take_cards(frame.value.cards)
