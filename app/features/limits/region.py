"""LimitRegionView: what the panel needs of the view of three angles, which is of the scene and is handed in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from engine.queries.limit_pictures import LimitPicture, Slice

    Array = NDArray[np.float64]


class LimitRegionView(Protocol):
    """A view of a region over three angles."""

    @property
    def stroke_moved(self) -> SignalInstance:
        """The places that a stroke goes through."""

    @property
    def stroke_ended(self) -> SignalInstance:
        """The end of a stroke, with true if it is to be kept."""

    @property
    def broken(self) -> SignalInstance:
        """Why it cannot draw."""

    def as_widget(self) -> QWidget:
        """Itself."""

    def show_axes(self, names: Sequence[str], lower: Sequence[float], upper: Sequence[float]) -> None:
        """Show the angles."""

    def show_surface(self, places: Array, normals: Array, faces: NDArray[np.int32]) -> None:
        """Show the boundary."""

    def show_samples(self, places: Array) -> None:
        """Show the samples that it was made of."""

    def show_slices(self, slices: Sequence[tuple[Array, Array]]) -> None:
        """Corners and values of slices."""

    def show_pose(
        self,
        pose: Sequence[float] | None,
        target: Sequence[float] | None = None,
        trail: Sequence[Sequence[float]] = (),
    ) -> None:
        """Show the place of the pose."""

    def set_brush(self, radius: float | None) -> None:
        """Take a brush."""

    def frame(self) -> None:
        """See all of it."""


def show_region(view: LimitRegionView, picture: LimitPicture) -> None:
    """Put a picture of three angles into the view."""
    view.show_axes(picture.hinges, picture.lower, picture.upper)
    view.show_surface(picture.positions, picture.normals, picture.faces)
    view.show_samples(picture.samples)
    view.show_slices([(_corners(each), each.values) for each in picture.slices])


def _corners(cut: Slice) -> Array:
    import numpy as np

    ends = ((0, 0), (0, 1), (1, 1), (1, 0))  # row, column
    found = np.tile(np.array(cut.place), (4, 1))
    sides = ((cut.lower[0], cut.upper[0]), (cut.lower[1], cut.upper[1]))
    for place, (row, column) in enumerate(ends):
        found[place, cut.axes[0]], found[place, cut.axes[1]] = sides[0][row], sides[1][column]
    return found
