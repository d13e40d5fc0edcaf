"""Shade: what keeps light from the places of one view, as textures and numbers for the shaders of `shading.py`."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from app.scene.camera import Bounds
from app.scene.drawn_bodies import DrawnBodies
from app.scene.gl import Program, RenderTarget, clear, draw_into, mode, quad
from app.scene.light import Light
from app.scene.panes import Tile
from app.scene.visuals.eye import Eye
from app.scene.visuals.key_shadow import KeyShadow
from app.scene.visuals.shading import OVER_FACES, SMOOTHED
from engine.runtime.quick_dataclass import dataclass

TAPS, FEWEST = 32, 4  # of a mean of pictures of the floor, and of one of them
ON_KEY, ON_SKY = 16.0, 24.0  # taps of bodies
ROWS = 5.0  # and columns of neighbours whose mean is taken, on one surface
GOLDEN = math.pi * (3.0 - math.sqrt(5.0))  # [rad] from one tap to the next
GOLDEN_SHARE = (math.sqrt(5.0) - 1.0) / 2.0
FINE, COARSE = 1024, 256  # [px] sides of the map
LOST = 2.0  # [px] of details that the coarse one may lack
NOTCH = 0.3  # [m] about a place, from within which bodies keep the sky's light, at most
MOST_PIXELS = 0.12  # of the picture's height, likewise
ON_BODIES = 0.022  # [m] half of the penumbra on bodies
IN_SHADE = 0.85  # of the key's light that a shadow on a body takes away
TOLD_APART = 0.02  # [m] along the view, from where on two places are not of one surface


@dataclass(frozen=True, eq=False)
class Shade:
    """Textures and numbers for the shaders of a view."""

    quick: bool
    key: KeyShadow
    of_key: dict[str, Any]
    of_bodies: dict[str, Any]
    corner: tuple[int, int] = (0, 0)  # of the view in the framebuffer [px]

    def of_forms(self, eye: Eye) -> dict[str, Any]:
        """Return the uniforms of the shaders of solid forms."""
        own = {"shade_strength": IN_SHADE, **self.of_bodies}
        if self.quick:
            return {**self.of_key, **own}
        wide, margin = widened(eye)
        off = (self.corner[0] + eye.jitter[0] - margin, self.corner[1] + eye.jitter[1] - margin)
        return {**own, "shaded_pixels": (*off, 1.0 / wide.size[0], 1.0 / wide.size[1])}

    def of_floor(self, eye: Eye) -> dict[str, Any]:
        """Return the uniforms of the shader of the floor."""
        x, y = _place(eye)
        return {**self.of_key, "grain_shift": (x - self.corner[0], y - self.corner[1])}

    @property
    def whole(self) -> Shade:
        """That of one picture that stands for all of a mean."""
        return self if self.quick else replace(self, of_key={**self.of_key, **_taps(0, 1)})

    def at(self, corner: tuple[int, int]) -> Shade:
        """Return it for a view that is drawn elsewhere."""
        return replace(self, corner=corner)


class Shades:
    """The maps of all views. The canvas's context must be current."""

    def __init__(self) -> None:
        self._maps: dict[tuple[int, int], KeyShadow] = {}  # by side and view
        self._over: tuple[Program, Program] | None = None
        self._quad = quad()
        self._faces: tuple[RenderTarget, RenderTarget] | None = None  # and what is worked out of them, with its grain
        self._shaded: dict[int, tuple[tuple[object, ...], RenderTarget]] = {}  # by view

    def of(
        self, drawn: DrawnBodies, eye: Eye, light: Light, view: int, sample: tuple[int, int], *, quick: bool
    ) -> Shade | None:
        """Draw the maps of a view, where they are old, and give its shade; None where nothing casts one. `sample` is
        the number of the picture, and of how many it is one."""
        bounds = drawn.bounds() if drawn.has_forms else None
        if bounds is None:
            return None
        side = COARSE if quick else FINE
        key = self._key(side, view, light, drawn, bounds)
        of_key: dict[str, Any] = {
            "shade_map": key.texture,
            "shade_from_world": key.matrix,
            "shade_size": (key.metres, key.depth, math.tan(light.size)),
            "shade_texel": 1.0 / side,
        }
        reach = min(ON_BODIES, key.metres * 0.012)
        if quick:
            return Shade(True, key, of_key, {"shade_reach": 1.5 * key.metres / side})
        found = self._over_faces(drawn, eye, light, bounds, view, {**of_key, **_on_bodies(eye, *sample)}, reach)
        return Shade(False, key, {**of_key, **_taps(*sample)}, found)

    def _key(self, side: int, view: int, light: Light, drawn: DrawnBodies, bounds: Bounds) -> KeyShadow:
        """Give the map of a view, or that of another one under the same light."""
        seen = (light.key, (drawn, drawn.pose))
        found = next((each for (known, _), each in self._maps.items() if known == side and each.seen == seen), None)
        if found is None:
            found = self._maps.get((side, view)) or self._maps.setdefault((side, view), KeyShadow(side))
            across = float(np.linalg.norm(np.subtract(bounds.upper, bounds.lower)))
            coarse = LOST * across / side if side == COARSE else 0.0
            found.cast(*seen, bounds, partial(drawn.draw_far, coarse=coarse))
        return found

    def _over_faces(
        self,
        drawn: DrawnBodies,
        eye: Eye,
        light: Light,
        bounds: Bounds,
        view: int,
        of_key: dict[str, Any],
        reach: float,
    ) -> dict[str, Any]:
        """Work out how much light reaches what is seen, unless it is known, and give what shaders need to look it
        up."""
        near, far = eye.camera.depth_range()
        seen = (drawn, drawn.pose, eye.camera, eye.size, eye.tile, light, eye.off)
        known = self._shaded.get(view)
        if known is None or known[0] != seen:
            wide, _ = widened(replace(eye, jitter=(0.0, 0.0)))
            target = known[1] if known is not None and _fits(known[1], wide.size) else _target(wide.size)
            self._shaded[view] = (seen, target)
            self._work_out(drawn, wide, light, bounds, target, {**of_key, "reach": reach})
        return {
            "shaded": self._shaded[view][1].texture, "shaded_along": eye.along,
            "shaded_deep": (far - near) / TOLD_APART,
        }  # fmt: skip

    def _work_out(
        self, drawn: DrawnBodies, eye: Eye, light: Light, bounds: Bounds, target: RenderTarget, uniforms: dict[str, Any]
    ) -> None:
        if self._faces is None or not _fits(self._faces[0], eye.size):
            self._faces = _target(eye.size), _target(eye.size)
        if self._over is None:
            self._over = Program(*OVER_FACES), Program(*SMOOTHED)
        (faces, grained), (over, smoothed) = self._faces, self._over
        draw_into(faces.handle, 0, 0, *eye.size)
        clear((0.0, 0.0, 0.0, 1.0))
        drawn.draw_faces(eye)
        blurs = eye.lens is not None  # then the mean of pictures takes the grain away
        draw_into((target if blurs else grained).handle, 0, 0, *eye.size)
        clear((1.0, 1.0, 1.0, 1.0), depth=False)
        mode()
        camera, (x, y) = eye.camera, _place(eye)
        near, far = camera.depth_range()
        right, up, back = camera.axes
        width, height = eye.size if eye.tile is None else eye.tile.whole
        slope = 2.0 * (camera.half_height if camera.orthographic else math.tan(camera.fov / 2)) / height
        extent = float(np.linalg.norm(np.array(bounds.upper) - np.array(bounds.lower)))
        box = box_seen(eye, bounds)
        over.use(
            faces=faces.texture, size=eye.size, box=box, grain_shift=(x, y),
            middle=(width / 2 - x, height / 2 - y), most_pixels=MOST_PIXELS * height,
            right=right.tolist(), up=up.tolist(), ahead=(-back).tolist(), key_direction=light.key,
            span=(near, far - near, slope, 0.0 if camera.orthographic else 1.0), origin=eye.stands.tolist(),
            shear=eye.shear,
            radius=min(max(0.12 * extent, 0.02), NOTCH), turn=(math.cos(GOLDEN), math.sin(GOLDEN)),
            **uniforms,
        )  # fmt: skip
        over.draw(self._quad, mode="triangle_strip")
        if not blurs:
            draw_into(target.handle, 0, 0, *eye.size)
            clear((1.0, 1.0, 1.0, 1.0), depth=False)
            smoothed.use(grained=grained.texture, size=eye.size, box=box, deep=(far - near) / TOLD_APART, rows=ROWS)
            smoothed.draw(self._quad, mode="triangle_strip")


def _taps(number: int, count: int) -> dict[str, Any]:
    """Return what share of the places about one on the floor a picture of a mean takes."""
    each, turn = max(TAPS // count, FEWEST), GOLDEN * count
    return {
        "shade_taps": (float(number), float(count), GOLDEN * number % math.tau, 1.0 / (each * count)),
        "shade_turn": (math.cos(turn), math.sin(turn)),
        "shade_count": each,
    }


def _on_bodies(eye: Eye, number: int, count: int) -> dict[str, Any]:
    """Return how many places about one on a body are asked, and from where on: all of them for all pictures of a mean;
    of a lens, each picture of which is seen from elsewhere, a share by each."""
    if eye.lens is None or count == 1:
        return {"counts": (ON_KEY, ON_SKY), "first": 0.5, "twist": 0.0}
    few = tuple(max(math.ceil(each / count), FEWEST) for each in (ON_KEY, ON_SKY))
    return {"counts": few, "first": (0.5 + number * GOLDEN_SHARE) % 1.0, "twist": GOLDEN * number % math.tau}


def widened(eye: Eye) -> tuple[Eye, int]:
    """Return the eye of a tile with what notches at its edges are darkened by, and how much that is [px]."""
    tile = eye.tile
    if tile is None:
        return eye, 0
    margin = math.ceil(MOST_PIXELS * tile.whole[1])
    size = tile.width + 2 * margin, tile.height + 2 * margin
    return replace(eye, size=size, tile=Tile(tile.x - margin, tile.y - margin, *size, tile.whole)), margin


def _place(eye: Eye) -> tuple[int, int]:
    """Return where a view begins in the picture of which it is a tile [px]."""
    return (0, 0) if eye.tile is None else (eye.tile.x, eye.tile.y)


def _target(size: tuple[int, int]) -> RenderTarget:
    return RenderTarget(*size, kind="rgba32f")


def _fits(target: RenderTarget, size: tuple[int, int]) -> bool:
    return (target.width, target.height) == size


def box_seen(eye: Eye, bounds: Bounds) -> tuple[float, float, float, float]:
    """Return the rectangle about all bodies in the view, in clip coordinates; all of it where one is behind the eye."""
    corners = np.column_stack((bounds.corners, np.ones(8))) @ eye.matrix.T
    if corners[:, 3].min() <= 1e-6:
        return -1.0, -1.0, 1.0, 1.0
    flat = corners[:, :2] / corners[:, 3:]
    (left, low), (right, high) = np.clip(flat.min(axis=0) - 0.02, -1, 1), np.clip(flat.max(axis=0) + 0.02, -1, 1)
    return float(left), float(low), float(right), float(high)
