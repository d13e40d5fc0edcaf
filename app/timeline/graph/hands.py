"""Hands of the graph: what a press of the left button takes hold of, and what a drag makes of it.

A drag of keys or of a tangent is one gesture of the session: its pictures are previews, letting go commits one entry.
The graph shows the document as the hand would make it, without waiting for the engine, over the curves as they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt

from app.session.foreseen import attempted, foreseen
from app.session.gesture import Gesture
from app.timeline.graph.changes import Shift, reshaped, shifted
from engine.document import Document, Key
from engine.edits import Edit

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curves
    from app.timeline.graph.view import CurveGraph
    from app.timeline.keys import Channel, Picked
    from engine.jobs.outline import Outline

NEAR = 7.0  # [px] within which a key or the end of a tangent is hit
STILL = 3.0  # [px] that a click may move
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


class GraphHand:
    """What the left button holds, from its press to the end of what it began."""

    def __init__(self, graph: CurveGraph, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        self._graph, self._from, self._modifiers = graph, at, modifiers
        self._gesture: Gesture | None = None
        self._released = False
        self.before: Curves = graph.curves
        self.picked: Picked = dict(graph.picked)  # as it was
        self.document: Document | None = None  # as the hand would make it

    @property
    def ended(self) -> bool:
        """Whether nothing is left to wait for."""
        return self._released if self._gesture is None else self._gesture.state == "ended"

    @property
    def landed(self) -> Picked | None:
        """The keys to be chosen once it is committed; None: those that are."""
        return None

    @property
    def expected(self) -> int:
        """How many keys there will be, if none takes the place of another."""
        return len(self.before.time)

    @property
    def held(self) -> frozenset[Channel]:
        """The curves that it changes."""
        return frozenset()

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        """The pointer went somewhere."""
        raise NotImplementedError

    def release(self) -> None:
        """Let go."""
        self._released = True
        if self._gesture is not None:
            self._gesture.finish()

    def cancel(self) -> None:
        """Let go and leave everything as it was."""
        self._released = True
        if self._gesture is not None:
            self._gesture.cancel()

    def _preview(self, label: str, wanted: Edit) -> bool:
        """Show what an edit makes; False where that is refused, and what was there last stays."""
        session = self._graph.session
        self._gesture = self._gesture or session.begin_gesture(label, plays_on=True)
        if self._gesture.state == "ended":
            return False
        document = foreseen(session.document, wanted)
        if document is None:
            return False
        self.document = document
        self._gesture.preview(wanted)
        self._graph.follow_hand()
        return True

    def _is_still(self, at: QPointF) -> bool:
        return self._gesture is None and (at - self._from).manhattanLength() <= STILL


class BoxHand(GraphHand):
    """Draws a box; the keys in it are chosen. Shift adds them, Ctrl turns each about. Without a box all are let go, or
    with Ctrl a key is set."""

    def __init__(self, graph: CurveGraph, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        super().__init__(graph, at, modifiers)
        self.box = QRectF(at, at)

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        self.box = QRectF(self._from, at).normalized()

    def release(self) -> None:
        super().release()
        graph = self._graph
        if self._modifiers & CONTROL and max(self.box.width(), self.box.height()) <= STILL:
            graph.add_at(self._from)
            return
        found = graph.keys_in(self.box)
        if self._modifiers & CONTROL:
            found = graph.flags ^ found
        elif self._modifiers & SHIFT:
            found = graph.flags | found
        graph.choose(graph.curves.picked(found))


class KeysHand(GraphHand):
    """Moves the chosen keys in time and value; Shift keeps to the way that is longer. A click alone chooses."""

    def __init__(
        self, graph: CurveGraph, at: QPointF, modifiers: Qt.KeyboardModifier, *, number: int,
        clicked: Picked | None = None,
    ) -> None:  # fmt: skip
        """`number` is the key that is held; `clicked` is that key where it was chosen before."""
        super().__init__(graph, at, modifiers)
        self._time, self._shown = int(graph.curves.time[number]), float(graph.curves.shown[number])
        self._clicked = clicked
        self._shift = Shift()

    @property
    def landed(self) -> Picked | None:
        return None if self._gesture is None else self._shift.picked(self.before, self.picked)

    @property
    def held(self) -> frozenset[Channel]:
        return frozenset(self.picked)

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        graph, way = self._graph, at - self._from
        if modifiers & SHIFT:
            way = QPointF(way.x(), 0.0) if abs(way.x()) >= abs(way.y()) else QPointF(0.0, way.y())
        ticks, up = 0, 0.0
        if way.x():
            ticks = graph.axis.snapped(self._time + way.x() * graph.axis.ticks_per_pixel) - self._time
        if way.y():
            up = graph.scale.snapped(self._shown - way.y() * graph.scale.per_pixel) - self._shown
        shift = Shift(ticks=ticks, up=up)
        if shift != self._shift or self._gesture is None:
            wanted = attempted(lambda: shifted(self.before, self.picked, shift))
            if isinstance(wanted, str):  # beyond the ends of time: what was there last stays
                return
            before, self._shift = self._shift, shift
            if not self._preview("Move keys", wanted):
                self._shift = before

    def release(self) -> None:
        super().release()
        graph = self._graph
        if self._gesture is None and self._clicked is not None:
            if self._modifiers & CONTROL:
                graph.choose(graph.curves.picked(graph.flags & ~graph.curves.flags(self._clicked)))
            elif not self._modifiers & SHIFT:
                graph.choose(self._clicked)


class TangentHand(GraphHand):
    """Pulls the end of a tangent: its slope, and its length where tangents are weighted. The other side of the key
    follows unless it is broken or Ctrl is held. Shift makes a tangent flat, and keeps the slope of a weighted one."""

    def __init__(
        self,
        graph: CurveGraph,
        at: QPointF,
        modifiers: Qt.KeyboardModifier,
        *,
        channel: Channel,
        time: int,
        after: bool,
    ) -> None:
        super().__init__(graph, at, modifiers)
        self._channel, self._time, self._after = channel, time, after

    @property
    def held(self) -> frozenset[Channel]:
        return frozenset((self._channel,))

    def move(self, at: QPointF, modifiers: Qt.KeyboardModifier) -> None:
        if self._is_still(at):
            return
        graph, curve = self._graph, self.before.find(self._channel)
        assert curve is not None, "it was there when it was pressed"
        when, value = graph.time_at(at.x()), curve.meant(graph.scale.value_at(at.y()))
        unified = not (modifiers & CONTROL or graph.is_broken(self._channel, self._time))
        straight = bool(modifiers & SHIFT)

        def bent(outline: Outline, place: int) -> Key:
            flat = straight and not graph.weighted
            return outline.bend(
                place, when, outline.track.keys[place].value if flat else value, after=self._after,
                weighted=graph.weighted, unified=unified, aligned=straight and graph.weighted,
            )  # fmt: skip

        picked = {self._channel: frozenset((self._time,))}
        self._preview("Bend tangent", reshaped(self.before, picked, bent))


def hand_for(graph: CurveGraph, at: QPointF, modifiers: Qt.KeyboardModifier) -> GraphHand:
    """What a press takes hold of: the end of a tangent, a key; else it begins a box."""
    tangent = graph.tangent_at(at)
    number = graph.key_at(at)
    if tangent is not None and not (number is not None and graph.is_nearer(number, tangent, at)):
        return TangentHand(graph, at, modifiers, channel=tangent.channel, time=tangent.time, after=tangent.after)
    if number is None:
        return BoxHand(graph, at, modifiers)
    were_chosen = bool(graph.flags[number])
    one = graph.one(number)
    if not were_chosen:
        several = modifiers & (CONTROL | SHIFT)
        graph.choose(graph.curves.picked(graph.flags | graph.curves.flags(one)) if several else one)
    return KeysHand(graph, at, modifiers, number=number, clicked=one if were_chosen else None)
