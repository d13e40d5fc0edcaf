"""Clay's light: the shaders of solid forms in their light, with shadows and without.

Colours are squared before and rooted after lighting, close enough to sRGB and cheap.
"""

from __future__ import annotations

from functools import cache

from app.scene.visuals.shading import QUICK, SHADED_AT

Pair = tuple[str, str]  # a vertex shader behind its head, and a fragment shader

_UNFINISHED: tuple[tuple[str, str], ...] = (
    ("varying vec4 finished;\n", ""),
    ("    finished = finish;\n", ""),
    ("finished.r < -0.5 ? skin : finished.rgb", "skin"),
)
_SHINE = """    float gloss = 1.0 - finished.a;
    if (gloss > 0.004) {
        float power = exp2(1.0 + 9.0 * gloss);
        float peak = pow(clamp(dot(n, normalize(key_direction + v)), 0.0, 1.0), power) * (power + 8.0) / 60.0;
        shine = key_light * (strengths.x * open * gloss * min(peak, 6.0));
        shine += sky_light * (0.5 * gloss * edge * edge * edge * sky * (0.4 + 0.6 * upward) * strengths.w);
    }
"""
_MAPPED = """    if (tint.z > -0.5) {
        float other = step(1.5, tint.z);
        vec3 mapped = texture2D(colours, vec2(tint.z - 2.0 * other, 0.25 + 0.5 * other)).rgb;
        clay = mapped * mapped;
    }
"""

LIT = (
    """
varying vec3 world_normal;
varying vec3 world_point;
varying vec3 tint;
varying vec4 finished;
void main() {
    find();
    finished = finish;
    world_point = at;
    world_normal = facing;
    tint = vec3(flags.x, shade * shade, hue);
    gl_Position = flags.y > 0.5 ? clip_from_world * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    """
uniform vec4 eye;
uniform vec3 key_direction;
uniform vec3 skin;
uniform vec3 accent;
uniform vec3 key_light;
uniform vec3 sky_light;
uniform vec3 ground_light;
uniform vec3 fill_direction;
uniform vec3 rim_direction;
uniform vec4 strengths;
uniform float opacity;
uniform float ambient;
uniform float two_sided;
uniform float rim;
uniform sampler2D colours;
varying vec3 world_normal;
varying vec3 world_point;
varying vec3 tint;
varying vec4 finished;
void main() {
    vec3 n = normalize(world_normal);
    vec3 v = normalize(eye.xyz - eye.w * world_point);
    if (two_sided > 0.5 && !gl_FrontFacing) n = -n;
    float lit = clamp((dot(n, key_direction) + 0.3) / 1.3, 0.0, 1.0);
    float upward = 0.5 + 0.5 * n.y;
    float edge = 1.0 - clamp(dot(n, v), 0.0, 1.0);
    float open = 1.0;
    float sky = 1.0;
    float filled = strengths.y * clamp((dot(n, fill_direction) + 0.4) / 1.4, 0.0, 1.0);
    float rimmed = strengths.z * (0.5 + 0.5 * dot(n, rim_direction));
    vec3 light = key_light * (1.05 * strengths.x * lit * lit * open);
    light += mix(ground_light, sky_light, upward) * (ambient * strengths.w * sky);
    light += sky_light * ((0.7 * edge * edge * edge * rimmed + 0.6 * filled) * sky);
    vec3 shine = vec3(0.0);
"""
    + _SHINE
    + """    vec3 own_colour = finished.r < -0.5 ? skin : finished.rgb;
    vec3 clay = mix(own_colour, accent, 0.26 * tint.x);
"""
    + _MAPPED
    + """    float seen = mix(opacity, 1.0, rim * edge * edge);
    gl_FragColor = vec4(sqrt(clay * tint.y * light + shine) * seen, seen);
}
""",
)

PAINTED = (
    LIT[0]
    .replace("varying vec3 tint;", "varying vec3 tint;\nvarying vec4 paint;\nvarying vec2 spot;")
    .replace("    find();", "    find();\n    paint = own;\n    spot = corner;"),
    LIT[1]
    .replace(
        "varying vec3 tint;",
        """varying vec3 tint;
uniform sampler2D picture;
uniform float laid;
uniform vec2 bounds;
uniform float through;
varying vec4 paint;
varying vec2 spot;""",
    )
    .replace(
        "    if (tint.z > -0.5) {",
        """    float solid = 1.0;
    if (paint.x > -0.5) {
        vec4 base = paint;
        if (laid > 0.5) {
            vec4 texel = texture2D(picture, spot);
            base *= vec4(texel.rgb * texel.rgb, texel.a);
        }
        if (base.a < bounds.x || base.a >= bounds.y) discard;
        solid = mix(1.0, base.a, through);
        clay = mix(base.rgb, accent, 0.26 * tint.x);
    }
    if (tint.z > -0.5) {""",
    )
    .replace("mix(opacity, 1.0, rim * edge * edge);", "mix(opacity, 1.0, rim * edge * edge) * solid;"),
)

_QUICKLY = """    float across = dot(n, key_direction);
    float asked = smoothstep(-0.12, 0.16, across);
    if (asked > 0.0) {
        float slant = sqrt(max(1.0 - across * across, 0.0));
        vec3 off = n * ((shade_reach + 1.5 * shade_texel * shade_size.x) * slant + 0.002);
        open = mix(1.0, open_key(world_point + off, 0.0, 0.0, 0.0), asked * shade_strength);
    }
"""
_FOUND = """    vec2 found = shaded_at(world_point);
    sky = found.y;
    open = mix(1.0, found.x, shade_strength) * mix(1.0, sky, 0.4);
"""


def _shaded(pair: Pair, uniforms: str, inside: str) -> Pair:
    """Return shaders for which `open` of the key and `sky` of all else are not 1 everywhere."""
    vertex, fragment = pair
    more = "uniform float shade_reach;\nuniform float shade_strength;\n" + uniforms
    fragment = fragment.replace("void main() {", more + "void main() {").replace(
        "    float sky = 1.0;\n", "    float sky = 1.0;\n" + inside
    )
    return vertex, fragment


@cache
def needed(pair: Pair, *, finished: bool, shines: bool, mapped: bool) -> Pair:
    """Return shaders without what nothing that is drawn asks for, the same pictures: a processor works it out for every
    pixel, whatever its conditions say."""
    vertex, fragment = pair
    left_out = () if finished else _UNFINISHED
    left_out += () if shines else ((_SHINE, ""),)
    left_out += () if mapped else ((_MAPPED, ""),)
    for text, other in left_out:
        vertex, fragment = vertex.replace(text, other), fragment.replace(text, other)
    return vertex, fragment


def _by_vertex(pair: Pair) -> Pair:
    """Return shaders that light corners and spread their colours, for triangles of a few pixels with one side."""
    start, body = pair[1].split("void main() {", 1)
    kept = [line for line in start.splitlines() if not line.startswith("varying ")]
    inside = [line for line in body.splitlines() if "gl_FrontFacing" not in line]
    text = "\n".join(inside).replace("world_normal", "facing").replace("world_point", "at")
    text = text.replace("gl_FragColor", "lit_colour").removesuffix("}")
    vertex = (
        "\n".join(kept)
        + f"""
varying vec4 lit_colour;
void main() {{
    find();
    vec4 finished = finish;
    vec3 tint = vec3(flags.x, shade * shade, hue);
    gl_Position = flags.y > 0.5 ? clip_from_world * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
{text}
}}
"""
    )
    return vertex, "varying vec4 lit_colour; void main() { gl_FragColor = lit_colour; }"


LIT_CORNERS = _by_vertex(LIT)
SHADED = {pair: _shaded(pair, SHADED_AT, _FOUND) for pair in (LIT, PAINTED)}
SHADED[LIT_CORNERS] = SHADED[LIT]  # what is found is of pixels
QUICKLY_SHADED = {pair: _shaded(pair, QUICK, _QUICKLY) for pair in (LIT, PAINTED)}
QUICKLY_SHADED[LIT_CORNERS] = _by_vertex(QUICKLY_SHADED[LIT])
