"""A process that warms what some documents are said to need, all the same, works with each, and prints by case the
kernels that were not warmed: `python3 start.py python -m tests.engine.queries.needed CASE...`
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace

import numpy as np

from engine.commands.reach import PullHandle, Reach
from engine.document import (
    Actor,
    Bell,
    Blob,
    Correction,
    Document,
    Key,
    Layer,
    Samples,
    SpeedRange,
    Term,
    Track,
)
from engine.document.motion import TICKS_PER_SECOND
from engine.evaluate.evaluator import Evaluator
from engine.ik.goals import PositionGoal, Spot
from engine.ik.methods import Terms
from engine.kinodynamics.ghosts import with_ghosts
from engine.long.warm_up import WARM
from engine.measure import Quantity
from engine.queries.examples import EXAMPLES, example, human
from engine.queries.needs import needs_of, needs_of_plot
from engine.queries.plots import Plots, PlotWanted
from engine.runtime.kernel_cache import used_files

HALF = TICKS_PER_SECOND // 2
SPEED = SpeedRange(
    start=0, end=TICKS_PER_SECOND, coordinates=("elbow_left.flexion",), keys=(Key(0, 0.0), Key(TICKS_PER_SECOND, 1.0))
)
BELL = Bell(time=HALF, before=HALF // 2, after=HALF // 2)


def document_of(case: str) -> Document:
    if case in (each.id for each in EXAMPLES):
        return example(case).build()
    figure = (person := human("me", "Human")).figure
    keys = Key(0, 0.0), Key(TICKS_PER_SECOND, 0.1)
    tracks = tuple(Track(coordinate=name, keys=keys) for name in figure.coordinates)
    keyed = replace(person.layers[0], tracks=tracks)
    names = figure.coordinates[:9]
    return Document(actors=(_actor(case, person, keyed, names),))


def _actor(case: str, person: Actor, keyed: Layer, names: tuple[str, ...]) -> Actor:
    figure = person.figure
    if case == "as rotations":
        joint = next(each.id for each in figure.joints if [dof.kind for dof in each.dofs] == ["hinge"] * 3)
        return replace(person, layers=(replace(keyed, quaternions=(joint,)),))
    if case == "timed":
        return replace(person, layers=(replace(keyed, speed=(replace(SPEED, coordinates=names[-1:]),)),))
    if case == "samples":
        samples = Samples(coordinates=names, values=Blob(np.zeros((3, len(names)))), rate=(30, 1))
        return replace(person, layers=(*person.layers, Layer(id="sampled", samples=samples)))
    if case == "correction":
        term = Term(bell=BELL, amplitudes=((names[-1], 0.1),))
        return replace(person, layers=(keyed, Layer(id="corrected", correction=Correction(terms=(term,)))))
    if case == "linear skin":
        skins = tuple(replace(skin, blending="linear") for skin in figure.skins)
        return replace(person, figure=replace(figure, skins=skins))
    if case == "keyed lock":
        standing = example("standing").build().actors[0]
        weight = Track(coordinate="weight", keys=(Key(0, 0.0), Key(TICKS_PER_SECOND, 1.0)))
        return replace(standing, locks=tuple(replace(lock, tracks=(weight,)) for lock in standing.locks))
    return replace(person, layers=(keyed,))


def plot_of(case: str) -> PlotWanted | None:
    quantity = {
        "torque": Quantity(kind="torque", actor="me", part="elbow_left.flexion"),
        "place": Quantity(kind="place", actor="me", part="hand_left", handle=True, component="y"),
    }.get(case)
    return None if quantity is None else PlotWanted(quantities=(quantity,), first=0, last=HALF)


def warm(names: frozenset[str]) -> None:
    for entry in WARM:
        if entry.name in names:
            for _ in entry.steps():
                pass


def work(document: Document, plot: PlotWanted | None) -> None:
    """Pictures with skins and ghosts, a short drag of two handles of each actor, and the plot."""
    evaluator = Evaluator()
    for time in (0, HALF, 2 * HALF):
        with_ghosts(evaluator, evaluator.snapshot(document, time))
    reach = Reach(evaluator)
    for actor in document.actors:
        for handle in actor.figure.handles[:2]:
            spot = Spot(actor=actor.id, joint=handle.joint, point=handle.point)
            goal = PositionGoal(spot=spot, target=(-0.3, 1.2, 0.4))
            request = PullHandle(drag=handle.id, actor=actor.id, goals=(goal,), terms=Terms(iterations=2))
            for _ in reach.answer(document, HALF, request):
                pass
    if plot is not None:
        for _ in Plots(evaluator).answer(document, 0, plot):
            pass


def main(cases: list[str]) -> None:
    wanted = {case: (document_of(case), plot_of(case)) for case in cases}
    (needs,) = {
        needs_of(document) | (frozenset() if plot is None else needs_of_plot(plot))
        for document, plot in wanted.values()
    }
    warm(needs | {"posing"})
    found = {}
    for case, (document, plot) in wanted.items():
        before = set(used_files.all)
        work(document, plot)
        found[case] = sorted(path.name for path in used_files.all - before)
    print(json.dumps(found))


if __name__ == "__main__":
    main(sys.argv[1:])
