"""A random example of each edit of locks."""

from __future__ import annotations

from random import Random
from typing import Any

from engine.document import Actor, Document, Lock, Span
from engine.document.lock import Held
from engine.edits import Edit, edit
from tests.engine.edits.examples import SECOND, new_id, some_joint, some_samples, some_span

LOCK_EDITS = (
    "add_lock",
    "plant_locks",
    "remove_lock",
    "rename_lock",
    "mute_lock",
    "set_lock_target",
    "key_lock",
    "unkey_lock",
    "set_lock_weight",
    "set_lock_span",
    "set_lock_axes",
    "set_lock_joints",
    "move_lock_to",
    "bake_locks",
)


def lock_edit(random: Random, name: str, document: Document) -> Edit:
    """An edit of locks; actors hold on to themselves or to those listed before them, so that there is no ring."""
    holding = [actor for actor in document.actors if actor.locks]
    if name == "add_lock" or not holding:
        actor = random.choice(document.actors)
        return edit("add_lock", actor=actor.id, lock=_lock(random, document, actor))
    if name == "plant_locks":
        actor = random.choice(document.actors)
        return edit(name, parts=((actor.id, tuple(_lock(random, document, actor) for _ in range(2))),))
    owner = random.choice(holding)
    chosen = random.choice(owner.locks)
    if name == "bake_locks":
        made = {"id": new_id(random), "samples": some_samples(random, owner)}
        return edit(name, actor=owner.id, locks=(chosen.id,), **made)
    return edit(name, actor=owner.id, lock=chosen.id, **_lock_arguments(random, name, document, owner, chosen))


def _lock(random: Random, document: Document, actor: Actor) -> Lock:
    kinds: tuple[Held, ...] = ("point", "plane", "turn", "centre", "balance")
    held, some_axes = random.choice(kinds), random.choice((("i", "j"), ("k",)))
    of_mass = held in ("centre", "balance")
    joint = some_joint(random, actor)
    placed: dict[str, Any] = {} if of_mass else _lock_place(random, document, actor, joint)
    return Lock(
        id=new_id(random),
        name="Lock",
        joint=joint,
        point=(0.1, random.random(), 0.0),
        held=held,
        axes=() if of_mass else some_axes,  # type: ignore[arg-type]
        span=Span(start=0, end=3 * SECOND, ease_in=SECOND) if random.random() < 0.7 else None,
        **placed,
    )


def _lock_place(random: Random, document: Document, actor: Actor, joint: str) -> dict[str, Any]:
    """In the world, or in the frame of another part of the actor or of an actor listed before it that holds on to
    nobody; none hangs."""
    place = {"position": (random.random(), 0.0, -1.0), "rotation": (0.6, 0.0, 0.8, 0.0)}
    before = document.actors[: document.actor_index[actor.id]]
    target = random.choice([actor, *(each for each in before if not any(part.holds_on_to() for part in each.parts))])
    target_joint = some_joint(random, target)
    if random.random() < 0.5 or (target.id, target_joint) == (actor.id, joint):
        return {"target": None, "target_joint": None, "shared": False, **place}
    return {"target": target.id, "target_joint": target_joint, "shared": False, **place}


def _lock_arguments(random: Random, name: str, document: Document, owner: Actor, lock: Lock) -> dict[str, Any]:
    number = random.random()
    if name == "move_lock_to":
        world = {"target": None, "target_joint": None}
        return {**_lock_place(random, document, owner, lock.joint), **(world if lock.of_mass else {})}
    values = (("x", number), ("turn_y", 0.2), ("weight", 1.0))
    made: dict[str, dict[str, Any]] = {
        "remove_lock": {},
        "rename_lock": {"name": random.choice("ABC")},
        "mute_lock": {"mute": number < 0.5},
        "set_lock_target": {"position": (number, 0.0, 1.0), "rotation": (0.6, 0.0, 0.8, 0.0)},
        "key_lock": {"time": random.randint(-3, 3) * SECOND, "values": values},
        "unkey_lock": {"names": ("x", "weight"), "time": random.choice((None, SECOND))},
        "set_lock_weight": {"weight": number, "importance": 1.0 + number},
        "set_lock_span": some_span(random),
        "set_lock_axes": {"axes": lock.axes if lock.of_mass else random.choice((("i",), ("k", "i")))},
        "set_lock_joints": {"joints": random.choice((None, (some_joint(random, owner), lock.joint)))},
    }
    return made[name]
