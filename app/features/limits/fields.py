"""Fields of a limit: its slices, and what its region is: resolution, margin, resistance. All of them live."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.features.limits.current_limit import CurrentLimit
from app.session import Session
from app.session.hand import Hand
from app.style.icon_button import IconButton
from app.style.units import ANGLE, COUNT, Unit
from app.style.value_slider import ValueSlider
from engine.document import Figure, Limit
from engine.document.limit import MOST_ANGLES, GridRange
from engine.edits import Edit, edit
from engine.queries.limit_pictures import LimitPicture, names_of

FEWEST, MOST = 4.0, 96.0  # nodes along an axis that the slider offers
MOST_OF_MANY = 24.0  # of four and five angles
TORQUE = Unit(suffix=" N m", words="newton metres", scale=1.0, decimals=1, step=1.0, coarse=10.0)

Arguments = Callable[[float], dict[str, object]]


class SliceFields(QWidget):
    """One slider for each angle of three: where a slice stands across it; of four and five, which two are seen."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._current = session.of(CurrentLimit)
        self.eyes: list[IconButton] = []
        self.places: list[ValueSlider] = []
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 10, 6)
        column.setSpacing(3)
        self._lines: list[QWidget] = []
        for axis in range(3):
            eye = IconButton("eye", "Show a slice across this angle")
            eye.setCheckable(True)
            eye.clicked.connect(partial(self._toggle, axis))
            slider = ValueSlider("Slice", unit=ANGLE)
            slider.moved.connect(partial(self._current.set_cut, axis))
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(4)
            row.addWidget(eye)
            row.addWidget(slider, 1)
            column.addWidget(line)
            self.eyes.append(eye)
            self.places.append(slider)
            self._lines.append(line)
        self.across, self.up = QComboBox(), QComboBox()
        self._plane = QWidget()
        row = QHBoxLayout(self._plane)
        row.setContentsMargins(0, 0, 0, 0)
        for text, box in (("Across", self.across), ("up", self.up)):
            box.setAccessibleName(f"The angle that is seen {text.lower()}")
            box.activated.connect(self._set_plane)
            row.addWidget(QLabel(text))
            row.addWidget(box, 1)
        column.addWidget(self._plane)

    def show_picture(self, picture: LimitPicture) -> None:
        """Show the slices of a limit as they are."""
        size, cuts = len(picture.hinges), self._current.cuts
        for axis, (eye, slider, line) in enumerate(zip(self.eyes, self.places, self._lines, strict=True)):
            line.setVisible(size == 3)
            if size == 3:
                place = cuts[axis]
                name = picture.hinges[axis]
                slider.set_label(f"Across {name}")
                slider.setAccessibleName(f"Slice across {name}")
                slider.set_limits(picture.lower[axis], picture.upper[axis])
                middle = 0.5 * (picture.lower[axis] + picture.upper[axis])
                slider.set_rest(middle)
                slider.set_value(middle if place is None else place)
                slider.setEnabled(place is not None)
                eye.setChecked(place is not None)
        self._plane.setVisible(size > 3)
        if size > 3:
            for box, axis in zip((self.across, self.up), self._current.plane, strict=True):
                if [box.itemText(place) for place in range(box.count())] != list(picture.hinges):
                    box.clear()
                    box.addItems(picture.hinges)
                box.setCurrentIndex(axis)

    def _set_plane(self, _: int) -> None:
        self._current.set_plane(self.across.currentIndex(), self.up.currentIndex())

    def _toggle(self, axis: int, on: bool) -> None:
        self._current.set_cut(axis, self.places[axis].value if on else None)


class RegionFields(QWidget):
    """Resolution, margin and resistance of the limit that is seen."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._current = session, session.of(CurrentLimit)
        self._hands: dict[ValueSlider, Hand] = {}
        column = QVBoxLayout(self)
        column.setContentsMargins(12, 2, 10, 6)
        column.setSpacing(3)
        self.nodes = self._slider("Resolution", COUNT, (FEWEST, MOST), 32.0, "set_limit_grid", self._counts)
        self.nodes.setToolTip("Nodes of the grid along each angle. Twice as many take eight times the memory")
        self.along = [self._along(axis) for axis in range(MOST_ANGLES)]
        self.margin = self._slider("Margin", ANGLE, (0.0, math.radians(60.0)), 0.0, "set_limit_margin", _margin)
        self.margin.setToolTip("What lies this near the range is allowed, too\nΦ(p) ≤ ε")
        self.torque = self._slider("Resistance", TORQUE, (0.0, 500.0), 0.0, "set_limit_resistance", _torque)
        self.torque.setToolTip("The torque that resists at the boundary, rising from nothing at the onset")
        self.onset = self._slider("Onset", ANGLE, (0.0, math.radians(60.0)), 0.2, "set_limit_resistance", self._onset)
        self.onset.setToolTip("How far inside the boundary the resistance begins")
        for each in (self.nodes, *self.along, self.margin, self.torque, self.onset):
            column.addWidget(each)

    def show_limit(self, figure: Figure, limit: Limit) -> None:
        """Show the numbers of a limit as it is."""
        most, names = MOST if len(limit.dofs) <= 3 else MOST_OF_MANY, names_of(figure, limit)
        for axis, slider in enumerate(self.along):
            slider.setVisible(len(names) > 1 and axis < len(names))
            if axis < len(names):
                slider.set_label(f"... along {names[axis]}")
                slider.setAccessibleName(f"Limit, resolution along {names[axis]}")
                self._hands[slider].show(float(limit.grid.counts[axis]))
        for slider in (self.nodes, *self.along):
            slider.set_limits(FEWEST, max(most, float(max(limit.grid.counts))))
            slider.setEnabled(not isinstance(limit.range, GridRange))
        for slider, value in (
            (self.nodes, float(max(limit.grid.counts))),
            (self.margin, limit.margin),
            (self.torque, limit.resistance),
            (self.onset, limit.onset),
        ):
            self._hands[slider].show(value)

    def _slider(
        self,
        label: str,
        unit: Unit,
        ends: tuple[float, float],
        rest: float,
        name: str,
        arguments: Callable[[float], dict[str, object]],
    ) -> ValueSlider:
        slider = ValueSlider(label, unit=unit)
        slider.setAccessibleName(f"Limit, {label.lower()}")
        slider.set_limits(*ends)
        slider.set_rest(rest)

        def make(value: float) -> Edit:
            owner, limit = self._current.owner, self._current.limit
            assert owner is not None, "shown only for one"
            assert limit is not None, "shown only for one"
            return edit(name, actor=owner.id, limit=limit.id, **arguments(value))

        self._hands[slider] = Hand(self._session, slider, label=f"Set {label.lower()} of limit", make_edit=make)
        return slider

    def _counts(self, value: float) -> dict[str, object]:
        limit = self._current.limit
        return {"counts": (max(round(value), 2),) * (0 if limit is None else len(limit.dofs))}

    def _along(self, axis: int) -> ValueSlider:
        """Make the slider of the nodes along one angle alone."""

        def counts(value: float) -> dict[str, object]:
            limit = self._current.limit
            old = () if limit is None else limit.grid.counts
            return {"counts": (*old[:axis], max(round(value), 2), *old[axis + 1 :])}

        slider = self._slider(f"... along angle {axis + 1}", COUNT, (FEWEST, MOST), 32.0, "set_limit_grid", counts)
        slider.setToolTip("Nodes of the grid along this angle alone")
        return slider

    def _onset(self, value: float) -> dict[str, object]:
        limit = self._current.limit
        return {"resistance": 0.0 if limit is None else limit.resistance, "onset": value}


def _margin(value: float) -> dict[str, object]:
    return {"margin": value}


def _torque(value: float) -> dict[str, object]:
    return {"resistance": value}
