"""Liquid: the surface of water, what is behind it seen through it, foam on it, its drops and its shadow.

What is opaque is drawn a second time, into a picture of its colours and into one of how far along the view it is; the
latter takes the surface's own far side too. A refracted ray is followed through both (`liquid_ray.py`). The colours
that it meets are taken away with depth as water takes them (Beer and Lambert); the sky and a light above are sent back
by Schlick's form of Fresnel's equations:

    F = F0 + (1 - F0) (1 - n.v)^5,  F0 = ((1 - 1.33) / (1 + 1.33))^2 = 0.02

What is above a place of the surface keeps the sky's light from it, softly, as it does from the floor. Bodies keep the
key's from it too, by the key's map: from its glint and its foam, and from what the depths send back, of which half is
asked for on the surface and half within the water, where the refracted ray has gone half of its way.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from app.scene.camera import Bounds
from app.scene.gl import Program, RenderTarget, clear, draw_into, mode, samples
from app.scene.look import Look, luminance, rgb
from app.scene.visuals.drops import DropsVisual
from app.scene.visuals.eye import Eye
from app.scene.visuals.liquid_mesh import VERTEX, LiquidMesh, box_about, meshes_of
from app.scene.visuals.liquid_ray import HALVINGS, RAY, STEPS
from app.scene.visuals.liquid_shadow import LiquidShadowVisual
from app.scene.visuals.shade import IN_SHADE
from app.scene.visuals.shading import EVENLY, GRAIN, QUICK
from app.scene.visuals.shadow import Overhang
from engine.model import LiquidSurface

RAYS = 4  # of a pixel of several samples
_TAKEN = (1.2, 0.36, 0.24)  # [1/m] of red, green and blue, on the way through: clear pool water, sixfold
_DEEP = (0.05, 0.26, 0.36)  # colour that the depths send back
BESIDE_KEY = 0.5  # of how much what is above darkens the surface, where its shadow of the key does so too
_FAINT = 0.3  # opacity of the surface before a slice

_SIDE = "varying float share; void main() { gl_FragColor = vec4(clamp(share, 0.0, 1.0), 1.0, 0.0, 1.0); }"
_FRAGMENT = (
    RAY
    + """
uniform vec4 eye;
uniform vec3 key_direction;
uniform vec3 key_light;
uniform vec3 sky;
uniform vec3 ground;
uniform vec3 taken;
uniform vec3 deep;
uniform float ambient;
uniform float opacity;
uniform int rays;
uniform vec2 corner;
uniform sampler2D overhang;
uniform vec3 square;
uniform vec2 heights;
uniform float shaded;
varying vec3 world_point;
varying vec3 world_normal;
varying float share;
varying float froth;
float grain(vec3 at) { return fract(sin(dot(at, vec3(127.1, 311.7, 74.7))) * 43758.5453); }
float layer(vec3 cell, vec2 f) {
    float low = mix(grain(cell), grain(cell + vec3(1.0, 0.0, 0.0)), f.x);
    return mix(low, mix(grain(cell + vec3(0.0, 0.0, 1.0)), grain(cell + vec3(1.0, 0.0, 1.0)), f.x), f.y);
}
float bubbles(vec3 at) {
    vec3 cell = floor(at);
    vec3 f = at - cell;
    f = f * f * (3.0 - 2.0 * f);
    return mix(layer(cell, f.xz), layer(cell + vec3(0.0, 1.0, 0.0), f.xz), f.y);
}
void main() {
    vec3 v = normalize(eye.xyz - eye.w * world_point);
    vec3 n = normalize(world_normal);
    if (dot(n, v) < 0.0) n = normalize(n - 1.02 * dot(n, v) * v);
    vec3 bent = refract(-v, n, 0.75);
    vec2 here = (gl_FragCoord.xy - corner) / size;
    vec4 right = dFdx(vec4(world_point, share));
    vec4 up = dFdy(vec4(world_point, share));
    vec4 found = vec4(0.0);
    for (int i = 0; i < rays; i++) {
        vec2 off = rays == 1 ? vec2(0.0) : 0.25 * (vec2(float(i), mod(1.0 + 2.0 * float(i), 5.0)) - 1.5);
        vec4 from = vec4(world_point, share) + off.x * right + off.y * up;
        found += followed(from.xyz, from.w, bent, here + off / size);
    }
    found /= float(rays);
    vec3 seen = found.rgb;
    float way = found.a;
    vec3 kept = exp(-taken * way);
    float dark = 0.0;
    vec4 over = texture2D(overhang, (world_point.xz - square.xy) / square.z * 0.5 + 0.5);
    if (shaded * over.a > 0.004) {
        float above = over.b / over.a * heights.y + heights.x - world_point.y;
        dark = shaded * over.a * smoothstep(0.0, 0.05, above) * exp(-0.7 * max(above, 0.0));
    }
    float open = 1.0;
    float within = 1.0;
    float lit = (0.55 + 0.45 * clamp(n.y, 0.0, 1.0)) * (1.0 - 0.8 * dark) * (0.4 + 0.3 * open + 0.3 * within);
    vec3 through = seen * seen * kept + deep * lit * ambient * (1.0 - exp(-1.2 * way));
    vec3 back = reflect(-v, n);
    vec3 mirrored = mix(ground, sky, smoothstep(-0.35, 0.75, back.y)) * (ambient * (1.0 - 0.35 * dark));
    float graze = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    float fresnel = 0.02 + 0.98 * graze * graze * graze * graze * graze;
    float glint = dot(n, normalize(key_direction + v));
    glint = glint > 0.9 ? 0.55 * pow(glint, 380.0) + 0.06 * pow(glint, 40.0) : 0.0;
    vec3 colour = mix(through, mirrored, fresnel) + key_light * (glint * open);
    if (froth > 0.004) {
        float spots = 0.5 * bubbles(world_point * 40.0) + 0.5 * bubbles(world_point * 130.0);
        float white = smoothstep(0.75 - 0.75 * froth, 1.0 - 0.5 * froth, spots) * (0.5 + 0.5 * froth);
        vec3 foam = (sky * (0.6 + 0.5 * lit) + 0.25 * key_light * lit) * (ambient * (1.0 - 0.6 * dark));
        foam *= 0.5 + 0.5 * open;
        colour = mix(colour, foam, 0.9 * white);
    }
    gl_FragColor = vec4(sqrt(colour) * opacity, opacity);
}
"""
)


_ASKED = {
    EVENLY: """    float angle = 6.2831853 * grain_here() + shade_taps.z;
    vec2 first = vec2(cos(angle), sin(angle));
    open = open_key(world_point + 0.004 * n, first, 0.03);
    within = open_key(world_point + min(0.5 * way, 1.5) * bent, first, 0.06);
""",
    QUICK: """    open = open_key(world_point + 0.004 * n, 0.0, 0.0, 0.0);
    within = open_key(world_point + min(0.5 * way, 1.5) * bent, 0.0, 0.0, 0.0);
""",
}
_OPEN = """    open = mix(1.0, open, shade_strength);
    within = mix(1.0, within, shade_strength);
"""


@cache
def _under_key(shading: str) -> str:
    """Return the surface's shader where the key's map says what lies in shadow."""
    asked = "    float within = 1.0;\n" + _ASKED[shading] + _OPEN
    head = GRAIN + shading + "uniform float shade_strength;\n"
    return head + _FRAGMENT.replace("    float within = 1.0;\n", asked)


class LiquidVisual:
    """Draws the surfaces of liquids over what is there."""

    def __init__(self) -> None:
        self._program = cache(lambda fragment: Program(VERTEX, fragment))  # made when the first liquid is drawn
        self._shown: Sequence[LiquidSurface] = ()
        self._surfaces: tuple[LiquidMesh, ...] = ()
        self._bounds: Bounds | None = None  # of what holds them
        self._shadow: LiquidShadowVisual | None = None  # made when it is first cast
        self._shadow_is_old = True
        self._drops = DropsVisual()
        self._behind: tuple[RenderTarget, RenderTarget, RenderTarget] | None = None

    @property
    def is_seen(self) -> bool:
        """True if there is something to draw."""
        return bool(self._surfaces) or self._drops.is_seen

    def show(self, items: Sequence[LiquidSurface]) -> None:
        """Take over those of a picture; the same ones are not uploaded again."""
        if len(items) == len(self._shown) and all(map(lambda one, two: one is two, items, self._shown)):
            return
        self._shown = items
        seen = [each for each in items if each.visible]
        self._surfaces, self._bounds, self._shadow_is_old = meshes_of(seen), box_about(seen), True
        self._drops.show(seen)

    def cast_shadow(self) -> None:
        """Draw the shadow on the floor anew if the surface has changed."""
        if self._shadow_is_old and self._surfaces and self._bounds is not None:
            self._shadow_is_old = False
            self._shadow = self._shadow or LiquidShadowVisual()
            self._shadow.cast(self._surfaces, self._bounds)

    def draw_shadow(self, eye: Eye, look: Look) -> None:
        """Lay the shadow on the floor."""
        if self._shadow is not None and self._surfaces:
            self._shadow.draw(eye, look)

    def look_behind(
        self, eye: Eye, look: Look, draw_opaque: Callable[[], None], draw_depths: Callable[[], None]
    ) -> None:
        """Draw what is behind the surface, drops behind it too; the framebuffer is another one afterwards."""
        if not self._surfaces:
            return
        colours, depths, near = self._pictures(eye.size)
        if self._drops.is_seen:
            draw_into(near.handle, 0, 0, *eye.size)
            clear((1.0, 1.0, 1.0, 1.0))
            self._draw_sides(eye, hidden="back")
        draw_into(colours.handle, 0, 0, *eye.size)
        clear((0.0, 0.0, 0.0, 1.0))
        draw_opaque()
        self._drops.draw(eye, look, _light(eye, look), before=near.texture)
        draw_into(depths.handle, 0, 0, *eye.size)
        clear((1.0, 1.0, 1.0, 1.0))
        draw_depths()
        self._draw_sides(eye, hidden="front")

    def _draw_sides(self, eye: Eye, *, hidden: str) -> None:
        """Draw how far along the view the sides of surfaces are."""
        mode(depth=True, write_depth=True, cull=hidden)
        sides = self._program(_SIDE)
        sides.use(clip_from_world=eye.matrix, along=eye.along)
        for each in self._surfaces:
            sides.draw(each.vertices, each.triangles)

    def draw(
        self, eye: Eye, look: Look, corner: tuple[int, int], *, faint: bool, overhang: Overhang | None = None
    ) -> None:
        """Draw surfaces and drops; `corner` is that of the view in the framebuffer, the lower left [px]. What is above
        the surface darkens it."""
        light = _light(eye, look)
        if self._surfaces and self._behind is not None:
            near, far = eye.camera.depth_range()
            ahead = -eye.camera.axes[2]
            over = overhang or Overhang(self._behind[0].texture, (0.0, 0.0, 1.0), (0.0, 1.0))
            shade = eye.shade
            surface = self._program(_FRAGMENT if shade is None else _under_key(QUICK if shade.quick else EVENLY))
            if shade is not None:
                surface.use(**shade.of_floor(eye), shade_strength=IN_SHADE)
            mode(depth=True, write_depth=True, blend="over", cull="back")
            surface.use(
                clip_from_world=eye.matrix, eye=eye.place, along=eye.along,
                ahead=(float(ahead[0]), float(ahead[1]), float(ahead[2])), reach=far - near,
                rays=RAYS if samples() > 1 else 1, steps=STEPS, halvings=HALVINGS, behind=self._behind[0].texture,
                depths=self._behind[1].texture, taken=_TAKEN, deep=_DEEP,
                opacity=_FAINT if faint else 1.0, size=eye.size, corner=corner, overhang=over.texture,
                square=over.square, heights=over.heights,
                shaded=0.0 if overhang is None else look.shadow_strength * (1.0 if shade is None else BESIDE_KEY),
                **light,
            )  # fmt: skip
            for each in self._surfaces:
                surface.use(lower=each.lower, upper=each.upper)
                surface.draw(each.vertices, each.triangles)
        self._drops.draw(eye, look, light)

    def _pictures(self, size: tuple[int, int]) -> tuple[RenderTarget, RenderTarget, RenderTarget]:
        """Give those of colours, of the nearest body or far side, and of the near side."""
        known = self._behind
        if known is None or (known[1].width, known[1].height) != size:
            colours, depths, near = (RenderTarget(*size, kind=kind) for kind in ("rgba8", "rgba32f", "rgba32f"))
            self._behind = known = colours, depths, near
        return known


def _light(eye: Eye, look: Look) -> dict[str, tuple[float, float, float] | float]:
    """Return the uniforms of what shines on liquids."""
    return {
        "key_direction": eye.lit_by.key, "key_light": _linear(look.key_light), "sky": _linear(look.sky_light),
        "ground": _horizon(look), "ambient": 1.0 + 0.4 * luminance(look.view_bottom),
    }  # fmt: skip


def _linear(colour: str) -> tuple[float, float, float]:
    red, green, blue = rgb(colour)
    return red * red, green * green, blue * blue


def _horizon(look: Look) -> tuple[float, float, float]:
    """Return what water mirrors of what is low: the view's own colour, with some of the sky's light."""
    low, sky = _linear(look.view_bottom), _linear(look.sky_light)
    red, green, blue = (own + 0.3 * light for own, light in zip(low, sky, strict=True))
    return red, green, blue
