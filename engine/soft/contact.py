"""Contact of points with the ground, spheres, boxes and capsules that have a pose and a velocity.

Penalty with damping, of the depth d of a point inside a collider, d_n before the step:

    f = k max(0, d + tau (d - max(d_n, 0)) / dt)          along the collider's normal, never pulling

It is the derivative of an energy, k / (2 (1 + tau / dt)) max(0, ...)^2, and its stiffness stands in the block of the
point. Friction is a spring of the same stiffness to where the point got hold, which gives way: with z the way from
there along the plane of contact, and f the force at the end of the step before (or of these iterations, where that
was quite another: `relag`), constant meanwhile so that there is an energy,

    D = f phi(m),  m = |(mu_f z_f, mu_s z_s)|,  phi' = min(1, m / e),  e = f max(mu)^2 / k

z_f along the body's own direction, z_s across it, mu_f forward or backward by the sign of z_f. So it is Coulomb's law
where all coefficients are alike, sticks without creeping, and is associated where they differ. After a step z is cut
back to m = e. It is kept with f for each spot (`spots.py`) and GRIPS colliders, known by their place in the list.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.limits.inlined import inlined
from engine.maths.arrays import Array, IntArray
from engine.runtime.errors import InvalidArguments
from engine.runtime.jit import kernel
from engine.runtime.quick_dataclass import dataclass
from engine.soft.pattern import Pattern
from engine.soft.spots import (
    ALONG,
    BACKWARD,
    FORWARD,
    OWNER,
    SIDEWAYS,
    STIFF,
    THICK,
    TIME,
    ContactSkin,
    place_spot,
    push_spot,
    stiffen_spot,
)

PLANE, SPHERE, BOX, CAPSULE = 0, 1, 2, 3
KIND, SIZE, RADIUS, TURN, SPOT, SPEED, SPIN, FRICTION, COLLIDER = 0, 1, 4, 5, 14, 17, 20, 23, 24
_KINDS = ("plane", "sphere", "box", "capsule")


@dataclass(frozen=True, kw_only=True)
class Collider:
    """Something rigid that soft bodies touch, as it is at the end of a step.

    A plane is solid below y = 0, a capsule lies along y between -half and half, all in the collider's own frame.
    """

    kind: str
    half: tuple[float, float, float] = (0.0, 0.0, 0.0)  # [m] of a box; the second also of a capsule
    radius: float = 0.0  # [m] of a sphere or capsule
    rotation: Array | None = None  # shape [3, 3]; None: none
    position: Array | tuple[float, float, float] = (0.0, 0.0, 0.0)  # [m]
    velocity: Array | tuple[float, float, float] = (0.0, 0.0, 0.0)  # [m/s] there
    spin: Array | tuple[float, float, float] = (0.0, 0.0, 0.0)  # [rad/s], in the world's frame
    friction: float = 1.0  # what the body's coefficients are multiplied by
    spared: tuple[int, ...] = ()  # numbers of the bodies that go through it


def pack_colliders(colliders: Sequence[Collider], bodies: int = 0) -> Array:
    """Pack colliders for kernels, with marks for those of so many bodies that go through them; shape [count, COLLIDER +
    bodies]."""
    packed = np.zeros((len(colliders), COLLIDER + bodies))
    for row, each in zip(packed, colliders, strict=True):
        if each.kind not in _KINDS:
            raise InvalidArguments(what="the kind of a collider", value=each.kind, allowed=", ".join(_KINDS))
        row[KIND], row[SIZE : SIZE + 3], row[RADIUS] = _KINDS.index(each.kind), each.half, each.radius
        row[TURN : TURN + 9] = np.eye(3).ravel() if each.rotation is None else np.asarray(each.rotation).ravel()
        row[SPOT : SPOT + 3], row[SPEED : SPEED + 3], row[SPIN : SPIN + 3] = each.position, each.velocity, each.spin
        row[FRICTION] = each.friction
        row[[COLLIDER + body for body in each.spared]] = 1.0
        if not np.isfinite(row).all() or row[RADIUS] < 0.0 or (row[SIZE : SIZE + 3] < 0.0).any():
            allowed = "finite numbers, and sizes not below zero"
            raise InvalidArguments(what=f"a {each.kind} to collide with", value=row.tolist(), allowed=allowed)
    return packed


class ColliderContacts(NamedTuple):
    """Pairs of a spot and a collider that may meet in a step."""

    pairs: IntArray  # shape [capacity, 2]
    states: Array  # the columns below, shape [capacity, STATES]
    number: IntArray  # of pairs, shape [1]


BEFORE, LAGGED, FOUND, PUSH_X, PUSH_Y, PUSH_Z, WAY, NOW, STATES = 0, 1, 2, 3, 4, 5, 6, 9, 12
"""Columns; WAY: z before the step, NOW: after it, three numbers each."""
GRIPS, GRIP = 3, 5
"""How many a spot has, and the numbers of one: which collider, from 1 on, z and f."""


@kernel
def find_depth(collider: Array, x: float, y: float, z: float) -> tuple[float, float, float, float]:
    """Compute how deep a point is inside (below zero: outside), and the normal there."""
    x, y, z = x - collider[SPOT], y - collider[SPOT + 1], z - collider[SPOT + 2]
    r = collider[TURN : TURN + 9]
    p, q, s = r[0] * x + r[3] * y + r[6] * z, r[1] * x + r[4] * y + r[7] * z, r[2] * x + r[5] * y + r[8] * z
    kind = int(collider[KIND])
    if kind == PLANE:
        depth, n0, n1, n2 = -q, 0.0, 1.0, 0.0
    elif kind == BOX:
        a, b, c = abs(p) - collider[SIZE], abs(q) - collider[SIZE + 1], abs(s) - collider[SIZE + 2]
        if a <= 0.0 and b <= 0.0 and c <= 0.0:
            n0, n1, n2 = 0.0, 0.0, 0.0
            if a >= b and a >= c:
                depth, n0 = -a, math.copysign(1.0, p)
            elif b >= c:
                depth, n1 = -b, math.copysign(1.0, q)
            else:
                depth, n2 = -c, math.copysign(1.0, s)
        else:
            a, b, c = max(a, 0.0), max(b, 0.0), max(c, 0.0)
            depth = -math.sqrt(a * a + b * b + c * c)
            n0, n1, n2 = math.copysign(a, p) / -depth, math.copysign(b, q) / -depth, math.copysign(c, s) / -depth
    else:
        if kind == CAPSULE:
            q -= min(max(q, -collider[SIZE + 1]), collider[SIZE + 1])
        length = math.sqrt(p * p + q * q + s * s)
        depth = collider[RADIUS] - length
        if length > 1e-12:
            n0, n1, n2 = p / length, q / length, s / length
        else:
            n0, n1, n2 = 1.0, 0.0, 0.0
    x, y, z = r[0] * n0 + r[1] * n1 + r[2] * n2, r[3] * n0 + r[4] * n1 + r[5] * n2, r[6] * n0 + r[7] * n1 + r[8] * n2
    return depth, x, y, z


@kernel
def find_touching(
    skin: ContactSkin, colliders: Array, grips: Array, x: Array, v: Array, dt: float, touching: ColliderContacts
) -> int:
    """List the pairs that may meet in a step, and how deep they are before it; the number of all there are."""
    count = 0
    for each in range(skin.points.shape[0]):
        p, q, s = place_spot(skin, each, x)
        i, j, k = place_spot(skin, each, v)
        speed = math.sqrt(i * i + j * j + k * k)
        for other in range(colliders.shape[0]):
            c = colliders[other]
            if c[COLLIDER + int(skin.traits[each, OWNER])] != 0.0:
                continue
            own = math.sqrt(c[SPEED] ** 2 + c[SPEED + 1] ** 2 + c[SPEED + 2] ** 2)
            away = math.sqrt((p - c[SPOT]) ** 2 + (q - c[SPOT + 1]) ** 2 + (s - c[SPOT + 2]) ** 2)
            own += away * math.sqrt(c[SPIN] ** 2 + c[SPIN + 1] ** 2 + c[SPIN + 2] ** 2)
            depth, n0, n1, n2 = find_depth(c, p, q, s)
            if depth > -(2.0 * dt * (speed + own) + 20.0 * dt * dt + skin.traits[each, THICK]):
                if count < touching.pairs.shape[0]:
                    touching.pairs[count, 0], touching.pairs[count, 1] = each, other
                    # how deep it was where the collider was then
                    u, w, h = move_collider(c, p, q, s)
                    before = depth + skin.traits[each, THICK] - dt * (u * n0 + w * n1 + h * n2)
                    touching.states[count, BEFORE] = max(0.0, before)
                    take_grip(grips[each], other + 1, touching.states[count])
                count += 1
    touching.number[0] = min(count, touching.pairs.shape[0])
    return count


@kernel
def keep_grips(skin: ContactSkin, touching: ColliderContacts, out_grips: Array) -> None:
    """Keep what spots hold on to, shape [spot_count, GRIPS, GRIP]."""
    out_grips[:] = 0.0
    for each in range(touching.number[0]):
        keep_grip(touching.states[each], touching.pairs[each, 1] + 1, out_grips[touching.pairs[each, 0]])


@kernel
def keep_grip(state: Array, number: int, out_grips: Array) -> None:
    """Keep one, where there is room."""
    if state[FOUND] > 0.0:
        for grip in range(GRIPS):
            if out_grips[grip, 0] == 0.0:
                out_grips[grip, 0], out_grips[grip, 4] = number, state[FOUND]
                for way in range(3):
                    out_grips[grip, 1 + way] = state[NOW + way]
                break


@kernel
def take_grip(grips: Array, number: int, out_state: Array) -> None:
    """Begin with what was kept, or with no hold."""
    out_state[LAGGED] = out_state[FOUND] = 0.0
    for way in range(3):
        out_state[WAY + way] = 0.0
    for grip in range(GRIPS):
        if grips[grip, 0] == number:
            out_state[LAGGED] = grips[grip, 4]
            for way in range(3):
                out_state[WAY + way] = grips[grip, 1 + way]


@kernel
def relag(states: Array, count: int) -> float:
    """Take the forces at hand as those of friction; how much they have changed, over what they are."""
    change, size = 0.0, 0.0
    for each in range(count):
        change += abs(states[each, FOUND] - states[each, LAGGED])
        size += states[each, FOUND]
        states[each, LAGGED] = states[each, FOUND]
    return float(change / max(size, 1e-300))


@inlined
def move_collider(collider: Array, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Compute how fast the collider moves at a place."""
    p, q, s = x - collider[SPOT], y - collider[SPOT + 1], z - collider[SPOT + 2]
    a, b, c = collider[SPIN], collider[SPIN + 1], collider[SPIN + 2]
    u, v, w = collider[SPEED] + b * s - c * q, collider[SPEED + 1] + c * p - a * s, collider[SPEED + 2] + a * q - b * p
    return u, v, w


@kernel
def touch(
    traits: Array,
    state: Array,
    hardness: float,
    friction: float,
    depth: float,
    dt: float,
    normal: tuple[float, float, float],
    ahead: tuple[float, float, float],
    way: tuple[float, float, float],
    out: Array,
) -> float:
    """Compute the energy of one contact [J]; its gradient and block into `out`.

    `hardness`: stiffness [N/m]; `ahead`: the body's own direction within the plane of contact; `way`: z. `out`: three
    numbers, then nine.
    """
    (n0, n1, n2), (t0, t1, t2), (z0, z1, z2) = normal, ahead, way
    ratio = traits[TIME] / dt
    felt = max(0.0, depth + ratio * (depth - state[BEFORE]))
    force, stiff = hardness * felt, hardness * (1.0 + ratio)
    energy = 0.5 * hardness * felt * felt / (1.0 + ratio)
    state[FOUND] = force
    for each in range(12):
        out[each] = 0.0
    state[PUSH_X], state[PUSH_Y], state[PUSH_Z] = 0.0, 0.0, 0.0
    lagged = state[LAGGED]
    if force == 0.0 and lagged == 0.0:
        return float(energy)
    s0, s1, s2 = n1 * t2 - n2 * t1, n2 * t0 - n0 * t2, n0 * t1 - n1 * t0
    along, across = z0 * t0 + z1 * t1 + z2 * t2, z0 * s0 + z1 * s1 + z2 * s2
    own, aside = friction * (traits[FORWARD] if along >= 0.0 else traits[BACKWARD]), friction * traits[SIDEWAYS]
    most = max(max(traits[FORWARD], traits[BACKWARD]), traits[SIDEWAYS]) * friction
    m = math.sqrt(own * own * along * along + aside * aside * across * across)
    e = max(lagged * most * most / max(hardness, 1e-300), 1e-300)
    energy += lagged * (0.5 * m * m / e if m < e else m - 0.5 * e)
    held = 1.0 if m <= e else e / m
    state[NOW], state[NOW + 1] = held * (along * t0 + across * s0), held * (along * t1 + across * s1)
    state[NOW + 2] = held * (along * t2 + across * s2)
    over, bent = (1.0 / e, 0.0) if m < e else (1.0 / m, -1.0 / (m * m * m))  # phi' / m, (phi'' - phi' / m) / m^2
    da, dc = own * own * along, aside * aside * across
    f_along, f_across = lagged * over * da, lagged * over * dc
    out[0] = -force * n0 + f_along * t0 + f_across * s0
    out[1] = -force * n1 + f_along * t1 + f_across * s1
    out[2] = -force * n2 + f_along * t2 + f_across * s2
    state[PUSH_X], state[PUSH_Y], state[PUSH_Z] = -out[0], -out[1], -out[2]
    if force > 0.0:
        add_outer(out, 3, stiff, n0, n1, n2, n0, n1, n2)
    add_outer(out, 3, lagged * (over * own * own + bent * da * da), t0, t1, t2, t0, t1, t2)
    add_outer(out, 3, lagged * (over * aside * aside + bent * dc * dc), s0, s1, s2, s0, s1, s2)
    add_outer(out, 3, lagged * bent * da * dc, t0, t1, t2, s0, s1, s2)
    add_outer(out, 3, lagged * bent * da * dc, s0, s1, s2, t0, t1, t2)
    return float(energy)


@kernel
def press(
    skin: ContactSkin,
    colliders: Array,
    touching: ColliderContacts,
    frames: Array,
    places: tuple[Array, Array, Array],
    dt: float,
    level: int,
    values: Array,
    pattern: Pattern,
    out_gradient: Array,
) -> float:
    """Compute the energy of contact [J], its gradient, and the blocks of the matrix.

    `places`: where points are now, and were before the step; room for twelve numbers.
    """
    x, before, small = places
    energy = 0.0
    for each in range(touching.number[0]):
        own, state = touching.pairs[each, 0], touching.states[each]
        traits, collider = skin.traits[own], colliders[touching.pairs[each, 1]]
        p, q, s = place_spot(skin, own, x)
        i, j, k = place_spot(skin, own, before)
        depth, n0, n1, n2 = find_depth(collider, p, q, s)
        u, v, w = move_collider(collider, p, q, s)
        way = state[WAY] + p - i - dt * u, state[WAY + 1] + q - j - dt * v, state[WAY + 2] + s - k - dt * w
        ahead = find_direction(traits, 9 * skin.points[own], frames, n0, n1, n2)
        energy += touch(
            traits, state, traits[STIFF], collider[FRICTION], depth + traits[THICK], dt, (n0, n1, n2), ahead, way, small
        )
        if level >= 1:
            push_spot(skin, own, small, out_gradient)
        if level >= 2:
            stiffen_spot(skin, own, small[3:], pattern, values)
    return energy


@inlined
def add_outer(values: Array, k: int, factor: float, a: float, b: float, c: float, d: float, e: float, f: float) -> None:
    """Add factor (a, b, c) (d, e, f)^T to a block."""
    values[k] += factor * a * d
    values[k + 1] += factor * a * e
    values[k + 2] += factor * a * f
    values[k + 3] += factor * b * d
    values[k + 4] += factor * b * e
    values[k + 5] += factor * b * f
    values[k + 6] += factor * c * d
    values[k + 7] += factor * c * e
    values[k + 8] += factor * c * f


@inlined
def find_direction(traits: Array, q: int, frames: Array, n0: float, n1: float, n2: float) -> tuple[float, float, float]:
    """Find the body's own direction within the plane of contact; any, where friction does not depend on it."""
    a, b, c = traits[ALONG], traits[ALONG + 1], traits[ALONG + 2]
    t0 = frames[q] * a + frames[q + 1] * b + frames[q + 2] * c
    t1 = frames[q + 3] * a + frames[q + 4] * b + frames[q + 5] * c
    t2 = frames[q + 6] * a + frames[q + 7] * b + frames[q + 8] * c
    away = t0 * n0 + t1 * n1 + t2 * n2
    t0, t1, t2 = t0 - away * n0, t1 - away * n1, t2 - away * n2
    length = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    if length < 1e-6:
        if abs(n0) < 0.6:
            t0, t1, t2 = 1.0 - n0 * n0, -n0 * n1, -n0 * n2
        else:
            t0, t1, t2 = -n1 * n0, 1.0 - n1 * n1, -n1 * n2
        length = math.sqrt(t0 * t0 + t1 * t1 + t2 * t2)
    return t0 / length, t1 / length, t2 / length
