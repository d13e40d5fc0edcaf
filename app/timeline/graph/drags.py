"""Drags of the graph: moves keys, bends tangents or draws a box, from a press of the left button.

The graph shows the document as the drag would make it, without waiting for the engine, over the curves as they were.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, Qt

from app.session.foreseen import attempted, foreseen
from app.timeline.graph.changes import Shift, reshaped, shifted
from app.timeline.view_drag import CONTROL, SHIFT, BoxDrag, ViewDrag, take_hold
from engine.document import Document, Key
from engine.edits import Edit

if TYPE_CHECKING:
    from app.timeline.graph.curves import GraphCurves
    from app.timeline.graph.view import CurveGraph
    from app.timeline.keys import Channel, Picked
    from engine.queries.outline import Outline


class GraphDrag(ViewDrag):
    """A drag that changes curves."""

    def __init__(
        self, graph: CurveGraph, at: QPointF, modifiers: Qt.KeyboardModifier, *, clicked: Picked | None = None
    ) -> None:
        super().__init__(graph, at, modifiers, clicked=clicked)
        self._graph = graph
        self.before: GraphCurves = graph.curves
        self.document: Document | None = None  # as the drag would make it

    @property
    def held(self) -> frozenset[Channel]:
        """The curves that it changes."""
        raise NotImplementedError

    def _preview(self, label: str, wanted: Edit) -> bool:
        """Preview an edit, in the graph at once; return False where it is refused, which leaves the preview before
        it."""
        document = foreseen(self._graph.session.document, wanted)
        if document is None or not super()._preview(label, wanted):
            return False
        self.document = document
        self._graph.follow_drag()
        return True


class CurveKeysDrag(GraphDrag):
    """Moves the chosen keys in time and value; Shift keeps to the longer of the two ways."""

    def __init__(
        self, graph: CurveGraph, at: QPointF, modifiers: Qt.KeyboardModifier, *, number: int, clicked: Picked | None
    ) -> None:
        """`number` is the key that is held."""
        super().__init__(graph, at, modifiers, clicked=clicked)
        self._time, self._shown = int(graph.curves.time[number]), float(graph.curves.shown[number])
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
            ticks = self._brought(self._time, self._from + way) - self._time
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


class TangentDrag(GraphDrag):
    """Bends a tangent by its end: its slope, and its length where tangents are weighted. The other side of the key
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


def drag_for(graph: CurveGraph, at: QPointF, modifiers: Qt.KeyboardModifier) -> ViewDrag:
    """Return the drag that a press begins: of a tangent's end, of a key, else of a box."""
    tangent = graph.tangent_at(at)
    number = graph.key_at(at)
    if tangent is not None and not (number is not None and graph.is_nearer(number, tangent, at)):
        return TangentDrag(graph, at, modifiers, channel=tangent.channel, time=tangent.time, after=tangent.after)
    if number is None:
        return BoxDrag(graph, at, modifiers)
    clicked = take_hold(graph, graph.curves.flags(graph.one(number)), modifiers)
    return CurveKeysDrag(graph, at, modifiers, number=number, clicked=clicked)
