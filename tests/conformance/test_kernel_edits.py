"""Which edits enter a kernel: those of `MAY_RUN_KERNELS`, which run on the engine's thread, those of `KEEP_REGIONS`
where a figure has limits over several angles, and no other. Those that read arrays (`READ_ARRAYS`) enter none."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator

import pytest

from engine.document import Blob, Document, Key, Layer, Samples
from engine.edits import EDITS, KEEP_REGIONS, MAY_RUN_KERNELS, READ_ARRAYS, Edit, edit
from engine.runtime.errors import InvalidDocument
from engine.runtime.guard import ForbiddenThread, forbid_kernels_on
from tests.conformance.test_edits import REFUSED, random_edit
from tests.engine.edits.limit_examples import limit_over
from tests.engine.figures import scene

SESSIONS, MOST_SESSIONS, STEPS = 24, 200, 250
SECOND = 705_600_000
READ_SKINS = {"scale_figure"}  # for the engine's thread since they read arrays of meshes and skins


def enters_a_kernel(change: Edit, document: Document) -> bool:
    try:
        with forbid_kernels_on(threading.current_thread()):
            applied(change, document)
    except ForbiddenThread:
        return True
    return False


def applied(change: Edit, document: Document) -> Document:
    """The document after an edit; as it was, where that is refused as some that chance draws are."""
    try:
        return change.apply(document)
    except InvalidDocument as problem:
        if not any(words in str(problem) for words in REFUSED):
            raise
        return document


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


def random_edits(is_enough: Callable[[], bool]) -> Iterator[tuple[Edit, Document]]:
    """Edits and the documents that they fit, until there are enough."""
    for seed in range(MOST_SESSIONS):
        if seed >= SESSIONS and is_enough():
            return
        chance, document = random.Random(seed), captured(seed)
        for _ in range(STEPS):
            change = random_edit(chance, document)
            yield change, document
            if change.name not in ("remove_layer", "bake_layers", "set_samples", "remove_actor"):
                document = applied(change, document)


def test_only_edits_that_are_listed_enter_kernels_and_each_of_them_does() -> None:
    entering, drawn, entered = set[tuple[str, bool]](), set[str](), set[str]()
    for change, document in random_edits(lambda: drawn == set(EDITS) and entered >= MAY_RUN_KERNELS - READ_SKINS):
        drawn.add(change.name)
        limited = any(actor.figure.limits_on for actor in document.actors)
        if (change.name, limited) not in entering and enters_a_kernel(change, document):
            entering.add((change.name, limited))
            entered.add(change.name)
    assert drawn == set(EDITS)
    assert {name for name, limited in entering if not limited} <= MAY_RUN_KERNELS
    assert MAY_RUN_KERNELS - READ_SKINS <= entered <= MAY_RUN_KERNELS | KEEP_REGIONS


def limited() -> Document:
    """A figure with a limit over two of its hinges, and a draft that is beyond it."""
    document = scene()
    actor = document.actors[0]
    hinges = tuple(dof.id for joint in actor.figure.joints for dof in joint.dofs if dof.kind == "hinge")[:2]
    limit = limit_over(random.Random(1), hinges, kind="box")
    place = {"actor": actor.id, "layer": "pose"}
    posed = edit("set_pose", **place, values=((hinges[0], 0.1),)).apply(document)
    keyed = edit("set_key", **place, coordinate=hinges[0], time=SECOND, value=0.1).apply(posed)
    drafted = edit("set_draft", **place, time=0, values=((hinges[0], 1.5),)).apply(keyed)
    return edit("set_limit", actor=actor.id, limit=limit).apply(drafted)


@pytest.mark.parametrize("name", sorted(READ_ARRAYS))
def test_an_edit_that_reads_the_arrays_of_limits_is_for_the_engine_where_there_are_some(name: str) -> None:
    assert Edit(name, ()).may_run_kernels_on(limited())
    assert not Edit(name, ()).may_run_kernels_on(scene())


@pytest.mark.parametrize("name", sorted(KEEP_REGIONS))
def test_an_edit_that_keeps_to_regions_enters_a_kernel_where_there_are_some(name: str) -> None:
    document = limited()
    figure = document.actors[0].figure
    place: dict[str, object] = {"actor": document.actors[0].id, "layer": "pose"}
    values = ((figure.limits[0].dofs[0], 1.9),)
    chosen, keys = ((values[0][0], (SECOND,)),), ((values[0][0], Key(SECOND, 1.9)),)
    arguments: dict[str, dict[str, object]] = {
        "set_value": {**place, "coordinate": values[0][0], "value": 1.9},
        "set_pose": {**place, "values": values},
        "pose_actors": {"time": 0, "poses": ((place["actor"], values),)},
        "set_draft": {**place, "time": 0, "values": values},
        "key_pose": {**place, "time": 0, "values": values},
        "key_draft": {**place, "time": 0},
        "reset_pose": {**place, "coordinates": (values[0][0],)},
        "set_key": {**place, "coordinate": values[0][0], "time": 0, "value": 1.9},
        "set_keys": {**place, "keys": keys},
        "move_keys": {**place, "keys": chosen, "value": 0.7},
        "scale_keys": {**place, "keys": chosen, "pivot": 0, "value_factor": 2.0},
        "paste_keys": {"chosen": ((*place.values(), keys),)},
        "reshape_chosen": {"chosen": ((*place.values(), chosen),), "made": ((*place.values(), keys),)},
        "insert_chosen": {"chosen": (), "time": 0, "made": ((*place.values(), keys),)},
    }
    change = edit(name, **arguments[name])
    assert change.may_run_kernels_on(document)
    assert not change.may_run_kernels_on(scene())
    assert enters_a_kernel(change, document)
