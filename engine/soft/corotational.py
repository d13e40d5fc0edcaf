"""The co-rotational linear material on tetrahedra and flat triangles, LANES cells side by side (`lanes.py`).

    Psi(F) = mu |F - R|^2 + lambda / 2 (tr S - 3)^2,   F = R S,   P = 2 mu (F - R) + lambda (tr S - 3) R

(Mueller and Gross 2004; the energy as in Chao et al. 2010). R is the rotation that is nearest to F, also where the cell
is inverted. l = tr S is the largest root of l^4 - 2 I l^2 - 8 J l + I^2 - 4 II, with I = |F|^2, II = |cof F|^2 and
J = det F, found by Newton's method from above; and R is its derivative by F,

    R = ((l^2 + I) F + 2 l cof F - 2 F F^T F) / (l^3 - I l - 2 J),   the denominator 2 det(l 1 - S).

The stiffness is that of the linear material in the turned cell, with c_a = R b_a, and the part by the change of R,

    K_ab = V (mu (c_a . c_b) 1 + mu c_b c_a^T + lambda c_a c_b^T + [c_a]x^T T [c_b]x)
    T = mu 1 - (2 mu - lambda (l - 3)) (l 1 - F R^T)^-1

A flat cell is stretched STEEP times across its plane, which leaves the energy and R in the plane as they are, and keeps
R from leaving it. T is raised by a multiple of 1 where it is not positive, if the whole is to be so. What depends on
the strain rate is in `samples.py`.
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.jit import kernel
from engine.soft.lanes import AT, ENERGY, FLAT, FORCES, LAMBDA, MU, PLACE, REST, SLOPES, VOLUME, L

_ROOT, _SUM = SLOPES, SLOPES + 1
_INVARIANTS = SLOPES + 2  # I, J, I^2 - 4 II
DEFORMED = SLOPES + 5  # F
_COFACTOR = SLOPES + 14
_ROTATION = SLOPES + 23  # R
_SHARE = SLOPES + 32
TURNED = SLOPES + 33  # c_a of four corners
_TWIST = SLOPES + 45  # T, six numbers
FREE = SLOPES + 51  # rows for others
STEEP = 100.0
_MOST = 30
_SETTLED = 1e-14
_EVEN = 1e-8  # of the cube of the stretch, below which roots count as one
_UNEVEN = math.sqrt(2.0 / 3.0)  # no eigenvalue is further below the mean than so much of the spread


@inlined
def deform_lanes(buffer: Array) -> None:
    """Compute F of each cell."""
    for row in range(3):
        for lane in range(L):
            at, b, to = (AT + row) * L + lane, REST * L + lane, (DEFORMED + 3 * row) * L + lane
            last = buffer[at + 9 * L]
            p, q, r = buffer[at] - last, buffer[at + 3 * L] - last, buffer[at + 6 * L] - last
            buffer[to] = p * buffer[b] + q * buffer[b + 3 * L] + r * buffer[b + 6 * L]
            buffer[to + L] = p * buffer[b + L] + q * buffer[b + 4 * L] + r * buffer[b + 7 * L]
            buffer[to + 2 * L] = p * buffer[b + 2 * L] + q * buffer[b + 5 * L] + r * buffer[b + 8 * L]
    for lane in range(L):
        buffer[(DEFORMED + 8) * L + lane] += buffer[(REST + FLAT) * L + lane]


@inlined
def find_roots(buffer: Array) -> None:
    """Compute cofactors and invariants of F, and l = tr S."""
    for lane in range(L):
        f = DEFORMED * L + lane
        f00, f01, f02 = buffer[f], buffer[f + L], buffer[f + 2 * L]
        f10, f11, f12 = buffer[f + 3 * L], buffer[f + 4 * L], buffer[f + 5 * L]
        f20, f21, f22 = buffer[f + 6 * L], buffer[f + 7 * L], buffer[f + 8 * L]
        c00, c01, c02 = f11 * f22 - f12 * f21, f12 * f20 - f10 * f22, f10 * f21 - f11 * f20
        c10, c11, c12 = f21 * f02 - f22 * f01, f22 * f00 - f20 * f02, f20 * f01 - f21 * f00
        c20, c21, c22 = f01 * f12 - f02 * f11, f02 * f10 - f00 * f12, f00 * f11 - f01 * f10
        c = _COFACTOR * L + lane
        buffer[c], buffer[c + L], buffer[c + 2 * L] = c00, c01, c02
        buffer[c + 3 * L], buffer[c + 4 * L], buffer[c + 5 * L] = c10, c11, c12
        buffer[c + 6 * L], buffer[c + 7 * L], buffer[c + 8 * L] = c20, c21, c22
        first = (
            f00 * f00 + f01 * f01 + f02 * f02 + f10 * f10 + f11 * f11 + f12 * f12 + f20 * f20 + f21 * f21 + f22 * f22
        )
        second = (
            c00 * c00 + c01 * c01 + c02 * c02 + c10 * c10 + c11 * c11 + c12 * c12 + c20 * c20 + c21 * c21 + c22 * c22
        )
        i = _INVARIANTS * L + lane
        buffer[i] = first
        buffer[i + L] = f00 * c00 + f01 * c01 + f02 * c02
        buffer[i + 2 * L] = first * first - 4.0 * second
        buffer[_ROOT * L + lane] = math.sqrt(3.0 * first)
    for _ in range(_MOST):
        moving = 0
        for lane in range(L):
            i, root = _INVARIANTS * L + lane, buffer[_ROOT * L + lane]
            first, jacobian, last = buffer[i], buffer[i + L], buffer[i + 2 * L]
            square = root * root
            value = (square - 2.0 * first) * square - 8.0 * jacobian * root + last
            slope = 4.0 * (root * (square - first) - 2.0 * jacobian)
            # two roots that are nearly one: R may be one of many, and this one is as good
            change = value / slope if slope > _EVEN * root * square else 0.0
            buffer[_ROOT * L + lane] = root - change
            moving += 1 if change > _SETTLED * root else 0
        if moving == 0:
            break


@inlined
def find_rotations(buffer: Array) -> None:
    """Compute R, and 1 / (l^3 - I l - 2 J)."""
    for lane in range(L):
        f, c = DEFORMED * L + lane, _COFACTOR * L + lane
        f00, f01, f02 = buffer[f], buffer[f + L], buffer[f + 2 * L]
        f10, f11, f12 = buffer[f + 3 * L], buffer[f + 4 * L], buffer[f + 5 * L]
        f20, f21, f22 = buffer[f + 6 * L], buffer[f + 7 * L], buffer[f + 8 * L]
        i, root = _INVARIANTS * L + lane, buffer[_ROOT * L + lane]
        first, jacobian = buffer[i], buffer[i + L]
        b00, b11 = f00 * f00 + f01 * f01 + f02 * f02, f10 * f10 + f11 * f11 + f12 * f12  # B = F F^T
        b22, b01 = f20 * f20 + f21 * f21 + f22 * f22, f00 * f10 + f01 * f11 + f02 * f12
        b02, b12 = f00 * f20 + f01 * f21 + f02 * f22, f10 * f20 + f11 * f21 + f12 * f22
        below = root * (root * root - first) - 2.0 * jacobian
        share = 1.0 / max(below, _EVEN * first * math.sqrt(first) + 1e-300)
        own, other, cube = (root * root + first) * share, 2.0 * root * share, -2.0 * share
        buffer[_SHARE * L + lane] = share
        r = _ROTATION * L + lane
        buffer[r] = own * f00 + other * buffer[c] + cube * (b00 * f00 + b01 * f10 + b02 * f20)
        buffer[r + L] = own * f01 + other * buffer[c + L] + cube * (b00 * f01 + b01 * f11 + b02 * f21)
        buffer[r + 2 * L] = own * f02 + other * buffer[c + 2 * L] + cube * (b00 * f02 + b01 * f12 + b02 * f22)
        buffer[r + 3 * L] = own * f10 + other * buffer[c + 3 * L] + cube * (b01 * f00 + b11 * f10 + b12 * f20)
        buffer[r + 4 * L] = own * f11 + other * buffer[c + 4 * L] + cube * (b01 * f01 + b11 * f11 + b12 * f21)
        buffer[r + 5 * L] = own * f12 + other * buffer[c + 5 * L] + cube * (b01 * f02 + b11 * f12 + b12 * f22)
        buffer[r + 6 * L] = own * f20 + other * buffer[c + 6 * L] + cube * (b02 * f00 + b12 * f10 + b22 * f20)
        buffer[r + 7 * L] = own * f21 + other * buffer[c + 7 * L] + cube * (b02 * f01 + b12 * f11 + b22 * f21)
        buffer[r + 8 * L] = own * f22 + other * buffer[c + 8 * L] + cube * (b02 * f02 + b12 * f12 + b22 * f22)


@inlined
def stress_lanes(buffer: Array) -> None:
    """Compute energies and their gradients."""
    for lane in range(L):
        f, r, b = DEFORMED * L + lane, _ROTATION * L + lane, REST * L + lane
        r00, r01, r02 = buffer[r], buffer[r + L], buffer[r + 2 * L]
        r10, r11, r12 = buffer[r + 3 * L], buffer[r + 4 * L], buffer[r + 5 * L]
        r20, r21, r22 = buffer[r + 6 * L], buffer[r + 7 * L], buffer[r + 8 * L]
        volume, mu, lam = buffer[b + VOLUME * L], buffer[b + MU * L], buffer[b + LAMBDA * L]
        over = max(0.0, buffer[b + FLAT * L] - 1.0)
        strain = buffer[_ROOT * L + lane] - 3.0 - over
        d00, d01, d02 = buffer[f] - r00, buffer[f + L] - r01, buffer[f + 2 * L] - r02
        d10, d11, d12 = buffer[f + 3 * L] - r10, buffer[f + 4 * L] - r11, buffer[f + 5 * L] - r12
        d20, d21, d22 = buffer[f + 6 * L] - r20, buffer[f + 7 * L] - r21, buffer[f + 8 * L] - r22 - over
        away = d00 * d00 + d01 * d01 + d02 * d02 + d10 * d10 + d11 * d11 + d12 * d12 + d20 * d20 + d21 * d21 + d22 * d22
        buffer[ENERGY * L + lane] = volume * (mu * away + 0.5 * lam * strain * strain)
        sheared, spread = 2.0 * mu * volume, lam * strain * volume
        p00, p01, p02 = sheared * d00 + spread * r00, sheared * d01 + spread * r01, sheared * d02 + spread * r02
        p10, p11, p12 = sheared * d10 + spread * r10, sheared * d11 + spread * r11, sheared * d12 + spread * r12
        p20, p21, p22 = sheared * d20 + spread * r20, sheared * d21 + spread * r21, sheared * d22 + spread * r22
        u0, v0, w0 = buffer[b], buffer[b + L], buffer[b + 2 * L]
        u1, v1, w1 = buffer[b + 3 * L], buffer[b + 4 * L], buffer[b + 5 * L]
        u2, v2, w2 = buffer[b + 6 * L], buffer[b + 7 * L], buffer[b + 8 * L]
        g = FORCES * L + lane
        g00, g01, g02 = p00 * u0 + p01 * v0 + p02 * w0, p10 * u0 + p11 * v0 + p12 * w0, p20 * u0 + p21 * v0 + p22 * w0
        g10, g11, g12 = p00 * u1 + p01 * v1 + p02 * w1, p10 * u1 + p11 * v1 + p12 * w1, p20 * u1 + p21 * v1 + p22 * w1
        g20, g21, g22 = p00 * u2 + p01 * v2 + p02 * w2, p10 * u2 + p11 * v2 + p12 * w2, p20 * u2 + p21 * v2 + p22 * w2
        buffer[g], buffer[g + L], buffer[g + 2 * L] = g00, g01, g02
        buffer[g + 3 * L], buffer[g + 4 * L], buffer[g + 5 * L] = g10, g11, g12
        buffer[g + 6 * L], buffer[g + 7 * L], buffer[g + 8 * L] = g20, g21, g22
        buffer[g + 9 * L], buffer[g + 10 * L] = -g00 - g10 - g20, -g01 - g11 - g21
        buffer[g + 11 * L] = -g02 - g12 - g22


@inlined
def turn_slopes(positive: float, buffer: Array) -> None:
    """Compute what the stiffness is made of: c_a of the corners, and T."""
    for lane in range(L):
        f, r, b, t = DEFORMED * L + lane, _ROTATION * L + lane, REST * L + lane, TURNED * L + lane
        r00, r01, r02 = buffer[r], buffer[r + L], buffer[r + 2 * L]
        r10, r11, r12 = buffer[r + 3 * L], buffer[r + 4 * L], buffer[r + 5 * L]
        r20, r21, r22 = buffer[r + 6 * L], buffer[r + 7 * L], buffer[r + 8 * L]
        u0, v0, w0 = buffer[b], buffer[b + L], buffer[b + 2 * L]
        u1, v1, w1 = buffer[b + 3 * L], buffer[b + 4 * L], buffer[b + 5 * L]
        u2, v2, w2 = buffer[b + 6 * L], buffer[b + 7 * L], buffer[b + 8 * L]
        c00, c01, c02 = r00 * u0 + r01 * v0 + r02 * w0, r10 * u0 + r11 * v0 + r12 * w0, r20 * u0 + r21 * v0 + r22 * w0
        c10, c11, c12 = r00 * u1 + r01 * v1 + r02 * w1, r10 * u1 + r11 * v1 + r12 * w1, r20 * u1 + r21 * v1 + r22 * w1
        c20, c21, c22 = r00 * u2 + r01 * v2 + r02 * w2, r10 * u2 + r11 * v2 + r12 * w2, r20 * u2 + r21 * v2 + r22 * w2
        buffer[t], buffer[t + L], buffer[t + 2 * L] = c00, c01, c02
        buffer[t + 3 * L], buffer[t + 4 * L], buffer[t + 5 * L] = c10, c11, c12
        buffer[t + 6 * L], buffer[t + 7 * L], buffer[t + 8 * L] = c20, c21, c22
        buffer[t + 9 * L], buffer[t + 10 * L] = -c00 - c10 - c20, -c01 - c11 - c21
        buffer[t + 11 * L] = -c02 - c12 - c22
        # T, by the adjugate of l 1 - F R^T
        root, mu, lam = buffer[_ROOT * L + lane], buffer[b + MU * L], buffer[b + LAMBDA * L]
        f00, f01, f02 = buffer[f], buffer[f + L], buffer[f + 2 * L]
        f10, f11, f12 = buffer[f + 3 * L], buffer[f + 4 * L], buffer[f + 5 * L]
        a00, a11 = root - f00 * r00 - f01 * r01 - f02 * r02, root - f10 * r10 - f11 * r11 - f12 * r12
        a22 = root - buffer[f + 6 * L] * r20 - buffer[f + 7 * L] * r21 - buffer[f + 8 * L] * r22
        a01 = -f00 * r10 - f01 * r11 - f02 * r12
        a02, a12 = -f00 * r20 - f01 * r21 - f02 * r22, -f10 * r20 - f11 * r21 - f12 * r22
        strain = root - 3.0 - max(0.0, buffer[b + FLAT * L] - 1.0)
        gain = -2.0 * buffer[_SHARE * L + lane] * (2.0 * mu - lam * strain)
        t00, t11, t22 = a11 * a22 - a12 * a12, a00 * a22 - a02 * a02, a00 * a11 - a01 * a01
        t01, t02, t12 = gain * (a02 * a12 - a01 * a22), gain * (a01 * a12 - a02 * a11), gain * (a01 * a02 - a00 * a12)
        t00, t11, t22 = gain * t00 + mu, gain * t11 + mu, gain * t22 + mu
        mean = (t00 + t11 + t22) / 3.0
        x, y, z = t00 - mean, t11 - mean, t22 - mean
        spread = math.sqrt(x * x + y * y + z * z + 2.0 * (t01 * t01 + t02 * t02 + t12 * t12))
        raised = positive * max(0.0, _UNEVEN * spread - mean)
        t = _TWIST * L + lane
        buffer[t], buffer[t + L], buffer[t + 2 * L] = t00 + raised, t11 + raised, t22 + raised
        buffer[t + 3 * L], buffer[t + 4 * L], buffer[t + 5 * L] = t01, t02, t12


@kernel
def turn_lanes(level: int, buffer: Array) -> None:
    """Compute energies and gradients; from level 2 what the stiffness is made of, from 3 so that it is positive."""
    deform_lanes(buffer)
    find_roots(buffer)
    find_rotations(buffer)
    stress_lanes(buffer)
    if level >= 2:
        turn_slopes(1.0 if level >= 3 else 0.0, buffer)


@kernel
def stiffen_lanes(first: int, second: int, buffer: Array, out: Array) -> None:
    """Compute the block of the stiffness between two corners, into an array of its own."""
    a, c = buffer[(TURNED + 3 * first) * L :], buffer[(TURNED + 3 * second) * L :]
    for lane in range(L):
        b, t = REST * L + lane, _TWIST * L + lane
        volume = buffer[b + VOLUME * L]
        mu, lam = volume * buffer[b + MU * L], volume * buffer[b + LAMBDA * L]
        a0, a1, a2 = a[lane], a[lane + L], a[lane + 2 * L]
        c0, c1, c2 = c[lane], c[lane + L], c[lane + 2 * L]
        t00, t11, t22 = volume * buffer[t], volume * buffer[t + L], volume * buffer[t + 2 * L]
        t01, t02, t12 = volume * buffer[t + 3 * L], volume * buffer[t + 4 * L], volume * buffer[t + 5 * L]
        # W = T [c]x
        w00, w01, w02 = t01 * c2 - t02 * c1, t02 * c0 - t00 * c2, t00 * c1 - t01 * c0
        w10, w11, w12 = t11 * c2 - t12 * c1, t12 * c0 - t01 * c2, t01 * c1 - t11 * c0
        w20, w21, w22 = t12 * c2 - t22 * c1, t22 * c0 - t02 * c2, t02 * c1 - t12 * c0
        m0, m1, m2, l0, l1, l2 = mu * a0, mu * a1, mu * a2, lam * a0, lam * a1, lam * a2
        same = m0 * c0 + m1 * c1 + m2 * c2
        out[lane] = same + (m0 + l0) * c0 + a2 * w10 - a1 * w20
        out[lane + L] = m1 * c0 + l0 * c1 + a2 * w11 - a1 * w21
        out[lane + 2 * L] = m2 * c0 + l0 * c2 + a2 * w12 - a1 * w22
        out[lane + 3 * L] = m0 * c1 + l1 * c0 + a0 * w20 - a2 * w00
        out[lane + 4 * L] = same + (m1 + l1) * c1 + a0 * w21 - a2 * w01
        out[lane + 5 * L] = m2 * c1 + l1 * c2 + a0 * w22 - a2 * w02
        out[lane + 6 * L] = m0 * c2 + l2 * c0 + a1 * w00 - a0 * w10
        out[lane + 7 * L] = m1 * c2 + l2 * c1 + a1 * w01 - a0 * w11
        out[lane + 8 * L] = same + (m2 + l2) * c2 + a1 * w02 - a0 * w12


@kernel
def rotate_lanes(first: int, count: int, buffer: Array, out_frames: Array) -> None:
    """Replace gradients, nine numbers each, by the rotations nearest to them: of LANES from `first` on."""
    for lane in range(L):
        at = (9 * min(first + lane, count - 1)) & PLACE
        to = DEFORMED * L + lane
        for each in range(9):
            buffer[to + each * L] = out_frames[at + each]
    find_roots(buffer)
    find_rotations(buffer)
    for lane in range(min(L, count - first)):
        at = (9 * (first + lane)) & PLACE
        for each in range(9):
            out_frames[at + each] = buffer[(_ROTATION + each) * L + lane]
