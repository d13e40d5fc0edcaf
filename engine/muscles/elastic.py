"""Forces of muscles whose tendons stretch, by the curves of Thelen 2003 and of De Groote 2016.

A tendon pulls with F0 f_T of its length over its slack length s. Fibres of length x, c(x) of it along the tendon, on a
path of length l are where

    f_T((l - c)/s) = (a f_L f_V + f_P + d v) cos.

That is a differential equation for x, whose rate is v. Its fast part, fibres coming to rest in the pull of their
tendon, takes some 10 ms; it is left out here, and v taken to be that of fibres which stay in balance while the path
moves,

    v = R l',    R = dx/dl = (f_T'/s) / (f_T' c'/s + ((a f_L + f_P) cos)'),

as they stand still at that length and activation. So a muscle's force follows from its path's length and rate and its
activation alone, at any time, whatever was before, as with a rigid tendon; fibres lengthen and slow down by what the
tendon takes. What is left out: how force lags behind activation while fibres stretch their tendon. Beside the
differential equation over a stride's lengths it is within a few hundredths of F0 (`test_elastic.py`).

R changes with the length and the activation; its slopes are differences along the balance, over 1e-6 of the best fibre
length. Where fibres give way faster than the tendon holds, as on the falling limb of a slack one, the sum of both
stiffnesses is held to a tenth of the tendon's.
"""

from __future__ import annotations

import math

from engine.limits.inlined import inlined
from engine.maths.arrays import Array
from engine.muscles.hill import (
    BY_ACTIVATION,
    BY_LENGTH,
    BY_RATE,
    DAMPING,
    DE_GROOTE,
    FASTEST,
    FIBRE,
    FORCE,
    FORCES,
    LEAST,
    PULL,
    SINE,
    STRENGTH,
    TENDON,
    THELEN,
    THELEN_ELASTIC,
    active_length,
    active_velocity,
    passive_length,
    write_rigid_force,
)
from engine.runtime.borrowing import borrowing
from engine.runtime.jit import kernel

C1, C2, C3, STRETCH = 0.2, 1.0, 0.2, 0.049
STIFF = math.log((1.0 + C3) / C1) / (1.0 + STRETCH - C2)
TOE, TOE_FORCE, TOE_STEEP, TENDON_STRAIN = 0.609 * 0.04, 1.0 / 3.0, 3.0, 0.04
TENDON_SLOPE = 1.712 / TENDON_STRAIN
CLOSE, NEWTON, MOST = 1e-13, 1e-9, 60  # of the best fibre length, which the next step squares; looks
NEAR = 1e-6  # [1] of the best length, of an activation: over which R's slopes are taken
STEADY = 0.1  # of the tendon's stiffness
# Per muscle in what is written of fibres: length over the best one, rate in fibre lengths a second, cosine of the
# pennation, f_L, passive force along the tendon [N].
LENGTH, SPEED, COSINE, HELD, PASSIVE = range(5)
STATES = 5


@borrowing
@inlined
def tendon_force(model: int, length: float, slope: bool) -> float:
    """Return f_T of a tendon's length over its slack length, or its slope."""
    if model == DE_GROOTE:
        power = C1 * math.exp(STIFF * (length - C2))
        return STIFF * power if slope else power - C3
    strain = length - 1.0
    if strain <= 0.0:
        return 0.0
    if strain <= TOE:
        scale, power = TOE_FORCE / (math.exp(TOE_STEEP) - 1.0), math.exp(TOE_STEEP * strain / TOE)
        return scale * TOE_STEEP / TOE * power if slope else scale * (power - 1.0)
    return TENDON_SLOPE if slope else TENDON_SLOPE * (strain - TOE) + TOE_FORCE


@borrowing
@inlined
def stretched(model: int, force: float) -> float:
    """Return a tendon's length over its slack length that pulls with a force over F0."""
    if model == DE_GROOTE:
        return C2 + math.log((max(force, -0.5 * C3) + C3) / C1) / STIFF
    if force <= 0.0:
        return 1.0
    if force <= TOE_FORCE:
        return 1.0 + TOE / TOE_STEEP * math.log(1.0 + force / TOE_FORCE * (math.exp(TOE_STEEP) - 1.0))
    return 1.0 + TOE + (force - TOE_FORCE) / TENDON_SLOPE


@borrowing
@inlined
def begin_balance(model: int, floats: Array, at: int, length: float, active: float, damped: float) -> float:
    """Return a guess at the length of fibres: with what those on a rigid tendon pull with, it would stretch so far."""
    best, slack = floats[at + FIBRE], floats[at + TENDON]
    width = best * floats[at + SINE]
    along = max(length - slack, LEAST * best)
    x = math.hypot(along, width) / best
    pulls = (active * active_length(model, x)[0] + passive_length(model, min(x, 1.5))[0] + damped) * along / (x * best)
    return math.hypot(max(length - slack * stretched(model, pulls), 0.0), width)


@borrowing
@kernel
def fibre_balance(
    model: int, floats: Array, at: int, length: float, fibre: float, active: float, damped: float
) -> tuple[float, float]:
    """Return by how much a stretched tendon pulls more than fibres of that length [m] do, over F0, and its slope over
    that length. `active`: a f_V; `damped`: d v."""
    best, slack = floats[at + FIBRE], floats[at + TENDON]
    width = best * floats[at + SINE]
    along = math.sqrt(max(fibre * fibre - width * width, (LEAST * best) ** 2))
    cosine, x = along / fibre, fibre / best
    stretch = (length - along) / slack
    f_l, d_l = active_length(model, x)
    f_p, d_p = passive_length(model, x)
    pulls, steeper = active * f_l + f_p + damped, active * d_l + d_p
    bend = fibre / along
    turning = (bend * fibre - along) / (fibre * fibre)
    slope = -tendon_force(model, stretch, True) * bend / slack - steeper / best * cosine - pulls * turning
    return tendon_force(model, stretch, False) - pulls * cosine, slope


@borrowing
@kernel
def balance_fibre(
    model: int, floats: Array, at: int, length: float, active: float, damped: float, begin: float
) -> float:
    """Return the length [m] at which fibres balance their tendon, by Newton's method within a bracket; `begin`: where
    it may be, 0 if that is not known."""
    best, slack = floats[at + FIBRE], floats[at + TENDON]
    width = best * floats[at + SINE]
    low = math.sqrt(width * width + (LEAST * best) ** 2)
    high = max(math.hypot(max(length - 0.5 * slack, 0.0), width), low * (1.0 + 1e-9))
    fibre = begin if begin > 0.0 else begin_balance(model, floats, at, length, active, damped)
    fibre = min(max(fibre, low), high)
    for _ in range(MOST):
        found, slope = fibre_balance(model, floats, at, length, fibre, active, damped)
        if found > 0.0:
            low = fibre
        else:
            high = fibre
        moved, close = fibre - found / slope if slope < 0.0 else low - 1.0, NEWTON
        if not low <= moved <= high:
            moved, close = 0.5 * (low + high), CLOSE
        if abs(moved - fibre) <= close * best:
            return moved
        fibre = moved
    return fibre


@borrowing
@kernel
def stiffnesses(
    model: int, floats: Array, at: int, length: float, fibre: float, active: float, damped: float
) -> tuple[float, float, float]:
    """Return how the tendon stiffens by its length, and by the fibres', and how both stiffen together [1/m]."""
    best, slack = floats[at + FIBRE], floats[at + TENDON]
    width = best * floats[at + SINE]
    along = math.sqrt(max(fibre * fibre - width * width, (LEAST * best) ** 2))
    tendon = tendon_force(model, (length - along) / slack, True) / slack
    by_fibre = tendon * fibre / along
    together = -fibre_balance(model, floats, at, length, fibre, active, damped)[1]
    return tendon, by_fibre, max(together, STEADY * by_fibre, 1e-9 / best)


@borrowing
@kernel
def share_of_fibres(model: int, floats: Array, at: int, length: float, fibre: float, activation: float) -> float:
    """Return R: by how much fibres at rest lengthen with their path."""
    tendon, _, together = stiffnesses(model, floats, at, length, fibre, activation, 0.0)
    return tendon / together


@borrowing
@kernel
def find_fibre(
    model: int, floats: Array, at: int, length: float, rate: float, activation: float
) -> tuple[float, float, float]:
    """Return the length of fibres at rest [m], R, and the length of those that move with the path [m]."""
    resting = balance_fibre(model, floats, at, length, activation, 0.0, 0.0)
    share = share_of_fibres(model, floats, at, length, resting, activation)
    if rate == 0.0:
        return resting, share, resting
    velocity = share * rate / (floats[at + FASTEST] * floats[at + FIBRE])
    active = activation * active_velocity(model, velocity, activation)[0]
    damped = DAMPING * velocity if model == DE_GROOTE else 0.0
    return resting, share, balance_fibre(model, floats, at, length, active, damped, resting)


@borrowing
@kernel
def write_elastic_force(
    model: int, floats: Array, at: int, length: float, rate: float, activation: float, out: Array, to: int
) -> None:
    """Write the force of a muscle whose tendon stretches, and its derivatives, for the length of its path."""
    best, strongest = floats[at + FIBRE], floats[at + FORCE]
    fastest, width = floats[at + FASTEST] * best, best * floats[at + SINE]
    resting, share, fibre = find_fibre(model, floats, at, length, rate, activation)
    velocity = share * rate / fastest
    f_v, d_v = active_velocity(model, velocity, activation)
    damping = DAMPING if model == DE_GROOTE else 0.0
    active, damped = activation * f_v, damping * velocity
    tendon, by_fibre, together = stiffnesses(model, floats, at, length, fibre, active, damped)
    along = math.sqrt(max(fibre * fibre - width * width, (LEAST * best) ** 2))
    f_l = active_length(model, fibre / best)[0]
    by_v, by_a = activation * f_l * d_v + damping, f_l * f_v
    if model == THELEN:
        by_a -= activation * f_l * d_v * velocity / (0.25 + 0.75 * activation) * 0.75
    pulled = strongest * by_fibre / together * along / fibre  # of what fibres pull more, with the length held
    by_length, by_activation = strongest * tendon * (1.0 - by_fibre / together), pulled * by_a
    if rate != 0.0:
        near = NEAR * best
        over = near / max(share, NEAR)
        slope = share_of_fibres(model, floats, at, length + over, resting + share * over, activation)
        slope -= share_of_fibres(model, floats, at, length - over, resting - share * over, activation)
        by_length += pulled * by_v * slope / (2.0 * over) * rate / fastest
        _, _, still = stiffnesses(model, floats, at, length, resting, activation, 0.0)
        held = math.sqrt(max(resting * resting - width * width, (LEAST * best) ** 2)) / resting
        shorter = active_length(model, resting / best)[0] * held / still
        less, more = max(activation - NEAR, 0.0), activation + NEAR
        slope = share_of_fibres(model, floats, at, length, resting - shorter * (more - activation), more)
        slope -= share_of_fibres(model, floats, at, length, resting + shorter * (activation - less), less)
        by_activation += pulled * by_v * slope / (more - less) * rate / fastest
    out[to + PULL] = strongest * tendon_force(model, (length - along) / floats[at + TENDON], False)
    out[to + BY_LENGTH] = by_length
    out[to + BY_RATE] = pulled * by_v * share / fastest
    out[to + BY_ACTIVATION] = by_activation


@borrowing
@inlined
def write_force(
    model: int, floats: Array, at: int, length: float, rate: float, activation: float, out: Array, to: int
) -> None:
    """Write the force of a muscle by any of the models, and its derivatives, for the length of its path."""
    if model < THELEN_ELASTIC:
        write_rigid_force(model, floats, at, length, rate, activation, out, to)
    else:
        write_elastic_force(model - THELEN_ELASTIC + THELEN, floats, at, length, rate, activation, out, to)


@borrowing
@kernel
def write_forces(
    model: int, floats: Array, lengths: Array, rates: Array, activations: Array, out_forces: Array
) -> None:
    """Write the forces of all muscles; `out_forces` has `FORCES` numbers for each."""
    for each in range(lengths.shape[0]):
        write_force(
            model, floats, STRENGTH * each, lengths[each], rates[each], activations[each], out_forces, FORCES * each
        )


@borrowing
@kernel
def write_fibres(
    model: int, floats: Array, lengths: Array, rates: Array, activations: Array, out_states: Array
) -> None:
    """Write how the fibres of all muscles stand and move whose tendons stretch; `STATES` numbers for each."""
    base = model - THELEN_ELASTIC + THELEN
    for each in range(lengths.shape[0]):
        at, to = STRENGTH * each, STATES * each
        best = floats[at + FIBRE]
        _, share, fibre = find_fibre(base, floats, at, lengths[each], rates[each], activations[each])
        width = best * floats[at + SINE]
        cosine = math.sqrt(max(fibre * fibre - width * width, (LEAST * best) ** 2)) / fibre
        velocity = share * rates[each] / best
        passive = passive_length(base, fibre / best)[0]
        if base == DE_GROOTE:
            passive += DAMPING * velocity / floats[at + FASTEST]
        out_states[to + LENGTH], out_states[to + SPEED], out_states[to + COSINE] = fibre / best, velocity, cosine
        out_states[to + HELD] = active_length(base, fibre / best)[0]
        out_states[to + PASSIVE] = floats[at + FORCE] * passive * cosine
