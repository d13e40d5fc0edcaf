"""Shading: the shaders that say how much of the key and of the sky reaches a place.

`open_key` compares the place with the key's depth map. On the floor, how far what hides it is away says how soft the
edge is (percentage-closer soft shadows, Fernando 2005): a light of half angle s makes a penumbra of gap * tan(s) to
each side. The places that are asked are a Vogel spiral, turned in every pixel by another angle; each of the pictures of
a mean takes its share of them. `open_key` of `QUICK` is the mean of nine neighbours in the map, each weighted by how
near it is: one picture alone has no grain so, and edges are equally soft everywhere.

On bodies both are worked out once for all pictures of a mean, over what is seen (`OVER_FACES`), not by the shaders of
bodies: small triangles make those dear on a processor. A place is lifted off its surface by as much as taps reach
beside it, which keeps the surface from shading itself; where that turns from the key, its own shape darkens it, and the
map, in which it lies at its edge, is not asked.

`open_sky` is ambient obscurance in the picture (McGuire, Mara and Luebke 2012): of places p about one with normal n, at
v = p - place, the mean of max(n.v - bias, 0) / (v.v + e), less the farther away, by (1 - v.v / r^2)^3.

Loops end at uniforms: constant ones are unrolled, and their whole length is then worked out by the processor.
"""

from __future__ import annotations

GRAIN = """
uniform vec2 grain_shift;
float grain_here() {
    return fract(52.9829189 * fract(dot(gl_FragCoord.xy + grain_shift, vec2(0.06711056, 0.00583715))));
}
"""

_MAP = """
uniform sampler2D shade_map;
uniform mat4 shade_from_world;
uniform vec3 shade_size;
uniform float shade_texel;
float depth_in(vec2 at) { return dot(texture2D(shade_map, at).rgb, vec3(1.0, 1.0 / 255.0, 1.0 / 65025.0)); }
bool is_beyond(vec3 at) { return at.x < 0.0 || at.y < 0.0 || at.x > 1.0 || at.y > 1.0; }
"""

SOFT = (
    _MAP
    + """
uniform vec4 shade_taps;
uniform vec2 shade_turn;
uniform int shade_count;
float open_key(vec3 place, float grain, float least, float most) {
    vec3 at = (shade_from_world * vec4(place, 1.0)).xyz;
    if (is_beyond(at)) return 1.0;
    float depth = min(at.z - 0.002 / shade_size.y, 0.9999);
    float angle = 6.2831853 * grain + shade_taps.z;
    vec2 first = vec2(cos(angle), sin(angle));
    vec2 way = first;
    float met = 0.0;
    float sum = 0.0;
    for (int i = 0; i < shade_count; i++) {
        float r = sqrt((shade_taps.x + float(i) * shade_taps.y + 0.5) * shade_taps.w) * most / shade_size.x;
        float d = depth_in(at.xy + r * way);
        if (d < depth) { met += 1.0; sum += d; }
        way = vec2(shade_turn.x * way.x - shade_turn.y * way.y, shade_turn.y * way.x + shade_turn.x * way.y);
    }
    if (met < 0.5) return 1.0;
    float wide = clamp((at.z - sum / met) * shade_size.y * shade_size.z, least, most) / shade_size.x;
    way = first;
    float hidden = 0.0;
    for (int i = 0; i < shade_count; i++) {
        float r = sqrt((shade_taps.x + float(i) * shade_taps.y + 0.5) * shade_taps.w) * wide;
        hidden += step(depth_in(at.xy + r * way), depth);
        way = vec2(shade_turn.x * way.x - shade_turn.y * way.y, shade_turn.y * way.x + shade_turn.x * way.y);
    }
    return 1.0 - hidden / float(shade_count);
}
"""
)

EVENLY = (
    _MAP
    + """
uniform vec4 shade_taps;
uniform vec2 shade_turn;
uniform int shade_count;
float open_key(vec3 place, vec2 way, float wide) {
    vec3 at = (shade_from_world * vec4(place, 1.0)).xyz;
    if (is_beyond(at)) return 1.0;
    float depth = min(at.z - 0.002 / shade_size.y, 0.9999);
    float hidden = 0.0;
    int count = shade_count / 2;
    float share = shade_taps.w * float(shade_count) / float(count);
    for (int i = 0; i < count; i++) {
        float r = sqrt((shade_taps.x + float(i) * shade_taps.y + 0.5) * share) * wide / shade_size.x;
        hidden += step(depth_in(at.xy + r * way), depth);
        way = vec2(shade_turn.x * way.x - shade_turn.y * way.y, shade_turn.y * way.x + shade_turn.x * way.y);
    }
    return 1.0 - hidden / float(count);
}
"""
)
"""That of edges that are equally soft everywhere, for what light goes into."""

QUICK = (
    _MAP
    + """
float open_key(vec3 place, float grain, float least, float most) {
    vec3 at = (shade_from_world * vec4(place, 1.0)).xyz;
    if (is_beyond(at)) return 1.0;
    float depth = min(at.z - 0.002 / shade_size.y, 0.9999);
    vec2 texel = at.xy / shade_texel;
    vec2 f = fract(texel);
    vec2 c = (floor(texel) - 0.5) * shade_texel;
    float hidden = 0.0;
    for (int row = 0; row < 3; row++) {
        float weight = row == 0 ? 1.0 - f.y : (row == 1 ? 1.0 : f.y);
        vec2 from = c + vec2(0.0, float(row) * shade_texel);
        float left = (1.0 - f.x) * step(depth_in(from), depth);
        float right = f.x * step(depth_in(from + vec2(2.0 * shade_texel, 0.0)), depth);
        hidden += weight * (left + step(depth_in(from + vec2(shade_texel, 0.0)), depth) + right);
    }
    return 1.0 - hidden / 4.0;
}
"""
)

FACES = (
    """
varying vec3 world_normal;
varying float share;
uniform vec4 along;
void main() {
    find();
    world_normal = facing;
    share = dot(at, along.xyz) + along.w;
    gl_Position = flags.y > 0.5 ? clip_from_world * vec4(at, 1.0) : vec4(2.0, 2.0, 2.0, 1.0);
}
""",
    """
uniform float two_sided;
varying vec3 world_normal;
varying float share;
void main() {
    vec3 n = normalize(world_normal);
    gl_FragColor = vec4(two_sided > 0.5 && !gl_FrontFacing ? -n : n, clamp(share, 0.0, 1.0));
}
""",
)
"""Shaders of solid forms, behind their head: normal, and in alpha how far along the view, 0 to 1."""

OVER_FACES = (
    """
uniform vec4 box;
attribute vec2 corner;
void main() { gl_Position = vec4(mix(box.xy, box.zw, 0.5 + 0.5 * corner), 0.0, 1.0); }
""",
    GRAIN
    + _MAP
    + """
uniform sampler2D faces;
uniform vec2 size;
uniform vec2 middle;
uniform vec3 right;
uniform vec3 up;
uniform vec3 ahead;
uniform vec3 origin;
uniform vec4 span;
uniform vec3 key_direction;
uniform float reach;
uniform float radius;
uniform float most_pixels;
uniform vec2 turn;
uniform vec2 counts;
uniform vec2 shear;
uniform float first;
uniform float twist;
float open_key(vec3 place, float angle) {
    vec3 at = (shade_from_world * vec4(place, 1.0)).xyz;
    if (is_beyond(at)) return 1.0;
    float depth = min(at.z - 0.002 / shade_size.y, 0.9999);
    vec2 way = vec2(cos(angle), sin(angle));
    float hidden = 0.0;
    for (float i = first; i < counts.x; i += 1.0) {
        hidden += step(depth_in(at.xy + way * (sqrt(i / counts.x) * reach / shade_size.x)), depth);
        way = vec2(turn.x * way.x - turn.y * way.y, turn.y * way.x + turn.x * way.y);
    }
    return 1.0 - hidden / counts.x;
}
float open_sky(vec3 v, vec3 facing, float angle) {
    float deep = span.w > 0.5 ? v.z : 1.0;
    float pixels = min(radius / (span.z * deep), most_pixels);
    vec2 way = vec2(cos(angle), sin(angle));
    float sum = 0.0;
    for (float i = first; i < counts.y; i += 1.0) {
        vec2 off = way * (pixels * i / counts.y);
        float d = span.x + span.y * texture2D(faces, (gl_FragCoord.xy + off) / size).a;
        vec2 beside = span.w > 0.5 ? (v.xy / v.z + off * span.z) * d - v.xy : off * span.z;
        vec3 w = vec3(beside, d - v.z);
        float far = dot(w, w);
        float fall = max(1.0 - far / (radius * radius), 0.0);
        sum += i * fall * fall * fall * max(dot(w, facing) - 0.003 - 0.0008 * deep, 0.0) / (far + 0.0004);
        way = vec2(turn.x * way.x - turn.y * way.y, turn.y * way.x + turn.x * way.y);
    }
    return clamp(1.0 - 8.0 * radius * sum / (counts.y * counts.y), 0.0, 1.0);
}
void main() {
    vec4 face = texture2D(faces, gl_FragCoord.xy / size);
    if (face.a > 0.9999) { gl_FragColor = vec4(1.0); return; }
    float deep = span.x + span.y * face.a;
    vec3 v = vec3((gl_FragCoord.xy - middle) * (span.z * (span.w > 0.5 ? deep : 1.0)) - shear * deep, deep);
    vec3 place = origin + v.x * right + v.y * up + v.z * ahead;
    vec3 n = face.xyz;
    float angle = 6.2831853 * grain_here() + twist;
    float across = dot(n, key_direction);
    float asked = smoothstep(-0.12, 0.16, across);
    float open = 1.0;
    if (asked > 0.0) {
        float slant = sqrt(max(1.0 - across * across, 0.0));
        vec3 off = n * ((reach + 1.5 * shade_texel * shade_size.x) * slant + 0.002);
        open = mix(1.0, open_key(place + off, angle), asked);
    }
    vec3 facing = vec3(dot(n, right), dot(n, up), dot(n, ahead));
    float sides = floor(127.5 + 127.5 * facing.x) + 0.49 + 0.49 * facing.y;
    gl_FragColor = vec4(open, open_sky(v, facing, angle), sides, face.a);
}
""",
)
"""Shaders of a rectangle of a view: how much of the key and of the sky reaches what is seen; blue is where it faces, to
the right before the point and up behind it, and alpha as before."""

SMOOTHED = (
    OVER_FACES[0],
    """
uniform sampler2D grained;
uniform vec2 size;
uniform float deep;
uniform float rows;
vec2 facing_of(float sides) { return vec2(floor(sides) / 127.5, fract(sides) / 0.49) - 1.0; }
void main() {
    vec4 own = texture2D(grained, gl_FragCoord.xy / size);
    if (own.a > 0.9999) { gl_FragColor = own; return; }
    vec2 facing = facing_of(own.b);
    vec3 sum = vec3(0.0);
    for (float row = 0.0; row < rows; row += 1.0) {
        for (float column = 0.0; column < rows; column += 1.0) {
            vec2 off = vec2(column, row) - 0.5 * (rows - 1.0);
            vec4 beside = texture2D(grained, (gl_FragCoord.xy + off) / size);
            float apart = (beside.a - own.a) * deep;
            vec2 turned = facing_of(beside.b) - facing;
            sum += vec3(beside.rg, 1.0) / (1.0 + 6.0 * apart * apart + 300.0 * dot(turned, turned));
        }
    }
    gl_FragColor = vec4(sum.rg / sum.b, 0.0, own.a);
}
""",
)
"""Shaders of the same rectangle: the mean of neighbours on one surface, which takes the grain away. Angles of the taps
are apart in each three by three of them."""

SHADED_AT = """
uniform sampler2D shaded;
uniform vec4 shaded_pixels;
uniform vec4 shaded_along;
uniform float shaded_deep;
vec2 shaded_at(vec3 place) {
    float share = dot(place, shaded_along.xyz) + shaded_along.w;
    vec2 at = gl_FragCoord.xy - shaded_pixels.xy - 0.5;
    vec2 f = fract(at);
    vec2 c = (floor(at) + 0.5) * shaded_pixels.zw;
    vec4 one = texture2D(shaded, c);
    vec4 two = texture2D(shaded, c + vec2(shaded_pixels.z, 0.0));
    vec4 three = texture2D(shaded, c + vec2(0.0, shaded_pixels.w));
    vec4 four = texture2D(shaded, c + shaded_pixels.zw);
    vec4 apart = (vec4(one.a, two.a, three.a, four.a) - share) * shaded_deep;
    vec4 near = vec4((1.0 - f.x) * (1.0 - f.y), f.x * (1.0 - f.y), (1.0 - f.x) * f.y, f.x * f.y) + 0.02;
    near /= 1.0 + apart * apart;
    return (one.xy * near.x + two.xy * near.y + three.xy * near.z + four.xy * near.w) / dot(near, vec4(1.0));
}
"""
"""Looks both up for a place that is seen, in a picture that is shifted by less than a pixel: the mean of the four
nearest, of which those count that are as far along the view."""
