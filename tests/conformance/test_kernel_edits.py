"""Which edits enter a kernel: those of `MAY_RUN_KERNELS`, which run on the engine's thread, and no other."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator

from engine.document import Blob, Document, Layer, Samples
from engine.edits import EDITS, MAY_RUN_KERNELS, Edit, edit
from engine.runtime.guard import ForbiddenThread, forbid_kernels_on
from tests.conformance.test_edits import random_edit
from tests.engine.figures import scene

SESSIONS, STEPS = 24, 250
SECOND = 705_600_000


def enters_a_kernel(change: Edit, document: Document) -> bool:
    try:
        with forbid_kernels_on(threading.current_thread()):
            change.apply(document)
    except ForbiddenThread:
        return True
    return False


def captured(seed: int) -> Document:
    """A scene whose figures carry ten seconds of samples."""
    document = scene(seed)
    for actor in document.actors:
        if actor.figure is not None:
            names = tuple(dof.id for dof in actor.figure.dofs if dof.kind != "ball")
            values = Blob([[0.01 * frame] * len(names) for frame in range(50)])
            samples = Samples(coordinates=names, values=values, rate=(5, 1), start=-5 * SECOND)
            layer = Layer(id="captured", samples=samples)
            document = edit("add_layer", actor=actor.id, layer=layer).apply(document)
    return document


def random_edits() -> Iterator[tuple[Edit, Document]]:
    """Edits and the documents that they fit."""
    for seed in range(SESSIONS):
        chance, document = random.Random(seed), captured(seed)
        for _ in range(STEPS):
            change = random_edit(chance, document)
            yield change, document
            if change.name not in ("remove_layer", "bake_layers", "set_samples", "remove_actor"):
                document = change.apply(document)


def test_only_edits_that_are_listed_enter_kernels_and_each_of_them_does() -> None:
    entering, applied = set(), set()
    for change, document in random_edits():
        applied.add(change.name)
        if change.name not in entering and enters_a_kernel(change, document):
            entering.add(change.name)
    assert applied == set(EDITS)
    assert entering == MAY_RUN_KERNELS
