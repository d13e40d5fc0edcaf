"""Liquid: the surface of water, what is behind it seen through it, and its drops.

What is opaque is drawn a second time, into a smaller picture of its colours and into one of how far along the view it
is; the latter takes the surface's own far side too, so that the way of a ray through the liquid is known. A pixel of
the surface shows the colours where its refracted ray comes out, taken away with depth as water takes them (Beer and
Lambert), and what the sky and a light above send back by Schlick's form of Fresnel's equations:

    F = F0 + (1 - F0) (1 - n.v)^5,  F0 = ((1 - 1.33) / (1 + 1.33))^2 = 0.02
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from app.scene.gl import Indices, Program, RenderTarget, Vertices, clear, draw_into, mode
from app.scene.look import Look, luminance, rgb
from app.scene.visuals.eye import Eye
from engine.model import LiquidSurface

SHARE = 0.5  # of the view's pixels, along each side, that the picture of colours behind the surface has
MOST_DROPS = 40_000  # of one picture
_TAKEN = (1.9, 0.62, 0.42)  # [1/m] of red, green and blue, on the way through: clear pool water, tenfold
_DEEP = (0.05, 0.26, 0.36)  # colour that the depths send back
_THIN = 4e-3  # of the usual area: strips between a wall and the surface, whose normals are of neither
_AT_WALL = 2e-4  # of the box, within which a triangle lies on its wall
_FAINT = 0.3  # opacity of the surface before a slice

_VERTEX = """
uniform mat4 clip_from_world;
uniform vec4 along;
attribute vec3 position;
attribute vec3 normal;
varying vec3 world_point;
varying vec3 world_normal;
varying float share;
void main() {
    world_point = position;
    world_normal = normal;
    share = dot(position, along.xyz) + along.w;
    gl_Position = clip_from_world * vec4(position, 1.0);
}
"""
_FAR_SIDE = "varying float share; void main() { gl_FragColor = vec4(clamp(share, 0.0, 1.0), 0.0, 0.0, 1.0); }"
_FRAGMENT = """
uniform mat4 clip_from_world;
uniform vec4 eye;
uniform vec3 ahead;
uniform float reach;
uniform sampler2D behind;
uniform sampler2D depths;
uniform vec3 key_direction;
uniform vec3 key_light;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 taken;
uniform vec3 deep;
uniform float ambient;
uniform float opacity;
uniform vec2 size;
uniform vec2 corner;
varying vec3 world_point;
varying vec3 world_normal;
varying float share;
void main() {
    vec3 v = normalize(eye.xyz - eye.w * world_point);
    vec3 n = normalize(world_normal);
    if (dot(n, v) < 0.0) n = normalize(n - 1.02 * dot(n, v) * v);
    vec2 here = (gl_FragCoord.xy - corner) / size;
    float slant = max(dot(-v, ahead), 0.2);
    float way = max(texture2D(depths, here).x - share, 0.0) * reach / slant;
    vec3 bent = refract(-v, n, 0.75);
    vec4 out_at = clip_from_world * vec4(world_point + bent * min(way, 0.8), 1.0);
    vec2 there = clamp(out_at.xy / out_at.w * 0.5 + 0.5, 0.002, 0.998);
    float further = texture2D(depths, there).x - share;
    if (further > 0.0) way = further * reach / slant; else there = here;
    way = min(way, 6.0);
    vec3 seen = texture2D(behind, there).rgb;
    vec3 kept = exp(-taken * way);
    float lit = 0.55 + 0.45 * clamp(n.y, 0.0, 1.0);
    vec3 through = seen * seen * kept + deep * lit * ambient * (1.0 - exp(-1.6 * way));
    vec3 back = reflect(-v, n);
    vec3 mirrored = mix(ground, sky, smoothstep(-0.35, 0.75, back.y)) * ambient;
    float fresnel = 0.02 + 0.98 * pow(1.0 - clamp(dot(n, v), 0.0, 1.0), 5.0);
    vec3 halfway = normalize(key_direction + v);
    float glint = pow(clamp(dot(n, halfway), 0.0, 1.0), 380.0);
    vec3 colour = mix(through, mirrored, fresnel) + key_light * (0.55 * glint);
    gl_FragColor = vec4(sqrt(colour) * opacity, opacity);
}
"""
_DROP_VERTEX = """
uniform mat4 clip_from_world;
uniform vec3 right;
uniform vec3 up;
attribute vec4 drop;
attribute vec2 corner;
varying vec2 spot;
void main() {
    spot = corner;
    gl_Position = clip_from_world * vec4(drop.xyz + drop.w * (corner.x * right + corner.y * up), 1.0);
}
"""
_DROP_FRAGMENT = """
uniform vec3 light;
varying vec2 spot;
void main() {
    float far = dot(spot, spot);
    if (far > 1.0) discard;
    float alpha = 0.75 * (1.0 - far) * (1.0 - far);
    float shade = 0.86 + 0.14 * spot.y;
    gl_FragColor = vec4(light * (shade * alpha), alpha);
}
"""
_CORNERS = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], dtype=np.float32)
_QUAD = np.array([0, 1, 2, 0, 2, 3], dtype=np.uint32)


class LiquidVisual:
    """Draws the surfaces of liquids over what is there."""

    def __init__(self) -> None:
        self._programs: tuple[Program, Program, Program] | None = None  # made when the first liquid is drawn
        self._shown: Sequence[LiquidSurface] = ()
        self._surface: tuple[Vertices, Indices] | None = None
        self._drops: tuple[Vertices, Indices] | None = None
        self._behind: tuple[RenderTarget, RenderTarget] | None = None

    @property
    def is_seen(self) -> bool:
        """True if there is something to draw."""
        return self._surface is not None or self._drops is not None

    def show(self, items: Sequence[LiquidSurface]) -> None:
        """Take over those of a picture; the same ones are not uploaded again."""
        if len(items) == len(self._shown) and all(map(lambda one, two: one is two, items, self._shown)):
            return
        self._shown = items
        seen = [each for each in items if each.visible]
        self._surface, self._drops = _surface_of(seen), _drops_of(seen)

    def look_behind(self, eye: Eye, draw_opaque: Callable[[Eye], None], draw_depths: Callable[[Eye], None]) -> None:
        """Draw what is behind the surface; the framebuffer is another one afterwards."""
        if self._surface is None:
            return
        small = replace(
            eye,
            size=(max(round(SHARE * eye.size[0]), 1), max(round(SHARE * eye.size[1]), 1)),
            pixel_ratio=SHARE * eye.pixel_ratio,
            jitter=(SHARE * eye.jitter[0], SHARE * eye.jitter[1]),
        )
        colours, depths = self._pictures(small.size, eye.size)
        draw_into(colours.handle, 0, 0, *small.size)
        clear((0.0, 0.0, 0.0, 1.0))
        draw_opaque(small)
        draw_into(depths.handle, 0, 0, *eye.size)
        clear((1.0, 1.0, 1.0, 1.0))
        draw_depths(eye)
        mode(depth=True, write_depth=True, cull="front")
        far_side = self._made[1]
        far_side.use(clip_from_world=eye.matrix, along=eye.along)
        far_side.draw(*self._surface)

    def draw(self, eye: Eye, look: Look, corner: tuple[int, int], *, faint: bool) -> None:
        """Draw surfaces and drops; `corner` is that of the view in the framebuffer, the lower left [px]."""
        if self._surface is not None and self._behind is not None:
            near, far = eye.camera.depth_range()
            right, up, back = eye.camera.axes
            key = -0.45 * right + 0.62 * up + 0.64 * back
            x, y, z = (float(each) for each in key / np.linalg.norm(key))
            ahead = -back
            surface = self._made[0]
            mode(depth=True, write_depth=True, blend="over", cull="back")
            surface.use(
                clip_from_world=eye.matrix, eye=eye.place, along=eye.along,
                ahead=(float(ahead[0]), float(ahead[1]), float(ahead[2])), reach=far - near,
                behind=self._behind[0].texture, depths=self._behind[1].texture,
                key_direction=(x, y, z), key_light=_linear(look.key_light), sky=_linear(look.sky_light),
                ground=_horizon(look), taken=_TAKEN, deep=_DEEP,
                ambient=1.0 + 0.4 * luminance(look.view_bottom), opacity=_FAINT if faint else 1.0, size=eye.size,
                corner=corner,
            )  # fmt: skip
            surface.draw(*self._surface)
        if self._drops is not None:
            right, up, _ = eye.camera.axes
            drops = self._made[2]
            mode(depth=True, blend="over")
            drops.use(
                clip_from_world=eye.matrix, right=right.tolist(), up=up.tolist(), light=rgb(look.sky_light),
            )  # fmt: skip
            drops.draw(*self._drops)

    @property
    def _made(self) -> tuple[Program, Program, Program]:
        if self._programs is None:
            self._programs = (
                Program(_VERTEX, _FRAGMENT), Program(_VERTEX, _FAR_SIDE), Program(_DROP_VERTEX, _DROP_FRAGMENT),
            )  # fmt: skip
        return self._programs

    def _pictures(self, small: tuple[int, int], whole: tuple[int, int]) -> tuple[RenderTarget, RenderTarget]:
        known = self._behind
        if known is None or (known[1].width, known[1].height) != whole:
            self._behind = known = RenderTarget(*small, smooth=True), RenderTarget(*whole, kind="rgba32f")
        return known


def _surface_of(items: Sequence[LiquidSurface]) -> tuple[Vertices, Indices] | None:
    if not any(len(each.triangles) for each in items):
        return None
    parts = [flat_at_walls(each) for each in items]
    first = np.cumsum([0, *(len(rows) for rows, _ in parts)])
    triangles = np.concatenate([faces + start for (_, faces), start in zip(parts, first, strict=False)])
    rows = np.concatenate([each for each, _ in parts])
    return Vertices(rows, (("position", 3), ("normal", 3))), Indices(triangles.astype(np.uint32))


def flat_at_walls(item: LiquidSurface) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return rows of places and normals, and triangles: those that lie on a wall of the box have its normal, with
    corners of their own, and strips between a wall and the surface are left out."""
    triangles, places = item.triangles.astype(np.int64), item.positions
    corners = places[triangles]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    kept = areas > _THIN * np.median(areas)
    triangles, corners = triangles[kept], corners[kept]
    rows = [np.concatenate((places, item.normals), axis=1)]
    faces, count = triangles.copy(), len(places)
    near = _AT_WALL * max(high - low for low, high in zip(item.lower, item.upper, strict=True))
    for axis in range(3):
        for bound, way in ((item.lower[axis], -1.0), (item.upper[axis], 1.0)):
            there = (np.abs(corners[:, :, axis] - bound) < near).all(axis=1)
            own, numbers = np.unique(triangles[there], return_inverse=True)
            normals = np.zeros((len(own), 3), dtype=np.float32)
            normals[:, axis] = way
            rows.append(np.concatenate((places[own], normals), axis=1))
            faces[there] = numbers.reshape(-1, 3) + count
            count += len(own)
    return np.concatenate(rows).astype(np.float32), faces


def _drops_of(items: Sequence[LiquidSurface]) -> tuple[Vertices, Indices] | None:
    places = np.concatenate([each.drops for each in items]) if items else np.zeros((0, 4), dtype=np.float32)
    if not len(places):
        return None
    places = places[:: -(-len(places) // MOST_DROPS)]
    rows = np.empty((len(places), 4, 6), dtype=np.float32)
    rows[:, :, :4], rows[:, :, 4:] = places[:, None], _CORNERS
    first = np.arange(0, 4 * len(places), 4, dtype=np.uint32)
    fields = (("drop", 4), ("corner", 2))
    return Vertices(rows.reshape(-1, 6), fields), Indices((first[:, None] + _QUAD).ravel())


def _linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = rgb(colour)
    return red * red, green * green, blue * blue


def _horizon(look: Look) -> tuple[float, float, float]:
    """Return what water mirrors of what is low: the view's own colour, with some of the sky's light."""
    low, sky = _linear(look.view_bottom), _linear(look.sky_light)
    red, green, blue = (own + 0.3 * light for own, light in zip(low, sky, strict=True))
    return red, green, blue
