"""ShapesPanel: the dock of blend shapes: a slider for each, secondary motion, targets."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.features.form import EditForm
from app.features.shapes.current_surface import CurrentSurface
from app.features.shapes.shape_menu import ShapeMenu
from app.features.shapes.targets import ShapeTargetsSection
from app.features.shapes.weights import WeightRow, WeightSliders
from app.features.shapes.words import motion_text
from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.icon_button import IconButton
from app.style.scrolled import fill_scrolled
from app.style.search_field import SearchField
from app.style.section import FoldedSection
from engine.runtime.options import described
from engine.shapes.parts import ShapeMotion

NOTHING = "Add a face (Add > Face) or a mesh with shapes (Add > Mesh with blend shapes): its shapes are set here."
FROZEN = "{name} is frozen: thaw it in the outliner to change it."
NO_SHAPES = "{name} has no shapes yet. Animate > Blend shapes > Add shape from file reads one."
SEARCHED = 6  # shapes from which on there is a search


class ShapesPanel(Following):
    """The dock."""

    title = "Blend shapes"
    help_text = """
<p>A surface is its base and weighted <b>shapes</b>: smile, frown, jaw open. Drag a slider to set one; the key beside it
keys the weight at the playhead, and from then on the slider sets keys. {shapes.key_all} keys all of them. Keys stand in
rows of the timeline, where they are dragged.</p>
<p>With <b>Secondary motion</b> on the surface follows its keys, and the joint that carries it, loosely: cheeks come a
little late, swing past and sag. Control points are masses on springs (tension, damping); <b>Keeps its shape</b> is how
stiffly a cluster of them goes back to its keyed form, wherever it has swung to. Every frame is worked out by itself
over the <b>window</b> before it, so any key may change at any time; Suggest window finds how long that must be for what
is played.</p>
<p><b>Reach this here</b> sets a target: at that time the surface is exactly as it is keyed, or as you give it: a smile,
a head that is tilted, standing still if you ask for it. The keys are corrected around it, within its eases, and it is
met again after each change. What cannot be met says why, and by how much.</p>
<p>A vertex is where the surface at rest has it, moved by every shape as much as that weighs:</p>
<p class="equation">x = x₀ + Σ w<sub>i</sub> d<sub>i</sub></p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._current = session, session.of(CurrentSurface)
        self.name = ElidedLabel()
        self.key_all = IconButton("key-round", "Key all shapes at the playhead", action="shapes.key_all")
        self.key_all.clicked.connect(self._current.key_all)
        self.about = QLabel(wordWrap=True)
        self.about.setProperty("quiet", True)
        self.search = SearchField("Search shapes")
        self.search.textChanged.connect(lambda _: self.refresh())
        self.weights = WeightSliders(session, self._current.weight_edit, self._current.toggle_key, self._offer)
        self.on = QCheckBox("On")
        self.on.setAccessibleName("Secondary motion of the surface")
        self.on.setToolTip("Let the surface follow its keys as a soft one does")
        self.on.clicked.connect(lambda on: self._current.do("set_shape_motion", on=on))
        self.form = EditForm(session, described(ShapeMotion()), self._current.motion_edit, plays_on=True)
        self.told = QLabel(wordWrap=True)
        self.told.setProperty("quiet", True)
        self.suggest = QPushButton("Suggest window")
        self.suggest.setToolTip("The window that forgets less than half a millimetre of what is played (5.6)")
        self.suggest.clicked.connect(self._current.suggest_window)
        self.targets: ShapeTargetsSection | None = None
        self.menu: ShapeMenu | None = None  # the one that was opened last
        self.sections = {
            "motion": FoldedSection("Secondary motion", self._build_motion),
            "targets": FoldedSection("Targets", self._build_targets),
        }
        self._arrange()
        self.sections["motion"].header.set_unfolded(True)
        self.sections["targets"].header.set_unfolded(True)
        self._current.changed.connect(self.follow)
        self._current.told_changed.connect(self.follow)
        session.playhead_moved.connect(lambda _: self.follow())
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(300, 560)

    def set_seen(self, seen: bool) -> None:
        """Ask for weights and misses only while they are seen."""
        super().set_seen(seen)
        self._current.watch(seen)

    def refresh(self) -> None:
        """Show the surface that is meant."""
        current, owner, surface = self._current, self._current.owner, self._current.surface
        self.name.set_text("No surface" if owner is None else owner.name)
        there = owner is not None and surface is not None
        shapes = () if surface is None else surface.shapes
        self.about.setText(self._words())
        self.about.setVisible(bool(self.about.text()))
        self.key_all.setEnabled(bool(shapes) and current.may_change)
        self.search.setVisible(len(shapes) >= SEARCHED)
        wanted = self.search.text().strip().casefold()
        found = [each for each in shapes if wanted in each.name.casefold()]
        self.weights.show_shapes(found, current.weight, current.key_at_playhead)
        self.weights.setEnabled(current.may_change)
        self.on.setChecked(current.motion.on)
        self.on.setEnabled(current.may_change)
        for section in self.sections.values():
            section.setVisible(there)
            section.setEnabled(current.may_change)
        self.form.show_values(current.motion)
        self.form.setEnabled(current.motion.on)
        self.told.setText(motion_text(current.told))
        self.told.setVisible(bool(self.told.text()))
        self.sections["motion"].header.set_summary(f"{current.motion.tension:.3g} Hz" if current.motion.on else "off")
        count = 0 if surface is None else len(surface.targets)
        self.sections["targets"].header.set_summary("none" if not count else str(count))

    def _words(self) -> str:
        owner, surface = self._current.owner, self._current.surface
        if owner is None or surface is None:
            return NOTHING
        if owner.frozen:
            return FROZEN.format(name=owner.name)
        return "" if surface.shapes else NO_SHAPES.format(name=owner.name)

    def _offer(self, row: WeightRow) -> None:
        """Open the menu of a shape."""
        self.menu = ShapeMenu(self._current, row.shape, self)
        place = row if row.more is None else row.more
        self.menu.popup(place.mapToGlobal(place.rect().bottomLeft()))

    def _build_motion(self) -> QWidget:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(4)
        for widget in (self.on, self.form, self.told, self.suggest):
            column.addWidget(widget)
        return inside

    def _build_targets(self) -> QWidget:
        found = self.targets = ShapeTargetsSection(self._session)
        return found

    def _arrange(self) -> None:
        ground = QWidget()
        make_panel(ground)
        inside = QVBoxLayout(ground)
        inside.setContentsMargins(12, 6, 12, 12)
        inside.setSpacing(4)
        line = QHBoxLayout()
        line.setSpacing(6)
        line.addWidget(self.name, 1)
        line.addWidget(self.key_all)
        inside.addLayout(line)
        for widget in (self.about, self.search, self.weights, *self.sections.values()):
            inside.addWidget(widget)
        inside.addStretch(1)
        self.area = fill_scrolled(self, ground)
