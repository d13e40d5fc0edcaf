"""A random example of each edit of secondary motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any

from engine.document import Actor, Bell, Blob, Correction, Document, Samples, Target, Term
from engine.document.presets import PRESETS
from engine.document.target import SOURCES
from engine.edits import Edit, both, edit
from tests.engine.edits.examples import SECOND, new_id, some_joint

SECONDARY_EDITS = (
    "set_secondary",
    "remove_secondary",
    "set_gains",
    "clear_gains",
    "apply_preset",
    "add_targets",
    "set_targets",
    "move_targets",
    "place_target",
    "place_targets",
    "remove_targets",
    "mark_chosen",
    "set_correction",
    "bake_secondary",
    "do_both",
)


def secondary_edit(random: Random, name: str, document: Document) -> Edit:
    """An edit of that name, or one that makes what it needs."""
    actor = random.choice(document.actors)
    if name in ("set_targets", "move_targets", "remove_targets"):
        aiming = [each for each in document.actors if each.secondary is not None and each.secondary.targets]
        if not aiming:
            return edit("add_targets", actor=actor.id, targets=(_target(random, actor),))
        actor = random.choice(aiming)
        assert actor.secondary is not None
        chosen = (random.choice(actor.secondary.targets).id,)
        return edit(name, actor=actor.id, targets=chosen, **_on_targets(random, name))
    if name == "place_target":
        return edit(name, actor=actor.id, target=_replacing(random, actor))
    if name == "place_targets":
        return _placing(random, random.choice([each for each in document.actors if each.figure.dofs]))
    if name == "mark_chosen":
        return _marking(random, document)
    if name == "bake_secondary":
        return _baking(random, random.choice([each for each in document.actors if each.figure.dofs]))
    if name == "do_both":
        moving = [each for each in document.actors if each.figure.dofs]
        return both(edit("set_secondary", actor=actor.id, **_settings(random)), _correcting(random, moving))
    if name == "set_correction":
        return _correcting(random, [each for each in document.actors if each.figure.dofs])
    made: dict[str, Callable[[], dict[str, Any]]] = {
        "set_secondary": lambda: _settings(random),
        "remove_secondary": dict,
        "set_gains": lambda: {"joints": _joints(random, actor), **_gains(random)},
        "clear_gains": lambda: {"joints": _joints(random, actor), "names": random.choice((None, ("damping", "exact")))},
        "apply_preset": lambda: {"preset": random.choice(PRESETS), "joints": _joints(random, actor)},
        "add_targets": lambda: {"targets": tuple(_target(random, actor) for _ in range(random.randint(1, 2)))},
    }
    return edit(name, actor=actor.id, **made[name]())


def _settings(random: Random) -> dict[str, Any]:
    given: dict[str, Any] = {
        "on": random.random() < 0.8,
        "window": random.randint(SECOND // 20, SECOND // 5),
        "step": random.randint(SECOND // 100, SECOND // 30),
        "lead": random.choice(("hold", "run_in")),
        "contact": random.random() < 0.3,
    }
    return {name: value for name, value in given.items() if random.random() < 0.5}


def _gains(random: Random) -> dict[str, Any]:
    given = {"tension": random.uniform(0.5, 9.0), "relaxation": random.random(), "damping": 0.7, "gravity": 0.5}
    return {**{name: value for name, value in given.items() if random.random() < 0.5}, "exact": random.random() < 0.3}


def _joints(random: Random, actor: Actor) -> tuple[str, ...] | None:
    return None if random.random() < 0.4 else (some_joint(random, actor), some_joint(random, actor))


def _target(random: Random, actor: Actor) -> Target:
    figure, number = actor.figure, random.random()
    if number < 0.15 and figure.rates:
        change = ((random.choice(figure.rates), random.uniform(-0.5, 0.5)),)
        return Target(id=new_id(random), kind="wish", time=random.randint(-2, 2) * SECOND, change=change)
    free = [dof for dof in figure.dofs if dof.kind != "ball"]
    kind = random.choice(("pose", "point", "turn"))
    given: dict[str, Any] = {"source": random.choice(SOURCES), "time": random.randint(-2, 2) * SECOND}
    given |= {"frames": 10, "velocity": number < 0.4, "width": random.randint(1, SECOND)}
    if kind == "pose":
        chosen = tuple((dof.id, number) for dof in free[:2]) if free and number < 0.5 else None
        joints = (some_joint(random, actor),) if number < 0.3 else None
        return Target(id=new_id(random), kind="pose", values=chosen, rates=chosen, joints=joints, **given)
    joint = some_joint(random, actor)
    if kind == "point":
        place = (number, 0.0, -1.0) if number < 0.5 else None
        return Target(id=new_id(random), kind="point", joint=joint, point=(0.1, 0.0, 0.0), position=place, **given)
    spin = (number, 0.0, -2.0) if number < 0.5 else None
    return Target(id=new_id(random), kind="turn", joint=joint, rotation=(0.6, 0.0, 0.8, 0.0), speed=spin, **given)


def _on_targets(random: Random, name: str) -> dict[str, Any]:
    if name == "move_targets":
        return {"ticks": random.randint(-SECOND, SECOND)}
    if name == "remove_targets":
        return {}
    changes: tuple[tuple[str, object], ...] = (
        ("width", random.randint(1, SECOND)),
        ("after", random.choice((None, SECOND // 3))),
        ("bell", random.choice(("gaussian", "polynomial"))),
        ("on", random.random() < 0.5),
    )
    return {"changes": tuple(each for each in changes if random.random() < 0.5)}


def _replacing(random: Random, actor: Actor) -> Target:
    """Another target of the id of one that there is, or a new one."""
    listed = () if actor.secondary is None else actor.secondary.targets
    made = _target(random, actor)
    return replace(made, id=random.choice(listed).id) if listed and random.random() < 0.6 else made


def _placing(random: Random, actor: Actor) -> Edit:
    targets = tuple(_target(random, actor) for _ in range(random.randint(0, 2)))
    if random.random() < 0.4:
        return edit("place_targets", actor=actor.id, targets=targets)
    holding = [layer.id for layer in actor.layers if layer.correction is not None]
    layer = holding[-1] if holding else new_id(random)
    correction = some_correction(random, actor) if random.random() < 0.7 else None
    return edit("place_targets", actor=actor.id, targets=targets, layer=layer, correction=correction)


def _marking(random: Random, document: Document) -> Edit:
    keyed = [(actor, layer) for actor in document.actors for layer in actor.layers if layer.tracks]
    if not keyed:
        actor = next(actor for actor in document.actors if actor.layers and actor.figure.dofs)
        place = {"actor": actor.id, "layer": actor.layers[0].id, "coordinate": actor.figure.coordinates[0]}
        return edit("set_key", **place, time=random.randint(-3, 3) * SECOND, value=0.1)
    actor, layer = random.choice(keyed)
    track = random.choice(layer.tracks)
    keys = ((track.coordinate, (random.choice(track.keys).time,)),)
    return edit("mark_chosen", chosen=((actor.id, layer.id, keys),), mark=random.random() < 0.8)


def _baking(random: Random, actor: Actor) -> Edit:
    names = actor.figure.coordinates
    count = random.randint(1, 4)
    values = Blob([[float(name.endswith(".w")) for name in names] for _ in range(count)])
    samples = Samples(coordinates=names, values=values, rate=(30, 1), start=random.randint(-2, 2) * SECOND)
    return edit("bake_secondary", actor=actor.id, id=new_id(random), samples=samples)


def _correcting(random: Random, actors: list[Actor]) -> Edit:
    actor = random.choice(actors)
    holding = [layer for layer in actor.layers if layer.correction is not None]
    layer = random.choice(holding).id if holding and random.random() < 0.8 else new_id(random)
    if holding and layer == holding[-1].id and random.random() < 0.3:
        return edit("set_correction", actor=actor.id, layer=layer, correction=None)
    return edit("set_correction", actor=actor.id, layer=layer, correction=some_correction(random, actor))


def some_correction(random: Random, actor: Actor) -> Correction:
    """Two bells over some of the actor's rates."""
    names = random.sample(actor.figure.rates, k=min(3, len(actor.figure.rates)))
    terms = []
    for time in sorted(random.randint(-2 * SECOND, 2 * SECOND) for _ in range(2)):
        widths = {"before": random.randint(1, SECOND), "after": random.randint(1, SECOND)}
        bell = Bell(time=time, **widths, kind=random.choice(("gaussian", "polynomial")))
        amplitudes = tuple((name, random.uniform(-0.5, 0.5)) for name in names)
        wiggles = ((names[0], random.uniform(-0.05, 0.05)),)
        terms.append(Term(bell=bell, amplitudes=amplitudes, wiggles=wiggles))
    return Correction(terms=tuple(terms))
