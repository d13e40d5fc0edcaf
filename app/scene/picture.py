"""Picture: draws everything with OpenGL. Knows no widget; the canvas's context must be current."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from app.scene.displays import Display
from app.scene.drawn_bodies import DrawnBodies
from app.scene.extent import Part
from app.scene.gl import clear, draw_into, keep_to
from app.scene.glass import GlassShape
from app.scene.lens import LensSample
from app.scene.light import grounded, light_of
from app.scene.look import Look, rgb
from app.scene.onions import Onions
from app.scene.panes import Shot
from app.scene.patch import Patch
from app.scene.paths import PathLine
from app.scene.planes import Plane
from app.scene.visuals.backdrop import BackdropVisual
from app.scene.visuals.backplane import BackplaneVisual
from app.scene.visuals.balance import BalanceVisual
from app.scene.visuals.beneath import Beneath
from app.scene.visuals.clay import ClayVisual
from app.scene.visuals.eye import Eye
from app.scene.visuals.floor import FloorVisual
from app.scene.visuals.glass import GlassVisual
from app.scene.visuals.grid import GridVisual
from app.scene.visuals.lines import LinesVisual
from app.scene.visuals.liquid import LiquidVisual
from app.scene.visuals.paints import Unpack, at_once
from app.scene.visuals.paths import PathsVisual
from app.scene.visuals.reach import ReachVisual
from app.scene.visuals.shade import Shades, box_seen
from app.scene.visuals.sheets import SheetsVisual
from app.scene.visuals.strokes import Stroke, StrokesVisual
from app.scene.visuals.table import PLAIN, Finish
from app.scene.visuals.trails import TrailsVisual
from engine.model import (
    ActorFinish,
    Balance,
    Bodies,
    LiquidSurface,
    SceneLight,
    SkinSurface,
    SliceSheet,
    Spindles,
    TrailPicture,
)

_OPAQUE = ("result", "handle")
_GHOST_OPACITY = 0.34
_KEYED_OPACITY = 0.26  # of the keyed ghost behind a figure with secondary motion
PLAINLY = LensSample()
LEAST_SHADED = 48  # [px] of a view's shorter side, in which shadows of a key are seen
_GHOST_BEHIND = 1e-4  # about a centimetre at the target: a ghost that stands where the result does is not seen


class Picture:
    """The visuals of all views: the drawn bodies, and those of ghosts, for each display in use."""

    def __init__(self, unpack: Unpack = at_once) -> None:
        self._clay, self._strokes = ClayVisual(), LinesVisual()
        self._clay.pictures.unpack = unpack
        self._backdrop, self._grid, self._balance = BackdropVisual(), GridVisual(), BalanceVisual()
        self._backplane, self._trails, self._reach = BackplaneVisual(), TrailsVisual(), ReachVisual()
        self._paths, self._strokes_seen, self._glass = PathsVisual(), StrokesVisual(), GlassVisual()
        self._liquid, self._sheets, self._shades = LiquidVisual(), SheetsVisual(), Shades()
        self._onions = Onions(lambda display: DrawnBodies(display, self._clay, self._strokes))
        self._items: Sequence[Bodies] = ()
        self._finishes: dict[str, Finish] = {}
        self._scene_light: SceneLight | None = None
        self._floor: FloorVisual | None = None  # made when a scene first has one
        self._beneath, self._has_planes = Beneath(), False
        self._still, self._grounds = Beneath(), dict[int, object]()  # of views, and what they are of
        self._laid: int | None = None  # the view whose still ground is laid
        self._extras: set[str] = set()  # what is drawn beside bodies
        self._holding: frozenset[str] = frozenset()  # owners of liquids
        self._skins: Sequence[SkinSurface] = ()
        self._spindles: Sequence[Spindles] = ()
        self._solid: dict[Display, DrawnBodies] = {}
        self._ghosts: dict[Display, DrawnBodies] = {}
        self._keyed: dict[Display, DrawnBodies] = {}
        self._keyed_items: Sequence[Bodies] = ()
        self._highlighted: tuple[frozenset[Part], Part | None] = (frozenset(), None)
        self._hovered_ghost: Part | None = None

    def set_items(
        self,
        items: Sequence[Bodies],
        skins: Sequence[SkinSurface],
        balances: Sequence[Balance] = (),
        keyed: Sequence[Bodies] = (),
        finishes: Sequence[ActorFinish] = (),
        spindles: Sequence[Spindles] = (),
    ) -> None:
        """Take over a snapshot's items; `keyed` are the ghosts of figures with secondary motion."""
        self._spindles = spindles
        self._finishes = {each.owner: _finish(each) for each in finishes}
        self._items = [each for each in items if each.owner not in self._holding or len(each.mesh.positions)]
        self._skins, self._keyed_items = skins, keyed
        self._balance.show(balances)
        self._note("balances", bool(balances))
        for display, drawn in self._solid.items():
            drawn.finishes = self._finishes
            drawn.show(*self._solid_items(), self._spindles)
            ghosts = self._ghost_items()
            if ghosts[0] or display in self._ghosts:
                self._ghost_bodies(display).show(*ghosts)
            self._show_keyed(display)

    def set_strokes(self, strokes: Sequence[Stroke]) -> None:
        """Take over the points, lines and arrows of a snapshot."""
        self._strokes_seen.show(strokes)
        self._note("strokes", bool(strokes))

    def set_liquids(self, liquids: Sequence[LiquidSurface], sheets: Sequence[SliceSheet]) -> None:
        """Take over the surfaces of liquids and the slices of a snapshot, before its items: of what holds a liquid no
        joint is drawn."""
        self._holding = frozenset(each.owner for each in liquids)
        self._liquid.show(liquids)
        self._sheets.show(sheets)

    def set_light(self, light: SceneLight | None) -> None:
        """Take over the lights of a scene; None: the usual ones."""
        self._scene_light = light

    def set_planes(self, planes: Sequence[Plane]) -> None:
        """Take over the image planes."""
        self._backplane.show(planes)
        self._has_planes = bool(planes)

    def set_trails(self, trails: TrailPicture | None) -> None:
        """Take over trails and onion skins."""
        self._trails.show(trails)
        self._onions.show(trails.onions if trails is not None else ())
        self._note("trails", trails is not None)

    def set_paths(self, lines: tuple[PathLine, ...], now: float) -> None:
        """Take over the compared paths, and the present [s]."""
        self._paths.show(lines, now)
        self._note("paths", bool(lines))

    def set_patch(self, patch: Patch | None) -> None:
        """Take over the patch of where a bone can point."""
        self._reach.show(patch)
        self._note("patch", patch is not None)

    def set_glass(self, shapes: Sequence[GlassShape]) -> None:
        """Take over the shapes of glass."""
        self._glass.show(shapes)
        self._note("glass", bool(shapes))

    def highlight(self, selected: frozenset[Part], hovered: Part | None, *, keyed: bool = False) -> None:
        """Outline the selected bodies, and faintly the hovered one, which may be of a figure as it is `keyed`."""
        self._highlighted, self._hovered_ghost = (selected, None if keyed else hovered), hovered if keyed else None
        for drawn in self._solid.values():
            drawn.highlight(*self._highlighted)
        for drawn in self._keyed.values():
            drawn.highlight(frozenset(), self._hovered_ghost)

    def draw(
        self,
        handle: int,
        shot: Shot,
        look: Look,
        seen: LensSample = PLAINLY,
        sample: tuple[int, int] = (0, 1),
        part: tuple[int, int, int, int] | None = None,
        coarse: float = 0.0,
    ) -> None:
        """Draw all views into a framebuffer, or of one view a part, shifted and through their lenses as `seen`.
        `sample`: the number of a picture of a mean, and of how many it is one. `coarse`: details of so many pixels may
        be left out."""
        look = grounded(look, self._scene_light)
        for unused in set(self._solid) - set(shot.displays):
            for drawn in (self._solid, self._ghosts, self._keyed):
                drawn.pop(unused, None)
        self._onions.keep(shot.displays)
        if look.shadows != "off":
            for display in {shot.displays[view] for view in shot.panes}:
                self.bodies(display).cast_shadow(late=coarse > 0.0)
            self._liquid.cast_shadow()
        draw_into(handle, 0, 0, shot.width, shot.height)
        ground = (*rgb(look.window), 1.0) if look.show_backdrop else (0.0, 0.0, 0.0, 0.0)
        clear(ground)
        for view, pane in shot.panes.items():
            corner, display = (pane.x, shot.height - pane.y - pane.height), shot.displays[view]
            light, lens = light_of(shot.cameras[view], self._scene_light), shot.lenses.get(view)
            eye = Eye(
                shot.cameras[view], pane.size, shot.pixel_ratio, seen.shift, tile=shot.tile, light=light, lens=lens,
                through=seen.lens, coarse=coarse,
            )  # fmt: skip
            if look.shadows in ("quick", "full") and min(pane.size) >= LEAST_SHADED:
                eye = self._shaded(eye, look, display, view, sample)
            self._keep_ground(view, eye, look, ground)
            once = view if sample[1] > 1 and not self._has_planes and lens is None else None
            if once is not None and (sample[0] == 0 or not self._beneath.has(view, pane.size)):
                self._beneath.make(view, pane.size, ground, partial(self._draw_beneath, eye.at_rest, look, display))
            if self._liquid.is_seen:
                self._look_behind(display, eye, look, once if look.show_backdrop else None)
            if eye.shade is not None:
                eye = replace(eye, shade=eye.shade.at(corner))
            draw_into(handle, *corner, pane.width, pane.height)
            if part is not None:
                keep_to(*part)
            self._draw_view(display, eye, look, corner, once)

    def unsteady(self, shot: Shot) -> tuple[int, int, int, int] | None:
        """Return the part of a picture [px, from the lower left] outside of which the pictures of a mean are the same;
        None: it is not known."""
        beside = (
            self._has_planes
            or bool(shot.lenses)
            or bool(self._extras)
            or self._liquid.is_seen
            or self._sheets.is_seen
            or bool(self._keyed_items)
        )
        (view, pane), *others = shot.panes.items()
        drawn = self.bodies(shot.displays[view])
        bounds = drawn.bounds()
        if beside or others or self._ghost_items()[0] or bounds is None or not drawn.is_within_bounds:
            return None
        eye = Eye(shot.cameras[view], pane.size, shot.pixel_ratio, tile=shot.tile)
        left, low, right, high = box_seen(eye, bounds)
        x, y = math.floor((0.5 + 0.5 * left) * pane.width), math.floor((0.5 + 0.5 * low) * pane.height)
        width = math.ceil((0.5 + 0.5 * right) * pane.width) - x
        height = math.ceil((0.5 + 0.5 * high) * pane.height) - y
        return pane.x + x, shot.height - pane.y - pane.height + y, width, height

    def _shaded(self, eye: Eye, look: Look, display: Display, view: int, sample: tuple[int, int]) -> Eye:
        """Return the eye with its shade; quickly, views without perspective have none, as they show what is where."""
        quick = look.shadows == "quick"
        if quick and eye.camera.orthographic:
            return eye
        return replace(eye, shade=self._shades.of(self.bodies(display), eye, eye.lit_by, view, sample, quick=quick))

    def bodies(self, display: Display) -> DrawnBodies:
        """Return the drawn bodies of a display, made at first use."""
        found = self._solid.get(display)
        if found is None:
            found = self._solid[display] = DrawnBodies(display, self._clay, self._strokes)
            found.finishes = self._finishes
            found.show(*self._solid_items(), self._spindles)
            found.highlight(*self._highlighted)
            if self._ghost_items()[0]:
                self._ghost_bodies(display).show(*self._ghost_items())
            self._show_keyed(display)
        return found

    def keyed_bodies(self, display: Display) -> DrawnBodies | None:
        """Return the figures as they are keyed, drawn behind those with secondary motion; None where there are none."""
        return self._keyed.get(display) if self._keyed_items else None

    def _draw_opaque(self, display: Display, eye: Eye, look: Look, once: int | None) -> None:
        """Draw what is beneath, unless that was drawn `once` for a view, and the bodies."""
        if once is None:
            self._draw_beneath(eye, look, display)
        else:
            self._beneath.lay(once)
        self._balance.draw_floor(eye, look)
        self.bodies(display).draw(eye, look)
        self._sheets.draw(eye)

    def _keep_ground(self, view: int, eye: Eye, look: Look, ground: tuple[float, float, float, float]) -> None:
        """Choose whether the floor of a view is laid as it was kept: while the view stays and bodies move. It is kept
        at the second picture in which it is the same."""
        self._laid = None
        if eye.coarse == 0.0 or self._has_planes or self._liquid.is_seen or eye.lens is not None:
            return
        seen = (eye.camera, eye.size, eye.tile, eye.pixel_ratio, eye.jitter, look, self._scene_light)
        if self._grounds.get(view) != seen:
            self._grounds[view] = seen
            self._still.forget(view)
            return
        if not self._still.has(view, eye.size):
            self._still.make(view, eye.size, ground, partial(self._draw_floor, eye, look))
        self._laid = view

    def _draw_floor(self, eye: Eye, look: Look) -> None:
        if look.show_backdrop:
            self._backdrop.draw(eye, look)
            self._draw_ground(eye)
        self._backplane.draw(eye, in_front=False)
        if look.show_grid:
            self._grid.draw(eye, look)

    def _draw_beneath(self, eye: Eye, look: Look, display: Display) -> None:
        if self._laid is None:
            self._draw_floor(eye, look)
        else:
            self._still.lay(self._laid)
        drawn = self.bodies(display)
        if look.shadows != "off":
            drawn.draw_shadow(eye, look)
            self._liquid.draw_shadow(eye, look)

    def _draw_ground(self, eye: Eye) -> None:
        if self._scene_light is not None and self._scene_light.floor:
            self._floor = self._floor or FloorVisual()
            self._floor.draw(eye, self._scene_light.floor, fades=self._scene_light.horizon)

    def _look_behind(self, display: Display, eye: Eye, look: Look, once: int | None) -> None:
        """Draw what is seen through liquids; where nothing is, the view's own colours are."""
        behind = replace(look, show_backdrop=True)
        self._liquid.look_behind(
            eye,
            look,
            lambda: self._draw_opaque(display, eye, behind, once),
            lambda: self.bodies(display).draw_depths(eye),
        )

    def _draw_view(self, display: Display, eye: Eye, look: Look, corner: tuple[int, int], once: int | None) -> None:
        self._draw_opaque(display, eye, look, once)
        if self._liquid.is_seen:
            overhang = self.bodies(display).overhang if look.shadows != "off" else None
            self._liquid.draw(eye, look, corner, faint=self._sheets.is_seen, overhang=overhang)
        eye = replace(eye, shade=None)
        self._reach.draw(eye, look, self._items)
        self._glass.draw(eye, look, self._items)
        self._onions.draw(display, eye, look)
        if self._keyed_items:
            behind = replace(eye, behind=_GHOST_BEHIND)
            self._keyed[display].draw(behind, replace(look, skin=look.text_quiet), _KEYED_OPACITY)
        if display in self._ghosts:
            back = replace(eye, behind=_GHOST_BEHIND)
            self._ghosts[display].draw(back, replace(look, skin=look.accent), _GHOST_OPACITY)
        self._backplane.draw(eye, in_front=True)
        self._strokes_seen.draw(eye, look)
        self._paths.draw(eye, look)
        self._trails.draw(eye, look)
        self._balance.draw(eye, look)

    def _note(self, name: str, there: bool) -> None:
        (self._extras.add if there else self._extras.discard)(name)

    def _solid_items(self) -> tuple[list[Bodies], list[SkinSurface]]:
        return [i for i in self._items if i.role in _OPAQUE], [s for s in self._skins if s.role in _OPAQUE]

    def _ghost_items(self) -> tuple[list[Bodies], list[SkinSurface]]:
        return [i for i in self._items if i.role not in _OPAQUE], [s for s in self._skins if s.role not in _OPAQUE]

    def _ghost_bodies(self, display: Display) -> DrawnBodies:
        if display not in self._ghosts:
            self._ghosts[display] = DrawnBodies(display, self._clay, self._strokes)
        return self._ghosts[display]

    def _show_keyed(self, display: Display) -> None:
        if self._keyed_items and display not in self._keyed:
            self._keyed[display] = DrawnBodies(display, self._clay, self._strokes)
        if display in self._keyed:
            self._keyed[display].show(self._keyed_items, ())


def _finish(given: ActorFinish) -> Finish:
    """Return what the table of bodies holds of it."""
    red, green, blue = (each * each for each in rgb(given.colour)) if given.colour else PLAIN[:3]
    return red, green, blue, given.roughness
