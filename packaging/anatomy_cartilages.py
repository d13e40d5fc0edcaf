"""Costal cartilages as bushings: they close the loops of ribs and breastbone that a tree of joints leaves open.

Each is a straight beam, clamped to its rib and to the breastbone, or to the rib above of the eighth to the tenth. What
such a beam resists by, for small bends, is a bushing in its middle, exactly: along it E A / L, across it 12 E I / L³,
about it G J / L, about an axis across it E I / L. L is the length of the cartilage's middle line and r its radius,
those of our shapes (`anatomy_trunk.py`); A = π r², I = π r⁴ / 4, J = 2 I; its axis is the chord.

E = 11.1 MPa is the mean of indentation of human costal cartilage at 5% strain of Weber, Rothschild and Niehoff 2021
(Scientific Reports 11, doi 10.1038/s41598-021-93176-x; its abstract was read): compression gave 32.9 there, other
strains 13 to 15. G = E / 3, as of what keeps its volume. Damping is 10 ms of stiffness, estimated. Real ones are bent,
have a stiffer skin, and grow stiffer with calcium and when bent far, which is left out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from anatomy_solids import Point
from anatomy_trunk import CARTILAGES, RIBS

from engine.maths.arrays import Array

YOUNG = 11.1e6  # [Pa]
RADIUS = 0.0051  # [m]
LAG = 0.01  # [s] of damping over stiffness
LAST_TRUE = 7  # the last rib whose own cartilage reaches the breastbone


def cartilage_texts(places: Mapping[str, Point]) -> list[str]:
    """The tables of the figure's file, of the left; `places`: where the bones stand at rest."""
    return [_text(number, places) for number, points in enumerate(CARTILAGES, 1) if points]


def _text(number: int, places: Mapping[str, Point]) -> str:
    line = np.array([RIBS[number - 1][-1], *CARTILAGES[number - 1]])
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    middle, axis = _middle(line, 0.5 * length), line[-1] - line[0]
    rib, other = f"rib{number}", "sternum" if number <= LAST_TRUE else f"rib{number - 1}"
    turning, sliding = stiffness(length)
    rest = ", ".join(f"{each:.9g}" for each in _turned_to(axis / np.linalg.norm(axis)))
    ends = [f'{{ joint = "{each}", at = {_list(middle - places[each], 5)}, rest = [{rest}] }}' for each in (rib, other)]
    return "\n".join((
        "[[bushing]]", f'id = "cartilage{number}"', f'name = "Cartilage {number}"', 'sides = "both"',
        f"first = {ends[0]}", f"second = {ends[1]}", f"turning = {_digits(turning)}", f"sliding = {_digits(sliding)}",
        f"turning_damping = {_digits([LAG * each for each in turning])}",
        f"sliding_damping = {_digits([LAG * each for each in sliding])}", "",
    ))  # fmt: skip


def stiffness(length: float) -> tuple[list[float], list[float]]:
    """Of a beam of that length along z: about its axes [N m/rad], and along them [N/m]."""
    area, bend = math.pi * RADIUS**2, YOUNG * 0.25 * math.pi * RADIUS**4
    across = 12.0 * bend / length**3
    return [bend / length, bend / length, 2.0 * bend / (3.0 * length)], [across, across, YOUNG * area / length]


def _middle(line: Array, way: float) -> Array:
    here: Array = line[0]
    for one, other in pairwise(line):
        step = float(np.linalg.norm(other - one))
        here = one + min(way / step, 1.0) * (other - one)
        if way <= step:
            break
        way -= step
    return here


def _turned_to(axis: Array) -> tuple[float, ...]:
    """The shortest turn of z to an axis, as a quaternion."""
    x, y, z = axis.tolist()
    whole = math.sqrt(2.0 * (1.0 + z))
    return (0.5 * whole, -y / whole, x / whole, 0.0)


def _list(numbers: Sequence[float] | Array, digits: int) -> str:
    return "[" + ", ".join(f"{round(float(each), digits) + 0.0:g}" for each in numbers) + "]"


def _digits(numbers: Sequence[float]) -> str:
    return "[" + ", ".join(f"{float(f'{each:.4g}'):g}" for each in numbers) + "]"
