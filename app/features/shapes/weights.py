"""WeightSliders: a slider for each shape of a surface that is searched for, with a button that keys it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.session import Session
from app.session.gesture import EditOrCommand
from app.session.hand import Hand
from app.style.icon_button import IconButton
from app.style.units import Unit
from app.style.value_slider import ValueSlider
from engine.document.motion import Key
from engine.shapes.parts import BlendShape

WEIGHT = Unit(suffix="", words="", scale=1.0, decimals=2, step=0.05, coarse=0.25)
MOST = 60  # sliders that are made at once


class WeightRow(QWidget):
    """One shape."""

    def __init__(
        self,
        session: Session,
        shape: BlendShape,
        make_edit: Callable[[float], EditOrCommand],
        toggle_key: Callable[[], None] | None,
        offer: Callable[[WeightRow], None] | None,
    ) -> None:
        super().__init__()
        self.shape = shape
        self.slider = ValueSlider(shape.name, unit=WEIGHT)
        self.slider.setAccessibleName(f"Weight of {shape.name}")
        self.hand = Hand(session, self.slider, label=f"Set {shape.name}", make_edit=make_edit)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(4)
        line.addWidget(self.slider, 1)
        self.key: IconButton | None = None
        if toggle_key is not None:
            self.key = IconButton("key-round", f"Key {shape.name} at the playhead, or take its key away")
            self.key.setCheckable(True)
            self.key.clicked.connect(toggle_key)
            line.addWidget(self.key)
        self.more: IconButton | None = None
        if offer is not None:
            self.more = IconButton("ellipsis", f"More of {shape.name}: its name, how its keys go on, remove it")
            self.more.clicked.connect(lambda: offer(self))
            line.addWidget(self.more)

    def show_shape(self, shape: BlendShape, weight: float, key: Key | None) -> None:
        """Show the present weight, and whether it is keyed here."""
        self.shape = shape
        self.slider.set_label(shape.name)
        self.slider.set_limits(shape.least, shape.most)
        how = "Keyed: a drag sets a key at the playhead" if shape.track is not None else "The same at all times"
        muted = "\nLeft out" if shape.mute else ""
        self.slider.setToolTip(f"{how}\nFrom {shape.least:g} to {shape.most:g}{muted}")
        self.hand.show(weight)
        if self.key is not None:
            self.key.setChecked(key is not None)


class WeightSliders(QWidget):
    """The shapes of a surface, as far as they are searched for."""

    def __init__(
        self,
        session: Session,
        make_edit: Callable[[str, float], EditOrCommand | None],
        toggle_key: Callable[[str], None] | None = None,
        offer: Callable[[WeightRow], None] | None = None,
    ) -> None:
        super().__init__()
        self._session, self._make_edit = session, make_edit
        self._toggle_key, self._offer = toggle_key, offer
        self.rows: dict[str, WeightRow] = {}
        self.more = QLabel(wordWrap=True)
        self.more.setProperty("quiet", True)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(3)
        self._column.addWidget(self.more)

    def show_shapes(
        self,
        shapes: Sequence[BlendShape],
        weight_of: Callable[[BlendShape], float],
        key_of: Callable[[BlendShape], Key | None] = lambda shape: None,
    ) -> None:
        """Show these shapes, in their order."""
        seen = shapes[:MOST]
        if list(self.rows) != [each.id for each in seen]:
            self._lay_out(seen)
        for shape in seen:
            self.rows[shape.id].show_shape(shape, weight_of(shape), key_of(shape))
        left = len(shapes) - len(seen)
        self.more.setText(f"{left} more: search for them by name." if left else "")
        self.more.setVisible(bool(left))

    def settle(self) -> None:
        """After trouble: show what the document holds."""
        for row in self.rows.values():
            row.hand.settle()

    def _lay_out(self, shapes: Sequence[BlendShape]) -> None:
        kept = {each.id for each in shapes}
        for id in [id for id in self.rows if id not in kept]:
            row = self.rows.pop(id)
            self._column.removeWidget(row)
            row.deleteLater()
        made = {each.id: self.rows.get(each.id) or self._row(each) for each in shapes}
        for place, row in enumerate(made.values()):
            if self._column.indexOf(row) != place:
                self._column.insertWidget(place, row)
        self.rows = made

    def _row(self, shape: BlendShape) -> WeightRow:
        id, toggle = shape.id, self._toggle_key

        def make(value: float) -> EditOrCommand:
            found = self._make_edit(id, value)
            assert found is not None, "a slider that is seen has something to set"
            return found

        return WeightRow(self._session, shape, make, None if toggle is None else lambda: toggle(id), self._offer)
