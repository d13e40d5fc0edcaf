"""LightPanel: the three lights of the scene, its background and floor, and the finish of the selected actor."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QWidget

from app.features.form import EditForm
from app.features.light.state import LightState
from app.session import Session
from app.style.colour_button import ColourButton
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.scrolled import scrolled_column
from engine.edits import Edit
from engine.lighting.parts import Finish, Lighting
from engine.runtime.options import described

USUAL = "The key goes with each view, from above its left shoulder."
NO_ACTOR = "Select an actor to give it a colour."
NONE, FLOOR, BACKGROUND, CLAY = "As the theme has it", "#8a8f98", "#34373c", "#c9bfb4"


class LightPanel(Following):
    """The dock."""

    title = "Light"
    help_text = """
<p>Switch <b>Own lights</b> on and the scene keeps its lights, whatever view shows it: a key, which casts the shadows, a
fill, which softens its dark side, a rim at the edges, and the sky, of which notches have less. <b>Key from</b> and
<b>Height of the key</b> turn all three, and so does the ball on the dome in the views, which is dragged. <b>Lights go
with the view</b> lets them stand beside the camera, as the figure of a turntable turns under fixed lights. Off, the key
goes with each view, as in a new scene.</p>
<p>A <b>Floor</b> of a colour fades into the background, or ends at a horizon. <b>Colour</b> and <b>Roughness</b> are
those of the selected actor; surfaces that bring colours of their own keep them.</p>
<p>A shadow on the floor is sharp at a foot and wide at a head: its edge is w wide to each side, where g is how far what
casts it is away along the light, and s the <b>Softness</b>, half of the angle over which the key is seen:</p>
<p class="equation">w = g tan s</p>
<p>The key reaches a little around bodies, as a large light does, and counts by how much of it is seen, v; the sky by
how open a place is, o; fill and rim come on top. Of a surface of colour c, whose normal is n, is seen</p>
<p class="equation">c (E v k² + S(n) o + &hellip;), &nbsp;&nbsp; k = max((n &middot; l + 0.3) / 1.3, 0)</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._state = session, session.of(LightState)
        self.on = QCheckBox("Own lights")
        self.on.setToolTip("Keep lights, background and floor with the scene")
        self.on.clicked.connect(lambda on: self._state.switch(on=on))
        self.studio = QPushButton("Studio")
        self.studio.setToolTip("Lights beside the camera, and a grey floor that fades into the background")
        self.studio.clicked.connect(self._state.set_studio)
        self.about = QLabel(USUAL, wordWrap=True)
        self.about.setProperty("quiet", True)
        self.lights = EditForm(session, described(Lighting()), self._state.edit_light)
        self.background = self._colour("Background", NONE, "Colour behind everything", BACKGROUND, "background")
        self.floor = self._colour("Floor", "None but the grid", "Colour of the ground", FLOOR, "floor")
        self.name = ElidedLabel()
        self.finish = EditForm(session, described(Finish()), self._state.edit_finish)
        self.colour = ColourButton("Colour", "As all figures", "Colour of the selected actor", CLAY)
        self.colour.chosen.connect(lambda colour: self._do(self._state.edit_finish("colour", colour)))
        self._arrange()
        self._state.changed.connect(self.follow)
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 400)

    def refresh(self) -> None:
        """Show the lights as they are, and the finish of the actor that is meant."""
        own, owner = self._state.own, self._state.owner
        self.on.setChecked(own is not None)
        self.about.setVisible(own is None)
        for widget in (self.lights, self.background, self.floor):
            widget.setEnabled(own is not None)
        shown = own or Lighting()
        self.lights.show_values(shown)
        self.background.show_colour(shown.background)
        self.floor.show_colour(shown.floor)
        self.lights.set_row_visible("horizon", bool(shown.floor))
        self.name.set_text(NO_ACTOR if owner is None else owner.name)
        for widget in (self.finish, self.colour):
            widget.setVisible(owner is not None)
            widget.setEnabled(owner is not None and not owner.frozen)
        self.finish.show_values(self._state.finish)
        self.colour.show_colour(self._state.finish.colour)

    def _colour(self, name: str, none: str, tip: str, first: str, field: str) -> ColourButton:
        button = ColourButton(name, none, tip, first)
        button.chosen.connect(lambda colour: self._do(self._state.edit_light(field, colour)))
        return button

    def _do(self, change: Edit | None) -> None:
        if change is not None:
            self._session.do(change)

    def _arrange(self) -> None:
        inside = scrolled_column(self)
        line = QHBoxLayout()
        line.addWidget(self.on, 1)
        line.addWidget(self.studio)
        inside.addLayout(line)
        for widget in (self.about, self.lights, self.background, self.floor):
            inside.addWidget(widget)
        inside.addSpacing(10)
        inside.addWidget(self.name)
        inside.addWidget(self.colour)
        inside.addWidget(self.finish)
        inside.addStretch(1)
