"""ShownMarkers: the markers and symbols over the views, collected and placed once for each picture or look at them.

One move of a drag tells of its markers several times: of the goal, of the pose, of how far that is from the goal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.scene.held_symbols import held_symbols
from app.scene.markers import Marker, PlacedMarker, place_markers
from app.scene.symbols import Symbol, placed

if TYPE_CHECKING:
    from engine.model import Snapshot


class ShownMarkers(QObject):
    """Those of one viewport."""

    def __init__(self, parent: QObject, repaint: Callable[[], None]) -> None:
        """`repaint` is called where what is on the screen is old, unless a picture brings it."""
        super().__init__(parent)
        self._repaint = repaint
        self._snapshot: Snapshot | None = None
        self._markers: tuple[Marker, ...] = ()
        self._symbols: dict[str, tuple[Symbol, ...]] = {}
        self._collect: Callable[[], tuple[Marker, ...]] | None = None
        self._placed: Sequence[PlacedMarker] | None = ()  # None: they are old
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._collected)

    def show(self, snapshot: Snapshot) -> None:
        """Place them on the bodies of this picture from now on."""
        self._snapshot, self._placed = snapshot, None

    def put(self, markers: tuple[Marker, ...]) -> None:
        """Show these markers."""
        self._collect = None
        if self._take(markers):
            self._repaint()

    def put_symbols(self, symbols: tuple[Symbol, ...], of: str) -> None:
        """Show these symbols of a feature, beside those of others."""
        if symbols != self._symbols.get(of, ()):
            self._symbols[of], self._placed = symbols, None
            self._repaint()

    def ask(self, collect: Callable[[], tuple[Marker, ...]]) -> None:
        """Show the markers that `collect` gives as soon as anyone looks, or all that is under way is done."""
        self._collect = collect
        if not self._soon.isActive():
            self._soon.start()

    @property
    def newest(self) -> tuple[Marker, ...]:
        """The markers as they are now."""
        self._collected()
        return self._markers

    def for_picture(self) -> Sequence[PlacedMarker]:
        """Return them for the picture that is being drawn, symbols below handles, so that a handle on one is seen."""
        if self._collect is not None:
            collect, self._collect = self._collect, None
            self._take(collect())
        shown = self._snapshot
        if self._placed is None and shown is not None:
            below = placed((*held_symbols(shown), *chain(*self._symbols.values())))
            self._placed = (*below, *place_markers(self._markers, shown.bodies, shown.ghosts))
        return self._placed or ()

    def now(self) -> Sequence[PlacedMarker]:
        """Return them as they are placed now."""
        self._collected()
        return self.for_picture()

    def _collected(self) -> None:
        if self._collect is not None:
            self.put(self._collect())

    def _take(self, markers: tuple[Marker, ...]) -> bool:
        """Return True if they are others."""
        if markers == self._markers:
            return False
        self._markers, self._placed = markers, None
        return True
