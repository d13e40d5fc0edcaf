"""Joint speeds: how fast the joints of a secondary motion turn, and how fast a correction may make them.

A correction may meet its targets and yet throw a limb about: a light, slack joint that is led by a large correction
runs from stop to stop. So the fastest joint is compared with that of the motion without the correction, over all times
that the correction has an effect on.

Speeds [rad/s] are differences of poses that are shown one after the other; slides are left out. Where windows hardly
follow their keys two that end close together come to poses far apart, so it matters which: those of whole frames.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.document.motion import TICKS_PER_SECOND
from engine.dynamics.coordinates import compute_difference
from engine.kinodynamics.keyed import Keyed
from engine.kinodynamics.tracking import KinoModel
from engine.maths.arrays import Array
from engine.runtime.errors import Diverged

TIMES, ALWAYS = 2.0, 20.0
"""The speed that a correction may give a joint: so many times the fastest without it, or [rad/s] if that is more."""
_APART, _MOST, _WITH_CONTACT = TICKS_PER_SECOND // 120, 600, 60  # [ticks] of a frame; poses that are compared
_CLEARLY = 0.97  # of what is allowed, for poses lie apart
_TOGETHER = 16  # windows between slices of the engine's thread, one with contact


def may_turn(speed: float, usual: float) -> bool:
    """Tell whether a joint may be that fast, where without the correction the fastest has the usual speed."""
    return speed <= _CLEARLY * max(TIMES * usual, ALWAYS)


def find_fastest(kino: KinoModel, keyed: Keyed, first: float, last: float) -> Generator[None, None, tuple[float, int]]:
    """Find the largest speed of a joint from one time to another [ticks], and its rate, in slices; infinite where the
    motion breaks."""
    most, together = (_WITH_CONTACT, 1) if kino.touches else (_MOST, _TOGETHER)
    apart = float(_APART) * max(np.ceil((last - first) / (_APART * most)), 1.0)
    times, poses = apart * np.arange(np.floor(first / apart), np.ceil(last / apart) + 1.0), list[Array]()
    for start in range(0, len(times), together):
        try:
            poses.append(kino.simulate(times[start : start + together], keyed)[0])
        except Diverged:
            return np.inf, 0
        yield
    shown, moved = np.concatenate(poses), np.zeros(kino.mechanics.rate_count)
    fastest, turns = np.zeros(kino.mechanics.rate_count), turning(kino)
    for before, after in pairwise(shown):
        compute_difference(kino.mechanics.ints, before, after, moved)
        np.maximum(fastest, np.abs(moved), out=fastest)
    if not turns.any():
        return 0.0, 0
    rate = int(np.where(turns, fastest, 0.0).argmax())
    return float(fastest[rate]) * TICKS_PER_SECOND / apart, rate


def turning(kino: KinoModel) -> NDArray[np.bool_]:
    """Tell which rates are of turns, not of slides."""
    dofs = (dof for joint in kino.mechanics.model.figure.joints for dof in joint.dofs)
    return np.array([dof.kind != "slide" for dof in dofs for _ in dof.rates], dtype=np.bool_)


def joint_of(kino: KinoModel, rate: int) -> str:
    """Name the joint of a rate."""
    joints = kino.mechanics.model.figure.joints
    return [joint.name for joint in joints for dof in joint.dofs for _ in dof.rates][rate]
