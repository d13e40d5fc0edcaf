"""CurvePlaces: the curves in the graph, the positions of their keys and tangents, and hit testing.

Times lie along the shared axis, values along a scale, in the units in which they are read or, normalised, from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QPointF, QRectF, Signal
from PySide6.QtWidgets import QWidget

from app.session import Session
from app.session.found_curves import FoundCurves
from app.session.frozen import why_frozen
from app.timeline.axis import TimeAxis
from app.timeline.graph.drags import GraphDrag
from app.timeline.graph.scale import ValueScale
from app.timeline.view import TimeView
from app.timeline.view_drag import NEAR
from engine.document.extent import play_extent

if TYPE_CHECKING:
    from app.timeline.graph.curves import Curve, GraphCurves
    from app.timeline.keys import Channel, Flags, Picked
    from engine.document import Key
    from engine.maths.arrays import Array

MARGIN = 0.04  # of the time that is fitted, before and after it
MOST_TANGENTS = 200  # keys whose tangents are shown
HANDLE = 52.0  # [px] from a key to the end of a tangent whose length is not its own


class TangentHandle(NamedTuple):
    """One side of a chosen key, as it is drawn."""

    channel: Channel
    time: int
    after: bool
    broken: bool  # whether the other side of the key is bent apart from it
    key: QPointF
    end: QPointF


class CurvePlaces(TimeView):
    """A view of curves with the positions of keys and tangents."""

    changed = Signal()  # the curves, or what of them is shown

    def __init__(self, session: Session, axis: TimeAxis, parent: QWidget | None = None) -> None:
        super().__init__(session, axis, parent)
        self.scale = ValueScale(self)
        self._curves: GraphCurves | None = None
        self.active: frozenset[Channel] = frozenset()  # curves that are chosen in the list
        self.locked: frozenset[Channel] = frozenset()  # that cannot be changed here
        self.loose: set[tuple[Channel, int]] = set()  # keys whose sides are bent apart, alike though they may be
        self.normalised = self.isolated = self.weighted = False
        self.scale.changed.connect(self.redraw)

    # What is shown

    @property
    def curves(self) -> GraphCurves:
        """All curves of the selection."""
        from app.timeline.graph.curves import GraphCurves

        return GraphCurves() if self._curves is None else self._curves

    @property
    def is_filled(self) -> bool:
        return self._curves is not None

    @property
    def table(self) -> GraphCurves:
        return self.curves

    @property
    def dragging(self) -> GraphDrag | None:
        """The drag that changes curves now."""
        return self.drag if isinstance(self.drag, GraphDrag) and self.drag.document is not None else None

    @property
    def seen(self) -> list[int]:
        """Numbers of the drawn curves: all, or where they are isolated those chosen in the list."""
        curves = self.curves.curves
        active = self.active.intersection(curve.channel for curve in curves) if self.isolated else frozenset()
        return [place for place, curve in enumerate(curves) if not active or curve.channel in active]

    @property
    def open(self) -> list[int]:
        """Numbers of the curves whose keys may be changed here."""
        curves = self.curves.curves
        return [place for place in self.seen if not self.why_closed(curves[place])]

    @property
    def moving(self) -> frozenset[int]:
        """Numbers of the curves that a drag changes."""
        drag = self.drag
        if not isinstance(drag, GraphDrag) or not drag.held:
            return frozenset()
        was = ((place, curve, drag.before.find(curve.channel)) for place, curve in enumerate(self.curves.curves))
        return frozenset(
            place
            for place, curve, before in was
            if curve.channel in drag.held
            or before is None
            or before.outline is not curve.outline
            or before.turning is not curve.turning
        )

    def why_closed(self, curve: Curve) -> str:
        """Return the reason why a curve may not be changed; empty where it may be."""
        if curve.channel in self.locked:
            return f"{curve.label} is locked in the list of curves."
        if curve.found is not None:
            return curve.found.why
        if curve.samples is not None:
            return f"{curve.label} is sampled: make keys of its layer in the Layers panel first."
        document, actor = self.session.document, curve.channel.actor
        if actor not in document.actor_index:
            return f"{curve.label} has gone."  # with another document, which the graph has not taken over yet
        return why_frozen(document.actor(actor))

    def show_as(self, *, normalised: bool | None = None, isolated: bool | None = None) -> None:
        """Show each curve from -1 to 1, or in its unit; those chosen in the list alone, or all."""
        self.normalised = self.normalised if normalised is None else normalised
        self.isolated = self.isolated if isolated is None else isolated
        self._take_curves()
        self.fit_values()
        self._let_go_of_unseen()
        self.changed.emit()

    def activate(self, channels: Iterable[Channel]) -> None:
        """Choose curves in the list."""
        self.active = frozenset(channels)
        if self.isolated:
            self.fit_values()
        self._let_go_of_unseen()
        self.redraw()
        self.changed.emit()

    def lock(self, channels: Iterable[Channel], *, locked: bool) -> None:
        """Lock curves against changes here, or unlock them."""
        self.locked = self.locked.union(channels) if locked else self.locked.difference(channels)
        self.choose({channel: times for channel, times in self.picked.items() if channel not in self.locked})
        self.changed.emit()

    def fit(self) -> None:
        """Frame the chosen keys, or all curves where fewer than two are."""
        if int(self.flags.sum()) < 2:
            self.fit_all()
            return
        times, shown = self.curves.time[self.flags], self.curves.shown[self.flags]
        self._show_times(float(times.min()), float(times.max()))
        self.scale.fit(float(shown.min()), float(shown.max()))

    def fit_all(self) -> None:
        """Frame all curves."""
        times = self.curves.time[self.curves.seen(self.seen)]
        start, end = (float(times.min()), float(times.max())) if len(times) else (0.0, 0.0)
        if end <= start:
            start, end = map(float, play_extent(self.session.document))
        self._show_times(start, end)
        self.fit_values()

    def fit_values(self) -> None:
        """Frame the values that the curves have in the time that is shown."""
        found = [line[:, 1] for place in self.seen for line in self.lines_of(self.curves.curves[place])]
        if found:
            self.scale.fit(min(float(each.min()) for each in found), max(float(each.max()) for each in found))
        self.redraw()

    # Where things are

    def place_of(self, time: float, shown: float) -> QPointF:
        """Return the point of a time and a value."""
        return QPointF(self.x_of(time), self.scale.y_of(shown))

    def lines_of(self, curve: Curve) -> Iterator[Array]:
        """Return the line of a curve in the shown range, and its extrapolation: times and shown values."""
        steps = (self.axis.ticks_per_pixel, self.scale.per_pixel / abs(curve.gain))
        for line in curve.lines(self.axis.start, self.time_at(max(self.width(), 1)), *steps):
            line[:, 1] = curve.gain * line[:, 1] + curve.offset
            yield line

    def keys_in(self, box: QRectF) -> Flags:
        curves, top, bottom = self.curves, self.scale.value_at(box.top()), self.scale.value_at(box.bottom())
        found: Flags = curves.seen(self.open) & (curves.shown <= top) & (curves.shown >= bottom)
        return found & (curves.time >= self.time_at(box.left())) & (curves.time <= self.time_at(box.right()))

    def key_at(self, at: QPointF) -> int | None:
        """Return the number of the key at a point: the nearest, and of those in one place a chosen one."""
        import numpy as np

        curves = self.curves
        x = (curves.time - self.axis.start) / self.axis.ticks_per_pixel - at.x()
        y = self.scale.height - (curves.shown - self.scale.low) / self.scale.per_pixel - at.y()
        away = np.where(curves.seen(self.open), np.hypot(x, y) - 0.5 * self.flags, np.inf)
        nearest = int(np.argmin(away)) if len(away) else -1
        return nearest if nearest >= 0 and away[nearest] <= NEAR else None

    def one(self, number: int) -> Picked:
        """Return one key as the chosen ones."""
        curve = self.curves.curves[int(self.curves.curve_of[number])]
        return {curve.channel: frozenset((int(self.curves.time[number]),))}

    def curve_at(self, at: QPointF) -> Curve | None:
        """Return the curve at a point, of those that may be changed."""
        time, near = self.time_at(at.x()), NEAR * self.axis.ticks_per_pixel
        best, found = NEAR, None
        for place in self.open:
            curve = self.curves.curves[place]
            heights = [self.scale.y_of(curve.shown(curve.value_at(each))) for each in (time - near, time, time + near)]
            away = max(min(heights) - at.y(), at.y() - max(heights), 0.0) + 0.01 * abs(heights[1] - at.y())
            if away <= best:
                best, found = away, curve
        return found

    def tangents(self) -> Iterator[TangentHandle]:
        """Yield the tangents of the chosen keys, unless there are too many to distinguish."""
        if int(self.flags.sum()) > MOST_TANGENTS:
            return
        for channel, times in self.curves.picked(self.flags).items():
            curve = self.curves.find(channel)
            if curve is None or curve.outline is None or curve.turning is not None:
                continue
            for place in curve.outline.time.searchsorted(sorted(times)).tolist():
                yield from self._tangents_of(curve, place)

    def tangent_at(self, at: QPointF) -> TangentHandle | None:
        """Return the tangent whose end is at a point."""
        nearest = min(self.tangents(), key=lambda tangent: apart(tangent.end, at), default=None)
        return nearest if nearest is not None and apart(nearest.end, at) <= NEAR else None

    def is_nearer(self, number: int, tangent: TangentHandle, at: QPointF) -> bool:
        """Return True if a key is nearer to a point than the end of a tangent."""
        key = self.place_of(float(self.curves.time[number]), float(self.curves.shown[number]))
        return apart(key, at) < apart(tangent.end, at)

    def is_broken(self, channel: Channel, time: int) -> bool:
        """Return True if the two sides of a key are bent apart."""
        curve = self.curves.find(channel)
        if curve is None or curve.outline is None:
            return False
        place = int(curve.outline.time.searchsorted(time))
        return place < len(curve.outline.time) and self._is_broken(curve, curve.outline.track.keys[place])

    # How it is done

    def _let_go_of_unseen(self) -> None:
        """Deselect keys whose curves are hidden: what follows is not to change them."""
        if self.isolated and self.drag is None:
            seen = {self.curves.curves[place].channel for place in self.seen}
            self.choose({channel: times for channel, times in self.picked.items() if channel in seen})

    def _take_curves(self) -> None:
        from app.timeline.graph.curves import GraphCurves, curves_of

        drag = self.dragging
        document = self.session.document if drag is None or drag.document is None else drag.document
        selection = self.session.selection.within(document)
        found = curves_of(
            document, selection, self._curves, normalised=self.normalised,
            found_curves=self.session.of(FoundCurves).curves,
        )  # fmt: skip
        if drag is not None:  # what is normalised is not stretched anew while it moves
            before = drag.before
            was = ((curve, before.find(curve.channel)) for curve in found.curves)
            found = GraphCurves(curves=tuple(
                curve if old is None else replace(curve, gain=old.gain, offset=old.offset) for curve, old in was
            ))  # fmt: skip
            if drag.landed is not None:
                self.picked = dict(drag.landed)
        self._curves, self._flags = found, None
        self.redraw()

    def _show_times(self, start: float, end: float) -> None:
        if end > start:
            self.show_times(start, end, MARGIN * (end - start))

    def _is_broken(self, curve: Curve, key: Key) -> bool:
        bent = abs(key.slope_in - key.slope_out) > 1e-9 * max(1.0, abs(key.slope_in), abs(key.slope_out))
        return (curve.channel, key.time) in self.loose or (key.tangent == "free" and bent)

    def _tangents_of(self, curve: Curve, place: int) -> Iterator[TangentHandle]:
        outline = curve.outline
        assert outline is not None, "it has keys"
        held = outline.track.keys[place]
        broken, key = self._is_broken(curve, held), self.place_of(held.time, curve.shown(held.value))
        for after in (False, True):
            reach = outline.tangent_end(place, after=after)
            if reach is None:
                continue
            end = self.place_of(reach[0], curve.shown(reach[1]))
            if not self.weighted:
                length = apart(key, end)
                end = key + (end - key) * (HANDLE / length) if length else key
            yield TangentHandle(curve.channel, held.time, after, broken, key, end)


def apart(one: QPointF, other: QPointF) -> float:
    way = one - other
    return float((way.x() ** 2 + way.y() ** 2) ** 0.5)
