"""Canvas: the widget with the OpenGL context. Draws when asked, measures how long that takes, and picks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

import numpy as np
from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget

from app.scene import gl
from app.scene.camera import Camera, crop_matrix, vector
from app.scene.colour_map import legend_field
from app.scene.displays import Display
from app.scene.drawn_bodies import DrawnBodies
from app.scene.extent import Part
from app.scene.gl_widget import GlWidget
from app.scene.glass import GlassShape
from app.scene.look import Look
from app.scene.ornament_overlay import OrnamentOverlay
from app.scene.panes import Shot
from app.scene.patch import Patch
from app.scene.paths import PathLine
from app.scene.picks import REACH, Pick, PickHit, in_front, nearest_number
from app.scene.picture import Picture
from app.scene.planes import Plane
from app.scene.settling import Settling, mean_picture
from app.scene.shadow_pace import ShadowPace
from app.scene.shown_surfaces import NOTHING, ShownSurfaces
from app.scene.unpacking import Unpacking
from app.scene.visuals.field_legend import FieldLegend
from app.scene.visuals.guides import GuideVisual
from app.scene.visuals.manipulator import ManipulatorVisual
from app.scene.visuals.paths import PathLegend
from app.scene.visuals.sprites import Sprites
from app.scene.visuals.strokes import Stroke, strokes_in
from engine.model import (
    ActorFinish,
    Balance,
    Bodies,
    LiquidSurface,
    SceneLight,
    SkinSurface,
    SliceSheet,
    Snapshot,
    Spindles,
    TrailPicture,
)
from engine.model.snapshot import MUSCLE

SETTLE_AFTER, STEP_AFTER = 160, 8  # [ms] without a change until the picture settles; between its steps
COARSE = 3.0  # [px] of details that a processor leaves out until the picture settles
MOST_HELD = 40  # [ms] for which paints are put off
MOST_AWAITED = 20  # [ms] for which one is put off for a newer one


class Canvas(GlWidget):
    """Draws a `Shot` of the items it was given."""

    painted = Signal(float)  # [ms]

    def __init__(self, parent: QWidget, shot: Callable[[int, int, float], Shot], look: Look, *, software: bool) -> None:
        multisampling = look.anti_aliasing == "on" or (look.anti_aliasing == "auto" and not software)
        super().__init__(parent, software=software, samples=4 if multisampling else 0)
        self._smooths = look.anti_aliasing == "auto" and software
        self._blurs = False  # whether a view that is shown has a lens
        self._software = software
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.shot, self.look = shot, look
        self.ornaments, self.sprites, self.manipulator = OrnamentOverlay(), Sprites(), ManipulatorVisual()
        self.guides, self.legend, self.scale = GuideVisual(), PathLegend(), FieldLegend()
        self._seconds = 0.0
        self._items: tuple[Bodies, ...] = ()
        self._plain_skins: tuple[SkinSurface, ...] = ()  # as the picture has them
        self._skins: tuple[SkinSurface, ...] = ()
        self._shown_surfaces = NOTHING
        self._balances: tuple[Balance, ...] = ()
        self._strokes: tuple[Stroke, ...] = ()
        self._liquids: tuple[LiquidSurface, ...] = ()
        self._sheets: tuple[SliceSheet, ...] = ()
        self._ghosts: tuple[Bodies, ...] = ()
        self._light: SceneLight | None = None
        self._finishes: tuple[ActorFinish, ...] = ()
        self._spindles: tuple[Spindles, ...] = ()
        self._hides_muscles = False
        self._context = gl.Context()
        self._pace = ShadowPace(software=software, settles=self._smooths)
        self.picture: Picture | None = None
        self.selected: frozenset[Part] = frozenset()
        self.hovered: Part | None = None
        self.hovers_keyed = False  # whether that is of a figure as it is keyed
        self._items_are_old = False
        self._planes: tuple[Plane, ...] = ()
        self._planes_are_old = False
        self._trails: TrailPicture | None = None
        self._trails_are_old = False
        self._patch: Patch | None = None
        self._glass: tuple[GlassShape, ...] = ()
        self._settling: Settling | None = None
        self._pick_target: gl.RenderTarget | None = None
        self._rest = QTimer(self, singleShot=True, interval=SETTLE_AFTER)
        self._rest.timeout.connect(self._settle)
        self._step_wanted = False
        self._is_due = True
        self._held = QTimer(self, singleShot=True, interval=MOST_HELD)
        self._held.timeout.connect(partial(self.hold, held=False))
        self._has_awaited = False  # since the last paint
        self._unpacking = Unpacking(self)
        self._unpacking.arrived.connect(self.change)

    @property
    def is_due(self) -> bool:
        """True if what is on the screen is old."""
        return self._is_due or self._unpacking.is_busy

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show a snapshot from the next paint on."""
        if self._held.isActive():
            self._held.stop()
            self.hold(held=False)
        self._items, self._plain_skins, self._balances = snapshot.bodies, snapshot.skins, snapshot.balances
        self._ghosts, self._strokes = snapshot.ghosts, strokes_in(snapshot)
        self._liquids, self._sheets = snapshot.liquids, snapshot.sheets
        self._light, self._finishes, self._spindles = snapshot.light, snapshot.finishes, snapshot.spindles
        self._skins = self._shown_surfaces.over(self._plain_skins)
        self._items_are_old = True
        self.change()

    def show_surfaces(self, shown: ShownSurfaces) -> None:
        """Lay quantities over surfaces, and open some, from the next paint on."""
        self._shown_surfaces = shown
        self._skins = shown.over(self._plain_skins)
        self._items_are_old = True
        self.change()

    def show_planes(self, planes: tuple[Plane, ...]) -> None:
        """Show image planes from the next paint on."""
        self._planes, self._planes_are_old = planes, True
        self.change()

    def show_trails(self, trails: TrailPicture | None) -> None:
        """Show trails and onion skins from the next paint on."""
        self._trails, self._trails_are_old = trails, True
        self.change()

    def show_paths(self, lines: tuple[PathLine, ...], now: float) -> None:
        """Show compared paths, and the present in them [s], from the next paint on."""
        self.legend.lines, self._seconds = lines, now
        self.change()

    def show_patch(self, patch: Patch | None) -> None:
        """Show where a bone can point, or nothing, from the next paint on."""
        self._patch = patch
        self.change()

    def show_glass(self, shapes: tuple[GlassShape, ...]) -> None:
        """Show translucent shapes on bodies from the next paint on."""
        self._glass = shapes
        self.change()

    def change(self) -> None:
        """Ask for one repaint, since something has changed."""
        if self._settling is not None:
            self._settling.restart()
        self._step_wanted = False
        self.paint_soon()

    def paint_soon(self) -> None:
        """Ask for one more paint, however often this is called until then."""
        self._is_due = True
        self.draw_soon()

    def expect_snapshot(self) -> None:
        """Put paints off until a snapshot comes, which is on its way, or until it is late: one picture shows all."""
        self._put_off(MOST_HELD)

    def await_newer(self) -> None:
        """Put off a paint that is due for a newer snapshot, which is about to come: painting would be in its way. It is
        done once for each paint, so that no hand is quick enough to leave the screen as it is."""
        if self._is_due and not self._has_awaited and not self._held.isActive():
            self._has_awaited = True
            self._put_off(MOST_AWAITED)

    def _put_off(self, most: int) -> None:
        self._held.start(most)
        self.hold(held=True)

    def make_gl(self) -> None:
        """Make the OpenGL objects; what was made in a context before is gone."""
        self._context = gl.Context()
        self._settling = self._pick_target = None
        self.ornaments.forget()
        self.sprites.forget()
        self.manipulator.forget()
        self.guides.forget()
        self.legend.forget()
        self.scale.forget()
        try:
            with self._context.entered():
                self.picture = Picture(self._unpacking.pixels)
        except gl.Unusable as problem:
            self.picture = None
            self.broken.emit(str(problem))
            return
        self._items_are_old = self._planes_are_old = self._trails_are_old = True

    def paint_gl(self, handle: int) -> None:
        """Draw; while the picture rests, add one step to its mean."""
        self._is_due = self._has_awaited = False
        if self.picture is None:
            return
        start = time.perf_counter()
        with self._context.entered():
            shot, rests = self._take_shot(), self._rests
            self._paint(self.picture, shot, handle)
            gl.check()
            if self._software:
                gl.finish()
        if self._settles:
            self._rest.start(STEP_AFTER if self._settling is not None and self._settling.steps > 0 else SETTLE_AFTER)
        took = (time.perf_counter() - start) * 1000
        if not rests:
            self._pace.took(took, (shot.width, shot.height, *shot.panes, self._item_count))
        self.painted.emit(took)

    def _paint(self, picture: Picture, shot: Shot, handle: int) -> None:
        if self._rests and self._settle_step(picture, shot):
            assert self._settling is not None
            self._settling.show(handle)
        else:
            self._bring_up_to_date(picture)
            shadows = self._pace.choose(self.look.shadows, resting=False)
            coarse = COARSE if self._smooths else 0.0
            picture.draw(handle, shot, replace(self._opening_look, shadows=shadows), coarse=coarse)
        self.ornaments.draw(handle, shot, self.look)
        self.guides.draw(handle, shot, self.look)
        self.legend.draw(handle, shot, self.look, self.ornaments.active)
        self.scale.field = legend_field(self._skins, self.look.field)
        self.scale.draw(handle, shot, self.look, self.ornaments.active)
        self.sprites.draw(handle, shot, self.look, self.ornaments.active)
        self.manipulator.draw(handle, shot, self.look)

    @property
    def _settles(self) -> bool:
        """True if the picture at rest is a mean."""
        return self._smooths or self._blurs

    @property
    def _rests(self) -> bool:
        """True while the picture is a mean, or the first of one is to be drawn."""
        return self._settles and (self._step_wanted or (self._settling is not None and self._settling.steps > 0))

    @property
    def _item_count(self) -> int:
        return sum(len(each.parts) for each in self._items) + len(self._skins)

    @property
    def _opening_look(self) -> Look:
        """The look, with surfaces that are opened by a tool seen into."""
        return replace(self.look, see_inside=True) if self._shown_surfaces.opened else self.look

    def _take_shot(self) -> Shot:
        ratio = self.devicePixelRatioF()
        shot = self.shot(max(round(self.width() * ratio), 1), max(round(self.height() * ratio), 1), ratio)
        self._blurs = any(view in shot.panes for view in shot.lenses)
        return shot

    def _bring_up_to_date(self, picture: Picture) -> None:
        if self._items_are_old or self._hides_muscles != ("muscle" in self.look.hidden):
            self._hides_muscles = "muscle" in self.look.hidden
            picture.set_liquids(self._liquids, self._sheets)
            picture.set_light(self._light)
            spindles = () if self._hides_muscles else self._spindles
            picture.set_items(self._items, self._skins, self._balances, self._ghosts, self._finishes, spindles)
            picture.set_strokes(self._strokes)
            self._items_are_old = False
        if self._planes_are_old:
            picture.set_planes(self._planes)
            self._planes_are_old = False
        if self._trails_are_old:
            picture.set_trails(self._trails)
            self._trails_are_old = False
        picture.set_patch(self._patch)
        picture.set_glass(self._glass)
        picture.set_paths(self.legend.lines, self._seconds)
        picture.highlight(self.selected, self.hovered, keyed=self.hovers_keyed)

    def _settle(self) -> None:
        if self.isVisible() and (self._settling is None or not self._settling.finished):
            self._step_wanted = True
            self.paint_soon()

    def _settle_step(self, picture: Picture, shot: Shot) -> bool:
        """Take one step of the mean if one is due; return True if there is a mean to show."""
        self._bring_up_to_date(picture)
        if self._settling is None or self._settling.size != (shot.width, shot.height):
            self._settling = Settling(shot.width, shot.height)
        if self._step_wanted and not self._settling.finished:
            shadows = self._pace.choose(self.look.shadows, resting=True)
            self._settling.step(picture, shot, replace(self._opening_look, shadows=shadows))
        self._step_wanted = False
        return self._settling.steps > 0

    def pick(
        self, view: int, camera: Camera, display: Display, point: tuple[float, float], size: tuple[float, float]
    ) -> Pick | None:
        """Return the body nearest to a point of a view (logical pixels) within reach."""
        if self.picture is None or not self.has_gl:
            return None
        with self._current():
            self._bring_up_to_date(self.picture)
            solid = self._pick(self.picture.bodies(display), camera, point, size)
            behind = self.picture.keyed_bodies(display)
            ghost = None if behind is None else self._pick(behind, camera, point, size)
        found = in_front(solid, ghost)
        if found is None:
            return None
        (owner, part), keyed = found.part, found is ghost
        muscle = part.removeprefix(MUSCLE) if part.startswith(MUSCLE) else None
        return Pick(owner=owner, part=part, point_world=found.point, view=view, keyed=keyed, added=muscle)

    def _pick(
        self, bodies: DrawnBodies, camera: Camera, point: tuple[float, float], size: tuple[float, float]
    ) -> PickHit | None:
        side = 2 * REACH + 1
        if self._pick_target is None:
            self._pick_target = gl.RenderTarget(side, side)
        codes = bodies.codes(self._pick_target, crop_matrix(point, side, size) @ camera.matrix(size), camera)
        found = nearest_number(codes, REACH)
        if found is None:
            return None
        code, column, row = found
        origin, direction = camera.ray((point[0] + column - REACH, point[1] + row - REACH), size)
        part, along = bodies.hit(code, origin, direction)
        away = float(np.hypot(column - REACH, row - REACH))
        return PickHit(part, vector(origin + along * direction), away, along)

    @contextmanager
    def _current(self) -> Iterator[None]:
        with self.gl_current(), self._context.entered():
            yield

    @contextmanager
    def showing(self, snapshot: Snapshot) -> Iterator[None]:
        """Photograph these bodies alone within this block; the screen keeps its picture, and is not drawn again."""
        kept = self._items, self._skins, self._balances, self._ghosts, self._strokes, self._trails
        wet, lit = (self._liquids, self._sheets), (self._light, self._finishes, self._spindles)
        self._items, self._skins, self._trails = snapshot.bodies, snapshot.skins, None
        self._balances, self._ghosts, self._strokes = (), (), ()
        self._liquids, self._sheets = snapshot.liquids, ()
        self._light, self._finishes, self._spindles = None, snapshot.finishes, snapshot.spindles
        self._items_are_old = self._trails_are_old = True
        try:
            yield
        finally:
            self._items, self._skins, self._balances, self._ghosts, self._strokes, self._trails = kept
            self._liquids, self._sheets = wet
            self._light, self._finishes, self._spindles = lit
            self._items_are_old = self._trails_are_old = True

    def photograph(
        self, shot: Shot, look: Look, samples: int, *, with_symbols: bool, with_trails: bool = True
    ) -> QImage:
        """Render the shot off the screen, as the mean of `samples` pictures."""
        if self.picture is None or not self.has_gl:
            raise RuntimeError("the view is not ready: call start() and wait for its first picture")
        with self._unpacking.at_once(), self._current():
            self._bring_up_to_date(self.picture)
            self.picture.set_patch(None)
            self.picture.set_glass(())
            self.picture.set_paths((), 0.0)
            if not with_trails:
                self.picture.set_trails(None)
                self._trails_are_old = True
            target = gl.RenderTarget(shot.width, shot.height)
            lit = replace(look, shadows=self._pace.choose(look.shadows, resting=samples > 1))
            pixels = np.round(mean_picture(self.picture, shot, lit, target, samples)).astype(np.uint8)
            if with_symbols:
                target.texture.write(pixels[::-1])
                self.ornaments.draw(target.handle, shot, look)
                pixels = target.read().copy()
            del target
        pixels[..., 3] = 255
        image = QImage(pixels.tobytes(), shot.width, shot.height, 4 * shot.width, QImage.Format.Format_RGBA8888)
        return image.copy()
