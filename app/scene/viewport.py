"""Viewport: the widget with the four views. Cheap to make; `start` brings OpenGL and the first picture.

`show_snapshot` and the setters may be called at any time, before `start` too. Views are numbered as in
`app.scene.panes`. Nothing is drawn unless something changed, and then once, however many changes came.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QCursor, QImage, QResizeEvent
from PySide6.QtWidgets import QMenu, QStackedLayout, QWidget

from app.scene.camera import Bounds, Camera, Vector
from app.scene.cursors import cursor_of, grip_cursor
from app.scene.display_menu import display_menu
from app.scene.displays import SKINNED, Display
from app.scene.extent import Part, joined, planned_bounds, seen_bounds
from app.scene.glass import GlassShape, same_shapes
from app.scene.guides import Guide
from app.scene.lens import Lens
from app.scene.look import Look
from app.scene.manipulator import Shown
from app.scene.markers import Marker, PlacedMarker, marker_at, place_markers
from app.scene.mouse_input import MouseInput
from app.scene.navigation import INDUSTRY, Mouse
from app.scene.ornaments import SIZES, Hot, places
from app.scene.overlay_message import OverlayMessage
from app.scene.page import ViewPage
from app.scene.panes import DIRECTIONS, PERSPECTIVE, Pane, Shot, divide, first_cameras, view_name
from app.scene.patch import Patch
from app.scene.paths import PathLine
from app.scene.picks import Pick
from app.scene.planes import Plane
from app.scene.probe import REMEDY, Graphics, find_graphics
from app.scene.saved_views import SavedViews, plain_views, views_in
from app.scene.shown_markers import ShownMarkers
from app.scene.shown_surfaces import ShownSurfaces
from app.scene.symbols import Symbol, symbol_at
from app.scene.tool import NoTool, Tool, Typist
from app.scene.trail_handles import TrailGrips
from app.scene.turning import CameraTurns
from engine.model import Snapshot, TrailPicture, join_trails

if TYPE_CHECKING:
    from app.scene.canvas import Canvas

GAP = 2  # [logical px] between views
PLAIN = Look(view_top="#4a4d52", view_bottom="#35383c", show_grid=False, shadows="contact")
_TURN_EVERY = 16  # [ms]


class Viewport(QWidget):
    """Four views of a snapshot."""

    help_text = """
<p>Four views of the scene. {view.maximise} makes the one under the pointer large and small again, and so does a double
click on its name.</p>
<p>The cube turns a view: click a face to look from there. {view.front}, {view.right} and {view.top} do the same,
{view.orthographic} looks with or without perspective. The word below a view's name chooses how figures are shown.</p>
<p>{view.frame_selected} brings what is selected into view, {view.frame_all} everything. Click a body part to select
it, drag it and the limb follows. The first page lists what the mouse does.</p>
<p>What has secondary motion is led where you see it: drag a body part and a target is set for it at this time; drag
its ghost, or hold Ctrl, and its keys are posed. A ring stands where a target is: click it to choose it, drag it to
move it. View > Show > Secondary motion's paths compares how a part goes with and without it.</p>
<p>View > Trails and onion skins shows where what is selected goes. Drag a key of a trail and the figure is posed anew
there, whatever time is shown; click it to go there. At a key two handles bend the trail before and after it, Ctrl
bends one side alone. What has been is blue, what is to come is amber.</p>
"""

    hovered = Signal(object)  # Pick or None
    drawn = Signal(float)  # [ms] that the last picture took
    failed = Signal(str)  # why there is no picture
    active_changed = Signal(int)  # the view that keys act on
    views_changed = Signal()  # cameras, displays or layout: what `save_views` gives is different
    menu_asked = Signal(QPointF)  # where the right button was clicked

    def __init__(self, parent: QWidget | None = None, *, look: Look | None = None, animated: bool = True) -> None:
        super().__init__(parent)
        self.look = look or Look()
        self.animated = animated
        self.tool: Tool = NoTool()
        self.typist: Typist = NoTool()
        self.mouse: Mouse = INDUSTRY
        self.cameras: list[Camera] = list(first_cameras())
        self.displays: list[Display] = ["mannequin"] * 4
        self.maximised: int | None = None
        self.active = PERSPECTIVE
        self.graphics: Graphics | None = None
        self._snapshot: Snapshot | None = None
        self._selected: frozenset[Part] = frozenset()
        self._hover: Pick | None = None
        self._markers = ShownMarkers(self, self._repaint)
        self._put: dict[str, Callable[[Canvas], None]] = {}  # what the canvas is to show, by what it is about
        self._trails: dict[str, TrailPicture | None] = {}
        self._glass: tuple[GlassShape, ...] = ()
        self._canvas: Canvas | None = None
        self._mouse_input: MouseInput | None = None
        self.pilot: Callable[[int, Camera], bool] | None = None  # who takes a view's camera in place of the view
        self.meant: Callable[[Pick], Pick] | None = None  # a hand by its fingers
        self.through: dict[int, str] = {}  # the cameras of the scene that views look through
        self.lenses: dict[int, Lens] = {}  # of those views, where not all is sharp
        self.titles: dict[int, str] = {}  # of views that show something else than what their cameras' own names say
        self._page = ViewPage(self, self.look)
        self._pages = QStackedLayout(self)
        self._pages.addWidget(self._page)
        self._message = OverlayMessage(self, self.look)
        self._turns, self._turn_timer = CameraTurns(), QTimer(self, interval=_TURN_EVERY)
        self._turn_timer.timeout.connect(self._turn)
        self.setMinimumSize(160, 120)

    # Start and end

    def start(self) -> None:
        """Load OpenGL and make the canvas; call it after the window's first paint."""
        if self._canvas is not None:
            return
        found = find_graphics()
        if isinstance(found, str):
            self._fail(found)
            return
        self.graphics = found
        try:
            from app.scene.canvas import Canvas
        except (ImportError, OSError, RuntimeError) as problem:
            self._fail(f"OpenGL could not be loaded: {problem}.")
            return
        canvas = Canvas(self, self._shot, self.look, software=found.is_software)
        canvas.painted.connect(self.drawn)
        canvas.broken.connect(self._fail)
        self._mouse_input = MouseInput(self)
        canvas.installEventFilter(self._mouse_input)
        canvas.selected = self._selected
        self._canvas = canvas
        for show in self._put.values():
            show(canvas)
        self._pages.addWidget(canvas)
        self._pages.setCurrentWidget(canvas)
        canvas.setFocus()  # so that the first key pressed is for the picture, not for a search field
        if self._snapshot is not None:
            self.show_snapshot(self._snapshot)

    @property
    def is_software(self) -> bool:
        """True if the processor does the drawing; False before `start`."""
        return self.graphics is not None and self.graphics.is_software

    @property
    def is_drawing(self) -> bool:
        """True if there is OpenGL to draw with."""
        return self._canvas is not None

    @property
    def is_due(self) -> bool:
        """True if something has changed that is not on the screen yet."""
        return self._canvas is not None and self._canvas.is_due

    @property
    def is_turning(self) -> bool:
        """True while a camera moves by itself."""
        return bool(self._turns)

    # What is shown

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show a snapshot from the next picture on."""
        self._snapshot = snapshot
        self._markers.show(snapshot)
        if self._canvas is not None:
            self._canvas.show_snapshot(snapshot)

    def set_markers(self, markers: tuple[Marker, ...]) -> None:
        """Show these markers on the bodies that carry them."""
        self._markers.put(markers)

    @property
    def markers(self) -> tuple[Marker, ...]:
        """The markers that are shown, or are about to be."""
        return self._markers.newest

    def ask_markers(self, collect: Callable[[], tuple[Marker, ...]]) -> None:
        """Show the markers that this gives, asked once for each picture, however often it is said."""
        self._markers.ask(collect)

    def set_symbols(self, symbols: tuple[Symbol, ...], of: str) -> None:
        """Show these symbols of a feature, beside those of others and of what the picture holds."""
        self._markers.put_symbols(symbols, of)

    def set_planes(self, planes: tuple[Plane, ...]) -> None:
        """Show image planes in the views of their directions."""
        self._show("planes", lambda canvas: canvas.show_planes(planes))

    def set_trails(self, trails: TrailPicture | None, of: str = "") -> None:
        """Show these trails and onion skins of a feature from the next picture on, beside those of others."""
        self._trails[of] = trails
        self._show("trails", lambda canvas: canvas.show_trails(join_trails(self._trails.values())))

    def set_patch(self, patch: Patch | None) -> None:
        """Show where a bone can point, or nothing."""
        self._show("patch", lambda canvas: canvas.show_patch(patch))

    def set_glass(self, shapes: tuple[GlassShape, ...]) -> None:
        """Show these translucent shapes on bodies."""
        if not same_shapes(shapes, self._glass):
            self._glass = shapes
            self._show("glass", lambda canvas: canvas.show_glass(shapes))

    def set_surfaces(self, shown: ShownSurfaces) -> None:
        """Lay quantities over surfaces from the next picture on, and open those whose inside is to be seen."""
        self._show("surfaces", lambda canvas: canvas.show_surfaces(shown))

    def set_paths(self, lines: tuple[PathLine, ...], now: float) -> None:
        """Show compared paths, with a legend, and the present in them [s]."""
        self._show("paths", lambda canvas: canvas.show_paths(lines, now))

    def set_selection(self, parts: frozenset[Part]) -> None:
        """Outline these bodies, each (owner, part)."""
        self._selected = parts
        if self._canvas is not None:
            self._canvas.selected = parts
        self._change()

    def set_chosen_symbols(self, names: frozenset[tuple[str, str]]) -> None:
        """Light up these symbols, each (owner, id)."""
        if self._canvas is not None and self._canvas.sprites.chosen != names:
            self._canvas.sprites.chosen = names
            self._repaint()

    def set_look(self, look: Look) -> None:
        """Set the colours; a change of the anti-aliasing shows after the next start."""
        self.look = self._page.look = self._message.look = look
        self._page.update()
        self._message.update()
        if self._canvas is not None:
            self._canvas.look = look
        self._change()

    def set_hovered(self, pick: Pick | None) -> None:
        """Outline faintly the body under the pointer."""
        before = (self._hover.owner, self._hover.part, self._hover.keyed) if self._hover else None
        now = (pick.owner, pick.part, pick.keyed) if pick else None
        self._hover = pick
        if before != now:
            if self._canvas is not None:
                self._canvas.hovered, self._canvas.hovers_keyed = now[:2] if now else None, bool(now and now[2])
            self._change()
            self.hovered.emit(pick)

    def set_hot(self, hot: Hot | None) -> None:
        """Light up an ornament."""
        if self._canvas is not None and self._canvas.ornaments.hot != hot:
            self._canvas.ornaments.hot = hot
            self._canvas.setCursor(Qt.CursorShape.PointingHandCursor if hot else Qt.CursorShape.ArrowCursor)
            self._repaint()

    def set_hot_marker(self, marker: Marker | None, *, taken: bool = False) -> None:
        """Light up a marker; with a closed hand as the cursor while it is dragged."""
        if self._canvas is None:
            return
        sprites, now = self._canvas.sprites, (marker.owner, marker.id) if marker else None
        if now is None and sprites.hot is None:
            return
        shape = Qt.CursorShape.ClosedHandCursor if taken else Qt.CursorShape.OpenHandCursor
        self._canvas.setCursor(shape if marker else Qt.CursorShape.ArrowCursor)
        if sprites.hot != now:
            sprites.hot = now
            self._repaint()

    def set_trail_grips(self, grips: TrailGrips) -> None:
        """Show these handles of trails, and light up the one that is hovered or dragged."""
        if self._canvas is None or grips == self._canvas.sprites.grips:
            return
        before, self._canvas.sprites.grips = self._canvas.sprites.grips, grips
        shapes = [grip_cursor(each) for each in (before, grips)]
        if shapes[0] != shapes[1]:
            self._canvas.setCursor(shapes[1])
        self._repaint()

    @property
    def trail_grips(self) -> TrailGrips:
        """The handles of trails that can be dragged now."""
        return TrailGrips() if self._canvas is None else self._canvas.sprites.grips

    def set_guides(self, guides: tuple[Guide, ...], *, of: str = "") -> None:
        """Show these lines over the views, in place of those that whoever says so showed before."""
        if self._canvas is not None and self._canvas.guides.show(guides, of):
            self._repaint()

    def show_manipulator(self, shown: Shown | None) -> None:
        """Show a manipulator over the views, or none."""
        if self._canvas is None or shown == self._canvas.manipulator.shown:
            return
        before, self._canvas.manipulator.shown = self._canvas.manipulator.shown, shown
        shapes = [cursor_of(each) for each in (before, shown)]
        if shapes[0] != shapes[1]:
            self._canvas.setCursor(shapes[1])
        self._repaint()

    def show_message(self, text: str) -> None:
        """Show one line over the views, in a quiet place; empty hides it."""
        self._message.show_text(text)

    def take_keyboard(self) -> None:
        """Give the canvas the keyboard."""
        if self._canvas is not None:
            self._canvas.setFocus()

    def show_taken(self, taken: bool) -> None:
        """Show a closed hand as the cursor while a body is dragged; what changes is painted with its first picture."""
        if self._canvas is not None:
            self._canvas.setCursor(Qt.CursorShape.ClosedHandCursor if taken else Qt.CursorShape.ArrowCursor)
            if taken:
                self._canvas.expect_snapshot()

    def await_newer(self) -> None:
        """Put a picture that is due off, for a moment, for a newer one that was just asked for."""
        if self._canvas is not None:
            self._canvas.await_newer()

    # Views

    def maximise(self, view: int | None) -> None:
        """Show one view over the whole canvas, or all four (None)."""
        if view != self.maximised:
            self.maximised = view
            if view is not None:
                self.set_active(view)
            self._change()
            self.views_changed.emit()

    def toggle_maximised(self, view: int | None = None) -> None:
        """Show a view (the active one if none is given) over the whole canvas, or all four again."""
        self.maximise((self.active if view is None else view) if self.maximised is None else None)

    def set_active(self, view: int) -> None:
        """Make a view the one that keys act on: the pointer was last pressed there."""
        if view != self.active:
            self.active = view
            if self._canvas is not None:
                self._canvas.ornaments.active = view
            self._repaint()
            self.active_changed.emit(view)

    def view_under_pointer(self) -> int:
        """Return the view under the pointer, else the active one."""
        view = self.view_at(QPointF(self.mapFromGlobal(QCursor.pos())))
        return self.active if view is None else view

    def set_camera(self, view: int, camera: Camera) -> None:
        """Set the camera of a view at once, or leave that to the pilot."""
        if self.pilot is None or not self.pilot(view, camera):
            self.place_camera(view, camera)

    def place_camera(self, view: int, camera: Camera) -> None:
        """Set the camera of a view at once, whoever pilots it."""
        self._turns.end(view)
        if camera != self.cameras[view]:
            self.cameras[view] = camera
            self._change()
            self.views_changed.emit()

    def carry_camera(self, view: int, way: Vector) -> None:
        """Move the camera of a view along [m], and what a drag or a turn of it began from."""
        self.cameras[view] = self.cameras[view].carried(way)
        self._turns.carry(view, way)
        if self._mouse_input is not None:
            self._mouse_input.carry(view, way)
        self._change()

    def title_of(self, view: int) -> str:
        """Return what stands in a view's corner."""
        return self.titles.get(view) or view_name(self.cameras[view])

    def set_title(self, view: int, title: str) -> None:
        """Say in a view's corner what it shows; nothing: where it looks from."""
        if title != self.titles.get(view, ""):
            self.titles[view] = title
            self._repaint()

    def move_camera(self, view: int, camera: Camera) -> None:
        """Move the camera of a view within a short while."""
        if not self.animated or not self.isVisible():
            self.set_camera(view, camera)
        elif self.pilot is None or not self.pilot(view, camera):
            self._turns.begin(view, self.cameras[view], camera)
            self._turn_timer.start()

    def look_from(self, view: int, direction: str) -> None:
        """Look along an axis: a name of `panes.DIRECTIONS`."""
        azimuth, elevation = DIRECTIONS[direction]
        self.move_camera(view, replace(self.cameras[view], azimuth=azimuth, elevation=elevation, roll=0.0))

    def set_orthographic(self, view: int, orthographic: bool) -> None:
        """Turn perspective off or on."""
        self.set_camera(view, replace(self.cameras[view], orthographic=orthographic))

    def set_display(self, display: Display, views: Iterable[int] | None = None) -> None:
        """Set the display of figures in some views, or in all."""
        before = list(self.displays)
        for view in range(4) if views is None else views:
            self.displays[view] = display
        if self.displays != before:
            self._change()
            self.views_changed.emit()

    @property
    def shows_skins(self) -> bool:
        """True if any view shows skins."""
        return any(each in SKINNED for each in self.displays)

    def ask_display(self, view: int) -> QMenu:
        """Open the list of displays below a view's corner; the choice counts for that view alone."""
        menu = display_menu(self, self.displays[view], lambda display: self.set_display(display, (view,)))
        pane = self.panes()[view]
        x, y = places(self.title_of(view), *self.size_of(view))["display"]
        menu.popup(self.mapToGlobal(QPoint(round(pane.x + x), round(pane.y + y + SIZES["display"][1]))))
        return menu

    def frame(self, what: Bounds | frozenset[Part] | None = None, *, views: Iterable[int] | None = None) -> None:
        """Frame a box, some bodies or everything (None) in some views, or in all that are shown."""
        bounds = what if isinstance(what, Bounds) else self.bounds(what)
        if bounds is None:
            return
        shown = list(self.panes() if views is None else views)
        cameras = {view: self.cameras[view].frame(bounds, self.size_of(view)) for view in shown}
        # Views without perspective keep one scale, so that a limb is as long in the front view as in the side view.
        flat = max((camera.distance for camera in cameras.values() if camera.orthographic), default=0.0)
        for view, camera in cameras.items():
            self.move_camera(view, replace(camera, distance=flat) if camera.orthographic else camera)

    def look_as_at_first(self) -> None:
        """Look from where a new scene is seen, in all views; displays and layout stay."""
        self._turns.end()
        self.cameras = list(first_cameras())
        self._change()

    def bounds(self, parts: frozenset[Part] | None = None) -> Bounds | None:
        """Return the box about some bodies of the snapshot, or about all, and motions that are planned."""
        return joined(seen_bounds(self._snapshot, parts), *planned_bounds(self._trails.values(), parts))

    def save_views(self) -> dict[str, Any]:
        """Return cameras and layout as plain values."""
        return plain_views(SavedViews(tuple(self.cameras), tuple(self.displays), self.maximised, self.active))

    def restore_views(self, saved: Mapping[str, Any]) -> bool:
        """Restore the result of `save_views`; return False, and change nothing, if it is damaged."""
        found = views_in(saved, self.displays)
        if found is None:
            return False
        self._turns.end()
        self.cameras, self.displays = list(found.cameras), list(found.displays)
        self.set_active(found.active)
        self.maximise(found.maximised)
        self._change()
        return True

    # Geometry, in logical pixels of this widget

    def panes(self) -> dict[int, Pane]:
        """Return the pane of each shown view."""
        return divide(self.width(), self.height(), self.maximised, GAP)

    def view_at(self, point: QPointF) -> int | None:
        """Return the view at a point."""
        return next((view for view, pane in self.panes().items() if pane.holds(point.x(), point.y())), None)

    def size_of(self, view: int) -> tuple[float, float]:
        """Return the size of a view; of the whole canvas for one that is not shown."""
        pane = self.panes().get(view)
        return (float(pane.width), float(pane.height)) if pane else (float(self.width()), float(self.height()))

    def inside(self, view: int, point: QPointF) -> tuple[float, float]:
        """Convert a point of this widget to a view's own coordinates."""
        pane = self.panes()[view]
        return point.x() - pane.x, point.y() - pane.y

    def pick(self, point: QPointF, *, exactly: bool = False) -> Pick | None:
        """Return the body at a point of this widget: what is meant by it, or `exactly` itself."""
        view = self.view_at(point)
        if self._canvas is None or view is None:
            return None
        at, size = self.inside(view, point), self.size_of(view)
        found = self._canvas.pick(view, self.cameras[view], self.displays[view], at, size)
        return found if found is None or exactly or self.meant is None else self.meant(found)

    def marker_at(self, point: QPointF) -> PlacedMarker | None:
        """Return the handle at a point of this widget."""
        view = self.view_at(point)
        if self._canvas is None or view is None:
            return None
        return marker_at(self._markers.now(), self.cameras[view], self.inside(view, point), self.size_of(view))

    def place_of(self, owner: str, part: str, point: Vector, *, keyed: bool = False) -> Vector | None:
        """Return the position of a point of a body [m] in the world [m], on the `keyed` ghost where that is shown; None
        if the picture does not show the body."""
        if self._snapshot is None:
            return None
        marker = Marker(owner=owner, id="", name="", part=part, point=point, keyed=keyed)
        found = place_markers((marker,), self._snapshot.bodies, self._snapshot.ghosts)
        return next((each.place for each in found), None)

    def symbol_at(self, point: QPointF, of: str) -> PlacedMarker | None:
        """Return what a feature's symbol at a point of this widget stands for."""
        view = self.view_at(point)
        if self._canvas is None or view is None:
            return None
        camera, inside, size = self.cameras[view], self.inside(view, point), self.size_of(view)
        return symbol_at(self._markers.now(), camera, inside, size, of=of)

    # Pictures

    def grab_image(self) -> QImage:
        """Return the canvas as it is on screen."""
        return self._canvas.grab_gl() if self._canvas is not None else self._page.grab().toImage()

    def render_image(
        self,
        width: int,
        height: int,
        *,
        samples: int = 16,
        view: int | None = None,
        camera: Camera | None = None,
        with_symbols: bool = False,
        plain: bool = False,
        pixel_ratio: float = 1.0,
        snapshot: Snapshot | None = None,
    ) -> QImage:
        """Render one view (the active one if none is named) as a picture of any size, antialiased; from another camera,
        or of other bodies, where they are given, and `plain` without outlines, trails and onion skins, on a ground that
        suits every theme."""
        if self._canvas is None:
            raise RuntimeError("the view is not ready: call start() and wait for its first picture")
        shown = self.active if view is None else view
        cameras = [camera if camera is not None and each == shown else own for each, own in enumerate(self.cameras)]
        shot = Shot(width, height, {shown: Pane(0, 0, width, height)}, cameras, self.displays, pixel_ratio)
        shot = shot if plain or camera is not None else replace(shot, lenses=self.lenses)
        outlined = self._canvas.selected, self._canvas.hovered
        if plain:
            self._canvas.selected, self._canvas.hovered = frozenset(), None
        try:
            with nullcontext() if snapshot is None else self._canvas.showing(snapshot):
                look = PLAIN if plain else self.look
                return self._canvas.photograph(shot, look, samples, with_symbols=with_symbols, with_trails=not plain)
        finally:
            self._canvas.selected, self._canvas.hovered = outlined

    # Within

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Lay out the panes anew."""
        super().resizeEvent(event)
        self._message.place()
        self._change()

    def _shot(self, width: int, height: int, ratio: float) -> Shot:
        """Return what is to be drawn now."""
        if self._canvas is not None:
            self._canvas.sprites.markers = self._markers.for_picture()
        panes = divide(width, height, self.maximised, max(round(GAP * ratio), 1))
        return Shot(width, height, panes, self.cameras, self.displays, ratio, titles=self.titles, lenses=self.lenses)

    def _turn(self) -> None:
        for view, camera in self._turns.now().items():
            self.cameras[view] = camera
        if not self._turns:
            self._turn_timer.stop()
            self.views_changed.emit()
        self._change()

    def _show(self, about: str, show: Callable[[Canvas], None]) -> None:
        """Let the canvas show something, now or once it is there."""
        self._put[about] = show
        if self._canvas is not None:
            show(self._canvas)

    def _change(self) -> None:
        if self._canvas is not None:
            self._canvas.change()

    def _repaint(self) -> None:
        """Paint the canvas once more; the mean of a picture at rest is kept."""
        if self._canvas is not None:
            self._canvas.paint_soon()

    def _fail(self, found: str) -> None:
        if self._canvas is not None:
            self._pages.removeWidget(self._canvas)
            self._canvas.deleteLater()
            self._canvas = None
        self._page.say(found, REMEDY)
        self._pages.setCurrentWidget(self._page)
        self.failed.emit(found)
