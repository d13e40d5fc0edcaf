"""Works out what muscles use of food and oxygen: heat and work of their fibres.

Source: Umberger, Gerritsen and Martin 2003, A model of human muscle energy expenditure. Per kilogram of muscle [W/kg]:

    e = max(h_AM + h_SL, 1) + w

    h_AM = S A^0.6 (1.28 x + 25)                                  activation and maintenance, x fast fibres [%]
    h_SL = S A^2 (min(a_S v, 100) (1 - x/100) + a_F v x/100)      shortening by v fibre lengths a second
           S A a_L v                                              lengthening
    a_S = 4 * 25 / v_S,   a_F = 153 / v_F,   a_L = 4 a_S          v_S, v_F: fastest of slow and of fast fibres
    w = F v l0 / m

Beyond the best length h_AM is (0.4 + 0.6 f_L) times and h_SL f_L times as much. The mass is m = F0 l0 rho / sigma with
rho = 1059.7 kg/m3 and sigma = 0.25 MPa. Work that is done on fibres counts below 0, as there.

Here A is the activation, since excitation is not known; S = 1.5, for what is done aerobically; half of all fibres are
fast, a choice where no table says otherwise; v_F is the muscle's `fastest`, v_S = v_F / 2.5.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.muscles.compiled import MuscledFigure
from engine.muscles.hill import FASTEST, FIBRE, FORCE, LEAST, SINE, TENDON

DENSITY, TENSION = 1059.7, 0.25e6  # [kg/m3], [Pa]
FAST = 50.0  # [%] of fibres
AEROBIC = 1.5
SLOWER = 2.5  # times that slow fibres are slower
MOST_SLOW, LEAST_HEAT = 100.0, 1.0  # [W/kg]


def muscle_masses(figure: MuscledFigure) -> Array:
    """Masses of all muscles [kg]."""
    strengths = figure.strengths
    return strengths[:, FORCE] / TENSION * strengths[:, FIBRE] * DENSITY


def metabolic_rates(figure: MuscledFigure, lengths: Array, rates: Array, activations: Array) -> Array:
    """Work out what all muscles use [W], for the lengths of their paths [m], their rates and activations."""
    strengths, still = figure.strengths, np.zeros(len(lengths))
    if figure.is_elastic:
        fibres, speeds, cosines, held, passive = figure.fibre_states(lengths, rates, activations).T
        heat = heat_rates(activations, held, fibres, speeds, strengths[:, FASTEST])
        active = (figure.forces(lengths, rates, activations) - passive) / cosines
        used: Array = muscle_masses(figure) * np.maximum(heat, LEAST_HEAT) - active * speeds * strengths[:, FIBRE]
        return used
    passive, fully = (figure.forces(lengths, still, np.full(len(lengths), active)) for active in (0.0, 1.0))
    along = np.maximum(lengths - strengths[:, TENDON], LEAST * strengths[:, FIBRE])
    bent = 0.0 if figure.muscles.model == "linear" else 1.0
    cosines = along / np.hypot(along, bent * strengths[:, FIBRE] * strengths[:, SINE])
    held = (fully - passive) / (strengths[:, FORCE] * cosines)  # f_L
    active = figure.forces(lengths, rates, activations) - figure.forces(lengths, rates, still)
    masses = muscle_masses(figure)
    heat = heat_rates(
        activations,
        held,
        figure.fibres(lengths, rates, activations),
        rates * cosines / strengths[:, FIBRE],
        strengths[:, FASTEST],
    )
    return masses * np.maximum(heat, LEAST_HEAT) - active * rates


def heat_rates(activations: Array, held: Array, fibres: Array, speeds: Array, fastest: Array) -> Array:
    """Heat [W/kg] of muscles that are `held` to a share f_L of their force, with fibres over their best length and
    speeds in fibre lengths a second, shortening below 0."""
    fast, long = FAST / 100.0, fibres > 1.0
    kept = (1.28 * FAST + 25.0) * activations**0.6 * np.where(long, 0.4 + 0.6 * held, 1.0)
    slow = 4.0 * 25.0 / (fastest / SLOWER)
    shortening = np.maximum(-speeds, 0.0)
    shortens = np.minimum(slow * shortening, MOST_SLOW) * (1.0 - fast) + 153.0 / fastest * shortening * fast
    lengthens = 4.0 * slow * np.maximum(speeds, 0.0)
    moved = shortens * activations**2 + lengthens * activations
    return AEROBIC * (kept + moved * np.where(long, held, 1.0))
