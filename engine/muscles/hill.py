"""Forces of muscles by Hill's model: active along the fibres, passive beside, a tendon in line.

With l the length of the fibres over `fibre`, v their rate over `fastest` fibre lengths a second (shortening below 0)
and activation a, the fibres pull with F0 (a f_L(l) f_V(v) + f_P(l) + d v). Three models:

LINEAR, the source's (Si 2013, 3.1 and 3.2, after Lee, Sifakis and Terzopoulos 2009): strain e = l - 1,

    f_P = max(0, k_s (exp(k_c e) - 1) + k_d e'),   f_L = max(0, k_max (l - l_m)),   f_V = max(0, 1 + min(l', 0)/v_m),

the last printed with l for l' within the min. Its constants are not printed. Here f_L is 1 at l = 1 and 0 at half of
it, f_P is 1 at a strain of 0.6 as Thelen's is, k_d = 0.1 / fastest. Since the length of the tendon is constant there, l
is what the path has beyond it, without pennation.

THELEN (Thelen 2003): f_L = exp(-(l - 1)^2 / 0.45), f_P = (exp(5 (l - 1)/0.6) - 1)/(exp(5) - 1) above 1, and with
V = v / (0.25 + 0.75 a): f_V = (1 + V)/(1 - V/0.25) where it shortens, (1 + 25 V 1.4)/(1 + 25 V) where it lengthens.

DE_GROOTE (De Groote, Kinney, Rao and Fregly 2016): sums of three bells, a logarithm and an exponential, all smooth,
with the constants that the authors use.

A rigid tendon leaves to the fibres what the path has beyond `tendon`; pennate ones keep their width. Tendons that
stretch are in `elastic.py`.
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

LINEAR, THELEN, DE_GROOTE, THELEN_ELASTIC, DE_GROOTE_ELASTIC = range(5)
# Per muscle in `floats`: F0 [N], fibre [m], tendon [m], sine of the pennation, fastest [1/s].
FORCE, FIBRE, TENDON, SINE, FASTEST = range(5)
STRENGTH = 5
# Per muscle in what is written: force along the tendon [N], by length [N/m], by rate [N s/m], by activation [N].
PULL, BY_LENGTH, BY_RATE, BY_ACTIVATION = range(4)
FORCES = 4
LEAST = 0.05  # of the fibre length: paths shorter than their tendon leave that much

WIDTH, STEEP, YIELD, SLACKNESS, LONGER = 0.45, 5.0, 0.6, 0.25, 1.4
SLOW = (2.0 + 2.0 / SLACKNESS) / (LONGER - 1.0)
LINEAR_LEAST, LINEAR_DAMPING = 0.5, 0.1
BELLS = (
    (0.8150671134243542, 1.055033428970575, 0.162384573599574, 0.063303448465465),
    (0.433004984392647, 0.716775413397760, -0.029947116970696, 0.200356847296188),
    (0.1, 1.0, 0.353553390593274, 0.0),
)
D1, D2, D3, D4 = -0.3211346127989808, -8.149, -0.374, 0.8825327733249912
PASSIVE, LEAST_PASSIVE, DAMPING = 4.0, 0.2, 0.01
PASSIVE_LEAST = math.exp(PASSIVE * (LEAST_PASSIVE - 1.0) / YIELD)
PASSIVE_SCALE, STEEP_SCALE = 1.0 / (math.exp(PASSIVE) - PASSIVE_LEAST), 1.0 / (math.exp(STEEP) - 1.0)


@borrowing
@inlined
def active_length(model: int, length: float) -> tuple[float, float]:
    """Return f_L and its slope."""
    if model == LINEAR:
        if length <= LINEAR_LEAST:
            return 0.0, 0.0
        return (length - LINEAR_LEAST) / (1.0 - LINEAR_LEAST), 1.0 / (1.0 - LINEAR_LEAST)
    if model == THELEN:
        bell = math.exp(-((length - 1.0) ** 2) / WIDTH)
        return bell, -2.0 * (length - 1.0) / WIDTH * bell
    total = slope = 0.0
    for each in range(3):
        height, centre, wide, wider = BELLS[each]
        spread = wide + wider * length
        x = (length - centre) / spread
        bell = height * math.exp(-0.5 * x * x)
        total += bell
        slope += -bell * x * (wide + wider * centre) / (spread * spread)
    return total, slope


@borrowing
@inlined
def passive_length(model: int, length: float) -> tuple[float, float]:
    """Return f_P without damping, and its slope."""
    if model == DE_GROOTE:
        power = math.exp(PASSIVE * (length - 1.0) / YIELD)
        return PASSIVE_SCALE * (power - PASSIVE_LEAST), PASSIVE_SCALE * PASSIVE / YIELD * power
    if length <= 1.0:
        return 0.0, 0.0
    power = math.exp(STEEP * (length - 1.0) / YIELD)
    return STEEP_SCALE * (power - 1.0), STEEP_SCALE * STEEP / YIELD * power


@borrowing
@inlined
def active_velocity(model: int, velocity: float, activation: float) -> tuple[float, float]:
    """Return f_V and its slope over v; of a shortening that is too fast it is 0."""
    if model == LINEAR:
        if velocity >= 0.0:
            return 1.0, 0.0
        return max(0.0, 1.0 + velocity), 1.0 if velocity > -1.0 else 0.0
    if model == THELEN:
        share = 0.25 + 0.75 * activation
        v = velocity / share
        if v <= -1.0:
            return 0.0, 0.0
        if v <= 0.0:
            under = 1.0 - v / SLACKNESS
            return (1.0 + v) / under, (1.0 + 1.0 / SLACKNESS) / (under * under) / share
        under = 1.0 + SLOW * v
        return (1.0 + SLOW * LONGER * v) / under, SLOW * (LONGER - 1.0) / (under * under) / share
    x = D2 * velocity + D3
    root = math.sqrt(x * x + 1.0)
    return D1 * math.log(x + root) + D4, D1 * D2 / root


@borrowing
@inlined
def write_rigid_force(
    model: int, floats: Array, at: int, length: float, rate: float, activation: float, out: Array, to: int
) -> None:
    """Write the force of a muscle whose tendon is rigid, and its derivatives, for the length of its path."""
    fibre, vmax = floats[at + FIBRE], floats[at + FASTEST] * floats[at + FIBRE]
    along, width = length - floats[at + TENDON], fibre * floats[at + SINE]
    if model == LINEAR:
        width = 0.0
    held = along < LEAST * fibre
    if held:
        along = LEAST * fibre
    muscle = math.sqrt(along * along + width * width)
    cosine = along / muscle
    turning = 0.0 if held else (1.0 - cosine * cosine) / muscle  # of the cosine over the length
    x, v = muscle / fibre, rate * cosine / vmax
    dx, dv = 0.0 if held else cosine / fibre, rate * turning / vmax
    f_l, d_l = active_length(model, x)
    f_v, d_v = active_velocity(model, v, activation)
    passive, d_p = passive_length(model, x)
    damping = 0.0 if model == THELEN else (LINEAR_DAMPING if model == LINEAR else DAMPING)
    passive += damping * v
    beside = damping
    if model == LINEAR and (passive <= 0.0 or x <= 1.0):
        passive = max(0.0, damping * v) if x <= 1.0 else 0.0
        d_p, beside = 0.0, damping if passive > 0.0 else 0.0
    total = activation * f_l * f_v + passive
    by_x, by_v = activation * d_l * f_v + d_p, activation * f_l * d_v + beside
    by_a = f_l * f_v
    if model == THELEN:
        by_a -= activation * f_l * d_v * v / (0.25 + 0.75 * activation) * 0.75
    strongest = floats[at + FORCE]
    out[to + PULL] = strongest * total * cosine
    out[to + BY_LENGTH] = strongest * ((by_x * dx + by_v * dv) * cosine + total * turning)
    out[to + BY_RATE] = strongest * by_v * cosine * cosine / vmax
    out[to + BY_ACTIVATION] = strongest * by_a * cosine


@borrowing
@kernel
def step_activation(excitation: float, activation: float, rising: float, falling: float, dt: float) -> float:
    """Return the activation after a time [s]: a' = (u - a)/t, t = rising (0.5 + 1.5 a) where it rises, else falling /
    (0.5 + 1.5 a) (Thelen 2003; Winters 1995), the time constant held over the step."""
    scale = 0.5 + 1.5 * activation
    time = rising * scale if excitation > activation else falling / scale
    return excitation + (activation - excitation) * math.exp(-dt / time)
