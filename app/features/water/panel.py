"""WaterPanel: the tank that is meant: its domain, its water, what moves it, how it is computed, what is seen."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.features.sheet_form import quiet
from app.features.water.current_water import CurrentWater
from app.features.water.fields import OF_SECTION, WaterFields, idle_rows, shape_name
from app.features.water.size_fields import TankSizeFields
from app.features.water.words import about, baked_text, grid_text, pace_text, said_text, volume_text
from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.row import row_of
from app.style.scrolled import scrolled_column
from app.style.section import FoldedSection
from engine.document.extent import play_extent
from engine.document.ticks import ticks_per_frame
from engine.water.parts import WaterTank


class WaterPanel(Following):
    """The dock."""

    title = "Water"
    action_asked = Signal(str)  # id of an action
    help_text = """
<p><b>Add > Water tank</b> puts a box of water onto the floor. Play, and it falls, flows and splashes. Actors with
shapes that stand or move in it push it; those that physics simulates float in it, sink, or are carried away.</p>
<p><b>Drag</b> a side of the box in a view to make the tank larger or smaller; drag its middle to put it elsewhere. The
numbers below say how large its grid is, what it takes of memory and of time.</p>
<p><b>Water</b> has the shape with which it begins: still, a dam, a drop or a wave. <b>Waves</b> has a wave maker and a
current, which comes and goes where the ends are open. <b>Method</b> chooses how it is computed; the choices can be
compared on one scene. A <b>height field</b> is for ponds, wide and calm; a <b>planar</b> tank is one cell deep, and
what crosses its plane is a prism to it.</p>
<p><b>Look</b> lays a slice through the tank, coloured by speed or pressure, and arrows of the velocity.</p>
<p>A coarse tank plays while its numbers are changed. A fine one is <b>baked</b>: worked out by a process of its own,
kept on the disk and read from there, so that it plays and scrubs at once. A bake that is cancelled or killed goes on
where it was. After a change that moves the water it is baked anew; after Undo the former bake counts again.</p>
<p>What is solved in the cells that are wet, with the surface carried along as the zeros of φ:</p>
<p class="equation">∂u/∂t + (u·∇) u = −∇p / ρ + ν ∇²u + g, &nbsp;&nbsp; ∇·u = 0, &nbsp;&nbsp; ∂φ/∂t + u·∇φ = 0</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._state = session, session.of(CurrentWater)
        self.name = ElidedLabel()
        self.about, self.grid, self.pace = quiet(), quiet(), quiet()
        self.volume, self.baked = quiet(), quiet()
        self.said = QLabel(wordWrap=True)
        self.said.setProperty("warned", True)
        self.size_fields = TankSizeFields(session, self._state.edit_tank)
        self.begin_here = IconButton("crosshair", "Start at the playhead", action="water.begin_here")
        self.begin_here.clicked.connect(self._state.begin_here)
        self.forms: dict[str, WaterFields] = {}
        self.sections = {
            name: FoldedSection(title, lambda name=name: self._build(name))  # type: ignore[misc]
            for name, title in (
                ("domain", "Domain"), ("water", "Water"), ("waves", "Waves"), ("method", "Method"), ("look", "Look"),
            )
        }  # fmt: skip
        self.bake, self.cancel, self.unbake = QPushButton("Bake"), QPushButton("Cancel"), QPushButton("Remove bake")
        self.bar, self.left = QProgressBar(), QLabel()
        self._connect()
        self._arrange()
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 560)

    def set_seen(self, seen: bool) -> None:
        """Ask the engine only while the panel is seen."""
        super().set_seen(seen)
        self._state.watch(seen)

    def refresh(self) -> None:
        """Show the tank that is meant."""
        state, owner, tank = self._state, self._state.owner, self._state.tank
        self.name.set_text("No water" if owner is None else owner.name)
        self.about.setText(about(owner, tank, any_tank=state.any, alone=len(self._session.shown.actors) == 1))
        self._own.setVisible(tank is not None)
        self._foot.setVisible(tank is not None)
        if tank is None:
            return
        self.grid.setText(grid_text(tank))
        self.size_fields.show_tank(tank)
        for name, form in self.forms.items():
            self._show(name, form, tank)
        self.sections["water"].header.set_summary(shape_name(tank))
        self.sections["waves"].header.set_summary("" if tank.stroke == 0.0 and tank.current == 0.0 else "on")
        self.sections["look"].header.set_summary("" if tank.slice == "none" else tank.slice)
        for widget in (self.size_fields, self.begin_here, *self.forms.values()):
            widget.setEnabled(state.may_change)
        self.tell()

    def tell(self) -> None:
        """Show what the engine says of it, and how far its bake is."""
        report, tank, baking = self._state.report, self._state.tank, self._state.baking
        if tank is None:
            return
        frames = self._frames
        self.pace.setText(pace_text(tank, self._session.shown.rate, report, frames))
        for label, text in (
            (self.volume, volume_text(report)),
            (self.said, said_text(report)),
            (self.baked, baked_text(report, frames)),
        ):
            label.setText(text)
            label.setVisible(bool(text))
        running = baking.running
        self.bake.setVisible(not running)
        self.bake.setEnabled(baking.may_start)
        self.unbake.setVisible(not running and self._state.is_baked)
        self.cancel.setVisible(running)
        self.bar.setVisible(running)
        self.bar.setValue(round(1000 * baking.share))
        self.left.setVisible(running)
        self.left.setText(baking.left_text)

    @property
    def _frames(self) -> int:
        """How many frames are played from the start of the water on."""
        document, tank = self._session.shown, self._state.tank
        start = 0 if tank is None else tank.start
        return max(int((play_extent(document)[1] - start) // ticks_per_frame(document.rate)) + 1, 1)

    def _show(self, name: str, form: WaterFields, tank: WaterTank) -> None:
        form.show_tank(tank)
        idle = idle_rows(tank)
        for row in OF_SECTION[name]:
            form.set_row_visible(row, row not in idle)

    def _build(self, name: str) -> QWidget:
        form = self.forms[name] = WaterFields(self._session, OF_SECTION[name], self._state.edit_tank)
        tank = self._state.tank
        if tank is not None:
            self._show(name, form, tank)
            form.setEnabled(self._state.may_change)
        if name != "domain":
            return form
        made = QWidget()
        column = QVBoxLayout(made)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        for widget in (
            self.size_fields,
            form,
            row_of(QLabel("Start at the playhead"), self.begin_here, narrow=IconButton),
        ):
            column.addWidget(widget)
        return made

    def _connect(self) -> None:
        state = self._state
        self.bake.setToolTip("Bake the frames that are played to the disk, in the background")
        self.cancel.setToolTip("End it; what is baked is kept, and it goes on from there the next time")
        self.unbake.setToolTip("Delete the baked frames from the disk")
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How far the bake is")
        self.bake.clicked.connect(state.bake)
        self.cancel.clicked.connect(state.baking.cancel)
        self.unbake.clicked.connect(state.remove_bake)
        state.changed.connect(self.follow)
        state.reported.connect(lambda: self.tell() if self._seen else None)

    def _arrange(self) -> None:
        inside = scrolled_column(self)
        self._own = QWidget()
        own = QVBoxLayout(self._own)
        own.setContentsMargins(0, 0, 0, 0)
        own.setSpacing(4)
        for widget in (self.grid, self.pace, self.volume, self.said, *self.sections.values()):
            own.addWidget(widget)
        self._foot = QWidget()  # stays in sight while the rest is scrolled
        foot = QVBoxLayout(self._foot)
        foot.setContentsMargins(12, 4, 12, 8)
        foot.setSpacing(4)
        for widget in (self.baked, row_of(self.bake, self.unbake, self.cancel), self.bar, self.left):
            foot.addWidget(widget)
        for widget in (self.name, self.about, self._own):
            inside.addWidget(widget)
        inside.addStretch(1)
        below = self.layout()
        assert below is not None
        below.addWidget(self._foot)
        for name in ("domain", "water"):
            self.sections[name].header.set_unfolded(True)
