"""LimitsPanel: the limit of the selected joint in Euler space, turned, sliced and brushed; and the table of all."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QSplitter,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from app.features.limits.brushing import BrushBar
from app.features.limits.current_limit import CurrentLimit
from app.features.limits.fields import RegionFields, SliceFields
from app.features.limits.flat import FlatView
from app.features.limits.numbers import RangeFields
from app.features.limits.region import LimitRegionView, show_region
from app.features.limits.sphere import SphereView
from app.features.limits.table import LimitRows, LimitTable
from app.session import Session
from app.style.elided_label import ElidedLabel
from app.style.following import Following
from app.style.grounds import make_panel
from app.style.hint import paint_hint
from app.style.icon_button import IconButton
from app.style.name_field import NameField
from app.style.section import FoldedSection
from engine.document.limit import PolygonRange
from engine.edits import edit

BUTTONS = (
    ("film", "Build limits from clips", "limit.build"),
    ("box", "Limit from the lower and upper limits of the hinges", "limit.box"),
    ("triangle", "Limit from a cone of swing and twist", "limit.cone"),
    ("pentagon", "Limit from a polygon on the sphere", "limit.polygon"),
    ("magnet", "Shrink a sphere onto the limit", "limit.wrap"),
    ("flip-horizontal-2", "Mirror the limit to the other side", "limit.mirror"),
    ("folder-open", "Import a mesh or a field", "limit.import"),
    ("save", "Export the limit as a mesh or a field", "limit.export"),
    ("trash-2", "Remove the limit", "limit.remove"),
)
SELECT = "Select a joint: where it may turn is shown here."
NONE = "This joint has no limit over its angles together. Build one from clips, from its box or from a cone."
NO_HINGES = "What is selected has no hinges to limit."
NO_PICTURE = "There is no 3D picture to show it in. The table and all else work."


class LimitsPanel(Following):
    """The limits of one figure."""

    title = "Joint limits"
    action_asked = Signal(str)  # id of an action
    help_text = """
<p>Which angles a joint may have together, as a region of its Euler space: an axis for each hinge, in degrees. A limit
that is on holds for every drag, in place of the lower and upper limit of each hinge.</p>
<p><b>Build</b> one from what clips do, from the hinges' own limits or from a cone; shrink a sphere onto it to fill
what is between; or import a mesh (OBJ) from a modeller.</p>
<p><b>Drag</b> to turn it, the wheel zooms, a double click shows all of it. The colours of a slice tell how far inside
or outside it is, with a band every 10 degrees. The dot is the pose; outside it is amber, and an arrow leads to the
nearest pose that is allowed.</p>
<p>With a <b>brush</b> a drag over the surface pulls, pushes or smooths it: one stroke, one undo. Escape drops it.
Beside the surface a drag still turns the view.</p>
<p>The figure symbol shows on the body where the bone can point, the globe shows it as a map of the sphere about a joint
of three hinges, seen from outside: rings every 30 degrees, dots where the bone was. A <b>polygon</b> is shaped there:
drag a corner; press on a side for one more; Delete takes the chosen one away, arrow keys move it. Its twist, and all
numbers of boxes and cones, stand under <b>Range</b>; nodes along each angle under <b>Region</b>.</p>
<p>A region is its signed distance φ [rad] in Euler space. A pose is allowed, or goes to the nearest that is:</p>
<p class="equation">φ(q) ≤ 0, &nbsp;&nbsp; q ← q − φ ∇φ / |∇φ|²</p>
"""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        make_panel(self)
        self._session, self._current = session, session.of(CurrentLimit)
        self.make_region: Callable[[], LimitRegionView | None] | None = None  # once there are views
        self.region: LimitRegionView | None = None
        self._tried = False
        self.flat, self.sphere, self.nothing = FlatView(), SphereView(), _Nothing()
        self.name = NameField("Name of the limit", lambda name: self._current.do("rename_limit", name=name))
        self.state = ElidedLabel(colour="text_quiet")
        self.notes = QLabel(wordWrap=True)  # what is doubtful about the samples
        self.notes.setProperty("quiet", True)
        self.notes.setContentsMargins(12, 0, 12, 2)
        self.body = IconButton("person-standing", "Show on the body where the bone can point", action="limit.on_body")
        self.body.setCheckable(True)
        self.map = IconButton("globe", "Show where the bone may point, as a map of the sphere", action="limit.sphere")
        self.map.setCheckable(True)
        self.on = IconButton("lock", "Let the limit hold", action="limit.toggle")
        self.on.setCheckable(True)
        self.buttons = {action: IconButton(name, tip, action=action) for name, tip, action in BUTTONS}
        self.brush = BrushBar(self._current)
        self.rows = LimitRows(self)
        self.table = LimitTable(self.rows)
        self.slices, self.fields, self.numbers = SliceFields(session), RegionFields(session), RangeFields(session)
        self._drawn: object = None
        self._seen, self._behind = False, True  # until its dock says so
        self._arrange()
        self._connect()
        self.refresh()

    def sizeHint(self) -> QSize:
        return QSize(320, 640)

    def set_seen(self, seen: bool) -> None:
        """Compute the panel's contents only while it is seen."""
        super().set_seen(seen)
        self._current.watch(seen)

    def refresh(self) -> None:
        """Show the limit that is meant, its picture and the table."""
        current = self._current
        limit, picture = current.limit, current.picture
        self.name.show_name(self._title())
        self.name.setReadOnly(limit is None)
        self.on.setChecked(limit is not None and limit.on)
        self.body.setChecked(current.on_body)
        self.map.setChecked(current.pointing.shown)
        self._enable()
        whole = limit is not None and picture is not None and picture.limit.id == limit.id
        self._sections.setVisible(whole)
        self.brush.setVisible(whole and not current.pointing.shown)
        notes = picture.notes if whole and picture is not None else ()
        self.notes.setText("\n".join(f"{note[0].upper()}{note[1:]}." for note in notes))
        self.notes.setVisible(bool(notes))
        if limit is not None and current.owner is not None:
            figure = current.owner.figure
            self.fields.show_limit(figure, limit)
            self.numbers.show_limit(figure, limit)
            self._folds["Range"].setVisible(self.numbers.any)
            self._folds["Slices"].setVisible(len(limit.dofs) > 2 and not current.pointing.shown)
        if whole and picture is not None and picture is not self._drawn:
            self._drawn = picture
            self.brush.show_hinges(picture.hinges)
            self.slices.show_picture(picture)
            if len(picture.hinges) == 3 and self._view() is not None:
                show_region(self._view(), picture)  # type: ignore[arg-type]
            elif len(picture.hinges) != 3:
                self.flat.show_picture(picture)
        self._show_page(len(limit.dofs) if limit is not None and whole else 0)
        self._show_map()
        self._show_standing()
        self._show_rows()

    def _title(self) -> str:
        current = self._current
        if current.limit is not None:
            return current.limit.name
        return current.joint.name if current.joint is not None else "No joint"

    def _show_page(self, angles: int) -> None:
        current = self._current
        if current.pointing.shown:
            self._pages.setCurrentWidget(self.sphere)
        elif angles == 3 and self._view() is not None:
            self._pages.setCurrentWidget(self._view().as_widget())  # type: ignore[union-attr]
        elif angles and angles != 3:
            self._pages.setCurrentWidget(self.flat)
        else:
            self._pages.setCurrentWidget(self.nothing)
            state = self._session.engine_state
            self.nothing.say(
                f"{state.text}. Limits are shown when it is done."
                if not state.ready
                else NO_PICTURE
                if angles
                else current.problem
                if current.limit is not None
                else NONE
                if current.joint is not None
                else NO_HINGES
                if self._session.selection.active is not None and self._session.selection.active.part
                else SELECT
            )

    def _view(self) -> LimitRegionView | None:
        """Return the view of three angles, made when it is first needed: it brings OpenGL."""
        if not self._tried and self.make_region is not None:
            self._tried = True
            self.region = self.make_region()
            if self.region is not None:
                self._pages.addWidget(self.region.as_widget())
                self.region.broken.connect(self._lose_view, Qt.ConnectionType.QueuedConnection)
                self.region.stroke_moved.connect(self._current.draw_stroke)
                self.region.stroke_ended.connect(lambda keep: self._current.end_stroke(keep=keep))
                self._show_brush()
        return self.region

    def _lose_view(self, why: str) -> None:
        """OpenGL cannot draw it after all."""
        self._session.note("error", why)
        self.region = None
        self.refresh()

    def _show_brush(self) -> None:
        brush = self._current.brush
        radius = None if brush.kind is None else brush.radius
        self.flat.set_brush(radius)
        if self.region is not None:
            self.region.set_brush(radius)

    def _show_standing(self) -> None:
        current = self._current
        standing, limit = current.standing, current.limit
        outside = standing is not None and standing.value > 0.0
        target = standing.nearest if standing is not None and outside else None
        if standing is not None and current.angles != standing.angles:
            target = None  # of a pose before
        picture = current.picture
        if picture is not None and limit is not None and picture.limit.id == limit.id:
            pose, trail = current.angles, current.trail
            seen = None if pose is None else picture.seen(pose)
            there = None if target is None or seen is None else picture.seen(target, near=seen)
            view = self.region if len(limit.dofs) == 3 else self.flat
            if view is not None:
                view.show_pose(seen, there, [picture.seen(each) for each in trail])
        if standing is None or limit is None:
            self.state.set_text("")
        else:
            degrees = f"{abs(math.degrees(standing.value)):.1f}°"
            self.state.set_text(f"outside by {degrees}" if outside else f"inside, {degrees} from the boundary")
            self.state.set_colour("warning" if outside else "text_quiet")

    def _show_map(self) -> None:
        """Show the sphere, unless a corner of it is dragged."""
        current, found = self._current, self._current.pointing.picture
        limit = current.limit
        if not current.pointing.shown or limit is None or current.owner is None:
            return
        if not current.pointing.busy:
            self.sphere.show_corners(limit.range.corners if isinstance(limit.range, PolygonRange) else ())
        if found is not None and (found.wanted.actor, found.wanted.limit) == (current.owner.id, limit.id):
            standing = current.standing
            self.sphere.show_map(found.map)
            self.sphere.show_pose(found.pose, outside=standing is not None and standing.value > 0.0)

    def _tell(self, fault: str) -> None:
        """Show the problem of a polygon while it is dragged."""
        if fault:
            self.state.set_text(fault)
            self.state.set_colour("warning")
        else:
            self._show_standing()

    def _show_rows(self) -> None:
        self.rows.show_rows(self._current.rows)
        self.table.setVisible(bool(self.rows.rows))
        self.table.light("" if self._current.limit is None else self._current.limit.id)

    def _enable(self) -> None:
        current, ready = self._current, self._session.engine_state.ready
        has_limit, has_joint = current.limit is not None, current.joint is not None
        needs_limit = ("limit.mirror", "limit.export", "limit.remove")
        for action, button in self.buttons.items():
            button.setEnabled(ready and (has_limit if action in needs_limit else has_joint))
        self.buttons["limit.build"].setEnabled(ready and current.owner is not None)
        self.buttons["limit.wrap"].setEnabled(ready and current.can_wrap)
        for action in ("limit.cone", "limit.polygon"):
            self.buttons[action].setEnabled(ready and current.is_ball)
        self.on.setEnabled(has_limit)
        self.map.setEnabled(current.pointing.fits)

    def _arrange(self) -> None:
        head = QHBoxLayout()
        head.setContentsMargins(12, 6, 8, 0)
        head.setSpacing(4)
        head.addWidget(self.name, 1)
        for button in (self.on, self.map, self.body):
            head.addWidget(button)
        bar = QHBoxLayout()
        bar.setContentsMargins(8, 0, 8, 0)
        bar.setSpacing(2)
        for button in self.buttons.values():
            bar.addWidget(button)
        bar.addStretch(1)
        stage = QWidget()
        self._pages = QStackedLayout(stage)
        for page in (self.nothing, self.flat, self.sphere):
            self._pages.addWidget(page)
        line = QHBoxLayout()
        line.setContentsMargins(12, 0, 12, 0)
        line.addWidget(self.state, 1)
        upper, lower = QWidget(), QWidget()
        for part in (upper, lower):
            make_panel(part)
        column = QVBoxLayout(upper)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(3)
        column.addLayout(head)
        column.addLayout(bar)
        column.addWidget(stage, 1)
        column.addLayout(line)
        column.addWidget(self.notes)
        column.addWidget(self.brush)
        self._sections = QWidget()
        inner = QVBoxLayout(self._sections)
        inner.setContentsMargins(8, 0, 8, 0)
        inner.setSpacing(2)
        self._folds: dict[str, FoldedSection] = {}
        for title, inside in (("Range", self.numbers), ("Slices", self.slices), ("Region", self.fields)):
            section = FoldedSection(title, partial(_shown, inside))
            inside.setParent(section)  # it has a window before it is unfolded
            inside.hide()
            section.setAccessibleName(title)
            self._folds[title] = section
            inner.addWidget(section)
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._sections)
        column.addWidget(self.table, 1)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(_scrolled(lower, Qt.ScrollBarPolicy.ScrollBarAlwaysOff))
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setCollapsible(0, False)
        self.splitter.setSizes([420, 180])
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(_scrolled(self.splitter, Qt.ScrollBarPolicy.ScrollBarAsNeeded))  # the window may be narrower

    def _connect(self) -> None:
        session, current = self._session, self._current
        for action, button in self.buttons.items():
            button.clicked.connect(lambda on=False, action=action: self.action_asked.emit(action))
        self.on.clicked.connect(lambda on: current.do("set_limit_on", on=on))
        self.body.clicked.connect(current.show_on_body)
        self.map.clicked.connect(current.pointing.show)
        self.sphere.shaped.connect(current.pointing.shape)
        self.sphere.ended.connect(lambda keep: current.pointing.end(keep=keep))
        self.sphere.reported.connect(self._tell)
        current.pointing.changed.connect(lambda: self._show_map() if self._seen else None)
        self.flat.stroke_moved.connect(current.draw_stroke)
        self.flat.stroke_ended.connect(lambda keep: current.end_stroke(keep=keep))
        self.rows.toggled.connect(self._turn_on)
        self.table.chosen.connect(current.choose)
        for signal in (current.changed, current.picture_changed):
            signal.connect(self.follow)
        current.rows_changed.connect(lambda: self._show_rows() if self._seen else None)
        current.standing_changed.connect(lambda: self._show_standing() if self._seen else None)
        current.brush_changed.connect(self._show_brush)
        session.selection_changed.connect(lambda selection: self.follow())
        session.document_changed.connect(lambda old, new: self.follow())
        session.engine_changed.connect(lambda state: self.follow())

    def _turn_on(self, limit: str, on: bool) -> None:
        owner = self._current.owner
        if owner is not None:
            self._session.do(edit("set_limit_on", actor=owner.id, limit=limit, on=on))


def _shown(part: QWidget) -> QWidget:
    part.show()
    return part


def _scrolled(part: QWidget, sideways: Qt.ScrollBarPolicy) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(sideways)
    area.setWidget(part)
    return area


class _Nothing(QAbstractScrollArea):
    """A plain area in the place of a picture that is not there."""

    def __init__(self) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.text = ""

    def say(self, text: str) -> None:
        """Say something else."""
        if text != self.text:
            self.text = text
            self.setAccessibleName(text)
            self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.text:
            paint_hint(self, self.text, "axis-3d")
