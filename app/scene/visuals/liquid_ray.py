"""Liquid ray: the shader that follows a refracted ray through a liquid in a box.

The ray is followed in steps of about `STEP` pixels, or shorter ones near a surface, against a picture of how far along
the view the nearest body or far side of the liquid is. The step that goes behind that is halved. Where the ray is then
behind by less than `THICK` [m], it has met something there; where by more, it passes behind it: what it meets there is
not in the picture, so what is seen beside stands for it. Where it passes behind a far side of the liquid, or to where
none is behind it, it has left a crest, a drop or a thin sheet, and no colour is taken from it until it comes out from
behind that. A ray that meets nothing reaches a wall of the box. On the floor it sees the floor; a side wall sends it
back inside where it is flat enough on it for total reflection (the cosine below 0.66), as the glass of an aquarium
does, to the floor or to the deep; else it goes out there.

Loops end at uniforms: constant ones are unrolled, and their whole length is then worked out by the processor.
"""

STEPS, HALVINGS = 14, 6

RAY = """
#define STEP 14.0
#define THICK 0.05
#define GRAZE 0.004
#define FARTHEST 6.0
#define NOTHING 0.99999
uniform mat4 clip_from_world;
uniform float reach;
uniform int steps;
uniform int halvings;
uniform vec3 ahead;
uniform sampler2D behind;
uniform sampler2D depths;
uniform vec3 lower;
uniform vec3 upper;
uniform vec2 size;
vec3 on_screen(vec4 spot) { return vec3(0.5 * (spot.xy + spot.w), spot.w); }
vec2 seen_at(vec3 spot) { return clamp(spot.xy / spot.z, 0.002, 0.998); }
vec3 to_walls(vec3 from, vec3 way) {
    vec3 safe = mix(way, vec3(1e-5), vec3(lessThan(abs(way), vec3(1e-5))));
    return max((mix(lower, upper, step(0.0, safe)) - from) / safe, 0.0);
}
vec4 followed(vec3 from, float share, vec3 way, vec2 here) {
    vec3 walls = to_walls(from, way);
    float whole = min(min(walls.x, walls.z), min(walls.y, FARTHEST));
    vec3 start = on_screen(clip_from_world * vec4(from, 1.0));
    vec3 along = on_screen(clip_from_world * vec4(way, 0.0));
    vec2 there = seen_at(start + whole * along);
    float pixels = max(length((there - here) * size), 1.0);
    float part = whole * clamp(STEP / pixels, 1.3 / float(steps), 0.5);
    float deeper = max(dot(way, ahead), 0.1);
    float beyond = (share - texture2D(depths, here).x) * reach;
    vec3 across = vec3(clip_from_world[0].x, clip_from_world[1].x, clip_from_world[2].x);
    float edge = 2.5 * whole / pixels;
    float open = 0.0;
    float air = 0.0;
    float left = -1.0;
    float t = 0.0;
    bool leaves = false;
    bool at_wall = false;
    for (int i = 0; i < steps; i++) {
        t = min(t + (left < 0.0 ? clamp(-beyond / deeper, 0.2 * part, part) : part), whole);
        vec3 at = start + t * along;
        float nearest = texture2D(depths, at.xy / at.z).x;
        beyond = (share - nearest) * reach + t * deeper;
        if (nearest > NOTHING && t < 0.98 * whole) {
            if (texture2D(depths, seen_at(start + (t + edge) * along)).x < NOTHING) continue;
            if (left < 0.0) left = open;
            break;
        }
        if (left >= 0.0 && beyond <= GRAZE) {
            air += t - left;
            left = -1.0;
        }
        if (left < 0.0) {
            if (beyond > GRAZE) {
                for (int j = 0; j < halvings; j++) {
                    float middle = 0.5 * (open + t);
                    at = start + middle * along;
                    float by = (share - texture2D(depths, at.xy / at.z).x) * reach + middle * deeper;
                    if (by > GRAZE) { t = middle; beyond = by; } else { open = middle; }
                }
                at = start + t * along;
                leaves = texture2D(depths, at.xy / at.z).y > 0.5;
                vec3 place = from + t * way;
                vec3 gap = min(place - lower, upper - place);
                at_wall = leaves && min(gap.x, min(gap.y, gap.z)) < 4.0 * at.z / (size.x * length(across));
                if (beyond < THICK || !leaves || at_wall || t > 0.98 * whole) break;
                left = t;
            } else {
                open = t;
            }
        }
        if (t >= whole) break;
    }
    if (left >= 0.0) return vec4(texture2D(behind, seen_at(start + max(open - edge, 0.0) * along)).rgb, left - air);
    vec4 met = vec4(0.0);
    float solid = 0.0;
    if (beyond > GRAZE && !at_wall) {
        if (t < 0.98 * whole) {
            float ahead_of = texture2D(depths, seen_at(start + open * along)).x * reach - share * reach - open * deeper;
            float slack = clamp(60.0 * (start + t * along).z / (size.x * length(across)), 2.0 * THICK, 4.0 * THICK);
            float outline = step(slack, ahead_of);
            float thick = mix(slack, THICK, outline);
            solid = 1.0 - smoothstep(0.5 * thick, thick, beyond);
            float inside = t + outline * smoothstep(GRAZE, 0.02, beyond) * edge;
            met = vec4(texture2D(behind, seen_at(start + inside * along)).rgb, t - air);
        }
        if (solid == 1.0) return met;
        there = seen_at(start + max(open - edge, 0.0) * along);
        if (leaves) return mix(vec4(texture2D(behind, there).rgb, t - air), met, solid);
    }
    vec3 seen = texture2D(behind, there).rgb;
    float total = whole - air;
    float side = min(walls.x, walls.z);
    if (side <= whole) {
        float steep = abs(walls.x < walls.z ? way.x : way.z);
        float sent = smoothstep(0.75, 0.66, steep);
        if (sent > 0.0) {
            vec3 turned = walls.x < walls.z ? vec3(-way.x, way.yz) : vec3(way.xy, -way.z);
            vec3 place = from + whole * way;
            vec3 again = to_walls(place + 1e-4 * turned, turned);
            float further = min(min(again.x, again.z), min(again.y, FARTHEST));
            vec2 mirrored = seen_at(on_screen(clip_from_world * vec4(place + further * turned, 1.0)));
            float far = share * reach + whole * deeper + further * dot(turned, ahead);
            bool clear_way = far < texture2D(depths, mirrored).x * reach + 0.02;
            if (clear_way) seen = mix(seen, texture2D(behind, mirrored).rgb, sent);
            total += sent * further;
        }
    }
    return mix(vec4(seen, min(total, FARTHEST)), met, solid);
}
"""
