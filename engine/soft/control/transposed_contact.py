"""Transposed derivatives of contact (`contact.py`, `meeting.py`): what vectors on its results give by its inputs.

One contact takes where a spot is after and before a step, p' and p, the way z that it holds on to and the force f that
friction counts with, and gives the gradient G at p', and z' and f' for the next step:

    felt = (1 + tau / dt) d(p') - tau / dt max(0, d(p)),  f' = k felt,  w = T (z + p' - p - dt u),  T = 1 - n n^T
    G = -f' n + f phi'(m) / m A w,  m^2 = w.A w,  z' = min(1, e / m) w

with d the depth, n the normal, u the velocity of what is touched at p', and A the squares of the coefficients of
friction along and across. The law is the smoothed one of the room: its stick is a spring, so all of it is continuous,
and smooth but where a spot touches, leaves or begins to slide. f is that of the step before, or that of the same step
where it was taken anew (`newton.py`): whoever calls says what becomes of its derivative.

Curved and turning solids have normals and velocities that change along p', which the matrix of a step leaves out
(`correct_contacts` adds it to products of its transpose). Where friction differs along the body's own direction, that
turns with the body (`transposed_turns.py`). Where on a triangle of a body a spot presses, and the normal there, come of
where all were before the step (`transposed_triangles.py`).
"""

from __future__ import annotations

import math

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.assembly import Around, SoftBodies
from engine.soft.contact import (
    BEFORE,
    BOX,
    CAPSULE,
    FOUND,
    FRICTION,
    KIND,
    LAGGED,
    PLANE,
    SIZE,
    SPIN,
    SPOT,
    TURN,
    WAY,
    find_depth,
    find_direction,
    move_collider,
)
from engine.soft.control.contact_covectors import DEPTH, END, FACED, HOLD, KNOWN, LAG, RESULTS, START, TILTED
from engine.soft.control.transposed_triangles import transpose_normals, transpose_place
from engine.soft.hulls import FRICTION as BODY_FRICTION
from engine.soft.hulls import STIFFNESS
from engine.soft.meeting import SLIDES, SOLID, SOLID_BEFORE
from engine.soft.spots import ALONG, BACKWARD, FORWARD, SIDEWAYS, STIFF, TIME, place_spot, push_spot
from engine.soft.ties import spread_tie, sum_tie

NORMAL, AHEAD, SLIP, BEND, TWIST, PAST, FACING, GEOMETRY = 0, 3, 6, 9, 18, 21, 24, 27
"""Columns of a contact's geometry: n, the body's direction in the plane of contact, z + p' - p - dt u, dn/dp', the spin
of what is touched, the derivative of the depth before by p, and the body's direction in space."""


@inlined
def bend_normal(collider: Array, x: float, y: float, z: float, out: Array, at: int) -> None:
    """Compute how the normal turns along the place of a point, nine numbers."""
    for each in range(9):
        out[at + each] = 0.0
    kind, r = int(collider[KIND]), collider[TURN : TURN + 9]
    if kind == PLANE:
        return
    x, y, z = x - collider[SPOT], y - collider[SPOT + 1], z - collider[SPOT + 2]
    p, q, s = r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z
    a, b, c = 1.0, 1.0, 1.0  # ways along which the normal may turn
    if kind == BOX:
        u, v, w = abs(p) - collider[SIZE], abs(q) - collider[SIZE + 1], abs(s) - collider[SIZE + 2]
        if u <= 0.0 and v <= 0.0 and w <= 0.0:
            return
        a, b, c = 1.0 if u > 0.0 else 0.0, 1.0 if v > 0.0 else 0.0, 1.0 if w > 0.0 else 0.0
        p, q, s = math.copysign(max(u, 0.0), p), math.copysign(max(v, 0.0), q), math.copysign(max(w, 0.0), s)
    elif kind == CAPSULE:
        b = 0.0 if abs(q) <= collider[SIZE + 1] else 1.0
        q -= min(max(q, -collider[SIZE + 1]), collider[SIZE + 1])
    length = math.sqrt(p * p + q * q + s * s)
    if length <= 1e-12:
        return
    p, q, s = p / length, q / length, s / length
    for i in range(3):
        t0, t1, t2 = r[3 * i], r[3 * i + 1], r[3 * i + 2]
        for j in range(3):
            g0, g1, g2 = r[3 * j], r[3 * j + 1], r[3 * j + 2]
            own = (t0 * p + t1 * q + t2 * s) * (g0 * p + g1 * q + g2 * s)
            out[at + 3 * i + j] = (a * t0 * g0 + b * t1 * g1 + c * t2 * g2 - own) / length


@inlined
def multiply_block(block: Array, at: int, a: float, b: float, c: float) -> tuple[float, float, float]:
    """Multiply nine numbers with three."""
    return (
        block[at] * a + block[at + 1] * b + block[at + 2] * c,
        block[at + 3] * a + block[at + 4] * b + block[at + 5] * c,
        block[at + 6] * a + block[at + 7] * b + block[at + 8] * c,
    )


@kernel
def transpose_contact(
    traits: Array,
    state: Array,
    law: tuple[float, float, float],
    geometry: Array,
    force: tuple[float, float, float],
    given: Array,
    out: Array,
) -> None:
    """Compute what one contact gives. `law`: stiffness [N/m], friction of the other, dt; `force`: the covector of G;
    `given`: those of z' and f'."""
    hardness, friction, dt = law
    g0, g1, g2 = force
    for each in range(RESULTS):
        out[each] = 0.0
    found, lagged, ratio = state[FOUND], state[LAGGED], traits[TIME] / dt
    if found == 0.0 and lagged == 0.0:
        return
    n0, n1, n2 = geometry[NORMAL], geometry[NORMAL + 1], geometry[NORMAL + 2]
    t0, t1, t2 = geometry[AHEAD], geometry[AHEAD + 1], geometry[AHEAD + 2]
    z0, z1, z2 = geometry[SLIP], geometry[SLIP + 1], geometry[SLIP + 2]
    s0, s1, s2 = n1 * t2 - n2 * t1, n2 * t0 - n0 * t2, n0 * t1 - n1 * t0
    away = z0 * n0 + z1 * n1 + z2 * n2
    w0, w1, w2 = z0 - away * n0, z1 - away * n1, z2 - away * n2
    along, across = w0 * t0 + w1 * t1 + w2 * t2, w0 * s0 + w1 * s1 + w2 * s2
    own, aside = friction * (traits[FORWARD] if along >= 0.0 else traits[BACKWARD]), friction * traits[SIDEWAYS]
    most = max(max(traits[FORWARD], traits[BACKWARD]), traits[SIDEWAYS]) * friction
    a0, a1, a2 = (
        own * own * along * t0 + aside * aside * across * s0,
        own * own * along * t1 + aside * aside * across * s1,
        own * own * along * t2 + aside * aside * across * s2,
    )  # A w
    m = math.sqrt(own * own * along * along + aside * aside * across * across)
    e = max(lagged * most * most / max(hardness, 1e-300), 1e-300)
    slides = not m < e
    over, bent = (1.0 / m, -1.0 / (m * m * m)) if slides else (1.0 / e, 0.0)
    # the covector of w
    g_along, g_across, g_away = g0 * t0 + g1 * t1 + g2 * t2, g0 * s0 + g1 * s1 + g2 * s2, g0 * n0 + g1 * n1 + g2 * n2
    p, q = lagged * over * own * own * g_along, lagged * over * aside * aside * g_across
    pull = lagged * bent * (a0 * g0 + a1 * g1 + a2 * g2)
    c0, c1, c2 = p * t0 + q * s0 + pull * a0, p * t1 + q * s1 + pull * a1, p * t2 + q * s2 + pull * a2
    # of the angle of t about n, by which A differs
    uneven = own * own - aside * aside
    turned = uneven * (lagged * over * (g_across * along + g_along * across) + pull * along * across)
    if slides:
        out[LAG] = (a0 * g0 + a1 * g1 + a2 * g2) * over
    felt, depth = 0.0, -hardness * g_away
    if found > 0.0:
        k0, k1, k2 = given[0], given[1], given[2]
        ahead = w0 * k0 + w1 * k1 + w2 * k2
        held = e / m if slides else 1.0
        c0, c1, c2 = c0 + held * k0, c1 + held * k1, c2 + held * k2
        if slides:
            less = e * bent * ahead
            c0, c1, c2 = c0 + less * a0, c1 + less * a1, c2 + less * a2
            turned += less * uneven * along * across
            out[LAG] += most * most / max(hardness, 1e-300) * over * ahead
        felt, depth = found, depth + hardness * given[3]
    else:
        depth = 0.0
    # of w = T z, of the normal, and of the depth
    inward = c0 * n0 + c1 * n1 + c2 * n2
    b0, b1, b2 = c0 - inward * n0, c1 - inward * n1, c2 - inward * n2
    f0, f1, f2 = geometry[FACING], geometry[FACING + 1], geometry[FACING + 2]
    size, lifted = f0 * t0 + f1 * t1 + f2 * t2, f0 * n0 + f1 * n1 + f2 * n2
    turned = turned / size if size > 1e-6 else 0.0
    out[FACED], out[FACED + 1], out[FACED + 2] = turned * s0, turned * s1, turned * s2
    tilt, raised = lagged * over * g_away, turned * lifted
    u0, u1, u2 = (
        -away * c0 - z0 * inward - felt * g0 - tilt * a0 - raised * s0,
        -away * c1 - z1 * inward - felt * g1 - tilt * a1 - raised * s1,
        -away * c2 - z2 * inward - felt * g2 - tilt * a2 - raised * s2,
    )
    out[TILTED], out[TILTED + 1], out[TILTED + 2], out[DEPTH] = u0, u1, u2, depth
    u0, u1, u2 = multiply_block(geometry, BEND, u0, u1, u2)
    x0, x1, x2 = geometry[TWIST], geometry[TWIST + 1], geometry[TWIST + 2]
    out[END] = b0 - dt * (b1 * x2 - b2 * x1) + u0 - (1.0 + ratio) * depth * n0
    out[END + 1] = b1 - dt * (b2 * x0 - b0 * x2) + u1 - (1.0 + ratio) * depth * n1
    out[END + 2] = b2 - dt * (b0 * x1 - b1 * x0) + u2 - (1.0 + ratio) * depth * n2
    out[HOLD], out[HOLD + 1], out[HOLD + 2] = b0, b1, b2
    for way in range(3):
        out[START + way] = -out[HOLD + way] - ratio * depth * geometry[PAST + way]


@inlined
def face(traits: Array, first: int, frames: Array, out: Array) -> None:
    """Find the body's own direction in space."""
    a, b, c = traits[ALONG], traits[ALONG + 1], traits[ALONG + 2]
    out[FACING], out[FACING + 1], out[FACING + 2] = multiply_block(frames, first, a, b, c)


@inlined
def add_turn(traits: Array, first: int, found: Array, out_turns: Array) -> None:
    """Add what a contact gives by the rotation of a point."""
    for row in range(3):
        for way in range(3):
            out_turns[first + 3 * row + way] += found[FACED + row] * traits[ALONG + way]


@inlined
def lay_out_solid(
    bodies: SoftBodies, around: Around, each: int, frames: Array, places: tuple[Array, Array], dt: float, out: Array
) -> None:
    """Find the geometry of the contact of a spot and a solid."""
    after, before = places
    own, state = around.touching.pairs[each, 0], around.touching.states[each]
    traits, collider = bodies.skin.traits[own], around.colliders[around.touching.pairs[each, 1]]
    p, q, s = place_spot(bodies.skin, own, before)
    _, a, b, c = find_depth(collider, p, q, s)
    bend_normal(collider, p, q, s, out, BEND)
    u, v, w = move_collider(collider, p, q, s)
    d, e, f = multiply_block(out, BEND, u, v, w)
    x, y, z = collider[SPIN], collider[SPIN + 1], collider[SPIN + 2]
    inside = 1.0 if state[BEFORE] > 0.0 else 0.0
    out[PAST] = inside * (-a - dt * (b * z - c * y) - dt * d)
    out[PAST + 1] = inside * (-b - dt * (c * x - a * z) - dt * e)
    out[PAST + 2] = inside * (-c - dt * (a * y - b * x) - dt * f)
    out[TWIST], out[TWIST + 1], out[TWIST + 2] = x, y, z
    i, j, k = place_spot(bodies.skin, own, after)
    _, a, b, c = find_depth(collider, i, j, k)
    bend_normal(collider, i, j, k, out, BEND)
    u, v, w = move_collider(collider, i, j, k)
    out[NORMAL], out[NORMAL + 1], out[NORMAL + 2] = a, b, c
    out[SLIP] = state[WAY] + i - p - dt * u
    out[SLIP + 1] = state[WAY + 1] + j - q - dt * v
    out[SLIP + 2] = state[WAY + 2] + k - s - dt * w
    out[AHEAD], out[AHEAD + 1], out[AHEAD + 2] = find_direction(traits, 9 * bodies.skin.points[own], frames, a, b, c)
    face(traits, 9 * bodies.skin.points[own], frames, out)


@inlined
def lay_out_tie(
    bodies: SoftBodies, around: Around, each: int, frames: Array, places: tuple[Array, Array], out: Array
) -> tuple[float, float]:
    """Find the geometry of the contact of a spot or sample and a triangle; its stiffness and friction."""
    after, before = places
    meeting, fixed = around.meeting, around.meeting.fixed[each]
    own, body, state, n = meeting.spots[each], meeting.bodies[each], meeting.states[each], meeting.normals[each]
    traits = bodies.skin.traits[own]
    a, b, c = sum_tie(meeting.tied, each, after)
    p, q, r = sum_tie(meeting.tied, each, before)
    if meeting.colliders[each] < 0:
        hardness = min(traits[STIFF], bodies.hull.traits[body, STIFFNESS])
        friction = math.sqrt(bodies.hull.traits[body, BODY_FRICTION] / max(traits[FORWARD], 1e-300))
    else:
        hardness, friction = bodies.hull.traits[body, STIFFNESS], fixed[SLIDES]
        a, b, c = a + fixed[SOLID], b + fixed[SOLID + 1], c + fixed[SOLID + 2]
        p, q, r = p + fixed[SOLID_BEFORE], q + fixed[SOLID_BEFORE + 1], r + fixed[SOLID_BEFORE + 2]
    out[:] = 0.0
    inside = 1.0 if state[BEFORE] > 0.0 else 0.0
    for way in range(3):
        out[NORMAL + way], out[PAST + way] = n[way], -inside * n[way]
    out[SLIP], out[SLIP + 1], out[SLIP + 2] = state[WAY] + a - p, state[WAY + 1] + b - q, state[WAY + 2] + c - r
    ahead = find_direction(traits, 9 * bodies.skin.points[own], frames, n[0], n[1], n[2])
    out[AHEAD], out[AHEAD + 1], out[AHEAD + 2] = ahead
    face(traits, 9 * bodies.skin.points[own], frames, out)
    return hardness, friction


@kernel
def transpose_contacts(
    bodies: SoftBodies,
    around: Around,
    frames: Array,
    places: tuple[Array, Array],
    y: Array,
    given: tuple[Array, Array],
    dt: float,
    out: tuple[Array, Array, Array],
    out_holds: tuple[Array, Array],
) -> None:
    """Add -(dG/d.)^T y, and what covectors of z' and f' give. `given`: these of contacts with solids and of those with
    triangles, shape [count, KNOWN]; `out`: by the points after and before the step, and by the rotations of points;
    `out_holds`: by z and f of both kinds of contacts, shape [count, KNOWN]."""
    skin, geometry, found = bodies.skin, np.empty(GEOMETRY), np.empty(RESULTS)
    after, before, turns = out
    lifts, moved = np.zeros(len(bodies.hull.normals)), np.zeros(len(bodies.hull.normals))
    touching, meeting = around.touching, around.meeting
    for each in range(touching.number[0]):
        own, state = touching.pairs[each, 0], touching.states[each]
        if state[FOUND] == 0.0 and state[LAGGED] == 0.0:
            out_holds[0][each] = 0.0
            continue
        traits, collider = skin.traits[own], around.colliders[touching.pairs[each, 1]]
        lay_out_solid(bodies, around, each, frames, places, dt, geometry)
        a, b, c = place_spot(skin, own, y)
        law = traits[STIFF], collider[FRICTION], dt
        transpose_contact(traits, state, law, geometry, (-a, -b, -c), given[0][each], found)
        push_spot(skin, own, found[END:], after)
        push_spot(skin, own, found[START:], before)
        add_turn(traits, 9 * skin.points[own], found, turns)
        out_holds[0][each] = found[HOLD : HOLD + KNOWN]
    for each in range(meeting.tied.number[0]):
        state = meeting.states[each]
        if state[FOUND] == 0.0 and state[LAGGED] == 0.0:
            out_holds[1][each] = 0.0
            continue
        hardness, friction = lay_out_tie(bodies, around, each, frames, places, geometry)
        a, b, c = sum_tie(meeting.tied, each, y)
        law = hardness, friction, dt
        traits = skin.traits[meeting.spots[each]]
        transpose_contact(traits, state, law, geometry, (-a, -b, -c), given[1][each], found)
        spread_tie(meeting.tied, each, found[END], found[END + 1], found[END + 2], after)
        spread_tie(meeting.tied, each, found[START], found[START + 1], found[START + 2], before)
        add_turn(traits, 9 * skin.points[meeting.spots[each]], found, turns)
        transpose_place(bodies, meeting, each, places, y, dt, found, lifts, moved)
        out_holds[1][each] = found[HOLD : HOLD + KNOWN]
    if meeting.tied.number[0] > 0:
        transpose_normals(bodies.hull, lifts, moved)
        for spot in range(skin.points.shape[0]):
            push_spot(skin, spot, moved[3 * spot : 3 * spot + 3], before)


@kernel
def correct_contacts(
    bodies: SoftBodies, around: Around, frames: Array, places: tuple[Array, Array], y: Array, dt: float, out: Array
) -> bool:
    """Add what normals that bend and solids that spin add to the product of the transposed matrix with y; False where
    there are none."""
    skin, touching, any_bent = bodies.skin, around.touching, False
    geometry, bent, plain, none = np.empty(GEOMETRY), np.empty(RESULTS), np.empty(RESULTS), np.zeros(KNOWN)
    for each in range(touching.number[0]):
        own, state = touching.pairs[each, 0], touching.states[each]
        if state[FOUND] == 0.0 and state[LAGGED] == 0.0:
            continue
        collider = around.colliders[touching.pairs[each, 1]]
        lay_out_solid(bodies, around, each, frames, places, dt, geometry)
        if not geometry[BEND:PAST].any():
            continue
        any_bent, force = True, place_spot(skin, own, y)
        law = skin.traits[own, STIFF], collider[FRICTION], dt
        transpose_contact(skin.traits[own], state, law, geometry, force, none, bent)
        geometry[BEND:PAST] = 0.0
        transpose_contact(skin.traits[own], state, law, geometry, force, none, plain)
        for way in range(3):
            bent[way] -= plain[way]
        push_spot(skin, own, bent, out)
    return any_bent
