"""Prints the kernels that documents work with and are not said to need: `python3 start.py python -m
tests.engine.queries.needed GROUP...`, the cases of a group joined by commas.

Each group has a process of its own, which warms what its documents are said to need, all the same, and works with each.
Where the system can split a process they are split from one that has warmed posing, which all of them need, and the
dearest of what groups have in common beside.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

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
from engine.runtime.errors import Diverged
from engine.runtime.kernel_cache import used_files

HALF = TICKS_PER_SECOND // 2
LOOKED_AT = (0, TICKS_PER_SECOND // 10, TICKS_PER_SECOND // 5)
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
    for time in LOOKED_AT:
        with_ghosts(evaluator, evaluator.snapshot(document, time))
    reach = Reach(evaluator)
    for actor in document.actors:
        for handle in actor.figure.handles[:2]:
            spot = Spot(actor=actor.id, joint=handle.joint, point=handle.point)
            goal = PositionGoal(spot=spot, target=(-0.3, 1.2, 0.4))
            drag = f"{actor.id} {handle.id}"
            request = PullHandle(drag=drag, actor=actor.id, goals=(goal,), terms=Terms(iterations=2))
            with suppress(
                Diverged
            ):  # of what muscles hold, pulled far away: what it is worked out with is used by then
                for _ in reach.answer(document, LOOKED_AT[1], request):
                    pass
    if plot is not None:
        for _ in Plots(evaluator).answer(document, 0, plot):
            pass


def needs_of_group(cases: list[str]) -> frozenset[str]:
    """The purposes that all its cases are said to need, posing among them."""
    plots = [(document_of(case), plot_of(case)) for case in cases]
    (needs,) = {needs_of(document) | (frozenset() if plot is None else needs_of_plot(plot)) for document, plot in plots}
    return needs | {"posing"}


def kernels_besides(cases: list[str]) -> dict[str, list[str]]:
    """By case those that were not warmed, in a process in which nothing was besides what the group needs."""
    warm(needs_of_group(cases))
    found = {}
    for case in cases:
        document, plot, before = document_of(case), plot_of(case), set(used_files.all)
        work(document, plot)
        found[case] = sorted(path.name for path in used_files.all - before)
    return found


def in_a_process(work: Callable[[], int]) -> int:
    """The exit code of a process that does it; this one stays as it is."""
    sys.stdout.flush()
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    try:
        code = work()
    except BaseException:
        traceback.print_exc()
        code = 1
    sys.stdout.flush()
    os._exit(code)


def in_processes(groups: dict[str, frozenset[str]], warmed: frozenset[str]) -> int:
    """Print what groups come to, each in a process of its own; the worst exit code. Those that need what is dearest to
    warm are split from one process that has warmed it, and so on.
    """
    left, codes = dict(groups), [0]
    for purpose in sorted(WARM, key=lambda each: -each.total):
        alike = {group: needs for group, needs in left.items() if purpose.name in needs - warmed}
        if len(alike) > 1:
            left = {group: needs for group, needs in left.items() if group not in alike}
            codes.append(in_a_process(partial(warm_for, alike, warmed | {purpose.name})))
    return max(*codes, *(in_a_process(partial(one, group)) for group in left), 0)


def warm_for(groups: dict[str, frozenset[str]], shared: frozenset[str]) -> int:
    warm(shared)
    return in_processes(groups, shared)


def one(group: str) -> int:
    """Print what a group comes to."""
    print(json.dumps(kernels_besides(group.split(","))))
    return 0


def main(groups: list[str]) -> int:
    if len(groups) == 1:
        return one(groups[0])
    if hasattr(os, "fork"):
        return warm_for({group: needs_of_group(group.split(",")) for group in groups}, frozenset({"posing"}))
    each = [sys.executable, "-m", "tests.engine.queries.needed"]
    return max(subprocess.run([*each, group]).returncode for group in groups)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
