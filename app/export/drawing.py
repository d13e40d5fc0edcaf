"""Drawing: the frames of one plan, off the screen, at any size: in tiles where a frame is larger than what is drawn at
once, each the mean of several pictures that are shifted by less than a pixel.

The surface's context must be current. A frame comes in steps, so that nobody waits for more than one of them.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import TYPE_CHECKING

from app.export.caption import caption_lines, straighten, write
from app.export.curves import write_curves
from app.scene.colour_map import legend_field
from app.scene.filming import camera_of, lens_of, view_of
from app.scene.gl import RenderTarget, largest_side
from app.scene.held_symbols import held_symbols
from app.scene.lens import FEWEST, MOST, Lens, shifts
from app.scene.panes import Pane, Shot, Tile
from app.scene.picture import Picture
from app.scene.settling import Settling
from app.scene.symbols import placed
from app.scene.visuals.field_legend import FieldLegend
from app.scene.visuals.sprites import Sprites
from engine.runtime.errors import InvalidArguments

if TYPE_CHECKING:
    from app.export.plan import Plan
    from app.scene.camera import Camera
    from engine.model import Snapshot
    from engine.queries.stills import Still

LARGEST = (2048, 1152)  # [px] of a tile: what a slow renderer draws within a moment
Frame = bytes | bytearray  # red, green, blue, alpha; row 0 the lowest


class Drawing:
    """The OpenGL objects that draw the frames of a plan; `picture` may be that of another plan."""

    def __init__(self, plan: Plan, picture: Picture, *, largest: tuple[int, int] = LARGEST) -> None:
        self._plan, self._picture, self._look = plan, picture, plan.look_drawn()
        side = largest_side()
        self._tiles = tiles(plan.frame_size, (min(largest[0], side), min(largest[1], side)))
        width, height = self._tiles[0].width, self._tiles[0].height
        self._target = RenderTarget(width, height)
        most = MOST if plan.samples > 1 else FEWEST
        self._mean = Settling(width, height, shifts(plan.samples), most) if plan.samples > 1 or plan.seen_by else None
        self._symbols = Sprites() if plan.signs else None
        self._legend = FieldLegend()  # of the quantity that surfaces are coloured by

    def frame(self, still: Still, number: int) -> Generator[None, None, Frame]:
        """Draw a frame; its steps are the pictures of tiles, then the work on the whole."""
        plan, snapshot = self._plan, still.snapshot
        self._picture.highlight(frozenset(), None)
        self._picture.set_liquids(snapshot.liquids, snapshot.sheets)
        filming = {each.owner for each in snapshot.cameras}  # which no film shows
        bodies = [each for each in snapshot.bodies if each.owner not in filming]
        self._picture.set_light(snapshot.light)
        spindles = () if "muscle" in self._look.hidden else snapshot.spindles
        self._picture.set_items(
            bodies, snapshot.skins, snapshot.balances, finishes=snapshot.finishes, spindles=spindles
        )
        self._picture.set_trails(still.trails)
        self._legend.field = legend_field(snapshot.skins, self._look.field)
        if self._symbols is not None:
            self._symbols.markers = placed(held_symbols(snapshot))
        camera, lens = self._camera(snapshot, number)
        shots = [self._shot(tile, camera, lens) for tile in self._tiles]
        whole = bytearray(4 * plan.frame_size[0] * plan.frame_size[1]) if len(shots) > 1 else None
        pixels: Frame = b""
        for shot in shots:
            yield from self._draw(shot)
            if self._symbols is not None:
                self._symbols.draw(self._target.handle, _whole(shot), self._look, 0)
            self._legend.draw(self._target.handle, _whole(shot), self._look, 0)
            pixels = self._target.read_bytes()
            if whole is not None and shot.tile is not None:
                _lay(whole, pixels, shot.tile)
                yield
        lines = caption_lines(plan, number, still.numbers)
        if whole is None and not (lines or still.curves or plan.transparent):
            return pixels
        found = bytearray(pixels) if whole is None else whole
        write(found, plan.frame_size, lines, plan.look, len(still.curves))
        write_curves(found, plan.frame_size, still.curves, snapshot.time, plan.look)
        if plan.transparent:
            yield from straighten(found, plan.frame_size)
        return found

    def _draw(self, shot: Shot) -> Generator[None, None, None]:
        if self._mean is None or (self._plan.samples == 1 and not shot.lenses):
            self._picture.draw(self._target.handle, shot, self._look)
            return
        self._mean.restart()
        while not self._mean.finished:
            self._mean.step(self._picture, shot, self._look)
            yield
        self._mean.show(self._target.handle)

    def _camera(self, snapshot: Snapshot, number: int) -> tuple[Camera, Lens | None]:
        """Return the camera of a frame: that of the scene, if one is to be seen through, and its lens."""
        plan = self._plan
        if not plan.seen_by:
            return plan.camera_at(number), None
        view = view_of(snapshot, plan.seen_by)
        if view is None:
            raise InvalidArguments(what="the camera", value=plan.seen_by, allowed="a camera of the scene")
        return camera_of(view, plan.size[0] / plan.size[1]), lens_of(view)

    def _shot(self, tile: Tile, camera: Camera, lens: Lens | None) -> Shot:
        plan = self._plan
        pane, part = Pane(0, 0, tile.width, tile.height), tile if len(self._tiles) > 1 else None
        lenses = {} if lens is None else {0: lens}
        ratio = plan.pixel_ratio
        return Shot(tile.width, tile.height, {0: pane}, (camera,), (plan.display,), ratio, part, lenses=lenses)


def tiles(size: tuple[int, int], largest: tuple[int, int]) -> tuple[Tile, ...]:
    """Divide a picture into as few equal tiles as possible; the last ones reach beyond it by some pixels."""
    columns, rows = (-(-side // most) for side, most in zip(size, largest, strict=True))
    width, height = -(-size[0] // columns), -(-size[1] // rows)
    return tuple(Tile(x * width, y * height, width, height, size) for y in range(rows) for x in range(columns))


def _whole(shot: Shot) -> Shot:
    """Return the shot with its view as large as the whole picture, of which a tile shows a part, for symbols, which
    know no tiles."""
    tile = shot.tile
    if tile is None:
        return shot
    width, height = tile.whole
    return replace(shot, panes={0: Pane(-tile.x, tile.y + tile.height - height, width, height)})


def _lay(whole: bytearray, pixels: Frame, tile: Tile) -> None:
    """Put a tile into its place, but for what is beyond the picture."""
    width, height = tile.whole
    columns = min(tile.width, width - tile.x)
    for row in range(min(tile.height, height - tile.y)):
        at, source = 4 * ((tile.y + row) * width + tile.x), 4 * row * tile.width
        whole[at : at + 4 * columns] = pixels[source : source + 4 * columns]
