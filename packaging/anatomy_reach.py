"""Lengths of fibres and tendons of the anatomy figure's muscles: at the ends of joints none is stretched too far.

Lengths of the tables are those of muscles whose tendons stretch, by 5 % at the greatest force; ours, as they ship, do
not, so that all of a stretch is the fibres'. With the tables' lengths as they stand 10 degrees of dorsiflexion with a
straight knee took 69 N m passively, where people are moved by 10 to 25, and a hip that is bent by 90 degrees over a
straight knee 1,200 N m in place of some 50. And of authored muscles nobody had looked how far joints stretch them.

So, of all muscles alike: where `ends` stretches fibres further than to where they pull passively with `MOST` of their
greatest force, the tendon is longer, by `GIVES` of its length at most and if its length is a table's; and where that
is not enough fibres are longer, as far at rest from their best length as before, or further where the tendon would
be nearly none. `MOST` is estimated: with it joints are held about as strongly as Riener and Edrich (1999) measured at
ankle, knee and hip (`tests/engine/muscles/test_passive.py`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from anatomy_lines import Line

from engine.document import Figure
from engine.maths.arrays import Array
from engine.model.compile import compile_model
from engine.muscles.compiled import MuscledFigure
from engine.muscles.hill import PASSIVE, PASSIVE_LEAST, PASSIVE_SCALE, YIELD
from engine.muscles.parts import Muscles
from engine.muscles.ranges import range_of

MOST = 0.25  # of the greatest force, passively, at the ends of joints
LONGEST = 1.0 + YIELD / PASSIVE * math.log(MOST / PASSIVE_SCALE + PASSIVE_LEAST)  # of fibres, where they pull so
GIVES, KEPT = 0.05, 0.7  # of a tendon's length; of the fibres' best length that they have at rest thereafter
SHORTEST = 0.05  # of the path at rest that is tendon
# Hips are bent so far over straight knees, as in raising a straight leg; further with the knees bent.
RAISED, KNEES = 90.0, 110.0
SPINE = ("lumbar", "thoracic", "cervical", "skull")
FINGERS = ("index", "middle", "ring", "little", "thumb")


def ends(figure: Figure) -> Iterator[dict[str, float]]:
    """Poses at the ends of joints' ranges: of each freedom alone, of a whole spine, of a finger [rad]."""
    spine: dict[tuple[str, int], dict[str, float]] = {}
    fingers: dict[tuple[str, int], dict[str, float]] = {}
    for dof in figure.dofs:
        if dof.kind != "hinge" or dof.driven:
            continue
        bone, _, name = dof.id.partition(".")
        for end, value in enumerate(range_of(dof)):
            if bone.startswith("femur") and name == "flexion" and end:
                yield {dof.id: math.radians(RAISED)}
                yield {dof.id: value, bone.replace("femur", "tibia") + ".flexion": math.radians(KNEES)}
                continue
            yield {dof.id: value}
            if bone.startswith(SPINE):
                spine.setdefault((name, end), {})[dof.id] = value
            if bone.startswith(FINGERS) and name == "flexion":
                finger = bone.replace("_tip", "")
                fingers.setdefault((finger, end), {})[dof.id] = value
    yield from spine.values()
    yield from fingers.values()


class Reach:
    """The lengths of paths at rest and at most [m], by muscles."""

    def __init__(self, figure: Figure, muscles: Muscles) -> None:
        muscled = MuscledFigure(compile_model(figure), muscles)
        self._ids = [each.id for each in muscles.muscles]
        rest = muscled.model.rest
        self._rest = muscled.lengths(rest)
        self._most: Array = self._rest.copy()
        for pose in ends(figure):
            q = rest.copy()
            for id, value in pose.items():
                q[figure.coordinate_index[id]] = value
            np.maximum(self._most, muscled.lengths(q), out=self._most)

    def rest(self) -> dict[str, float]:
        """Give all at rest."""
        return dict(zip(self._ids, self._rest.tolist(), strict=True))

    def most(self) -> dict[str, float]:
        """Give all where they are longest."""
        return dict(zip(self._ids, self._most.tolist(), strict=True))


def parts_of(line: Line, rest: float, most: float, written: float) -> tuple[float, float]:
    """Fibres and tendon of a muscle whose path has that length at rest and at most [m]; where a source gives both, what
    its path as written differs from ours is tendon."""
    sine = math.sin(math.radians(line.pennation))
    far = math.sqrt(LONGEST * LONGEST - sine * sine)  # along the path, of fibres that are stretched so
    if line.fibre:
        fibre, tendon = line.fibre, line.tendon + rest - written
        gives = min(GIVES * tendon, most - far * fibre - tendon, rest - KEPT * fibre - tendon)
        tendon += max(0.0, gives)
    else:
        fibre = line.share * rest / line.at / math.cos(math.radians(line.pennation))
        tendon = (1.0 - line.share) * rest
    if most - tendon <= far * fibre + 1e-9:
        return fibre, tendon
    near = (rest - tendon) / fibre
    fibre = (most - rest) / (far - near) if near < far else math.inf
    if rest - near * fibre >= SHORTEST * rest:
        return fibre, rest - near * fibre
    return (most - SHORTEST * rest) / far, SHORTEST * rest
